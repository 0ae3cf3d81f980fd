//! `ketch regex`: explains regular expressions. This module also creates the failures for errors of
//! regular expressions.

use crate::args::{ExplainArgs, Format, RegexArgs, RegexCommand};
use crate::diagnostic::Diagnostic;
use crate::output::print;
use crate::status::{Failure, Status};
use ketch_regex::syntax::{Kind, Span, Tree, parse};
use ketch_regex::{Class, Error, Explanation, LineError, Options, Regex};
use ketch_yaml::Location;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Compiles `pattern`, which is from the command line.
pub fn compile(pattern: &str, options: Options) -> Result<Regex, Failure> {
    Regex::new(pattern, options).map_err(|error| wrong_pattern(pattern, &error))
}

/// Returns the failure for `pattern`, which is not valid or not supported.
pub fn wrong_pattern(pattern: &str, error: &Error) -> Failure {
    let problem = error.problem();
    let class = match error.class() {
        Class::Syntax => "syntax",
        Class::Limit => "limit",
        _ => "unsupported",
    };
    let mut diagnostic =
        Diagnostic::sentence("PATTERN", problem.name(), class, problem.to_string());
    let span = error.span();
    let length = (span.end - span.start).max(1);
    diagnostic.location = Some(Location::in_text(pattern.as_bytes(), span.start as u64, length));
    diagnostic.help = Some(problem.help().to_owned());
    Failure::Argument(Box::new(diagnostic))
}

/// Returns the failure for a search in `file` that exceeded a limit.
pub fn wrong_search(file: &str, error: &Error) -> Failure {
    let problem = error.problem();
    let mut diagnostic = Diagnostic::sentence(file, problem.name(), "limit", problem.to_string());
    diagnostic.help = Some(problem.help().to_owned());
    Failure::Input(Box::new(diagnostic))
}

/// Returns the failure for `file`, whose lines cannot be read.
pub fn wrong_line(file: &str, error: LineError) -> Failure {
    match error {
        LineError::Io(error) => Failure::Read(file.to_owned(), error),
        LineError::Search(error) => wrong_search(file, &error),
        LineError::TooLong(offset, max) => {
            let message = format!("a record has more than {max} bytes");
            let mut diagnostic = Diagnostic::sentence(file, "TooLong", "limit", message);
            diagnostic.set_offset(Some(offset));
            diagnostic.help = Some("Raise --max-bytes, or give another separator.".to_owned());
            Failure::Input(Box::new(diagnostic))
        }
        error => Failure::Read(file.to_owned(), std::io::Error::other(error)),
    }
}

/// Runs the subcommand that the arguments choose.
pub fn run(args: RegexArgs) -> Result<Status, Failure> {
    match args.command {
        RegexCommand::Explain(args) => explain(&args),
        RegexCommand::Check(args) => super::explosions::run(&args),
    }
}

/// Prints how much time a pattern takes, what its matches contain, and its syntax tree.
fn explain(args: &ExplainArgs) -> Result<Status, Failure> {
    let options = Options { ignore_case: args.ignore_case, ..Options::default() };
    let regex = compile(&args.pattern, options.clone())?;
    let wrong = |error: Error| wrong_pattern(&args.pattern, &error);
    let explained = regex.explain().map_err(wrong)?;
    let tree = parse(&args.pattern, &options).map_err(wrong)?;
    let text = match args.format {
        Format::Text => in_words(&regex, &explained, &tree),
        Format::Json => format!("{}\n", as_json(&regex, &explained)),
    };
    print(|out| out.write_all(text.as_bytes()))?;
    Ok(Status::Success)
}

/// Returns the description of a construct in `pattern`, with the column where it starts.
fn at(pattern: &str, (span, what): (Span, &str)) -> String {
    let column = pattern[..span.start].chars().count() + 1;
    format!("{what}, column {column}")
}

/// Returns the explanation as text.
fn in_words(regex: &Regex, explained: &Explanation, tree: &Tree) -> String {
    let pattern = regex.pattern();
    let mut rows = cost_rows(pattern, explained);
    let length = match explained.length_max {
        None => format!("{} or more bytes", explained.length_min),
        Some(max) => format!("{} to {max} bytes", explained.length_min),
    };
    rows.push(("length", length));
    if !explained.required.is_empty() {
        rows.push(("requires", required(explained)));
    }
    if regex.groups() > 0 {
        rows.push(("groups", groups(regex)));
    }
    let mut text = String::new();
    for (name, value) in rows {
        let _ = writeln!(text, "{name:<10} {value}");
    }
    text.push_str("tree\n");
    draw_tree(pattern, tree, &mut text);
    text
}

/// Returns the rows that say how much time a search takes, here and in Ruby.
fn cost_rows(pattern: &str, explained: &Explanation) -> Vec<(&'static str, String)> {
    let time = match explained.not_linear {
        None if explained.scan_is_linear => {
            ("time", "linear, also for all matches of a text".to_owned())
        }
        None => ("time", "linear for each match".to_owned()),
        Some(reason) => ("time", format!("bounded by fuel: {}", at(pattern, reason))),
    };
    let machine = match explained.irregular {
        None => ("machine", "automata".to_owned()),
        Some(reason) if explained.automata_find_spans => {
            ("machine", format!("automata; the memo machine for groups: {}", at(pattern, reason)))
        }
        Some(reason) => ("machine", format!("memo machine: {}", at(pattern, reason))),
    };
    let ruby = match explained.backtracks_in_ruby {
        None => {
            ("Ruby 3.2+", "remembers what failed: linear; JRuby and Ruby 3.1 backtrack".to_owned())
        }
        Some(reason) => {
            ("Ruby 3.2+", format!("backtracks, as JRuby does: {}", at(pattern, reason)))
        }
    };
    vec![time, machine, ruby]
}

/// Returns the texts of which each match contains at least one, and their distance from the start
/// of the match.
fn required(explained: &Explanation) -> String {
    let texts: Vec<String> = explained
        .required
        .iter()
        .map(|text| format!("{:?}", String::from_utf8_lossy(text)))
        .collect();
    let distance = match explained.distance {
        (0, Some(0)) => "at the start".to_owned(),
        (least, Some(most)) => format!("{least} to {most} bytes from the start"),
        (least, None) => format!("{least} or more bytes from the start"),
    };
    format!("{}, {distance}", texts.join(" or "))
}

/// Returns the names of the groups with their numbers, or the number of groups if none has a name.
fn groups(regex: &Regex) -> String {
    let names: Vec<String> = regex
        .names()
        .iter()
        .map(|name| {
            let numbers: Vec<String> = name.groups.iter().map(ToString::to_string).collect();
            format!("{} ({})", name.name, numbers.join(", "))
        })
        .collect();
    if names.is_empty() { regex.groups().to_string() } else { names.join(", ") }
}

/// Writes one line to `text` for each node of `tree`, indenting the children of a node.
fn draw_tree(pattern: &str, tree: &Tree, text: &mut String) {
    let mut todo = vec![(tree.root(), 1usize)];
    while let Some((id, depth)) = todo.pop() {
        let node = tree.node(id);
        let (name, children) = match &node.kind {
            Kind::Concat(ids) => ("sequence", ids.clone()),
            Kind::Alternation(ids) => ("alternatives", ids.clone()),
            Kind::Repeat { child, .. } => ("repeat", vec![*child]),
            Kind::Group(_, child) => ("group", vec![*child]),
            Kind::Conditional { yes, no, .. } => {
                ("conditional", std::iter::once(*yes).chain(*no).collect())
            }
            Kind::Char(_) => ("character", Vec::new()),
            Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => ("set", Vec::new()),
            Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => ("set", Vec::new()),
            Kind::Assertion(_) => ("assertion", Vec::new()),
            Kind::BackReference(..) => ("back-reference", Vec::new()),
            Kind::Call(_) => ("call", Vec::new()),
            Kind::Empty => ("nothing", Vec::new()),
            _ => ("escape", Vec::new()),
        };
        let source = pattern.get(node.span.start..node.span.end).unwrap_or("");
        // The indentation is limited, so that deep trees fit on a screen.
        let indent = 2 * depth.min(40);
        let _ = writeln!(text, "{:indent$}{name} {source}", "");
        todo.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
}

/// Returns the explanation as JSON.
fn as_json(regex: &Regex, explained: &Explanation) -> Value {
    let place = |found: Option<(Span, &str)>| match found {
        None => Value::Null,
        Some((span, what)) => json!({"reason": what, "start": span.start, "end": span.end}),
    };
    let names: serde_json::Map<String, Value> =
        regex.names().iter().map(|name| (name.name.clone(), json!(name.groups))).collect();
    let texts: Vec<_> =
        explained.required.iter().map(|text| String::from_utf8_lossy(text)).collect();
    json!({
        "linear": regex.is_linear(),
        "scan_linear": explained.scan_is_linear,
        "not_linear": place(explained.not_linear),
        "irregular": place(explained.irregular),
        "backtracks_in_ruby": place(explained.backtracks_in_ruby),
        "length_min": explained.length_min,
        "length_max": explained.length_max,
        "required": texts,
        "distance_min": explained.distance.0,
        "distance_max": explained.distance.1,
        "groups": regex.groups(),
        "names": names,
    })
}

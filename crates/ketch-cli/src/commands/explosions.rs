//! `ketch regex check`: finds patterns in files on which backtracking engines can take very long.

use crate::args::RegexCheckArgs;
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::file_name;
use crate::files;
use crate::input;
use crate::read;
use crate::status::{Failure, Status};
use ketch_regex::{
    Explosion, Grok, GrokError, GrokPatterns, Growth, Limits, Options, Regex, syntax::Span,
};
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::{Documents, Location};
use std::path::Path;
use std::time::Duration;

/// The keys of YAML mappings whose values are patterns, if `--key` is not given.
const KEYS: &[&str] = &["pattern", "patterns", "regex", "regexp", "match", "begin", "end", "while"];
/// The tag that Ruby's regular expressions have in YAML.
const RUBY_TAG: &str = "!ruby/regexp";
/// The maximum time for compiling a pattern.
const COMPILE_TIME: Duration = Duration::from_secs(5);

/// A pattern that was found in a file.
struct Found {
    location: Location,
    /// The name of the pattern, if it is in a grok file.
    name: Option<String>,
    regex: Result<Regex, Wrong>,
}

/// The reason why a pattern cannot be checked.
struct Wrong {
    message: String,
    help: Option<String>,
}

/// Checks all files. Continues after errors.
pub fn run(args: &RegexCheckArgs) -> Result<Status, Failure> {
    let mut status = Status::Success;
    let wanted =
        |file: &Path| files::is_yaml(file) || file.extension().is_some_and(|end| end == "grok");
    let files = files::expand_to(&args.files, wanted)?;
    let (library, texts) = read_all(&files.names, args, &mut status);
    for (file, text) in &texts {
        let found = match is_grok(file, args) {
            true => in_grok(&library, text),
            false => match in_yaml(file, text, args) {
                Ok(found) => found,
                Err(failure) => {
                    status = status.max(draw::failure(&failure));
                    continue;
                }
            },
        };
        for one in found {
            status = status.max(report(file, &one, args)?);
        }
    }
    Ok(status)
}

/// Reads all files. Returns their contents, and the patterns of all grok files, which may refer to
/// each other.
fn read_all<'a>(
    files: &'a [String],
    args: &RegexCheckArgs,
    status: &mut Status,
) -> (GrokPatterns, Vec<(&'a str, Vec<u8>)>) {
    let mut library = GrokPatterns::new();
    let mut texts = Vec::new();
    for file in files {
        match input::read(file) {
            Ok(text) => {
                if is_grok(file, args) {
                    // `in_grok` reports the lines without a pattern.
                    for line in grok_lines(&text) {
                        if let Some(pattern) = line.pattern {
                            library.insert(&line.name, &pattern);
                        }
                    }
                }
                texts.push((file.as_str(), text));
            }
            Err(failure) => *status = (*status).max(draw::failure(&failure)),
        }
    }
    (library, texts)
}

/// Returns whether `file` contains patterns in the format of grok.
fn is_grok(file: &str, args: &RegexCheckArgs) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    args.grok || file != "-" && (name.ends_with(".grok") || !name.contains('.'))
}

/// A line of a grok file.
struct GrokLine {
    /// The offset of the name, in bytes.
    offset: usize,
    name: String,
    /// The pattern after the name, if there is one.
    pattern: Option<String>,
}

/// Returns the lines of the grok file `text`, except for comments and empty lines.
fn grok_lines(text: &[u8]) -> Vec<GrokLine> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let shown = String::from_utf8_lossy(line);
        let trimmed = shown.trim();
        if !trimmed.is_empty() && !trimmed.starts_with('#') {
            let offset = start + shown.len() - shown.trim_start().len();
            let (name, pattern) = match trimmed.split_once([' ', '\t']) {
                Some((name, pattern)) => (name, Some(pattern.trim_start().to_owned())),
                None => (trimmed, None),
            };
            found.push(GrokLine { offset, name: name.to_owned(), pattern });
        }
        start += line.len() + 1;
    }
    found
}

/// Compiles the patterns of the grok file `text`, including the patterns of `library` that they
/// refer to.
fn in_grok(library: &GrokPatterns, text: &[u8]) -> Vec<Found> {
    let compile = |line: &GrokLine| {
        if line.pattern.is_none() {
            let message = "the line has a name, but no pattern".to_owned();
            let help = "Write a name, a blank, and a pattern on each line.".to_owned();
            return Err(Wrong { message, help: Some(help) });
        }
        let grok = Grok::new(library, &[&format!("%{{{}}}", line.name)], options());
        grok.map(|grok| grok.regexes()[0].clone()).map_err(|error| {
            let help = match &error {
                GrokError::Pattern(_, error) => Some(error.problem().help().to_owned()),
                GrokError::Unknown(..) => {
                    Some("Also give the file that defines this pattern.".to_owned())
                }
                _ => None,
            };
            Wrong { message: error.to_string(), help }
        })
    };
    let lines = grok_lines(text).into_iter();
    lines
        .map(|line| {
            let location = Location::in_text(text, line.offset as u64, line.name.len());
            Found { location, regex: compile(&line), name: Some(line.name) }
        })
        .collect()
}

/// Compiles the patterns in the YAML text of `file`.
fn in_yaml(file: &str, text: &[u8], args: &RegexCheckArgs) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    for document in Documents::new(text) {
        let document = document.map_err(|error| read::failure(file, text, error))?;
        for node in document.nodes() {
            if node.custom_tag() == Some(RUBY_TAG) {
                found.push(ruby_literal(node));
            }
            for (key, value) in node.written_entries() {
                let key = key.text();
                let wanted = match args.key.is_empty() {
                    true => KEYS.contains(&&*key),
                    false => args.key.iter().any(|wanted| *wanted == key),
                };
                if wanted {
                    let nodes = std::iter::once(value).chain(value.items());
                    let scalars = nodes
                        .filter(|node| node.kind() == Kind::Scalar && node.custom_tag().is_none());
                    found.extend(scalars.map(|node| compiled(node, &node.text(), options())));
                }
            }
        }
    }
    Ok(found)
}

/// Compiles the pattern in the scalar `node`, such as `!ruby/regexp /a/i`.
fn ruby_literal(node: Node<'_>) -> Found {
    let text = node.text();
    let (pattern, flags) = text.rsplit_once('/').unwrap_or((&text, ""));
    let flag = |letter: char| flags.contains(letter);
    let options =
        Options { ignore_case: flag('i'), multi_line: flag('m'), extended: flag('x'), ..options() };
    compiled(node, pattern.strip_prefix('/').unwrap_or(pattern), options)
}

/// Compiles `pattern`, which is the text of `node`.
fn compiled(node: Node<'_>, pattern: &str, options: Options) -> Found {
    let regex = Regex::new(pattern, options).map_err(|error| Wrong {
        message: format!("/{pattern}/: {error}"),
        help: Some(error.problem().help().to_owned()),
    });
    Found { location: node.location(), name: None, regex }
}

/// Returns the options with which all patterns are compiled.
fn options() -> Options {
    let limits = Limits { time: Some(COMPILE_TIME), ..Limits::default() };
    Options { limits, ..Options::default() }
}

/// Reports a pattern of `file` if it is not valid, or if it can take very long.
fn report(file: &str, found: &Found, args: &RegexCheckArgs) -> Result<Status, Failure> {
    let file = file_name::shown(file);
    let diagnostic = match &found.regex {
        Err(wrong) => {
            let message = format!("cannot be checked: {}", wrong.message);
            let mut diagnostic = Diagnostic::sentence(file, "Pattern", "syntax", message);
            diagnostic.help = wrong.help.clone();
            diagnostic
        }
        Ok(regex) => {
            let explosion = regex.explosion().ok().flatten();
            let least = Growth::Polynomial(if args.quadratic { 2 } else { 3 });
            let Some(explosion) = explosion.filter(|found| found.growth >= least) else {
                return Ok(Status::Success);
            };
            let message = message(regex, &explosion, found.name.as_deref());
            let mut diagnostic = Diagnostic::sentence(file, "Explosion", "limit", message);
            diagnostic.help = Some(help(regex, &explosion));
            diagnostic
        }
    };
    let diagnostic = Diagnostic { location: Some(found.location.clone()), ..diagnostic };
    draw::to_stdout(&diagnostic, args.format)?;
    Ok(Status::WrongInput)
}

/// Returns the message about a pattern on which backtracking engines can take very long. `name` is
/// its name in a grok file.
fn message(regex: &Regex, explosion: &Explosion, name: Option<&str>) -> String {
    let Span { start, end, .. } = explosion.span;
    let part = shortened(regex.pattern().get(start..end).unwrap_or(""));
    let whose = name.map_or(String::new(), |name| format!("{name}: "));
    let time = match explosion.growth {
        Growth::Exponential => "exponential time".to_owned(),
        Growth::Polynomial(2) => "quadratic time".to_owned(),
        Growth::Polynomial(3) => "cubic time".to_owned(),
        Growth::Polynomial(degree) => format!("time of degree {degree}"),
    };
    format!("{whose}backtracking engines may take {time} in `{part}`")
}

/// Returns `part`, shortened to its start if it is long.
fn shortened(part: &str) -> String {
    match part.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &part[..at]),
        None => part.to_owned(),
    }
}

/// Returns a sentence that describes a text on which the pattern takes very long, and a sentence that
/// says whether Ruby 3.2 and later are slow on it, too.
fn help(regex: &Regex, explosion: &Explosion) -> String {
    let Explosion { prefix, pump, suffix, growth, .. } = explosion;
    let repeats = match growth {
        Growth::Exponential => "30",
        _ => "many",
    };
    let mut text = "A text that takes long is ".to_owned();
    if !prefix.is_empty() {
        text.push_str(&format!("{prefix:?}, then "));
    }
    text.push_str(&format!("{pump:?} repeated {repeats} times"));
    if !suffix.is_empty() {
        text.push_str(&format!(", then {suffix:?}"));
    }
    let remedy = match regex.explain().ok().and_then(|explained| explained.backtracks_in_ruby) {
        Some((_, what)) => format!("Ruby 3.2 and later are also slow, because of {what}."),
        None => "Ruby 3.2 and later match the pattern in linear time.".to_owned(),
    };
    format!("{text}. {remedy}")
}

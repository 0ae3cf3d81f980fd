//! Advice on templates, which become YAML only when they are rendered.

use super::advice::Advice;
use super::entry::entry;
use super::lexer;
use super::quote::{code, joined, quoted};
use super::scene::{Line, Scene, cut};

/// The start of template code, with the name of its language and the way to render it.
struct Markup {
    at: usize,
    open: &'static str,
    name: &'static str,
    render: &'static str,
}

/// Advises on template code that was not rendered.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let here = markup(scene, line);
    let (line, markup) = match here {
        Some(markup) => (line, markup),
        None => {
            // Markup on a line above may have swallowed this line.
            let related = scene.text_above()?;
            let is_near = scene.lines_between(related.start, scene.at).count() <= 3;
            let markup = markup(scene, related).filter(|_| is_near)?;
            let is_text = markup.open == "<%" && is_value_of(related, scene);
            (!is_text).then_some((related, markup))?
        }
    };
    if line.start == scene.line().start && markup.at > scene.at && !is_value_of(line, scene) {
        return None;
    }
    let Markup { at, open, name, .. } = markup;
    let message = format!("{} is {name}, not YAML", code(&shown(scene, line, at)));
    let advice = Advice::new(message, label(scene, at, open), help(scene, line, &markup));
    let shown = shown(scene, line, at);
    let is_near = (at..at + open.len() + 1).contains(&scene.at);
    Some(match is_near {
        true if shown.len() > open.len() + 4 => {
            advice.with(scene, at + shown.len() - 2, 2, "the template code ends here")
        }
        true => advice,
        false => advice.moved(scene, at, open.len(), "the template code starts here"),
    })
}

/// Returns the label at the error, which is in the template code or after it.
fn label(scene: &Scene<'_>, at: usize, open: &str) -> &'static str {
    let is_near = (at..at + open.len() + 1).contains(&scene.at);
    if is_near { "template code" } else { "read as YAML up to this" }
}

/// Returns whether the error is in the value of `line`, which contains the markup.
fn is_value_of(line: Line<'_>, scene: &Scene<'_>) -> bool {
    let entry = entry(line);
    entry.key.is_some() && entry.value_at <= scene.at
}

/// Returns the first markup on `line` that is not in quotes or in a comment.
fn markup(scene: &Scene<'_>, line: Line<'_>) -> Option<Markup> {
    const OPEN: [&str; 6] = ["${{", "{{", "{%", "{#", "<%", "#{"];
    let mut found: Vec<(usize, &'static str)> = OPEN
        .iter()
        .flat_map(|&open| line.text.match_indices(open).map(move |(at, _)| (at, open)))
        .collect();
    found.sort_unstable_by_key(|&(at, open)| (at, std::cmp::Reverse(open.len())));
    let free = |&(at, open): &(usize, &str)| {
        let seen = lexer::read(cut(line.text, ..at));
        let is_comment = seen.comment.is_some();
        let is_ruby = open != "#{" || cut(line.text, at..).contains('}');
        !is_comment && seen.open_quote.is_none() && is_ruby && closes(line, at, open)
    };
    let (at, open) = found.into_iter().find(free)?;
    let (name, render) = language(scene, line, open);
    Some(Markup { at: line.start + at, open, name, render })
}

/// Returns whether the markup that opens with `open` at `at` looks like a template, and not like
/// YAML. A flow mapping whose first key is a flow mapping is YAML as well, but there is usually
/// something between its closing braces.
fn closes(line: Line<'_>, at: usize, open: &str) -> bool {
    let rest = cut(line.text, at + open.len()..);
    match open {
        "{{" => {
            rest.contains("}}") || rest.starts_with(['-', '/', '.', '$']) || !rest.contains(':')
        }
        "{#" => rest.contains("#}"),
        _ => true,
    }
}

/// Returns the name of the markup's language, and what to do about the markup.
fn language(scene: &Scene<'_>, line: Line<'_>, open: &str) -> (&'static str, &'static str) {
    const HELM: [&str; 9] =
        ["{{-", "-}}", ".Values", ".Release", ".Chart", "{{/*", "include \"", "end }}", ":="];
    match open {
        "${{" => ("an expression of GitHub Actions", "Put the whole value in quotes"),
        "{%" | "{#" => ("Jinja template code", "Render the template with Jinja first"),
        "<%" => ("ERB template code", "Render the template with ERB first"),
        "#{" => ("a Ruby interpolation", "Put the whole value in quotes"),
        _ if HELM.iter().any(|mark| line.text.contains(mark)) => {
            ("Helm (Go) template code", "Render it with `helm template` first")
        }
        _ if scene.text.contains("{%") => ("Jinja template code", "Render it with Jinja first"),
        _ => ("a template expression", "Render the template first"),
    }
}

/// Returns the markup at `at`, up to its end or the end of `line`.
fn shown(scene: &Scene<'_>, line: Line<'_>, at: usize) -> String {
    let rest = cut(scene.text, at..line.end());
    let ends = ["}}", "%}", "#}", "%>"];
    let end = ends.iter().filter_map(|end| rest.find(end).map(|at| at + end.len())).min();
    cut(rest, ..end.unwrap_or(rest.len())).to_owned()
}

/// Returns the help for markup on `line`, which is to render the template or to quote the value.
fn help(scene: &Scene<'_>, line: Line<'_>, markup: &Markup) -> String {
    let entry = entry(line);
    if !lexer::read(cut(scene.text, ..markup.at)).open.is_empty() {
        return help_in_flow(scene, line, markup);
    }
    let is_statement = entry.key.is_none() && entry.dashes == 0
        || markup.at < entry.value_at && entry.key.is_some();
    if is_statement {
        let render = markup.render;
        return format!(
            "{render}, and read its output. To read the file as it is, turn this line and \
             others like it into comments: {}.",
            code(&format!("# {}", line.body()))
        );
    }
    let before = cut(line.text, ..entry.value_at - line.start);
    let value = code(&format!(
        "{}{}",
        before.trim_start(),
        joined(entry.value).unwrap_or_else(|| quoted(entry.value))
    ));
    if markup.render.starts_with("Put") {
        return format!("Put the whole value in quotes: {value}.");
    }
    format!(
        "Put the whole value in quotes: {value}. If it must not be text, {}.",
        lower(markup.render)
    )
}

/// Returns the help for markup inside brackets, where a value ends at the next `,` or bracket.
fn help_in_flow(scene: &Scene<'_>, line: Line<'_>, markup: &Markup) -> String {
    let (head, rest) = line.text.split_at(markup.at - line.start);
    let shown = shown(scene, line, markup.at).len();
    let end = value_end(rest, shown);
    let start = head.rfind(['[', '{', ',', ' ']).map_or(0, |at| at + 1);
    let value = format!("{}{}", cut(head, start..), cut(rest, ..end).trim_end());
    let tail = cut(rest, end..);
    let fixed = format!("{}{}{tail}", cut(head, ..start).trim_start(), quoted(&value));
    format!("Put the whole value in quotes: {}.", code(&fixed))
}

/// Returns the end of the value inside brackets that `text` contains, searching from `at` on.
/// Further markup is part of the value.
fn value_end(text: &str, mut at: usize) -> usize {
    const MARKUP: [(&str, &str); 4] = [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<%", "%>")];
    while let Some(found) = cut(text, at..).find([',', ']', '}', '{', '<']) {
        let rest = cut(text, at + found..);
        let close = MARKUP.iter().find_map(|(open, close)| {
            let inside = rest.strip_prefix(open)?;
            inside.find(close).map(|at| open.len() + at + close.len())
        });
        if close.is_none() && rest.starts_with([',', ']', '}']) {
            return at + found;
        }
        at += found + close.unwrap_or(1);
    }
    text.len()
}

/// Returns `sentence` with its first letter in lower case.
fn lower(sentence: &str) -> String {
    let mut chars = sentence.chars();
    let first = chars.next().map(|ch| ch.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

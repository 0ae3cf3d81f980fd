//! Advice on values that start with an indicator but were meant as text.

use super::advice::Advice;
use super::block_text;
use super::entry::{entry, without_comment};
use super::lexer::{self, is_marker};
use super::quote::{code, quoted};
use super::scene::{Scene, cut};
use crate::problem::Problem;

/// Advises on a character that cannot start a value.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let seen = lexer::read(cut(scene.text, ..scene.at));
    if !seen.open.is_empty() {
        return in_flow(scene);
    }
    let start = token_start(scene);
    let first = cut(scene.text, start..).chars().next()?;
    if scene.problem == Problem::FlowIndicatorInBlock && line.body_at() == scene.at {
        let text = block_text::of_bracket(scene, first);
        return Some(text.unwrap_or_else(|| closes_nothing(scene, first)));
    }
    let content = without_comment(line.text);
    let text = cut(line.text, start - line.start..content.len().max(start - line.start));
    let tail = cut(line.text, start - line.start + text.len()..);
    let head = cut(line.text, ..start - line.start).trim_start();
    let is_key = entry(line).at == start && entry(line).key.is_some();
    let (text, tail) = match entry(line).key.filter(|_| is_key) {
        Some(key) => (key, cut(line.text, start - line.start + key.len()..)),
        None => (text, tail),
    };
    if first == '%' && start == line.start && !is_key {
        return Some(percent_line(scene));
    }
    let fixed = code(&format!("{head}{}{tail}", quoted(text)));
    let (message, help) = words(scene, first, text, &fixed);
    let help = apart(scene, head, text, tail).unwrap_or_default() + &help;
    let label = match scene.problem {
        Problem::UnknownTagHandle => "an unknown handle",
        _ => "expected text or quotes",
    };
    let advice = Advice::new(message, label, help);
    Some(if start == scene.at {
        advice
    } else {
        advice.with(scene, start, first.len_utf8(), "it starts here")
    })
}

/// Advises on a line in a document that starts with `%`, but is neither a directive nor a key.
fn percent_line(scene: &Scene<'_>) -> Advice {
    let line = scene.line();
    let body = line.body();
    let message = "a line of a document cannot start with `%`";
    let comment = code(&format!("# {body}"));
    let help = match body.starts_with("%YAML ") || body.starts_with("%TAG ") {
        true => format!(
            "Directives go before the `---` of a document: move line {} there, or end the document \
             above with a line `...` and write `---` after the directive.",
            scene.number(line.start)
        ),
        false => format!(
            "If a template is to replace line {}, render it first; otherwise delete the line, or \
             make it a comment: {comment}.",
            scene.number(line.start)
        ),
    };
    Advice::new(message, "neither a key nor a directive", help)
}

/// Advises on a tag `!<...` that is not closed.
pub(super) fn verbatim(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let start = cut(line.text, ..scene.at - line.start).rfind('!').unwrap_or(scene.at - line.start);
    let (head, rest) = line.text.split_at(start);
    let (tag, tail) = rest.split_at(rest.find([' ', '\t', ',']).unwrap_or(rest.len()));
    if !tag.starts_with("!<") || tag.contains('>') || tag.len() < 3 {
        return None;
    }
    let help =
        format!("Close it with `>`: {}.", code(&format!("{}{tag}>{tail}", head.trim_start())));
    Some(Advice::new(format!("the tag {} is not closed", code(tag)), "expected `>` after it", help))
}

/// Returns a sentence that shows `text`, which is between `head` and `tail`, with a space between a tag
/// and the brackets or quotes after it.
fn apart(scene: &Scene<'_>, head: &str, text: &str, tail: &str) -> Option<String> {
    let (tag, value) = text.split_at(text.find(['[', '{', '"', '\''])?);
    let is_tag = |ch: char| ch.is_alphanumeric() || "._-".contains(ch);
    let is_tag = tag.len() > 1 && tag.strip_prefix('!')?.chars().all(is_tag);
    let (open, close) = (value.chars().next()?, value.chars().next_back()?);
    let is_bracket = "[{".contains(open) && lexer::closer(open) == close;
    let is_closed = value.len() > 1 && (open == close || is_bracket);
    let is_known = scene.problem != Problem::UnknownTagHandle;
    let fixed = code(&format!("{head}{tag} {value}{tail}"));
    (is_tag && is_closed && is_known).then(|| format!("Write a space after the tag: {fixed}. "))
}

/// Returns the start of the key or value that contains the error.
fn token_start(scene: &Scene<'_>) -> usize {
    let line = scene.line();
    let entry = entry(line);
    if entry.value_at <= scene.at { entry.value_at } else { entry.at.min(scene.at) }
}

/// Returns the message and the help for the value `text`, which starts with `first`. `fixed` shows
/// the line with the value in quotes.
fn words(scene: &Scene<'_>, first: char, text: &str, fixed: &str) -> (String, String) {
    let quote = format!("If it is text, quote it: {fixed}.");
    match first {
        '*' if text.starts_with("* ") && text == scene.line().body() => (
            format!("{} is not an entry of a sequence, which starts with `- `", code(text)),
            format!("Write {}. {quote}", code(&text.replacen('*', "-", 1))),
        ),
        '*' => (
            format!("{} starts with `*`, which makes it an alias", code(text)),
            format!("{quote} An alias is a `*` and the name of an anchor, as in `*name`."),
        ),
        '&' => (
            format!("{} starts with `&`, which makes it an anchor", code(text)),
            format!("{quote} An anchor is a `&` and a name, as in `&name`, before the value."),
        ),
        '!' if scene.problem == Problem::UnknownTagHandle => handle(scene, text, &quote),
        '!' => (format!("{} starts with `!`, which makes it a tag", code(text)), quote),
        '`' if text.starts_with("```") => (
            "the fence of a code block is no YAML".to_owned(),
            "Delete this line, and the one that ends the code block.".to_owned(),
        ),
        '@' | '`' => (
            format!("text cannot start with `{first}`, which YAML reserves")
                .replace("```", "a backtick"),
            format!("Quote it: {fixed}."),
        ),
        _ => (format!("text cannot start with `{first}`"), format!("Quote it: {fixed}.")),
    }
}

/// Returns the message and the help for the value `text`, which starts with a tag whose handle is
/// unknown. `quote` says how to write it as text.
fn handle(scene: &Scene<'_>, text: &str, quote: &str) -> (String, String) {
    let handle = text.split_inclusive('!').take(2).collect::<String>();
    let handle = handle.trim();
    let start = format!("%TAG {handle} ");
    let mut above = scene.lines_above(scene.line().start);
    let Some(earlier) = above.find(|above| above.text.starts_with(&start)) else {
        return (
            format!("no %TAG directive of this document declares the handle {}", code(handle)),
            format!(
                "{quote} If it is a tag, write {} and `---` before the document.",
                code(&format!("{start}tag:example.com,2000:"))
            ),
        );
    };
    let mut above = scene.lines_above(scene.line().start);
    let marker = above.find(|above| is_marker(above.text));
    let number = scene.number(marker.map_or(scene.line().start, |marker| marker.start));
    let is_ended = marker.and_then(|marker| scene.line_above(marker));
    let is_ended = is_ended.is_some_and(|line| line.text.starts_with("..."));
    let lines = if is_ended { "the line" } else { "a line `...` and then the line" };
    (
        format!(
            "the %TAG directive on line {} declares {} for an earlier document only",
            scene.number(earlier.start),
            code(handle)
        ),
        format!(
            "Repeat it for this document: write {lines} {} before line {number}.",
            code(earlier.text)
        ),
    )
}

/// Advises on a reserved character inside brackets, where text ends at the next `,` or bracket.
fn in_flow(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let (head, rest) = line.text.split_at(scene.at - line.start);
    let first = rest.chars().next()?;
    // A placeholder such as `%{name}` has a brace of its own.
    let part = rest.strip_prefix("%{").and_then(|part| part.find('}')).map_or(0, |end| end + 3);
    let end = cut(rest, part..).find([',', ']', '}']);
    let end = end.map_or(without_comment(rest).len(), |end| part + end);
    let text = cut(rest, ..end).trim_end();
    let tail = cut(rest, text.len()..);
    if first == '-' {
        return Some(dash_in_flow(scene, line.body_at() == scene.at));
    }
    let fixed = code(&format!("{}{}{tail}", head.trim_start(), quoted(text)));
    let help = format!("If it is text, quote it: {fixed}.");
    if scene.problem == Problem::UnknownTagHandle {
        let (message, help) = handle(scene, text, &help);
        return Some(Advice::new(message, "an unknown handle", help));
    }
    let message =
        format!("text inside brackets cannot start with `{first}`").replace("```", "a backtick");
    Some(Advice::new(message, "expected text or quotes", help))
}

/// Advises on a `- ` inside brackets.
fn dash_in_flow(scene: &Scene<'_>, starts_line: bool) -> Advice {
    let line = scene.line();
    let (head, rest) = line.text.split_at(scene.at - line.start);
    let seen = lexer::read(cut(scene.text, ..scene.at));
    let message = "a `- ` entry inside brackets";
    let label = "expected text or quotes";
    let Some(&(at, open)) = seen.open.last() else {
        return Advice::new(message, label, "Delete the `-`, or quote it if it is text.");
    };
    let opening = scene.line_at(at);
    let close = lexer::closer(open);
    let help = if starts_line && opening != line {
        let before = cut(opening.text, ..at - opening.start).trim();
        format!(
            "Delete the `{open}` on line {} and its `{close}`: {} is followed by lines that start with `- `, without brackets.",
            scene.number(at),
            code(before)
        )
    } else if rest
        .get(1..)
        .is_some_and(|rest| rest.trim_start().starts_with([',', ']', '}']) || rest.is_empty())
    {
        format!("Quote it: {}.", code(&format!("{}\"-\"{}", head.trim_start(), cut(rest, 1..))))
    } else {
        // The text before the bracket may start with a `- ` as well.
        let start = at.max(line.start);
        let fixed = cut(scene.text, start..line.end()).replace("- ", "");
        let before = cut(scene.text, line.start..start).trim_start();
        format!("Inside brackets, entries have no `- `: {}.", code(&format!("{before}{fixed}")))
    };
    Advice::new(message, label, help).with(scene, at, 1, "the bracket opens here")
}

/// Advises on a closing bracket or a comma at the start of a line of block YAML.
fn closes_nothing(scene: &Scene<'_>, first: char) -> Advice {
    let message = match first {
        ',' => "a `,` outside of brackets".to_owned(),
        _ => format!("`{first}` closes nothing"),
    };
    let line = scene.line();
    let rest = line.body()[first.len_utf8()..].trim();
    let help = match rest.is_empty() {
        true => format!(
            "Delete line {}, or write the bracket that it closes.",
            scene.number(line.start)
        ),
        false => format!("Delete it: {}.", code(rest)),
    };
    Advice::new(message, "no bracket is open here", help)
}

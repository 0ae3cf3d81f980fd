//! Advice on text after a complete value.

use super::advice::Advice;
use super::entry::{entry, without_comment};
use super::lexer;
use super::quote::{code, joined, quoted, requoted};
use super::scene::{Scene, cut};
use super::{open_quote, other_format};
use std::ops::Range;

/// Advises on text after a value, where the line should have ended.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    if let Some(quoted) = quoted_before(scene) {
        return Some(after_quoted(scene, quoted));
    }
    let line = scene.line();
    let entry = entry(line);
    let rest = without_comment(cut(line.text, scene.at - line.start..));
    let before = cut(line.text, ..scene.at - line.start);
    if let Some(advice) = stray_end(rest, before) {
        return Some(advice);
    }
    let value = cut(line.text, entry.value_at - line.start..).trim_end();
    let value = without_comment(value);
    let head = cut(line.text, ..entry.value_at - line.start).trim_start();
    let first = value.chars().next()?;
    if rest.starts_with(',') && "[{".contains(first) {
        return Some(list(head, value, "several values on one line"));
    }
    let (message, label) = match first {
        '*' => (
            format!("text after the alias {}", code(before.trim_start().trim_start_matches(head))),
            "an alias is a value of its own",
        ),
        '[' | '{' => (
            format!("text after the closing `{}`", before.trim_end().chars().last()?),
            "the value ends before this",
        ),
        _ => return None,
    };
    // The text may be a key, such as `{id}/users:`.
    let end = value.find(": ").or(value.strip_suffix(':').map(str::len)).unwrap_or(value.len());
    let fixed = format!("{head}{}{}", quoted(cut(value, ..end)), cut(value, end..));
    let help = format!("If all of it is text, quote it: {}.", code(&fixed));
    let advice = Advice::new(message, label, help);
    Some(advice.with(scene, entry.value_at, 1, "the value starts here"))
}

/// Advises on a `#` that does not start a comment, because no space precedes it.
pub(super) fn comment(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let (before, after) = line.text.split_at(scene.at - line.start);
    let help =
        format!("Write a space before it: {}.", code(&format!("{} {after}", before.trim_start())));
    Some(Advice::new("a space is missing before the comment", "expected a space before `#`", help))
}

/// Returns the start and the end of the quoted scalar that ends before the error, if there are only
/// blanks between them.
pub(super) fn quoted_before(scene: &Scene<'_>) -> Option<(usize, usize)> {
    let seen = lexer::read(cut(scene.text, ..scene.at));
    let &(start, end) = seen.quoted.last()?;
    cut(scene.text, end..scene.at).trim().is_empty().then_some((start, end))
}

/// Advises on text after the quoted scalar from `start` to `end`.
pub(super) fn after_quoted(scene: &Scene<'_>, (start, end): (usize, usize)) -> Advice {
    let line = scene.line();
    let content = cut(scene.text, start + 1..end - 1);
    let is_cut = content.trim_end().ends_with([',', ':', '[', '{']) || content.contains('\n');
    if is_cut && scene.at == end && start > 0 {
        return open_quote::closed_too_late(scene, start);
    }
    let rest = without_comment(cut(scene.text, scene.at..line.end()));
    if rest == "\"" && scene.at == end && scene.text.as_bytes().get(start) == Some(&b'"') {
        return match end - start {
            2 => three_quotes(scene, start),
            _ => one_quote_more(scene, start, end),
        };
    }
    if let Some(advice) = stray_end(rest, cut(line.text, ..scene.at - line.start)) {
        return advice;
    }
    let opening = scene.line_at(start);
    let head = cut(scene.text, opening.start..start).trim_start();
    // A list has no part such as `%{name}`, but a text of translators has.
    if rest.starts_with(',') && !rest.contains("%{") {
        let values = cut(scene.text, start..scene.at + rest.len());
        let mut advice = list(head, values, "several values on one line");
        if head.is_empty() && other_format::is_first_line(scene, line) {
            let record = code(&format!("- [{}]", values.trim_end_matches(',')));
            advice.help += &format!(" If this is a CSV file, write all its lines so: {record}.");
        }
        return advice;
    }
    if let Some(note) = rest.strip_prefix("//") {
        let fixed = format!("{head}{} #{note}", cut(scene.text, start..end));
        let help = format!("Comments start with `#`: {}.", code(&fixed));
        return Advice::new("`//` does not start a comment", "expected `#`", help);
    }
    let key = format!("{head}{}", cut(scene.text, start..end));
    equals_sign(head, &key, rest).unwrap_or_else(|| quotes_inside(scene, start, end))
}

/// Advises on a `=` after `key`, a quoted key that follows `head`, if `rest` starts with one.
fn equals_sign(head: &str, key: &str, rest: &str) -> Option<Advice> {
    let is_key = head.trim_matches(['-', ' ']).is_empty() && !rest.starts_with("==");
    let value = rest.strip_prefix('=').filter(|_| is_key)?;
    let help = format!("Write {}.", code(&format!("{key}: {}", value.trim_start())));
    Some(Advice::new("a key ends with `:` and a space, not with `=`", "expected `:`", help))
}

/// Advises on `"""` at the offset `start`, which starts a text of several lines in other languages.
fn three_quotes(scene: &Scene<'_>, start: usize) -> Advice {
    let header =
        code(&format!("{}|", cut(scene.text, scene.line_at(start).start..start).trim_start()));
    let help = format!(
        "Write {header}, and delete the `\"\"\"` below the text. If the text is only one quote, write `'\"'`."
    );
    let advice =
        Advice::new("`\"\"\"` does not start a text of several lines", "one `\"` too many", help);
    advice.with(scene, start, 2, "the quotes open and close here")
}

/// Advises on a text such as `"6'2""`, in which the last quote either is part of the text or is one
/// too many.
fn one_quote_more(scene: &Scene<'_>, start: usize, end: usize) -> Advice {
    let line = scene.line();
    let before = cut(scene.text, scene.line_at(start).start.max(line.start)..end);
    let tail = cut(scene.text, end + 1..line.end());
    let inside = cut(before, ..before.len().saturating_sub(1)).trim_start();
    let help = format!(
        "If the text ends with a quote, escape it: {}. Otherwise delete it: {}.",
        code(&format!("{inside}\\\"\"{tail}")),
        code(&format!("{}{tail}", before.trim_start()))
    );
    let advice = Advice::new(
        "a second `\"` at the end of a text in double quotes",
        "one `\"` too many",
        help,
    );
    advice.with(scene, start, end - start, "the quotes open and close here")
}

/// Advises on quotes inside quotes: the quote that ends the scalar was meant as a part of it.
fn quotes_inside(scene: &Scene<'_>, start: usize, end: usize) -> Advice {
    let line = scene.line();
    let quote = scene.text.as_bytes()[start] as char;
    let head = cut(scene.text, scene.line_at(start).start..start).trim_start();
    let last = outer_end(scene, start, end);
    let whole = cut(scene.text, start..last);
    let tail = cut(scene.text, last..line.end());
    let is_letter = |ch: Option<char>| ch.is_some_and(char::is_alphabetic);
    let touches = scene.at == end;
    let before = cut(scene.text, ..end - 1).chars().next_back();
    let is_apostrophe = touches && quote == '\'' && is_letter(before) && is_letter(scene.found());
    let ends_with_quote = whole.len() > end - start && whole.ends_with(quote);
    let is_odd = whole.matches(quote).count() % 2 == 1;
    let template = joined(whole);
    let is_wrapped = template.is_none()
        && (touches && (ends_with_quote || is_apostrophe) || ends_with_quote && is_odd);
    let inner = if ends_with_quote { cut(whole, 1..whole.len() - 1) } else { cut(whole, 1..) };
    // A backslash escapes nothing in single quotes.
    let is_escaped = quote == '\'' && cut(scene.text, ..end - 1).ends_with('\\');
    let unescaped = inner.replace("\\'", "'");
    let inner = if is_escaped { &unescaped } else { inner };
    let fixed = match is_wrapped {
        true => requoted(inner, quote),
        false => template.unwrap_or_else(|| requoted_whole(whole, quote)),
    };
    let name = if quote == '"' { "double" } else { "single" };
    let (message, label) = match () {
        () if is_apostrophe || is_wrapped && quote == '\'' => {
            ("an apostrophe ends the single-quoted text".to_owned(), "the text ends before this")
        }
        () if is_wrapped => {
            (format!("a `{quote}` inside {name} quotes ends the text"), "the text ends before this")
        }
        () => (format!("text after the closing `{quote}`"), "the value ends before this"),
    };
    let way = if is_wrapped { "Use other quotes around it" } else { "Put quotes around all of it" };
    let help = format!("{way}: {}.", code(&format!("{head}{fixed}{tail}")));
    let help = match is_wrapped {
        true => help,
        false => help + &as_key(scene, head, start..end),
    };
    let advice = Advice::new(message, label, help);
    advice.with(scene, start, end - start, "the quotes open and close here")
}

/// Returns a sentence that shows the quoted text as a key, in case it was meant as one. The
/// sentence is empty if the text cannot be a key.
fn as_key(scene: &Scene<'_>, head: &str, quoted: Range<usize>) -> String {
    let is_in_brackets = scene.text[..quoted.start].ends_with(['[', '{', ',']);
    let is_compared = cut(scene.text, scene.at..).starts_with(['=', '!']);
    if is_in_brackets || is_compared || !head.trim_matches(['-', ' ']).is_empty() {
        return String::new();
    }
    let rest = cut(scene.text, scene.at..scene.line().end());
    let fixed = format!("{head}{}: {rest}", cut(scene.text, quoted));
    format!(" If it is a key, write `:` after it: {}.", code(&fixed))
}

/// Returns `whole`, which starts with a part in the quotes `quote`, in quotes as a whole.
fn requoted_whole(whole: &str, quote: char) -> String {
    match quote {
        '"' => format!("'{}'", whole.replace('\'', "''")),
        _ => quoted(whole),
    }
}

/// Returns the end of the text that was meant to be quoted: the next quote with the end of a value
/// after it or, if there is none, the end of the line's content.
fn outer_end(scene: &Scene<'_>, start: usize, end: usize) -> usize {
    let line = scene.line();
    let quote = scene.text.as_bytes()[start] as char;
    let seen = lexer::read(cut(scene.text, ..start));
    let in_flow = !seen.open.is_empty();
    let candidates =
        cut(scene.text, end..line.end()).match_indices(quote).map(|(at, _)| end + at + 1);
    let ends_value = |&at: &usize| {
        let rest = cut(scene.text, at..line.end());
        let after = rest.trim_start();
        let is_key = after == ":" || after.starts_with(": ");
        let is_comment = after.starts_with('#') && after.len() < rest.len();
        after.is_empty() || is_key || is_comment || in_flow && after.starts_with([',', ']', '}'])
    };
    if let Some(found) = candidates.into_iter().find(ends_value) {
        return found;
    }
    let content = end + without_comment(cut(scene.text, end..line.end())).len();
    if !in_flow {
        return content;
    }
    let rest = cut(scene.text, end..content);
    rest.find([',', ']', '}']).map_or(content, |at| end + at)
}

/// Returns advice if `rest`, the text from the error onwards, consists only of stray closing brackets
/// and separators, or is a single stray quote. `before` is the text before it.
fn stray_end(rest: &str, before: &str) -> Option<Advice> {
    let ch = rest.chars().next().filter(|ch| ",;]})\"'".contains(*ch))?;
    let is_alone = rest.chars().all(|ch| ",;]}) ".contains(ch)) || rest == "\"" || rest == "'";
    if !is_alone {
        return None;
    }
    let message = match ch {
        ',' | ';' => format!("a `{ch}` at the end of a line of block YAML"),
        '"' | '\'' => format!("a `{ch}` after the closing quote"),
        _ => format!("`{ch}` closes nothing"),
    };
    let last = before.rfind(['[', '{', ']', '}']).map(|at| &before[at..=at]);
    let closing = match last.filter(|_| rest == ")") {
        Some("[") => "]",
        Some("{") => "}",
        _ => "",
    };
    if !closing.is_empty() {
        let fixed = code(&format!("{}{closing}", before.trim()));
        let help = format!("Write `{closing}` instead: {fixed}.");
        return Some(Advice::new(
            "`)` closes no bracket of YAML",
            "expected another bracket",
            help,
        ));
    }
    let help = format!("Delete it: {}.", code(before.trim()));
    Some(Advice::new(message, "delete this", help))
}

/// Advises on `values`, which are separated by commas but are not in brackets. `head` is the text
/// before them.
fn list(head: &str, values: &str, message: &str) -> Advice {
    let is_closed = values.ends_with(']') && !values.contains('[');
    let values = if is_closed { values.trim_end_matches(']') } else { values };
    let help = format!("Put them in brackets: {}.", code(&format!("{head}[{values}]")));
    Advice::new(message, "a second value", help)
}

//! Finds out what is wrong with text that is not TOML, and how it was probably meant.
//!
//! The parser says which rule is broken, and where it has noticed that. From there, this module
//! finds the statement with the mistake, tries the repairs of common mistakes, and reports the first
//! one after which the statement is TOML.

use super::brackets;
use super::statements::{Statement, comment_at, statements};
use super::values::{self, is_valid};
use crate::formats::Wrong;
use std::ops::Range;

/// The maximum length of a statement and of a line for which repairs are tried.
const REPAIRED_BYTES: usize = 16 * 1024;
const LINE_BYTES: usize = 500;

/// A statement as it was probably meant.
struct Repair {
    /// What is wrong.
    message: String,
    new: String,
    /// What to do, unless it is to write the changed line.
    help: Option<String>,
    /// The offset of the mistake in the statement, unless it is where the repair starts.
    at: Option<usize>,
}

impl Repair {
    fn new(message: impl Into<String>, new: impl Into<String>) -> Repair {
        Repair { message: message.into(), new: new.into(), help: None, at: None }
    }
}

/// Returns what is wrong with `text`, for which the parser has reported `message` at `span`.
pub fn explain(text: &str, message: &str, span: Option<Range<usize>>) -> Wrong {
    let span = span.unwrap_or(text.len()..text.len());
    let general = || {
        let message = message.lines().next().unwrap_or("invalid TOML");
        Wrong::new(span.clone(), message).help("TOML has `key = value` on each line.")
    };
    let blank = text.len() - text.trim_start().len();
    if text[blank..].starts_with('{') {
        let wrong = Wrong::new(blank..blank + 1, "this is JSON, not TOML");
        return wrong.help("With `--from json`, it is read as JSON.");
    }
    let all = statements(text);
    if message.starts_with("duplicate key") {
        return duplicate(text, &all, &span).unwrap_or_else(general);
    }
    let found = all.iter().find(|each| each.is_open || each.range.end >= span.start);
    let found = found.filter(|found| found.range.len() <= REPAIRED_BYTES);
    // Values that are too deep are TOML.
    let found = found.filter(|_| !message.contains("recursion"));
    found.and_then(|found| report(text, found)).unwrap_or_else(general)
}

/// Returns what is wrong with the statement `found` of `text`, if a repair makes it TOML.
fn report(text: &str, found: &Statement) -> Option<Wrong> {
    let (start, old) = (found.range.start, &text[found.range.clone()]);
    if let Some(wrong) = without_value(start, old) {
        return Some(wrong);
    }
    let Repair { message, new, help, at } = repair(old)?;
    let changed = changed(old, &new);
    let at = at.map_or(changed.clone(), |at| at..at + 1);
    let number = |at: usize| text[..start + at].matches('\n').count() + 1;
    let is_general = help.is_none();
    let help = help.unwrap_or_else(|| {
        let end =
            changed.start + new[changed.start..].find('\n').unwrap_or(new.len() - changed.start);
        let line = new[..end].rsplit('\n').next().unwrap_or_default().trim();
        match number(changed.start) == number(at.start) {
            true => format!("Write `{line}`."),
            false => format!("Write `{line}` on line {}.", number(changed.start)),
        }
    });
    let lines = |text: &str| text.trim_end().matches('\n').count();
    let help = match is_general && lines(&new) == lines(old) + 1 && new.ends_with(']') {
        true => {
            format!("Close it: write `]` on a line of its own after line {}.", number(old.len()))
        }
        false => help,
    };
    Some(Wrong::new(start + at.start..start + at.end, message).help(help))
}

/// Returns the part of `old` that `new` replaces. It ends at the end of a word.
fn changed(old: &str, new: &str) -> Range<usize> {
    let same = |(old, new): &((usize, char), char)| old.1 == *new;
    let start = old.char_indices().zip(new.chars()).find(|pair| !same(pair));
    let start = start.map_or(old.len().min(new.len()), |((at, _), _)| at);
    let tail = old[start..].chars().rev().zip(new[start..].chars().rev());
    let tail: usize = tail.take_while(|(old, new)| old == new).map(|(ch, _)| ch.len_utf8()).sum();
    let end = old.len() - tail;
    let is_word = |ch: char| ch.is_alphanumeric() || "._-".contains(ch);
    let word = old[end..].len() - old[end..].trim_start_matches(is_word).len();
    start..if end > start { end + word } else { end }
}

/// Returns what is wrong with `old`, the statement at the offset `start`, if its value is missing or
/// is the null of another language.
fn without_value(start: usize, old: &str) -> Option<Wrong> {
    let line = &old[..comment_at(old)];
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let help = |what: &str| format!("Delete the line, or write {what}, as in `{key} = \"\"`.");
    if value.is_empty() {
        let at = start + line.trim_end().len() - 1;
        let wrong = Wrong::new(at..at + 1, format!("the key `{key}` has no value"));
        return Some(wrong.help(help("a value")));
    }
    let is_null = ["null", "nil", "None", "undefined", "~", "NULL", "Null"].contains(&value);
    let at = start + line.find('=')? + 1 + line.split_once('=')?.1.find(value)?;
    is_null.then(|| {
        Wrong::new(at..at + value.len(), format!("TOML has no null, such as `{value}`"))
            .help(help("another value"))
    })
}

/// Returns the first repair of `old` that is TOML.
fn repair(old: &str) -> Option<Repair> {
    let line = old.trim_end();
    if line.starts_with('[') {
        return header(line);
    }
    if let Some(repair) = comment(line) {
        return Some(repair);
    }
    entry(line).filter(|repair| is_valid(&repair.new))
}

/// Repairs a comment as other languages write it.
fn comment(line: &str) -> Option<Repair> {
    let mark = ["//", "/*", "--", ";"].into_iter().find(|mark| line.starts_with(mark))?;
    let body = line[mark.len()..].trim().trim_end_matches("*/").trim_end();
    Some(Repair::new(format!("comments start with `#`, not with `{mark}`"), format!("# {body}")))
}

/// Repairs the name of a table in brackets.
fn header(line: &str) -> Option<Repair> {
    let body = line[..comment_at(line)].trim_end();
    let depth = if body.starts_with("[[") { 2 } else { 1 };
    let (open, close) = (&"[["[..depth], &"]]"[..depth]);
    let end = body.find(']').unwrap_or(body.len());
    let name = body[depth..end.max(depth)].trim();
    let rest = body[end..].trim_start_matches(']').trim();
    if !rest.is_empty() {
        let head = format!("{open}{name}{close}");
        return two_lines("the name of a table is on a line of its own", &head, rest);
    }
    let plain = values::straight(name);
    let quoted = values::quoted(plain.as_deref().unwrap_or(name).trim_matches('"'));
    let all = [
        (format!("the `{open}` is not closed"), name),
        (format!("the name `{name}` needs quotes"), &quoted),
    ];
    let all = all.map(|(message, name)| Repair::new(message, format!("{open}{name}{close}")));
    all.into_iter().find(|repair| is_valid(&repair.new))
}

/// Writes `first` and `second` on a line each, if that is TOML.
fn two_lines(message: &str, first: &str, second: &str) -> Option<Repair> {
    let mut repair = Repair::new(message, format!("{first}\n{second}"));
    repair.help = Some(format!("Write `{}`, and `{second}` on the next line.", first.trim()));
    is_valid(&repair.new).then_some(repair)
}

/// Repairs a key with its value.
fn entry(old: &str) -> Option<Repair> {
    let first = old.lines().next()?;
    let body = &first[..comment_at(first)];
    let Some((key, mark, rest)) = split(body) else { return without_mark(old, body) };
    let value_at = body.len() - rest.trim_start().len();
    let value = match old.len() > first.len() {
        true => &old[value_at..],
        false => rest.trim(),
    };
    let (fixed_key, wrong_key) = fixed_key(key.trim());
    if value.is_empty() && mark == ":" {
        let message = format!("a table starts with its name in brackets, not with `{body}`");
        return Some(Repair::new(message, format!("[{fixed_key}]")));
    }
    let wrong_mark = (mark != "=").then(|| format!("a key ends with `=`, not with `{mark}`"));
    let head = match (&wrong_key, &wrong_mark) {
        (None, None) => old[..value_at].to_owned(),
        _ => format!("{fixed_key} = "),
    };
    if let Some(repair) = two_entries(&head, value) {
        return Some(repair);
    }
    let fixed = brackets::fixed(value);
    let at = fixed.as_ref().and_then(|fixed| fixed.at);
    let (new, message) =
        fixed.map_or((value.to_owned(), None), |fixed| (fixed.new, Some(fixed.message.into())));
    let tail = &old[value_at + value.len()..];
    let message = wrong_mark.or(wrong_key).or(message)?;
    let mut repair = Repair::new(message, format!("{head}{new}{tail}"));
    repair.at = at.map(|at| value_at + at);
    if value.contains('\n') && !new.contains('\n') {
        let lines = value.lines().count();
        repair.help =
            Some(format!("Write one line in place of {lines}, with `\\n`: `{}`.", repair.new));
    }
    Some(repair)
}

/// Repairs a line without a `=`.
fn without_mark(old: &str, line: &str) -> Option<Repair> {
    let (key, value) = line.trim().split_once(char::is_whitespace)?;
    let value = value.trim();
    let value = brackets::fixed(value).map_or_else(|| value.to_owned(), |fixed| fixed.new);
    let new = format!("{key} = {value}");
    let new = format!("{new} {}", &old[line.len()..]);
    Some(Repair::new("a `=` is missing after the key", new.trim_end()))
}

/// Repairs two entries on one line, as in `a = 1 b = 2`. `head` is the first key with its `=`.
fn two_entries(head: &str, value: &str) -> Option<Repair> {
    let is_short = value.len() <= LINE_BYTES;
    let table = format!("{head}{{ version = {value} }}");
    let is_package = ["features =", "default-features =", "optional ="].iter();
    if is_package.into_iter().any(|key| value.contains(&format!(", {key}"))) && is_valid(&table) {
        return Some(Repair::new("several keys in one value need braces", table));
    }
    let mut blanks = value.match_indices(' ').map(|(at, _)| at).take_while(|_| is_short);
    blanks.find_map(|at| {
        let second = value[at..].trim();
        let first = format!("{head}{}", value[..at].trim_end_matches([',', ';']));
        let is_entry = !second.starts_with('#') && !second.is_empty();
        is_entry.then(|| two_lines("each key is on a line of its own", &first, second)).flatten()
    })
}

/// Splits `line` at the `=` or `:` that ends the key: into the key, the mark and the rest.
fn split(line: &str) -> Option<(&str, &str, &str)> {
    let mut quote = None;
    for (at, ch) in line.char_indices() {
        match quote {
            Some(open) if open == ch => quote = None,
            Some(_) => {}
            None if "\"'".contains(ch) => quote = Some(ch),
            None if "=:".contains(ch) && at > 0 => {
                let marks = ["=>", "==", ":=", "=", ":"];
                let mark = marks.into_iter().find(|mark| line[at..].starts_with(mark))?;
                return Some((&line[..at], mark, &line[at + mark.len()..]));
            }
            None => {}
        }
    }
    None
}

/// Returns the key `key` in a form that TOML has, and what was wrong with it.
fn fixed_key(key: &str) -> (String, Option<String>) {
    if is_valid(&format!("{key} = 1")) {
        return (key.to_owned(), None);
    }
    let plain = values::straight(key);
    let bare = plain.as_deref().unwrap_or(key).trim_matches(['"', '\'']);
    let is_bare = is_valid(&format!("{bare} = 1"));
    let new = if is_bare { bare.to_owned() } else { values::quoted(bare) };
    let message = match plain {
        Some(_) => "curly quotes are not quotes in TOML".to_owned(),
        None => format!("the key `{key}` needs quotes"),
    };
    (new, Some(message))
}

/// Returns what is wrong with the key or the table at `span`, which is already there.
fn duplicate(text: &str, all: &[Statement], span: &Range<usize>) -> Option<Wrong> {
    let second = all.iter().find(|each| each.range.end > span.start)?;
    let (line, name) = (text[second.range.clone()].trim_end(), text.get(span.clone())?);
    let earlier = || all.iter().take_while(|each| each.range.start < second.range.start);
    let bare = |each: &&Statement| {
        let line = &text[each.range.clone()];
        line[..comment_at(line)].trim_end().to_owned()
    };
    if line.starts_with('[') {
        let is_same = |each: &&Statement| bare(each) == line[..comment_at(line)].trim_end();
        let first = earlier().find(is_same);
        let range = second.range.start..second.range.start + line.len();
        let Some(first) = first else {
            let wrong = Wrong::new(range, format!("`{name}` is already a key or a table above"));
            return Some(wrong.help("Rename one of the two."));
        };
        let wrong = Wrong::new(range, format!("the table `{line}` occurs twice"));
        let number = text[..first.range.start].matches('\n').count() + 1;
        let wrong = wrong.help(format!(
            "Move its keys to the end of the table on line {number}, and delete this line."
        ));
        return Some(wrong.related(first.range.clone(), "the first one"));
    }
    let is_header = |each: &&Statement| text[each.range.clone()].starts_with('[');
    let table = earlier().collect::<Vec<_>>().iter().rposition(is_header);
    let is_key = |each: &&Statement| {
        split(&text[each.range.clone()]).is_some_and(|(key, ..)| key.trim() == name)
    };
    let first = earlier().skip(table.map_or(0, |at| at + 1)).find(is_key);
    match first {
        Some(first) => {
            let start = first.range.start;
            Some(Wrong::twice(name, start..start + name.len(), span.clone()))
        }
        None => {
            let wrong = Wrong::new(span.clone(), format!("duplicate key `{name}`"));
            Some(wrong.help("Delete one of the two, or rename it."))
        }
    }
}

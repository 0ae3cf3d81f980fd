//! Advice on aliases without anchors, which the composer finds.

use super::advice::{Advice, Related};
use super::entry::{entry, without_comment};
use super::lexer;
use super::quote::{code, quoted};
use super::scene::{Scene, cut};

/// The number of bytes of a document in which an anchor or a key is searched for.
const TEXT_BYTES: usize = 256 * 1024;

/// Advises on the alias `alias` at the error, which no anchor precedes. `text` includes the text
/// after the error.
pub(super) fn unknown(scene: &Scene<'_>, alias: &str, text: &[u8]) -> Advice {
    let at = scene.base as usize + scene.at;
    let (start, before, after) = in_document(text, at);
    let name = &alias[1..];
    let is_name = name.chars().all(|ch| ch.is_alphanumeric() || "_-".contains(ch));
    let anchor = code(&format!("&{name}"));
    let message = match is_name {
        true => format!("unknown alias {}: no anchor {anchor} before it", code(alias)),
        false => format!("{} starts with `*`, which makes it an alias", code(alias)),
    };
    let advice = |help: String| Advice::new(message.clone(), "an alias without an anchor", help);
    let (as_text, is_whole) = as_text(scene, alias);
    if let Some(advice) = at_key(scene, scene.at, alias) {
        let message = format!("unknown alias {}, whose name ends with the `:`", code(alias));
        return Advice { message, ..advice };
    }
    let as_text = quote_help(scene, &as_text);
    if (!is_name || !is_whole) && !as_text.is_empty() {
        return advice(as_text.trim_start().to_owned());
    }
    let related = |at: usize, len: usize, label: &str| {
        Some(Related { at: at as u64, len, label: label.to_owned() })
    };
    if let Some((below, _)) = anchors(after).find(|&(_, anchor)| anchor == name) {
        let help = format!(
            "Move the value with {anchor} up, before this alias: an alias refers to what is above it."
        );
        let related = related(at + below, name.len() + 1, "the anchor is below the alias");
        return Advice { related, ..advice(help) };
    }
    match nearest(name, before) {
        Some((help, above, len, label)) => {
            let related = related(start + above, len, label);
            Advice { related, ..advice(help + &as_text) }
        }
        None => advice(format!(
            "Write {anchor} before the value that it refers to, further up in this document.{as_text}"
        )),
    }
}

/// Returns the text of the document before and after `at`, and where the document starts.
fn in_document(text: &[u8], at: usize) -> (usize, &[u8], &[u8]) {
    const MARKER: &[u8] = b"\n---";
    let (before, after) = text.split_at(at.min(text.len()));
    let start = memchr::memmem::rfind(before, MARKER).unwrap_or(0);
    let end = memchr::memmem::find(after, MARKER).unwrap_or(after.len());
    (start, &before[start..], &after[..end])
}

/// Returns what to write if `text` has a similar anchor or a key with the name `name`, with the offset
/// and the length of that, and a label.
fn nearest(name: &str, text: &[u8]) -> Option<(String, usize, usize, &'static str)> {
    if let Some((at, other)) = similar(name, text) {
        let help = format!("Did you mean {}?", code(&format!("*{other}")));
        return Some((help, at, other.len() + 1, "an anchor with a similar name"));
    }
    let (at, fixed) = key_named(name, text)?;
    let help = format!("Write {} where the key {} is.", code(&fixed), code(name));
    Some((help, at, name.len() + 1, "expected an anchor after this"))
}

/// Returns the offset of the first key `name` in `text`, and its line with the anchor that is missing
/// there. In a long text, only its start is searched.
pub(super) fn key_named(name: &str, text: &[u8]) -> Option<(usize, String)> {
    let (mut at, key) = (0, format!("{name}:"));
    let indent = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
    let mut lines = text[..text.len().min(TEXT_BYTES)].split_inclusive(|byte| *byte == b'\n');
    let (start, depth, value) = lines.find_map(|line| {
        let (start, depth) = (at, indent(line));
        at += line.len();
        Some((start + depth, depth, line[depth..].strip_prefix(key.as_bytes())?))
    })?;
    let value = std::str::from_utf8(value).ok()?.trim_end();
    let is_free = value.is_empty() || value.starts_with(' ') && !value.starts_with(" &");
    // An anchor cannot be around its alias.
    let is_ended = lines.any(|line| {
        let blanks = indent(line);
        blanks <= depth && line.get(blanks).is_some_and(|first| !b"-#\r\n".contains(first))
    });
    (is_free && is_ended).then(|| (start, format!("{key} &{name}{value}")))
}

/// Advises on an alias before the error that was meant as a key, although its `:` is part of its
/// name.
pub(super) fn key(scene: &Scene<'_>) -> Option<Advice> {
    let before = cut(scene.text, scene.line().start..scene.at).trim_end();
    let start = before.rfind([' ', '\t', '{', '[', ',']).map_or(0, |at| at + 1);
    let alias = cut(before, start..);
    at_key(scene, scene.line().start + start, alias.strip_prefix('*').map(|_| alias)?)
}

/// Advises on the alias `alias` at the offset `at`, if it was meant as a key.
fn at_key(scene: &Scene<'_>, at: usize, alias: &str) -> Option<Advice> {
    let line = scene.line_at(at);
    let name = alias.get(1..)?.strip_suffix(':').filter(|name| !name.is_empty())?;
    if !is_key(scene, at) {
        return None;
    }
    let head = cut(scene.text, line.start..at).trim_start();
    let tail = cut(scene.text, at + alias.len()..line.end());
    let is_name = name.chars().all(|ch| ch.is_alphanumeric() || "_-".contains(ch));
    if !is_name {
        let fixed = code(&format!("{head}{}:{tail}", quoted(&format!("*{name}"))));
        let message = format!("{} is an alias, and the `:` is part of its name", code(alias));
        let help = format!("If it is text, quote it: {fixed}.");
        return Some(Advice::new(message, "an alias before this", help));
    }
    let fixed = code(&format!("{head}*{name} :{tail}"));
    let message = format!("the `:` of {} is part of the name of the alias", code(alias));
    let help = format!("Write a space before the `:`: {fixed}.");
    let label = if at == scene.at { "expected a space before the `:`" } else { "not a value yet" };
    let advice = Advice::new(message, label, help);
    if at == scene.at {
        return Some(advice);
    }
    Some(advice.with(scene, at, alias.len(), "expected a space before the `:`"))
}

/// Returns whether a key may start at the offset `at`.
fn is_key(scene: &Scene<'_>, at: usize) -> bool {
    let before = cut(scene.text, scene.line_at(at).start..at).trim_end();
    match lexer::read(cut(scene.text, ..at)).open.last() {
        Some((_, '{')) => before.is_empty() || before.ends_with(['{', ',']),
        Some(_) => before.ends_with(['[', ',']),
        None => before.trim_start_matches([' ', '-']).is_empty(),
    }
}

/// Returns a sentence that suggests `quoted`, the line with quotes. It is empty for the value of a
/// merge key, which is no text.
fn quote_help(scene: &Scene<'_>, quoted: &str) -> String {
    match entry(scene.line()).key {
        Some("<<") => String::new(),
        _ => format!(" If it is text, quote it: {}.", code(quoted)),
    }
}

/// Returns the line with the alias in quotes, as part of a text, and whether the alias is all of
/// that text.
fn as_text(scene: &Scene<'_>, alias: &str) -> (String, bool) {
    let line = scene.line();
    let (head, rest) = line.text.split_at(scene.at - line.start);
    let seen = lexer::read(cut(scene.text, ..scene.at));
    let content = without_comment(rest).len();
    let in_flow = !seen.open.is_empty();
    let end = match rest.find([',', ']', '}']).filter(|_| in_flow) {
        Some(end) => end,
        // In `*.js: x`, the alias was meant as a key, but YAML reads the `:` as part of its name.
        None if alias.ends_with(':') && is_key(scene, scene.at) => alias.len() - 1,
        None if cut(rest, alias.len()..).starts_with(" :") => alias.len(),
        None => content,
    };
    let (text, tail) = (cut(rest, ..end).trim_end(), cut(rest, end..));
    (format!("{}{}{tail}", head.trim_start(), quoted(text)), text.len() == alias.len())
}

/// Returns the anchor in `text` whose name is most similar to `name`, with its offset. Returns
/// `None` if no name is similar enough. Short names are similar only if their case differs.
fn similar<'t>(name: &str, text: &'t [u8]) -> Option<(usize, &'t str)> {
    let len = name.chars().count();
    let is_near = |other: &str| len >= 3 && distance(name, other) <= 1 + len / 4;
    let near = |&(_, other): &(usize, &str)| name.eq_ignore_ascii_case(other) || is_near(other);
    anchors(text).filter(near).min_by_key(|other| distance(name, other.1))
}

/// Returns the words of `text` that look like anchors, each with its offset. In a long text, only
/// the first ones are searched for.
fn anchors(text: &[u8]) -> impl Iterator<Item = (usize, &str)> {
    const ANCHORS_MAX: usize = 1000;
    let text = &text[..text.len().min(TEXT_BYTES)];
    let words = memchr::memchr_iter(b'&', text).take(ANCHORS_MAX).filter_map(|at| {
        let rest = &text[at + 1..];
        let end = rest.iter().position(|b| b" \t\r\n,[]{}".contains(b)).unwrap_or(rest.len());
        Some((at, std::str::from_utf8(&rest[..end.min(64)]).ok()?))
    });
    words.filter(|(_, word)| !word.is_empty())
}

/// Returns the number of insertions, deletions, replacements and swaps of characters that turn the
/// name `a` into `b`. Only the first 64 characters of each name are compared.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

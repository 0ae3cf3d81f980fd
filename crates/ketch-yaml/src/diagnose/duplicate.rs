//! Advice on duplicate keys, which the composer finds.

use super::advice::Advice;
use super::alias;
use super::entry::entry;
use super::lexer::is_marker;
use super::quote::{code, indented};
use super::scene::{Line, cut};
use crate::fault::Fault;
use crate::problem::Problem;

/// The maximum number of bytes of a line, and of a document before its first key, that are looked at.
const NEAR_BYTES: usize = 1024;

/// Advises on the key `key`, which repeats an earlier key.
pub(crate) fn duplicate_key(key: &str) -> Advice {
    let message = format!("duplicate key {}", code(key));
    let help = "Delete one of the two entries or rename its key, or choose with the option `duplicate_keys` which one wins.";
    Advice::new(message, "the same key again", help)
}

/// Advises on the key `key` at the offset `second` of `text`, which is also at `first`. If both have
/// collections below them, these may be parts of one.
pub(super) fn in_document(text: &[u8], first: u64, second: u64, key: &str) -> Advice {
    let advice = duplicate_key(key);
    if let Some(start) = start(text, first as usize, second as usize, key) {
        let help = format!("{start} Otherwise d{}", cut(&advice.help, 1..));
        return Advice { help, ..advice };
    }
    if is_same(text, first as usize, second as usize) {
        let help = "Both lines are the same: delete this one.".to_owned();
        return Advice { help, ..advice };
    }
    let parts = [first, second].map(|at| Part::below(text, at as usize, key));
    let [Some(first), Some(second)] = parts else { return advice };
    let is_one = first.indent == second.indent
        && first.is_sequence == second.is_sequence
        && !first.keys.iter().any(|key| second.keys.contains(key));
    if !is_one {
        return advice;
    }
    let help = format!(
        "Delete this line, and move the lines below it that belong to it to the end of the first {}. \
         If the two are different things, rename one of the keys.",
        code(&format!("{key}:"))
    );
    Advice { help, ..advice }
}

/// Removes those of `faults`, which are in the order of `text`, that come from the mistake of one before
/// them: the keys after the first one of an entry or a document that has no `- ` or `---`, and further
/// aliases to a key that has no anchor.
pub(crate) fn remove_consequences(text: &[u8], faults: &mut Vec<Fault>) {
    let mut head: Option<(usize, usize)> = None;
    let mut aliases: Vec<&[u8]> = Vec::new();
    faults.retain(|fault| {
        if fault.problem == Problem::UnknownAlias {
            let at = fault.at as usize;
            let alias = text.get(at..at + fault.len).unwrap_or_default();
            let is_known = aliases.contains(&alias);
            let name = std::str::from_utf8(alias).ok().and_then(|alias| alias.get(1..));
            if !is_known && name.is_some_and(|name| alias::key_named(name, &text[..at]).is_some()) {
                aliases.push(alias);
            }
            return !is_known;
        }
        let Some((first, second)) = ends(fault) else { return true };
        let indent = |at: usize| line_before(text, at).map(|line| line.len());
        let is_same = |head: (usize, usize)| {
            (head.0 + 1..head.1).contains(&first) && indent(second) == indent(head.1)
        };
        if head.is_some_and(is_same) && line_before(text, second).is_some_and(is_blank) {
            return false;
        }
        let key = text.get(second..second + fault.len).map(str::from_utf8);
        let start = key.and_then(|key| start(text, first, second, key.ok()?));
        head = start.map(|_| (first, second));
        true
    });
}

/// Returns the offsets of both keys of `fault`, if it is a duplicate key.
fn ends(fault: &Fault) -> Option<(usize, usize)> {
    let first = fault.related.filter(|_| fault.problem == Problem::DuplicateKey)?;
    Some((first as usize, fault.at as usize))
}

/// Returns a sentence that says how to start an entry or a document with the key `key` at the offset
/// `second` of `text`, if the same key at `first` starts one.
fn start(text: &[u8], first: usize, second: usize, key: &str) -> Option<String> {
    let (head, blanks) = (line_before(text, first)?, line_before(text, second)?);
    if head.len() != blanks.len() || !is_blank(blanks) {
        return None;
    }
    let is_document = blanks.is_empty() && is_first(text.get(..first)?);
    if is_document && repeats_next(text, first, second + key.len()) {
        return Some("If a second document starts here, write `---` above this line.".to_owned());
    }
    let dash = head.iter().rposition(|byte| *byte == b'-')?;
    let rest = &text[second..text.len().min(second + NEAR_BYTES)];
    let line = rest.utf8_chunks().next()?.valid().lines().next()?;
    let fixed = indented(dash, &format!("-{}{line}", " ".repeat(head.len() - dash - 1)));
    let is_entry = head.iter().all(|byte| b" -".contains(byte)) && dash + 1 < head.len();
    is_entry.then(|| format!("If a new entry starts here, write {}.", code(&fixed)))
}

/// Returns whether the entries at the offsets `first` and `second` of `text` are two equal lines, each
/// with a value and nothing below it.
fn is_same(text: &[u8], first: usize, second: usize) -> bool {
    let line = |at: usize| {
        let near = &text[at..text.len().min(at + NEAR_BYTES)];
        let mut lines =
            near.utf8_chunks().next()?.valid().lines().map(|text| Line { start: 0, text });
        let (line, head) = (lines.next()?, line_before(text, at)?);
        let is_deeper =
            lines.find(Line::has_content).is_some_and(|next| next.indent() > head.len());
        let value = entry(line).value;
        let has_value = !value.is_empty() && !value.ends_with(['[', '{']) && !is_deeper;
        (has_value && is_blank(head)).then_some((head, line.text.trim_end()))
    };
    line(first).is_some_and(|first| Some(first) == line(second))
}

/// Returns the part of the line before the offset `at` of `text`, if it is short.
fn line_before(text: &[u8], at: usize) -> Option<&[u8]> {
    let near = text.get(at.saturating_sub(NEAR_BYTES)..at)?;
    let start = memchr::memrchr2(b'\n', b'\r', near).map(|last| last + 1);
    start.or((near.len() == at).then_some(0)).map(|start| &near[start..])
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| *byte == b' ')
}

/// Returns whether `before`, the text before a key, shows that it is the first one of a document.
fn is_first(before: &[u8]) -> bool {
    let near = before.get(..before.len().min(NEAR_BYTES)).filter(|near| near.len() == before.len());
    let is_none = |text: &str| {
        let line = Line { start: 0, text };
        !line.has_content() || is_marker(text) || text.starts_with('%')
    };
    near.and_then(|near| std::str::from_utf8(near).ok())
        .is_some_and(|near| near.lines().all(is_none))
}

/// Returns whether the next key at the start of a line, which follows the key that ends at `end`,
/// repeats one after the offset `first` of `text`.
fn repeats_next(text: &[u8], first: usize, end: usize) -> bool {
    let near = &text[end..text.len().min(end + NEAR_BYTES)];
    let lines = near.split(|byte| *byte == b'\n').skip(1);
    let mut lines = lines.filter(|line| line.first().is_some_and(u8::is_ascii_alphanumeric));
    let key = lines.next().and_then(|line| Some(&line[..memchr::memchr(b':', line)? + 1]));
    let before = &text[first..end.min(first + 8 * NEAR_BYTES)];
    key.is_some_and(|key| memchr::memmem::find(before, &[b"\n", key].concat()).is_some())
}

/// The block collection below a key.
struct Part<'t> {
    indent: usize,
    is_sequence: bool,
    keys: Vec<&'t str>,
}

impl<'t> Part<'t> {
    /// Returns the collection below the key `key` at the offset `at` of `text`, if the key has a line
    /// of its own.
    fn below(text: &'t [u8], at: usize, key: &str) -> Option<Part<'t>> {
        let column = text[..at].iter().rev().take_while(|byte| **byte == b' ').count();
        let is_first = at == column || matches!(text[at - column - 1], b'\n' | b'\r');
        let below = text.get(at + key.len()..)?.utf8_chunks().next()?.valid();
        let mut lines = below.lines().map(|text| Line { start: 0, text });
        let is_alone = lines.next().is_some_and(|line| line.body() == ":");
        let lines = lines.filter(Line::has_content).take_while(|line| line.indent() > column);
        let lines: Vec<_> = lines.collect();
        let first = *lines.first().filter(|_| is_first && is_alone)?;
        let entries = lines.iter().filter(|line| line.indent() == first.indent());
        let keys = entries.filter_map(|line| entry(*line).key.filter(|_| entry(*line).dashes == 0));
        let is_sequence = entry(first).dashes > 0;
        let keys: Vec<_> = keys.collect();
        let has_entries = is_sequence || !keys.is_empty();
        has_entries.then_some(Part { indent: first.indent(), is_sequence, keys })
    }
}

/// Advises on two merge keys in one mapping, at the offsets `first` and `second` of `text`.
pub(super) fn two_merges(text: &[u8], first: u64, second: u64) -> Advice {
    let values = [first, second].map(|at| merged(text, at).unwrap_or_default());
    let list = match values.iter().all(|value| value.starts_with('*')) {
        true => format!("<<: [{}]", values.join(", ")),
        false => "<<: [*a, *b]".to_owned(),
    };
    let help = format!("Write one `<<` in place of both, with a list: {}.", code(&list));
    Advice::new("duplicate key `<<`", "the same key again", help)
}

/// Returns the value of the merge key at the offset `at` of `text`. If it is a list, the brackets
/// are not included.
fn merged(text: &[u8], at: u64) -> Option<&str> {
    let rest = text.get(at as usize + 2..)?;
    let line = rest.split(|byte| b"\r\n#".contains(byte)).next()?;
    let value = std::str::from_utf8(line).ok()?.trim_start().strip_prefix(':')?.trim();
    let value = match value.strip_prefix('[') {
        Some(list) => list.split(']').next()?,
        None => value.split([',', '}']).next()?,
    };
    Some(value.trim())
}

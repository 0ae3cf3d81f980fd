//! Advice on duplicate keys, which the composer finds.

use super::advice::Advice;
use super::entry::entry;
use super::quote::code;
use super::scene::Line;

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

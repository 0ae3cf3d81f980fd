//! Decides whether output has colors, and adds them to YAML, JSON and diffs.

use crate::args::When;
use anstream::ColorChoice;
use ketch_yaml::{EventKind, Parser};
use std::io::{self, Write};

const RESET: &str = "\x1b[0m";
const KEY: &str = "\x1b[34m";
const TEXT: &str = "\x1b[32m";
const OTHER: &str = "\x1b[36m";
const REMOVED: &str = "\x1b[31m";
const ADDED: &str = "\x1b[32m";
const HUNK: &str = "\x1b[36m";

/// Applies the option `--color` and the variable `FORCE_COLOR`. `NO_COLOR` wins over the latter.
pub fn choose(when: When) {
    let is_set =
        |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match when {
        When::Always => ColorChoice::Always.write_global(),
        When::Never => ColorChoice::Never.write_global(),
        When::Auto if is_set("FORCE_COLOR") && !is_set("NO_COLOR") => {
            ColorChoice::Always.write_global();
        }
        When::Auto => {}
    }
}

/// Returns whether standard output has colors.
pub fn is_on() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Writes `diff`, a unified diff, with colors if standard output has them.
pub fn write_diff(out: &mut (impl Write + ?Sized), diff: &[u8]) -> io::Result<()> {
    if !is_on() {
        return out.write_all(diff);
    }
    for line in diff.split_inclusive(|byte| *byte == b'\n') {
        let color = match line.first() {
            Some(b'-') => REMOVED,
            Some(b'+') => ADDED,
            Some(b'@') => HUNK,
            _ => {
                out.write_all(line)?;
                continue;
            }
        };
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        out.write_all(color.as_bytes())?;
        out.write_all(text)?;
        out.write_all(RESET.as_bytes())?;
        out.write_all(&line[text.len()..])?;
    }
    Ok(())
}

/// Returns `text`, YAML or JSON, with colors for keys and scalars. Text that is neither is returned
/// unchanged.
pub fn painted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * text.len());
    let mut at = 0;
    let mut keys = Keys::default();
    let mut parser = Parser::new(text);
    loop {
        let chunk = match parser.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            Err(_) => return text.to_vec(),
        };
        for event in chunk.events() {
            let is_key = keys.step(event.kind);
            if event.kind.is_scalar() {
                let start = chunk.base() as usize + event.start;
                let color = match event.kind {
                    _ if is_key => KEY,
                    EventKind::Plain => OTHER,
                    _ => TEXT,
                };
                paint(&mut out, text, &mut at, start..start + event.len, color);
            }
        }
    }
    out.extend_from_slice(&text[at.min(text.len())..]);
    out
}

/// Knows which nodes are keys. For each open collection, stores whether it is a mapping, and whether
/// its next node is a key.
#[derive(Default)]
struct Keys(Vec<(bool, bool)>);

impl Keys {
    /// Takes the next event, and returns whether it starts a key.
    fn step(&mut self, kind: EventKind) -> bool {
        let is_start = matches!(kind, EventKind::MappingStart | EventKind::SequenceStart);
        if matches!(kind, EventKind::MappingEnd | EventKind::SequenceEnd) {
            self.0.pop();
        }
        if !(is_start || kind.is_scalar() || kind == EventKind::Alias) {
            return false;
        }
        let is_key = self.0.last().is_some_and(|(is_mapping, is_key)| *is_mapping && *is_key);
        if let Some((_, is_key)) = self.0.last_mut() {
            *is_key = !*is_key;
        }
        if is_start {
            self.0.push((kind == EventKind::MappingStart, true));
        }
        is_key
    }
}

/// Copies `text` from `at` up to the end of `range`, which gets `color`.
fn paint(
    out: &mut Vec<u8>,
    text: &[u8],
    at: &mut usize,
    range: std::ops::Range<usize>,
    color: &str,
) {
    let (Some(before), Some(inside)) = (text.get(*at..range.start), text.get(range.clone())) else {
        return;
    };
    out.extend_from_slice(before);
    if !inside.is_empty() {
        out.extend_from_slice(color.as_bytes());
        out.extend_from_slice(inside);
        out.extend_from_slice(RESET.as_bytes());
    }
    *at = range.end;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `text` with its colors as letters.
    fn letters(text: &str) -> String {
        let painted = String::from_utf8(painted(text.as_bytes())).unwrap();
        [(KEY, "<k "), (TEXT, "<t "), (OTHER, "<o "), (RESET, ">")]
            .iter()
            .fold(painted, |text, (code, letter)| text.replace(code, letter))
    }

    #[test]
    fn keys_and_scalars_have_colors() {
        assert_eq!(
            letters("a: 1 # c\n\"b\":\n- 'x'\n- {c: *y , d}\n"),
            "<k a>: <o 1> # c\n<k \"b\">:\n- <t 'x'>\n- {<k c>: *y , <k d>}\n"
        );
        assert_eq!(letters("{\"a\":[1,\"b\"]}\n{"), "{\"a\":[1,\"b\"]}\n{");
        assert_eq!(letters("{\"a\":[1,\"b\"]}\n"), "{<k \"a\">:[<o 1>,<t \"b\">]}\n");
    }

    #[test]
    fn colors_change_no_character() {
        for text in ["a: |\n  x\n\n  y\nb: >-\n  z\n", "? a\n: b\n---\n!t x\n", "", "- \n- a\n"] {
            let bare = letters(text);
            let bare =
                ["<k ", "<t ", "<o ", ">"].iter().fold(bare, |all, code| all.replace(code, ""));
            assert_eq!(bare, text.replace('>', ""));
        }
    }
}

//! Reads the properties of Java.

use super::flow::{Flow, Pair, Wrong, mapping};

/// Converts `text`, lines of keys and texts, to a mapping.
pub fn convert(text: &str) -> Result<Flow, Wrong> {
    let mut pairs = Vec::new();
    let mut lines = Lines { text, at: 0 };
    while let Some((start, line)) = lines.next_logical() {
        let end = key_end(&line);
        let rest = line[end..].trim_start_matches(is_blank);
        let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(is_blank);
        let wrong = |message: String| {
            Wrong::new(start..start + end.max(1), message)
                .help("Write `\\u` and four hex digits, or `\\\\`.")
        };
        let key = unescaped(&line[..end]).map_err(wrong)?;
        let value = Some(unescaped(rest).map_err(wrong)?);
        pairs.push(Pair { key, value, range: start..start + end.max(1) });
    }
    mapping(&pairs)
}

/// A cursor that joins lines that end in a backslash with the next ones.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl Lines<'_> {
    /// Returns the offset and text of the next line with its continuations, without blanks at its
    /// start. Skips comments and empty lines.
    fn next_logical(&mut self) -> Option<(usize, String)> {
        loop {
            let (start, line) = self.next_line()?;
            if line.is_empty() || line.starts_with(['#', '!']) {
                continue;
            }
            let mut joined = line.to_owned();
            while is_continued(&joined) {
                joined.pop();
                let Some((_, more)) = self.next_line() else { break };
                joined.push_str(more);
            }
            return Some((start, joined));
        }
    }

    /// Returns the offset and text of the next line, without blanks at its start.
    fn next_line(&mut self) -> Option<(usize, &str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = &rest[..len];
        let start = self.at + (line.len() - line.trim_start_matches(is_blank).len());
        self.at += len + if rest[len..].starts_with("\r\n") { 2 } else { 1 };
        Some((start, line.trim_start_matches(is_blank)))
    }
}

fn is_blank(ch: char) -> bool {
    matches!(ch, ' ' | '\t' | '\x0c')
}

/// Returns whether `line` ends in an odd number of backslashes.
fn is_continued(line: &str) -> bool {
    (line.len() - line.trim_end_matches('\\').len()) % 2 == 1
}

/// Returns the length of the key at the start of `line`.
fn key_end(line: &str) -> usize {
    let mut is_escaped = false;
    let end = line.char_indices().find(|(_, ch)| {
        let ends = !is_escaped && (is_blank(*ch) || matches!(ch, '=' | ':'));
        is_escaped = !is_escaped && *ch == '\\';
        ends
    });
    end.map_or(line.len(), |(at, _)| at)
}

/// Returns `text` with its escapes decoded, or a message about a wrong one.
fn unescaped(text: &str) -> Result<String, String> {
    let mut units: Vec<u16> = Vec::new();
    let mut buffer = [0; 2];
    let mut chars = text.chars();
    while let Some(ch) = chars.next() {
        let ch = match ch {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('f') => '\x0c',
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).collect();
                    let unit = u16::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
                    units.push(unit.ok_or_else(|| format!("`\\u{digits}` is not an escape"))?);
                    continue;
                }
                Some(other) => other,
                None => break,
            },
            other => other,
        };
        units.extend_from_slice(ch.encode_utf16(&mut buffer));
    }
    String::from_utf16(&units).map_err(|_| "half of a surrogate pair is not a character".to_owned())
}

//! Reads files of environment variables (`.env`).

use super::flow::{Flow, Pair, Wrong, mapping};

/// Converts `text`, lines `NAME=text`, to a mapping. References such as `${NAME}` stay as they are.
pub fn convert(text: &str) -> Result<Flow, Wrong> {
    let mut pairs = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let len = rest.find('\n').unwrap_or(rest.len());
        let line = &rest[..len];
        let start = at + (line.len() - line.trim_start().len());
        let line = line.trim();
        at += len + 1;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let exported = line.strip_prefix("export ").map_or(line, str::trim_start);
        let start = start + (line.len() - exported.len());
        let (name, value) = match exported.split_once('=') {
            Some((name, value)) => (name.trim_end(), Some(value)),
            None => (exported, None),
        };
        let range = start..start + name.len().max(1);
        if name.is_empty() || name.contains(|ch: char| ch.is_whitespace() || "\"'#".contains(ch)) {
            let wrong = Wrong::new(range, "expected a line such as `NAME=text`");
            return Err(wrong.help("Comments start with `#`."));
        }
        let value = match value {
            None => None,
            Some(value) => {
                let value = value.trim_start();
                // A text in quotes may have several lines.
                let from = start + exported.len() - value.len();
                let (value, end) = read_value(text, from, value)?;
                at = at.max(end);
                Some(value)
            }
        };
        pairs.push(Pair { key: name.to_owned(), value, range });
    }
    mapping(&pairs)
}

/// Reads the text at offset `from`, whose first line is `line`. Returns it with the offset of the
/// line after it.
fn read_value(text: &str, from: usize, line: &str) -> Result<(String, usize), Wrong> {
    let Some(quote) = line.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        let end = line.find(" #").or_else(|| line.starts_with('#').then_some(0));
        return Ok((line[..end.unwrap_or(line.len())].trim_end().to_owned(), 0));
    };
    let mut value = String::new();
    let inner = &text[from + 1..];
    let mut chars = inner.char_indices();
    while let Some((at, ch)) = chars.next() {
        match ch {
            _ if ch == quote => {
                let after = from + 1 + at + 1;
                let line = text[after..].split('\n').next().unwrap_or("");
                let rest = line.trim();
                if !(rest.is_empty() || rest.starts_with('#')) {
                    let wrong =
                        Wrong::new(after..after + line.len(), "expected the end of the line");
                    return Err(wrong.help("Put all of the text in one pair of quotes."));
                }
                return Ok((value, after + line.len() + 1));
            }
            '\\' if quote == '"' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 'r')) => value.push('\r'),
                Some((_, 't')) => value.push('\t'),
                Some((_, other @ ('"' | '\\' | '$' | '`'))) => value.push(other),
                Some((_, other)) => value.extend(['\\', other]),
                None => value.push('\\'),
            },
            _ => value.push(ch),
        }
    }
    Err(Wrong::new(from..from + 1, "this quote is never closed"))
}

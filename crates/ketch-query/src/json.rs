//! JSON texts as values.

use crate::value::{Entries, Number, Value};
use std::sync::Arc;

/// Reads a text that is one JSON value. The numbers are exact, and keep their spelling.
///
/// # Errors
///
/// Returns a message that says what is wrong and where.
pub fn parse_json(text: &str) -> Result<Value, String> {
    match parse(text)? {
        (value, rest) if rest.trim().is_empty() => Ok(value),
        _ => Err("Unexpected extra JSON values".to_owned()),
    }
}

/// Reads all JSON values of a text.
pub fn parse_all(text: &str) -> Result<Vec<Value>, String> {
    let mut values = Vec::new();
    let mut rest = text;
    while !rest.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() {
        let (value, after) = parse(rest)?;
        values.push(value);
        rest = after;
    }
    Ok(values)
}

/// An open collection, with its entries so far and the key that the next value has.
enum Open {
    Array(Vec<Value>),
    Object(Entries, Arc<str>),
}

/// Reads a JSON value at the start of `text`, and returns it with the rest of the text.
pub fn parse(text: &str) -> Result<(Value, &str), String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text, at: 0 };
    let mut open: Vec<Open> = Vec::new();
    loop {
        let mut value = match reader.start(&mut open)? {
            Some(value) => value,
            None => continue,
        };
        // Closes all collections that end here.
        loop {
            let Some(inner) = open.pop() else { return Ok((value, &text[reader.at..])) };
            let (closed, next) = reader.after(inner, value)?;
            match next {
                Some(next) => {
                    open.push(next);
                    break;
                }
                None => value = closed,
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
    }

    fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns the problem `problem`, with its place.
    fn problem(&self, problem: &str) -> String {
        let before = &self.text[..self.at.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        if self.at >= self.text.len() {
            return format!(
                "Unfinished JSON term at EOF at line {line}, column {}",
                column.saturating_sub(1).max(1)
            );
        }
        format!("{problem} at line {line}, column {}", column + 1)
    }

    /// Reads a scalar or an empty collection, or opens a collection.
    fn start(&mut self, open: &mut Vec<Open>) -> Result<Option<Value>, String> {
        match self.peek() {
            Some(b'[') => {
                self.at += 1;
                if self.peek() == Some(b']') {
                    self.at += 1;
                    return Ok(Some(Value::array(Vec::new())));
                }
                open.push(Open::Array(Vec::new()));
                Ok(None)
            }
            Some(b'{') => {
                self.at += 1;
                if self.peek() == Some(b'}') {
                    self.at += 1;
                    return Ok(Some(Value::object(Entries::new())));
                }
                let key = self.key()?;
                open.push(Open::Object(Entries::new(), key));
                Ok(None)
            }
            _ => self.scalar().map(Some),
        }
    }

    /// Adds `value` to the collection `inner`. Returns the collection if it ends, or what is still open.
    fn after(&mut self, inner: Open, value: Value) -> Result<(Value, Option<Open>), String> {
        let next = self.peek();
        match inner {
            Open::Array(mut entries) => {
                entries.push(value);
                match next {
                    Some(b',') => {
                        self.at += 1;
                        Ok((Value::Null, Some(Open::Array(entries))))
                    }
                    Some(b']') => {
                        self.at += 1;
                        Ok((Value::array(entries), None))
                    }
                    _ => Err(self.problem("Expected separator between values")),
                }
            }
            Open::Object(mut entries, key) => {
                entries.insert(key, value);
                match next {
                    Some(b',') => {
                        self.at += 1;
                        let key = self.key()?;
                        Ok((Value::Null, Some(Open::Object(entries, key))))
                    }
                    Some(b'}') => {
                        self.at += 1;
                        Ok((Value::object(entries), None))
                    }
                    _ => Err(self.problem("Expected separator between values")),
                }
            }
        }
    }

    fn key(&mut self) -> Result<Arc<str>, String> {
        if self.peek() != Some(b'"') {
            return Err(self.problem("Object keys must be strings"));
        }
        let key = self.text()?;
        if self.peek() != Some(b':') {
            return Err(self.problem("Objects must consist of key:value pairs"));
        }
        self.at += 1;
        Ok(key.into())
    }

    fn scalar(&mut self) -> Result<Value, String> {
        if self.peek() == Some(b'"') {
            return Ok(self.text()?.into());
        }
        let rest = &self.text[self.at..];
        let end = rest.find(|ch: char| !(ch.is_ascii_alphanumeric() || "+-.".contains(ch)));
        let word = &rest[..end.unwrap_or(rest.len())];
        let value = match word {
            "null" => Some(Value::Null),
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "nan" | "NaN" | "-nan" | "-NaN" => Some(Number::nan().into()),
            "Infinity" => Some(Number::infinite(false).into()),
            "-Infinity" => Some(Number::infinite(true).into()),
            _ => number(word).map(Value::Number),
        };
        match value {
            Some(value) => {
                self.at += word.len();
                Ok(value)
            }
            None => Err(self.problem("Invalid literal")),
        }
    }

    /// Reads a string.
    fn text(&mut self) -> Result<String, String> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(['"', '\\']) else {
                self.at = self.text.len();
                return Err(self.problem("Unfinished string"));
            };
            out.push_str(&rest[..end]);
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(out);
            }
            self.escape(&mut out)?;
        }
    }

    /// Reads an escape after its backslash.
    fn escape(&mut self, out: &mut String) -> Result<(), String> {
        let Some(&byte) = self.text.as_bytes().get(self.at) else {
            return Err(self.problem("Unfinished string"));
        };
        self.at += 1;
        out.push(match byte {
            b'"' | b'\\' | b'/' => byte as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.unit().ok_or_else(|| self.problem("Invalid escape"))?;
                let mark = self.at;
                let second = match self.text[self.at..].strip_prefix("\\u") {
                    Some(_) if (0xD800..0xDC00).contains(&first) => {
                        self.at += 2;
                        self.unit().filter(|unit| (0xDC00..0xE000).contains(unit))
                    }
                    _ => None,
                };
                if second.is_none() {
                    self.at = mark;
                }
                let units = [first, second.unwrap_or(0)];
                let units = &units[..1 + usize::from(second.is_some())];
                let decoded = char::decode_utf16(units.iter().copied()).next();
                decoded.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(self.problem("Invalid escape")),
        });
        Ok(())
    }

    /// Reads the four digits of an escape.
    fn unit(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let unit = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
        self.at += 4;
        u16::from_str_radix(unit, 16).ok()
    }
}

/// Reads a number as jq does. It keeps its spelling if JSON has it.
pub fn number(text: &str) -> Option<Number> {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    match &*bare {
        "nan" => return Some(Number::nan()),
        "infinity" | "inf" => return Some(Number::infinite(text.starts_with('-'))),
        _ => {}
    }
    let number = Number::parse(text)?;
    let spelled = number.spelled_as(text);
    Some(if spelled.is_json_spelling() { spelled } else { number })
}

//! Repairs arrays and tables in braces: commas, brackets, and the marks after keys.

use super::values::{self, Fixed, is_value, quoted_end};
use std::borrow::Cow;

/// What precedes a place in brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A bracket or a comma: an entry may start.
    Nothing,
    /// The mark after a key.
    Mark,
    /// A key or value, which ends at this offset of the new text.
    Value(usize),
}

/// A value in brackets, read from its start to its end, and written as it was probably meant.
struct Repair<'t> {
    text: &'t str,
    at: usize,
    new: String,
    /// The open brackets, with their offsets in `text`.
    open: Vec<(usize, char)>,
    before: Before,
    /// The first mistake, and its offset if that is not where the repair starts.
    wrong: Option<(Cow<'static, str>, Option<usize>)>,
}

/// Returns the repair of `value`, if there is one.
pub fn fixed(value: &str) -> Option<Fixed> {
    if is_value(value) {
        return None;
    }
    let is_open = value.starts_with(['[', '{', '(']);
    let repaired = is_open.then(|| repaired(value)).flatten();
    repaired.filter(|fixed| is_value(&fixed.new)).or_else(|| values::fixed(value))
}

/// Returns the repair of `value`, which starts with a bracket.
fn repaired(value: &str) -> Option<Fixed> {
    let mut repair = Repair {
        text: value,
        at: 0,
        new: String::new(),
        open: Vec::new(),
        before: Before::Nothing,
        wrong: None,
    };
    while let Some(ch) = value[repair.at..].chars().next() {
        repair.step(ch);
        if repair.open.is_empty() {
            break;
        }
    }
    match value[repair.at..].trim() {
        "" => {}
        "," | ";" => repair.note("a line of TOML does not end with a `,` or `;`", None),
        // Brackets in a text.
        _ => return None,
    }
    repair.close();
    let (message, at) = repair.wrong?;
    Some(Fixed { message, new: repair.new, at })
}

impl<'t> Repair<'t> {
    fn note(&mut self, message: impl Into<Cow<'static, str>>, at: Option<usize>) {
        self.wrong.get_or_insert((message.into(), at));
    }

    /// Reads the character `ch`, and what belongs to it.
    fn step(&mut self, ch: char) {
        let rest = &self.text[self.at..];
        let in_table = self.open.last().is_some_and(|(_, open)| *open == '{');
        match ch {
            '#' => self.copy(rest.find('\n').unwrap_or(rest.len())),
            ch if ch.is_whitespace() => self.copy(ch.len_utf8()),
            '[' | '{' | '(' => self.opens(ch),
            ']' | '}' | ')' => self.closes(ch),
            ',' | ';' => {
                if ch == ';' {
                    self.note("a `,` separates entries, not a `;`", None);
                }
                self.write(",", 1);
                self.before = Before::Nothing;
            }
            '=' | ':' if in_table && matches!(self.before, Before::Value(_)) => {
                let is_blank = self.new.ends_with(' ');
                if ch == ':' {
                    self.note("a key in braces ends with `=`, not with `:`", None);
                }
                let mark = if is_blank || ch == '=' { "=" } else { " =" };
                self.write(mark, if rest.starts_with("=>") { 2 } else { 1 });
                self.before = Before::Mark;
            }
            _ => self.value(in_table && self.before == Before::Nothing),
        }
    }

    /// Copies `len` bytes.
    fn copy(&mut self, len: usize) {
        let text = self.text;
        self.write(&text[self.at..self.at + len], len);
    }

    /// Writes `new` in place of the next `len` bytes.
    fn write(&mut self, new: &str, len: usize) {
        self.new.push_str(new);
        self.at += len;
    }

    /// Writes the comma that is missing before an entry.
    fn separate(&mut self) {
        if let Before::Value(end) = self.before {
            self.note("a `,` is missing between two entries", None);
            self.new.insert(end, ',');
        }
    }

    fn opens(&mut self, ch: char) {
        self.separate();
        let bracket = if ch == '(' { '[' } else { ch };
        if ch == '(' {
            self.note("arrays are in square brackets", None);
        }
        self.open.push((self.at, bracket));
        self.write(bracket.encode_utf8(&mut [0; 4]), 1);
        self.before = Before::Nothing;
    }

    fn closes(&mut self, ch: char) {
        let Some((at, open)) = self.open.pop() else { return };
        let close = if open == '[' { "]" } else { "}" };
        let has_outer =
            self.open.iter().any(|(_, open)| ch == if *open == '[' { ']' } else { '}' });
        let is_same = close.starts_with(ch);
        if !is_same {
            self.note(format!("the `{open}` is not closed"), has_outer.then_some(at));
        }
        self.write(close, usize::from(is_same || !has_outer));
        self.before = Before::Value(self.new.len());
    }

    /// Closes the brackets that are still open.
    fn close(&mut self) {
        let is_long = self.new.contains('\n');
        while let Some((at, open)) = self.open.pop() {
            self.note(format!("the `{open}` is not closed"), Some(at));
            let len = self.new.trim_end().len();
            self.new.truncate(len);
            if !is_long && self.new.ends_with(',') {
                self.new.pop();
            }
            let blank = match open {
                _ if is_long => "\n",
                '{' => " ",
                _ => "",
            };
            self.new += blank;
            self.new.push(if open == '[' { ']' } else { '}' });
        }
    }

    /// Reads a key or a value.
    fn value(&mut self, is_key: bool) {
        self.separate();
        let rest = &self.text[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let word = line.find([',', ']', '}', ' ', '=', ';']).unwrap_or(line.len());
        let end = line.find([',', ']', '}', ';']).unwrap_or(line.len());
        let len = match quoted_end(line) {
            Some(len) => len,
            None if is_key => line.find([',', ']', '}', ' ', '=', ';', ':']).unwrap_or(line.len()),
            None if is_value(&line[..word]) => word,
            None => end,
        };
        let found = line[..len.max(1).min(line.len())].trim_end();
        match values::fixed(found).filter(|_| !is_key) {
            Some(fixed) => {
                self.note(fixed.message, None);
                self.write(&fixed.new, found.len());
            }
            None => self.copy(found.len()),
        }
        self.before = Before::Value(self.new.len());
    }
}

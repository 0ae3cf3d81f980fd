//! Splits text that may not be TOML into statements: the names of tables, and keys with values.

use std::ops::Range;

/// A statement, without its last line break.
pub struct Statement {
    pub range: Range<usize>,
    /// Whether a bracket or a quote in it is not closed.
    pub is_open: bool,
}

/// The brackets and quotes that are open at the end of a line.
#[derive(Default)]
struct Open<'t> {
    brackets: Vec<char>,
    quote: Option<&'t str>,
    /// Whether entries of a table in braces may follow on the next line.
    takes_entries: bool,
}

/// Returns the statements of `text`. One that is not closed ends where the next one seems to start.
pub fn statements(text: &str) -> Vec<Statement> {
    let (mut all, mut open) = (Vec::new(), Open::default());
    let (mut at, mut start) = (0, 0);
    let mut add = |start: usize, end: usize, is_open| {
        let end = start + text[start..end].trim_end().len();
        all.push(Statement { range: start..end, is_open });
    };
    for line in text.split_inclusive('\n') {
        let is_inside = open.is_some();
        if is_inside && open.ends_before(line) {
            add(start, at, true);
            open = Open::default();
        }
        let body = line.trim();
        if !open.is_some() {
            start = at + line.len() - line.trim_start().len();
        }
        at += line.len();
        if !open.is_some() && (body.is_empty() || body.starts_with('#')) {
            continue;
        }
        if open.is_some() || !body.starts_with('[') {
            open.read(line);
        }
        if !open.is_some() {
            add(start, at, false);
        }
    }
    if open.is_some() {
        add(start, at, true);
    }
    all
}

impl<'t> Open<'t> {
    fn is_some(&self) -> bool {
        !self.brackets.is_empty() || self.quote.is_some()
    }

    /// Returns whether `line` seems to start another statement.
    fn ends_before(&self, line: &str) -> bool {
        let line = line.trim();
        if self.quote.is_some_and(|quote| quote.len() == 3) || self.takes_entries {
            return false;
        }
        let name = line.trim_start_matches('[');
        if name.len() < line.len() {
            return name.ends_with(']') && name.starts_with(char::is_alphabetic);
        }
        let is_key = |ch: char| ch.is_alphanumeric() || "._-\"' ".contains(ch);
        let key = line.split_once('=').map_or("", |(key, _)| key.trim());
        line.is_empty() && self.quote.is_some() || !key.is_empty() && key.chars().all(is_key)
    }

    /// Reads `line`, which is part of a statement.
    fn read(&mut self, line: &'t str) {
        let mut at = 0;
        // Whether a value may start here. Only then is a quote one.
        let mut is_fresh = true;
        while let Some(ch) = line[at..].chars().next() {
            let rest = &line[at..];
            if let Some(quote) = self.quote {
                let skips = ch == '\\' && quote.starts_with('"') && rest.len() > 1;
                let is_end = rest.starts_with(quote);
                self.quote = (!is_end).then_some(quote);
                let next = rest[ch.len_utf8()..].chars().next().filter(|_| skips);
                at += if is_end {
                    quote.len()
                } else {
                    ch.len_utf8() + next.map_or(0, char::len_utf8)
                };
                continue;
            }
            match ch {
                '#' => break,
                '"' | '\'' if is_fresh => {
                    let is_long = rest.starts_with("\"\"\"") || rest.starts_with("'''");
                    self.quote = Some(&rest[..if is_long { 3 } else { 1 }]);
                }
                '[' | '{' if is_fresh => self.brackets.push(ch),
                ']' | '}' => drop(self.brackets.pop()),
                _ => {}
            }
            is_fresh = "=,[{:(".contains(ch) || is_fresh && ch.is_whitespace();
            at += self.quote.map_or(ch.len_utf8(), str::len);
        }
        let line = line[..at].trim_end();
        self.takes_entries = self.brackets.last() == Some(&'{') && line.ends_with(['{', ',']);
    }
}

/// Returns the offset of the comment at the end of `line`, or the length of the line.
pub fn comment_at(line: &str) -> usize {
    let mut quote = None;
    for (at, ch) in line.char_indices() {
        match quote {
            None if ch == '#' => return at,
            None if "\"'".contains(ch) => quote = Some((at, ch)),
            Some((_, open)) if open == ch => quote = None,
            _ => {}
        }
    }
    // A comment may follow a quote that is not closed.
    let from = quote.map_or(line.len(), |(at, _)| at);
    line[from..].find(" #").map_or(line.len(), |at| from + at)
}

//! Regular expressions.

use super::types::{Builtin, Call, wrong};
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Entries, Kind, Value};
use ketch_regex::{Captures, Options, Regex};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[("_match", 3, find)];

/// The maximum number of compiled patterns that a thread keeps.
const KEPT_MAX: usize = 64;

thread_local! {
    static KEPT: RefCell<HashMap<String, Regex>> = RefCell::new(HashMap::new());
}

/// What the letters of the flags say.
#[derive(Clone, Copy, Default)]
struct Flags {
    all: bool,
    skips_empty: bool,
    options: (bool, bool, bool),
}

/// `_match(pattern; flags; is_test)`: whether there is a match, or an array of all that are wanted.
fn find(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let (pattern, flags, is_test) = (call.arg(0), call.arg(1), call.arg(2).is_true());
    let Some(text) = call.input.as_text() else {
        return Err(call.wrong("cannot be matched, as it is not a string"));
    };
    let Some(pattern) = pattern.as_text() else {
        return Err(wrong(&pattern, "is not a string"));
    };
    let flags = read_flags(&flags)?;
    let regex = compiled(&pattern, flags.options)?;
    let failed = |error: ketch_regex::Error| {
        Failure::new(ErrorKind::InvalidRegex, format!("Regex failure: {error}"))
    };
    if is_test && !flags.skips_empty {
        return Ok(Value::Bool(regex.is_match(text.as_bytes()).map_err(failed)?));
    }
    let mut found = Vec::new();
    let mut position = Position::default();
    let mut captures = Captures::new();
    let mut from = 0;
    while from <= text.len()
        && regex.captures_at(text.as_bytes(), from, &mut captures).map_err(failed)?
    {
        let Some(range) = captures.get(0) else { break };
        let is_empty = range.is_empty();
        if !(is_empty && flags.skips_empty) {
            found.push(described(&regex, &captures, &text, &mut position));
        }
        from = if is_empty { next_char(&text, range.end) } else { range.end };
        if !flags.all || is_test {
            break;
        }
    }
    Ok(if is_test { Value::Bool(!found.is_empty()) } else { Value::array(found) })
}

/// Returns the offset after the character at `at`.
fn next_char(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
}

/// The number of characters before an offset, counted on from the last one.
#[derive(Default)]
struct Position {
    at: usize,
    chars: usize,
}

impl Position {
    fn of(&mut self, text: &str, at: usize) -> usize {
        if at < self.at {
            *self = Position::default();
        }
        self.chars += text[self.at..at].chars().count();
        self.at = at;
        self.chars
    }
}

/// Returns a match as an object.
fn described(regex: &Regex, captures: &Captures, text: &str, position: &mut Position) -> Value {
    let mut entries = part(captures.get(0), text, position);
    let mut groups = Vec::new();
    for group in 1..=regex.groups() {
        let mut entries = part(captures.get(group), text, position);
        let name = regex.names().iter().find(|name| name.groups.contains(&(group as u32)));
        let name = name.filter(|name| !name.name.starts_with(UNNAMED));
        let name = name.map_or(Value::Null, |name| name.name.as_str().into());
        entries.insert("name".into(), name);
        groups.push(Value::object(entries));
    }
    entries.insert("captures".into(), Value::array(groups));
    Value::object(entries)
}

/// Returns what a match or group covers.
fn part(range: Option<std::ops::Range<usize>>, text: &str, position: &mut Position) -> Entries {
    let mut entries = Entries::new();
    match range {
        Some(range) => {
            let part = &text[range.clone()];
            entries.insert("offset".into(), Value::count(position.of(text, range.start)));
            entries.insert("length".into(), Value::count(part.chars().count()));
            entries.insert("string".into(), part.into());
        }
        None => {
            entries.insert("offset".into(), (-1).into());
            entries.insert("string".into(), Value::Null);
            entries.insert("length".into(), 0.into());
        }
    }
    entries
}

fn read_flags(flags: &Value) -> Result<Flags, Failure> {
    let mut read = Flags::default();
    if flags.kind() == Kind::Null {
        return Ok(read);
    }
    let Some(text) = flags.as_text() else { return Err(wrong(flags, "is not a string")) };
    for letter in text.chars() {
        match letter {
            'g' => read.all = true,
            'n' => read.skips_empty = true,
            'i' => read.options.0 = true,
            'x' => read.options.1 = true,
            's' => {}
            'p' => read.options.2 = true,
            'l' => {}
            _ => {
                let message = format!("{text} is not a valid modifier string");
                return Err(Failure::new(ErrorKind::InvalidArgument, message));
            }
        }
    }
    Ok(read)
}

/// Returns the regular expression for a pattern and its options.
fn compiled(pattern: &str, options: (bool, bool, bool)) -> Result<Regex, Failure> {
    let key = format!("{}{}{}{pattern}", options.0 as u8, options.1 as u8, options.2 as u8);
    if let Some(known) = KEPT.with_borrow(|kept| kept.get(&key).cloned()) {
        return Ok(known);
    }
    let options = Options {
        ignore_case: options.0,
        extended: options.1,
        multi_line: options.2,
        ..Options::default()
    };
    let regex = Regex::new(&translated(pattern), options).map_err(|error| {
        Failure::new(ErrorKind::InvalidRegex, format!("Regex failure: {}", error.ruby_message()))
    })?;
    KEPT.with_borrow_mut(|kept| {
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(key, regex.clone());
    });
    Ok(regex)
}

/// How the names of groups start that have none in the pattern.
const UNNAMED: &str = "_unnamed_";

/// Returns a pattern of Perl's for Ruby's rules. Outside of classes, `^` and `$` mean the text, and not each line. Groups
/// without a name get one if others have names, since Ruby would not capture them.
fn translated(pattern: &str) -> String {
    let has_names = pattern.contains("(?<") || pattern.contains("(?'");
    let mut out = String::new();
    let (mut depth, mut unnamed) = (0, 0);
    let mut chars = pattern.chars();
    while let Some(ch) = chars.next() {
        match ch {
            '\\' => {
                out.push(ch);
                out.extend(chars.next());
            }
            '^' if depth == 0 => out.push_str("\\A"),
            '$' if depth == 0 => out.push_str("\\Z"),
            '(' if depth == 0 && has_names && !chars.as_str().starts_with('?') => {
                unnamed += 1;
                let _ = write!(out, "(?<{UNNAMED}{unnamed}>");
            }
            _ => {
                depth = i32::max(depth + i32::from(ch == '[') - i32::from(ch == ']'), 0);
                out.push(ch);
            }
        }
    }
    out
}

//! Regular expressions.

use super::types::{Builtin, Call, wrong};
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Entries, Kind, Value};
use ketch_regex::{Captures, Dialect, Options, Problem, Regex, Syntax};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[("_match", 3, find)];

/// The maximum number of compiled patterns that a thread keeps for the same flags.
const KEPT_MAX: usize = 64;

thread_local! {
    static KEPT: RefCell<HashMap<u8, HashMap<String, Regex>>> = RefCell::new(HashMap::new());
}

/// `g`: all matches, and not only the first, are wanted.
const ALL: u8 = 1;
/// `i`: the case of letters is ignored.
const IGNORE_CASE: u8 = 2;
/// `x`: white space and comments are skipped.
const EXTENDED: u8 = 4;
/// `p`: the dot matches line feeds.
const DOT_ALL: u8 = 8;
/// `n`: empty matches do not count.
const NOT_EMPTY: u8 = 16;
/// `l`: the longest match is found.
const LONGEST: u8 = 32;

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
    let regex = compiled(&pattern, flags & !ALL)?;
    let failed = |error: ketch_regex::Error| invalid(error.problem());
    if is_test {
        return Ok(Value::Bool(regex.is_match(text.as_bytes()).map_err(failed)?));
    }
    let mut found = Vec::new();
    let mut position = Position::default();
    let mut captures = Captures::new();
    let mut scan = regex.scan(text.as_bytes());
    while scan.next_captures(&mut captures).map_err(failed)? {
        found.push(described(&regex, &captures, &text, &mut position));
        if flags & ALL == 0 {
            break;
        }
    }
    Ok(Value::array(found))
}

/// Returns the error for a problem of a pattern.
fn invalid(problem: &Problem) -> Failure {
    Failure::new(ErrorKind::InvalidRegex, format!("Regex failure: {problem}"))
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

/// Returns a match as an object. As in jq, the groups of an empty match are empty, too.
fn described(regex: &Regex, captures: &Captures, text: &str, position: &mut Position) -> Value {
    let whole = captures.get(0).unwrap_or_default();
    let mut entries = part(Some(whole.clone()), false, text, position);
    let mut groups = Vec::new();
    for group in 1..=regex.groups() {
        let range = captures.get(group);
        let range = if whole.is_empty() { range.map(|_| whole.clone()) } else { range };
        let mut entries = part(range, true, text, position);
        let name = regex.names().iter().find(|name| name.groups.contains(&(group as u32)));
        let name = name.map_or(Value::Null, |name| name.name.as_str().into());
        entries.insert("name".into(), name);
        groups.push(Value::object(entries));
    }
    entries.insert("captures".into(), Value::array(groups));
    Value::object(entries)
}

/// Returns what a match or group covers. As in jq, the string of an empty group comes before its length.
fn part(
    range: Option<Range<usize>>,
    is_group: bool,
    text: &str,
    position: &mut Position,
) -> Entries {
    let found = range.map(|range| (position.of(text, range.start), &text[range]));
    let offset = found.map_or_else(|| (-1).into(), |(offset, _)| Value::count(offset));
    let string = found.map_or(Value::Null, |(_, part)| part.into());
    let length = found.map_or(0, |(_, part)| part.chars().count());
    let mut entries = Entries::new();
    entries.insert("offset".into(), offset);
    let mut rest = [("length", Value::count(length)), ("string", string)];
    if is_group && length == 0 {
        rest.reverse();
    }
    entries.extend(rest.map(|(key, value)| (key.into(), value)));
    entries
}

/// Returns what the letters of the flags say.
fn read_flags(flags: &Value) -> Result<u8, Failure> {
    if flags.kind() == Kind::Null {
        return Ok(0);
    }
    let Some(text) = flags.as_text() else { return Err(wrong(flags, "is not a string")) };
    let mut read = 0;
    for letter in text.chars() {
        read |= match letter {
            'g' => ALL,
            'i' => IGNORE_CASE,
            'x' => EXTENDED,
            'm' | 'p' => DOT_ALL,
            'n' => NOT_EMPTY,
            'l' => LONGEST,
            // `^` and `$` are always those of the text, unless the pattern says otherwise.
            's' => 0,
            _ => {
                let message = format!("{text} is not a valid modifier string");
                return Err(Failure::new(ErrorKind::InvalidArgument, message));
            }
        };
    }
    Ok(read)
}

/// Returns the regular expression for a pattern and its flags.
fn compiled(pattern: &str, flags: u8) -> Result<Regex, Failure> {
    let known = |kept: &HashMap<u8, HashMap<String, Regex>>| {
        kept.get(&flags).and_then(|kept| kept.get(pattern)).cloned()
    };
    if let Some(known) = KEPT.with_borrow(known) {
        return Ok(known);
    }
    let has = |flag| flags & flag != 0;
    let options = Options {
        ignore_case: has(IGNORE_CASE),
        extended: has(EXTENDED),
        multi_line: has(DOT_ALL),
        find_not_empty: has(NOT_EMPTY),
        find_longest: has(LONGEST),
        capture_group: true,
        dialect: Dialect::Oniguruma(Syntax::PERL_NG),
        ..Options::default()
    };
    let regex = Regex::new(pattern, options).map_err(|error| invalid(error.problem()))?;
    KEPT.with_borrow_mut(|kept| {
        let kept = kept.entry(flags).or_default();
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        kept.insert(pattern.to_string(), regex.clone());
    });
    Ok(regex)
}

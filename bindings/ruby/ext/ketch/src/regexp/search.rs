//! The methods that search once: `match`, `match?`, `=~`, `===`, `rindex`.

use super::encoding;
use super::failure;
use super::found;
use super::pattern::{State, Subject, state};
use super::watch;
use crate::ruby::{self, VALUE};
use ketch_regex::{Captures, Problem};
use magnus::{Error, IntoValue, RString, Ruby, Value, prelude::*};
use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    /// Memory for the groups of a search, which uses it until its match is made.
    static CAPTURES: Cell<Captures> = Cell::new(Captures::new());
}

/// Runs `body` with memory for groups.
#[inline]
pub fn with_captures<T>(body: impl FnOnce(&mut Captures) -> T) -> T {
    let mut captures = CAPTURES.take();
    let result = body(&mut captures);
    CAPTURES.set(captures);
    result
}

/// Stores the last match of this fiber, or `nil`.
#[inline]
pub fn remember(found: VALUE) {
    // SAFETY: the thread is live; a fiber-local value keeps the match alive.
    unsafe { rb_sys::rb_thread_local_aset(rb_sys::rb_thread_current(), name(), found) };
}

/// Returns the last match of this fiber, or `nil`.
pub fn remembered() -> VALUE {
    // SAFETY: as in `remember`.
    unsafe { rb_sys::rb_thread_local_aref(rb_sys::rb_thread_current(), name()) }
}

/// Returns the name of the fiber-local value.
#[inline]
fn name() -> rb_sys::ID {
    static NAME: OnceLock<rb_sys::ID> = OnceLock::new();
    // SAFETY: the name ends with a zero, and Ruby keeps its ID.
    *NAME.get_or_init(|| unsafe { rb_sys::rb_intern(c"__ketch_last_match__".as_ptr()) })
}

/// Returns the string that is searched: a symbol's name, or what `to_str` returns. `None` for `nil`.
#[inline]
pub fn operand(ruby: &Ruby, of: Value) -> Result<Option<VALUE>, Error> {
    let raw = ruby::raw(of);
    match raw {
        ruby::NIL => Ok(None),
        _ if !rb_sys::SPECIAL_CONST_P(raw) && ruby::is_string(raw) => Ok(Some(raw)),
        _ if ruby::is_symbol(raw) => Ok(Some(ruby::symbol_name(raw))),
        _ => converted(ruby, of).map(Some),
    }
}

/// Returns the string of an object with `to_str`.
#[cold]
fn converted(_: &Ruby, of: Value) -> Result<VALUE, Error> {
    RString::try_convert(of).map(ruby::raw)
}

/// Where a search starts if the requested character is after the end.
#[derive(Clone, Copy)]
enum AfterEnd {
    /// At the end.
    End,
    /// Nowhere.
    Fails,
}

/// Returns the byte at which a search from a character starts, or `None` if there is none. Negative
/// numbers count from the end.
fn start(string: VALUE, at: Value, after_end: AfterEnd) -> Result<Option<usize>, Error> {
    let index = magnus::Integer::try_convert(at)?.to_i64()?;
    if index == 0 {
        return Ok(Some(0));
    }
    let length = encoding::length(string) as i64;
    let mut index = if index < 0 { index + length } else { index };
    if matches!(after_end, AfterEnd::End) {
        index = index.min(length);
    }
    Ok((0..=length).contains(&index).then(|| encoding::byte_offset(string, index as usize)))
}

/// Returns the arguments of a search: the string and the byte to start at.
fn arguments(
    ruby: &Ruby,
    args: &[Value],
    after_end: AfterEnd,
) -> Result<Option<(VALUE, usize)>, Error> {
    if args.is_empty() || args.len() > 2 {
        let message = format!("wrong number of arguments (given {}, expected 1..2)", args.len());
        return Err(Error::new(ruby.exception_arg_error(), message));
    }
    let Some(string) = operand(ruby, args[0])? else { return Ok(None) };
    match args.get(1) {
        None => Ok(Some((string, 0))),
        Some(at) => Ok(start(string, *at, after_end)?.map(|from| (string, from))),
    }
}

/// Searches in a string: calls `run`, with a watch if that is needed.
#[inline]
fn search<T>(
    ruby: &Ruby,
    state: &'static State,
    subject: Subject,
    mut run: impl FnMut(&'static [u8]) -> ketch_regex::Result<T>,
) -> Result<T, Error> {
    // SAFETY: without watch, Ruby does not run during the search.
    let bytes = unsafe { subject.bytes() };
    if bytes.len() < watch::LONG_BYTES {
        match run(bytes) {
            Ok(found) => return Ok(found),
            Err(error) if *error.problem() == Problem::Interrupted => {}
            Err(error) => return Err(failure::of(ruby, &error)),
        }
    }
    long(ruby, state, subject, run)
}

/// Searches in a frozen copy of a string, with a watch.
#[cold]
fn long<T>(
    ruby: &Ruby,
    state: &'static State,
    subject: Subject,
    mut run: impl FnMut(&'static [u8]) -> ketch_regex::Result<T>,
) -> Result<T, Error> {
    let mut frozen = subject;
    ruby::protect(|| {
        frozen = subject.frozen();
        ruby::NIL
    })?;
    // SAFETY: the string is frozen, and on the machine's stack until the end of this function.
    let bytes = unsafe { frozen.bytes() };
    let found = watch::watched(ruby, state.limit(), bytes.len(), || run(bytes));
    std::hint::black_box(&frozen);
    found
}

/// The direction of a search.
#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Backward,
    /// Only at the start.
    Here,
}

/// Searches, and returns the match or `nil`, which is then the last match of the fiber.
fn find(
    ruby: &Ruby,
    regexp: VALUE,
    state: &'static State,
    subject: Subject,
    from: usize,
    direction: Direction,
) -> Result<VALUE, Error> {
    let from = subject.searched(from);
    with_captures(|captures| {
        let regex = subject.regex;
        let found = search(ruby, state, subject, |bytes| match direction {
            Direction::Forward => regex.captures_at(bytes, from, captures),
            Direction::Backward => regex.rcaptures_at(bytes, from, captures),
            Direction::Here => regex.match_captures_at(bytes, from, captures),
        })?;
        let found = match found {
            true => ruby::protect(|| found::create(ruby, regexp, subject.frozen(), captures))
                .map(|value| ruby::raw(ruby::value(value)))?,
            false => ruby::NIL,
        };
        Ok(found)
    })
    .inspect(|found| remember(*found))
}

/// Sets the last match to `nil`, and returns `nil`.
fn none(ruby: &Ruby) -> Value {
    remember(ruby::NIL);
    ruby.qnil().into_value_with(ruby)
}

/// Implements `match(string, position = 0)`, which yields the match to a block.
pub fn match_data(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    let regexp = ruby::raw(rb_self);
    let state = state(ruby, regexp)?;
    let Some((string, from)) = arguments(ruby, args, AfterEnd::End)? else { return Ok(none(ruby)) };
    let subject = state.subject(ruby, string)?;
    let found = find(ruby, regexp, state, subject, from, Direction::Forward)?;
    if found != ruby::NIL && ruby.block_given() {
        return ruby.yield_value(ruby::value(found));
    }
    Ok(ruby::value(found))
}

/// Implements `match_here(string, position)`: a match that starts exactly there.
pub fn match_here(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    let regexp = ruby::raw(rb_self);
    let state = state(ruby, regexp)?;
    let Some((string, from)) = arguments(ruby, args, AfterEnd::Fails)? else {
        return Ok(none(ruby));
    };
    let subject = state.subject(ruby, string)?;
    find(ruby, regexp, state, subject, from, Direction::Here).map(ruby::value)
}

/// Implements `match?(string, position = 0)`.
pub fn is_match(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<bool, Error> {
    let state = state(ruby, ruby::raw(rb_self))?;
    let Some((string, from)) = arguments(ruby, args, AfterEnd::Fails)? else { return Ok(false) };
    let subject = state.subject(ruby, string)?;
    let regex = subject.regex;
    if from == 0 {
        return search(ruby, state, subject, |bytes| regex.is_match(bytes));
    }
    let from = subject.searched(from);
    let found = search(ruby, state, subject, |bytes| regex.find_at(bytes, from))?;
    Ok(found.is_some())
}

/// Returns the character where a match starts, or `nil`.
fn index_of(ruby: &Ruby, found: VALUE) -> Result<Value, Error> {
    if found == ruby::NIL {
        return Ok(ruby::value(found));
    }
    let found: &found::Match = magnus::TryConvert::try_convert(ruby::value(found))?;
    found::Match::begin(ruby, found, ruby::value(ruby::integer(0)))
        .map(|at| at.into_value_with(ruby))
}

/// Implements `self =~ string`.
pub fn index_operator(ruby: &Ruby, rb_self: Value, string: Value) -> Result<Value, Error> {
    index(ruby, rb_self, &[string])
}

/// Implements `~self`: matches the last line that the caller has read with `gets`.
pub fn last_line(ruby: &Ruby, rb_self: Value) -> Result<Value, Error> {
    // SAFETY: called in the frame of a method; does not raise.
    let line = unsafe { rb_sys::rb_lastline_get() };
    if !ruby::is_string(line) {
        return Ok(none(ruby));
    }
    index(ruby, rb_self, &[ruby::value(line)])
}

/// Implements `index(string, position = 0)`.
pub fn index(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    let regexp = ruby::raw(rb_self);
    let state = state(ruby, regexp)?;
    let Some((string, from)) = arguments(ruby, args, AfterEnd::Fails)? else {
        return Ok(none(ruby));
    };
    let subject = state.subject(ruby, string)?;
    let found = find(ruby, regexp, state, subject, from, Direction::Forward)?;
    index_of(ruby, found)
}

/// Implements `rindex(string, position = -1)`.
pub fn rindex(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    let regexp = ruby::raw(rb_self);
    let state = state(ruby, regexp)?;
    let Some(string) = args.first().map(|of| operand(ruby, *of)).transpose()?.flatten() else {
        return Ok(none(ruby));
    };
    let length = encoding::length(string) as i64;
    let last = match args.get(1) {
        None => length,
        Some(at) => {
            let at = magnus::Integer::try_convert(*at)?.to_i64()?;
            if at < 0 { at + length } else { at.min(length) }
        }
    };
    let Ok(last) = usize::try_from(last) else { return Ok(none(ruby)) };
    let last = encoding::byte_offset(string, last);
    let subject = state.subject(ruby, string)?;
    let found = find(ruby, regexp, state, subject, last, Direction::Backward)?;
    index_of(ruby, found)
}

/// Implements `self === string`: false for what is not a string.
pub fn case_equality(ruby: &Ruby, rb_self: Value, of: Value) -> Result<bool, Error> {
    let regexp = ruby::raw(rb_self);
    let state = state(ruby, regexp)?;
    let raw = ruby::raw(of);
    let string = match raw {
        _ if ruby::is_string(raw) => raw,
        _ if ruby::is_symbol(raw) => ruby::symbol_name(raw),
        _ => match RString::try_convert(of) {
            Ok(string) if of.respond_to("to_str", false)? => ruby::raw(string),
            _ => {
                remember(ruby::NIL);
                return Ok(false);
            }
        },
    };
    let subject = state.subject(ruby, string)?;
    Ok(find(ruby, regexp, state, subject, 0, Direction::Forward)? != ruby::NIL)
}

/// Implements `last_match`: the last match of this fiber.
pub fn last_match() -> Value {
    ruby::value(remembered())
}

/// Sets the last match of this fiber.
pub fn set_last_match(found: Value) {
    remember(ruby::raw(found));
}

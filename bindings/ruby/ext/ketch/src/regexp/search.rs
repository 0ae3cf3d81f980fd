//! The methods that search for one match: `match`, `match?`, `=~`, `===`, `index`, `rindex`.

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
    /// Memory for the groups of a match, which each search reuses.
    static CAPTURES: Cell<Captures> = Cell::new(Captures::new());
}

/// Calls `body` with the memory for the groups of a match.
#[inline]
pub fn with_captures<T>(body: impl FnOnce(&mut Captures) -> T) -> T {
    let mut captures = CAPTURES.take();
    let result = body(&mut captures);
    CAPTURES.set(captures);
    result
}

/// Stores `found` as the last match of this fiber; it is `nil` if a search has failed.
#[inline]
pub fn remember(found: VALUE) {
    // SAFETY: the current thread is live. The fiber-local variable keeps the match alive.
    unsafe { rb_sys::rb_thread_local_aset(rb_sys::rb_thread_current(), name(), found) };
}

/// Returns the last match of this fiber, or `nil`.
pub fn remembered() -> VALUE {
    // SAFETY: as in `remember`.
    unsafe { rb_sys::rb_thread_local_aref(rb_sys::rb_thread_current(), name()) }
}

/// Returns the name of the fiber-local variable that holds the last match.
#[inline]
fn name() -> rb_sys::ID {
    static NAME: OnceLock<rb_sys::ID> = OnceLock::new();
    // SAFETY: the name ends with a zero, and Ruby never frees the ID.
    *NAME.get_or_init(|| unsafe { rb_sys::rb_intern(c"__ketch_last_match__".as_ptr()) })
}

/// Returns the string to search: `of` itself, the name of a symbol, or what `to_str` returns.
/// Returns `None` for `nil`.
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

/// Converts an object to a string with `to_str`.
#[cold]
fn converted(_: &Ruby, of: Value) -> Result<VALUE, Error> {
    RString::try_convert(of).map(ruby::raw)
}

/// What happens if a search should start after the end of the string.
#[derive(Clone, Copy)]
enum AfterEnd {
    /// The search starts at the end.
    End,
    /// The search fails.
    Fails,
}

/// Returns the byte offset of the character at which a search should start, or `None` if the search
/// fails because there is no such character. A negative index counts from the end.
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

/// Returns the arguments of a search: the string, and the byte offset at which to start. Returns
/// `None` if the search fails because the string is `nil`, or the start is outside of it.
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

/// Searches a string by calling `run` with its bytes. If the string is long, or the search takes
/// long, it is watched; see [`watch`].
#[inline]
fn search<T>(
    ruby: &Ruby,
    state: &'static State,
    subject: Subject,
    mut run: impl FnMut(&'static [u8]) -> ketch_regex::Result<T>,
) -> Result<T, Error> {
    // SAFETY: while a search is not watched, Ruby does not run.
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

/// Searches a frozen copy of a string, watched.
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
    // SAFETY: the string is frozen, and is on the machine's stack until `black_box`.
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
    /// Only a match that starts at the given offset.
    Here,
}

/// Searches from the byte offset `from`, and returns the match, or `nil` if there is none. This
/// result is then the last match of the fiber.
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

/// Implements `match(string, position = 0)`: returns the match or, if a block is given, yields it
/// to the block and returns the block's result. Returns `nil` if there is no match.
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

/// Implements `match_here(string, position)`: returns the match that starts exactly at `position`,
/// or `nil` if there is none.
pub fn match_here(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    let regexp = ruby::raw(rb_self);
    let state = state(ruby, regexp)?;
    let Some((string, from)) = arguments(ruby, args, AfterEnd::Fails)? else {
        return Ok(none(ruby));
    };
    let subject = state.subject(ruby, string)?;
    find(ruby, regexp, state, subject, from, Direction::Here).map(ruby::value)
}

/// Implements `match?(string, position = 0)`: returns whether there is a match.
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

/// Returns the index of the character at which the match `found` starts, or `nil` if `found` is
/// `nil`.
fn index_of(ruby: &Ruby, found: VALUE) -> Result<Value, Error> {
    if found == ruby::NIL {
        return Ok(ruby::value(found));
    }
    let found: &found::Match = magnus::TryConvert::try_convert(ruby::value(found))?;
    found::Match::begin(ruby, found, ruby::value(ruby::integer(0)))
        .map(|at| at.into_value_with(ruby))
}

/// Implements `self =~ string`: returns the index of the character at which the first match starts,
/// or `nil`.
pub fn index_operator(ruby: &Ruby, rb_self: Value, string: Value) -> Result<Value, Error> {
    index(ruby, rb_self, &[string])
}

/// Implements `~self`: searches the last line that the caller has read with `gets`.
pub fn last_line(ruby: &Ruby, rb_self: Value) -> Result<Value, Error> {
    // SAFETY: called in the frame of a method; the call does not raise.
    let line = unsafe { rb_sys::rb_lastline_get() };
    if !ruby::is_string(line) {
        return Ok(none(ruby));
    }
    index(ruby, rb_self, &[ruby::value(line)])
}

/// Implements `index(string, position = 0)`: returns the index of the character at which the first
/// match from `position` on starts, or `nil`.
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

/// Implements `rindex(string, position = -1)`: returns the index of the character at which the last
/// match that starts at `position` or before starts, or `nil`.
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

/// Implements `self === string`: returns whether there is a match, and false for an object that is
/// not a string.
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

/// Implements `last`: returns the last match of this fiber, or `nil`.
pub fn last_match() -> Value {
    ruby::value(remembered())
}

/// Implements `last=`: sets the last match of this fiber.
pub fn set_last_match(found: Value) {
    remember(ruby::raw(found));
}

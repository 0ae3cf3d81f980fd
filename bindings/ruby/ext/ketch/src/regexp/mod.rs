//! `Ketch::Regexp` and `Ketch::MatchData`: the engine of `ketch-regex`, with the methods of Ruby's
//! classes.
//!
//! | module | what it does |
//! |---|---|
//! | [`pattern`] | the compiled pattern, and the strings that it may be matched against |
//! | [`encoding`] | the encoding of a string; offsets in bytes and characters |
//! | [`search`] | the methods that search once |
//! | [`scan`] | the methods that search for all matches |
//! | [`lines`] | lines of strings, and records of strings and IOs, which end in matches |
//! | [`strings`] | the refinement of `String` |
//! | [`found`] | `Ketch::MatchData` |
//! | [`watch`] | interrupts and time limits |
//! | [`failure`] | exceptions |
//!
//! Methods that programs rarely call are in `lib/ketch/regexp`.

mod encoding;
mod failure;
mod found;
mod lines;
mod pattern;
mod scan;
mod search;
mod strings;
mod watch;

use crate::guard::{function, method};
use crate::ruby;
use found::Match;
use magnus::{Error, RModule, Ruby, TypedData, Value, prelude::*};
use pattern::Pattern;

/// Defines `Ketch::Regexp` and the other classes in this module.
pub fn init(ruby: &Ruby, ketch: RModule) -> Result<(), Error> {
    let regexp = ketch.define_class("Regexp", ruby.class_object())?;
    regexp.define_alloc_func::<Pattern>();
    regexp.define_private_method("compile", method!(pattern::compile, 3))?;
    regexp.define_method("match", method!(search::match_data, -1))?;
    regexp.define_method("match?", method!(search::is_match, -1))?;
    regexp.define_method("match_here", method!(search::match_here, -1))?;
    regexp.define_method("=~", method!(search::index_operator, 1))?;
    regexp.define_method("~", method!(search::last_line, 0))?;
    regexp.define_method("===", method!(search::case_equality, 1))?;
    regexp.define_method("index", method!(search::index, -1))?;
    regexp.define_method("rindex", method!(search::rindex, -1))?;
    regexp.define_method("scan", method!(scan::scan, 1))?;
    regexp.define_method("split", method!(scan::split, -1))?;
    regexp.define_method("substitute", method!(scan::substitute, 3))?;
    regexp.define_private_method("each_record", method!(lines::of_string, 2))?;
    regexp.define_private_method("each_record_of", method!(lines::of_reader, 3))?;
    regexp.define_method("source", method!(source_of, 0))?;
    regexp.define_method("options", method!(options, 0))?;
    regexp.define_method("names", method!(names, 0))?;
    regexp.define_method("timeout", method!(timeout, 0))?;
    regexp.define_method("groups_of", method!(groups_of, 1))?;
    regexp.define_method("not_linear", method!(not_linear, 0))?;
    regexp.define_singleton_method("last", function!(search::last_match, 0))?;
    regexp.define_singleton_method("last=", function!(search::set_last_match, 1))?;
    regexp.define_singleton_method("default_limit", function!(watch::default_limit, 0))?;
    regexp.define_singleton_method("default_limit=", function!(watch::set_default_limit, 1))?;

    ketch.define_singleton_method("each_line", method!(lines::each_line, -1))?;
    regexp.define_singleton_method("refine_strings", method!(strings::define, 1))?;
    init_match(ruby, ketch)
}

/// Defines `Ketch::MatchData`.
fn init_match(ruby: &Ruby, ketch: RModule) -> Result<(), Error> {
    let data = ketch.define_class("MatchData", ruby.class_object())?;
    data.undef_default_alloc_func();
    // Looked up now, since an interrupt during a later lookup would cause a panic.
    <Match as TypedData>::class(ruby);
    <Pattern as TypedData>::class(ruby);
    data.define_method("entry", method!(Match::entry, 1))?;
    data.define_method("byteoffset", method!(Match::byteoffset, 1))?;
    data.define_method("offset", method!(Match::offset, 1))?;
    data.define_method("begin", method!(Match::begin, 1))?;
    data.define_method("end", method!(Match::end, 1))?;
    data.define_method("pre_match", method!(Match::pre_match, 0))?;
    data.define_method("post_match", method!(Match::post_match, 0))?;
    data.define_method("to_a", method!(Match::to_a, 0))?;
    data.define_method("captures", method!(Match::captures, 0))?;
    data.define_method("size", method!(Match::size, 0))?;
    data.define_method("string", method!(Match::string, 0))?;
    data.define_method("regexp", method!(Match::regexp, 0))?;
    data.define_method("names", method!(Match::names, 0))
}

/// Implements `source`: returns the text of the pattern.
fn source_of(ruby: &Ruby, rb_self: Value) -> Result<Value, Error> {
    pattern::state(ruby, ruby::raw(rb_self)).map(|state| ruby::value(state.source))
}

/// Implements `options`: returns the options as bits.
fn options(ruby: &Ruby, rb_self: Value) -> Result<u32, Error> {
    pattern::state(ruby, ruby::raw(rb_self)).map(|state| state.options)
}

/// Implements `names`: returns the names of the groups.
fn names(ruby: &Ruby, rb_self: Value) -> Result<Value, Error> {
    pattern::state(ruby, ruby::raw(rb_self)).map(|state| ruby::value(state.names))
}

/// Implements `timeout`: returns the time limit of the pattern in seconds, or `nil`.
fn timeout(ruby: &Ruby, rb_self: Value) -> Result<Value, Error> {
    pattern::state(ruby, ruby::raw(rb_self)).map(|state| ruby::value(state.timeout))
}

/// Implements `groups_of(name)`: returns the numbers of the groups that have this name, or `nil` if
/// there are none.
fn groups_of(ruby: &Ruby, rb_self: Value, name: String) -> Result<Option<Vec<u32>>, Error> {
    let state = pattern::state(ruby, ruby::raw(rb_self))?;
    Ok(state.groups_of(name.as_bytes()).map(<[u32]>::to_vec))
}

/// Implements `not_linear`: returns the reason why a search may take more than linear time, and the
/// column of the part of the pattern that causes it, or `nil` if every search takes linear time.
fn not_linear(ruby: &Ruby, rb_self: Value) -> Result<Option<(String, usize)>, Error> {
    let regex = pattern::state(ruby, ruby::raw(rb_self))?.regex();
    Ok(regex.not_linear().map(|(span, reason)| {
        (reason.to_string(), regex.pattern()[..span.start].chars().count() + 1)
    }))
}

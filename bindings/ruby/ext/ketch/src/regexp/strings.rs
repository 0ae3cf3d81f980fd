//! The methods of `Ketch::Regexp::Strings`, a refinement of `String`.
//!
//! They are functions of the extension, not Ruby methods, so that String's own methods set `$~` in
//! the frame of the caller. Calls with other patterns are passed to those methods.

use super::pattern::Pattern;
use crate::guard::method;
use crate::ruby;
use magnus::{Error, Module, RClass, RModule, Ruby, TypedData, Value, prelude::*};
use std::os::raw::c_int;

/// The methods that `Ketch::Regexp` has as well, with the string as their first argument.
const SWAPPED: [&str; 8] = ["match", "match?", "scan", "gsub", "sub", "split", "index", "rindex"];
/// The methods that are implemented by the module `Ketch::Regexp::Calls`.
const CALLED: [&str; 9] =
    ["gsub!", "sub!", "[]", "slice", "[]=", "slice!", "start_with?", "partition", "rpartition"];

/// Implements `refine_strings(refinement)`: defines the methods in `refinement`.
pub fn define(_: &Ruby, _: Value, refinement: RModule) -> Result<(), Error> {
    for name in SWAPPED {
        refinement.define_method(name, method!(swapped, -1))?;
    }
    for name in CALLED {
        refinement.define_method(name, method!(called, -1))?;
    }
    Ok(())
}

/// Calls the method of the same name of the pattern, if the first argument is a `Ketch::Regexp`,
/// and String's own method otherwise.
fn swapped(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    match args {
        [pattern, rest @ ..] if is_pattern(ruby, *pattern) => {
            let mut list = Vec::with_capacity(args.len());
            list.push(rb_self);
            list.extend_from_slice(rest);
            pass(*pattern, &list)
        }
        _ => original(args),
    }
}

/// Calls the method of the same name of `Ketch::Regexp::Calls`, if one of the arguments is a
/// `Ketch::Regexp`, and String's own method otherwise.
fn called(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    if !args.iter().any(|argument| is_pattern(ruby, *argument)) {
        return original(args);
    }
    let class: RClass = ruby.define_module("Ketch")?.const_get("Regexp")?;
    let calls: Value = class.const_get("Calls")?;
    let mut list = Vec::with_capacity(args.len() + 1);
    list.push(rb_self);
    list.extend_from_slice(args);
    pass(calls, &list)
}

/// Returns whether an object is a `Ketch::Regexp`.
fn is_pattern(ruby: &Ruby, object: Value) -> bool {
    object.is_kind_of(<Pattern as TypedData>::class(ruby))
}

/// Calls the method of `to` that has the same name as the running method, and passes the running
/// method's block.
fn pass(to: Value, args: &[Value]) -> Result<Value, Error> {
    ruby::protect(|| {
        // SAFETY: called in the frame of a method, with live values. An exception that it raises is
        // caught by `protect`.
        unsafe {
            let name = rb_sys::rb_frame_this_func();
            let (count, list) = raw(args);
            let keywords = rb_sys::rb_keyword_given_p();
            rb_sys::rb_funcall_passing_block_kw(ruby::raw(to), name, count, list, keywords)
        }
    })
    .map(ruby::value)
}

/// Calls the method of String that the running method refines, and passes the running method's
/// block.
fn original(args: &[Value]) -> Result<Value, Error> {
    let (count, list) = raw(args);
    // SAFETY: as in `pass`.
    ruby::protect(|| unsafe { rb_sys::rb_call_super(count, list) }).map(ruby::value)
}

/// Returns the number of arguments and a pointer to them, as Ruby's C API expects them.
fn raw(args: &[Value]) -> (c_int, *const ruby::VALUE) {
    (args.len() as c_int, args.as_ptr().cast())
}

//! The methods of `Ketch::Regexp::Strings`, a refinement of `String`.
//!
//! They are functions of the extension, not of Ruby, so that String's own methods, to which they pass all other
//! patterns, set `$~` in the frame of the caller.

use super::pattern::Pattern;
use crate::ruby;
use magnus::{Error, Module, RClass, RModule, Ruby, TypedData, Value, method, prelude::*};
use std::os::raw::c_int;

/// The methods that `Ketch::Regexp` also has, with the string as their first argument.
const SWAPPED: [&str; 8] = ["match", "match?", "scan", "gsub", "sub", "split", "index", "rindex"];
/// The methods that the module `Ketch::Regexp::Calls` has.
const CALLED: [&str; 9] =
    ["gsub!", "sub!", "[]", "slice", "[]=", "slice!", "start_with?", "partition", "rpartition"];

/// Implements `refine_strings(refinement)`: defines the methods there.
pub fn define(_: &Ruby, _: Value, refinement: RModule) -> Result<(), Error> {
    for name in SWAPPED {
        refinement.define_method(name, method!(swapped, -1))?;
    }
    for name in CALLED {
        refinement.define_method(name, method!(called, -1))?;
    }
    Ok(())
}

/// Calls the method of the pattern, which is the first argument.
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

/// Calls the method of `Ketch::Regexp::Calls` if there is a pattern among the arguments.
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

/// Calls the method of the same name of another object, with the block of this one.
fn pass(to: Value, args: &[Value]) -> Result<Value, Error> {
    ruby::protect(|| {
        // SAFETY: called in the frame of a method, with live values. What it raises is caught by `protect`.
        unsafe {
            let name = rb_sys::rb_frame_this_func();
            let (count, list) = raw(args);
            let keywords = rb_sys::rb_keyword_given_p();
            rb_sys::rb_funcall_passing_block_kw(ruby::raw(to), name, count, list, keywords)
        }
    })
    .map(ruby::value)
}

/// Calls the method that this one refines, with the same block.
fn original(args: &[Value]) -> Result<Value, Error> {
    let (count, list) = raw(args);
    // SAFETY: as in `pass`.
    ruby::protect(|| unsafe { rb_sys::rb_call_super(count, list) }).map(ruby::value)
}

/// Returns the arguments as Ruby's C API expects them.
fn raw(args: &[Value]) -> (c_int, *const ruby::VALUE) {
    (args.len() as c_int, args.as_ptr().cast())
}

//! The functions that Ruby calls. A panic in one of them is a bug in Ketch, but does not end the
//! process.
//!
//! magnus raises `fatal` for a panic, and no program can rescue that. So [`function`] and
//! [`method`] replace magnus's macros with these names: a panic raises `Ketch::InternalError`.

use crate::failure;
use crate::panics;
use crate::ruby;
use magnus::{Error, Ruby, Value, rb_sys::resume_error};

/// Runs the body of a method, and returns its result to Ruby. Raises the exception for an error or
/// a panic.
#[inline]
pub fn call(body: impl FnOnce(&Ruby) -> Result<Value, Error>) -> Value {
    // SAFETY: Ruby calls methods on its own threads, with the GVL held.
    let ruby = unsafe { Ruby::get_unchecked() };
    let run = || {
        panics::point();
        body(&ruby)
    };
    match panics::caught(run).unwrap_or_else(|_| Err(failure::internal(&ruby, &panics::message())))
    {
        Ok(value) => value,
        Err(error) => {
            let error = rescuable(&ruby, error);
            // SAFETY: Ruby has called this function, and nothing here has to be dropped.
            unsafe { resume_error(error) }
        }
    }
}

/// Returns `error` or, if magnus has made it from a panic, an exception that programs can rescue.
#[cold]
fn rescuable(ruby: &Ruby, error: Error) -> Error {
    let fatal = ruby::raw(ruby.exception_fatal());
    match error.value() {
        Some(class) if ruby::raw(class) == fatal => failure::internal(ruby, &panics::message()),
        _ => error,
    }
}

/// Makes a function of C from a function of Rust, for the methods of a module.
macro_rules! function {
    ($name:expr, -1) => {
        $crate::guard::with_list!(FunctionCAry, RubyFunctionCAry, $name, [])
    };
    ($name:expr, 0) => {
        $crate::guard::with!(Function0, RubyFunction0, $name, [_this], [])
    };
    ($name:expr, 1) => {
        $crate::guard::with!(Function1, RubyFunction1, $name, [_this, a], [a])
    };
    ($name:expr, 2) => {
        $crate::guard::with!(Function2, RubyFunction2, $name, [_this, a, b], [a, b])
    };
    ($name:expr, 3) => {
        $crate::guard::with!(Function3, RubyFunction3, $name, [_this, a, b, c], [a, b, c])
    };
    ($name:expr, 4) => {
        $crate::guard::with!(Function4, RubyFunction4, $name, [_this, a, b, c, d], [a, b, c, d])
    };
    ($name:expr, 5) => {
        $crate::guard::with!(
            Function5,
            RubyFunction5,
            $name,
            [_this, a, b, c, d, e],
            [a, b, c, d, e]
        )
    };
}

/// Makes a function of C from a function of Rust whose first argument is the receiver.
macro_rules! method {
    ($name:expr, -1) => {
        $crate::guard::with_list!(MethodCAry, RubyMethodCAry, $name, [this])
    };
    ($name:expr, 0) => {
        $crate::guard::with!(Method0, RubyMethod0, $name, [this], [this])
    };
    ($name:expr, 1) => {
        $crate::guard::with!(Method1, RubyMethod1, $name, [this, a], [this, a])
    };
    ($name:expr, 2) => {
        $crate::guard::with!(Method2, RubyMethod2, $name, [this, a, b], [this, a, b])
    };
    ($name:expr, 3) => {
        $crate::guard::with!(Method3, RubyMethod3, $name, [this, a, b, c], [this, a, b, c])
    };
}

/// Defines a function of C with these parameters. One of the two traits of magnus, with and without
/// `&Ruby`, converts the arguments.
macro_rules! with {
    ($plain:ident, $ruby:ident, $name:expr, [$($parameter:ident),*], [$($argument:ident),*]) => {{
        unsafe extern "C" fn defined($($parameter: magnus::Value),*) -> magnus::Value {
            #[allow(unused_imports, reason = "which one applies depends on the function")]
            use magnus::method::{$plain, $ruby};
            $crate::guard::call(|ruby| $name.call_convert_value(ruby, $($argument),*))
        }
        defined as unsafe extern "C" fn($($crate::guard::value_of!($parameter)),*) -> magnus::Value
    }};
}

/// The type of a parameter of [`with`].
macro_rules! value_of {
    ($parameter:ident) => {
        magnus::Value
    };
}

/// Defines a function of C that gets its arguments as a list.
macro_rules! with_list {
    ($plain:ident, $ruby:ident, $name:expr, [$($this:ident)?]) => {{
        unsafe extern "C" fn defined(
            count: std::ffi::c_int,
            list: *const magnus::Value,
            _this: magnus::Value,
        ) -> magnus::Value {
            #[allow(unused_imports, reason = "which one applies depends on the function")]
            use magnus::method::{$plain, $ruby};
            $(let $this = _this;)?
            // SAFETY: Ruby passes the arguments and their number.
            $crate::guard::call(|ruby| unsafe {
                $name.call_convert_value(ruby, count, list $(, $this)?)
            })
        }
        defined
            as unsafe extern "C" fn(
                std::ffi::c_int,
                *const magnus::Value,
                magnus::Value,
            ) -> magnus::Value
    }};
}

pub(crate) use {function, method, value_of, with, with_list};

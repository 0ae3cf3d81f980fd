//! Prevents panics from unwinding into Java, and throws them as exceptions.

use crate::env::{Env, Object};
use ketch_host::panics;

/// The result of a call whose handle must not be used again.
pub const DEAD: i64 = -2;

/// Runs the body of a function that Java has called. If it panics, throws an `InternalException`,
/// and the result is `$none`, which Java does not get.
macro_rules! guarded_or {
    ($env:expr, $none:expr, $run:expr) => {
        ketch_host::panics::caught($run).unwrap_or_else(|message| {
            // SAFETY: this is the environment of the call from Java, in which this thread is.
            unsafe { $crate::env::throw_internal($env, &message) };
            $none
        })
    };
}

/// As [`guarded_or`], for a function that returns a number.
macro_rules! guarded {
    ($env:expr, $run:expr) => {
        $crate::guard::guarded_or!($env, $crate::guard::DEAD, $run)
    };
}

/// As [`guarded_or`], for a function that returns an object.
macro_rules! guarded_object {
    ($env:expr, $run:expr) => {
        $crate::guard::guarded_or!($env, std::ptr::null_mut(), $run)
    };
}

pub(crate) use {guarded, guarded_object, guarded_or};

/// The JVM calls this when it loads the library. Returns the version of JNI that the library needs.
#[unsafe(no_mangle)]
pub extern "system" fn JNI_OnLoad(_: Object, _: Object) -> i32 {
    const VERSION_8: i32 = 0x0001_0008;
    panics::keep_messages();
    VERSION_8
}

/// Implements `plantPanic(count)`, for tests: the `count`-th call or read of a stream from now on
/// panics in this thread, or none if `count`, which has no sign, is 0. Returns the number that was
/// left.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_ketch_Native_plantPanic(_: Env, _: Object, count: i32) -> i32 {
    panics::plant(count as u32) as i32
}

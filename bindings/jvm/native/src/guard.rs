//! Prevents panics from unwinding into Java, and returns them as results.

use crate::env::Object;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// The result of a call that has panicked. Its handle must not be used again.
pub const DEAD: i64 = -2;

/// Runs a function that Java has called. If it panics, returns [`DEAD`].
pub fn guarded(run: impl FnOnce() -> i64) -> i64 {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(DEAD)
}

/// Runs a function that Java has called and that returns an object. If it panics, returns null.
pub fn guarded_object(run: impl FnOnce() -> Object) -> Object {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(null_mut())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guarded(|| panic!("a test")), DEAD);
        assert!(guarded_object(|| panic!("a test")).is_null());
    }
}

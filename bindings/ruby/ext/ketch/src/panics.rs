//! Panics get past the frames of C that call Rust as values. [`ketch_host::panics`] keeps their
//! messages, and plants them for tests.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub use ketch_host::panics::{keep_messages, message, plant, point};

/// What a panic carries.
pub type Payload = Box<dyn Any + Send>;

/// Runs `body`, and returns a panic as an error.
#[inline]
pub fn caught<T>(body: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(body))
}

/// Continues a panic that [`caught`] has returned.
#[inline]
pub fn resume(panic: Option<Payload>) {
    if let Some(panic) = panic {
        resume_unwind(panic)
    }
}

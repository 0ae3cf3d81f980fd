//! Panics: what they say, and how they get past the frames of C that call Rust.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a panic carries.
pub type Payload = Box<dyn Any + Send>;

thread_local! {
    /// The message of the last panic, with its location.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The number of calls of [`point`] until one panics; 0 if none does.
static PLANTED: AtomicU32 = AtomicU32::new(0);

/// Keeps the messages of panics for exceptions. They are written to stderr only if `RUST_BACKTRACE`
/// is set.
pub fn init() {
    let standard = take_hook();
    set_hook(Box::new(move |info| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            standard(info);
        }
        let payload = info.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("panic");
        let message = match info.location() {
            Some(location) => format!("{text} ({}:{})", location.file(), location.line()),
            None => text.to_owned(),
        };
        MESSAGE.with(|kept| *kept.borrow_mut() = Some(message));
    }));
}

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

/// A point at which a test may have planted a panic.
#[inline(always)]
pub fn point() {
    if PLANTED.load(Ordering::Relaxed) != 0 {
        count_down();
    }
}

#[cold]
fn count_down() {
    if PLANTED.fetch_sub(1, Ordering::Relaxed) == 1 {
        panic!("planted by a test");
    }
}

/// Implements `Ketch.plant_panic(count)`, for tests: the call of [`point`] with this number panics,
/// or none if it is 0. Returns the previous number.
pub fn plant(count: u32) -> u32 {
    PLANTED.swap(count, Ordering::Relaxed)
}

/// Returns the message of the last panic.
pub fn message() -> String {
    let message = MESSAGE.with(|kept| kept.borrow_mut().take());
    message.unwrap_or_else(|| "panic".to_owned())
}

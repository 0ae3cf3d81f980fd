//! Panics, which bindings return as exceptions of their library.
//!
//! ```
//! use ketch_host::panics;
//!
//! panics::keep_messages();
//! panics::plant(2);
//! assert_eq!(panics::caught(|| 1), Ok(1));
//! let message = panics::caught(|| 2).unwrap_err();
//! assert!(message.starts_with("planted by a test ("), "{message}");
//! assert_eq!(panics::caught(|| 3), Ok(3));
//! ```

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The message of the thread's last panic, with its location.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The number of points that this thread has to pass until one panics; 0 if none does.
    static PLANTED: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic may be planted in some thread.
static IS_PLANTED: AtomicBool = AtomicBool::new(false);

/// Keeps the messages of panics for [`caught`], instead of writing them to stderr. They are still
/// written if `RUST_BACKTRACE` is set. A binding calls this once, when its library is loaded.
pub fn keep_messages() {
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
        // A thread that is ending has no message.
        let _ = MESSAGE.try_with(|kept| kept.replace(Some(message)));
    }));
}

/// Runs `body`, which is also a [`point`]. If it panics, returns the message of the panic.
#[inline]
pub fn caught<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    let run = || {
        point();
        body()
    };
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| message())
}

/// Returns the message of this thread's last panic.
#[cold]
pub fn message() -> String {
    let message = MESSAGE.try_with(|kept| kept.take()).ok().flatten();
    message.unwrap_or_else(|| "panic".to_owned())
}

/// A point where a test may have planted a panic.
#[inline(always)]
pub fn point() {
    if IS_PLANTED.load(Ordering::Relaxed) {
        count_down();
    }
}

#[cold]
fn count_down() {
    let left = PLANTED.replace(PLANTED.get().saturating_sub(1));
    if left == 1 {
        panic!("planted by a test");
    }
}

/// Plants a panic for a test: the `count`-th [`point`] that this thread passes panics, or none if
/// `count` is 0. Returns the number of points that were left until an earlier plant.
pub fn plant(count: u32) -> u32 {
    IS_PLANTED.store(count != 0, Ordering::Relaxed);
    PLANTED.replace(count)
}

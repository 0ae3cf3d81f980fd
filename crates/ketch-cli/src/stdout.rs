//! Locks standard output, and detects whether it is closed.
//!
//! If standard output is closed, as with `>&-`, Rust opens `/dev/null` in its place before `main`.
//! The results would be lost without an error, so this module checks for that before Rust does.

use std::io::{self, StdoutLock, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Standard output. Writing to it fails if it was closed when the command started.
pub struct Stdout(StdoutLock<'static>);

/// Locks standard output, and returns it.
pub fn lock() -> Stdout {
    Stdout(io::stdout().lock())
}

/// Fails if standard output was closed when the command started.
pub fn check() -> io::Result<()> {
    if IS_CLOSED.load(Ordering::Relaxed) { Err(io::Error::other("it is closed")) } else { Ok(()) }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(target_os = "linux")]
mod early {
    use super::{IS_CLOSED, Ordering};
    use rustix::io::{Errno, fcntl_getfd};

    /// Records in [`IS_CLOSED`] whether standard output is closed.
    extern "C" fn look() {
        if fcntl_getfd(rustix::stdio::stdout()) == Err(Errno::BADF) {
            IS_CLOSED.store(true, Ordering::Relaxed);
        }
    }

    // SAFETY: the C runtime calls the functions in this section once, before `main` and on one
    // thread. `look` only makes a system call and sets an atomic, so it needs nothing that Rust
    // sets up before `main`.
    #[allow(unsafe_code, reason = "an edge to the C runtime")]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}

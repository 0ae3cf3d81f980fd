//! The option `--quiet`: only results are printed, and no messages, summaries or progress.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Applies the option.
pub fn choose(is_on: bool) {
    IS_ON.store(is_on, Ordering::Relaxed);
}

/// Returns whether the option is given.
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

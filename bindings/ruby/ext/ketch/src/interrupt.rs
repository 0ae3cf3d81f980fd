//! Interrupts in the middle of a document: the parser asks now and then whether to stop.
//!
//! What Ruby raises then cannot pass over the parser's frames, which own memory. So it is kept here, the
//! parser stops with [`Problem::Interrupted`], and the caller raises it.

use crate::ruby;
use ketch_yaml::{Options, Problem};
use magnus::Error;
use std::cell::RefCell;

thread_local! {
    /// What an interrupt raised. Nothing of Ruby runs, and nothing is collected, until it is taken.
    static RAISED: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// Lets a parser with these options be interrupted. It may only run on a thread of Ruby that holds the
/// lock of the interpreter.
pub fn allow(options: &mut Options) {
    options.interrupt = Some(stop);
}

/// Lets other threads run. Returns whether the load has to end.
fn stop() -> bool {
    check().map_err(|error| RAISED.with(|raised| *raised.borrow_mut() = Some(error))).is_err()
}

/// Lets other threads run. Fails with what they, a signal or a timeout have sent to this one.
pub fn check() -> Result<(), Error> {
    ruby::protect(|| {
        ruby::check_interrupts();
        ruby::NIL
    })
    .map(|_| ())
}

/// What an interrupt raised, if that is why the parser stopped.
pub fn take(error: &ketch_yaml::Error) -> Option<Error> {
    if error.problem() != Problem::Interrupted {
        return None;
    }
    RAISED.with(|raised| raised.borrow_mut().take())
}

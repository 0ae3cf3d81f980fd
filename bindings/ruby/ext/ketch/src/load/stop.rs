//! The reasons why a load stops, and their exceptions.

use crate::failure;
use crate::options::LoadOptions;
use crate::ruby::{self, VALUE};
use magnus::{Error, Ruby};

/// The reason why a load stops.
#[derive(Debug)]
pub(super) enum Stop {
    /// Events are not enough.
    Complex,
    /// Everything requested has been loaded.
    Enough,
    /// Invalid input.
    Yaml(ketch_yaml::Error),
    /// Ruby has raised an exception, or must.
    Ruby(Error),
}

impl From<ketch_yaml::Error> for Stop {
    fn from(error: ketch_yaml::Error) -> Stop {
        Stop::Yaml(error)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Ruby(error)
    }
}

/// Returns the exception to raise.
pub(super) fn exception_for(ruby: &Ruby, stop: Stop, options: &LoadOptions) -> Error {
    match stop {
        Stop::Yaml(error) => failure::yaml(ruby, error, options),
        Stop::Ruby(error) => error,
        Stop::Complex | Stop::Enough => {
            Error::new(ruby.exception_fatal(), "a document was given up twice")
        }
    }
}

/// Runs `body`, which makes Ruby objects and may raise. `body` must not own anything that needs to
/// be dropped.
pub(super) fn run(body: impl FnOnce() -> Result<(), Stop>) -> Result<(), Stop> {
    let mut result = Ok(());
    let raised = ruby::protect(|| -> VALUE {
        result = body();
        ruby::NIL
    });
    raised?;
    result
}

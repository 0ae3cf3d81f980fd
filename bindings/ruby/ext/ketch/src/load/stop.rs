//! The reasons why a load stops, and their exceptions.

use crate::failure;
use crate::options::LoadOptions;
use ketch_host::load::Complex;
use magnus::{Error, Ruby};

/// The reason why a load stops.
#[derive(Debug)]
pub enum Stop {
    /// Events are not enough to load the document.
    Complex,
    /// Everything that was requested has been loaded.
    Enough,
    /// The input is invalid.
    Yaml(ketch_yaml::Error),
    /// Ruby has raised this exception, or has to raise it.
    Ruby(Error),
}

impl From<ketch_yaml::Error> for Stop {
    fn from(error: ketch_yaml::Error) -> Stop {
        Stop::Yaml(error)
    }
}

impl From<Complex> for Stop {
    fn from(_: Complex) -> Stop {
        Stop::Complex
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Ruby(error)
    }
}

/// Returns the exception to raise for the reason `stop`.
pub(super) fn exception_for(ruby: &Ruby, stop: Stop, options: &LoadOptions) -> Error {
    match stop {
        Stop::Yaml(error) => failure::yaml(ruby, error, options),
        Stop::Ruby(error) => error,
        Stop::Complex | Stop::Enough => failure::internal(ruby, "a document was given up twice"),
    }
}

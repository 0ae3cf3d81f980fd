//! Converts errors of conversions between YAML and extprot to diagnostics.

use crate::diagnostic::{Diagnostic, in_words_of_the_command};
use crate::extprot_diagnostic;
use crate::status::Failure;
use ketch::ErrorLocation;
use ketch_yaml::Location;

/// Returns the failure for an error of a conversion. `file` is the name of the input, and `head`
/// the start of its content.
pub fn failure(file: &str, head: &[u8], error: &ketch::ConvertError) -> Failure {
    match error.problem() {
        ketch::Problem::Extprot(error) => extprot_diagnostic::failure(file, head, error),
        _ => Failure::Input(Box::new(diagnostic(file, head, error))),
    }
}

/// Returns the diagnostic for an error of a conversion of `file`, whose content starts with `head`.
pub fn diagnostic(file: &str, head: &[u8], error: &ketch::ConvertError) -> Diagnostic {
    let problem = error.problem();
    match problem {
        ketch::Problem::Yaml(error) => return Diagnostic::error(file, head, error),
        ketch::Problem::Extprot(error) => return extprot_diagnostic::diagnostic(file, head, error),
        _ => {}
    }
    Diagnostic {
        location: Some(match error.location() {
            ErrorLocation::Text(location) => location.clone(),
            ErrorLocation::Bytes(offset) => Location::at_offset(*offset, 0),
        }),
        help: Some(in_words_of_the_command(problem.help())),
        ..Diagnostic::sentence(file, problem.name(), "semantic", problem.to_string())
    }
}

//! Prints help and usage errors. These suggest other words only for likely typos.

use crate::draw;
use crate::output::stdout_failed;
use crate::status::{Failure, Status};
use crate::stdout;
use crate::yq;
use clap::Error;
use clap::error::{ContextKind, ContextValue};
use std::io::{self, Write};

/// The minimum similarity of a suggestion, from 0 to 1. If one of three letters is wrong, the
/// similarity is 0.67. clap's own minimum is so low that it would suggest `bench` for `nosuch`.
const LIKENESS_MIN: f64 = 0.6;

/// The kinds of suggestions in an error, each with the kind of the word that was mistyped.
const SUGGESTIONS: [(ContextKind, ContextKind); 3] = [
    (ContextKind::SuggestedSubcommand, ContextKind::InvalidSubcommand),
    (ContextKind::SuggestedArg, ContextKind::InvalidArg),
    (ContextKind::SuggestedValue, ContextKind::InvalidValue),
];

/// Prints the help, the version or the usage error that `error` contains, and returns the exit
/// status.
fn end(error: &Error) -> Status {
    if error.use_stderr() {
        // It is not an error if standard error is closed.
        let _ = error.print();
        return Status::Usage;
    }
    let printed = stdout::check().and_then(|()| error.print());
    match printed.and_then(|()| io::stdout().flush()) {
        Ok(()) => Status::Success,
        Err(error) => draw::failure(&stdout_failed(error)),
    }
}

/// Ends a run for which clap returned `error`, which may also be a request for help. If the
/// arguments are those of yq, prints the ketch command that does the same.
pub fn refuse(error: Error) -> Status {
    let is_help = !error.use_stderr();
    let arguments = std::env::args_os().skip(1).map(std::ffi::OsString::into_string);
    let command = arguments.collect::<Result<Vec<_>, _>>().ok();
    let Some(arguments) = command.filter(|_| !is_help) else { return end(&corrected(error)) };
    let message = match (yq::command(&arguments), yq::computation(&arguments)) {
        (Some(command), _) => format!("these are yq arguments; run this instead: {command}"),
        (None, Some(command)) => format!(
            "these are yq arguments that compute a value, which ketch does not do; run this \
             instead: {command}"
        ),
        (None, None) => return end(&corrected(error)),
    };
    draw::failure(&Failure::Usage(message))
}

/// Corrects the suggestions in `error`: removes those that are not similar to the word that was
/// typed, and shows arguments such as `-.inf` as a whole.
fn corrected(error: Error) -> Error {
    near_only(with_whole_argument(error))
}

/// Corrects the suggestion for an argument such as `-.inf`, which clap parses as the option `-.`,
/// so that the suggestion names the whole argument.
fn with_whole_argument(mut error: Error) -> Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let is_it = |arg: &String| typed.starts_with("-.") && arg.starts_with(typed.as_str());
    // Arguments that are not valid text are ignored.
    let mut arguments = std::env::args_os().filter_map(|arg| arg.into_string().ok());
    if let Some(whole) = arguments.find(is_it) {
        let tip = format!("to pass '{whole}' as a value, use '-- {whole}'").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        error.insert(ContextKind::InvalidArg, ContextValue::String(whole));
    }
    error
}

/// The subcommands that change files without an option for it. No typo suggests them.
const CHANGING: [&str; 3] = ["fmt", "format", "split"];

/// Removes suggestions that are not similar to the word that was typed, or would change files.
fn near_only(mut error: Error) -> Error {
    for (suggested, invalid) in SUGGESTIONS {
        let Some(ContextValue::String(typed)) = error.get(invalid) else { continue };
        let typed = typed.clone();
        let is_near = |name: &String| {
            let changes =
                suggested == ContextKind::SuggestedSubcommand && CHANGING.contains(&name.as_str());
            is_near(&typed, name) && !changes
        };
        let kept = match error.get(suggested) {
            Some(ContextValue::String(name)) if !is_near(name) => None,
            Some(ContextValue::Strings(names)) => {
                let near: Vec<String> =
                    names.iter().filter(|name| is_near(name)).cloned().collect();
                (!near.is_empty()).then_some(ContextValue::Strings(near))
            }
            _ => continue,
        };
        error.remove(suggested);
        if let Some(kept) = kept {
            error.insert(suggested, kept);
        }
    }
    error
}

/// Returns whether `typed` was probably meant to be `name`: their spelling is similar, or one is
/// the start of the other.
fn is_near(typed: &str, name: &str) -> bool {
    let typed = typed.trim_start_matches('-').split('=').next().unwrap_or_default().to_lowercase();
    let name = name.trim_start_matches('-');
    let starts = typed.len() > 1 && (name.starts_with(&typed) || typed.starts_with(name));
    starts || strsim::normalized_damerau_levenshtein(&typed, name) >= LIKENESS_MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_have_a_similar_spelling() {
        for (typed, name) in [("covert", "convert"), ("comp", "completions"), ("fmt2", "fmt")] {
            assert!(is_near(typed, name), "{typed} {name}");
        }
        for (typed, name) in [("--shema", "--schema"), ("--lenent=on", "--lenient")] {
            assert!(is_near(typed, name), "{typed} {name}");
        }
        for (typed, name) in [("nosuch", "bench"), ("parse", "resolve"), ("--x", "--max-depth")] {
            assert!(!is_near(typed, name), "{typed} {name}");
        }
    }
}

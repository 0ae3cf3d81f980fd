//! Errors of usage, with suggestions only where a slip of the fingers is likely.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// How much alike a name and its suggestion are, from 0 to 1. clap suggests `bench` for `nosuch`,
/// which share three letters; one wrong letter of three is 0.67.
const LIKENESS_MIN: f64 = 0.6;

/// The suggestions of an error: of which kind, and for which word.
const SUGGESTIONS: [(ContextKind, ContextKind); 3] = [
    (ContextKind::SuggestedSubcommand, ContextKind::InvalidSubcommand),
    (ContextKind::SuggestedArg, ContextKind::InvalidArg),
    (ContextKind::SuggestedValue, ContextKind::InvalidValue),
];

/// `error` without the suggestions that are not near what was typed.
pub fn near_only(mut error: Error) -> Error {
    for (suggested, invalid) in SUGGESTIONS {
        let Some(ContextValue::String(typed)) = error.get(invalid) else { continue };
        let typed = typed.clone();
        let is_near = |name: &String| is_near(&typed, name);
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

/// Whether `name` is probably what was meant: spelled much alike, or what `typed` starts.
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
    fn suggestions_are_near() {
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

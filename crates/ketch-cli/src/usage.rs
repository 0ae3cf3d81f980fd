//! Prints help and usage errors. These suggest other words only for likely typos.

use crate::args::Cli;
use crate::draw;
use crate::output::stdout_failed;
use crate::shell;
use crate::status::{Failure, Status};
use crate::stdout;
use crate::yq;
use clap::error::{ContextKind, ContextValue};
use clap::{Error, Parser};
use std::io::{self, Write};
use std::path::Path;

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
    if let Some(message) = only_file(&arguments) {
        return draw::failure(&Failure::Usage(message));
    }
    let Some(command) = yq::command(&arguments) else { return end(&corrected(error)) };
    let message = format!("these are yq arguments; run this instead: {command}");
    draw::failure(&Failure::Usage(message))
}

/// Returns the message for `arguments` that are only a file or a folder, without a subcommand.
fn only_file(arguments: &[String]) -> Option<String> {
    let [file] = arguments else { return None };
    let word = shell::word(file);
    let path = Path::new(file);
    let kind = if path.is_dir() { "folder" } else { "file" };
    path.exists().then(|| {
        format!(
            "`{file}` is no subcommand, but a {kind}: `ketch get . {word}` prints it, `ketch check {word}` \
             checks it, and `ketch convert {word} -o json` converts it"
        )
    })
}

/// Corrects the suggestions in `error`: removes those that are not similar to the word that was
/// typed, and shows arguments such as `-.inf` as a whole.
fn corrected(error: Error) -> Error {
    near_only(with_whole_argument(error))
}

/// Corrects the suggestion for a value such as `-.inf` or `-Xmx1g`, which clap parses as the option
/// `-.` or `-X`, so that the suggestion is the whole command.
fn with_whole_argument(mut error: Error) -> Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    // Arguments that are not valid text are ignored.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).filter_map(|arg| arg.into_string().ok()).collect();
    let Some(at) = arguments.iter().position(|arg| arg.starts_with(typed.as_str())) else {
        return error;
    };
    if let Some(tip) = elsewhere(&arguments[0], typed) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    let is_word = |arg: &&String| !arg.starts_with('-') || *arg == "-";
    let words = arguments[1..at.max(1)].iter().filter(is_word).count();
    // In these commands, a word in the place of the value may well be one. Elsewhere, a word that
    // starts with a dash is an option that another tool has.
    let is_value =
        VALUED.contains(&&*arguments[0]) && words == 1 || TEXTUAL.contains(&&*arguments[0]);
    if !is_value {
        error.remove(ContextKind::Suggested);
        return error;
    }
    if !VALUED.contains(&&*arguments[0]) && error.get(ContextKind::Suggested).is_none() {
        return error;
    }
    if let Some(command) = as_word(&arguments, at) {
        let command = shell::line(command.iter().map(String::as_str));
        let whole = &arguments[at];
        let tip = format!("to pass '{whole}' as a value, run: ketch {command}").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        error.insert(ContextKind::InvalidArg, ContextValue::String(whole.clone()));
    }
    error
}

/// The subcommands whose second word is a value.
const VALUED: [&str; 5] = ["set", "append", "insert", "rename", "comment"];
/// The subcommands whose words may be any text.
const TEXTUAL: [&str; 5] = ["resolve", "match", "lines", "grok", "regex"];

/// Returns what to write instead of `option` in `command`, if other tools call an option so.
fn elsewhere(command: &str, option: &str) -> Option<&'static str> {
    Some(match (command, option) {
        ("get", "--json") => "for JSON, write '-o json'",
        ("get", "--output" | "--format" | "--output-format" | "-f" | "-t") => {
            "the format is given by '-o FORMAT'"
        }
        ("fmt" | "format", "-i" | "--in-place" | "--inplace" | "-w" | "--write") => {
            "'ketch fmt' writes the files anyway: leave the option out"
        }
        ("convert", "-t" | "--output-format" | "--format") => {
            "the format is given by '--to FORMAT'"
        }
        ("convert", "-f" | "--input-format") => {
            "the format of the input is given by '--from FORMAT'"
        }
        ("check", "--json") => "for JSON, write '--format json'",
        (_, "--dry-run" | "--dryrun") if !["get", "check", "convert"].contains(&command) => {
            "to see what would change, write '--diff'"
        }
        (_, "--inplace") => "to write the files, write '-i'",
        _ => return None,
    })
}

/// Returns `arguments` with a `--` before the one at `at`, so that it is a word, and the options
/// that follow it before the `--`. Returns `None` if that is no valid command, either.
fn as_word(arguments: &[String], at: usize) -> Option<Vec<String>> {
    let (before, rest) = arguments.split_at(at);
    let (word, rest) = rest.split_first()?;
    // Whether an option takes the next argument as its value is not known here.
    let moved = |takes_value: bool| {
        let (mut options, mut words) = (Vec::new(), Vec::new());
        let mut rest = rest.iter().cloned().peekable();
        while let Some(each) = rest.next() {
            let is_option = each.starts_with('-') && each != "-";
            match is_option {
                true => options.push(each),
                false => words.push(each),
            }
            if is_option && takes_value {
                options.extend(rest.next_if(|next| !next.starts_with('-')));
            }
        }
        let (command, before) = before.split_first()?;
        let start = [std::slice::from_ref(command), &options, before].concat();
        Some([&start[..], &["--".to_owned(), word.clone()], &words].concat())
    };
    let is_valid = |command: &Vec<String>| {
        let name = std::iter::once("ketch");
        Cli::try_parse_from(name.chain(command.iter().map(String::as_str))).is_ok()
    };
    [moved(false), moved(true)].into_iter().flatten().find(is_valid)
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
    fn an_option_that_should_be_a_value_becomes_a_word() {
        for (command, at, expected) in [
            ("set .a -x f.yml", 2, "set .a -- -x f.yml"),
            ("set -i .a --port=1 f.yml", 3, "set -i .a -- --port=1 f.yml"),
            ("set .a -Xmx1g f.yml -i --document 1", 2, "set -i --document 1 .a -- -Xmx1g f.yml"),
            ("append .a -x f.yml --diff", 2, "append --diff .a -- -x f.yml"),
        ] {
            let arguments: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let found = as_word(&arguments, at).expect("a command");
            assert_eq!(found.join(" "), expected);
        }
        assert_eq!(as_word(&["check".to_owned(), "--fromm".to_owned(), "--x".to_owned()], 1), None);
    }

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

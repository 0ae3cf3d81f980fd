//! Files that are named, but do not exist. The words of a value with blanks look like file names if
//! the quotes are forgotten.

use crate::diagnostic::Diagnostic;
use crate::files::is_pattern;
use crate::shell;
use crate::status::Failure;
use std::fs;
use std::io::ErrorKind;

/// Fails if one of the files `named` does not exist.
pub fn refuse_missing(named: &[String]) -> Result<(), Failure> {
    named.iter().find(|file| is_missing(file)).map_or(Ok(()), |file| Err(failure(file, None)))
}

/// Fails if one of the `words` beside `-e` options does not exist: all of them are files.
pub fn refuse_words(words: &[String]) -> Result<(), Failure> {
    let help = "With `-e`, all words are files. A value that starts with `-` is a word after `--`: \
                `ketch set -- PATH '-e x' FILE`.";
    let missing = words.iter().find(|file| is_missing(file));
    missing.map_or(Ok(()), |file| Err(failure(file, Some(help.to_owned()))))
}

/// Fails if one of `files` does not exist. If the first ones do not exist, but others do, they were
/// probably meant to belong to `typed`, the words of `command` before them.
pub fn refuse_unquoted(command: &str, typed: &[String], files: &[String]) -> Result<(), Failure> {
    let count = files.iter().take_while(|file| is_missing(file)).count();
    let (Some(last), Some(first)) = (typed.last(), files.first()) else { return Ok(()) };
    if count == 0 || count == files.len() {
        return refuse_missing(files);
    }
    let words = [std::slice::from_ref(last), &files[..count]].concat();
    let (what, meant) = match command {
        "del" => {
            let paths = words.iter().flat_map(|path| ["-e".to_owned(), path.clone()]);
            ("Several paths need `-e` each", paths.collect())
        }
        _ => ("A text with blanks needs quotes", vec![words.join(" ")]),
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let at = arguments.windows(words.len()).position(|window| window == words);
    let help = at.map(|at| {
        let rest = &arguments[at + words.len()..];
        let all = arguments[..at].iter().chain(&meant).chain(rest);
        let all = ["ketch"].into_iter().chain(all.map(String::as_str));
        format!("{what}: `{}`.", shell::line(all))
    });
    Err(failure(first, help))
}

/// Returns whether the file `name` does not exist.
fn is_missing(name: &String) -> bool {
    let error = || fs::symlink_metadata(name).err();
    name != "-"
        && !is_pattern(name)
        && error().is_some_and(|error| error.kind() == ErrorKind::NotFound)
}

fn failure(file: &str, help: Option<String>) -> Failure {
    let error = fs::symlink_metadata(file).err().unwrap_or(ErrorKind::NotFound.into());
    let mut diagnostic = Diagnostic::io(file, "could not be read", &error);
    diagnostic.help = help.or(diagnostic.help);
    Failure::File(Box::new(diagnostic))
}

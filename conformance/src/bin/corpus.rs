//! Formats every YAML and JSON file in some folders with each set of options, and checks that
//! nothing is lost, and that formatting the result again changes nothing. `conformance/corpus` runs
//! it.

use ketch_conformance::format::{checked, option_sets};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// Returns the files below `path`, or `path` itself if it is a file.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(path) = folders.pop() {
        if !path.is_dir() {
            found.push(path);
            continue;
        }
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            let is_text = |ext: &std::ffi::OsStr| ext == "yaml" || ext == "yml" || ext == "json";
            if path.is_dir() || path.extension().is_some_and(is_text) {
                folders.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Checks the formatting of a file with each set of options. Returns the length of the file.
fn check(path: &Path) -> Result<usize, String> {
    let text = fs::read(path).map_err(|error| error.to_string())?;
    for (name, options) in option_sets() {
        checked(name, &text, &options)?;
    }
    Ok(text.len())
}

fn main() -> ExitCode {
    let (mut count, mut bytes, mut failed) = (0, 0, 0);
    for argument in env::args_os().skip(1) {
        let found = match files(Path::new(&argument)) {
            Ok(found) => found,
            Err(error) => {
                eprintln!("{}: {error}", argument.display());
                return ExitCode::FAILURE;
            }
        };
        for path in found {
            count += 1;
            match check(&path) {
                Ok(size) => bytes += size,
                Err(what) => {
                    failed += 1;
                    // The message contains the input, so it is shortened.
                    let what: String = what.chars().take(400).collect();
                    eprintln!("{}: {what}", path.display());
                }
            }
        }
    }
    println!("{count} files, {bytes} bytes, {failed} failed");
    if failed == 0 && count > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

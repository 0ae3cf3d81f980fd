//! Writes a hostile input to standard output, for tests in any language.
//!
//! ```console
//! $ cargo run -q -p ketch-conformance --bin hostile -- alias-chain 1000000 > input.yaml
//! $ cargo run -q -p ketch-conformance --bin hostile -- --list
//! ```
//!
//! `--list` prints a line for each shape: its name, a tab, and its format (`yaml`, `json`,
//! `extprot` or `schema`).

use ketch_conformance::hostile;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let written = match words[..] {
        ["--list"] => list(),
        [name, size] => match (hostile::named(name), size.parse()) {
            (Some(shape), Ok(size)) => io::stdout().write_all(&(shape.make)(size)),
            _ => return usage(),
        },
        _ => return usage(),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hostile: {error}");
            ExitCode::FAILURE
        }
    }
}

fn list() -> io::Result<()> {
    let mut out = io::stdout().lock();
    hostile::all().try_for_each(|shape| writeln!(out, "{}\t{}", shape.name, shape.language.name()))
}

fn usage() -> ExitCode {
    eprintln!("usage: hostile NAME BYTES | hostile --list");
    ExitCode::from(2)
}

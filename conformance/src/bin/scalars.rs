//! Sets every scalar in some files to a different value, and back again. `conformance/scalars` runs
//! it.

use ketch_conformance::scalars::{Report, check};
use std::process::ExitCode;
use std::{env, fs};

fn usage() -> ExitCode {
    eprintln!("usage: scalars SHARE FILE...");
    ExitCode::from(2)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [share, files @ ..] = &arguments[..] else { return usage() };
    let Ok(share) = share.parse() else { return usage() };
    let (mut total, mut failed) = (Report::default(), 0);
    for file in files {
        let text = fs::read_to_string(file).map_err(|error| error.to_string());
        match text.and_then(|text| check(&text, share)) {
            Ok(report) => {
                total.scalars += report.scalars;
                total.set += report.set;
            }
            Err(what) => {
                failed += 1;
                let what: String = what.chars().take(400).collect();
                eprintln!("{file}: {what}");
            }
        }
    }
    let Report { scalars, set } = total;
    println!(
        "{} files, {set} of {scalars} scalars set and set back, {failed} files failed",
        files.len()
    );
    if failed == 0 && set > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

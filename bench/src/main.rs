//! `ketch-bench`: YAML engines side by side, in one process and one run.
//!
//! Definitions (`definitions/`), engines (`engines/`) and records (`records/`) live apart; this
//! harness brings them together: load, verify, measure in turns, report.

#[path = "../engines/mod.rs"]
mod engines;

mod clock;
mod corpus;
mod generate;
mod measure;
mod options;
mod probe;
mod report;
mod run;
mod stats;
mod verify;

use std::process::ExitCode;

use clap::Parser as _;

/// Engines that recurse get room to do so: they are compared, not punished.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let options = options::Options::parse();
    // All measuring happens on one thread, whose CPU time is the clock.
    let worker = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || run::run(&options))
        .expect("a thread can be started");
    match worker.join() {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(message)) => {
            eprintln!("ketch-bench: {message}");
            ExitCode::FAILURE
        }
        Err(_) => ExitCode::FAILURE,
    }
}

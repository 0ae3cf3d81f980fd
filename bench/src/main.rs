//! `ketch-bench`: YAML engines side by side, in one process and one run.
//!
//! Definitions (`definitions/`), engines (`engines/`) and records (`records/`) live apart; this
//! harness brings them together: load, verify, measure in turns, report.

#[path = "../engines/mod.rs"]
mod engines;

mod claims;
mod clock;
mod corpus;
mod generate;
mod machine;
mod measure;
mod options;
mod plot;
mod probe;
mod record;
mod report;
mod run;
mod stats;
mod verify;

use std::process::ExitCode;

use clap::Parser as _;

/// Engines that recurse get a large stack.
const STACK_BYTES: usize = 1 << 30;

/// Makes glibc ask for huge pages for big blocks, for all engines alike.
///
/// Without it the figures of engines with big buffers depend on which pages a run happens to get:
/// rapidyaml's, by 20% from run to run.
const TUNABLES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

fn main() -> ExitCode {
    let options = options::Options::parse();
    if std::env::var_os(TUNABLES.0).is_none() {
        return restart_tuned();
    }
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

/// Replaces this process by one whose allocator is tuned; that is possible only at its start.
fn restart_tuned() -> ExitCode {
    use std::os::unix::process::CommandExt as _;
    let program = std::env::current_exe().unwrap_or_else(|_| "ketch-bench".into());
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    let error = std::process::Command::new(program)
        .arg0(name)
        .args(arguments)
        .env(TUNABLES.0, TUNABLES.1)
        .exec();
    eprintln!("ketch-bench: cannot start again with {}={}: {error}", TUNABLES.0, TUNABLES.1);
    ExitCode::FAILURE
}

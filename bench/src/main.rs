//! `ketch-runner`: the host `rust` of `bin/board`. Without arguments, it does the work that
//! requests on standard input ask for (`docs/board.md`); `ketch-runner inputs FOLDER` makes the
//! inputs of all hosts.

#[path = "../engines/mod.rs"]
mod engines;

mod digest;
mod extprot;
mod generate;
mod inputs;
mod native;
mod regex;
mod runner;
mod syck;
mod work;
mod yaml;

use std::fs::File;
use std::hint::black_box;
use std::io;
use std::os::fd::FromRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Engines that recurse get a large stack.
const STACK_BYTES: usize = 1 << 30;

/// Makes glibc ask for huge pages for big blocks, for all engines alike.
///
/// Without it the figures of engines with big buffers depend on which pages a run happens to get:
/// rapidyaml's, by 20% from run to run.
const TUNABLES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        [] if std::env::var_os(TUNABLES.0).is_none() => Err(restart_tuned()),
        [] => measure().map_err(runner::text),
        ["inputs", folder] => inputs::make(Path::new(folder), false),
        ["inputs", folder, "--pin"] => inputs::make(Path::new(folder), true),
        _ => Err("usage: ketch-runner, or ketch-runner inputs FOLDER [--pin]".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("ketch-runner: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Replaces this process by one whose allocator is tuned; that is possible only at its start.
/// Returns the reason if it fails.
fn restart_tuned() -> String {
    let (name, value) = TUNABLES;
    let program = std::env::current_exe().unwrap_or_else(|_| "ketch-runner".into());
    let error = Command::new(program).env(name, value).exec();
    format!("cannot start again with {name}={value}: {error}")
}

/// Measures on one thread.
fn measure() -> io::Result<()> {
    let answers = answers()?;
    settle_allocator();
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES);
    worker.spawn(move || runner::serve(answers))?.join().unwrap_or(Ok(()))
}

/// Returns standard output. What engines print goes to standard error from now on.
fn answers() -> io::Result<File> {
    // SAFETY: takes no pointers; nobody else owns the new descriptor.
    unsafe {
        let answers = libc::dup(libc::STDOUT_FILENO);
        if answers < 0 || libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(File::from_raw_fd(answers))
    }
}

/// Frees one large block, which raises glibc's trim threshold: otherwise memory returns to the
/// system between runs, and the next engine pays with page faults.
fn settle_allocator() {
    drop(black_box(vec![1_u8; (32 << 20) - 64 * 1024]));
}

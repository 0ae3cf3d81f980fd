//! Every engine first parses an input in a separate process, so that one that crashes or never
//! ends loses only its own figures.
//!
//! The child reads the input from standard input and writes one line of JSON for each level.

use std::io::{self, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, ExitStatus, Stdio};

use serde::{Deserialize, Serialize};

use crate::engines::{self, Engine, Level, PADDING, Tally};

/// CPU seconds after which a child is ended.
const SECONDS_MAX: u64 = 60;

const LEVELS: [Level; 3] = [Level::Events, Level::Decoded, Level::Tree];

/// The result of an engine for an input at one level.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The full count.
    pub tally: Tally,
    /// The number that a timed run must return.
    pub outcome: u64,
}

/// An engine's results by level. An error is the reason as text.
pub type Answers = Vec<(Level, Result<Found, String>)>;

/// Runs in the child process: probes the engine called `name` with standard input.
///
/// # Errors
/// Fails if there is no such engine, or the pipes break.
pub fn serve(name: &str) -> Result<(), String> {
    limit_cpu_time();
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input).map_err(|error| error.to_string())?;
    let mut engines = engines::all();
    let engine = engines
        .iter_mut()
        .find(|engine| engine.facts().name == name)
        .ok_or_else(|| format!("no engine is called {name}"))?;
    for level in LEVELS {
        if engine.reports(level).is_some() {
            let line = serde_json::to_string(&(level, attempt(engine.as_mut(), level, &input)));
            let line = line.map_err(|error| error.to_string())?;
            writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Parses an input once to count everything and once as in a timed run. A panic becomes an error.
fn attempt(engine: &mut dyn Engine, level: Level, input: &[u8]) -> Result<Found, String> {
    let padded = || [input, &[0; PADDING]].concat();
    let (mut first, mut second) = (padded(), padded());
    let length = input.len();
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        engine.prepare(level, input);
        let tally = engine.tally(level, &mut first[..length])?;
        engine.reset(level);
        Ok(Found { tally, outcome: engine.run(level, &mut second[..length])? })
    }));
    attempt.unwrap_or_else(|_| Err("panics".to_owned()))
}

fn limit_cpu_time() {
    let limit = libc::rlimit { rlim_cur: SECONDS_MAX, rlim_max: SECONDS_MAX };
    // SAFETY: the pointer is valid for a read; a refused limit changes nothing.
    unsafe { libc::setrlimit(libc::RLIMIT_CPU, &raw const limit) };
}

/// Runs in the parent process: returns how the engine called `name` reads `input`.
///
/// # Errors
/// Fails if no child can be started.
pub fn ask(name: &str, input: &[u8]) -> Result<Answers, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args(["--probe", name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start a probe: {error}"))?;
    let mut pipe = child.stdin.take().ok_or("a probe without standard input")?;
    // A child that died before reading everything breaks the pipe; its status shows the reason.
    _ = pipe.write_all(input);
    drop(pipe);
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let mut answers: Answers = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    if !output.status.success() {
        let reason = cause_of(output.status);
        for level in LEVELS {
            if !answers.iter().any(|&(answered, _)| answered == level) {
                answers.push((level, Err(reason.clone())));
            }
        }
    }
    Ok(answers)
}

/// Returns why a probe that has ended gave no answer.
fn cause_of(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match status.signal() {
        Some(libc::SIGXCPU | libc::SIGKILL) => format!("ended after {SECONDS_MAX} s of CPU time"),
        Some(signal) => format!("crashes (signal {signal})"),
        None => format!("its probe failed ({status})"),
    }
}

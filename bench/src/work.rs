//! What an engine does to an input, and the clock that measures it.

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use ketch::Value;

/// An operation of an engine on an input, ready to be run.
pub trait Work {
    /// Runs the operation this many times. Only what `clock` is given is timed.
    ///
    /// # Errors
    ///
    /// Fails if the engine does, or if a result is not that of the first run.
    fn run(&mut self, times: usize, clock: &mut Clock) -> Result<(), String>;

    /// Returns the result in the form in which all engines have the same one.
    ///
    /// # Errors
    /// Fails if the engine does.
    fn value(&mut self) -> Result<Value, String>;

    /// Returns further facts about the result, for people.
    fn facts(&self) -> Facts {
        Facts::new()
    }
}

/// The reason why an engine does not run.
pub enum Refusal {
    /// It does not do this operation to this input.
    Unable(String),
    /// It should, and fails.
    Failed(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

pub type Prepared = Result<Box<dyn Work>, Refusal>;

/// Returns a refusal without a special reason.
pub fn unable() -> Refusal {
    Refusal::Unable("the engine does not do this".to_owned())
}

/// Returns the refusal of an engine that is not known, or not built in.
pub fn absent(engine: &str) -> Refusal {
    match engine {
        "libyaml" | "libfyaml" => {
            Refusal::Unable(format!("{engine} is not installed (apt-get install {engine}-dev)"))
        }
        _ => unable(),
    }
}

/// Adds up what the process uses while something is timed: all of its threads.
#[derive(Default)]
pub struct Clock {
    pub user: Duration,
    pub system: Duration,
    pub real: Duration,
}

impl Clock {
    pub fn time<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let (begun, before) = (Instant::now(), Usage::now());
        let made = black_box(run());
        let (after, real) = (Usage::now(), begun.elapsed());
        self.user += after.user.saturating_sub(before.user);
        self.system += after.system.saturating_sub(before.system);
        self.real += real;
        made
    }
}

/// What this process has used so far.
pub struct Usage {
    user: Duration,
    system: Duration,
    /// The most memory, in KiB.
    pub peak: i64,
}

impl Usage {
    pub fn now() -> Self {
        let mut usage = MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: the pointer is valid for a write of a `rusage`.
        let status = unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) };
        assert_eq!(status, 0, "the system does not tell what a process uses");
        // SAFETY: the call succeeded, so it wrote the whole struct.
        let usage = unsafe { usage.assume_init() };
        let duration = |time: libc::timeval| {
            Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
        };
        let (user, system) = (duration(usage.ru_utime), duration(usage.ru_stime));
        Self { user, system, peak: usage.ru_maxrss }
    }
}

/// Work of two functions: `run` is timed, and returns a number that is the same for each run;
/// `value` returns the result.
struct Timed<R, V> {
    run: R,
    value: V,
    facts: Facts,
    expected: Option<usize>,
}

/// Names and numbers.
pub type Facts = Vec<(&'static str, usize)>;

pub fn timed(
    run: impl FnMut() -> Result<usize, String> + 'static,
    value: impl FnMut() -> Result<Value, String> + 'static,
) -> Box<dyn Work> {
    timed_with_facts(run, value, Facts::new())
}

pub fn timed_with_facts(
    run: impl FnMut() -> Result<usize, String> + 'static,
    value: impl FnMut() -> Result<Value, String> + 'static,
    facts: Facts,
) -> Box<dyn Work> {
    Box::new(Timed { run, value, facts, expected: None })
}

impl<R, V> Work for Timed<R, V>
where
    R: FnMut() -> Result<usize, String>,
    V: FnMut() -> Result<Value, String>,
{
    fn run(&mut self, times: usize, clock: &mut Clock) -> Result<(), String> {
        // The engine finds the heap as it has left it itself. glibc consolidates the small blocks
        // that another engine has freed, which took up to half of Ketch's time.
        let first = (self.run)()?;
        let expected = *self.expected.get_or_insert(first);
        let is_same = clock.time(|| {
            (0..times).try_fold(true, |is_same, _| {
                Ok::<_, String>(is_same & (black_box((self.run)()?) == expected))
            })
        })?;
        same(is_same)
    }

    fn value(&mut self) -> Result<Value, String> {
        (self.value)()
    }

    fn facts(&self) -> Facts {
        self.facts.clone()
    }
}

/// Fails unless all results of timed runs were the same.
pub fn same(is_same: bool) -> Result<(), String> {
    if is_same { Ok(()) } else { Err("a timed run gave another result than the first".to_owned()) }
}

/// Returns the version of a crate in the lock file.
pub fn locked(name: &str) -> String {
    let lock: toml::Table = include_str!("../Cargo.lock").parse().expect("Cargo.lock is TOML");
    let packages = lock["package"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"].as_str() == Some(name));
    let package = package.unwrap_or_else(|| panic!("{name} is not in Cargo.lock"));
    package["version"].as_str().expect("a version").to_owned()
}

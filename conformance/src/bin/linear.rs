//! Runs the command on every hostile input, and checks that its time grows linearly with the length
//! of the input. `conformance/linear` builds the command and runs this program.
//!
//! Each input is doubled three times. If the longest one takes longer than the threshold, the
//! shorter ones are measured as well, and the exponent over the last two doublings must be below
//! [`EXPONENT_MAX`]. What is measured is the processor time of the child process, user and system,
//! as the minimum of several tries, since other load only makes it longer.
//!
//! A run that fails is repeated with longer inputs, which take up to [`SECONDS_SURE`], before it
//! counts as failed: on a busy machine, short times are mostly noise; and only a long input exceeds
//! the constant part of some limits, such as a million nodes that aliases may repeat, below which a
//! search may take quadratic time.
//!
//! The threshold is 0.3 s for an input of 500,000 bytes, and is proportional to the length, so that
//! linear time stays well below it for any length.

use ketch_conformance::hostile::{self, Language, Shape};
use std::ffi::OsString;
use std::num::NonZero;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, fmt, fs, io, thread};
use wait4::Wait4;

/// The threshold for each byte of an input. The threshold is never less than [`SECONDS_LEAST`].
const SECONDS_PER_BYTE: f64 = 0.3 / 500_000.0;

/// The minimum of the threshold: in less time, starting the process takes longer than reading the
/// input.
const SECONDS_LEAST: f64 = 0.05;

/// If a run that fails takes longer than this, it is not repeated with longer inputs.
const SECONDS_SURE: f64 = 3.0;

/// The maximum number of doublings of an input until a run takes that long.
const DOUBLINGS_MAX: u32 = 4;
const EXPONENT_MAX: f64 = 1.2;
const TRIES: usize = 4;

/// The maximum time of a command. One that takes longer is stopped, and fails.
const SECONDS_MAX: u32 = 120;

/// The maximum number of bytes of an input that are passed as an argument.
const ARGUMENT_BYTES: usize = 120_000;

/// The arguments of each run. `FILE` is replaced by the input's file, `TEXT` by the start of the
/// input.
const YAML: &[&str] = &[
    "convert FILE",
    "convert FILE --pretty --duplicate-keys last",
    "convert FILE --schema yaml11",
    "convert FILE --to yaml",
    "convert FILE --to yaml --flow=on --width 80",
    "convert FILE --to yaml --sort-keys",
    "convert FILE --to events",
    "convert FILE --to extprot",
    "events FILE",
    "check FILE",
    "check FILE --dialect syck",
    "convert FILE --dialect syck",
    "convert FILE --to yaml --dialect syck",
    "convert FILE --to syck",
    "get * FILE --dialect syck",
    "get ..x FILE --dialect syck --to json",
    "check FILE --schema yaml11 --format json",
    "get . FILE",
    "get [-1] FILE",
    "get [-1].zz FILE --schema yaml11",
    "get * FILE --to json",
    "get ..x FILE --to json",
    "get ..x FILE",
    "get --ypath //x FILE",
    "get --ypath //*[a]/(b|c|*) FILE --dialect syck --to json",
    "get [?x==1||key==2] FILE --to json",
    "get ..[?*==1&&*!=2][-2:] FILE --to json",
    "get @[?*].x FILE --to json",
    "get *.x FILE --schema yaml11 --duplicate-keys last",
    "set --check zz 1 FILE",
    "fmt --diff FILE",
    "fmt --check FILE",
    "bench scan FILE -n 1",
    "bench parse FILE -n 1",
    "bench tree FILE -n 1",
    "bench resolve FILE -n 1 --schema yaml11",
    "resolve -- TEXT",
];
const JSON: &[&str] = &[
    "convert --from json FILE",
    "convert --from json FILE --to yaml",
    "convert --from json FILE --to extprot",
    "check FILE",
    "get [-1] FILE",
    "fmt --diff FILE",
];
const EXTPROT: &[&str] = &[
    "extprot inspect FILE",
    "convert --from extprot FILE",
    "convert --from extprot FILE --to yaml",
    "convert --from extprot FILE --to extprot",
];
const SCHEMA: &[&str] = &[
    "extprot check FILE",
    "extprot format --check FILE",
    "extprot compat FILE FILE",
    "extprot generate FILE",
    "extprot generate --lang ruby FILE",
    "convert --schema FILE --message m -",
];
const EDITED: &[&str] = &[
    "set from[*].x 0 FILE",
    "set from[*].new 0 FILE",
    "set from.* 0 FILE",
    "set from[*] 0 FILE",
    "del from[*].x FILE",
    "del from[*] FILE",
    "del from.* FILE",
    "append from[*].t 7 FILE",
    "insert from[*] 7 --key new FILE",
    "rename from[*].x new FILE",
    "comment from[*].x words FILE",
    "move from[*] to FILE",
    "move from[*] to --first FILE",
    "move from.* to FILE",
];

/// Returns the runs for inputs in a language.
fn runs(language: Language) -> &'static [&'static str] {
    match language {
        Language::Yaml => YAML,
        Language::Json => JSON,
        Language::Extprot => EXTPROT,
        Language::Schema => SCHEMA,
        Language::Edited => EDITED,
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [ketch, bytes, filters @ ..] = &arguments[..] else { return usage() };
    let Ok(longest) = bytes.parse() else { return usage() };
    let folder = env::temp_dir().join(format!("ketch-linear-{}", std::process::id()));
    let result = fs::create_dir_all(&folder)
        .and_then(|()| check_all(Path::new(ketch), longest, filters, &folder));
    let removed = fs::remove_dir_all(&folder);
    match result.and_then(|failures| removed.map(|()| failures)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("linear: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: linear KETCH BYTES [SHAPE...]");
    ExitCode::from(2)
}

/// Checks all shapes whose names start with one of the filters, on all processors. Without a
/// filter, checks all shapes except those for edits, which take minutes. Returns the number of
/// failed runs.
fn check_all(ketch: &Path, longest: usize, filters: &[String], folder: &Path) -> io::Result<usize> {
    let is_wanted = |shape: &Shape| {
        filters.is_empty() && !matches!(shape.language, Language::Edited)
            || filters.iter().any(|filter| shape.name.starts_with(filter.as_str()))
    };
    let shapes: Vec<Shape> = hostile::all().filter(is_wanted).collect();
    let next = AtomicUsize::new(0);
    let worker = || -> io::Result<(usize, usize)> {
        let (mut count, mut failures) = (0, 0);
        while let Some(&shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let files = write_sizes(shape, longest, folder)?;
            for run in runs(shape.language) {
                count += 1;
                let checked = check_surely(ketch, run, shape, (&files, longest), folder)?;
                if !matches!(checked, Checked::Linear) {
                    failures += 1;
                    println!("{}: ketch {run}: {checked}", shape.name);
                }
            }
            for (file, _) in files {
                fs::remove_file(file)?;
            }
        }
        Ok((count, failures))
    };
    let totals = thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|_| Err(io::Error::other("a worker panicked")))
        };
        workers.into_iter().map(join).collect::<io::Result<Vec<(usize, usize)>>>()
    })?;
    let count: usize = totals.iter().map(|(count, _)| count).sum();
    let failures = totals.iter().map(|(_, failures)| failures).sum();
    println!("{count} runs over inputs of {longest} bytes, {failures} failed");
    if count == 0 { Err(io::Error::other("no such shape")) } else { Ok(failures) }
}

/// The result of a run over one shape in four sizes.
enum Checked {
    Linear,
    /// The times grow faster than the input; these are the times in seconds.
    Steep([f64; 4]),
    /// A run has failed for this reason.
    Failed(String),
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checked::Linear => f.write_str("linear"),
            Checked::Steep(seconds) => {
                write!(f, "{seconds:.2?} s, exponent {:.2}", exponent(*seconds))
            }
            Checked::Failed(status) => f.write_str(status),
        }
    }
}

/// The file that contains an input, and the start of the input, for arguments.
type Input = (PathBuf, OsString);

/// Writes the shape in four sizes, each twice the previous one.
fn write_sizes(shape: Shape, longest: usize, folder: &Path) -> io::Result<[Input; 4]> {
    let mut inputs = [3, 2, 1, 0].map(|halvings| {
        let file = folder.join(format!("{}-{}", shape.name, longest >> halvings));
        (file, (shape.make)(longest >> halvings))
    });
    for (file, bytes) in &mut inputs {
        fs::write(file, &*bytes)?;
        bytes.truncate(ARGUMENT_BYTES);
        bytes.retain(|byte| *byte != 0);
    }
    Ok(inputs.map(|(file, bytes)| (file, OsString::from_vec(bytes))))
}

/// Checks a run of the command over the four sizes. If it takes too little time for a failure to be
/// certain, also checks it over longer inputs.
fn check_surely(
    ketch: &Path,
    run: &str,
    shape: Shape,
    (files, mut longest): (&[Input; 4], usize),
    folder: &Path,
) -> io::Result<Checked> {
    let mut checked = check(ketch, run, files, longest)?;
    // Some of the longer inputs have the same lengths as those in `files`, which are still needed.
    let folder = folder.join("longer");
    for _ in 0..DOUBLINGS_MAX {
        if !matches!(checked, Checked::Steep(seconds) if seconds[3] < SECONDS_SURE) {
            break;
        }
        longest *= 2;
        fs::create_dir_all(&folder)?;
        let files = write_sizes(shape, longest, &folder)?;
        checked = check(ketch, run, &files, longest)?;
        for (file, _) in files {
            fs::remove_file(file)?;
        }
    }
    Ok(checked)
}

/// Checks a run of the command over the four sizes.
fn check(ketch: &Path, run: &str, files: &[Input; 4], longest: usize) -> io::Result<Checked> {
    let threshold = (longest as f64 * SECONDS_PER_BYTE).max(SECONDS_LEAST);
    let mut seconds = [f64::INFINITY; 4];
    for _ in 0..TRIES {
        for at in (0..files.len()).rev() {
            match measure(ketch, run, &files[at])? {
                Ok(time) => seconds[at] = seconds[at].min(time.as_secs_f64()),
                Err(status) => return Ok(Checked::Failed(status)),
            }
            if seconds[3] < threshold {
                return Ok(Checked::Linear);
            }
        }
        if exponent(seconds) < EXPONENT_MAX {
            return Ok(Checked::Linear);
        }
    }
    Ok(Checked::Steep(seconds))
}

/// Returns the exponent of the growth over the last two doublings.
fn exponent(seconds: [f64; 4]) -> f64 {
    (seconds[3] / seconds[1].max(0.001)).log2() / 2.0
}

/// Returns the processor time of a run, or the reason why it has failed.
fn measure(ketch: &Path, run: &str, (file, text): &Input) -> io::Result<Result<Duration, String>> {
    // The shell limits time and memory, so that a defective run ends.
    let limited = format!("ulimit -t {SECONDS_MAX}; ulimit -v 8000000; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, "sh"]).arg(ketch);
    for word in run.split(' ') {
        match word {
            "FILE" => command.arg(file),
            "TEXT" => command.arg(text),
            _ => command.arg(word),
        };
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let used = command.spawn()?.wait4()?;
    match used.status.code() {
        Some(0 | 1 | 4) => Ok(Ok(used.rusage.utime + used.rusage.stime)),
        _ => Ok(Err(format!("{}", used.status))),
    }
}

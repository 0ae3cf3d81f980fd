//! `ketch check`: reports what is wrong with each file.

use crate::args::{CheckArgs, Format, Origin};
use crate::binary;
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::files::{self, Files};
use crate::input::{self, Input, Stream};
use crate::json_syntax::{self, Texts};
use crate::json_texts;
use crate::pieces::{self, Piece};
use crate::progress::{Phases, Progress};
use crate::read::failure;
use crate::reports::{Reports, counted};
use crate::status::{Failure, Status};
use ketch_yaml::compose::Checker;
use ketch_yaml::internal::{LineCounter, in_order};
use ketch_yaml::{ComposeOptions, Dialect, Options, Warning};
use std::io::{self, Read};

/// The maximum number of problems that are reported for a file.
const PROBLEMS_MAX: usize = 100;

/// What is found in a file: the status that it leads to, and the problem unless there is none.
struct Finding(Status, Option<Diagnostic>);

/// A function that receives what is found in a file.
type Receive<'r> = dyn FnMut(Finding) -> Result<(), Failure> + 'r;

/// The maximum number of files that a thread takes at once. With single files, waking the thread that
/// prints takes as long as checking a small file.
const BATCH_FILES_MAX: usize = 64;

/// The size in bytes up to which a stream is checked by one thread.
const LONG_BYTES: u64 = 1 << 20;

/// Checks all files. Continues after errors.
pub fn run(mut args: CheckArgs) -> Result<Status, Failure> {
    let files = files::expand(&args.files)?;
    let mut all =
        All { reports: Reports::new(&files), format: args.format, invalid: 0, left_out: 0 };
    if args.jobs > 1 && files.names.len() > 1 {
        // Each file is checked by one thread, without progress.
        let threads = std::mem::take(&mut args.jobs);
        check_in_parallel(&args, &files, threads.min(files.names.len()), &mut all)?;
    } else {
        for file in &files.names {
            let before = all.reports.count();
            let checked = check_file(&args, file, &mut |finding| all.show(finding));
            all.end_file(checked, before)?;
        }
    }
    let checked = counted(files.names.len() as u64 - all.left_out, "file");
    let summary = match all.reports.count() {
        0 => format!("{checked} checked: no problems"),
        count => {
            let invalid = counted(all.invalid, "file");
            format!("{checked} checked: {} in {invalid}", counted(count, "problem"))
        }
    };
    Ok(all.reports.finish(Some(summary)))
}

/// Checks `files` by several threads. What they find is printed by this one, in order.
fn check_in_parallel(
    args: &CheckArgs,
    files: &Files,
    threads: usize,
    all: &mut All,
) -> Result<(), Failure> {
    let names = &files.names;
    let check = |file: &String| {
        let mut findings = Vec::new();
        let mut receive = |finding| {
            findings.push(finding);
            Ok(())
        };
        let checked = check_file(args, file, &mut receive);
        (findings, checked)
    };
    let work = |batch: &[String]| batch.iter().map(check).collect::<Vec<_>>();
    let phases = Phases::new(true);
    let mut index = 0;
    let size = (names.len() / (threads * 8)).clamp(1, BATCH_FILES_MAX);
    in_order(names.chunks(size), threads, work, |batch| {
        batch.into_iter().try_for_each(|(findings, checked)| {
            phases.start("checking", (index, names.len()));
            index += 1;
            let before = all.reports.count();
            phases.paused(|| {
                findings.into_iter().try_for_each(|finding| all.show(finding))?;
                all.end_file(checked, before)
            })
        })
    })
}

/// The problems of all files.
struct All {
    reports: Reports,
    format: Format,
    /// The number of files with problems.
    invalid: u64,
    /// The number of files that need no check.
    left_out: u64,
}

impl All {
    /// Includes the status of `finding` in that of the run. Prints its problem, unless enough are
    /// shown already. As JSON, all are shown.
    fn show(&mut self, Finding(status, diagnostic): Finding) -> Result<(), Failure> {
        self.reports.status(status);
        let Some(diagnostic) = diagnostic else { return Ok(()) };
        let is_shown = self.reports.is_shown();
        match is_shown || self.format == Format::Json {
            true => draw::to_stdout(&diagnostic, self.format),
            false => Ok(()),
        }
    }

    /// Ends a file, whose check has returned `checked`. `before` is the number of problems of the
    /// files before it.
    fn end_file(&mut self, checked: Result<(), Failure>, before: u64) -> Result<(), Failure> {
        match checked {
            Ok(()) => {}
            // Markdown without front matter.
            Err(Failure::Missing(_)) if self.reports.is_group() => self.left_out += 1,
            Err(failure @ (Failure::Closed | Failure::Write(..))) => return Err(failure),
            Err(failure) => self.show(found(&failure))?,
        }
        self.invalid += u64::from(self.reports.count() > before);
        Ok(())
    }
}

/// Returns the problem that `failure` contains.
fn found(failure: &Failure) -> Finding {
    Finding(failure.status(), failure.diagnostic())
}

/// Finds the problems and warnings of `file`.
fn check_file(args: &CheckArgs, file: &str, receive: &mut Receive<'_>) -> Result<(), Failure> {
    if args.input.origin(file) == Origin::Json && !args.input.front_matter {
        return check_json(args, file, receive);
    }
    let input = input::open_yaml(&args.input, file, input::SMALL_BYTES_MAX)?;
    check(args, file, input.into_stream(), receive).map(drop)
}

/// Finds the problems and warnings of `file`, which must be JSON. The engine knows best where
/// brackets and commas are missing, but it accepts more than JSON.
fn check_json(args: &CheckArgs, file: &str, receive: &mut Receive<'_>) -> Result<(), Failure> {
    let bytes = input::read(file)?;
    let text = json_syntax::as_utf8(&bytes);
    let texts = if file.ends_with(".json") { Texts::One } else { Texts::Many };
    let wrong = json_syntax::check(&text, texts).map_err(|wrong| {
        let is_text = binary::describe(&text).is_none() && std::str::from_utf8(&text).is_ok();
        let is_general = wrong.is_general || !is_text;
        (is_general, Failure::Input(Box::new(wrong.diagnostic(file, &text))))
    });
    drop(text);
    let wrong = match wrong {
        Err((false, failure)) => return Err(failure),
        other => other,
    };
    let bytes = match wrong.is_ok() && texts == Texts::One {
        true => bytes,
        false => json_texts::documents(bytes),
    };
    let is_valid = check(args, file, Input::Whole(bytes).into_stream(), receive)?;
    match wrong {
        Err((_, failure)) if is_valid => Err(failure),
        _ => Ok(()),
    }
}

/// Finds the problems and warnings of one file, in the order of their locations. Returns whether
/// there are only warnings.
fn check(
    args: &CheckArgs,
    file: &str,
    mut stream: Stream,
    receive: &mut Receive<'_>,
) -> Result<bool, Failure> {
    let origin = args.input.origin(file);
    let schema = args.schema.unwrap_or(args.read.schema_for(origin));
    let compose = args.compose.options(schema, &args.read);
    let options = args.read.options_for(origin);
    let progress = (args.jobs > 0).then(|| Progress::new(stream.size, true));
    let start = check_pieces(args.jobs, &mut stream, &options, &compose, progress.as_ref());
    let Some((offset, lines)) = start else { return Ok(true) };
    let watched = Watched { stream, progress };
    let mut checker = Checker::new(watched, &options, &compose, PROBLEMS_MAX).after(offset, lines);
    let (mut shown_warnings, mut is_valid) = (0, true);
    while let Some(error) = checker.next() {
        let before = |warning: &&Warning| warning.location.offset < error.offset();
        let warnings = checker.warnings()[shown_warnings..].iter().take_while(before);
        shown_warnings += pass_warnings(file, warnings, receive)?;
        is_valid = false;
        let head = checker.get_ref().stream.head();
        let failure = failure(file, head, error);
        let failure = if origin.is_foreign() { failure.of_converted() } else { failure };
        receive(found(&failure))?;
        if binary::describe(head).is_some() {
            // If the file is binary, this message is the only useful one.
            return Ok(false);
        }
    }
    pass_warnings(file, checker.warnings()[shown_warnings..].iter(), receive)?;
    if checker.has_more() {
        let more = Diagnostic::more_problems(file, PROBLEMS_MAX);
        receive(Finding(Status::Success, Some(more)))?;
    }
    Ok(is_valid)
}

/// Checks the documents of a long `stream` by `jobs` threads until one of them may have a problem. Returns
/// what is left to check, as [`pieces::check`] does.
fn check_pieces(
    jobs: usize,
    stream: &mut Stream,
    options: &Options,
    compose: &ComposeOptions,
    progress: Option<&Progress>,
) -> Option<(u64, LineCounter)> {
    let is_long = stream.size.is_none_or(|size| size > LONG_BYTES);
    // What a lower limit allows depends on where the buffer of the one thread starts.
    let has_space = options.limits.max_buffer_bytes > 2 * pieces::PIECE_BYTES_MAX as u64;
    if jobs < 2 || !is_long || !has_space || options.dialect != Dialect::Yaml {
        return Some((0, LineCounter::default()));
    }
    let is_fine = |piece: &Piece| {
        let lines = LineCounter::default();
        let mut checker =
            Checker::new(&piece.text[..], options, compose, 1).after(piece.offset, lines);
        let has_problem = checker.next().is_some() || !checker.warnings().is_empty();
        !has_problem && !checker.has_long_prefixes()
    };
    let reached = |bytes| progress.iter().for_each(|progress| progress.reached(bytes));
    pieces::check(stream, jobs, is_fine, reached)
}

/// Passes `warnings` to `receive`, and returns their number.
fn pass_warnings<'w>(
    file: &str,
    warnings: impl Iterator<Item = &'w Warning>,
    receive: &mut Receive<'_>,
) -> Result<usize, Failure> {
    let mut count = 0;
    for warning in warnings {
        receive(Finding(Status::Success, Some(Diagnostic::warning(file, warning))))?;
        count += 1;
    }
    Ok(count)
}

/// A stream that shows on the progress bar how far it has been read.
struct Watched {
    stream: Stream,
    progress: Option<Progress>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        if let Some(progress) = &self.progress {
            progress.reached(self.stream.read_bytes());
        }
        Ok(count)
    }
}

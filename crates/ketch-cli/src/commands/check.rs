//! `ketch check`: reports what is wrong with each file.

use crate::args::{CheckArgs, Format, Origin};
use crate::binary;
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::files;
use crate::input::{self, Input, Stream};
use crate::json_syntax::{self, Texts};
use crate::json_texts;
use crate::progress::Progress;
use crate::read::failure;
use crate::reports::{Reports, counted};
use crate::status::{Failure, Status};
use ketch_yaml::Warning;
use ketch_yaml::compose::Checker;
use std::io::{self, Read};

/// The maximum number of problems that are reported for a file.
const PROBLEMS_MAX: usize = 100;

/// Checks all files. Continues after errors.
pub fn run(args: CheckArgs) -> Result<Status, Failure> {
    let files = files::expand(&args.files)?;
    let mut reports = Reports::new(&files);
    let (mut invalid, mut left_out) = (0, 0);
    for file in &files.names {
        let before = reports.count();
        match check_file(&args, file, &mut reports) {
            Ok(()) => {}
            // Markdown without front matter.
            Err(Failure::Missing(_)) if files.is_group => left_out += 1,
            Err(failure @ (Failure::Closed | Failure::Write(..))) => return Err(failure),
            Err(failure) => show_failure(&failure, args.format, &mut reports)?,
        }
        invalid += u64::from(reports.count() > before);
    }
    let checked = counted(files.names.len() as u64 - left_out, "file");
    let summary = match reports.count() {
        0 => format!("{checked} checked: no problems"),
        count => {
            format!(
                "{checked} checked: {} in {}",
                counted(count, "problem"),
                counted(invalid, "file")
            )
        }
    };
    Ok(reports.finish(Some(summary)))
}

/// Reports the problems and warnings of `file`.
fn check_file(args: &CheckArgs, file: &str, reports: &mut Reports) -> Result<(), Failure> {
    if args.input.origin(file) == Origin::Json && !args.input.front_matter {
        return check_json(args, file, reports);
    }
    let input = input::open_yaml(&args.input, file, input::SMALL_BYTES_MAX)?;
    check(args, file, input.into_stream(), reports).map(drop)
}

/// Reports the problems and warnings of `file`, which must be JSON. The engine knows best where
/// brackets and commas are missing, but it accepts more than JSON.
fn check_json(args: &CheckArgs, file: &str, reports: &mut Reports) -> Result<(), Failure> {
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
    let is_valid = check(args, file, Input::Whole(bytes).into_stream(), reports)?;
    match wrong {
        Err((_, failure)) if is_valid => Err(failure),
        _ => Ok(()),
    }
}

/// Reports the problems and warnings of one file, in the order of their locations. Returns whether
/// there are only warnings.
fn check(
    args: &CheckArgs,
    file: &str,
    stream: Stream,
    reports: &mut Reports,
) -> Result<bool, Failure> {
    let origin = args.input.origin(file);
    let schema = args.schema.unwrap_or(args.read.schema_for(origin));
    let compose = args.compose.options(schema, &args.read);
    let progress = Progress::new(stream.size, true);
    let watched = Watched { stream, progress };
    let mut checker = Checker::new(watched, &args.read.options_for(origin), &compose, PROBLEMS_MAX);
    let (mut shown_warnings, mut is_valid) = (0, true);
    while let Some(error) = checker.next() {
        let before = |warning: &&Warning| warning.location.offset < error.offset();
        shown_warnings += show_warnings(
            args.format,
            file,
            checker.warnings()[shown_warnings..].iter().take_while(before),
            reports,
        )?;
        is_valid = false;
        let head = checker.get_ref().stream.head();
        let failure = failure(file, head, error);
        let failure = if origin.is_foreign() { failure.of_converted() } else { failure };
        show_failure(&failure, args.format, reports)?;
        if binary::describe(head).is_some() {
            // If the file is binary, this message is the only useful one.
            return Ok(false);
        }
    }
    show_warnings(args.format, file, checker.warnings()[shown_warnings..].iter(), reports)?;
    if checker.has_more() {
        show(&Diagnostic::more_problems(file, PROBLEMS_MAX), args.format, reports)?;
    }
    Ok(is_valid)
}

/// Prints `warnings`, and returns their number.
fn show_warnings<'w>(
    format: Format,
    file: &str,
    warnings: impl Iterator<Item = &'w Warning>,
    reports: &mut Reports,
) -> Result<usize, Failure> {
    let mut count = 0;
    for warning in warnings {
        show(&Diagnostic::warning(file, warning), format, reports)?;
        count += 1;
    }
    Ok(count)
}

/// Prints the problem that `failure` contains, and includes its status in that of the run.
fn show_failure(failure: &Failure, format: Format, reports: &mut Reports) -> Result<(), Failure> {
    reports.status(failure.status());
    match failure.diagnostic() {
        Some(diagnostic) => show(&diagnostic, format, reports),
        None => Ok(()),
    }
}

/// Prints `diagnostic`, unless enough are shown already. As JSON, all are shown.
fn show(diagnostic: &Diagnostic, format: Format, reports: &mut Reports) -> Result<(), Failure> {
    let is_shown = reports.is_shown();
    match is_shown || format == Format::Json {
        true => draw::to_stdout(diagnostic, format),
        false => Ok(()),
    }
}

/// A stream that shows on the progress bar how far it has been read.
struct Watched {
    stream: Stream,
    progress: Progress,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.progress.reached(self.stream.read_bytes());
        Ok(count)
    }
}

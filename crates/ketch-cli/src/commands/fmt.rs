//! `ketch fmt`: formats YAML, keeping comments.

use crate::args::{DialectChoice, FormatArgs};
use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::files;
use crate::formats;
use crate::front_matter;
use crate::input;
use crate::line_diff;
use crate::output::{Output, print, replace};
use crate::progress::Phases;
use crate::quiet;
use crate::read;
use crate::reports::{Reports, counted};
use crate::status::{Failure, Status};
use indicatif::HumanCount;
use ketch_bytes::encoding::Encoding;
use ketch_edit::format::{FormatError, format_to, format_with_options};
use ketch_files::Stamp;
use ketch_yaml::Parser;
use std::borrow::Cow;
use std::io::{self, Write};

/// Formats all files. Continues after errors.
pub fn run(args: FormatArgs) -> Result<Status, Failure> {
    if args.read.dialect != DialectChoice::Yaml {
        let why = "`fmt` formats YAML 1.2 only: convert the file with `ketch convert --to yaml`";
        return Err(Failure::Usage(why.to_owned()));
    }
    let files = files::expand(&args.files)?;
    let mut reports = Reports::new(&files);
    let (mut changed, mut left_out) = (0, 0);
    let phases = Phases::new(true);
    for (index, file) in files.names.iter().enumerate() {
        phases.start("formatting", (index, files.names.len()));
        match format(&args, file, &phases) {
            Ok(differs) => {
                changed += u64::from(differs);
                if differs && args.check {
                    reports.status(Status::WrongInput);
                }
            }
            // Markdown without front matter.
            Err(Failure::Missing(_)) if files.is_group => left_out += 1,
            // Nobody reads the output any more.
            Err(failure @ Failure::Closed) => return Err(failure),
            Err(failure) => phases.paused(|| reports.failure(&failure)),
        }
    }
    drop(phases);
    let what = if args.check || args.diff { "would change" } else { "changed" };
    let all = counted(files.names.len() as u64 - left_out, "file");
    let summary =
        format!("{all}: {} {what}, {}", HumanCount(changed), counted(reports.count(), "error"));
    Ok(reports.finish(Some(summary)))
}

/// Formats `file`, and writes or shows the result. Returns whether it differs.
fn format(args: &FormatArgs, file: &str, phases: &Phases) -> Result<bool, Failure> {
    formats::refuse_others("`fmt` formats", file)?;
    let (old, stamp) = match args.check || args.diff {
        true => (input::read(file)?, None),
        false => input::read_to_replace(file)?,
    };
    let is_plain = !(args.front_matter || front_matter::is_markdown(file));
    if is_plain && !args.diff && (args.check || file != "-") {
        let differs = write_changed(args, file, &old, stamp)?;
        if args.check && differs {
            show_name(file, phases)?;
        }
        return Ok(differs);
    }
    let new = formatted(args, file, &old)?;
    let differs = *new != old;
    if args.diff && differs {
        phases.paused(|| show_difference(args, file, &old, &new))?;
    }
    if args.check {
        if differs && !args.diff {
            show_name(file, phases)?;
        }
        return Ok(differs);
    }
    if args.diff {
        return Ok(differs);
    }
    if file == "-" {
        // For standard input, the result always goes to standard output.
        phases.paused(|| print(|out| out.write_all(&new)))?;
    } else if differs {
        replace(file, args.write_through, stamp, &new)?;
    }
    Ok(differs)
}

/// Formats the text `old` of `file`, and returns whether the result differs. Then, the file is replaced
/// unless it is only checked. The result is never in memory as a whole.
fn write_changed(
    args: &FormatArgs,
    file: &str,
    old: &[u8],
    stamp: Option<Stamp>,
) -> Result<bool, Failure> {
    let mut out = Replaced { file, args, stamp, output: None, refusal: None };
    let formatted = format_to(old, &args.options(), &mut out);
    if let Some(failure) = out.refusal {
        return Err(failure);
    }
    let differs = formatted.map_err(|error| match error {
        FormatError::Io(error) => Failure::write(file, error),
        error => failure(file, old, error),
    })?;
    match out.output {
        Some(output) if differs => output.finish().map(|()| true),
        // Nothing is left of a file of only white space.
        None if differs && !args.check => {
            replace(file, args.write_through, out.stamp, b"").map(|()| true)
        }
        _ => Ok(differs),
    }
}

/// A file that is opened to be replaced once something is written to it, unless it is only checked.
struct Replaced<'a> {
    file: &'a str,
    args: &'a FormatArgs,
    stamp: Option<Stamp>,
    output: Option<Output>,
    /// Why the file cannot be replaced.
    refusal: Option<Failure>,
}

impl Write for Replaced<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let output = match &mut self.output {
            _ if self.args.check => return Ok(bytes.len()),
            Some(output) => output,
            none => {
                let stamp = self.stamp.take();
                match Output::open_unchanged(self.file, self.args.write_through, stamp) {
                    Ok(output) => none.insert(output),
                    Err(failure) => {
                        self.refusal = Some(failure);
                        return Err(io::ErrorKind::Other.into());
                    }
                }
            }
        };
        output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints the name of `file`, which would change.
fn show_name(file: &str, phases: &Phases) -> Result<(), Failure> {
    if quiet::is_on() {
        return Ok(());
    }
    phases.paused(|| print(|out| writeln!(out, "{}", file_name::shown(file))))
}

/// Returns the text `old` of `file` with a new layout. In Markdown, only the front matter changes.
fn formatted<'t>(args: &FormatArgs, file: &str, old: &'t [u8]) -> Result<Cow<'t, [u8]>, Failure> {
    let failed = |text: &[u8], error| failure(file, text, error);
    if !(args.front_matter || front_matter::is_markdown(file)) {
        return format_with_options(old, &args.options()).map_err(|error| failed(old, error));
    }
    let mut head = old.to_vec();
    let rest = front_matter::cut(file, &mut head)?;
    let new = format_with_options(&head, &args.options()).map_err(|error| failed(&head, error))?;
    Ok([&new[..], &rest].concat().into())
}

/// Prints the difference between `old` and `new` as a unified diff.
fn show_difference(args: &FormatArgs, file: &str, old: &[u8], new: &[u8]) -> Result<(), Failure> {
    let name = file_name::shown(file);
    let (old, new) = (as_utf8(args, old), as_utf8(args, new));
    line_diff::print(name, &old, &new)
}

/// Returns `text` in UTF-8, so that it can be shown.
fn as_utf8<'t>(args: &FormatArgs, text: &'t [u8]) -> Cow<'t, [u8]> {
    match Encoding::detect(text).0 {
        Encoding::Utf8 => text.into(),
        _ => Parser::with_options(text, &args.read.options()).text().to_vec().into(),
    }
}

/// Returns the failure for `file`, which could not be formatted.
fn failure(file: &str, text: &[u8], error: FormatError) -> Failure {
    let (kind, class, help) = match &error {
        FormatError::TooLong(_) => {
            ("TooLong", "limit", "Raise `--max-output-bytes` if you trust the input.")
        }
        _ => (
            "Internal",
            "other",
            "The file is unchanged. Please report this, with the file if possible.",
        ),
    };
    let message = match error {
        FormatError::Yaml(error) => return read::failure(file, text, error),
        FormatError::TooLong(max) => format!("the formatted text is longer than {max} bytes"),
        error => error.to_string(),
    };
    let mut diagnostic = Diagnostic::sentence(file, kind, class, message);
    diagnostic.help = Some(help.to_owned());
    Failure::Input(Box::new(diagnostic))
}

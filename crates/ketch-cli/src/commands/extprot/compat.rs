//! `ketch extprot compat`: reports whether readers with one of two schemas can read data of the
//! other.

use crate::args::{CompatArgs, Format, Require};
use crate::diagnostic::{self, Diagnostic, Related, Severity};
use crate::draw;
use crate::output::{print, stdout_failed};
use crate::schema;
use crate::status::{Failure, Status};
use crate::stdout;
use ketch_extprot::compat::{self, Direction, Finding, Report};
use ketch_extprot::schema::Schema;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Compares the two schemas, and prints the findings.
pub fn run(args: CompatArgs) -> Result<Status, Failure> {
    // Both schemas are read before the first error is returned, so that the errors of both are
    // reported.
    let (old, new) = match (schema::open(&args.old)?, schema::open(&args.new)?) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(status), _) | (_, Err(status)) => return Ok(status),
    };
    let report = compat::compare(&old, &new);
    for finding in &report.findings {
        match args.format {
            Format::Text => draw::to_stdout(&diagnostic(&old, &new, finding, &args), args.format)?,
            Format::Json => print_json(finding)?,
        }
    }
    if args.format == Format::Text {
        print(|out| out.write_all(verdict(&report).as_bytes()))?;
    }
    let fails = report.findings.iter().any(|finding| is_failure(finding, &args));
    Ok(if fails { Status::WrongInput } else { Status::Success })
}

/// Returns whether `finding` makes the command fail.
fn is_failure(finding: &Finding, args: &CompatArgs) -> bool {
    let counts = args.strict || finding.severity == compat::Severity::Break;
    counts && is_required(finding, args.require)
}

/// Returns whether `finding` is about a direction that is required.
fn is_required(finding: &Finding, require: Require) -> bool {
    match require {
        Require::Both => true,
        Require::Backward => finding.direction == Direction::Backward,
        Require::Forward => finding.direction == Direction::Forward,
    }
}

/// Returns which readers read which data in `direction`, in words.
fn readers(direction: Direction) -> &'static str {
    match direction {
        Direction::Backward => "new readers of old data",
        Direction::Forward => "old readers of new data",
    }
}

/// Returns `finding` as a diagnostic with its locations in both schemas.
fn diagnostic(old: &Schema, new: &Schema, finding: &Finding, args: &CompatArgs) -> Diagnostic {
    let name = |schema: &Schema, file: u32| schema.sources().0[file as usize].name.clone();
    let file = name(new, finding.new_span.map_or(0, |span| span.file));
    let message = format!(
        "{}: {}{}: {}",
        readers(finding.direction),
        finding.message,
        finding.path,
        finding.reason
    );
    let mut diagnostic = Diagnostic::sentence(&file, "Compat", "semantic", message);
    if !is_failure(finding, args) {
        diagnostic.severity = Severity::Warning;
    }
    diagnostic.location = finding.new_span.map(|span| diagnostic::location(new.sources(), span));
    diagnostic.label = "the new schema".into();
    diagnostic.related = finding.old_span.map(|span| Related {
        message: "the old schema".into(),
        file: Some(name(old, span.file)),
        location: diagnostic::location(old.sources(), span),
    });
    let mut help = finding.help.to_owned();
    if let Some(witness) = &finding.witness {
        let _ = write!(help, "\nFor example, these bytes cannot be read:{}", hex(witness));
    }
    diagnostic.help = Some(help);
    diagnostic
}

/// The maximum number of bytes of a witness that are shown. A witness for a large message is large
/// itself.
const WITNESS_BYTES_MAX: usize = 64;

/// Returns the first [`WITNESS_BYTES_MAX`] of `bytes` in hexadecimal, followed by dots if there are
/// more.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes.iter().take(WITNESS_BYTES_MAX) {
        let _ = write!(text, " {byte:02x}");
    }
    if bytes.len() > WITNESS_BYTES_MAX {
        text.push_str(" ...");
    }
    text
}

/// Returns the lines that summarize the report, with one line for each direction.
fn verdict(report: &Report) -> String {
    let more = "More findings are not shown.\n";
    format!(
        "{}{}: {}\n{}: {}\n",
        if report.truncated { more } else { "" },
        readers(Direction::Backward),
        report.verdict(Direction::Backward),
        readers(Direction::Forward),
        report.verdict(Direction::Forward),
    )
}

/// A finding as it is printed in JSON.
#[derive(Serialize)]
struct JsonFinding<'f> {
    direction: &'static str,
    severity: &'static str,
    message: &'f str,
    path: &'f str,
    reason: &'f str,
    help: &'f str,
    old: &'f str,
    new: &'f str,
    witness: Option<String>,
}

/// Prints `finding` as a line of JSON.
fn print_json(finding: &Finding) -> Result<(), Failure> {
    let json = JsonFinding {
        direction: match finding.direction {
            Direction::Backward => "backward",
            Direction::Forward => "forward",
        },
        severity: match finding.severity {
            compat::Severity::Break => "break",
            compat::Severity::Warning => "warning",
        },
        message: &finding.message,
        path: &finding.path,
        reason: &finding.reason,
        help: finding.help,
        old: &finding.old_place,
        new: &finding.new_place,
        witness: finding
            .witness
            .as_ref()
            .map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
    };
    let mut out = stdout::lock();
    serde_json::to_writer(&mut out, &json)
        .map_err(io::Error::from)
        .and_then(|()| writeln!(out))
        .map_err(stdout_failed)
}

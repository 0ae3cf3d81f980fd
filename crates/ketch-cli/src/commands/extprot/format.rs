//! `ketch extprot format`: formats schemas.

use crate::args::SchemaFormatArgs;
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::file_name;
use crate::output::{print, replace};
use crate::schema;
use crate::status::{Failure, Status};
use ketch_extprot::schema::format_schema;

/// Formats all schemas. Continues after errors.
pub fn run(args: SchemaFormatArgs) -> Result<Status, Failure> {
    if args.write && args.files.iter().any(|file| file == "-") {
        return Err(Failure::Usage("standard input cannot be written back".to_owned()));
    }
    let mut status = Status::Success;
    for file in &args.files {
        match format(&args, file) {
            Ok(formatted) => status = status.max(formatted),
            Err(failure @ (Failure::Closed | Failure::Write(..))) => return Err(failure),
            Err(failure) => status = status.max(draw::failure(&failure)),
        }
    }
    Ok(status)
}

/// Formats the schema `file`, and writes or prints the result.
fn format(args: &SchemaFormatArgs, file: &str) -> Result<Status, Failure> {
    let (source, stamp) = match args.write {
        true => schema::source_to_replace(file)?,
        false => (schema::source(file)?, None),
    };
    let formatted = format_schema(&source.name, &source.text).map_err(|errors| {
        // The parser stops at the first error, so the list has only one.
        let first = Diagnostic::schema(&errors, &errors.list[0]);
        Failure::Input(Box::new(first))
    })?;
    let differs = formatted != source.text;
    if args.check {
        if differs {
            print(|out| writeln!(out, "{}", file_name::shown(file)))?;
        }
        return Ok(if differs { Status::WrongInput } else { Status::Success });
    }
    if !args.write {
        print(|out| out.write_all(formatted.as_bytes()))?;
    } else if differs {
        replace(file, args.write_through, stamp, formatted.as_bytes())?;
    }
    Ok(Status::Success)
}

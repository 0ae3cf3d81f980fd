//! `ketch collect`: writes the documents of files as one stream.

use super::{meaning, read};
use crate::args::CollectArgs;
use crate::diagnostic::Diagnostic;
use crate::files;
use crate::output::Output;
use crate::read::failure;
use crate::status::{Failure, Status};
use ketch_edit::document_spans;
use std::io::Write;

/// Joins the files into one stream, and checks that this does not change what their documents mean.
pub fn run(args: CollectArgs) -> Result<Status, Failure> {
    let mut out = String::new();
    let mut expected = Vec::new();
    let mut has_document = false;
    for file in files::expand(&args.files)?.names {
        let text = read(&file, args.front_matter)?;
        let wrong = |error| failure(&file, text.as_bytes(), error);
        let found = document_spans(&text).map_err(wrong)?;
        expected.extend(meaning(&text).map_err(wrong)?);
        if let Some(first) = found.first() {
            // Directives are allowed only after a document end marker.
            if has_document {
                out.push_str(match (first.has_directives, first.has_marker) {
                    (true, _) => "...\n",
                    (_, true) => "",
                    _ => "---\n",
                });
            }
            has_document = true;
        }
        out.push_str(&text);
        if !text.is_empty() && !text.ends_with('\n') {
            out.push('\n');
        }
    }
    if meaning(&out).ok().as_ref() != Some(&expected) {
        let message = "joining these files would change the meaning of the documents".to_owned();
        let mut diagnostic =
            Diagnostic::sentence("collect", "would-change-meaning", "semantic", message);
        diagnostic.help = Some("End each file with a line break.".to_owned());
        return Err(Failure::Input(Box::new(diagnostic)));
    }
    let mut output = Output::open(args.output.as_deref(), false)?;
    let written = output.write_all(out.as_bytes());
    written.map_err(|error| Failure::write(output.name(), error))?;
    output.finish()?;
    Ok(Status::Success)
}

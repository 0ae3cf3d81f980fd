//! `ketch split`: writes each document of a stream to a file of its own.

use super::{meaning, read};
use crate::args::SplitArgs;
use crate::commands::get::wrong_path;
use crate::diagnostic::Diagnostic;
use crate::input;
use crate::output::{Output, print};
use crate::quiet;
use crate::read::failure;
use crate::status::{Failure, Status};
use ketch_edit::{DocumentSpan, document_spans};
use ketch_yaml::Documents;
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::path::Path as NodePath;
use ketch_yaml::schema::{Scalar, Schema};
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file for each document. Fails before it writes any if a name is invalid, occurs twice
/// or belongs to an existing file.
pub fn run(args: SplitArgs) -> Result<Status, Failure> {
    input::expects_files(std::slice::from_ref(&args.file))?;
    let path: Option<NodePath> = match &args.name {
        Some(name) => Some(name.parse().map_err(|error| wrong_path(name, &error))?),
        None => None,
    };
    let text = read(&args.file, args.front_matter)?;
    let found =
        document_spans(&text).map_err(|error| failure(&args.file, text.as_bytes(), error))?;
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    let mut taken: HashMap<String, usize> = HashMap::new();
    for (index, span) in found.iter().enumerate() {
        let name = match &path {
            Some(_) if is_empty(&text[span.range.clone()]) => continue,
            Some(path) => name_of(&args.file, &text[span.range.clone()], path, index)?,
            None => numbered(&args.file, index),
        };
        if let Some(other) = taken.insert(name.clone(), index) {
            let message = format!("documents {other} and {index} both have the name `{name}`");
            return Err(wrong(&args.file, message));
        }
        let path = Path::new(&args.to).join(name);
        if !args.overwrite && fs::symlink_metadata(&path).is_ok() {
            let message = format!("{} exists; `--overwrite` replaces it", path.display());
            return Err(Failure::Usage(message));
        }
        files.push((path, document(&args.file, &text, span)?));
    }
    fs::create_dir_all(&args.to).map_err(|error| Failure::write(&args.to, error))?;
    for (path, text) in &files {
        let name = path.to_string_lossy();
        let mut output = Output::open(Some(&name), false)?;
        let written = output.write_all(text.as_bytes());
        written.map_err(|error| Failure::write(output.name(), error))?;
        output.finish()?;
        if !quiet::is_on() {
            print(|out| writeln!(out, "{name}"))?;
        }
    }
    Ok(Status::Success)
}

/// Returns whether the document `text` has nothing but comments.
fn is_empty(text: &str) -> bool {
    text.lines().all(|line| {
        let rest = line.strip_prefix("---").filter(|rest| !rest.starts_with('#'));
        let rest = rest.unwrap_or(line).trim_start();
        rest.is_empty() || rest.starts_with('#')
    })
}

/// Returns the failure for a document of `file` that has no valid name.
fn wrong(file: &str, message: String) -> Failure {
    Failure::Input(Box::new(Diagnostic::sentence(file, "bad-name", "semantic", message)))
}

/// Returns a file name that consists of the name of `file` without its extension, and the number
/// `index` of the document.
fn numbered(file: &str, index: usize) -> String {
    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy());
    match stem.filter(|stem| stem != "-") {
        Some(stem) => format!("{stem}-{index}.yaml"),
        None => format!("{index}.yaml"),
    }
}

/// Returns the file name for document `index`, which is the text at `path` in the document `text`.
fn name_of(file: &str, text: &str, path: &NodePath, index: usize) -> Result<String, Failure> {
    let failed = |error| wrong(file, format!("document {index}: {error}"));
    let document = Documents::new(text.as_bytes()).next().transpose().map_err(failed)?;
    let document = document.unwrap_or_default();
    let nodes = document.root().select(path).map_err(failed)?;
    // The name is written as in the document: `3.10` is not the number 3.1.
    let is_text = |node: &Node<'_>| {
        node.resolved().kind() == Kind::Scalar
            && !matches!(node.scalar(Schema::Core), Ok(Scalar::Null))
    };
    let Some(name) = nodes.first().filter(|node| is_text(node)).map(|node| node.text()) else {
        return Err(wrong(file, format!("document {index} has no text at `{path}`")));
    };
    if name.is_empty() || name.contains(['/', '\\', '\0']) || name.starts_with('.') {
        let message = format!("document {index}: `{name}` cannot be the name of a file");
        return Err(wrong(file, message));
    }
    Ok(format!("{name}.yaml"))
}

/// Returns the document at `span` as a text of its own that has the same meaning.
fn document(file: &str, text: &str, span: &DocumentSpan) -> Result<String, Failure> {
    let whole = &text[span.range.clone()];
    let Some(marker) = &span.marker else { return Ok(whole.to_owned()) };
    let own = [&text[span.range.start..marker.start], &text[marker.end..span.range.end]].concat();
    let parsed = |text: &str| meaning(text).map_err(|error| failure(file, text.as_bytes(), error));
    // The marker is left out if that does not change the meaning. An empty document, for example,
    // needs it.
    let is_same = meaning(&own).is_ok_and(|own| parsed(whole).is_ok_and(|whole| own == whole));
    Ok(if is_same { own } else { whole.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn numbered_names_come_from_the_input_and_the_number() {
        assert_eq!(numbered("a/b.yml", 0), "b-0.yaml");
        assert_eq!(numbered("-", 3), "3.yaml");
    }
}

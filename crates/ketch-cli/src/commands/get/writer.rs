//! Writes nodes as YAML, as JSON, or as the text of scalars.

use crate::args::{GetArgs, Shape};
use crate::diagnostic::Diagnostic;
use crate::output::stdout_failed;
use crate::status::Failure;
use crate::stdout::{self, Stdout};
use ketch_yaml::compose::{JsonError, JsonWriter, Kind, Node, Style};
use ketch_yaml::present::{PresentError, Presenter};
use ketch_yaml::represent::KeyOrder;
use ketch_yaml::{Documents, Error, Location};
use std::io::{self, BufWriter, Write};

/// The reason why a node was not written.
pub enum Refused {
    /// The node is not valid for its tag, or JSON cannot represent it.
    Yaml(Error),
    /// The node is a collection, which has no text.
    Collection(Kind),
    Write(Failure),
}

/// Writes nodes to standard output.
pub struct Writer {
    form: Form,
}

type Out = BufWriter<Stdout>;

enum Form {
    Yaml(Box<Presenter<Out>>, KeyOrder),
    Json(JsonWriter, Vec<u8>, Out),
    Raw(Out),
}

impl Writer {
    /// Creates a writer for the format that the arguments choose.
    pub fn new(args: &GetArgs) -> Writer {
        let out = BufWriter::new(stdout::lock());
        let form = match args.to {
            Shape::Yaml => {
                let options = args.yaml.options(false, args.json_options().schema);
                let yaml = Presenter::with_options(out, &options);
                Form::Yaml(Box::new(yaml), args.yaml.key_order())
            }
            Shape::Json => Form::Json(JsonWriter::new(&args.json_options()), Vec::new(), out),
            Shape::Raw => Form::Raw(out),
        };
        Writer { form }
    }

    /// Writes `node` completely or, after an error in it, not at all.
    pub fn write(&mut self, node: Node<'_>) -> Result<(), Refused> {
        match &mut self.form {
            Form::Yaml(yaml, order) => {
                // An empty document would not be read as a document, so it is written as null.
                let null = is_empty_plain(node).then(|| Documents::new(b"null").next());
                let null = null.flatten().transpose().map_err(Refused::Yaml)?;
                let node = null.as_ref().map_or(node, |null| null.root());
                yaml.node(node, *order).map_err(|error| failed(error).into())
            }
            Form::Json(json, line, out) => {
                line.clear();
                match json.write_node(node, line) {
                    Ok(()) => {}
                    Err(JsonError::Document(error)) => return Err(Refused::Yaml(error)),
                    Err(error) => return Err(stdout_failed(io::Error::other(error)).into()),
                }
                line.push(b'\n');
                out.write_all(line).map_err(|error| stdout_failed(error).into())
            }
            Form::Raw(_) if node.resolved().kind() != Kind::Scalar => {
                Err(Refused::Collection(node.resolved().kind()))
            }
            Form::Raw(_) => Ok(self.write_text(&node.text())?),
        }
    }

    /// Writes `text` as a scalar that is a string.
    pub fn write_string(&mut self, text: &str) -> Result<(), Refused> {
        if matches!(self.form, Form::Raw(_)) {
            return Ok(self.write_text(text.strip_suffix('\n').unwrap_or(text))?);
        }
        self.write_value(&serde_json::Value::from(text).to_string())
    }

    /// Writes null. If the format is raw text, this is an empty line.
    pub fn write_null(&mut self) -> Result<(), Refused> {
        if matches!(self.form, Form::Raw(_)) {
            return Ok(self.write_text("")?);
        }
        self.write_value("null")
    }

    /// Writes the root of `document`, which is YAML text.
    fn write_value(&mut self, document: &str) -> Result<(), Refused> {
        let document = Documents::new(document.as_bytes()).next().transpose();
        let document = document.map_err(Refused::Yaml)?.unwrap_or_default();
        self.write(document.root())
    }

    /// Writes `text` and a line break. Does nothing unless the format is raw text.
    pub fn write_text(&mut self, text: &str) -> Result<(), Failure> {
        let Form::Raw(out) = &mut self.form else { return Ok(()) };
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).map_err(stdout_failed)
    }

    /// Writes what is still buffered, and flushes standard output.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let flushed = match &mut self.form {
            Form::Yaml(yaml, _) => {
                yaml.flush_documents().map_err(failed)?;
                yaml.get_mut().flush()
            }
            Form::Json(_, _, out) | Form::Raw(out) => out.flush(),
        };
        flushed.map_err(stdout_failed)
    }

    /// Writes what is still buffered. All complete values have been written then.
    pub fn finish(self) -> Result<(), Failure> {
        let mut out = match self.form {
            Form::Yaml(yaml, _) => yaml.into_whole().map_err(failed)?,
            Form::Json(_, _, out) | Form::Raw(out) => out,
        };
        out.flush().map_err(stdout_failed)
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        Refused::Write(failure)
    }
}

/// Returns the failure for `error`, an error of the presenter.
fn failed(error: PresentError) -> Failure {
    stdout_failed(match error {
        PresentError::Write(error) => error,
        other => io::Error::other(other),
    })
}

/// Returns whether `node` is an empty node, as the value in `a:`.
fn is_empty_plain(node: Node<'_>) -> bool {
    let node = node.resolved();
    node.kind() == Kind::Scalar
        && node.style() == Style::Plain
        && node.tag().is_none()
        && node.content().is_empty()
}

/// Returns the diagnostic for a collection at `location` in `file`, which cannot be printed as raw
/// text.
pub fn not_raw(file: &str, kind: Kind, location: Location) -> Diagnostic {
    let what = if kind == Kind::Mapping { "a mapping" } else { "a sequence" };
    let message = format!("{what} has no text");
    let mut diagnostic = Diagnostic::sentence(file, "NotAScalar", "semantic", message);
    diagnostic.location = Some(location);
    diagnostic.help =
        Some("Extend the path to a scalar, or use `--to yaml` or `--to json`.".to_owned());
    diagnostic
}

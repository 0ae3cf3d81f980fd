//! Writes nodes as text, YAML, JSON or tables, or what is in them.

use super::outline;
use crate::args::{GetArgs, Shape, Target, YamlArgs};
use crate::color;
use crate::diagnostic::Diagnostic;
use crate::documents::Refusal;
use crate::output::{Out, stdout_failed};
use crate::status::Failure;
use crate::writers;
use ketch_query::{DocumentText, Value, document_text};
use ketch_yaml::compose::{JsonError, JsonWriter, Kind, Node, Style};
use ketch_yaml::present::{PresentError, PresentOptions, Presenter};
use ketch_yaml::represent::KeyOrder;
use ketch_yaml::{Documents, Error, Location};
use std::io::{self, Write};

/// The reason why a node was not written.
pub enum Refused {
    /// The node is not valid for its tag, or the format cannot represent it.
    Yaml(Error),
    /// The node is a scalar, which has no keys.
    NoKeys,
    Write(Failure),
}

/// Writes nodes to standard output.
pub struct Writer {
    /// The name that is printed before each result.
    pub name: Option<String>,
    form: Form,
    /// How what the results of a program have written ends.
    end: End,
}

/// How a text ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// There is none.
    None,
    /// With a line.
    Line,
    /// With the marker `...`.
    Marker,
}

enum Form {
    Yaml(Box<Presenter<Out>>, KeyOrder, Scalars),
    /// JSON, with the text that ends each result.
    Json(JsonWriter, Vec<u8>, &'static str, Out),
    /// The text of scalars, and collections as JSON. The text ends each result.
    Raw(JsonWriter, &'static str, Out),
    Table(Box<writers::Writer>, String, Out),
    Listing(Listing, Out),
}

/// How scalars are written among YAML.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalars {
    /// As documents.
    Yaml,
    /// As text, and nothing has been written yet.
    First,
    /// As text, after another one.
    AfterText,
    /// As text, after a collection.
    AfterCollection,
}

impl Scalars {
    /// Starts a collection, after scalars that were written as text.
    fn start_collection(&mut self, yaml: &mut Presenter<Out>) {
        if *self == Scalars::AfterText {
            yaml.continue_stream();
        }
        if *self != Scalars::Yaml {
            *self = Scalars::AfterCollection;
        }
    }
}

/// What is listed of a node.
#[derive(Clone, Copy)]
enum Listing {
    Keys,
    Length,
    Tree,
    /// Only lines that are given as text.
    Lines,
}

impl Writer {
    /// Creates a writer for the format that the arguments choose. `is_foreign` says that the inputs
    /// have no YAML styles.
    pub fn new(args: &GetArgs, is_foreign: bool) -> Writer {
        let out = Out::new(color::is_on());
        let listing = [
            (args.view.keys, Listing::Keys),
            (args.view.length, Listing::Length),
            (args.view.tree, Listing::Tree),
            (args.view.paths, Listing::Lines),
        ];
        if let Some((_, listing)) = listing.into_iter().find(|(is_given, _)| *is_given) {
            return Writer { name: None, form: Form::Listing(listing, out), end: End::None };
        }
        let table = |target| writers::Writer::new(target, &args.json_options()).map(Box::new);
        let name = || args.files.first().cloned().unwrap_or_default();
        let end = if args.join { "" } else { "\n" };
        let form = match args.shape() {
            shape @ (Shape::Yaml | Shape::Text) => {
                let options = args.yaml.options(is_foreign, args.json_options().schema);
                let yaml = Presenter::with_options(out, &options);
                let scalars = if shape == Shape::Text { Scalars::First } else { Scalars::Yaml };
                Form::Yaml(Box::new(yaml), args.yaml.key_order(), scalars)
            }
            Shape::Raw => Form::Raw(JsonWriter::new(&args.json_options()), end, out),
            shape => match table(shape.target()) {
                Some(table) => Form::Table(table, name(), out),
                None => Form::Json(JsonWriter::new(&args.json_options()), Vec::new(), end, out),
            },
        };
        Writer { name: None, form, end: End::None }
    }

    /// Creates a writer of YAML to `out`. `is_text` says that scalars are written as text.
    pub fn of_yaml(out: Out, args: &YamlArgs, options: &PresentOptions, is_text: bool) -> Writer {
        let yaml = Box::new(Presenter::with_options(out, options));
        let scalars = if is_text { Scalars::First } else { Scalars::Yaml };
        let form = Form::Yaml(yaml, args.key_order(), scalars);
        Writer { name: None, form, end: End::None }
    }

    /// Writes the result of a program as YAML.
    pub fn write_result(&mut self, value: &Value) -> Result<(), Failure> {
        let Form::Yaml(yaml, order, scalars) = &mut self.form else { return Ok(()) };
        let before = std::mem::replace(&mut self.end, End::Line);
        if *scalars != Scalars::Yaml && value.entry_count().is_none() {
            let text = value.as_text();
            // A scalar that is no text is short.
            let text = text.map(|text| text.to_string());
            let text = text.or_else(|| value.to_yaml().ok()).unwrap_or_default();
            return self.write_text(text.strip_suffix('\n').unwrap_or(&text));
        }
        scalars.start_collection(yaml);
        match document_text(value) {
            Some(document) => self.write_document(&document, before),
            None => value.write_yaml(yaml, *order).map_err(failed),
        }
    }

    /// Writes the text of a document after other results.
    fn write_document(&mut self, document: &DocumentText, before: End) -> Result<(), Failure> {
        let Form::Yaml(yaml, ..) = &mut self.form else { return Ok(()) };
        yaml.flush_documents().map_err(failed)?;
        let DocumentText { text, has_marker, has_directives, is_first } = document;
        // Inside a stream, a byte order mark is an error.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A marker is only needed after something else.
        let bare = text
            .strip_prefix("---")
            .and_then(|rest| rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")));
        let text = bare.filter(|_| before == End::None && !is_first).unwrap_or(text);
        let out = yaml.get_mut();
        if before == End::Line {
            match (has_directives, has_marker) {
                (true, _) => out.write_all(b"...\n"),
                (false, true) => Ok(()),
                (false, false) => out.write_all(b"---\n"),
            }
            .map_err(stdout_failed)?;
        }
        out.write_all(text.as_bytes()).map_err(stdout_failed)?;
        if !text.ends_with('\n') {
            out.write_all(b"\n").map_err(stdout_failed)?;
        }
        let written = out.paint();
        if text.lines().next_back() == Some("...") {
            self.end = End::Marker;
        }
        yaml.continue_stream();
        written.map_err(stdout_failed)
    }

    /// Writes `node` completely or, after an error in it, not at all.
    pub fn write(&mut self, node: Node<'_>) -> Result<(), Refused> {
        let is_scalar = node.resolved().kind() == Kind::Scalar;
        match &mut self.form {
            Form::Yaml(_, _, scalars) if is_scalar && *scalars != Scalars::Yaml => {
                match is_empty_plain(node) {
                    true => Ok(self.write_text("null")?),
                    false => Ok(self.write_text(&node.text())?),
                }
            }
            Form::Yaml(yaml, order, scalars) => {
                if let Some(name) = &self.name {
                    yaml.flush_documents().map_err(failed)?;
                    yaml.get_mut()
                        .plain(format!("# {name}\n").as_bytes())
                        .map_err(stdout_failed)?;
                }
                write_yaml(yaml, *order, scalars, node)
            }
            Form::Json(json, line, end, out) => {
                write_json(json, line, node)?;
                line.extend_from_slice(end.as_bytes());
                let written = out.write_all(line).and_then(|()| out.paint());
                written.map_err(|error| stdout_failed(error).into())
            }
            Form::Raw(..) if is_scalar => Ok(self.write_text(&node.text())?),
            Form::Raw(json, ..) => {
                let mut line = Vec::new();
                write_json(json, &mut line, node)?;
                Ok(self.write_text(&String::from_utf8_lossy(&line))?)
            }
            Form::Table(table, name, _) => {
                table.document(name, node).map_err(|error| match error {
                    Refusal::Document(error) => Refused::Yaml(error),
                    Refusal::Failure(failure) => Refused::Write(failure),
                    Refusal::Conversion(error) => stdout_failed(io::Error::other(error)).into(),
                })
            }
            Form::Listing(listing, _) => {
                let lines = match listing {
                    Listing::Keys => outline::keys(node).ok_or(Refused::NoKeys)?,
                    Listing::Length => vec![outline::length(node).to_string()],
                    Listing::Tree => outline::tree(node),
                    Listing::Lines => Vec::new(),
                };
                Ok(lines.iter().try_for_each(|line| self.write_text(line))?)
            }
        }
    }

    /// Writes `text` as a scalar that is a string.
    pub fn write_string(&mut self, text: &str) -> Result<(), Refused> {
        if self.has_text() {
            return Ok(self.write_text(text.strip_suffix('\n').unwrap_or(text))?);
        }
        self.write_value(&serde_json::Value::from(text).to_string())
    }

    /// Writes null. If the format is raw text, this is an empty line.
    pub fn write_null(&mut self) -> Result<(), Refused> {
        match self.form {
            Form::Raw(..) => Ok(self.write_text("")?),
            _ => self.write_value("null"),
        }
    }

    /// Returns whether scalars are written as text.
    fn has_text(&self) -> bool {
        match &self.form {
            Form::Raw(..) => true,
            Form::Yaml(_, _, scalars) => *scalars != Scalars::Yaml,
            _ => false,
        }
    }

    /// Writes the root of `document`, which is YAML text.
    fn write_value(&mut self, document: &str) -> Result<(), Refused> {
        let document = Documents::new(document.as_bytes()).next().transpose();
        let document = document.map_err(Refused::Yaml)?.unwrap_or_default();
        self.write(document.root())
    }

    /// Writes `text`, and a line break. Does nothing if the format has no text.
    pub fn write_text(&mut self, text: &str) -> Result<(), Failure> {
        let (out, end) = match &mut self.form {
            Form::Raw(_, end, out) => (out, *end),
            Form::Listing(_, out) => (out, "\n"),
            Form::Yaml(yaml, _, scalars) if *scalars != Scalars::Yaml => {
                let is_after_collection = *scalars == Scalars::AfterCollection;
                if is_after_collection {
                    yaml.flush_documents().map_err(failed)?;
                }
                *scalars = Scalars::AfterText;
                let out = yaml.get_mut();
                if is_after_collection {
                    out.plain(b"---\n").map_err(stdout_failed)?;
                }
                (out, "\n")
            }
            _ => return Ok(()),
        };
        if let Some(name) = &self.name {
            out.plain(format!("{name}: ").as_bytes()).map_err(stdout_failed)?;
        }
        let written = out.plain(text.as_bytes()).and_then(|()| out.plain(end.as_bytes()));
        written.map_err(stdout_failed)
    }

    /// Writes what is still buffered, and flushes standard output.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let flushed = match &mut self.form {
            Form::Yaml(yaml, ..) => {
                yaml.flush_documents().map_err(failed)?;
                yaml.get_mut().flush()
            }
            Form::Json(.., out)
            | Form::Raw(_, _, out)
            | Form::Listing(_, out)
            | Form::Table(_, _, out) => out.flush(),
        };
        flushed.map_err(stdout_failed)
    }

    /// Writes what is still buffered. All complete values have been written then.
    pub fn finish(self) -> Result<(), Failure> {
        let mut out = match self.form {
            Form::Yaml(yaml, ..) => yaml.into_whole().map_err(failed)?,
            Form::Table(table, _, mut out) => {
                let text = table.finish().map_err(stdout_failed)?;
                out.plain(&text).map_err(stdout_failed)?;
                out
            }
            Form::Json(.., out) | Form::Raw(_, _, out) | Form::Listing(_, out) => out,
        };
        out.flush().map_err(stdout_failed)
    }
}

impl Shape {
    /// Returns the format of conversions that this is.
    fn target(self) -> Target {
        match self {
            Shape::Toml => Target::Toml,
            Shape::Csv => Target::Csv,
            Shape::Tsv => Target::Tsv,
            Shape::Json | Shape::Raw => Target::Json,
            Shape::Text | Shape::Yaml => Target::Yaml,
        }
    }
}

/// Writes `node` as YAML.
fn write_yaml(
    yaml: &mut Presenter<Out>,
    order: KeyOrder,
    scalars: &mut Scalars,
    node: Node<'_>,
) -> Result<(), Refused> {
    scalars.start_collection(yaml);
    // An empty document would not be read as a document, so it is written as null.
    let null = is_empty_plain(node).then(|| Documents::new(b"null").next());
    let null = null.flatten().transpose().map_err(Refused::Yaml)?;
    let node = null.as_ref().map_or(node, |null| null.root());
    yaml.node(node, order).map_err(|error| failed(error).into())
}

/// Writes `node` as JSON to `line`, which is cleared before.
fn write_json(json: &mut JsonWriter, line: &mut Vec<u8>, node: Node<'_>) -> Result<(), Refused> {
    line.clear();
    json.write_node(node, line).map_err(|error| match error {
        JsonError::Document(error) => Refused::Yaml(error),
        error => stdout_failed(io::Error::other(error)).into(),
    })
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

/// Returns the diagnostic for a scalar at `location` in `file`, whose keys were to be printed.
pub fn no_keys(file: &str, location: Location) -> Diagnostic {
    let message = "a scalar has no keys".to_owned();
    let mut diagnostic = Diagnostic::sentence(file, "NoKeys", "semantic", message);
    diagnostic.location = Some(location);
    diagnostic.help = Some("`--length` and `--tree` show any value.".to_owned());
    diagnostic
}

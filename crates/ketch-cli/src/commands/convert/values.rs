//! Writes values in the format that the arguments choose.

use crate::args::{ConvertArgs, Target};
use crate::output::{Output, WholeDocuments};
use ketch::typed::Constructors;
use ketch::{ConvertError as Error, Encoder, Item, JsonSink, Problem, Sink, YamlSink};
use std::io::{self, BufWriter, Write};

/// A value that can be written.
pub trait Source {
    /// Passes the items of the value to `sink`, with constructors in the form `constructors`.
    fn send(&mut self, constructors: Constructors, sink: &mut impl Sink) -> Result<(), Error>;

    /// Returns an error for `problem` at the location of the value.
    fn error(&self, problem: Problem) -> Error;

    /// Returns the extprot bytes of the value, if they are not simply its items in encoded form.
    fn bytes(&mut self) -> Option<Result<Vec<u8>, Error>> {
        None
    }
}

/// The reason why a value was not written: the value is not valid, or the output failed.
pub enum Refused {
    Value(Error),
    Write(io::Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Value(error)
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Write(error)
    }
}

/// Writes values to an output.
pub struct Values<'o> {
    form: Form<'o>,
    nodes: u64,
}

enum Form<'o> {
    Json(Box<JsonSink>, WholeDocuments<&'o mut Output>),
    Extprot(Box<Encoder>, BufWriter<&'o mut Output>),
    Yaml(Box<YamlSink>, BufWriter<&'o mut Output>),
}

impl<'o> Values<'o> {
    /// Creates a writer of values to `output`, in the format that `args` choose. `is_after` says
    /// whether the output already has documents.
    pub fn new(args: &ConvertArgs, output: &'o mut Output, is_after: bool) -> Values<'o> {
        let form = match args.target() {
            Target::Extprot => {
                let sink = Encoder::new(&args.encode_options());
                Form::Extprot(Box::new(sink), BufWriter::new(output))
            }
            Target::Yaml => {
                let mut sink = YamlSink::new(&args.present_options())
                    .with_scalar_tags(args.schema_file().is_some());
                if is_after {
                    sink.continue_stream();
                }
                Form::Yaml(Box::new(sink), BufWriter::new(output))
            }
            _ => {
                let sink = JsonSink::new(&args.json_sink_options());
                Form::Json(Box::new(sink), WholeDocuments::new(output))
            }
        };
        Values { form, nodes: 0 }
    }

    /// Returns the number of nodes that were written.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Writes the value `source` completely or, after an error in it, not at all.
    pub fn write(&mut self, source: &mut impl Source) -> Result<(), Refused> {
        let nodes = &mut self.nodes;
        match &mut self.form {
            Form::Json(sink, out) => {
                sink.clear();
                source.send(Constructors::Mappings, &mut Counted { sink: &mut **sink, nodes })?;
                out.write_all(sink.text())?;
                out.end_document()?;
            }
            Form::Extprot(sink, out) => match source.bytes() {
                Some(bytes) => out.write_all(&bytes?)?,
                None => {
                    sink.clear();
                    source.send(Constructors::Tags, &mut Counted { sink: &mut **sink, nodes })?;
                    out.write_all(sink.bytes()?)?;
                }
            },
            Form::Yaml(sink, out) => {
                sink.clear();
                source.send(Constructors::Tags, &mut Counted { sink: &mut **sink, nodes })?;
                let text = sink.end_document().map_err(|problem| source.error(problem))?;
                out.write_all(text)?;
            }
        }
        Ok(())
    }

    /// Writes `bytes`, an encoded value, unchanged.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.form {
            Form::Json(_, out) => out.write_all(bytes),
            Form::Extprot(_, out) | Form::Yaml(_, out) => out.write_all(bytes),
        }
    }

    /// Writes what is still buffered. All complete values have been written then.
    pub fn finish(self) -> io::Result<()> {
        match self.form {
            Form::Json(_, out) => out.finish(),
            Form::Extprot(_, mut out) | Form::Yaml(_, mut out) => out.flush(),
        }
    }
}

/// A sink that counts nodes and passes them on.
struct Counted<'s, S> {
    sink: &'s mut S,
    nodes: &'s mut u64,
}

impl<S: Sink> Sink for Counted<'_, S> {
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem> {
        let is_node = !matches!(item, Item::Tag(_) | Item::SequenceEnd | Item::MappingEnd);
        *self.nodes += u64::from(is_node);
        self.sink.item(item)
    }
}

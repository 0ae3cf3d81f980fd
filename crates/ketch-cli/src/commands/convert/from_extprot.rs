//! extprot to the others, a message in memory at a time.

use crate::args::{ConvertArgs, Target};
use crate::damage;
use crate::diagnostic::Diagnostic;
use crate::input::{self, Input};
use crate::output::{Output, WholeDocuments};
use crate::progress::Progress;
use crate::stats::Stats;
use crate::status::Failure;
use ketch::{Decoder, Encoder, Item, JsonSink, Problem, Sink, YamlSink};
use ketch_extprot::Limits;
use ketch_extprot::wire::MessageReader;
use ketch_yaml::Budget;
use std::io::{self, BufWriter, Cursor, Read, Write};

/// How deep blocks may nest unless told otherwise. Nothing recurses on them, so this guards whoever
/// reads what comes out.
const MAX_DEPTH: Budget = Budget { base: 10_000, per_kib: 512 };

/// Converts the values of one input.
pub fn convert(
    args: &ConvertArgs,
    file: &str,
    output: &mut Output,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let (is_file, name) = (output.is_file(), output.name().to_owned());
    let (stream, size): (Box<dyn Read>, _) = match input::open(file)? {
        Input::Whole(bytes) => {
            let size = bytes.len() as u64;
            (Box::new(Cursor::new(bytes)), Some(size))
        }
        Input::Stream(stream) => {
            let size = stream.size;
            (Box::new(stream), size)
        }
    };
    let mut progress = Progress::new(size, is_file);
    let mut values = Values::new(args, output, stats.documents > 0)?;
    let mut messages =
        MessageReader::new(stream).with_length_max(args.read.options().limits.max_buffer_bytes);
    let mut read_bytes = 0;
    let converted = loop {
        let message = match messages.next_message() {
            Ok(Some(message)) => message,
            Ok(None) => break Ok(()),
            Err(error) => break Err(damage::failure(file, &error)),
        };
        if let Err(error) = values.convert(message, read_bytes, args) {
            break Err(match error {
                Refusal::Value(error) => {
                    Failure::Input(Box::new(Diagnostic::conversion(file, &[], &error)))
                }
                Refusal::Write(error) => return Err(Failure::write(&name, error)),
            });
        }
        stats.documents += 1;
        read_bytes += message.len() as u64;
        progress.reached(read_bytes);
    };
    stats.files += 1;
    stats.bytes += read_bytes;
    stats.items += values.nodes;
    // Also behind an error: what was whole before it is written.
    values.finish().map_err(|error| Failure::write(&name, error))?;
    converted
}

/// Why a value was not converted.
enum Refusal {
    Value(ketch::Error),
    Write(io::Error),
}

impl From<ketch::Error> for Refusal {
    fn from(error: ketch::Error) -> Refusal {
        Refusal::Value(error)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Write(error)
    }
}

/// Values on their way out.
struct Values<'o> {
    form: Form<'o>,
    nodes: u64,
}

enum Form<'o> {
    Json(Box<JsonSink>, WholeDocuments<&'o mut Output>),
    Yaml(Box<YamlSink>, BufWriter<&'o mut Output>),
    Extprot(Box<Encoder>, BufWriter<&'o mut Output>),
}

impl<'o> Values<'o> {
    /// `is_behind` says that there are other documents in the output.
    fn new(
        args: &ConvertArgs,
        output: &'o mut Output,
        is_behind: bool,
    ) -> Result<Values<'o>, Failure> {
        let form = match args.to {
            Target::Json => {
                let sink = JsonSink::new(&args.json_sink_options());
                Form::Json(Box::new(sink), WholeDocuments::new(output))
            }
            Target::Yaml if args.yaml.sort_keys => {
                let message = "extprot keeps its order: convert it to YAML, and sort that";
                return Err(Failure::Usage(message.to_owned()));
            }
            Target::Yaml => {
                let mut sink = YamlSink::new(&args.present_options());
                if is_behind {
                    sink.continue_stream();
                }
                Form::Yaml(Box::new(sink), BufWriter::new(output))
            }
            Target::Extprot => {
                let sink = Encoder::new(&args.encode_options());
                Form::Extprot(Box::new(sink), BufWriter::new(output))
            }
            Target::Events => {
                let message = "extprot has no events: convert it to YAML first";
                return Err(Failure::Usage(message.to_owned()));
            }
        };
        Ok(Values { form, nodes: 0 })
    }

    /// Converts the value `message`, which starts `base` bytes from the start of the stream.
    fn convert(&mut self, message: &[u8], base: u64, args: &ConvertArgs) -> Result<(), Refusal> {
        let max_depth = args.read.max_depth.map_or(MAX_DEPTH, Budget::fixed);
        let depth = max_depth.at(message.len() as u64);
        let mut decoder = Decoder::new(&Limits { depth, ..Limits::default() });
        let nodes = &mut self.nodes;
        match &mut self.form {
            Form::Json(sink, out) => {
                sink.clear();
                decoder.decode(message, base, &mut Counted { sink: &mut **sink, nodes })?;
                out.write_all(sink.text())?;
                out.end_document()?;
            }
            Form::Yaml(sink, out) => {
                sink.clear();
                decoder.decode(message, base, &mut Counted { sink: &mut **sink, nodes })?;
                let text =
                    sink.end_document().map_err(|problem| io::Error::other(problem.to_string()))?;
                out.write_all(text)?;
            }
            Form::Extprot(sink, out) => {
                sink.clear();
                decoder.decode(message, base, &mut Counted { sink: &mut **sink, nodes })?;
                out.write_all(sink.bytes()?)?;
            }
        }
        Ok(())
    }

    /// Writes all that is whole.
    fn finish(self) -> io::Result<()> {
        match self.form {
            Form::Json(_, out) => out.finish(),
            Form::Yaml(_, mut out) | Form::Extprot(_, mut out) => out.flush(),
        }
    }
}

/// Counts nodes on their way.
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

//! Converts extprot to other formats. Only one message is in memory at a time.

use super::typed::TypedValue;
use super::values::{Refused, Source, Values};
use crate::args::ConvertArgs;
use crate::conversion;
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use crate::schema::Typed;
use crate::stats::Stats;
use crate::status::Failure;
use ketch::typed::Constructors;
use ketch::{ConvertError as Error, Decoder, ErrorLocation, Problem, Sink};
use ketch_extprot::Limits;
use ketch_extprot::wire::MessageReader;
use ketch_yaml::Budget;

/// The default for the maximum depth of nested blocks. This program does not recurse, but programs
/// that read its output may.
const MAX_DEPTH: Budget = Budget { base: 10_000, per_kib: 512 };

/// Converts the values in one input.
pub fn convert(
    args: &ConvertArgs,
    schema: Option<&Typed>,
    file: &str,
    output: &mut Output,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let (is_file, name) = (output.is_file(), output.name().to_owned());
    let mut stream = input::stream(file)?;
    let progress = Progress::new(stream.size, is_file);
    let mut values = Values::new(args, output, stats.documents > 0);
    let mut messages = MessageReader::new(&mut stream)
        .with_length_max(args.read.options().limits.max_buffer_bytes);
    let mut read_bytes = 0;
    let converted = loop {
        let message = match messages.next_message() {
            Ok(Some(message)) => message,
            Ok(None) => break Ok(()),
            Err(error) => break Err(Error::extprot(error, 0)),
        };
        let message = Message { bytes: message, base: read_bytes, args };
        match message.write(schema, &mut values) {
            Ok(()) => {}
            Err(Refused::Value(error)) => break Err(error),
            Err(Refused::Write(error)) => return Err(Failure::write(&name, error)),
        }
        stats.documents += 1;
        read_bytes += message.bytes.len() as u64;
        progress.reached(read_bytes);
    };
    stats.files += 1;
    stats.bytes += read_bytes;
    stats.items += values.nodes();
    // The complete documents are written, even after an error.
    values.finish().map_err(|error| Failure::write(&name, error))?;
    converted.map_err(|error| conversion::failure(file, stream.head(), &error))
}

/// One message of the stream.
#[derive(Clone, Copy)]
struct Message<'m> {
    bytes: &'m [u8],
    /// The offset of the message in the stream.
    base: u64,
    args: &'m ConvertArgs,
}

impl Message<'_> {
    /// Writes the message to `values`. If there is a schema, the message is decoded with it.
    fn write(mut self, schema: Option<&Typed>, values: &mut Values<'_>) -> Result<(), Refused> {
        let Some(typed) = schema else { return values.write(&mut self) };
        let limits = self.limits();
        let value = typed
            .schema
            .decode(typed.message, self.bytes, &limits)
            .map_err(|error| Error::extprot(error, self.base))?;
        values.write(&mut TypedValue { typed, value, place: ErrorLocation::Bytes(self.base) })
    }

    /// Returns the limits for reading, which depend on the arguments and the length of the message.
    fn limits(&self) -> Limits {
        let max_depth = self.args.read.max_depth.map_or(MAX_DEPTH, Budget::fixed);
        let mut limits = Limits::default();
        limits.depth = max_depth.at(self.bytes.len() as u64);
        // Values that are added as defaults count as nodes of the document.
        limits.default_values = self.args.compose.max_nodes.unwrap_or(limits.default_values);
        limits
    }
}

impl Source for Message<'_> {
    fn error(&self, problem: Problem) -> Error {
        Error::new(problem, ErrorLocation::Bytes(self.base))
    }

    fn send(&mut self, _constructors: Constructors, sink: &mut impl Sink) -> Result<(), Error> {
        Decoder::new(&self.limits()).decode(self.bytes, self.base, sink)
    }
}

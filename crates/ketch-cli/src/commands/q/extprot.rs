//! Reads extprot for programs, and writes their results as extprot.

use crate::args::QueryArgs;
use crate::conversion;
use crate::output::{Out, stdout_failed};
use crate::status::Failure;
use ketch::{ConvertError, Decoder, EncodeOptions, Encoder, ErrorLocation, YamlSink};
use ketch_extprot::Limits;
use ketch_extprot::wire::MessageReader;
use ketch_query::{ErrorKind, Failure as Raised, Number, Value};
use ketch_yaml::Documents;
use std::io::Write;

/// Returns extprot messages as YAML, a document each.
pub fn to_yaml(args: &QueryArgs, file: &str, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let failed = |error: &ConvertError| conversion::failure(file, bytes, error);
    let limits = args.read.options().limits;
    let mut messages = MessageReader::new(bytes).with_length_max(limits.max_buffer_bytes);
    let mut sink = YamlSink::new(&args.yaml.options(true, args.compose_options().schema));
    let (mut text, mut base) = (Vec::new(), 0);
    loop {
        let message = messages.next_message().map_err(|error| ConvertError::extprot(error, 0));
        let Some(message) = message.map_err(|error| failed(&error))? else { return Ok(text) };
        let depth = limits.max_depth.at(message.len() as u64);
        let own = Limits { depth, ..Limits::default() };
        let decoded = Decoder::new(&own).decode(message, base, &mut sink);
        decoded.map_err(|error| failed(&error))?;
        let ended = sink
            .end_document()
            .map_err(|problem| failed(&ConvertError::new(problem, ErrorLocation::Bytes(base))))?;
        text.extend_from_slice(ended);
        base += message.len() as u64;
    }
}

/// Writes a result as an extprot message.
pub fn write(out: &mut Out, value: &Value) -> Result<Result<(), Raised>, Failure> {
    if let Err(failure) = check_floats(value) {
        return Ok(Err(failure));
    }
    let yaml = match value.to_yaml() {
        Ok(yaml) => yaml,
        Err(error) => return Ok(Err(error.into())),
    };
    let refused = |message: String| Raised::new(ErrorKind::InvalidArgument, message).about(value);
    let document = match Documents::new(yaml.as_bytes()).next() {
        Some(Ok(document)) => document,
        other => {
            let problem = other.and_then(Result::err).map(|error| error.message().into_owned());
            return Ok(Err(refused(problem.unwrap_or_default())));
        }
    };
    let mut encoder = Encoder::new(&EncodeOptions::default());
    match encoder.encode(&document) {
        Ok(bytes) => out.write_all(bytes).map(Ok).map_err(stdout_failed),
        Err(error) => Ok(Err(refused(error.problem().to_string()))),
    }
}

/// Fails if a decimal has other digits than the float that extprot has for it.
fn check_floats(value: &Value) -> Result<(), Raised> {
    let mut pending = vec![value.clone()];
    while let Some(value) = pending.pop() {
        if let Some(array) = value.as_array() {
            pending.extend(array.entries.iter().cloned());
        } else if let Some(object) = value.as_object() {
            pending.extend(object.entries.iter().map(|(_, entry)| entry.clone()));
        }
        let Some(number) = value.as_number() else { continue };
        let is_other = number.is_finite()
            && !number.is_integer()
            && number.compare(&Number::from_f64(number.to_f64())).is_ne();
        if is_other {
            let message = format!(
                "extprot has no decimals, and no float has the digits of {}: use `tostring`, or \
                 `round(n)`",
                value.to_json()
            );
            return Err(Raised::new(ErrorKind::InvalidArgument, message).about(&value));
        }
    }
    Ok(())
}

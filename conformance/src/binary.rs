//! Converts YAML to extprot and back. If the bytes are equal, so are the values.

use ketch::{Decoder, EncodeOptions, Encoder, YamlSink};
use ketch_extprot::wire::Messages;
use ketch_yaml::{ComposeOptions, Document, Documents, Options};
use std::path::{Path, PathBuf};

/// Returns the folder that contains the golden vectors.
#[must_use]
pub fn vectors_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("extprot")
}

/// Returns the documents in `yaml` as extprot, one after another.
pub fn to_extprot(yaml: &[u8], compose: &ComposeOptions) -> Result<Vec<u8>, String> {
    let mut options = EncodeOptions::default();
    options.schema = compose.schema;
    options.merge_keys = compose.merge_keys;
    options.limits = compose.limits;
    let mut encoder = Encoder::new(&options);
    let mut documents = Documents::with_options(yaml, &Options::default(), compose);
    let mut document = Document::new();
    let mut out = Vec::new();
    while documents.next_into(&mut document).map_err(|error| error.to_string())? {
        out.extend(encoder.encode(&document).map_err(|error| error.to_string())?);
    }
    Ok(out)
}

/// Returns the values in `bytes` as YAML, each in a document.
pub fn to_yaml(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut sink = YamlSink::new(&Default::default());
    let mut decoder = Decoder::default();
    let mut text = Vec::new();
    for message in Messages::new(bytes) {
        let (base, message) = message.map_err(|error| error.to_string())?;
        decoder.decode(message, base, &mut sink).map_err(|error| error.to_string())?;
        text.extend(sink.end_document().map_err(|problem| problem.to_string())?);
    }
    Ok(text)
}

/// Checks that the values in `yaml`, read with the options, stay the same when they are converted
/// to extprot, to YAML with the core schema, and back to extprot. Returns the number of values.
pub fn there_and_back(yaml: &[u8], compose: &ComposeOptions) -> Result<usize, String> {
    let there = to_extprot(yaml, compose)?;
    let back = to_yaml(&there)?;
    let again = to_extprot(&back, &ComposeOptions::default())
        .map_err(|error| format!("{error}\n--- written\n{}", String::from_utf8_lossy(&back)))?;
    if there == again {
        return Ok(Messages::new(&there).count());
    }
    Err(format!("{there:02x?}\n{again:02x?}\n--- written\n{}", String::from_utf8_lossy(&back)))
}

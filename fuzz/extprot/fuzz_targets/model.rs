//! Reads any bytes as values of the data model. Each value has one encoding, and survives a round
//! trip through YAML.
#![no_main]

use ketch::{Decoder, Encoder, YamlSink};
use ketch_yaml::Documents;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut decoder = Decoder::default();
    let mut encoder = Encoder::new(&Default::default());
    if decoder.decode(bytes, 0, &mut encoder).is_err() {
        return;
    }
    let canonical = encoder.bytes().expect("one value").to_vec();
    encoder.clear();
    decoder.decode(&canonical, 0, &mut encoder).expect("a value again");
    assert_eq!(encoder.bytes().expect("one value"), canonical);

    let mut yaml = YamlSink::new(&Default::default());
    // The only values that cannot be written as YAML are scalars other than text with a tag.
    if decoder.decode(&canonical, 0, &mut yaml).is_err() {
        return;
    }
    let text = yaml.end_document().expect("one value").to_vec();
    let document = Documents::new(&text).next().expect("a document").expect("what was written");
    assert_eq!(encoder.encode(&document).expect("a value"), canonical);
});

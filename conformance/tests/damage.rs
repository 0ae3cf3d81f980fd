//! A thousand values with every truncation and every changed byte: each results in an error or a
//! value, never in a panic, and in bounded memory.

use ketch::{Decoder, Encoder, JsonSink};
use ketch_conformance::binary::to_extprot;
use ketch_conformance::generate::{self, Random};
use ketch_conformance::suite::cases;
use ketch_extprot::wire::{MessageReader, Messages};
use ketch_extprot::{InspectOptions, Value, inspect};
use ketch_yaml::ComposeOptions;
use std::collections::BTreeSet;

/// The maximum length of a value in bytes. Longer values take longer, and do not find more errors.
const VALUE_BYTES_MAX: usize = 64;

/// Returns a thousand different values, from the data model's vectors, yaml-test-suite, and
/// generated documents.
fn values() -> Vec<Vec<u8>> {
    let mut values = BTreeSet::new();
    let vectors = include_str!("../data-model.json");
    let vectors: Vec<serde_json::Value> = serde_json::from_str(vectors).expect("JSON");
    for vector in vectors {
        let words = vector["hex"].as_str().expect("a string").split_whitespace();
        values.insert(words.map(|word| u8::from_str_radix(word, 16).expect("hex")).collect());
    }
    let suite = cases().into_iter().filter(|case| !case.fail).map(|case| case.yaml);
    let mut random = Random::new(11);
    let generated = std::iter::from_fn(|| Some(generate::document(&random.bytes(60))));
    for yaml in suite.chain(generated) {
        let bytes = to_extprot(yaml.as_bytes(), &ComposeOptions::default()).unwrap_or_default();
        let messages =
            Messages::new(&bytes).map(|message| message.expect("a complete message").1.to_vec());
        values.extend(messages.filter(|message| message.len() <= VALUE_BYTES_MAX));
        if values.len() >= 1000 {
            break;
        }
    }
    values.into_iter().collect()
}

/// Reads any bytes, and returns whether they are a value.
struct Reader {
    decoder: Decoder,
    encoder: Encoder,
    json: JsonSink,
}

impl Reader {
    fn new() -> Reader {
        Reader {
            decoder: Decoder::default(),
            encoder: Encoder::new(&Default::default()),
            json: JsonSink::new(&Default::default()),
        }
    }

    fn read(&mut self, bytes: &[u8]) -> bool {
        self.encoder.clear();
        let is_value = self.decoder.decode(bytes, 0, &mut self.encoder).is_ok();
        if is_value {
            // The value is written in canonical form, which has to be read as the same value.
            let canonical = self.encoder.bytes().expect("a value").to_vec();
            assert!(canonical.len() <= bytes.len() + 64, "{bytes:02x?}");
            self.encoder.clear();
            self.decoder.decode(&canonical, 0, &mut self.encoder).expect("a value again");
            assert_eq!(self.encoder.bytes().expect("a value"), canonical, "{bytes:02x?}");
        }
        self.json.clear();
        let _ = self.decoder.decode(bytes, 0, &mut self.json);
        assert!(!is_value || Value::decode(bytes).is_ok(), "{bytes:02x?}");
        is_value
    }
}

fn whole_messages(bytes: &[u8]) -> usize {
    let mut reader = MessageReader::new(bytes);
    let mut count = 0;
    while let Ok(Some(_)) = reader.next_message() {
        count += 1;
    }
    count
}

#[test]
fn truncated_data_is_an_error_in_every_reader() {
    let values = values();
    assert!(values.len() >= 1000, "{} values", values.len());
    let mut reader = Reader::new();
    for value in values.iter().filter(|value| Value::decode(value).is_ok()) {
        for end in 0..value.len() {
            assert!(!reader.read(&value[..end]), "{value:02x?} up to {end}");
            assert_eq!(whole_messages(&value[..end]), 0, "{value:02x?} up to {end}");
            let _ = inspect(&value[..end], std::io::sink(), &InspectOptions::default());
        }
    }
}

#[test]
fn a_changed_byte_causes_no_panic_in_any_reader() {
    let mut reader = Reader::new();
    let (mut accepted, mut refused) = (0u64, 0u64);
    for value in values() {
        let mut damaged = value.clone();
        for place in 0..value.len() {
            for byte in (0..=255).filter(|byte| *byte != value[place]) {
                damaged[place] = byte;
                match reader.read(&damaged) {
                    true => accepted += 1,
                    false => refused += 1,
                }
            }
            let _ = inspect(&damaged[..], std::io::sink(), &InspectOptions::default());
            damaged[place] = value[place];
        }
    }
    assert!(accepted > 100_000 && refused > 100_000, "{accepted} accepted, {refused} refused");
    // Wrong lengths in the bytes must not cause large allocations.
    #[cfg(target_os = "linux")]
    assert!(peak_memory_kib() < 64 * 1024, "{} KiB", peak_memory_kib());
}

/// Returns the peak memory of this process in KiB.
#[cfg(target_os = "linux")]
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a process has a status");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

//! The vectors of the data model in `conformance/data-model.json`, which are read and written.
//!
//! | key | meaning |
//! |---|---|
//! | `row` | the row of the table in `docs/data-model.md` |
//! | `yaml`, `schema` | a document, and its schema (default: core) |
//! | `hex` | the bytes |
//! | `items` | the value as items; floats as their bits |
//! | `json` | the value as JSON, if JSON can express it |
//! | `canonical` | the canonical form, if others are read, too |
//! | `error`, `offset` | the error in the bytes, and its offset |

use ketch::{Decoder, EncodeOptions, Encoder, ErrorLocation, Item, JsonSink, Problem, Sink};
use ketch_yaml::schema::{Schema, Timestamp};
use ketch_yaml::{ComposeOptions, Documents, Options};
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data-model.json");
    let text = std::fs::read_to_string(file).expect("the vectors");
    serde_json::from_str(&text).expect("JSON")
}

fn bytes(hex: &Value) -> Vec<u8> {
    let words = hex.as_str().expect("a string").split_whitespace();
    words.map(|word| u8::from_str_radix(word, 16).expect("hexadecimal digits")).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Items in the notation that the vectors use.
#[derive(Default)]
struct Trace(Vec<String>);

impl Sink for Trace {
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem> {
        self.0.push(match item {
            Item::Null => "null".to_owned(),
            Item::Bool(value) => format!("bool {value}"),
            Item::Int(value) => format!("int {value}"),
            Item::BigInt(digits) => format!("big {digits}"),
            Item::Float(value) => format!("float {:016x}", value.to_bits()),
            Item::Str(text) => format!("str {text}"),
            Item::Binary(bytes) => format!("binary {}", hex(bytes)),
            Item::Timestamp(Timestamp { seconds, nanoseconds, offset_minutes, date_only }) => {
                let offset = match offset_minutes {
                    _ if date_only => "day".to_owned(),
                    Some(minutes) => minutes.to_string(),
                    None => "none".to_owned(),
                };
                format!("timestamp {seconds} {nanoseconds} {offset}")
            }
            Item::Tag(tag) => format!("tag {tag}"),
            Item::SequenceStart(_) => "[".to_owned(),
            Item::SequenceEnd => "]".to_owned(),
            Item::MappingStart(_) => "{".to_owned(),
            Item::MappingEnd => "}".to_owned(),
        });
        Ok(())
    }
}

fn items(vector: &Value) -> Vec<&str> {
    let items = vector["items"].as_array().expect("items");
    items.iter().map(|item| item.as_str().expect("a string")).collect()
}

fn encoded(vector: &Value) -> Vec<u8> {
    let schema = vector["schema"].as_str().unwrap_or("core").parse::<Schema>().expect("a schema");
    let mut compose = ComposeOptions::default();
    compose.schema = schema;
    let yaml = vector["yaml"].as_str().expect("a string");
    let mut documents = Documents::with_options(yaml.as_bytes(), &Options::default(), &compose);
    let document = documents.next().expect("a document").expect("valid YAML");
    let mut options = EncodeOptions::default();
    options.schema = schema;
    Encoder::new(&options).encode(&document).expect("in the model").to_vec()
}

#[test]
fn every_row_is_written_as_its_bytes() {
    let vectors = vectors();
    let written: Vec<_> = vectors.iter().filter(|vector| vector.get("yaml").is_some()).collect();
    for vector in &written {
        assert_eq!(hex(&encoded(vector)), hex(&bytes(&vector["hex"])), "{vector}");
    }
    assert!(written.len() >= 50);
}

#[test]
fn the_bytes_of_every_row_are_read_as_its_value_and_written_again() {
    let mut read = 0;
    for vector in vectors().iter().filter(|vector| vector.get("items").is_some()) {
        let bytes = bytes(&vector["hex"]);
        let mut trace = Trace::default();
        Decoder::default()
            .decode(&bytes, 0, &mut trace)
            .unwrap_or_else(|e| panic!("{vector}: {e}"));
        assert_eq!(trace.0, items(vector), "{vector}");
        let mut encoder = Encoder::new(&EncodeOptions::default());
        Decoder::default().decode(&bytes, 0, &mut encoder).expect("as before");
        let canonical = vector.get("canonical").unwrap_or(&vector["hex"]);
        assert_eq!(
            hex(encoder.bytes().expect("one value")),
            hex(&self::bytes(canonical)),
            "{vector}"
        );
        if let Some(json) = vector["json"].as_str() {
            let mut sink = JsonSink::new(&Default::default());
            Decoder::default().decode(&bytes, 0, &mut sink).expect("JSON holds it");
            assert_eq!(String::from_utf8_lossy(sink.text()), json, "{vector}");
        }
        read += 1;
    }
    assert!(read >= 55, "{read}");
}

#[test]
fn invalid_values_are_refused_with_their_location() {
    let mut refused = 0;
    for vector in vectors().iter().filter(|vector| vector.get("error").is_some()) {
        let error = Decoder::default()
            .decode(&bytes(&vector["hex"]), 1000, &mut ())
            .expect_err(&vector.to_string());
        let place = ErrorLocation::Bytes(1000 + vector["offset"].as_u64().expect("an offset"));
        assert_eq!(error.problem().name(), vector["error"], "{vector}: {error}");
        assert_eq!(error.location(), &place, "{vector}: {error}");
        refused += 1;
    }
    assert!(refused >= 20, "{refused}");
}

#[test]
fn every_row_of_the_table_has_vectors() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/data-model.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let rows = page.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let rows: Vec<&str> = rows
        .take_while(|line| line.starts_with("| "))
        .map(|line| line[2..].split(" | ").next().unwrap_or_default())
        .collect();
    assert_eq!(rows.len(), 11);
    let vectors = vectors();
    for row in rows.iter().chain(&["tagged"]) {
        let count = vectors.iter().filter(|vector| vector["row"] == *row).count();
        assert!(count >= 2, "{row} has {count} vectors");
    }
}

//! Messages of the golden vectors, which are converted to JSON and YAML and back, result in the
//! same bytes or in an error.

use ketch::typed::{Constructors, TypedReader, write};
use ketch::{JsonSink, JsonSinkOptions, Problem, YamlSink};
use ketch_conformance::binary::vectors_dir;
use ketch_extprot::Limits;
use ketch_extprot::schema::{Schema, TypeId, check_file};
use ketch_yaml::Documents;
use ketch_yaml::compose::NotInJson;
use serde_json::Value;
use std::collections::HashMap;

fn unhex(text: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex");
    (0..text.len()).step_by(2).map(digits).collect()
}

/// Returns a message as JSON. If `converts` is true, infinities and NaN are written as text.
fn to_json(schema: &Schema, id: TypeId, bytes: &[u8], converts: bool) -> Result<Vec<u8>, Problem> {
    let limits = Limits::default();
    let value = schema.decode(id, bytes, &limits).expect("a message of a vector");
    let mut options = JsonSinkOptions::default();
    if converts {
        options.non_finite = NotInJson::Convert;
    }
    let mut json = JsonSink::new(&options);
    write(schema, id, &value, Constructors::Mappings, &limits, &mut json)?;
    Ok(json.text().to_vec())
}

fn to_yaml(schema: &Schema, id: TypeId, bytes: &[u8]) -> Vec<u8> {
    let limits = Limits::default();
    let value = schema.decode(id, bytes, &limits).expect("a message of a vector");
    let mut yaml = YamlSink::new(&Default::default()).with_scalar_tags(true);
    write(schema, id, &value, Constructors::Tags, &limits, &mut yaml).expect("YAML has all");
    yaml.end_document().expect("a document").to_vec()
}

fn read(schema: &Schema, id: TypeId, text: &[u8]) -> Vec<u8> {
    let document = Documents::new(text).next().expect("a document").expect("no error");
    let reader = TypedReader::new(schema, id, &Default::default());
    let value = reader.read(&document);
    let value = value.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(text)));
    schema.encode(id, &value).expect("bytes")
}

/// Returns the bytes with every NaN replaced by the one that its text denotes.
fn with_one_nan(bytes: &[u8], value: &Value) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut floats = Vec::new();
    collect_nans(value, &mut floats);
    for bits in floats {
        let mut wire = vec![8];
        wire.extend_from_slice(&bits.to_le_bytes());
        let at = bytes.windows(9).position(|window| window == wire).expect("the NaN");
        bytes[at + 1..at + 9].copy_from_slice(&f64::NAN.to_le_bytes());
    }
    bytes
}

fn collect_nans(value: &Value, nans: &mut Vec<u64>) {
    match value {
        Value::String(text) if text.len() == 16 => {
            let bits = u64::from_str_radix(text, 16).unwrap_or_default();
            if f64::from_bits(bits).is_nan() {
                nans.push(bits);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect_nans(value, nans)),
        Value::Object(values) => values.values().for_each(|value| collect_nans(value, nans)),
        _ => {}
    }
}

#[test]
fn every_message_survives_json_and_yaml() {
    let text = std::fs::read_to_string(vectors_dir().join("roundtrip.json")).expect("the vectors");
    let entries: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let mut schemas: HashMap<String, Schema> = HashMap::new();
    let (mut messages, mut marked, mut refused) = (0, 0, 0);
    for entry in &entries {
        let (Some(name), Some(hex)) = (entry["schema"].as_str(), entry["hex"].as_str()) else {
            continue;
        };
        let schema = schemas.entry(name.to_owned()).or_insert_with(|| {
            let path = vectors_dir().join(format!("schemas/{name}.proto"));
            check_file(path.to_str().unwrap()).unwrap_or_else(|error| panic!("{name}: {error:?}"))
        });
        let id = schema.lookup(entry["message"].as_str().unwrap()).expect("the message");
        let bytes = unhex(hex);
        let json = to_json(schema, id, &bytes, true).expect("all is converted");
        let once = with_one_nan(&bytes, &entry["value"]);
        assert_eq!(read(schema, id, &json), once, "{} {:?}", entry["id"], json);
        assert_eq!(read(schema, id, &to_yaml(schema, id, &bytes)), once, "{}", entry["id"]);
        match to_json(schema, id, &bytes, false) {
            Ok(plain) => assert_eq!(plain, json, "{}", entry["id"]),
            Err(problem) => {
                assert!(problem.help().contains("non_finite"), "{problem}");
                refused += 1;
            }
        }
        messages += 1;
        let mark = br#"{"!!binary":""#;
        marked += usize::from(json.windows(mark.len()).any(|window| window == mark));
    }
    assert!(messages > 800, "only {messages} messages");
    assert!(marked > 20 && refused > 5, "{marked} with bytes, {refused} with other floats");
}

//! Reads any text by a schema with every kind of type. Values that fit survive a round trip through
//! bytes and YAML.
#![no_main]

use std::sync::LazyLock;

use ketch::YamlSink;
use ketch::typed::{Constructors, TypedReader, write};
use ketch_extprot::Limits;
use ketch_extprot::schema::{NoLoader, Schema, check_schema};
use ketch_yaml::Documents;
use libfuzzer_sys::fuzz_target;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let text = r#"
type opt 'a = Nil | Val 'a
type shape = Dot | C float | R int int | L string (int * bool) [ byte ] | O opt<int>
message u = A { a : int } | B { b : opt<long> }
message m = {
  b : bool; y : byte [@default 1]; i : int [@default 2]; l : long [@default 3];
  f : float [@default 4.5]; s : string [@default "x"]; t : (int [@default 5] * opt<string>);
  h : [| shape |]; o : opt<u>; z [@lazy] : [ [ string ] ]
}
"#;
    check_schema("fuzz.proto", text, &mut NoLoader).unwrap_or_else(|errors| panic!("{errors}"))
});

fuzz_target!(|text: &[u8]| {
    let id = SCHEMA.lookup("m").expect("declared above");
    let reader = TypedReader::new(&SCHEMA, id, &Default::default());
    for document in Documents::new(text) {
        let Ok(document) = document else { return };
        let Ok(value) = reader.read(&document) else { continue };
        let bytes = SCHEMA.encode(id, &value).expect("of its type");
        let limits = Limits::default();
        let value = SCHEMA.decode(id, &bytes, &limits).expect("own bytes");
        let mut yaml = YamlSink::new(&Default::default()).with_scalar_tags(true);
        write(&SCHEMA, id, &value, Constructors::Tags, &limits, &mut yaml).expect("YAML");
        let text = yaml.end_document().expect("one value").to_vec();
        let document = Documents::new(&text).next().expect("a document").expect("own text");
        let again = reader.read(&document).expect("own text");
        assert_eq!(SCHEMA.encode(id, &again).expect("of its type"), bytes);
    }
});

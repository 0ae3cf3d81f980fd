//! Reads any bytes by a schema with every kind of type, writes the values, and reads them again.
#![no_main]

use std::sync::LazyLock;

use ketch_extprot::Limits;
use ketch_extprot::schema::{NoLoader, Schema, check_schema};
use ketch_extprot::typed::pretty;
use libfuzzer_sys::fuzz_target;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let text = r#"
type opt 'a = Nil | Val 'a
type shape = Dot | Circle float | Rect int int | Label string (int * bool) [ byte ]
type rec 'a = { label : string; value : 'a; more : int [@default 3] }
message leaf = { n : int; s : string [@default "x"] }
message union = A { a : int; b [@lazy] : [ leaf ] } | B rec<opt<long> > | C { c : bool }
message all = {
  b : bool; y : byte; i : int; l : long; f : float; s : string;
  t : (int * opt<string> * [ (bool * float) ]);
  shapes : [| shape |]; u : union; r : rec<shape>; z [@lazy] : [ [ string ] ]; last [@lazy] : leaf
}
message part = {| all | i : float; u; last |}
"#;
    check_schema("fuzz.proto", text, &mut NoLoader).unwrap_or_else(|errors| panic!("{errors}"))
});

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default();
    for (name, message) in SCHEMA.messages() {
        for (_, value) in SCHEMA.decode_stream(message, bytes, &limits) {
            let Ok(value) = value else { continue };
            let _ = pretty(&SCHEMA, message, &value);
            if name == "part" {
                assert!(SCHEMA.encode(message, &value).is_err());
                continue;
            }
            let Ok(forced) = value.clone().force_all(&SCHEMA, &limits) else { continue };
            let written = SCHEMA.encode(message, &forced).expect("what was read can be written");
            let again = SCHEMA.decode(message, &written, &limits).expect("own bytes");
            let again = again.force_all(&SCHEMA, &limits).expect("own bytes");
            let rewritten = SCHEMA.encode(message, &again).expect("own values");
            assert_eq!(written, rewritten);
        }
    }
});

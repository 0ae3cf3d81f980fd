//! Generates the extprot side of the benchmark from its schema.

use ketch_extprot::codegen::{Options, Strings, build};

fn main() {
    let options = Options { strings: Strings::Utf8, ..Options::default() };
    if let Err(error) = build(&["schemas/bench.proto"], &options) {
        panic!("{error}");
    }
}

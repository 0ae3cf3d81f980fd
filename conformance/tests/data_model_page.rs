//! The bytes in docs/data-model.md mean what the page says.

use ketch::{Decoder, Encoder, JsonSink};
use ketch_yaml::Documents;

/// Returns the bytes at the start of a line, which are pairs of hexadecimal digits.
fn bytes_of(line: &str) -> Vec<u8> {
    let is_byte = |word: &&str| word.len() == 2 && word.bytes().all(|b| b.is_ascii_hexdigit());
    // Bytes are separated by one space, and the remark from the bytes by more.
    let bytes = line.split("  ").next().unwrap_or("");
    let words = bytes.split(' ').take_while(is_byte);
    words.map(|word| u8::from_str_radix(word, 16).expect("hexadecimal digits")).collect()
}

#[test]
fn annotated_bytes_match_their_annotations() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/data-model.md");
    let page = std::fs::read_to_string(page).expect("docs/data-model.md is in the repository");
    let mut blocks = 0;
    for block in page.split("```data-model\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        let (yaml, rest) = block.split_once('\n').expect("the first line is YAML");
        let (hex, json) = rest.split_once("=> ").expect("the last line is JSON");
        let bytes: Vec<u8> = hex.lines().flat_map(bytes_of).collect();

        let document =
            Documents::new(yaml.as_bytes()).next().expect("a document").expect("valid YAML");
        let mut encoder = Encoder::new(&Default::default());
        assert_eq!(encoder.encode(&document).expect("in the model"), bytes, "{block}");

        let mut sink = JsonSink::new(&Default::default());
        Decoder::default().decode(&bytes, 0, &mut sink).expect("in the model");
        assert_eq!(String::from_utf8_lossy(sink.text()), json.trim_end(), "{block}");
        blocks += 1;
    }
    assert!(blocks >= 13, "{blocks} blocks");
}

//! The bytes in docs/extprot.md mean what the page says.

use ketch_extprot::Value;

/// Returns the bytes at the start of a line, which are pairs of hexadecimal digits.
fn bytes_of(line: &str) -> Vec<u8> {
    let digits = |word: &&str| word.len() == 2 && word.bytes().all(|b| b.is_ascii_hexdigit());
    // Bytes are separated by one or two spaces, and the remark from the bytes by more.
    let bytes = line.split("   ").next().unwrap_or("");
    bytes
        .split_whitespace()
        .take_while(digits)
        .map(|w| u8::from_str_radix(w, 16).unwrap())
        .collect()
}

#[test]
fn annotated_bytes_match_their_annotations() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/extprot.md");
    let page = std::fs::read_to_string(page).expect("docs/extprot.md is in the repository");
    let mut blocks = 0;
    for block in page.split("```extprot\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (hex, text) = block.split_once("=> ").expect("each block ends with the value's text");
        let bytes: Vec<u8> = hex.lines().flat_map(bytes_of).collect();
        let value = Value::decode(&bytes).unwrap_or_else(|error| panic!("{error}\n{block}"));
        assert_eq!(value.to_string(), text.trim(), "{block}");
        assert_eq!(value.encode(), bytes, "{block}");
        blocks += 1;
    }
    assert!(blocks >= 7, "{blocks} blocks");
}

//! Reads any bytes with every reader without a schema, and compares the results.
#![no_main]

use ketch_extprot::wire::{MessageReader, Messages, StreamTokens, Tokens};
use ketch_extprot::{InspectOptions, Limits, Value, inspect};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default();
    if let Ok((value, length)) = Value::decode_first(bytes, &limits) {
        let canonical = value.encode();
        assert!(canonical.len() <= length);
        assert_eq!(Value::decode(&canonical).expect("own bytes"), value);
        let strict = Limits { strict: true, ..limits.clone() };
        if Tokens::with_limits(&bytes[..length], &strict).all(|token| token.is_ok()) {
            assert_eq!(canonical, &bytes[..length]);
        }
        let _ = (value.to_string(), value.to_verbose_string());
    }
    let whole = Messages::new(bytes).filter(|message| message.is_ok()).count();
    let mut reader = MessageReader::new(bytes);
    let mut streamed = 0;
    while let Ok(Some(_)) = reader.next_message() {
        streamed += 1;
    }
    assert_eq!(whole, streamed);
    // If a slice can be read to the end, so can a stream.
    if Tokens::new(bytes).all(|token| token.is_ok()) {
        let mut stream = StreamTokens::new(bytes, limits);
        while stream.next_token().expect("a slice could be read").is_some() {}
    }
    let _ = inspect(bytes, std::io::sink(), &InspectOptions::default());
});

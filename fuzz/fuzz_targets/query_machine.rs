#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Err(what) = ketch_conformance::query::machine(data) {
        panic!("{what}");
    }
});

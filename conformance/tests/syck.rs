//! The dialect of Syck over the inputs of yaml-test-suite, and over documents of its generator.

use ketch_conformance::suite;
use ketch_conformance::syck::{Generator, read_alike};

/// No input and no beginning of one breaks anything.
#[test]
fn every_prefix_of_the_suite() {
    let mut count = 0;
    for case in suite::cases() {
        let text = case.yaml.as_bytes();
        for end in 0..=text.len() {
            if let Err(what) = read_alike(&text[..end]) {
                panic!("{} up to {end}: {what}", case.id);
            }
            count += 1;
        }
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn generated_documents_read_alike() {
    let mut generator = Generator::new(7);
    for _ in 0..5_000 {
        for text in [generator.stream(), generator.mutation(&[])] {
            if let Err(what) = read_alike(&text) {
                panic!("{:?}: {what}", String::from_utf8_lossy(&text));
            }
        }
    }
}

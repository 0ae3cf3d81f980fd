//! The document: generated with the same lines, keys and lengths as `big_yaml.yml`, the file of
//! JRuby by which ports of Syck were measured, but with other words.

use std::fmt::Write;

const WORDS: [&str; 3] = ["oak", "elm", "ash"];

/// Returns the document, which has 4,794 bytes.
pub fn big() -> String {
    let mut out = String::from("---\n");
    for number in ["", "2", "3", "4"] {
        let _ = writeln!(out, "key{number}:");
        for at in 0..39 {
            let word = if at == 7 { "[1, 2, 3, 4, 5]" } else { WORDS[at % 3] };
            let _ = writeln!(out, "  - {word}");
        }
        let _ = write!(out, "\ngrove{number}: \n");
        for inner in ["", "2", "3", "4", "5", "6"] {
            let _ = writeln!(out, "  key{inner}:");
            for at in 0..15 {
                let _ = writeln!(out, "   - {}", WORDS[at % 3]);
            }
        }
        out.push('\n');
    }
    out
}

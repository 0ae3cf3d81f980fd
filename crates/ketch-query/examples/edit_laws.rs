//! Checks the laws of edits on files: `edit_laws FILE...`
//!
//! Each program of `tests/laws.txt` edits each file. Counts what became of the edits, and prints what breaks a law, and
//! why others were refused. Fails if a law is broken.

#[path = "../tests/laws/mod.rs"]
mod laws;

use laws::{Outcome, documents, programs};
use std::collections::BTreeMap;
use std::process::ExitCode;

fn main() -> ExitCode {
    let programs = programs();
    let (mut files, mut changed, mut same, mut without, mut wrong) = (0, 0, 0, 0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if documents(&text).is_none_or(|documents| documents.is_empty()) {
            continue;
        }
        files += 1;
        for program in &programs {
            match program.check(&text) {
                Outcome::Done { is_changed: true } => changed += 1,
                Outcome::Done { is_changed: false } => same += 1,
                Outcome::None => without += 1,
                Outcome::Refused(why) => {
                    println!("{path}: {}: refused: {why}", program.text);
                    let why = why.split('`').next().unwrap_or_default();
                    let why = why.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == ':');
                    *refused
                        .entry(why.lines().next().unwrap_or_default().to_owned())
                        .or_default() += 1;
                }
                Outcome::Wrong(what) => {
                    wrong += 1;
                    println!("{path}: {}: WRONG: {what}", program.text);
                }
            }
        }
    }
    println!(
        "{files} files, {changed} edits changed the text, {same} did not, {without} had no result"
    );
    for (why, count) in refused {
        println!("{count} refused: {why}");
    }
    println!("{wrong} broke a law");
    if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

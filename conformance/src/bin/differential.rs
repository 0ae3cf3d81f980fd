//! Compares the events of Ketch with those of other parsers on many inputs. Each difference has to
//! be in the list of known ones.
//!
//! ```text
//! differential [--rules FILE] [--count N] [--seed N] [--corpus FOLDER]... [--show N]
//!              --peer NAME=PROGRAM...
//! ```
//!
//! With two peers, their agreement is a third oracle. The exit code is 1 if no rule covers a
//! difference.

use ketch_conformance::differences::{Difference, Oracle, Rules, Tally};
use ketch_conformance::generate::{self, Random};
use ketch_conformance::peer::Peer;
use ketch_conformance::suite;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

struct Arguments {
    rules: Rules,
    count: usize,
    seed: u64,
    shown: usize,
    corpora: Vec<PathBuf>,
    oracles: Vec<Oracle>,
}

/// Returns the arguments of the command line.
fn arguments() -> Arguments {
    let mut found = Arguments {
        rules: Rules::default(),
        count: 100_000,
        seed: 1,
        shown: 10,
        corpora: Vec::new(),
        oracles: Vec::new(),
    };
    let mut peers = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(option) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{option} wants a value"));
        let number = || value.parse().unwrap_or_else(|_| panic!("{option} wants a number"));
        match option.as_str() {
            "--rules" => found.rules = Rules::read(Path::new(&value)),
            "--count" => found.count = number(),
            "--seed" => found.seed = number() as u64,
            "--show" => found.shown = number(),
            "--corpus" => found.corpora.push(value.into()),
            "--peer" => {
                let (name, program) = value.split_once('=').expect("NAME=PROGRAM");
                peers.push((name.to_owned(), program.to_owned()));
            }
            _ => panic!("unknown option {option}"),
        }
    }
    let start = |(name, program): &(String, String)| Peer::new(name, program);
    for peer in &peers {
        found.oracles.push(Oracle::One(start(peer)));
    }
    if let [first, second] = &peers[..] {
        found.oracles.push(Oracle::Both(start(first), start(second)));
    }
    assert!(!found.oracles.is_empty(), "--peer NAME=PROGRAM is missing");
    found
}

/// Returns a random text. `turn` determines how it is generated.
fn text(turn: usize, random: &mut Random, cases: &[suite::Case]) -> Vec<u8> {
    let len = 20 + random.below(200);
    let mut text = match turn % 5 {
        0 => generate::noise(&random.bytes(1 + len / 8)),
        1 => cases[random.below(cases.len())].yaml.clone().into_bytes(),
        _ => generate::document(&random.bytes(len)).into_bytes(),
    };
    for _ in 0..random.below(3) {
        generate::mutate(&mut text, random);
    }
    text
}

/// Returns all prefixes of the suite's cases, and the files of the corpora.
fn fixed_texts(cases: &[suite::Case], corpora: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for case in cases {
        texts.extend((0..=case.yaml.len()).map(|end| case.yaml.as_bytes()[..end].to_vec()));
    }
    for corpus in corpora {
        for file in std::fs::read_dir(corpus).expect("a readable corpus") {
            let path = file.expect("a readable corpus").path();
            if path.extension().is_some_and(|ext| ext == "yaml" || ext == "yml" || ext == "json") {
                texts.push(std::fs::read(path).expect("a readable file"));
            }
        }
    }
    texts
}

fn main() -> ExitCode {
    let Arguments { rules, count, seed, shown, corpora, mut oracles } = arguments();
    let cases = suite::cases();
    let mut tally = Tally::new(rules);
    let mut random = Random::new(seed);
    let fixed = fixed_texts(&cases, &corpora);
    let texts = fixed.len() + count;
    let random_texts = (0..count).map(|turn| text(turn, &mut random, &cases));
    for text in fixed.into_iter().chain(random_texts) {
        if std::str::from_utf8(&text).is_err() {
            continue;
        }
        for oracle in &mut oracles {
            if let Some(difference) = Difference::find(&text, oracle) {
                tally.note(difference);
            }
        }
    }
    print!("{}", tally.report(texts, shown));
    for oracle in &oracles {
        println!("{} crashed or hung {} times", oracle.name(), oracle.crashes());
    }
    if tally.is_explained() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Random programs of `ketch q`, made of the parts of known ones, and all starts of known ones. `KETCH_RUNS` is the
//! number of random ones.

use ketch_conformance::generate::Random;
use ketch_conformance::query;

const CASES: &str = include_str!("../query/cases.json");

/// The programs of the cases, with their inputs.
fn cases() -> Vec<(String, String)> {
    let cases: Vec<serde_json::Value> = serde_json::from_str(CASES).expect("JSON");
    let text = |case: &serde_json::Value, key: &str| case[key].as_str().unwrap_or("").to_owned();
    cases.iter().map(|case| (text(case, "program"), text(case, "input"))).collect()
}

/// Splits a program into words and signs.
fn tokens(program: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = program;
    while let Some(first) = rest.chars().next() {
        let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
        let word = rest.find(|ch| !is_word(ch)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(word.max(first.len_utf8()));
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[test]
fn random_programs_end() {
    let cases = cases();
    let all: Vec<Vec<&str>> = cases.iter().map(|(program, _)| tokens(program)).collect();
    let count = std::env::var("KETCH_RUNS").ok().and_then(|count| count.parse().ok());
    let mut random = Random::new(41);
    for _ in 0..count.unwrap_or(5_000) {
        // The start of one program and the end of another, with a few tokens from a third between them.
        let mut pick = || &all[random.below(all.len())];
        let (first, middle, last) = (pick(), pick(), pick());
        let cut = |random: &mut Random, tokens: &[&str]| random.below(tokens.len() + 1);
        let start = &first[..cut(&mut random, first)];
        let from = cut(&mut random, middle);
        let inner = &middle[from..(from + random.below(4)).min(middle.len())];
        let end = &last[cut(&mut random, last)..];
        let program = [start, inner, end].concat().concat();
        let (_, input) = &cases[random.below(cases.len())];
        let data = [program.as_bytes(), b"\0", input.as_bytes()].concat();
        query::parser(program.as_bytes()).unwrap_or_else(|what| panic!("{what}"));
        query::machine(&data).unwrap_or_else(|what| panic!("{program}\n{input}\n{what}"));
    }
}

#[test]
fn starts_of_programs_and_inputs_end() {
    for (program, input) in cases() {
        for (at, _) in program.char_indices() {
            let data = [&program.as_bytes()[..at], b"\0", input.as_bytes()].concat();
            query::parser(&program.as_bytes()[..at]).unwrap_or_else(|what| panic!("{what}"));
            query::machine(&data).unwrap_or_else(|what| panic!("{program} up to {at}: {what}"));
        }
        for at in 0..input.len() {
            let data = [program.as_bytes(), b"\0", &input.as_bytes()[..at]].concat();
            query::machine(&data).unwrap_or_else(|what| panic!("{program}: {what}"));
        }
    }
}

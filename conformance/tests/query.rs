//! Random programs of `ketch q`, made of the parts of known ones, and all starts of known ones. `KETCH_RUNS` is the
//! number of random ones.

use ketch_conformance::generate::Random;
use ketch_conformance::query;
use ketch_query::{InputOptions, Inputs, Limits, NoHost, Query};
use std::io::Cursor;

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

/// Returns random digits.
fn digits(random: &mut Random, most: usize, base: &[u8]) -> String {
    (0..1 + random.below(most)).map(|_| base[random.below(base.len())] as char).collect()
}

/// Returns a number as JSON or YAML writes it.
fn spelling(random: &mut Random, is_json: bool) -> String {
    const DECIMAL: &[u8] = b"0123456789";
    if !is_json && random.below(8) == 0 {
        return match random.below(2) {
            0 => format!("0x{}", digits(random, 20, b"0123456789abcdefABCDEF")),
            _ => format!("0o{}", digits(random, 20, b"01234567")),
        };
    }
    let mut text = match random.below(if is_json { 2 } else { 3 }) {
        0 => String::new(),
        1 => "-".to_owned(),
        _ => "+".to_owned(),
    };
    let whole = digits(random, 40, DECIMAL);
    match whole.trim_start_matches('0') {
        "" => text.push('0'),
        rest if is_json => text.push_str(rest),
        _ => text.push_str(&whole),
    }
    if random.below(2) == 0 {
        text += &format!(".{}", digits(random, 40, DECIMAL));
    }
    if random.below(3) == 0 {
        text += ["e", "E", "e+", "E-", "e-"][random.below(5)];
        let most = [4, 25][random.below(2)];
        text += &digits(random, most, DECIMAL);
    }
    text
}

#[test]
fn numbers_that_are_not_computed_keep_their_spelling() {
    let mut random = Random::new(42);
    for is_json in [true, false] {
        let all: Vec<String> = (0..10_000).map(|_| spelling(&mut random, is_json)).collect();
        let text = format!("[{}]", all.join(", "));
        let options = InputOptions { is_json, ..InputOptions::default() };
        let mut inputs = Inputs::new(Box::new(Cursor::new(text)), "text".into(), &options);
        let mut run =
            Query::new("map(.)", &[]).expect("a program").run(Vec::new(), Limits::default());
        run.start(inputs.next().expect("an input").expect("valid"));
        let value = run.next(&mut NoHost).expect("a result").expect("no error");
        let written = if is_json { value.to_json() } else { value.to_yaml().expect("YAML") };
        let found: Vec<&str> = match is_json {
            true => written.trim_matches(['[', ']']).split(',').collect(),
            false => written.trim().trim_matches(['[', ']']).split(", ").collect(),
        };
        assert_eq!(found.len(), all.len());
        for (found, expected) in found.iter().zip(&all) {
            assert_eq!(found.trim_start_matches("- "), expected);
        }
    }
}

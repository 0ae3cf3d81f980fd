//! Comparisons with jq, which run only where it is available.
//!
//! `JQ_TESTS` names the folder of jq's own tests. `JQ_PARSER` names a program that reads programs, each ended by a
//! NUL, and writes a line for each: `error: message`, or `ok` and the code that jq's parser makes. `JQ_SEED` may be a
//! number, for other random programs.

use super::super::parse;
use super::print::Print;
use super::random::Random;
use std::io::Write;
use std::process::{Command, Stdio};

/// The files of jq's tests that hold programs.
const TEST_FILES: [&str; 7] = ["man", "jq", "onig", "manonig", "base64", "uri", "optional"];

/// The number of programs that are generated.
const GENERATED: usize = 60_000;

/// What jq checks besides the grammar after it has folded constants, which the parser here does not fold.
const FOLDED: [&str; 2] = ["Cannot use", "Module metadata"];

/// The programs of jq's tests, and the message that jq has for those that fail.
fn programs() -> Option<Vec<(String, Option<String>)>> {
    let folder = std::env::var_os("JQ_TESTS")?;
    let mut programs = Vec::new();
    for name in TEST_FILES {
        let path = std::path::Path::new(&folder).join(format!("{name}.test"));
        let text = std::fs::read_to_string(path).expect("a file of tests");
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if line.starts_with("%%FAIL") {
                let program = lines.next().expect("a program").to_owned();
                programs.push((program, Some(lines.next().unwrap_or_default().to_owned())));
            } else {
                programs.push((line.to_owned(), None));
            }
            while lines.next().is_some_and(|line| !line.trim().is_empty()) {}
        }
    }
    Some(programs)
}

/// What jq's parser makes of programs.
fn ask(oracle: &str, programs: &[String]) -> Vec<String> {
    let mut child = Command::new(oracle)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the parser of jq");
    let mut input = child.stdin.take().expect("a pipe");
    let bytes: Vec<u8> =
        programs.iter().flat_map(|program| [program.as_bytes(), &[0]].concat()).collect();
    let writer = std::thread::spawn(move || input.write_all(&bytes).expect("jq reads"));
    let output = child.wait_with_output().expect("jq ends");
    writer.join().expect("jq has read");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// Checks that jq takes the same programs, and makes the same of each and of its print with all parentheses.
fn compare(programs: &[String]) -> (usize, usize) {
    let Ok(oracle) = std::env::var("JQ_PARSER") else { return (0, 0) };
    let theirs = ask(&oracle, programs);
    assert_eq!(theirs.len(), programs.len());
    let (mut accepted, mut printed, mut codes, mut wrong) = (0, Vec::new(), Vec::new(), Vec::new());
    for (program, code) in programs.iter().zip(&theirs) {
        match (parse(program), code.strip_prefix("error: ")) {
            (Ok(tree), None) => {
                accepted += 1;
                printed.push(Print { tree: &tree, source: program }.program());
                codes.push((program, code));
            }
            (Err(_), Some(_)) => {}
            (Err(error), None) if error.message == "the metadata must be constant" => {}
            (Ok(_), Some(message)) if FOLDED.iter().any(|check| message.contains(check)) => {}
            (ours, _) => wrong.push(format!("{program:?}\n  {:?}\n  {code}", ours.err())),
        }
    }
    for (((program, code), print), again) in codes.iter().zip(&printed).zip(ask(&oracle, &printed))
    {
        if **code != again {
            wrong.push(format!("{program:?}\n  {print}\n  {code}\n  {again}"));
        }
    }
    let shown = wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {}:\n{shown}", wrong.len(), programs.len());
    (accepted, programs.len())
}

#[test]
fn jq_tests_parse() {
    let Some(programs) = programs() else { return };
    let mut failing = 0;
    for (program, message) in &programs {
        let is_syntax = message.as_ref().is_some_and(|message| {
            !message.contains("is not defined") && !message.contains(".jq, line")
        });
        failing += usize::from(is_syntax);
        match parse(program) {
            Ok(_) => assert!(!is_syntax, "{program}: {message:?}"),
            Err(error) => assert!(message.is_some(), "{program}: {error}"),
        }
    }
    println!("{} programs, {failing} of which fail", programs.len());
    let sources: Vec<String> = programs.into_iter().map(|(program, _)| program).collect();
    println!("compared: {:?}", compare(&sources));
    let mut prefixes = Vec::new();
    for source in &sources {
        for (end, _) in source.char_indices() {
            prefixes.push(source[..end].to_owned());
        }
    }
    println!("prefixes compared: {:?}", compare(&prefixes));
}

#[test]
fn own_cases_are_as_in_jq() {
    let cases: Vec<String> =
        super::cases::CASES.iter().map(|(source, _)| (*source).to_owned()).collect();
    println!("compared: {:?}", compare(&cases));
    let errors: Vec<String> =
        super::errors::ERRORS.iter().map(|(source, ..)| (*source).to_owned()).collect();
    println!("compared: {:?}", compare(&errors));
}

#[test]
fn generated_programs_are_as_in_jq() {
    if std::env::var_os("JQ_PARSER").is_none() {
        return;
    }
    let seed = std::env::var("JQ_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = Random::new(seed.unwrap_or(1));
    let programs: Vec<String> = (0..GENERATED).map(|_| random.program()).collect();
    println!("compared: {:?}", compare(&programs));
    let broken: Vec<String> = programs.iter().map(|program| random.change(program)).collect();
    println!("changed, compared: {:?}", compare(&broken));
    let tokens: Vec<String> = (0..GENERATED).map(|_| random.tokens(12)).collect();
    println!("tokens, compared: {:?}", compare(&tokens));
}

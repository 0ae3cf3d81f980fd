//! Runs files of jq's tests: `jq_tests [--deviations LIST] FILE...`
//!
//! A file has groups of lines: a program, its input, and its outputs as JSON. Modules are in the folder `modules` beside
//! the file. Each line of the list of deviations names a test that has another result, as `FILE:LINE REASON`. The program
//! fails if a test that is not in the list has another result, or one that is in the list has none.

use ketch_query::{Failure, Host, Limits, ModuleFolders, Modules, Query, Value, parse_json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// A test: a program with its input, and what it should return. No input means that it should not compile.
struct Test<'t> {
    line: usize,
    program: &'t str,
    input: Option<&'t str>,
    outputs: Vec<&'t str>,
}

/// A host that has modules and an environment, and no inputs.
struct Tests {
    modules: ModuleFolders,
}

impl Host for Tests {
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        None
    }

    fn message(&mut self, _: &str) {}

    fn input_name(&self) -> Option<Arc<str>> {
        None
    }

    fn modules(&self) -> &dyn Modules {
        &self.modules
    }

    fn environment(&self) -> Option<Value> {
        let pager = ("PAGER".into(), "less".into());
        Some(Value::object([pager].into_iter().collect()))
    }
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).peekable();
    let mut listed = BTreeMap::new();
    if args.next_if(|arg| arg == "--deviations").is_some() {
        let path = args.next().expect("a list");
        listed = deviations(&std::fs::read_to_string(path).expect("a list of deviations"));
    }
    let mut is_wrong = false;
    for path in args {
        is_wrong |= run_file(Path::new(&path), &mut listed);
    }
    for (place, reason) in listed {
        println!("{place}: there is no such test: {reason}");
        is_wrong = true;
    }
    ExitCode::from(u8::from(is_wrong))
}

/// Reads a list of deviations: places of tests, with reasons.
fn deviations(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.filter_map(|line| line.split_once(' '));
    parts.map(|(place, reason)| (place.to_owned(), reason.to_owned())).collect()
}

/// Runs the tests of a file. Returns whether a result is not as listed.
fn run_file(path: &Path, listed: &mut BTreeMap<String, String>) -> bool {
    let text = std::fs::read_to_string(path).expect("a file of tests");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(".")).join("modules");
    let mut host = Tests { modules: ModuleFolders { folders: vec![folder] } };
    let (mut passed, mut failed, mut wrong) = (0, 0, 0);
    for test in tests(&text) {
        let place = format!("{name}:{}", test.line);
        let reason = listed.remove(&place);
        let result = check(&test, &mut host);
        match &result {
            Ok(()) => passed += 1,
            Err(_) => failed += 1,
        }
        match (result, reason) {
            (Ok(()), Some(reason)) => {
                println!("{place}: is listed, but passes: {reason}");
                wrong += 1;
            }
            (Err(shown), None) => {
                println!("{place}: {}\n{shown}", test.program);
                wrong += 1;
            }
            _ => {}
        }
    }
    println!("{name}: {passed} passed, {failed} differ, {wrong} not as listed");
    wrong > 0
}

/// Returns the tests of a file.
fn tests(text: &str) -> Vec<Test<'_>> {
    let mut tests = Vec::new();
    let is_blank = |line: &str| line.trim().is_empty();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if is_blank(line) || line.starts_with('#') {
            continue;
        }
        let is_invalid = line.starts_with("%%FAIL");
        let program = if is_invalid { lines.next().map_or("", |(_, line)| line) } else { line };
        let input = if is_invalid { None } else { lines.next().map(|(_, line)| line) };
        let outputs = lines.by_ref().map(|(_, line)| line).take_while(|line| !is_blank(line));
        let outputs = outputs.filter(|line| !line.starts_with('#')).collect();
        tests.push(Test { line: number + 1, program, input, outputs });
    }
    tests
}

/// Runs a test. Fails with what differs.
fn check(test: &Test<'_>, host: &mut Tests) -> Result<(), String> {
    let query = Query::with_modules(test.program, &[], &host.modules);
    let Some(input) = test.input else {
        return query.err().map(drop).ok_or_else(|| "    compiles".to_owned());
    };
    let query = query.map_err(|error| format!("    {error}"))?;
    let limits = Limits { steps: 20_000_000, frames: 200_000, ..Limits::default() };
    let mut run = query.run(Vec::new(), limits);
    run.start(parse_json(input)?);
    let mut outputs = Vec::new();
    let mut message = None;
    while let Some(output) = run.next(host) {
        match output {
            Ok(value) => outputs.push(value),
            // The tests are about what comes before an error.
            Err(failure) => message = Some(failure.message()),
        }
    }
    let wanted = test.outputs.iter().map(|line| parse_json(line)).collect::<Result<Vec<_>, _>>()?;
    let is_same = |(a, b): (&Value, &Value)| a == b || a.to_json() == b.to_json();
    if outputs.len() == wanted.len() && outputs.iter().zip(&wanted).all(is_same) {
        return Ok(());
    }
    let shown = |values: &[Value]| {
        let all = values.iter().map(Value::to_json).collect::<Vec<_>>().join("  ");
        all.chars().take(300).collect::<String>()
    };
    Err(format!(
        "    returns {} {}\n    not     {}",
        shown(&outputs),
        message.unwrap_or_default(),
        shown(&wanted)
    ))
}

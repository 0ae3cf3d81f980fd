//! Writes troublesome values in all ways, reads the texts with the YAML readers of other languages,
//! and compares the values. `conformance/readers/run` installs the readers and runs this program.
//!
//! ```text
//! readers [--folder FOLDER] [--share N] [--random N] [--seed N] [--show N] [--reader NAME]...
//! ```
//!
//! With `--share N`, only every N-th of the uncommon ways is used.
//!
//! The exit code is 1 if a reader misreads something that is not in the list of differences or, if
//! all ways are used, does not misread something that is in the list.

use ketch::Value;
use ketch_conformance::readers::known::Known;
use ketch_conformance::readers::notation::readable;
use ketch_conformance::readers::{Case, Outcome, Reader, compare, places, random, reader, table};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::{env, fs, thread};

struct Arguments {
    folder: PathBuf,
    share: usize,
    random: usize,
    seed: u64,
    shown: usize,
    names: Vec<String>,
}

/// Returns the arguments of the command line.
fn arguments() -> Arguments {
    let mut found = Arguments {
        folder: env::temp_dir(),
        share: 1,
        random: 5000,
        seed: 1,
        shown: 5,
        names: Vec::new(),
    };
    let mut words = env::args().skip(1);
    while let Some(option) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{option} wants a value"));
        let number =
            || value.parse::<usize>().unwrap_or_else(|_| panic!("{option} wants a number"));
        match option.as_str() {
            "--folder" => found.folder = value.into(),
            "--share" => found.share = number().max(1),
            "--random" => found.random = number(),
            "--seed" => found.seed = number() as u64,
            "--show" => found.shown = number(),
            "--reader" => found.names.push(value),
            _ => panic!("unknown option {option}"),
        }
    }
    found
}

/// Runs the readers, as many at a time as there are processors. Returns the results in the order of
/// the readers.
fn run<'c>(
    readers: &'c [Reader],
    cases: &'c [Case],
    folder: &Path,
    known: &Known,
) -> Vec<Result<Outcome<'c>, String>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let queue = Mutex::new(readers.iter().enumerate());
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no thread panics").next();
                    let Some((at, reader)) = next else { break };
                    let outcome = compare(reader, cases, folder, known);
                    found.lock().expect("no thread panics").push((at, outcome));
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no thread panics");
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Prints misreadings that are not in the list, and entries of the list that did not occur. Returns
/// whether there are neither.
fn report(outcome: &Outcome<'_>, known: &Known, arguments: &Arguments) -> bool {
    let shown = arguments.shown;
    let name = &outcome.reader.name;
    for misreading in outcome.misread.iter().take(shown) {
        println!("{name} misreads {:?}", misreading.text);
        println!("    written: {}", readable(&misreading.written));
        println!("    read:    {}", readable(&misreading.read));
    }
    if outcome.misread.len() > shown {
        println!("{name} misreads {} more", outcome.misread.len() - shown);
    }
    // If only a share of the ways is used, some entries may not occur, so that is not an error.
    let mut outdated = known.outdated(name, &outcome.listed);
    outdated.retain(|_| arguments.share == 1);
    for entry in &outdated {
        println!("{name} does not misread any more: {entry}");
    }
    outcome.misread.is_empty() && outdated.is_empty()
}

/// Prints a table with a row for each reader.
fn print_table(outcomes: &[Outcome<'_>], scalars: usize) {
    let row = |cells: [&str; 6]| {
        let [reader, version, scalars, texts, misread, listed] = cells;
        println!("{reader:26} {version:34} {scalars:>7} {texts:>7} {misread:>7} {listed:>6}");
    };
    row(["reader", "version", "scalars", "texts", "misread", "listed"]);
    for outcome in outcomes {
        row([
            &outcome.reader.name,
            &outcome.version,
            &scalars.to_string(),
            &outcome.texts.to_string(),
            &outcome.misread.len().to_string(),
            &outcome.listed.iter().sum::<usize>().to_string(),
        ]);
    }
}

fn main() -> ExitCode {
    let arguments = arguments();
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("readers");
    let known = Known::read(&here.join("differences.json"));
    let mut readers = reader::read(&here.join("readers.json"));
    let names: Vec<&str> = readers.iter().map(|reader| reader.name.as_str()).collect();
    assert!(
        known.unknown_readers(&names).is_empty(),
        "no readers: {:?}",
        known.unknown_readers(&names)
    );
    readers.retain(|reader| arguments.names.is_empty() || arguments.names.contains(&reader.name));
    readers.retain(|reader| {
        let is_missing = reader.is_optional && !reader.is_here();
        if is_missing {
            println!("{} is not installed", reader.name);
        }
        !is_missing
    });
    let values: Vec<Value> =
        table::read(&here.join("table.json")).iter().flat_map(table::Group::values).collect();
    let texts: Vec<String> =
        values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect();
    let mut cases = places::cases(&values, arguments.share);
    cases.extend(random::cases(arguments.random, arguments.seed, &texts));
    fs::create_dir_all(&arguments.folder).expect("a folder for the cases");

    let mut is_well = !readers.is_empty();
    let mut outcomes = Vec::new();
    for outcome in run(&readers, &cases, &arguments.folder, &known) {
        match outcome {
            Ok(outcome) => {
                is_well &= report(&outcome, &known, &arguments);
                outcomes.push(outcome);
            }
            Err(error) => {
                println!("{error}");
                is_well = false;
            }
        }
    }
    print_table(&outcomes, values.len());
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

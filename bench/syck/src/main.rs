//! Compares the dialect of Syck with Yecht 1.1, its port to Java: the same document, in turns.
//! `bench/syck/run` runs it.

mod document;
mod record;
mod yecht;

use ketch_syck::{Nodes, NullHandler};
use ketch_yaml::{Options, Parser};
use record::{Figure, Record};
use std::hint::black_box;
use std::process::ExitCode;
use std::{env, fs};
use yecht::Yecht;

/// How often each engine reads the document, in all rounds together.
const TIMES: u64 = 10_000;

/// How often Yecht reads the document before the first round, so that the JVM has compiled it.
const WARM_UP: u64 = 5_000;

/// The ratio that each task has to reach.
const LEAST: f64 = 10.0;

/// What is measured, by the names that `Time.java` uses.
const TASKS: [&str; 2] = ["scan", "parse"];

/// Parses a document with implicit types and expanded tags, for a handler that builds nothing.
/// Returns the number of nodes.
fn parse(text: &[u8]) -> u64 {
    let mut handler = NullHandler::default();
    let mut nodes = Nodes::new(text);
    while nodes.next_root(&mut handler).expect("a valid document").is_some() {}
    handler.nodes
}

/// Reads all events of a document, and returns their number.
fn scan(text: &[u8]) -> u64 {
    let mut options = Options::default();
    options.dialect = ketch_syck::DIALECT;
    let mut parser = Parser::with_options(text, &options);
    let mut count = 0;
    while let Some(chunk) = parser.next_chunk().expect("a valid document") {
        for event in chunk.events() {
            black_box(event);
            count += 1;
        }
    }
    count
}

/// Runs a task, and returns the nanoseconds of CPU time per document.
fn time(task: &str, text: &[u8], times: u64) -> f64 {
    let run = if task == "parse" { parse } else { scan };
    let start = cpu_nanoseconds();
    for _ in 0..times {
        black_box(run(black_box(text)));
    }
    (cpu_nanoseconds() - start) as f64 / times as f64
}

/// Returns the CPU time of this thread, which other programs do not lengthen by taking turns.
fn cpu_nanoseconds() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}

/// Measures a task in rounds, in each of which both engines take their turn.
fn compare(task: &'static str, yecht: &mut Yecht, text: &[u8], rounds: u64) -> Figure {
    let times = (TIMES / rounds).max(1);
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        if round % 2 == 0 {
            theirs.push(yecht.time(task, times));
            ours.push(time(task, text, times));
        } else {
            ours.push(time(task, text, times));
            theirs.push(yecht.time(task, times));
        }
    }
    Figure::new(task, &theirs, &ours)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [class_path, rounds] = &arguments[..] else { panic!("expected a class path and rounds") };
    let rounds: u64 = rounds.parse().expect("a number of rounds");
    let text = document::big();
    if class_path == "-" {
        // Measures only Ketch, for use with a profiler.
        for task in TASKS {
            println!("{task}: {:.0} ns", time(task, text.as_bytes(), TIMES * rounds));
        }
        return ExitCode::SUCCESS;
    }
    let file = env::temp_dir().join(format!("ketch-bench-syck-{}.yml", std::process::id()));
    fs::write(&file, &text).expect("the document is written");
    let mut yecht = Yecht::start(class_path, file.to_str().expect("a path in UTF-8"));
    let calls = parse(text.as_bytes());
    assert_eq!(calls, yecht.handler_calls(), "the handlers get different numbers of nodes");
    for task in TASKS {
        yecht.time(task, WARM_UP);
        time(task, text.as_bytes(), TIMES / 10);
    }
    let figures = TASKS.map(|task| compare(task, &mut yecht, text.as_bytes(), rounds));
    yecht.end();
    let _ = fs::remove_file(&file);
    let is_fast = figures.iter().all(|figure| figure.ratio >= LEAST);
    let record = Record { bytes: text.len(), calls, times: TIMES, rounds, figures };
    print!("{record}");
    if let Ok(path) = env::var("RECORD") {
        fs::write(path, record.json()).expect("the record is written");
    }
    if is_fast { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Compares Ketch's dialect of Syck with Yecht on generated documents: `syck --oracle COMMAND
//! [--documents N] [--seed S] [--show N]`. `conformance/syck/run` runs it.

use ketch_conformance::suite;
use ketch_conformance::syck::{Generator, Options, Oracle, Rule, nodes, rule};
use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;

/// The maximum share of documents in which a difference may be covered by a rule.
const DIFFERENT_MAX: f64 = 0.005;

/// Returns whether both answers are the same, apart from the wording of errors.
fn agree(theirs: &str, ours: &str) -> bool {
    match (theirs.find("refused"), ours.find("refused")) {
        (Some(theirs_at), Some(ours_at)) => theirs[..theirs_at] == ours[..ours_at],
        _ => theirs == ours,
    }
}

fn corpus() -> Vec<Vec<u8>> {
    suite::cases().into_iter().map(|case| case.yaml.into_bytes()).collect()
}

/// Compares all documents, and returns whether all differences are covered by rules, and are few
/// enough.
fn compare(options: &Options) -> io::Result<bool> {
    let mut oracle = Oracle::start(&options.oracle)?;
    let corpus = corpus();
    let mut generator = Generator::new(options.seed);
    let mut known: BTreeMap<Rule, usize> = BTreeMap::new();
    let (mut unknown, mut refused) = (0, 0);
    for index in 0..options.count {
        let text = match corpus.get(index) {
            Some(text) => text.clone(),
            None if index % 3 == 0 => generator.mutation(&corpus),
            None => generator.stream(),
        };
        let theirs: String = oracle.ask(&[&text])?.into_iter().map(char::from).collect();
        let ours = nodes(&text);
        refused += usize::from(theirs.contains("refused"));
        if agree(&theirs, &ours) {
            continue;
        }
        if let Some(rule) = rule(&text, &theirs, &ours) {
            *known.entry(rule).or_default() += 1;
            continue;
        }
        unknown += 1;
        if unknown <= options.show {
            println!(
                "{}\n{:?}\n--- Yecht\n{theirs}--- Ketch\n{ours}",
                String::from_utf8_lossy(&text),
                String::from_utf8_lossy(&text)
            );
        }
    }
    let total: usize = known.values().sum();
    println!(
        "{} documents, {refused} refused by Yecht: {total} differ by a rule {known:?}, {unknown} by none",
        options.count
    );
    Ok(unknown == 0 && total as f64 <= options.count as f64 * DIFFERENT_MAX)
}

fn main() -> ExitCode {
    let result = Options::from_args("--documents", 50_000)
        .map_err(io::Error::other)
        .and_then(|options| compare(&options));
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("syck: {error}");
            ExitCode::FAILURE
        }
    }
}

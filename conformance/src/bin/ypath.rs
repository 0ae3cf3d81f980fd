//! Compares YPath with Syck's Ruby layer: `ypath --oracle COMMAND [--pairs N] [--seed S] [--show
//! N]`. `conformance/ypath/run` runs it.

use ketch_conformance::syck::{Options, Oracle, Pairs, found, groups};
use std::io;
use std::process::ExitCode;

/// Compares the cases that the tests use. Returns the number of differences.
fn compare_cases(oracle: &mut Oracle) -> io::Result<usize> {
    let mut different = 0;
    for group in groups() {
        for case in group.paths {
            let theirs = oracle.ask(&[group.text.as_bytes(), case.path.as_bytes()])?;
            let theirs = String::from_utf8_lossy(&theirs).into_owned();
            if found(group.text.as_bytes(), &case.path).as_ref() != Ok(&theirs) {
                different += 1;
                println!("{}--- {}\n--- JRuby\n{theirs}", group.text, case.path);
            }
        }
    }
    Ok(different)
}

/// Compares random pairs until there are enough that Syck's layer does not refuse. Returns whether
/// all are the same.
fn compare(options: &Options) -> io::Result<bool> {
    let mut oracle = Oracle::start(&options.oracle)?;
    let cases = compare_cases(&mut oracle)?;
    let mut pairs = Pairs::new(options.seed);
    let (mut compared, mut hits, mut refused, mut different) = (0, 0, 0, 0);
    while compared < options.count {
        let (text, path) = (pairs.document(), pairs.path());
        let theirs = oracle.ask(&[text.as_bytes(), path.as_bytes()])?;
        let theirs = String::from_utf8_lossy(&theirs).into_owned();
        let ours = found(text.as_bytes(), &path);
        if theirs.starts_with("refused") {
            refused += 1;
            continue;
        }
        compared += 1;
        hits += usize::from(theirs.len() > 1);
        let ours = ours.unwrap_or_else(|refusal| refusal);
        if ours == theirs {
            continue;
        }
        different += 1;
        if different <= options.show {
            println!("{text}--- {path}\n--- JRuby\n{theirs}--- Ketch\n{ours}");
        }
    }
    println!(
        "{compared} pairs, {hits} with results: {different} differ; {refused} more are refused by JRuby"
    );
    println!("{cases} of the cases of the tests differ");
    Ok(different == 0 && cases == 0)
}

fn main() -> ExitCode {
    match Options::from_args("--pairs", 2_000)
        .map_err(io::Error::other)
        .and_then(|options| compare(&options))
    {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("ypath: {error}");
            ExitCode::FAILURE
        }
    }
}

//! Writes the figures in the README from the saved records of the benchmarks: `bench/run --readme`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = root.join("README.md");
    let written = std::fs::read_to_string(&page)
        .map_err(|error| error.to_string())
        .and_then(|text| ketch_conformance::figures::rewrite(&text, &root))
        .and_then(|text| std::fs::write(&page, text).map_err(|error| error.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("figures: {error}");
            ExitCode::FAILURE
        }
    }
}

//! Writes the figures in the READMEs from the saved records of the benchmarks: `cargo run -p ketch-conformance --bin figures`.

use ketch_conformance::figures;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let written = figures::PAGES.iter().try_for_each(|page| {
        let page = root.join(page);
        let text = std::fs::read_to_string(&page).map_err(|error| error.to_string())?;
        let text = figures::rewrite(&text, page.parent().expect("a folder"))?;
        std::fs::write(&page, text).map_err(|error| error.to_string())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("figures: {error}");
            ExitCode::FAILURE
        }
    }
}

//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::engines::Level;

/// Measures YAML engines side by side, in one process and one run.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Options {
    /// Levels to measure.
    #[arg(long = "level", value_enum, value_delimiter = ',', default_value = "events")]
    pub levels: Vec<Level>,

    /// Only inputs whose name contains one of these words.
    #[arg(long, value_delimiter = ',', value_name = "WORD")]
    pub files: Vec<String>,

    /// Only engines whose name contains one of these words.
    #[arg(long, value_delimiter = ',', value_name = "WORD")]
    pub engines: Vec<String>,

    /// Measure the YAML and JSON files of this folder instead of the corpus.
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,

    /// Samples for each engine and input, after one to warm up.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    pub rounds: u16,

    /// Leave the generated inputs out.
    #[arg(long)]
    pub no_generated: bool,

    /// Write everything to this file as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Draw the rates at the first level into this SVG file.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Fail if a claim of definitions/levels.toml does not hold.
    #[arg(long)]
    pub strict: bool,

    /// Where `bench/corpus` put the real files.
    #[arg(long, value_name = "DIR", default_value = "out/corpus")]
    pub fetched: PathBuf,

    /// Folder of the definitions.
    #[arg(long, value_name = "DIR", default_value = "definitions")]
    pub definitions: PathBuf,

    /// Print the counts of each input that most engines agree on, in the format of the definitions,
    /// and stop.
    #[arg(long)]
    pub print_counts: bool,

    /// Write the inputs to this folder and stop.
    #[arg(long, value_name = "DIR")]
    pub write_inputs: Option<PathBuf>,

    /// Internal: print the results of this engine for standard input.
    #[arg(long, hide = true, value_name = "ENGINE")]
    pub probe: Option<String>,
}

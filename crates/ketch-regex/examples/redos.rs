//! Measures the patterns of `tests/redos.tsv` for `conformance/regex/redos`: each row has the end of
//! a text, which is no match, and a pattern. Before the end, the text has a million letters, or as
//! many as the argument says. Prints the processor time of each row in milliseconds.

use std::error::Error;

#[path = "../tests/cpu/mod.rs"]
mod cpu;

use cpu::Timer;
use ketch_regex::{Options, Regex};

fn main() -> Result<(), Box<dyn Error>> {
    let letters: usize = std::env::args().nth(1).map_or(Ok(1_000_000), |n| n.parse())?;
    for row in include_str!("../tests/redos.tsv").lines() {
        let (end, pattern) = row.split_once('\t').ok_or("a row without a tab")?;
        let text = "a".repeat(letters) + end;
        let regex = Regex::new(pattern, Options::default())?;
        let timer = Timer::start();
        let found = regex.captures(text.as_bytes())?;
        let time = timer.elapsed();
        assert!(found.is_none(), "{pattern}");
        println!("{:.1}\t{pattern}", 1e3 * time.as_secs_f64());
    }
    Ok(())
}

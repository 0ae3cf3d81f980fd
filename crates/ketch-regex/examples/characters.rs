//! Answers `conformance/regex/characters`. The arguments are a file with a text, and the number of
//! characters to leave out at both ends of each match. Each line of standard input is a pattern in
//! hexadecimal. Each line of output contains the first and the last character of each match as code
//! points, or the problem of the pattern.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, Write};

use ketch_regex::{Captures, Options, Regex};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut argument = || arguments.next().ok_or("the arguments are TEXT and SKIP");
    let text = std::fs::read_to_string(argument()?)?;
    let skip: usize = argument()?.parse()?;
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let pattern = String::from_utf8(bytes(&line?))?;
        match matches(&pattern, &text, skip) {
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(error) => writeln!(output, "error: {error}")?,
        }
    }
    Ok(())
}

fn matches(pattern: &str, text: &str, skip: usize) -> Result<String, Box<dyn Error>> {
    let regex = Regex::new(pattern, Options::default())?;
    let mut captures = Captures::new();
    let mut scan = regex.scan(text.as_bytes());
    let mut answer = String::new();
    while scan.next_captures(&mut captures)? {
        let span = captures.get(0).ok_or("a match without a span")?;
        let found = &text[span];
        let ends = (found.chars().nth(skip), found.chars().nth_back(skip));
        if let (Some(first), Some(last)) = ends {
            write!(answer, " {:x}-{:x}", u32::from(first), u32::from(last))?;
        }
    }
    Ok(answer)
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        hex.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

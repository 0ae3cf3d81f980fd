//! Answers searches with Oniguruma in Ruby's syntax. Requests and answers have the same form as in
//! the example `spans` of ketch-regex, except that every search starts at the beginning of the
//! text. If a search goes back more often than the argument says, the answer is `slow`.

use std::io::{BufRead, Write};

use onig::{MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};

/// The number of times that Oniguruma may go back in a search, if there is no argument.
const RETRIES: u32 = 200_000;

fn main() -> std::io::Result<()> {
    let retries = std::env::args().nth(1).and_then(|retries| retries.parse().ok());
    let retries = retries.unwrap_or(RETRIES);
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (pattern, text) = line.split_once(' ').unwrap_or((&line, ""));
        writeln!(output, "{}", answer(&string(pattern), &string(text), retries))?;
    }
    Ok(())
}

fn answer(pattern: &str, text: &str, retries: u32) -> String {
    let regex = Regex::with_options(pattern, RegexOptions::REGEX_OPTION_NONE, Syntax::ruby());
    let regex = match regex {
        Ok(regex) => regex,
        Err(error) => return format!("Syntax: {}", error.description()),
    };
    let mut region = Region::new();
    let mut limits = MatchParam::default();
    limits.set_retry_limit_in_match(retries);
    let found = regex.search_with_param(
        text,
        0,
        text.len(),
        SearchOptions::SEARCH_OPTION_NONE,
        Some(&mut region),
        limits,
    );
    match found {
        Err(_) => "slow".to_string(),
        Ok(None) => "nil".to_string(),
        Ok(Some(_)) => {
            let spans = (0..region.len()).map(|group| match region.pos(group) {
                Some((start, end)) => format!("{start}-{end}"),
                None => "-".to_string(),
            });
            spans.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Returns the string whose bytes the hexadecimal digits denote.
fn string(hex: &str) -> String {
    let digits: Vec<u8> =
        hex.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

//! Answers searches for `conformance/regex/run`: each line of standard input is a pattern and a text in
//! hexadecimal, each line of output the spans of the match and its groups, `nil`, or the problem.

use std::io::{BufRead, Write};

use ketch_regex::{Options, Regex};

fn main() -> std::io::Result<()> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (pattern, text) = line.split_once(' ').unwrap_or((&line, ""));
        let pattern = String::from_utf8_lossy(&bytes(pattern)).into_owned();
        writeln!(output, "{}", answer(&pattern, &bytes(text)))?;
    }
    Ok(())
}

fn answer(pattern: &str, text: &[u8]) -> String {
    let captures = match Regex::new(pattern, Options::default()) {
        Ok(regex) => regex.captures(text),
        Err(error) => return format!("{:?}: {}", error.class(), error.problem()),
    };
    match captures {
        Ok(None) => "nil".to_string(),
        Ok(Some(captures)) => {
            let spans = captures.iter().map(|group| match group {
                Some(span) => format!("{}-{}", span.start, span.end),
                None => "-".to_string(),
            });
            spans.collect::<Vec<_>>().join(" ")
        }
        Err(error) => format!("{:?}: {}", error.class(), error.problem()),
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .bytes()
        .filter_map(|byte| (byte as char).to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
}

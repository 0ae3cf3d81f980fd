//! Answers searches for `conformance/regex`: each line of standard input is a pattern and a text in
//! hexadecimal, perhaps followed by `find:`, `rfind:` or `match:` and a position. Each line of output is the
//! spans of the match and its groups, `nil`, or the problem.

use std::io::{BufRead, Write};

use ketch_regex::{Captures, Error, Options, Regex};

fn main() -> std::io::Result<()> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut fields = line.split(' ');
        let mut field = || fields.next().unwrap_or("");
        let pattern = String::from_utf8_lossy(&bytes(field())).into_owned();
        let text = bytes(field());
        let answer = answer(&pattern, &text, field());
        let answer =
            answer.unwrap_or_else(|error| format!("{:?}: {}", error.class(), error.problem()));
        writeln!(output, "{answer}")?;
    }
    Ok(())
}

fn answer(pattern: &str, text: &[u8], operation: &str) -> Result<String, Error> {
    let regex = Regex::new(pattern, Options::default())?;
    let (operation, position) = operation.split_once(':').unwrap_or(("find", "0"));
    let at = position.parse().unwrap_or(0);
    let mut captures = Captures::new();
    let found = match operation {
        "rfind" => regex.rcaptures_at(text, at, &mut captures)?,
        "match" => {
            let span = regex.match_at(text, at)?;
            return Ok(
                span.map_or("nil".to_string(), |span| format!("{}-{}", span.start, span.end))
            );
        }
        _ => regex.captures_at(text, at, &mut captures)?,
    };
    if !found {
        return Ok("nil".to_string());
    }
    let spans = captures.iter().map(|group| match group {
        Some(span) => format!("{}-{}", span.start, span.end),
        None => "-".to_string(),
    });
    Ok(spans.collect::<Vec<_>>().join(" "))
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .bytes()
        .filter_map(|byte| (byte as char).to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
}

//! Answers `conformance/regex/operations`: each line of standard input is an operation, a pattern, a text
//! and an argument, the last three in hexadecimal; each line of output has the answer's parts in
//! hexadecimal, or the problem.

use std::io::{BufRead, Write};

use ketch_regex::{Captures, LineOptions, Lines, Options, Regex, Separator, Template};

fn main() -> std::io::Result<()> {
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split(' ').collect();
        let [operation, pattern, text, argument] = fields[..] else { continue };
        let [pattern, text, argument] = [pattern, text, argument].map(bytes);
        let answer = answer(operation, &pattern, &text, &argument);
        writeln!(output, "{}", answer.unwrap_or_else(|error| error.to_string()))?;
    }
    Ok(())
}

type Answer = Result<String, Box<dyn std::error::Error>>;

fn answer(operation: &str, pattern: &[u8], text: &[u8], argument: &[u8]) -> Answer {
    if operation == "lines" {
        return lines(pattern, text, argument);
    }
    let regex = Regex::new(&String::from_utf8_lossy(pattern), Options::default())?;
    let argument = String::from_utf8_lossy(argument).into_owned();
    let mut captures = Captures::new();
    Ok(match operation {
        "scan" => {
            let mut scan = regex.scan(text);
            let mut found = Vec::new();
            while scan.next_captures(&mut captures)? {
                found.push(spans(&captures));
            }
            found.join(" ")
        }
        "rindex" => match regex.rcaptures_at(text, argument.parse()?, &mut captures)? {
            true => spans(&captures),
            false => "nil".to_string(),
        },
        "split" => {
            let parts: Result<Vec<_>, _> = regex.split(text, argument.parse()?).collect();
            parts?.into_iter().map(hex).collect::<Vec<_>>().join(" ")
        }
        "gsub" => {
            let template = Template::new(argument.as_bytes(), &regex)?;
            hex(&regex.replace_all(text, &template)?)
        }
        _ => return Err(operation.into()),
    })
}

/// Splits a text as a whole, and as a stream that arrives in pieces of the given size. Both must
/// have the same lines.
fn lines(separator: &[u8], text: &[u8], argument: &[u8]) -> Answer {
    let argument = String::from_utf8_lossy(argument).into_owned();
    let (chomp, piece) = argument.split_once(' ').ok_or("no argument")?;
    let chomp = chomp == "true";
    let separator = match separator {
        b"nil" => Separator::Nothing,
        b"" => Separator::Paragraphs,
        [b'/', pattern @ ..] => {
            Separator::Pattern(Regex::new(&String::from_utf8_lossy(pattern), Options::default())?)
        }
        text => Separator::Text(text.to_vec()),
    };
    let mut whole = Vec::new();
    for line in ketch_regex::lines(text, separator.clone()) {
        let (line, content) = line?;
        whole.push(hex(&text[if chomp { content } else { line }]));
    }
    let options = LineOptions { separator, chomp, ..LineOptions::default() };
    let piece = piece.parse()?;
    let mut lines = Lines::new(Pieces(text, piece), options.clone());
    let mut read = Vec::new();
    while let Some(line) = lines.next_line()? {
        read.push(hex(line));
    }
    // Some lines are counted after others were read.
    let mut lines = Lines::new(Pieces(text, piece), options);
    let first = (0..piece % 3).take_while(|_| lines.next_line().is_ok_and(|line| line.is_some()));
    let count = first.count() as u64 + lines.count_lines()?;
    if count != read.len() as u64 {
        return Ok(format!("{count} lines but read {}", read.len()));
    }
    match read == whole {
        true => Ok(whole.join(" ")),
        false => Ok(format!("{} but read {}", whole.join(" "), read.join(" "))),
    }
}

struct Pieces<'t>(&'t [u8], usize);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.1.min(buffer.len());
        (&mut self.0).read(&mut buffer[..length])
    }
}

fn spans(captures: &Captures) -> String {
    let spans = captures.iter().map(|group| match group {
        Some(span) => format!("{}-{}", span.start, span.end),
        None => "-".to_string(),
    });
    spans.collect::<Vec<_>>().join(",")
}

/// Returns a dot, which makes an empty text visible, and two digits for each byte.
fn hex(bytes: &[u8]) -> String {
    std::iter::once(".".to_string()).chain(bytes.iter().map(|byte| format!("{byte:02x}"))).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .bytes()
        .filter_map(|byte| (byte as char).to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
}

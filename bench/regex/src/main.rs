//! A worker of `bench/regex/run`: times one engine, as the commands on standard input say.
//!
//!     ketch-bench-regex ketch|onig|regex
//!
//! `load FILE OPERATION` compiles the cases of a file and prints the answers. `time N` repeats the
//! operation N times over all cases and prints the processor time in nanoseconds.

use std::error::Error;
use std::hint::black_box;
use std::io::BufRead;

use cpu_time::ThreadTime;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A case: the options, the pattern and the text.
struct Case {
    flags: String,
    pattern: String,
    text: String,
}

/// A compiled pattern of any engine, with the memory that its searches reuse.
enum Compiled {
    Ketch(ketch_regex::Regex, ketch_regex::Captures),
    Onig(onig::Regex, onig::Region),
    Regex(regex::bytes::Regex),
}

impl Compiled {
    fn new(engine: &str, case: &Case) -> Result<Compiled> {
        let has = |flag| case.flags.contains(flag);
        Ok(match engine {
            "ketch" => {
                let options = ketch_regex::Options {
                    ignore_case: has('i'),
                    multi_line: has('m'),
                    extended: has('x'),
                    ..Default::default()
                };
                let regex = ketch_regex::Regex::new(&case.pattern, options)
                    .map_err(|error| error.to_string())?;
                Compiled::Ketch(regex, ketch_regex::Captures::new())
            }
            "onig" => {
                let mut options = onig::RegexOptions::REGEX_OPTION_NONE;
                for (flag, option) in [
                    ('i', onig::RegexOptions::REGEX_OPTION_IGNORECASE),
                    ('m', onig::RegexOptions::REGEX_OPTION_MULTILINE),
                    ('x', onig::RegexOptions::REGEX_OPTION_EXTEND),
                ] {
                    options |= if has(flag) { option } else { onig::RegexOptions::empty() };
                }
                let syntax = onig::Syntax::ruby();
                let regex = onig::Regex::with_options(&case.pattern, options, syntax)?;
                Compiled::Onig(regex, onig::Region::new())
            }
            _ => {
                let mut builder = regex::bytes::RegexBuilder::new(&case.pattern);
                builder.case_insensitive(has('i')).dot_matches_new_line(has('m'));
                Compiled::Regex(builder.build()?)
            }
        })
    }

    /// Finds the first match from a position on.
    #[inline]
    fn find(&mut self, text: &str, from: usize) -> Option<(usize, usize)> {
        match self {
            Compiled::Ketch(regex, _) => {
                let found = regex.find_at(text.as_bytes(), from).unwrap_or(None);
                found.map(|span| (span.start, span.end))
            }
            Compiled::Onig(regex, region) => {
                region.clear();
                let options = onig::SearchOptions::SEARCH_OPTION_NONE;
                regex.search_with_options(text, from, text.len(), options, Some(region))?;
                region.pos(0)
            }
            Compiled::Regex(regex) => {
                regex.find_at(text.as_bytes(), from).map(|found| (found.start(), found.end()))
            }
        }
    }

    /// Returns whether there is a match.
    #[inline]
    fn is_match(&mut self, text: &str) -> bool {
        match self {
            Compiled::Ketch(regex, _) => regex.is_match(text.as_bytes()).unwrap_or(false),
            Compiled::Onig(regex, _) => {
                let options = onig::SearchOptions::SEARCH_OPTION_NONE;
                regex.search_with_options(text, 0, text.len(), options, None).is_some()
            }
            Compiled::Regex(regex) => regex.is_match(text.as_bytes()),
        }
    }

    /// Finds the first match with its groups, and returns the end of the last group.
    #[inline]
    fn captures(&mut self, text: &str) -> Option<usize> {
        match self {
            Compiled::Ketch(regex, captures) => {
                regex.captures_at(text.as_bytes(), 0, captures).unwrap_or(false);
                captures.get(0)?;
                captures.get(captures.len() - 1).map(|span| span.end)
            }
            Compiled::Onig(regex, region) => {
                region.clear();
                let options = onig::SearchOptions::SEARCH_OPTION_NONE;
                regex.search_with_options(text, 0, text.len(), options, Some(region))?;
                region.pos(region.len() - 1).map(|span| span.1)
            }
            Compiled::Regex(regex) => {
                let found = regex.captures(text.as_bytes())?;
                found.get(found.len() - 1).map(|group| group.end())
            }
        }
    }

    /// Counts the matches that do not overlap.
    fn count(&mut self, text: &str) -> usize {
        match self {
            Compiled::Ketch(regex, _) => {
                regex.scan(text.as_bytes()).filter(|found| found.is_ok()).count()
            }
            Compiled::Regex(regex) => regex.find_iter(text.as_bytes()).count(),
            Compiled::Onig(..) => {
                let (mut count, mut from) = (0, 0);
                while let Some((start, end)) = self.find(text, from) {
                    count += 1;
                    from = if end > start { end } else { next(text, end) };
                    if from > text.len() {
                        break;
                    }
                }
                count
            }
        }
    }
}

/// Returns the start of the next character.
fn next(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
}

/// Reads the cases of a file, which have the options, the pattern and the text in hexadecimal. A
/// text may be the name of a file instead.
fn cases(path: &str) -> Result<Vec<Case>> {
    let list = std::fs::read_to_string(path)?;
    let cases = list.lines().map(|line| {
        let mut fields = line.split('\t');
        let mut field = || fields.next().unwrap_or("");
        let (flags, pattern, text) = (field().to_string(), decode(field())?, field());
        let text = match text.strip_prefix('@') {
            Some(path) => std::fs::read_to_string(path)?,
            None => decode(text)?,
        };
        Ok(Case { flags, pattern, text })
    });
    cases.collect()
}

fn decode(hex: &str) -> Result<String> {
    let bytes = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16));
    Ok(String::from_utf8(bytes.collect::<std::result::Result<_, _>>()?)?)
}

/// Runs the operation on a case once, and returns the answer as a number.
fn run(engine: &str, operation: &str, case: &Case, compiled: &mut Compiled) -> usize {
    let end =
        |found: Option<(usize, usize)>| found.map_or(0, |(start, end)| 1 + start + end * 1000);
    match operation {
        "find" => end(compiled.find(&case.text, 0)),
        "is_match" => usize::from(compiled.is_match(&case.text)),
        "captures" => compiled.captures(&case.text).map_or(0, |end| end + 1),
        "count" => compiled.count(&case.text),
        "split" => match compiled {
            Compiled::Ketch(regex, _) => regex.split(case.text.as_bytes(), 0).count(),
            _ => usize::MAX,
        },
        "lines" => ketch_regex::lines(case.text.as_bytes(), Default::default()).count(),
        _ => match Compiled::new(engine, case) {
            Ok(mut new) => end(new.find(&case.text, 0)),
            Err(_) => usize::MAX,
        },
    }
}

fn main() -> Result<()> {
    let engine = std::env::args().nth(1).ok_or("no engine")?;
    let mut loaded: Vec<(Case, Compiled)> = Vec::new();
    let mut operation = String::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["load", path, name] => {
                operation = name.to_string();
                loaded.clear();
                for case in cases(path)? {
                    let compiled = Compiled::new(&engine, &case)
                        .map_err(|error| format!("/{}/: {error}", case.pattern))?;
                    loaded.push((case, compiled));
                }
                let answers = loaded
                    .iter_mut()
                    .map(|(case, compiled)| run(&engine, &operation, case, compiled).to_string());
                println!("{}", answers.collect::<Vec<_>>().join(" "));
            }
            ["time", count] => {
                let count: usize = count.parse()?;
                let start = ThreadTime::now();
                for _ in 0..count {
                    for (case, compiled) in &mut loaded {
                        black_box(run(&engine, &operation, case, compiled));
                    }
                }
                println!("{}", start.elapsed().as_nanos());
            }
            _ => return Err(line.into()),
        }
    }
    Ok(())
}

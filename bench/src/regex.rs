//! Regular expressions: `regex.find`, `is_match`, `captures`, `compile`, `count`, `lines`, `split`.
//! `rows/regex.toml` describes their inputs and results.

use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;

use ketch::Value;
use serde::Deserialize;

use crate::runner::{read_text, text as as_text};
use crate::work::{Prepared, timed, unable};

/// The engines, and their crates.
pub const ENGINES: &[(&str, &str)] = &[("onig", "onig"), ("regex", "regex")];

type Result<T> = std::result::Result<T, String>;

type Span = (usize, usize);

/// A case: the flags, the pattern and the text.
#[derive(Deserialize)]
struct Case(String, String, String);

/// A compiled pattern of any engine, with the memory that its searches reuse.
enum Compiled {
    Ketch(ketch_regex::Regex, ketch_regex::Captures),
    Onig(onig::Regex, onig::Region),
    Regex(regex::bytes::Regex),
}

impl Compiled {
    fn new(engine: &str, Case(flags, pattern, _): &Case) -> Result<Compiled> {
        let has = |flag| flags.contains(flag);
        Ok(match engine {
            "ketch" => {
                let options = ketch_regex::Options {
                    ignore_case: has('i'),
                    multi_line: has('m'),
                    extended: has('x'),
                    ..Default::default()
                };
                let regex = ketch_regex::Regex::new(pattern, options).map_err(as_text)?;
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
                let regex = onig::Regex::with_options(pattern, options, syntax).map_err(as_text)?;
                Compiled::Onig(regex, onig::Region::new())
            }
            "regex" => {
                let mut builder = regex::bytes::RegexBuilder::new(pattern);
                builder.case_insensitive(has('i')).dot_matches_new_line(has('m'));
                Compiled::Regex(builder.build().map_err(as_text)?)
            }
            _ => return Err(format!("no engine {engine}")),
        })
    }

    /// Finds the first match from a position on.
    #[inline]
    fn find(&mut self, text: &str, from: usize) -> Option<Span> {
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

    /// Finds the first match with its groups, and returns their number and the spans of some of
    /// them.
    #[inline]
    fn captures<T>(
        &mut self,
        text: &str,
        groups: impl Fn(usize, &dyn Fn(usize) -> Option<Span>) -> T,
    ) -> Option<T> {
        match self {
            Compiled::Ketch(regex, captures) => {
                regex.captures_at(text.as_bytes(), 0, captures).unwrap_or(false);
                captures.get(0)?;
                let group = |at| captures.get(at).map(|span| (span.start, span.end));
                Some(groups(captures.len(), &group))
            }
            Compiled::Onig(regex, region) => {
                region.clear();
                let options = onig::SearchOptions::SEARCH_OPTION_NONE;
                regex.search_with_options(text, 0, text.len(), options, Some(region))?;
                Some(groups(region.len(), &|at| region.pos(at)))
            }
            Compiled::Regex(regex) => {
                let found = regex.captures(text.as_bytes())?;
                let group = |at| found.get(at).map(|group| (group.start(), group.end()));
                Some(groups(found.len(), &group))
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

pub fn prepare(operation: &str, engine: &str, input: &Path) -> Prepared {
    let operation = Operation::named(operation).ok_or_else(unable)?;
    let is_able = match operation {
        Operation::Lines | Operation::Split => engine == "ketch",
        _ => ["ketch", "onig", "regex"].contains(&engine),
    };
    if !is_able {
        return Err(unable());
    }
    let engine: Rc<str> = engine.into();
    let load = || cases(&engine, input).map_err(|error| format!("{}: {error}", input.display()));
    let (mut timed_cases, mut cases, again) = (load()?, load()?, engine.clone());
    Ok(timed(
        move || {
            let run = |sum: usize, (case, compiled): &mut (Case, Compiled)| {
                Ok(sum.wrapping_add(black_box(operation.run(&engine, case, compiled)?)))
            };
            timed_cases.iter_mut().try_fold(0, run)
        },
        move || {
            let results =
                cases.iter_mut().map(|(case, compiled)| operation.result(&again, case, compiled));
            Ok(results.collect::<Result<Vec<_>>>()?.into())
        },
    ))
}

/// Reads the cases of a file, and compiles their patterns.
fn cases(engine: &str, path: &Path) -> Result<Vec<(Case, Compiled)>> {
    let cases: Vec<Case> = serde_json::from_str(&read_text(path)?).map_err(as_text)?;
    let compile = |mut case: Case| {
        if let Some(name) = case.2.strip_prefix('@') {
            case.2 = read_text(&path.with_file_name(name))?;
        }
        let compiled =
            Compiled::new(engine, &case).map_err(|error| format!("/{}/: {error}", case.1))?;
        Ok((case, compiled))
    };
    cases.into_iter().map(compile).collect()
}

#[derive(Clone, Copy)]
enum Operation {
    Find,
    IsMatch,
    Captures,
    Compile,
    Count,
    Lines,
    Split,
}

impl Operation {
    fn named(name: &str) -> Option<Operation> {
        Some(match name {
            "find" => Operation::Find,
            "is_match" => Operation::IsMatch,
            "captures" => Operation::Captures,
            "compile" => Operation::Compile,
            "count" => Operation::Count,
            "lines" => Operation::Lines,
            "split" => Operation::Split,
            _ => return None,
        })
    }

    /// Runs the operation on a case once, and returns a number that depends on the result.
    fn run(self, engine: &str, case: &Case, compiled: &mut Compiled) -> Result<usize> {
        let text = &case.2;
        let end = |found: Option<Span>| found.map_or(0, |(start, end)| 1 + start + end * 1000);
        Ok(match self {
            Operation::Find => end(compiled.find(text, 0)),
            Operation::IsMatch => usize::from(compiled.is_match(text)),
            Operation::Captures => {
                let last = compiled.captures(text, |count, group| group(count - 1));
                end(last.flatten())
            }
            Operation::Compile => end(Compiled::new(engine, case)?.find(text, 0)),
            Operation::Count => compiled.count(text),
            Operation::Lines => ketch_regex::lines(text.as_bytes(), Default::default()).count(),
            Operation::Split => match compiled {
                Compiled::Ketch(regex, _) => regex.split(text.as_bytes(), 0).count(),
                _ => 0,
            },
        })
    }

    /// Returns the result of a case.
    fn result(self, engine: &str, case: &Case, compiled: &mut Compiled) -> Result<Value> {
        let text = &case.2;
        let span = |found: Option<Span>| match found {
            Some((start, end)) => vec![start, end].into(),
            None => Value::Null,
        };
        Ok(match self {
            Operation::Find => span(compiled.find(text, 0)),
            Operation::Compile => span(Compiled::new(engine, case)?.find(text, 0)),
            Operation::IsMatch => compiled.is_match(text).into(),
            Operation::Captures => {
                let groups = compiled.captures(text, |count, group| {
                    (0..count).map(|at| span(group(at))).collect::<Vec<_>>().into()
                });
                groups.unwrap_or(Value::Null)
            }
            _ => self.run(engine, case, compiled)?.into(),
        })
    }
}

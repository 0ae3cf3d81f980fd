//! Differences between Ketch and other parsers: found, shrunk, and held against a list of rules.
//!
//! A difference is made as small as it goes while its kind stays the same; a rule names the oracle,
//! the kind and a regular expression for the small text.

use crate::peer::{Peer, Said};
use crate::run;
use ketch_yaml::Options;
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Whom Ketch is compared with.
#[derive(Debug)]
pub enum Oracle {
    /// One parser.
    One(Peer),
    /// Two parsers, where they say the same.
    Both(Peer, Peer),
}

impl Oracle {
    /// Its name in the rules.
    pub fn name(&self) -> &str {
        match self {
            Oracle::One(peer) => &peer.name,
            Oracle::Both(..) => "both",
        }
    }

    fn ask(&mut self, input: &[u8]) -> Option<Said> {
        match self {
            Oracle::One(peer) => peer.ask(input),
            Oracle::Both(first, second) => {
                let (first, second) = (first.ask(input)?, second.ask(input)?);
                let agree = first.taken == second.taken
                    && (!first.taken || first.notation == second.notation);
                agree.then_some(first)
            }
        }
    }
}

/// A text that is read differently, as small as it goes.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The name of the oracle.
    pub oracle: String,
    /// How it is read differently.
    pub kind: String,
    /// The text.
    pub text: Vec<u8>,
}

impl Difference {
    /// The difference in `text`, where there is one.
    pub fn find(text: &[u8], oracle: &mut Oracle) -> Option<Difference> {
        let kind = kind(text, oracle)?;
        let text = shrink(text.to_vec(), &kind, oracle);
        Some(Difference { oracle: oracle.name().to_owned(), kind, text })
    }
}

/// How `text` is read differently.
fn kind(text: &[u8], oracle: &mut Oracle) -> Option<String> {
    let ours = run::slice(text, &Options::default());
    let theirs = oracle.ask(text)?;
    match (&ours.fault, theirs.taken) {
        (Some(_), false) => None,
        (Some(fault), true) => Some(format!("takes: {}", fault.problem.name())),
        (None, false) => Some("rejects".to_owned()),
        (None, true) => differing_events(&ours.notation, &theirs.notation),
    }
}

/// The first lines that differ, without their contents.
fn differing_events(ours: &str, theirs: &str) -> Option<String> {
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    loop {
        let pair = (ours.next(), theirs.next());
        if pair == (None, None) {
            return None;
        }
        if pair.0 != pair.1 {
            let (ours, theirs) = (pair.0.unwrap_or("-"), pair.1.unwrap_or("-"));
            return Some(format!("events: {} for {}", first_words(theirs), first_words(ours)));
        }
    }
}

/// The kind of an event, its properties' indicators and its style.
fn first_words(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kind = words.next().unwrap_or_default().to_owned();
    for word in words {
        match word.chars().next() {
            Some('&') => kind.push_str(" &"),
            Some('<') => kind.push_str(" <>"),
            Some(style) => {
                kind.extend([' ', style]);
                break;
            }
            None => break,
        }
    }
    kind
}

/// Removes what is not needed for a difference of the same kind.
fn shrink(mut text: Vec<u8>, goal: &str, oracle: &mut Oracle) -> Vec<u8> {
    let mut size = text.len().next_power_of_two() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= text.len() {
            let mut less = text.clone();
            less.drain(at..at + size);
            let is_text = std::str::from_utf8(&less).is_ok();
            if is_text && kind(&less, oracle).as_deref() == Some(goal) {
                text = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    text
}

/// A known difference.
#[derive(Debug)]
struct Rule {
    oracles: Vec<String>,
    kind: Regex,
    text: Regex,
    name: String,
}

/// The list of known differences.
#[derive(Debug, Default)]
pub struct Rules(Vec<Rule>);

impl Rules {
    /// Reads `differences.json`: an array of objects with `name`, `oracles`, `kind`, `text` and
    /// `why`.
    ///
    /// # Panics
    ///
    /// When the file is not there or not of this form.
    pub fn read(path: &Path) -> Rules {
        let file = std::fs::read_to_string(path).expect("a readable list of rules");
        let list: Value = serde_json::from_str(&file).expect("rules in JSON");
        let rule = |rule: &Value| {
            let word = |key: &str| match rule[key].as_str() {
                Some(word) if !word.is_empty() => word.to_owned(),
                _ => panic!("a rule without {key}: {rule}"),
            };
            let pattern = |key: &str, modes: &str| {
                Regex::new(&format!("{modes}^(?:{})$", word(key))).expect("a regular expression")
            };
            let _ = word("why");
            Rule {
                oracles: word("oracles").split(' ').map(str::to_owned).collect(),
                kind: pattern("kind", ""),
                text: pattern("text", "(?s)"),
                name: word("name"),
            }
        };
        Rules(list.as_array().expect("an array of rules").iter().map(rule).collect())
    }

    /// The index of the rule that a difference falls under.
    fn find(&self, difference: &Difference) -> Option<usize> {
        let text = String::from_utf8_lossy(&difference.text);
        self.0.iter().position(|rule| {
            rule.oracles.contains(&difference.oracle)
                && rule.kind.is_match(&difference.kind)
                && rule.text.is_match(&text)
        })
    }
}

/// Small texts, and how often each came up.
type Texts = BTreeMap<Vec<u8>, usize>;

/// Differences, sorted by rule.
#[derive(Debug)]
pub struct Tally {
    rules: Rules,
    known: BTreeMap<usize, Texts>,
    unknown: BTreeMap<(String, String), Texts>,
}

impl Tally {
    /// Nothing noted yet.
    pub fn new(rules: Rules) -> Tally {
        Tally { rules, known: BTreeMap::new(), unknown: BTreeMap::new() }
    }

    /// Notes a difference that `_oracle` has shown.
    pub fn note(&mut self, difference: Difference, _oracle: &Oracle) {
        let texts = match self.rules.find(&difference) {
            Some(rule) => self.known.entry(rule).or_default(),
            None => self.unknown.entry((difference.oracle, difference.kind)).or_default(),
        };
        *texts.entry(difference.text).or_default() += 1;
    }

    /// Whether each difference falls under a rule.
    pub fn is_explained(&self) -> bool {
        self.unknown.is_empty()
    }

    /// What was found, with at most `shown` texts of each kind.
    pub fn report(&self, texts: usize, shown: usize) -> String {
        let mut out = format!("{texts} texts compared\n");
        for (&rule, known) in &self.known {
            let Rule { name, oracles, .. } = &self.rules.0[rule];
            let _ = writeln!(out, "known: {:6} {} ({})", sum(known), name, oracles.join(", "));
        }
        for ((oracle, kind), unknown) in &self.unknown {
            let _ = writeln!(out, "UNKNOWN: {:6} {oracle}: {kind}", sum(unknown));
            let mut texts: Vec<_> = unknown.iter().collect();
            texts.sort_by_key(|(text, times)| (std::cmp::Reverse(**times), text.len()));
            for (text, times) in texts.into_iter().take(shown) {
                let _ = writeln!(out, "    {times:6} {:?}", String::from_utf8_lossy(text));
            }
        }
        let unknown: usize = self.unknown.values().map(sum).sum();
        let _ = writeln!(out, "{unknown} differences in no rule");
        out
    }
}

fn sum(texts: &Texts) -> usize {
    texts.values().sum()
}

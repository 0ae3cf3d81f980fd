//! Finds differences between Ketch and other parsers, shrinks them, and compares them with a list
//! of rules.
//!
//! A difference is shrunk as long as its kind stays the same. A rule consists of the oracle, the
//! kind, and a regular expression for the shrunk text.

use crate::peer::{Answer, Peer};
use crate::run;
use ketch_yaml::Options;
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The oracle that Ketch is compared with.
#[derive(Debug)]
pub enum Oracle {
    /// A single parser.
    One(Peer),
    /// Two parsers, as far as both accept a text and yield the same events.
    Both(Peer, Peer),
}

impl Oracle {
    /// Returns the name that the oracle has in the rules.
    pub fn name(&self) -> &str {
        match self {
            Oracle::One(peer) => &peer.name,
            Oracle::Both(..) => "both",
        }
    }

    /// Returns the number of crashes and hangs. Texts that cause them are not compared.
    pub fn crashes(&self) -> usize {
        match self {
            Oracle::One(peer) => peer.crashes,
            Oracle::Both(first, second) => first.crashes + second.crashes,
        }
    }

    /// Returns the answer of the parser or, if there are two, the answer on which both agree.
    /// Returns `None` if there is none, or if one of the two rejects the input.
    fn ask(&mut self, input: &[u8]) -> Option<Answer> {
        match self {
            Oracle::One(peer) => peer.ask(input),
            Oracle::Both(first, second) => {
                let (first, second) = (first.ask(input)?, second.ask(input)?);
                let agree = first.taken && second.taken && first.notation == second.notation;
                agree.then_some(first)
            }
        }
    }
}

/// A shrunk text that is read differently.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The name of the oracle.
    pub oracle: String,
    /// The kind of the difference.
    pub kind: String,
    /// The text.
    pub text: Vec<u8>,
}

impl Difference {
    /// Returns the difference in `text`, shrunk, or `None` if there is none.
    pub fn find(text: &[u8], oracle: &mut Oracle) -> Option<Difference> {
        let kind = kind(text, oracle)?;
        let text = shrink(text.to_vec(), &kind, oracle);
        Some(Difference { oracle: oracle.name().to_owned(), kind, text })
    }
}

/// Returns the kind of the difference in `text`, or `None` if there is none.
fn kind(text: &[u8], oracle: &mut Oracle) -> Option<String> {
    let ours = run::slice(text, &Options::default());
    let theirs = oracle.ask(text)?;
    match (&ours.fault, theirs.taken) {
        (Some(_), false) => None,
        (Some(fault), true) => Some(format!("takes: {}", fault.problem.name())),
        (None, false) => Some(format!("rejects: {}", theirs.notation)),
        (None, true) => differing_events(&ours.notation, &theirs.notation),
    }
}

/// Returns the kind of the difference between the first lines that differ, or `None` if no lines
/// do.
fn differing_events(ours: &str, theirs: &str) -> Option<String> {
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return None,
            (ours, theirs) if ours == theirs => {}
            (ours, theirs) => {
                let (ours, theirs) = (ours.unwrap_or("-"), theirs.unwrap_or("-"));
                return Some(Parts::new(theirs).kind_instead_of(&Parts::new(ours)));
            }
        }
    }
}

/// The parts of a line in the notation of events.
#[derive(PartialEq, Eq)]
struct Parts<'l> {
    event: &'l str,
    anchor: Option<&'l str>,
    tag: Option<&'l str>,
    /// The indicator of a scalar's style followed by its content, or the rest of another line.
    rest: &'l str,
}

impl<'l> Parts<'l> {
    fn new(line: &'l str) -> Self {
        let words = line.split(' ');
        let is_name = |word: &&str| word.starts_with(['+', '-', '=', '[', '{']);
        let len = words.take_while(is_name).map(|word| word.len() + 1).sum::<usize>();
        let (event, mut rest) = line.split_at(len.min(line.len()));
        let mut property = |indicator: char| {
            let found = rest.strip_prefix(indicator)?;
            let (property, after) = found.split_once(' ').unwrap_or((found, ""));
            rest = after;
            Some(property)
        };
        let (anchor, tag) = (property('&'), property('<'));
        Parts { event: event.trim_end(), anchor, tag, rest }
    }

    fn style(&self) -> &'l str {
        self.rest.get(..1).unwrap_or("")
    }

    fn name(&self) -> String {
        format!("{} {}", self.event, self.style()).trim_end().to_owned()
    }

    /// Returns the kind of the difference between these parts and those of Ketch, `ours`.
    fn kind_instead_of(&self, ours: &Parts<'_>) -> String {
        let name = ours.name();
        if self.name() != name {
            format!("events: {} for {name}", self.name())
        } else if self.anchor != ours.anchor {
            format!("anchor of {name}")
        } else if self.tag != ours.tag {
            format!("tag of {name}")
        } else {
            let (theirs, ours) = differing_middle(self.rest, ours.rest);
            format!("content of {name}: {} for {}", sample(theirs), sample(ours))
        }
    }
}

/// Returns two texts without their common prefix and suffix.
fn differing_middle<'t>(first: &'t str, second: &'t str) -> (&'t str, &'t str) {
    let same = |(a, b): &(char, char)| a == b;
    let pairs = first.chars().zip(second.chars());
    let head: usize = pairs.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let (first, second) = (&first[head..], &second[head..]);
    let pairs = first.chars().rev().zip(second.chars().rev());
    let tail: usize = pairs.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    (&first[..first.len() - tail], &second[..second.len() - tail])
}

/// Returns a text in backticks, with each run of letters and digits replaced by `a`.
fn sample(text: &str) -> String {
    let mut out = String::from("`");
    let mut is_escape = false;
    for c in text.chars() {
        if is_escape || !c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('a') {
            out.push('a');
        }
        is_escape = c == '\\' && !is_escape;
    }
    out.push('`');
    out
}

/// Removes everything that is not needed for a difference of the kind `goal`, and simplifies the
/// rest.
fn shrink(mut text: Vec<u8>, goal: &str, oracle: &mut Oracle) -> Vec<u8> {
    loop {
        let before = text.len();
        text = remove(text, goal, oracle);
        text = simplify(text, goal, oracle);
        if text.len() == before {
            return text;
        }
    }
}

fn has_kind(text: &[u8], goal: &str, oracle: &mut Oracle) -> bool {
    std::str::from_utf8(text).is_ok() && kind(text, oracle).as_deref() == Some(goal)
}

/// Removes parts of the text, first large and then small ones, as long as a difference of the kind
/// `goal` remains.
fn remove(mut text: Vec<u8>, goal: &str, oracle: &mut Oracle) -> Vec<u8> {
    let mut size = text.len().next_power_of_two() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= text.len() {
            let mut less = text.clone();
            less.drain(at..at + size);
            if has_kind(&less, goal, oracle) {
                text = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    text
}

/// Replaces each character by a simpler one, as long as a difference of the kind `goal` remains.
fn simplify(text: Vec<u8>, goal: &str, oracle: &mut Oracle) -> Vec<u8> {
    let mut chars: Vec<char> = String::from_utf8_lossy(&text).chars().collect();
    for at in 0..chars.len() {
        let found = chars[at];
        let plainer: &[char] = match found {
            'a' | ' ' | '\n' => continue,
            '\r' => &['\n'],
            '\t' => &[' '],
            _ => &['a', '\u{e9}', '"', '-', '!'],
        };
        for &plainer in plainer.iter().take_while(|&&plainer| plainer != found) {
            chars[at] = plainer;
            if has_kind(chars.iter().collect::<String>().as_bytes(), goal, oracle) {
                break;
            }
            chars[at] = found;
        }
    }
    chars.into_iter().collect::<String>().into_bytes()
}

/// A rule for known differences.
#[derive(Debug)]
struct Rule {
    oracles: Vec<String>,
    kind: Regex,
    text: Regex,
    name: String,
}

/// The rules for known differences.
#[derive(Debug, Default)]
pub struct Rules(Vec<Rule>);

impl Rules {
    /// Returns the rules in the file `differences.json`. It contains an array of objects with
    /// `name`, `oracles`, `kind`, `text` and `why`.
    ///
    /// # Panics
    ///
    /// Panics if the file is missing or invalid.
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

    /// Returns the index of the rule that covers a difference, or `None` if no rule does.
    fn find(&self, difference: &Difference) -> Option<usize> {
        let text = String::from_utf8_lossy(&difference.text);
        self.0.iter().position(|rule| {
            rule.oracles.contains(&difference.oracle)
                && rule.kind.is_match(&difference.kind)
                && rule.text.is_match(&text)
        })
    }
}

/// Shrunk texts, with the number of times that each has occurred.
type Texts = BTreeMap<Vec<u8>, usize>;

/// The differences that were found, grouped by the rules that cover them.
#[derive(Debug)]
pub struct Tally {
    rules: Rules,
    known: BTreeMap<usize, Texts>,
    unknown: BTreeMap<(String, String), Texts>,
}

impl Tally {
    /// Creates a tally that contains no differences yet.
    pub fn new(rules: Rules) -> Tally {
        Tally { rules, known: BTreeMap::new(), unknown: BTreeMap::new() }
    }

    /// Adds a difference.
    pub fn note(&mut self, difference: Difference) {
        let texts = match self.rules.find(&difference) {
            Some(rule) => self.known.entry(rule).or_default(),
            None => self.unknown.entry((difference.oracle, difference.kind)).or_default(),
        };
        *texts.entry(difference.text).or_default() += 1;
    }

    /// Returns whether a rule covers each difference.
    pub fn is_explained(&self) -> bool {
        self.unknown.is_empty()
    }

    /// Returns the report on `texts` texts, with at most `shown` texts for each kind of difference.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(theirs: &str, ours: &str) -> Option<String> {
        differing_events(ours, theirs)
    }

    #[test]
    fn kinds_name_the_difference() {
        let cases = [
            ("=VAL :a", "=VAL :a", None),
            ("=VAL &x <t> :a", "=VAL &x <t> |a", Some("events: =VAL : for =VAL |")),
            ("+MAP {}", "=VAL :?a", Some("events: +MAP {} for =VAL :")),
            ("+DOC ---", "+DOC", Some("events: +DOC --- for +DOC")),
            ("=VAL &x :a", "=VAL &y :a", Some("anchor of =VAL :")),
            ("+SEQ [] &x", "+SEQ [] &x <t>", Some("tag of +SEQ []")),
            ("=ALI *ab", "=ALI *ab:", Some("content of =ALI *: `` for `:`")),
            ("=VAL |one\\n", "=VAL |one two", Some("content of =VAL |: `\\n` for ` a`")),
            ("-STR", "+DOC\n-STR", Some("events: -STR for +DOC")),
        ];
        for (theirs, ours, expected) in cases {
            assert_eq!(kind(theirs, ours).as_deref(), expected, "{theirs} for {ours}");
        }
    }

    #[test]
    fn the_differing_part_never_splits_characters() {
        assert_eq!(differing_middle("a\u{e9}b", "a\u{e8}b"), ("\u{e9}", "\u{e8}"));
        assert_eq!(differing_middle("aa", "aaa"), ("", "a"));
    }

    #[test]
    fn the_rules_of_the_differential_run_can_be_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("differences.json");
        let Rules(rules) = Rules::read(&path);
        let mut names: Vec<_> = rules.iter().map(|rule| &rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rules.len(), "two rules have the same name");
    }
}

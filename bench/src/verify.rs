//! Only engines with correct results are timed.
//!
//! Every engine parses every input in a probe. The expected counts come from the definitions, or
//! else from most engines; an engine that differs or fails is left out of that input's figures,
//! with the reason.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;

use crate::corpus::{Counts, Item};
use crate::engines::{Engine, Level, Tally};
use crate::probe::{self, Answers};

/// The reason why an engine has no figure for an input.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOut {
    /// Engine.
    pub engine: &'static str,
    /// Input.
    pub file: String,
    /// Level.
    pub level: Level,
    /// Reason, for people.
    pub reason: String,
}

/// The results of all engines for one input.
pub struct Verdicts {
    /// The contents of the input; `None` if no engine can parse it.
    pub reference: Option<Reference>,
    answers: Vec<Answers>,
}

/// The contents of an input.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// Its structure.
    pub counts: Counts,
    /// Hash of its scalars' text, if an engine has one.
    pub text: Option<u64>,
    /// The number of engines with these counts, and of those that parsed the input.
    pub votes: (usize, usize),
}

impl Verdicts {
    /// Probes all `engines` with `item`.
    ///
    /// # Errors
    /// Fails if probes cannot be started.
    pub fn of(engines: &[Box<dyn Engine>], item: &Item) -> Result<Self, String> {
        let answers = engines
            .iter()
            .map(|engine| probe::ask(engine.facts().name, &item.bytes))
            .collect::<Result<Vec<_>, _>>()?;
        let mut tallies = Vec::new();
        for (engine, answers) in engines.iter().zip(&answers) {
            let found = answers.iter().find(|&&(level, _)| level == Level::Events);
            if let (Some(reports), Some((_, Ok(found)))) = (engine.reports(Level::Events), found) {
                let text = reports.text.then_some(found.tally.text);
                tallies.push((counts(&found.tally), text));
            }
        }
        Ok(Self { reference: reference(item.expected, &tallies), answers })
    }

    /// Returns what a timed run of the engine numbered `index` must return at `level`.
    ///
    /// # Errors
    /// Returns the reason why this engine must be left out of the figures.
    pub fn outcome(&self, index: usize, engine: &dyn Engine, level: Level) -> Result<u64, String> {
        let reports = engine.reports(level).ok_or("has no such level")?;
        let reference = self.reference.as_ref().ok_or("no engine parses it")?;
        let answer = self.answers[index].iter().find(|&&(answered, _)| answered == level);
        let found = answer.ok_or("its probe gave no answer")?.1.clone()?;
        let mut counts = counts(&found.tally);
        if !reports.aliases {
            counts.aliases = reference.counts.aliases;
        }
        if counts != reference.counts {
            return Err(differences(&counts, &reference.counts));
        }
        let text_differs = reference.text.is_some_and(|text| text != found.tally.text);
        if level == Level::Decoded && reports.text && text_differs {
            return Err("the text of some scalar is not what most engines say".to_owned());
        }
        Ok(found.outcome)
    }
}

/// Returns the expected counts, or else those that most engines found, and the hash of the text
/// that most engines with these counts found.
fn reference(expected: Option<Counts>, tallies: &[(Counts, Option<u64>)]) -> Option<Reference> {
    let counts = expected.or_else(|| most_common(tallies.iter().map(|&(counts, _)| counts)))?;
    let agreeing = || tallies.iter().filter(|&&(found, _)| found == counts);
    let text = most_common(agreeing().filter_map(|&(_, text)| text));
    Some(Reference { counts, text, votes: (agreeing().count(), tallies.len()) })
}

/// Returns the counts of a tally, without the hash of the text.
fn counts(tally: &Tally) -> Counts {
    let &Tally { documents, sequences, mappings, scalars, aliases, text: _ } = tally;
    Counts { documents, sequences, mappings, scalars, aliases }
}

/// Returns the most frequent value; of several, the first.
fn most_common<T: Copy + Eq + Hash>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut votes: HashMap<T, (usize, usize)> = HashMap::new();
    for (order, value) in values.enumerate() {
        votes.entry(value).or_insert((0, usize::MAX - order)).0 += 1;
    }
    votes.into_iter().max_by_key(|&(_, vote)| vote).map(|(value, _)| value)
}

/// Returns the counts that differ, each with the number found and the number expected.
fn differences(found: &Counts, expected: &Counts) -> String {
    let fields = [
        ("documents", found.documents, expected.documents),
        ("sequences", found.sequences, expected.sequences),
        ("mappings", found.mappings, expected.mappings),
        ("scalars", found.scalars, expected.scalars),
        ("aliases", found.aliases, expected.aliases),
    ];
    let differing = fields.into_iter().filter(|(_, found, expected)| found != expected);
    let parts: Vec<_> =
        differing.map(|(name, found, expected)| format!("{found} {name} for {expected}")).collect();
    format!("counts {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: Counts =
        Counts { documents: 1, sequences: 2, mappings: 3, scalars: 4, aliases: 0 };

    #[test]
    fn the_majority_wins_and_the_first_breaks_ties() {
        assert_eq!(most_common([2, 1, 1].into_iter()), Some(1));
        assert_eq!(most_common([2, 1].into_iter()), Some(2));
        assert_eq!(most_common(std::iter::empty::<u8>()), None);
    }

    #[test]
    fn counts_of_definitions_win_over_all_votes() {
        let other = Counts { scalars: 5, ..COUNTS };
        let tallies = [(other, Some(7)), (other, Some(7)), (COUNTS, Some(8))];
        let found = reference(Some(COUNTS), &tallies).expect("a reference");
        assert_eq!((found.counts, found.text, found.votes), (COUNTS, Some(8), (1, 3)));
        let found = reference(None, &tallies).expect("a reference");
        assert_eq!((found.counts, found.text, found.votes), (other, Some(7), (2, 3)));
    }

    #[test]
    fn a_difference_names_both_numbers() {
        let found = Counts { scalars: 5, ..COUNTS };
        assert_eq!(differences(&found, &COUNTS), "counts 5 scalars for 4");
    }
}

//! Nobody is timed before the answer is right.
//!
//! Every engine parses every input once. What the inputs hold is told by the definitions, or else by
//! most engines; whoever differs or fails is left out of that input's figures, by name and reason.

use std::collections::HashMap;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;

use crate::corpus::{Counts, Item};
use crate::engines::{Engine, Level, Tally, Tells};

/// Why an engine has no figure for an input.
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

/// What an input holds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Reference {
    /// Its structure.
    pub counts: Counts,
    /// Hash of its scalars' text, where most engines agree on one.
    pub text: Option<u64>,
    /// How many engines found these counts, and how many parsed the input at all.
    pub votes: (usize, usize),
}

/// The answer for `item`, from the definitions or by majority.
///
/// `None` if no engine can parse it.
pub fn reference(engines: &mut [Box<dyn Engine>], item: &Item) -> Option<Reference> {
    let mut tallies = Vec::new();
    for engine in engines {
        if let Some(Tells { text, .. }) = engine.tells(Level::Events)
            && let Ok(tally) = tally(engine.as_mut(), Level::Events, item)
        {
            tallies.push((counts(&tally), text.then_some(tally.text)));
        }
    }
    let counts = item.expected.or_else(|| most_common(tallies.iter().map(|&(counts, _)| counts)))?;
    let votes = tallies.iter().filter(|&&(found, _)| found == counts).count();
    let texts = tallies.iter().filter(|&&(found, _)| found == counts).filter_map(|&(_, text)| text);
    Some(Reference { counts, text: most_common(texts), votes: (votes, tallies.len()) })
}

/// Whether `engine` finds in `item` what there is to find.
///
/// # Errors
/// The reason why it must be left out.
pub fn check(
    engine: &mut dyn Engine,
    level: Level,
    tells: Tells,
    item: &Item,
    reference: &Reference,
) -> Result<(), String> {
    let tally = tally(engine, level, item)?;
    let mut found = counts(&tally);
    if !tells.aliases {
        found.aliases = reference.counts.aliases;
    }
    if found != reference.counts {
        return Err(differences(&found, &reference.counts));
    }
    match reference.text {
        Some(text) if level == Level::Decoded && tells.text && tally.text != text => {
            Err("the text of some scalar differs from most engines'".to_owned())
        }
        _ => Ok(()),
    }
}

/// A panic counts as a failure: it must not end the run for the others.
fn tally(engine: &mut dyn Engine, level: Level, item: &Item) -> Result<Tally, String> {
    let mut input = item.bytes.clone();
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        engine.prepare(level, &input);
        engine.tally(level, &mut input)
    }));
    attempt.unwrap_or_else(|_| Err("panics".to_owned()))
}

fn counts(tally: &Tally) -> Counts {
    let &Tally { documents, sequences, mappings, scalars, aliases, text: _ } = tally;
    Counts { documents, sequences, mappings, scalars, aliases }
}

/// The value that comes most often; of several, the one that came first.
fn most_common<T: Copy + Eq + Hash>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut votes: HashMap<T, (usize, usize)> = HashMap::new();
    for (order, value) in values.enumerate() {
        votes.entry(value).or_insert((0, usize::MAX - order)).0 += 1;
    }
    votes.into_iter().max_by_key(|&(_, vote)| vote).map(|(value, _)| value)
}

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

    #[test]
    fn the_majority_wins_and_the_first_breaks_ties() {
        assert_eq!(most_common([2, 1, 1].into_iter()), Some(1));
        assert_eq!(most_common([2, 1].into_iter()), Some(2));
        assert_eq!(most_common(std::iter::empty::<u8>()), None);
    }

    #[test]
    fn a_difference_names_both_numbers() {
        let expected = Counts { documents: 1, sequences: 2, mappings: 3, scalars: 4, aliases: 0 };
        let found = Counts { scalars: 5, ..expected };
        assert_eq!(differences(&found, &expected), "counts 5 scalars for 4");
    }
}

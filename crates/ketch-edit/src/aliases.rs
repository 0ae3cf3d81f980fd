//! Counts of the aliases and anchors in a text, by name.

use super::tree::{Token, Tree, parser};
use ketch_yaml::{EventKind, Options};
use std::collections::HashMap;

/// The number of aliases and the number of anchors with each name.
#[derive(Clone, Debug, Default)]
pub(super) struct NameCounts {
    aliases: HashMap<String, usize>,
    anchors: HashMap<String, usize>,
}

impl NameCounts {
    /// Counts the names in `text`. Returns `None` if `text` is not valid YAML.
    pub fn of_text(text: &[u8]) -> Option<NameCounts> {
        let mut counts = NameCounts::default();
        let mut parser = parser(text, &Options::default()).ok()?;
        while let Some(chunk) = parser.next_chunk().ok()? {
            let base = chunk.base() as usize;
            for event in chunk.events() {
                let counts = match event.kind {
                    EventKind::Alias => &mut counts.aliases,
                    EventKind::Anchor => &mut counts.anchors,
                    _ => continue,
                };
                let at = base + event.start;
                let name = &text[at + 1..at + event.len];
                add(counts, &String::from_utf8_lossy(name), 1);
            }
        }
        Some(counts)
    }

    /// Counts the names in `tree`.
    pub fn of(tree: &Tree) -> NameCounts {
        NameCounts::of_tokens(&tree.tokens)
    }

    /// Counts the names in `tokens`.
    pub fn of_tokens(tokens: &[Token]) -> NameCounts {
        let mut counts = NameCounts::default();
        for token in tokens {
            match token {
                Token::Alias(name) => add(&mut counts.aliases, name, 1),
                Token::Anchor(name) => add(&mut counts.anchors, name, 1),
                _ => {}
            }
        }
        counts
    }

    /// Returns the number of aliases with the name `name`.
    pub fn aliases(&self, name: &str) -> usize {
        self.aliases.get(name).copied().unwrap_or(0)
    }

    /// Returns the number of anchors with the name `name`.
    pub fn anchors(&self, name: &str) -> usize {
        self.anchors.get(name).copied().unwrap_or(0)
    }

    /// Updates the counts after a part of the text was replaced: subtracts the names in `before`,
    /// and adds those in `after`.
    pub fn change(&mut self, before: &NameCounts, after: &NameCounts) {
        change(&mut self.aliases, &before.aliases, &after.aliases);
        change(&mut self.anchors, &before.anchors, &after.anchors);
    }
}

/// Adds the counts in `after` to `counts`, and subtracts those in `before`.
fn change(
    counts: &mut HashMap<String, usize>,
    before: &HashMap<String, usize>,
    after: &HashMap<String, usize>,
) {
    after.iter().for_each(|(name, &count)| add(counts, name, count));
    for (name, count) in before {
        if let Some(found) = counts.get_mut(name) {
            *found = found.saturating_sub(*count);
        }
    }
}

/// Adds `count` to the count of `name`.
fn add(counts: &mut HashMap<String, usize>, name: &str, count: usize) {
    match counts.get_mut(name) {
        Some(found) => *found += count,
        None => drop(counts.insert(name.to_owned(), count)),
    }
}

//! How often the aliases of a text have each name.

use super::tree::{Token, Tree, parser};
use crate::event::EventKind;
use crate::parse::Options;
use std::collections::HashMap;

/// The number of aliases with each name.
#[derive(Clone, Debug, Default)]
pub(super) struct AliasCounts(HashMap<String, usize>);

impl AliasCounts {
    /// Counts the aliases of a text. `None` if it is not valid.
    pub fn of_text(text: &[u8]) -> Option<AliasCounts> {
        let mut counts = AliasCounts::default();
        let mut parser = parser(text, &Options::default()).ok()?;
        while let Some(chunk) = parser.next_chunk().ok()? {
            let base = chunk.base() as usize;
            for event in chunk.events().filter(|event| event.kind == EventKind::Alias) {
                let at = base + event.start;
                let name = &text[at + 1..at + event.len];
                counts.add(&String::from_utf8_lossy(name), 1);
            }
        }
        Some(counts)
    }

    /// Counts the aliases of a tree.
    pub fn of(tree: &Tree) -> AliasCounts {
        let mut counts = AliasCounts::default();
        for token in &tree.tokens {
            if let Token::Alias(name) = token {
                counts.add(name, 1);
            }
        }
        counts
    }

    /// Returns the number of aliases with this name.
    pub fn count(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Replaces the aliases of one part of the text by others.
    pub fn change(&mut self, before: &AliasCounts, after: &AliasCounts) {
        after.0.iter().for_each(|(name, &count)| self.add(name, count));
        for (name, count) in &before.0 {
            if let Some(found) = self.0.get_mut(name) {
                *found = found.saturating_sub(*count);
            }
        }
    }

    fn add(&mut self, name: &str, count: usize) {
        match self.0.get_mut(name) {
            Some(found) => *found += count,
            None => drop(self.0.insert(name.to_owned(), count)),
        }
    }
}

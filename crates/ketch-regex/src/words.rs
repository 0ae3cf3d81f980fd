//! Patterns that are a list of words, such as `GET|POST`. A search for literals finds exactly the
//! matches of such a pattern, without automata.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};

use crate::budget::{Budget, SLICE};
use crate::problem::Problem;
use crate::syntax::{Group, Kind, NodeId, Tree};

/// The maximum number of bytes of all words together.
const BYTES_MAX: usize = 1 << 16;

/// The number of bytes in a slice. This search reads at least four bytes in the time of a step.
const SLICE_BYTES: usize = 4 * SLICE as usize;

/// A list of words, in the order of the alternatives.
pub(crate) struct Words {
    words: Vec<Vec<u8>>,
    longest: usize,
    /// The search for the words, which is prepared when it is first needed.
    finder: OnceLock<Option<Prefilter>>,
}

impl Words {
    /// Returns the words of a pattern, or `None` if it is not a list of words.
    pub(crate) fn new(tree: &Tree, binary: bool) -> Option<Words> {
        let mut root = tree.root();
        while let Kind::Group(Group::NonCapturing, child) = tree.node(root).kind {
            root = child;
        }
        let mut total = 0;
        let mut word = |id: &NodeId| {
            let word = word(tree, *id, binary)?;
            total += word.len();
            (total <= BYTES_MAX).then_some(word)
        };
        let words = match &tree.node(root).kind {
            Kind::Alternation(branches) => branches.iter().map(word).collect::<Option<Vec<_>>>()?,
            _ => vec![word(&root)?],
        };
        let longest = words.iter().map(Vec::len).max()?;
        Some(Words { words, longest, finder: OnceLock::new() })
    }

    /// Finds the first match from `from` on. If a limit has to be checked, this searches in slices.
    /// Returns `None` if the automata have to search instead.
    #[allow(clippy::option_option)]
    pub(crate) fn find(
        &self,
        text: &[u8],
        from: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Option<Range<usize>>>, Problem> {
        let finder = self
            .finder
            .get_or_init(|| Prefilter::new(MatchKind::LeftmostFirst, &self.words))
            .as_ref();
        let Some(finder) = finder else { return Ok(None) };
        let range = |span: Span| span.start..span.end;
        let (mut start, last) = (from, text.len());
        if !budget.slices(last - from) {
            return Ok(Some(finder.find(text, Span { start, end: last }).map(range)));
        }
        loop {
            budget.take(SLICE)?;
            let next = start.saturating_add(SLICE_BYTES);
            let end = last.min(next.saturating_add(self.longest));
            let found = finder.find(text, Span { start, end });
            // Near the end of a slice, a longer word that has precedence may be cut off.
            match found {
                Some(span) if span.start < next || end == last => {
                    return Ok(Some(Some(range(span))));
                }
                None if end == last => return Ok(Some(None)),
                _ => start = next,
            }
        }
    }
}

/// Returns the text that a node matches, or `None` if it matches more than one text or only the
/// empty text.
fn word(tree: &Tree, id: NodeId, binary: bool) -> Option<Vec<u8>> {
    let items = match &tree.node(id).kind {
        Kind::Concat(items) => items,
        _ => std::slice::from_ref(&id),
    };
    let mut word = Vec::new();
    for id in items {
        let node = tree.node(*id);
        let Kind::Char(code) = node.kind else { return None };
        if node.flags.ignore_case {
            return None;
        }
        match binary {
            true => word.push(u8::try_from(code).ok()?),
            false => {
                let char = char::from_u32(code)?;
                word.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
    (!word.is_empty()).then_some(word)
}

//! Automata that are compiled as a whole, which search short texts faster than lazy ones and need no
//! memory for a search. They are built for small patterns that are searched for often.

use std::ops::Range;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};

use crate::budget::EAGER;

/// The number of searches with the same memory after which the automata are built.
pub(crate) const SEARCHES: u32 = match (EAGER, cfg!(test)) {
    (true, _) => 0,
    (_, true) => 4,
    _ => 1000,
};

/// The maximum length of a text that is searched.
pub(crate) const BYTES_MAX: usize = 4096;

/// The maximum size of an automaton, and of the memory that is used to build it.
const SIZE_MAX: usize = 128 << 10;
const BUILD_MAX: usize = 512 << 10;

/// Automata that find the span of the leftmost match.
pub(crate) struct Dense {
    forward: dense::DFA<Vec<u32>>,
    /// Finds the start of a match, unless every match starts with `\A`.
    backward: Option<dense::DFA<Vec<u32>>>,
    /// The states at the start of a text, if they are allowed.
    unanchored: Option<StateID>,
    anchored: Option<StateID>,
}

impl Dense {
    /// Builds the automata. Without a program for the backward one, they only find matches at the
    /// start of a search. Returns `None` if an automaton would be large.
    pub(crate) fn new(forward: &NFA, backward: Option<&NFA>) -> Option<Dense> {
        let start = if backward.is_some() { StartKind::Both } else { StartKind::Anchored };
        let forward = build(forward, MatchKind::LeftmostFirst, start)?;
        let backward = match backward {
            Some(nfa) => Some(build(nfa, MatchKind::All, StartKind::Anchored)?),
            None => None,
        };
        let at_start =
            |anchored| forward.start_state_forward(&Input::new(b"").anchored(anchored)).ok();
        let (unanchored, anchored) = (at_start(Anchored::No), at_start(Anchored::Yes));
        Some(Dense { forward, backward, unanchored, anchored })
    }

    /// Returns whether a text has a match. Returns `None` if another machine has to search.
    pub(crate) fn is_match(&self, text: &[u8], from: usize, anchored: bool) -> Option<bool> {
        Some(self.end::<true>(text, from, anchored)?.is_some())
    }

    /// Finds the span of the leftmost match. Returns `None` if another machine has to search.
    #[allow(clippy::option_option)]
    pub(crate) fn find(
        &self,
        text: &[u8],
        from: usize,
        anchored: bool,
    ) -> Option<Option<Range<usize>>> {
        let Some(end) = self.end::<false>(text, from, anchored)? else { return Some(None) };
        if anchored {
            return Some(Some(from..end));
        }
        Some(Some(self.start(text, from..end)?..end))
    }

    /// Finds the end of the leftmost match, or of its shortest form if `EARLIEST` is set.
    #[allow(clippy::option_option)]
    #[inline]
    fn end<const EARLIEST: bool>(
        &self,
        text: &[u8],
        from: usize,
        anchored: bool,
    ) -> Option<Option<usize>> {
        let dfa = &self.forward;
        let mut state = match from {
            0 if anchored => self.anchored?,
            0 => self.unanchored?,
            _ => {
                let mode = if anchored { Anchored::Yes } else { Anchored::No };
                let input = Input::new(text).range(from..).anchored(mode);
                dfa.start_state_forward(&input).ok()?
            }
        };
        let (mut end, mut at) = (None, from);
        while at < text.len() {
            let next = dfa.next_state(state, text[at]);
            if next == state {
                // The processor need not wait for the state if it predicts that it stays the same.
                at += 1;
                while at < text.len() && dfa.next_state(state, text[at]) == state {
                    at += 1;
                }
                if dfa.is_match_state(state) {
                    end = Some(at - 1);
                }
                continue;
            }
            state = next;
            if dfa.is_special_state(state) {
                if dfa.is_match_state(state) {
                    end = Some(at);
                    if EARLIEST {
                        break;
                    }
                } else if dfa.is_dead_state(state) {
                    break;
                } else if dfa.is_quit_state(state) {
                    return None;
                }
            }
            at += 1;
        }
        if at == text.len() && dfa.is_match_state(dfa.next_eoi_state(state)) {
            end = Some(at);
        }
        // A match that ends inside a character is empty and not valid.
        let inside = |end: usize| text.get(end).is_some_and(|byte| byte & 0xC0 == 0x80);
        if dfa.is_utf8() && end.is_some_and(inside) { None } else { Some(end) }
    }

    /// Finds the start of a match in a range that ends with the match.
    #[inline]
    fn start(&self, text: &[u8], range: Range<usize>) -> Option<usize> {
        let dfa = self.backward.as_ref()?;
        let input = Input::new(text).range(range.clone()).anchored(Anchored::Yes);
        let mut state = dfa.start_state_reverse(&input).ok()?;
        let (mut start, mut at) = (None, range.end);
        while at > range.start {
            at -= 1;
            state = dfa.next_state(state, text[at]);
            if dfa.is_special_state(state) {
                if dfa.is_match_state(state) {
                    start = Some(at + 1);
                } else if dfa.is_dead_state(state) {
                    return start;
                } else if dfa.is_quit_state(state) {
                    return None;
                }
            }
        }
        let last = match range.start.checked_sub(1) {
            Some(before) => dfa.next_state(state, text[before]),
            None => dfa.next_eoi_state(state),
        };
        if dfa.is_match_state(last) { Some(range.start) } else { start }
    }
}

fn build(nfa: &NFA, kind: MatchKind, start: StartKind) -> Option<dense::DFA<Vec<u32>>> {
    let config = dense::DFA::config()
        .match_kind(kind)
        .start_kind(start)
        .accelerate(false)
        .unicode_word_boundary(true)
        .dfa_size_limit(Some(SIZE_MAX))
        .determinize_size_limit(Some(BUILD_MAX));
    dense::DFA::builder().configure(config).build_from_nfa(nfa).ok()
}

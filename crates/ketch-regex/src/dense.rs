//! Automata that are compiled as a whole, which search short texts faster than lazy ones and need no
//! memory for a search. They are built for small patterns that are searched for often.

use std::ops::Range;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};

use crate::budget::EAGER;

/// The number of searches with the same cache after which the automata are built.
pub(crate) const SEARCHES: u32 = match (EAGER, cfg!(test)) {
    (true, _) => 0,
    (_, true) => 4,
    _ => 1000,
};

/// The maximum length in bytes of a text that the automata search.
pub(crate) const BYTES_MAX: usize = 4096;

/// The maximum size of an automaton in bytes, and that of the memory that is used to build it.
const SIZE_MAX: usize = 128 << 10;
const BUILD_MAX: usize = 512 << 10;

/// Automata that find the span of the leftmost match.
pub(crate) struct Dense {
    forward: dense::DFA<Vec<u32>>,
    /// Finds the start of a match, unless every match starts with `\A`.
    backward: Option<dense::DFA<Vec<u32>>>,
    /// The start states for a search from the start of a text, or `None` if there is none.
    unanchored: Option<StateID>,
    anchored: Option<StateID>,
    /// The unanchored and the anchored start state, if they are the same everywhere in a text.
    everywhere: Option<(StateID, StateID)>,
}

/// The maximum number of bytes that are read twice while matches are tried at several positions,
/// before the start of the match is searched for instead.
const TRIED_BYTES: usize = 32;

/// The result of trying to match at several positions.
enum Tried {
    Match(Range<usize>),
    /// There is no match before this position.
    Until(usize),
    /// Another machine has to search.
    GaveUp,
}

impl Dense {
    /// Builds automata from the programs. If `backward` is `None`, they only find matches at the
    /// start of a search. Returns `None` if an automaton would be too large.
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
        let start = |anchored| forward.universal_start_state(anchored);
        let everywhere = start(Anchored::No).zip(start(Anchored::Yes));
        Some(Dense { forward, backward, unanchored, anchored, everywhere })
    }

    /// Returns whether `text` has a match from `from` on, or `None` if another machine has to
    /// search.
    pub(crate) fn is_match(&self, text: &[u8], from: usize, anchored: bool) -> Option<bool> {
        Some(self.end::<true>(text, from, anchored)?.is_some())
    }

    /// Finds the span of the leftmost match from `from` on. Returns `None` if another machine has to
    /// search.
    #[allow(clippy::option_option)]
    pub(crate) fn find(
        &self,
        text: &[u8],
        from: usize,
        anchored: bool,
    ) -> Option<Option<Range<usize>>> {
        if anchored {
            return Some(self.end::<false>(text, from, true)?.map(|end| from..end));
        }
        let from = match self.tried(text, from) {
            Tried::Match(found) => return Some(Some(found)),
            Tried::Until(at) => at,
            Tried::GaveUp => return None,
        };
        let Some(end) = self.end::<false>(text, from, false)? else { return Some(None) };
        Some(Some(self.start(text, from..end)?..end))
    }

    /// Tries to match at each position at which the forward automaton leaves its first state, which
    /// saves searching backward. Stops if this fails too often.
    #[inline]
    fn tried(&self, text: &[u8], from: usize) -> Tried {
        let Some((idle, first)) = self.everywhere else { return Tried::Until(from) };
        let dfa = &self.forward;
        let (mut at, mut wasted) = (from, 0);
        while wasted < TRIED_BYTES {
            while at < text.len() && dfa.next_state(idle, text[at]) == idle {
                at += 1;
            }
            if at == text.len() {
                break;
            }
            match self.walk::<false>(first, text, at) {
                Some((Some(end), _)) => return Tried::Match(at..end),
                Some((None, read)) => wasted += read + 1 - at,
                None => return Tried::GaveUp,
            }
            at += 1;
        }
        Tried::Until(at)
    }

    /// Finds the end of the leftmost match or, if `EARLIEST` is set, that of its shortest form.
    #[allow(clippy::option_option)]
    #[inline]
    fn end<const EARLIEST: bool>(
        &self,
        text: &[u8],
        from: usize,
        anchored: bool,
    ) -> Option<Option<usize>> {
        let state = match from {
            0 if anchored => self.anchored?,
            0 => self.unanchored?,
            _ => {
                let mode = if anchored { Anchored::Yes } else { Anchored::No };
                let input = Input::new(text).range(from..).anchored(mode);
                self.forward.start_state_forward(&input).ok()?
            }
        };
        Some(self.walk::<EARLIEST>(state, text, from)?.0)
    }

    /// Follows the forward automaton from `state`. Returns the end of the match, if there is one,
    /// and the position at which the automaton stopped. Returns `None` if another machine has to
    /// search.
    #[inline(always)]
    fn walk<const EARLIEST: bool>(
        &self,
        state: StateID,
        text: &[u8],
        from: usize,
    ) -> Option<(Option<usize>, usize)> {
        let dfa = &self.forward;
        let (mut state, mut end, mut at) = (state, None, from);
        while at < text.len() {
            let next = dfa.next_state(state, text[at]);
            if next == state {
                // In this loop, the processor does not wait for the state if it predicts that it
                // stays the same.
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
        if dfa.is_utf8() && end.is_some_and(inside) { None } else { Some((end, at)) }
    }

    /// Finds the start of the match that ends at the end of `range`.
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

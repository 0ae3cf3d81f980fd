//! Searches with lazy automata, in slices if a limit has to be checked.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind, PatternSet};

use crate::budget::{Allowance, Budget};
use crate::problem::Problem;

/// The answer of an automaton.
pub(crate) enum Answer {
    /// There is no match.
    No,
    /// The end of the match in a search forward, or its start in a search backward.
    At(usize),
    /// The automaton gave up, and another machine has to search.
    Unknown,
}

/// Builds an automaton that gives up if it becomes slow. Returns `None` if the limits do not allow
/// one.
pub(crate) fn build(
    nfa: NFA,
    kind: MatchKind,
    prefix: Option<&Prefilter>,
    limits: Allowance<'_>,
) -> Option<DFA> {
    let config = DFA::config()
        .match_kind(kind)
        .prefilter(prefix.cloned())
        .specialize_start_states(prefix.is_some())
        .unicode_word_boundary(true)
        .cache_capacity((2 << 20).min(limits.memory_bytes / 2))
        .minimum_cache_clear_count(Some(3))
        .minimum_bytes_per_state(Some(10));
    DFA::builder().configure(config).build_from_nfa(nfa).ok()
}

/// Adds the patterns that match in `input` to `found`. `utf8` says whether the input is in UTF-8.
/// Returns false if the automaton gave up.
pub(crate) fn which(
    dfa: &DFA,
    cache: &mut Cache,
    input: &Input<'_>,
    utf8: bool,
    budget: &mut Budget<'_>,
    found: &mut PatternSet,
) -> Result<bool, Problem> {
    let Ok(mut state) = dfa.start_state_forward(cache, input) else { return Ok(false) };
    for at in input.start()..=input.end() {
        budget.take_slice(at, input.end() - at)?;
        let next = match input.haystack().get(at) {
            Some(byte) => dfa.next_state(cache, state, *byte),
            None => dfa.next_eoi_state(cache, state),
        };
        let Ok(next) = next else { return Ok(false) };
        state = next;
        if !state.is_tagged() {
            continue;
        }
        // A match may not end inside a character.
        if state.is_match() && !(utf8 && splits_char(input.haystack(), at)) {
            for index in 0..dfa.match_len(cache, state) {
                found.insert(dfa.match_pattern(cache, state, index));
            }
        } else if state.is_dead() || (state.is_quit() && at < input.end()) {
            return Ok(state.is_dead());
        }
        if found.is_full() {
            break;
        }
    }
    Ok(true)
}

/// Returns whether the position `at` is inside a character of UTF-8. A stray byte is not part of a
/// character.
fn splits_char(text: &[u8], at: usize) -> bool {
    let is_inside = |byte: &u8| byte & 0xC0 == 0x80;
    if !text.get(at).is_some_and(is_inside) {
        return false;
    }
    let lead = text[..at].iter().rposition(|byte| !is_inside(byte)).unwrap_or(0);
    let len = match text[lead] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return false,
    };
    let char = text.get(lead..lead + len).filter(|_| at < lead + len);
    char.is_some_and(|char| std::str::from_utf8(char).is_ok())
}

/// Finds the end of the leftmost match in `input`.
pub(crate) fn forward(
    dfa: &DFA,
    cache: &mut Cache,
    input: &Input<'_>,
    budget: &mut Budget<'_>,
) -> Result<Answer, Problem> {
    if budget.slices(input.get_span().len()) {
        return forward_counted(dfa, cache, input, budget, &mut 0);
    }
    let (answer, read) = match dfa.try_search_fwd(cache, input) {
        Ok(Some(half)) => (Answer::At(half.offset()), half.offset()),
        Ok(None) => (Answer::No, input.end()),
        Err(_) => return Ok(Answer::Unknown),
    };
    // For patterns that may match nothing, regex-automata skips matches that end before a
    // continuation byte, even if that is a stray byte.
    let skips = dfa.get_nfa().has_empty() && dfa.get_nfa().is_utf8();
    Ok(if skips && has_stray_byte(input.haystack(), input.start(), read) {
        Answer::Unknown
    } else {
        answer
    })
}

/// Returns whether a byte from `start` to `end` is not valid UTF-8. A character starts at `start`.
fn has_stray_byte(text: &[u8], start: usize, end: usize) -> bool {
    let read = &text[start..text.len().min(end + 4)];
    std::str::from_utf8(read).is_err_and(|error| start + error.valid_up_to() <= end)
}

/// Finds the end of the leftmost match as [`forward`] does, but in slices. Stores in `read` the
/// position up to which the text was read.
pub(crate) fn forward_counted(
    dfa: &DFA,
    cache: &mut Cache,
    input: &Input<'_>,
    budget: &mut Budget<'_>,
    read: &mut usize,
) -> Result<Answer, Problem> {
    *read = input.start();
    let Ok(mut state) = dfa.start_state_forward(cache, input) else { return Ok(Answer::Unknown) };
    let mut answer = Answer::No;
    for at in input.start()..input.end() {
        budget.take_slice(at, input.end() - at)?;
        let Ok(next) = dfa.next_state(cache, state, input.haystack()[at]) else {
            return Ok(Answer::Unknown);
        };
        state = next;
        if !state.is_tagged() {
            continue;
        }
        *read = at;
        if state.is_match() {
            answer = Answer::At(at);
        } else if state.is_dead() {
            return Ok(checked(dfa, input, answer));
        } else if state.is_quit() {
            return Ok(Answer::Unknown);
        }
    }
    *read = input.end();
    match dfa.next_eoi_state(cache, state) {
        Ok(state) if state.is_match() => Ok(checked(dfa, input, Answer::At(input.end()))),
        Ok(_) => Ok(checked(dfa, input, answer)),
        Err(_) => Ok(Answer::Unknown),
    }
}

/// Replaces a match that ends inside a character by [`Answer::Unknown`]. Such a match is empty and
/// not valid, so another machine has to search for a later one.
fn checked(dfa: &DFA, input: &Input<'_>, answer: Answer) -> Answer {
    match answer {
        Answer::At(end) if dfa.get_nfa().is_utf8() && !input.is_char_boundary(end) => {
            Answer::Unknown
        }
        answer => answer,
    }
}

/// Finds the start of the match that ends at the end of `input`.
pub(crate) fn backward(
    dfa: &DFA,
    cache: &mut Cache,
    input: &Input<'_>,
    budget: &mut Budget<'_>,
) -> Result<Answer, Problem> {
    if !budget.slices(input.get_span().len()) {
        return Ok(match dfa.try_search_rev(cache, input) {
            Ok(Some(half)) => Answer::At(half.offset()),
            Ok(None) => Answer::No,
            Err(_) => Answer::Unknown,
        });
    }
    let Ok(mut state) = dfa.start_state_reverse(cache, input) else { return Ok(Answer::Unknown) };
    let mut answer = Answer::No;
    for at in (input.start()..input.end()).rev() {
        budget.take_slice(at, input.end() - input.start())?;
        let Ok(next) = dfa.next_state(cache, state, input.haystack()[at]) else {
            return Ok(Answer::Unknown);
        };
        state = next;
        if state.is_match() {
            answer = Answer::At(at + 1);
        } else if state.is_dead() {
            return Ok(answer);
        } else if state.is_quit() {
            return Ok(Answer::Unknown);
        }
    }
    let last = match input.start().checked_sub(1) {
        Some(before) => dfa.next_state(cache, state, input.haystack()[before]),
        None => dfa.next_eoi_state(cache, state),
    };
    match last {
        Ok(state) if state.is_match() => Ok(Answer::At(input.start())),
        Ok(state) if state.is_quit() => Ok(Answer::Unknown),
        Ok(_) => Ok(answer),
        Err(_) => Ok(Answer::Unknown),
    }
}

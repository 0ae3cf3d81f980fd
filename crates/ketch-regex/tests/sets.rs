//! Checks that a pattern set finds the same matches as its patterns, searched for one at a time.

use proptest::prelude::*;

use ketch_regex::{Captures, Limits, Options, Regex, Set, SetCaptures};

const SETS: &[&[&str]] = &[
    &["a+", "[ab]+c", "b", "é"],
    &["(a)(?=b)", "(?<!a)b", "a", "\\bb\\b"],
    &["^a", "a$", "\\Z", "\\n^", "b\\z"],
    &["(a)\\1", "(?>a*)b", "\\Ga", "\\R"],
    &["foo", "ba+r", "fo+(b)?", "", "x"],
    &["a"],
    &[],
];

/// Returns the first match of any pattern, found by a search for each pattern. If several patterns
/// match at the same position, the first of them counts.
fn naive(regexes: &[Regex], text: &[u8], from: usize) -> Option<(usize, Captures)> {
    let mut best: Option<(usize, usize, Captures)> = None;
    for (pattern, regex) in regexes.iter().enumerate() {
        let began = |at: usize| regex.match_at(text, at).unwrap().is_some();
        let Some(start) = (from..=text.len())
            .find(|at| std::str::from_utf8(text).unwrap().is_char_boundary(*at) && began(*at))
        else {
            continue;
        };
        let mut captures = Captures::new();
        if regex.captures_at(text, from, &mut captures).unwrap()
            && best.as_ref().is_none_or(|(least, ..)| start < *least)
        {
            best = Some((start, pattern, captures));
        }
    }
    best.map(|(_, pattern, captures)| (pattern, captures))
}

proptest! {
    #[test]
    fn sets_and_their_patterns_find_the_same_matches(text in "(foo|bar|[abcé\\n ]){0,20}", at in 0..20usize) {
        let from = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(at).unwrap_or(0);
        for patterns in SETS {
            let patterns: Vec<&str> =
                patterns.iter().copied().filter(|pattern| !pattern.contains("\\G") || from == 0).collect();
            let set = Set::new(patterns.iter().copied(), Options::default()).unwrap();
            let mut captures = SetCaptures::new();
            let found = set.find_at(text.as_bytes(), from, &mut captures).unwrap();
            let found = found.then(|| (captures.pattern(), captures.captures().clone()));
            prop_assert_eq!(found, naive(set.regexes(), text.as_bytes(), from), "{:?}", patterns);

            let each = set.regexes().iter().enumerate();
            let matches = each.filter(|(_, regex)| regex.is_match(text.as_bytes()).unwrap());
            let matches: Vec<usize> = matches.map(|(pattern, _)| pattern).collect();
            prop_assert_eq!(set.matches(text.as_bytes()).unwrap(), matches, "{:?}", patterns);
        }
    }
}

#[test]
fn a_match_is_found_after_many_false_candidates() {
    let set = Set::new(["a(?=c)", "b"], Options::default()).unwrap();
    let text = format!("{}b", "a".repeat(1000));
    let mut captures = SetCaptures::new();
    assert!(set.find_at(text.as_bytes(), 0, &mut captures).unwrap());
    assert_eq!((captures.pattern(), captures.get(0)), (1, Some(1000..1001)));
}

#[test]
fn an_error_says_the_number_of_the_pattern() {
    let error = Set::new(["a", "b(", "c"], Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "pattern 1: end pattern with unmatched parenthesis (column 2)");
}

/// Patterns that together exceed the limit of a program are searched for one at a time.
#[test]
fn sets_may_exceed_the_program_limit() {
    let limits = Limits { program_bytes: 100_000, ..Limits::default() };
    let patterns: Vec<String> = (0..60).map(|n| format!("[a-z]{{40}}{n:02}")).collect();
    let options = Options { limits, ..Options::default() };
    let set = Set::new(patterns.iter().map(String::as_str), options).unwrap();
    let text = format!("{}42", "a".repeat(50));
    assert_eq!(set.matches(text.as_bytes()).unwrap(), [42]);
}

#[test]
fn a_set_of_a_thousand_words_finds_each_word() {
    let words: Vec<String> = (0..1000).map(|n| format!("word{n:03}x")).collect();
    let set = Set::new(words.iter().map(String::as_str), Options::default()).unwrap();
    assert_eq!(set.matches(b"word007x word999x word1000x").unwrap(), [7, 999]);
}

#[test]
fn sets_and_their_patterns_agree_on_stray_bytes() {
    let patterns = ["\\x06", "^", "", "\\B", "\\z", "."];
    for text in
        [&b"\x06\xBE\xA3"[..], b"\xBE", b"\xC3", b"a\xC3\xA9\xA9", b"\xE2\x82", b"\xE2\x82\xAC\x82"]
    {
        for pattern in &patterns {
            let set = Set::new([*pattern], Options::default()).unwrap();
            let regex = Regex::new(pattern, Options::default()).unwrap();
            let found = regex.find(text).unwrap();
            let expected = if found.is_some() { vec![0] } else { vec![] };
            assert_eq!(set.matches(text).unwrap(), expected, "{pattern} {text:?}");
            let mut captures = SetCaptures::new();
            let is_found = set.find_at(text, 0, &mut captures).unwrap();
            assert_eq!(is_found.then(|| captures.get(0).unwrap()), found, "{pattern} {text:?}");
        }
    }
}

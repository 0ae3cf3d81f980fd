//! Checks that searches miss no match when they skip text without the literals that every match
//! contains.

use proptest::prelude::*;

use ketch_regex::{Options, Regex};

const PATTERNS: &[&str] = &[
    "foo",
    "[ab]{1,3}foo",
    "foo|bar",
    "(?i)foo",
    "(?i)straße",
    "(?i)ss",
    "(?i)xss",
    "(?:foo)+x?",
    "a*foo\\d",
    "(?:ab|é)foo",
    "foo(?=.*bar)",
    "(?<=foo)bar",
    "(?=.*foo)b",
    "x?foo",
    "x*fo{2}",
    "(?!foo)bar",
    "\\bfoo\\b",
    "b\\Kfoo",
    "(?>fo+)b",
    "(?~foo)bar",
    "(foo)\\1",
    "(?:foo|a*)b",
    "foo|",
    "^foo$",
    "[fb]oo",
    "(?i)[fb]oo",
    "fo{2,}+a",
    "(a)?(?(1)foo|bar)",
    "\\R?foo",
    "é{2}foo",
    "(?i)\u{3b9}\u{308}\u{301}",
    "a.{0,2}foo",
    "f[^x]*?oo",
];

proptest! {
    #[test]
    fn searches_find_the_first_position_that_matches(text in "(foo|bar|ss|ß|SS|[abfox é\\n]|\u{390}|FOO|straSSE){0,24}", times in 1..40usize) {
        let text = text.repeat(times);
        for pattern in PATTERNS {
            let regex = Regex::new(pattern, Options::default()).unwrap();
            let starts = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
            let mut matches = starts.filter_map(|at| regex.match_at(text.as_bytes(), at).unwrap());
            let expected = matches.next();
            prop_assert_eq!(regex.find(text.as_bytes()).unwrap(), expected, "{} on {:?}", pattern, text);
        }
    }
}

#[test]
fn three_characters_match_one_that_folds_to_them() {
    let regex = Regex::new("(?i)\u{3b9}\u{308}\u{301}", Options::default()).unwrap();
    assert_eq!(regex.find("\u{390}".as_bytes()), Ok(Some(0..2)));
}

//! Checks that finding all matches of a text takes linear time, and that a scan, which keeps
//! knowledge from one match to the next, finds the same matches as separate searches.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use ketch_regex::{Captures, Limits, Options, Regex, Template};

fn regex(pattern: &str) -> Regex {
    match Regex::new(pattern, Options::default()) {
        Ok(regex) => regex,
        Err(error) => panic!("{pattern}: {error}"),
    }
}

/// Patterns that make each search read to the end of a text of `a`, although it finds one `a`.
const QUADRATIC: &[&str] = &[
    "a*b|a",
    "(a*)b|a",
    "a+?b|a",
    "a(?=a*b)|a",
    "(?>a*)b|a",
    "a*+b|a",
    "(?:a|aa)+b|a",
    "(?:(a)|a)*b|a",
    "(?=(a*))\\1b|a(?=a*$)|a",
    "(?!a*b)a",
];

#[test]
fn scans_take_linear_time() {
    let letters = 1_000_000;
    let text = "a".repeat(letters);
    let limit = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 6 });
    for pattern in QUADRATIC {
        let regex = regex(pattern);
        // Only the pattern with a back-reference may report that its scans are not linear.
        if !regex.scan_is_linear() {
            assert!(pattern.contains("\\1"), "{pattern}");
            continue;
        }
        let start = Instant::now();
        assert_eq!(regex.scan(text.as_bytes()).map(Result::unwrap).count(), letters, "{pattern}");
        let replaced = regex.replace_with(text.as_bytes(), usize::MAX, |_, out| out.push(b'-'));
        assert_eq!(*replaced.unwrap(), *"-".repeat(letters).as_bytes(), "{pattern}");
        println!("{pattern}: {:?} for a scan and a replacement", start.elapsed());
        assert!(start.elapsed() < limit, "{pattern}: {:?}", start.elapsed());
    }
}

/// A scan that has no memory for its table is slower, but finds the same matches.
#[test]
fn scans_need_no_table() {
    let text = "a".repeat(3_000);
    let limits = Limits { memory_bytes: 1 << 10, ..Limits::default() };
    let small = Regex::new("a*b|a", Options { limits, ..Options::default() }).unwrap();
    assert_eq!(small.scan(text.as_bytes()).map(Result::unwrap).count(), 3_000);
}

#[test]
fn the_last_match_is_found_in_one_pass() {
    let text = format!("b{}", "a".repeat(1_000_000));
    let start = Instant::now();
    for (pattern, found) in [
        ("ba*", Some(0..1_000_001)),
        ("a*b", Some(0..1)),
        ("b(?=a)", Some(0..1)),
        ("(?<=b)a*", Some(1..1_000_001)),
        ("a*+c|b", Some(0..1)),
        ("c", None),
        ("a*c", None),
    ] {
        assert_eq!(regex(pattern).rfind_at(text.as_bytes(), text.len()), Ok(found), "{pattern}");
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// A `\K` in a look-ahead may move the start of a match past its end. The match is then empty, at
/// its end.
#[test]
fn keep_does_not_move_a_start_beyond_the_end() {
    let regex = regex("(?=[ab]\\w\\K)|b");
    let spans = regex.scan(b"xa1ab").map(Result::unwrap);
    let found: Vec<_> = spans.map(|span| (span.start, span.end)).collect();
    assert_eq!(found, [(1, 1), (3, 3), (4, 5)]);
    let parts: Vec<_> = regex.split(b"xa1ab", -1).map(Result::unwrap).collect();
    assert!(parts.len() <= 6, "{parts:?}");
    let replaced = regex.replace_with(b"xa1ab", usize::MAX, |_, out| out.push(b'-')).unwrap();
    assert!(replaced.len() <= 16, "{replaced:?}");
}

#[test]
fn templates_refer_to_groups_by_name() {
    let named = regex(r"(?<first>\w)(?<last>\w)");
    let replaced = |template: &[u8]| {
        let template = Template::new(template, &named).unwrap();
        String::from_utf8(named.replace(b"ab cd", &template).unwrap().into_owned()).unwrap()
    };
    assert_eq!(replaced(br"\k<last>\k<first>"), "ba cd");
    assert_eq!(replaced(br"[\1\+\&]"), "[bab] cd");
    assert_eq!(replaced(br"\k"), r"\k cd");
    assert_eq!(replaced(br"\"), r"\ cd");
    assert_eq!(replaced(br"\\1"), r"\1 cd");
    assert_eq!(replaced(br"[\`\']"), "[ cd] cd");
    let error = Template::new(br"x\k<no>", &named).unwrap_err();
    assert_eq!(error.to_string(), "undefined name <no> reference (column 2)");
    let error = Template::new(br"x\k<first", &named).unwrap_err();
    assert_eq!(error.to_string(), "invalid group name reference format (column 2)");
}

#[test]
fn templates_refer_to_groups_by_number() {
    let numbered = regex(r"(\w)(\w)(x)?");
    let template = Template::new(br"\2\1[\3\9]\+\\1\x", &numbered).unwrap();
    assert_eq!(*numbered.replace(b"ab cd", &template).unwrap(), *br"ba[]b\1\x cd");
}

const PATTERNS: &[&str] = &[
    "a*b|a",
    "(a*)(b|c)|a",
    "[ab]+c|b?",
    "^a*|b$",
    "\\b[ab]+\\b",
    "a(?=b*c)|b",
    "(?<=a)b*c|.",
    "(?>a*)b|a",
    "é+|a*\\Z",
    "(a|b)*c|\\n",
    "a{2,3}?|(b)",
    "\\Ga|b",
    "(?!a)|b",
    "a\\Kb|a",
    "x*",
];

/// Returns all matches, which are found by searches that share no knowledge.
fn naive(regex: &Regex, text: &str) -> Vec<Captures> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut captures = Captures::new();
    while from <= text.len() && regex.captures_at(text.as_bytes(), from, &mut captures).unwrap() {
        let whole = captures.get(0).unwrap();
        from = whole.end;
        if whole.is_empty() {
            from += text[from..].chars().next().map_or(1, char::len_utf8);
        }
        found.push(captures.clone());
    }
    found
}

proptest! {
    #[test]
    fn scans_and_searches_find_the_same_matches(text in "[aabbcé\\n ]{0,40}", times in 1..30usize) {
        let text = text.repeat(times);
        for pattern in PATTERNS {
            let regex = regex(pattern);
            let mut scan = regex.scan(text.as_bytes());
            let mut captures = Captures::new();
            let mut found = Vec::new();
            while scan.next_captures(&mut captures).unwrap() {
                found.push(captures.clone());
            }
            prop_assert_eq!(&found, &naive(&regex, &text), "{}", pattern);
            let spans: Vec<_> = regex.scan(text.as_bytes()).map(Result::unwrap).collect();
            let wholes: Vec<_> = found.iter().map(|found| found.get(0).unwrap()).collect();
            prop_assert_eq!(spans, wholes, "{}", pattern);
        }
    }

    #[test]
    fn backward_searches_find_the_last_position_that_matches(text in "[aabbcé\\n]{0,60}", last in 0..80usize) {
        for pattern in PATTERNS.iter().filter(|pattern| !pattern.contains("\\G")) {
            let regex = regex(pattern);
            let starts = (0..=text.len().min(last)).rev().filter(|at| text.is_char_boundary(*at));
            let mut matches = starts.filter_map(|at| regex.match_at(text.as_bytes(), at).unwrap());
            let found = regex.rfind_at(text.as_bytes(), last).unwrap();
            prop_assert_eq!(found, matches.next(), "{}", pattern);
        }
    }

    #[test]
    fn split_parts_and_matches_join_to_the_text(text in "[ab, ]{0,40}") {
        let regex = regex(" *, *");
        let parts: Vec<_> = regex.split(text.as_bytes(), -1).map(Result::unwrap).collect();
        let mut joined = Vec::new();
        let mut matches = regex.scan(text.as_bytes());
        for part in parts {
            joined.extend_from_slice(part);
            if let Some(found) = matches.next() {
                joined.extend_from_slice(&text.as_bytes()[found.unwrap()]);
            }
        }
        prop_assert_eq!(joined, text.as_bytes());
    }
}

#[test]
fn the_last_match_starts_at_no_stray_byte() {
    for pattern in ["\\A", "\\Aa?", "^", "", ".", "a*", "(?<!a)", "(?~a)"] {
        for text in [&b"\xBD\xA7"[..], b"\xBD", b"\xA7a\xBD", b"a\xC3\xA9\xA9a", b"\xE2\x82a"] {
            for last in 0..=text.len() {
                let regex = regex(pattern);
                let expected = (0..=last).rev().find_map(|at| regex.match_at(text, at).unwrap());
                assert_eq!(regex.rfind_at(text, last), Ok(expected), "{pattern} {text:?} {last}");
            }
        }
    }
}

#[test]
fn scans_and_searches_agree_on_stray_bytes() {
    for pattern in ["\x06*", "a*|b", "\\B", "(?=a)|\x06", "(a)*", "\\b"] {
        for text in [&b"\x06\x83"[..], b"a\x83b", b"b\xC3\xA9\xA9aa\xBD", b"\xE2\x82a\xFFb"] {
            // The long text is searched by lazy automata.
            for text in [text.to_vec(), text.repeat(2_000)] {
                let regex = regex(pattern);
                let found: Vec<_> = regex.scan(&text).take(20).map(Result::unwrap).collect();
                let mut from = 0;
                for span in found {
                    assert_eq!(
                        regex.find_at(&text, from),
                        Ok(Some(span.clone())),
                        "{pattern} {from}"
                    );
                    let is_start =
                        |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
                    from = match span.is_empty() {
                        true => (span.end + 1..=text.len() + 1).find(is_start).unwrap(),
                        false => span.end,
                    };
                }
            }
        }
    }
}

use std::ops::Range;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use crate::{Captures, Class, Encoding, Limits, Options, Problem, Regex};

fn regex(pattern: &str) -> Regex {
    match Regex::new(pattern, Options::default()) {
        Ok(regex) => regex,
        Err(error) => panic!("{pattern}: {error}"),
    }
}

fn groups(pattern: &str, text: &str) -> Option<Vec<Option<Range<usize>>>> {
    let found = regex(pattern).captures(text.as_bytes()).unwrap();
    found.map(|captures| captures.iter().collect())
}

/// Each row is a pattern, a text, and the span that Ruby finds.
#[test]
fn searches_find_the_same_spans_as_ruby() {
    let rows: &[(&str, &str, Option<Range<usize>>)] = &[
        // `^` fails at the very end.
        ("^", "a\n", Some(0..0)),
        ("\\n^", "a\n", None),
        ("\\n(?:^|$)", "a\n", Some(1..2)),
        ("\\n^b", "a\nb", Some(1..3)),
        ("b^", "ab", None),
        ("^\\z", "", Some(0..0)),
        ("^\\z", "\n", None),
        // `$`, `\Z`, `\z`.
        ("a$", "a\nb", Some(0..1)),
        ("a\\Z", "a\n", Some(0..1)),
        ("a\\Z", "a\n\n", None),
        ("a\\Z", "ba", Some(1..2)),
        ("a\\z", "a\n", None),
        ("a(?m:.*)\\Z", "ab\n", Some(0..3)),
        // The dot and options.
        ("a.b", "a\nb", None),
        ("(?m)a.b", "a\nb", Some(0..3)),
        ("a(?i)b|c", "aC", Some(0..2)),
        ("a(?i)b|c", "C", None),
        // Intervals.
        ("a{2}+", "aaaaa", Some(0..4)),
        ("a{2}?", "a", Some(0..0)),
        ("a{2,3}?", "aaa", Some(0..2)),
        ("a{,2}", "aaa", Some(0..2)),
        // Words: `\w` is ASCII, `\b` is not.
        ("\\w", "é", None),
        ("(?u)\\w", "é", Some(0..2)),
        ("é\\b", "éa", None),
        ("é\\b", "é-", Some(0..2)),
        ("(?a)a\\b", "aé", Some(0..1)),
        ("[[:alpha:]]", "é", Some(0..2)),
        ("(?a)[[:alpha:]]", "é", None),
        // Alternatives of different lengths in a group that is the whole look-behind.
        ("(?<=(?:ab|c))d", "abd", Some(2..3)),
        ("(?<=(?:ab|c))d", "acd", Some(2..3)),
        ("(?<!(?:ab|c){1})d", "cdd", Some(2..3)),
        // A vertical tab is not white space under `x`.
        ("(?x)a\x0Bb", "ab", None),
        // A loop over a group that calls itself.
        ("(?<n>|a\\g<n>)+", "a", Some(0..0)),
        ("(?<n>|\\(\\g<n>\\))+$", "()(())", Some(0..6)),
        // Case folding.
        ("(?i)ss", "ß", Some(0..2)),
        ("(?i)s+s", "ß", None),
        ("(?i)s(?:s)", "ß", None),
        ("(?i)[s]s", "ß", Some(0..2)),
        ("(?i)s[s]", "ß", None),
        ("(?i)[s]s[s]s", "sßs", None),
        ("(?i)ß{2}", "ssß", Some(0..4)),
        ("(?i)s{2,}", "ßsß", Some(0..3)),
        ("b|bc|é", "abc", Some(1..2)),
        ("(?:bc|b|é)", "abc", Some(1..3)),
        ("b|(?i)BC", "aBc", Some(1..3)),
        ("(?i)s{2,}", "sß", Some(1..3)),
        ("(?i)s{2,3}", "ßss", Some(0..3)),
        ("(?i)s{2,3}?", "ßs", Some(0..2)),
        ("(?i)(?:s){2,}", "ßs", Some(0..3)),
        ("(?i)(?:s){2}s", "ßs", Some(0..3)),
        ("(?i)[s]{2}", "aß", Some(1..3)),
        ("(?i)(s){2}", "ß", None),
        ("(?i)(?i:s){2}", "ß", None),
        ("(?i)(?>s{2,})", "ßsß", Some(0..3)),
        ("(?i)[ß]", "ss", Some(0..2)),
        ("(?i)[^ß]", "ss", Some(0..1)),
        ("(?i)ffi", "ﬀi", Some(0..4)),
        ("(?i)xﬁ", "xFI", Some(0..3)),
        ("(?ia)k", "\u{212a}", Some(0..3)),
        ("(?i)\\w", "ſ", None),
        ("(?i)\\p{ASCII}", "\u{212a}", None),
        ("(?i)[\\p{ASCII}]", "\u{212a}", None),
        ("(?ia)[[:lower:]]", "ſ", None),
        // Properties for blocks, and properties that leave out surrogates.
        ("\\p{In_Greek_and_Coptic}+", "aαω", Some(1..5)),
        ("\\p{In_No_Block}", "a", None),
        ("\\p{Inherited}", "\u{301}", Some(0..2)),
        ("\\p{Print}+", "\n a", Some(1..3)),
        ("[[:graph:]]+", "\n a", Some(2..3)),
        ("(?i)\\p{Ll}", "A", Some(0..1)),
        // Classes.
        ("[a-c&&[^b]]+", "abc", Some(0..1)),
        ("[a&&]", "a", None),
        ("[a-[b]]+", "a-b", Some(2..3)),
        ("(?i)[\\w&&[^a]]", "A", Some(0..1)),
        ("(?i)[\\w&&[^a]]", "ſ", None),
        ("(?i)[s&&\\w]", "ſ", Some(0..2)),
        ("(?i)[\\ws]", "ſ", Some(0..2)),
        ("(?i)[[^a]]", "A", Some(0..1)),
        ("(?i)[^a]", "A", None),
        ("(?i)[^[^a]]", "A", None),
        // Empty matches are between characters.
        ("x*\\z", "é", Some(2..2)),
        ("(?:|a)*", "a", Some(0..0)),
        ("(?:a|b??)*c", "abc", Some(0..3)),
    ];
    for (pattern, text, expected) in rows {
        assert_eq!(regex(pattern).find(text.as_bytes()).unwrap(), *expected, "{pattern} {text:?}");
    }
}

#[test]
fn a_loop_ends_after_an_iteration_that_matches_nothing() {
    let rows = [
        ("x(?:a|k??)+", "xaak", 0..3),
        ("(?:a|(?:|k))*", "aak", 0..2),
        ("(?:a|k?)+", "aak", 0..3),
        ("(?:a|k??)+$", "aak", 0..3),
        ("(?:a|k??){2,}", "aak", 0..2),
        ("(?:|a)+(?:ab|bc)", "aabc", 0..3),
        (".?(?i:[a-c][^a]??|[k-x]??)+", "xaAkx", 0..3),
    ];
    for (pattern, text, expected) in rows {
        for text in [text.to_owned(), format!("{text}{}", "\n".repeat(100_000))] {
            let found = regex(pattern).find(text.as_bytes()).unwrap();
            assert_eq!(found, Some(expected.clone()), "{pattern} {}", text.len());
        }
    }
}

#[test]
fn captures_as_ruby_does() {
    assert_eq!(groups("(a)|(b)", "b"), Some(vec![Some(0..1), None, Some(0..1)]));
    assert_eq!(groups("(?:(a)|(b))+", "ab"), Some(vec![Some(0..2), Some(0..1), Some(1..2)]));
    assert_eq!(groups("(a+)(a*)\\b", "é aa"), Some(vec![Some(3..5), Some(3..5), Some(5..5)]));
    assert_eq!(groups("(?<n>a)(b)", "ab"), Some(vec![Some(0..2), Some(0..1)]));
    assert_eq!(groups("(.+)\\Z", "ab\n"), Some(vec![Some(0..2), Some(0..2)]));
    assert_eq!(groups("x(a){0}", "x"), Some(vec![Some(0..1), None]));
    // A group has no value while it is open.
    assert_eq!(groups("((?(1)b|a?)){2}", "cb"), Some(vec![Some(0..0), Some(0..0)]));
    assert_eq!(groups("(?:(a|\\1b)c?)+", "acb"), Some(vec![Some(0..2), Some(0..1)]));
    // The first iteration of a repeat may match nothing, even if the group was set elsewhere.
    assert_eq!(groups("(?:()+?.)+\\1", "abc"), Some(vec![Some(0..3), Some(2..2)]));
    let mut captures = Captures::new();
    let pattern = regex("(a)(b)?");
    assert!(pattern.captures_at(b"xab", 0, &mut captures).unwrap());
    assert_eq!((captures.get(0), captures.get(2), captures.get(3)), (Some(1..3), Some(2..3), None));
    assert!(!pattern.captures_at(b"xab", 2, &mut captures).unwrap());
    assert!(captures.is_empty() && captures.get(2).is_none());
}

#[test]
fn long_matches_have_captures() {
    let text = format!("{}b", "a".repeat(300_000));
    let found = groups("(a)*(b)", &text).unwrap();
    assert_eq!(found, [Some(0..300_001), Some(299_999..300_000), Some(300_000..300_001)]);
}

#[test]
fn a_search_can_start_inside_the_text() {
    let word = regex("\\bb");
    assert_eq!(word.find_at(b"ab b", 1).unwrap(), Some(3..4));
    assert_eq!(word.match_at(b"ab b", 3).unwrap(), Some(3..4));
    assert_eq!(word.match_at(b"ab b", 2).unwrap(), None);
    assert_eq!(word.find_at(b"b", 2).unwrap(), None);
    assert_eq!(regex("\\A").find_at(b"ab", 1).unwrap(), None);
    assert_eq!(regex("").find_at("é".as_bytes(), 1).unwrap(), Some(2..2));
}

#[test]
fn matches_of_a_scan_do_not_overlap() {
    let spans = |pattern: &str, text: &str| -> Vec<Range<usize>> {
        regex(pattern).scan(text.as_bytes()).collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(spans("a*", "aab"), [0..2, 2..2, 3..3]);
    assert_eq!(spans("", "é"), [0..0, 2..2]);
    assert_eq!(spans("^", "a\nb\n"), [0..0, 2..2]);
    assert!(spans("b", "aaa").is_empty());
}

/// The search for words reads 256 KiB at a time if a limit is set.
#[test]
fn the_first_of_several_words_matches_wherever_slices_end() {
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let rows =
        [("abcd|ab|é", "abcd", 4), ("ab|abcd|x", "abcd", 2), ("é|ab", "é", 2), ("abcd", "abcd", 4)];
    for (pattern, word, length) in rows {
        let sliced = Regex::new(pattern, options.clone()).unwrap();
        for at in (1 << 18) - 6..(1 << 18) + 6 {
            let text = [&vec![b'-'; at], word.as_bytes(), &vec![b'-'; 1 << 19]].concat();
            let found = Some(at..at + length);
            assert_eq!(sliced.find(&text).unwrap(), found, "{pattern} at {at}");
            assert_eq!(regex(pattern).find(&text).unwrap(), found, "{pattern} at {at}");
        }
        assert!(!sliced.is_match(&vec![b'-'; 1 << 19]).unwrap());
    }
}

#[test]
fn irregular_patterns_match_as_in_ruby() {
    let rows: &[(&str, &str, Option<Range<usize>>)] = &[
        ("a(?=b)", "aab", Some(1..2)),
        ("a(?!b)", "abac", Some(2..3)),
        ("(?<=a|bc)d", "ad", Some(1..2)),
        ("(?<!a|bc)d", "bcd", None),
        ("(?<=é).", "éa", Some(2..3)),
        ("(?>a*)ab", "aab", None),
        ("a*+b", "aab", Some(0..3)),
        ("a\\Kb", "ab", Some(1..2)),
        ("(?=a\\K)ab", "ab", Some(1..2)),
        ("\\Gb", "ab", None),
        ("\\R{2}", "\r\n", None),
        ("\\R", "a\r\n", Some(1..3)),
        ("\\X", "e\u{301}x", Some(0..3)),
        ("(a)(?(1)b|c)", "ab", Some(0..2)),
        ("(a)?(?(1)(?:b|c))", "c", Some(0..1)),
        ("(?~abc)", "abcabc", Some(0..2)),
        ("/\\*(?~\\*/)\\*/", "/* a */ */", Some(0..7)),
        ("(?~)", "abc", Some(3..3)),
        ("(\\w)\\1", "abb", Some(1..3)),
        ("(?<=(a))+\\1", "aa", Some(1..2)),
        ("(?:(?=(a)|b))*\\1", "aa", Some(0..1)),
        ("(?i)(é)\\1", "éÉ", Some(0..4)),
        ("(?i)(ß)\\1", "ßss", Some(0..4)),
        ("(?<n>a)(?<n>b)\\k<n>", "aba", Some(0..3)),
        ("(?<p>\\((?:[^()]|\\g<p>)*\\))", "x(a(b)c)", Some(1..8)),
        ("(?<a>a)\\g<a>", "aa", Some(0..2)),
        ("(?<x>a){0}\\g<x>b", "ab", Some(0..2)),
        ("\\A(?<a>|.|(?:(?<b>.)\\g<a>\\k<b+0>))\\z", "reviver", Some(0..7)),
        ("(?i)S{2}", "ß", Some(0..2)),
        ("(?i)S{2}(?!a)", "ß", Some(0..2)),
        ("ab(?=c\\Kd)", "abcd", Some(2..2)),
        // After an iteration that sets a group for the first time, the loop continues.
        ("(?:()|())*\\1\\2", "", Some(0..0)),
        ("(?:()|()|()|(x)|()|())*\\2b\\5", "b", Some(0..1)),
        // A group also counts as a level where it is written.
        ("\\A(a|b\\g<1>c)\\k<1+3>\\z", "bbacca", Some(0..6)),
        // Absence operators around patterns that are not regular.
        ("(?~(?~))", "abc", Some(0..3)),
        ("(?~(?<=b)c)", "abcd", Some(0..2)),
        ("(?~(\\w)\\1)", "abccd", Some(0..3)),
        ("(?~(?~a)b)", "aaxxbb", Some(0..4)),
        ("(?~(?~a)b)", "bcbbc", Some(0..2)),
        ("(?~(?~b))", "cbb", Some(0..0)),
        ("(?~a(?~b))", "xaxbca", Some(0..2)),
        // Before the last character of a match, the absent pattern could only match nothing.
        ("(?~(?~b)?+)", "xa", Some(0..1)),
        ("(?~(?~b)*+)", "xaay", Some(0..2)),
        ("(?~(?>a*)|(?>b*)c)", "bbc", Some(3..3)),
        ("x(?~(?>a?a?b?))", "xaab", Some(0..2)),
        ("(?~(a)\\1|(?<=a)(?=a))", "xaay", Some(0..1)),
        // Absence operators in groups that are called from others, and in their groups.
        ("(?<c>(?~x)b)(?~\\g<c>)c", "abaxbc", Some(4..6)),
        (
            "(?<c>(?~x)b){0}(?<d>\\g<c>y){0}(?<e>a(?~\\g<d>)b){0}(?~\\g<e>)c",
            "abaxbybaac",
            Some(3..10),
        ),
        ("(?<=b)(?~\\g<1>)((?~b))", "ababab", Some(2..3)),
        ("(?!(?~\\g<1>)b)((?~b))", "ababab", Some(0..1)),
        ("(?>(?~\\g<1>)b|)((?~b))", "ababab", Some(0..1)),
        ("(a)?(?(1)(?~\\g<2>)b|)((?~b))", "ababab", Some(0..1)),
        ("(?<c>a(?~x)\\g<c>?b)(?~\\g<c>)", "aabbaabb", Some(0..8)),
        ("(?<c>a\\g<c>?b(?~x))(?~\\g<c>)", "aabb", Some(0..4)),
        ("((a|b)\\2)(?~\\g<1>)", "aababb", Some(0..5)),
        ("(?~a\\g<1>)(b(?~a))", "ababab", Some(0..2)),
        // The ends of an absence operator that fail depend on what follows it and on conditionals.
        ("(?<c>(?~x))a|\\g<c>b", "zb", Some(0..2)),
        ("(?:(a)|a)(?~x)(?(1)b|c)", "aac", Some(0..3)),
    ];
    for (pattern, text, expected) in rows {
        assert_eq!(regex(pattern).find(text.as_bytes()).unwrap(), *expected, "{pattern} {text:?}");
    }
    assert_eq!(groups("(a*)*", "aab"), Some(vec![Some(0..2), Some(2..2)]));
    assert_eq!(groups("(?=(a)(b)?)a", "ab"), Some(vec![Some(0..1), Some(0..1), Some(1..2)]));
    assert_eq!(groups("(?!(a)b)a", "aa"), Some(vec![Some(0..1), None]));
    assert_eq!(groups("(?>(a)|b)+", "ab"), Some(vec![Some(0..2), Some(0..1)]));
}

/// The table of the memo machine records that the look-arounds match, but not what they captured.
#[test]
fn look_arounds_capture_even_if_the_table_knows_that_they_match() {
    let n = 5_000;
    let text = format!("x{}b", "a".repeat(n));
    let found = groups("\\A(?:(?=(.*)(b))(?=(?:(x)|.)*b).)*\\z", &text).unwrap();
    let end = n + 2;
    assert_eq!(found, [Some(0..end), Some(end - 1..end - 1), Some(end - 1..end), Some(0..1)]);
}

#[test]
fn constructs_that_are_not_linear_are_named() {
    let rows = [
        ("(a)\\1", Some((3, "a back-reference"))),
        ("a(?<a>b\\g<a>?)", Some((7, "a recursive call"))),
        ("(?=(a))(?(1)b)", Some((7, "a conditional on a group in a look-around"))),
        ("(?<a>b)\\g<a>(?=(a*)*)(?~c)(?>d)", None),
    ];
    for (pattern, expected) in rows {
        let reason = regex(pattern).not_linear().map(|(span, reason)| (span.start, reason));
        assert_eq!(reason, expected, "{pattern}");
    }
    let limits = Limits { fuel: 100_000, ..Limits::default() };
    let slow = Regex::new("^(a|aa)*\\1b$", Options { limits, ..Options::default() }).unwrap();
    let error = slow.find(format!("{}b!", "a".repeat(200)).as_bytes()).unwrap_err();
    assert_eq!(
        (error.problem(), error.problem().setting()),
        (&Problem::Fuel(100_000), Some("fuel"))
    );
}

/// Looking for the absent pattern at each position may take quadratic time, which costs fuel.
#[test]
fn absence_operators_consume_fuel() {
    let limits = Limits { fuel: 100_000, ..Limits::default() };
    let slow = Regex::new("(?~a+(?=d))d", Options { limits, ..Options::default() }).unwrap();
    assert!(!slow.is_linear());
    let error = slow.find(format!("{}d", "a".repeat(20_000)).as_bytes()).unwrap_err();
    assert_eq!(error.problem(), &Problem::Fuel(100_000));
}

#[test]
fn unsupported_constructs_are_rejected() {
    let nested = format!("{}\\K{}", "(?~".repeat(10), ")".repeat(10));
    // Eight absence operators inside each other are in a group that is called from inside another.
    let called = format!("({}\\K{})(?~\\g<1>)", "(?~".repeat(8), ")".repeat(8));
    let rows = [
        ("(a)b(?~\\1)", 8),
        (&*nested, 25),
        (&*called, 2),
        ("(a)(b\\1)(?~\\g<2>)", 6),
        ("(?<c>a|b(?~\\g<c>))", 9),
    ];
    for (pattern, column) in rows {
        let error = Regex::new(pattern, Options::default()).unwrap_err();
        assert_eq!((error.class(), error.column()), (Class::Irregular, column), "{pattern}");
    }
}

#[test]
fn binary_patterns_match_bytes() {
    let options = Options { encoding: Encoding::Binary, ignore_case: true, ..Options::default() };
    let find = |pattern: &str, text: &[u8]| {
        Regex::new(pattern, options.clone()).unwrap().find(text).unwrap()
    };
    assert_eq!(find("\\xE9.", b"a\xE9\xFF"), Some(1..3));
    assert_eq!(find("[^a]", b"A\xFF"), Some(1..2));
    assert_eq!(find("k\\b", b"K\xE9"), Some(0..1));
    assert_eq!(find("\\xE9", b"\xC9"), None);
    // The properties are those of POSIX, with ASCII characters.
    assert_eq!(find("\\p{Punct}\\p{alpha}", b"\xE9$a"), Some(1..3));
    assert_eq!(find("[\\p{^Word}]", b"a\xE9"), Some(1..2));
    assert_eq!(find("[\\P{Lower}]", b"a"), Some(0..1));
    for name in ["Han", "L", "Any", "al num", "In_Greek_and_Coptic"] {
        let error = Regex::new(&format!("\\p{{{name}}}"), options.clone()).unwrap_err();
        assert_eq!(error.problem(), &Problem::UnknownProperty(name.to_owned()));
    }
}

#[test]
fn invalid_utf8_matches_no_character() {
    let any = regex("(?m).");
    assert_eq!(any.find(b"\xFF\x80a").unwrap(), Some(2..3));
    assert_eq!(regex("[^a]").find(b"\xE3\x81").unwrap(), None);
    assert_eq!(regex("\\b").find(b"\xFFa").unwrap(), Some(1..1));
}

#[test]
fn errors_name_the_setting_of_the_exceeded_limit() {
    let with = |pattern: &str, limits: Limits| {
        Regex::new(pattern, Options { limits, ..Options::default() })
    };
    let error = with("(?:(?:a{1000}){1000}){1000}", Limits::default()).unwrap_err();
    assert_eq!((error.class(), error.problem().setting()), (Class::Limit, Some("program_bytes")));
    let none = Some(Duration::ZERO);
    let error = with("(?:(?:){100000}){100000}", Limits { time: none, ..Limits::default() });
    assert_eq!(error.unwrap_err().problem().setting(), Some("time"));

    let text = format!("cc!{}é\n", "a".repeat(1 << 20));
    for pattern in ["[ab]+c", "[ab]+c?\\b!", "(?:[ab]c?)+\\Z!"] {
        let few = with(pattern, Limits { steps: 1 << 18, ..Limits::default() }).unwrap();
        let error = few.find(text.as_bytes()).unwrap_err();
        assert_eq!(error.problem(), &Problem::Steps(1 << 18), "{pattern}");
        let short =
            with(pattern, Limits { time: Some(Duration::from_millis(1)), ..Limits::default() });
        let start = Instant::now();
        if let Ok(short) = short {
            let error = short.find(text.repeat(16).as_bytes()).unwrap_err();
            assert_eq!(error.problem(), &Problem::Timeout(1), "{pattern}");
        }
        assert!(start.elapsed() < Duration::from_secs(2), "{pattern}");
    }
    let small = with("a\\b", Limits { memory_bytes: 64, ..Limits::default() }).unwrap();
    let error = small.find(format!("{}a", "é".repeat(4096)).as_bytes()).unwrap_err();
    assert_eq!(error.problem().setting(), Some("memory_bytes"));
}

/// Backtracking engines would take hours for these patterns.
#[test]
fn nested_quantifiers_take_linear_time() {
    let text = format!("{}!\n", "a".repeat(1 << 20));
    for pattern in ["^(?:a*)*$", "(?:a|aa)+$", "(a|a)*b?\\z", "(?:a+)+\\Zb", "^(a+)+$"] {
        assert!(
            regex(pattern)
                .captures(text.as_bytes())
                .unwrap()
                .is_none_or(|found| found.get(0) != Some(0..text.len()))
        );
    }
}

#[test]
fn deep_patterns_do_not_overflow_the_stack() {
    let run = || {
        let depth = crate::NESTING_MAX;
        let pattern = format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        let found = regex(&pattern).captures(b"ba").unwrap().unwrap();
        assert_eq!((found.len(), found.get(depth)), (depth + 1, Some(1..2)));
        let options = format!("{}a{}", "(?i:".repeat(depth), ")".repeat(depth));
        assert_eq!(regex(&options).find(b"bA").unwrap(), Some(1..2));
        assert_eq!(regex(&format!("a{}", "*".repeat(depth))).find(b"aa").unwrap(), Some(0..2));
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn eight_threads_share_a_regex() {
    let shared = regex("(\\w+)\\s(\\d+)$");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for n in 0..500 {
                    let found = shared.captures(format!("a line {n}").as_bytes()).unwrap().unwrap();
                    assert_eq!(found.get(1), Some(2..6));
                }
            });
        }
    });
}

const PARTS: &[&str] = &[
    "a", "b", "é", ".", "\\w", "[^a]", "|", "(", ")", "(?:", "*", "+?", "?", "{1,2}", "^", "$",
    "\\b", "\\Z", "\\A", "(?i)", "ss", "\\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// The automata, in slices or not, and the machine of threads find the same spans.
    #[test]
    fn machines_agree(
        parts in prop::collection::vec(prop::sample::select(PARTS), 0..9),
        text in prop::collection::vec(prop::sample::select(&["a", "b", "é", "ß", "s", "\n", "-"][..]), 0..8),
        from in 0..4usize,
    ) {
        let text = text.concat();
        if let Ok(pattern) = Regex::new(&parts.concat(), Options::default()) {
            let found = pattern.find_at(text.as_bytes(), from).unwrap();
            if pattern.has_automata() {
                prop_assert_eq!(&found, &pattern.find_exact(text.as_bytes(), from, false).unwrap());
                let sliced = pattern.find_exact(text.as_bytes(), from, true).unwrap();
                prop_assert_eq!(&found, &sliced);
            }
            let mut captures = Captures::new();
            pattern.captures_at(text.as_bytes(), from, &mut captures).unwrap();
            prop_assert_eq!(&found, &captures.get(0));
        }
    }
}

/// Each row is a pattern, a text, and whether Ruby 3.1 finds a match.
#[test]
fn properties_contain_the_characters_that_they_contain_in_ruby() {
    for (pattern, text, found) in [
        (r"\p{Punct}", "$+<=>^`|~", false),
        (r"\p{Punct}", "!", true),
        (r"[[:punct:]]", "$", true),
        (r"\p{In_No_Block}", "\u{d7ff}\u{e000}", false),
        (r"\p{In_No_Block}", "\u{2fe0}", true),
        (r"\p{Unknown}", "\u{378}", true),
        (r"\p{Zzzz}", "a", false),
        (r"\p{Grapheme_Cluster_Break=CR}", "\r", true),
        (r"\p{Grapheme_Cluster_Break=Extend}", "a", false),
    ] {
        let regex = Regex::new(pattern, Options::default()).unwrap();
        assert_eq!(regex.is_match(text.as_bytes()), Ok(found), "{pattern} in {text}");
    }
}

#[test]
fn many_searches_have_the_answers_of_a_single_one() {
    let patterns = [
        "a*b|a",
        "^a?$",
        "x*",
        r"\Aa+",
        r"a\Z",
        r"\bé\b",
        r"\Bb",
        "(?i)ss|k",
        "é+",
        "[^a]+",
        "$",
        "(a*)*b",
        r"\A(?:a|b)*\n",
        "(?m).*b",
        r"a+?\b",
        "ab|abc|b",
        r"(?<![a])",
        "bb*?a",
    ];
    let texts = [
        "",
        "a",
        "aab",
        "a\n",
        "a\n\n",
        "b a éß",
        "ßss",
        "aaaabaaa",
        "xé\u{212A}x",
        "é\n",
        "abcb\nab",
    ];
    for pattern in patterns {
        let used = regex(pattern);
        for _ in 0..20 {
            let _ = used.find(b"b");
        }
        for text in texts.map(str::as_bytes).into_iter().chain([&b"a\xFFb"[..], b"\xA9\xC3"]) {
            let fresh = || regex(pattern);
            assert_eq!(used.is_match(text), fresh().is_match(text), "/{pattern}/ on {text:?}");
            for from in 0..=text.len() {
                let found = (used.find_at(text, from), used.match_at(text, from));
                let expected = (fresh().find_at(text, from), fresh().match_at(text, from));
                assert_eq!(found, expected, "/{pattern}/ on {text:?} from {from}");
            }
        }
    }
}

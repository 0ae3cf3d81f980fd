//! Oniguruma's Perl_NG syntax, with the answers of jq 1.8.2, which uses Oniguruma.
//!
//! A row of `oniguruma.tsv` has a pattern, jq's flags, a text, and the matches: for each, the spans
//! of the match and its groups in bytes. Without the flag `g`, only the first match counts. An
//! error starts with `!`. `␊` in a pattern stands for a line feed.

use ketch_regex::{Captures, Dialect, Options, Regex, Syntax};

fn options(flags: &str) -> Options {
    let has = |flag| flags.contains(flag);
    Options {
        ignore_case: has('i'),
        extended: has('x'),
        multi_line: has('p') || has('m'),
        find_not_empty: has('n'),
        find_longest: has('l'),
        capture_group: true,
        dialect: Dialect::Oniguruma(Syntax::PERL_NG),
        ..Options::default()
    }
}

/// Returns the text that a field stands for.
fn unescape(field: &str) -> String {
    let mut text = String::new();
    let mut chars = field.chars();
    while let Some(char) = chars.next() {
        text.push(match char {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('0') => '\0',
                other => other.unwrap(),
            },
            char => char,
        });
    }
    text
}

/// Returns the matches, or the error, in the form of a row.
fn found(pattern: &str, flags: &str, text: &str) -> String {
    let regex = match Regex::new(pattern, options(flags)) {
        Ok(regex) => regex,
        Err(error) => return format!("! {}", error.problem()),
    };
    let mut scan = regex.scan(text.as_bytes());
    let mut captures = Captures::new();
    let mut matches = Vec::new();
    while scan.next_captures(&mut captures).unwrap() {
        let spans = captures.iter().map(|span| match span {
            Some(span) => format!("{}-{}", span.start, span.end),
            None => "-".to_string(),
        });
        matches.push(spans.collect::<Vec<_>>().join(" "));
        if !flags.contains('g') {
            break;
        }
    }
    matches.join(", ")
}

#[test]
fn patterns_match_as_in_oniguruma() {
    let mut wrong = Vec::new();
    for line in include_str!("oniguruma.tsv").lines().filter(|line| !line.starts_with("# ")) {
        let [pattern, flags, text, expected] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let found = found(&pattern.replace('␊', "\n"), flags, &unescape(text));
        if found != expected {
            wrong.push(format!("{pattern} {flags} {text}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A table shares what is known about paths, also if paths that end have to go on.
#[test]
fn long_texts_are_searched_in_the_same_way() {
    let text = format!("{}c", "ab".repeat(5_000));
    assert_eq!(found("(?:a|ab|b)*", "l", &text), "0-10000");
    assert_eq!(found("(a|ab)*(?:c|b)", "l", &text), "0-10001 9998-10000");
    assert_eq!(found("(?:(?:a?b?)*?)(c?)", "n", &text), "0-2 2-2");
    assert_eq!(found("(?=(a*))(?:ab)*", "l", &text), "0-10000 0-1");
}

/// Searches are linear although a path that matches only ends a try.
#[test]
fn the_longest_match_takes_linear_time() {
    let steps = |bytes: usize| {
        let mut options = options("l");
        options.limits.steps = 40 * bytes as u64;
        let regex = Regex::new("(?:a|aa)*", options).unwrap();
        regex.find("a".repeat(bytes).as_bytes()).unwrap()
    };
    assert_eq!(steps(20_000), Some(0..20_000));
}

#[test]
fn plain_groups_capture_next_to_named_ones_only_on_request() {
    let names = Options { dialect: Dialect::Oniguruma(Syntax::PERL_NG), ..Options::default() };
    assert_eq!(Regex::new("(?<n>a)(b)", names.clone()).unwrap().groups(), 1);
    let error = Regex::new(r"(?<n>a)\1", names).unwrap_err();
    assert_eq!(error.problem().to_string(), "numbered backref/call is not allowed. (use name)");
    let ruby = Options { capture_group: true, ..Options::default() };
    assert_eq!(Regex::new("(?<n>a)(b)", ruby).unwrap().groups(), 2);
}

#[test]
fn unsupported_constructs_are_errors_at_their_places() {
    for (pattern, column, construct) in [
        ("a(?(b)c|d)", 2, "a condition that is a pattern"),
        ("a(*COUNT)", 2, "a callout"),
        ("a(?{b})", 2, "a callout"),
        ("a(?~|b)", 2, "an absence operator with a range"),
        (r"a\y", 2, "a boundary between graphemes"),
    ] {
        let error = Regex::new(pattern, options("")).unwrap_err();
        let message = format!("{construct} is not supported here");
        assert_eq!((error.column(), error.problem().to_string()), (column, message), "{pattern}");
    }
}

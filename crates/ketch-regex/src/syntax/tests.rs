use proptest::prelude::*;

use super::{Group, Kind, Span, Tree, parse};
use crate::options::{Encoding, NESTING_MAX, Options};
use crate::problem::{Class, Problem};

fn tree(pattern: &str) -> Tree {
    match parse(pattern, &Options::default()) {
        Ok(tree) => tree,
        Err(error) => panic!("{pattern}: {error}"),
    }
}

fn message(pattern: &str) -> String {
    match parse(pattern, &Options::default()) {
        Ok(tree) => format!("taken as {tree}"),
        Err(error) => error.problem().to_string(),
    }
}

/// Each row is a pattern and its printed form. Rows without a printed form are skipped.
#[test]
fn printed_patterns_parse_to_the_same_tree() {
    let rows = [
        ("a|b*c+?d?+", "a|b*c+?d?+"),
        ("a(?i)b|c", "a(?i)b|c"),
        ("a{2}+", "a{2}+"),
        ("a{2}?", "a{2}?"),
        ("a{0,}+", "a{0,}+"),
        ("a{1,1}?", "a{1,1}?"),
        ("a**", "a**"),
        ("a*{0,1}", "a*{0,1}"),
        ("a{,}", "a\\{,\\}"),
        ("a{ 1}", "a\\{\\x201\\}"),
        ("[]a-c-]", "[\\]a-c\\-]"),
        ("[^a&&[b-d]&&]", "[^a&&[b-d]&&]"),
        ("[[:^alpha:]\\P{^Greek}]", "[[:^alpha:]\\p{Greek}]"),
        ("(?x) a # b\n {2}", "(?x)a{2}"),
        ("(?<n>a)(b)\\k<n-1>\\g'n'", "(?<n>a)(b)\\k<n-1>\\g<n>"),
        ("(a)\\10", "(a)\\x08"),
        ("(a)\\1(?(1)b|c)", "(a)\\k<1>(?(1)b|c)"),
        ("\\xE3\\x81\\x82\\u{61 62}", "\u{3042}ab"),
        ("\\cA\\C-a\\M-\\C-a", ""),
        ("\\A\\z\\Z\\b\\B\\G\\K\\R\\X\\h\\H", "\\A\\z\\Z\\b\\B\\G\\K\\R\\X\\h\\H"),
        ("(?~a)(?>b)(?=c)(?!d)(?<=e)(?<!f)", "(?~a)(?>b)(?=c)(?!d)(?<=e)(?<!f)"),
        ("(?<n>a)(?(<n-1>)b)", "(?<n>a)(?(<n>)b)"),
        ("(?#x\\)y)a", "a"),
        ("(?-:x)", "(?-:x)"),
        ("(?mi-x:a)(?a)b", "(?im-x:a)(?a)b"),
    ];
    for (pattern, printed) in rows.into_iter().filter(|row| !row.1.is_empty()) {
        let first = tree(pattern);
        assert_eq!(first.to_string(), printed, "{pattern}");
        assert_eq!(first, tree(printed), "{pattern}");
    }
}

/// The expected messages are those of Ruby 3.1, as `conformance/regex/messages` checks.
#[test]
fn errors_have_ruby_messages() {
    let mut wrong = Vec::new();
    for line in include_str!("messages.tsv").lines() {
        let (pattern, expected) = line.split_once('\t').unwrap_or((line, ""));
        let found = message(pattern);
        if found != expected {
            wrong.push(format!("{pattern}: {found}, not {expected}"));
        }
        let error = parse(pattern, &Options::default()).unwrap_err();
        let (shown, carets) = error.caret().split_once('\n').map_or_else(
            || panic!("{pattern}: no line with carets"),
            |(shown, carets)| (shown.to_string(), carets.to_string()),
        );
        assert!(pattern.contains(&shown) && carets.trim_start().starts_with('^'), "{pattern}");
        assert!(carets.trim_start().bytes().all(|byte| byte == b'^'), "{pattern}: {carets}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Ruby 3.1 accepts each line of the file, as `conformance/regex/messages` checks.
#[test]
fn patterns_that_ruby_accepts_are_accepted() {
    for line in include_str!("accepted.txt").lines() {
        let first = tree(line);
        assert_eq!(first, tree(&first.to_string()), "{line} as {first}");
    }
}

#[test]
fn errors_point_at_the_fault() {
    let error = parse("ab\n[z-a]", &Options::default()).unwrap_err();
    assert_eq!(error.span(), Span { start: 4, end: 7 });
    assert_eq!(error.column(), 2);
    assert_eq!(error.caret(), "[z-a]\n ^^^");
    assert_eq!(error.ruby_message(), "empty range in char class: /ab\n[z-a]/");
    assert_eq!(error.class(), Class::Syntax);
}

#[test]
fn plain_groups_do_not_capture_next_to_named_groups() {
    let tree = tree("(a)(?<x>b)(?<y>c)(?<x>d)");
    assert_eq!(tree.groups(), 3);
    assert_eq!(tree.names()[0].groups, [1, 3]);
    assert!(
        tree.nodes().iter().any(|node| matches!(node.kind, Kind::Group(Group::Plain(None), _)))
    );
}

#[test]
fn binary_patterns_contain_bytes_instead_of_characters() {
    let options = Options { encoding: Encoding::Binary, ..Options::default() };
    let tree = parse("\\xFF[\\x80-\\xFE]", &options).unwrap();
    assert!(tree.nodes().iter().any(|node| node.kind == Kind::Char(0xFF)));
    assert_eq!(tree.to_string(), "\\xFF[\\x80-\\xFE]");
    assert_eq!(parse("\u{e9}", &options).unwrap_err().problem(), &Problem::NonAsciiBinary);
}

#[test]
fn nesting_is_limited_and_does_not_overflow_the_stack() {
    let run = || {
        for (open, close) in [("(", ")"), ("(?i)", ""), ("[", "a]"), ("(?=", ")")] {
            let nested = |depth: usize| format!("{}a{}", open.repeat(depth), close.repeat(depth));
            let tree = tree(&nested(NESTING_MAX));
            assert_eq!(tree, self::tree(&tree.to_string()));
            let error = parse(&nested(NESTING_MAX + 1), &Options::default()).unwrap_err();
            assert_eq!(error.problem(), &Problem::Nesting(NESTING_MAX));
            assert_eq!(error.problem().setting(), Some("nesting"));
        }
        assert!(parse(&format!("a{}", "*".repeat(NESTING_MAX)), &Options::default()).is_ok());
        assert!(parse(&format!("a{}", "*".repeat(100_000)), &Options::default()).is_err());
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    /// Checks that a pattern that parses is printed as a pattern with the same tree, and that
    /// nothing panics.
    #[test]
    fn printed_random_patterns_parse_to_the_same_tree(parts in prop::collection::vec(prop::sample::select(PARTS), 0..12)) {
        let pattern = parts.concat();
        if let Ok(first) = parse(&pattern, &Options::default()) {
            let printed = first.to_string();
            match parse(&printed, &Options::default()) {
                Ok(second) => prop_assert_eq!(first, second, "{} as {}", pattern, printed),
                Err(error) => prop_assert!(false, "{pattern} as {printed}: {error}"),
            }
        }
    }

    #[test]
    fn any_text_parses_or_has_an_error_with_a_caret(pattern in "[\\PC\\\\(){}\\[\\]?<>*+|&^:a-f0-9,=!~#-]{0,24}") {
        match parse(&pattern, &Options::default()) {
            Ok(tree) => drop(tree),
            Err(error) => prop_assert!(!error.caret().is_empty()),
        }
    }
}

const PARTS: &[&str] = &[
    "a",
    "b",
    "é",
    "|",
    "(",
    ")",
    "(?:",
    "(?<n>",
    "(?i)",
    "(?m-i:",
    "(?>",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?~",
    "(?(1)",
    "(?x)",
    "*",
    "+",
    "?",
    "{2}",
    "{1,}",
    "{0,1}",
    "{,3}",
    "{0,}",
    ".",
    "^",
    "$",
    "[a-c]",
    "[^b&&[a]]",
    "[[:alpha:]-]",
    "[",
    "]",
    "-",
    "&&",
    "\\w",
    "\\H",
    "\\b",
    "\\K",
    "\\R",
    "\\1",
    "\\10",
    "0",
    "\\k<n>",
    "\\k<-1>",
    "\\g<n>",
    "\\g<0>",
    "\\p{Greek}",
    "\\x41",
    "\\u{61 62}",
    "\\n",
    " ",
    "#",
    "\n",
];

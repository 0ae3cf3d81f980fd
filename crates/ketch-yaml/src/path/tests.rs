//! Texts that are paths, and texts that are not.

use super::*;
use proptest::prelude::*;

fn name(text: &str) -> Step {
    Step::Name(text.to_owned())
}

fn key(text: &str) -> Step {
    Step::Key(text.to_owned())
}

#[test]
fn paths_are_read() {
    let cases: [(&str, Vec<Step>); 16] = [
        ("", vec![]),
        (".", vec![]),
        ("a", vec![name("a")]),
        (".a.b c", vec![name("a"), name("b c")]),
        ("a.8080[0][-1]", vec![name("a"), name("8080"), Step::Index(0), Step::Index(-1)]),
        (".[7].*.[*]", vec![Step::Index(7), Step::All, Step::All]),
        ("*", vec![Step::All]),
        ("[\"a.b/c\"].d", vec![key("a.b/c"), name("d")]),
        ("x['it''s']", vec![name("x"), key("it's")]),
        ("x.\"a b\".'c'", vec![name("x"), key("a b"), key("c")]),
        (r#"["\"\\\u00e9\uD83D\uDE00\n"]"#, vec![key("\"\\\u{e9}\u{1f600}\n")]),
        ("[\"\"]", vec![key("")]),
        ("/", vec![name("")]),
        ("/a~1b/m~0n/~01", vec![name("a/b"), name("m~n"), name("~1")]),
        ("/0/*/a.b[0]", vec![name("0"), name("*"), name("a.b[0]")]),
        ("it's./a", vec![name("it's"), name("/a")]),
    ];
    for (text, steps) in cases {
        let path: Path = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(path.steps(), steps, "{text}");
        assert_eq!(path.to_string().parse(), Ok(path), "{text}");
    }
}

#[test]
fn a_pointer_may_go_on() {
    let path: Path = "/a/b.c/~1".parse().unwrap();
    assert_eq!(path.clone().then(name("d")).to_string(), "/a/b.c/~1/d");
    let all = path.then(Step::All);
    assert_eq!(all.to_string(), "a[\"b.c\"]./[*]");
    assert_eq!(all.prefix(1).to_string(), "a");
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let cases = [
        ("a..b", PathProblem::EmptyStep, 2),
        ("a.", PathProblem::EmptyStep, 2),
        ("..", PathProblem::EmptyStep, 1),
        ("a[", PathProblem::UnclosedBracket, 1),
        ("a[0", PathProblem::UnclosedBracket, 1),
        ("a[]", PathProblem::BadBrackets, 2),
        ("a[-]", PathProblem::BadBrackets, 2),
        ("a[b]", PathProblem::BadBrackets, 2),
        ("a[0x]", PathProblem::BadBrackets, 3),
        ("a[\"b\"", PathProblem::UnclosedBracket, 1),
        ("a[\"b]", PathProblem::UnclosedQuote, 2),
        ("a.'b", PathProblem::UnclosedQuote, 2),
        ("\u{e9}[\"\\q\"]", PathProblem::BadEscape, 4),
        ("[\"\\uD800\"]", PathProblem::BadEscape, 2),
        ("[\"\\u12\"]", PathProblem::BadEscape, 2),
        ("[\"\\u00\u{e9}\u{e9}\"]", PathProblem::BadEscape, 2),
        ("[99999999999999999999]", PathProblem::HugeIndex, 1),
        ("[0]a", PathProblem::ExpectedStep, 3),
        ("\"a\"b", PathProblem::ExpectedStep, 3),
        ("a*.b", PathProblem::ReservedCharacter, 1),
        ("a]", PathProblem::ReservedCharacter, 1),
        ("/a/b~2", PathProblem::BadTilde, 4),
        ("/~", PathProblem::BadTilde, 1),
    ];
    for (text, problem, offset) in cases {
        let error = text.parse::<Path>().expect_err(text);
        assert_eq!((error.problem(), error.offset()), (problem, offset), "{text}: {error}");
        let caret = error.to_string().lines().nth(2).and_then(|line| line.find('^'));
        assert_eq!(caret, Some(4 + text[..offset].chars().count()), "{error}");
    }
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        "[a-z0-9_/~ -][a-z0-9_/~ '-]{0,5}".prop_map(Step::Name),
        any::<String>().prop_map(Step::Key),
        any::<i64>().prop_map(Step::Index),
        Just(Step::All),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(steps in proptest::collection::vec(steps(), 0..6)) {
        let path = Path { steps, is_pointer: false };
        let text = path.to_string();
        prop_assert_eq!(text.parse::<Path>(), Ok(path), "{}", text);
    }

    #[test]
    fn pointers_are_read(names in proptest::collection::vec(any::<String>(), 1..6)) {
        let steps = names.into_iter().map(Step::Name).collect();
        let path = Path { steps, is_pointer: true };
        prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path));
    }

    #[test]
    fn no_text_panics(text in ".{0,12}", brackets in "[\\[\\].*\"'\\\\a0/~-]{0,12}") {
        for text in [text, brackets] {
            if let Err(error) = text.parse::<Path>() {
                prop_assert!(error.to_string().contains('^'));
            }
        }
    }
}

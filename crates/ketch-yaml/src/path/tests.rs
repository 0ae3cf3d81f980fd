//! Tests with texts that are paths, and texts that are not.

use super::*;
use proptest::prelude::*;

fn name(text: &str) -> Step {
    Step::Name(text.to_owned())
}

fn key(text: &str) -> Step {
    Step::Key(text.to_owned())
}

#[test]
fn paths_are_parsed() {
    let cases: [(&str, Vec<Step>); 26] = [
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
        ("a[]", vec![name("a"), Step::All]),
        ("a[1:3][:2][-2:][:]", {
            let bounds = [(Some(1), Some(3)), (None, Some(2)), (Some(-2), None), (None, None)];
            let slices = bounds.map(|(from, to)| Step::Slice(from, to));
            [vec![name("a")], slices.to_vec()].concat()
        }),
        ("..", vec![Step::Descend]),
        ("..image", vec![Step::Descend, name("image")]),
        ("...image", vec![Step::Descend, name("image")]),
        ("a..[0]..*", vec![name("a"), Step::Descend, Step::Index(0), Step::Descend, Step::All]),
        ("a...[\"b\"]", vec![name("a"), Step::Descend, key("b")]),
        ("[null].[1.5][true]", ["null", "1.5", "true"].map(|text| Step::Plain(text.into())).into()),
        (".@1.@x", vec![name("@1"), name("@x")]),
        ("@type.@context", vec![name("@type"), name("@context")]),
    ];
    for (text, steps) in cases {
        let path: Path = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(path.steps(), steps, "{text}");
        assert_eq!(path.to_string().parse(), Ok(path), "{text}");
    }
}

#[test]
fn pointers_can_be_extended() {
    let path: Path = "/a/b.c/~1".parse().unwrap();
    assert_eq!(path.clone().then(name("d")).to_string(), "/a/b.c/~1/d");
    let all = path.then(Step::All);
    assert_eq!(all.to_string(), "a[\"b.c\"]./[*]");
    assert_eq!(all.prefix(1).to_string(), "a");
}

#[test]
fn the_caret_points_at_the_problem() {
    let cases = [
        ("...", PathProblem::EmptyStep, 3),
        ("a.", PathProblem::EmptyStep, 2),
        ("a[", PathProblem::UnclosedBracket, 1),
        ("a[0", PathProblem::UnclosedBracket, 1),
        ("a[-]", PathProblem::UnquotedKey, 2),
        ("a[b]", PathProblem::UnquotedKey, 2),
        ("a[0x]", PathProblem::UnquotedKey, 2),
        ("a[b", PathProblem::UnclosedBracket, 1),
        ("a[1:2:3]", PathProblem::BadBrackets, 4),
        ("a[1:x]", PathProblem::UnquotedKey, 2),
        ("@1x[0]a", PathProblem::ExpectedStep, 6),
        ("@99999999999999999999", PathProblem::HugeIndex, 1),
        ("a[?", PathProblem::ExpectedOperand, 3),
        ("a[?]", PathProblem::ExpectedOperand, 3),
        ("a[?b", PathProblem::UnclosedBracket, 1),
        ("a[?b ==]", PathProblem::ExpectedValue, 7),
        ("a[?b = 1]", PathProblem::ExpectedOperator, 5),
        ("a[?b == 1 c]", PathProblem::ExpectedOperator, 10),
        ("a[?(b == 1]", PathProblem::ExpectedOperator, 10),
        ("a[?(b == 1", PathProblem::UnclosedParenthesis, 3),
        ("a[?b =~ \"(\"]", PathProblem::BadPattern, 8),
        ("a[?b =~ c]", PathProblem::ExpectedValue, 8),
        ("a[?..b == 1]", PathProblem::DescentInFilter, 3),
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

#[test]
fn filters_are_parsed() {
    for (text, shown) in [
        ("a[?b == 1]", "a[?.b == 1]"),
        ("a[?.b.c==\"x\"]", "a[?.b.c == \"x\"]"),
        ("a[? b != web ].c", "a[?.b != \"web\"].c"),
        ("[?key =~ \"^x\\d\"]", "[?key =~ '^x\\d']"),
        ("[?key.x]", "[?.key.x]"),
        ("[?.key]", "[?.key]"),
        ("[?a == .b]", "[?.a == .b]"),
        ("[?a >= .5]", "[?.a >= .5]"),
        ("[?@.a < 3 && @ == 4]", "[?.a < 3 && . == 4]"),
        ("[?a || b && !c]", "[?.a || (.b && !.c)]"),
        ("[?(a or b) and not (c)]", "[?(.a || .b) && !.c]"),
        ("[?!(a && b)]", "[?!(.a && .b)]"),
        ("[?not !a]", "[?!!.a]"),
        ("[?notes == ory]", "[?.notes == \"ory\"]"),
        ("[?. == null]", "[?. == null]"),
        ("[?a[?b == 1] && *.c[0]['d e']]", "[?.a[?.b == 1] && [*].c[0][\"d e\"]]"),
        ("[?\"a b\" == 'it''s']", "[?[\"a b\"] == \"it's\"]"),
        ("@[?kind == Service].metadata", "@[?.kind == \"Service\"].metadata"),
        ("@*", "@*"),
        ("@2.a", "@2.a"),
        ("@0", "@0"),
    ] {
        let path: Path = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(path.to_string(), shown);
        assert_eq!(shown.parse(), Ok(path), "{text}");
    }
    let nested = |count| format!("[?{}a{}]", "(".repeat(count), ")".repeat(count));
    assert!(nested(31).parse::<Path>().is_ok());
    let error = nested(100_000).parse::<Path>().unwrap_err();
    assert_eq!(error.problem(), PathProblem::TooDeep);
    assert!("[?a".repeat(100_000).parse::<Path>().is_err());
    assert!(format!("[?{}a]", "!".repeat(100_000)).parse::<Path>().is_err());
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        "[a-z0-9_/~ -][a-z0-9_/~ '-]{0,5}".prop_map(Step::Name),
        any::<String>().prop_map(Step::Key),
        any::<i64>().prop_map(Step::Index),
        Just(Step::All),
        Just(Step::Descend),
        any::<(Option<i64>, Option<i64>)>().prop_map(|(from, to)| Step::Slice(from, to)),
        "null|true|1\\.5|~".prop_map(Step::Plain),
        filters(),
    ]
}

/// Generates filters by combining parts of their text.
fn filters() -> impl Strategy<Value = Step> {
    let left = || {
        let paths = ["key", ".", "a", "a.b[0]", "[\"x y\"]", "a[1:]", "*", ".key", "a[?b]", "@"];
        proptest::sample::select(paths.to_vec())
    };
    let right = ["1", "-2.5", "null", "true", "x", "\"it\\n\"", "'b c'", ".d", "a.b", "0x1F"];
    let signs = ["==", " != ", "<", "<=", ">", ">="];
    let select = proptest::sample::select::<&str>;
    let compare = (left(), select(signs.to_vec()), select(right.to_vec()))
        .prop_map(|(left, operator, right)| format!("{left}{operator}{right}"));
    let patterns = select(vec!["'[a-z]+\\.?'", "\"^\\\"x\\d$\"", "'it''s'"]);
    let pattern = (left(), patterns).prop_map(|(left, text)| format!("{left} =~ {text}"));
    let leaf = prop_oneof![compare, pattern, left().prop_map(str::to_owned)];
    let tree = leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| format!("!({inner})")),
            (inner.clone(), "&&|[|][|]", inner)
                .prop_map(|(left, sign, right)| format!("({left}) {sign} {right}")),
        ]
    });
    tree.prop_map(|text| {
        let path: Path = format!("[?{text}]").parse().expect("a filter");
        path.steps()[0].clone()
    })
}

proptest! {
    #[test]
    fn printed_paths_parse_back(steps in proptest::collection::vec(steps(), 0..6)) {
        let path = Path { steps, is_pointer: false, documents: None };
        let text = path.to_string();
        prop_assert_eq!(text.parse::<Path>(), Ok(path), "{}", text);
    }

    #[test]
    fn json_pointers_are_parsed(names in proptest::collection::vec(any::<String>(), 1..6)) {
        let steps = names.into_iter().map(Step::Name).collect();
        let path = Path { steps, is_pointer: true, documents: None };
        prop_assert_eq!(path.to_string().parse::<Path>(), Ok(path));
    }

    #[test]
    fn no_text_makes_parsing_panic(text in ".{0,12}", brackets in "[\\[\\].*\"'\\\\a0/~?=:@!()&|<-]{0,16}") {
        for text in [text, brackets] {
            if let Err(error) = text.parse::<Path>() {
                prop_assert!(error.to_string().contains('^'));
            }
        }
    }
}

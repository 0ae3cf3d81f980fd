//! Tests that paths lead to the same nodes as in Syck's Ruby layer, on JRuby 1.7.27.

use super::{compose, read};
use crate::ypath::{Composed, Hit, Label, Target, YPath, YPathProblem, select};
use ketch_yaml::{ComposeOptions, Documents, Options, Problem};

const FIRST: &str = "a: 1\na: 2\nb: {c: [x, y], 3: z}\n~: n\nd: {a: 5}\n";
const SECOND: &str = "- &x {a: 1}\n- *x\n- [q, {a: 7}]\n- <<: *x\n  b: 1\n  'c': d\n  <<: {e: f}\n";

fn document(text: &'static str) -> ketch_yaml::Document<'static> {
    Documents::with_options(text.as_bytes(), &read(), &compose()).next().unwrap().unwrap()
}

/// Returns the paths of the results of a search.
fn search(text: &'static str, path: &str) -> String {
    let document = document(text);
    let path: YPath = path.parse().unwrap();
    let root = document.root();
    let found = path.matches(&mut Composed::of(root), root.id(), 10_000).unwrap();
    let shown = |label: &&Label| match label {
        Label::Here => None,
        Label::Up => Some("..".to_owned()),
        Label::Name(name) => Some(name.clone()),
        Label::Index(index) => Some(index.to_string()),
        Label::Key(_, shown) => shown.clone(),
    };
    let paths = found.iter().map(|found| {
        let labels: Vec<_> = found.labels().iter().filter_map(shown).collect();
        format!("/{}", labels.join("/"))
    });
    paths.collect::<Vec<_>>().join(" ")
}

#[test]
fn paths_lead_to_the_same_nodes_as_in_syck() {
    let cases = [
        (".", "/"),
        ("/.", "/"),
        ("..", "/.."),
        ("/*", "/a /a /b / /d"),
        ("//a", "/a /d/a"),
        ("//.", "/ /a /a /b /b/c /b/c/0 /b/c/1 /b/3 / /d /d/a"),
        ("/b/c/0", "/b/c/0"),
        ("/b/3", ""),
        ("/b/c/*", "/b/c/0 /b/c/1"),
        ("/b/c/*/*", "/b/c/0/0 /b/c/1/0"),
        ("//a/..", "/a/.."),
        ("/*[.=1]", "/a"),
        ("/(a|b)", "/a /b"),
        ("/(0|*)", "/a /a /b / /d"),
        ("a", "/a"),
        ("/d/../a", ""),
        ("//a//.", "/a"),
        ("/(b/c|d)/*", "/b/c/0 /b/c/1 /d/a"),
        ("\"a\"", "/a"),
        ("/'a'", "/a"),
        ("/d[a]", "/d"),
        ("/d[\"a\"]", ""),
        ("/b/c[0]", "/b/c"),
        ("/a|/b", "/a /b"),
        ("|b", "/ /b"),
        ("b/c/01", "/b/c/01"),
        ("/d/(a|a)", "/d/a"),
        ("/b(|x)/c", "/b/c"),
        ("/(b|d)/(a|c)", "/d/a /b/c"),
        ("//c/0", "/b/c/0"),
        ("/z/y", ""),
    ];
    for (path, expected) in cases {
        assert_eq!(search(FIRST, path), expected, "{path}");
    }
    let cases = [
        ("//a", "/0/a /1/a /2/1/a /3/<</a"),
        ("/(0|*)", "/0 /0 /1 /2 /3"),
        ("/3/a", ""),
        ("/3/*", "/3/<< /3/b /3/c /3/<<"),
        ("/*/*[.=x]", ""),
        ("//*[a]", "/0 /1 /2/1 /3/<<"),
    ];
    for (path, expected) in cases {
        assert_eq!(search(SECOND, path), expected, "{path}");
    }
}

#[test]
fn results_are_nodes_lines_or_null() {
    let document = document("a: |\n  one\n  two\nb: ''\n");
    let shown = |path: &str| -> Vec<String> {
        let hits = select(&path.parse().unwrap(), document.root()).unwrap();
        let shown = |hit: &Hit<'_>| match hit {
            Hit::Node(node) => node.text().into_owned(),
            Hit::Line(line) => format!("line {line}"),
            Hit::None => "nothing".to_owned(),
        };
        hits.iter().map(shown).collect()
    };
    assert_eq!(shown("/a/*"), ["line one\n", "line two\n"]);
    assert_eq!(shown("/(a|b)"), ["one\ntwo\n", ""]);
    assert!(shown("/b/*").is_empty() && shown("/a/*/.").is_empty());
    assert_eq!(shown("/a/.."), ["nothing"]);
}

#[test]
fn errors_in_paths_have_their_location() {
    let cases = [
        ("", 0, YPathProblem::Empty),
        ("/", 0, YPathProblem::EmptyStep),
        ("/a/", 2, YPathProblem::EmptyStep),
        ("a//", 2, YPathProblem::EmptyStep),
        ("///a", 2, YPathProblem::TooManySlashes),
        ("/(a|b", 1, YPathProblem::UnclosedChoice),
        ("/a)", 2, YPathProblem::UnopenedChoice),
        ("/a()", 3, YPathProblem::EmptyChoice),
        ("/(a|)", 4, YPathProblem::EmptyChoice),
        ("/(a||b)", 4, YPathProblem::EmptyChoice),
        ("/a[x|y]", 4, YPathProblem::ChoiceInPredicate),
        ("/a[b", 2, YPathProblem::UnclosedPredicate),
        ("/(a[b)]", 3, YPathProblem::UnclosedPredicate),
        ("/a]", 2, YPathProblem::UnopenedPredicate),
        ("/a[]", 2, YPathProblem::EmptyPredicate),
        ("/[b]", 1, YPathProblem::PredicateWithoutStep),
        ("//[b]", 2, YPathProblem::PredicateWithoutStep),
        ("/(x|(/|))[b]", 7, YPathProblem::EmptyChoice),
        ("a[b][c]", 4, YPathProblem::SecondPredicate),
        ("a[b[c]", 3, YPathProblem::BracketInPredicate),
        ("/..[a]", 3, YPathProblem::PredicateOfNothing),
        ("a[b]c", 4, YPathProblem::ExpectedSlash),
        ("'a'b", 3, YPathProblem::ExpectedSlash),
        ("/\"a", 1, YPathProblem::UnclosedQuote),
        ("/'a/b'", 1, YPathProblem::UnclosedQuote),
        ("/a\n/b", 2, YPathProblem::LineBreak),
        ("(b|(c|d]))", 7, YPathProblem::UnopenedPredicate),
    ];
    for (path, offset, problem) in cases {
        let error = path.parse::<YPath>().expect_err(path);
        assert_eq!((error.offset(), error.problem()), (offset, problem), "{path}");
    }
    let many = "(a|b)".repeat(20);
    assert_eq!(many.parse::<YPath>().unwrap_err().problem(), YPathProblem::TooManyChoices);
    let shown = "/é[b".parse::<YPath>().unwrap_err().to_string();
    assert_eq!(shown, "the bracket is never closed\n    /é[b\n      ^\nClose it with `]`.");
}

#[test]
fn searches_of_cyclic_documents_end() {
    let document = document("a: &a [*a, {b: *a}]\n");
    let error = select(&"//b".parse().unwrap(), document.root()).unwrap_err();
    assert!(matches!(error.problem(), Problem::TooManyResultNodes(_)), "{error}");
}

#[test]
fn deep_documents_do_not_overflow_the_stack() {
    let text: &'static str = Box::leak(format!("{}a: 1", "- ".repeat(5000)).into_boxed_str());
    let mut options = Options::default();
    options.limits.max_depth = ketch_yaml::Budget::UNLIMITED;
    let document = Documents::with_options(text.as_bytes(), &options, &ComposeOptions::default());
    let document = { document }.next().unwrap().unwrap();
    let root = document.root();
    let path: YPath = "//a".parse().unwrap();
    let found = path.matches(&mut Composed::of(root), root.id(), 100_000).unwrap();
    let found: Vec<_> = found.iter().collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].labels().len(), 5001);
    assert!(matches!(found[0].target(), Target::Node(_)));
}

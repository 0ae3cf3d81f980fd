//! Deep, long and random programs.

use super::super::{SyntaxError, Tree, parse};
use super::cases::CASES;
use super::random::Random;
use std::time::{Duration, Instant};

/// How deep and how long the programs are.
const SIZE: usize = 100_000;

/// Much longer than any of the programs takes, but not long enough for work that is not linear.
const LIMIT: Duration = Duration::from_secs(10);

/// The number of random sequences of tokens that are parsed.
const SEQUENCES: usize = 100_000;

/// How large the stack of the parser's thread is.
const STACK: usize = 64 * 1024;

/// Parses in a thread with a small stack and in a limited time.
fn parse_with_small_stack(source: String) -> Result<Tree, SyntaxError> {
    let start = Instant::now();
    let parser = std::thread::Builder::new().stack_size(STACK).spawn(move || parse(&source));
    let result = parser.expect("a thread").join().expect("no panic");
    assert!(start.elapsed() < LIMIT);
    result
}

#[test]
fn deep_and_long_programs() {
    for (before, middle, after) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("[", "", "]"),
        ("{a:", "1", "}"),
        ("{(", "1|f", "):1}"),
        ("1+", "1", ""),
        ("1|", "1", ""),
        ("1,", "1", ""),
        ("1//", "1", ""),
        ("1 as $x|", "1", ""),
        ("label $x|", "1", ""),
        ("def f:1;", "1", ""),
        ("def f:", "1", ";1"),
        ("1|def f:1;", "1", ""),
        ("-", "1", ""),
        ("try ", "1", ""),
        ("try ", "1", " catch 2"),
        ("", "f", ".a"),
        ("", ".", "?"),
        ("", ".", "[]"),
        ("", ".", "[1:2]"),
        ("", "f", ".\"a\""),
        (".[", "1", "]"),
        (".[1:", "1", "]"),
        ("f(", "1", ")"),
        ("f(1;", "1", ")"),
        ("\"\\(", "1", ")\""),
        (".\"\\(", "1", ")\""),
        ("if ", "1", " then 1 end"),
        ("if 1 then ", "1", " end"),
        ("if 1 then 1 else ", "1", " end"),
        ("reduce ", "1", " as $x (1;2)"),
        ("reduce 1 as $x (", "1", ";2)"),
        ("foreach 1 as $x (1;2;", "1", ")"),
        ("[$__loc__]|\n", "1", ""),
        ("#\\\n", "\n1", ""),
        ("# \n", "1", ""),
        ("{(", "[1]|f", "):[1,1]}"),
    ] {
        let source = before.repeat(SIZE) + middle + &after.repeat(SIZE);
        let tree = parse_with_small_stack(source);
        assert!(tree.is_ok(), "{before} {middle} {after}: {:?}", tree.err());
    }
}

#[test]
fn deep_patterns() {
    for (before, after) in [("[", "]"), ("{a:", "}"), ("{$a:", "}"), ("{\"a\":[", "]}")] {
        let pattern = before.repeat(SIZE) + "$x" + &after.repeat(SIZE);
        assert!(parse_with_small_stack(format!(". as {pattern} | 1")).is_ok(), "{before}");
    }
    let alternatives = "$x ?// ".repeat(SIZE);
    assert!(parse_with_small_stack(format!(". as {alternatives} $x | 1")).is_ok());
    let nested = ". as {(".repeat(SIZE) + "1|f" + &"): $x} | 1".repeat(SIZE);
    assert!(parse_with_small_stack(nested).is_ok());
}

#[test]
fn deep_programs_that_end_too_early() {
    for part in [
        "(",
        "[",
        "{a:",
        "{(",
        "1+",
        "1|",
        "1,",
        "-",
        "try ",
        ".[",
        "f(",
        "\"\\(",
        "if ",
        "if 1 then ",
        "reduce ",
        "def f:",
        ". as [",
        ". as {(",
        "[[(",
        ")",
        "]",
        "?//",
        "\"",
        "1 as $x|",
        "module ",
        ".a=",
        "@a ",
        "label $x|",
        "((1)",
    ] {
        assert!(parse_with_small_stack(part.repeat(SIZE)).is_err(), "{part}");
    }
    let metadata = format!("module {{a:{}1{}}}; 1", "[".repeat(SIZE), "]".repeat(SIZE));
    assert!(parse_with_small_stack(metadata).is_ok());
}

#[test]
fn every_prefix_of_a_program() {
    for (source, _) in CASES {
        for (end, _) in source.char_indices() {
            check(&source[..end]);
        }
    }
}

#[test]
fn random_tokens() {
    let mut random = Random::new(2);
    let mut parsed = 0;
    for _ in 0..SEQUENCES {
        parsed += usize::from(check(&random.tokens(24)));
    }
    for _ in 0..SEQUENCES / 10 {
        let program = random.program();
        check(&program);
        check(&random.change(&program));
    }
    println!("{parsed} of {SEQUENCES} parse");
}

/// Parses a source, and checks that all spans of the tree or the error are in it.
fn check(source: &str) -> bool {
    let result = parse(source);
    let spans = match &result {
        Ok(tree) => {
            assert_eq!(tree.exprs.len(), tree.spans.len());
            &tree.spans
        }
        Err(error) => &vec![error.span],
    };
    for span in spans {
        assert!(span.start <= span.end);
        assert!(source.get(span.start as usize..span.end as usize).is_some(), "{source}");
    }
    result.is_ok()
}

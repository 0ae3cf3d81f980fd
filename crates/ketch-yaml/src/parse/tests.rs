//! Tests of invalid input, checked by the reported problem.

use crate::{Limits, Options, Parser, Problem, ReadParser};

fn problem(text: &str) -> Option<Problem> {
    let mut parser = Parser::new(text.as_bytes());
    loop {
        match parser.next_chunk() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error.problem()),
        }
    }
}

#[test]
fn a_directive_needs_a_name_right_after_the_percent_sign() {
    assert_eq!(problem("%YAML 1.2\n---\n"), None);
    for text in ["% YAML 1.2\n---\n", "%\tTAG ! x\n---\n", "%\n---\n", "% # c\n---\n"] {
        assert_eq!(problem(text), Some(Problem::EmptyDirective), "{text:?}");
    }
}

#[test]
fn a_bracket_after_a_property_needs_a_blank() {
    for text in ["[!a{}]", "{&a[]}", "[!<x>[]]", "{&a !{}: b}", "[&a:[]]"] {
        assert_eq!(problem(text), Some(Problem::PropertyNotSeparated), "{text:?}");
    }
    for text in ["[!a {}]", "[!a, &a ]", "[!a]", "{!a}", "{&a , !<x>}"] {
        assert_eq!(problem(text), None, "{text:?}");
    }
}

#[test]
fn properties_of_a_pair_are_on_the_line_of_its_key() {
    for text in ["[&a\nb: c]", "[!t\n'b': c]", "[&a\n[b]: c]", "[&a\n: c]", "[&a\n!t\n{}: c]"] {
        assert_eq!(problem(text), Some(Problem::MultilineKey), "{text:?}");
    }
    for text in ["[&a b: c]", "[\n&a [b]: c]", "[&a : c]", "[&a\nb, !t\n[b]]", "{&a\nb: c}"] {
        assert_eq!(problem(text), None, "{text:?}");
    }
}

#[test]
fn byte_order_marks_come_before_directives() {
    for text in
        ["\u{feff}%YAML 1.2\n---\n", "\n\u{feff}# c\n\u{feff}--- a\n", "a\n...\n\u{feff}b\n"]
    {
        assert_eq!(problem(text), None, "{text:?}");
    }
    let text = "%YAML 1.2\n\u{feff}---\n";
    assert_eq!(problem(text), Some(Problem::DirectiveWithoutDocument));
}

/// Checks scalars of every style with exactly the limit's length, and with one byte more.
#[test]
fn no_scalar_is_longer_than_its_limit() {
    for max in [1, 20, 63, 64, 65, 100, 200] {
        let limits = Limits { max_scalar_bytes: max, ..Limits::default() };
        for len in [max, max + 1] {
            let plain = "x".repeat(len as usize);
            // The span of a quoted scalar includes its quotes.
            let quoted = plain.get(2..).unwrap_or_default();
            let lines = if len > 4 { format!("x\n {}", &plain[3..]) } else { plain.clone() };
            for text in [
                format!("{plain}\n"),
                format!("{lines}\n"),
                format!("- {plain}\n"),
                format!("- {plain} # c\n"),
                format!("- {lines}\n"),
                format!("k: {plain}\n"),
                format!("k: {lines}\n"),
                format!("? {plain}\n: v\n"),
                format!("{plain}: v\n"),
                format!("- {plain}: v\n"),
                format!("[{plain}]\n"),
                format!("[a, {lines}, b]\n"),
                format!("[{plain}: v]\n"),
                format!("{{a: {plain}}}\n"),
                format!("{{{plain}: v}}\n"),
                format!("{{\"a\":{plain}}}\n"),
                format!("- '{quoted}'\n"),
                format!("k: \"{quoted}\"\n"),
                format!("'{quoted}': v\n"),
                format!("[\"{quoted}\"]\n"),
                format!("{{'{quoted}': v}}\n"),
            ] {
                if max == 1 && text.contains(['\'', '"']) {
                    continue;
                }
                let expected = (len > max).then_some(Problem::ScalarTooLong(len));
                for chunk_words in [1, 4096] {
                    let options = Options { limits, chunk_words, ..Options::default() };
                    let slice = problem_of(|| {
                        let mut parser = Parser::with_options(text.as_bytes(), &options);
                        while parser.next_chunk()?.is_some() {}
                        Ok(())
                    });
                    let reader = problem_of(|| {
                        let mut parser = ReadParser::with_options(text.as_bytes(), &options);
                        while parser.next_chunk()?.is_some() {}
                        Ok(())
                    });
                    assert_eq!((slice, reader), (expected, expected), "{max}: {text}");
                }
            }
        }
    }
}

fn problem_of(read: impl FnOnce() -> Result<(), crate::Error>) -> Option<Problem> {
    read().err().map(|error| error.problem())
}

/// Checks that the interrupt is polled even during one long scalar, and that the first true stops
/// the parser.
#[test]
fn a_parser_can_be_interrupted() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static POLLED: AtomicU32 = AtomicU32::new(0);
    fn stop() -> bool {
        POLLED.fetch_add(1, Ordering::Relaxed) == 2
    }
    for text in [format!("\"{}\"", "a\\n".repeat(100_000)), "- a\n".repeat(100_000)] {
        POLLED.store(0, Ordering::Relaxed);
        let options = Options { interrupt: Some(stop), ..Options::default() };
        let mut parser = Parser::with_options(text.as_bytes(), &options);
        let error = loop {
            match parser.next_chunk() {
                Ok(chunk) => assert!(chunk.is_some(), "it has to stop"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.problem(), Problem::Interrupted);
        assert_eq!(POLLED.load(Ordering::Relaxed), 3);
    }
}

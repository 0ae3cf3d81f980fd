//! Tests of invalid input, checked by the reported problem.

use crate::{Limits, Options, Parser, Problem, ReadParser, scalar};

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

/// Checks scalars of every style whose length is exactly the limit, and one byte more.
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

/// Returns all events of `parser`, one per line, and the problem that ended it, if there is one.
fn outcome(parser: &mut Parser<'_>) -> (String, Option<Problem>) {
    let mut events = String::new();
    loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => {
                for event in chunk.events() {
                    events += &format!("{event:?} {:?}\n", chunk.bytes(&event));
                }
            }
            Ok(None) => return (events, None),
            Err(error) => return (events, Some(error.problem())),
        }
    }
}

/// Each text leaves something in the buffers that must not affect the next text.
#[test]
fn used_buffers_make_no_difference() {
    let deep = "[".repeat(3000);
    let texts = [
        "%YAML 1.2\n%TAG !e! !x\n---\n!e!a b\n",
        "%NAME a\n",
        "a: &b",
        "- - - &a !b\n# c",
        "{a: [b, {c: \"d",
        "[a, [b]: c",
        deep.as_str(),
        "a: [b]\n c: d",
        "--- !e!a b\n",
        "%YAML 1.2\n---\na",
        "x: |\n  y\nz: \u{1}",
        "",
        "a: 1\nb:\n- c\n- {d: e}\n",
    ];
    let mut buffers = crate::Buffers::default();
    for text in texts.iter().chain(texts.iter().rev()) {
        let mut parser = Parser::with_buffers(text.as_bytes(), &Options::default(), buffers);
        let used = outcome(&mut parser);
        assert!(parser.warnings().len() <= 1);
        buffers = parser.into_buffers();
        assert_eq!(used, outcome(&mut Parser::new(text.as_bytes())), "{text:?}");
    }
}

/// A text of at most 64 bytes is checked and parsed in one step; a longer one is checked first.
#[test]
fn short_texts_are_checked_as_long_ones_are() {
    let flaws: [&[u8]; 8] =
        [b"\x00", b"\x1b", b"\x7f", b"\xff", b"\xc3", b"\xc3\xa9", b"\xe2\x82", b"\r"];
    for text in ["a: bc\nd: [e, 'f']\n", "{\"a\": [1, \"bc\"]}", "- |\n  a\n- b", "a: \"b"] {
        for (at, flaw) in (0..=text.len()).flat_map(|at| flaws.map(|flaw| (at, flaw))) {
            let (start, end) = text.as_bytes().split_at(at);
            // Blank lines at the start only move the events. Without them, a NUL would mean UTF-16.
            let [short, long] = [4, 64].map(|count| {
                let text = [&[b'\n'].repeat(count), start, flaw, end].concat();
                let (events, problem) = outcome(&mut Parser::new(&text));
                (events.lines().count(), problem)
            });
            assert_eq!(short, long, "{start:?} {flaw:?}");
        }
    }
}

/// The fast path opens a flow collection at the root; small chunks leave it to the slow path.
#[test]
fn a_flow_collection_may_start_any_line_that_awaits_a_node() {
    for text in [
        "{a: [b, \"c\"]}",
        "[a]\n---\n{b: c}\n",
        "[a]: b",
        "{a: b}: c\nd: e\n",
        "{a: b} : c",
        "[a] b",
        "{a: b} # c",
        "[a,\n b]: c",
        "[a,\n b]\n",
        "a:\n  [b]\nc:\n  {d: e}\n",
        "a:\n  [b]: c\n  d: e\n",
        "-\n  [a]\n-\n  {b: c}: d\n",
        "? [a]\n: {b: c}\n",
        "? a\n:\n  [b]\n",
        "a: b\n[c]\n",
        "a: b\n  [c]\n",
        "- a\n[b]\n",
        "&a\n[b]",
        "{",
        "[a\n]",
    ] {
        let small = Options { chunk_words: 1, ..Options::default() };
        let limits = Limits { max_implicit_key_chars: 63, ..Limits::default() };
        let slow = Options { limits, ..Options::default() };
        let expected = outcome(&mut Parser::with_options(text.as_bytes(), &slow));
        for options in [small, Options::default()] {
            let found = outcome(&mut Parser::with_options(text.as_bytes(), &options));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}

/// Reads a byte at a time.
struct OneByOne<'t>(&'t [u8]);

impl std::io::Read for OneByOne<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

#[test]
fn quoted_text_needs_no_indentation_in_lenient_mode() {
    use Problem::{QuotedIndentation, TabIndentation};
    let options = Options { lenient: true, ..Options::default() };
    for (text, indented, expected) in [
        ("a: \"b\nc\"\nd: 1\n", "a: \"b\n c\"\nd: 1\n", Some((QuotedIndentation, 2, 1))),
        (
            "- - 'b\n  c\n\n d'\n- 1\n",
            "- - 'b\n   c\n\n   d'\n- 1\n",
            Some((QuotedIndentation, 2, 3)),
        ),
        ("a: [\"b\n\tc\", 1]\n", "a: [\"b\n c\", 1]\n", Some((TabIndentation, 2, 1))),
        ("a: {'b\nc'}\n", "a: {'b\n c'}\n", Some((QuotedIndentation, 2, 1))),
        ("\"b\nc\"\n", "\"b\nc\"\n", None),
    ] {
        let values = |text: &str| {
            let mut parser = Parser::with_options(text.as_bytes(), &options);
            let mut all = Vec::new();
            while let Some(chunk) = parser.next_chunk().unwrap() {
                all.extend(
                    chunk
                        .events()
                        .filter(|event| event.kind.is_scalar())
                        .map(|event| scalar::content(text.as_bytes(), &event).into_owned()),
                );
            }
            all
        };
        assert_eq!(values(text), values(indented), "{text:?}");
        let mut parser = Parser::with_options(text.as_bytes(), &options);
        while parser.next_chunk().unwrap().is_some() {}
        let mut reader = ReadParser::with_options(OneByOne(text.as_bytes()), &options);
        while reader.next_chunk().unwrap().is_some() {}
        for warnings in [&parser.warnings()[..], reader.warnings()] {
            let shown = warnings
                .iter()
                .map(|warning| (warning.problem, warning.location.line, warning.location.column));
            assert_eq!(
                shown.collect::<Vec<_>>(),
                expected.into_iter().collect::<Vec<_>>(),
                "{text:?}"
            );
        }
    }
    // What is wrong for another reason is the same error as before.
    for (text, problem) in [
        ("a: \"b\nc: d\n", QuotedIndentation),
        ("a: 'b\nc'\n  : d\n", Problem::BadIndentation),
        ("a: \"b\nc\\q\"\n", QuotedIndentation),
        ("a: \"b\n--- c\"\n", Problem::MarkerInQuotes),
    ] {
        let mut parser = Parser::with_options(text.as_bytes(), &options);
        let error = loop {
            match parser.next_chunk() {
                Ok(chunk) => assert!(chunk.is_some(), "{text:?}"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.problem(), problem, "{text:?}");
    }
}

//! Tests of many tag handles and of long prefixes.

use crate::notation::Notation;
use crate::{Budget, Error, Limits, Options, Parser, Problem, ReadParser};

fn options(limits: Limits) -> Options {
    Options { limits, ..Options::default() }
}

fn notation(text: &str, options: &Options) -> Result<Vec<u8>, Error> {
    let mut parser = Parser::with_options(text.as_bytes(), options);
    let mut notation = Notation::start(Vec::new()).expect("writing to memory");
    while let Some(chunk) = parser.next_chunk()? {
        notation.chunk(&chunk).expect("writing to memory");
    }
    Ok(notation.end().expect("writing to memory"))
}

fn directives(count: usize) -> String {
    (0..count).map(|i| format!("%TAG !h{i}! tag:x{i},\n")).collect()
}

#[test]
fn handles_have_a_limit_that_the_error_names() {
    let text = |count| format!("{}---\n!h0!a b\n", directives(count));
    assert!(notation(&text(1024), &Options::default()).is_ok());
    let error = notation(&text(1025), &Options::default()).expect_err("too many");
    assert_eq!((error.problem(), error.line()), (Problem::TooManyTagHandles(1024), 1025));
    assert_eq!(error.problem().setting(), Some("max_tag_handles"));
    let raised = options(Limits { max_tag_handles: u64::MAX, ..Limits::default() });
    assert!(notation(&text(5000), &raised).is_ok());
}

#[test]
fn long_prefixes_have_a_budget_for_the_whole_stream() {
    let text = |prefix: usize, tags: usize| {
        format!("%TAG !e! tag:{}\n---\n{}", "p".repeat(prefix), "- !e!x a\n".repeat(tags))
    };
    // The prefixes add up to much more than the default budget, but each of them is short.
    assert!(notation(&text(200, 100_000), &Options::default()).is_ok());
    let long = text(100_000, 10_000);
    let error = notation(&long, &Options::default()).expect_err("too much");
    assert!(matches!(error.problem(), Problem::TooMuchTagText(_)), "{error}");
    let unlimited = options(Limits { max_tag_bytes: Budget::UNLIMITED, ..Limits::default() });
    assert!(notation(&text(10_000, 1_000), &unlimited).is_ok());
    // However the stream is split, the same tag exceeds the budget.
    for piece in [1, 1000] {
        let reader = Pieces { text: long.as_bytes(), piece };
        let mut parser = ReadParser::new(reader);
        let found = loop {
            match parser.next_chunk() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("too much"),
                Err(error) => break error,
            }
        };
        assert_eq!((found.problem(), found.offset()), (error.problem(), error.offset()));
    }
}

#[test]
fn long_prefixes_of_the_default_handles_are_counted_wherever_tags_are() {
    let prefix = "p".repeat(10_000);
    for (handle, tag) in [("!", "!x"), ("!!", "!!x")] {
        let entries = [
            "- T a\n",
            "- k: T a\n",
            "- T \"a\"\n",
            "- T [a]\n",
            "- [T a]\n",
            "- {k: T [b]}\n",
            "- T\n  a\n",
            "- T |\n  a\n",
        ];
        for entry in entries {
            let entry = entry.replace('T', tag);
            let text = format!("%TAG {handle} tag:{prefix}\n---\n{}", entry.repeat(5_000));
            let error = notation(&text, &Options::default()).expect_err(&entry);
            assert!(matches!(error.problem(), Problem::TooMuchTagText(_)), "{entry:?} {error}");
        }
    }
}

struct Pieces<'t> {
    text: &'t [u8],
    piece: usize,
}

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.piece.min(buffer.len()).min(self.text.len());
        buffer[..count].copy_from_slice(&self.text[..count]);
        self.text = &self.text[count..];
        Ok(count)
    }
}

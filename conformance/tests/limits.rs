//! Large and difficult inputs: each ends with the correct result or a clear error, in linear time,
//! and a reader uses no more memory than a token needs.

use cpu_time::ThreadTime;
use ketch_conformance::generate::Random;
use ketch_conformance::run::Pieces;
use ketch_yaml::{
    Budget, Counter, Error, EventKind, Limits, Options, Parser, Problem, ReadParser, scalar,
};
use std::io::Read;
use std::time::Duration;

/// The size of the inputs. Debug builds are slower, so their inputs are smaller.
const MB: usize = if cfg!(debug_assertions) { 50_000 } else { 500_000 };

fn unlimited() -> Options {
    let mut options = Options::default();
    options.limits = Limits {
        max_depth: Budget::UNLIMITED,
        max_implicit_key_chars: u64::MAX,
        ..Limits::default()
    };
    options
}

fn count(input: &[u8], options: &Options) -> Result<Counter, Error> {
    let mut counter = Counter::default();
    Parser::with_options(input, options).push_into(&mut counter).map(|()| counter)
}

fn count_by_reader(reader: impl Read, options: &Options) -> Result<Counter, Error> {
    let mut counter = Counter::default();
    ReadParser::with_options(reader, options).push_into(&mut counter).map(|()| counter)
}

/// Returns the minimum processor time of two runs: on a slice, and on a reader that yields pieces
/// of the size of a pipe's buffer.
fn times(input: &[u8], options: &Options) -> [Duration; 2] {
    let least = |work: &dyn Fn()| {
        let run = || {
            let start = ThreadTime::now();
            work();
            start.elapsed()
        };
        (0..2).map(|_| run()).min().unwrap_or_default()
    };
    let slice = least(&|| {
        // The result is ignored, since other tests check it; this one only measures the time.
        let _ = count(input, options);
    });
    let reader = least(&|| {
        let _ = count_by_reader(Pieces::new(input, &[65_536]), options);
    });
    [slice, reader]
}

/// Checks that an input of eight times the size takes at most thirty times as long. Quadratic time
/// would be 64 times as long; the tolerance is for caches, in which the larger text does not fit.
/// The processor time of the thread is measured, in several tries, since other processes use the
/// same caches.
fn is_linear(name: &str, make: impl Fn(usize) -> Vec<u8>, options: &Options) {
    const TRIES: usize = 6;
    let (small, large) = (make(MB), make(8 * MB));
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let (before, after) = (times(&small, options), times(&large, options));
        let fits = |way: usize| after[way] < before[way].max(Duration::from_millis(1)) * 30;
        if fits(0) && fits(1) {
            return;
        }
        seen.push((before, after));
    }
    panic!("{name:?}: slice and reader, and the same for eight times as much: {seen:?}");
}

fn repeated(part: &str, bytes: usize) -> Vec<u8> {
    part.repeat(bytes / part.len()).into_bytes()
}

/// Returns `before`, then `part` repeated up to `bytes` bytes, and `after`.
fn around(before: &str, part: &str, after: &str, bytes: usize) -> Vec<u8> {
    [before.as_bytes(), &repeated(part, bytes), after.as_bytes()].concat()
}

#[test]
fn depth_has_a_budget_that_the_error_names() {
    for part in ["[", "{", "{a: ", "- ", "? ", "[[], "] {
        let error = count(&repeated(part, 100_000 * part.len()), &Options::default());
        let problem = error.expect_err("too deep").problem();
        assert!(matches!(problem, Problem::TooDeep(_)), "{part:?}: {problem:?}");
        assert_eq!(problem.setting(), Some("max_depth"));
    }
}

#[test]
fn without_a_budget_any_depth_is_accepted() {
    let levels = 100_000;
    let flow = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let counter = count(flow.as_bytes(), &unlimited()).expect("a deep sequence");
    assert_eq!(counter.count(EventKind::SequenceStart), levels as u64);
    let counter = count_by_reader(Pieces::new(flow.as_bytes(), &[1000]), &unlimited());
    assert_eq!(counter.expect("a deep sequence").count(EventKind::SequenceEnd), levels as u64);
    let open = count(&repeated("[", levels), &unlimited()).expect_err("never closed");
    assert_eq!(open.problem(), Problem::UnclosedSequence);
    for part in ["- ", "? "] {
        let text = repeated(part, 10 * MB);
        let counter = count(&text, &unlimited()).expect("a deep block collection");
        let kind = if part == "- " { EventKind::SequenceStart } else { EventKind::MappingStart };
        assert_eq!(counter.count(kind), (text.len() / 2) as u64);
    }
}

#[test]
fn deep_indentation_takes_linear_time() {
    let mut text = String::new();
    for level in 0..2000 {
        text.push_str(&" ".repeat(level));
        text.push_str("k:\n");
    }
    let counter = count(text.as_bytes(), &unlimited()).expect("a staircase");
    assert_eq!(counter.count(EventKind::MappingStart), 2000);
}

#[test]
fn collections_take_linear_time() {
    let options = unlimited();
    for part in [
        "[", "{", "[[], ", "{a: ", "[a, ", "{? ", "- ", "? ", "- ? ", "-\n", "a\n", "[a: ",
        "[{}: ", "? - \n", "[\n", "[]: []\n", ", ", "]", "[]", "&a ", "!a ", "*a ",
    ] {
        is_linear(part, |bytes| repeated(part, bytes), &options);
    }
    is_linear("wide sequence", |bytes| around("[", "a, ", "]", bytes), &options);
    is_linear("pairs", |bytes| around("[", "a: b, ", "]", bytes), &options);
    is_linear("collections as keys", |bytes| around("{", "[a]: b, ", "}", bytes), &options);
    is_linear("brackets as keys", |bytes| around("[", "[", ": x", bytes), &options);
}

#[test]
fn scalars_take_linear_time() {
    let options = unlimited();
    let shapes: [(&str, &str, &str, &str); 16] = [
        ("plain", "", "a", ""),
        ("plain, many lines", "", "a b\n", ""),
        ("plain in brackets", "[", "a b\n ", "]"),
        ("plain, empty lines", "a", "\n", "b"),
        ("double", "\"", "a", "\""),
        ("double, never closed", "\"", "a\n", ""),
        ("double, escapes", "\"", "\\n", "\""),
        ("double, blanks", "\"", " ", "\""),
        ("double, escaped breaks", "\"", "\\\n", "\""),
        ("single, quotes", "'", "''", "'"),
        ("single, breaks", "'", "\n", "'"),
        ("literal", "|\n", " a\n", ""),
        ("literal, one line", "|\n ", "a", ""),
        ("folded, empty lines", ">\n a\n", "\n", ""),
        ("literal, leading empty lines", "|\n", "\n", " a"),
        ("colons", "", "a:", ""),
    ];
    for (name, before, part, after) in shapes {
        is_linear(name, |bytes| around(before, part, after, bytes), &options);
        is_linear(name, |bytes| around(&format!("k: {before}"), part, after, bytes), &options);
    }
}

#[test]
fn comments_and_white_space_take_linear_time() {
    let options = unlimited();
    for part in [
        "#\n",
        "# comment\n",
        "\n",
        " \n",
        "\t\n",
        "\r",
        "\r\n",
        "\n\r",
        "---\n",
        "...\n",
        "--- \t#\n",
    ] {
        is_linear(part, |bytes| repeated(part, bytes), &options);
        is_linear(part, |bytes| around("a:\n", part, "", bytes), &options);
        is_linear(part, |bytes| around("[", part, "]", bytes), &options);
    }
    is_linear("one comment", |bytes| around("#", "a", "", bytes), &options);
    is_linear("blanks", |bytes| repeated(" ", bytes), &options);
    is_linear("tabs", |bytes| repeated("\t", bytes), &options);
    is_linear("indentation", |bytes| around("", " ", "a: b", bytes), &options);
    is_linear("directives", |bytes| around("", "%A b\n", "---", bytes), &options);
}

/// The content of a very large scalar in each style is correct.
#[test]
fn a_very_large_scalar_is_read() {
    let len = 200 * MB;
    let letters = "abcdefghi ".repeat(len / 10);
    let text = letters.trim_end();
    for (before, after) in [("", ""), ("'", "'"), ("\"", "\""), ("|-\n ", "\n"), (">-\n ", "")] {
        let input = format!("{before}{text}{after}");
        let mut parser = Parser::new(input.as_bytes());
        let mut found = false;
        while let Some(chunk) = parser.next_chunk().expect("a scalar") {
            for event in chunk.events().filter(|event| event.kind.is_scalar()) {
                assert!(*scalar::content(chunk.text(), &event) == *text.as_bytes(), "{before:?}");
                found = true;
            }
        }
        assert!(found, "{before:?}");
        let counter =
            count_by_reader(Pieces::new(input.as_bytes(), &[65_536]), &Options::default());
        assert_eq!(counter.expect("a scalar").scalars(), 1);
    }
}

#[test]
fn keys_have_a_limit_that_the_error_names() {
    let key = "k".repeat(MB);
    for text in [
        format!("{key}: v"),
        format!("\"{key}\": v"),
        format!("[{key}: v]"),
        format!("[[{key}]: v]"),
        format!("*{key} : v"),
    ] {
        let problem =
            count(text.as_bytes(), &Options::default()).expect_err("a long key").problem();
        assert_eq!(problem.setting(), Some("max_implicit_key_chars"), "{problem:?} {}", &text[..9]);
    }
    for text in [format!("? {key}\n: v"), format!("{{\"{key}\": v}}"), format!("[? {key} : v]")] {
        count(text.as_bytes(), &Options::default()).expect("a long key that is allowed");
    }
}

/// An event has 22 bits for the length of a key, so longer keys are errors even without a limit.
#[test]
fn keys_too_long_for_an_event_are_rejected() {
    const LEN_MAX: usize = (1 << 22) - 1;
    let shapes: [fn(&str) -> String; 4] = [
        |key| format!("{key}: v"),
        |key| format!("\"{}\": v", &key[2..]),
        |key| format!("[{key}: v]"),
        |key| format!("&a x: y\n*a : z\n{key}: v"),
    ];
    for shape in shapes {
        let text = shape(&"k".repeat(LEN_MAX));
        let mut parser = Parser::with_options(text.as_bytes(), &unlimited());
        let mut longest = 0;
        while let Some(chunk) = parser.next_chunk().expect("a long key that is allowed") {
            let lens = chunk.events().filter(|event| event.kind.is_scalar()).map(|event| event.len);
            longest = lens.max().unwrap_or_default().max(longest);
        }
        assert_eq!(longest, LEN_MAX);
        for more in [1, 2, LEN_MAX] {
            let text = shape(&"k".repeat(LEN_MAX + more));
            let problem = count(text.as_bytes(), &unlimited()).expect_err("a long key").problem();
            assert_eq!(problem.setting(), Some("max_implicit_key_chars"), "{problem:?}");
        }
    }
}

/// A reader yields as many events as it can, and buffers no more than its limit allows.
#[test]
fn a_reader_buffers_no_more_than_its_limit() {
    let mut options = Options::default();
    options.limits.max_buffer_bytes = 1 << 20;
    let entry = "- {name: value, list: [1, 2, 3], text: \"some text\"}\n";
    let endless = std::io::repeat(0).take(0).chain(Repeated { part: entry.as_bytes(), at: 0 });
    let bytes = 100 * MB as u64 / entry.len() as u64 * entry.len() as u64;
    let counter = count_by_reader(endless.take(bytes), &options).expect("many small lines");
    assert_eq!(counter.count(EventKind::MappingStart), bytes / entry.len() as u64);
    for part in ["a", "'a", "[a, \"b"] {
        let long = around(part, "x", "", 4 << 20);
        let problem = count_by_reader(&long[..], &options).expect_err("a long token").problem();
        assert_eq!(problem.setting(), Some("max_buffer_bytes"), "{part}: {problem:?}");
    }
}

/// A text that never ends.
struct Repeated<'p> {
    part: &'p [u8],
    at: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.part[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at = (self.at + count) % self.part.len();
        Ok(count)
    }
}

#[test]
fn input_that_is_not_text_gets_one_clear_error() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0";
    let elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0";
    let mut random = Random::new(9);
    let noise = random.bytes(10_000);
    for input in
        [&png[..], elf, &noise, b"a: \0", b"a: \xff", b"a: \xe2\x82", b"\xff\xfea", &[0; 64]]
    {
        for error in
            [count(input, &Options::default()), count_by_reader(input, &Options::default())]
        {
            let error = error.expect_err("no text");
            let text = error.to_string();
            assert!(error.line() > 0 && text.lines().count() <= 5, "{text}");
            assert!(
                !text.chars().any(|ch| ch.is_control() && ch != '\n' && ch != '\t'),
                "{text:?}"
            );
        }
    }
}

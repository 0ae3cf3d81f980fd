//! Documents composed by several threads are those that one thread composes, with the same errors.

use ketch_conformance::generate::{self, Random};
use ketch_conformance::suite::cases;
use ketch_yaml::compose::internal::in_pieces;
use ketch_yaml::{Budget, ComposeOptions, Document, Documents, Error, Options};
use std::fmt::Write;

/// The minimum sizes of pieces.
const LEAST: [usize; 4] = [0, 1, 40, 500];

/// Returns all that can be seen of `document`.
fn shown(document: &Document<'_>) -> String {
    let text = String::from_utf8_lossy(document.text());
    let (start, end) = (document.is_start_explicit(), document.is_end_explicit());
    let directives: Vec<_> = document.directives().collect();
    let mut out = format!("{start} {end} {directives:?} {text:?}\n");
    for node in document.nodes() {
        let (tag, anchor) = (node.tag(), node.anchor());
        let (kind, span) = (node.kind(), node.span());
        writeln!(out, "{kind:?} {span:?} {tag:?} {anchor:?} {:?}", node.location()).unwrap();
    }
    out
}

/// Compares what several threads find in `text` with what one thread finds. Returns the number of
/// documents, and the error if there is one.
fn same(text: &[u8], options: &Options) -> (usize, Option<String>) {
    let mut compose = ComposeOptions::default();
    compose.limits = options.limits;
    let (mut documents, mut error) = (Vec::new(), None);
    for document in Documents::with_options(text, options, &compose) {
        match document {
            Ok(document) => documents.push(shown(&document)),
            Err(failed) => error = Some(format!("{failed}\n{failed:?}")),
        }
    }
    for jobs in 1..=4 {
        for least in LEAST {
            let mut count = 0;
            let done = in_pieces(text, (options, &compose), jobs, least, |document| {
                let expected = documents.get(count);
                assert_eq!(Some(&shown(document)), expected, "{}", String::from_utf8_lossy(text));
                count += 1;
                Ok::<(), Error>(())
            });
            let found = done.err().map(|failed| format!("{failed}\n{failed:?}"));
            assert_eq!((count, &found), (documents.len(), &error), "{jobs} jobs, {least} bytes");
        }
    }
    (documents.len(), error)
}

#[test]
fn all_cases_of_the_suite_in_one_stream() {
    let options = Options::default();
    let cases = cases();
    let mut streams = vec![Vec::new(); 2];
    for case in &cases {
        // Alone between two documents, with an error or not.
        let text = ["x: 1\n---\n", &case.yaml, "\n---\n- y\n"].concat();
        same(text.as_bytes(), &options);
        // Some valid ones have duplicate keys or unknown aliases.
        if Documents::new(case.yaml.as_bytes()).any(|document| document.is_err()) {
            continue;
        }
        // Directives are allowed only after a `...`.
        let is_plain = !case.yaml.contains('%') && !case.yaml.contains('\u{feff}');
        let (between, all) = if is_plain { ("\n---\n", 0) } else { ("\n...\n", 1) };
        streams[all].extend_from_slice([&case.yaml, between].concat().as_bytes());
    }
    let [one, other] = &streams[..] else { unreachable!() };
    let (count, error) = same(one, &options);
    assert!(count > 250 && error.is_none(), "{count} {error:?}");
    same(&[&one[..], b"...\n", other].concat(), &options);
    let (count, error) = same(&[one, &b"a: 1\na: 2\n---\n"[..], one].concat(), &options);
    assert!(count > 250 && error.is_some_and(|error| error.contains("duplicate")), "{count}");
}

#[test]
fn random_streams() {
    let mut random = Random::new(2026);
    let mut errors = 0;
    let rounds = if cfg!(debug_assertions) { 300 } else { 3000 };
    for round in 0..rounds {
        let mut text = Vec::new();
        for _ in 0..random.below(8) {
            let len = random.below(60);
            let bytes = random.bytes(len);
            let is_noise = random.below(12) == 0;
            let mut part =
                if is_noise { generate::noise(&bytes) } else { generate::document(&bytes).into() };
            if random.below(6) == 0 {
                generate::mutate(&mut part, &mut random);
            }
            text.extend_from_slice(&part);
            let between: [&str; 8] = [
                "\n---\n",
                "\n--- # c\n",
                "\n...\n---\n",
                "\n...\n%YAML 1.2\n# c\n---\n",
                "\n...\n",
                "\r---\r\n",
                "\n---",
                "\n...\n%TAG !e! tag:e,2:\n---\n- !e!f x\n",
            ];
            text.extend_from_slice(between[random.below(8)].as_bytes());
        }
        let mut options = Options::default();
        options.lenient = round % 5 == 0;
        options.limits.max_depth = Budget { base: 3, per_kib: 2 };
        errors += usize::from(same(&text, &options).1.is_some());
    }
    assert!(errors > rounds / 10 && errors < rounds, "{errors} of {rounds}");
}

#[test]
fn bytes_that_are_not_allowed() {
    for bad in [&b"\xc3"[..], b"\xff", b"\x01", b"\xf0\x9f\x98"] {
        // Before a marker, on its line, and around the end of that line.
        for line in ["@\n---\n", "--- @x\n", "--- x@\n", "--- x@", "---@\n", "---\r@\n", "---\n@"] {
            let (before, after) = line.split_once('@').unwrap();
            for rest in ["", "\n---\nb\n"] {
                let parts =
                    [b"a\n---\n- a\n", before.as_bytes(), bad, after.as_bytes(), rest.as_bytes()];
                same(&parts.concat(), &Options::default());
            }
        }
    }
}

#[test]
fn limits_of_the_whole_stream() {
    let prefix = "x".repeat(300);
    let document = format!("...\n%TAG !e! tag:{prefix}\n---\n- !e!a 1\n---\n- 2\n");
    let mut options = Options::default();
    options.limits.max_tag_bytes = Budget::fixed(1000);
    let (count, error) = same(document.repeat(5).as_bytes(), &options);
    assert!(count == 6 && error.is_some_and(|error| error.contains("TooMuchTagText")), "{count}");
}

#[test]
fn other_encodings_and_dialects() {
    let text = "- a\n---\n- \u{e9}\n---\n- c\n";
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(same(&[&b"\xff\xfe"[..], &wide].concat(), &Options::default()).0, 3);
    let mut options = Options::default();
    options.dialect = ketch_syck::DIALECT;
    assert_eq!(same(text.as_bytes(), &options).0, 3);
}

//! Tests that a diagnosis never panics, and does not depend on how the input is split. The messages
//! are checked by the tests of the command.

use crate::error::Error;
use crate::{Parser, ReadParser};
use std::io::{self, Read};

const INPUTS: &[&str] = &[
    "a: 1\n  b: 2\n",
    "name:web\nport: 80\n",
    "services:\n  - name: \"web\"\n      port: 80\n",
    "a: [1, 2 # c\nb: 3\n",
    "{\n  \"a\": [1, 2,\n  \"b\": 'x\n}\n",
    "msg: 'it's here'\n- \"say \"hi\"\"\n",
    "a: {x: 1 y: 2; z: {b: c: d}}\n",
    "a: {{- .Values.x }}\n{% if x %}\nb: <%= y %>\n",
    "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n",
    "home: \"C:\\Users\\me\" # \\u{1F600}\n",
    "a: |\n  one\n two\n- > x\n",
    "files: *.js\nb: &x *x @y `z` %w !v!u\n",
    "a:\n\tb: 1\n-\tc: \u{201c}x: y\u{201d}\n",
    "--- a: b: c\n...\n%foo\nd: - e\n",
    "a:\n    b: 1\n  c: \u{e9}\u{a0}: 2\n \"d\" = 3\n",
    "a: \"x\",\n[1], [2]}\n",
    "a: 1\n<<<<<<< x\nb: 2\n||||||| y\n=======\nb: 3\n>>>>>>> z\n",
    "%YAML 1.2\n%YAML 1.1\n---\nx: &a &b y\n",
    "- !a\n  !<b> c\n- [&é &ü x, !!str !!int 1]\n",
    "<?xml version=\"1.0\"?>\n<é>a: b: c</é>\n",
    "[s\u{e9}ction]\nk = a: b\n",
    "# c\na = 1\n\u{e9} = x: y\n",
    "\"\u{e9}\",\"b\"\nsize: \"6'2\"\"\n",
    "a: '\\u00e9 it's'\n%\u{e9}\n",
    "a: - 1\n\n# c\n- 2\n- 3\n- 4\n- 5\n",
    "a: \"one\ntwo\n\nthree\nfour\nfive\"\nb: 1\n",
    "a:\n   b: 1\n  c: 2\n  d: 3\n",
    "  a: 1\nb: 2\n// c\n/* d\n*/\ne: 3\n",
    "%TAG !e! !\n---\n*x: !e!y\n...\n---\n!e!y z\n",
    "? a\nb\n\u{feff}c\n\u{a0}d: &e && !<f g\n",
    "- &\u{e9} a: 1\n    - b\n  \u{201c}c\u{201d}\n",
];

/// A reader that yields its bytes in pieces of a certain length.
struct Pieces<'t>(&'t [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(out.len()).min(self.0.len());
        out[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn of_slice(text: &[u8]) -> Option<Error> {
    let mut parser = Parser::new(text);
    loop {
        match parser.next_chunk() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    }
}

fn of_reader(text: &[u8], piece: usize) -> Option<Error> {
    let mut parser = ReadParser::new(Pieces(text, piece));
    loop {
        match parser.next_chunk() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    }
}

/// Returns the message, the help, the second location and its label.
fn message_and_help(error: Option<Error>) -> Option<[String; 4]> {
    error.map(|error| {
        let related = error.related().map(|place| format!("{}:{}", place.line, place.column));
        let label = error.related_label().unwrap_or_default().to_owned();
        [error.message().into(), error.help().into(), related.unwrap_or_default(), label]
    })
}

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Returns a text that consists of parts of two inputs, with some bytes changed.
fn mutant(random: &mut Random) -> Vec<u8> {
    const BYTES: &[u8] = b"\n\n  :-'\"[]{},#|>&*!%@`?\\\t\r=<ab.\xc3\xa9\xef\x00";
    let part = |random: &mut Random| {
        let input = INPUTS[random.below(INPUTS.len())].as_bytes();
        let (a, b) = (random.below(input.len() + 1), random.below(input.len() + 1));
        input[a.min(b)..a.max(b)].to_vec()
    };
    let mut text = part(random);
    text.extend(part(random));
    for _ in 0..random.below(4) {
        let byte = BYTES[random.below(BYTES.len())];
        let at = random.below(text.len() + 1);
        match random.below(3) {
            0 => text.insert(at, byte),
            1 if at < text.len() => text[at] = byte,
            _ if at < text.len() => drop(text.remove(at)),
            _ => {}
        }
    }
    text
}

#[test]
fn no_input_makes_a_diagnosis_panic() {
    let count = std::env::var("DIAGNOSE_MUTANTS").map_or(20_000, |n| n.parse().expect("a number"));
    let mut random = Random(1);
    for _ in 0..count {
        let text = mutant(&mut random);
        let Some(error) = of_slice(&text) else { continue };
        assert!(!error.message().is_empty() && !error.help().is_empty(), "{text:?}");
    }
}

#[test]
fn messages_do_not_depend_on_the_kind_of_input() {
    let mut random = Random(2);
    let mutants = (0..2_000).map(|_| mutant(&mut random));
    for text in INPUTS.iter().map(|text| text.as_bytes().to_vec()).chain(mutants) {
        let whole = message_and_help(of_slice(&text));
        for piece in [1, 7, 64] {
            let pieces = message_and_help(of_reader(&text, piece));
            assert_eq!(pieces, whole, "{:?} by {piece}", String::from_utf8_lossy(&text));
        }
    }
}

/// Checks that the length of the text before the examined lines makes no difference.
#[test]
fn text_before_the_mistake_does_not_change_its_diagnosis() {
    let filler = "key: value\n".repeat(20_000);
    let text = format!("{filler}name: web\nport:80\n");
    let whole = of_slice(text.as_bytes()).expect("an error");
    assert_eq!(whole.message(), "a space is missing after the `:` of `port:80`");
    assert_eq!(whole.help(), "Write `port: 80`.");
    assert_eq!(message_and_help(of_reader(text.as_bytes(), 1000)), message_and_help(Some(whole)));
}

/// Checks that the general message names a bracket by its offset if a reader has dropped the
/// bracket.
#[test]
fn a_bracket_that_left_the_buffer_is_still_named() {
    let text = format!("a: [\n{}b: 1\n", "  x,\n".repeat(100_000));
    let error = of_slice(text.as_bytes()).expect("an error");
    assert_eq!(error.related().map(|place| place.offset), Some(3));
    let error = of_reader(text.as_bytes(), 1000).expect("an error");
    assert_eq!(error.related().map(|place| place.offset), Some(3));
}

//! Reads and writes extprot with hosts whose values are texts and trees.

use super::*;
use crate::entries::Entries;
use ketch_extprot::wire::{WireType, Writer};
use std::ffi::CStr;

/// A host whose values are texts in which collections have brackets.
#[derive(Debug, Default)]
struct Texts {
    stack: Vec<String>,
    interrupts: usize,
}

type Step = Result<(), Error>;

impl Texts {
    fn push(&mut self, text: impl Into<String>) -> Step {
        self.stack.push(text.into());
        Ok(())
    }

    fn replace(&mut self, start: usize, make: impl FnOnce(String) -> String) -> Step {
        let values = self.stack.split_off(start).join(" ");
        self.push(make(values))
    }

    fn top(&self) -> &str {
        self.stack.last().unwrap()
    }
}

impl Make for Texts {
    type Error = Error;
    const FREEZES_KEYS: bool = true;
    const COUNTS_PAIRS: bool = true;
    const TAGGED: &'static str = "tags";

    fn count(&self) -> usize {
        self.stack.len()
    }

    fn null(&mut self) {
        self.stack.push("null".into());
    }

    fn boolean(&mut self, value: bool) {
        self.stack.push(value.to_string());
    }

    fn integer(&mut self, value: i64) -> Step {
        self.push(value.to_string())
    }

    fn float(&mut self, value: f64) -> Step {
        self.push(format!("{value:?}"))
    }

    fn text(&mut self, bytes: &[u8], is_key: bool) -> Result<bool, Error> {
        let Ok(text) = std::str::from_utf8(bytes) else { return Ok(false) };
        self.push(if is_key { format!("{text}:") } else { format!("'{text}'") }).map(|()| true)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Step {
        self.push(format!("{bytes:x?}"))
    }

    fn list(&mut self, start: usize) -> Step {
        self.replace(start, |values| format!("[{values}]"))
    }

    fn tuple(&mut self, start: usize) -> Step {
        self.replace(start, |values| format!("({values})"))
    }

    fn mapping(&mut self, start: usize) -> Result<bool, Error> {
        let keys: Vec<_> = self.stack[start..].iter().step_by(2).cloned().collect();
        self.replace(start, |values| format!("{{{values}}}"))?;
        Ok((1..keys.len()).all(|at| !keys[..at].contains(&keys[at])))
    }

    fn constant(&mut self, tag: u64) -> Step {
        self.push(format!("E{tag}"))
    }

    fn byte(&mut self, value: u8) -> Step {
        self.push(format!("byte {value}"))
    }

    fn primitive(&mut self, name: &'static CStr, tag: u64) -> Step {
        let name = name.to_str().unwrap();
        self.replace(self.count() - 1, |value| format!("<{name} {tag} {value}>"))
    }

    fn block(&mut self, wire_type: WireType, tag: u64, start: usize) -> Step {
        self.replace(start, |values| format!("{wire_type:?}{tag}[{values}]"))
    }

    fn text_fits(&self, at: usize, fits: fn(&[u8]) -> bool) -> Result<Option<bool>, Error> {
        let text = self.stack[at].strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
        Ok(text.map(|text| fits(text.as_bytes())))
    }

    fn is_binary(&self) -> bool {
        self.top().starts_with('[')
    }

    fn is_tagged(&self) -> Result<bool, Error> {
        Ok(self.top().starts_with('!'))
    }

    fn big_int(&mut self, _: u64) -> Step {
        self.replace(self.count() - 1, |digits| digits.trim_matches('\'').to_owned())
    }

    fn timestamp(&mut self, start: usize, _: u64) -> Result<bool, Error> {
        let is_time = self.stack[start] != "null";
        self.replace(start, |values| format!("@{values}")).map(|()| is_time)
    }

    fn wrap(&mut self, start: usize) -> Step {
        self.replace(start, |values| values.replacen('\'', "", 2))
    }

    fn interrupt(&mut self) -> Step {
        self.interrupts += 1;
        Ok(())
    }
}

/// Returns the bytes that hexadecimal digits spell.
fn hex(digits: &str) -> Vec<u8> {
    digits.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// Returns the only value in some bytes as text, or the error.
fn read(digits: &str, form: Form) -> Result<String, String> {
    let (limits, mut blocks) = (Limits::default(), Vec::new());
    let bytes = hex(digits);
    let mut reader = Reader::new(Texts::default(), &bytes, &limits, &mut blocks);
    let read = reader.only(form).map_err(|error| error.to_string());
    read.map(|()| reader.make.stack.join(" | "))
}

#[test]
fn a_value_is_read_in_each_form() {
    for (digits, values, tagged, plain) in [
        ("00 09", "-5", "-5", "-5"),
        ("02 01", "true", "byte 1", "true"),
        ("0a", "null", "E0", "E0"),
        ("03 02 c3 b6", "'ö'", "'ö'", "'ö'"),
        ("05 05 02 00 02 02 00", "[1 false]", "Htuple0[1 byte 0]", "[1 false]"),
        ("07 06 01 03 01 61 00 04", "{a: 2}", "Assoc0['a' 2]", "{a: 2}"),
        ("07 08 01 05 03 01 00 02 00 04", "{(1) 2}", "Assoc0[Htuple0[1] 2]", "{(1) 2}"),
        ("11 06 01 03 03 2d 31 32", "-12", "Tuple1['-12']", "['-12']"),
        ("21 04 01 03 01 ff", "[ff]", "Tuple2[[ff]]", "[[ff]]"),
        ("31 06 03 00 02 00 00 1a", "@1 0 true", "Tuple3[1 0 E1]", "[1 0 E1]"),
        ("f1 01 07 02 03 02 21 61 00 02", "!a 1", "Tuple15['!a' 1]", "['!a' 1]"),
    ] {
        assert_eq!(read(digits, Form::Values).as_deref(), Ok(values), "{digits}");
        assert_eq!(read(digits, Form::Tagged).as_deref(), Ok(tagged), "{digits}");
        assert_eq!(read(digits, Form::Plain).as_deref(), Ok(plain), "{digits}");
    }
}

#[test]
fn types_that_the_data_model_lacks_are_read_in_the_other_forms() {
    for (digits, tagged, plain) in [
        ("12 05", "<bits8 1 5>", "5"),
        ("02 05", "byte 5", "5"),
        ("04 ff ff ff ff", "<bits32 0 -1>", "-1"),
        ("10 02", "<vint 1 1>", "1"),
        ("13 01 61", "<bytes 1 'a'>", "'a'"),
        ("03 01 ff", "[ff]", "[ff]"),
        ("3a", "E3", "E3"),
        ("01 03 01 00 02", "Tuple0[1]", "[1]"),
    ] {
        assert!(read(digits, Form::Values).is_err(), "{digits}");
        assert_eq!(read(digits, Form::Tagged).as_deref(), Ok(tagged), "{digits}");
        assert_eq!(read(digits, Form::Plain).as_deref(), Ok(plain), "{digits}");
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    for (digits, words) in [
        ("01 03 01 00 02", "this tuple is not in the data model: read with tags, or by its schema"),
        ("12 05", "a tagged scalar is not in the data model"),
        ("3a", "this is not in the data model"),
        ("15 01 00", "a list or mapping with a tag is not in the data model"),
        ("07 0b 02 03 01 61 00 02 03 01 61 00 04", "duplicate key"),
        ("07 05 01 07 01 00 0a", "a mapping as a key is not in the data model"),
        ("07 08 01 05 04 01 07 01 00 0a", "a mapping as a key is not in the data model"),
        ("11 04 01 03 01 30", "these digits are not an integer"),
        ("11 03 01 00 02", "this tuple is not in the data model"),
        ("31 04 03 0a 0a 0a", "this is not a timestamp"),
        ("f1 01 05 02 03 00 00 02", "this tuple is not in the data model"),
        ("03 01 ff", "UTF-8"),
        ("09", "wire type"),
        ("0a 0a", "bytes follow"),
        ("05 02 05 0a", "the declared count is 5 elements, but only 1 byte is left"),
        ("07 03 02 0a 0a", "the declared count is 2 elements, but only 2 bytes are left"),
    ] {
        let error = read(digits, Form::Values).expect_err(digits);
        assert!(error.contains(words), "{digits}: {error}");
    }
}

#[test]
fn values_before_an_error_are_complete() {
    let stream = hex("00 02 05 03 01 00 04 00 82 00 00 06");
    for (strict, values, done, offset) in [(true, 2, 7, 7), (false, 4, 12, 0)] {
        let (limits, mut blocks) = (Limits { strict, ..Limits::default() }, Vec::new());
        let mut reader = Reader::new(Texts::default(), &stream, &limits, &mut blocks);
        let mut whole = (0, 0);
        let read = reader.all(Form::Values, &mut whole);
        assert_eq!(whole, (done, values));
        assert_eq!(read.err().and_then(|error| error.offset_bytes()).unwrap_or(0), offset);
    }
}

#[test]
fn a_host_checks_for_interrupts_and_nesting_has_a_limit() {
    let blocks: Vec<u8> = hex("05 01 00").repeat(2048);
    let (limits, mut open) = (Limits { depth: 2, ..Limits::default() }, Vec::new());
    let mut reader = Reader::new(Texts::default(), &blocks, &limits, &mut open);
    reader.all(Form::Values, &mut (0, 0)).unwrap();
    assert_eq!(reader.make.interrupts, 2);
    let deep = hex("05 07 01 05 04 01 05 01 00");
    let mut reader = Reader::new(Texts::default(), &deep, &limits, &mut open);
    let error = reader.only(Form::Values).unwrap_err();
    assert!(matches!(error.problem(), Problem::LimitExceeded { limit: "depth", n: 3, max: 2 }));
}

/// A value of a host to be written.
#[derive(Clone, Debug)]
enum Tree {
    Null,
    Int(i64),
    Float(f64),
    Text(&'static str),
    Binary(&'static [u8]),
    Digits(&'static str),
    List(Vec<Tree>),
    /// Keys and values alternate.
    Map(Vec<Tree>),
    /// A list that contains itself.
    Endless,
    Tagged(Box<(Tree, Tree)>),
    Block(WireType, Box<(Tree, Tree)>),
    Primitive(&'static str, Box<(Tree, Tree)>),
}

use Tree::*;

impl Entries for Vec<Tree> {
    type Error = String;
    type Value = Tree;

    fn count(&self) -> usize {
        self.len()
    }

    fn push(&mut self, value: Tree) {
        self.push(value);
    }

    fn push_all(&mut self, collection: &Tree, is_mapping: bool) -> Result<(), String> {
        assert_eq!(is_mapping, matches!(collection, Map(_)));
        match collection {
            List(values) | Map(values) => self.extend(values.iter().cloned()),
            other => self.push(other.clone()),
        }
        Ok(())
    }

    fn get(&self, at: usize) -> Tree {
        self[at].clone()
    }

    fn take(&mut self, at: usize) -> Tree {
        assert_eq!(at, self.len() - 1);
        self.pop().unwrap()
    }

    fn truncate(&mut self, count: usize) {
        self.truncate(count);
    }

    fn interrupt(&self) -> Result<(), String> {
        Ok(())
    }
}

struct Trees;

impl Take for Trees {
    type Error = String;
    type Value = Tree;
    type Entries = Vec<Tree>;
    const WORDS: Words =
        Words { tagged: "tagged", elements: "elements", tag: "tag", primitive: "primitive" };

    fn write(output: &mut Output<'_, Self>, value: &Tree) -> Result<(), String> {
        match value {
            Null => output.null(),
            Int(value) => output.integer(*value),
            Float(value) => output.float(*value),
            Text(text) => output.text(text.as_bytes()),
            Binary(bytes) => output.binary(bytes),
            Digits(digits) => output.big_int(digits.as_bytes()),
            List(_) | Endless => output.collection(value, WireType::Htuple),
            Map(_) => output.collection(value, WireType::Assoc),
            Tagged(parts) => output.tagged(parts.0.clone(), &parts.1),
            Block(wire_type, parts) => output.block(*wire_type, &parts.0, &parts.1),
            Primitive(name, parts) => output.primitive(&parts.0, Some(name), &parts.1),
        }
    }

    fn collection(&self, value: &Tree) -> Result<Option<WireType>, String> {
        Ok(match value {
            List(_) => Some(WireType::Htuple),
            Map(_) => Some(WireType::Assoc),
            _ => None,
        })
    }

    fn elements(&self, value: &Tree) -> Result<Option<usize>, String> {
        Ok(if let List(values) = value { Some(values.len()) } else { None })
    }

    fn tag(&self, value: &Tree) -> Option<u64> {
        self.integer(value).and_then(|tag| tag.try_into().ok())
    }

    fn integer(&self, value: &Tree) -> Option<i64> {
        if let Int(value) = value { Some(*value) } else { None }
    }

    fn float(&self, value: &Tree) -> Option<f64> {
        if let Float(value) = value { Some(*value) } else { None }
    }

    fn string(
        &self,
        value: &Tree,
        must_be_text: bool,
        write: impl FnOnce(&[u8]) -> Result<(), String>,
    ) -> Result<bool, String> {
        match value {
            Text(text) => write(text.as_bytes()).map(|()| true),
            Binary(bytes) if !must_be_text => write(bytes).map(|()| true),
            _ => Ok(false),
        }
    }

    fn reserve(writer: &mut Writer, bytes: usize) -> Result<(), String> {
        writer.try_reserve(bytes + 64).map_err(|error| error.to_string())
    }

    fn wrong(&self, message: &'static str) -> String {
        message.into()
    }
}

fn two(first: Tree, second: Tree) -> Box<(Tree, Tree)> {
    Box::new((first, second))
}

/// Returns the bytes of a value as hexadecimal digits, or the error.
fn write(value: &Tree) -> Result<String, String> {
    let (mut writer, mut open) = (Writer::new(), Vec::new());
    Output::new((Trees, Vec::new()), &mut writer, &mut open).all(value)?;
    let bytes = writer.finish().unwrap();
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "))
}

#[test]
fn the_wire_type_depends_on_the_value() {
    for (value, digits) in [
        (Null, "0a"),
        (Int(-5), "00 09"),
        (Int(1 << 62), "06 00 00 00 00 00 00 00 40"),
        (Digits("-12"), "11 06 01 03 03 2d 31 32"),
        (Float(-f64::NAN), "08 00 00 00 00 00 00 f8 7f"),
        (Binary(b"\xff"), "21 04 01 03 01 ff"),
        (List(vec![Int(1), List(vec![])]), "05 06 02 00 02 05 01 00"),
        (Map(vec![Text("a"), Int(2)]), "07 06 01 03 01 61 00 04"),
        (Tagged(two(Text("!a"), Int(1))), "f1 01 07 02 03 02 21 61 00 02"),
        (Tagged(two(Text("!a"), List(vec![]))), "f1 01 08 02 03 02 21 61 05 01 00"),
        // Inside an object that describes a block, bytes need no tag.
        (Block(WireType::Tuple, two(Int(3), List(vec![Binary(b"\xff")]))), "31 04 01 03 01 ff"),
        (Block(WireType::Assoc, two(Int(0), List(vec![Int(1), Null]))), "07 04 01 00 02 0a"),
        (Primitive("bits8", two(Int(1), Int(255))), "12 ff"),
        (Primitive("bits32", two(Int(0), Int(-1))), "04 ff ff ff ff"),
        (Primitive("long", two(Int(0), Int(1))), "06 01 00 00 00 00 00 00 00"),
        (Primitive("vint", two(Int(1), Int(1))), "10 02"),
        (Primitive("float", two(Int(0), Float(1.5))), "08 00 00 00 00 00 00 f8 3f"),
        (Primitive("bytes", two(Int(1), Binary(b"\xff"))), "13 01 ff"),
    ] {
        assert_eq!(write(&value).as_deref(), Ok(digits), "{value:?}");
    }
}

#[test]
fn wrong_objects_are_errors_of_the_host() {
    let inner = || Tagged(two(Text("!b"), List(vec![])));
    let block = |tag, elements| Block(WireType::Assoc, two(tag, elements));
    for (value, words) in [
        (Tagged(two(Null, Int(1))), "tagged"),
        (Tagged(two(Binary(b"!a"), List(vec![]))), "tagged"),
        (Tagged(two(Text("!a"), inner())), "tagged"),
        (Block(WireType::Tuple, two(Int(0), List(vec![inner()]))), "tagged"),
        (block(Int(0), List(vec![Int(1)])), "elements"),
        (block(Int(0), Int(1)), "elements"),
        (block(Int(-1), List(vec![])), "tag"),
        (block(Int(1 << 59), List(vec![])), "tag"),
        (Primitive("bits8", two(Int(0), Int(256))), "primitive"),
        (Primitive("bits32", two(Int(0), Int(1 << 31))), "primitive"),
        (Primitive("other", two(Int(0), Int(1))), "primitive"),
        (Primitive("bytes", two(Int(0), Int(1))), "primitive"),
    ] {
        assert_eq!(write(&value), Err(words.into()), "{value:?}");
    }
    assert!(write(&Endless).is_err_and(|error| error.contains("contains itself")));
}

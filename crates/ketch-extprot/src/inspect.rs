//! Prints a stream as an annotated tree with all offsets, in constant memory.

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::schema::{Schema, Sum, Type, TypeId};
use crate::text::{Signed, exact_float, quoted};
use crate::wire::{StreamTokens, Token, TokenKind, WireType};
use std::io::{self, Read, Write};

/// The number of values and bytes that [`inspect`] read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspected {
    /// The number of complete top-level values.
    pub messages: u64,
    /// The number of their bytes.
    pub bytes: u64,
}

/// The options of [`inspect`].
#[derive(Clone, Debug)]
pub struct InspectOptions {
    /// The maximum number of bytes shown of each string. Default: 60.
    pub string_bytes_max: usize,
    /// The limits of reading. Raise `depth` for input that is nested more than 10,000 levels deep.
    pub limits: Limits,
}

impl Default for InspectOptions {
    fn default() -> InspectOptions {
        InspectOptions { string_bytes_max: 60, limits: Limits::default() }
    }
}

/// Prints every value of `input` as a tree. Each node has a line with its offset in bytes, its wire type,
/// its tag if that is not 0, and its value. Memory use does not grow with the input.
///
/// # Errors
/// Fails if the data is corrupt, after printing everything before that point, or if `input` or `output`
/// fails.
///
/// ```
/// let bytes = [0x01, 0x08, 0x02, 0x00, 0x02, 0x03, 0x03, 0x41, 0x6e, 0x6e];
/// let mut text = Vec::new();
/// let seen = ketch_extprot::inspect(&bytes[..], &mut text, &Default::default())?;
/// assert_eq!(seen.messages, 1);
/// let text = String::from_utf8(text).unwrap();
/// let lines: Vec<&str> = text.lines().collect();
/// assert_eq!(lines[0], "       0  Tuple, 2 elements, 8 bytes");
/// assert_eq!(lines[2], r#"       5    Bytes, 3 bytes "Ann""#);
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
pub fn inspect(
    input: impl Read,
    output: impl Write,
    options: &InspectOptions,
) -> Result<Inspected> {
    dissect(input, output, options, None)
}

/// Prints data like [`inspect`], with the names of fields, constructors and cases from a schema.
/// Data that does not match the schema is printed without names.
///
/// ```
/// use ketch_extprot::schema::{NoLoader, check_schema};
/// let text = "type colour = Red | Black message m = { id : int; c : colour }";
/// let schema = check_schema("a.proto", text, &mut NoLoader).unwrap();
/// let m = schema.lookup("m").unwrap();
/// let mut out = Vec::new();
/// let bytes = [0x01, 0x04, 0x02, 0x00, 0x02, 0x1a];
/// ketch_extprot::inspect_typed(&schema, m, &bytes[..], &mut out, &Default::default())?;
/// let out = String::from_utf8(out).unwrap();
/// assert!(out.contains("3    id: Vint 1") && out.contains("5    c: Enum tag 1 Black"), "{out}");
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
pub fn inspect_typed(
    schema: &Schema,
    message: TypeId,
    input: impl Read,
    output: impl Write,
    options: &InspectOptions,
) -> Result<Inspected> {
    dissect(input, output, options, Some(Names { schema, message, open: Vec::new() }))
}

/// The names, from a schema, of the parts of all open blocks.
struct Names<'s> {
    schema: &'s Schema,
    message: TypeId,
    open: Vec<Parts>,
}

/// The names and types of the parts of an open block.
struct Parts {
    parts: Vec<(String, TypeId)>,
    /// Whether all elements have the name and type of the only part, as in a list.
    repeated: bool,
    next: usize,
}

impl Names<'_> {
    /// Returns the name and the type of the next part. The name is empty if the part has none; the type
    /// is `None` if the schema does not describe the part.
    fn next(&mut self) -> (String, Option<TypeId>) {
        match self.open.last_mut() {
            None => (String::new(), Some(self.message)),
            Some(block) => {
                let index = if block.repeated { 0 } else { block.next };
                block.next += 1;
                match block.parts.get(index) {
                    Some((name, ty)) => (name.clone(), Some(*ty)),
                    None => (String::new(), None),
                }
            }
        }
    }

    /// Returns the name of the constructor or case of `token`, whose type is `ty`, or an empty string if
    /// it has none. If the token starts a block, adds the names of the block's parts to `open`.
    fn note(&mut self, ty: Option<TypeId>, token: Token<u64>) -> String {
        let ty = ty.map(|id| (id, self.schema.get(id)));
        let at = usize::try_from(token.tag).unwrap_or(usize::MAX);
        let constructor = |sum: &Sum, list: &[u32]| {
            list.get(at).map(|index| sum.constructors[*index as usize].clone())
        };
        match (token.kind, ty) {
            (TokenKind::Enum, Some((_, Type::Sum(sum)))) => {
                constructor(sum, &sum.constants).map(|c| c.name).unwrap_or_default()
            }
            (TokenKind::Begin(wire_type, _), ty) => {
                let unnamed = |types: &[TypeId]| -> Vec<(String, TypeId)> {
                    types.iter().map(|ty| (String::new(), *ty)).collect()
                };
                let (note, parts, repeated) = match (wire_type, ty) {
                    (WireType::Htuple, Some((_, Type::List(e) | Type::Array(e)))) => {
                        (String::new(), unnamed(&[*e]), true)
                    }
                    (WireType::Tuple, Some((_, Type::Tuple(types)))) => {
                        (String::new(), unnamed(types), false)
                    }
                    (WireType::Tuple, Some((_, Type::Sum(sum)))) => {
                        match constructor(sum, &sum.non_constants) {
                            Some(c) => (c.name, unnamed(&c.arguments), false),
                            None => Default::default(),
                        }
                    }
                    (WireType::Tuple, Some((_, Type::Message(m)))) => match m.cases.get(at) {
                        Some(case) if !m.subset => {
                            let fields = case.fields.iter().map(|f| (f.name.clone(), f.ty));
                            (case.module.clone(), fields.collect(), false)
                        }
                        _ => Default::default(),
                    },
                    (WireType::Tuple, Some((id, Type::Primitive(..)))) => {
                        (String::new(), unnamed(&[id]), false)
                    }
                    _ => Default::default(),
                };
                self.open.push(Parts { parts, repeated, next: 0 });
                note
            }
            _ => String::new(),
        }
    }
}

/// Prints the tokens of `input`, with the names from a schema if `names` is given.
fn dissect(
    input: impl Read,
    mut output: impl Write,
    options: &InspectOptions,
    mut names: Option<Names<'_>>,
) -> Result<Inspected> {
    let mut tokens = StreamTokens::new(input, options.limits.clone());
    let mut seen = Inspected::default();
    let mut line = String::new();
    loop {
        let depth = tokens.depth();
        let step = tokens.next_token()?;
        let Some(token) = step else {
            return Ok(seen);
        };
        if !matches!(token.kind, TokenKind::End(_)) {
            line.clear();
            indent(&mut line, token.offset_bytes, depth);
            let (name, ty) = names.as_mut().map(Names::next).unwrap_or_default();
            if !name.is_empty() {
                line.push_str(&name);
                line.push_str(": ");
            }
            describe(&mut line, token, tokens.block_bytes());
            let note = names.as_mut().map(|names| names.note(ty, token)).unwrap_or_default();
            if !note.is_empty() {
                line.push(' ');
                line.push_str(&note);
            }
            if let TokenKind::Bytes(length) = token.kind {
                excerpt(&mut line, &mut tokens, length, options.string_bytes_max)?;
            }
            line.push('\n');
            write(&mut output, &line)?;
        } else if let Some(names) = &mut names {
            names.open.pop();
        }
        if tokens.depth() == 0 {
            seen.messages += 1;
            seen.bytes = tokens.offset_bytes();
        }
    }
}

/// Writes `line` to `output`.
fn write(output: &mut impl Write, line: &str) -> Result<(), Error> {
    let result: io::Result<()> = output.write_all(line.as_bytes());
    result.map_err(Error::from)
}

/// The maximum number of levels that are shown by indentation. Deeper lines show their depth as a number
/// instead, so that the output grows linearly with the input.
const INDENT_MAX: usize = 40;

/// Starts `line` with the offset of a token, and with the indentation for its depth.
fn indent(line: &mut String, offset: u64, depth: usize) {
    use std::fmt::Write;
    let _ = write!(line, "{offset:8}  {:1$}", "", 2 * depth.min(INDENT_MAX));
    if depth > INDENT_MAX {
        let _ = write!(line, "({depth}) ");
    }
}

/// Appends the description of `token` to `line`. For a block, `block_bytes` is the number of bytes after
/// its count.
fn describe(line: &mut String, token: Token<u64>, block_bytes: Option<u64>) {
    use std::fmt::Write;
    let tag = token.tag;
    let (wire_type, text) = match token.kind {
        TokenKind::Vint(n) => (WireType::Vint, format!(" {n}")),
        TokenKind::Bits8(n) => (WireType::Bits8, format!(" {n} (0x{n:02x})")),
        TokenKind::Bits32(n) => (WireType::Bits32, format!(" {}", Signed(n.into(), "l"))),
        TokenKind::Bits64Long(n) => (WireType::Bits64Long, format!(" {n}")),
        TokenKind::Bits64Float(x) => (WireType::Bits64Float, format!(" {}", exact_float(x))),
        TokenKind::Enum => (WireType::Enum, String::new()),
        TokenKind::Bytes(length) => (WireType::Bytes, format!(", {}", plural(length, "byte"))),
        TokenKind::Begin(wire_type, count) => {
            let count_bytes = crate::wire::vint::length(count) as u64;
            let noun = if wire_type == WireType::Assoc { "pair" } else { "element" };
            let length = plural(block_bytes.unwrap_or(0) + count_bytes, "byte");
            (wire_type, format!(", {}, {length}", plural(count, noun)))
        }
        TokenKind::End(wire_type) => (wire_type, String::new()),
    };
    let _ = write!(line, "{wire_type}");
    if tag != 0 || wire_type == WireType::Enum {
        let _ = write!(line, " tag {tag}");
    }
    line.push_str(&text);
}

/// Returns the number `n` with `noun`, as in `2 bytes`.
fn plural(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Appends the start of the string whose token was just read to `line`. The string has `length` bytes, of
/// which at most `max` are shown.
fn excerpt<R: Read>(
    line: &mut String,
    tokens: &mut StreamTokens<R>,
    length: u64,
    max: usize,
) -> Result<()> {
    let mut shown = Vec::new();
    while shown.len() < max {
        let Some(chunk) = tokens.chunk()? else { break };
        shown.extend_from_slice(&chunk[..chunk.len().min(max - shown.len())]);
    }
    line.push(' ');
    line.push_str(&quoted(&shown));
    if (shown.len() as u64) < length {
        line.push_str(" ...");
    }
    // The next token would skip the rest anyway. Reading it here reports an error in it before the
    // line is printed.
    while tokens.chunk()?.is_some() {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream of equal messages, which are produced as they are read. `left` is the number of messages
    /// that remain.
    struct Endless {
        message: Vec<u8>,
        left: u64,
        position: usize,
    }

    impl Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            if self.left == 0 {
                return Ok(0);
            }
            let rest = &self.message[self.position..];
            let n = rest.len().min(out.len());
            out[..n].copy_from_slice(&rest[..n]);
            self.position += n;
            if self.position == self.message.len() {
                self.position = 0;
                self.left -= 1;
            }
            Ok(n)
        }
    }

    #[test]
    fn every_message_is_counted() {
        let message = vec![0x11, 0x05, 0x02, 0x00, 0x02, 0x02, 0x01];
        let stream = Endless { message, left: 10_000, position: 0 };
        let seen = inspect(stream, io::sink(), &InspectOptions::default()).unwrap();
        assert_eq!(seen, Inspected { messages: 10_000, bytes: 70_000 });
    }

    #[test]
    fn floats_are_short_and_exact() {
        let mut bytes = Vec::new();
        let payload = f64::from_bits(0x7ff8_0000_0000_0001);
        let floats = [0.1, 0.1 + 0.2, 1.0, -0.0, 5e-324, 1e300, f64::NAN, payload, -f64::INFINITY];
        for x in floats {
            bytes.push(8);
            bytes.extend_from_slice(&f64::to_le_bytes(x));
        }
        let mut text = Vec::new();
        inspect(&bytes[..], &mut text, &InspectOptions::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let shown: Vec<&str> =
            text.lines().map(|line| line.split_once("Bits64_float ").unwrap().1).collect();
        let expected = [
            "0.1",
            "0.30000000000000004",
            "1.0",
            "-0.0",
            "5e-324",
            "1e300",
            "nan",
            "nan (0x7ff8000000000001)",
            "-inf",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn corrupt_data_is_printed_up_to_the_error() {
        let mut text = Vec::new();
        let bytes = [0x01, 0x03, 0x01, 0x00, 0x02, 0x01, 0x03, 0x01, 0x03, 0x7f];
        let error = inspect(&bytes[..], &mut text, &InspectOptions::default()).unwrap_err();
        assert_eq!(error.offset_bytes(), Some(10));
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count(), 3, "{text}");
    }
}

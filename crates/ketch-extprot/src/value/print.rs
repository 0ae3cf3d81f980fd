//! Prints values in the notations of specification 14, as the inspector of the reference
//! implementation does.

use super::{Value, ValueRef};
use crate::text::{Float, Signed, quoted};
use crate::wire::{TokenKind, WireType};
use std::fmt::{self, Write};

/// Writes the short form, on one line: `{ 1; "Ann"; [ T3; 0x2A ] }`.
///
/// 64-bit integers have the suffix `L`, and 32-bit integers `l`. The reference implementation
/// writes the suffix twice by mistake.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self.root(), f, short)
    }
}

impl Value<'_> {
    /// Returns the verbose form, on one line: `T0 { Vint_0 1; B_0 "Ann" }`.
    pub fn to_verbose_string(&self) -> String {
        Verbose(self.root()).to_string()
    }
}

struct Verbose<'v>(ValueRef<'v>);

impl fmt::Display for Verbose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self.0, f, verbose)
    }
}

type Open = fn(ValueRef<'_>, &mut dyn Write) -> fmt::Result;

/// Writes a value and its descendants. `open` writes scalars and the starts of blocks.
fn print(root: ValueRef<'_>, out: &mut dyn Write, open: Open) -> fmt::Result {
    // One frame for each open block: the block, its remaining children, and the number of its
    // children that were already printed.
    let mut frames = vec![];
    open(root, out)?;
    if root.wire_type().is_block() {
        frames.push((root, root.children(), 0usize));
    }
    while let Some((block, children, printed)) = frames.last_mut() {
        let Some(child) = children.next() else {
            let close = if block.wire_type() == WireType::Tuple { " }" } else { " ]" };
            out.write_str(if *printed == 0 { " " } else { "" })?;
            out.write_str(close)?;
            frames.pop();
            continue;
        };
        // The reference implementation does not separate a key from its value.
        let joined = block.wire_type() == WireType::Assoc && *printed % 2 == 1;
        out.write_str(match *printed {
            0 => " ",
            _ if joined => "",
            _ => "; ",
        })?;
        *printed += 1;
        open(child, out)?;
        if child.wire_type().is_block() {
            frames.push((child, child.children(), 0));
        }
    }
    Ok(())
}

/// Writes the start of a block, or a whole scalar, in the short form.
fn short(value: ValueRef<'_>, out: &mut dyn Write) -> fmt::Result {
    let tag = value.tag();
    match value.kind() {
        TokenKind::Enum => write!(out, "T{tag}"),
        // As in the reference implementation, the tag of an Assoc follows the letter.
        TokenKind::Begin(WireType::Assoc, _) if tag == 0 => out.write_str("A ["),
        TokenKind::Begin(WireType::Assoc, _) => write!(out, "A{tag} ["),
        TokenKind::Begin(block, _) => {
            if tag != 0 {
                write!(out, "T{tag} ")?;
            }
            out.write_str(if block == WireType::Tuple { "{" } else { "[" })
        }
        TokenKind::End(_) => Ok(()),
        _ if tag != 0 => verbose(value, out),
        TokenKind::Vint(n) => write!(out, "{}", Signed(n, "")),
        TokenKind::Bits8(n) => write!(out, "0x{n:X}"),
        TokenKind::Bits32(n) => write!(out, "{}", Signed(n.into(), "l")),
        TokenKind::Bits64Long(n) => write!(out, "{}", Signed(n, "L")),
        TokenKind::Bits64Float(x) => write!(out, "{}", Float(x)),
        TokenKind::Bytes(bytes) => out.write_str(&quoted(bytes)),
    }
}

/// Writes the start of a block, or a whole scalar, in the verbose form.
fn verbose(value: ValueRef<'_>, out: &mut dyn Write) -> fmt::Result {
    let tag = value.tag();
    match value.kind() {
        TokenKind::Vint(n) => write!(out, "Vint_{tag} {}", Signed(n, "")),
        TokenKind::Bits8(n) => write!(out, "I8_{tag} {n:X}"),
        TokenKind::Bits32(n) => write!(out, "I32_{tag} {}", Signed(n.into(), "l")),
        TokenKind::Bits64Long(n) => write!(out, "I64_{tag} {}", Signed(n, "L")),
        TokenKind::Bits64Float(x) => write!(out, "Fl_{tag} {}", Float(x)),
        TokenKind::Enum => write!(out, "Enum_{tag}"),
        TokenKind::Bytes(bytes) => write!(out, "B_{tag} {}", quoted(bytes)),
        TokenKind::Begin(WireType::Tuple, _) => write!(out, "T{tag} {{"),
        TokenKind::Begin(WireType::Assoc, _) => write!(out, "A{tag} ["),
        TokenKind::Begin(..) => write!(out, "T{tag} ["),
        TokenKind::End(_) => Ok(()),
    }
}

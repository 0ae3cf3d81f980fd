//! The content of the dialect's scalars.
//!
//! Most are slices of the text, and their events are those that YAML 1.2 has. The others are marked
//! in the second word of their events: in place of the indentation, which scalars in these styles do
//! not have in YAML 1.2, plain and quoted ones have a code there; block scalars have a flag.

use super::text::Text;
use super::token::{ScalarToken, Style};
use super::{block, plain, quoted};
use crate::event::{Event, EventKind, Flags, INDENT_MAX};

/// How plain and quoted scalars are decoded: the second word's indentation.
const PLAIN: u32 = 1;
const TRIMMED: u32 = 2;
const SINGLE: u32 = 3;
const DOUBLE: u32 = 4;
const BAD_ALIAS: u32 = 5;

/// Whether a block scalar's event is one of the dialect.
const DIALECT: Flags = Flags::ESCAPES;
const BEFORE_MARKER: Flags = Flags::MULTILINE;

/// The code of a scalar, or a block scalar's indentation; `None` if there is no room for it.
pub(super) fn extra(kind: EventKind, scalar: ScalarToken) -> Option<u32> {
    let extra = match (kind, scalar.style) {
        (EventKind::Literal | EventKind::Folded, _) => scalar.indent,
        (_, Style::Plain) if scalar.is_trimmed => TRIMMED,
        (_, Style::Plain) => PLAIN,
        (_, Style::SingleQuoted) => SINGLE,
        (_, Style::DoubleQuoted) => DOUBLE,
        (_, Style::Literal | Style::Folded) => return None,
    };
    (extra <= INDENT_MAX).then_some(extra)
}

/// The flags of a scalar that is decoded.
pub(super) fn flags(scalar: ScalarToken) -> Flags {
    match scalar.before_marker {
        true => DIALECT.with(BEFORE_MARKER),
        false => DIALECT,
    }
}

/// Whether a scalar that is a slice of the text is written as YAML 1.2 would write it, so that it
/// can be copied.
pub(super) fn is_usual(kind: EventKind, bytes: &[u8]) -> bool {
    if kind != EventKind::Plain {
        return bytes.iter().all(|&byte| byte >= b' ' && byte != 0x7F);
    }
    if matches!(bytes, b"<<" | b"=" | b"~" | b"") {
        return true;
    }
    let is_usual = |&byte: &u8| {
        byte > b' ' && byte < 0x7F && !matches!(byte, b',' | b'[' | b']' | b'{' | b'}' | b'#')
            || byte == b' '
    };
    let starts = match bytes {
        [first, ..] if first.is_ascii_alphanumeric() => true,
        [b'-' | b'+' | b'/' | b'.' | b'_', second, ..] => second.is_ascii_alphanumeric(),
        _ => false,
    };
    starts && bytes.last() != Some(&b':') && bytes.iter().all(is_usual)
}

/// The event of a scalar whose type is implicit although it is quoted: a plain one.
pub(super) fn implicit(event: &Event) -> Event {
    let code = match event.kind {
        EventKind::SingleQuoted => SINGLE,
        EventKind::DoubleQuoted => DOUBLE,
        _ => return *event,
    };
    Event { kind: EventKind::Plain, flags: DIALECT, indent: code, ..*event }
}

/// The event of an alias that refers to nothing: a scalar with its name.
pub(super) fn bad_alias(event: &Event) -> Event {
    Event { kind: EventKind::Plain, flags: DIALECT, indent: BAD_ALIAS, ..*event }
}

/// Appends the content of a scalar of the dialect; false if `event` is none.
pub(crate) fn decode(text: &[u8], event: &Event, out: &mut Vec<u8>) -> bool {
    let bytes = &text[event.range()];
    let floor = out.len();
    match event.kind {
        EventKind::Literal | EventKind::Folded if event.flags.has(DIALECT) => {
            let before_marker = event.flags.has(BEFORE_MARKER);
            block::decode(bytes, i64::from(event.indent), before_marker, out);
            return true;
        }
        EventKind::Plain | EventKind::SingleQuoted | EventKind::DoubleQuoted => {}
        _ => return false,
    }
    match event.indent {
        PLAIN => plain::decode(bytes, false, out),
        TRIMMED => plain::decode(bytes, true, out),
        SINGLE => drop(quoted::single(Text(bytes), 1, out)),
        DOUBLE => {
            quoted::double(Text(bytes), 1, out);
            make_utf8(out, floor);
        }
        BAD_ALIAS => out.extend_from_slice(&bytes[1..]),
        _ => return false,
    }
    true
}

/// Makes the bytes from `floor` on UTF-8: escapes such as `\xE9` may have made them something else,
/// and count as Latin-1 then.
fn make_utf8(out: &mut Vec<u8>, floor: usize) {
    if std::str::from_utf8(&out[floor..]).is_ok() {
        return;
    }
    let bytes = out.split_off(floor);
    for chunk in bytes.utf8_chunks() {
        out.extend_from_slice(chunk.valid().as_bytes());
        for &byte in chunk.invalid() {
            let mut utf8 = [0; 4];
            out.extend_from_slice(char::from(byte).encode_utf8(&mut utf8).as_bytes());
        }
    }
}

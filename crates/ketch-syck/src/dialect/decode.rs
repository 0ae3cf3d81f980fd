//! Decoding the scalars of the dialect.
//!
//! Most scalars are slices of the text, and have the same events as in YAML 1.2. Other plain and
//! quoted scalars have a code in the second word of their event. It takes the place of the
//! indentation, which such scalars do not have in YAML 1.2. Other block scalars have a flag.

use super::text::Text;
use super::token::{ScalarToken, Style};
use super::{block, plain, quoted};
use ketch_yaml::internal::INDENT_MAX;
use ketch_yaml::{Event, EventKind, Flags};

/// The code of a plain scalar that is not verbatim.
const PLAIN: u32 = 1;
/// The code of a plain scalar whose final blanks are dropped.
const TRIMMED: u32 = 2;
/// The code of a single-quoted scalar.
const SINGLE: u32 = 3;
/// The code of a double-quoted scalar.
const DOUBLE: u32 = 4;
/// The code of the placeholder for an alias that refers to nothing.
const BAD_ALIAS: u32 = 5;

/// The flag of block scalars that are decoded by the rules of the dialect.
const DIALECT: Flags = Flags::ESCAPES;
/// The flag of block scalars that end before a document marker.
const BEFORE_MARKER: Flags = Flags::MULTILINE;

/// Returns the code of a scalar, or the indentation if it is a block scalar. Returns `None` if that
/// does not fit in an event.
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

/// Returns the flags of a scalar that has to be decoded.
pub(super) fn flags(scalar: ScalarToken) -> Flags {
    match scalar.before_marker {
        true => DIALECT.with(BEFORE_MARKER),
        false => DIALECT,
    }
}

/// Returns whether a scalar that is a slice of the text has the same content in YAML 1.2, so that
/// its text can be copied.
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

/// Turns the event of a quoted scalar whose type is determined by its text into the event of a
/// plain scalar.
pub(super) fn implicit(event: &Event) -> Event {
    let code = match event.kind {
        EventKind::SingleQuoted => SINGLE,
        EventKind::DoubleQuoted => DOUBLE,
        _ => return *event,
    };
    Event { kind: EventKind::Plain, flags: DIALECT, indent: code, ..*event }
}

/// Turns the event of an alias that refers to nothing into the event of a scalar that is its name.
pub(super) fn bad_alias(event: &Event) -> Event {
    Event { kind: EventKind::Plain, flags: DIALECT, indent: BAD_ALIAS, ..*event }
}

/// Appends the content of a scalar of the dialect to `out`. Returns false if the scalar is decoded
/// as in YAML 1.2.
pub(super) fn decode(text: &[u8], event: &Event, out: &mut Vec<u8>) -> bool {
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

/// Makes the bytes of `out` from the offset `floor` on valid UTF-8. Escapes such as `\xE9` may have
/// produced other bytes, which are read as Latin-1.
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

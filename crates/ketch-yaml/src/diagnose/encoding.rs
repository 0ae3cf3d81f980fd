//! Advice on bytes that are not text, and on characters that YAML forbids.

use super::advice::Advice;
use super::quote::code;

/// Advises on bytes that are not UTF-8, if they are probably text in a single-byte encoding.
pub(super) fn not_utf8(found: &[u8]) -> Option<Advice> {
    let (&byte, after) = found.split_first()?;
    let is_cut = after.first().is_none_or(|next| (0x80..0xC0).contains(next));
    if !(0xA0..).contains(&byte) || is_cut {
        return None;
    }
    let latin = code(&char::from(byte).to_string());
    let message = format!("the byte 0x{byte:02X} is not UTF-8; in ISO 8859-1 it is {latin}");
    let help = "Save the file as UTF-8, or convert it: `iconv -f ISO-8859-1 -t UTF-8`.";
    Some(Advice::new(message, "not UTF-8", help))
}

/// Advises on a control character.
pub(super) fn control(byte: u8) -> Advice {
    let name = match byte {
        0 => "a NUL byte",
        7 => "a BEL character",
        8 => "a backspace",
        0x0B => "a vertical tab",
        0x0C => "a form feed",
        0x1B => "an escape character, as in colour codes of a terminal,",
        0x7F => "a DEL character",
        _ => "a control character",
    };
    let message = format!("{name} (0x{byte:02X}) is not allowed in YAML").replace(", (", " (");
    let help = format!(
        "Delete it. If you need it, write `\\x{byte:02X}` in double quotes. A binary file is not YAML."
    );
    Advice::new(message, "delete this", help)
}

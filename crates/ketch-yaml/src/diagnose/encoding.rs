//! Advice on bytes that are not text, and on characters that YAML forbids.

use super::advice::Advice;
use super::quote::{code, indented};
use super::scene::{Line, Scene, cut};
use crate::problem::Problem;

/// Advises on a byte order mark or another blank than a space at the start of the line of the
/// error, or of the line above that was read as one text with it.
pub(super) fn misplaced(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let above = scene.related.map(|related| scene.line_at(related));
    let start = |line: Line<'_>| {
        let first = line.body().chars().next()?;
        let is_odd = first == '\u{feff}' && scene.base + line.start as u64 > 0;
        (is_odd || first.is_whitespace()).then_some(first)
    };
    let deeper = scene.lines_above(line.start).find(|above| above.indent() < line.indent());
    let deeper = deeper.filter(|_| scene.problem == Problem::BadIndentation);
    let mut near = std::iter::once(line).chain(above).chain(deeper);
    let odd = near.find_map(|line| Some((line, start(line)?)));
    let (line, found) = odd?;
    let is_blank = |ch: char| ch == '\u{feff}' || ch.is_whitespace();
    let text = line.text.trim_start_matches(is_blank);
    let blanks = cut(line.text, ..line.text.len() - text.len()).chars();
    let rest = indented(blanks.filter(|&ch| ch != '\u{feff}').count(), text);
    let number = scene.number(line.start);
    let (message, help) = match found {
        '\u{feff}' => (
            "a byte order mark inside the stream".to_owned(),
            format!("Delete the character U+FEFF at the start of line {number}: {}.", code(&rest)),
        ),
        found => (
            format!("the indentation has U+{:04X} in it, which is not a space", found as u32),
            format!("Write spaces instead on line {number}: {}.", code(&rest)),
        ),
    };
    let (at, label) = (line.body_at(), "expected spaces or text");
    if at == scene.at {
        return Some(Advice::new(message, label, help));
    }
    let noticed = match scene.problem {
        Problem::BadIndentation => "does not fit below it",
        _ => "read as one text with it",
    };
    let advice = Advice::new(message, noticed, help);
    Some(advice.moved(scene, at, found.len_utf8(), label))
}

/// Advises on bytes that are not UTF-8, if they are probably text in a single-byte encoding.
pub(super) fn not_utf8(found: &[u8]) -> Option<Advice> {
    let (&byte, after) = found.split_first()?;
    if (0x80..0xA0).contains(&byte) {
        return Some(windows_1252(byte));
    }
    let is_cut = after.first().is_none_or(|next| (0x80..0xC0).contains(next));
    if is_cut {
        return None;
    }
    let latin = code(&char::from(byte).to_string());
    let message = format!("the byte 0x{byte:02X} is not UTF-8; in ISO 8859-1 it is {latin}");
    let help = "Save the file as UTF-8, or convert it: `iconv -f ISO-8859-1 -t UTF-8`.";
    Some(Advice::new(message, "not UTF-8", help))
}

/// Advises on a byte that is a control character in ISO 8859-1, but a character of text in
/// Windows-1252, such as a curly quote.
fn windows_1252(byte: u8) -> Advice {
    const CHARS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let found = CHARS.chars().nth(usize::from(byte - 0x80)).filter(|ch| !ch.is_control());
    let name = found.map(|ch| format!("; in Windows-1252 it is {}", code(&ch.to_string())));
    let message = format!("the byte 0x{byte:02X} is not UTF-8{}", name.unwrap_or_default());
    let help = "If the file is in Windows-1252, save it as UTF-8, or convert it: `iconv -f WINDOWS-1252 -t UTF-8`.";
    Advice::new(message, "not UTF-8", help)
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

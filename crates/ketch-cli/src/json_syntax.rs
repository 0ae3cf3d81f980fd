//! Finds out whether a text is JSON and, if not, what is wrong. The YAML engine, which reads JSON,
//! accepts much more.

mod repairs;
mod structure;

use crate::diagnostic::Diagnostic;
use ketch_bytes::encoding::Encoding;
use ketch_yaml::{Location, Parser};
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Error};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// What a text contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// A single JSON text, as a file `.json`.
    One,
    /// Any number of JSON texts.
    Many,
}

/// What is wrong with a text that is not JSON.
#[derive(Debug)]
pub struct NotJson {
    range: Range<usize>,
    pub message: String,
    help: String,
    /// Whether the engine may know better which mistake it is.
    pub is_general: bool,
    /// Whether it is a comment or a comma at the end, which some programs accept.
    is_extension: bool,
}

impl NotJson {
    fn new(range: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> NotJson {
        let (message, help) = (message.into(), help.into());
        NotJson { range, message, help, is_general: false, is_extension: false }
    }

    fn extension(self) -> NotJson {
        NotJson { is_extension: true, ..self }
    }

    fn general(self) -> NotJson {
        NotJson { is_general: true, ..self }
    }

    /// Returns the diagnostic for `file`, whose text is `text`.
    pub fn diagnostic(self, file: &str, text: &[u8]) -> Diagnostic {
        let mut diagnostic = Diagnostic::sentence(file, "NotJson", "syntax", self.message);
        let Range { start, end } = self.range;
        diagnostic.location = Some(Location::in_text(text, start as u64, (end - start).max(1)));
        let is_json = text.trim_ascii_start().first().is_some_and(|byte| b"{[\"'/".contains(byte));
        let way = match () {
            () if self.is_extension && is_extended(file) => {
                " The program that reads this file accepts it, although it is not JSON."
            }
            () if !is_json && is_yaml(text) => " With `--from yaml`, the file is YAML.",
            () => "",
        };
        diagnostic.help = Some(format!("{}{way}", self.help));
        diagnostic
    }
}

/// Returns whether the program that reads the file `path` accepts comments and commas at the end.
fn is_extended(path: &str) -> bool {
    const NAMES: [&str; 4] =
        ["jsconfig.json", ".eslintrc.json", "devcontainer.json", ".devcontainer.json"];
    let path = Path::new(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name);
    NAMES.contains(&&*name)
        || name.starts_with("tsconfig") && name.ends_with(".json")
        || name.ends_with(".code-workspace")
        || folder.is_some_and(|folder| folder == ".vscode")
}

/// Returns whether `text` is YAML.
fn is_yaml(text: &[u8]) -> bool {
    let mut parser = Parser::new(text);
    loop {
        match parser.next_chunk() {
            Ok(Some(_)) => {}
            end => return end.is_ok(),
        }
    }
}

/// Returns `bytes` in UTF-8.
pub fn as_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::detect(bytes).0 {
        Encoding::Utf8 => bytes.into(),
        _ => Parser::new(bytes).text().to_vec().into(),
    }
}

/// Fails if `text`, which is UTF-8, is not JSON. It takes no stack for nested values.
pub fn check(text: &[u8], texts: Texts) -> Result<(), NotJson> {
    let mark = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let json = &text[mark..];
    let moved = |mut wrong: NotJson| {
        wrong.range = wrong.range.start + mark..wrong.range.end + mark;
        wrong
    };
    if texts == Texts::Many {
        let mut all = Deserializer::from_slice(json).into_iter::<IgnoredAny>();
        let wrong = all.find_map(Result::err);
        return wrong.map_or(Ok(()), |error| Err(moved(reason(json, &error, false))));
    }
    let mut reader = Deserializer::from_slice(json);
    let first = serde::Deserialize::deserialize(&mut reader).map(|IgnoredAny| ());
    first.map_err(|error| moved(reason(json, &error, false)))?;
    reader.end().map_err(|error| moved(reason(json, &error, true)))
}

/// Returns what is wrong with a text of `len` bytes that ends too early.
fn at_end(len: usize) -> NotJson {
    match len {
        0 => NotJson::new(0..0, "there is no JSON text", "An empty object is `{}`."),
        _ => {
            let help = "Close the brackets and quotes that are open.";
            NotJson::new(len - 1..len, "the JSON text has no end", help).general()
        }
    }
}

/// Returns what is wrong in `text` where reading it ended with `error`. `is_after` says that this is
/// after a whole JSON text.
fn reason(text: &[u8], error: &Error, is_after: bool) -> NotJson {
    if error.is_eof() {
        return at_end(text.trim_ascii_end().len());
    }
    // The offset of a character that must be escaped is that of the one before it.
    let said = error.to_string();
    let is_raw = said.starts_with("control character");
    let at = (offset(text, error) + usize::from(is_raw)).min(text.len().saturating_sub(1));
    let found = text.get(at).copied().unwrap_or_default();
    if is_raw {
        return of_control(text, at, found);
    }
    let structure = || {
        let (range, message, help) = structure::wrong(text, at, &said)?;
        Some(NotJson::new(range, message, help))
    };
    let wrong = of_byte(text, at, found).or_else(structure);
    wrong.unwrap_or_else(|| of_word(text, at, is_after))
}

/// Returns what is wrong with the control character `found` in a text.
fn of_control(text: &[u8], at: usize, found: u8) -> NotJson {
    let here = at..at + 1;
    if found == b'\t' {
        let help = repairs::line(text, here.clone(), "\\t", "Write `\\t` for the tab");
        return NotJson::new(here, "a text in JSON has no tabs", help);
    }
    if !matches!(found, b'\n' | b'\r') {
        let help = format!("Delete it, or write `\\u{found:04x}`.");
        return NotJson::new(here, "a text in JSON has no control characters", help);
    }
    match repairs::closed(text, at) {
        Some((quote, help)) => NotJson::new(quote, "a text in quotes is not closed", help),
        None => {
            let help = repairs::one_line(text, at);
            NotJson::new(here, "a text in JSON has no line breaks", help)
        }
    }
}

/// Returns what is wrong with the byte `found`, if that says it.
fn of_byte(text: &[u8], at: usize, found: u8) -> Option<NotJson> {
    let before = text[..at].trim_ascii_end();
    let here = at..at + 1;
    Some(match found {
        b'}' | b']' if before.ends_with(b",") => {
            let comma = before.len() - 1..before.len();
            let help = repairs::line(text, comma.clone(), "", "Delete the comma");
            NotJson::new(comma, "JSON has no comma after the last entry", help).extension()
        }
        b'#' | b'/' => {
            let help = repairs::without_comment(text, at);
            NotJson::new(here, "JSON has no comments", help).extension()
        }
        b'\'' => {
            let help = repairs::double_quoted(text, at);
            NotJson::new(here, "JSON has no text in single quotes", help)
        }
        b'&' | b'*' => {
            let help = "Write the value in full wherever it is used.";
            NotJson::new(here, "JSON has no anchors and aliases", help)
        }
        b'!' => NotJson::new(here, "JSON has no tags", "Delete the tag."),
        _ if text[..at].ends_with(b"\\") => {
            NotJson::new(at - 1..at + 1, "JSON has no such escape", repairs::escaped(text, at))
        }
        _ => return None,
    })
}

/// Returns whether `byte` is part of a word.
fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b".+-_".contains(byte) || *byte > 127
}

/// Returns what is wrong with the word at the offset `at`. `is_after` is as for [`reason`].
fn of_word(text: &[u8], at: usize, is_after: bool) -> NotJson {
    // An incomplete number is noticed at the byte after it.
    let is_past = at > 0 && !is_part(&text[at]) && is_part(&text[at - 1]);
    let at = at - usize::from(is_past);
    let start = text[..at].iter().rposition(|byte| !is_part(byte)).map_or(0, |last| last + 1);
    let len = text[at..].iter().position(|byte| !is_part(byte)).unwrap_or(text.len() - at);
    let end = at + len;
    let word = String::from_utf8_lossy(&text[start..end.max(at + 1)]).into_owned();
    let range = start..end.max(at + 1);
    if let Some(help) = repairs::straight(text, &word, start) {
        return NotJson::new(range, "curly quotes are not quotes in JSON", help);
    }
    if let Some((quote, help)) = repairs::quotes_inside(text, start) {
        return NotJson::new(quote, "a `\"` inside double quotes ends the text", help);
    }
    let is_key = text[end..].trim_ascii_start().starts_with(b":") && end > start;
    let is_value = serde_json::from_str::<IgnoredAny>(&word).is_ok();
    let is_start = matches!(text[at], b'{' | b'[' | b'"');
    if is_after && (is_value || is_start) {
        let help = "Several values belong in an array, or in a file `.jsonl`.";
        return NotJson::new(range, "a JSON file has one value, and this is the second", help);
    }
    if is_key {
        let help = repairs::line(text, range.clone(), &format!("\"{word}\""), "Write the quotes");
        return NotJson::new(range, format!("the key `{word}` is not in double quotes"), help);
    }
    if is_value || is_start {
        let message = format!("expected a comma or a closing bracket, found `{word}`");
        return NotJson::new(range, message, "Write a comma between two entries.").general();
    }
    of_value(text, range, &word)
}

/// Returns what is wrong with `word` at `range`, which is no value of JSON.
fn of_value(text: &[u8], range: Range<usize>, word: &str) -> NotJson {
    let message = match word.as_bytes().first() {
        Some(b'-') if word.len() == 1 => {
            let help = "Write them in square brackets.";
            return NotJson::new(range, "JSON has no lists with `-`", help);
        }
        Some(b'0'..=b'9' | b'+' | b'.' | b'-') => format!("`{word}` is not a number in JSON"),
        _ => format!("expected a JSON value, found `{word}`"),
    };
    let is_word = is_part(&text[range.start]);
    let help = match is_word {
        true => repairs::value(text, range.clone(), word),
        false => "Write a value between two commas or brackets.".to_owned(),
    };
    let wrong = NotJson::new(range, message, help);
    if is_word { wrong } else { wrong.general() }
}

/// Returns the offset of the byte at which reading `text` ended with `error`.
fn offset(text: &[u8], error: &Error) -> usize {
    let lines = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    let start = [0].into_iter().chain(lines).nth(error.line().saturating_sub(1)).unwrap_or(0);
    start + error.column().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{Texts, check};

    #[test]
    fn what_is_wrong_is_named_where_it_is() {
        for (text, found, message) in [
            ("{\"a\": 1,}", ",", "JSON has no comma after the last entry"),
            ("[1,\n 2,\n]", ",", "JSON has no comma after the last entry"),
            ("{a: 1}", "a", "the key `a` is not in double quotes"),
            ("a: 1\n", "a", "the key `a` is not in double quotes"),
            ("'a'", "'", "JSON has no text in single quotes"),
            ("[NaN]", "NaN", "expected a JSON value, found `NaN`"),
            ("[01]", "01", "`01` is not a number in JSON"),
            ("{\"a\": 1.9.1}", "1.9.1", "`1.9.1` is not a number in JSON"),
            ("[+1]", "+1", "`+1` is not a number in JSON"),
            ("[.5]", ".5", "`.5` is not a number in JSON"),
            ("{\"a\": 1 // c\n}", "/", "JSON has no comments"),
            ("# c\n{}", "#", "JSON has no comments"),
            ("[\"a\tb\"]", "\t", "a text in JSON has no tabs"),
            ("[\"a\nb\"]", "\n", "a text in JSON has no line breaks"),
            ("[\"\\x41\"]", "\\x", "JSON has no such escape"),
            ("&a [*a]", "&", "JSON has no anchors and aliases"),
            ("[!x 1]", "!", "JSON has no tags"),
            ("- a\n", "-", "JSON has no lists with `-`"),
            ("{} {}", "{", "a JSON file has one value, and this is the second"),
            ("[1 2]", "2", "expected a comma or a closing bracket, found `2`"),
            ("[1", "1", "the JSON text has no end"),
            ("\n", "", "there is no JSON text"),
            ("\u{feff}[yes]", "yes", "expected a JSON value, found `yes`"),
        ] {
            let wrong = check(text.as_bytes(), Texts::One).expect_err(text);
            assert_eq!((&text[wrong.range], &*wrong.message), (found, message), "{text:?}");
        }
        for text in ["{}", " [1, -0.5e3, \"\\u00e9\\n\"] \n", "\u{feff}null"] {
            check(text.as_bytes(), Texts::One).expect(text);
        }
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        check(deep.as_bytes(), Texts::One).expect("an array");
    }

    #[test]
    fn some_files_may_have_comments() {
        for (name, is_accepted) in [
            ("tsconfig.json", true),
            ("a/tsconfig.build.json", true),
            (".vscode/settings.json", true),
            ("x.code-workspace", true),
            ("package.json", false),
            ("vscode/settings.json", false),
        ] {
            let text = b"{\"a\": 1,}";
            let wrong = check(text, Texts::One).expect_err(name);
            let help = wrong.diagnostic(name, text).help.unwrap_or_default();
            assert_eq!(help.contains("accepts it"), is_accepted, "{name}: {help}");
        }
    }

    #[test]
    fn a_stream_has_any_number_of_texts() {
        for text in ["", "{}\n[1]\n", "1 2", "\"a\"{}"] {
            check(text.as_bytes(), Texts::Many).expect(text);
        }
        let wrong = check(b"{}\n{a: 1}\n", Texts::Many).expect_err("not JSON");
        assert_eq!(wrong.range, 4..5);
    }
}

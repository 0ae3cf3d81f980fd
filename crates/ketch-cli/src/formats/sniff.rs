//! Guesses the format of an input without a name. YAML reads most such texts as one plain scalar, so
//! a command that converts them would give a single string.

use super::{delimited, properties, toml};
use crate::args::Origin;
use crate::json_syntax::as_utf8;
use ketch_yaml::{EventKind, Parser};

/// The number of lines that are examined.
const LINES_MAX: usize = 50;

/// Returns the format that an input seems to have that starts with `head`, if it is one that YAML
/// reads as a single plain scalar, or not at all. `is_whole` says that `head` is the whole input.
pub fn looks_like(head: &[u8], is_whole: bool) -> Option<Origin> {
    let head = as_utf8(head);
    let text = String::from_utf8_lossy(&head);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = match text.rfind('\n') {
        Some(end) if !is_whole => &text[..=end],
        _ => text,
    };
    if is_xml(text) {
        return Some(Origin::Xml);
    }
    if text.trim_start().starts_with(['{', '[']) && has_texts(text) {
        return Some(Origin::Json);
    }
    // Nearly all inputs are decided here.
    if has_collection(text) {
        return None;
    }
    let lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let lines = &lines[..lines.len().min(LINES_MAX)];
    let data = || lines.iter().filter(|line| !line.trim_start().starts_with('#'));
    if data().count() < 2 {
        return None;
    }
    if data().all(|line| is_assignment(line) || line.starts_with('[')) {
        return assignments(text, data());
    }
    table(lines)
}

/// Returns the format of `text`, whose lines of data are assignments and sections.
fn assignments<'t>(
    text: &str,
    mut data: impl Iterator<Item = &'t &'t str> + Clone,
) -> Option<Origin> {
    let has_sections = data.clone().any(|line| line.starts_with('['));
    let is_env = |line: &&str| {
        let name = line.strip_prefix("export ").unwrap_or(line).split('=').next().unwrap_or("");
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    if !has_sections && data.all(is_env) {
        return Some(Origin::Env);
    }
    if toml::convert(text).is_ok() {
        return Some(Origin::Toml);
    }
    (!has_sections && properties::convert(text).is_ok()).then_some(Origin::Properties)
}

/// Returns the format of `lines` if they are a table.
fn table(lines: &[&str]) -> Option<Origin> {
    let all_have = |delimiters: [char; 2]| lines.iter().all(|line| line.contains(delimiters));
    let is_table = |delimiter| delimited::convert(&lines.join("\n"), delimiter).is_ok();
    if all_have(['\t', '\t']) && is_table(b'\t') {
        return Some(Origin::Tsv);
    }
    (all_have([',', ';']) && is_table(b',')).then_some(Origin::Csv)
}

/// Returns whether the first node of `text` is a collection that the parser accepts up to its first
/// entry, or a scalar that is not plain.
fn has_collection(text: &str) -> bool {
    let mut parser = Parser::new(text.as_bytes());
    let mut first = None;
    while let Ok(Some(chunk)) = parser.next_chunk() {
        let is_node = |kind: EventKind| {
            kind.is_scalar()
                || kind == EventKind::Alias
                || matches!(kind, EventKind::MappingStart | EventKind::SequenceStart)
        };
        first =
            first.or_else(|| chunk.events().map(|event| event.kind).find(|kind| is_node(*kind)));
        if first.is_some_and(|kind| kind != EventKind::Plain) && !text.starts_with('[') {
            return true;
        }
    }
    // A header of TOML such as `[a]` is a sequence, but not followed by anything.
    first.is_some_and(|kind| kind != EventKind::Plain) && !text.lines().any(is_assignment)
}

/// Returns whether `text` starts with two JSON texts.
fn has_texts(text: &str) -> bool {
    let texts = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    texts.take(2).filter(Result::is_ok).count() == 2
}

fn is_xml(text: &str) -> bool {
    let text = text.trim_start();
    let named = |ch: char| ch.is_alphabetic() || matches!(ch, '?' | '!' | '_');
    text.strip_prefix('<').is_some_and(|rest| {
        rest.starts_with(named)
            && (rest.contains("</") || rest.contains("/>") || rest.starts_with('?'))
    })
}

/// Returns whether `line` is an assignment such as `a.b = c` or `export A=c`.
fn is_assignment(line: &str) -> bool {
    let Some((name, _)) = line.split_once('=') else { return false };
    let name = name.strip_prefix("export ").unwrap_or(name).trim();
    !name.is_empty() && name.chars().all(|ch| ch.is_alphanumeric() || "_-.\"'".contains(ch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_yaml_reads_as_one_scalar_are_found() {
        for (text, expected) in [
            ("id,name\n1,Ada\n", Origin::Csv),
            ("id;name\n1;Ada\n", Origin::Csv),
            ("id\tname\n1\tAda\n", Origin::Tsv),
            ("<?xml version=\"1.0\"?>\n<a/>\n", Origin::Xml),
            ("<a><b>c: d</b></a>", Origin::Xml),
            ("# c\nA=1\nexport B_2='x y'\n", Origin::Env),
            ("[package]\nname = \"a\"\n", Origin::Toml),
            ("a = 1\nb = [1, 2]\n", Origin::Toml),
            ("{\"a\": 1}\n{\"a\": 2}\n", Origin::Json),
            ("[1] [2]\n", Origin::Json),
            ("server.port=80\nserver.name=web app\n", Origin::Properties),
        ] {
            assert_eq!(looks_like(text.as_bytes(), true), Some(expected), "{text}");
        }
    }

    #[test]
    fn yaml_is_yaml() {
        for text in [
            "",
            "a: 1\n",
            "- a, b\n- c, d\n",
            "a, b\n",
            "one text\nover two lines\n",
            "[a]\n",
            "[a, b]\n",
            "{\"a\": 1}\n",
            "[1]\n---\n[2]\n",
            "{a: 1}\n",
            "# a=1\nb: c=d\n",
            "x=1\n",
            "\"a,b\nc,d\"\n",
            "<<: {a: 1}\n",
            "--- |\n a,b\n c,d\n",
            "<a>: 1\n",
            "Dear all,\nthis is text, with commas, in lines.\n",
            "a,b: 1\nc,d: 2\n",
        ] {
            assert_eq!(looks_like(text.as_bytes(), true), None, "{text}");
        }
    }
}

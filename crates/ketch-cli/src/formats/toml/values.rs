//! Repairs values that TOML does not have.

use std::borrow::Cow;
use toml::de::DeTable;

/// A value as it was probably meant.
pub struct Fixed {
    pub message: Cow<'static, str>,
    pub new: String,
    /// The offset of the mistake, if it is not where the repair starts.
    pub at: Option<usize>,
}

/// Returns whether `text` is TOML.
pub fn is_valid(text: &str) -> bool {
    DeTable::parse(text).is_ok()
}

/// Returns whether `value` is a value of TOML.
pub fn is_value(value: &str) -> bool {
    is_valid(&format!("x = {value}"))
}

/// Returns a value as it was probably meant, if it has a certain mistake.
type Repair = fn(&str) -> Option<String>;

/// The repairs of values, each with what is wrong. The first one that gives TOML is taken.
const REPAIRS: [(&str, Repair); 12] = [
    ("several keys in one value need braces", braces),
    ("a line of TOML does not end with a `,` or `;`", without_end),
    ("the booleans of TOML are `true` and `false`", boolean),
    ("curly quotes are not quotes in TOML", straight),
    ("the text starts and ends with different quotes", same_quotes),
    ("a text in quotes is not closed", closed),
    ("a text in simple quotes ends on its line", one_line),
    ("several values need brackets", list),
    ("the text contains the quotes around it", requoted),
    ("a `\\` in double quotes starts an escape, and this is none", requoted),
    ("this is not a number in TOML", number),
    ("the month and the day of a date have two digits each", date),
];

/// Returns the repair of `value`, if there is one. Anything else becomes text.
pub fn fixed(value: &str) -> Option<Fixed> {
    if is_value(value) {
        return None;
    }
    let at = None;
    let has_escape = value.starts_with('"') && quoted_end(value) == Some(value.len());
    for (message, repair) in REPAIRS {
        if message.starts_with("the text contains") && has_escape {
            continue;
        }
        if let Some(new) = repair(value).filter(|new| is_value(new)) {
            return Some(Fixed { message: message.into(), new, at });
        }
    }
    (!value.contains('\n') && !value.starts_with(['"', '\''])).then(|| Fixed {
        message: "a text needs quotes".into(),
        new: quoted(value),
        at,
    })
}

/// Returns `text` in the quotes in which it needs no escapes, if there are any.
pub fn quoted(text: &str) -> String {
    match text.contains(['"', '\\']) {
        false => format!("\"{text}\""),
        true if !text.contains('\'') => format!("'{text}'"),
        true => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// Returns `text` with straight quotes in place of curly ones, if it has any.
pub fn straight(text: &str) -> Option<String> {
    let new = text.replace(['\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}'], "\"");
    let new = new.replace(['\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'], "'");
    (new != text).then_some(new)
}

/// Returns the offset after the quote that closes the one at the start of `text`.
pub fn quoted_end(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|ch| "\"'".contains(*ch))?;
    let mut is_escaped = false;
    let mut rest = text.char_indices().skip(1);
    let end = rest.find(|&(_, ch)| {
        let is_end = ch == quote && !is_escaped;
        is_escaped = ch == '\\' && quote == '"' && !is_escaped;
        is_end
    });
    end.map(|(at, _)| at + 1)
}

fn braces(value: &str) -> Option<String> {
    (!value.contains('\n')).then(|| format!("{{ {value} }}"))
}

fn without_end(value: &str) -> Option<String> {
    let inner = value.strip_suffix([',', ';'])?.trim_end();
    match is_value(inner) {
        true => Some(inner.to_owned()),
        false => fixed(inner).map(|fixed| fixed.new),
    }
}

fn boolean(value: &str) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    match &*lower {
        "true" | "yes" | "on" => Some("true".to_owned()),
        "false" | "no" | "off" => Some("false".to_owned()),
        _ => None,
    }
}

/// Returns the text in quotes that are not the same at its start and its end.
fn same_quotes(value: &str) -> Option<String> {
    let inner = value.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    (value.chars().next() != value.chars().next_back() && !inner.contains(['"', '\'']))
        .then(|| quoted(inner))
}

fn closed(value: &str) -> Option<String> {
    let quote = value.chars().next().filter(|ch| "\"'".contains(*ch))?;
    let is_open = quoted_end(value).is_none() && !value.contains('\n');
    is_open.then(|| match value.ends_with('\\') {
        true => quoted(&value[1..]),
        false => format!("{value}{quote}"),
    })
}

/// Returns a text of several lines in simple quotes with an escape for each line break.
fn one_line(value: &str) -> Option<String> {
    let inner = value.strip_prefix(['"', '\''])?;
    let inner = inner.strip_suffix(value.chars().next()?)?;
    let lines: Vec<&str> = inner.lines().collect();
    (lines.len() > 1).then(|| format!("\"{}\"", lines.join("\\n")))
}

/// Returns texts that follow each other in brackets.
fn list(value: &str) -> Option<String> {
    let mut rest = value;
    let mut items = Vec::new();
    while !rest.is_empty() {
        let end = match quoted_end(rest) {
            Some(end) => end,
            None => rest.find(',').unwrap_or(rest.len()),
        };
        let item = rest[..end].trim();
        let is_apart = rest[end..].is_empty() || rest[end..].starts_with([' ', ',']);
        if !is_value(item) || !is_apart {
            return None;
        }
        items.push(item);
        rest = rest[end..].trim_start_matches([' ', ',']);
    }
    (items.len() > 1).then(|| format!("[{}]", items.join(", ")))
}

/// Returns a text in quotes, which contains these quotes or backslashes, in others.
fn requoted(value: &str) -> Option<String> {
    let quote = value.chars().next().filter(|ch| "\"'".contains(*ch))?;
    let rest = value[1..].strip_suffix(quote);
    let inner = rest.unwrap_or(&value[1..]);
    Some(match (rest, quote) {
        (None, _) => quoted(value),
        (_, '\'') => quoted(&inner.replace("''", "'").replace("\\'", "'")),
        _ => quoted(&inner.replace("\\\"", "\"").replace("\\\\", "\\")),
    })
}

fn number(value: &str) -> Option<String> {
    let (sign, digits) = value.split_at(value.len() - value.trim_start_matches(['+', '-']).len());
    let digits = digits.trim_end_matches(['f', 'F', 'L']);
    let plain = digits.replace(',', "");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    if !format!("{whole}{fraction}").bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = match (plain.contains('.'), fraction) {
        (false, _) => String::new(),
        (true, "") => ".0".to_owned(),
        (true, fraction) => format!(".{fraction}"),
    };
    Some(format!("{sign}{whole}{fraction}"))
}

fn date(value: &str) -> Option<String> {
    let (date, time) = value.split_at(value.find(['T', ' ']).unwrap_or(value.len()));
    let parts: Vec<&str> = date.split(['-', '/']).collect();
    match parts[..] {
        [year, month, day] if year.len() == 4 => {
            Some(format!("{year}-{month:0>2}-{day:0>2}{time}"))
        }
        _ => None,
    }
}

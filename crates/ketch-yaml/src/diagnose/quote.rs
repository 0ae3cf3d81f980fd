//! Putting text into quotes, and showing parts of the input in messages.

/// Returns `text` in the kind of quotes in which it needs the fewest escapes.
pub(super) fn quoted(text: &str) -> String {
    if !text.contains(['"', '\\']) {
        format!("\"{text}\"")
    } else if !text.contains('\'') {
        format!("'{text}'")
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

/// Returns `text` in quotes that can contain it. It was written in the quotes `quote`, although it
/// contains them.
pub(super) fn requoted(text: &str, quote: char) -> String {
    match quote {
        '\'' if has_only_unicode_escapes(text) => {
            format!("\"{}\"", escape_quotes(&text.replace("''", "'")))
        }
        '\'' => quoted(&text.replace("''", "'")),
        _ if !text.contains(['\'', '\\']) => format!("'{text}'"),
        _ => format!("\"{}\"", escape_quotes(text)),
    }
}

/// Returns `text`, which starts with a quoted part and contains templates, in quotes as a whole.
/// Those around its start and around templates are removed. Returns `None` if it is not such a text.
pub(super) fn joined(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|ch| "\"'".contains(*ch))?;
    let parts: Vec<&str> = text.split(quote).collect();
    let is_template = |part: &str| {
        ["{{", "<%"]
            .iter()
            .zip(["}}", "%>"])
            .any(|(open, close)| part.find(open).is_some_and(|at| part[at..].contains(close)))
    };
    if parts.len().is_multiple_of(2) || !parts.iter().any(|part| is_template(part)) {
        return None;
    }
    let mut all = String::new();
    for (index, part) in parts.into_iter().enumerate() {
        let mark = if index % 2 == 1 && index > 1 && !is_template(part) { &text[..1] } else { "" };
        all += &format!("{mark}{part}{mark}");
    }
    Some(if all.contains([quote, '\\']) { quoted(&all) } else { format!("{quote}{all}{quote}") })
}

/// Returns whether `text` contains backslashes, and all of them are in escapes such as `\u00e9`,
/// which only double quotes support.
fn has_only_unicode_escapes(text: &str) -> bool {
    let mut parts = text.split('\\').skip(1).peekable();
    let is_escape = |part: &str| {
        let digits = part.strip_prefix('u').and_then(|part| part.get(..4));
        digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    parts.peek().is_some() && parts.all(is_escape)
}

/// Returns `text` with a backslash before each unescaped `"`.
fn escape_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut is_escaped = false;
    for ch in text.chars() {
        if ch == '"' && !is_escaped {
            out.push('\\');
        }
        is_escaped = ch == '\\' && !is_escaped;
        out.push(ch);
    }
    out
}

/// Returns `text`, which is a part of the input, in backticks. Long text is shortened.
pub(super) fn code(text: &str) -> String {
    const HEAD_CHARS: usize = 50;
    const TAIL_CHARS: usize = 24;
    let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= HEAD_CHARS + TAIL_CHARS + 6 {
        return format!("`{}`", chars.into_iter().collect::<String>());
    }
    let head: String = chars[..HEAD_CHARS].iter().collect();
    let tail: String = chars[chars.len() - TAIL_CHARS..].iter().collect();
    format!("`{head} ... {tail}`")
}

/// Returns the number of spaces `n` in words.
pub(super) fn spaces(n: usize) -> String {
    match n {
        0 => "no spaces".to_owned(),
        1 => "1 space".to_owned(),
        n => format!("{n} spaces"),
    }
}

/// Returns `body` after `indent` spaces.
pub(super) fn indented(indent: usize, body: &str) -> String {
    format!("{:indent$}{body}", "")
}

//! The rules for known differences from Yecht. They are narrow, so that no other difference is
//! taken for a known one.

/// A kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Yecht fails with an exception of Java, or never ends.
    Broken,
    /// The text contains bytes that are not UTF-8. Ketch reads them as Latin-1, or rejects them.
    NotUtf8,
    /// An alias refers to an anchor that is not in the nodes of its document, but in an earlier
    /// document, or in a value that a sequence has replaced. Ketch has a placeholder for it.
    LostAnchor,
    /// A tag precedes an alias, or the anchor of a collection that contains itself. Yecht may give
    /// the tag to the node that the alias refers to, or to no node.
    AliasTag,
    /// A quote is never closed, and ends with a NUL byte or an escape. Yecht reads beyond the end.
    PastTheEnd,
}

/// Returns the rule that covers the difference between the answer of Yecht and that of Ketch, or
/// `None` if no rule does.
#[must_use]
pub fn rule(text: &[u8], theirs: &str, ours: &str) -> Option<Rule> {
    if theirs.contains("refused, broken") || theirs == "hangs\n" {
        return Some(Rule::Broken);
    }
    if std::str::from_utf8(text).is_err() || bytes_of_escapes(theirs) {
        return Some(Rule::NotUtf8);
    }
    if let Some(before) = before_end(text) {
        let is_quoted = before.contains(&b'"') || before.contains(&b'\'');
        return is_quoted.then_some(Rule::PastTheEnd);
    }
    if text.contains(&b'*') && without_tags(theirs) == without_tags(ours) {
        return Some(Rule::AliasTag);
    }
    differ_in_placeholders(theirs, ours).then_some(Rule::LostAnchor)
}

/// Returns the text before a NUL byte, or before an escape at the end of the text, or `None` if
/// there is neither.
fn before_end(text: &[u8]) -> Option<&[u8]> {
    if let Some(nul) = text.iter().position(|&byte| byte == 0) {
        return Some(&text[..nul]);
    }
    let (rest, last) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let is_short = last[0] == b'\\';
    let is_hex = rest.ends_with(b"\\x") && last.iter().all(u8::is_ascii_hexdigit);
    (is_short || is_hex).then_some(rest)
}

/// Returns whether the nodes contain text that is not UTF-8, which only escapes can produce.
fn bytes_of_escapes(nodes: &str) -> bool {
    nodes.lines().any(|line| {
        let mut bytes = Vec::new();
        let mut rest = line.as_bytes();
        while let Some((&first, after)) = rest.split_first() {
            let code = (first == b'\\').then(|| after.get(..2)).flatten();
            let code = code.and_then(|code| std::str::from_utf8(code).ok());
            match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
                Some(code) => {
                    bytes.push(code);
                    rest = &after[2..];
                }
                None => {
                    bytes.push(first);
                    rest = after;
                }
            }
        }
        std::str::from_utf8(&bytes).is_err()
    })
}

/// Returns the lines without tags, and without what follows a refusal.
fn without_tags(nodes: &str) -> Vec<String> {
    let bare = |line: &str| {
        let mut words = line.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            (Some(kind @ ("map" | "seq")), Some(_), None) => kind.to_owned(),
            (Some("scalar"), Some(_), Some(text)) => format!("scalar {text}"),
            (Some("refused"), ..) => "refused".to_owned(),
            _ => line.to_owned(),
        }
    };
    nodes.lines().map(bare).collect()
}

/// Returns whether the answers differ only in places where Ketch has a placeholder and Yecht has a
/// node.
fn differ_in_placeholders(theirs: &str, ours: &str) -> bool {
    if !ours.contains("bad  ") {
        return false;
    }
    let opens = |line: &str| i32::from(line.starts_with("seq ") || line.starts_with("map "));
    let (mut theirs, mut ours) = (theirs.lines(), ours.lines());
    while let Some(line) = ours.next() {
        let Some(their) = theirs.next() else { return false };
        let both = |start| line.starts_with(start) && their.starts_with(start);
        if line == their || both("again ") || both("refused") {
            continue;
        }
        if their.starts_with("again ") {
            // Ketch has a node there, which is skipped.
            let mut depth = opens(line);
            while depth > 0 {
                let Some(next) = ours.next() else { return false };
                depth += opens(next) - i32::from(next == "end");
            }
            continue;
        }
        if !line.starts_with("bad  ") {
            return false;
        }
        // Yecht has a whole node instead of the placeholder.
        let mut depth = opens(their);
        while depth > 0 {
            let Some(next) = theirs.next() else { return false };
            depth += opens(next) - i32::from(next == "end");
        }
    }
    theirs.next().is_none()
}

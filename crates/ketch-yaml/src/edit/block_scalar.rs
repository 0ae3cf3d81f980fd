//! Writing new block scalars.

use crate::event::EventKind;

/// Returns whether `text` can be written as a literal block scalar.
pub(super) fn can_be_literal(text: &str) -> bool {
    !text.trim_matches('\n').is_empty() && !text.chars().any(|ch| ch != '\n' && is_escaped(ch))
}

/// Formats `text` as a block scalar with its content at `column`, which is `step` columns deeper
/// than its parent. It is folded if the style `old` is, and otherwise literal. Returns its header,
/// and its lines, each after a line break.
pub(super) fn literal(
    text: &str,
    column: usize,
    step: usize,
    old: Option<EventKind>,
) -> (String, String) {
    let content = text.trim_end_matches('\n');
    let chomping = match text.len() - content.len() {
        0 => "-",
        1 => "",
        _ => "+",
    };
    let is_indented = content.trim_start_matches('\n').starts_with(' ');
    let indicator = if is_indented { step.to_string() } else { String::new() };
    let is_folded = old == Some(EventKind::Folded);
    let mark = if is_folded { ">" } else { "|" };
    // Splitting must not yield an empty line after the last line break.
    let lines = text.strip_suffix('\n').unwrap_or(text);
    let lines = if is_folded { unfolded(lines) } else { lines.to_owned() };
    let indent = " ".repeat(column);
    let body: String = lines
        .split('\n')
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("\n{indent}{line}") })
        .collect();
    (format!("{mark}{indicator}{chomping}"), body)
}

/// Returns the lines of a folded block scalar whose value is `content`: a line break between two
/// lines of text is doubled, unless one of them starts with a blank (`[73]`, `[177]`).
fn unfolded(content: &str) -> String {
    let is_text = |line: &str| !line.is_empty() && !line.starts_with([' ', '\t']);
    let mut lines = String::new();
    let mut last = "";
    for (at, line) in content.split('\n').enumerate() {
        let is_second = at > 0 && is_text(last) && !line.is_empty() && is_text(line);
        lines.push_str(if at == 0 { "" } else { "\n" });
        lines.push_str(if is_second { "\n" } else { "" });
        lines.push_str(line);
        last = if line.is_empty() && at > 0 { last } else { line };
    }
    lines
}

/// Returns whether `ch` can only be written as an escape.
pub(super) fn is_escaped(ch: char) -> bool {
    ch.is_control() || matches!(ch, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

//! Decodes scalars exactly as the specification says, one character at a time. The decoders are
//! compared with this. The spans must be valid, as the scanner returns them.

use ketch_yaml::{Event, EventKind};

/// Returns the content of a scalar. `span` is its text, and `event` has its kind and indentation.
pub fn content(event: &Event, span: &str) -> String {
    let inner = || &span[1..span.len() - 1];
    match event.kind {
        EventKind::Plain => folded_lines(span),
        EventKind::SingleQuoted => folded_lines(inner()).replace("''", "'"),
        EventKind::DoubleQuoted => double_quoted(inner()),
        EventKind::Literal => block(span, event.indent as usize, false),
        EventKind::Folded => block(span, event.indent as usize, true),
        _ => String::new(),
    }
}

/// Returns the lines of a text, including a last line without a break.
fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::to_owned).collect()
}

const WHITE: [char; 2] = [' ', '\t'];

/// Folds lines (\[74\] s-flow-folded): white space around line breaks is dropped, a single line
/// break becomes a space, and of several line breaks, the first is dropped.
fn folded_lines(text: &str) -> String {
    let lines = lines(text);
    let last = lines.len() - 1;
    let mut out = String::new();
    let mut empty = 0;
    for (i, line) in lines.iter().enumerate() {
        let mut line = line.as_str();
        if i > 0 {
            line = line.trim_start_matches(WHITE);
        }
        if i < last {
            line = line.trim_end_matches(WHITE);
        }
        if i > 0 && i < last && line.is_empty() {
            empty += 1;
            continue;
        }
        if i > 0 {
            out.push_str(&if empty == 0 { " ".to_owned() } else { "\n".repeat(empty) });
            empty = 0;
        }
        out.push_str(line);
    }
    out
}

/// A line of a double-quoted scalar: its characters, each with whether an escape denotes it, and
/// whether an escaped line break ends the line.
#[derive(Default)]
struct Line {
    chars: Vec<(char, bool)>,
    is_escaped: bool,
}

/// Returns the content of a double-quoted scalar. `inner` is its text without the quotes.
fn double_quoted(inner: &str) -> String {
    let inner = inner.replace("\r\n", "\n").replace('\r', "\n");
    let mut chars = inner.chars();
    let mut lines = vec![Line::default()];
    while let Some(ch) = chars.next() {
        let Some(line) = lines.last_mut() else { break };
        match ch {
            '\n' => lines.push(Line::default()),
            '\\' => match chars.next() {
                Some('\n') => {
                    line.is_escaped = true;
                    lines.push(Line::default());
                }
                Some(code) => line.chars.push((escaped(code, &mut chars), true)),
                None => {}
            },
            _ => line.chars.push((ch, false)),
        }
    }
    joined(lines)
}

/// Folds the lines of a quoted scalar. White space that escapes denote is kept.
fn joined(lines: Vec<Line>) -> String {
    let last = lines.len() - 1;
    let mut out = String::new();
    let mut empty = 0;
    let mut after_escape = false;
    for (i, line) in lines.into_iter().enumerate() {
        let is_white = |&(ch, is_escaped): &(char, bool)| WHITE.contains(&ch) && !is_escaped;
        let mut chars = line.chars.as_slice();
        while let (true, Some((first, rest))) = (i > 0, chars.split_first()) {
            if !is_white(first) {
                break;
            }
            chars = rest;
        }
        while let (true, Some((end, rest))) = (i < last && !line.is_escaped, chars.split_last()) {
            if !is_white(end) {
                break;
            }
            chars = rest;
        }
        if i > 0 && i < last && chars.is_empty() && !line.is_escaped {
            empty += 1;
            continue;
        }
        if i > 0 {
            let space = if after_escape { "" } else { " " };
            out.push_str(&if empty == 0 { space.to_owned() } else { "\n".repeat(empty) });
            empty = 0;
        }
        out.extend(chars.iter().map(|&(ch, _)| ch));
        after_escape = line.is_escaped;
    }
    out
}

/// Returns the character that an escape denotes (productions 42 to 61).
fn escaped(code: char, chars: &mut std::str::Chars<'_>) -> char {
    let mut number = |digits: usize| -> u32 {
        let digits: String = chars.by_ref().take(digits).collect();
        u32::from_str_radix(&digits, 16).expect("the scanner has checked the digits")
    };
    match code {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\x0B',
        'f' => '\x0C',
        'r' => '\r',
        'e' => '\x1B',
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => char::from_u32(number(2)).expect("two digits are a character"),
        'U' => char::from_u32(number(8)).expect("the scanner has checked the character"),
        'u' => {
            let first = number(4);
            if let Some(ch) = char::from_u32(first) {
                return ch;
            }
            // The other half of the surrogate pair is in another `\u`.
            let second = {
                chars.nth(1);
                let digits: String = chars.by_ref().take(4).collect();
                u16::from_str_radix(&digits, 16).expect("the scanner has checked the digits")
            };
            let pair = [first as u16, second];
            char::decode_utf16(pair).next().expect("a pair").expect("the scanner has checked it")
        }
        other => other,
    }
}

/// Returns the content of a block scalar (section 8.1).
fn block(span: &str, indent: usize, is_folded: bool) -> String {
    let lines = lines(span);
    let header = &lines[0];
    let is_strip = header[..header.find([' ', '\t', '#']).unwrap_or(header.len())].contains('-');
    let is_keep = header[..header.find([' ', '\t', '#']).unwrap_or(header.len())].contains('+');
    let mut content: Vec<&str> =
        lines[1..].iter().map(|line| line.get(indent..).unwrap_or("")).collect();
    // What follows the last line break is not a line if it is empty.
    if lines.len() > 1 && lines[lines.len() - 1].is_empty() {
        content.pop();
    }
    let texts = content.iter().rposition(|line| !line.is_empty()).map_or(0, |at| at + 1);
    let trailing = content.len() - texts;
    let mut out = String::new();
    let mut empty = 0;
    let mut before: Option<&str> = None;
    for &line in &content[..texts] {
        if line.is_empty() {
            empty += 1;
            continue;
        }
        let is_spaced = |line: &str| line.starts_with(WHITE);
        let breaks = match before {
            None => empty,
            Some(last) if is_folded && !is_spaced(last) && !is_spaced(line) => {
                if empty == 0 {
                    out.push(' ');
                }
                empty
            }
            Some(_) => empty + 1,
        };
        out.push_str(&"\n".repeat(breaks));
        out.push_str(line);
        before = Some(line);
        empty = 0;
    }
    let has_text = texts > 0;
    let end = match (is_strip, is_keep) {
        (true, _) => 0,
        (_, true) => trailing + usize::from(has_text),
        _ => usize::from(has_text),
    };
    out.push_str(&"\n".repeat(end));
    out
}

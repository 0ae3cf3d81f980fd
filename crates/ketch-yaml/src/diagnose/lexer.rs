//! A rough lexer that finds quoted scalars and brackets in text that may be invalid. It does not
//! stop at errors, and runs only after an error was found.

/// What the lexer has found.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The brackets that are open at the end of the text, with their offsets.
    pub open: Vec<(usize, char)>,
    /// The start and the end of each quoted scalar, including its quotes.
    pub quoted: Vec<(usize, usize)>,
    /// The start of the quoted scalar that is open at the end of the text.
    pub open_quote: Option<usize>,
    /// The start of the comment in which the text ends.
    pub comment: Option<usize>,
}

/// Reads `text`, which must start at the start of a line.
pub(super) fn read(text: &str) -> Seen {
    let mut seen = Seen::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    // Whether a node may start here. Only then are quotes and brackets indicators.
    let mut is_fresh = true;
    let mut line = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let next_is_blank = bytes.get(at + 1).is_none_or(|b| b" \t\r\n".contains(b));
        let in_flow = !seen.open.is_empty();
        seen.comment = None;
        match byte {
            b'\n' | b'\r' => {
                is_fresh |= !in_flow;
                line = at + 1;
            }
            b' ' | b'\t' => {}
            b'-' if at == line && is_marker(&text[at..]) => {
                seen.open.clear();
                is_fresh = true;
                at += 2;
            }
            b'#' if at == 0 || b" \t\r\n".contains(&bytes[at - 1]) => {
                seen.comment = Some(at);
                at = line_end(bytes, at);
                continue;
            }
            b'"' | b'\'' if is_fresh => {
                is_fresh = false;
                match quote_end(bytes, at) {
                    Some(end) => {
                        seen.quoted.push((at, end));
                        at = end;
                        // [149] c-ns-flow-map-adjacent-value: in a flow collection, a `:` may
                        // directly follow a quoted key.
                        if in_flow && bytes.get(at) == Some(&b':') {
                            is_fresh = true;
                            at += 1;
                        }
                        continue;
                    }
                    None => {
                        seen.open_quote = Some(at);
                        return seen;
                    }
                }
            }
            b'[' | b'{' if is_fresh => seen.open.push((at, byte as char)),
            b'[' | b'{' if in_flow => {
                seen.open.push((at, byte as char));
                is_fresh = true;
            }
            b']' | b'}' if in_flow => {
                is_fresh = false;
                if seen.open.last().is_some_and(|&(_, open)| closer(open) as u8 == byte) {
                    seen.open.pop();
                }
            }
            b',' if in_flow => is_fresh = true,
            b':' if next_is_blank => is_fresh = true,
            b'-' | b'?' if next_is_blank && is_fresh && !in_flow => {}
            b'&' | b'!' if is_fresh => {
                at += text[at..].find([' ', '\t', '\r', '\n']).unwrap_or(text.len() - at);
                continue;
            }
            b'|' | b'>' if is_fresh && !in_flow && is_block_header(&text[at..]) => {
                at = block_end(text, line, at);
                continue;
            }
            _ => is_fresh = false,
        }
        at += 1;
    }
    seen
}

/// Returns whether `text` starts with a `---` that starts a document.
pub(super) fn is_marker(text: &str) -> bool {
    let rest = text.strip_prefix("---");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

/// Returns the bracket that closes the bracket `open`.
pub(super) fn closer(open: char) -> char {
    if open == '[' { ']' } else { '}' }
}

/// Returns the offset after the quote that closes the quote at `at`; `None` if that is not closed.
pub(super) fn quote_end(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' if quote == b'"' => end += 1,
            byte if byte == quote => {
                if quote == b'"' || bytes.get(end + 1) != Some(&b'\'') {
                    return Some(end + 1);
                }
                end += 1;
            }
            _ => {}
        }
        end += 1;
    }
    None
}

/// Returns whether `text` starts with the header of a block scalar, and nothing else is on its
/// line.
pub(super) fn is_block_header(text: &str) -> bool {
    let line = &text[..text.find(['\n', '\r']).unwrap_or(text.len())];
    let rest =
        line[1..].trim_start_matches(['+', '-']).trim_start_matches(|ch: char| ch.is_ascii_digit());
    let rest = rest.trim_start_matches(['+', '-']);
    let after = rest.trim_start_matches([' ', '\t']);
    after.is_empty() || (after.len() < rest.len() && after.starts_with('#'))
}

/// Returns the end of the line that contains `at`, without its line break.
fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |len| at + len)
}

/// Returns the end of the block scalar whose header is at `at`, on the line that starts at `line`.
fn block_end(text: &str, line: usize, at: usize) -> usize {
    let indent_of = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let indent = indent_of(&text[line..]);
    let mut end = line_end(text.as_bytes(), at);
    while end < text.len() {
        let next = line_end(text.as_bytes(), end + 1);
        let line = &text[end + 1..next];
        if !line.trim().is_empty() && indent_of(line) <= indent {
            break;
        }
        end = next;
    }
    end
}

//! Finds the front matter of Markdown, which is YAML at the start of the file, between a line `---`
//! and a line `---` or three dots.

use crate::diagnostic::Diagnostic;
use crate::status::Failure;
use ketch_yaml::Location;
use std::ops::Range;

/// Returns whether `file` is Markdown, judged by its name.
pub fn is_markdown(file: &str) -> bool {
    let end = file.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    ["md", "markdown", "mdx", "qmd", "rmd"].contains(&end.as_str())
}

/// Returns the range in bytes of the front matter of `text`, without the lines that delimit it.
/// Returns `None` if there is no front matter, or if it is not closed.
pub fn range(text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut lines = text[start..].split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    let start = start + first.len();
    let mut end = start;
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            return Some(start..end);
        }
        end += line.len();
    }
    None
}

/// Returns the failure for `file`, whose text `text` has no front matter, or none that is closed.
pub fn missing(file: &str, text: &str) -> Failure {
    let first = text.trim_start_matches('\u{feff}').lines().next();
    if first.is_some_and(|line| line.trim_end() == "---") {
        let message = "the front matter is not closed".to_owned();
        let mut diagnostic = Diagnostic::sentence(file, "UnclosedFrontMatter", "syntax", message);
        diagnostic.location = Some(Location::in_text(text.as_bytes(), 0, 3));
        diagnostic.help = Some("End it with a line of `---`.".to_owned());
        return Failure::Input(Box::new(diagnostic));
    }
    let message = "there is no front matter".to_owned();
    let mut diagnostic = Diagnostic::sentence(file, "no-front-matter", "semantic", message);
    diagnostic.help = Some("It is YAML between two lines of `---` at the start.".to_owned());
    Failure::Missing(Box::new(diagnostic))
}

/// Cuts off what follows the front matter of `bytes`, the content of `file`. The rest is a document
/// in which every location is that in the file. Returns what was cut off.
pub fn cut(file: &str, bytes: &mut Vec<u8>) -> Result<Vec<u8>, Failure> {
    let text = String::from_utf8_lossy(bytes);
    let end = range(&text).ok_or_else(|| missing(file, &text))?.end;
    // Replacement characters may have moved the end.
    let end = match text {
        std::borrow::Cow::Borrowed(_) => end,
        std::borrow::Cow::Owned(_) => end_in_bytes(bytes),
    };
    Ok(bytes.split_off(end))
}

/// Returns the end of the front matter of `bytes`, which is there.
fn end_in_bytes(bytes: &[u8]) -> usize {
    let mut end = 0;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if index > 0 && matches!(line.trim_ascii_end(), b"---" | b"...") {
            break;
        }
        end += line.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_found() {
        for (text, expected) in [
            ("---\na: 1\n---\n# b\n", Some("a: 1\n")),
            ("\u{feff}---\r\na: 1\r\n...\r\n", Some("a: 1\r\n")),
            ("---\n---\n", Some("")),
            ("---\na: 1\n", None),
            ("# b\n---\n---\n", None),
            ("", None),
        ] {
            assert_eq!(range(text).map(|range| &text[range]), expected, "{text:?}");
        }
        assert!(is_markdown("a/b.MD") && !is_markdown("md") && !is_markdown("a.yaml"));
    }
}

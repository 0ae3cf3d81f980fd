//! Finds the front matter of Markdown, which is YAML at the start of the file, between a line `---`
//! and a line `---` or three dots.

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

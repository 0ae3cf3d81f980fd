//! The names of files: in messages, and what they say about the format.

/// Returns the name that messages use for the input `file`.
pub fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

/// Returns whether the name `file` says that there is a JSON text on each line.
pub fn is_json_lines(file: &str) -> bool {
    let end = file.rsplit_once('.').map_or("", |(_, end)| end);
    end.eq_ignore_ascii_case("jsonl") || end.eq_ignore_ascii_case("ndjson")
}

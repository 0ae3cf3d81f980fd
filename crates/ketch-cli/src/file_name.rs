//! File names in messages.

/// Returns the name of an input in messages.
pub fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

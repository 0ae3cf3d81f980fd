//! File names in messages.

/// The name of an input in messages.
pub fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

//! File names in messages.

/// Returns the name by which messages call an input.
pub fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

//! The names of files in messages.

/// The name that messages give an input.
pub fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

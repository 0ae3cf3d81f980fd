//! The names of files in messages.

/// Returns the name that messages use for the input `file`.
pub fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

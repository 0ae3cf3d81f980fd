//! Quotes words for a shell.

/// Returns `text` as a word for a shell. It is put in quotes if a shell could change its meaning.
pub fn word(text: &str) -> String {
    let is_plain = |ch: char| ch.is_ascii_alphanumeric() || "-_./:,=+@%".contains(ch);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Returns `words` separated by spaces, each in quotes where a shell needs them.
pub fn line<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(line(["set", ".a[0]", "it's", "", "a.yml"]), "set '.a[0]' 'it'\\''s' '' a.yml");
    }
}

//! Advice on scalars that are not valid for their tag.

use super::advice::Advice;
use super::quote::code;

/// Advises on the scalar `node`, which is not valid for its tag. The tag is the last one in
/// `before`, the text before the scalar.
pub(super) fn mismatch(node: &str, before: &str) -> Option<Advice> {
    let line = before.rsplit(['\n', '\r']).next()?;
    let tag = line.split_whitespace().rev().take(2).find(|word| word.starts_with('!'))?;
    let write = match tag.trim_start_matches('!').trim_end_matches('>').rsplit(':').next()? {
        "int" => "an integer, as in `12`",
        "float" => "a number, as in `1.5`",
        "bool" => "`true` or `false`",
        "null" => "`null`",
        "timestamp" => "a date, as in `2001-12-31`",
        "binary" => "base 64",
        _ => return None,
    };
    let message = format!("{} is not a valid {}", code(node), code(tag));
    let help = format!("Write {write}, or remove the tag.");
    Some(Advice::new(message, "", help))
}

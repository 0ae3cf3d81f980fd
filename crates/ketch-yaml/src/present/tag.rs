//! Writing tags (YAML 1.2.2, section 6.9.1): as shorthands if possible, and otherwise verbatim.

use crate::buffer::Buffer;
use crate::tag::{TagHandles, YAML_PREFIX};

/// Writes `tag`, which is in the form that [`TagHandles::resolve`] returns, so that it resolves to
/// the same tag again. `handles` are the handles that the document declares.
pub(super) fn write_tag(out: &mut Buffer, tag: &str, handles: &mut TagHandles) {
    if tag == "!" {
        return out.put_byte(b'!');
    }
    if let Some((handle, prefix)) = handles.longest_prefix(tag) {
        return shorthand(out, handle, &tag[prefix.len()..]);
    }
    let is_free = |handle| handles.prefix(handle).is_none();
    if is_proper_prefix(tag, YAML_PREFIX) && is_free("!!") {
        shorthand(out, "!!", &tag[YAML_PREFIX.len()..]);
    } else if is_proper_prefix(tag, "!") && is_free("!") {
        shorthand(out, "!", &tag[1..]);
    } else {
        out.put(b"!<");
        put_uri(out, tag, |byte| !is_uri(byte));
        out.put_byte(b'>');
    }
}

/// Returns whether `tag` starts with `prefix` and continues after it.
fn is_proper_prefix(tag: &str, prefix: &str) -> bool {
    tag.len() > prefix.len() && tag.starts_with(prefix)
}

/// Writes a tag as its handle and suffix (\[99\] c-ns-shorthand-tag).
fn shorthand(out: &mut Buffer, handle: &str, suffix: &str) {
    out.put(handle.as_bytes());
    // [40] ns-tag-char allows neither `!` nor anything that ends an entry of a flow collection.
    put_uri(out, suffix, |byte| !is_uri(byte) || b"!,[]{}".contains(&byte));
}

/// Writes the bytes of `text`: those for which `is_escaped` returns true as `%` and two digits, and
/// the others as they are.
fn put_uri(out: &mut Buffer, text: &str, is_escaped: impl Fn(u8) -> bool) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if is_escaped(byte) {
            out.put(&[b'%', DIGITS[byte as usize >> 4], DIGITS[byte as usize & 15]]);
        } else {
            out.put_byte(byte);
        }
    }
}

/// Returns whether `byte` is a URI character (\[39\] ns-uri-char) other than `%`.
fn is_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-#;/?:@&=+$,_.!~*'()[]".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `tag` as it is written in a document with `directives`. Checks that the written form
    /// resolves to the tag again.
    fn written(tag: &str, directives: &[&str]) -> String {
        let mut handles = TagHandles::default();
        directives.iter().for_each(|line| handles.directive(line.as_bytes()));
        let mut out = Buffer::default();
        write_tag(&mut out, tag, &mut handles);
        let text = String::from_utf8(out.written().to_vec()).expect("UTF-8");
        assert_eq!(handles.resolve(text.as_bytes()), tag, "{text}");
        text
    }

    #[test]
    fn tags_are_written_as_shorthands_or_verbatim() {
        let e = "%TAG !e! tag:e.com,2000:";
        let cases: [(&str, &[&str], &str); 13] = [
            ("tag:yaml.org,2002:str", &[], "!!str"),
            ("tag:yaml.org,2002:", &[], "!<tag:yaml.org,2002:>"),
            ("!", &[], "!"),
            ("!local", &[], "!local"),
            ("!a!b,c", &[], "!a%21b%2Cc"),
            ("!\u{e9} %", &[], "!%C3%A9%20%25"),
            ("tag:e.com,2000:x!", &[e], "!e!x%21"),
            ("tag:e.com,2000:x", &[], "!<tag:e.com,2000:x>"),
            ("tag:e.com,2000:x/y", &[e, "%TAG !x! tag:e.com,2000:x/"], "!x!y"),
            ("tag:yaml.org,2002:int", &["%TAG !! x:"], "!<tag:yaml.org,2002:int>"),
            ("x:int", &["%TAG !! x:"], "!!int"),
            ("!local", &["%TAG ! x:"], "!<!local>"),
            ("{}", &[], "!<%7B%7D>"),
        ];
        for (tag, directives, expected) in cases {
            assert_eq!(written(tag, directives), expected);
        }
    }
}

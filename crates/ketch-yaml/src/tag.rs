//! Tags: from shorthand to the tag itself (YAML 1.2.2, section 6.9.1).

use std::borrow::Cow;

/// The prefix of the tags that YAML itself knows.
pub const YAML_PREFIX: &str = "tag:yaml.org,2002:";

/// Whether a tag only says which row of the data model a value is in, as `!!int` does, or nothing at
/// all, as `!`: values that are read keep all other tags.
///
/// ```
/// use ketch_yaml::tag::is_known;
///
/// assert!(is_known("tag:yaml.org,2002:int") && is_known("!"));
/// assert!(!is_known("!local") && !is_known("tag:yaml.org,2002:set"));
/// ```
#[must_use]
pub fn is_known(tag: &str) -> bool {
    let Some(name) = tag.strip_prefix(YAML_PREFIX) else { return tag == "!" };
    matches!(
        name,
        "null"
            | "bool"
            | "int"
            | "float"
            | "str"
            | "binary"
            | "timestamp"
            | "merge"
            | "value"
            | "seq"
            | "map"
    )
}

/// The tag handles of one document.
///
/// Feed it the document's directive events, then ask for tags as written; forget them at the end of
/// the document.
///
/// ```
/// use ketch_yaml::tag::TagHandles;
///
/// let mut handles = TagHandles::default();
/// handles.directive(b"%TAG !e! tag:example.com,2000:");
/// assert_eq!(handles.resolve(b"!e!color"), "tag:example.com,2000:color");
/// assert_eq!(handles.resolve(b"!!str"), "tag:yaml.org,2002:str");
/// assert_eq!(handles.resolve(b"!<x:y>"), "x:y");
/// assert_eq!(handles.resolve(b"!local%21"), "!local!");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagHandles {
    declared: Vec<(String, String)>,
}

impl TagHandles {
    /// Notes a directive line, as a directive event's span holds it; others than `%TAG` say nothing
    /// here.
    pub fn directive(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        if let (Some("%TAG"), Some(handle), Some(prefix)) =
            (words.next(), words.next(), words.next())
        {
            self.declared.push((handle.to_owned(), prefix.to_owned()));
        }
    }

    /// Forgets all that was declared: the document has ended.
    pub fn clear(&mut self) {
        self.declared.clear();
    }

    /// What was declared: handles and their prefixes, as written.
    pub(crate) fn declared(&self) -> impl Iterator<Item = (&str, &str)> {
        self.declared.iter().map(|(handle, prefix)| (handle.as_str(), prefix.as_str()))
    }

    /// The tag that `written` stands for, `%` escapes decoded. The non-specific tag `!` stays.
    // [90] c-primary-tag-handle, [91] c-secondary-tag-handle, [99] c-ns-shorthand-tag,
    // [100] c-non-specific-tag.
    pub fn resolve<'w>(&self, written: &'w [u8]) -> Cow<'w, str> {
        let text = match String::from_utf8_lossy(written) {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => return Cow::Owned(self.resolve(text.as_bytes()).into_owned()),
        };
        if let Some(verbatim) = text.strip_prefix("!<") {
            return percent_decoded(verbatim.strip_suffix('>').unwrap_or(verbatim));
        }
        if text == "!" {
            return Cow::Borrowed(text);
        }
        let handle_len = text[1..].find('!').map_or(1, |at| at + 2);
        let (handle, suffix) = text.split_at(handle_len);
        let declared = self.declared.iter().find(|(known, _)| known == handle);
        let prefix = match (declared, handle) {
            (Some((_, prefix)), _) => prefix.as_str(),
            (None, "!!") => YAML_PREFIX,
            (None, _) => return percent_decoded(text),
        };
        Cow::Owned(percent_decoded(&format!("{prefix}{suffix}")).into_owned())
    }
}

/// Decodes `%` and two hexadecimal digits, byte by byte of the UTF-8 form.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(crate::scan::quoted::parse_hex);
        match (bytes[at], code) {
            (b'%', Some(code)) => {
                out.push(code as u8);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

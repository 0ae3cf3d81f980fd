//! Tags, which are resolved from their shorthands (YAML 1.2.2, section 6.9.1).

use std::borrow::Cow;

/// The prefix of the tags that YAML itself defines.
pub const YAML_PREFIX: &str = "tag:yaml.org,2002:";

/// Returns whether a tag is `!` or is that of a type of the data model, such as `!!int`. Values
/// keep all other tags.
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
/// Pass the document's directives to [`directive`](Self::directive), then resolve its tags. Call
/// [`clear`](Self::clear) at the end of the document.
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
    /// Boxed, because hardly any document declares a handle, and moving documents should be cheap.
    tables: Option<Box<Tables>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tables {
    declared: Vec<Declared>,
    /// The first declaration of each handle, sorted by handle. The parser's `max_tag_handles` keeps
    /// the list short.
    by_handle: Vec<u32>,
    /// The declarations, sorted by prefix, for [`TagHandles::longest_prefix`].
    by_prefix: Vec<u32>,
}

/// A `%TAG` directive.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Declared {
    handle: String,
    prefix: String,
    /// The declaration with the longest other prefix that is a prefix of this one.
    parent: Option<u32>,
}

impl TagHandles {
    /// Records `line`, a directive line, which is the span of a directive event. Only `%TAG` has an
    /// effect.
    pub fn directive(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        if let (Some("%TAG"), Some(handle), Some(prefix)) =
            (words.next(), words.next(), words.next())
        {
            self.tables.get_or_insert_default().declare(handle, prefix);
        }
    }

    /// Removes all declarations, at the end of a document.
    pub fn clear(&mut self) {
        self.tables = None;
    }

    /// Returns the prefix with which `handle` was declared, as it is written, or `None` if the
    /// handle was not declared.
    pub(crate) fn prefix(&self, handle: &str) -> Option<&str> {
        let tables = self.tables.as_ref()?;
        let index = tables.by_handle[tables.search(handle).ok()?];
        Some(&tables.declared[index as usize].prefix)
    }

    /// Returns the handle with the longest prefix of `tag`, and that prefix, which is shorter than
    /// the tag. Returns `None` if no declared prefix fits. Prefixes with escapes are left out,
    /// because an escape could run into the suffix.
    ///
    /// In sorted order, only one declared prefix needs a comparison, which is the last one that is
    /// less than the tag. Any declared prefix of the tag is also a prefix of that one.
    pub(crate) fn longest_prefix(&mut self, tag: &str) -> Option<(&str, &str)> {
        let tables = self.tables.as_mut()?;
        if tables.by_prefix.is_empty() {
            tables.index_prefixes();
        }
        let Tables { declared, by_prefix, .. } = &**tables;
        let is_before = |&index: &u32| declared[index as usize].prefix.as_str() < tag;
        let last = by_prefix[by_prefix.partition_point(is_before).checked_sub(1)?];
        let mut next = Some(last);
        let shared = common_len(&declared[last as usize].prefix, tag);
        while let Some(index) = next {
            let Declared { handle, prefix, parent } = &declared[index as usize];
            if prefix.len() <= shared && prefix.len() < tag.len() {
                return Some((handle, prefix));
            }
            next = *parent;
        }
        None
    }

    /// Resolves the tag `written`, which is in its written form, and decodes its `%` escapes. The
    /// non-specific tag `!` stays unchanged.
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
        let prefix = match (self.prefix(handle), handle) {
            (Some(prefix), _) => prefix,
            (None, "!!") => YAML_PREFIX,
            (None, _) => return percent_decoded(text),
        };
        Cow::Owned(percent_decoded(&format!("{prefix}{suffix}")).into_owned())
    }
}

impl Tables {
    /// Records that `handle` stands for `prefix`. If a handle is declared several times, the first
    /// declaration counts.
    fn declare(&mut self, handle: &str, prefix: &str) {
        if let Err(at) = self.search(handle) {
            self.by_handle.insert(at, self.declared.len() as u32);
        }
        let (handle, prefix) = (handle.to_owned(), prefix.to_owned());
        self.declared.push(Declared { handle, prefix, parent: None });
        self.by_prefix.clear();
    }

    /// Returns the index of `handle` in `by_handle` or, as an error, the index at which to insert
    /// it.
    fn search(&self, handle: &str) -> Result<usize, usize> {
        let known = |&index: &u32| self.declared[index as usize].handle.as_str();
        self.by_handle.binary_search_by(|index| known(index).cmp(handle))
    }

    /// Sorts the declarations by prefix, and links each to the one it extends.
    fn index_prefixes(&mut self) {
        let declared = &mut self.declared;
        let usable = |index: &u32| !declared[*index as usize].prefix.contains('%');
        self.by_prefix = (0..declared.len() as u32).filter(usable).collect();
        // Of equal prefixes, the last declaration wins.
        self.by_prefix.sort_by(|&a, &b| {
            declared[a as usize].prefix.cmp(&declared[b as usize].prefix).then(a.cmp(&b))
        });
        let mut open: Vec<u32> = Vec::new();
        for &index in &self.by_prefix {
            let extends = |outer: u32| {
                let (outer, inner) = (&declared[outer as usize], &declared[index as usize]);
                inner.prefix.starts_with(&outer.prefix)
            };
            while open.last().is_some_and(|&outer| !extends(outer)) {
                open.pop();
            }
            declared[index as usize].parent = open.last().copied();
            open.push(index);
        }
    }
}

/// Returns the length in bytes of the common prefix of `one` and `other`.
fn common_len(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

/// Decodes each `%` with two hexadecimal digits in `text` to a byte of UTF-8.
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

//! Node properties (YAML 1.2.2, section 6.9), kept until their node is known.
//!
//! Properties on the line of a key belong to the key, and those on earlier lines to the mapping
//! that the key starts. There are therefore two sets: `inner` for the current line and `outer` for
//! earlier lines.

use super::engine::Engine;
use super::state::{Halt, Properties, Set, Span};
use crate::event::{EventKind, Flags};
use crate::problem::Problem;
use crate::scan::class::{is_blank_or_break, is_flow_indicator};
use crate::scan::text::Text;

impl Engine {
    /// Parses the anchor or tag at `at` on the line that starts at `line`, and returns the offset
    /// after it.
    // [96] c-ns-properties, [101] c-ns-anchor-property.
    //
    // example: two_anchors
    //     &a &b c
    // error: TwoAnchors
    #[inline(never)]
    pub fn property(&mut self, text: Text<'_>, line: usize, at: usize) -> Result<usize, Halt> {
        if self.properties.any && self.properties.inner_line != line {
            self.inner_to_outer()?;
        }
        if self.properties.inner.is_empty() {
            self.properties.inner_line = line;
            self.properties.inner_start = at;
        }
        self.properties.any = true;
        let (end, is_anchor) = if text.byte(at) == b'&' {
            (self.name_end(text, at)?, true)
        } else {
            (self.tag_end(text, at)?, false)
        };
        // In a flow collection, a comma or a closing bracket may directly follow the properties of
        // an empty node.
        let next = text.byte(end);
        let ends_entry = matches!(next, b',' | b']' | b'}') && !self.flow.is_empty();
        if !is_blank_or_break(next) && !ends_entry {
            return Err(self.fail(Problem::PropertyNotSeparated, end, 1));
        }
        let span = Some(Span { start: at, len: end - at });
        let inner = &mut self.properties.inner;
        let (slot, problem) = if is_anchor {
            (&mut inner.anchor, Problem::TwoAnchors)
        } else {
            (&mut inner.tag, Problem::TwoTags)
        };
        if let Some(first) = *slot {
            return Err(self.fail_with(problem, at, end - at, first.start));
        }
        *slot = span;
        Ok(end)
    }

    /// Returns the offset after the name of the anchor or alias at `at` (\[102\] ns-anchor-char).
    /// Fails if the name is empty.
    // [103] ns-anchor-name.
    //
    // example: colon_in_an_anchor
    //     &a:b c
    // events: =VAL &a:b :c
    pub fn name_end(&mut self, text: Text<'_>, at: usize) -> Result<usize, Halt> {
        let rest = text.bytes.get(at + 1..).unwrap_or(&[]);
        let len = rest
            .iter()
            .position(|&byte| is_blank_or_break(byte) || is_flow_indicator(byte))
            .unwrap_or(rest.len());
        if len == 0 {
            return Err(self.fail(Problem::EmptyAnchor, at, 1));
        }
        Ok(at + 1 + len)
    }

    /// Returns the offset after the alias at `at`. `*a: b` is invalid, since the colon is part of
    /// the name; lenient mode reads it as `*a : b`, as libyaml does. Valid input keeps its meaning,
    /// so this applies only if something follows the colon.
    pub fn alias_end(&mut self, text: Text<'_>, at: usize) -> Result<usize, Halt> {
        let end = self.name_end(text, at)?;
        if !self.settings.lenient || end - at < 3 || text.byte(end - 1) != b':' {
            return Ok(end);
        }
        // These are the characters that libyaml allows in names.
        let is_name = |&byte: &u8| is_word(byte) || byte == b'_';
        if !text.bytes[at + 1..end - 1].iter().all(is_name) {
            return Ok(end);
        }
        let next = text.skip_blanks(end);
        let may_follow =
            matches!(text.byte(next), b'\n' | b'\r' | b'#' | b':' | b',' | b']' | b'}');
        Ok(end - usize::from(next > end && !may_follow))
    }

    /// Returns the offset after the tag at `at` (\[97\] c-ns-tag-property). Fails if the tag is not
    /// valid or its handle is not declared.
    // [92] c-named-tag-handle, [98] c-verbatim-tag, [99] c-ns-shorthand-tag.
    //
    // example: tags_of_all_kinds
    //     - !!str a
    //     - !b c
    //     - !<x:y> d
    //     - ! e
    // events: +SEQ =VAL <tag:yaml.org,2002:str> :a =VAL <!b> :c =VAL <x:y> :d =VAL <!> :e -SEQ
    //
    // example: unknown_handle
    //     !e!x a
    // error: UnknownTagHandle
    pub(super) fn tag_end(&mut self, text: Text<'_>, at: usize) -> Result<usize, Halt> {
        let rest = text.bytes.get(at + 1..).unwrap_or(&[]);
        if rest.first() == Some(&b'<') {
            let len = rest.iter().position(|&byte| byte == b'>' || is_blank_or_break(byte));
            return match len {
                Some(len) if rest[len] == b'>' && len > 1 => {
                    self.check_tag_text(text, at + 2, at + 1 + len)?;
                    Ok(at + len + 2)
                }
                _ => Err(self.fail(Problem::VerbatimTag, at, 2)),
            };
        }
        let len = rest
            .iter()
            .position(|&byte| is_blank_or_break(byte) || is_flow_indicator(byte))
            .unwrap_or(rest.len());
        let body = &rest[..len];
        let end = at + 1 + len;
        let handle_len = match body.iter().position(|&byte| byte == b'!') {
            Some(bang) => bang + 1,
            None => {
                if let Some(prefix_len) = self.directives.prefix_len(b"!") {
                    self.count_prefix(prefix_len, at, end)?;
                }
                self.check_tag_text(text, at + 1, end)?;
                return Ok(end);
            }
        };
        if let Some(bad) = body[..handle_len - 1].iter().position(|&b| !is_word(b)) {
            return Err(self.fail(Problem::TagHandle, at + 1 + bad, 1));
        }
        if handle_len == len {
            return Err(self.fail(Problem::TagWithoutSuffix, at, end - at));
        }
        let handle = &text.bytes[at..at + 1 + handle_len];
        match self.directives.prefix_len(handle) {
            Some(prefix_len) => self.count_prefix(prefix_len, at, end)?,
            None if handle == b"!!" => {}
            None => return Err(self.fail(Problem::UnknownTagHandle, at, handle.len())),
        }
        // [40] ns-tag-char: the suffix has no further `!`.
        if let Some(bang) = body[handle_len..].iter().position(|&byte| byte == b'!') {
            return Err(self.fail(Problem::TagCharacter, at + 1 + handle_len + bang, 1));
        }
        self.check_tag_text(text, at + 1 + handle_len, end)?;
        Ok(end)
    }

    /// Adds `prefix_len`, the length of the prefix that a tag uses, to the total for the stream.
    /// The tag starts at `at` and ends at `end`. Fails if the total exceeds its limit, because
    /// using a long prefix often would make a short input very large. Short prefixes are not
    /// counted, since they add at most a constant factor.
    fn count_prefix(&mut self, prefix_len: usize, at: usize, end: usize) -> Result<(), Halt> {
        const SHORT_BYTES: usize = 256;
        if prefix_len <= SHORT_BYTES {
            return Ok(());
        }
        let offset = self.base + at as u64;
        if offset >= self.prefixes.counted_to {
            self.prefixes.bytes += prefix_len as u64;
            self.prefixes.counted_to = offset + 1;
        }
        let max = self.settings.limits.max_tag_bytes.at(offset);
        if self.prefixes.bytes <= max {
            return Ok(());
        }
        Err(self.fail(Problem::TooMuchTagText(max), at, end - at))
    }

    /// Checks that the tag text from `start` to `end` consists of URI characters, and of `%` with
    /// two hexadecimal digits.
    fn check_tag_text(&mut self, text: Text<'_>, start: usize, end: usize) -> Result<(), Halt> {
        let tag = &text.bytes[start..end];
        for (i, &byte) in tag.iter().enumerate() {
            let fine = match byte {
                b'%' => tag.get(i + 1..i + 3).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)),
                _ => is_uri_char(byte),
            };
            if !fine {
                return Err(self.fail(Problem::TagCharacter, start + i, 1));
            }
        }
        Ok(())
    }

    /// Merges the inner properties into the outer ones, because a new line starts.
    // [96] c-ns-properties.
    //
    // example: anchors_of_a_mapping_and_its_key
    //     &a
    //     &b c: d
    // events: +MAP &a =VAL &b :c =VAL :d -MAP
    fn inner_to_outer(&mut self) -> Result<(), Halt> {
        let Properties { outer, inner, .. } = self.properties;
        self.properties.outer = self.merge(outer, inner)?;
        self.properties.inner = Set::default();
        Ok(())
    }

    /// Merges `outer` and `inner`, two sets of properties of one node. Fails if the node would then
    /// have two anchors or two tags.
    fn merge(&mut self, outer: Set, inner: Set) -> Result<Set, Halt> {
        if let (Some(first), Some(second)) = (outer.anchor, inner.anchor) {
            let Span { start, len } = second;
            return Err(self.fail_with(Problem::TwoAnchors, start, len, first.start));
        }
        if let (Some(first), Some(second)) = (outer.tag, inner.tag) {
            let Span { start, len } = second;
            return Err(self.fail_with(Problem::TwoTags, start, len, first.start));
        }
        Ok(Set { anchor: outer.anchor.or(inner.anchor), tag: outer.tag.or(inner.tag) })
    }

    /// Writes all pending properties, which belong to the node that follows.
    #[inline(always)]
    pub fn emit_all_properties(&mut self) -> Result<(), Halt> {
        if self.properties.any { self.emit_merged_properties() } else { Ok(()) }
    }

    /// Writes both sets of pending properties as those of one node.
    #[inline(never)]
    fn emit_merged_properties(&mut self) -> Result<(), Halt> {
        let Properties { outer, inner, .. } = self.properties;
        let set = self.merge(outer, inner)?;
        self.emit_set(set);
        self.properties = Properties::default();
        Ok(())
    }

    /// Writes the properties of lines before `line`, which belong to the collection that the key on
    /// that line starts.
    // [200] s-l+block-collection.
    //
    // example: tag_of_a_block_mapping
    //     !!map
    //     a: b
    // events: +MAP <tag:yaml.org,2002:map> =VAL :a =VAL :b -MAP
    #[inline(never)]
    pub fn emit_outer_properties(&mut self, line: usize) -> Result<(), Halt> {
        if self.properties.inner_line != line {
            self.inner_to_outer()?;
        }
        let outer = std::mem::take(&mut self.properties.outer);
        self.emit_set(outer);
        self.properties.any = !self.properties.inner.is_empty();
        Ok(())
    }

    /// Writes the properties of `set` in the order in which they occur in the text.
    fn emit_set(&mut self, set: Set) {
        let anchor = set.anchor.map(|span| (EventKind::Anchor, span));
        let tag = set.tag.map(|span| (EventKind::Tag, span));
        let mut both = [anchor, tag];
        both.sort_by_key(|property| property.map(|(_, span)| span.start));
        for (kind, span) in both.into_iter().flatten() {
            self.events.push(kind, Flags::NONE, span.start, span.len);
        }
    }

    /// Fails if there are pending properties. The alias of `len` bytes at `at` cannot have any
    /// (\[104\] c-ns-alias-node).
    // example: anchor_on_an_alias
    //     &a b: &c *a
    // error: PropertiesOnAlias
    pub fn refuse_properties(&mut self, at: usize, len: usize) -> Result<(), Halt> {
        if !self.properties.any {
            return Ok(());
        }
        let first = self.properties.first_start();
        Err(self.fail_with(Problem::PropertiesOnAlias, at, len, first))
    }
}

/// Returns whether `byte` is a word character (\[38\] ns-word-char).
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Returns whether `byte` is a URI character other than `%` (\[39\] ns-uri-char). Characters
/// outside ASCII must be escaped.
pub(crate) fn is_uri_char(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-#;/?:@&=+$,_.!~*'()[]".contains(&byte)
}

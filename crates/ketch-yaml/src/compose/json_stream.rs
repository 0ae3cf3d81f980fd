//! Writes a document as JSON while its events arrive, without a tree.
//!
//! Nothing of the document is kept but the keys of open mappings: those of the current chunk as the
//! words of their events, and the others as hashes of 64 bits. If fingerprints and hashes show that all
//! keys of a mapping are different, nothing else has to be known about them. Anything that is rare or
//! wrong is left to [`JsonWriter::write`]: tags, aliases, `<<`, keys that may be equal, and values
//! that JSON does not have. The caller then composes the document from its start. What was written of it
//! is the start of what [`JsonWriter::write`] writes, unless the document is wrong.

use super::document::Document;
use super::documents::{Documents, Piece, Source, Taken};
use super::duplicates::{Written, prints_are_distinct};
use super::expand::Role;
use super::fingerprint::{Fingerprints, Seen};
use super::json::{JsonError, JsonWriter};
use super::json_text::JsonText;
use super::key::{ScalarKey, value_of, with_text};
use super::options::{ComposeOptions, DuplicateKeys, Equality};
use crate::event::{Event, EventKind, Events, Flags};
use crate::scalar;
use crate::schema::{Scalar, ScalarTag, Schema};
use std::borrow::Cow;
use std::io::{self, Write};

/// What [`JsonWriter::next`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Streamed {
    /// It composed a document, and has written nothing.
    Document,
    /// It has written a whole document without composing it.
    Json {
        /// The number of nodes of the document.
        nodes: u64,
        /// The offset of the end of its root in the stream, if the root is a collection.
        end: u64,
    },
    /// It has written the start of a document that has to be composed. The stream cannot be read on.
    NeedsTree,
    /// The stream has ended.
    End,
}

/// The state of a document that is being written.
#[derive(Debug)]
pub(super) struct JsonStream {
    equality: Equality,
    nodes_max: u64,
    prints: Fingerprints,
    open: Open,
    parents: Vec<Open>,
    /// The number of parents that have no words.
    settled: usize,
    /// The keys of open mappings that are in the current chunk, as words.
    words: Vec<u64>,
    /// A hash table of fingerprints, kept to reuse its memory.
    slots: Vec<u64>,
    /// The content of the last scalar that had to be decoded.
    decoded: Vec<u8>,
    nodes: u64,
    end: u64,
}

/// An open collection.
#[derive(Debug)]
struct Open {
    /// The role of the next node.
    role: Role,
    is_empty: bool,
    /// What the fingerprints of all keys show.
    seen: Seen,
    /// The index of its first key in [`JsonStream::words`].
    from: usize,
    /// The hashes of its keys in earlier chunks, and of what other keys than strings become in JSON.
    hashes: Vec<u64>,
}

/// The document needs a tree.
struct Rare;

impl JsonWriter {
    /// Reads the next document of `documents`. A document that is longer than a chunk of events, and
    /// needs no tree, is written to `out`, and any other is composed into `document`. `compose` has the
    /// options of `documents`.
    ///
    /// ```
    /// use ketch_yaml::compose::{JsonWriter, Streamed};
    /// use ketch_yaml::{Document, Documents};
    ///
    /// let text = "- {a: 1}\n".repeat(10_000);
    /// let (mut json, mut out) = (JsonWriter::new(&Default::default()), Vec::new());
    /// let (mut documents, mut document) = (Documents::new(text.as_bytes()), Document::new());
    /// let streamed = json.next(&mut documents, &mut document, &Default::default(), &mut out)?;
    /// assert!(matches!(streamed, Streamed::Json { nodes: 30_001, .. }));
    /// assert!(out.starts_with(br#"[{"a":1},{"a":1},"#));
    /// # Ok::<(), ketch_yaml::compose::JsonError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `out` or the parser fails, or as [`Documents::next_into`] does.
    pub fn next<'t, S: Source>(
        &mut self,
        documents: &mut Documents<'t, S>,
        document: &mut Document<'t>,
        compose: &ComposeOptions,
        out: &mut (impl Write + ?Sized),
    ) -> Result<Streamed, JsonError> {
        self.text.clear();
        // A later key may override what has been written of an earlier one.
        let overrides =
            matches!(compose.duplicate_keys, DuplicateKeys::First | DuplicateKeys::Last);
        let is_syck = compose.schema == Schema::Syck || self.text.options.schema == Schema::Syck;
        if overrides || is_syck {
            let is_there = documents.next_into(document)?;
            return Ok(if is_there { Streamed::Document } else { Streamed::End });
        }
        let text = &mut self.text;
        let mut stream: Option<JsonStream> = None;
        let taken = documents.next_or_pieces(document, |piece| {
            let stream = stream.get_or_insert_with(|| JsonStream::new(compose));
            stream.take(text, piece, out).map_err(JsonError::Io)
        })?;
        Ok(match (taken, stream) {
            (Some(Taken::All), None) => Streamed::Document,
            (Some(Taken::Words(_)), Some(JsonStream { nodes, end, .. })) => {
                Streamed::Json { nodes, end }
            }
            (Some(_), _) => Streamed::NeedsTree,
            (None, _) => Streamed::End,
        })
    }

    /// Returns the number of bytes that [`JsonWriter::next`] has written of the last document, also if it
    /// has failed.
    pub fn written(&self) -> u64 {
        self.text.flushed
    }
}

impl JsonStream {
    /// Creates the state before a document, which would be composed with the options `compose`.
    fn new(compose: &ComposeOptions) -> JsonStream {
        JsonStream {
            equality: compose.equality(),
            nodes_max: compose.limits.max_nodes.base,
            prints: Fingerprints::new(compose.schema),
            open: Open::new(Role::Root, 0),
            parents: Vec::new(),
            settled: 0,
            words: Vec::new(),
            slots: Vec::new(),
            decoded: Vec::new(),
            nodes: 0,
            end: 0,
        }
    }

    /// Writes the events of `piece` to `out`.
    fn take(
        &mut self,
        json: &mut JsonText,
        piece: Piece<'_>,
        out: &mut (impl Write + ?Sized),
    ) -> io::Result<Taken> {
        let Piece { words, text, base } = piece;
        let mut next = 0;
        while let Some(&word) = words.get(next) {
            let packed = Event::unpack(word);
            let at = next;
            next += if packed.flags.has(Flags::EXTENDED) { 2 } else { 1 };
            let written = match packed.kind {
                kind if kind.is_scalar() => self.scalar(json, text, &words[at..next]),
                EventKind::SequenceStart => self.start(json, Role::Item),
                EventKind::MappingStart => self.start(json, Role::Key),
                EventKind::SequenceEnd | EventKind::MappingEnd => {
                    self.end = base + packed.range().end as u64;
                    self.close(json, text)
                }
                EventKind::DocumentEnd if self.nodes <= self.nodes_max => {
                    json.flush(out)?;
                    return Ok(Taken::Words(next));
                }
                // JSON has no anchors. Their nodes are needed only if there is an alias.
                EventKind::Anchor
                | EventKind::Directive
                | EventKind::DocumentStart
                | EventKind::Nop => Ok(()),
                _ => Err(Rare),
            };
            if written.is_err() {
                return Ok(Taken::Rare);
            }
            json.drain(out)?;
        }
        self.settle_all(text);
        Ok(if self.nodes <= self.nodes_max { Taken::All } else { Taken::Rare })
    }

    /// Writes the scalar whose event is `words`.
    #[inline]
    fn scalar(&mut self, json: &mut JsonText, text: &[u8], words: &[u64]) -> Result<(), Rare> {
        let event = match words {
            [word] => Event::unpack(*word),
            _ => Events::new(words).next().ok_or(Rare)?,
        };
        let role = self.open.role;
        self.next_node(json);
        let schema = json.options.schema;
        let is_plain = event.kind == EventKind::Plain;
        if role == Role::Key {
            self.open.role = Role::Value;
            self.note_key(text, words, &event)?;
        } else if role == Role::Value {
            self.open.role = Role::Key;
        }
        if let Some(content) = scalar::verbatim(text, &event) {
            if !is_plain || schema.resolve(content) == ScalarTag::Str {
                json.string(content);
                return Ok(());
            }
            return self.resolved(json, content, role);
        }
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        scalar::decode(text, &event, &mut decoded);
        let written = match is_plain {
            true => self.resolved(json, &decoded, role),
            false => {
                json.string(&decoded);
                Ok(())
            }
        };
        self.decoded = decoded;
        written
    }

    /// Resolves the plain scalar `content` and writes its value.
    #[inline(never)]
    fn resolved(&mut self, json: &mut JsonText, content: &[u8], role: Role) -> Result<(), Rare> {
        let value = json.options.schema.scalar(content);
        let is_text = matches!(value, Scalar::Str(_));
        let value = with_text(value, Cow::Borrowed);
        if role != Role::Key {
            return json.value(value, || content.into()).map_err(|_| Rare);
        }
        let start = json.bytes.len();
        json.key(value, || content.into()).map_err(|_| Rare)?;
        if !is_text {
            // The key must differ from all others in JSON, too.
            let text = &json.bytes[start + 1..json.bytes.len() - 1];
            self.open.hashes.push(ScalarKey::Str(text.into()).hash_one());
        }
        Ok(())
    }

    /// Counts the next node, and writes what is before it.
    #[inline(always)]
    fn next_node(&mut self, json: &mut JsonText) {
        self.nodes += 1;
        json.separate(self.open.role, self.open.is_empty);
        self.open.is_empty = false;
    }

    /// Opens a collection whose first child has the role `child`.
    #[inline]
    fn start(&mut self, json: &mut JsonText, child: Role) -> Result<(), Rare> {
        let role = self.open.role;
        if role == Role::Key {
            return Err(Rare);
        }
        self.next_node(json);
        if role == Role::Value {
            self.open.role = Role::Key;
        }
        json.open(role, child == Role::Key);
        let open = Open::new(child, self.words.len());
        self.parents.push(std::mem::replace(&mut self.open, open));
        Ok(())
    }

    /// Closes the open collection.
    #[inline]
    fn close(&mut self, json: &mut JsonText, text: &[u8]) -> Result<(), Rare> {
        let parent = self.parents.pop().ok_or(Rare)?;
        self.settled = self.settled.min(self.parents.len());
        let closed = std::mem::replace(&mut self.open, parent);
        let is_mapping = closed.role == Role::Key;
        json.close(is_mapping, closed.is_empty);
        let from = closed.from;
        let is_small = self.words.len() - from < 2;
        let is_known = closed.hashes.is_empty() && (is_small || closed.seen.are_distinct());
        if is_mapping && !is_known && !self.are_distinct(closed, text) {
            return Err(Rare);
        }
        self.words.truncate(from);
        Ok(())
    }

    /// Returns whether all keys of the mapping `closed` are known to be different, also in JSON.
    #[cold]
    #[inline(never)]
    fn are_distinct(&mut self, mut closed: Open, text: &[u8]) -> bool {
        if closed.hashes.is_empty() {
            let words = self.words[closed.from..].iter().copied();
            let keys = Written { text, count: words.len(), words };
            if prints_are_distinct(&self.prints, &mut self.slots, keys) {
                return true;
            }
        }
        self.settle(&mut closed, text);
        closed.hashes.sort_unstable();
        closed.hashes.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Notes the key `event`, whose words are `words`.
    #[inline]
    fn note_key(&mut self, text: &[u8], words: &[u64], event: &Event) -> Result<(), Rare> {
        if let &[word] = words {
            self.prints.see(text, word, &mut self.open.seen);
            self.words.push(word);
            let is_merge_key = event.len == 2 && text[event.range()] == *b"<<";
            return if is_merge_key { Err(Rare) } else { Ok(()) };
        }
        let hash = self.hash(text, event);
        self.open.hashes.push(hash);
        Ok(())
    }

    /// Replaces the words of all keys of open mappings by hashes, since `text` will be dropped.
    fn settle_all(&mut self, text: &[u8]) {
        let mut open = std::mem::replace(&mut self.open, Open::new(Role::Root, 0));
        self.settle(&mut open, text);
        self.open = open;
        for index in (self.settled..self.parents.len()).rev() {
            let mut parent = std::mem::replace(&mut self.parents[index], Open::new(Role::Root, 0));
            self.settle(&mut parent, text);
            self.parents[index] = parent;
        }
        self.settled = self.parents.len();
    }

    /// Replaces the words of the keys of `open`, which are the last ones, by hashes.
    fn settle(&mut self, open: &mut Open, text: &[u8]) {
        let words = &self.words[open.from..];
        open.hashes.extend(words.iter().map(|&word| self.hash(text, &Event::unpack(word))));
        self.words.truncate(open.from);
        open.from = 0;
    }

    /// Returns the hash of the key `event`.
    fn hash(&self, text: &[u8], event: &Event) -> u64 {
        let content = || scalar::content(text, event);
        let value = value_of(content(), event.kind == EventKind::Plain, None, self.equality.schema);
        ScalarKey::new(value, || None, content, self.equality).hash_one()
    }
}

impl Open {
    /// Creates an empty collection whose first child has the role `role`. `from` is the number of keys
    /// before it.
    fn new(role: Role, from: usize) -> Open {
        Open { role, is_empty: true, seen: Seen::default(), from, hashes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::compose::json_options::JsonOptions;

    /// Returns what is written of the only document of `text`, read in chunks of one word, and whether
    /// it needs a tree.
    fn written(text: &str, options: &JsonOptions) -> (String, bool) {
        let read = Options { chunk_words: 1, ..Options::default() };
        let compose = ComposeOptions { schema: options.schema, ..ComposeOptions::default() };
        let mut documents = Documents::with_options(text.as_bytes(), &read, &compose);
        let (mut document, mut out) = (Document::new(), Vec::new());
        let mut json = JsonWriter::new(options);
        let streamed = json.next(&mut documents, &mut document, &compose, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!(json.written(), out.len() as u64);
        assert!(matches!(streamed, Streamed::Json { .. } | Streamed::NeedsTree), "{text}");
        (out, streamed == Streamed::NeedsTree)
    }

    #[test]
    fn plain_documents_are_written_without_a_tree() {
        let mut options = JsonOptions::default();
        for (text, expected) in [
            (
                "a: [1, -0, 1.50, ~, yes, \"\\t\"]\nb: {}\n",
                r#"{"a":[1,-0,1.50,null,"yes","\t"],"b":{}}"#,
            ),
            ("- |\n x\n- a\n  b\n- [[], {c: d}]\n", r#"["x\n","a b",[[],{"c":"d"}]]"#),
            ("1: a\n0x2: b\n.inf: c\n", r#"{"1":"a","2":"b",".inf":"c"}"#),
            ("%YAML 1.2\n--- a\n", r#""a""#),
            ("&a {&b c: &d [&e , f]}", r#"{"c":[null,"f"]}"#),
        ] {
            assert_eq!(written(text, &options), (expected.to_owned(), false), "{text}");
        }
        options.lines = true;
        assert_eq!(written("- [1, 2]\n- a\n", &options), ("[1,2]\n\"a\"".to_owned(), false));
        assert_eq!(written("[]", &options), (String::new(), false));
    }

    #[test]
    fn rare_nodes_and_keys_that_may_be_equal_need_a_tree() {
        let options = JsonOptions::default();
        for text in [
            "- !a b",
            "a: *b",
            "<<: a",
            "{[a]: b}",
            "- .inf",
            "a: 1\nb: 2\na: 3\n",
            "1: a\n0x1: b\n",
            "1: a\n'1': b\n",
            "- {a: {b: c, d: e}, f: g, 'a': h}",
        ] {
            assert!(written(text, &options).1, "{text}");
        }
    }

    #[test]
    fn keys_are_kept_across_chunks_and_in_each_other() {
        let keys = |count: usize| (0..count).map(|i| format!("  key {i}: {{a: {i}, b: [x]}}\n"));
        let many: String = keys(500).collect();
        let text = format!("x:\n{many}y:\n{many}");
        assert!(!written(&text, &JsonOptions::default()).1);
        for repeated in ["  key 77: 1\n", "x: 1\n"] {
            assert!(written(&format!("{text}{repeated}"), &JsonOptions::default()).1);
        }
    }
}

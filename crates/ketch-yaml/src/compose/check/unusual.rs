//! Finds valid YAML that was probably meant differently.
//!
//! The text of an input with a misplaced byte order mark, no-break spaces as indentation, curly quotes
//! around a key or value, `-a` for `- a`, `{a:1}` for `{a: 1}`, `---a`, `&nbsp;`, or `{{ x }}` without
//! quotes is valid, but its value is not the one that the author sees.

use super::values::{Found, Here, NEAR_BYTES, comments, is_key};
use crate::compose::build::{KIND_NOP, kind};
use crate::event::{Chunk, Event, EventKind, Events, FLAGS_SHIFT, Flags, LEN_SHIFT};
use crate::location::{LineCounter, Location, line_start};
use crate::parse::Warning;
use crate::problem::Problem;
use std::collections::BTreeSet;

/// The maximum number of warnings.
const WARNINGS_MAX: usize = 1000;
/// The number of words that are looked at together.
const BLOCK_WORDS: usize = 16;
const KIND_MAPPING_START: u64 = EventKind::MappingStart as u64;
const KIND_DOCUMENT_START: u64 = EventKind::DocumentStart as u64;
/// The byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A search for unusual text in the chunks of a stream.
#[derive(Debug)]
pub(super) struct Unusual {
    /// Whether `<<` merges.
    merges: bool,
    /// The offset in the stream up to which the text has been searched for byte order marks.
    searched: u64,
    /// Whether the last event was the start of a document.
    is_start: bool,
    /// An offset in the stream at the start of a line, with the lines before it.
    counted: (u64, LineCounter),
    /// The number of warnings that may still be yielded.
    left: usize,
}

impl Unusual {
    /// Creates a search of a stream in which `<<` merges if `merges`.
    pub fn new(merges: bool) -> Unusual {
        let counted = (0, LineCounter::default());
        Unusual { merges, searched: 0, is_start: false, counted, left: WARNINGS_MAX }
    }

    /// Makes this a search of the rest of a stream from `offset` on, after `lines`.
    pub fn start_after(&mut self, offset: u64, lines: LineCounter) {
        self.searched = offset;
        self.counted = (offset, lines);
    }

    /// Adds a warning to `warnings` for each unusual text in `chunk`. The values `below` are not on the
    /// line of their key.
    pub fn search(&mut self, chunk: &Chunk<'_, '_>, below: &[Event], warnings: &mut Vec<Warning>) {
        let mut found = self.by_text(chunk, below);
        let text = chunk.text();
        for (block, words) in chunk.words().chunks(BLOCK_WORDS).enumerate() {
            let next = &chunk.words()[block * BLOCK_WORDS + 1..];
            // Without a branch for each word, since nearly all blocks have nothing of interest.
            let is_near = |one, next| opens_twice(one, next) | (kind(one) == KIND_DOCUMENT_START);
            let pairs = words.iter().zip(next);
            if pairs.fold(false, |any, (&one, &next)| any | is_near(one, next)) {
                found.extend(templates(text, words, next).take(self.left));
                found.extend(roots(text, words, next));
            }
            let mut marks = [0; BLOCK_WORDS];
            for (mark, &word) in marks.iter_mut().zip(words) {
                *mark = suspicion(text, word);
            }
            let mut left = u128::from_le_bytes(marks);
            while left != 0 {
                let at = left.trailing_zeros() as usize / 8;
                left &= !(0xff << (at * 8));
                if is_suspect(text, words[at], marks[at]) && found.len() < self.left {
                    let index = block * BLOCK_WORDS + at;
                    found.extend(suspect(text, chunk.words(), index, self.merges));
                    let event = Event::unpack(words[at]);
                    if event.kind == EventKind::Plain && event.flags.has(Flags::MULTILINE) {
                        found.extend(pairs_alone(text, event));
                    }
                }
            }
        }
        if std::mem::replace(&mut self.is_start, ends_with_start(chunk.words())) {
            found.extend(root(text, chunk.words()));
        }
        found.sort_unstable_by_key(|&(at, ..)| at);
        found.dedup();
        found.truncate(self.left);
        self.left -= found.len();
        for (at, len, problem) in found {
            let location = self.location(chunk, at, len);
            warnings.push(Warning { problem, location });
        }
    }

    /// Returns what is found by its text in `chunk`: comments that start with `//`, and byte order marks,
    /// except at the start of the stream and in quotes. Only text up to the end of the last event is
    /// searched, since what follows may be quoted. The values `below` are added if they are pairs.
    #[inline(never)]
    fn by_text(&mut self, chunk: &Chunk<'_, '_>, below: &[Event]) -> Vec<Found> {
        let (text, base, words) = (chunk.text(), chunk.base(), chunk.words());
        let last = words.iter().rposition(|&word| kind(word) != KIND_NOP);
        let last = last.and_then(|last| Events::new(&words[last..]).next());
        let end = last.map_or(0, |last| (last.start + last.len).min(text.len()));
        let start = self.searched.saturating_sub(base) as usize;
        self.searched = base + end.max(start) as u64;
        let Some(fresh) = text.get(start..end) else { return Vec::new() };
        let is_quoted =
            |event: &Event| matches!(event.kind, EventKind::DoubleQuoted | EventKind::SingleQuoted);
        let mut quoted = Events::new(words).filter(is_quoted).peekable();
        let marks = memchr::memchr_iter(MARK[0], fresh).map(|at| start + at);
        let marks = marks.filter(|at| text[*at..].starts_with(MARK));
        let is_misplaced = |&at: &usize| {
            while quoted.next_if(|event| event.range().end <= at).is_some() {}
            base + at as u64 > 0 && quoted.peek().is_none_or(|event| event.start > at)
        };
        let found = |at: usize| (at, MARK.len(), Problem::ByteOrderMark);
        let mut all = comments(text, start..end, words);
        all.extend(below.iter().flat_map(|event| pairs_alone(text, *event)));
        all.extend(marks.filter(is_misplaced).take(self.left).map(found));
        all
    }

    /// Returns the location of `len` bytes at the offset `at` of the text of `chunk`. Lines are counted
    /// from the last location on, so offsets must not decrease.
    fn location(&mut self, chunk: &Chunk<'_, '_>, at: usize, len: usize) -> Location {
        let (text, base) = (chunk.text(), chunk.base());
        let start = line_start(text, at);
        let (from, passed) = &mut self.counted;
        if *from < base {
            (*from, *passed) = (base, chunk.passed().unwrap_or_default());
        }
        if let Some(between) = text.get((*from - base) as usize..start) {
            passed.count(between);
            *from = base + start as u64;
        }
        let rest = &text[(*from - base) as usize..];
        passed.location(rest, *from, base + at as u64, len)
    }
}

/// Returns bits of [`MARKS`] if the event `word` may be unusual. Few other events have what is looked
/// for.
#[inline(always)]
fn suspicion(text: &[u8], word: u64) -> u8 {
    let (kind, start) = (kind(word) as usize, word as u32 as usize);
    let end = start.wrapping_add((word >> LEN_SHIFT) as usize);
    let marks = &MARKS[kind];
    let byte = |at: usize| marks[usize::from(text.get(at).copied().unwrap_or_default())];
    let first = byte(start.wrapping_add(NEAR[kind] as usize));
    let last = byte(end.wrapping_sub(1));
    let multiline = (word >> MULTILINE_SHIFT) as u8 & MULTILINE;
    let long = u8::from(word >= 4 << LEN_SHIFT).wrapping_neg();
    first & (FIRST | multiline | LONG & long) | last & (LAST | ZERO & long)
}

/// Returns whether the event `word`, which has the bits `mark` of [`MARKS`], is suspect.
#[inline(always)]
fn is_suspect(text: &[u8], word: u64, mark: u8) -> bool {
    let event = Event::unpack(word);
    let Some(content) = text.get(event.range()) else { return true };
    // A number such as 3.10.
    let is_version = || content.len() > 3 && content[content.len() - 3] == b'.';
    // A number such as 0123, or 1234e5, which has an `e` in the three bytes before the last one.
    let is_number = || match content {
        [.., a, b, c, _] if content.len() > 4 => content[0] == b'0' || [a, b, c].contains(&&b'e'),
        _ => false,
    };
    mark & (FIRST | LAST | MULTILINE) != 0
        || mark & ZERO != 0 && is_version()
        || mark & LONG != 0 && (event.kind != EventKind::Plain || is_number())
}

/// The bits of [`MARKS`]: whether the event is suspect if this is its first byte, or its last one,
/// whether it is if it has several lines, and whether a long one may be, if this is its first byte, or
/// its last one.
const FIRST: u8 = 1;
const LAST: u8 = 2;
const LONG: u8 = 4;
const MULTILINE: u8 = 8;
const ZERO: u8 = 16;
/// The shift of the bit of an event that it has several lines, to that of the marks.
const MULTILINE_SHIFT: u32 = FLAGS_SHIFT + Flags::MULTILINE.bits().trailing_zeros() - 3;
/// For each kind of event, the offset of the byte that is looked at first, from the start of the event.
const NEAR: [i8; 16] = {
    let mut near = [0; 16];
    near[EventKind::DoubleQuoted as usize] = 2;
    near[EventKind::MappingStart as usize] = -2;
    near
};
/// For each kind of event and each byte, when the event is suspect.
const MARKS: [[u8; 256]; 16] = {
    let mut marks = [[0; 256]; 16];
    marks[EventKind::Anchor as usize] = [FIRST; 256];
    marks[EventKind::Tag as usize] = [FIRST; 256];
    marks[EventKind::MappingStart as usize][b'-' as usize] = FIRST;
    marks[EventKind::DoubleQuoted as usize] = marked([0; 256], b":b", LONG);
    // An empty one is before a comma, a closing brace, a line break, or a blank that may be before a
    // comment.
    let mut plain = marked([MULTILINE; 256], b"-<+,} \t\r\n", FIRST);
    let mut high = 0x80;
    while high < plain.len() {
        plain[high] |= FIRST;
        high += 1;
    }
    plain = marked(marked(plain, b",;:\"']", LAST), b"0", ZERO);
    marks[EventKind::Plain as usize] = marked(plain, b"0123456789", LONG);
    marks
};

/// Returns `classes` with the bits `mark` for each of `bytes`.
const fn marked(mut classes: [u8; 256], bytes: &[u8], mark: u8) -> [u8; 256] {
    let mut index = 0;
    while index < bytes.len() {
        classes[bytes[index] as usize] |= mark;
        index += 1;
    }
    classes
}

/// Returns whether `word` and `next` are events of the same kind, directly one after the other in the
/// text, as the starts of two collections in brackets are.
#[inline(always)]
fn opens_twice(word: u64, next: u64) -> bool {
    next == word.wrapping_add(1)
}

/// Returns the texts such as `{{ x }}` among the events `words`, each with the one in `next`. They are
/// valid, but as mappings whose first key is a mapping.
fn templates(text: &[u8], words: &[u64], next: &[u64]) -> impl Iterator<Item = Found> {
    let pairs = words.iter().zip(next.windows(2));
    pairs.filter(|&(&one, next)| opens_twice(one, next[0])).filter_map(|(&word, _)| {
        let at = Event::unpack(word).start;
        let rest = text.get(at..).filter(|rest| rest.starts_with(b"{{"))?;
        let end = memchr::memchr2(b'}', b'\n', rest)?;
        // Errors in it, and other text after it, have messages of their own.
        let after = rest[end..].strip_prefix(b"}}")?.iter().find(|byte| **byte != b' ');
        let is_whole = after.is_none_or(|byte| b"\r\n#,]}:".contains(byte));
        is_whole.then_some((at, end + 2, Problem::UnquotedTemplate))
    })
}

/// Returns what is unusual about the event at `index` of `words`, which is suspect. `<<` merges if
/// `merges`.
fn suspect(text: &[u8], words: &[u64], index: usize, merges: bool) -> Option<Found> {
    if kind(words[index]) == KIND_MAPPING_START {
        let key = Event::unpack(*words.get(index + 1)?).range();
        memchr::memchr2(b'"', b'\'', text.get(key)?)?;
    }
    let here = Here::new(text, words, index)?;
    let event = here.event;
    match event.kind {
        EventKind::Anchor => here.anchor(),
        EventKind::Tag => here.tag(),
        EventKind::DoubleQuoted if event.flags.has(Flags::ESCAPES) => here.escape(),
        EventKind::DoubleQuoted => None,
        EventKind::MappingStart => here.quote_in_key(),
        // The value that is missing after a key.
        _ if event.len == 0 && matches!(text.get(event.start), Some(b' ' | b'\t')) => {
            here.comment()
        }
        _ if event.len == 0 && matches!(text.get(event.start), Some(b'\n' | b'\r')) => {
            here.key_without_value()
        }
        _ if event.len == 0 => {
            let key = Event::unpack(*words.get(index.checked_sub(1)?)?);
            let key = Some(key).filter(|key| key.kind == EventKind::Plain)?;
            pairs(text, key).or_else(|| here.braces(key))
        }
        _ if text.get(event.start) == Some(&b'<') => here.merge(merges),
        _ => plain(text, event).or_else(|| here.plain()),
    }
}

/// Returns the plain scalar `event` if it looks like a key with a value, but no space follows the `:`.
fn pair(text: &[u8], event: Event) -> Option<Found> {
    let content = std::str::from_utf8(text.get(event.range())?).ok()?;
    let line = content.lines().next()?;
    let is_pair = is_pair(line, "._-");
    is_pair.then_some((event.start, line.len(), Problem::ColonWithoutSpace))
}

/// Returns whether the last of the events `words` is the start of a document.
fn ends_with_start(words: &[u64]) -> bool {
    let last = words.iter().rev().find(|word| kind(**word) != KIND_NOP);
    last.is_some_and(|last| kind(*last) == KIND_DOCUMENT_START)
}

/// Returns the documents that start among the events `words`, each with what follows it in `next`, and
/// are one text such as `a:1`.
fn roots(text: &[u8], words: &[u64], next: &[u64]) -> impl Iterator<Item = Found> {
    let starts = words.iter().zip(0..).filter(|(word, _)| kind(**word) == KIND_DOCUMENT_START);
    starts.filter_map(move |(_, at)| root(text, next.get(at..)?))
}

/// Returns the root of a document if it is one text such as `a:1`. `words` are the events after the start
/// of the document.
fn root(text: &[u8], words: &[u64]) -> Option<Found> {
    // Such a document has few events. After a syntax error, it has no end.
    let events = Events::new(&words[..words.len().min(BLOCK_WORDS)]);
    let mut events = events.filter(|event| event.kind != EventKind::Nop);
    let event = events.next().filter(|event| event.kind == EventKind::Plain)?;
    events.next().filter(|next| next.kind == EventKind::DocumentEnd)?;
    pair(text, event)
}

/// Returns the lines of the plain scalar `event`, which is not on the line of its key, if each of them
/// looks like the entry of a mapping. Addresses, and names of images with their versions, are texts.
fn pairs_alone(text: &[u8], event: Event) -> Vec<Found> {
    let content = text.get(event.range()).and_then(|content| std::str::from_utf8(content).ok());
    let lines = || content.unwrap_or_default().split_inclusive('\n');
    let key = |line: &str| {
        let (key, value) = line.trim().split_once(':')?;
        let is_value = value.starts_with(char::is_alphanumeric) && value != "latest";
        let is_word = is_value && !value.contains([' ', '/', '@']) && key != "localhost";
        (is_word && is_pair(line.trim(), "_-")).then(|| key.to_owned())
    };
    let keys = lines().map(key).collect::<Option<BTreeSet<_>>>();
    if keys.is_none_or(|keys| keys.len() != lines().count()) {
        return Vec::new();
    }
    let mut at = event.start;
    let found = lines().map(|line| {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        (start, line.trim().len(), Problem::ColonWithoutSpace)
    });
    found.collect()
}

/// Returns whether `word` looks like `key:value`. The key may have the characters `marks`.
fn is_pair(word: &str, marks: &str) -> bool {
    let Some((key, value)) = word.split_once(':') else { return false };
    let is_word = key.chars().all(|ch| ch.is_alphanumeric() || marks.contains(ch));
    let is_key = is_word && key.starts_with(char::is_alphabetic);
    // The others are paths, URLs and the like.
    is_key && !value.is_empty() && !value.starts_with(['/', '\\', ' ']) && !value.contains(':')
}

/// Returns the same for the key `event` in braces, with the entries after it if they look like it. An
/// entry before it then has been returned with it.
fn pairs(text: &[u8], event: Event) -> Option<Found> {
    let is_pair = |word: &str| is_pair(word.trim(), "._-/");
    let from = event.start.saturating_sub(NEAR_BYTES);
    let before = text[from..event.start].utf8_chunks().last().map_or("", |last| last.valid());
    let near = &text[event.start..text.len().min(event.start + NEAR_BYTES)];
    let rest = near.utf8_chunks().next()?.valid().split(['}', '\n']).next()?;
    let mut entries = rest.split(',');
    let first = entries.next().filter(|first| is_pair(first))?;
    let are_pairs = entries.all(is_pair);
    let mut earlier = before.trim_end().strip_suffix(',').unwrap_or_default().rsplit([',', '{']);
    if are_pairs && earlier.next().is_some_and(|word| is_pair(word) && !word.contains('\n')) {
        return None;
    }
    let len = if are_pairs { rest.trim_end().len() } else { first.trim_end().len() };
    Some((event.start, len, Problem::ColonWithoutSpace))
}

/// Returns what is unusual about the plain scalar `event`, if anything.
fn plain(text: &[u8], event: Event) -> Option<Found> {
    let content = std::str::from_utf8(text.get(event.range())?).ok()?;
    let first = content.chars().next()?;
    let line = text[..event.start].iter().rev().find(|byte| **byte != b' ');
    let starts_line = line.is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let rest = &text[event.range().end..];
    let problem = match first {
        '-' if is_joined_marker(text, event.start, content) => Problem::MarkerWithoutSpace,
        '-' if starts_line && is_item(content) && !is_in_flow(rest) => Problem::DashWithoutSpace,
        '\u{2018}'..='\u{201f}' if is_key(rest) => Problem::CurlyQuotes,
        '\u{2018}'..='\u{201f}' if line == Some(&b':') && is_in_curly_quotes(content) => {
            Problem::CurlyQuotes
        }
        '\u{2013}' | '\u{2014}' | '\u{2022}' if starts_line && content[3..].starts_with(' ') => {
            let len = content.lines().next()?.len();
            return Some((event.start, len, Problem::OtherDash(first)))
                .filter(|_| !is_in_flow(rest));
        }
        _ if first.is_whitespace() || first == '\u{200b}' => {
            let len = content.len() - content.trim_start_matches(first).len();
            return Some((event.start, len, Problem::BlankNotSpace(first.into())));
        }
        _ => return None,
    };
    let len = if problem == Problem::CurlyQuotes { content.len() } else { 1 };
    Some((event.start, len, problem))
}

/// Returns whether `content` at `start` is a `---` at the start of a line with text directly after it.
fn is_joined_marker(text: &[u8], start: usize, content: &str) -> bool {
    let starts_line = start == 0 || matches!(text[start - 1], b'\n' | b'\r');
    let rest = content.strip_prefix("---").unwrap_or_default();
    starts_line && rest.starts_with(char::is_alphabetic)
}

/// Returns whether `content`, which starts with a curly quote, is a word that ends with one. Curly
/// quotes around several words may be part of a text.
fn is_in_curly_quotes(content: &str) -> bool {
    let is_curly = |ch: char| ('\u{2018}'..='\u{201f}').contains(&ch);
    let inner = content.strip_prefix(is_curly).and_then(|inner| inner.strip_suffix(is_curly));
    inner.is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// Returns whether `content`, which starts with `-`, was probably meant as an entry of a sequence,
/// and not as a number or an option such as `--all` or `-Dname=value`.
fn is_item(content: &str) -> bool {
    let mut lines = content.lines().map(str::trim_start);
    if lines.clone().any(|line| line.starts_with("- ")) {
        return true;
    }
    let has_value = |line: &str| line.contains('=') || line.contains(" -");
    let is_letter = |line: &str| line.as_bytes().get(2) == Some(&b' ');
    if lines.clone().any(|line| has_value(line) || is_letter(line)) {
        return false;
    }
    let second = content[1..].chars().next().unwrap_or('-');
    let is_list = lines.clone().count() > 1 && lines.all(|line| line.starts_with('-'));
    second.is_alphabetic() || "\"'$_[{&*!".contains(second) || is_list && second != '-'
}

/// Returns whether `rest`, the text after a plain scalar, shows that the scalar is inside brackets.
fn is_in_flow(rest: &[u8]) -> bool {
    let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
    next.is_some_and(|byte| matches!(byte, b',' | b']' | b'}'))
}

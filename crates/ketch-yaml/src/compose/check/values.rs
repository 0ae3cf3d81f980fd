//! Finds keys and values that are valid, but are not what they look like: `key: #fff` is empty,
//! `3.10` is the number 3.1, and `a: 1,` is a text.
//!
//! A rule is here only if real files that match it are wrong.

use crate::compose::build::{KIND_NOP, kind};
use crate::event::{Event, EventKind, Events};
use crate::problem::Problem;
use memchr::memmem;
use std::ops::Range;

/// The number of lines that are searched for the key of an entry.
const LINES_MAX: usize = 64;

/// The number of bytes before and after an event that are looked at. Without it, events of one long
/// line would take quadratic time.
pub(super) const NEAR_BYTES: usize = 512;

/// The maximum number of bytes of the word before a line that may be an entry.
const WORD_MAX: usize = 76;

/// The offset in the text and the length of something unusual, and the problem with it.
pub(super) type Found = (usize, usize, Problem);

/// An event, with the text and the words around it.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    text: &'a [u8],
    words: &'a [u64],
    /// The index of the event in `words`.
    index: usize,
    pub event: Event,
}

impl<'a> Here<'a> {
    /// Returns the event at `index` of `words`.
    pub fn new(text: &'a [u8], words: &'a [u64], index: usize) -> Option<Here<'a>> {
        let event = Events::new(words.get(index..)?).next()?;
        Some(Here { text, words, index, event })
    }

    /// Returns the text of the event.
    fn content(&self) -> Option<&'a str> {
        std::str::from_utf8(self.text.get(self.event.range())?).ok()
    }

    /// Returns the line up to the event, without the indentation and the dashes of entries.
    fn before(&self) -> Option<&'a str> {
        let line = line_before(self.text, self.event.start)?;
        Some(std::str::from_utf8(line).ok()?.trim_start_matches(['-', ' ']))
    }

    /// Returns the text from the start of the event to the end of the line, if that is near.
    fn line(&self) -> Option<&'a [u8]> {
        let rest = self.text.get(self.event.start..)?;
        let near = &rest[..rest.len().min(NEAR_BYTES)];
        let end = memchr::memchr2(b'\n', b'\r', near);
        end.or((near.len() == rest.len()).then_some(near.len())).map(|end| &near[..end])
    }

    /// Returns the same without a comment.
    fn without_comment(&self) -> Option<&'a [u8]> {
        let line = self.line()?;
        Some(line[..memmem::find(line, b" #").unwrap_or(line.len())].trim_ascii_end())
    }

    /// Returns the text that starts with the property, if it is on one line.
    fn property(&self, problem: Problem) -> Option<Found> {
        let next =
            self.words[self.index..].iter().copied().skip(1).find(|word| kind(*word) != KIND_NOP);
        let is_text =
            |next| matches!(Event::unpack(next).kind, EventKind::Plain | EventKind::Anchor);
        Some((self.event.start, self.without_comment()?.len(), problem))
            .filter(|_| next.is_none_or(is_text))
    }

    /// Returns the key whose value this event is, or is an entry of, in lower case.
    fn key(&self) -> Option<String> {
        let mut before = self.before()?.trim_end();
        if before.is_empty() {
            before = self.key_above()?;
        } else if let Some(open) =
            before.rfind('[').filter(|open| !before[*open..].contains([']', ':']))
        {
            before = before[..open].trim_end();
        }
        let key = before.strip_suffix(':')?.rsplit(['{', ',']).next()?;
        Some(key.trim_matches([' ', '"', '\'']).to_lowercase())
    }

    /// Returns the line of the key of the block sequence that the event is an entry of.
    fn key_above(&self) -> Option<&'a str> {
        let line = self.event.start - line_before(self.text, self.event.start)?.len();
        let depth = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
        let entry = depth(&self.text[line..]);
        let near = &self.text[line.saturating_sub(LINES_MAX * NEAR_BYTES / 8)..line];
        let above = near.rsplit(|byte| *byte == b'\n').skip(1).take(LINES_MAX);
        let is_key = |line: &&[u8]| {
            let rest = line.trim_ascii_start();
            let is_above = depth(line) < entry || depth(line) == entry && !rest.starts_with(b"-");
            is_above && !rest.is_empty() && !rest.starts_with(b"#")
        };
        let key = std::str::from_utf8(above.into_iter().find(is_key)?).ok()?;
        Some(key.trim_start_matches(['-', ' ']).trim_end())
    }

    /// Returns whether this is the value of a key on the same line.
    fn is_value(&self) -> bool {
        self.before().is_some_and(|before| before.trim_end().ends_with(':'))
    }

    /// Returns the comment after a missing value, if it looks like the value: `#fff`, `#/a/b` and
    /// `#general`.
    pub fn comment(&self) -> Option<Found> {
        let line = self.line()?;
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let comment = std::str::from_utf8(&line[blanks..]).ok()?.strip_prefix('#')?;
        let word = comment.split([' ', '\t']).next()?;
        let after = comment[word.len()..].trim_start();
        let is_alone = after.is_empty() || after.starts_with('#');
        let is_entry = self.event.start.checked_sub(1).is_some_and(|at| self.text[at] == b'-');
        let key = self.key().unwrap_or_default();
        let is_value = is_alone && (is_entry && is_name(word) || is_hash_value(&key, word));
        let at = self.event.start + blanks;
        is_value.then_some((at, word.len() + 1, Problem::CommentAsValue))
    }

    /// Returns the entry below the one whose key has this missing value, if the key is also an entry of
    /// its own above: `- pip`, `- pip:`, `- rich`.
    pub fn key_without_value(&self) -> Option<Found> {
        let near = self.words.get(self.index.checked_sub(2)?..)?;
        let [start, key, _, end, item, ..] = near else { return None };
        let [start, key, end, item] = [start, key, end, item].map(|word| Event::unpack(*word));
        let is_alone = start.kind == EventKind::MappingStart && end.kind == EventKind::MappingEnd;
        let is_item = key.kind == EventKind::Plain && item.kind == EventKind::Plain && item.len > 0;
        let line = line_before(self.text, self.event.start).filter(|_| is_alone && is_item)?;
        let head = &self.text[..self.event.start - line.len()];
        let above = [b"\n", line.strip_suffix(b":")?, b"\n"].concat();
        memmem::rfind(&head[head.len().saturating_sub(NEAR_BYTES)..], &above)?;
        let dash = line_before(self.text, item.start).filter(|dash| line.starts_with(dash))?;
        let at = item.start - dash.trim_ascii_start().len();
        let column = u32::try_from(dash.len() + 1).ok()?;
        Some((at, item.range().end - at, Problem::EntryBesideKey(column)))
    }

    /// Returns the `{id}` that the value after `key` is, probably a placeholder.
    pub fn braces(&self, key: Event) -> Option<Found> {
        let start = key.start.checked_sub(1)?;
        let before = std::str::from_utf8(line_before(self.text, start)?).ok()?;
        let is_value = before.ends_with(": ") && !before.contains(['{', '[']);
        let (end, after) = (key.range().end, self.text.get(key.range().end..)?);
        let after = after.strip_prefix(b"}")?.iter().find(|byte| **byte != b' ');
        let is_whole = after.is_none_or(|byte| matches!(byte, b'\r' | b'\n' | b'#'));
        let is_braced = self.text[start] == b'{' && end == self.event.start && is_whole;
        (is_value && is_braced).then_some((start, key.len + 2, Problem::BracesNotText))
    }

    /// Returns the anchor if it is `&nbsp;`, or looks like the start of a text.
    pub fn anchor(&self) -> Option<Found> {
        let name = self.content()?.get(1..)?;
        let is_name = |name: &str| {
            name.starts_with('#') || name.len() > 1 && name.chars().all(char::is_alphanumeric)
        };
        if name.split_once(';').is_some_and(|(start, _)| is_name(start)) {
            let text = self.property(Problem::HtmlEntity).filter(|_| !self.is_in_brackets());
            return text.or(Some((self.event.start, self.event.len, Problem::HtmlEntity)));
        }
        let is_text = name.contains(['=', '&', '?', '$', '(', '@']);
        let before = self.index.checked_sub(1).and_then(|at| Here::new(self.text, self.words, at));
        let is_after_tag = before
            .is_some_and(|before| before.event.kind == EventKind::Tag && before.tag().is_some());
        let is_text = is_text && !is_after_tag;
        self.property(Problem::AnchorNotText).filter(|_| is_text)
    }

    /// Returns the tag if it looks like the start of a text, such as `!cancelled()` and `!= 5`, or like
    /// one of YAML's, such as `!!string`.
    pub fn tag(&self) -> Option<Found> {
        let name = self.content()?.strip_prefix('!')?;
        if let Some(tag) = name.strip_prefix('!').and_then(intended_tag) {
            return Some((self.event.start, self.event.len, Problem::NoSuchTag(tag)));
        }
        if name.len() > 1 && name.ends_with(':') && !name.starts_with('!') {
            return Some((self.event.start, self.without_comment()?.len(), Problem::ColonInTag));
        }
        let is_text = name.contains(['(', '$', '*'])
            || name.starts_with('=')
            || name == "important"
            || self.is_empty() && self.is_value_of_key(name);
        self.property(Problem::TagNotText).filter(|_| is_text && !name.starts_with(['<', '!']))
    }

    /// Returns whether the value after the tag is missing.
    fn is_empty(&self) -> bool {
        let next = self.words.get(self.index + 1).map(|next| Event::unpack(*next));
        next.is_some_and(|next| next.kind == EventKind::Plain && next.len == 0)
    }

    /// Returns whether the tag `!` and `name`, which no value follows, was probably meant as a path in a
    /// list of files to ignore, or as a password.
    fn is_value_of_key(&self, name: &str) -> bool {
        if ["reset", "override"].contains(&name) {
            return false;
        }
        let is_path = name.contains(['/', '.']) && !name.contains(':');
        let has = |kind: fn(&char) -> bool| name.chars().any(|ch| kind(&ch));
        let key = self.key().unwrap_or_default();
        is_path
            || ["password", "secret", "token"].iter().any(|word| key.contains(word))
            || has(char::is_ascii_digit)
                && has(char::is_ascii_alphabetic)
                && !name.contains([':', '!'])
    }

    /// Returns whether a bracket is before the event on its line.
    fn is_in_brackets(&self) -> bool {
        self.before().is_none_or(|before| before.contains(['{', '[']))
    }

    /// Returns the value of the merge key, if it is a scalar. Such a value merges nothing. If `<<`
    /// merges, only one with a tag of the user is no error.
    pub fn merge(&self, merges: bool) -> Option<Found> {
        let rest = &self.text[self.event.range().end..];
        if self.content()? != "<<" || !is_key(rest) {
            return None;
        } else if merges {
            return self.merged_tag();
        }
        let line = self.without_comment()?;
        let value = line[2..].trim_ascii_start()[1..].trim_ascii_start();
        let is_scalar = value.first().is_some_and(|first| !b"*&!{[".contains(first));
        let at = self.event.start + line.len() - value.len();
        is_scalar.then_some((at, value.len(), Problem::MergeValue))
    }

    /// Returns the tag of the user that the value of the merge key has, if it is a scalar.
    fn merged_tag(&self) -> Option<Found> {
        let mut next = Events::new(&self.words[self.index..]).skip(1);
        let (tag, value) = (next.next()?, next.next()?);
        let name = self.text.get(tag.range())?;
        let is_of_yaml = name.starts_with(b"!!") || memmem::find(name, b"yaml.org,2002:").is_some();
        let is_opaque = tag.kind == EventKind::Tag && value.kind.is_scalar() && !is_of_yaml;
        (is_opaque && name != b"!").then_some((tag.start, tag.len, Problem::MergeValue))
    }

    /// Returns the text in double quotes if its escapes were probably meant as backslashes: a path of
    /// Windows, or an expression that starts with `\b`.
    pub fn escape(&self) -> Option<Found> {
        let content = self.content()?;
        let after = content.get(4..)?;
        let is_path =
            content.as_bytes()[1].is_ascii_alphabetic() && !after.starts_with(['\\', '"']);
        let is_path = content.get(2..4) == Some(":\\") && is_path;
        let starts_word =
            |rest: &str| rest.starts_with(|ch: char| ch.is_ascii_alphabetic() || ch == '(');
        let is_expression = content.strip_prefix("\"\\b").is_some_and(starts_word);
        let is_meant = (is_path || is_expression) && !content.contains(['\n', '\'']);
        is_meant.then_some((self.event.start, self.event.len, Problem::EscapeNotMeant))
    }

    /// Returns the entry that the event is in, if its key has one quote and its value the other one,
    /// as in `- echo "a: b"`.
    pub fn quote_in_key(&self) -> Option<Found> {
        let start = self.event.start - self.before()?.len();
        let entry = self.without_comment()?.len() + self.event.start - start;
        let line = std::str::from_utf8(self.text.get(start..start + entry)?).ok()?;
        let (key, value) = line.split_once(": ")?;
        let is_open = |quote: &char| {
            let mut quotes = key.match_indices(*quote);
            let before = quotes.next().and_then(|(at, _)| key[..at].chars().next_back());
            before.is_some_and(|before| " =([".contains(before)) && quotes.count() % 2 == 0
        };
        let is_plain = !key.starts_with(['"', '\'', '[', '{', '?']);
        let quote = ['"', '\''].into_iter().find(is_open).filter(|_| is_plain)?;
        value.contains(quote).then_some((start, entry, Problem::QuoteInKey))
    }

    /// Returns what is unusual about the plain scalar, if anything.
    pub fn plain(&self) -> Option<Found> {
        let content = self.content()?;
        let Event { start, len, .. } = self.event;
        let found = |problem| Some((start, len, problem));
        if let Some(part) = lost_part(content) {
            return found(Problem::NumberLoses(part)).filter(|_| self.is_text_as_number(content));
        } else if content.contains('\n') {
            if content.starts_with("// ") {
                return Some((start, self.line()?.trim_ascii_end().len(), Problem::CommentInText));
            }
            return self.dash().or_else(|| self.backslash());
        }
        let last = content.chars().next_back()?;
        let (rest, word) = (&self.text[start + len..], &content[..len - last.len_utf8()]);
        match last {
            ':' if is_key(rest) && is_name(word) => found(Problem::ColonInKey),
            ']' if self.is_value() && is_list(word) => found(Problem::MarkAtEnd(last)),
            ',' | ';' if self.is_value() && (is_literal(word) || self.is_in_list(word)) => {
                found(Problem::MarkAtEnd(last))
            }
            '"' | '\'' if self.is_value() => {
                if let Some(entry) = self.quote_in_key() {
                    // The first key of an entry is found by the start of its mapping.
                    return Some(entry).filter(|entry| !self.text[..entry.0].ends_with(b"- "));
                }
                let is_stray =
                    last == '"' && word.ends_with(char::is_alphabetic) && !word.contains('"');
                found(Problem::MarkAtEnd(last)).filter(|_| is_stray)
            }
            _ => None,
        }
    }

    /// Returns whether `word` is a name, and a comma follows the value of the line above or below, too.
    fn is_in_list(&self, word: &str) -> bool {
        let line = line_before(self.text, self.event.start).unwrap_or_default();
        let depth = |line: &[u8]| line.len() - line.trim_ascii_start().len();
        let above = (self.event.start - line.len()).checked_sub(1);
        let above = above.and_then(|end| line_before(self.text, end));
        let rest = &self.text[self.event.range().end..];
        let mut below = rest[..rest.len().min(NEAR_BYTES)].split(|byte| *byte == b'\n');
        let mut near = above.into_iter().chain(below.nth(1)).map(<[u8]>::trim_ascii_end);
        let is_sibling = |other: &[u8]| {
            let has_value = memmem::find(other, b": ").is_some();
            other.ends_with(b",") && has_value && depth(other) == depth(line)
        };
        is_name(word) && near.any(is_sibling)
    }

    /// Returns whether the number `content` was probably meant as text, because of its key.
    fn is_text_as_number(&self, content: &str) -> bool {
        let key = self.key().unwrap_or_default();
        let is_any = |words: &[&str]| words.iter().any(|word| key.contains(word));
        match content.as_bytes()[0] {
            b'+' => true,
            _ if content.contains('e') => true,
            b'0' if !content.contains('.') => !is_any(&["mode", "mask", "perm"]),
            _ => is_version_key(&key),
        }
    }

    /// Returns a line `- b` of the text, which follows an entry of a block sequence.
    fn dash(&self) -> Option<Found> {
        let content = self.content()?;
        let dash =
            self.event.start.checked_sub(2).filter(|dash| self.text[*dash..].starts_with(b"- "))?;
        let line = dash - line_before(self.text, dash)?.len();
        let is_entry = self.text[line..dash].iter().all(|byte| matches!(byte, b' ' | b'-'));
        let (first, rest) = content.split_once('\n')?;
        let entry = rest.trim_start_matches(' ');
        // A text that a program wrapped has a long line before it.
        let is_word = first.len() < WORD_MAX && !first.trim_ascii_end().contains(' ');
        let is_entry = is_entry && is_word && entry.starts_with("- ");
        let at = self.event.start + content.len() - entry.len();
        let are_entries = rest.lines().all(|line| line.trim_start().starts_with("- "));
        if is_entry && are_entries && rest.lines().count() > 1 && is_name(first.trim_end()) {
            return Some((self.event.start, first.trim_end().len(), Problem::DashesInText));
        }
        let column = u32::try_from(dash - line + 1).ok()?;
        is_entry.then(|| {
            (at, entry.lines().next().unwrap_or_default().len(), Problem::DashInText(column))
        })
    }

    /// Returns a backslash at the end of a line of the text, of which a space stays instead of the
    /// line break.
    fn backslash(&self) -> Option<Found> {
        let content = self.text.get(self.event.range())?;
        let mut ends = memmem::find_iter(content, b" \\\n");
        let at = ends.find(|at| !matches!(content.get(at + 3), Some(b'\n' | b'\r')))?;
        Some((self.event.start + at + 1, 1, Problem::BackslashInText))
    }
}

/// Returns the numbers, booleans and nulls in `range` of `text`, whose events are `words`, that are texts
/// because a comment of another language follows them, as in `3 // was 2`.
pub(super) fn comments(text: &[u8], range: Range<usize>, words: &[u64]) -> Vec<Found> {
    let found = |at: usize| {
        let line = line_before(text, range.start + at)?;
        let (blanks, line) = (line.len() - line.trim_ascii_end().len(), line.trim_ascii_end());
        let word = std::str::from_utf8(line.rsplit(|byte| *byte == b' ').next()?).ok()?;
        is_literal(word).then_some(range.start + at - blanks - word.len())
    };
    let found: Vec<usize> =
        memmem::find_iter(&text[range.clone()], " // ").filter_map(found).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let events = Events::new(words).filter(|event| event.kind == EventKind::Plain);
    let events = events.filter(|event| found.binary_search(&event.start).is_ok());
    let len = |event: &Event| {
        text[event.range()].split(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len)
    };
    events.map(|event| (event.start, len(&event), Problem::CommentInText)).collect()
}

/// Returns whether `text` is several words with a comma between each two.
fn is_list(text: &str) -> bool {
    let mut words = text.split(", ");
    text.contains(", ")
        && words.all(|word| !word.is_empty() && !word.contains([' ', '[', '{', '(']))
}

/// Returns the line up to the offset `at` of `text`, if its start is near.
fn line_before(text: &[u8], at: usize) -> Option<&[u8]> {
    let near = &text[at.saturating_sub(NEAR_BYTES)..at];
    let start = memchr::memrchr2(b'\n', b'\r', near).map(|last| last + 1);
    start.or((near.len() == at).then_some(0)).map(|start| &near[start..])
}

/// Returns whether `rest`, the text after a scalar, shows that the scalar is a key.
pub(super) fn is_key(rest: &[u8]) -> bool {
    let mut rest = rest.iter().skip_while(|byte| matches!(byte, b' ' | b'\t'));
    rest.next() == Some(&b':') && rest.next().is_none_or(u8::is_ascii_whitespace)
}

/// Returns the tag of YAML that `!!` and `name`, which is none, was probably meant as.
fn intended_tag(name: &str) -> Option<&'static str> {
    Some(match name {
        "string" | "text" => "!!str",
        "integer" | "long" => "!!int",
        "boolean" => "!!bool",
        "double" | "decimal" | "number" => "!!float",
        "list" | "array" => "!!seq",
        "dict" | "object" | "hash" => "!!map",
        _ => return None,
    })
}

/// Returns whether `word` is a name such as `general` and `my-key`.
fn is_name(word: &str) -> bool {
    let is_part = |ch: char| ch.is_alphanumeric() || "._-".contains(ch);
    word.starts_with(char::is_alphanumeric) && word.chars().all(is_part)
}

/// Returns whether the value of `key` is probably `#` and `word`.
fn is_hash_value(key: &str, word: &str) -> bool {
    const COLORS: [&str; 7] =
        ["color", "colour", "background", "foreground", "fill", "stroke", "tint"];
    const TEXTS: [&str; 4] = ["channel", "href", "anchor", "hashtag"];
    let has = |names: &[&str]| names.iter().any(|name| key.contains(name));
    let is_hex =
        matches!(word.len(), 3 | 4 | 6 | 8) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = word.len() >= 6
        && word.contains(|ch: char| ch.is_ascii_digit())
        && word.contains(|ch: char| ch.is_ascii_alphabetic());
    let is_pointer = word.len() > 1 && word.starts_with('/') && !word.starts_with("//");
    is_hex && (is_mixed || has(&COLORS)) || is_pointer || is_name(word) && has(&TEXTS)
}

/// Returns whether `word` is a number, `true`, `false` or `null`.
fn is_literal(word: &str) -> bool {
    let is_number = |word: &str| {
        word.starts_with(|ch: char| ch.is_ascii_digit()) && word.parse::<f64>().is_ok()
    };
    matches!(word, "true" | "false" | "null") || is_number(word.trim_start_matches('-'))
}

/// Returns what the number `content` has that its value has not, if it may be a text.
fn lost_part(content: &str) -> Option<&'static str> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(digits) = content.strip_prefix('+') {
        return (is_digits(digits) && digits.len() >= 7).then_some("its `+`");
    } else if content.len() >= 5 && content.starts_with('0') && is_digits(content) {
        return Some("the zeros at its start");
    }
    let is_short = (6..=40).contains(&content.len());
    if let Some((mantissa, exponent)) = content.split_once('e').filter(|_| is_short) {
        let is_commit = is_digits(mantissa) && is_digits(exponent) && !mantissa.ends_with("00");
        return is_commit.then_some("the `e`, because it starts an exponent");
    }
    let (major, minor) = content.split_once('.')?;
    let is_version = is_digits(major) && is_digits(minor) && !minor.starts_with('0');
    (is_version && minor.ends_with('0')).then_some("the zero at its end")
}

/// Returns whether the value of `key`, in lower case, is a version.
fn is_version_key(key: &str) -> bool {
    const NAMES: &str = "python go golang node nodejs node_js ruby rvm php \
        perl elixir rust julia terraform postgresql";
    NAMES.split(' ').any(|name| name == key)
        || ["version", "versions", "tag"].iter().any(|end| key.ends_with(end))
}

//! Writing values as Syck did.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ketch_yaml::present::{PresentError, Properties, Sequences};
use ketch_yaml::represent::{Native, float_text};
use ketch_yaml::schema::Timestamp;
use ketch_yaml::tag::YAML_PREFIX;
use std::borrow::Cow;

type Result<T = ()> = std::result::Result<T, PresentError>;

/// The column beyond which collections are written in brackets, because the total indentation grows
/// with the square of the depth.
const COLUMNS_MAX: usize = 1000;

const WRONG_END: PresentError =
    PresentError::Misplaced("no collection of this kind is open, or its last key has no value");

/// An emitter that writes documents as Syck did: with a space after `---`, empty nulls, `~` as a
/// null key, double quotes where text would have another type, `|` and `|-`, and `!binary` for
/// control characters. Syck's dialect reads the same values back.
///
/// Nodes are pushed one by one, as with a [`Presenter`](ketch_yaml::present::Presenter).
///
/// ```
/// use ketch_yaml::present::{Properties, Sequences};
/// use ketch_yaml::represent::Native;
/// use ketch_syck::SyckEmitter;
///
/// let mut syck = SyckEmitter::new(Sequences::Flush);
/// syck.start_document()?;
/// syck.start_mapping(Properties::NONE)?;
/// syck.native(Native::Str("masts"), Properties::NONE)?;
/// syck.start_sequence(Properties::NONE)?;
/// syck.native(Native::Str("1:30"), Properties::NONE)?;
/// syck.native(Native::Null, Properties::NONE)?;
/// syck.end_sequence()?;
/// syck.end_mapping()?;
/// syck.end_document()?;
/// assert_eq!(syck.take(), b"--- \nmasts: \n- \"1:30\"\n- \n");
/// # Ok::<(), ketch_yaml::present::PresentError>(())
/// ```
#[derive(Debug)]
pub struct SyckEmitter {
    out: Vec<u8>,
    sequences: Sequences,
    open: Vec<Frame>,
    /// A collection that has started, but has no entry yet.
    pending: Option<Pending>,
    state: State,
}

/// What has to come next: the start of a document, its root, or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    Root,
    End,
}

/// An open collection.
#[derive(Debug)]
struct Frame {
    is_flow: bool,
    columns: usize,
    /// Whether the next entry continues a line or, in brackets, has no comma before it.
    continues: bool,
    slot: Slot,
}

/// The role of the next node in its collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Entry,
    Key,
    Value,
    /// The value of a key after a `?`.
    ExplicitValue,
}

/// A collection that has started, but has no entry yet.
#[derive(Debug)]
struct Pending {
    is_mapping: bool,
    properties: String,
    place: Place,
}

/// The place of a node.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The indentation that a block collection would have there.
    columns: usize,
    lead: Lead,
}

/// What precedes a node on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    Marker,
    /// A `-` or `?`, after which a block collection may start.
    Indicator,
    Key,
    /// Only indentation, because the node is a key.
    Nothing,
    /// A bracket or an entry in brackets.
    Bracket,
}

impl SyckEmitter {
    /// Creates an emitter. Sequences in mappings are [flush](Sequences::Flush) with their keys in
    /// the library in C, and [indented](Sequences::Indented) in Yecht.
    #[must_use]
    pub fn new(sequences: Sequences) -> SyckEmitter {
        let (out, open) = (Vec::new(), Vec::new());
        SyckEmitter { out, sequences, open, pending: None, state: State::Between }
    }

    /// Starts a document.
    ///
    /// # Errors
    ///
    /// Fails if a document is open.
    pub fn start_document(&mut self) -> Result {
        if self.state != State::Between {
            return Err(PresentError::Misplaced("the previous document has not ended"));
        }
        self.out.extend_from_slice(b"---");
        self.state = State::Root;
        Ok(())
    }

    /// Ends a document.
    ///
    /// # Errors
    ///
    /// Fails if the document is not complete.
    pub fn end_document(&mut self) -> Result {
        if self.state != State::End || !self.open.is_empty() || self.pending.is_some() {
            let why = "a collection is still open, or the document is empty";
            return Err(PresentError::Misplaced(why));
        }
        self.state = State::Between;
        Ok(())
    }

    /// Returns the text written so far, and removes it from the emitter.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Writes `value` as a scalar. Text with control characters becomes binary.
    ///
    /// # Errors
    ///
    /// Fails where no node is allowed, and for a tag that the dialect cannot express.
    pub fn native(&mut self, value: Native<'_>, properties: Properties<'_>) -> Result {
        match value {
            Native::Null => self.leaf("", properties),
            Native::Bool(value) => self.leaf(if value { "true" } else { "false" }, properties),
            Native::Int(value) => self.leaf(itoa::Buffer::new().format(value), properties),
            Native::BigInt(digits) => self.leaf(digits, properties),
            Native::Float(value) => self.leaf(&syck_float(value), properties),
            Native::Str(text) if is_literal(text) => self.literal(text, properties),
            Native::Str(text) => self.leaf(&quoted(text), properties),
            Native::Binary(bytes) => self.leaf(&binary(bytes), properties),
            Native::Timestamp(value) => self.leaf(&timestamp_text(value), properties),
        }
    }

    /// Writes a scalar without quotes, such as the symbol `:a`. Its text determines its type.
    ///
    /// # Errors
    ///
    /// See [`SyckEmitter::native`].
    pub fn plain(&mut self, text: &str, properties: Properties<'_>) -> Result {
        self.leaf(text, properties)
    }

    /// Writes an alias to the anchor `name`.
    ///
    /// # Errors
    ///
    /// Fails where no node is allowed.
    pub fn alias(&mut self, name: &str) -> Result {
        let place = self.place(false)?;
        self.put_leaf(place, &["*", name].concat());
        Ok(())
    }

    /// Starts a sequence.
    ///
    /// # Errors
    ///
    /// See [`SyckEmitter::native`].
    pub fn start_sequence(&mut self, properties: Properties<'_>) -> Result {
        self.start(false, properties)
    }

    /// Ends the innermost collection, which must be a sequence.
    ///
    /// # Errors
    ///
    /// Fails if it is not a sequence.
    pub fn end_sequence(&mut self) -> Result {
        self.end(false)
    }

    /// Starts a mapping. Its keys and values must be pushed in turn.
    ///
    /// # Errors
    ///
    /// See [`SyckEmitter::native`].
    pub fn start_mapping(&mut self, properties: Properties<'_>) -> Result {
        self.start(true, properties)
    }

    /// Ends the innermost collection, which must be a mapping.
    ///
    /// # Errors
    ///
    /// Fails if it is not a mapping, or if its last key has no value.
    pub fn end_mapping(&mut self) -> Result {
        self.end(true)
    }

    /// Starts a collection, which is pending until its first entry arrives.
    fn start(&mut self, is_mapping: bool, properties: Properties<'_>) -> Result {
        let properties = written(properties)?;
        let place = self.place(false)?;
        self.pending = Some(Pending { is_mapping, properties, place });
        Ok(())
    }

    /// Ends the innermost collection, which must be of the kind that `is_mapping` says.
    fn end(&mut self, is_mapping: bool) -> Result {
        if let Some(pending) = self.pending.take() {
            if pending.is_mapping != is_mapping {
                return Err(WRONG_END);
            }
            let brackets = if is_mapping { "{}" } else { "[]" };
            self.put_leaf(pending.place, &joined(&pending.properties, brackets));
            return Ok(());
        }
        let slot = if is_mapping { Slot::Key } else { Slot::Entry };
        let Some(frame) = self.open.pop_if(|frame| frame.slot == slot) else {
            return Err(WRONG_END);
        };
        if frame.is_flow {
            self.out.push(if is_mapping { b'}' } else { b']' });
            if !self.open.last().is_some_and(|outer| outer.is_flow) {
                self.out.push(b'\n');
            }
        }
        Ok(())
    }

    /// Opens the pending collection, if there is one, before its first entry: on the line of an
    /// indicator, or on the next line.
    fn open_pending(&mut self) {
        let Some(Pending { is_mapping, properties, place }) = self.pending.take() else { return };
        let slot = if is_mapping { Slot::Key } else { Slot::Entry };
        if place.columns > COLUMNS_MAX {
            let bracket = joined(&properties, if is_mapping { "{" } else { "[" });
            if place.lead != Lead::Bracket {
                self.out.push(b' ');
            }
            self.out.extend_from_slice(bracket.as_bytes());
            let columns = place.columns;
            self.open.push(Frame { is_flow: true, columns, continues: true, slot });
            return;
        }
        let continues = place.lead == Lead::Indicator && properties.is_empty();
        match continues {
            true => self.out.push(b' '),
            false => self.put_line(&joined(&properties, "")),
        }
        let is_flush = !is_mapping && self.sequences == Sequences::Flush && place.lead == Lead::Key;
        let columns = if is_flush { place.columns.saturating_sub(2) } else { place.columns };
        self.open.push(Frame { is_flow: false, columns, continues, slot });
    }

    /// Writes what precedes the next node, and returns the node's place. A key needs a `?` unless
    /// `is_simple` is set.
    fn place(&mut self, is_simple: bool) -> Result<Place> {
        self.open_pending();
        let Some(frame) = self.open.last_mut() else {
            if self.state != State::Root {
                return Err(PresentError::Misplaced(
                    "the document has not started, or has its root",
                ));
            }
            self.state = State::End;
            return Ok(Place { columns: 0, lead: Lead::Marker });
        };
        if frame.is_flow {
            return self.place_in_brackets(is_simple);
        }
        let (next, indicator, lead) = match frame.slot {
            Slot::Entry => (Slot::Entry, "-", Lead::Indicator),
            Slot::Key if is_simple => (Slot::Value, "", Lead::Nothing),
            Slot::Key => (Slot::ExplicitValue, "?", Lead::Indicator),
            Slot::Value => (Slot::Key, "", Lead::Key),
            Slot::ExplicitValue => (Slot::Key, ":", Lead::Key),
        };
        let starts_line = frame.slot != Slot::Value && !std::mem::take(&mut frame.continues);
        let indentation = if starts_line { frame.columns } else { 0 };
        frame.slot = next;
        self.out.resize(self.out.len() + indentation, b' ');
        self.out.extend_from_slice(indicator.as_bytes());
        Ok(Place { columns: frame.columns + 2, lead })
    }

    /// Writes what precedes the next node in brackets, and returns the node's place. It is an error
    /// if a key is not simple.
    fn place_in_brackets(&mut self, is_simple: bool) -> Result<Place> {
        let Some(frame) = self.open.last_mut() else { return Err(WRONG_END) };
        let (next, lead) = match frame.slot {
            Slot::Key if is_simple => (Slot::Value, Lead::Nothing),
            Slot::Key => {
                return Err(PresentError::Misplaced("a key at this depth has to be simple"));
            }
            Slot::Entry => (Slot::Entry, Lead::Bracket),
            _ => (Slot::Key, Lead::Bracket),
        };
        let separator = match frame.slot {
            Slot::Value => " ",
            _ if std::mem::take(&mut frame.continues) => "",
            _ => ", ",
        };
        frame.slot = next;
        self.out.extend_from_slice(separator.as_bytes());
        Ok(Place { columns: frame.columns, lead })
    }

    /// Writes a scalar on one line.
    fn leaf(&mut self, text: &str, properties: Properties<'_>) -> Result {
        let properties = written(properties)?;
        let place = self.place(properties.is_empty())?;
        if place.lead == Lead::Nothing {
            // With an empty key, there would be no key at all.
            self.out.extend_from_slice(if text.is_empty() { b"~" } else { text.as_bytes() });
            self.out.push(b':');
        } else {
            self.put_leaf(place, &joined(&properties, text));
        }
        Ok(())
    }

    /// Writes a node that is not a block collection after what precedes it. In brackets, empty text
    /// becomes `~`, because it would not be an entry.
    fn put_leaf(&mut self, place: Place, text: &str) {
        match place.lead {
            Lead::Bracket if text.is_empty() => self.out.push(b'~'),
            Lead::Bracket => self.out.extend_from_slice(text.as_bytes()),
            _ => self.put_line(text),
        }
    }

    /// Writes text with several lines as a literal scalar. A key, or text in brackets, is written
    /// on one line instead.
    fn literal(&mut self, text: &str, properties: Properties<'_>) -> Result {
        self.open_pending();
        let is_key = |frame: &Frame| frame.slot == Slot::Key && properties == Properties::NONE;
        if self.open.last().is_some_and(|frame| frame.is_flow || is_key(frame)) {
            return self.leaf(&double_quoted(text), properties);
        }
        let properties = written(properties)?;
        let columns = self.place(false)?.columns.max(2);
        let header = if text.ends_with('\n') { "|" } else { "|-" };
        self.put_line(&joined(&properties, header));
        for line in text.lines() {
            if !line.is_empty() {
                self.out.resize(self.out.len() + columns, b' ');
                self.out.extend_from_slice(line.as_bytes());
            }
            self.out.push(b'\n');
        }
        Ok(())
    }

    /// Writes a space and `text`, and ends the line.
    fn put_line(&mut self, text: &str) {
        self.out.push(b' ');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }
}

/// Returns the properties of a node as they are written: its tag, and then its anchor.
fn written(properties: Properties<'_>) -> Result<String> {
    let mut out = String::new();
    if let Some(tag) = properties.tag.filter(|tag| !tag.is_empty()) {
        out += &form_of_tag(tag).ok_or_else(|| PresentError::Tag(tag.to_owned()))?;
    }
    if let Some(anchor) = properties.anchor {
        out += if out.is_empty() { "&" } else { " &" };
        out += anchor;
    }
    Ok(out)
}

/// Joins properties and content with a space. Properties are followed by a space even if there is
/// no content.
fn joined(properties: &str, content: &str) -> String {
    match properties {
        "" => content.to_owned(),
        _ => format!("{properties} {content}"),
    }
}

/// Returns `tag` as it is written, or `None` if the dialect cannot express it.
pub(super) fn form_of_tag(tag: &str) -> Option<String> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if tag.contains(|ch: char| ch.is_ascii_whitespace() || ch.is_ascii_control()) {
        return None;
    }
    if tag.starts_with('!') {
        return Some(tag.to_owned());
    }
    if let Some(name) = tag.strip_prefix("x-private:") {
        return Some(format!("!!{name}"));
    }
    if let Some(name) = tag.strip_prefix(YAML_PREFIX) {
        return Some(format!("!{name}"));
    }
    let (authority, name) = tag.strip_prefix("tag:")?.split_once(':')?;
    if let Some(domain) = authority.strip_suffix(".yaml.org,2002")
        && domain.bytes().all(is_word)
    {
        return Some(format!("!{domain}/{name}"));
    }
    let (_, date) = authority.split_once(',')?;
    let is_date = date.starts_with(|ch: char| ch.is_ascii_digit())
        && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_date.then(|| format!("!{authority}/{name}"))
}

/// Returns `text` as it is written on one line: plain, in double quotes, or as base 64.
fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains(is_control) {
        return binary(text.as_bytes()).into();
    }
    if is_plain(text) { text.into() } else { double_quoted(text).into() }
}

/// Returns `text` in double quotes.
fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for ch in text.chars() {
        match ch {
            '\\' => out += "\\\\",
            '"' => out += "\\\"",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            ch => out.push(ch),
        }
    }
    out.push('"');
    out
}

/// Returns `bytes` as base 64, with the tag `!binary`.
fn binary(bytes: &[u8]) -> String {
    format!("!binary \"{}\"", STANDARD.encode(bytes))
}

/// Returns whether `ch` makes a text binary. This is so for control characters, and for line breaks
/// and byte order marks that only YAML 1.1 knows.
fn is_control(ch: char) -> bool {
    let is_common = matches!(ch, '\t' | '\n' | '\r');
    ch.is_control() && !is_common || matches!(ch, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Returns whether `text` can be plain, and is text to every parser. It must consist of words of
/// ASCII letters, digits and `_/.-` with single spaces between them, and start with a letter.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_/.-".contains(&byte);
    let are_words = text.split(' ').all(|word| !word.is_empty() && word.bytes().all(is_in_word));
    are_words
        && text.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns whether `text` can be written as a literal scalar, in which no parser changes blanks.
fn is_literal(text: &str) -> bool {
    text.contains('\n')
        && !text.contains(|ch| is_control(ch) || ch == '\r' || ch == '#')
        && !text.starts_with([' ', '\n'])
        && !text.ends_with("\n\n")
        && text.lines().all(|line| !line.starts_with('\t') && !line.ends_with([' ', '\t']))
}

/// Returns the text of a float in Syck's form, with capital letters in `.NaN` and `.Inf`.
fn syck_float(value: f64) -> String {
    match float_text(value) {
        text if value.is_finite() => text,
        text if value.is_nan() => text.replace("nan", "NaN"),
        text => text.replace("inf", "Inf"),
    }
}

/// Returns the text of a timestamp. Because the dialect requires a zone, a time without a zone is
/// written as UTC.
fn timestamp_text(value: Timestamp) -> String {
    let zone = if value.date_only { None } else { Some(value.offset_minutes.unwrap_or(0)) };
    Timestamp { offset_minutes: zone, ..value }.to_string()
}

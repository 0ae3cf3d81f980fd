//! Decodes extprot values as items, following the table in `docs/data-model.md`.
//!
//! The decoder accepts more than the encoder writes: an integer may have any form in the table that
//! can represent it. The encoder writes only one form for each value, so equal values have equal
//! bytes after they have been decoded and encoded again.

use crate::encode::Encoder;
use crate::error::{Error, ErrorLocation, Problem};
use crate::model::{Item, NAN_BITS, Sink, VINT_RANGE};
use ketch_extprot as codec;
use ketch_extprot::Limits;
use ketch_extprot::value::tags;
use ketch_extprot::wire::{self, TokenKind, Tokens, WireType};
use ketch_yaml::schema::Timestamp;
use ketch_yaml::tag::is_known;

type Token<'a> = wire::Token<&'a [u8]>;

/// Decodes values of the data model. A decoder reuses its memory.
///
/// ```
/// use ketch::{Decoder, JsonSink};
///
/// let mut json = JsonSink::new(&Default::default());
/// let bytes = b"\x07\x0d\x02\x03\x02id\x00\x0e\x03\x02on\x02\x01";
/// Decoder::default().decode(bytes, 0, &mut json)?;
/// assert_eq!(json.text(), br#"{"id":7,"on":true}"#);
/// # Ok::<(), ketch::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Decoder {
    limits: Limits,
    frames: Vec<Frame>,
    /// The keys of all open mappings, each as the offsets of its start and end in the value's
    /// bytes.
    keys: Vec<(usize, usize)>,
    /// Whether the part of the value that has been decoded has a mapping with several keys.
    has_keys: bool,
    /// Whether a value may not be in its canonical form, in which case equal values can have
    /// different bytes.
    has_other_rows: bool,
}

/// An open collection or tagged value.
#[derive(Debug)]
enum Frame {
    Sequence,
    Mapping {
        /// The index in [`Decoder::keys`] of the mapping's first key.
        first_key: usize,
        /// The offset of the next or current key in bytes, or `None` if a value is next.
        key_start: Option<usize>,
    },
    /// A tagged value, whose tag has been read.
    Tagged,
}

impl Decoder {
    /// Creates a decoder with the limits `limits`.
    pub fn new(limits: &Limits) -> Decoder {
        Decoder { limits: limits.clone(), ..Decoder::default() }
    }

    /// Decodes `bytes`, which must be exactly one value, and passes its items to `sink`. `base` is
    /// the offset of `bytes` in the stream, which is added to the offsets in errors.
    ///
    /// This takes linear time, except that the keys of a mapping are sorted to find duplicates. The
    /// memory that it needs grows with the depth and with the number of keys in open mappings.
    ///
    /// # Errors
    ///
    /// Fails if the data is corrupt or not a value of the data model, if there is a duplicate key,
    /// or if `sink` rejects an item. Items before the error have already been passed to `sink`.
    pub fn decode(&mut self, bytes: &[u8], base: u64, sink: &mut impl Sink) -> Result<(), Error> {
        let limits = std::mem::take(&mut self.limits);
        let result = self.values(bytes, base, &limits, sink);
        let result = result.and_then(|()| self.check_odd_keys(bytes, base, &limits));
        self.limits = limits;
        result
    }

    /// Checks for duplicate keys whose bytes differ, which is possible only if the value is not in
    /// its canonical form. If so, encodes the value in its canonical form and checks that instead.
    fn check_odd_keys(&mut self, bytes: &[u8], base: u64, limits: &Limits) -> Result<(), Error> {
        let strict = Limits { strict: true, ..limits.clone() };
        let is_padded = || Tokens::with_limits(bytes, &strict).any(|token| token.is_err());
        if !self.has_keys || !(self.has_other_rows || is_padded()) {
            return Ok(());
        }
        let mut encoder = Encoder::new(&Default::default());
        self.values(bytes, base, limits, &mut encoder)?;
        match self.values(encoder.bytes()?, base, limits, &mut ()) {
            Err(error) if matches!(error.problem(), Problem::DuplicateKey) => {
                // The caller does not know the canonical form, so a location in it would be
                // meaningless.
                Err(error.moved(ErrorLocation::Bytes(base)))
            }
            result => result,
        }
    }

    /// Decodes the value in `bytes` token by token, and passes its items to `sink`.
    fn values(
        &mut self,
        bytes: &[u8],
        base: u64,
        limits: &Limits,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {
        self.frames.clear();
        self.keys.clear();
        (self.has_keys, self.has_other_rows) = (false, false);
        let mut tokens = Tokens::with_limits(bytes, limits);
        loop {
            let token = next(&mut tokens).map_err(|problem| Self::error(problem, base, 0))?;
            let at = token.offset_bytes;
            let wrong = |problem| Self::error(problem, base, at);
            let is_value_over = self.token(token, &mut tokens, sink).map_err(wrong)?;
            if is_value_over {
                self.end_value(tokens.offset_bytes());
            } else if let TokenKind::End(_) = token.kind {
                let duplicate_key = self.leave(bytes, &mut tokens, sink).map_err(wrong)?;
                if let Some(key) = duplicate_key {
                    let place = ErrorLocation::Bytes(base + key as u64);
                    return Err(Error::new(Problem::DuplicateKey, place));
                }
            }
            if self.frames.is_empty() {
                break;
            }
        }
        match tokens.offset_bytes() {
            end if end < bytes.len() => {
                let trailing = codec::Error::new(codec::Problem::TrailingBytes, end as u64);
                Err(Error::extprot(trailing, base))
            }
            _ => Ok(()),
        }
    }

    /// Creates an error for `problem`, which was found at offset `at` of the value. An error of the
    /// codec contains its own location instead.
    fn error(problem: Problem, base: u64, at: u64) -> Error {
        match problem {
            Problem::Extprot(error) => Error::extprot(error, base),
            problem => Error::new(problem, ErrorLocation::Bytes(base + at)),
        }
    }

    /// Handles `token`. If it starts a small tuple, also consumes the rest of the tuple, and if it
    /// starts a tagged value, the tag. Returns whether a value has ended with it. The end of a
    /// block is left to the caller.
    fn token(
        &mut self,
        token: Token<'_>,
        tokens: &mut Tokens<'_, '_>,
        sink: &mut impl Sink,
    ) -> Result<bool, Problem> {
        if let Some(Frame::Mapping { key_start: Some(start), .. }) = self.frames.last_mut()
            && !matches!(token.kind, TokenKind::End(_))
        {
            *start = token.offset_bytes as usize;
        }
        match (token.kind, token.tag) {
            (TokenKind::Enum, tags::NULL) => sink.item(Item::Null)?,
            (TokenKind::Bits8(value @ 0..=1), 0) => sink.item(Item::Bool(value == 1))?,
            (TokenKind::Vint(value), 0) => {
                self.has_other_rows |= !VINT_RANGE.contains(&value);
                sink.item(Item::Int(value))?;
            }
            (TokenKind::Bits64Long(value), 0) => {
                self.has_other_rows |= VINT_RANGE.contains(&value);
                sink.item(Item::Int(value))?;
            }
            (TokenKind::Bits64Float(value), 0) => {
                self.has_other_rows |= value.is_nan() && value.to_bits() != NAN_BITS;
                sink.item(Item::Float(value))?;
            }
            (TokenKind::Bytes(text), 0) => sink.item(Item::Str(utf8(text)?))?,
            (TokenKind::Begin(WireType::Htuple, count), 0) => {
                sink.item(Item::SequenceStart(count))?;
                self.frames.push(Frame::Sequence);
                return Ok(false);
            }
            (TokenKind::Begin(WireType::Assoc, count), 0) => {
                sink.item(Item::MappingStart(count))?;
                let first_key = self.keys.len();
                self.frames.push(Frame::Mapping { first_key, key_start: Some(0) });
                return Ok(false);
            }
            (TokenKind::Begin(WireType::Tuple, 2), tags::TAGGED) => {
                if let Some(Frame::Tagged) = self.frames.last() {
                    return Err(malformed("tagged value", "at most one tag"));
                }
                match next(tokens)? {
                    Token { kind: TokenKind::Bytes(tag), tag: 0, .. } => match utf8(tag)? {
                        tag if tag.is_empty() || is_known(tag) => {
                            return Err(malformed("tag", "one other than YAML's own tags"));
                        }
                        tag => sink.item(Item::Tag(tag))?,
                    },
                    _ => return Err(malformed("tagged value", "a tag and a value")),
                }
                self.frames.push(Frame::Tagged);
                return Ok(false);
            }
            (TokenKind::Begin(WireType::Tuple, count), tag) => {
                // The integers in it may not be in their canonical form. Such values are rare, so
                // they are treated as if they were not, without a check.
                self.has_other_rows |= matches!(tag, tags::BIG_INT | tags::TIMESTAMP);
                small_tuple(tag, count, tokens, sink)?;
            }
            (TokenKind::End(_), _) => return Ok(false),
            (kind, tag) => return Err(not_in_model(kind, tag)),
        }
        Ok(true)
    }

    /// Leaves the innermost block at its end. If it is a mapping with a duplicate key, returns the
    /// offset of that key.
    fn leave(
        &mut self,
        bytes: &[u8],
        tokens: &mut Tokens<'_, '_>,
        sink: &mut impl Sink,
    ) -> Result<Option<usize>, Problem> {
        match self.frames.pop() {
            Some(Frame::Sequence) => sink.item(Item::SequenceEnd)?,
            Some(Frame::Mapping { first_key, .. }) => {
                if let Some(duplicate_key) = duplicate_key(bytes, &mut self.keys[first_key..]) {
                    return Ok(Some(duplicate_key));
                }
                self.has_keys |= self.keys.len() > first_key + 1;
                self.keys.truncate(first_key);
                sink.item(Item::MappingEnd)?;
            }
            Some(Frame::Tagged) | None => {}
        }
        self.end_value(tokens.offset_bytes());
        Ok(None)
    }

    /// Records that a value has ended at offset `end`. If the innermost block is a mapping, it was
    /// a key or the value of a key.
    fn end_value(&mut self, end: usize) {
        if let Some(Frame::Mapping { key_start, .. }) = self.frames.last_mut() {
            match key_start.take() {
                Some(start) => self.keys.push((start, end)),
                None => *key_start = Some(end),
            }
        }
    }
}

/// Returns the offset of the later of two keys in `keys` that have the same bytes, or `None` if
/// there are none. May sort `keys`.
fn duplicate_key(bytes: &[u8], keys: &mut [(usize, usize)]) -> Option<usize> {
    let content = |key: &(usize, usize)| &bytes[key.0..key.1];
    // Most mappings have few keys or keys that are already sorted.
    if !keys.is_sorted_by(|a, b| content(a) < content(b)) {
        keys.sort_by(|a, b| content(a).cmp(content(b)));
    }
    keys.windows(2).find(|pair| content(&pair[0]) == content(&pair[1])).map(|pair| pair[1].0)
}

/// Decodes a value that is a tuple of scalars (an integer that needs more than 64 bits, a binary or
/// a timestamp), whose tag and number of elements have been read.
fn small_tuple(
    tag: u64,
    count: u64,
    tokens: &mut Tokens<'_, '_>,
    sink: &mut impl Sink,
) -> Result<(), Problem> {
    match (tag, count) {
        (tags::BIG_INT, 1) => big_int(next(tokens)?, sink)?,
        (tags::BINARY, 1) => match next(tokens)? {
            Token { kind: TokenKind::Bytes(bytes), tag: 0, .. } => {
                sink.item(Item::Binary(bytes))?;
            }
            _ => return Err(malformed("binary", "a tuple of bytes")),
        },
        (tags::TIMESTAMP, 3) => {
            let parts = (next(tokens)?, next(tokens)?, next(tokens)?);
            let value = timestamp(parts).ok_or_else(|| {
                malformed(
                    "timestamp",
                    "seconds of the years 0 to 9999, nanoseconds, and an offset in minutes",
                )
            })?;
            sink.item(Item::Timestamp(value))?;
        }
        _ => return Err(not_in_model(TokenKind::Begin(WireType::Tuple, count), tag)),
    }
    // This consumes the end of the tuple. Before it, there can only be bytes that the codec skips.
    next(tokens)?;
    Ok(())
}

/// Decodes an integer that needs more than 64 bits from `token`, the decimal digits in its tuple.
fn big_int(token: Token<'_>, sink: &mut impl Sink) -> Result<(), Problem> {
    let wrong = || malformed("integer", "decimal digits without leading zeros");
    let TokenKind::Bytes(text) = token.kind else { return Err(wrong()) };
    let text = std::str::from_utf8(text).map_err(|_| wrong())?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.starts_with(|first| first != '0');
    if token.tag != 0 || !is_number {
        return Err(wrong());
    }
    // An integer that fits in 64 bits is accepted in this form, too.
    match text.parse() {
        Ok(value) => sink.item(Item::Int(value)),
        Err(_) => sink.item(Item::BigInt(text)),
    }
}

/// The maximum offset of a time zone in minutes, which is one minute less than a day.
const OFFSET_MINUTES_MAX: i64 = 24 * 60 - 1;

/// The Unix times, in seconds, of the years 0 to 9999, which is the range of YAML's timestamps.
const YEARS: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

/// Decodes a timestamp from the three tokens in its tuple. Returns `None` if they are not a valid
/// timestamp.
fn timestamp(
    (seconds, nanoseconds, offset): (Token<'_>, Token<'_>, Token<'_>),
) -> Option<Timestamp> {
    let int = |token: Token<'_>| match token.kind {
        TokenKind::Vint(value) | TokenKind::Bits64Long(value) if token.tag == 0 => Some(value),
        _ => None,
    };
    let (offset_minutes, date_only) = match (offset.kind, offset.tag) {
        (TokenKind::Enum, tags::NULL) => (None, false),
        (TokenKind::Enum, tags::DATE_ONLY) => (None, true),
        _ => {
            let minutes = int(offset).filter(|minutes| minutes.abs() <= OFFSET_MINUTES_MAX)?;
            (Some(minutes as i16), false)
        }
    };
    let nanoseconds = int(nanoseconds).filter(|count| (0..1_000_000_000).contains(count))? as u32;
    let seconds = int(seconds)?;
    // A date without a time is stored as its midnight.
    let is_day = nanoseconds == 0 && seconds.rem_euclid(86_400) == 0;
    let local = seconds.saturating_add(60 * i64::from(offset_minutes.unwrap_or(0)));
    let is_known = YEARS.contains(&local) && (!date_only || is_day);
    is_known.then_some(Timestamp { seconds, nanoseconds, offset_minutes, date_only })
}

/// Returns the next token. It is an error if there is none.
fn next<'a>(tokens: &mut Tokens<'a, '_>) -> Result<Token<'a>, Problem> {
    match tokens.next() {
        Some(token) => token.map_err(Problem::Extprot),
        None => {
            let end = tokens.offset_bytes() as u64;
            Err(Problem::Extprot(codec::Error::new(codec::Problem::Eof, end)))
        }
    }
}

/// Returns `text` as a string slice. It is an error if it is not UTF-8.
fn utf8(text: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(text).map_err(|_| Problem::NotUtf8)
}

/// Returns the problem for a value of the kind `what` that is not in its documented form,
/// `expected`.
#[cold]
fn malformed(what: &'static str, expected: &'static str) -> Problem {
    Problem::Malformed { what, expected }
}

/// Returns the problem for a token that does not occur in values of the data model.
#[cold]
fn not_in_model(kind: TokenKind<&[u8]>, tag: u64) -> Problem {
    let (wire_type, more) = match kind {
        TokenKind::Vint(_) => (WireType::Vint, String::new()),
        TokenKind::Bits8(value) => (WireType::Bits8, format!(" {value}")),
        TokenKind::Bits32(_) => (WireType::Bits32, String::new()),
        TokenKind::Bits64Long(_) => (WireType::Bits64Long, String::new()),
        TokenKind::Bits64Float(_) => (WireType::Bits64Float, String::new()),
        TokenKind::Enum => (WireType::Enum, String::new()),
        TokenKind::Bytes(_) => (WireType::Bytes, String::new()),
        TokenKind::Begin(wire_type, count) => (wire_type, format!(" with {count} elements")),
        TokenKind::End(wire_type) => (wire_type, String::new()),
    };
    Problem::NotInModel { found: format!("{wire_type} of tag {tag}{more}") }
}

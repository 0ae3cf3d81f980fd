//! The methods that search for all matches: `scan`, `split`, and those on which `sub` and `gsub`
//! are built.

use super::encoding;
use super::failure;
use super::found;
use super::pattern::{State, Subject, converted, state};
use super::search::{operand, remember};
use super::watch;
use crate::interrupt;
use crate::ruby::{self, VALUE};
use ketch_regex::{Captures, Scan, Template};
use magnus::{Error, RHash, RString, Ruby, Value, prelude::*};

/// The number of matches between two checks for interrupts.
const CHECKED: usize = 256;

/// The search for all matches in a frozen string.
struct Matches<'s> {
    ruby: &'s Ruby,
    regexp: VALUE,
    state: &'static State,
    subject: Subject,
    bytes: &'static [u8],
    scan: Scan<'static, 'static>,
    captures: Captures,
    count: usize,
}

impl<'s> Matches<'s> {
    /// Prepares a search for all matches. `subject` must be frozen.
    fn new(ruby: &'s Ruby, regexp: VALUE, state: &'static State, subject: Subject) -> Matches<'s> {
        // SAFETY: the string is frozen, and is on the machine's stack while the bytes are used.
        let bytes = unsafe { subject.bytes() };
        let scan = subject.regex.scan(bytes);
        let captures = Captures::new();
        Matches { ruby, regexp, state, subject, bytes, scan, captures, count: 0 }
    }

    /// Finds the next match. Returns false if there is none.
    fn advance(&mut self) -> Result<bool, Error> {
        let Matches { ruby, state, bytes, scan, captures, .. } = self;
        let mut next = Captures::new();
        std::mem::swap(&mut next, captures);
        let found =
            watch::watched(ruby, state.limit(), bytes.len(), || scan.next_captures(&mut next));
        self.captures = next;
        let found = found?;
        self.count += usize::from(found);
        if found && self.count.is_multiple_of(CHECKED) {
            interrupt::check()?;
        }
        Ok(found)
    }

    /// Returns the match as a `Ketch::MatchData`. May raise.
    fn found(&self) -> VALUE {
        found::create(self.ruby, self.regexp, self.subject, &self.captures)
    }

    /// Returns what `scan` returns for the match: its text or, if the pattern has groups, an array
    /// of their texts. May raise.
    fn entry(&self) -> VALUE {
        let text = |group| match self.captures.get(group) {
            Some(span) => {
                let (start, end) = (self.subject.offset(span.start), self.subject.offset(span.end));
                encoding::part(self.subject.string, start, end)
            }
            None => ruby::NIL,
        };
        if self.captures.len() <= 1 {
            return text(0);
        }
        let array = ruby::new_array();
        for group in 1..self.captures.len() {
            ruby::array_push(array, text(group));
        }
        array
    }
}

/// Raises if the bytes of a string are no longer where they were before a block ran, since the
/// block has then changed the string.
fn check_unchanged(string: VALUE, before: (usize, usize)) {
    if place(string) != before {
        // SAFETY: the message ends with a zero, and contains no format specifiers. Called in a
        // frame that may be unwound.
        unsafe { rb_sys::rb_raise(rb_sys::rb_eRuntimeError, c"string modified".as_ptr()) }
    }
}

/// Returns the address and the length of the bytes of a string.
fn place(string: VALUE) -> (usize, usize) {
    // SAFETY: `string` is a live string.
    let bytes = unsafe { encoding::bytes(string) };
    (bytes.as_ptr() as usize, bytes.len())
}

/// Returns what all methods here need: the `Ketch::Regexp`, its state, the string to search, and a
/// frozen subject.
pub fn begin(
    ruby: &Ruby,
    rb_self: Value,
    string: Value,
) -> Result<(VALUE, &'static State, VALUE, Subject), Error> {
    let regexp = ruby::raw(rb_self);
    let state = state(ruby, regexp)?;
    let Some(string) = operand(ruby, string)? else {
        let message = "no implicit conversion of nil into String";
        return Err(Error::new(ruby.exception_type_error(), message));
    };
    let subject = state.subject(ruby, string)?;
    let mut frozen = subject;
    ruby::protect(|| {
        frozen = subject.frozen();
        ruby::NIL
    })?;
    Ok((regexp, state, string, frozen))
}

/// Implements `scan(string)`: returns an array of all matches or, if a block is given, yields each
/// match to it and returns the string.
pub fn scan(ruby: &Ruby, rb_self: Value, string: Value) -> Result<Value, Error> {
    let (regexp, state, string, subject) = begin(ruby, rb_self, string)?;
    let yields = ruby.block_given();
    let result = if yields { string } else { ruby::new_array() };
    let mut matches = Matches::new(ruby, regexp, state, subject);
    let mut last = ruby::NIL;
    while matches.advance()? {
        ruby::protect(|| {
            if yields {
                last = matches.found();
                remember(last);
                let before = place(string);
                ruby::yield_value(matches.entry());
                check_unchanged(string, before);
            } else {
                ruby::array_push(result, matches.entry());
            }
            ruby::NIL
        })?;
    }
    ruby::protect(|| {
        remember(last);
        ruby::NIL
    })?;
    std::hint::black_box((subject, last));
    Ok(ruby::value(result))
}

/// Implements `substitute(string, replacement, all)`: returns a copy of the string in which the
/// first match, or each match if `all` is true, is replaced, or `nil` if there is no match.
/// `replacement` is a template, a hash, or `nil` if the block returns the replacements.
pub fn substitute(
    ruby: &Ruby,
    rb_self: Value,
    string: Value,
    replacement: Value,
    all: bool,
) -> Result<Value, Error> {
    let (regexp, state, string, subject) = begin(ruby, rb_self, string)?;
    let matches = Matches::new(ruby, regexp, state, subject);
    let max = if all { usize::MAX } else { 1 };
    let result = match RString::from_value(replacement) {
        Some(template) => by_template(matches, ruby::raw(template), max),
        None => by_value(matches, string, RHash::from_value(replacement).map(ruby::raw), max),
    };
    std::hint::black_box(subject);
    result.map(ruby::value)
}

/// Replaces at most `max` matches by a template.
fn by_template(mut matches: Matches<'_>, template: VALUE, max: usize) -> Result<VALUE, Error> {
    let (ruby, subject, bytes) = (matches.ruby, matches.subject, matches.bytes);
    if !matches.advance()? {
        remember(ruby::NIL);
        return Ok(ruby::NIL);
    }
    let (text, encoding) = replacement(ruby, subject, template)?;
    let template =
        Template::new(&text, subject.regex).map_err(|error| failure::template(ruby, &error))?;
    let mut out = Vec::new();
    let mut copied = 0;
    let mut count = 0;
    while let Some(span) = matches.captures.get(0) {
        out.extend_from_slice(bytes.get(copied..span.start).unwrap_or(&[]));
        template.expand(bytes, &matches.captures, &mut out);
        copied = span.end;
        count += 1;
        let last = matches.captures.clone();
        if count == max || !matches.advance()? {
            matches.captures = last;
            break;
        }
    }
    out.extend_from_slice(&bytes[copied..]);
    let made = ruby::protect(|| {
        remember(matches.found());
        let (pointer, len) = (out.as_ptr().cast(), out.len() as i64);
        // SAFETY: the pointer and the length are those of a slice, which Ruby copies. The encodings
        // live as long as the process. What `rb_str_encode` raises is caught by `protect`.
        unsafe {
            if !subject.is_converted() {
                return rb_sys::rb_enc_str_new(pointer, len, encoding);
            }
            let text = rb_sys::rb_enc_str_new(pointer, len, rb_sys::rb_utf8_encoding());
            rb_sys::rb_str_encode(text, rb_sys::rb_enc_from_encoding(encoding), 0, ruby::NIL)
        }
    })?;
    Ok(made)
}

/// Returns the bytes of `template`, in UTF-8 if those of the subject are converted to it, and the
/// encoding that the result of the replacement has.
fn replacement(
    ruby: &Ruby,
    subject: Subject,
    template: VALUE,
) -> Result<(Vec<u8>, *mut rb_sys::rb_encoding), Error> {
    let mut encoding = std::ptr::null_mut();
    ruby::protect(|| {
        // SAFETY: both are live strings.
        encoding = unsafe { rb_sys::rb_enc_check(subject.string, template) };
        ruby::NIL
    })?;
    let template = match subject.is_converted() {
        true => ruby::raw(converted(ruby, RString::try_convert(ruby::value(template))?)?),
        false => template,
    };
    // SAFETY: the template is a live string, and Ruby does not run before its bytes are copied.
    Ok((unsafe { encoding::bytes(template) }.to_vec(), encoding))
}

/// Replaces at most `max` matches by what the hash or the block returns for their texts.
fn by_value(
    mut matches: Matches<'_>,
    string: VALUE,
    hash: Option<VALUE>,
    max: usize,
) -> Result<VALUE, Error> {
    let subject = matches.subject;
    let mut out = ruby::NIL;
    let mut last = ruby::NIL;
    let mut copied = 0;
    while matches.count < max && matches.advance()? {
        let Some(span) = matches.captures.get(0) else { break };
        let (start, end) = (subject.offset(span.start), subject.offset(span.end));
        ruby::protect(|| {
            if out == ruby::NIL {
                out = buffer(subject.string);
            }
            last = matches.found();
            remember(last);
            let value = value_of(string, encoding::part(subject.string, start, end), hash);
            // With `\K`, the start of a match can be before the end of the previous match.
            append(out, encoding::part(subject.string, copied.min(start), start));
            append(out, ruby::to_s(value));
            ruby::NIL
        })?;
        copied = end;
    }
    ruby::protect(|| {
        if out != ruby::NIL {
            // SAFETY: the string is live, and only the length of its bytes is used.
            let len = unsafe { encoding::bytes(subject.string) }.len();
            append(out, encoding::part(subject.string, copied, len));
        }
        remember(last);
        ruby::NIL
    })?;
    std::hint::black_box((out, last));
    Ok(out)
}

/// Returns the replacement for `text`, the text of a match: what `hash` contains for it or, without
/// a hash, what the block returns. Raises if `string` has changed meanwhile.
fn value_of(string: VALUE, text: VALUE, hash: Option<VALUE>) -> VALUE {
    let before = place(string);
    let value = match hash {
        Some(hash) => ruby::hash_get(hash, text),
        None => ruby::yielded(text),
    };
    check_unchanged(string, before);
    value
}

/// Returns an empty string in the encoding of the string `of`.
fn buffer(of: VALUE) -> VALUE {
    // SAFETY: `of` is a live string.
    unsafe { rb_sys::rb_enc_str_new(std::ptr::null(), 0, rb_sys::rb_enc_get(of)) }
}

/// Appends `string` to the string `to`. Raises if their encodings are not compatible.
fn append(to: VALUE, string: VALUE) {
    // SAFETY: both are live strings.
    unsafe { rb_sys::rb_str_buf_append(to, string) };
}

/// Implements `split(string, limit = 0)`: returns an array of the parts between matches or, if a
/// block is given, yields each part to it and returns the string.
pub fn split(ruby: &Ruby, rb_self: Value, args: &[Value]) -> Result<Value, Error> {
    if args.is_empty() || args.len() > 2 {
        let message = format!("wrong number of arguments (given {}, expected 1..2)", args.len());
        return Err(Error::new(ruby.exception_arg_error(), message));
    }
    let limit = match args.get(1) {
        Some(limit) => magnus::Integer::try_convert(*limit)?.to_i64()? as isize,
        None => 0,
    };
    let (_, state, string, subject) = begin(ruby, rb_self, args[0])?;
    // SAFETY: the string is frozen, and is on the machine's stack until `black_box`.
    let bytes = unsafe { subject.bytes() };
    let yields = ruby.block_given();
    let result = if yields { string } else { ruby::new_array() };
    let mut parts = subject.regex.split(bytes, limit);
    let mut count = 0usize;
    while let Some(part) =
        watch::watched(ruby, state.limit(), bytes.len(), || parts.next().transpose())?
    {
        let start = part.as_ptr() as usize - bytes.as_ptr() as usize;
        let (start, end) = (subject.offset(start), subject.offset(start + part.len()));
        count += 1;
        ruby::protect(|| {
            let text = encoding::part(subject.string, start, end);
            match yields {
                true => ruby::yield_value(text),
                false => ruby::array_push(result, text),
            }
            ruby::NIL
        })?;
        if count.is_multiple_of(CHECKED) {
            interrupt::check()?;
        }
    }
    std::hint::black_box(subject);
    Ok(ruby::value(result))
}

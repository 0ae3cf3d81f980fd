//! `Ketch::Regexp`: a compiled pattern, and the strings that it searches.

use super::encoding::{self, ASCII, BINARY, Content, UTF8};
use super::failure;
use super::watch;
use crate::charge::Charge;
use crate::ruby::{self, VALUE};
use ketch_host::pattern::{EXTENDED, IGNORE_CASE, Kind, MULTI_LINE, Source};
use ketch_regex::{Encoding, Limits, Options, Regex};
use magnus::{DataTypeFunctions, Error, RString, Ruby, TypedData, Value, gc, prelude::*};
use std::os::raw::c_int;
use std::sync::OnceLock;

/// A `Ketch::Regexp`, which is empty until `initialize` has run.
#[derive(Debug, Default, TypedData)]
#[magnus(class = "Ketch::Regexp", free_immediately, mark, size, frozen_shareable)]
pub struct Pattern(OnceLock<State>);

/// A compiled pattern.
#[derive(Debug)]
pub struct State {
    /// The text of the pattern, a frozen string in the pattern's encoding.
    pub source: VALUE,
    /// The names of the groups, a frozen array.
    pub names: VALUE,
    /// The time limit of a search, as the caller gave it, or `nil`.
    pub timeout: VALUE,
    pub seconds: Option<f64>,
    pub options: u32,
    pub encoding: c_int,
    kind: Kind,
    pattern: String,
    regex: Regex,
    /// The form of the pattern that searches bytes, if `regex` searches text.
    bytes: OnceLock<Regex>,
    _charge: Charge,
}

// SAFETY: the values are frozen strings, a frozen array of such strings, and numbers, which Ractors
// may share.
unsafe impl Send for State {}
// SAFETY: as above; the compiled forms are `Sync`.
unsafe impl Sync for State {}

impl DataTypeFunctions for Pattern {
    fn mark(&self, _: &gc::Marker) {
        let Some(state) = self.0.get() else { return };
        for value in [state.source, state.names, state.timeout] {
            // SAFETY: called by the collector while it marks. The values were live when they were
            // stored.
            unsafe { rb_sys::rb_gc_mark(value) };
        }
    }

    fn size(&self) -> usize {
        size_of::<Pattern>() + self.0.get().map_or(0, |state| compiled_bytes(&state.pattern))
    }
}

/// Returns the approximate number of bytes of memory that a compiled pattern takes.
fn compiled_bytes(pattern: &str) -> usize {
    8192 + 40 * pattern.len()
}

/// Returns the compiled pattern of `object`, a `Ketch::Regexp`. Fails if `initialize` has not run.
#[inline]
pub fn state(ruby: &Ruby, object: VALUE) -> Result<&'static State, Error> {
    // SAFETY: only called with receivers of methods of `Ketch::Regexp`, and with arguments whose
    // class was checked. The allocator of that class wraps a boxed `Pattern`, whose state never
    // changes once it is set. The object is on the machine's stack while a method runs.
    let pattern = unsafe { &*rb_sys::RTYPEDDATA_GET_DATA(object).cast::<Pattern>() };
    match pattern.0.get() {
        Some(state) => Ok(state),
        None => Err(Error::new(ruby.exception_type_error(), "uninitialized Regexp")),
    }
}

/// Implements `compile(source, options, timeout)`: compiles the pattern. Fails if this has already
/// been done.
pub fn compile(
    ruby: &Ruby,
    rb_self: &Pattern,
    source: RString,
    options: u32,
    timeout: Value,
) -> Result<(), Error> {
    if rb_self.0.get().is_some() {
        return Err(Error::new(ruby.exception_type_error(), "already initialized regexp"));
    }
    let (content, encoding) = encoding::content(ruby::raw(source));
    // SAFETY: while these bytes are used, Ruby does not run, except for the conversion, which does
    // not change them: the source belongs to the caller, and is frozen.
    let bytes = unsafe { encoding::bytes(ruby::raw(source)) };
    if content == Content::Broken && encoding != ASCII {
        return Err(failure::syntax(ruby, "invalid multibyte character", bytes));
    }
    let converted = match encoding {
        UTF8 | ASCII | BINARY => None,
        _ => Some(converted(ruby, source)?),
    };
    // SAFETY: as above; the copy is on the machine's stack.
    let copy = converted.map(|copy| unsafe { encoding::bytes(ruby::raw(copy)) });
    let extends_ascii = converted.is_none() || extends_ascii(ruby::value(ruby::raw(source)))?;
    let source_of = Source::read(bytes, encoding, copy, extends_ascii, options)
        .map_err(|problem| failure::syntax(ruby, problem, bytes))?;
    let regex = regex(&source_of.pattern, source_of.options, source_of.is_bytes())
        .map_err(|error| failure::of(ruby, &error))?;
    let names = names(ruby, &regex)?;
    let kept = kept(ruby, source, source_of.encoding)?;
    let seconds: Option<f64> = Option::<f64>::try_convert(timeout)?;
    let Source { pattern, kind, encoding, options } = source_of;
    let charge = Charge::of(compiled_bytes(&pattern));
    let state = State {
        source: ruby::raw(kept),
        names: ruby::raw(names),
        timeout: ruby::raw(timeout),
        seconds,
        options,
        encoding,
        kind,
        pattern,
        regex,
        bytes: OnceLock::new(),
        _charge: charge,
    };
    rb_self
        .0
        .set(state)
        .map_err(|_| Error::new(ruby.exception_type_error(), "already initialized regexp"))
}

/// Returns the names of the groups as a frozen array of frozen strings.
fn names(ruby: &Ruby, regex: &Regex) -> Result<magnus::RArray, Error> {
    let names = ruby.ary_new();
    for name in regex.names() {
        let name = ruby.str_new(&name.name);
        name.freeze();
        names.push(name)?;
    }
    names.freeze();
    Ok(names)
}

/// Returns a frozen copy of the pattern's text whose encoding has the index `encoding`.
fn kept(ruby: &Ruby, source: RString, encoding: c_int) -> Result<RString, Error> {
    let kept: RString = source.funcall("dup", ())?;
    let class: Value = ruby.class_object().const_get("Encoding")?;
    let list: magnus::RArray = class.funcall("list", ())?;
    let target: Value = list.entry(encoding as isize)?;
    let kept: RString = kept.funcall("force_encoding", (target,))?;
    kept.freeze();
    Ok(kept)
}

/// Returns whether the encoding of a string is compatible with ASCII.
fn extends_ascii(string: Value) -> Result<bool, Error> {
    string.funcall::<_, _, Value>("encoding", ())?.funcall("ascii_compatible?", ())
}

/// Returns a copy of a string, converted to UTF-8.
pub fn converted(ruby: &Ruby, string: RString) -> Result<RString, Error> {
    string.funcall("encode", (ruby.utf8_encoding(),))
}

/// Compiles a pattern that searches text or, if `bytes` is true, bytes.
fn regex(pattern: &str, options: u32, bytes: bool) -> ketch_regex::Result<Regex> {
    let encoding = if bytes { Encoding::Binary } else { Encoding::Utf8 };
    let limits = Limits { interrupt: Some(watch::poll), ..Limits::default() };
    let has = |option| options & option != 0;
    let options = Options {
        ignore_case: has(IGNORE_CASE),
        multi_line: has(MULTI_LINE),
        extended: has(EXTENDED),
        encoding,
        limits,
        ..Options::default()
    };
    Regex::new(pattern, options)
}

/// A string to search, and the compiled form of the pattern that suits it.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub string: VALUE,
    pub regex: &'static Regex,
    /// A copy of the string in UTF-8, if the engine does not support the string's encoding. Offsets
    /// in the copy differ from those in the string.
    copy: Option<VALUE>,
}

impl Subject {
    /// Returns the bytes to search: those of the copy if there is one.
    ///
    /// # Safety
    ///
    /// See [`encoding::bytes`].
    #[inline]
    pub unsafe fn bytes<'s>(&self) -> &'s [u8] {
        // SAFETY: by the contract.
        unsafe { encoding::bytes(self.copy.unwrap_or(self.string)) }
    }

    /// Returns whether the bytes to search are those of a copy in UTF-8.
    pub fn is_converted(&self) -> bool {
        self.copy.is_some()
    }

    /// Returns the same subject with frozen strings that share its bytes. May raise.
    pub fn frozen(self) -> Subject {
        // SAFETY: both are live strings.
        let frozen = |string| unsafe { rb_sys::rb_str_new_frozen(string) };
        Subject { string: frozen(self.string), copy: self.copy.map(frozen), ..self }
    }

    /// Converts an offset in the bytes that are searched to one in the string.
    #[inline]
    pub fn offset(&self, at: usize) -> usize {
        match self.copy {
            None => at,
            Some(copy) => encoding::byte_offset(self.string, encoding::char_index(copy, at)),
        }
    }

    /// Converts an offset in the string to one in the bytes that are searched.
    #[inline]
    pub fn searched(&self, at: usize) -> usize {
        match self.copy {
            None => at,
            Some(copy) => encoding::byte_offset(copy, encoding::char_index(self.string, at)),
        }
    }
}

impl State {
    /// Prepares a search in a string. Fails for the same strings for which Ruby's own `Regexp`
    /// raises.
    #[inline]
    pub fn subject(&'static self, ruby: &Ruby, string: VALUE) -> Result<Subject, Error> {
        let (content, encoding) = encoding::content(string);
        let text = Subject { string, regex: &self.regex, copy: None };
        match (content, encoding, self.kind) {
            (Content::Valid, UTF8, Kind::Any | Kind::Utf8) => Ok(text),
            (Content::Ascii, UTF8 | ASCII | BINARY, kind) if kind != Kind::Wide => Ok(text),
            (Content::Valid, BINARY, Kind::Binary) => Ok(text),
            (Content::Valid, BINARY, Kind::Any | Kind::Historical) => {
                let regex = match self.bytes.get() {
                    Some(regex) => regex,
                    None => {
                        let made = regex(&self.pattern, self.options, true)
                            .map_err(|error| failure::of(ruby, &error))?;
                        self.bytes.get_or_init(|| made)
                    }
                };
                Ok(Subject { regex, ..text })
            }
            _ => self.unusual(ruby, text, content, encoding),
        }
    }

    /// Prepares a search in a string that is invalid, or whose encoding the engine does not
    /// support.
    #[cold]
    fn unusual(
        &'static self,
        ruby: &Ruby,
        text: Subject,
        content: Content,
        encoding: c_int,
    ) -> Result<Subject, Error> {
        let string = ruby::value(text.string);
        if content == Content::Broken {
            return Err(failure::broken(ruby, string));
        }
        let extends_ascii = extends_ascii(string)?;
        let fits = match self.kind {
            _ if !extends_ascii && encoding != self.encoding => false,
            Kind::Any | Kind::Historical => true,
            Kind::Wide => encoding == self.encoding,
            _ => content == Content::Ascii || encoding == self.encoding,
        };
        if !fits {
            return Err(failure::incompatible(ruby, self.source, string));
        }
        if content == Content::Ascii && extends_ascii {
            return Ok(text);
        }
        if self.kind == Kind::Historical {
            failure::warn_historical(ruby, self.source, string)?;
            if encoding == UTF8 {
                return Ok(text);
            }
        }
        let string = RString::try_convert(string)?;
        let copy = converted(ruby, string)?;
        Ok(Subject { copy: Some(ruby::raw(copy)), ..text })
    }

    /// Returns the time limit of a search in seconds, or `None` if there is none.
    pub fn limit(&self) -> Option<f64> {
        self.seconds.or_else(watch::default_limit)
    }

    /// Returns the numbers of the groups that have this name, or `None` if there are none.
    pub fn groups_of(&self, name: &[u8]) -> Option<&[u32]> {
        let names = self.regex.names();
        names.iter().find(|known| known.name.as_bytes() == name).map(|known| &*known.groups)
    }

    /// Returns the compiled form that searches text or, if the pattern is binary, bytes.
    pub fn regex(&self) -> &Regex {
        &self.regex
    }
}

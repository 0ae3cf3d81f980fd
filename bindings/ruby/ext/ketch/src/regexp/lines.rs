//! Lines: those of strings, which end in line breaks, and records, which end in matches of a
//! pattern.

use super::encoding;
use super::failure;
use super::pattern::state;
use super::scan::begin;
use super::watch;
use crate::interrupt;
use crate::ruby::{self, VALUE};
use ketch_regex::{LineError, LineOptions, Lines, Separator};
use magnus::{Error, ExceptionClass, RClass, RString, Ruby, Value, prelude::*};
use std::cell::RefCell;
use std::io::{self, Read};
use std::os::raw::c_int;
use std::rc::Rc;

/// The maximum number of bytes that are read at a time.
const PART_BYTES: usize = 64 << 10;
/// The number of lines that are yielded between two checks for interrupts.
const CHECKED: usize = 256;

/// Implements `Ketch.each_line` for the most common case, a string without options. All other cases
/// are implemented in `lib/ketch/lines.rb`.
pub fn each_line(_: &Ruby, _: Value, args: &[Value]) -> Result<Value, Error> {
    let (count, list) = (args.len() as c_int, args.as_ptr().cast());
    ruby::protect(|| match args {
        [source] if has_plain_lines(*source) => {
            yield_lines(ruby::raw(*source));
            ruby::raw(*source)
        }
        // SAFETY: called in the frame of a method, with live values. An exception that it raises is
        // caught by `protect`.
        _ => unsafe { rb_sys::rb_call_super_kw(count, list, rb_sys::rb_keyword_given_p()) },
    })
    .map(ruby::value)
}

/// Returns whether `source` is a string whose lines end in `\n`, and the running method has a block
/// to yield them to.
#[expect(
    deprecated,
    reason = "looking up `$/` by its name would take as long as a short text does"
)]
fn has_plain_lines(source: Value) -> bool {
    // SAFETY: this reads two variables that Ruby always sets, and asks whether there is a block.
    let (default, block) =
        unsafe { (rb_sys::rb_rs == rb_sys::rb_default_rs, rb_sys::rb_block_given_p() != 0) };
    default && block && RString::from_value(source).is_some() && {
        // SAFETY: `source` is a live string; the call does not raise.
        let index = unsafe { rb_sys::rb_enc_get_index(ruby::raw(source)) };
        [encoding::UTF8, encoding::BINARY, encoding::ASCII].contains(&index)
    }
}

/// Yields the lines of a string. Since the block may change the string, they are taken from a
/// frozen copy, unless there is only one line.
fn yield_lines(source: VALUE) {
    // SAFETY: the string is live, and Ruby does not run before the bytes are used.
    let text = unsafe { encoding::bytes(source) };
    let len = text.len();
    match memchr::memchr(b'\n', text).map_or(len, |at| at + 1) {
        0 => {}
        first if first == len => ruby::yield_value(encoding::part(source, 0, len)),
        first => {
            // SAFETY: `source` is a live string.
            let frozen = unsafe { rb_sys::rb_str_new_frozen(source) };
            // SAFETY: nothing changes a frozen string, and this one is on the machine's stack until
            // `black_box`.
            let rest = unsafe { encoding::bytes(frozen) }.get(first..).unwrap_or(&[]);
            ruby::yield_value(encoding::part(frozen, 0, first));
            let mut start = first;
            for end in memchr::memchr_iter(b'\n', rest).map(|at| first + at + 1) {
                ruby::yield_value(encoding::part(frozen, start, end));
                start = end;
            }
            if start < len {
                ruby::yield_value(encoding::part(frozen, start, len));
            }
            std::hint::black_box(frozen);
        }
    }
}

/// Implements `each_record(string, chomp)`: yields the records of a string, without the matches
/// that end them if `chomp` is true.
pub fn of_string(ruby: &Ruby, rb_self: Value, string: Value, chomp: bool) -> Result<(), Error> {
    let (_, state, _, subject) = begin(ruby, rb_self, string)?;
    // SAFETY: the string is frozen, and is on the machine's stack until `black_box`.
    let bytes = unsafe { subject.bytes() };
    let mut lines = ketch_regex::lines(bytes, Separator::Pattern(subject.regex.clone()));
    let mut count = 0usize;
    while let Some((line, content)) =
        watch::watched(ruby, state.limit(), bytes.len(), || lines.next().transpose())?
    {
        let end = if chomp { content.end } else { line.end };
        ruby::protect(|| {
            let (start, end) = (subject.offset(line.start), subject.offset(end));
            ruby::yield_value(encoding::part(subject.string, start, end));
            ruby::NIL
        })?;
        count += 1;
        if count.is_multiple_of(CHECKED) {
            interrupt::check()?;
        }
    }
    std::hint::black_box(subject);
    Ok(())
}

/// Reads from an object with `readpartial`, which returns what is available in a pipe, or with
/// `read`. An exception that this raises is stored.
struct Reader {
    source: Value,
    method: &'static str,
    part: VALUE,
    /// `EOFError`, which `readpartial` raises at the end of the input.
    end: ExceptionClass,
    raised: Rc<RefCell<Option<Error>>>,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer.len().min(PART_BYTES);
        let read = watch::unwatched(|| {
            self.source.funcall::<_, _, Option<RString>>(self.method, (wanted,))
        });
        match read {
            Ok(None) => Ok(0),
            Err(error) if self.method != "read" && error.is_kind_of(self.end) => Ok(0),
            Ok(Some(part)) => {
                self.part = ruby::raw(part);
                // SAFETY: the string is live, and Ruby does not run before the bytes are copied.
                let bytes = unsafe { encoding::bytes(self.part) };
                let Some(to) = buffer.get_mut(..bytes.len()) else {
                    return Err(io::Error::other("`read` returned more bytes than requested"));
                };
                to.copy_from_slice(bytes);
                Ok(bytes.len())
            }
            Err(error) => {
                *self.raised.borrow_mut() = Some(error);
                Err(io::Error::other("raised"))
            }
        }
    }
}

/// Implements `each_record_of(source, chomp, max_line_bytes)`: yields the records of the text that
/// is read from `source`.
pub fn of_reader(
    ruby: &Ruby,
    rb_self: Value,
    source: Value,
    chomp: bool,
    max_line_bytes: Option<usize>,
) -> Result<(), Error> {
    let state = state(ruby, ruby::raw(rb_self))?;
    let raised = Rc::new(RefCell::new(None));
    let method = if source.respond_to("readpartial", false)? { "readpartial" } else { "read" };
    let end = ruby.exception_eof_error();
    let reader = Reader { source, method, part: ruby::NIL, end, raised: Rc::clone(&raised) };
    let max_line_bytes = max_line_bytes.unwrap_or(usize::MAX);
    let separator = Separator::Pattern(state.regex().clone());
    let mut lines = Lines::new(reader, LineOptions { separator, chomp, max_line_bytes });
    let encoding: Value = match source.respond_to("external_encoding", false)? {
        true => source.funcall("external_encoding", ())?,
        false => ruby.qnil().as_value(),
    };
    loop {
        let mut failed = None;
        let line = watch::watched(ruby, state.limit(), 0, || match lines.next_line() {
            Ok(line) => Ok(line.map(<[u8]>::to_vec)),
            Err(LineError::Search(error)) => Err(error),
            Err(error) => {
                failed = Some(error);
                Ok(None)
            }
        })?;
        if let Some(error) = failed {
            return Err(raised.borrow_mut().take().unwrap_or_else(|| failure_of(ruby, &error)));
        }
        let Some(line) = line else { return Ok(()) };
        let text = text(ruby, line, encoding)?;
        let _: Value = ruby.yield_value(text)?;
        interrupt::check()?;
    }
}

/// Returns `line` as a string in `encoding`, or in UTF-8 if `encoding` is `nil` and the line is
/// valid UTF-8; otherwise, the string is binary.
fn text(ruby: &Ruby, line: Vec<u8>, encoding: Value) -> Result<RString, Error> {
    let text = match std::str::from_utf8(&line) {
        Ok(text) => ruby.str_new(text),
        Err(_) => ruby.str_from_slice(&line),
    };
    if !encoding.is_nil() {
        let _: Value = text.funcall("force_encoding", (encoding,))?;
    }
    Ok(text)
}

/// Returns the exception for an error while lines were read.
fn failure_of(ruby: &Ruby, error: &LineError) -> Error {
    let class = || -> Result<ExceptionClass, Error> {
        let regexp: RClass = ruby.define_module("Ketch")?.const_get("Regexp")?;
        regexp.const_get("LimitError")
    };
    match (error, class()) {
        (LineError::TooLong(..), Ok(class)) => Error::new(class, error.to_string()),
        (LineError::Search(error), _) => failure::of(ruby, error),
        (_, Err(failure)) => failure,
        _ => Error::new(ruby.exception_io_error(), error.to_string()),
    }
}

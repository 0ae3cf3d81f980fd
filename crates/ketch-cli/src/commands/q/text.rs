//! A text with inputs, in any of the formats that are read.

use super::{errors, extprot};
use crate::args::{Origin, QueryArgs};
use crate::binary::HEAD_BYTES;
use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::formats;
use crate::input::{self, Input, WHOLE_BYTES_MAX};
use crate::json_syntax::{self, Texts};
use crate::read;
use crate::status::Failure;
use ketch_query::{Entry, Failure as Raised, InputError, InputOptions, Inputs, Query, Run, Value};
use ketch_yaml::Location;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

/// The number of bytes after a place that a message may show.
const LINE_BYTES: u64 = 256;

/// A text that is being read.
pub struct Text {
    name: Arc<str>,
    /// Whether the entries of inputs are read one by one.
    pub has_entries: bool,
    form: Form,
}

enum Form {
    /// Values, and whether they come from text that was converted.
    Values(Box<Inputs>, bool),
    /// Lines or, if it is set, the whole text as one.
    Lines(Box<dyn BufRead + Send>, bool),
}

/// A reader of YAML or JSON.
struct Opened {
    reader: Box<dyn Read + Send>,
    is_json: bool,
    is_converted: bool,
}

impl Text {
    /// Opens a file for a program. Returns the text, and whether it is JSON.
    pub fn open(args: &QueryArgs, query: &Query, file: &str) -> Result<(Text, bool), Failure> {
        let name: Arc<str> = file_name::shown(file).into();
        if args.inputs.raw_input {
            let lines = BufReader::new(input::open(file)?.into_stream());
            let form = Form::Lines(Box::new(lines), args.inputs.slurp);
            return Ok((Text { name, has_entries: false, form }, true));
        }
        let known = args.input.known_origin(file);
        let Opened { reader, is_json, is_converted } = Opened::of(args, file, known)?;
        let options = InputOptions {
            is_json,
            parser: args.read.options_for(known.unwrap_or_default()),
            compose: args.compose_options(),
            document: args.inputs.document,
            keeps_text: query.reads_comments()
                || !(is_json || is_converted) && args.writes_documents(query),
        };
        let mut inputs = Inputs::new(reader, name.clone(), &options);
        let path = query.entry_path().filter(|_| args.inputs.are_single());
        let has_entries = path.is_some();
        if let Some(path) = path {
            inputs = inputs.by_entries(path);
        }
        let inputs = Box::new(inputs);
        let form = Form::Values(inputs, is_converted);
        Ok((Text { name, has_entries, form }, is_json))
    }

    /// Returns the name in messages.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the next value or line. After an error, there is none.
    pub fn next(&mut self) -> Option<Result<Value, Failure>> {
        match &mut self.form {
            Form::Values(inputs, _) => {
                let next = inputs.next()?;
                Some(next.map_err(|error| self.failure(error)))
            }
            Form::Lines(lines, is_whole) => {
                let line = line(lines, *is_whole);
                line.map_err(|error| Failure::Read(self.name.to_string(), error)).transpose()
            }
        }
    }

    /// Returns whether the text was converted, so that places in it mean nothing.
    pub fn is_converted(&self) -> bool {
        matches!(self.form, Form::Values(_, true))
    }

    /// Returns the next entry of the input.
    pub fn next_entry(&mut self) -> Option<Result<Entry, Failure>> {
        let Form::Values(inputs, _) = &mut self.form else { return None };
        let next = inputs.next_entry()?;
        Some(next.map_err(|error| self.failure(error)))
    }

    /// Finds the value that an error of `run` is about. Returns its location, if the input is JSON.
    pub fn locate(&self, run: &Run, failure: &mut Raised) -> Option<Location> {
        let Form::Values(inputs, false) = &self.form else { return None };
        let start = inputs.locate(run, failure)?;
        let (source, id) = failure.place.as_ref()?;
        let own = source.node(*id).location().clone();
        let (offset, after) = (start + own.offset, own.len as u64 + LINE_BYTES);
        let bytes = self.again(offset + after);
        match start {
            0 => Some(own),
            _ if bytes.len() as u64 > offset => Some(Location::in_text(&bytes, offset, own.len)),
            _ => {
                failure.place = None;
                None
            }
        }
    }

    /// Reads the start of the file again, for a message. Returns nothing of what is no file.
    fn again(&self, bytes_max: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let is_file = std::fs::metadata(&*self.name).is_ok_and(|metadata| metadata.is_file());
        if is_file && let Ok(file) = std::fs::File::open(&*self.name) {
            // What cannot be read is not shown.
            let _ = file.take(bytes_max).read_to_end(&mut bytes);
        }
        bytes
    }

    /// Returns the failure for an error.
    fn failure(&self, error: InputError) -> Failure {
        let failure = match error {
            InputError::Text(error) => {
                read::failure(&self.name, &self.again(HEAD_BYTES as u64), error)
            }
            InputError::NoDocument(message) => errors::no_document(&self.name, message),
            InputError::Json(message) => {
                let bytes = self.again(u64::MAX);
                let text = json_syntax::as_utf8(&bytes);
                let wrong = json_syntax::check(&text, Texts::Many).err();
                Failure::Input(Box::new(match wrong.filter(|_| !bytes.is_empty()) {
                    Some(wrong) => wrong.diagnostic(&self.name, &text),
                    None => Diagnostic::sentence(&self.name, "NotJson", "syntax", message),
                }))
            }
        };
        match self.form {
            Form::Values(_, true) => failure.of_converted(),
            _ => failure,
        }
    }
}

impl Opened {
    /// Opens a file in the format `known` or, if that is not known, in the one that it seems to have.
    fn of(args: &QueryArgs, file: &str, known: Option<Origin>) -> Result<Opened, Failure> {
        let failed = |error| Failure::Read(file_name::shown(file).to_owned(), error);
        let opened = |input: Input, is_json| Opened {
            reader: Box::new(input.into_stream()),
            is_json,
            is_converted: false,
        };
        let converted = |yaml| Opened {
            reader: Box::new(io::Cursor::new(yaml)),
            is_json: false,
            is_converted: true,
        };
        if args.inputs.seq {
            let reader = Box::new(Records(input::open(file)?.into_stream()));
            return Ok(Opened { reader, is_json: true, is_converted: false });
        }
        match known {
            Some(Origin::Extprot) => {
                let bytes = input::open(file)?.read_all().map_err(failed)?;
                let yaml = extprot::to_yaml(args, file_name::shown(file), &bytes)?;
                Ok(converted(yaml))
            }
            Some(origin) if origin.is_foreign() => {
                let bytes = input::open(file)?.read_all().map_err(failed)?;
                let yaml = formats::to_yaml_where(!args.input.is_failsafe, origin, file, bytes)?;
                Ok(converted(yaml))
            }
            Some(Origin::Json) => Ok(opened(input::open(file)?, true)),
            Some(_) => Ok(opened(input::open_yaml(&args.input, file, WHOLE_BYTES_MAX)?, false)),
            None => {
                let mut input = input::open(file)?;
                let (head, is_whole) = input.head().map_err(failed)?;
                let is_json = starts_as_json(head, is_whole);
                Ok(opened(input, is_json))
            }
        }
    }
}

/// A stream of JSON texts, each after a record separator (RFC 7464), which becomes a blank.
struct Records<R>(R);

impl<R: Read> Read for Records<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(out)?;
        out[..count].iter_mut().filter(|byte| **byte == 0x1E).for_each(|byte| *byte = b' ');
        Ok(count)
    }
}

/// Returns whether a text that starts with `head` is JSON, as far as can be seen.
fn starts_as_json(head: &[u8], is_whole: bool) -> bool {
    let values = serde_json::Deserializer::from_slice(head).into_iter::<serde::de::IgnoredAny>();
    match values.filter_map(Result::err).next() {
        None => !head.trim_ascii().is_empty(),
        Some(error) => error.is_eof() && !is_whole,
    }
}

/// Returns the next line without its end or, with `is_whole`, all that is left.
fn line(lines: &mut dyn BufRead, is_whole: bool) -> io::Result<Option<Value>> {
    let mut bytes = Vec::new();
    match is_whole {
        true => lines.read_to_end(&mut bytes)?,
        false => lines.read_until(b'\n', &mut bytes)?,
    };
    if bytes.is_empty() {
        return Ok(None);
    }
    let text = if is_whole { &bytes[..] } else { bytes.strip_suffix(b"\n").unwrap_or(&bytes) };
    Ok(Some(String::from_utf8_lossy(text).into_owned().into()))
}

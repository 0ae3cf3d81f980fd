//! Writes YAML: passes tokens that Java has written to a presenter.
//!
//! | token | bits 8.. | more |
//! |---|---|---|
//! | document start | 1 for `---` | |
//! | int, float | | a word |
//! | document end | 1 for `...` | |
//! | text, digits, bytes, plain, tag, tagged text, names, directive | length | bytes |
//! | start of a collection | 1 for brackets, and the number of an anchor in bits 32.. | |
//! | style | as Psych numbers the styles of scalars | |
//! | timestamp | 0 with an offset, 1 without one, 2 for a day | seconds; nanoseconds, and minutes in the high half |
//! | alias | number | |
//!
//! A tag or an anchor belongs to the next node. `DumpToken.java` has the same numbers.

use ketch_files::{Error as FileError, Replacement, describe};
use ketch_yaml::present::{
    CollectionStyle, Collections, PresentError, PresentOptions, Presenter, Properties, ScalarStyle,
    Sequences,
};
use ketch_yaml::represent::Native;
use ketch_yaml::schema::Timestamp;
use std::io::{self, Write};
use std::path::Path;

const START: u8 = 0;
const END: u8 = 1;
const NULL: u8 = 2;
const TRUE: u8 = 3;
const FALSE: u8 = 4;
const INT: u8 = 5;
const FLOAT: u8 = 6;
const TEXT: u8 = 7;
const DIGITS: u8 = 8;
const BINARY: u8 = 9;
const TIMESTAMP: u8 = 10;
const START_SEQUENCE: u8 = 11;
const START_MAPPING: u8 = 12;
const END_SEQUENCE: u8 = 13;
const END_MAPPING: u8 = 14;
const ALIAS: u8 = 15;
const TAG: u8 = 17;
const TAGGED_TEXT: u8 = 18;
const ANCHOR_NAME: u8 = 19;
const ALIAS_NAME: u8 = 20;
const PLAIN: u8 = 21;
const STYLE: u8 = 22;
const DIRECTIVE: u8 = 23;

/// The bits of a number after the kind that precede the number of an anchor.
const ANCHOR_SHIFT: u32 = 24;

/// The destination of the YAML text.
enum Output {
    /// The text so far, which Java takes after each call.
    Memory(Vec<u8>),
    File(Box<Replacement>),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Memory(memory) => memory.write(bytes),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The reason why writing has failed.
#[derive(Debug)]
pub enum Failure {
    /// The value cannot be written as YAML, or the tokens are corrupt.
    Value(String),
    /// The file cannot be written or replaced.
    File(String),
}

impl From<PresentError> for Failure {
    fn from(error: PresentError) -> Failure {
        match error {
            PresentError::Write(error) => Failure::File(describe(&error)),
            other => Failure::Value(other.to_string()),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        match error {
            FileError::Io(error) | FileError::Folder(error) => Failure::File(describe(&error)),
            other => Failure::File(format!("it is left as it is: {other}")),
        }
    }
}

/// Writes YAML from tokens.
pub struct Dump {
    presenter: Presenter<Output>,
    anchor: Option<String>,
    tag: Option<String>,
    style: Option<ScalarStyle>,
}

impl Dump {
    /// Creates a writer with the options in `numbers`, which replaces the file at `path`, or writes
    /// to memory if there is no path.
    pub fn open(numbers: &[i64], path: Option<&Path>) -> Result<Dump, Failure> {
        let output = match path {
            None => Output::Memory(Vec::new()),
            Some(path) => {
                let replacement = Replacement::open(path, &ketch_files::Options::default())?;
                Output::File(Box::new(replacement))
            }
        };
        let Some(options) = options(numbers) else { return Err(corrupt()) };
        Ok(Dump::new(output, &options))
    }

    fn new(output: Output, options: &PresentOptions) -> Dump {
        let presenter = Presenter::with_options(output, options);
        Dump { presenter, anchor: None, tag: None, style: None }
    }

    /// Returns the whole text of tokens.
    pub fn once(numbers: &[i64], words: &[i64], bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        let Some(options) = options(numbers) else { return Err(corrupt()) };
        // There are rarely more indicators than words.
        let memory = Vec::with_capacity(bytes.len() + words.len());
        let mut dump = Dump::new(Output::Memory(memory), &options);
        dump.write(words, bytes)?;
        dump.finish()
    }

    /// Writes the tokens that `words` and `bytes` contain.
    pub fn write(&mut self, words: &[i64], bytes: &[u8]) -> Result<(), Failure> {
        let mut tokens = Tokens { words, bytes };
        while let Some(word) = tokens.word() {
            self.token(word as u8, word >> 8, &mut tokens)?;
        }
        Ok(())
    }

    /// Returns the text that has been written to memory since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        match self.presenter.get_mut() {
            Output::Memory(memory) => std::mem::take(memory),
            Output::File(_) => Vec::new(),
        }
    }

    /// Ends the text. Returns what has been written to memory since the last call, or replaces the
    /// file.
    pub fn finish(self) -> Result<Vec<u8>, Failure> {
        match self.presenter.finish()? {
            Output::Memory(memory) => Ok(memory),
            Output::File(file) => {
                file.commit()?;
                Ok(Vec::new())
            }
        }
    }

    /// Handles a token of this kind, with the number in its first word.
    fn token(&mut self, kind: u8, number: i64, tokens: &mut Tokens<'_>) -> Result<(), Failure> {
        let yaml = &mut self.presenter;
        match kind {
            TEXT if self.anchor.is_none() && self.tag.is_none() && self.style.is_none() => {
                text(yaml, tokens.text(number)?)?
            }
            START => yaml.start_document(number != 0)?,
            END => yaml.end_document(number != 0)?,
            END_SEQUENCE => yaml.end_sequence()?,
            END_MAPPING => yaml.end_mapping()?,
            ALIAS => yaml.alias(&number.to_string())?,
            ALIAS_NAME => yaml.alias(tokens.text(number)?)?,
            ANCHOR_NAME => self.anchor = Some(tokens.text(number)?.to_owned()),
            STYLE => self.style = Some(scalar_style(number)),
            DIRECTIVE => yaml.directive(tokens.text(number)?)?,
            TAG => self.tag = Some(tokens.text(number)?.to_owned()),
            _ => return self.node(kind, number, tokens),
        }
        Ok(())
    }

    /// Writes a scalar, or the start of a collection, with the tag and the anchor that preceding
    /// tokens have set.
    fn node(&mut self, kind: u8, number: i64, tokens: &mut Tokens<'_>) -> Result<(), Failure> {
        let (mut anchor, tag) = (self.anchor.take(), self.tag.take());
        let is_collection = matches!(kind, START_SEQUENCE | START_MAPPING);
        if is_collection && number >> ANCHOR_SHIFT != 0 {
            anchor = Some((number >> ANCHOR_SHIFT).to_string());
        }
        let properties = Properties { anchor: anchor.as_deref(), tag: tag.as_deref() };
        let yaml = &mut self.presenter;
        let collection =
            if number & 1 == 1 { CollectionStyle::Flow } else { CollectionStyle::Block };
        let value = match kind {
            START_SEQUENCE => return Ok(yaml.start_sequence(collection, properties)?),
            START_MAPPING => return Ok(yaml.start_mapping(collection, properties)?),
            TEXT | TAGGED_TEXT => {
                let style = self.style.take().unwrap_or(ScalarStyle::Text);
                return Ok(yaml.scalar(tokens.text(number)?, style, properties)?);
            }
            PLAIN => {
                return Ok(yaml.scalar(tokens.text(number)?, ScalarStyle::Plain, properties)?);
            }
            NULL => Native::Null,
            TRUE => Native::Bool(true),
            FALSE => Native::Bool(false),
            INT => Native::Int(tokens.next()?),
            FLOAT => Native::Float(f64::from_bits(tokens.next()? as u64)),
            DIGITS => Native::BigInt(tokens.text(number)?),
            BINARY => Native::Binary(tokens.take(number)?),
            TIMESTAMP => Native::Timestamp(timestamp(number, tokens)?),
            _ => return Err(corrupt()),
        };
        Ok(yaml.native(value, properties)?)
    }
}

/// Writes a string. The string `<<` gets a tag: without a tag, Psych would take it for a merge key,
/// even in quotes.
#[inline(always)]
fn text(yaml: &mut Presenter<Output>, text: &str) -> Result<(), PresentError> {
    if text == "<<" {
        let properties = Properties::tag("tag:yaml.org,2002:str");
        return yaml.scalar(text, ScalarStyle::DoubleQuoted, properties);
    }
    yaml.native(Native::Str(text), Properties::NONE)
}

/// Returns the style that `number` means in Psych. For 0, the presenter chooses the style.
fn scalar_style(number: i64) -> ScalarStyle {
    match number {
        1 => ScalarStyle::Plain,
        2 => ScalarStyle::SingleQuoted,
        3 => ScalarStyle::DoubleQuoted,
        4 => ScalarStyle::Literal,
        5 => ScalarStyle::Folded,
        _ => ScalarStyle::Text,
    }
}

/// Reads the rest of a timestamp token, whose first word contains `form`.
fn timestamp(form: i64, tokens: &mut Tokens<'_>) -> Result<Timestamp, Failure> {
    let (seconds, rest) = (tokens.next()?, tokens.next()?);
    let minutes = i16::try_from(rest >> 32).map_err(|_| corrupt())?;
    Ok(Timestamp {
        seconds,
        nanoseconds: rest as u32,
        offset_minutes: (form == 0).then_some(minutes),
        date_only: form == 2,
    })
}

/// Returns the options for the numbers that `DumpOptions.java` writes: the indentation, the width
/// or 0 for none, and 1 for indented sequences, flow style and ASCII, respectively. Returns `None`
/// if they are invalid.
fn options(numbers: &[i64]) -> Option<PresentOptions> {
    let &[indent, width, indented, flow, ascii] = numbers else { return None };
    let mut options = PresentOptions::default();
    options.indent = usize::try_from(indent).ok()?;
    options.width = usize::try_from(width).ok().filter(|&width| width > 0);
    if indented != 0 {
        options.sequences = Sequences::Indented;
    }
    if flow != 0 {
        options.collections = Collections::Flow;
    }
    options.ascii = ascii != 0;
    Some(options)
}

/// Returns the failure for tokens that Java never writes.
fn corrupt() -> Failure {
    Failure::Value("the tokens are corrupt; please report it".into())
}

/// The tokens that have not been read yet.
struct Tokens<'t> {
    words: &'t [i64],
    bytes: &'t [u8],
}

impl<'t> Tokens<'t> {
    /// Removes the next word and returns it, or `None` at the end.
    fn word(&mut self) -> Option<i64> {
        let (&word, rest) = self.words.split_first()?;
        self.words = rest;
        Some(word)
    }

    /// Removes the next word and returns it, or an error at the end.
    fn next(&mut self) -> Result<i64, Failure> {
        self.word().ok_or_else(corrupt)
    }

    /// Removes the next `len` bytes and returns them, or an error if there are fewer.
    fn take(&mut self, len: i64) -> Result<&'t [u8], Failure> {
        let len = usize::try_from(len).ok();
        let split = len.and_then(|len| self.bytes.split_at_checked(len));
        let (bytes, rest) = split.ok_or_else(corrupt)?;
        self.bytes = rest;
        Ok(bytes)
    }

    /// Removes the next `len` bytes and returns them as text, or an error if they are not UTF-8.
    fn text(&mut self, len: i64) -> Result<&'t str, Failure> {
        std::str::from_utf8(self.take(len)?).map_err(|_| corrupt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: [i64; 5] = [2, 0, 0, 0, 0];

    #[test]
    fn tokens_become_text() {
        let mut dump = Dump::open(&DEFAULTS, None).unwrap();
        let word = |kind: u8, number: i64| i64::from(kind) | number << 8;
        let words = [
            word(START, 0),
            word(START_MAPPING, 1 << ANCHOR_SHIFT),
            word(TEXT, 1),
            word(INT, 0),
            -7,
            word(TEXT, 1),
            word(ALIAS, 1),
            word(END_MAPPING, 0),
            word(END, 0),
        ];
        dump.write(&words, b"ab").unwrap();
        assert_eq!(dump.finish().unwrap(), b"&1\na: -7\nb: *1\n");
        assert_eq!(Dump::once(&DEFAULTS, &words, b"ab").unwrap(), b"&1\na: -7\nb: *1\n");
        assert!(Dump::once(&DEFAULTS, &words, b"a").is_err());
    }

    #[test]
    fn styles_are_as_given() {
        let mut dump = Dump::open(&DEFAULTS, None).unwrap();
        let word = |kind: u8, number: i64| i64::from(kind) | number << 8;
        let words = [
            word(DIRECTIVE, 9),
            word(START, 1),
            word(START_SEQUENCE, 1),
            word(STYLE, 3),
            word(TEXT, 1),
            word(TEXT, 1),
            word(END_SEQUENCE, 0),
            word(END, 1),
        ];
        dump.write(&words, b"%YAML 1.1ab").unwrap();
        assert_eq!(dump.finish().unwrap(), b"%YAML 1.1\n--- [\"a\", b]\n...\n");
    }

    #[test]
    fn corrupt_tokens_are_refused() {
        for words in [&[99][..], &[i64::from(INT)], &[i64::from(TEXT) | 9 << 8], &[-1]] {
            let mut dump = Dump::open(&DEFAULTS, None).unwrap();
            dump.write(&[i64::from(START)], &[]).unwrap();
            assert!(dump.write(words, b"abc").is_err());
        }
    }
}

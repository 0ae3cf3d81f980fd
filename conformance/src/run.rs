//! Runs the parser on an input, and returns all of its results in a form that can be compared.

use ketch_yaml::notation::Notation;
use ketch_yaml::{
    Chunk, Error, Event, EventKind, Flags, Options, Parser, Problem, ReadParser, Warning,
};
use std::io::{self, Read};

/// An event whose offset is counted from the start of the stream's UTF-8 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind of the event.
    pub kind: EventKind,
    /// The flags of the event.
    pub flags: Flags,
    /// The offset of the event's first byte.
    pub start: u64,
    /// The length of the event in bytes.
    pub len: usize,
    /// For a block scalar, the number of columns by which its content is indented.
    pub indent: u32,
}

impl Item {
    fn new(event: &Event, base: u64) -> Item {
        let Event { kind, flags, start, len, indent } = *event;
        Item { kind, flags, start: base + start as u64, len, indent }
    }

    /// Returns the offset after the event's last byte.
    pub fn end(&self) -> u64 {
        self.start + self.len as u64
    }

    /// Returns the event's bytes in `text`, which is the text of the whole stream.
    pub fn bytes<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.start as usize..self.end() as usize]
    }
}

/// An error, without the parts that depend on the text that is buffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub problem: Problem,
    /// The offset in bytes from the start of the stream.
    pub offset: u64,
    /// The length in bytes.
    pub len: usize,
    /// Its line.
    pub line: u64,
    /// Its column.
    pub column: u64,
    /// The offset of the related location.
    pub related: Option<u64>,
}

impl Fault {
    fn new(error: &Error) -> Fault {
        let place = error.location();
        Fault {
            problem: error.problem(),
            offset: place.offset,
            len: place.len,
            line: place.line,
            column: place.column,
            related: error.related().map(|place| place.offset),
        }
    }
}

/// The result of a run of the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The events, including those before an error.
    pub events: Vec<Item>,
    /// The same events in the notation of yaml-test-suite. `-STR` is missing if there was an error.
    pub notation: String,
    /// The error.
    pub fault: Option<Fault>,
    /// The warnings.
    pub warnings: Vec<(Problem, u64)>,
}

impl Outcome {
    /// Returns whether the input was accepted.
    pub fn is_fine(&self) -> bool {
        self.fault.is_none()
    }
}

/// Collects the events of chunks.
struct Gatherer<'i> {
    text: &'i [u8],
    events: Vec<Item>,
    notation: Notation<Vec<u8>>,
    chunks: usize,
}

impl<'i> Gatherer<'i> {
    fn new(text: &'i [u8]) -> Self {
        let notation = Notation::start(Vec::new()).expect("writing to memory");
        Gatherer { text, events: Vec::new(), notation, chunks: 0 }
    }

    /// Adds the events of a chunk, and compares their bytes with the text.
    fn chunk(&mut self, chunk: &Chunk<'_, '_>) {
        self.chunks += 1;
        let most = 16 * self.text.len() + 1024;
        assert!(self.chunks <= most, "more chunks than any input of this length has events");
        for event in chunk.events() {
            let item = Item::new(&event, chunk.base());
            assert_eq!(chunk.bytes(&event), item.bytes(self.text), "the bytes of {item:?}");
            self.events.push(item);
        }
        self.notation.chunk(chunk).expect("writing to memory");
    }

    /// Returns the result of the run.
    fn finish(self, error: Option<&Error>, warnings: &[Warning]) -> Outcome {
        let notation = match error {
            None => self.notation.end().expect("writing to memory"),
            Some(_) => self.notation.into_inner(),
        };
        Outcome {
            events: self.events,
            notation: String::from_utf8_lossy(&notation).into_owned(),
            fault: error.map(Fault::new),
            warnings: warnings.iter().map(|w| (w.problem, w.location.offset)).collect(),
        }
    }
}

/// Runs the parser on a slice. `text` is the UTF-8 form of `input`.
pub fn slice_as(input: &[u8], text: &[u8], options: &Options) -> Outcome {
    let mut parser = Parser::with_options(input, options);
    let mut gatherer = Gatherer::new(text);
    let error = loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => gatherer.chunk(&chunk),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    assert!(matches!(parser.next_chunk(), Ok(None)), "nothing follows the end");
    if let Some(error) = &error {
        assert!(
            error.to_string().contains(&*error.message()) && !error.help().is_empty(),
            "an error names the mistake and says what to do"
        );
    }
    let warnings = parser.warnings();
    gatherer.finish(error.as_ref(), &warnings)
}

/// Runs the parser on a slice of UTF-8.
pub fn slice(input: &[u8], options: &Options) -> Outcome {
    slice_as(input, input, options)
}

/// Returns the default options, except that chunks have `words` words.
pub fn chunked(words: usize) -> Options {
    let mut options = Options::default();
    options.chunk_words = words;
    options
}

/// Runs the parser on a reader. `text` is the UTF-8 form of its input.
pub fn reader_as(reader: impl Read, text: &[u8], options: &Options) -> Outcome {
    let mut parser = ReadParser::with_options(reader, options);
    let mut gatherer = Gatherer::new(text);
    let error = loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => gatherer.chunk(&chunk),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    assert!(matches!(parser.next_chunk(), Ok(None)), "nothing follows the end");
    gatherer.finish(error.as_ref(), parser.warnings())
}

/// Runs the parser on a reader that yields `input`, which is UTF-8, in pieces of the given lengths.
pub fn reader(input: &[u8], pieces: &[usize], options: &Options) -> Outcome {
    reader_as(Pieces::new(input, pieces), input, options)
}

/// Parses bytes in any encoding. Returns the events in the notation, and the error.
pub fn parse(input: &[u8], options: &Options) -> (String, Option<Fault>) {
    let text = Parser::with_options(input, options).text().to_vec();
    let outcome = slice_as(input, &text, options);
    (outcome.notation, outcome.fault)
}

/// Does the same with a reader that yields the bytes in pieces of the given lengths.
pub fn parse_in_pieces(
    input: &[u8],
    pieces: &[usize],
    options: &Options,
) -> (String, Option<Fault>) {
    let text = Parser::with_options(input, options).text().to_vec();
    let outcome = reader_as(Pieces::new(input, pieces), &text, options);
    (outcome.notation, outcome.fault)
}

/// A reader that yields pieces of the given lengths, and interruptions between them.
#[derive(Clone, Debug)]
pub struct Pieces<'i> {
    rest: &'i [u8],
    lengths: &'i [usize],
    turn: usize,
    interrupt: bool,
}

impl<'i> Pieces<'i> {
    /// Creates a reader of `input`. The last length is also used for the rest, and a length of zero
    /// counts as one.
    pub fn new(input: &'i [u8], lengths: &'i [usize]) -> Self {
        Pieces { rest: input, lengths, turn: 0, interrupt: false }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let turn = self.turn.min(self.lengths.len().saturating_sub(1));
        let length = self.lengths.get(turn).map_or(usize::MAX, |&length| length.max(1));
        self.turn += 1;
        let count = length.min(buffer.len()).min(self.rest.len());
        let (piece, rest) = self.rest.split_at(count);
        buffer[..count].copy_from_slice(piece);
        self.rest = rest;
        Ok(count)
    }
}

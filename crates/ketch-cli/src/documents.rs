//! Reads an input as documents, showing the progress.

use crate::args::InputArgs;
use crate::conversion;
use crate::file_name;
use crate::input::{self, Input, Stream, WHOLE_BYTES_MAX};
use crate::json_texts::{JsonText, JsonTexts};
use crate::position::Position;
use crate::progress::Progress;
use crate::read::{Outcome, failure};
use crate::status::Failure;
use ketch_yaml::compose::Source;
use ketch_yaml::{Chunk, ComposeOptions, Document, Documents, Error, Options, ReadParser};
use std::io::{Cursor, Read};

/// The reason why a document was rejected.
#[derive(Debug)]
pub enum Refusal {
    /// The content of the document is invalid.
    Document(Error),
    /// The document cannot be converted.
    Conversion(ketch::ConvertError),
    /// Something else failed, for example the output.
    Failure(Failure),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Document(error)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Failure(failure)
    }
}

/// The input and the options for reading its documents.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'f> {
    /// The name of the input.
    pub file: &'f str,
    pub inputs: &'f InputArgs,
    pub options: Options,
    pub compose: ComposeOptions,
    /// Whether the results do not go to standard output, so that progress can be shown.
    pub stdout_is_free: bool,
}

/// What a document becomes.
pub trait Receive {
    /// Receives `document`.
    fn receive(&mut self, document: &Document<'_>) -> Result<(), Refusal>;

    /// Looks at `text`, a stream of YAML in memory, before its documents are read.
    fn look(&mut self, _text: &[u8]) {}

    /// Reads the next document of `documents`: composes it into `document`, or receives it without
    /// composing it.
    fn next<'t, S: Source>(
        &mut self,
        documents: &mut Documents<'t, S>,
        document: &mut Document<'t>,
    ) -> Result<Next, Refusal> {
        Ok(if documents.next_into(document)? { Next::Composed } else { Next::End })
    }

    /// Returns whether long documents may be received without composing them.
    fn streams(&self) -> bool {
        false
    }

    /// Ends the reading of an input, which has to be read a second time, with all documents composed.
    fn give_up(&mut self) {}

    /// Returns whether reading has ended in this way.
    fn has_given_up(&self) -> bool {
        false
    }
}

/// What [`Receive::next`] did with the next document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The document has been composed.
    Composed,
    /// The document has been received. The collection at its root ends at this offset of the stream.
    Received(u64),
    /// There is no other document.
    End,
}

/// A function that receives composed documents.
pub struct Composed<F>(pub F);

impl<F: FnMut(&Document<'_>) -> Result<(), Refusal>> Receive for Composed<F> {
    fn receive(&mut self, document: &Document<'_>) -> Result<(), Refusal> {
        self.0(document)
    }
}

/// The length in bytes of the longest JSON text that is in memory as a whole if it need not be.
const TEXT_BYTES_MAX: usize = 1 << 20;

impl Reading<'_> {
    /// Passes the documents of the input to `receive`, one at a time, up to the first error.
    ///
    /// Fails if the input cannot be opened or if `receive` fails. An error in the input is part of
    /// the outcome instead.
    pub fn each(&self, receive: &mut impl Receive) -> Result<Outcome, Failure> {
        match input::open_yaml(self.inputs, self.file, WHOLE_BYTES_MAX)? {
            Input::Whole(text) => self.each_in_text(&text, receive),
            Input::Stream(stream) => self.each_in_stream(stream, receive),
        }
    }

    /// Passes each JSON text of the input to `receive` as a document, up to the first error. JSON
    /// texts need no `---` between them.
    pub fn each_json(&self, receive: &mut impl Receive) -> Result<Outcome, Failure> {
        let (stream, size): (Box<dyn Read>, _) = match input::open(self.file)? {
            Input::Whole(text) => match (self.only_json(&text, receive)?, text.len()) {
                (Some(outcome), _) => return Ok(outcome),
                (None, bytes) => (Box::new(Cursor::new(text)), Some(bytes as u64)),
            },
            Input::Stream(stream) => {
                let size = stream.size;
                (Box::new(stream), size)
            }
        };
        let failed = |error| Failure::Read(file_name::shown(self.file).to_owned(), error);
        let progress = Progress::new(size, self.stdout_is_free);
        let mut texts = JsonTexts::new(stream);
        let mut all = Outcome { bytes: 0, failure: None };
        let len_max = if receive.streams() { TEXT_BYTES_MAX } else { usize::MAX };
        while let Some((position, text)) = texts.next_up_to(len_max).map_err(failed)? {
            let JsonText::Whole(text) = text else {
                self.long_json(&mut texts, position.offset, &progress, receive)?;
                all.bytes = texts.offset() as u64;
                if receive.has_given_up() {
                    break;
                }
                continue;
            };
            let mut documents = Documents::with_options(text, &self.options, &self.compose);
            let error = drive(&mut documents, &progress, receive, |_| ())?;
            all.bytes = position.offset as u64 + text.len() as u64;
            progress.reached(all.bytes);
            let failure = error.map(|error| error.failure(self.file, text));
            all.failure = failure.map(|failure| seen_from_start(failure, position, &texts.head()));
            if all.failure.is_some() || receive.has_given_up() {
                break;
            }
        }
        Ok(all)
    }

    /// Passes the documents of a long JSON text, which starts at the offset `start`, to `receive`. If the
    /// text is invalid, gives up, since a message shows more of a text that is in memory.
    fn long_json(
        &self,
        texts: &mut JsonTexts<impl Read>,
        start: usize,
        progress: &Progress,
        receive: &mut impl Receive,
    ) -> Result<(), Failure> {
        let parser = ReadParser::with_options(texts.rest(), &self.options);
        let watched = Watched { parser, progress: progress.clone(), start: start as u64 };
        let mut documents = Documents::from_source(watched, &self.compose);
        if drive(&mut documents, progress, receive, |_| ())?.is_some() {
            receive.give_up();
        }
        Ok(())
    }

    /// Passes the only JSON text in `text` to `receive`. Returns `None` if there may be others, which
    /// takes longer to find out.
    fn only_json(
        &self,
        text: &[u8],
        receive: &mut impl Receive,
    ) -> Result<Option<Outcome>, Failure> {
        let bytes = text.trim_ascii_end().len() as u64;
        let done = |failure| Ok(Some(Outcome { bytes, failure }));
        if !(text.starts_with(b"{") || text.starts_with(b"[")) {
            return Ok(None);
        }
        let mut documents = Documents::with_options(text, &self.options, &self.compose);
        let (mut document, mut other) = (Document::new(), Document::new());
        let next = receive.next(&mut documents, &mut document);
        let end = match next {
            Ok(Next::Composed) => document.root().span().end as u64,
            Ok(Next::Received(end)) => end,
            Err(Refusal::Failure(failure)) => return Err(failure),
            _ if receive.has_given_up() => return done(None),
            _ => u64::MAX,
        };
        let is_only =
            end == bytes && documents.next_into(&mut other).is_ok_and(|is_there| !is_there);
        match next {
            Ok(Next::Composed) if is_only => {
                let error = in_input(receive.receive(&document))?;
                done(error.map(|error| error.failure(self.file, text)))
            }
            Ok(Next::Received(_)) if is_only => done(None),
            Ok(Next::Composed) => Ok(None),
            _ if receive.streams() => {
                receive.give_up();
                done(None)
            }
            _ => Ok(None),
        }
    }

    /// Passes each document of `text` to `receive`, up to the first error.
    fn each_in_text(&self, text: &[u8], receive: &mut impl Receive) -> Result<Outcome, Failure> {
        receive.look(text);
        let mut documents = Documents::with_options(text, &self.options, &self.compose);
        let progress = Progress::new(Some(text.len() as u64), self.stdout_is_free);
        let mut done = 0;
        let error = drive(&mut documents, &progress, receive, |document| {
            done += document.text().len() as u64;
            progress.reached(done);
        })?;
        let failure = error.map(|error| error.failure(self.file, text));
        Ok(Outcome { bytes: text.len() as u64, failure })
    }

    /// Passes each document of `stream` to `receive`, up to the first error.
    fn each_in_stream(
        &self,
        mut stream: Stream,
        receive: &mut impl Receive,
    ) -> Result<Outcome, Failure> {
        let progress = Progress::new(stream.size, self.stdout_is_free);
        let parser = ReadParser::with_options(&mut stream, &self.options);
        let watched = Watched { parser, progress: progress.clone(), start: 0 };
        let mut documents = Documents::from_source(watched, &self.compose);
        let error = drive(&mut documents, &progress, receive, |_| ())?;
        drop(documents);
        let failure = error.map(|error| error.failure(self.file, stream.head()));
        Ok(Outcome { bytes: stream.read_bytes(), failure })
    }
}

/// An error in the input.
enum InputError {
    Yaml(Error),
    Conversion(ketch::ConvertError),
}

impl InputError {
    /// Converts the error to a failure. `file` is the name of the input, and `head` the start of
    /// its content.
    fn failure(self, file: &str, head: &[u8]) -> Failure {
        match self {
            InputError::Yaml(error) => failure(file, head, error),
            InputError::Conversion(error) => {
                Failure::Input(Box::new(conversion::diagnostic(file, head, &error)))
            }
        }
    }
}

/// Passes documents to `receive`, up to the end or the first error in them. Returns that error, or
/// `None` at the end. Calls `done` after each document that has been composed.
fn drive<'t, S: Source>(
    documents: &mut Documents<'t, S>,
    progress: &Progress,
    receive: &mut impl Receive,
    mut done: impl FnMut(&Document<'t>),
) -> Result<Option<InputError>, Failure> {
    let mut document = Document::new();
    loop {
        let received = match receive.next(documents, &mut document) {
            Ok(Next::Composed) => {
                let received = progress.during("writing", || receive.receive(&document));
                done(&document);
                received
            }
            Ok(Next::Received(_)) => Ok(()),
            Ok(Next::End) => return Ok(None),
            Err(refusal) => Err(refusal),
        };
        if let Some(error) = in_input(received)? {
            return Ok(Some(error));
        }
    }
}

/// Returns `failure`, which is in a JSON text at `position`, with its place in the input. The text is
/// after `head` on its line.
fn seen_from_start(failure: Failure, position: Position, head: &str) -> Failure {
    match failure {
        Failure::Input(diagnostic) => {
            Failure::Input(Box::new(position.seen_from_start(*diagnostic, head)))
        }
        other => other,
    }
}

/// Returns the error in the input that `received` is, or fails with any other.
fn in_input(received: Result<(), Refusal>) -> Result<Option<InputError>, Failure> {
    match received {
        Ok(()) => Ok(None),
        Err(Refusal::Document(error)) => Ok(Some(InputError::Yaml(error))),
        Err(Refusal::Conversion(error)) => Ok(Some(InputError::Conversion(error))),
        Err(Refusal::Failure(failure)) => Err(failure),
    }
}

/// A parser that shows its progress. It shows it while a document is being read, because a single
/// document may take long.
pub struct Watched<R> {
    pub parser: ReadParser<R>,
    pub progress: Progress,
    /// The number of bytes of the input that are before the parser's stream.
    pub start: u64,
}

impl<R: Read> Source for Watched<R> {
    fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        let chunk = self.parser.next_chunk()?;
        if let Some(chunk) = &chunk {
            self.progress.reached(self.start + chunk.base());
        }
        Ok(chunk)
    }
}

//! Reads an input as documents, showing the progress.

use crate::args::InputArgs;
use crate::conversion;
use crate::file_name;
use crate::input::{self, Input, Stream, WHOLE_BYTES_MAX};
use crate::json_texts::JsonTexts;
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

impl Reading<'_> {
    /// Passes the documents of the input to `receive`, one at a time, up to the first error.
    ///
    /// Fails if the input cannot be opened or if `receive` fails. An error in the input is part of
    /// the outcome instead.
    pub fn each(
        &self,
        receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Outcome, Failure> {
        match input::open_yaml(self.inputs, self.file, WHOLE_BYTES_MAX)? {
            Input::Whole(text) => self.each_in_text(&text, receive),
            Input::Stream(stream) => self.each_in_stream(stream, receive),
        }
    }

    /// Passes each JSON text of the input to `receive` as a document, up to the first error. JSON
    /// texts need no `---` between them.
    pub fn each_json(
        &self,
        mut receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Outcome, Failure> {
        let (stream, size): (Box<dyn Read>, _) = match input::open(self.file)? {
            Input::Whole(text) => match (self.only_json(&text, &mut receive)?, text.len()) {
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
        let mut receive =
            |document: &Document<'_>| progress.during("writing", || receive(document));
        let mut texts = JsonTexts::new(stream);
        let mut all = Outcome { bytes: 0, failure: None };
        while let Some((position, text)) = texts.next_text().map_err(failed)? {
            let mut documents = Documents::with_options(text, &self.options, &self.compose);
            let error = drive(&mut documents, &mut receive)?;
            all.bytes = position.offset as u64 + text.len() as u64;
            progress.reached(all.bytes);
            if let Some(error) = error {
                all.failure = Some(match error.failure(self.file, text) {
                    Failure::Input(diagnostic) => {
                        let head = texts.head();
                        Failure::Input(Box::new(position.seen_from_start(*diagnostic, &head)))
                    }
                    other => other,
                });
                break;
            }
        }
        Ok(all)
    }

    /// Passes the only JSON text in `text` to `receive`. Returns `None` if there may be others, which
    /// takes longer to find out.
    fn only_json(
        &self,
        text: &[u8],
        receive: &mut impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Option<Outcome>, Failure> {
        let bytes = text.trim_ascii_end().len();
        let mut documents = Documents::with_options(text, &self.options, &self.compose);
        let (mut document, mut other) = (Document::new(), Document::new());
        let is_only = text.starts_with(b"{") | text.starts_with(b"[")
            && documents.next_into(&mut document).is_ok_and(|is_there| is_there)
            && document.root().span() == (0..bytes)
            && documents.next_into(&mut other).is_ok_and(|is_there| !is_there);
        if !is_only {
            return Ok(None);
        }
        let error = in_input(receive(&document))?;
        let failure = error.map(|error| error.failure(self.file, text));
        Ok(Some(Outcome { bytes: bytes as u64, failure }))
    }

    /// Passes each document of `text` to `receive`, up to the first error.
    pub fn each_in_text(
        &self,
        text: &[u8],
        mut receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Outcome, Failure> {
        let mut documents = Documents::with_options(text, &self.options, &self.compose);
        let progress = Progress::new(Some(text.len() as u64), self.stdout_is_free);
        let mut done = 0;
        let error = drive(&mut documents, |document| {
            progress.during("writing", || receive(document))?;
            done += document.text().len() as u64;
            progress.reached(done);
            Ok(())
        })?;
        let failure = error.map(|error| error.failure(self.file, text));
        Ok(Outcome { bytes: text.len() as u64, failure })
    }

    /// Passes each document of `stream` to `receive`, up to the first error.
    pub fn each_in_stream(
        &self,
        mut stream: Stream,
        mut receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Outcome, Failure> {
        let progress = Progress::new(stream.size, self.stdout_is_free);
        let parser = ReadParser::with_options(&mut stream, &self.options);
        let watched = Watched { parser, progress: progress.clone() };
        let mut documents = Documents::from_source(watched, &self.compose);
        let error =
            drive(&mut documents, |document| progress.during("writing", || receive(document)))?;
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

/// Composes documents and passes them to `receive`, up to the end or the first error in them.
/// Returns that error, or `None` at the end.
fn drive<'t, S: Source>(
    documents: &mut Documents<'t, S>,
    mut receive: impl FnMut(&Document<'t>) -> Result<(), Refusal>,
) -> Result<Option<InputError>, Failure> {
    let mut document = Document::new();
    loop {
        match documents.next_into(&mut document) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return Ok(Some(InputError::Yaml(error))),
        }
        if let Some(error) = in_input(receive(&document))? {
            return Ok(Some(error));
        }
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
pub struct Watched<'s> {
    pub parser: ReadParser<&'s mut Stream>,
    pub progress: Progress,
}

impl Source for Watched<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        let chunk = self.parser.next_chunk()?;
        if let Some(chunk) = &chunk {
            self.progress.reached(chunk.base());
        }
        Ok(chunk)
    }
}

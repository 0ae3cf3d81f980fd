//! Reads an input as documents, with progress.

use crate::input::{self, Input, Stream};
use crate::progress::Progress;
use crate::read::{Outcome, failure};
use crate::status::Failure;
use ketch_yaml::compose::{ComposeOptions, Document, Documents, Source};
use ketch_yaml::{Chunk, Error, Options, ReadParser};

/// Why a document was not taken.
#[derive(Debug)]
pub enum Refusal {
    /// It means nothing to the one who takes it: the input is wrong.
    Document(Error),
    /// Something else.
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

/// How documents are read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'f> {
    /// The input's name, for messages.
    pub file: &'f str,
    pub options: Options,
    pub compose: ComposeOptions,
    /// Standard output stays free.
    pub stdout_is_free: bool,
}

impl Reading<'_> {
    /// Hands the documents of the file to `receive`, one at a time; on an error in the input, all
    /// those in front of it.
    ///
    /// Fails where the file cannot be opened or `receive` says so; what is wrong with the input
    /// itself is part of the outcome.
    pub fn each(
        &self,
        receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Outcome, Failure> {
        match input::open(self.file)? {
            Input::Whole(text) => self.each_in_text(&text, receive),
            Input::Stream(stream) => self.each_in_stream(stream, receive),
        }
    }

    /// The same with a text that is at hand.
    pub fn each_in_text(
        &self,
        text: &[u8],
        mut receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Outcome, Failure> {
        let mut documents = Documents::with_options(text, &self.options, &self.compose);
        let mut progress = Progress::new(Some(text.len() as u64), self.stdout_is_free);
        let mut done = 0;
        let error = drive(&mut documents, |document| {
            receive(document)?;
            done += document.text().len() as u64;
            progress.reached(done);
            Ok(())
        })?;
        let failure = error.map(|error| failure(self.file, text, error));
        let warnings = documents.source().warnings();
        Ok(Outcome { bytes: text.len() as u64, warnings, failure })
    }

    /// The same with a stream.
    pub fn each_in_stream(
        &self,
        mut stream: Stream,
        receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
    ) -> Result<Outcome, Failure> {
        let progress = Progress::new(stream.size, self.stdout_is_free);
        let parser = ReadParser::with_options(&mut stream, &self.options);
        let mut documents = Documents::from_source(Watched { parser, progress }, &self.compose);
        let error = drive(&mut documents, receive)?;
        let warnings = documents.source().parser.warnings().to_vec();
        drop(documents);
        let failure = error.map(|error| failure(self.file, stream.head(), error));
        Ok(Outcome { bytes: stream.read_bytes(), warnings, failure })
    }
}

/// Composes to the end or to the first error.
fn drive<'t, S: Source>(
    documents: &mut Documents<'t, S>,
    mut receive: impl FnMut(&Document<'t>) -> Result<(), Refusal>,
) -> Result<Option<Error>, Failure> {
    let mut document = Document::new();
    loop {
        match documents.next_into(&mut document) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return Ok(Some(error)),
        }
        match receive(&document) {
            Ok(()) => {}
            Err(Refusal::Document(error)) => return Ok(Some(error)),
            Err(Refusal::Failure(failure)) => return Err(failure),
        }
    }
}

/// A parser whose progress is shown: a single document may take longer than a second.
struct Watched<'s> {
    parser: ReadParser<&'s mut Stream>,
    progress: Progress,
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

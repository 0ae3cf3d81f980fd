//! Loads a text chunk by chunk, on one of two paths: [`events`], or [`tree`] where events are not
//! enough. All rules are in the composer, so errors are the same as in every other binding.

use crate::events::{self, Receiver};
use crate::failure;
use crate::options::LoadOptions;
use crate::pull::Pull;
use crate::syck::Recorder;
use crate::tokens::{Kind, Tokens};
use crate::tree;
use ketch_yaml::syck::Nodes;
use ketch_yaml::{Document, Documents, Error, Location, Parser, Problem, ReadParser};
use std::io::Read;

/// A stream that Java reads.
type Stream = Box<dyn Read>;

/// Reads one text after the other.
#[derive(Debug)]
pub struct Loader<'t> {
    text: &'t [u8],
    options: LoadOptions,
    path: Path<'t>,
    pub out: Tokens,
}

/// The rest of the text.
enum Path<'t> {
    Events(Box<(Parser<'t>, Receiver)>),
    Tree(Box<(Documents<'t>, Document<'t>)>),
    /// Events are the result.
    Parse(Box<(Parser<'t>, Pull)>),
    /// The nodes of Syck's dialect are the result.
    Nodes(Box<Nodes<'t>>),
    /// The documents of a stream, one after another.
    StreamTree(Box<(Documents<'static, ReadParser<Stream>>, Document<'static>)>),
    /// The events of a stream.
    StreamParse(Box<(ReadParser<Stream>, Pull)>),
    Ended,
}

impl std::fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Path::Events(_) => "Events",
            Path::Tree(_) => "Tree",
            Path::Parse(_) => "Parse",
            Path::Nodes(_) => "Nodes",
            Path::StreamTree(_) => "StreamTree",
            Path::StreamParse(_) => "StreamParse",
            Path::Ended => "Ended",
        })
    }
}

impl<'t> Loader<'t> {
    /// Creates a loader without a text.
    pub fn new() -> Loader<'t> {
        let options = LoadOptions::default();
        Loader { text: &[], options, path: Path::Ended, out: Tokens::new() }
    }

    /// Starts to load a text. The reader of the tokens also has it if `is_shared`.
    pub fn start(&mut self, text: &'t [u8], is_shared: bool, options: LoadOptions) {
        self.text = text;
        self.options = options;
        self.out.clear();
        self.out.set_input(if is_shared { text } else { &[] });
        let parser = || Parser::with_options(text, &self.options.parse);
        self.path = if let Some(types) = self.options.nodes {
            Path::Nodes(Box::new(Nodes::with_options(text, &self.options.parse, types)))
        } else if self.options.as_events {
            Path::Parse(Box::new((parser(), Pull::new(&self.options, is_shared.then_some(text)))))
        } else if events::suffice(&self.options) && !self.options.has_positions {
            Path::Events(Box::new((parser(), Receiver::new(&self.options))))
        } else {
            self.documents()
        };
    }

    /// Starts to load a stream. No more than one document is kept in memory.
    pub fn start_stream(&mut self, stream: Stream, options: LoadOptions) {
        self.end();
        let parser = ReadParser::with_options(stream, &options.parse);
        self.path = if options.as_events {
            Path::StreamParse(Box::new((parser, Pull::new(&options, None))))
        } else {
            let documents = Documents::from_source(parser, &options.compose);
            Path::StreamTree(Box::new((documents, Document::new())))
        };
        self.options = options;
    }

    /// Forgets the text.
    pub fn end(&mut self) {
        self.text = &[];
        self.path = Path::Ended;
        self.out.clear();
        self.out.set_input(&[]);
    }

    /// Returns the path that composes documents.
    fn documents(&self) -> Path<'t> {
        let LoadOptions { parse, compose, .. } = &self.options;
        let documents = Documents::with_options(self.text, parse, compose);
        Path::Tree(Box::new((documents, Document::new())))
    }

    /// Starts again, by composing documents. The reader has not read all tokens.
    pub fn restart(&mut self) {
        self.out.forget_keys();
        self.path = self.documents();
    }

    /// Replaces the tokens by the next ones. At the end, there are none.
    pub fn advance(&mut self) -> Result<(), Vec<u8>> {
        self.out.clear();
        let result = self.append();
        result.map_err(|error| {
            // The reader does not get the tokens before it.
            self.out.forget_keys();
            self.path = Path::Ended;
            failure::fields(error, self.options.file.as_deref())
        })
    }

    /// Appends tokens until there are some, or the text ends.
    fn append(&mut self) -> Result<(), Error> {
        while self.out.words.is_empty() {
            match &mut self.path {
                Path::Events(path) => {
                    let (parser, receiver) = &mut **path;
                    let Some(chunk) = parser.next_chunk()? else { break };
                    if receiver.chunk(&chunk, &mut self.out).is_err() {
                        // The tokens so far may define keys.
                        self.out.push(Kind::Restart);
                        self.path = self.documents();
                    }
                }
                Path::Tree(path) => {
                    let (documents, document) = &mut **path;
                    if !documents.next_into(document)? {
                        break;
                    }
                    tree::document(document, &self.options, self.text, &mut self.out)?;
                }
                Path::StreamTree(path) => {
                    let (documents, document) = &mut **path;
                    if !documents.next_into(document)? {
                        break;
                    }
                    tree::document(document, &self.options, self.text, &mut self.out)?;
                }
                Path::Parse(path) => {
                    let (parser, pull) = &mut **path;
                    let Some(chunk) = parser.next_chunk()? else { break };
                    pull.chunk(&chunk, &mut self.out);
                }
                Path::Nodes(nodes) => {
                    let mut recorder = Recorder::new(&mut self.out);
                    let Some(root) = nodes.next_root(&mut recorder)? else { break };
                    recorder.root(root);
                }
                Path::StreamParse(path) => {
                    let (parser, pull) = &mut **path;
                    let Some(chunk) = parser.next_chunk()? else { break };
                    pull.chunk(&chunk, &mut self.out);
                }
                Path::Ended => break,
            }
        }
        let most = i32::MAX as usize;
        if [self.out.words.len(), self.out.kept.len(), self.out.wide.len()]
            .iter()
            .any(|len| *len > most)
        {
            return Err(Error::at(Problem::DocumentTooLarge, Location::at_offset(0, 0)));
        }
        Ok(())
    }

    /// Returns the error of a stream that has several documents where one is expected.
    pub fn several_documents(&self) -> Vec<u8> {
        let LoadOptions { parse, compose, file, .. } = &self.options;
        let mut documents = Documents::with_options(self.text, parse, compose);
        let location = match documents.nth(1) {
            Some(Ok(document)) => document.root().location(),
            _ => Location::at_offset(0, 0),
        };
        let help = "Read all of them with loadAll.";
        let message = "the stream has more than one document";
        failure::several_documents_fields(message, help, &location, file.as_deref())
    }
}

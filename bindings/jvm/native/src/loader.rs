//! Loads a text chunk by chunk, on one of two paths: [`events`] or, where events are not enough,
//! [`tree`]. All rules are implemented in the composer, so errors are the same as in all other
//! bindings.

use crate::events::{self, Receiver, Stack, Writer};
use crate::failure;
use crate::options::LoadOptions;
use crate::pull::Pull;
use crate::syck::Recorder;
use crate::tokens::{Kind, Tokens};
use crate::tree;
use ketch_host::load::Make;
use ketch_host::query::{Session, Trouble};
use ketch_host::tree::location_of_document;
use ketch_syck::Nodes;
use ketch_yaml::{Document, Documents, Error, Location, Parser, Problem, ReadParser};
use std::io::Read;

/// A stream that is read from Java.
type Stream = Box<dyn Read>;

/// Loads texts or streams, one after another.
#[derive(Debug)]
pub struct Loader<'t> {
    text: &'t [u8],
    options: LoadOptions,
    path: Path<'t>,
    pub out: Tokens,
}

/// What is left of the text, and how it is loaded.
enum Path<'t> {
    Events(Box<(Parser<'t>, Receiver)>),
    Tree(Box<(Documents<'t>, Document<'t>)>),
    /// The result consists of the parser's events.
    Parse(Box<(Parser<'t>, Pull)>),
    /// Only the syntax is checked, so there is no result.
    Syntax(Box<Parser<'t>>),
    /// The result consists of the nodes of Syck's dialect.
    Nodes(Box<Nodes<'t>>),
    /// The documents of a stream, which are composed one after another.
    StreamTree(Box<(Documents<'static, ReadParser<Stream>>, Document<'static>)>),
    /// The result consists of the events of a stream.
    StreamParse(Box<(ReadParser<Stream>, Pull)>),
    /// Only the syntax of a stream is checked.
    StreamSyntax(Box<ReadParser<Stream>>),
    /// The results of a program.
    Query(Box<Session>),
    Ended,
}

impl std::fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Path::Events(_) => "Events",
            Path::Tree(_) => "Tree",
            Path::Parse(_) => "Parse",
            Path::Syntax(_) => "Syntax",
            Path::Nodes(_) => "Nodes",
            Path::StreamTree(_) => "StreamTree",
            Path::StreamParse(_) => "StreamParse",
            Path::StreamSyntax(_) => "StreamSyntax",
            Path::Query(_) => "Query",
            Path::Ended => "Ended",
        })
    }
}

impl<'t> Loader<'t> {
    /// Creates a loader that has no text.
    pub fn new() -> Loader<'t> {
        let options = LoadOptions::default();
        Loader { text: &[], options, path: Path::Ended, out: Tokens::new() }
    }

    /// Starts to load a text. If `is_shared` is true, the reader of the tokens has the text as
    /// well.
    pub fn start(&mut self, text: &'t [u8], is_shared: bool, options: LoadOptions) {
        self.text = text;
        self.options = options;
        self.out.clear();
        self.out.set_input(if is_shared { text } else { &[] });
        self.out.only_utf8 = self.options.only_utf8;
        let parser = || Parser::with_options(text, &self.options.parse);
        self.path = if let Some(types) = self.options.nodes {
            Path::Nodes(Box::new(Nodes::with_options(text, &self.options.parse, types)))
        } else if self.options.only_syntax {
            Path::Syntax(Box::new(parser()))
        } else if self.options.as_events {
            Path::Parse(Box::new((parser(), Pull::new(&self.options, is_shared.then_some(text)))))
        } else if events::suffice(&self.options) && !self.options.has_positions {
            Path::Events(Box::new((parser(), Receiver::new(&self.options))))
        } else {
            self.documents()
        };
    }

    /// Starts to load a stream. At most one document is kept in memory.
    pub fn start_stream(&mut self, stream: Stream, options: LoadOptions) {
        self.end();
        self.out.only_utf8 = options.only_utf8;
        let parser = ReadParser::with_options(stream, &options.parse);
        self.path = if options.only_syntax {
            Path::StreamSyntax(Box::new(parser))
        } else if options.as_events {
            Path::StreamParse(Box::new((parser, Pull::new(&options, None))))
        } else {
            let documents = Documents::from_source(parser, &options.compose);
            Path::StreamTree(Box::new((documents, Document::new())))
        };
        self.options = options;
    }

    /// Starts to return the results of a program.
    pub fn start_query(&mut self, session: Session, options: LoadOptions) {
        self.end();
        self.path = Path::Query(Box::new(session));
        self.options = options;
    }

    /// Removes the reference to the text.
    pub fn end(&mut self) {
        self.text = &[];
        self.path = Path::Ended;
        self.out.clear();
        self.out.set_input(&[]);
    }

    /// Returns the path that composes the documents of the whole text.
    fn documents(&self) -> Path<'t> {
        let LoadOptions { parse, compose, .. } = &self.options;
        let documents = Documents::with_options(self.text, parse, compose);
        Path::Tree(Box::new((documents, Document::new())))
    }

    /// Starts again, by composing documents. The reader has not read all tokens, so it may not have
    /// all keys.
    pub fn restart(&mut self) {
        self.out.forget_keys();
        self.path = self.documents();
    }

    /// Replaces the tokens by the next ones. At the end of the text, there are none.
    pub fn advance(&mut self) -> Result<(), Vec<u8>> {
        self.out.clear();
        let result = self.append();
        result.map_err(|error| {
            // The reader does not get the tokens before the error, so it does not get the keys in
            // them.
            self.out.forget_keys();
            self.path = Path::Ended;
            failure::query_fields(error, self.options.file.as_deref())
        })
    }

    /// Appends tokens until there are some, or until the text ends.
    fn append(&mut self) -> Result<(), Trouble> {
        while self.out.words.is_empty() {
            match &mut self.path {
                Path::Events(path) => {
                    let (parser, receiver) = &mut **path;
                    let Some(chunk) = parser.next_chunk()? else { break };
                    if receiver.chunk(&chunk, &mut self.out).is_err() {
                        // The tokens so far may define keys, so they are kept.
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
                Path::Syntax(parser) => {
                    while parser.next_chunk()?.is_some() {}
                    break;
                }
                Path::StreamSyntax(parser) => {
                    while parser.next_chunk()?.is_some() {}
                    break;
                }
                Path::Query(session) => {
                    let Some(flat) = session.next()? else { break };
                    let mut stack = Stack::default();
                    let mut writer = Writer { out: &mut self.out, stack: &mut stack, base: None };
                    let built = flat.build(&mut writer).and_then(|()| writer.end_document(0));
                    // The results of programs have neither tags nor anchors.
                    built.map_err(|_| Error::at(Problem::AliasCycle, Location::at_offset(0, 0)))?;
                }
                Path::Ended => break,
            }
        }
        let most = i32::MAX as usize;
        if [self.out.words.len(), self.out.kept.len(), self.out.wide.len()]
            .iter()
            .any(|len| *len > most)
        {
            return Err(Error::at(Problem::DocumentTooLarge, Location::at_offset(0, 0)).into());
        }
        Ok(())
    }

    /// Returns the fields of the error for a text that has several documents where only one is
    /// expected.
    pub fn several_documents(&self) -> Vec<u8> {
        let LoadOptions { parse, compose, file, .. } = &self.options;
        let location = location_of_document(self.text, 1, parse, compose);
        let help = "Read all of them with loadAll.";
        let message = "the stream has more than one document";
        failure::several_documents_fields(message, help, &location, file.as_deref())
    }
}

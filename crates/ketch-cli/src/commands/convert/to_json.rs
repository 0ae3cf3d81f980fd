//! Converts YAML and JSON to JSON.
//!
//! A long document is written while it is read, if it needs no tree. If it turns out to need one, the
//! file is read a second time, with all documents composed. What has been written is the start of what
//! would be written then, and is left out. It is an error if the file has changed in between.

use super::from_yaml::{dropped_tags, each_received, merge_keys};
use crate::args::ConvertArgs;
use crate::documents::{Next, Receive, Refusal};
use crate::dropped_tags::DroppedTags;
use crate::file_name;
use crate::merge_keys::MergeKeys;
use crate::output::{Output, WholeDocuments};
use crate::read::Outcome;
use crate::stats::Stats;
use crate::status::Failure;
use ketch_files::Stamp;
use ketch_yaml::compose::{JsonError, JsonOptions, JsonWriter, Kind, Source, Streamed};
use ketch_yaml::{ComposeOptions, Document, Documents};
use std::fs;
use std::io::{self, Write};

/// Converts each document of one input to JSON.
pub fn convert(
    args: &ConvertArgs,
    file: &str,
    stats: &mut Stats,
    output: &mut Output,
) -> Result<(), Failure> {
    let is_file = output.is_file();
    let options = args.json_options();
    let can_read_twice = !args.origin().is_foreign() && file != "-";
    let is_file_in = can_read_twice && fs::metadata(file).is_ok_and(|data| data.is_file());
    let stamp = is_file_in.then(|| Stamp::of(file.as_ref()).ok()).flatten();
    let mut json = Json {
        file,
        out_name: output.name().to_owned(),
        compose: args.compose_options(),
        options,
        json: JsonWriter::new(&options),
        whole: WholeDocuments::new(output),
        merge_keys: merge_keys(args),
        tags: dropped_tags(args, true),
        stats,
        mode: if stamp.is_some() { Mode::Streaming } else { Mode::Composing },
        done: 0,
        left: 0,
        part: 0,
    };
    let mut outcome = each_received(args, file, is_file, &mut json)?;
    if let (Mode::Over, Some(stamp)) = (json.mode, stamp) {
        (json.mode, json.left) = (Mode::Composing, json.done);
        let again = || each_received(args, file, is_file, &mut json);
        let read = of_same_file(file, &stamp, again);
        outcome = read.unwrap_or_else(|failure| Outcome { bytes: 0, failure: Some(failure) });
    }
    let Json { whole, out_name, stats, .. } = json;
    // The complete documents are written, even after an error.
    whole.finish().map_err(|error| Failure::write(&out_name, error))?;
    stats.files += 1;
    stats.bytes += outcome.bytes;
    outcome.failure.map_or(Ok(()), Err)
}

/// Reads `file` again. Fails if it has, before or after that, another stamp than `stamp`.
fn of_same_file<T>(
    file: &str,
    stamp: &Stamp,
    again: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let check = || match stamp.is_of(file.as_ref()) {
        true => Ok(()),
        false => {
            let error = io::Error::other("it was changed while it was read");
            Err(Failure::Read(file_name::shown(file).to_owned(), error))
        }
    };
    check()?;
    let read = again();
    check().and(read)
}

/// How an input is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Long documents are written while they are read.
    Streaming,
    /// A document needs a tree, so reading has ended.
    Over,
    /// All documents are composed.
    Composing,
}

/// The conversion of one input.
struct Json<'a, W: Write> {
    file: &'a str,
    out_name: String,
    compose: ComposeOptions,
    options: JsonOptions,
    json: JsonWriter,
    whole: WholeDocuments<W>,
    merge_keys: MergeKeys,
    tags: DroppedTags,
    stats: &'a mut Stats,
    mode: Mode,
    /// The number of documents that have been written.
    done: u64,
    /// The number of documents to leave out, because they were written when the input was first read.
    left: u64,
    /// The number of bytes of the next document that were written then.
    part: u64,
}

impl<W: Write> Json<'_, W> {
    /// Ends a document of `nodes` nodes. `is_empty` says that nothing was written of it.
    fn end_document(&mut self, nodes: u64, is_empty: bool) -> Result<(), Refusal> {
        self.done += 1;
        self.stats.documents += 1;
        self.stats.items += nodes;
        match is_empty {
            true => Ok(()),
            false => self.whole.end_document().map_err(|error| self.failed(error)),
        }
    }

    fn failed(&self, error: io::Error) -> Refusal {
        Failure::write(&self.out_name, error).into()
    }

    fn refusal(&self, error: JsonError) -> Refusal {
        match error {
            JsonError::Document(error) => Refusal::Document(error),
            JsonError::Io(error) => self.failed(error),
            error => self.failed(io::Error::other(error)),
        }
    }
}

impl<W: Write> Receive for Json<'_, W> {
    fn receive(&mut self, document: &Document<'_>) -> Result<(), Refusal> {
        if self.left > 0 {
            self.left -= 1;
            return Ok(());
        }
        let root = document.root();
        self.merge_keys.look(self.file, root);
        self.tags.look(self.file, root);
        let mut out = Rest { out: &mut self.whole, part: std::mem::take(&mut self.part) };
        self.json.write(document, &mut out).map_err(|error| self.refusal(error))?;
        let is_list = self.options.lines && root.kind() == Kind::Sequence;
        self.end_document(document.node_count() as u64, is_list && root.is_empty())
    }

    fn look(&mut self, text: &[u8]) {
        if self.mode == Mode::Streaming && may_need_tree(text) {
            self.mode = Mode::Composing;
        }
    }

    fn next<'t, S: Source>(
        &mut self,
        documents: &mut Documents<'t, S>,
        document: &mut Document<'t>,
    ) -> Result<Next, Refusal> {
        match self.mode {
            Mode::Streaming => {}
            Mode::Over => return Ok(Next::End),
            Mode::Composing => {
                let is_there = documents.next_into(document)?;
                return Ok(if is_there { Next::Composed } else { Next::End });
            }
        }
        let streamed = self.json.next(documents, document, &self.compose, &mut self.whole);
        self.part = self.json.written();
        Ok(match streamed.map_err(|error| self.refusal(error))? {
            Streamed::Document => Next::Composed,
            Streamed::Json { nodes, end } => {
                let written = std::mem::take(&mut self.part);
                self.end_document(nodes, written == 0)?;
                Next::Received(end)
            }
            Streamed::NeedsTree => {
                self.give_up();
                Next::End
            }
            _ => Next::End,
        })
    }

    fn streams(&self) -> bool {
        self.mode == Mode::Streaming
    }

    fn has_given_up(&self) -> bool {
        self.mode == Mode::Over
    }

    fn give_up(&mut self) {
        self.mode = Mode::Over;
    }
}

/// Returns whether `text` may have an alias or a tag. If it has, reading it twice would cost time.
fn may_need_tree(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'*', b'!', text).any(|at| {
        let before = at.checked_sub(1).map_or(b'\n', |before| text[before]);
        let after = text.get(at + 1).copied().unwrap_or_default();
        let is_name = after.is_ascii_alphanumeric() || b"!_<".contains(&after);
        is_name && (before.is_ascii_whitespace() || b"[{,".contains(&before))
    })
}

/// A writer that leaves out the start of a document.
struct Rest<W> {
    out: W,
    part: u64,
}

impl<W: Write> Write for Rest<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left_out = self.part.min(bytes.len() as u64);
        self.part -= left_out;
        self.out.write_all(&bytes[left_out as usize..])?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

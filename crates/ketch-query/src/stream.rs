//! The entries of YAML documents, read one by one.

use crate::json::{Entry, Step};
use crate::options::{InputError, InputOptions};
use crate::value::{Entries, Source, Value, check_aliases};
use ketch_yaml::compose::{Found, Kind, Reached, Selection, SelectionOptions};
use ketch_yaml::path::{self, Path};
use ketch_yaml::{Document, DuplicateKeys, Error, Limits, Problem, ReadParser};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

/// The entries of the documents of a text.
pub struct YamlEntries {
    selection: Selection<ReadParser<Box<dyn Read + Send>>>,
    limits: Limits,
    /// The number of nodes so far that aliases have added to entries of the current document.
    expanded: u64,
    name: Arc<str>,
    /// The number of steps that the selection follows.
    steps: usize,
    /// The number of the current document, once it has one.
    document: Option<u64>,
    /// The sources of the last entries, whose memory later ones take if nothing else refers to it.
    last: [Option<Arc<Source>>; 2],
    /// Entries that were found.
    pending: VecDeque<Entry>,
    /// What was found in the next document.
    next: Option<Found>,
}

impl YamlEntries {
    /// Returns the entries at the end of `path` in the documents of `parser`, or the parser if they can only be found in
    /// whole documents: where other keys than texts may have the text of a key, or keys may be merged.
    pub fn new(
        parser: ReadParser<Box<dyn Read + Send>>,
        name: Arc<str>,
        path: &[Step],
        options: &InputOptions,
    ) -> Result<YamlEntries, Box<ReadParser<Box<dyn Read + Send>>>> {
        let is_text = |key: &str| {
            key.starts_with(|ch: char| ch.is_ascii_alphabetic())
                && !matches!(key, "true" | "false" | "null")
        };
        let steps =
            path.iter().position(|step| *step == Step::Each).map_or(path.len(), |at| at + 1);
        let path = &path[..steps];
        let has_texts = path.iter().all(|step| {
            matches!(step, Step::Each) || matches!(step, Step::Key(key) if is_text(key))
        });
        let is_simple =
            options.compose.duplicate_keys == DuplicateKeys::Error && !options.compose.merges();
        if !has_texts || !is_simple {
            return Err(Box::new(parser));
        }
        let path = path.iter().fold(Path::default(), |path, step| {
            path.then(match step {
                Step::Each => path::Step::All,
                Step::Key(key) => path::Step::Key(key.to_string()),
            })
        });
        let mut selected = SelectionOptions::default();
        (selected.compose, selected.dead_ends) = (options.compose, true);
        let selection = Selection::new(parser, &path, &selected);
        Ok(YamlEntries {
            selection,
            limits: options.compose.limits,
            expanded: 0,
            name,
            steps,
            document: None,
            last: [None, None],
            pending: VecDeque::new(),
            next: None,
        })
    }

    /// Goes to the next document. Returns whether there is one.
    pub fn start(&mut self) -> Result<bool, InputError> {
        self.pending.clear();
        // The program may have read no entry of the last document.
        self.next.take_if(|found| Some(found.document_index()) == self.document);
        while self.next.is_none() {
            let Some(found) = self.selection.next().transpose().map_err(InputError::Text)? else {
                return Ok(false);
            };
            if Some(found.document_index()) != self.document {
                self.next = Some(found);
            }
        }
        self.document = self.next.as_ref().map(Found::document_index);
        self.expanded = 0;
        Ok(true)
    }

    /// Returns the next entry of the document.
    pub fn next(&mut self) -> Result<Option<Entry>, InputError> {
        loop {
            if let Some(entry) = self.pending.pop_front() {
                return Ok(Some(entry));
            }
            let found = match self.next.take() {
                Some(found) => Some(found),
                None => self.selection.next().transpose().map_err(InputError::Text)?,
            };
            match found {
                Some(found) if Some(found.document_index()) == self.document => self.take(found)?,
                found => {
                    self.next = found;
                    return Ok(None);
                }
            }
        }
    }

    /// Counts the nodes that aliases add to an entry. In all so far, they may be as many as in a text of this length.
    fn count_aliases(&mut self, found: &Document<'_>) -> Result<(), Error> {
        let more = check_aliases(found, &self.limits)?;
        if more == 0 {
            return Ok(());
        }
        self.expanded = self.expanded.saturating_add(more);
        let location = found.root().location();
        let max = self.limits.max_alias_nodes.at(location.offset);
        match self.expanded <= max {
            true => Ok(()),
            false => Err(Error::at(Problem::TooManyAliasNodes(max), location)),
        }
    }

    /// Makes entries of what was found.
    fn take(&mut self, found: Found) -> Result<(), InputError> {
        self.count_aliases(found.document()).map_err(InputError::Text)?;
        let (dead_end, number) = (found.dead_end().cloned(), found.document_index() as usize);
        let steps = dead_end.as_ref().map_or(self.steps, |end| end.steps);
        let (document, nodes) = found.into_parts();
        if let (Some(end), true) = (dead_end, nodes.is_empty()) {
            self.pending.push_back(Entry { value: stand_in(end), steps });
            return Ok(());
        }
        // A variable may still hold the last one.
        self.last.swap(0, 1);
        let name = self.name.clone();
        let source = match self.last[0].take() {
            Some(mut last) => match Arc::get_mut(&mut last) {
                Some(source) => {
                    self.selection.recycle(source.replace(document, number));
                    last
                }
                None => Arc::new(Source::new(document, name, number)),
            },
            None => Arc::new(Source::new(document, name, number)),
        };
        self.last[0] = Some(source.clone());
        let entry = |id| Entry { value: Value::Node(source.clone(), id), steps };
        self.pending.extend(nodes.into_iter().map(entry));
        Ok(())
    }
}

/// Returns a collection that the next step leads nowhere from, either. Of a mapping, it has the keys.
fn stand_in(end: Reached) -> Value {
    match end.kind {
        Kind::Mapping => {
            let pair = |key: String| (key.into(), Value::Null);
            Value::object(end.keys.into_iter().map(pair).collect::<Entries>())
        }
        _ => Value::array(Vec::new()),
    }
}

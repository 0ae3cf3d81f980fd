//! Reads the items of a long sequence one at a time.

use super::context::{Budgets, Context, Depth};
use super::node::NodeDeserializer;
use super::options::DeOptions;
use crate::serde_error::Error;
use ketch_yaml::compose::{Found, Kind, Selection, SelectionOptions};
use ketch_yaml::path::{Path, Step};
use ketch_yaml::{DuplicateKeys, Limits, ReadParser};
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::Read;
use std::marker::PhantomData;

/// An iterator over the items of a sequence in a reader. Each item is read as a value of type `T`.
///
/// Only one item and the rest of its chunk of events (at most a few thousand) are in memory, never
/// the whole sequence. Nodes with anchors are kept, so that aliases to them work. The sequence is
/// the root of the document or at a path in it; everything else is skipped. If the stream has
/// several documents, the iterator yields the items of all their sequences.
///
/// ```
/// use ketch::serde::Elements;
///
/// #[derive(serde::Deserialize)]
/// struct Boat {
///     name: String,
///     masts: u8,
/// }
///
/// let text = "- {name: Ketch, masts: 2}\n- {name: Sloop, masts: one}\n- {name: Cat, masts: 1}\n";
/// let mut boats = Elements::<Boat>::from_reader(text.as_bytes());
/// assert_eq!(boats.next().unwrap().unwrap().name, "Ketch");
/// assert_eq!(
///     boats.next().unwrap().err().unwrap().to_string(),
///     "[1].masts: expected u8, found \"one\" at line 2 column 24"
/// );
/// assert_eq!(boats.next().unwrap().unwrap().masts, 1);
/// assert!(boats.next().is_none());
/// ```
///
/// If an item does not match the type, the iterator yields an error, and then continues with the
/// next item. An error in the text, or a value that is not a sequence, ends the iteration.
pub struct Elements<'r, T> {
    selection: Selection<ReadParser<Box<dyn Read + 'r>>>,
    options: DeOptions,
    /// The path to the sequence in its document.
    path: Path,
    /// The items that were found last, if they have not all been read.
    found: Option<Entries>,
    document: u64,
    /// The index of the next item in its document.
    index: usize,
    has_any: bool,
    is_done: bool,
    element: PhantomData<fn() -> T>,
}

/// Items that were found together.
struct Entries {
    found: Found,
    /// The index of the current item.
    current: usize,
    /// The number of items within the limits. If there are more items, `error` is returned instead
    /// of the next one.
    end: usize,
    error: Option<Error>,
}

impl Entries {
    /// Creates the items from `found`, nodes that were found together, up to `limits`.
    fn new(found: Found, limits: &Limits) -> Entries {
        let (mut end, mut error) = (0, None);
        for node in found.nodes_within(limits) {
            match node {
                Ok(_) => end += 1,
                Err(over) => error = Some(Error::from(over)),
            }
        }
        Entries { found, current: 0, end, error }
    }

    /// Returns whether there is a current item. Fails if the current item exceeds the limits.
    fn has_current(&mut self) -> Result<bool, Error> {
        match self.error.take_if(|_| self.current >= self.end) {
            Some(error) => Err(error),
            None => Ok(self.current < self.end),
        }
    }
}

impl<T> fmt::Debug for Elements<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Elements");
        debug.field("path", &self.path).field("index", &self.index).finish_non_exhaustive()
    }
}

impl<'r, T: DeserializeOwned> Elements<'r, T> {
    /// Creates an iterator over the items of the sequence that is the root of each document in
    /// `reader`.
    pub fn from_reader(reader: impl Read + 'r) -> Elements<'r, T> {
        Elements::with_options(reader, &Path::default(), &DeOptions::default())
    }

    /// Creates an iterator over the items of the sequence at `path` in `reader`.
    ///
    /// The iterator yields an error if there is no value at `path`, or if that value is not a
    /// sequence.
    ///
    /// ```
    /// use ketch::serde::Elements;
    ///
    /// let text = "kind: List\nitems:\n- {name: a}\n- {name: b}\n";
    /// let items = Elements::<ketch::Value>::at(text.as_bytes(), &"items".parse().unwrap());
    /// let names: Vec<_> = items.map(|item| item.unwrap()["name"].clone()).collect();
    /// assert_eq!(names, ["a", "b"].map(ketch::Value::from));
    /// ```
    pub fn at(reader: impl Read + 'r, path: &Path) -> Elements<'r, T> {
        Elements::with_options(reader, path, &DeOptions::default())
    }

    /// Creates an iterator as [`Elements::at`] does, with the options `options`. Outside the items,
    /// [`DeOptions::duplicate_keys`] applies only to keys that occur in `path`.
    pub fn with_options(
        reader: impl Read + 'r,
        path: &Path,
        options: &DeOptions,
    ) -> Elements<'r, T> {
        let (read, compose) = options.engine();
        let mut select = SelectionOptions::default();
        select.compose = compose;
        select.is_sequence = true;
        let reader: Box<dyn Read + 'r> = Box::new(reader);
        let parser = ReadParser::with_options(reader, &read);
        Elements {
            selection: Selection::new(parser, &path.clone().then(Step::All), &select),
            options: *options,
            path: path.clone(),
            found: None,
            document: 0,
            index: 0,
            has_any: false,
            is_done: false,
            element: PhantomData,
        }
    }

    /// Moves to the next item. Returns false at the end.
    fn advance(&mut self) -> Result<bool, Error> {
        if let Some(entries) = &mut self.found {
            entries.current += 1;
            if entries.has_current()? {
                return Ok(true);
            }
        }
        if let Some(Entries { found, .. }) = self.found.take() {
            self.selection.recycle(found.into_parts().0);
        }
        let Some(found) = self.selection.next().transpose()? else {
            return self.check_path().map(|()| false);
        };
        if found.document_index() != self.document {
            self.document = found.document_index();
            self.index = 0;
        }
        self.has_any = true;
        self.found.insert(Entries::new(found, &self.options.limits)).has_current()
    }

    /// Fails if there were no items, unless the path is empty or there is an empty sequence at the
    /// path.
    fn check_path(&self) -> Result<(), Error> {
        match self.selection.reached() {
            Some(reached) if !self.has_any && !self.path.steps().is_empty() => {
                let steps = self.path.steps().len();
                if reached.steps == steps && reached.kind == Kind::Sequence {
                    return Ok(());
                }
                Err(Error::new(format!("there is no value at `{}`", self.path)))
            }
            _ => Ok(()),
        }
    }

    /// Reads the current item and moves past it. Returns `None` if there is no current item.
    fn read(&mut self) -> Option<Result<T, Error>> {
        let Entries { found, current, .. } = self.found.as_ref()?;
        let node = found.nodes().nth(*current)?;
        let DeOptions { limits, max_recursion, duplicate_keys, .. } = self.options;
        let is_checked = duplicate_keys != DuplicateKeys::Off;
        let budgets = Budgets::of(found.document(), &limits);
        let context =
            Context::new(None, found.document(), budgets, Depth::new(max_recursion), is_checked);
        let mut element = T::deserialize(NodeDeserializer::new(node.id(), &context));
        if let Err(error) = &mut element {
            error.note_index(self.index);
            note_path(error, &self.path);
        }
        self.index += 1;
        Some(element)
    }
}

/// Adds `path`, the path of the sequence, to `error`, starting with the innermost step.
fn note_path(error: &mut Error, path: &Path) {
    for step in path.steps().iter().rev() {
        match step {
            Step::Name(key) | Step::Key(key) => error.note_key(key.as_str()),
            Step::Index(index) => match usize::try_from(*index) {
                Ok(index) => error.note_index(index),
                Err(_) => error.note_key(format!("[{index}]")),
            },
            _ => error.note_key("*"),
        }
    }
}

impl<T: DeserializeOwned> Iterator for Elements<'_, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        if self.is_done {
            return None;
        }
        match self.advance() {
            Ok(true) => self.read(),
            Ok(false) => {
                self.is_done = true;
                None
            }
            Err(error) => {
                self.is_done = true;
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::io::Cursor;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Boat {
        name: String,
        masts: Option<u8>,
    }

    fn all<T: DeserializeOwned>(text: &str, path: &str) -> Vec<Result<T, String>> {
        let path = path.parse().expect("a valid path");
        let elements = Elements::<T>::at(Cursor::new(text), &path);
        elements.map(|element| element.map_err(|error| error.to_string())).collect()
    }

    /// A reader that returns at most this number of bytes at a time.
    struct Drops<'t>(&'t [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(buffer.len());
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn all_entries_share_one_alias_budget() {
        // Each item contains the next one: they have 10, 9, 8 and so on of the 11 nodes.
        let text = "[[[[[[[[[[0]]]]]]]]]]";
        let mut options = DeOptions::default();
        options.limits.max_alias_nodes = ketch_yaml::Budget::fixed(12);
        let path: Path = "..".parse().unwrap();
        let count = |options: &DeOptions| {
            let all = Elements::<crate::Value>::with_options(text.as_bytes(), &path, options);
            let all: Vec<_> = all.map(|entry| entry.map_err(|error| error.to_string())).collect();
            (all.len(), all.into_iter().find_map(Result::err))
        };
        let (entries, none) = count(&DeOptions::default());
        assert_eq!((entries, none), (10, None));
        // There are two items, and an error instead of the third.
        let (entries, error) = count(&options);
        assert_eq!(entries, 3);
        assert!(error.unwrap().contains("the results of the path have more than 23 nodes"));
    }

    #[test]
    fn entries_equal_those_of_the_composed_document() {
        let text: String = (0..3000)
            .map(|at| format!("- name: boat {at} # \u{e9}\n  masts: {}\n", at % 4))
            .collect();
        let whole: Vec<Boat> = crate::from_str(&text).unwrap();
        for count in [1, 7, 4096, usize::MAX] {
            let reader = Drops(text.as_bytes(), count);
            let boats: Result<Vec<Boat>, _> = Elements::from_reader(reader).collect();
            assert_eq!(boats.unwrap(), whole);
        }
    }

    #[test]
    fn aliases_to_earlier_entries_work() {
        let text = "- &a {name: A, masts: &m 1}\n- {name: B, masts: *m}\n- *a\n- {name: C}\n";
        let boats: Vec<_> = all::<Boat>(text, "").into_iter().map(Result::unwrap).collect();
        let names: Vec<_> = boats.iter().map(|boat| (boat.name.as_str(), boat.masts)).collect();
        assert_eq!(names, [("A", Some(1)), ("B", Some(1)), ("A", Some(1)), ("C", None)]);
        let text = "base: &b [1, 2]\nitems: [*b, [3]]\nsame: *b\n";
        assert_eq!(all::<Vec<u8>>(text, "items"), [Ok(vec![1, 2]), Ok(vec![3])]);
        assert_eq!(all::<u8>(text, "same"), [Ok(1), Ok(2)]);
    }

    #[test]
    fn errors_have_the_index_of_the_entry_and_the_line() {
        let many = "- {name: a, masts: 1}\n".repeat(20_000);
        let text = format!("items:\n{many}- {{name: b, masts: x}}\n- {{name: c}}\n- [\n");
        for (text, path, prefix, line) in
            [(text.as_str(), "items", "items", 20_002), (&text["items:\n".len()..], "", "", 20_001)]
        {
            let found = all::<Boat>(text, path);
            let message = |at: usize| found[at].as_ref().unwrap_err().clone();
            assert_eq!(
                message(20_000),
                format!("{prefix}[20000].masts: expected u8, found \"x\" at line {line} column 20")
            );
            assert_eq!(found[20_001].as_ref().unwrap().name, "c");
            assert!(message(20_002).contains(&format!("line {}", line + 2)), "{}", message(20_002));
            assert_eq!(found.len(), 20_003);
        }
    }

    #[test]
    fn a_value_that_is_not_a_sequence_is_an_error() {
        let wrong = |text: &str, path: &str| match &all::<u8>(text, path)[..] {
            [Err(error)] => error.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(wrong("a: 1", ""), "expected a sequence here at line 1 column 1");
        assert_eq!(wrong("a: {b: 1}", "a"), "expected a sequence here at line 1 column 4");
        assert_eq!(
            wrong("a: &x {b: 1}\nc: *x", "c"),
            "expected a sequence here at line 2 column 4"
        );
        assert_eq!(wrong("a: 1", "b"), "there is no value at `b`");
        assert_eq!(wrong("a: [1]", "a.b"), "there is no value at `a.b`");
        assert!(wrong("- *x\n", "").starts_with("unknown alias"));
        for (text, path) in [("", ""), ("[]", ""), ("a: []", "a"), ("# none\n", "")] {
            assert_eq!(all::<u8>(text, path), [], "{text}");
        }
        assert_eq!(
            all::<u8>("[1]\n--- [2, x]\n", "").last().unwrap().as_ref().unwrap_err(),
            "[1]: expected u8, found \"x\" at line 2 column 9"
        );
    }

    #[test]
    fn entries_are_returned_before_the_stream_ends() {
        let endless = Cursor::new("- 1\n- 2\n").chain(std::io::repeat(b'\n'));
        let mut elements = Elements::<u8>::from_reader(endless);
        assert_eq!(elements.next().unwrap().unwrap(), 1);
    }
}

//! Writes the objects of a host as YAML, with anchors for those that occur more than once.
//!
//! Since few documents contain such objects, they are first written without anchors. If an object
//! [occurs again](Stop::Again), the occurrences of all objects are counted, and the documents are written
//! again.

use crate::entries::{Entries, Turns};
use ketch_yaml::present::{
    CollectionStyle, PresentError, PresentOptions, Presenter, Properties, ScalarStyle,
};
use ketch_yaml::represent::Native;
use std::collections::{HashMap, TryReserveError};
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Write;

/// The reason why writing stops.
#[derive(Debug)]
pub enum Stop {
    /// A collection occurs again, so anchors are needed.
    Again,
    /// Memory has run out.
    Memory(TryReserveError),
    /// The presenter refuses to write.
    Present(PresentError),
}

impl From<TryReserveError> for Stop {
    fn from(error: TryReserveError) -> Stop {
        Stop::Memory(error)
    }
}

impl From<PresentError> for Stop {
    fn from(error: PresentError) -> Stop {
        Stop::Present(error)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// Seen once.
    Once,
    /// Seen more than once, and not yet written.
    Shared,
    /// Written with an anchor, whose name is this number.
    Written(u32),
}

/// Hashes the address of an object.
#[derive(Debug, Default)]
struct Address(u64);

impl Hasher for Address {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, address: u64) {
        // Objects are at least 8 bytes apart, and the table uses bits from both ends of the hash.
        let mixed = (self.0 ^ address).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// The anchors of a document.
#[derive(Debug, Default)]
struct Anchors {
    /// The objects that have occurred so far, by their addresses; once they are counted, only those that
    /// occur more than once.
    met: HashMap<usize, Mark, BuildHasherDefault<Address>>,
    is_counted: bool,
    /// The number of the last anchor.
    last: u32,
}

impl Anchors {
    /// Counts an occurrence of an object, and returns whether it is the first one.
    fn count(&mut self, address: usize) -> Result<bool, Stop> {
        self.met.try_reserve(1)?;
        let before = self.met.insert(address, Mark::Once);
        if before.is_some() {
            self.met.insert(address, Mark::Shared);
        }
        Ok(before.is_none())
    }

    /// Says that all occurrences in the document are counted.
    fn counted(&mut self) {
        self.met.retain(|_, mark| *mark != Mark::Once);
        self.is_counted = true;
    }

    /// Returns what to write for an object. Fails with [`Stop::Again`] if the objects have to be counted.
    #[inline(always)]
    fn meet(&mut self, address: usize) -> Result<Met, Stop> {
        Ok(match self.met.get(&address).copied() {
            None if self.is_counted => Met::Alone,
            None => {
                self.met.try_reserve(1)?;
                self.met.insert(address, Mark::Once);
                Met::Alone
            }
            Some(Mark::Once) => return Err(Stop::Again),
            Some(Mark::Shared) => {
                self.last += 1;
                self.met.insert(address, Mark::Written(self.last));
                Met::Anchor(self.last)
            }
            Some(Mark::Written(number)) => Met::Alias(number),
        })
    }
}

/// What to write for an object.
enum Met {
    /// The object, without an anchor.
    Alone,
    /// The object, with an anchor.
    Anchor(u32),
    /// An alias.
    Alias(u32),
}

/// How a host takes apart its objects.
pub trait Take: Sized {
    /// What ends the writing.
    type Error: From<Stop> + From<<Self::Entries as Entries>::Error>;
    /// An object.
    type Value;
    /// The entries of open collections. At first, they are the roots of the documents.
    type Entries: Entries<Value = Self::Value>;
    /// The text.
    type Text: Write + Default;

    /// Calls the method of `output` for the kind of `value`.
    fn write(output: &mut Output<'_, Self>, value: &Self::Value) -> Step<Self>;
    /// Runs `body`, in which the host may raise.
    fn run(body: impl FnOnce() -> Step<Self>) -> Step<Self> {
        body()
    }
    /// Is called before the documents are written again, because an object occurs more than once.
    fn again(&mut self) -> Step<Self> {
        Ok(())
    }
    /// Adds to an error where in the document it occurred.
    fn located(_output: &Output<'_, Self>, error: Self::Error) -> Self::Error {
        error
    }
}

/// An open collection.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The index of its first entry on the stack.
    pub start: usize,
    /// The index of the entry that comes next.
    pub next: usize,
    end: usize,
    /// Whether it is a mapping, whose keys and values alternate.
    pub is_mapping: bool,
    is_marked: bool,
}

/// Writes documents. Objects that occur more than once get anchors.
#[derive(Debug)]
pub struct Output<'o, T: Take> {
    /// What takes apart the objects.
    pub take: T,
    /// The roots, and the entries of open collections.
    pub entries: T::Entries,
    options: &'o PresentOptions,
    presenter: Presenter<T::Text>,
    anchors: Anchors,
    open: Vec<Open>,
    /// The number of open collections that the host has marked.
    marked: usize,
    /// Whether nothing is written, and objects are only counted.
    is_counting: bool,
    needs_anchors: bool,
    turns: Turns,
}

/// What a method of [`Output`] returns.
pub type Step<T> = Result<(), <T as Take>::Error>;

impl<'o, T: Take> Output<'o, T> {
    /// Creates an output for the documents whose roots are on the stack.
    #[inline(always)]
    pub fn new(take: T, entries: T::Entries, options: &'o PresentOptions) -> Output<'o, T> {
        Output {
            take,
            entries,
            options,
            presenter: Presenter::with_options(T::Text::default(), options),
            anchors: Anchors::default(),
            open: Vec::new(),
            marked: 0,
            is_counting: false,
            needs_anchors: false,
            turns: Turns::default(),
        }
    }

    /// Writes the documents, and returns their text. `marks_start` means that each starts with `---`.
    #[inline(always)]
    pub fn documents(mut self, marks_start: bool) -> Result<T::Text, T::Error> {
        let roots = self.entries.count();
        let mut written = self.all(roots, marks_start, false);
        if written.is_err() && self.needs_anchors {
            self.take.again()?;
            self.presenter = Presenter::with_options(T::Text::default(), self.options);
            written = self.all(roots, marks_start, true);
        }
        written?;
        Ok(self.presenter.finish().map_err(Stop::from)?)
    }

    /// Writes the documents. If `shares` is true, objects that occur more than once get anchors.
    fn all(&mut self, roots: usize, marks_start: bool, shares: bool) -> Step<T> {
        for at in 0..roots {
            self.anchors = Anchors::default();
            if shares {
                self.is_counting = true;
                self.document(at, roots)?;
                self.is_counting = false;
                self.anchors.counted();
            }
            self.presenter.start_document(marks_start).map_err(Stop::from)?;
            self.document(at, roots)?;
            self.presenter.end_document(false).map_err(Stop::from)?;
        }
        Ok(())
    }

    /// Writes or counts the document whose root is at `at` on the stack, of which `roots` are.
    fn document(&mut self, at: usize, roots: usize) -> Step<T> {
        self.open.clear();
        self.marked = 0;
        self.entries.truncate(roots);
        let root = self.entries.get(at);
        let walked = T::run(|| self.walk(&root));
        walked.map_err(|error| T::located(self, error))
    }

    fn walk(&mut self, root: &T::Value) -> Step<T> {
        self.value(root)?;
        while let Some(open) = self.open.last_mut() {
            if open.next < open.end {
                let value = self.entries.get(open.next);
                open.next += 1;
                self.value(&value)?;
                continue;
            }
            let Open { start, is_mapping, is_marked, .. } = *open;
            self.open.pop();
            self.marked -= usize::from(is_marked);
            self.entries.truncate(start);
            match is_mapping {
                _ if self.is_counting => {}
                true => self.presenter.end_mapping().map_err(Stop::from)?,
                false => self.presenter.end_sequence().map_err(Stop::from)?,
            }
        }
        Ok(())
    }

    /// Writes a scalar, or opens a collection.
    #[inline(always)]
    fn value(&mut self, value: &T::Value) -> Step<T> {
        self.turns.take(&self.entries)?;
        T::write(self, value)
    }

    /// Returns whether nothing is written, and objects are only counted. Scalars need not be converted
    /// then.
    #[inline]
    pub fn is_counting(&self) -> bool {
        self.is_counting
    }

    /// Returns the open collections, from the outermost to the innermost one.
    pub fn open(&self) -> &[Open] {
        &self.open
    }

    /// Marks the open collection at the index `at`, if there is one.
    pub fn mark(&mut self, at: usize) {
        if let Some(open) = self.open.get_mut(at) {
            open.is_marked = true;
            self.marked += 1;
        }
    }

    /// Returns the number of open collections with a mark.
    pub fn marked(&self) -> usize {
        self.marked
    }

    /// Writes a scalar.
    #[inline(always)]
    pub fn native(&mut self, native: Native<'_>) -> Step<T> {
        if self.is_counting {
            return Ok(());
        }
        Ok(self.presenter.native(native, Properties::NONE).map_err(Stop::from)?)
    }

    /// Writes a scalar in this style.
    pub fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        properties: Properties<'_>,
    ) -> Step<T> {
        if self.is_counting {
            return Ok(());
        }
        Ok(self.presenter.scalar(text, style, properties).map_err(Stop::from)?)
    }

    /// Writes the string `<<` with a tag: without one, some readers would take it for a merge key, even
    /// in quotes.
    #[cold]
    pub fn merge_key_as_text(&mut self) -> Step<T> {
        self.scalar("<<", ScalarStyle::DoubleQuoted, Properties::tag("tag:yaml.org,2002:str"))
    }

    /// Writes an alias and returns `None` if the object at `address` was already written. Otherwise,
    /// returns the name of the anchor that it needs, or `Some(None)` if it needs none.
    #[inline(always)]
    pub fn meet(&mut self, address: usize) -> Result<Option<Option<String>>, T::Error> {
        if self.is_counting {
            return Ok(self.anchors.count(address)?.then_some(None));
        }
        let met = self.anchors.meet(address);
        self.needs_anchors |= matches!(met, Err(Stop::Again));
        Ok(match met? {
            Met::Alone => Some(None),
            Met::Anchor(number) => Some(Some(number.to_string())),
            Met::Alias(number) => {
                self.presenter.alias(&number.to_string()).map_err(Stop::from)?;
                None
            }
        })
    }

    /// Writes the start of a collection, whose entries come next, or an alias if it was already written.
    /// An object without an address never gets an anchor. `holder` has the entries.
    #[inline(always)]
    pub fn collection(
        &mut self,
        address: Option<usize>,
        holder: &T::Value,
        tag: Option<&str>,
        is_mapping: bool,
    ) -> Step<T> {
        let anchor = match address {
            None => None,
            Some(address) => match self.meet(address)? {
                None => return Ok(()),
                Some(anchor) => anchor,
            },
        };
        let (properties, style) =
            (Properties { anchor: anchor.as_deref(), tag }, CollectionStyle::Block);
        match is_mapping {
            _ if self.is_counting => {}
            true => self.presenter.start_mapping(style, properties).map_err(Stop::from)?,
            false => self.presenter.start_sequence(style, properties).map_err(Stop::from)?,
        }
        // From here on, the host may raise, so this frame must not own the name.
        drop(anchor);
        let start = self.entries.count();
        self.entries.push_all(holder, is_mapping)?;
        let end = self.entries.count();
        self.open.push(Open { start, next: start, end, is_mapping, is_marked: false });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    /// A host whose objects are texts and lists.
    #[derive(Clone, Debug)]
    enum Object {
        Text(&'static str),
        List(Rc<Vec<Object>>),
    }

    use Object::*;

    impl Entries for Vec<Object> {
        type Error = Stop;
        type Value = Object;

        fn count(&self) -> usize {
            self.len()
        }

        fn push(&mut self, value: Object) {
            self.push(value);
        }

        fn push_all(&mut self, collection: &Object, _: bool) -> Result<(), Stop> {
            if let List(values) = collection {
                self.extend(values.iter().cloned());
            }
            Ok(())
        }

        fn get(&self, at: usize) -> Object {
            self[at].clone()
        }

        fn truncate(&mut self, count: usize) {
            self.truncate(count);
        }

        fn interrupt(&self) -> Result<(), Stop> {
            Ok(())
        }
    }

    /// The number of times that the documents were written again.
    #[derive(Debug)]
    struct Times<'t>(&'t mut usize);

    impl Take for Times<'_> {
        type Error = Stop;
        type Value = Object;
        type Entries = Vec<Object>;
        type Text = Vec<u8>;

        fn write(output: &mut Output<'_, Self>, value: &Object) -> Result<(), Stop> {
            match value {
                Text("<<") => output.merge_key_as_text(),
                Text("marked") => {
                    output.mark(output.open().len() - 1);
                    output.native(Native::Int(output.marked() as i64))
                }
                Text(text) => output.native(Native::Str(text)),
                List(list) => {
                    let address = (!list.is_empty()).then_some(Rc::as_ptr(list) as usize);
                    output.collection(address, value, None, list.len() > 2)
                }
            }
        }

        fn again(&mut self) -> Result<(), Stop> {
            *self.0 += 1;
            Ok(())
        }
    }

    fn list(values: &[Object]) -> Object {
        List(Rc::new(values.to_vec()))
    }

    /// Returns the text of documents, and how often they were written again.
    fn written(roots: Vec<Object>, marks_start: bool) -> (String, usize) {
        let (options, mut times) = (PresentOptions::default(), 0);
        let output = Output::new(Times(&mut times), roots, &options);
        let text = output.documents(marks_start).unwrap();
        (String::from_utf8(text).unwrap(), times)
    }

    #[test]
    fn objects_that_occur_again_get_anchors() {
        let (shared, empty) = (list(&[Text("a"), Text("<<")]), list(&[]));
        let once = list(&[shared.clone(), empty.clone()]);
        assert_eq!(written(vec![once], false), ("- - a\n  - !!str \"<<\"\n- []\n".to_owned(), 0));
        let pairs = [Text("k"), shared.clone(), Text("l"), empty];
        let twice = list(&[list(&pairs), shared]);
        let text = "- k: &1\n  - a\n  - !!str \"<<\"\n  l: []\n- *1\n";
        assert_eq!(written(vec![twice.clone()], false), (text.to_owned(), 1));
        let both = format!("---\n{text}--- b\n");
        assert_eq!(written(vec![twice, Text("b")], true), (both, 1));
    }

    #[test]
    fn marks_end_with_their_collections() {
        let inner = list(&[Text("marked")]);
        let outer = list(&[list(&[inner]), Text("marked")]);
        assert_eq!(written(vec![outer], false).0, "- - - 1\n- 1\n");
    }
}

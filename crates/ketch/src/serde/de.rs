//! Deserializers of documents and of streams.

use super::context::{Budgets, Context, Depth};
use super::error::Error;
use super::errors::{ERRORS_MAX, Errors, LeftOut};
use super::event_de::EventDeserializer;
use super::events::{Events, is_spare};
use super::node::NodeDeserializer;
use super::options::DeOptions;
use super::value_de::Kind;
use crate::Value;
use ketch_bytes::utf8::checked;
use ketch_yaml::{ComposeOptions, Document, Documents, DuplicateKeys, Options, ReadParser};
use serde::de::{self, Deserialize, DeserializeOwned, Visitor};
use std::cell::Cell;
use std::fmt;
use std::io::Read;
use std::rc::Rc;

/// Reads a type from `text`, which must have one document.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Boat<'t> {
///     name: &'t str,
///     version: String,
///     masts: Vec<String>,
/// }
///
/// let boat: Boat = ketch::from_str("name: Ketch\nversion: 1.10\nmasts: [main, NO]\n").unwrap();
/// assert_eq!((boat.name, boat.version.as_str()), ("Ketch", "1.10"));
/// assert_eq!(boat.masts, ["main", "NO"]);
///
/// let error = ketch::from_str::<Boat>("name: Ketch\nversion: 1\nmasts: [a, {}]\n").err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "masts[1]: expected a string, found a mapping at line 3 column 12"
/// );
/// ```
///
/// # Errors
///
/// Fails if the text is invalid or does not match the type.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    T::deserialize(Deserializer::from_str(text))
}

/// Reads a type from `text` in UTF-8, UTF-16 or UTF-32, which must have one document.
///
/// # Errors
///
/// Fails as [`from_str`] does.
pub fn from_slice<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, Error> {
    T::deserialize(Deserializer::from_slice(text))
}

/// Reads a type from `reader`, which must have one document.
///
/// # Errors
///
/// Fails as [`from_str`] does, or if the reader fails.
pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T, Error> {
    T::deserialize(Deserializer::from_reader(reader))
}

/// Reads a type from a value.
///
/// # Errors
///
/// Fails if the value does not match the type.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(&value)
}

/// A stream of documents: an iterator over deserializers, one per document. For a single document,
/// it is itself a deserializer.
///
/// ```
/// use serde::Deserialize;
///
/// let mut numbers = Vec::new();
/// for document in ketch::Deserializer::from_str("--- 1\n--- 2\n") {
///     numbers.push(u8::deserialize(document).unwrap());
/// }
/// assert_eq!(numbers, [1, 2]);
/// ```
pub struct Deserializer<'de> {
    shared: Rc<Shared<'de>>,
    state: State<'de>,
}

/// State shared by a stream and its documents.
struct Shared<'de> {
    options: DeOptions,
    /// The input, if it is UTF-8.
    input: Option<&'de str>,
    /// A document that was already read, whose memory is reused.
    spare: Cell<Option<Box<Document<'de>>>>,
    /// The stream, if types are read directly from its events. `None` while a type is being read.
    events: Cell<Option<Box<Events<'de>>>>,
    /// The last document yielded from the events.
    yielded: Cell<Option<Rc<Given<'de>>>>,
    /// Whether the input had no document at all.
    is_input_empty: Cell<bool>,
}

/// A document of a stream of events.
type Given<'de> = Cell<GivenState<'de>>;

#[derive(Default)]
enum GivenState<'de> {
    /// The stream is at the start of the document.
    Begun,
    /// The stream has moved past the document, which was composed.
    Composed(Result<Box<Document<'de>>, Error>),
    #[default]
    Read,
}

enum State<'de> {
    /// A stream, whose events are shared with its documents.
    Events,
    /// A document of a stream of events.
    Given(Rc<Given<'de>>),
    /// A stream of composed documents.
    Slice(Box<Documents<'de>>),
    Reader(Box<Documents<'static, ReadParser<Box<dyn Read + 'de>>>>),
    /// A single document of a stream, or its error.
    Document(Box<Document<'de>>),
    Failed(Error),
    /// The document or its error was already taken.
    Read,
}

impl fmt::Debug for Deserializer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deserializer")
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

impl<'de> Deserializer<'de> {
    /// Creates a deserializer of the documents of `text`.
    #[allow(clippy::should_implement_trait, reason = "the name that users of serde know")]
    #[must_use]
    pub fn from_str(text: &'de str) -> Deserializer<'de> {
        Deserializer::of_slice(text.as_bytes(), Some(text), &DeOptions::default())
    }

    /// Creates a deserializer of the documents of `text`.
    #[must_use]
    pub fn from_slice(text: &'de [u8]) -> Deserializer<'de> {
        Deserializer::with_options(text, &DeOptions::default())
    }

    /// Creates a deserializer of the documents of `text`.
    #[must_use]
    pub fn with_options(text: &'de [u8], options: &DeOptions) -> Deserializer<'de> {
        Deserializer::of_slice(text, checked(text), options)
    }

    /// Creates a deserializer of a slice. `input` is the same text if it is UTF-8.
    fn of_slice(
        text: &'de [u8],
        input: Option<&'de str>,
        options: &DeOptions,
    ) -> Deserializer<'de> {
        let (read, compose) = options.engine();
        if let Some(text) = input
            && let Some(events) = Events::new(text, &read, &compose, options)
        {
            let stream = Deserializer::new(input, options, State::Events);
            stream.shared.events.set(Some(Box::new(events)));
            return stream;
        }
        let documents = Documents::with_options(text, &read, &compose);
        Deserializer::new(input, options, State::Slice(Box::new(documents)))
    }

    /// Creates a deserializer of the documents of `reader`, with one in memory at a time.
    pub fn from_reader(reader: impl Read + 'de) -> Deserializer<'de> {
        Deserializer::reader_with_options(reader, &DeOptions::default())
    }

    /// Creates a deserializer of the documents of `reader`, with one in memory at a time.
    pub fn reader_with_options(reader: impl Read + 'de, options: &DeOptions) -> Deserializer<'de> {
        let (read, compose) = options.engine();
        let reader: Box<dyn Read + 'de> = Box::new(reader);
        let documents = Documents::from_source(ReadParser::with_options(reader, &read), &compose);
        Deserializer::new(None, options, State::Reader(Box::new(documents)))
    }

    /// Creates a deserializer in this state.
    fn new(input: Option<&'de str>, options: &DeOptions, state: State<'de>) -> Deserializer<'de> {
        let (spare, events, yielded, is_input_empty) = Default::default();
        let shared = Shared { options: *options, input, spare, events, yielded, is_input_empty };
        Deserializer { shared: Rc::new(shared), state }
    }

    /// Returns the next document, and reuses the memory of one that was already read.
    fn next_document(&mut self) -> Option<Result<Box<Document<'de>>, Error>> {
        match &mut self.state {
            State::Events => self.shared.with_events(Events::next_document),
            State::Slice(documents) => {
                self.shared.next_into(|document| documents.next_into(document))
            }
            State::Reader(documents) => self.shared.next_into(|document| {
                let mut owned = std::mem::take(document).recycle();
                let composed = documents.next_into(&mut owned);
                *document = owned;
                composed
            }),
            single => match std::mem::replace(single, State::Read) {
                State::Document(document) => Some(Ok(document)),
                State::Failed(error) => Some(Err(error)),
                State::Given(yielded) => match yielded.take() {
                    GivenState::Begun => {
                        self.shared.with_events(|events| Some(events.take_document()))
                    }
                    GivenState::Composed(document) => Some(document),
                    GivenState::Read => None,
                },
                _ => None,
            },
        }
    }

    /// Reads a type from the single document, and reports all errors, up to a hundred, instead of
    /// only the first. Each error takes another pass over the document.
    ///
    /// Invalid entries are left out. Errors that this causes in the value around them are not
    /// reported.
    ///
    /// ```
    /// # #[derive(serde::Deserialize)] #[allow(dead_code)]
    /// # struct Pier { berths: u8, boats: Vec<Boat> }
    /// # #[derive(serde::Deserialize)] #[allow(dead_code)]
    /// # struct Boat { name: String, masts: u8 }
    /// let text = "berths: many\nboats:\n- {name: Ketch, masts: two}\n- {name: Yawl}\n";
    /// let errors = ketch::Deserializer::from_str(text).all_errors::<Pier>().err().unwrap();
    /// assert_eq!(
    ///     errors.to_string(),
    ///     "berths: expected u8, found \"many\" at line 1 column 9\n\
    ///      boats[0].masts: expected u8, found \"two\" at line 3 column 24\n\
    ///      boats[1]: missing field `masts` at line 4 column 3"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all errors in the order in which they are found. An error in the text itself is
    /// returned alone.
    pub fn all_errors<T: Deserialize<'de>>(mut self) -> Result<T, Errors> {
        let document = self.one_document()?;
        let left_out = Rc::new(LeftOut::default());
        let mut errors = Vec::new();
        loop {
            let mut context = self.context(&document);
            context.left_out = Some(Rc::clone(&left_out));
            let root = NodeDeserializer::new(document.root().id(), &context);
            let error = match T::deserialize(root) {
                Ok(value) if errors.is_empty() => return Ok(value),
                Ok(_) => return Err(Errors(errors)),
                Err(error) => error,
            };
            let claim = left_out.take_claim();
            let is_derived = match claim {
                Some(is_derived) => is_derived,
                None => !errors.is_empty() && left_out.is_derived(document.root(), &error),
            };
            if !is_derived {
                errors.push(error);
            }
            if claim.is_none() || errors.len() == ERRORS_MAX {
                return Err(Errors(errors));
            }
        }
    }

    /// Reads the root of the single document with `visitor`, directly from events if possible.
    fn with_root<V, T>(
        self,
        visitor: V,
        in_events: impl FnOnce(EventDeserializer<'_, 'de>, V) -> Result<T, Error>,
        in_tree: impl FnOnce(NodeDeserializer<'_, 'de>, V) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let is_begun = match &self.state {
            State::Events => {
                let begun = self.shared.with_events(|events| Some(events.begin()));
                begun.transpose()?.unwrap_or_default()
            }
            State::Given(yielded) => match yielded.take() {
                GivenState::Begun => true,
                other => {
                    yielded.set(other);
                    false
                }
            },
            _ => false,
        };
        if is_begun && let Some(mut events) = self.shared.events.take() {
            let result = events.read(|root| in_events(root, visitor));
            if matches!(self.state, State::Events)
                && let Some(second) = events.begin_and_take()
            {
                second?;
                return Err(more_than_one());
            }
            self.shared.events.set(Some(events));
            return result;
        }
        self.with_tree(|root| in_tree(root, visitor))
    }

    /// Composes the single document, and runs `read` on its root.
    fn with_tree<T>(
        mut self,
        read: impl FnOnce(NodeDeserializer<'_, 'de>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let document = self.one_document()?;
        let context = self.context(&document);
        let result = read(NodeDeserializer::new(document.root().id(), &context));
        if is_spare(&document) {
            self.shared.spare.set(Some(document));
        }
        result
    }

    /// Returns the context for reading a document of this stream.
    fn context<'d>(&self, document: &'d Document<'d>) -> Context<'d, 'de> {
        let DeOptions { limits, max_recursion, duplicate_keys, .. } = self.shared.options;
        let is_checked = duplicate_keys != DuplicateKeys::Off;
        let budgets = Budgets::of(document, &limits);
        let depth = Depth::new(max_recursion);
        let is_input_empty = self.shared.is_input_empty.get();
        let input = self.shared.input.filter(|_| !is_input_empty);
        let mut context = Context::new(input, document, budgets, depth, is_checked);
        context.is_input_empty = is_input_empty;
        context
    }

    /// Returns the only document. Fails if there is a second one.
    fn one_document(&mut self) -> Result<Box<Document<'de>>, Error> {
        // Empty input is an empty document.
        let document = self.next_document().unwrap_or_else(|| {
            self.shared.is_input_empty.set(true);
            Ok(Box::default())
        })?;
        // An error in a second document takes precedence over its existence.
        let second = match self.state {
            State::Events => self.shared.with_events(Events::begin_and_take),
            _ => self.next_document(),
        };
        match second.transpose()? {
            Some(_) => Err(more_than_one()),
            None => Ok(document),
        }
    }
}

/// Returns the error for a second document where one is expected.
#[cold]
fn more_than_one() -> Error {
    Error::new("more than one document: iterate over a `Deserializer`")
}

impl<'de> Shared<'de> {
    /// Reads a document with `compose`, which returns whether there was one. Returns `None` at the
    /// end.
    fn next_into(
        &self,
        compose: impl FnOnce(&mut Document<'de>) -> Result<bool, ketch_yaml::Error>,
    ) -> Option<Result<Box<Document<'de>>, Error>> {
        let mut document = self.spare.take().unwrap_or_default();
        match compose(&mut document) {
            Ok(true) => Some(Ok(document)),
            Ok(false) => {
                self.spare.set(Some(document));
                None
            }
            Err(error) => Some(Err(error.into())),
        }
    }

    /// Runs `run` on the stream of events. If the document that was yielded last has not been read,
    /// it is composed first. Returns `None` while a type is being read.
    fn with_events<T>(&self, run: impl FnOnce(&mut Events<'de>) -> Option<T>) -> Option<T> {
        let mut events = self.events.take()?;
        if let Some(spare) = self.spare.take() {
            events.spare = Some(spare);
        }
        let last = self.yielded.take();
        if let Some(yielded) = &last {
            match yielded.take() {
                GivenState::Begun => yielded.set(GivenState::Composed(events.take_document())),
                other => yielded.set(other),
            }
        }
        self.yielded.set(last);
        let result = run(&mut events);
        self.events.set(Some(events));
        result
    }

    /// Moves to the next document of the stream of events, and returns it.
    fn begin(&self) -> Option<Result<Rc<Given<'de>>, Error>> {
        match self.with_events(|events| Some(events.begin()))? {
            Ok(true) => {
                // Usually the last document has been dropped, so that its allocation can be reused.
                let last = self.yielded.take().filter(|last| Rc::strong_count(last) == 1);
                let yielded = last.unwrap_or_default();
                yielded.set(GivenState::Begun);
                self.yielded.set(Some(Rc::clone(&yielded)));
                Some(Ok(yielded))
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl DeOptions {
    /// Converts the options to those of the parser and the composer.
    pub(super) fn engine(&self) -> (Options, ComposeOptions) {
        let mut read = Options::default();
        read.limits = self.limits;
        let mut compose = ComposeOptions::default();
        compose.schema = self.schema;
        compose.merge_keys = self.merge_keys;
        compose.duplicate_keys = self.duplicate_keys;
        compose.limits = self.limits;
        (read, compose)
    }
}

impl<'de> Iterator for Deserializer<'de> {
    type Item = Deserializer<'de>;

    fn next(&mut self) -> Option<Deserializer<'de>> {
        let state = match self.state {
            State::Events => match self.shared.begin()? {
                Ok(yielded) => State::Given(yielded),
                Err(error) => State::Failed(error),
            },
            State::Slice(_) | State::Reader(_) => match self.next_document()? {
                Ok(document) => State::Document(document),
                Err(error) => State::Failed(error),
            },
            _ => return None,
        };
        Some(Deserializer { shared: Rc::clone(&self.shared), state })
    }
}

macro_rules! from_root {
    ($($method:ident($($name:ident: $type:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, Error> {
            self.with_root(
                visitor,
                |root, visitor| root.$method($($name,)* visitor),
                |root, visitor| root.$method($($name,)* visitor),
            )
        })*
    };
}

impl<'de> de::Deserializer<'de> for Deserializer<'de> {
    type Error = Error;

    from_root! {
        deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32()
        deserialize_i64() deserialize_i128() deserialize_u8() deserialize_u16() deserialize_u32()
        deserialize_u64() deserialize_u128() deserialize_f32() deserialize_f64() deserialize_char()
        deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_option() deserialize_unit() deserialize_seq() deserialize_map()
        deserialize_identifier() deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if Kind::of(name).is_some() {
            return self.with_tree(|root| root.deserialize_newtype_struct(name, visitor));
        }
        self.with_root(
            visitor,
            |root, visitor| root.deserialize_newtype_struct(name, visitor),
            |root, visitor| root.deserialize_newtype_struct(name, visitor),
        )
    }
}

//! Deserializers for documents and for streams of documents.

use super::context::{Budgets, Context, Depth};
use super::errors::{ERRORS_MAX, Errors, LeftOut};
use super::event_de::EventDeserializer;
use super::events::{Events, is_spare};
use super::node::NodeDeserializer;
use super::options::DeOptions;
use super::value_de::Kind;
use crate::Value;
use crate::serde_error::Error;
use ketch_bytes::utf8::checked;
use ketch_yaml::{
    ComposeOptions, Document, Documents, DuplicateKeys, FloatKeys, Options, ReadParser,
};
use serde::de::{self, Deserialize, DeserializeOwned, Visitor};
use std::cell::Cell;
use std::fmt;
use std::io::Read;
use std::rc::Rc;

/// Reads a value of type `T` from `text`, which must contain exactly one document.
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

/// Reads a value of type `T` from `text`, which must contain exactly one document, in UTF-8, UTF-16
/// or UTF-32.
///
/// # Errors
///
/// Fails as [`from_str`] does.
pub fn from_slice<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, Error> {
    T::deserialize(Deserializer::from_slice(text))
}

/// Reads a value of type `T` from `reader`, which must contain exactly one document.
///
/// # Errors
///
/// Fails as [`from_str`] does, or if the reader fails.
pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T, Error> {
    T::deserialize(Deserializer::from_reader(reader))
}

/// Converts `value` to the type `T`.
///
/// # Errors
///
/// Fails if the value does not match the type.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(&value)
}

/// Reads the documents of a stream: this is an iterator over deserializers, one for each document.
/// If the stream has only one document, this can be used as its deserializer.
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

/// The state that a stream and its documents share.
struct Shared<'de> {
    options: DeOptions,
    /// The input, if it is UTF-8.
    input: Option<&'de str>,
    /// A document that has already been read, so that its memory can be reused.
    spare: Cell<Option<Box<Document<'de>>>>,
    /// The stream of events, if types are read directly from events. `None` while a type is being
    /// read.
    events: Cell<Option<Box<Events<'de>>>>,
    /// The last document that was yielded from the stream of events.
    yielded: Cell<Option<Rc<Given<'de>>>>,
    /// Whether the input was found to have no document.
    is_input_empty: Cell<bool>,
}

/// A document of a stream of events, which shares its state with the stream.
type Given<'de> = Cell<GivenState<'de>>;

#[derive(Default)]
enum GivenState<'de> {
    /// The stream of events is at the start of the document.
    Begun,
    /// The stream of events has moved past the document, which has been composed.
    Composed(Result<Box<Document<'de>>, Error>),
    #[default]
    Read,
}

enum State<'de> {
    /// A stream of events, which is shared with its documents.
    Events,
    /// A document of a stream of events.
    Given(Rc<Given<'de>>),
    /// A stream of composed documents.
    Slice(Box<Documents<'de>>),
    Reader(Box<Documents<'static, ReadParser<Box<dyn Read + 'de>>>>),
    /// A single document of a stream.
    Document(Box<Document<'de>>),
    Failed(Error),
    /// The document or its error has already been taken.
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
    /// Creates a deserializer for the documents of `text`.
    #[allow(clippy::should_implement_trait, reason = "the name that users of serde know")]
    #[must_use]
    pub fn from_str(text: &'de str) -> Deserializer<'de> {
        Deserializer::of_slice(text.as_bytes(), Some(text), &DeOptions::default())
    }

    /// Creates a deserializer for the documents of `text`, which is in UTF-8, UTF-16 or UTF-32.
    #[must_use]
    pub fn from_slice(text: &'de [u8]) -> Deserializer<'de> {
        Deserializer::with_options(text, &DeOptions::default())
    }

    /// Creates a deserializer for the documents of `text`, which is in UTF-8, UTF-16 or UTF-32,
    /// with the options `options`.
    #[must_use]
    pub fn with_options(text: &'de [u8], options: &DeOptions) -> Deserializer<'de> {
        Deserializer::of_slice(text, checked(text), options)
    }

    /// Creates a deserializer for the documents of `text`. `input` is the same text if it is UTF-8,
    /// and `None` otherwise.
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

    /// Creates a deserializer for the documents of `reader`. Only one document is in memory at a
    /// time.
    pub fn from_reader(reader: impl Read + 'de) -> Deserializer<'de> {
        Deserializer::reader_with_options(reader, &DeOptions::default())
    }

    /// Creates a deserializer for the documents of `reader`, with the options `options`. Only one
    /// document is in memory at a time.
    pub fn reader_with_options(reader: impl Read + 'de, options: &DeOptions) -> Deserializer<'de> {
        let (read, compose) = options.engine();
        let reader: Box<dyn Read + 'de> = Box::new(reader);
        let documents = Documents::from_source(ReadParser::with_options(reader, &read), &compose);
        Deserializer::new(None, options, State::Reader(Box::new(documents)))
    }

    /// Creates a deserializer whose state is `state`.
    fn new(input: Option<&'de str>, options: &DeOptions, state: State<'de>) -> Deserializer<'de> {
        let (spare, events, yielded, is_input_empty) = Default::default();
        let shared = Shared { options: *options, input, spare, events, yielded, is_input_empty };
        Deserializer { shared: Rc::new(shared), state }
    }

    /// Returns the next document, reusing the memory of one that has already been read. Returns
    /// `None` at the end.
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

    /// Reads a value of type `T` from the single document. If there are errors, returns all of
    /// them, up to 100, instead of only the first. Each error takes another pass over the document.
    ///
    /// Invalid entries are left out. If this causes further errors in the collection that contains
    /// them, these are not returned.
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
    /// Fails with all errors in the order in which they are found. If the text itself is not valid,
    /// that is the only error.
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

    /// Reads the root of the single document with `visitor`: with `in_events` if the document can
    /// be read directly from events, otherwise with `in_tree`.
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

    /// Composes the single document, and returns the result of `read` for its root.
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

    /// Creates the context for reading `document`, a document of this stream.
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

    /// Returns the only document. Fails if there is another one.
    fn one_document(&mut self) -> Result<Box<Document<'de>>, Error> {
        // Empty input is read as an empty document.
        let document = self.next_document().unwrap_or_else(|| {
            self.shared.is_input_empty.set(true);
            Ok(Box::default())
        })?;
        // If there is an error in the second document, it is returned rather than the error for
        // having two documents.
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

/// Returns the error for a stream with several documents where one is expected.
#[cold]
fn more_than_one() -> Error {
    Error::new("more than one document: iterate over a `Deserializer`")
}

impl<'de> Shared<'de> {
    /// Reads a document with `compose`, which returns whether there was one. Returns `None` at the
    /// end of the stream.
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
    /// it is composed first, so that it stays available. Returns `None` while a type is being read.
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

    /// Moves the stream of events to its next document, and returns that document, or `None` at the
    /// end.
    fn begin(&self) -> Option<Result<Rc<Given<'de>>, Error>> {
        match self.with_events(|events| Some(events.begin()))? {
            Ok(true) => {
                // Usually, the last document has been dropped, so that its allocation can be
                // reused.
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
    /// Returns the corresponding options of the parser and the composer.
    pub(super) fn engine(&self) -> (Options, ComposeOptions) {
        let mut read = Options::default();
        read.limits = self.limits;
        read.final_break = self.final_break;
        let mut compose = ComposeOptions::default();
        compose.schema = self.schema;
        compose.merge_keys = self.merge_keys;
        // A `Value` keeps a number that is too large for a float as text.
        compose.float_keys = FloatKeys::Finite;
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

//! The inputs of programs: the documents of a text, one after another.

use crate::error::Failure;
use crate::json::{Entry, Reader, Step};
use crate::options::{InputError, InputOptions, no_document};
use crate::query::Run;
use crate::stream::YamlEntries;
use crate::value::{Source, SourceText, Value, check_aliases};
use ketch_bytes::encoding::Encoding;
use ketch_edit::Edit;
use ketch_yaml::{Document, Documents, ReadParser};
use std::io::{Cursor, Read};
use std::string::FromUtf8Error;
use std::sync::Arc;

/// The inputs in a text, read one after another.
pub struct Inputs {
    name: Arc<str>,
    /// The number of inputs so far.
    count: usize,
    options: InputOptions,
    text: Option<Arc<SourceText>>,
    /// The path to the entries, if they are read one by one.
    path: Option<Arc<[Step]>>,
    /// The whole input, if its entries cannot be read one by one.
    whole: Option<Value>,
    /// Whether the current input has entries that were not read.
    has_more: bool,
    /// The number of steps of the path that lead to the last entry.
    steps: usize,
    form: Form,
}

/// How a text is being read.
enum Form {
    Unread(Box<dyn Read + Send>),
    Yaml(Box<Documents<'static, ReadParser<Box<dyn Read + Send>>>>),
    YamlEntries(Box<YamlEntries>),
    Json(Box<Reader>),
    /// There is no text any more.
    Read,
}

impl Inputs {
    /// Reads the inputs of the text `reader`, which is called `name` in places.
    pub fn new(reader: Box<dyn Read + Send>, name: Arc<str>, options: &InputOptions) -> Inputs {
        let form = Form::Unread(reader);
        let (name, options) = (name, *options);
        Inputs {
            name,
            count: 0,
            options,
            text: None,
            path: None,
            whole: None,
            has_more: false,
            steps: 0,
            form,
        }
    }

    /// Reads the entries at the end of `path` in each input, instead of the whole input: see
    /// [`Query::entry_path`](crate::Query::entry_path). [`Inputs::next`] then returns null for an input. What
    /// follows the last entry that is asked for may be invalid: it ends the inputs.
    pub fn by_entries(mut self, path: Arc<[Step]>) -> Inputs {
        self.path = Some(path);
        self
    }

    /// Returns the name of the text.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Starts reading.
    fn open(&mut self) {
        self.form = match std::mem::replace(&mut self.form, Form::Read) {
            Form::Unread(reader) if self.options.is_json => {
                Form::Json(Box::new(Reader::new(Vec::new(), reader)))
            }
            Form::Unread(reader) => {
                let (reader, text) = match self.options.keeps_text {
                    true => kept(reader),
                    false => (reader, None),
                };
                self.text = text;
                self.of_yaml(ReadParser::with_options(reader, &self.options.parser))
            }
            form => form,
        }
    }

    /// Returns how documents of YAML are read.
    fn of_yaml(&self, parser: ReadParser<Box<dyn Read + Send>>) -> Form {
        let documents = |parser| Documents::from_source(parser, &self.options.compose);
        match &self.path {
            Some(path) if !self.options.keeps_text => {
                match YamlEntries::new(parser, self.name.clone(), path, &self.options) {
                    Ok(entries) => Form::YamlEntries(Box::new(entries)),
                    Err(parser) => Form::Yaml(Box::new(documents(*parser))),
                }
            }
            _ => Form::Yaml(Box::new(documents(parser))),
        }
    }

    /// Returns the next entry of the input, or `None` at its end. There is none after an error.
    pub fn next_entry(&mut self) -> Option<Result<Entry, InputError>> {
        let path = self.path.as_ref()?;
        let entry = match &mut self.form {
            Form::YamlEntries(entries) => entries.next().transpose(),
            Form::Json(reader) => {
                reader.next_entry(path).map_err(|problem| InputError::Json(problem.0)).transpose()
            }
            _ => self.whole.take().map(|value| Ok(Entry { value, steps: 0 })),
        };
        self.has_more = matches!(entry, Some(Ok(_)));
        if let Some(Ok(entry)) = &entry {
            self.steps = entry.steps;
        }
        entry
    }

    /// Finds the node that an error of `run` is about, if the last input or entry is JSON. Returns its location in the
    /// value, and the offset of the value in the text.
    pub fn locate(&self, run: &Run, failure: &mut Failure) -> Option<u64> {
        let Form::Json(reader) = &self.form else { return None };
        let steps = self.path.as_ref().map(|path| (path.len(), self.steps));
        // An object in which a key of the path is missing is not in memory.
        if steps.is_some_and(|(all, found)| found < all) {
            return None;
        }
        let (text, offset) = reader.last();
        run.locate(failure, text, &self.name, steps.map(|(_, found)| found));
        failure.place.is_some().then_some(offset)
    }

    /// Returns the next input, whatever its number.
    fn next_of_all(&mut self) -> Option<Result<Value, InputError>> {
        if matches!(self.form, Form::Unread(_)) {
            self.open();
        }
        let number = self.count;
        self.count += 1;
        let is_started = match &mut self.form {
            Form::Yaml(documents) => {
                let document = documents.next_owned()?;
                let limits = &self.options.compose.limits;
                let checked = |document| check_aliases(&document, limits).map(|_| document);
                let document = match document.and_then(checked) {
                    Ok(document) => document,
                    Err(error) => return Some(Err(InputError::Text(error))),
                };
                let value = self.root(document, number);
                if self.path.is_none() {
                    return Some(Ok(value));
                }
                self.whole = Some(value);
                Ok(true)
            }
            Form::YamlEntries(entries) => entries.start(),
            Form::Json(reader) if self.path.is_some() => {
                reader.start_entries().map_err(|problem| InputError::Json(problem.0))
            }
            Form::Json(reader) => {
                let value = reader.next_value().map_err(|problem| InputError::Json(problem.0));
                return value.transpose();
            }
            _ => Ok(false),
        };
        is_started.map(|is_started| is_started.then_some(Value::Null)).transpose()
    }

    /// Returns the value of a document.
    fn root(&self, document: Document<'static>, number: usize) -> Value {
        let source = Source::new(document, self.name.clone(), number);
        Arc::new(match &self.text {
            Some(text) => source.with_text(text.clone()),
            None => source,
        })
        .root()
    }
}

impl Iterator for Inputs {
    type Item = Result<Value, InputError>;

    /// Returns the next input, or `None` at the end. There is none after an error.
    fn next(&mut self) -> Option<Self::Item> {
        let had_more = std::mem::replace(&mut self.has_more, self.path.is_some());
        let only = self.options.document;
        if only.is_some_and(|only| self.count > only) {
            return None;
        }
        loop {
            let number = self.count;
            match (self.next_of_all(), only) {
                (Some(Ok(_)), Some(only)) if number < only => {}
                (None, Some(only)) => {
                    // The error comes once.
                    self.count = only + 1;
                    return Some(Err(InputError::NoDocument(no_document(only, number))));
                }
                // After an error, the program may have needed no more of its input.
                (next, _) => return next.filter(|input| input.is_ok() || !had_more),
            }
        }
    }
}

/// Reads all of a text. Returns a reader of it, and the text if it is UTF-8.
fn kept(mut reader: Box<dyn Read + Send>) -> (Box<dyn Read + Send>, Option<Arc<SourceText>>) {
    let mut bytes = Vec::new();
    let result = reader.read_to_end(&mut bytes);
    if result.is_err() {
        // The parser reads again, and gets the error again.
        return (Box::new(Cursor::new(bytes).chain(reader)), None);
    }
    let text = match Encoding::detect(&bytes).0 {
        Encoding::Utf8 => String::from_utf8(bytes).map_err(FromUtf8Error::into_bytes),
        _ => match Edit::from_bytes(bytes.clone()) {
            Ok(edit) => Ok(edit.text().to_owned()),
            Err(_) => Err(bytes),
        },
    };
    match text {
        Ok(text) => {
            let text = Arc::new(SourceText::new(text));
            (Box::new(Cursor::new(Kept(text.clone()))), Some(text))
        }
        Err(bytes) => (Box::new(Cursor::new(bytes)), None),
    }
}

/// A text that is read and kept.
struct Kept(Arc<SourceText>);

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref().as_bytes()
    }
}

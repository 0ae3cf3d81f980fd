//! Requests: operations as their names and fields, from a list in YAML or JSON or from a host.

use super::error::{EditError, EditErrorKind};
use super::operation::{
    Action, AliasMode, AnchorMode, CommentPlace, Destination, IfAbsent, NewValue, Operation,
    Position, Style, Transfer,
};
use super::tree::{Shape, Token};
use super::write::Value;
use ketch_yaml::path::{Documents, Path, Step};

/// The kind of value that a field of a request has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A value, as YAML: [`Field::Text`].
    Source,
    /// [`Field::Text`].
    Text,
    /// The key or index of an entry: [`Field::Text`].
    Neighbor,
    /// One of these words: [`Field::Text`].
    Word(&'static [&'static str]),
    /// [`Field::Flag`].
    Flag,
    /// [`Field::Number`].
    Number,
    /// The path of a collection in the document: [`Field::Steps`].
    Collection,
}

/// The value of a field of a request.
#[derive(Clone, Debug)]
pub enum Field {
    /// A text.
    Text(String),
    /// A boolean.
    Flag(bool),
    /// A number.
    Number(usize),
    /// A path.
    Steps(Vec<Step>),
}

/// The names of the fields besides `op`, `path` and `doc`, each with the kind of its value.
const FIELDS: &[(&str, FieldKind)] = &[
    ("value", FieldKind::Source),
    ("key", FieldKind::Source),
    ("before", FieldKind::Neighbor),
    ("after", FieldKind::Neighbor),
    ("index", FieldKind::Number),
    ("first", FieldKind::Flag),
    ("to", FieldKind::Text),
    ("into", FieldKind::Collection),
    ("from", FieldKind::Text),
    ("where", FieldKind::Word(&["leading", "trailing"])),
    ("text", FieldKind::Text),
    ("alias", FieldKind::Word(&["through", "detach"])),
    ("anchors", FieldKind::Word(&["promote", "expand"])),
    ("tag", FieldKind::Text),
    ("keep_tag", FieldKind::Flag),
    ("lists", FieldKind::Text),
    ("by", FieldKind::Collection),
    ("recursive", FieldKind::Flag),
    ("order", FieldKind::Collection),
    ("if_exists", FieldKind::Flag),
];

/// Returns the field `name`.
fn known(name: &str) -> Option<(&'static str, FieldKind)> {
    FIELDS.iter().find(|(known, _)| *known == name).copied()
}

/// An operation as its name and fields.
///
/// | operation | needs | does |
/// |---|---|---|
/// | `set` | `path`, `value` | changes the value; parts of a collection that stay equal keep their bytes |
/// | `replace` | `path`, `value` | writes the whole value again; the path must exist |
/// | `insert` | `path` of the collection, `value`; for mappings `key` | adds an entry: last, or `before`, `after`, `index`, `first` |
/// | `append` | `path` of the sequence, `value` | adds an item at the end |
/// | `add` | `path`, `value` | sets a key, or inserts an item before the one at the path (RFC 6902) |
/// | `delete`, `remove` | `path` | removes the entry together with its comments |
/// | `rename` | `path`, `to` | changes the key of the entry |
/// | `move`, `copy` | `path`, `to` | moves or copies the entry into the collection at `to` |
/// | `merge` | `path`, `value` | sets the entries of `value`, and keeps the others |
/// | `merge_patch` | `path`, `value` | the same, but a null deletes the entry (RFC 7396) |
/// | `sort` | `path` | sorts items, or entries by key |
/// | `arrange` | `path`, `order` | puts the entries with the keys or indices of `order` first; the others follow |
/// | `comment` | `path`, `where`, `text` | writes a `leading` or `trailing` comment, or removes it |
/// | `style` | `path`, `to` | writes the same value in another style |
/// | `anchor` | `path`, `to` | gives the node an anchor, or renames or removes its anchor |
/// | `tag` | `path`, `to` | gives the collection a tag, or changes or removes its tag |
/// | `rename_anchor` | `from`, `to` | renames an anchor and the aliases that refer to it |
/// | `test` | `path`, `value` | refuses all operations of the list if the value differs |
///
/// Fields that an operation does not use are ignored, as RFC 6902 asks.
///
/// ```
/// use ketch_edit::{Edit, Field, Request};
/// use ketch_yaml::path::Step;
///
/// let mut request = Request::new("set", 0, vec![Step::Key("a".into())]);
/// request.give("value", Field::Text("2".into()));
/// let mut edit = Edit::open("a: 1\n")?;
/// edit.apply(&[request.operation()?])?;
/// assert_eq!(edit.text(), "a: 2\n");
/// # Ok::<(), ketch_edit::EditError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Request {
    op: String,
    doc: usize,
    documents: Option<Documents>,
    path: Vec<Step>,
    fields: Vec<(&'static str, Field)>,
}

impl Request {
    /// Creates a request for the operation `op` on the node at `path` of the document `doc`.
    #[must_use]
    pub fn new(op: &str, doc: usize, path: Vec<Step>) -> Request {
        Request { op: op.to_owned(), doc, path, ..Request::default() }
    }

    /// Returns the kind of value that the field `name` has, or `None` if no operation has such a
    /// field.
    #[must_use]
    pub fn kind(name: &str) -> Option<FieldKind> {
        known(name).map(|(_, kind)| kind)
    }

    /// Sets the field `name`, whose value must be of the kind [`Request::kind`].
    pub fn give(&mut self, name: &str, field: Field) {
        self.fields.extend(known(name).map(|(name, _)| (name, field)));
    }

    /// Returns the operation.
    ///
    /// # Errors
    ///
    /// If there is no such operation, or it lacks a field.
    pub fn operation(self) -> Result<Operation, EditError> {
        let bad = |message| EditError::plain(EditErrorKind::BadOperation).with_detail(message);
        self.checked().map_err(bad)
    }

    /// Returns the operation, or what is wrong with the request.
    fn checked(mut self) -> Result<Operation, String> {
        let action = self.action()?;
        let alias = self.word("alias")?.map(|word| match word.as_str() {
            "through" => AliasMode::Through,
            _ => AliasMode::Detach,
        });
        let anchors = self.word("anchors")?.map(|word| match word.as_str() {
            "promote" => AnchorMode::Promote,
            _ => AnchorMode::Expand,
        });
        let lists = self.text("lists").map(|text| text.parse()).transpose()?.unwrap_or_default();
        let if_absent = if self.flag("if_exists") { IfAbsent::Skip } else { IfAbsent::Add };
        let Request { doc, documents, path, .. } = self;
        let operation = Operation::new(action, &[]);
        Ok(Operation { path, doc, documents, alias, anchors, lists, if_absent, ..operation })
    }

    fn action(&mut self) -> Result<Action, String> {
        let op = self.op.clone();
        Ok(match op.as_str() {
            "set" => Action::Set { value: self.value()?, key: self.text("key") },
            "replace" => Action::Replace(self.value()?),
            "insert" => Action::Insert {
                value: self.value()?,
                key: self.text("key"),
                position: self.position(),
            },
            "append" => Action::Append(self.value()?),
            "add" => Action::Add(self.value()?),
            "delete" | "remove" => Action::Delete,
            "rename" => Action::Rename(self.needed("to")?),
            "move" => Action::Move(self.transfer()?),
            "copy" => Action::Copy(self.transfer()?),
            "merge" => Action::Merge(self.value()?),
            "merge_patch" => Action::MergePatch(self.value()?),
            "sort" => self.sort(),
            "arrange" => Action::Arrange(self.order()?),
            "comment" => {
                let place = match self.word("where")?.as_deref() {
                    Some("trailing") => CommentPlace::Trailing,
                    _ => CommentPlace::Leading,
                };
                Action::Comment { place, text: self.text("text") }
            }
            "style" => {
                let style = Style::named(&self.needed("to")?);
                let expected = "a style is plain, single, double, literal, folded, block or flow";
                Action::Style(style.ok_or(expected)?)
            }
            "anchor" => Action::Anchor(self.text("to")),
            "tag" => Action::Tag(self.text("to")),
            "rename_anchor" => {
                Action::RenameAnchor { from: self.needed("from")?, to: self.needed("to")? }
            }
            "test" => Action::Test(self.value()?),
            _ => return Err(format!("there is no operation `{op}`")),
        })
    }

    fn value(&mut self) -> Result<NewValue, String> {
        Ok(NewValue {
            tag: self.text("tag"),
            keep_tag: self.flag("keep_tag"),
            ..self.needed("value")?.into()
        })
    }

    fn sort(&mut self) -> Action {
        let key = self.text("key").map(Step::Name).into_iter();
        let by = key.chain(self.steps("by").unwrap_or_default()).collect();
        Action::Sort { by, recursive: self.flag("recursive") }
    }

    fn order(&mut self) -> Result<Vec<Step>, String> {
        self.steps("order").ok_or_else(|| self.lacks("order"))
    }

    fn position(&mut self) -> Position {
        if let Some(key) = self.text("before") {
            return Position::Before(key);
        }
        if let Some(key) = self.text("after") {
            return Position::After(key);
        }
        if self.flag("first") {
            return Position::First;
        }
        match self.take("index") {
            Some(Field::Number(index)) => Position::Index(index),
            _ => Position::Last,
        }
    }

    fn transfer(&mut self) -> Result<Transfer, String> {
        let at = self.steps("target").map(Destination::At);
        let to = at.or_else(|| self.steps("into").map(Destination::Into));
        let to = to.ok_or_else(|| self.lacks("to"))?;
        Ok(Transfer { to, key: self.text("key"), position: self.position() })
    }

    /// Removes the field `name`, and returns its last value.
    fn take(&mut self, name: &str) -> Option<Field> {
        let at = self.fields.iter().rposition(|(other, _)| *other == name)?;
        Some(self.fields.swap_remove(at).1)
    }

    fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name)? {
            Field::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the field `name`, which must have one of its words.
    fn word(&mut self, name: &str) -> Result<Option<String>, String> {
        let word = self.text(name);
        match (&word, Request::kind(name)) {
            (Some(word), Some(FieldKind::Word(words))) if !words.contains(&word.as_str()) => {
                Err(no_word(name, words))
            }
            _ => Ok(word),
        }
    }

    fn flag(&mut self, name: &str) -> bool {
        matches!(self.take(name), Some(Field::Flag(true)))
    }

    fn steps(&mut self, name: &str) -> Option<Vec<Step>> {
        match self.take(name)? {
            Field::Steps(steps) => Some(steps),
            _ => None,
        }
    }

    fn needed(&mut self, name: &str) -> Result<String, String> {
        self.text(name).ok_or_else(|| self.lacks(name))
    }

    fn lacks(&self, name: &str) -> String {
        format!("`{}` needs `{name}`", self.op)
    }
}

/// Returns the message that the field `name` has none of the words that it may have.
fn no_word(name: &str, words: &[&str]) -> String {
    format!("expected `{}` for `{name}`", words.join("` or `"))
}

impl Style {
    /// Returns the style with the name `name`: that of the variant, in lower case.
    #[must_use]
    pub fn named(name: &str) -> Option<Style> {
        Some(match name {
            "plain" => Style::Plain,
            "single" => Style::Single,
            "double" => Style::Double,
            "literal" => Style::Literal,
            "folded" => Style::Folded,
            "block" => Style::Block,
            "flow" => Style::Flow,
            _ => return None,
        })
    }
}

impl Operation {
    /// Reads a list of operations: a sequence of mappings, in JSON or YAML, with the fields of
    /// [`Request`]. A path is a sequence of keys and indices, or text in the syntax of
    /// [`Path`](ketch_yaml::path::Path). A JSON Patch (RFC 6902) is such a list as well.
    ///
    /// # Errors
    ///
    /// If the text is not valid YAML, an operation is unknown or lacks a field, a field is unknown,
    /// or the value of a field has the wrong type.
    pub fn parse_all(text: &str) -> Result<Vec<Operation>, EditError> {
        let data = Value::with_tags(text)?;
        let list = List { data: &data };
        let root = &data.tree.nodes[data.root];
        if root.shape != Shape::Sequence {
            return Err(list.wrong(data.root, "expected a list of operations".to_owned()));
        }
        root.children.iter().map(|&item| list.operation(item)).collect()
    }

    /// Returns the operation that applies `patch`, a JSON Merge Patch (RFC 7396), which may be
    /// written in YAML.
    #[must_use]
    pub fn merge_patch(patch: &str) -> Operation {
        Operation::new(Action::MergePatch(patch.into()), &[])
    }
}

/// A list of operations while it is read.
struct List<'d> {
    data: &'d Value,
}

impl List<'_> {
    /// Returns an error with `message` at the node `at` of the list.
    fn wrong(&self, at: usize, message: String) -> EditError {
        let start = self.data.tree.nodes[at].start;
        EditError::in_operations(message, self.data.source.as_bytes(), start)
    }

    /// Reads the operation at the node `item`.
    fn operation(&self, item: usize) -> Result<Operation, EditError> {
        let node = &self.data.tree.nodes[item];
        if node.shape != Shape::Mapping {
            let message = "expected an operation such as `{op: delete, path: [name]}`";
            return Err(self.wrong(item, message.to_owned()));
        }
        let fields: Vec<(&str, usize, usize)> = node
            .children
            .chunks_exact(2)
            .map(|pair| (self.data.tree.text_of(pair[0]).unwrap_or_default(), pair[0], pair[1]))
            .collect();
        let find = |name: &str| fields.iter().find(|field| field.0 == name).map(|field| field.2);
        let Some(op) = find("op") else {
            return Err(self.wrong(item, "the operation has no `op`".to_owned()));
        };
        let mut request = Request::new(&self.text("op", op)?.unwrap_or_default(), 0, Vec::new());
        let is_transfer = matches!(request.op.as_str(), "move" | "copy");
        // In RFC 6902, an operation moves the node at `from` to `path`.
        let is_patch = is_transfer && find("from").is_some();
        for &(name, key, at) in &fields {
            match name {
                "op" => {}
                "path" if is_patch => {
                    request.fields.push(("target", Field::Steps(self.path(at)?.steps().to_vec())));
                }
                "path" => self.place(&mut request, at)?,
                "from" if is_transfer => self.place(&mut request, at)?,
                "to" if is_transfer => request.give("into", Field::Steps(self.destination(at)?)),
                "doc" => request.doc = self.number(name, at)?.unwrap_or(0),
                _ => request.fields.extend(self.field(name, (key, at))?),
            }
        }
        let needs_path = !is_patch && request.op != "rename_anchor" && find("path").is_none();
        let operation = request.checked().map_err(|message| self.wrong(item, message))?;
        if needs_path {
            return Err(self.wrong(item, format!("`{}` needs `path`", operation.action.name())));
        }
        Ok(operation)
    }

    /// Reads the path `at` as that of the operation's node.
    fn place(&self, request: &mut Request, at: usize) -> Result<(), EditError> {
        let path = self.path(at)?;
        request.documents = path.documents().cloned();
        request.path = path.steps().to_vec();
        Ok(())
    }

    /// Reads the field `name`, with the value `at`. Returns `None` if that is null.
    fn field(
        &self,
        name: &str,
        (key, at): (usize, usize),
    ) -> Result<Option<(&'static str, Field)>, EditError> {
        let Some((name, kind)) = known(name).filter(|_| name != "into") else {
            return Err(self.wrong(key, format!("no operation has a field `{name}`")));
        };
        let field = match kind {
            FieldKind::Source => Some(Field::Text(self.data.flow(at))),
            FieldKind::Text | FieldKind::Neighbor => self.text(name, at)?.map(Field::Text),
            FieldKind::Word(words) => self.one_of(name, at, words)?.map(Field::Text),
            FieldKind::Flag => Some(Field::Flag(self.boolean(name, at)?)),
            FieldKind::Number => self.number(name, at)?.map(Field::Number),
            FieldKind::Collection => Some(Field::Steps(self.path(at)?.steps().to_vec())),
        };
        Ok(field.map(|field| (name, field)))
    }

    /// Reads the text of the scalar `at`; `None` for null.
    fn text(&self, name: &str, at: usize) -> Result<Option<String>, EditError> {
        match self.data.tree.content(at) {
            [Token::Value(text)] if text == "null" => Ok(None),
            [Token::Value(text) | Token::Text(text)] => Ok(Some(text.clone())),
            _ => Err(self.wrong(at, format!("expected text for `{name}`"))),
        }
    }

    /// Reads the number `at`; `None` for null.
    fn number(&self, name: &str, at: usize) -> Result<Option<usize>, EditError> {
        let Some(text) = self.text(name, at)? else { return Ok(None) };
        let message = || format!("expected a number for `{name}`, counted from 0");
        text.parse().map(Some).map_err(|_| self.wrong(at, message()))
    }

    /// Reads the boolean `at`. Null counts as false.
    fn boolean(&self, name: &str, at: usize) -> Result<bool, EditError> {
        match self.text(name, at)?.as_deref() {
            Some("true") => Ok(true),
            Some("false") | None => Ok(false),
            _ => Err(self.wrong(at, format!("expected true or false for `{name}`"))),
        }
    }

    /// Reads the text of the scalar `at`, which must be one of `words`; `None` for null.
    fn one_of(&self, name: &str, at: usize, words: &[&str]) -> Result<Option<String>, EditError> {
        let text = self.text(name, at)?;
        if text.as_ref().is_some_and(|text| !words.contains(&text.as_str())) {
            return Err(self.wrong(at, no_word(name, words)));
        }
        Ok(text)
    }

    /// Reads the path `at` of the collection that a node is moved or copied to, which must be in
    /// the same document.
    fn destination(&self, at: usize) -> Result<Vec<Step>, EditError> {
        let path = self.path(at)?;
        match path.documents() {
            Some(_) => {
                Err(self
                    .wrong(at, "a node cannot be moved or copied to another document".to_owned()))
            }
            None => Ok(path.steps().to_vec()),
        }
    }

    /// Reads the path `at`: a sequence of keys and indices, or text in the syntax of [`Path`].
    fn path(&self, at: usize) -> Result<Path, EditError> {
        match (self.data.tree.nodes[at].shape, self.data.tree.content(at)) {
            (Shape::Sequence, _) => {
                let items = self.data.tree.nodes[at].children.iter();
                let steps = items.map(|&item| self.step(item));
                steps
                    .collect::<Result<Vec<_>, _>>()
                    .map(|steps| steps.into_iter().fold(Path::default(), Path::then))
            }
            (_, [Token::Text(text)]) => self.parsed_path(at, text),
            _ => Err(self.wrong(at, "expected a list of keys and indices as the path".to_owned())),
        }
    }

    /// Parses the path `text`, whose errors are at the node `at`.
    fn parsed_path(&self, at: usize, text: &str) -> Result<Path, EditError> {
        text.parse().map_err(|error| self.wrong(at, format!("wrong path `{text}`: {error}")))
    }

    /// Reads the node `item` as one step of a path.
    fn step(&self, item: usize) -> Result<Step, EditError> {
        match self.data.tree.content(item) {
            [Token::Value(text)] => Ok(match text.parse() {
                Ok(index) => Step::Index(index),
                Err(_) => Step::Plain(text.clone()),
            }),
            [Token::Text(text)] => Ok(Step::Key(text.clone())),
            _ => Err(self.wrong(item, "a step of a path is a key or an index".to_owned())),
        }
    }
}

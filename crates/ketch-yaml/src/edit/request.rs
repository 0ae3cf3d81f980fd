//! Reading operations from YAML or JSON.

use super::error::EditError;
use super::operation::Operation;
use super::tree::{Shape, Token};
use super::write::Value;
use crate::path::{Path, Step};

/// The names of the operations, each with the fields that it needs besides `path`.
const NEEDED: [(&str, &[&str]); 18] = [
    ("set", &["value"]),
    ("replace", &["value"]),
    ("insert", &["value"]),
    ("append", &["value"]),
    ("add", &["value"]),
    ("delete", &[]),
    ("remove", &[]),
    ("rename", &["to"]),
    ("move", &["to"]),
    ("copy", &["to"]),
    ("merge", &["value"]),
    ("merge_patch", &["value"]),
    ("sort", &[]),
    ("comment", &[]),
    ("style", &["to"]),
    ("anchor", &[]),
    ("rename_anchor", &["from", "to"]),
    ("test", &["value"]),
];

impl Operation {
    /// Reads a list of operations: a sequence of mappings, in JSON or YAML. A path is a sequence of
    /// keys and indices, or text in the syntax of [`Path`](crate::path::Path). A JSON Patch (RFC
    /// 6902) is such a list as well.
    ///
    /// # Errors
    ///
    /// If the text is not valid YAML, an operation is unknown or lacks a field, a field is unknown,
    /// or the value of a field has the wrong type.
    pub fn parse_all(text: &str) -> Result<Vec<Operation>, EditError> {
        let data = Value::with_tags(text)?;
        let request = Request { data: &data };
        let list = &data.tree.nodes[data.root];
        if list.shape != Shape::Sequence {
            return Err(request.wrong(data.root, "expected a list of operations".to_owned()));
        }
        list.children.iter().map(|&item| request.operation(item)).collect()
    }
}

impl Operation {
    /// Returns the operation that applies `patch`, a JSON Merge Patch (RFC 7396), which may be
    /// written in YAML.
    #[must_use]
    pub fn merge_patch(patch: &str) -> Operation {
        Operation::new("merge_patch", &[]).with_value(patch)
    }
}

/// A list of operations while it is read.
struct Request<'d> {
    data: &'d Value,
}

impl Request<'_> {
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
        let mut operation = Operation::default();
        let mut names = Vec::new();
        let mut fields = Vec::new();
        for pair in node.children.chunks_exact(2) {
            let name = self.data.tree.text_of(pair[0]).unwrap_or_default();
            if name == "op" {
                operation.op = self.text(name, pair[1])?.unwrap_or_default();
            }
            fields.push((name, pair[0], pair[1]));
            names.push(name);
        }
        let is_transfer = matches!(operation.op.as_str(), "move" | "copy");
        for (name, key, at) in fields {
            match name {
                // In RFC 6902, an operation moves the node at `from` to `path`.
                "path" if is_transfer && names.contains(&"from") => {
                    operation.target = Some(self.path(at)?.steps().to_vec());
                }
                "from" if is_transfer => {
                    let path = self.path(at)?;
                    operation.documents = path.documents().cloned();
                    operation.path = path.steps().to_vec();
                }
                "to" if is_transfer => operation.to_path = self.destination(at)?,
                _ => self.field(&mut operation, name, (key, at))?,
            }
        }
        self.check(item, &operation, &names)?;
        Ok(operation)
    }

    /// Returns an error if the operation is unknown, or lacks a field that it needs. `names` are
    /// its fields.
    fn check(&self, item: usize, operation: &Operation, names: &[&str]) -> Result<(), EditError> {
        let op = operation.op.as_str();
        let known = NEEDED.iter().find(|(name, _)| *name == op);
        let Some((_, needed)) = known else {
            let message = match names.contains(&"op") {
                true => format!("there is no operation `{op}`"),
                false => "the operation has no `op`".to_owned(),
            };
            return Err(self.wrong(item, message));
        };
        let path = (op != "rename_anchor").then_some(&"path");
        let is_given =
            |name: &&&str| names.contains(*name) || **name == "to" && operation.target.is_some();
        match path.into_iter().chain(*needed).find(|name| !is_given(name)) {
            Some(missing) => Err(self.wrong(item, format!("`{op}` needs `{missing}`"))),
            None => Ok(()),
        }
    }

    /// Reads the field `name`, with the value `at`, into the operation.
    fn field(
        &self,
        operation: &mut Operation,
        name: &str,
        (key, at): (usize, usize),
    ) -> Result<(), EditError> {
        match name {
            "op" => {}
            "path" => {
                let path = self.path(at)?;
                operation.documents = path.documents().cloned();
                operation.path = path.steps().to_vec();
            }
            "tag" => operation.tag = self.text(name, at)?,
            "keep_tag" => operation.keep_tag = self.boolean(name, at)?,
            "by" => operation.by = self.path(at)?.steps().to_vec(),
            "recursive" => operation.recursive = self.boolean(name, at)?,
            "if_exists" => operation.if_exists = self.boolean(name, at)?,
            "to" => operation.to = self.text(name, at)?,
            "doc" => operation.doc = self.number(name, at)?.unwrap_or(0),
            "index" => operation.index = self.number(name, at)?,
            "first" => operation.first = self.boolean(name, at)?,
            "value" => operation.value = Some(self.data.flow(at)),
            "key" => operation.key = Some(self.data.flow(at)),
            "before" => operation.before = self.text(name, at)?,
            "after" => operation.after = self.text(name, at)?,
            "where" => operation.place = self.one_of(name, at, &["leading", "trailing"])?,
            "text" => operation.text = self.text(name, at)?,
            "from" => operation.from = self.text(name, at)?,
            "alias" => operation.alias = self.one_of(name, at, &["through", "detach"])?,
            "anchors" => operation.anchors = self.one_of(name, at, &["promote", "expand"])?,
            _ => return Err(self.wrong(key, format!("no operation has a field `{name}`"))),
        }
        Ok(())
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
            let message = format!("expected `{}` for `{name}`", words.join("` or `"));
            return Err(self.wrong(at, message));
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

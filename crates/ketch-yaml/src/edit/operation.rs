//! Operations, as data.

use crate::path::{Documents, Path, Step};

/// One operation on a text. `value` and `key` are YAML text. Fields that the operation does not
/// need are `None`, empty or false.
///
/// | `op` | needs | does |
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
/// | `comment` | `path`, `where`, `text` | writes a `leading` or `trailing` comment, or removes it |
/// | `style` | `path`, `to` | writes the same value in another style |
/// | `anchor` | `path`, `to` | gives the node an anchor, or renames or removes its anchor |
/// | `rename_anchor` | `from`, `to` | renames an anchor and the aliases that refer to it |
/// | `test` | `path`, `value` | refuses all operations of the list if the value differs |
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// The name of the operation, from the first column of the table.
    pub op: String,
    /// The path of the node, from the root of its document.
    pub path: Vec<Step>,
    /// The index of the document, counted from 0.
    pub doc: usize,
    /// The documents to edit; if set, `doc` is ignored.
    pub documents: Option<Documents>,
    /// The new value, or the expected one for `test`.
    pub value: Option<String>,
    /// The key of a new entry.
    pub key: Option<String>,
    /// The key or index of the existing entry that the new entry comes before.
    pub before: Option<String>,
    /// The key or index of the existing entry that the new entry comes after.
    pub after: Option<String>,
    /// The index that the new entry gets.
    pub index: Option<usize>,
    /// Whether the new entry becomes the first one.
    pub first: bool,
    /// The new name for `rename`, `anchor` and `rename_anchor`, or the new style for `style`.
    pub to: Option<String>,
    /// The path of the collection that `move` and `copy` add the entry to.
    pub to_path: Vec<Step>,
    /// As in RFC 6902, the path that the moved or copied node gets; it is used instead of
    /// `to_path`.
    pub target: Option<Vec<Step>>,
    /// Where `comment` writes: `leading` or `trailing`.
    pub place: Option<String>,
    /// The text of a comment; if it is `None`, `comment` removes the comment.
    pub text: Option<String>,
    /// The old name of the anchor, for `rename_anchor`.
    pub from: Option<String>,
    /// What to do at an alias on the path: `through` follows it, and `detach` replaces it by a
    /// copy.
    pub alias: Option<String>,
    /// Whether to do nothing, instead of failing, if there is no node at the path.
    pub if_exists: bool,
    /// What to do if an anchor is in use: `promote` moves the node to its first alias, and `expand`
    /// replaces all aliases by copies.
    pub anchors: Option<String>,
    /// For `sort`, the path in each item that leads to the value to sort by.
    pub by: Vec<Step>,
    /// Whether `sort` also sorts the mappings in the collection, at any depth.
    pub recursive: bool,
    /// How scalars of the value are written.
    pub spelling: Spelling,
    /// The tag that the value gets.
    pub tag: Option<String>,
    /// Whether a node that a value without a tag replaces keeps its tag, even one that YAML does
    /// not define.
    pub keep_tag: bool,
    /// Whether `doc` is ignored, and the operation edits each document that has the path. If none
    /// has it, the operation edits the only document.
    pub everywhere: bool,
    /// Whether a person typed the path: it is an error if a new key looks like a part of another
    /// notation, as in `.a | .b`.
    pub is_typed: bool,
}

/// How scalars of a value are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// In the style of the old value or of the neighbours. An equal value changes nothing.
    #[default]
    Free,
    /// As they are spelled in the value, apart from text without quotes, even if the old value is
    /// equal.
    Typed,
    /// As [`Spelling::Free`], but in quotes if some common readers do not read them as text.
    Safe,
    /// With their comments, styles and anchors, as in the file that the value comes from. An equal
    /// value changes nothing.
    Whole,
}

impl Operation {
    /// Creates an operation with the name `op` on the node at `path`.
    #[must_use]
    pub fn new(op: &str, path: &[Step]) -> Operation {
        Operation { op: op.to_owned(), path: path.to_vec(), ..Operation::default() }
    }

    /// Creates an operation with the name `op` on all nodes that `path` leads to.
    ///
    /// ```
    /// use ketch_yaml::edit::{Edit, Operation};
    ///
    /// let mut edit = Edit::open("- {a: 1, on: true}\n- {a: 2}\n")?;
    /// let path = "[?on].a".parse().unwrap();
    /// edit.apply(&[Operation::at("set", &path).with_value("3")])?;
    /// assert_eq!(edit.text(), "- {a: 3, on: true}\n- {a: 2}\n");
    /// # Ok::<(), ketch_yaml::edit::EditError>(())
    /// ```
    #[must_use]
    pub fn at(op: &str, path: &Path) -> Operation {
        let documents = path.documents().cloned();
        Operation { documents, ..Operation::new(op, path.steps()) }
    }

    /// Returns the operation with `value` as its value, which is YAML text.
    #[must_use]
    pub fn with_value(mut self, value: &str) -> Operation {
        self.value = Some(value.to_owned());
        self
    }
}

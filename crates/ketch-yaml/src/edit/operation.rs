//! Operations as data.

use crate::path::{Documents, Path, Step};

/// One edit. `value`, `key`, `before` and `after` are YAML text; what an operation does not need is
/// `None`.
///
/// | `op` | needs | does |
/// |---|---|---|
/// | `set` | `path`, `value` | changes the value; parts of collections that are equal in the old and the new value keep their bytes |
/// | `replace` | `path`, `value` | writes the value again as a whole; the path must exist |
/// | `insert` | `path` of the collection, `value`; for mappings `key` | adds an entry: last, or `before`, `after`, `index`, `first` |
/// | `append` | `path` of the sequence, `value` | adds an item at the end |
/// | `add` | `path`, `value` | sets a key, or inserts an item before the one at the path (RFC 6902) |
/// | `delete`, `remove` | `path` | removes the entry with its comments |
/// | `rename` | `path`, `to` | changes the key |
/// | `move`, `copy` | `path`, `to` | puts the entry into the collection at `to` |
/// | `merge` | `path`, `value` | sets the entries of the value, keeps the others |
/// | `merge_patch` | `path`, `value` | the same, but null deletes (RFC 7396) |
/// | `sort` | `path` | sorts items, or entries by key |
/// | `comment` | `path`, `where`, `text` | writes a `leading` or `trailing` comment |
/// | `style` | `path`, `to` | writes the same value in another style |
/// | `anchor` | `path`, `to` | gives the node an anchor, renames or removes it |
/// | `rename_anchor` | `from`, `to` | renames an anchor and its aliases |
/// | `test` | `path`, `value` | refuses the batch if the value differs |
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// What to do.
    pub op: String,
    /// The node, from the root of its document.
    pub path: Vec<Step>,
    /// The index of the document.
    pub doc: usize,
    /// The documents, instead of that one.
    pub documents: Option<Documents>,
    /// The new value.
    pub value: Option<String>,
    /// The key of a new entry.
    pub key: Option<String>,
    /// The key or item that the new entry comes before.
    pub before: Option<String>,
    /// The key or item that the new entry comes after.
    pub after: Option<String>,
    /// The index of the new entry.
    pub index: Option<usize>,
    /// Whether the new entry comes first.
    pub first: bool,
    /// A new name, for `rename` and `rename_anchor`.
    pub to: Option<String>,
    /// The collection to move or copy into.
    pub to_path: Vec<Step>,
    /// The path of the moved or copied node afterwards, as in RFC 6902.
    pub target: Option<Vec<Step>>,
    /// `leading` or `trailing`.
    pub place: Option<String>,
    /// The text of a comment; without it, the comment is removed.
    pub text: Option<String>,
    /// The old name of an anchor.
    pub from: Option<String>,
    /// What to do at an alias on the path: `through` or `detach`.
    pub alias: Option<String>,
    /// Whether nothing happens if the path leads to nothing.
    pub if_exists: bool,
    /// What to do with an anchor in use: `promote` or `expand`.
    pub anchors: Option<String>,
}

impl Operation {
    /// Creates an operation of this name on a path.
    #[must_use]
    pub fn new(op: &str, path: &[Step]) -> Operation {
        Operation { op: op.to_owned(), path: path.to_vec(), ..Operation::default() }
    }

    /// Creates an operation of this name on what a path leads to.
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

    /// Returns the operation with a value, which is YAML text.
    #[must_use]
    pub fn with_value(mut self, value: &str) -> Operation {
        self.value = Some(value.to_owned());
        self
    }
}

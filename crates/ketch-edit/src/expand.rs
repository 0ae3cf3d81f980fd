//! Splitting an operation on several nodes or documents into one operation for each node.

use super::error::{EditError, EditErrorKind};
use super::operation::{Action, IfAbsent, Operation};
use super::write::Value;
use ketch_yaml::compose::{Places, Reached, places};
use ketch_yaml::path::{Documents as Chosen, Path, Step};
use ketch_yaml::{ComposeOptions, Document, Documents, DuplicateKeys, Error, Options};

/// Expands `operation` into operations on single nodes, in the order in which they are applied.
/// Returns `None` if it already is an operation on a single node.
///
/// They are in reverse document order, so that none changes the path of a later one; those that
/// move or copy nodes are in document order.
///
/// # Errors
///
/// If the path leads to no node in any chosen document, or the text cannot be composed.
pub(super) fn expanded(
    text: &str,
    read: Options,
    operation: &Operation,
) -> Result<Option<Vec<Operation>>, EditError> {
    let is_many = operation.path.iter().any(Step::is_wildcard);
    let is_everywhere = operation.everywhere && operation.documents.is_none();
    if !is_many && operation.documents.is_none() && !is_everywhere {
        return Ok(None);
    }
    let mut expansion =
        Expansion { text, read, operation, found: Vec::new(), reached: None, count: 0 };
    expansion.search()?;
    let Expansion { mut found, reached, count, .. } = expansion;
    if found.is_empty() && is_everywhere && count < 2 && operation.if_absent != IfAbsent::Fail {
        return expanded(text, read, &Operation { everywhere: false, ..operation.clone() });
    }
    if found.is_empty() && operation.if_absent != IfAbsent::Skip {
        // An invalid value is the more important error.
        if let Some(value) = operation.action.value() {
            Value::of(value).map_err(EditError::in_value)?;
        }
        let has_descent = operation.path.contains(&Step::Descend);
        return Err(match is_everywhere && adds(operation) && !has_descent {
            true => unclear(operation, count),
            false => nothing(operation, reached.as_ref()),
        });
    }
    match operation.action {
        Action::Move(_) => shift_moved(&mut found),
        Action::Copy(_) => {}
        _ => found.reverse(),
    }
    Ok(Some(found))
}

/// Returns the error that the operation's path leads to no node. It lists what is there instead.
fn nothing(operation: &Operation, reached: Option<&Reached>) -> EditError {
    let path = shown(operation);
    let mut message = match reached {
        Some(reached) => format!("there is nothing at `{path}`: {}", reached.shown(&path)),
        None => format!("`{path}` does not match any document"),
    };
    if adds(operation) && operation.path.contains(&Step::Descend) {
        message += "; a path with `..` adds no keys";
    }
    EditError::plain(EditErrorKind::NotFound).with_detail(message)
}

/// Returns whether an operation can add what its path does not lead to.
fn adds(operation: &Operation) -> bool {
    use Action::*;
    operation.if_absent == IfAbsent::Add
        && matches!(operation.action, Set { .. } | Append(_) | Merge(_) | MergePatch(_))
}

/// Returns the error that none of the `count` documents has the path of an operation, so that it is
/// unclear which of them gets a new node.
fn unclear(operation: &Operation, count: usize) -> EditError {
    let path = shown(operation).to_string();
    let at = |document: &str| format!("`{document}.{}`", path.trim_start_matches('.'));
    let message = format!(
        "none of the {count} documents has `{path}`: say which of them gets it with {}, {} or {}",
        at("@0"),
        at("@*"),
        at("@[?kind == \"Service\"]"),
    );
    EditError::plain(EditErrorKind::NotFound).with_detail(message)
}

/// Returns the path of an operation, including its choice of documents, as it is written.
fn shown(operation: &Operation) -> Path {
    let path = Path::default().of_documents(operation.documents.clone());
    operation.path.iter().cloned().fold(path, Path::then)
}

/// The state of expanding one operation.
struct Expansion<'a> {
    text: &'a str,
    read: Options,
    operation: &'a Operation,
    found: Vec<Operation>,
    reached: Option<Reached>,
    /// The number of documents.
    count: usize,
}

impl Expansion<'_> {
    /// Adds the operation for the document `doc`, with an unchanged path.
    fn plain(&mut self, doc: usize) {
        let operation = self.operation.clone();
        let everywhere = false;
        self.found.push(Operation { doc, documents: None, everywhere, ..operation });
    }

    /// Searches the chosen documents, and adds an operation for each node that is found.
    fn search(&mut self) -> Result<(), EditError> {
        let mut options = ComposeOptions::default();
        // A duplicate key is an error only if it is on the path.
        options.duplicate_keys = DuplicateKeys::Off;
        let documents = Documents::with_options(self.text.as_bytes(), &self.read, &options);
        let path = shown(self.operation);
        for (doc, document) in documents.enumerate() {
            let document = document.map_err(EditError::invalid)?;
            self.count += 1;
            let is_chosen = match &self.operation.documents {
                None if self.operation.everywhere => self.has_path(&document)?,
                None => doc == self.operation.doc,
                Some(Chosen::Index(index)) => doc as u64 == *index,
                Some(Chosen::All) => true,
                // A filter.
                Some(_) => is_accepted(&document, &path).map_err(EditError::invalid)?,
            };
            if is_chosen {
                self.in_document(doc, &document)?;
            }
        }
        Ok(())
    }

    /// Returns whether the path leads to a node of `document`. If not, notes what it leads to
    /// instead.
    fn has_path(&mut self, document: &Document<'_>) -> Result<bool, EditError> {
        match places(document, &self.operation.path).map_err(EditError::invalid)? {
            Places::Found(all) => Ok(!all.is_empty()),
            Places::None(reached) => {
                self.reached.get_or_insert(reached);
                Ok(false)
            }
        }
    }

    /// Adds operations for the nodes that the path selects in `document`, which has the index
    /// `doc`.
    fn in_document(&mut self, doc: usize, document: &Document<'_>) -> Result<(), EditError> {
        let steps = &self.operation.path;
        let searched = self.searched();
        if searched == 0 && adds(self.operation) {
            self.plain(doc);
            return Ok(());
        }
        let (searched, added) = steps.split_at(searched);
        match places(document, searched).map_err(EditError::invalid)? {
            Places::None(reached) => {
                self.reached.get_or_insert(reached);
            }
            Places::Found(all) => {
                for place in all {
                    let Some(mut path) = place.steps else {
                        let message = "a key on the path is a collection".to_owned();
                        let error = EditError::at(
                            EditErrorKind::KindMismatch,
                            self.text.as_bytes(),
                            place.offset,
                        );
                        return Err(error.with_detail(message));
                    };
                    path.extend_from_slice(added);
                    let operation = self.operation.clone();
                    let everywhere = false;
                    self.found.push(Operation {
                        doc,
                        path,
                        documents: None,
                        everywhere,
                        ..operation
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns the number of steps that must lead to existing nodes. Operations that add missing keys
    /// do so after the last wildcard, but not in a path with `..`, which leads to every node.
    fn searched(&self) -> usize {
        let steps = &self.operation.path;
        match adds(self.operation) && !steps.contains(&Step::Descend) {
            true => steps.iter().rposition(Step::is_wildcard).map_or(0, |last| last + 1),
            false => steps.len(),
        }
    }
}

/// Lowers the index of each moved item by the number of items that earlier operations have moved
/// out of its sequence.
fn shift_moved(all: &mut [Operation]) {
    // The number of items that the operations so far have moved out of the sequence of the last
    // one.
    let mut moved: usize = 0;
    for at in 1..all.len() {
        let (before, after) = all.split_at_mut(at);
        let (Some(last), Some(next)) = (before.last(), after.first_mut()) else { return };
        let is_same = last.doc == next.doc
            && last.path.len() == next.path.len()
            && last.path.split_last().map(|(_, parent)| parent)
                == next.path.split_last().map(|(_, parent)| parent);
        moved = if is_same { moved + 1 } else { 0 };
        if let Some(Step::Index(index)) = next.path.last_mut() {
            *index -= moved as i64;
        }
    }
}

/// Returns whether the filter of documents in `path` accepts `document`. A path without such a
/// filter accepts every document.
fn is_accepted(document: &Document<'_>, path: &Path) -> Result<bool, Error> {
    Ok(!document.root().select(&path.prefix(0))?.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::{Edit, EditErrorKind, Transfer};
    use super::*;

    fn edited(text: &str, operation: &Operation) -> Result<String, EditError> {
        let mut edit = Edit::open(text)?;
        edit.apply(std::slice::from_ref(operation))?;
        Ok(edit.text().to_owned())
    }

    fn at(action: Action, path: &str) -> Operation {
        Operation::at(action, &path.parse().expect("a path"))
    }

    #[test]
    fn a_path_with_several_matches_edits_each_node() {
        let text = "a:\n- {b: 1} # x\n- {b: 2,  c: 3}\n- {d: 4}\n";
        for (operation, expected) in [
            (at(Action::set("0"), "a[*].b"), "a:\n- {b: 0} # x\n- {b: 0,  c: 3}\n- {d: 4, b: 0}\n"),
            (at(Action::set("0"), "..b"), "a:\n- {b: 0} # x\n- {b: 0,  c: 3}\n- {d: 4}\n"),
            (at(Action::set("0"), "a[?c].b"), "a:\n- {b: 1} # x\n- {b: 0,  c: 3}\n- {d: 4}\n"),
            (
                at(Action::set("0"), "a[-2:].b"),
                "a:\n- {b: 1} # x\n- {b: 0,  c: 3}\n- {d: 4, b: 0}\n",
            ),
            (
                at(Action::Append("x".into()), "a[?!d].l"),
                "a:\n- {b: 1, l: [x]} # x\n- {b: 2,  c: 3,  l: [x]}\n- {d: 4}\n",
            ),
            (
                at(Action::Merge("{x: 1}".into()), "a[*].m"),
                "a:\n- {b: 1, m: {x: 1}} # x\n- {b: 2,  c: 3,  m: {x: 1}}\n- {d: 4, m: {x: 1}}\n",
            ),
            (at(Action::Delete, "a[:2]"), "a:\n- {d: 4}\n"),
            (at(Action::Delete, "a[*]"), "a: []\n"),
            (at(Action::Delete, "..[?. >= 2]"), "a:\n- {b: 1} # x\n- {}\n- {}\n"),
            (
                at(Action::Rename("e".into()), "..b"),
                "a:\n- {e: 1} # x\n- {e: 2,  c: 3}\n- {d: 4}\n",
            ),
        ] {
            assert_eq!(edited(text, &operation).expect("an edit"), expected, "{operation:?}");
        }
        let moved = at(Action::Move(Transfer::to(vec![Step::Key("to".into())])), "from[?. > 1]");
        let text = "from: [1, 2, 3, 1, 4]\nto: []\n";
        assert_eq!(
            edited(text, &moved).expect("an edit"),
            "from: [1, 1]\nto:\n  - 2\n  - 3\n  - 4\n"
        );
    }

    #[test]
    fn a_path_selects_documents() {
        let text = "kind: A\nv: 1\n---\nkind: B\nv: 2\n---\nkind: B\n";
        let everywhere = [
            ("v", "kind: A\nv: 0\n---\nkind: B\nv: 0\n---\nkind: B\n"),
            ("@1.v", "kind: A\nv: 1\n---\nkind: B\nv: 0\n---\nkind: B\n"),
            ("[?. == B]", "kind: A\nv: 1\n---\nkind: 0\nv: 2\n---\nkind: 0\n"),
        ];
        for (path, expected) in everywhere {
            let operation = at(Action::set("0"), path);
            let operation = Operation { everywhere: true, ..operation };
            assert_eq!(edited(text, &operation).expect("an edit"), expected, "{path}");
        }
        let added = Operation { everywhere: true, ..at(Action::set("0"), "a.b") };
        assert_eq!(edited("v: 1\n", &added).expect("an edit"), "v: 1\na:\n  b: 0\n");
        let error = edited(text, &added).expect_err("three documents");
        assert!(error.to_string().contains("say which of them gets it with `@0.a.b`"), "{error}");
        for (path, expected) in [
            ("v", "kind: A\nv: 0\n---\nkind: B\nv: 2\n---\nkind: B\n"),
            ("@1.v", "kind: A\nv: 1\n---\nkind: B\nv: 0\n---\nkind: B\n"),
            ("@*.v", "kind: A\nv: 0\n---\nkind: B\nv: 0\n---\nkind: B\nv: 0\n"),
            ("@[?kind == B].v", "kind: A\nv: 1\n---\nkind: B\nv: 0\n---\nkind: B\nv: 0\n"),
            ("@[?v > 1].v", "kind: A\nv: 1\n---\nkind: B\nv: 0\n---\nkind: B\n"),
        ] {
            let operation = at(Action::set("0"), path);
            assert_eq!(edited(text, &operation).expect("an edit"), expected, "{path}");
        }
        for (action, path, expected) in [
            (Action::Append("1".into()), "@*.l", "a: 1\nl:\n  - 1\n---\nl: [0, 1]\n"),
            (Action::Append("1".into()), "@[?a].l", "a: 1\nl:\n  - 1\n---\nl: [0]\n"),
            (Action::Merge("{c: 2}".into()), "@*.m", "a: 1\nm:\n  c: 2\n---\nl: [0]\nm:\n  c: 2\n"),
        ] {
            let added = edited("a: 1\n---\nl: [0]\n", &at(action, path));
            assert_eq!(added.expect("an edit"), expected, "{path}");
        }
        let all = edited(text, &at(Action::Delete, "@*.v")).expect("an edit");
        assert_eq!(all, "kind: A\n---\nkind: B\n---\nkind: B\n");
    }

    #[test]
    fn a_path_without_matches_fails_unless_if_exists_is_set() {
        let text = "a: &x [{b: 1}]\nc: *x\n? [k]\n: {b: 2}\nm: {<<: {b: 3}, b: 4}\n";
        for (path, kind, words) in [
            ("a[?b > 1].b", EditErrorKind::NotFound, "`a` is a sequence of 1 entry"),
            ("..z", EditErrorKind::NotFound, "there is nothing at `..z`"),
            ("@[?z].a", EditErrorKind::NotFound, "does not match any document"),
            ("c[*].b", EditErrorKind::ThroughAlias, "alias"),
            ("*.b", EditErrorKind::KindMismatch, "a key on the path is a collection"),
        ] {
            let error = edited(text, &at(Action::Delete, path)).expect_err(path);
            assert_eq!(error.kind(), kind, "{path}: {error}");
            assert!(error.to_string().contains(words), "{path}: {error}");
        }
        for action in [Action::set("1"), Action::Append("1".into())] {
            let operation = Operation { everywhere: true, ..at(action, "..a[*].z") };
            let error = edited("a: [{b: 1}]\n---\na: 1\n", &operation).expect_err("no z");
            assert!(error.to_string().ends_with("; a path with `..` adds no keys"), "{error}");
        }
        for path in ["a[?b > 1].b", "..z", "@[?z].a", "z", "a.z"] {
            let operation = Operation { if_absent: IfAbsent::Skip, ..at(Action::Delete, path) };
            assert_eq!(edited(text, &operation).expect("no edit"), text, "{path}");
            let operation = Operation { action: Action::set("1"), ..operation };
            assert_eq!(edited(text, &operation).expect("no edit"), text, "{path}");
        }
        // `*` does not match entries that come from a merge key.
        let all = edited("m: {<<: {b: 3}, b: 4}\n", &at(Action::set("5"), "m.*"));
        assert_eq!(all.expect("an edit"), "m: {<<: {b: 3}, b: 5}\n");
        let twice = edited("- {a: 1, a: 2}\n- {a: 3}\n", &at(Action::set("0"), "[*].a"));
        assert_eq!(twice.expect_err("a key twice").kind(), EditErrorKind::DuplicateKey);
    }

    #[test]
    fn a_nul_does_not_select_utf_16_or_utf_32() {
        for text in ["\0?", "?\0", "a\0:\0", "\0\0\0a"] {
            let error = edited(text, &at(Action::set("1"), "a")).expect_err(text);
            assert_eq!(error.kind(), EditErrorKind::Invalid, "{text:?}: {error}");
            let error = edited("a: 1\n", &at(Action::set(text), "a")).expect_err(text);
            assert_eq!(error.kind(), EditErrorKind::Invalid, "{text:?}: {error}");
        }
    }
}

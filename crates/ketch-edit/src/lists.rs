//! Merging a list into another one.

use super::error::{EditError, EditErrorKind};
use super::foreign;
use super::operation::{Lists, Operation};
use super::plan::is_key;
use super::scene::{Place, Scene};
use super::tree::{Shape, Token, Tree};
use super::write::Value;
use ketch_yaml::path::Step;
use std::collections::HashMap;

/// Returns whether the operation merges the sequence `value` into the node `at`, instead of
/// replacing the node.
pub(super) fn takes_items(scene: &Scene, operation: &Operation, at: usize, value: &Value) -> bool {
    let node = &scene.tree.nodes[at];
    let has_tag = value.tag().is_none() || value.tag() == scene.tree.tag(at);
    let are_lists = node.shape == Shape::Sequence && value.shape() == Shape::Sequence;
    let is_mapping = |tree: &Tree, item: &usize| tree.nodes[*item].shape == Shape::Mapping;
    let has_items = match &operation.lists {
        Lists::Replace => false,
        Lists::By(_) => {
            node.children.iter().any(|item| is_mapping(&scene.tree, item))
                || value.children().iter().any(|item| is_mapping(&value.tree, item))
        }
        Lists::Append => true,
    };
    are_lists && has_tag && has_items
}

/// Merges the items of `value` into the sequence `node` at `path`.
pub(super) fn merge_items(
    scene: &mut Scene,
    operation: &Operation,
    path: &[Step],
    (node, value): (usize, &Value),
) -> Result<(), EditError> {
    let same = match &operation.lists {
        Lists::By(key) => same_items(scene, path, (node, value), key)?,
        _ => vec![None; value.children().len()],
    };
    for (&new, old) in value.children().iter().zip(same) {
        let part = value.part(new);
        if let Some(old) = old {
            let path = [path, &[Step::Index(old as i64)]].concat();
            scene.merge(operation, &path, &part, false)?;
            continue;
        }
        let parent = scene.existing(operation, path)?;
        let parent = scene.followed(operation, parent)?;
        scene.insert_entry(parent, None, &part, None)?;
        let place = Place { parents: path.to_vec(), key: None };
        foreign::bring(scene, operation, (&place, None), &part)?;
    }
    Ok(())
}

/// Returns, for each item of `value`, the index of the item of the sequence `node` with the same
/// value of `key`.
fn same_items(
    scene: &Scene,
    path: &[Step],
    (node, value): (usize, &Value),
    key: &str,
) -> Result<Vec<Option<usize>>, EditError> {
    let list = match path.last() {
        Some(Step::Name(name) | Step::Key(name)) => format!("`{name}`"),
        _ => "the list".to_owned(),
    };
    let old = &scene.tree.nodes[node].children;
    let old = named(&scene.tree, old, key).map_err(|wrong| {
        let at = scene.tree.nodes[old[wrong.item]].start;
        scene.refuse(wrong.kind(), at).with_detail(wrong.message(&list, key))
    })?;
    let new = named(&value.tree, value.children(), key).map_err(|wrong| {
        let message = wrong.message(&format!("{list} in the value"), key);
        EditError::plain(wrong.kind()).in_value().with_detail(message)
    })?;
    let mut same = vec![None; value.children().len()];
    for (name, at) in new {
        same[at] = old.get(name).copied();
    }
    Ok(same)
}

/// An item of a sequence that no value of the key identifies.
struct Unclear {
    item: usize,
    /// The earlier item with the same value; `None` if the item lacks the key.
    earlier: Option<usize>,
}

impl Unclear {
    fn kind(&self) -> EditErrorKind {
        match self.earlier {
            Some(_) => EditErrorKind::DuplicateKey,
            None => EditErrorKind::KindMismatch,
        }
    }

    fn message(&self, list: &str, key: &str) -> String {
        match self.earlier {
            Some(earlier) => {
                format!("items {earlier} and {} of {list} have the same `{key}`", self.item)
            }
            None => format!("item {} of {list} has no key `{key}`", self.item),
        }
    }
}

/// Returns the index of each of `items` by its value of `key`.
fn named<'t>(
    tree: &'t Tree,
    items: &[usize],
    key: &str,
) -> Result<HashMap<&'t [Token], usize>, Unclear> {
    let step = Step::Name(key.to_owned());
    let mut all = HashMap::new();
    for (item, &node) in items.iter().enumerate() {
        let Some(name) = name_of(tree, node, &step) else {
            return Err(Unclear { item, earlier: None });
        };
        if let Some(earlier) = all.insert(name, item) {
            return Err(Unclear { item, earlier: Some(earlier) });
        }
    }
    Ok(all)
}

/// Returns the content of the value of the key `step` in the node `item`, if it is a mapping with
/// this key.
pub(super) fn name_of<'t>(tree: &'t Tree, item: usize, step: &Step) -> Option<&'t [Token]> {
    let node = &tree.nodes[item];
    let mut pairs = node.children.chunks_exact(2).filter(|_| node.shape == Shape::Mapping);
    pairs.find(|pair| is_key(tree.content(pair[0]), step)).map(|pair| tree.content(pair[1]))
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Edit, EditError, NewValue, Spelling};
    use super::*;

    fn merged(text: &str, value: &str, lists: &str) -> Result<String, EditError> {
        let value = NewValue { spelling: Spelling::Whole, ..value.into() };
        let lists = lists.parse().expect("a way to merge lists");
        let root = Operation { lists, ..Operation::new(Action::Merge(value), &[]) };
        let mut texts = Vec::new();
        for is_whole in [false, true] {
            let mut edit = Edit::open(text)?;
            if is_whole {
                edit = edit.checking_whole();
            }
            edit.apply(std::slice::from_ref(&root))?;
            texts.push(edit.text().to_owned());
        }
        assert_eq!(texts[0], texts[1]);
        Ok(texts.remove(0))
    }

    const PODS: &str = "# head\npods:\n- name: web # one\n  image:  'a:1'\n\n# the database\n- {name: db,  ports: [1,  2]}\n";

    #[test]
    fn lists_are_replaced_appended_or_merged_by_a_key() {
        let value = "pods:\n- name: db # new\n  ports: [3]\n- name: web\n  image: a:2\n# last\n- name: log # third\n";
        assert_eq!(
            merged(PODS, value, "by=name").expect("an edit"),
            PODS.replace("[1,  2]", "[3]").replace("'a:1'", "a:2")
                + "\n# last\n- name: log # third\n"
        );
        assert_eq!(
            merged(PODS, "pods: [{name: x}]\n", "append").expect("an edit"),
            format!("{PODS}\n- name: x\n")
        );
        assert_eq!(
            merged("a: [1,  2] # c\n", "a: [2, 3]\nb: [1]\n", "append").expect("an edit"),
            "a: [1,  2,  2,  3] # c\nb: [1]\n"
        );
        assert_eq!(
            merged("a: [1,  2] # c\n", "a: [2, 3]\n", "replace").expect("an edit"),
            "a: [2,  3] # c\n"
        );
        // Numbers and text are different names, and nested lists are merged as well.
        assert_eq!(
            merged(
                "- id: 1\n  in: [{id: x, a: 1}]\n- id: '1'\n",
                "[{id: '1', b: 2}, {id: 1, in: [{id: x, c: 3}, {id: y}]}]",
                "by=id"
            )
            .expect("an edit"),
            "- id: 1\n  in: [{id: x, a: 1, c: 3}, {id: y}]\n- id: '1'\n  b: 2\n"
        );
        for (text, value) in [("a: []\n", "a: [{id: 1}]"), ("a:\n", "a: [{id: 1}]")] {
            let new = merged(text, value, "by=id").expect("an edit");
            assert_eq!(new, "a:\n  - id: 1\n", "{text}");
        }
        assert_eq!(merged("a: [{id: 1}]\n", "a: []", "by=id").expect("an edit"), "a: [{id: 1}]\n");
    }

    #[test]
    fn items_without_a_name_of_their_own_are_refused() {
        let list = "a:\n- id: 1\n- id: 2\n";
        for (text, value, kind, message) in [
            (
                "a:\n- id: 1\n- x: 2\n",
                "a: [{id: 3}]",
                EditErrorKind::KindMismatch,
                "item 1 of `a` has no key `id`",
            ),
            (
                "a: [{id: 1}, 7]\n",
                "a: [{id: 3}]",
                EditErrorKind::KindMismatch,
                "item 1 of `a` has no key `id`",
            ),
            (
                "a: [{id: 1}, {id: 1}]\n",
                "a: [{id: 3}]",
                EditErrorKind::DuplicateKey,
                "items 0 and 1 of `a` have the same `id`",
            ),
            (
                list,
                "a: [{id: 3}, {}]",
                EditErrorKind::KindMismatch,
                "item 1 of `a` in the value has no key `id`",
            ),
            (
                list,
                "a: [{id: 3}, {id: 3}]",
                EditErrorKind::DuplicateKey,
                "items 0 and 1 of `a` in the value have the same `id`",
            ),
        ] {
            let error = merged(text, value, "by=id").expect_err(text);
            assert_eq!((error.kind(), error.message()), (kind, message));
            assert_eq!(error.location().is_some(), !error.is_in_value(), "{text}");
        }
        for (text, lists, message) in [
            ("[1]\n", "by=id", "by a key, only lists with mappings merge"),
            ("a: 1\n", "by=id", "by a key, only lists with mappings merge"),
            ("a: 1\n", "append", "a list can be merged only into a list"),
        ] {
            let error = merged(text, "[2]", lists).expect_err(text);
            assert!(error.message().contains(message), "{error}");
        }
        let error = merged("a:\n- id: 1\n- x: 2\n", "a: [{id: 3}]", "by=id").expect_err("no id");
        assert_eq!(error.location().map(|location| location.line), Some(3));
        for wrong in ["", "by", "by=", "merge", "name"] {
            assert!(wrong.parse::<Lists>().is_err(), "{wrong}");
        }
    }
}

//! Values that come from other files: their comments, styles and anchors come along.

use super::error::EditError;
use super::lines::{block_start, entries, line_start, owned_end, starts_line};
use super::operation::{Operation, Spelling};
use super::pieces::{Patch, apply_patches};
use super::plan::{Found, step_of};
use super::scene::{Place, Scene};
use super::tree::{Shape, Token, Tree};
use super::write::{Traits, Value};
use super::{anchors, key_nodes, transfer};
use ketch_yaml::path::Step;
use std::ops::Range;

impl Value {
    /// Parses `source`, the text of a file. The value is an entry of a mapping in the source that
    /// the value gets, so that all comments in it belong to entries.
    pub fn of_file(source: &str) -> Result<Value, EditError> {
        let plain = Value::with_anchors(source)?;
        let traits = Traits {
            styles: true,
            tags: plain.traits.tags,
            anchors: true,
            spelling: Spelling::Whole,
        };
        let plain = Value { traits, ..plain };
        let wrapped = wrapped(&plain);
        let entry = Tree::parse(wrapped.as_bytes()).ok().and_then(|tree| {
            let holder = tree.docs.first().and_then(|doc| doc.root)?;
            let root = *tree.nodes[holder].children.get(1)?;
            (tree.whole(root) == plain.tree.whole(plain.root)).then_some((tree, root))
        });
        Ok(match entry {
            Some((tree, root)) => Value { source: wrapped, tree, root, traits },
            None => plain,
        })
    }
}

/// Returns a mapping as text whose only value is `value`, with the comments around its entries.
fn wrapped(value: &Value) -> String {
    let (text, node) = (&value.source, &value.tree.nodes[value.root]);
    let end = value.tree.docs.first().map_or(text.len(), |doc| doc.end).max(node.end);
    let is_block = !node.is_flow && !node.children.is_empty();
    // Directives and the marker of the document are left out.
    let is_outside = |line: &&str| line.starts_with("---") || line.starts_with('%');
    let marker = text[..node.start].split_inclusive('\n').rfind(is_outside);
    let after =
        marker.map_or(0, |line| line.as_ptr() as usize - text.as_ptr() as usize + line.len());
    let start = if is_block { after.min(node.start) } else { node.start };
    let lines = text[start..end].trim_end_matches('\n').split('\n').map(|line| {
        match line.trim().is_empty() {
            true => line.to_owned(),
            false => format!("  {line}"),
        }
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    match is_block {
        true => format!("v:\n{lines}\n"),
        false => format!("v: {}\n", lines.trim_start_matches(' ')),
    }
}

/// Writes the entry of `value` at `place` again as it is in the text that `value` comes from,
/// with its comments. `at` is its index in a sequence, or `None` if it is the last one.
pub(super) fn bring(
    scene: &mut Scene,
    operation: &Operation,
    (place, at): (&Place, Option<usize>),
    value: &Value,
) -> Result<(), EditError> {
    if value.traits.spelling != Spelling::Whole || scene.habits().is_json {
        return Ok(());
    }
    let foreign = match scene.foreign.take().filter(|scene| scene.text == value.source) {
        Some(foreign) => foreign,
        None => Box::new(Scene::new(value.source.clone(), scene.interrupt)?),
    };
    let lifted = transfer::lift_node(&foreign, value.root, true);
    scene.foreign = Some(foreign);
    match lifted {
        Ok(lifted) => transfer::restore_entry(scene, operation, place, at, &lifted),
        // The value is no entry of its text.
        Err(_) => Ok(()),
    }
}

/// Writes the block collection `at` again as it is in the text that the equal `value` comes
/// from, with the comments in it.
pub(super) fn bring_lines(scene: &mut Scene, at: usize, value: &Value) {
    let node = &value.tree.nodes[value.root];
    let is_block = !node.is_flow && !node.children.is_empty();
    if value.traits.spelling != Spelling::Whole || !is_block || scene.is_in_flow(at) {
        return;
    }
    let text = value.source.as_bytes();
    let all = entries(text, &value.tree, value.root);
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return };
    let column = node.content - line_start(text, node.content);
    let start = match starts_line(text, first.start) {
        true => block_start(text, first.start) + column,
        false => node.content,
    };
    let lines = &value.source[start..owned_end(text, &value.tree, last)];
    anchors::restore_lines(scene, at, lines.trim_end_matches(['\n', '\r']), column);
}

/// Returns `value`, which is merged into the node at `path`, with names of anchors that the
/// text does not have yet. An anchor of a node that is merged with one of the text becomes that
/// of the text's node.
pub(super) fn settle_anchors(
    scene: &mut Scene,
    operation: &Operation,
    path: &[Step],
    mut value: Value,
) -> Result<Value, EditError> {
    for at in value.root..value.tree.nodes.len() {
        let Some(name) = value.anchor(at) else { continue };
        let own = match value.steps_to(at) {
            Some(steps) => match scene.find(operation, &[path, &steps].concat())? {
                Found::Node(node) => Some((scene.followed(operation, node)?, steps)),
                Found::Missing { .. } => None,
            },
            None => None,
        };
        let is_taken = key_nodes::anchored(scene).contains_key(name.as_str());
        let new = match &own {
            Some((node, _)) => scene.anchor_of(*node).map(str::to_owned),
            None => None,
        };
        let new =
            new.unwrap_or_else(|| if is_taken { free_name(scene, &name) } else { name.clone() });
        if let Some((node, steps)) = &own
            && scene.anchor_of(*node).is_none()
        {
            let path = [path, steps].concat();
            let found = Operation::to_find(operation.doc, &path);
            anchors::anchor(scene, &found, Some(&new))?;
        }
        value = value.renamed(at, &name, &new, own.is_some())?;
    }
    Ok(value)
}

/// Returns a name like `name` that no anchor in the text has.
fn free_name(scene: &Scene, name: &str) -> String {
    let taken = key_nodes::anchored(scene);
    let mut names = (2..).map(|number| format!("{name}{number}"));
    names.find(|name| !taken.contains_key(name.as_str())).unwrap_or_default()
}

impl Value {
    /// Returns the name of the anchor of the node `at`.
    fn anchor(&self, at: usize) -> Option<String> {
        let range = self.tree.nodes[at].anchor.clone()?;
        Some(self.source[range.start + 1..range.end].to_owned())
    }

    /// Returns the keys that lead from the root to the node `at`; `None` if the node is a key, or
    /// in a sequence.
    fn steps_to(&self, mut at: usize) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        while at != self.root {
            let parent = self.tree.nodes[at].parent?;
            let outer = &self.tree.nodes[parent];
            let index = outer.children.iter().position(|&child| child == at)?;
            if outer.shape != Shape::Mapping || index % 2 == 0 {
                return None;
            }
            steps.push(step_of(self.tree.content(outer.children[index - 1]))?);
            at = parent;
        }
        steps.reverse();
        Some(steps)
    }

    /// Returns the value with the new name `new` for the anchor `name` of the node `at`, also in
    /// the aliases that refer to it. If `is_dropped` is set, only the aliases stay.
    fn renamed(
        &self,
        at: usize,
        name: &str,
        new: &str,
        is_dropped: bool,
    ) -> Result<Value, EditError> {
        let mut patches = Vec::new();
        let nodes = &self.tree.nodes;
        let of = |range: &Range<usize>| range.start + 1..range.end;
        if let Some(range) = &nodes[at].anchor {
            let blank = self.source[range.end..].starts_with(' ');
            patches.push(match is_dropped {
                true => {
                    Patch { at: range.start..range.end + usize::from(blank), new: String::new() }
                }
                false => Patch { at: of(range), new: new.to_owned() },
            });
        }
        for (later, node) in nodes.iter().enumerate().skip(at + 1) {
            if self.anchor(later).as_deref() == Some(name) {
                break;
            }
            if self.tree.content(later) == [Token::Alias(name.to_owned())]
                && node.shape == Shape::Alias
            {
                patches.push(Patch { at: of(&(node.content..node.end)), new: new.to_owned() });
            }
        }
        let source = apply_patches(&self.source, &patches);
        let tree = Tree::parse(source.as_bytes())?;
        Ok(Value { source, tree, ..self.clone() })
    }
}

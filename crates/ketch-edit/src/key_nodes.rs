//! The keys of a mapping, with aliases resolved.

use super::scene::Scene;
use super::tree::Token;
use std::collections::HashMap;

/// Returns the keys of `mapping`, each with its content. For an alias, this is the content of
/// the node that it refers to. It is an error, with the key, if that node is outside the window
/// and not known.
pub(super) fn keys(scene: &Scene, mapping: usize) -> Result<Vec<(usize, &[Token])>, usize> {
    let children = &scene.tree.nodes[mapping].children;
    let mut anchors: Option<HashMap<&str, Vec<usize>>> = None;
    let mut found = Vec::with_capacity(children.len() / 2);
    for &key in children.iter().step_by(2) {
        let content = match scene.tree.content(key) {
            [Token::Alias(name)] => {
                let anchors = anchors.get_or_insert_with(|| anchored(scene));
                let known = anchors.get(name.as_str()).and_then(|nodes| {
                    let count = nodes.partition_point(|&node| node < key);
                    nodes[..count].last()
                });
                let outside = scene.anchored.as_ref().and_then(|all| all.scalar(name));
                match known {
                    Some(&node) => scene.tree.content(node),
                    None => outside.map(std::slice::from_ref).ok_or(key)?,
                }
            }
            content => content,
        };
        found.push((key, content));
    }
    Ok(found)
}

/// Returns, for each anchor, the nodes that have it, in document order.
pub(super) fn anchored(scene: &Scene) -> HashMap<&str, Vec<usize>> {
    let mut found: HashMap<&str, Vec<usize>> = HashMap::new();
    for node in 0..scene.tree.nodes.len() {
        if let Some(name) = scene.anchor_of(node) {
            found.entry(name).or_default().push(node);
        }
    }
    found
}

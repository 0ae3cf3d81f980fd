//! The keys of a mapping, with aliases resolved.

use super::scene::Scene;
use super::tree::Token;
use std::collections::HashMap;

impl Scene {
    /// Returns the keys of `mapping`, each with its content. For an alias, this is the content of
    /// the node that it refers to. It is an error, with the key, if that node is outside the window
    /// and not known.
    pub(super) fn keys(&self, mapping: usize) -> Result<Vec<(usize, &[Token])>, usize> {
        let children = &self.tree.nodes[mapping].children;
        let mut anchors: Option<HashMap<&str, Vec<usize>>> = None;
        let mut found = Vec::with_capacity(children.len() / 2);
        for &key in children.iter().step_by(2) {
            let content = match self.tree.content(key) {
                [Token::Alias(name)] => {
                    let anchors = anchors.get_or_insert_with(|| self.anchors());
                    let known = anchors.get(name.as_str()).and_then(|nodes| {
                        let count = nodes.partition_point(|&node| node < key);
                        nodes[..count].last()
                    });
                    let outside = self.anchored.as_ref().and_then(|all| all.scalar(name));
                    match known {
                        Some(&node) => self.tree.content(node),
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
    pub(super) fn anchors(&self) -> HashMap<&str, Vec<usize>> {
        let mut found: HashMap<&str, Vec<usize>> = HashMap::new();
        for node in 0..self.tree.nodes.len() {
            if let Some(name) = self.anchor_of(node) {
                found.entry(name).or_default().push(node);
            }
        }
        found
    }
}

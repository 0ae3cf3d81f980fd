//! What aliases make of a document: its value has what they refer to in each of their places.

use ketch_yaml::compose::internal::expanded_sizes;
use ketch_yaml::compose::{ExpandOptions, Kind, Node};
use ketch_yaml::{Document, Error, Limits};

/// Checks that the value of a document has an end, and is not far larger than the document. Programs walk through values,
/// compare and copy them, so it is not enough to check what is written. Returns the number of nodes that the value has
/// more than the document.
///
/// # Errors
///
/// Returns the error of a walk through the document: an alias is inside its own target, or aliases stand for more nodes
/// than [`Limits::max_alias_nodes`] allows.
pub fn check_aliases(document: &Document<'_>, limits: &Limits) -> Result<u64, Error> {
    if !document.has_aliases() {
        return Ok(0);
    }
    let sizes = expanded_sizes(document);
    let is_cycle = |alias: &Node<'_>| sizes[alias.id().index()] == 0;
    let size = sizes.first().copied().unwrap_or_default();
    let more = size.saturating_sub(document.node_count() as u64);
    let mut aliases = document.nodes().filter(|node| node.kind() == Kind::Alias);
    let start = match aliases.find(is_cycle) {
        Some(alias) => alias,
        None if size > limits.max_alias_nodes.at(document.text().len() as u64) => document.root(),
        None => return Ok(more),
    };
    let mut options = ExpandOptions::of(document);
    options.limits = *limits;
    start.expanded_with(&options).find_map(Result::err).map_or(Ok(more), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::{Budget, Documents, Problem};

    fn checked(text: &str, max: u64) -> Result<u64, (Problem, u64)> {
        let document = Documents::new(text.as_bytes()).next().unwrap().unwrap();
        let limits = Limits { max_alias_nodes: Budget::fixed(max), ..Limits::default() };
        let shown = |error: Error| (error.problem(), error.location().column);
        check_aliases(&document, &limits).map_err(shown)
    }

    #[test]
    fn aliases_stand_for_a_number_of_nodes() {
        let text = "[&a [1, 2], &b [*a, *a], *b]";
        assert_eq!(checked(text, 13), Ok(10));
        assert_eq!(checked(text, 12), Err((Problem::TooManyAliasNodes(12), 9)));
        assert_eq!(checked("[1, 2, 3]", 0), Ok(0));
    }

    #[test]
    fn a_node_in_itself_is_found_at_once() {
        let list = |at: u8| {
            let items = format!("*{}, ", (b'a' + at - 1) as char).repeat(9);
            format!("&{} [{items}], ", (b'a' + at) as char)
        };
        let lists: String = (1..20).map(list).collect();
        let text = format!("[&a [1], {lists}&z [*z]]");
        let column = text.len() as u64 - 3;
        assert_eq!(checked(&text, u64::MAX), Err((Problem::AliasCycle, column)));
    }
}

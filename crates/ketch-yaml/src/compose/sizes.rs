//! The sizes of subtrees with aliases expanded.

use super::document::Document;

/// Returns the size of the subtree of each node of `document`: the number of its nodes with aliases
/// expanded, or zero if it has an alias that is inside its own target.
pub fn expanded_sizes(document: &Document<'_>) -> Vec<u64> {
    struct Sum {
        at: usize,
        end: usize,
        size: Option<u64>,
    }
    /// Ends the innermost of the `open` subtrees, stores its size in `sizes`, and adds it to the
    /// size of the subtree around it.
    fn close(open: &mut Vec<Sum>, sizes: &mut [u64]) {
        let Some(Sum { at, size, .. }) = open.pop() else { return };
        sizes[at] = size.unwrap_or(0);
        if let Some(outer) = open.last_mut() {
            outer.size = outer.size.zip(size).map(|(sum, size)| sum.saturating_add(size));
        }
    }
    let mut sizes = vec![0; document.node_count()];
    let mut open: Vec<Sum> = Vec::new();
    for node in document.nodes() {
        let at = node.id().index();
        while open.last().is_some_and(|sum| sum.end <= at) {
            close(&mut open, &mut sizes);
        }
        // The size of an open collection is still zero, so an alias to it has none.
        let size = match node.target() {
            Some(target) => Some(sizes[target.id().index()]).filter(|&size| size > 0),
            None => Some(1),
        };
        open.push(Sum { at, end: node.subtree().end, size });
    }
    while !open.is_empty() {
        close(&mut open, &mut sizes);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Documents;

    #[test]
    fn an_alias_counts_as_its_target() {
        let text = b"- &a [1, 2]\n- &b [*a, *a]\n- &c [*c]\n";
        let document = Documents::new(text).next().unwrap().unwrap();
        let sizes = expanded_sizes(&document);
        let items: Vec<_> = document.root().items().map(|item| sizes[item.id().index()]).collect();
        // The third item contains an alias to itself, so neither it nor the root has a size.
        assert_eq!(items, [3, 7, 0]);
        assert_eq!(sizes[0], 0);
    }
}

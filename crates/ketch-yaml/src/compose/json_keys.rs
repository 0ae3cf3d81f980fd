//! Keys that differ in YAML but not in JSON, where all keys are strings: `1` and `"1"`.

use super::node::NodeId;

/// A stack of the open mappings that have been checked, with their depths.
#[derive(Debug, Default)]
pub(super) struct Checked(Vec<(usize, NodeId)>);

impl Checked {
    /// Clears the state of the last document.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Marks `mapping` at `depth` as checked. Returns false if it was marked before, or is `None`.
    pub(super) fn is_new(&mut self, mapping: Option<NodeId>, depth: usize) -> bool {
        let Some(mapping) = mapping else { return false };
        while self.0.last().is_some_and(|&(other, _)| other > depth) {
            self.0.pop();
        }
        match self.0.last_mut() {
            Some(top) if *top == (depth, mapping) => false,
            Some(top) if top.0 == depth => {
                top.1 = mapping;
                true
            }
            _ => {
                self.0.push((depth, mapping));
                true
            }
        }
    }
}

/// Finds the first key that repeats an earlier one, and returns the indices of both, the earlier
/// one first. Returns `None` if all keys are different. The keys are the parts of `texts` that end
/// at `ends`. Empty parts are not keys.
pub(super) fn first_duplicate(texts: &[u8], ends: &[usize]) -> Option<(usize, usize)> {
    let start = |index: usize| if index == 0 { 0 } else { ends[index - 1] };
    let text = |index: usize| &texts[start(index)..ends[index]];
    let mut order: Vec<usize> = (0..ends.len()).filter(|&it| !text(it).is_empty()).collect();
    order.sort_unstable_by(|&a, &b| text(a).cmp(text(b)).then(a.cmp(&b)));
    let pairs = order.windows(2).filter(|pair| text(pair[0]) == text(pair[1]));
    pairs.map(|pair| (pair[0], pair[1])).min_by_key(|&(_, second)| second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_duplicate_key_is_found() {
        assert_eq!(first_duplicate(b"abcba", &[1, 2, 3, 4, 5]), Some((1, 3)));
        assert_eq!(first_duplicate(b"ab", &[1, 1, 1, 2]), None);
        assert_eq!(first_duplicate(b"", &[]), None);
    }

    #[test]
    fn keys_of_closed_mappings_are_forgotten() {
        let [a, b, c] = [1, 2, 3].map(NodeId::from);
        let mut checked = Checked::default();
        assert!(checked.is_new(Some(a), 1));
        assert!(!checked.is_new(Some(a), 1));
        assert!(checked.is_new(Some(b), 2));
        assert!(checked.is_new(Some(c), 2));
        assert!(!checked.is_new(Some(a), 1));
        assert!(checked.is_new(Some(c), 2));
    }
}

//! A total order of values, without recursion.
//!
//! Values of different kinds have the order of [`Value`]'s variants. Two mappings are compared pair
//! by pair, in the order of their keys, because the order in which their pairs are stored makes no
//! difference. To compare two collections, each is first copied into a [`Layout`] whose pairs are
//! sorted. Then both layouts are walked in parallel.

use super::walk::{Step, Walk};
use super::{Number, Value};
use std::cmp::Ordering;

/// The kinds have this order: null, booleans, numbers, strings, bytes, timestamps, sequences,
/// mappings, tagged values. Numbers are ordered by value; an integer precedes the float with the
/// same value, and NaN is the greatest number. Text is ordered by code points, sequences by their
/// first difference, and mappings by their first difference after their pairs have been sorted by
/// key. If one sequence or mapping is the start of another, it is the lesser one.
///
/// Comparing two collections takes one pass over both, in addition to sorting the pairs of
/// mappings.
///
/// ```
/// use ketch::Value;
///
/// let mut values: Value = ketch::from_str("[b, 2, 1.5, {x: 1}, a, [1], ~]").unwrap();
/// let values = values.as_sequence_mut().unwrap();
/// values.sort();
/// let expected: Value = ketch::from_str("[~, 1.5, 2, a, b, [1], {x: 1}]").unwrap();
/// assert_eq!(values, expected.as_sequence().unwrap());
/// ```
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        if rank(self) != rank(other) || rank(self) < SEQUENCE {
            return compare_alone(self, other);
        }
        let (a, b) = (Layout::new(self), Layout::new(other));
        compare(Sorted::new(&a, a.root()), Sorted::new(&b, b.root()))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Numbers have the same order as in [`Value`].
impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        use super::number::N::{Big, Float, Int};
        match (&self.0, &other.0) {
            (Int(a), Int(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            (Int(_), Big(b)) => 0.cmp(&signum(b)),
            (Big(a), Int(_)) => signum(a).cmp(&0),
            (Float(a), Float(b)) => compare_floats(*a, *b),
            (_, Float(b)) => compare_with_float(self, *b),
            (Float(a), _) => compare_with_float(other, *a).reverse(),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the sign of `integer`, which must not be zero.
fn signum(integer: &num_bigint::BigInt) -> i32 {
    if integer.sign() == num_bigint::Sign::Minus { -1 } else { 1 }
}

/// Compares `a` and `b` as `f64::total_cmp` does, except that all NaNs are equal and greater than
/// other floats.
fn compare_floats(a: f64, b: f64) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (false, false) => a.total_cmp(&b),
        (a, b) => a.cmp(&b),
    }
}

/// Compares an integer with a float by their exact values.
fn compare_with_float(integer: &Number, float: f64) -> Ordering {
    if float.is_nan() || float == f64::INFINITY {
        return Ordering::Less;
    }
    if float == f64::NEG_INFINITY {
        return Ordering::Greater;
    }
    let whole = num_traits::FromPrimitive::from_f64(float.trunc()).unwrap_or_default();
    let integer = integer.to_big_int().unwrap_or_default();
    // The integral parts are equal, so an integer is greater only than a float with a negative
    // fraction. Otherwise, it precedes the float.
    integer.cmp(&whole).then(match float.fract() < 0.0 {
        true => Ordering::Greater,
        false => Ordering::Less,
    })
}

/// The ranks of the kinds of values that can contain other values.
const SEQUENCE: u8 = 6;
const MAPPING: u8 = 7;
const TAGGED: u8 = 8;

/// Returns the rank of the kind of `value` in the order.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Bytes(_) => 4,
        Value::Timestamp(_) => 5,
        Value::Sequence(_) => SEQUENCE,
        Value::Mapping(_) => MAPPING,
        Value::Tagged(_) => TAGGED,
    }
}

/// Compares two values, which must be of different kinds or of a kind that contains no other
/// values.
fn compare_alone(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => (**a).cmp(&**b),
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Timestamp(a), Value::Timestamp(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// A copy of a value in which the pairs of all mappings are sorted by key.
struct Layout<'v> {
    nodes: Vec<Node<'v>>,
    /// The children of all nodes, as indices in `nodes`. The children of a mapping are keys and
    /// values, which alternate.
    children: Vec<u32>,
}

/// A value in a layout. The nodes of the values that it contains have lower indices.
struct Node<'v> {
    head: Head<'v>,
    /// The index in [`Layout::children`] of the node's first child. `end` is the index after its
    /// last one.
    first: u32,
    end: u32,
}

#[derive(Clone, Copy)]
enum Head<'v> {
    Leaf(&'v Value),
    Sequence,
    Mapping,
    Tag(&'v str),
}

impl<'v> Layout<'v> {
    /// Creates a layout from `value`.
    fn new(value: &'v Value) -> Layout<'v> {
        let mut layout = Layout { nodes: Vec::new(), children: Vec::new() };
        // `pending` has the nodes whose parent is not complete yet. For each open collection,
        // `open` has the index in `pending` of its first child.
        let mut pending: Vec<u32> = Vec::new();
        let mut open: Vec<(Head<'v>, usize)> = Vec::new();
        for step in Walk::new(value) {
            match step {
                Step::Leaf(leaf) => pending.push(layout.node(Head::Leaf(leaf), &[])),
                Step::Tag(tag) => {
                    open.push((Head::Tag(tag.as_str()), pending.len()));
                    continue;
                }
                Step::Sequence(_) => {
                    open.push((Head::Sequence, pending.len()));
                    continue;
                }
                Step::Mapping(_) => {
                    open.push((Head::Mapping, pending.len()));
                    continue;
                }
                Step::SequenceEnd | Step::MappingEnd => layout.close(&mut open, &mut pending),
            }
            // A tag ends together with its value.
            while matches!(open.last(), Some((Head::Tag(_), _))) {
                layout.close(&mut open, &mut pending);
            }
        }
        layout
    }

    /// Returns the index of the node of the whole value, which is the last one.
    fn root(&self) -> u32 {
        self.nodes.len().saturating_sub(1) as u32
    }

    /// Adds a node whose children have been added before, and returns its index.
    fn node(&mut self, head: Head<'v>, children: &[u32]) -> u32 {
        let first = self.children.len() as u32;
        self.children.extend_from_slice(children);
        self.nodes.push(Node { head, first, end: self.children.len() as u32 });
        self.root()
    }

    /// Completes the innermost open collection or tag, and adds its node.
    fn close(&mut self, open: &mut Vec<(Head<'v>, usize)>, pending: &mut Vec<u32>) {
        let Some((head, start)) = open.pop() else { return };
        if matches!(head, Head::Mapping) {
            self.sort(&mut pending[start..]);
        }
        let node = self.node(head, &pending[start..]);
        pending.truncate(start);
        pending.push(node);
    }

    /// Sorts `pairs`, in which keys and values alternate, by the keys.
    fn sort(&self, pairs: &mut [u32]) {
        let mut sorted: Vec<[u32; 2]> = pairs.as_chunks().0.to_vec();
        sorted.sort_by(|a, b| match (self.head(a[0]), self.head(b[0])) {
            (Head::Leaf(a), Head::Leaf(b)) => compare_alone(a, b),
            _ => compare(Sorted::new(self, a[0]), Sorted::new(self, b[0])),
        });
        pairs.copy_from_slice(sorted.as_flattened());
    }

    /// Returns what kind of node `node` is, with its value if it is a leaf.
    fn head(&self, node: u32) -> Head<'v> {
        self.nodes[node as usize].head
    }
}

/// A walk over a node of a layout and everything in it.
struct Sorted<'l, 'v> {
    layout: &'l Layout<'v>,
    next: Option<u32>,
    /// The remaining children of each open node, as a range of indices in [`Layout::children`].
    open: Vec<(u32, u32)>,
}

/// A step of the walk [`Sorted`].
enum SortedStep<'v> {
    Head(Head<'v>),
    End,
}

impl<'l, 'v> Sorted<'l, 'v> {
    /// Starts a walk at `node`.
    fn new(layout: &'l Layout<'v>, node: u32) -> Self {
        Sorted { layout, next: Some(node), open: Vec::new() }
    }
}

impl<'v> Iterator for Sorted<'_, 'v> {
    type Item = SortedStep<'v>;

    fn next(&mut self) -> Option<SortedStep<'v>> {
        let node = match self.next.take() {
            Some(node) => node,
            None => {
                let (first, end) = self.open.last_mut()?;
                if first == end {
                    self.open.pop();
                    return Some(SortedStep::End);
                }
                *first += 1;
                self.layout.children[*first as usize - 1]
            }
        };
        let Node { head, first, end } = self.layout.nodes[node as usize];
        if !matches!(head, Head::Leaf(_)) {
            self.open.push((first, end));
        }
        Some(SortedStep::Head(head))
    }
}

/// Compares the steps of two walks up to the first difference.
fn compare(a: Sorted<'_, '_>, b: Sorted<'_, '_>) -> Ordering {
    let differ = |(a, b)| match (a, b) {
        (SortedStep::End, SortedStep::End) => Ordering::Equal,
        (SortedStep::End, SortedStep::Head(_)) => Ordering::Less,
        (SortedStep::Head(_), SortedStep::End) => Ordering::Greater,
        (SortedStep::Head(a), SortedStep::Head(b)) => match (a, b) {
            (Head::Leaf(a), Head::Leaf(b)) => compare_alone(a, b),
            (Head::Tag(a), Head::Tag(b)) => a.cmp(b),
            _ => head_rank(a).cmp(&head_rank(b)),
        },
    };
    a.zip(b).map(differ).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Returns the rank of the kind of a node in the order.
fn head_rank(head: Head<'_>) -> u8 {
    match head {
        Head::Leaf(leaf) => rank(leaf),
        Head::Sequence => SEQUENCE,
        Head::Mapping => MAPPING,
        Head::Tag(_) => TAGGED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::tests::any_value;
    use proptest::prelude::*;

    fn value(text: &str) -> Value {
        crate::from_str(text).unwrap()
    }

    #[test]
    fn values_are_ordered_by_kind_and_then_by_value() {
        let in_order = [
            "~",
            "false",
            "true",
            "-.inf",
            "-1e30",
            "-9223372036854775809",
            "-9223372036854775808",
            "-1.5",
            "-1",
            "-0.5",
            "0",
            "-0.0",
            "0.0",
            "0.5",
            "9007199254740992",
            "9007199254740992.0",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "1e30",
            ".inf",
            ".nan",
            "''",
            "a",
            "aa",
            "é",
            "!!binary YQ==",
            "[]",
            "[~, 9]",
            "[1]",
            "[1, 1]",
            "[2]",
            "[[]]",
            "{}",
            "{a: 1, b: 1}",
            "{b: 0, a: 2}",
            "{a: [1]}",
            "{b: 0}",
            "{? {x: 1} : 0}",
            "{? {y: 0, x: 1} : 0}",
            "!a [2]",
            "!b [1]",
        ]
        .map(value);
        for (i, a) in in_order.iter().enumerate() {
            for (j, b) in in_order.iter().enumerate() {
                assert_eq!(a.cmp(b), i.cmp(&j), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn depth_does_not_overflow_the_stack() {
        let deep = |inner: &str| {
            let mut deep = value(inner);
            for _ in 0..200_000 {
                deep = Value::from_iter([deep]);
            }
            deep
        };
        assert_eq!(deep("1").cmp(&deep("2")), Ordering::Less);
        assert_eq!(deep("{a: 1}").cmp(&deep("{a: 1}")), Ordering::Equal);
    }

    proptest! {
        #[test]
        fn the_order_is_total(a in any_value(), b in any_value(), c in any_value()) {
            prop_assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert_eq!(a.cmp(&a), Ordering::Equal);
            let mut sorted = [&a, &b, &c];
            sorted.sort();
            prop_assert!(sorted[0] <= sorted[2]);
        }
    }
}

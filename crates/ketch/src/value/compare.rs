//! Compares values for equality without recursion.

use super::hash::digest;
use super::{Mapping, Number, Value};

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match compare_shallow(self, other) {
            Shallow::Yes => true,
            Shallow::No => false,
            Shallow::IfChildrenAre => children_are_equal(self, other),
        }
    }
}

impl Eq for Value {}

impl PartialEq for Mapping {
    fn eq(&self, other: &Mapping) -> bool {
        let mut stack = Vec::new();
        push_pairs(self, other, &mut stack) && all_equal(stack)
    }
}

impl Eq for Mapping {}

/// The result of comparing two values without their children: whether they are equal.
enum Shallow {
    Yes,
    No,
    IfChildrenAre,
}

/// Compares `a` and `b` without their children.
fn compare_shallow(a: &Value, b: &Value) -> Shallow {
    let is_equal = match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
        (Value::Sequence(a), Value::Sequence(b)) if a.len() == b.len() => {
            return Shallow::IfChildrenAre;
        }
        (Value::Mapping(a), Value::Mapping(b)) if a.len() == b.len() => {
            return Shallow::IfChildrenAre;
        }
        (Value::Tagged(a), Value::Tagged(b)) if a.tag == b.tag => return Shallow::IfChildrenAre,
        _ => false,
    };
    if is_equal { Shallow::Yes } else { Shallow::No }
}

/// Returns whether the children of `a` and `b`, two collections of the same kind, are equal.
fn children_are_equal(a: &Value, b: &Value) -> bool {
    let mut stack = Vec::new();
    push_children(a, b, &mut stack) && all_equal(stack)
}

/// Returns whether the two values of each pair on the stack are equal.
fn all_equal<'v>(mut stack: Vec<(&'v Value, &'v Value)>) -> bool {
    while let Some((a, b)) = stack.pop() {
        let is_equal = match compare_shallow(a, b) {
            Shallow::Yes => true,
            Shallow::No => false,
            Shallow::IfChildrenAre => push_children(a, b, &mut stack),
        };
        if !is_equal {
            return false;
        }
    }
    true
}

/// Pushes the pairs of children that must be equal for `a` and `b` to be equal. Returns false if a
/// difference has already been found.
fn push_children<'v>(a: &'v Value, b: &'v Value, stack: &mut Vec<(&'v Value, &'v Value)>) -> bool {
    match (a, b) {
        (Value::Sequence(a), Value::Sequence(b)) => {
            stack.extend(a.iter().zip(b));
            true
        }
        (Value::Mapping(a), Value::Mapping(b)) => push_pairs(a, b, stack),
        (Value::Tagged(a), Value::Tagged(b)) => {
            stack.push((&a.value, &b.value));
            true
        }
        _ => false,
    }
}

/// Pushes the pairs of values that must be equal for two mappings to be equal. Returns false if a
/// difference has already been found.
///
/// Scalar keys are looked up in `b`. Looking up keys that are collections would compare these
/// recursively, so they are matched by their digests instead.
fn push_pairs<'v>(a: &'v Mapping, b: &'v Mapping, stack: &mut Vec<(&'v Value, &'v Value)>) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (key, value) in a {
        if key.holds_values() {
            left.push((digest(key), key, value));
            continue;
        }
        match b.get(key) {
            Some(other) => stack.push((value, other)),
            None => return false,
        }
    }
    if left.is_empty() {
        return true;
    }
    let complex = b.iter().filter(|(key, _)| key.holds_values());
    right.extend(complex.map(|(key, value)| (digest(key), key, value)));
    left.sort_by_key(|entry| entry.0);
    right.sort_by_key(|entry| entry.0);
    let is_same = left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| a.0 == b.0);
    for ((_, key, value), (_, other_key, other)) in left.into_iter().zip(right) {
        stack.extend([(key, other_key), (value, other)]);
    }
    is_same
}

macro_rules! equal_to_numbers {
    ($($type:ty)*) => {
        $(impl PartialEq<$type> for Value {
            fn eq(&self, other: &$type) -> bool {
                self.as_number() == Some(&Number::from(*other))
            }
        })*
    };
}

equal_to_numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

impl PartialEq<bool> for Value {
    fn eq(&self, other: &bool) -> bool {
        self.as_bool() == Some(*other)
    }
}

impl PartialEq<String> for Value {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<str> for Value {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<&str> for Value {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == Some(other)
    }
}

//! The order and equality of values, without recursion.

use super::{Kind, Number, Value};
use std::cmp::Ordering;

/// Two collections of the same type, of which the first entries are equal so far.
enum Open {
    /// The pairs that are left, and the order if all of them are equal.
    Pairs(std::vec::IntoIter<(Value, Value)>, Ordering),
}

impl Value {
    /// Compares two values in jq's order: null, false, true, numbers, texts, arrays, objects. Numbers are compared by
    /// value, with `nan` below all others, texts by their code points, arrays by their entries, and objects first by
    /// their sorted keys and then by the values of these.
    pub fn compare(&self, other: &Value) -> Ordering {
        self.order(other, Number::compare_total)
    }

    /// Compares two values as operators do: `nan` is less than everything, also than itself.
    pub fn compare_as_operand(&self, other: &Value) -> Ordering {
        self.order(other, Number::compare)
    }

    /// Compares two values, with numbers by `numbers`.
    fn order(&self, other: &Value, numbers: fn(&Number, &Number) -> Ordering) -> Ordering {
        let mut open: Vec<Open> = Vec::new();
        let mut order = step(self, other, &mut open, numbers);
        while order == Ordering::Equal {
            let Some(Open::Pairs(pairs, otherwise)) = open.last_mut() else { return order };
            match pairs.next() {
                Some((a, b)) => order = step(&a, &b, &mut open, numbers),
                None => {
                    order = *otherwise;
                    open.pop();
                }
            }
        }
        order
    }
}

/// Compares two values, except for the entries of collections, which become open.
fn step(
    a: &Value,
    b: &Value,
    open: &mut Vec<Open>,
    numbers: fn(&Number, &Number) -> Ordering,
) -> Ordering {
    if let (Value::Node(a, at), Value::Node(b, bt)) = (a, b)
        && at == bt
        && std::sync::Arc::ptr_eq(a, b)
        && Value::Node(a.clone(), *at).kind() == Kind::Text
    {
        return Ordering::Equal;
    }
    let kind = a.kind();
    match kind.cmp(&b.kind()) {
        Ordering::Equal => {}
        order => return order,
    }
    match kind {
        Kind::Null | Kind::False | Kind::True => Ordering::Equal,
        Kind::Number => {
            let (Some(a), Some(b)) = (a.as_number(), b.as_number()) else { return Ordering::Equal };
            numbers(&a, &b)
        }
        Kind::Text => a.as_text().cmp(&b.as_text()),
        Kind::Array => {
            let (a, b) = (a.as_array().unwrap_or_default(), b.as_array().unwrap_or_default());
            let pairs: Vec<_> = a.entries.iter().cloned().zip(b.entries.iter().cloned()).collect();
            open.push(Open::Pairs(pairs.into_iter(), a.entries.len().cmp(&b.entries.len())));
            Ordering::Equal
        }
        Kind::Object => compare_objects(a, b, open),
    }
}

/// Compares the keys of two objects, of which the values become open if all keys are equal.
fn compare_objects(a: &Value, b: &Value, open: &mut Vec<Open>) -> Ordering {
    let (a, b) = (a.as_object().unwrap_or_default(), b.as_object().unwrap_or_default());
    let sorted = |object: &super::Object| {
        let mut keys: Vec<_> = object.entries.keys().cloned().collect();
        keys.sort_unstable();
        keys
    };
    let (keys, others) = (sorted(&a), sorted(&b));
    let order = keys.cmp(&others);
    if order == Ordering::Equal {
        let of = |object: &super::Object, key: &str| {
            object.entries.get(key).cloned().unwrap_or_default()
        };
        let pairs: Vec<_> = keys.iter().map(|key| (of(&a, key), of(&b, key))).collect();
        open.push(Open::Pairs(pairs.into_iter(), Ordering::Equal));
    }
    order
}

impl PartialEq for Value {
    /// Compares two values by their meaning, where `nan` differs from everything.
    fn eq(&self, other: &Value) -> bool {
        if let (Some(a), Some(b)) = (self.as_number(), other.as_number()) {
            return a == b;
        }
        self.compare_as_operand(other) == Ordering::Equal
    }
}

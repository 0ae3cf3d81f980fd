//! The order and equality of values, without recursion.

use super::{Array, Kind, Number, Value};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Two collections of the same type, of which the first entries are equal so far.
enum Open {
    /// Arrays, with the index of the next entries.
    Arrays(Arc<Array>, Arc<Array>, usize),
    /// The values of objects with the same keys.
    Pairs(std::vec::IntoIter<(Value, Value)>),
}

/// How numbers are compared.
type Numbers = fn(&Number, &Number) -> Ordering;

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
    #[inline]
    fn order(&self, other: &Value, numbers: Numbers) -> Ordering {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => numbers(a, b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            _ => self.order_slowly(other, numbers),
        }
    }

    /// Compares two values of any kind.
    fn order_slowly(&self, other: &Value, numbers: Numbers) -> Ordering {
        let mut open: Vec<Open> = Vec::new();
        let mut order = step(self, other, &mut open, numbers);
        while order == Ordering::Equal {
            order = match open.last_mut() {
                None => return order,
                Some(Open::Arrays(a, b, next)) => {
                    let (a, b, at) = (a.clone(), b.clone(), *next);
                    *next += 1;
                    match (a.entries.get(at), b.entries.get(at)) {
                        (Some(a), Some(b)) => step(a, b, &mut open, numbers),
                        _ => {
                            open.pop();
                            a.entries.len().cmp(&b.entries.len())
                        }
                    }
                }
                Some(Open::Pairs(pairs)) => match pairs.next() {
                    Some((a, b)) => step(&a, &b, &mut open, numbers),
                    None => {
                        open.pop();
                        Ordering::Equal
                    }
                },
            };
        }
        order
    }
}

/// Compares two values, except for the entries of collections, which become open.
fn step(a: &Value, b: &Value, open: &mut Vec<Open>, numbers: Numbers) -> Ordering {
    if let (Value::Node(a, at), Value::Node(b, bt)) = (a, b)
        && at == bt
        && Arc::ptr_eq(a, b)
        && a.has_equal_nodes()
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
        Kind::Text => a.borrow_text().cmp(&b.borrow_text()),
        Kind::Array => {
            let (a, b) = (a.as_array().unwrap_or_default(), b.as_array().unwrap_or_default());
            open.push(Open::Arrays(a, b, 0));
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
        open.push(Open::Pairs(pairs.into_iter()));
    }
    order
}

impl PartialEq for Value {
    /// Compares two values by their meaning, where `nan` differs from everything.
    #[inline]
    fn eq(&self, other: &Value) -> bool {
        self.compare_as_operand(other) == Ordering::Equal
    }
}

/// A scalar as a key of a table, by [`Value::compare`].
pub struct ScalarKey<'v>(&'v Value, Kind);

impl<'v> ScalarKey<'v> {
    /// Returns the key that `value` is if it is a scalar.
    pub fn of(value: &'v Value) -> Option<ScalarKey<'v>> {
        let kind = value.kind();
        (kind < Kind::Array).then_some(ScalarKey(value, kind))
    }
}

impl Hash for ScalarKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.1 {
            Kind::Number => self.0.as_number().hash(state),
            Kind::Text => self.0.borrow_text().hash(state),
            kind => (kind as u8).hash(state),
        }
    }
}

impl PartialEq for ScalarKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.compare(other.0).is_eq()
    }
}

impl Eq for ScalarKey<'_> {}

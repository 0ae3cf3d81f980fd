//! Walks over a value and everything in it, without recursion.

use super::mapping::Iter as Pairs;
use super::{Tag, Value};
use std::slice::Iter as Items;

/// A step of a walk. Steps are in document order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'v> {
    /// A value that contains no other values.
    Leaf(&'v Value),
    /// The tag of the next value.
    Tag(&'v Tag),
    /// The start of a sequence with this number of items.
    Sequence(usize),
    /// The start of a mapping with this number of pairs.
    Mapping(usize),
    /// The end of the innermost sequence.
    SequenceEnd,
    /// The end of the innermost mapping.
    MappingEnd,
}

/// An iterator over the steps of a walk over a value.
#[derive(Debug)]
pub(crate) struct Walk<'v> {
    next: Option<&'v Value>,
    open: Vec<Open<'v>>,
}

#[derive(Debug)]
enum Open<'v> {
    Sequence(Items<'v, Value>),
    /// The remaining pairs, and the value of the key that was yielded last until it is yielded,
    /// too.
    Mapping(Pairs<'v>, Option<&'v Value>),
}

impl<'v> Walk<'v> {
    /// Starts a walk over `value`.
    pub fn new(value: &'v Value) -> Walk<'v> {
        Walk { next: Some(value), open: Vec::new() }
    }

    /// Returns the first step for `value`. If the value can contain others, these are walked over
    /// next.
    fn enter(&mut self, value: &'v Value) -> Step<'v> {
        match value {
            Value::Sequence(values) => {
                self.open.push(Open::Sequence(values.iter()));
                Step::Sequence(values.len())
            }
            Value::Mapping(pairs) => {
                self.open.push(Open::Mapping(pairs.iter(), None));
                Step::Mapping(pairs.len())
            }
            Value::Tagged(tagged) => {
                self.next = Some(&tagged.value);
                Step::Tag(&tagged.tag)
            }
            leaf => Step::Leaf(leaf),
        }
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = Step<'v>;

    fn next(&mut self) -> Option<Step<'v>> {
        if let Some(value) = self.next.take() {
            return Some(self.enter(value));
        }
        let (child, end) = match self.open.last_mut()? {
            Open::Sequence(items) => (items.next(), Step::SequenceEnd),
            Open::Mapping(pairs, value) => {
                let child = value.take().or_else(|| {
                    let (key, next) = pairs.next()?;
                    *value = Some(next);
                    Some(key)
                });
                (child, Step::MappingEnd)
            }
        };
        Some(match child {
            Some(child) => self.enter(child),
            None => {
                self.open.pop();
                end
            }
        })
    }
}

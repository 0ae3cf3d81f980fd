//! Whether a value contains another, without recursion.

use super::types::wrong;
use crate::error::{Failure, described};
use crate::value::{Array, Kind, Value};
use std::sync::Arc;

/// Two collections that are compared.
enum Open {
    /// The entries of two objects, each of which has to contain the other one of its pair.
    Entries(std::vec::IntoIter<(Value, Value)>),
    /// Two arrays: each wanted entry has to be contained in one of the others. The indices are those of the pair that is
    /// compared.
    Items { own: Arc<Array>, wanted: Arc<Array>, at: (usize, usize) },
}

/// Returns whether `value` contains `part`: texts as a part, arrays and objects by their entries.
pub(super) fn contains(value: &Value, part: &Value) -> Result<bool, Failure> {
    if value.kind().name() != part.kind().name() {
        let what = format!("and {} cannot have their containment checked", described(part));
        return Err(wrong(value, &what));
    }
    let mut open = Vec::new();
    let mut pair = (value.clone(), part.clone());
    loop {
        let mut result = start(&pair.0, &pair.1, &mut open);
        pair = loop {
            let Some(inner) = open.last_mut() else { return Ok(result == Some(true)) };
            match inner.next(result) {
                Ok(pair) => break pair,
                Err(is_contained) => {
                    open.pop();
                    result = Some(is_contained);
                }
            }
        };
    }
}

/// Returns whether a value contains another, if that does not depend on entries, which become open.
fn start(value: &Value, part: &Value, open: &mut Vec<Open>) -> Option<bool> {
    match (value.kind(), part.kind()) {
        (Kind::Object, Kind::Object) => {
            let (own, wanted) = (value.as_object()?, part.as_object()?);
            let mut pairs = Vec::new();
            for (key, wanted) in wanted.entries.iter() {
                let Some(own) = own.entries.get(key) else { return Some(false) };
                pairs.push((own.clone(), wanted.clone()));
            }
            open.push(Open::Entries(pairs.into_iter()));
            None
        }
        (Kind::Array, Kind::Array) => {
            let (own, wanted) = (value.as_array()?, part.as_array()?);
            open.push(Open::Items { own, wanted, at: (0, 0) });
            None
        }
        (Kind::Text, Kind::Text) => Some(value.as_text()?.contains(&*part.as_text()?)),
        _ => Some(value == part),
    }
}

impl Open {
    /// Returns the next pair to compare, or whether the collection contains the other. `last` is the result for the
    /// last pair.
    fn next(&mut self, last: Option<bool>) -> Result<(Value, Value), bool> {
        match self {
            Open::Entries(pairs) => match last {
                Some(false) => Err(false),
                _ => pairs.next().ok_or(true),
            },
            Open::Items { own, wanted, at } => {
                match last {
                    Some(true) => *at = (at.0 + 1, 0),
                    Some(false) => at.1 += 1,
                    None => {}
                }
                let wanted = wanted.entries.get(at.0).ok_or(true)?;
                let own = own.entries.get(at.1).ok_or(false)?;
                Ok((own.clone(), wanted.clone()))
            }
        }
    }
}

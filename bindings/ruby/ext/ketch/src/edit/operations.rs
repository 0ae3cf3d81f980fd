//! Converts edit operations that come from Ruby.

use super::held::Held;
use super::value;
use crate::{failure, interrupt};
use ketch_edit::{Field, FieldKind, Operation, Request};
use ketch_host::edit::View;
use ketch_host::edit::source::neighbor;
use magnus::r_hash::ForEach;
use magnus::{Error, RArray, RHash, Ruby, Symbol, TryConvert, Value, prelude::*, typed_data::Obj};

/// Implements `operate(list)`: applies all of the operations, or none if one fails. Each operation
/// is an array of its name, the number of a view, the keys that lead from the view to the node, and
/// a hash of its fields.
pub fn operate(ruby: &Ruby, held: Obj<Held>, list: RArray) -> Result<(), Error> {
    let mut operations = Vec::with_capacity(list.len());
    for item in list {
        let (op, view, keys, fields): (Symbol, u32, RArray, RHash) = TryConvert::try_convert(item)?;
        operations.push(operation(ruby, &held, &op.name()?, (View(view), keys), fields)?);
    }
    apply(ruby, &held, &operations)
}

/// Implements `operate_source(source)`: applies the operations that a YAML or JSON text, or a Ruby
/// value, describes.
pub fn operate_source(ruby: &Ruby, held: Obj<Held>, source: Value) -> Result<(), Error> {
    let text = match magnus::RString::from_value(source) {
        Some(text) => value::text(ruby, text.as_value())?,
        None => {
            let mut text = String::new();
            value::push(ruby, source, &mut text, 0)?;
            text
        }
    };
    let operations =
        Operation::parse_all(&text).map_err(|error| failure::edit(ruby, &error, None, 1))?;
    apply(ruby, &held, &operations)
}

/// Applies all operations, or none if one fails, and checks for interrupts before and after.
fn apply(ruby: &Ruby, held: &Held, operations: &[Operation]) -> Result<(), Error> {
    let _reserve = held.reserve_late(ruby)?;
    interrupt::check()?;
    let applied = held.session(ruby)?.apply(operations);
    // If a timeout has expired, it ends a series of edits here; a failed allocation raises here,
    // too.
    interrupt::check()?;
    let file = held.options.filename.as_deref();
    applied.map_err(|error| failure::edit(ruby, &error, file, operations.len()))
}

/// Builds an operation from its name, the view and the keys that lead to its node, and its fields.
fn operation(
    ruby: &Ruby,
    held: &Held,
    op: &str,
    (view, keys): (View, RArray),
    fields: RHash,
) -> Result<Operation, Error> {
    let place = held.session(ruby)?.place(view);
    let mut place = place.map_err(|refusal| held.refused(ruby, refusal))?;
    for (index, key) in keys.into_iter().enumerate() {
        let step = match index {
            0 => held.step(ruby, view, key)?,
            _ => value::step(ruby, key)?,
        };
        place = place.then(step);
    }
    let mut request = place.request(op);
    fields.foreach(|name: Symbol, value: Value| {
        let name = name.name()?;
        if let Some(field) = field(ruby, held, &name, value)? {
            request.give(&name, field);
        }
        Ok(ForEach::Continue)
    })?;
    let file = held.options.filename.as_deref();
    request.operation().map_err(|error| failure::edit(ruby, &error, file, 1))
}

/// Converts the field `name` of a request. For all fields but `value`, nil means that the caller
/// has not given the option.
fn field(ruby: &Ruby, held: &Held, name: &str, value: Value) -> Result<Option<Field>, Error> {
    let Some(kind) = Request::kind(name) else {
        let message = format!("unknown keyword: :{name}");
        return Err(Error::new(ruby.exception_arg_error(), message));
    };
    if value.is_nil() && name != "value" {
        return Ok(None);
    }
    Ok(Some(match kind {
        FieldKind::Source => {
            let mut out = String::new();
            value::push(ruby, value, &mut out, 0)?;
            Field::Text(out)
        }
        FieldKind::Text => Field::Text(value::text_of(ruby, value)?),
        FieldKind::Neighbor => Field::Text(neighbor(value::step(ruby, value)?)),
        FieldKind::Word(words) => Field::Text(word(ruby, name, value, words)?),
        FieldKind::Flag => Field::Flag(value.to_bool()),
        FieldKind::Number => Field::Number(usize::try_convert(value)?),
        FieldKind::Collection => {
            let place = held.session(ruby)?.place(View(u32::try_convert(value)?));
            Field::Steps(place.map_err(|refusal| held.refused(ruby, refusal))?.steps)
        }
    }))
}

/// Returns the text of a symbol or string. Fails if it is none of `words`.
fn word(ruby: &Ruby, name: &str, value: Value, words: &[&str]) -> Result<String, Error> {
    let text = value::text_of(ruby, value)?;
    if words.contains(&text.as_str()) {
        return Ok(text);
    }
    let message = format!("{name}: expected :{}", words.join(" or :"));
    Err(Error::new(ruby.exception_arg_error(), message))
}

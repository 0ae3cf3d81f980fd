//! The locations of types in their schemas.

use crate::schema::{Schema, Span, Type, TypeId};

pub(super) fn span(schema: &Schema, ty: TypeId) -> Option<Span> {
    match schema.get(ty) {
        Type::Sum(sum) => Some(sum.span),
        Type::Message(message) => Some(message.span),
        _ => None,
    }
}

pub(super) fn span_of_message(schema: &Schema, name: &str) -> Option<Span> {
    span(schema, schema.lookup(name)?)
}

pub(super) fn place(schema: &Schema, ty: TypeId) -> String {
    locate(schema, span(schema, ty))
}

pub(super) fn locate(schema: &Schema, span: Option<Span>) -> String {
    match span {
        Some(span) => schema.sources().locate(span),
        None => schema.sources().0[0].name.clone(),
    }
}

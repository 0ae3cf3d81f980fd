//! The locations of types in their schemas.

use crate::schema::{Schema, Span, Type, TypeId};

/// Returns the span of the declaration of a type, if it has one.
pub(super) fn span(schema: &Schema, ty: TypeId) -> Option<Span> {
    match schema.get(ty) {
        Type::Sum(sum) => Some(sum.span),
        Type::Message(message) => Some(message.span),
        _ => None,
    }
}

/// Returns the span of the declaration of a message.
pub(super) fn span_of_message(schema: &Schema, name: &str) -> Option<Span> {
    span(schema, schema.lookup(name)?)
}

/// Returns the location of a type as `file:line:column`.
pub(super) fn place(schema: &Schema, ty: TypeId) -> String {
    locate(schema, span(schema, ty))
}

/// Returns a span as `file:line:column`, or the name of the file if there is no span.
pub(super) fn locate(schema: &Schema, span: Option<Span>) -> String {
    match span {
        Some(span) => schema.sources().locate(span),
        None => schema.sources().0[0].name.clone(),
    }
}

//! Finds the locations of types in their schemas.

use crate::schema::{Schema, Span, Type, TypeId};

/// Returns the span of the declaration of the type `ty`, or `None` if it has no declaration.
pub(super) fn span(schema: &Schema, ty: TypeId) -> Option<Span> {
    match schema.get(ty) {
        Type::Sum(sum) => Some(sum.span),
        Type::Message(message) => Some(message.span),
        _ => None,
    }
}

/// Returns the span of the declaration of the message `name`, or `None` if there is no such
/// message.
pub(super) fn span_of_message(schema: &Schema, name: &str) -> Option<Span> {
    span(schema, schema.lookup(name)?)
}

/// Returns the location of the declaration of the type `ty` as `file:line:column`, or the name of
/// the schema's file if the type has no declaration.
pub(super) fn place(schema: &Schema, ty: TypeId) -> String {
    locate(schema, span(schema, ty))
}

/// Returns the start of `span` as `file:line:column`, or the name of the schema's file if there is
/// no span.
pub(super) fn locate(schema: &Schema, span: Option<Span>) -> String {
    match span {
        Some(span) => schema.sources().locate(span),
        None => schema.sources().0[0].name.clone(),
    }
}

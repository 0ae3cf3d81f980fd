//! Writes typed values as text (specification 13.2).

use super::Typed;
use crate::doc::{Bracket, Doc};
use crate::limits::Limits;
use crate::schema::{Schema, Type, TypeId, capitalized};

/// Returns `value` as text, as the printers that the reference implementation generates write it.
/// Lazy fields are decoded. A field that cannot be decoded is shown as `<error: ...>`.
pub fn pretty(schema: &Schema, ty: TypeId, value: &Typed<'_>) -> String {
    doc(schema, ty, value).layout()
}

/// Returns `value` as text that is not yet broken into lines.
fn doc(schema: &Schema, ty: TypeId, value: &Typed<'_>) -> Doc {
    let all = |types: &mut dyn Iterator<Item = TypeId>, values: &[Typed<'_>]| -> Vec<Doc> {
        types.zip(values).map(|(ty, value)| doc(schema, ty, value)).collect()
    };
    match (schema.get(ty), value) {
        (_, Typed::Bool(value)) => Doc::bool(*value),
        (_, Typed::Byte(value)) => Doc::int((*value).into()),
        (_, Typed::Int(value)) => Doc::int(*value),
        (_, Typed::Long(value)) => Doc::long(*value),
        (_, Typed::Float(value)) => Doc::float(*value),
        (_, Typed::String(bytes)) => Doc::string(bytes),
        (_, Typed::Lazy(lazy)) => match lazy.force(schema, &Limits::default()) {
            Ok(value) => doc(schema, ty, value),
            Err(error) => Doc::atom(format!("<error: {error}>")),
        },
        (Type::Tuple(types), Typed::Tuple(values)) => {
            Doc::block(Bracket::Tuple, all(&mut types.iter().copied(), values))
        }
        (Type::List(element), Typed::List(values)) => {
            Doc::block(Bracket::List, all(&mut std::iter::repeat(*element), values))
        }
        (Type::Array(element), Typed::List(values)) => {
            Doc::block(Bracket::Array, all(&mut std::iter::repeat(*element), values))
        }
        (Type::Sum(sum), Typed::Sum(index, values)) => {
            match sum.constructors.get(*index as usize) {
                Some(constructor) => {
                    let name = format!("{}.{}", capitalized(&sum.name), constructor.name);
                    let arguments = all(&mut constructor.arguments.iter().copied(), values);
                    Doc::constructor(&name, arguments)
                }
                None => Doc::atom("<no such constructor>".into()),
            }
        }
        (Type::Message(message), Typed::Message(case, values)) => {
            match message.cases.get(*case as usize) {
                Some(case) => {
                    let fields = case.fields.iter().zip(values);
                    let docs = fields.map(|(f, v)| (f.name.as_str(), doc(schema, f.ty, v)));
                    Doc::record(&case.module, docs)
                }
                None => Doc::atom("<no such case>".into()),
            }
        }
        _ => Doc::atom(format!("<no {}>", schema.describe(ty))),
    }
}

//! Builds witnesses: minimal values in which a finding occurs.

use super::comparison::{Comparison, Step};
use super::place::span;
use crate::schema::ast::Primitive;
use crate::schema::{Message, Schema, Span, Type, TypeId};
use crate::typed::Typed;
use std::borrow::Cow;

impl Comparison<'_> {
    /// Returns a minimal value that contains the part that the steps lead to, the path of the steps
    /// as text, and the location of the last step.
    pub(super) fn witness(&self) -> (Typed<'static>, String, Option<Span>) {
        let mut path = String::new();
        let mut last_span = span(self.writer, self.root);
        let value = self.build(self.root, &self.steps, &mut path, &mut last_span);
        (value, path, last_span)
    }

    /// Builds a value of the type `ty` that contains the part that `steps` lead to. Appends the
    /// steps to `path` as text, and stores the location of the last one in `last`.
    fn build(
        &self,
        ty: TypeId,
        steps: &[Step],
        path: &mut String,
        last: &mut Option<Span>,
    ) -> Typed<'static> {
        let Some((step, rest)) = steps.split_first() else {
            return sample(self.writer, ty);
        };
        match (self.writer.get(ty), *step) {
            (Type::Message(message), Step::Field(case, place)) => {
                let fields = &message.cases[case as usize].fields;
                let types: Vec<_> = fields.iter().map(|f| f.ty).collect();
                push_case(path, message, case);
                path.push('.');
                path.push_str(&fields[place as usize].name);
                *last = Some(fields[place as usize].span);
                Typed::Message(case, self.build_parts(&types, place, rest, path, last))
            }
            (Type::Message(message), Step::Case(case)) => {
                let fields = message.cases[case as usize].fields.iter();
                push_case(path, message, case);
                *last = Some(message.cases[case as usize].span);
                Typed::Message(case, fields.map(|f| sample(self.writer, f.ty)).collect())
            }
            (Type::Tuple(types), Step::Element(place)) => {
                path.push_str(&format!("[{place}]"));
                Typed::Tuple(self.build_parts(types, place, rest, path, last))
            }
            (Type::List(element) | Type::Array(element), Step::Item) => {
                path.push_str("[]");
                Typed::List(self.build_parts(&[*element], 0, rest, path, last))
            }
            (Type::Sum(sum), Step::Argument(index, place)) => {
                let constructor = &sum.constructors[index as usize];
                path.push_str(&format!(".{}[{place}]", constructor.name));
                *last = Some(constructor.span);
                let types = &constructor.arguments;
                Typed::Sum(index, self.build_parts(types, place, rest, path, last))
            }
            (Type::Sum(sum), Step::Constructor(index)) => {
                let constructor = &sum.constructors[index as usize];
                path.push('.');
                path.push_str(&constructor.name);
                *last = Some(constructor.span);
                let arguments = constructor.arguments.iter();
                Typed::Sum(index, arguments.map(|a| sample(self.writer, *a)).collect())
            }
            _ => sample(self.writer, ty),
        }
    }

    /// Builds a sample of each of `types`. The one at `place` contains the part that `steps` lead
    /// to.
    fn build_parts(
        &self,
        types: &[TypeId],
        place: u32,
        steps: &[Step],
        path: &mut String,
        last: &mut Option<Span>,
    ) -> Vec<Typed<'static>> {
        let build = |(at, ty): (u32, &TypeId)| match at == place {
            true => self.build(*ty, steps, path, last),
            false => sample(self.writer, *ty),
        };
        (0..).zip(types).map(build).collect()
    }
}

/// Appends the name of the case with the index `case` to `path`, if `message` is a union.
fn push_case(path: &mut String, message: &Message, case: u32) {
    if message.union {
        path.push('.');
        path.push_str(&message.cases[case as usize].name);
    }
}

/// The maximum number of parts of a sample. If each type of a schema contains the previous one
/// several times, its values are exponentially large.
const SAMPLE_PARTS_MAX: u32 = 100_000;

/// Returns a small value of the type `ty`. If the type has too many parts, the value is incomplete,
/// and the finding gets no witness.
fn sample(schema: &Schema, ty: TypeId) -> Typed<'static> {
    sample_within(schema, ty, &mut SAMPLE_PARTS_MAX.clone())
}

/// Builds a sample of the type `ty` that has at most `parts_left` parts.
fn sample_within(schema: &Schema, ty: TypeId, parts_left: &mut u32) -> Typed<'static> {
    if *parts_left == 0 {
        return Typed::Tuple(Vec::new());
    }
    *parts_left -= 1;
    let mut all = |types: &mut dyn Iterator<Item = TypeId>| -> Vec<Typed<'static>> {
        types.map(|ty| sample_within(schema, ty, parts_left)).collect()
    };
    match schema.get(ty) {
        Type::Primitive(primitive, _) => match primitive {
            Primitive::Bool => Typed::Bool(false),
            Primitive::Byte => Typed::Byte(0),
            Primitive::Int => Typed::Int(0),
            Primitive::Long => Typed::Long(0),
            Primitive::Float => Typed::Float(0.0),
            Primitive::String => Typed::String(Cow::Borrowed(b"")),
        },
        Type::List(_) | Type::Array(_) | Type::External(_) => Typed::List(Vec::new()),
        Type::Tuple(types) => Typed::Tuple(all(&mut types.iter().copied())),
        Type::Sum(sum) => {
            let index = sum.constants.first().copied().unwrap_or(0);
            let arguments = &sum.constructors[index as usize].arguments;
            Typed::Sum(index, all(&mut arguments.iter().copied()))
        }
        Type::Message(message) => {
            let fields = message.cases[0].fields.iter();
            Typed::Message(0, all(&mut fields.map(|field| field.ty)))
        }
    }
}

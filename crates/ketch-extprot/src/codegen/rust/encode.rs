//! Generates Rust expressions that write and print values.

use super::generator::{Generator, RT, option_of};
use super::options::Strings;
use crate::schema::ast::Primitive;
use crate::schema::{Type, TypeId, capitalized};

impl Generator<'_> {
    /// Returns a Rust statement that writes the value of type `id` that the reference `place`
    /// points to.
    pub(super) fn encode(&self, id: TypeId, place: &str) -> String {
        match self.schema.get(id) {
            Type::Primitive(Primitive::String, _) => {
                let as_bytes = match self.options.strings {
                    Strings::Utf8 => ".as_bytes()",
                    Strings::Bytes => "",
                };
                format!(
                    "w.write_string({}{as_bytes});",
                    if as_bytes.is_empty() { by_reference(place) } else { bare(place).into() }
                )
            }
            Type::Primitive(primitive, _) => {
                format!("w.write_{}({});", primitive.name(), by_value(place))
            }
            Type::List(element) | Type::Array(element) => {
                let inner = self.encode(*element, "e");
                let place = bare(place);
                format!(
                    "{{ let mark = w.mark(); for e in {place}.iter().rev() {{ {inner} }}
                    w.close_block(mark, {place}.len() as u64, 0, {RT}::WireType::Htuple); }}"
                )
            }
            Type::Tuple(types) => {
                let mut text = String::from("{ let mark = w.mark(); ");
                for (index, ty) in types.iter().enumerate().rev() {
                    let place = format!("(&{}.{index})", bare(place));
                    text += &self.encode(*ty, &place);
                }
                let count = types.len();
                text + &format!("w.close_block(mark, {count}, 0, {RT}::WireType::Tuple); }}")
            }
            Type::Sum(sum) if option_of(sum).is_some() => {
                let some = &sum.constructors[sum.non_constants[0] as usize];
                let inner = self.encode(some.arguments[0], "e");
                let place = by_reference(place);
                format!(
                    "match {place} {{
                        ::std::option::Option::None => w.write_enum(0),
                        ::std::option::Option::Some(e) => {{ let mark = w.mark(); {inner}
                            w.close_block(mark, 1, 0, {RT}::WireType::Tuple); }}
                    }}"
                )
            }
            _ => format!("{RT}::Encode::encode({}, w);", by_reference(place)),
        }
    }

    /// Returns a Rust expression of type `Doc` for the value of type `id` that the reference
    /// `place` points to.
    pub(super) fn doc(&self, id: TypeId, place: &str) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => match primitive {
                Primitive::Byte => format!("{RT}::Doc::int(i64::from({}))", by_value(place)),
                Primitive::String => match self.options.strings {
                    Strings::Utf8 => format!("{RT}::Doc::string({}.as_bytes())", bare(place)),
                    Strings::Bytes => format!("{RT}::Doc::string({})", by_reference(place)),
                },
                other => format!("{RT}::Doc::{}({})", other.name(), by_value(place)),
            },
            Type::List(element) | Type::Array(element) => {
                let list = matches!(self.schema.get(id), Type::List(_));
                let bracket = if list { "List" } else { "Array" };
                let inner = self.doc(*element, "e");
                let place = bare(place);
                format!(
                    "{RT}::Doc::block({RT}::Bracket::{bracket}, {place}.iter().map(|e| {inner}).collect())"
                )
            }
            Type::Tuple(types) => {
                let docs = (0..)
                    .zip(types)
                    .map(|(i, ty): (usize, _)| self.doc(*ty, &format!("(&{}.{i})", bare(place))));
                let docs: Vec<_> = docs.collect();
                format!("{RT}::Doc::block({RT}::Bracket::Tuple, vec![{}])", docs.join(", "))
            }
            Type::Sum(sum) if option_of(sum).is_some() => {
                let some = &sum.constructors[sum.non_constants[0] as usize];
                let inner = self.doc(some.arguments[0], "e");
                let module = capitalized(&sum.name);
                let place = by_reference(place);
                format!(
                    "match {place} {{
                        ::std::option::Option::None => {RT}::Doc::constructor(\"{module}.None\", vec![]),
                        ::std::option::Option::Some(e) => {RT}::Doc::constructor(\"{module}.Some\", vec![{inner}]),
                    }}"
                )
            }
            _ => format!("{RT}::Pretty::doc({})", by_reference(place)),
        }
    }
}

// A place is the text of a Rust reference: a variable, or `(&tuple.0)`. The following functions
// write it without needless parentheses.

/// Returns `place` as the receiver of a method call.
fn bare(place: &str) -> &str {
    place.strip_prefix("(&").and_then(|place| place.strip_suffix(')')).unwrap_or(place)
}

/// Returns `place` as an argument that is a reference.
fn by_reference(place: &str) -> String {
    match bare(place) {
        same if same == place => place.into(),
        inner => format!("&{inner}"),
    }
}

/// Returns `place` as an argument that is copied.
fn by_value(place: &str) -> String {
    match bare(place) {
        same if same == place => format!("*{place}"),
        inner => inner.into(),
    }
}

//! Generates Rust expressions that read, write and print values, or return their defaults.

use super::generator::{Generator, Mode, RT, option_of};
use super::options::Strings;
use crate::schema::ast::Primitive;
use crate::schema::{Default as DefaultValue, Type, TypeId, capitalized};

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

impl Generator<'_> {
    /// Returns a Rust expression of type `Result<T>` that reads a value of the type `id`.
    pub(super) fn decode(&self, id: TypeId, mode: Mode) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => self.decode_primitive(*primitive, "read", mode),
            Type::List(element) | Type::Array(element) => {
                format!("{RT}::list(r, |r| {})", self.decode(*element, mode))
            }
            Type::Tuple(_) => format!("{}(r)", self.helper("decode", id, mode)),
            Type::Sum(sum) if option_of(sum).is_some() => {
                format!("{}(r)", self.helper("decode", id, mode))
            }
            _ => format!("<{} as {RT}::Decode<'a>>::decode(r)", self.named(id, mode)),
        }
    }

    /// Returns a Rust expression that reads a primitive. `how` is `read`, or `promoted` for a bare
    /// primitive where a block was expected.
    pub(super) fn decode_primitive(&self, primitive: Primitive, how: &str, mode: Mode) -> String {
        match (primitive, self.options.strings, mode) {
            (Primitive::String, Strings::Bytes, Mode::Owned) => {
                format!("r.{how}_string().map(<[u8]>::to_vec)")
            }
            (Primitive::String, Strings::Utf8, Mode::Owned) => {
                format!("r.{how}_str().map(str::to_owned)")
            }
            (Primitive::String, Strings::Utf8, Mode::Borrowed) => format!("r.{how}_str()"),
            _ => format!("r.{how}_{}()", primitive.name()),
        }
    }

    /// Returns the name of a helper function for the type `id`, such as `decode_t7_ref`. `verb` is
    /// its first word.
    pub(super) fn helper(&self, verb: &str, id: TypeId, mode: Mode) -> String {
        let mode = if mode == Mode::Borrowed && self.borrows(id) { "_ref" } else { "" };
        format!("{verb}_t{}{mode}", id.0)
    }

    /// Returns a Rust expression of type `Result<T>` for the default value of the type `id`.
    pub(super) fn default(&self, id: TypeId, mode: Mode) -> String {
        let ok = |text: String| format!("{RT}::ok({text})");
        match self.schema.get(id) {
            Type::Primitive(primitive, default) => match default {
                None if *primitive == Primitive::Bool => ok("false".into()),
                None => format!("{RT}::no_default()"),
                Some(DefaultValue::Bool(value)) => ok(value.to_string()),
                Some(DefaultValue::Byte(value)) => ok(value.to_string()),
                Some(DefaultValue::Int(value)) => ok(value.to_string()),
                Some(DefaultValue::Float(bits)) => ok(format!("f64::from_bits({bits:#x})")),
                Some(DefaultValue::String(bytes)) => self.default_string(bytes, mode),
            },
            Type::List(_) | Type::Array(_) => ok("::std::vec::Vec::new()".into()),
            Type::Tuple(_) => format!("{}()", self.helper("default", id, mode)),
            Type::Sum(sum) if option_of(sum).is_some() => ok("::std::option::Option::None".into()),
            _ => format!("<{} as {RT}::Decode<'_>>::default_value()", {
                self.named(id, mode).replace("<'a>", "<'_>")
            }),
        }
    }

    /// Returns a Rust expression of type `Result<T>` for the default string `bytes`. It is an error
    /// if strings are `String` and the bytes are not UTF-8.
    fn default_string(&self, bytes: &[u8], mode: Mode) -> String {
        let escaped = bytes.escape_ascii();
        match (self.options.strings, mode) {
            (Strings::Bytes, Mode::Owned) => format!("{RT}::ok(b\"{escaped}\".to_vec())"),
            (Strings::Bytes, Mode::Borrowed) => {
                format!("{RT}::ok(&b\"{escaped}\"[..])")
            }
            (Strings::Utf8, mode) => match std::str::from_utf8(bytes) {
                Ok(text) if mode == Mode::Owned => {
                    format!("{RT}::ok({text:?}.to_owned())")
                }
                Ok(text) => format!("{RT}::ok({text:?})"),
                Err(_) => format!("{RT}::no_default()"),
            },
        }
    }
}

//! Generates Rust expressions that read values, or return their defaults.

use super::generator::{Generator, Mode, RT, option_of};
use super::options::Strings;
use crate::schema::ast::Primitive;
use crate::schema::{Default as DefaultValue, Type, TypeId};

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

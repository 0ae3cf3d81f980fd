//! Chooses the Rust types for the types of a schema.

use super::generator::{Generator, Mode, RT, TUPLE_MAX, option_of};
use super::options::Strings;
use crate::codegen::parts;
use crate::schema::ast::Primitive;
use crate::schema::{Field, Type, TypeId};

impl Generator<'_> {
    /// Returns whether the borrowed variant of the type `id` differs from the owned one.
    pub(super) fn borrows(&self, id: TypeId) -> bool {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => *primitive == Primitive::String,
            Type::Message(m) if m.cases.iter().any(|c| c.fields.iter().any(|f| f.lazy)) => true,
            ty => parts(ty).into_iter().any(|part| self.borrows(part)),
        }
    }

    /// Returns the Rust type for strings.
    fn string_type(&self, mode: Mode) -> &'static str {
        match (mode, self.options.strings) {
            (Mode::Owned, Strings::Bytes) => "::std::vec::Vec<u8>",
            (Mode::Owned, Strings::Utf8) => "::std::string::String",
            (Mode::Borrowed, Strings::Bytes) => "&'a [u8]",
            (Mode::Borrowed, Strings::Utf8) => "&'a str",
        }
    }

    /// Returns the Rust type for the schema type `id`.
    pub(super) fn ty(&self, id: TypeId, mode: Mode) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => match primitive {
                Primitive::Bool => "bool".into(),
                Primitive::Byte => "u8".into(),
                Primitive::Int | Primitive::Long => "i64".into(),
                Primitive::Float => "f64".into(),
                Primitive::String => self.string_type(mode).into(),
            },
            Type::List(element) | Type::Array(element) => {
                format!("::std::vec::Vec<{}>", self.ty(*element, mode))
            }
            Type::Tuple(types) if types.len() <= TUPLE_MAX => {
                let types: Vec<_> = types.iter().map(|ty| self.ty(*ty, mode)).collect();
                format!("({})", types.join(", "))
            }
            Type::Sum(sum) if option_of(sum).is_some() => {
                let some = &sum.constructors[sum.non_constants[0] as usize];
                format!("::std::option::Option<{}>", self.ty(some.arguments[0], mode))
            }
            _ => self.named(id, mode),
        }
    }

    /// Returns the Rust name for the declared type `id`, such as `User`, or `UserRef<'a>` for a
    /// borrowed variant.
    pub(super) fn named(&self, id: TypeId, mode: Mode) -> String {
        let name = &self.names[&id];
        match mode {
            Mode::Borrowed if self.borrows(id) => format!("{name}Ref<'a>"),
            _ => name.clone(),
        }
    }

    /// Returns the Rust type of `field`, which is `Lazy` or `LazyRef` if the field is lazy.
    pub(super) fn field_ty(&self, field: &Field, mode: Mode) -> String {
        let ty = self.ty(field.ty, mode);
        match (field.lazy, mode) {
            (false, _) => ty,
            (true, Mode::Owned) => format!("{RT}::Lazy<{ty}>"),
            (true, Mode::Borrowed) => format!("{RT}::LazyRef<'a, {ty}>"),
        }
    }
}

//! Chooses the Rust types for the types of a schema, and generates code for the fields of messages.

use super::generator::{Generator, Mode, RT, TUPLE_MAX, option_of};
use super::options::Strings;
use crate::codegen::parts;
use crate::schema::ast::Primitive;
use crate::schema::{Case, Field, Message, Type, TypeId};
use std::fmt::Write;

impl Generator<'_> {
    /// Returns Rust statements `let e0 = ...;` that read the fields of `case` from an open block.
    pub(super) fn decode_fields(&self, message: &Message, case: &Case, mode: Mode) -> String {
        let mut text = String::new();
        let mut at = 0;
        for (index, field) in case.fields.iter().enumerate() {
            let wire = field.wire_index;
            if at < wire {
                let _ = write!(text, "for _ in {at}..n.min({wire}) {{ r.skip()?; }}");
            }
            at = wire + 1;
            let (own, name) = (&message.name, &field.name);
            let decode = self.decode_field(field, mode);
            let missing = self.missing_field(message, field, "r.offset_bytes()", mode);
            let _ = write!(
                text,
                "let e{index} = if n > {wire} {{
                    match {decode} {{ {RT}::Result::Ok(v) => v,
                        {RT}::Result::Err(e) => return {RT}::Result::Err(e.in_field({own:?}, {name:?})), }}
                }} else {{ {missing}? }};"
            );
        }
        text
    }

    /// Returns a Rust expression of type `Result<T>` that reads `field`.
    fn decode_field(&self, field: &Field, mode: Mode) -> String {
        let decode = self.decode(field.ty, mode);
        if !field.lazy {
            return decode;
        }
        let lazy = if mode == Mode::Owned { "Lazy" } else { "LazyRef" };
        let helper = self.helper("lazy", field.ty, mode);
        let raw = format!("{RT}::{lazy}::from_reader(r, {helper})");
        let is_eager = match self.schema.get(field.ty) {
            Type::List(_) | Type::Array(_) => "is_empty_list",
            Type::Sum(_) => "is_constant",
            _ => return raw,
        };
        format!("if {RT}::{is_eager}(r) {{ {decode}.map({RT}::{lazy}::new) }} else {{ {raw} }}")
    }

    /// Writes the function that decodes lazy fields of the type `ty`, unless it is already written.
    pub(super) fn lazy_helper(&mut self, ty: TypeId, mode: Mode) {
        if !self.lazies.insert((ty, if self.borrows(ty) { mode } else { Mode::Owned })) {
            return;
        }
        let (helper, decode) = (self.helper("lazy", ty, mode), self.decode(ty, mode));
        let ty = self.ty(ty, mode);
        let text = format!(
            "fn {helper}<'a>(r: &mut {RT}::Reader<'a, '_>) -> {RT}::Result<{ty}> {{ {decode} }}"
        );
        self.line(&text);
    }

    /// Returns a Rust expression of type `Result<T>` for the value of `field` if it is not in the
    /// data: its default, or an error at `offset`.
    fn missing_field(&self, message: &Message, field: &Field, offset: &str, mode: Mode) -> String {
        if !self.schema.has_default(field.ty) {
            return format!("{RT}::missing_field({offset}, {:?}, {:?})", message.name, field.name);
        }
        let default = self.default(field.ty, mode);
        match (field.lazy, mode) {
            (false, _) => default,
            (true, Mode::Owned) => format!("{default}.map({RT}::Lazy::new)"),
            (true, Mode::Borrowed) => format!("{default}.map({RT}::LazyRef::new)"),
        }
    }

    /// Returns a Rust expression that reads a bare primitive as the first field of `case`, and
    /// gives the other fields their defaults. If the first field is not a primitive, the expression
    /// is an error.
    pub(super) fn promote_fields(
        &self,
        message: &Message,
        case: &Case,
        build: &str,
        mode: Mode,
    ) -> String {
        let fail = format!("{RT}::Result::Err(r.bad_wire_type(prefix, \"a message\"))");
        let Some(primitive) = self.schema.primitive(case.fields[0].ty) else {
            return fail;
        };
        let number = primitive.wire_type() as u8;
        let first = self.decode_primitive(primitive, "promoted", mode);
        let mut lets = format!("let e0 = {first}?;");
        for (index, field) in case.fields.iter().enumerate().skip(1) {
            let missing = self.missing_field(message, field, "r.offset_bytes()", mode);
            let _ = write!(lets, "let e{index} = {missing}?;");
        }
        format!(
            "if prefix.wire_number() == {number} {{ {lets} {RT}::Result::Ok({build}) }} else {{ {fail} }}"
        )
    }

    /// Returns a Rust expression for a message whose fields all have their defaults. If a field has
    /// no default, the expression is an error.
    pub(super) fn default_fields(
        &self,
        message: &Message,
        case: &Case,
        own: &str,
        pattern: &str,
        mode: Mode,
    ) -> String {
        let mut lets = String::new();
        for (index, field) in case.fields.iter().enumerate() {
            let missing = self.missing_field(message, field, "0", mode);
            if !self.schema.has_default(field.ty) {
                // This returns an error, so the code for the other fields would be unreachable.
                return missing;
            }
            let _ = write!(lets, "let e{index} = {missing}?;");
        }
        format!("{lets} {RT}::Result::Ok({own} {{ {pattern} }})")
    }

    /// Returns a Rust statement that writes `field`, whose value the reference `place` points to.
    pub(super) fn encode_field(&self, field: &Field, place: &str) -> String {
        let inner = self.encode(field.ty, if field.lazy { "v" } else { place });
        if !field.lazy {
            return inner;
        }
        format!(
            "match {place}.raw() {{
                ::std::option::Option::Some(bytes) => w.raw(bytes),
                ::std::option::Option::None => if let {RT}::Result::Ok(v) = {place}.get() {{ {inner} }},
            }}"
        )
    }

    /// Returns a Rust expression of type `Doc` for `field`, whose value the reference `place`
    /// points to.
    pub(super) fn field_doc(&self, field: &Field, place: &str) -> String {
        if !field.lazy {
            return self.doc(field.ty, place);
        }
        let inner = self.doc(field.ty, "v");
        format!(
            "match {place}.get() {{ {RT}::Result::Ok(v) => {inner},
                {RT}::Result::Err(e) => {RT}::Doc::atom(format!(\"<error: {{e}}>\")) }}"
        )
    }
}

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

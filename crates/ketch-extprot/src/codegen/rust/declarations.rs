//! Writes the Rust declarations of sums and messages, and of aliases of both.

use super::generator::{Generator, Mode, RT, option_of};
use crate::codegen::names::{Taken, field_name, variant_name};
use crate::schema::{Constructor, Message, Span, Sum, Type, TypeId, capitalized};
use std::fmt::Write;

impl Generator<'_> {
    /// Writes the Rust declaration of the type `id`. Does nothing in borrowed mode if the type has
    /// no borrowed variant or the options exclude it.
    pub(super) fn declaration(&mut self, id: TypeId, mode: Mode) {
        let borrowed = mode == Mode::Borrowed;
        if borrowed && (self.options.no_borrowed || !self.borrows(id)) {
            return;
        }
        let schema = self.schema;
        match schema.get(id) {
            Type::Tuple(types) => self.tuple_helper(id, types, mode),
            Type::Sum(sum) if option_of(sum).is_some() => self.option_helper(id, sum, mode),
            Type::Sum(sum) => self.sum(id, sum, mode),
            Type::Message(message) => self.message(id, message, mode),
            _ => {}
        }
    }

    /// Writes a Rust `type` for each alias.
    pub(super) fn aliases(&mut self) {
        for (alias, id) in std::mem::take(&mut self.alias_names) {
            let name = self.named(id, Mode::Owned);
            self.line(&format!(
                "#[doc = \" [`{name}`] under another name.\"] pub type {alias} = {name};"
            ));
            if self.borrows(id) && !self.options.no_borrowed {
                let text = format!(
                    "#[doc = \" [`{name}Ref`] under another name.\"] pub type {alias}Ref<'a> = {name}Ref<'a>;"
                );
                self.line(&text);
            }
        }
    }

    /// Writes `impl<'a> Decode<'a> for NAME`. `decode` and `default` are the bodies of its two
    /// functions.
    fn decode_impl(&mut self, name: &str, decode: &str, default: &str) {
        let text = format!(
            "impl<'a> {RT}::Decode<'a> for {name} {{
                fn decode(r: &mut {RT}::Reader<'a, '_>) -> {RT}::Result<Self> {{ {decode} }}
                fn default_value() -> {RT}::Result<Self> {{ {default} }}
            }}"
        );
        self.line(&text);
    }

    /// Writes the implementations of `Encode` and `Pretty` for the type `name`. `encode` and `doc`
    /// are the bodies of their functions.
    fn encode_impls(&mut self, name: &str, encode: &str, doc: &str) {
        let anonymous = name.replace("<'a>", "<'_>");
        let text = format!(
            "impl {RT}::Encode for {anonymous} {{
                fn encode(&self, w: &mut {RT}::Writer) {{ {encode} }}
            }}
            impl {RT}::Pretty for {anonymous} {{
                fn doc(&self) -> {RT}::Doc {{ {doc} }}
            }}"
        );
        self.line(&text);
    }

    /// Writes the doc comment and the attributes of a type. `what` is the kind of the type in
    /// words, and `name` its name in the schema.
    fn head(&mut self, what: &str, name: &str, span: Span, mode: Mode) {
        let sources = self.schema.sources();
        let file = &sources.0[span.file as usize].name;
        let file = std::path::Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let borrowed = if mode == Mode::Borrowed { ", borrowed from its bytes" } else { "" };
        let doc = format!(" {what} `{name}` of {file}{borrowed}.");
        let text = format!(
            "#[doc = {doc:?}]\n#[derive(Debug, Clone, PartialEq)]\n#[allow(non_camel_case_types, clippy::type_complexity)]"
        );
        self.line(&text);
    }

    /// Writes the enum for a sum type, and the implementations of its traits.
    fn sum(&mut self, id: TypeId, sum: &Sum, mode: Mode) {
        let name = self.named(id, mode);
        self.head("The sum type", &sum.name, sum.span, mode);
        let mut variants = String::new();
        let (mut encode, mut doc) = (String::new(), String::new());
        let module = capitalized(&sum.name);
        for constructor in &sum.constructors {
            let variant = variant_name(&constructor.name);
            let types: Vec<_> = constructor.arguments.iter().map(|ty| self.ty(*ty, mode)).collect();
            let names: Vec<_> = (0..types.len()).map(|index| format!("e{index}")).collect();
            let (types, pattern) = match types.len() {
                0 => (String::new(), String::new()),
                _ => (format!("({})", types.join(", ")), format!("({})", names.join(", "))),
            };
            let _ = write!(variants, "#[doc = \" `{}`\"] {variant}{types},", constructor.name);
            let tag = constructor.tag;
            if names.is_empty() {
                let _ = write!(encode, "Self::{variant} => w.write_enum({tag}),");
            } else {
                let writes: String = (0..constructor.arguments.len())
                    .rev()
                    .map(|i| self.encode(constructor.arguments[i], &names[i]))
                    .collect();
                let count = names.len();
                let _ = write!(
                    encode,
                    "Self::{variant}{pattern} => {{ let mark = w.mark(); {writes}
                        w.close_block(mark, {count}, {tag}, {RT}::WireType::Tuple); }}"
                );
            }
            let docs = constructor.arguments.iter().zip(&names).map(|(ty, e)| self.doc(*ty, e));
            let docs: Vec<_> = docs.collect();
            let _ = write!(
                doc,
                "Self::{variant}{pattern} => {RT}::Doc::constructor(\"{module}.{}\", vec![{}]),",
                constructor.name,
                docs.join(", ")
            );
        }
        self.line(&format!("pub enum {name} {{ {variants} }}"));
        let build = |constructor: &Constructor, values: &str| {
            let variant = variant_name(&constructor.name);
            if values.is_empty() {
                format!("Self::{variant}")
            } else {
                format!("Self::{variant}({values})")
            }
        };
        let decode = self.decode_sum(sum, mode, &build);
        let default = match sum.constants.first() {
            Some(first) => {
                let value = build(&sum.constructors[*first as usize], "");
                format!("{RT}::Result::Ok({value})")
            }
            None => format!("{RT}::no_default()"),
        };
        self.decode_impl(&name, &decode, &default);
        self.encode_impls(
            &name,
            &format!("match self {{ {encode} }}"),
            &format!("match self {{ {doc} }}"),
        );
    }

    /// Writes the struct or enum for a message, and the implementations of its traits.
    fn message(&mut self, id: TypeId, message: &Message, mode: Mode) {
        let name = self.named(id, mode);
        let lazy_fields = message.cases.iter().flat_map(|c| &c.fields).filter(|f| f.lazy);
        for field in lazy_fields {
            self.lazy_helper(field.ty, mode);
        }
        let what = match (message.subset, message.union) {
            (true, _) => "The subset",
            (_, true) => "The message union",
            _ => "The message",
        };
        self.head(what, &message.name, message.span, mode);
        let mut body = String::new();
        let (mut encode, mut docs, mut decode) = (String::new(), String::new(), String::new());
        let mut promotions = String::new();
        let mut first_default = String::new();
        for (tag, case) in message.cases.iter().enumerate() {
            let mut taken = Taken::default();
            let names: Vec<String> =
                case.fields.iter().map(|f| taken.claim(&field_name(&f.name))).collect();
            let variant = variant_name(&case.name);
            let own = if message.union { format!("Self::{variant}") } else { "Self".into() };
            let visible = if message.union { "" } else { "pub " };
            let mut fields = String::new();
            for (field, name) in case.fields.iter().zip(&names) {
                let label = format!(" `{} : {}`", field.name, self.schema.describe(field.ty));
                let ty = self.field_ty(field, mode);
                let _ = write!(fields, "#[doc = {label:?}] {visible}{name}: {ty},");
            }
            if message.union {
                let _ = write!(body, "#[doc = \" `{}`\"] {variant} {{ {fields} }},", case.name);
            } else {
                body = fields;
            }
            let pattern: String =
                (0..).zip(&names).map(|(i, n): (usize, _)| format!("{n}: e{i},")).collect();
            let writes: String = (0..case.fields.len())
                .rev()
                .map(|i| self.encode_field(&case.fields[i], &format!("e{i}")))
                .collect();
            let count = case.fields.len();
            let _ = write!(
                encode,
                "{own} {{ {pattern} }} => {{ let mark = w.mark(); {writes}
                    w.close_block(mark, {count}, {tag}, {RT}::WireType::Tuple); }}"
            );
            let fields_docs: Vec<_> = (0..)
                .zip(&case.fields)
                .map(|(i, f): (usize, _)| {
                    format!("({:?}, {})", f.name, self.field_doc(f, &format!("e{i}")))
                })
                .collect();
            let _ = write!(
                docs,
                "{own} {{ {pattern} }} => {RT}::Doc::record({:?}, [{}].into_iter()),",
                case.module,
                fields_docs.join(", ")
            );
            let reads = self.decode_fields(message, case, mode);
            let _ = write!(
                decode,
                "{tag} => {{ {reads} r.leave(block); {RT}::Result::Ok({own} {{ {pattern} }}) }}"
            );
            let promotion =
                self.promote_fields(message, case, &format!("{own} {{ {pattern} }}"), mode);
            let _ = write!(promotions, "{tag} => {{ {promotion} }}");
            if tag == 0 {
                first_default = self.default_fields(message, case, &own, &pattern, mode);
            }
        }
        let keyword = if message.union { "enum" } else { "struct" };
        self.line(&format!("pub {keyword} {name} {{ {body} }}"));
        let otherwise = if message.subset {
            format!("{RT}::Result::Err(r.bad_wire_type(prefix, \"a message\"))")
        } else {
            format!("match prefix.tag() {{ {promotions} tag => {RT}::unknown_tag(r, tag) }}")
        };
        let decode = format!(
            "let prefix = r.prefix()?;
            if prefix.wire_number() == 1 {{
                let block = r.enter()?;
                r.check_message(&block)?;
                let n = block.count();
                return match prefix.tag() {{ {decode} tag => {RT}::unknown_tag(r, tag) }};
            }}
            {otherwise}"
        );
        self.decode_impl(&name, &decode, &first_default);
        let encode = match self.schema.is_read_only(id) {
            true => "w.refuse_read_only();".into(),
            false => format!("match self {{ {encode} }}"),
        };
        self.encode_impls(&name, &encode, &format!("match self {{ {docs} }}"));
    }
}

//! Generates Java types, and Java expressions that read, write and print values.

use super::{Generator, Part, RT, Record};
use crate::codegen::Strings;
use crate::schema::ast::Primitive;
use crate::schema::{Default as DefaultValue, Type, TypeId};

impl Generator<'_> {
    /// Returns the Java type of the component for `part`. If the part is decoded on first access,
    /// this is `Lazy` of its type.
    pub(super) fn part_type(&self, part: &Part) -> String {
        match part.lazy {
            true => format!("{RT}.Lazy<{}>", self.boxed(part.ty)),
            false => self.ty(part.ty),
        }
    }

    /// Returns the Java type for the schema type `id`. Numbers and bools are not boxed.
    fn ty(&self, id: TypeId) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => match primitive {
                Primitive::Bool => "boolean".into(),
                Primitive::Byte => "int".into(),
                Primitive::Int | Primitive::Long => "long".into(),
                Primitive::Float => "double".into(),
                Primitive::String => self.string_type(),
            },
            _ => self.boxed(id),
        }
    }

    /// Returns the Java class for the schema type `id`. Numbers and bools are boxed.
    fn boxed(&self, id: TypeId) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => match primitive {
                Primitive::Bool => "java.lang.Boolean".into(),
                Primitive::Byte => "java.lang.Integer".into(),
                Primitive::Int | Primitive::Long => "java.lang.Long".into(),
                Primitive::Float => "java.lang.Double".into(),
                Primitive::String => self.string_type(),
            },
            Type::List(element) | Type::Array(element) => {
                format!("java.util.List<{}>", self.boxed(*element))
            }
            _ => self.named(id),
        }
    }

    /// Returns the Java type for strings, which the options choose.
    fn string_type(&self) -> String {
        match self.options.strings {
            Strings::Bytes => format!("{RT}.Bytes"),
            Strings::Utf8 => "java.lang.String".into(),
        }
    }

    /// Returns the end of the names of the runtime's methods that read and write `primitive`, such
    /// as `Int` in `readInt`.
    fn verb(&self, primitive: Primitive) -> &'static str {
        match (primitive, self.options.strings) {
            (Primitive::Bool, _) => "Bool",
            (Primitive::Byte, _) => "Byte",
            (Primitive::Int, _) => "Int",
            (Primitive::Long, _) => "Long",
            (Primitive::Float, _) => "Float",
            (Primitive::String, Strings::Bytes) => "String",
            (Primitive::String, Strings::Utf8) => "Text",
        }
    }

    /// Returns a Java expression that reads a bare value of type `primitive` where a block was
    /// expected.
    pub(super) fn promoted(&self, primitive: Primitive) -> String {
        format!("in.promoted{}()", self.verb(primitive))
    }

    /// Returns a Java expression that reads the value of `part`.
    pub(super) fn decode_part(&self, part: &Part) -> String {
        if !part.lazy {
            return self.decode(part.ty, "in");
        }
        let is_small = match self.schema.get(part.ty) {
            Type::List(_) | Type::Array(_) => "in.isEmptyList()",
            Type::Sum(_) => "in.isConstant()",
            _ => "false",
        };
        format!("in.readLazy({}, {is_small})", self.decoder(part.ty, "in"))
    }

    /// Returns a Java expression that reads a value of type `id` from the Java variable `reader`.
    fn decode(&self, id: TypeId, reader: &str) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => format!("{reader}.read{}()", self.verb(*primitive)),
            Type::List(element) | Type::Array(element) => {
                format!("{reader}.readList({})", self.decoder(*element, reader))
            }
            _ => format!("{}.read({reader})", self.named(id)),
        }
    }

    /// Returns a Java function (a method reference or a lambda) that reads a value of type `id`.
    /// The parameter of a lambda is called `reader` with `1` added, so that it differs from the
    /// reader around it.
    fn decoder(&self, id: TypeId, reader: &str) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => format!("{RT}.Reader::read{}", self.verb(*primitive)),
            Type::List(_) | Type::Array(_) => {
                let inner = format!("{reader}1");
                format!("{inner} -> {}", self.decode(id, &inner))
            }
            _ => format!("{}::read", self.named(id)),
        }
    }

    /// Returns a Java expression for the value of `part` if it is not in the data: its default, or
    /// a call that throws an exception. `index` is the position of the part in the record.
    pub(super) fn missing(&self, record: &Record<'_>, part: &Part, index: usize) -> String {
        if self.schema.has_default(part.ty) {
            let value = self.default(part.ty);
            return match part.lazy {
                true => format!("{RT}.Lazy.of({value})"),
                false => value,
            };
        }
        let ty = match part.lazy {
            true => self.part_type(part),
            false => self.boxed(part.ty),
        };
        match record.has_elements {
            true => format!("in.<{ty}>noElement({index})"),
            false => format!("in.<{ty}>noField()"),
        }
    }

    /// Returns a Java expression for the default of the type `id`. If the type has none, the
    /// expression throws an exception.
    fn default(&self, id: TypeId) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, default) => match default {
                None if *primitive == Primitive::Bool => "false".into(),
                None => format!("in.<{}>noField()", self.boxed(id)),
                Some(DefaultValue::Bool(value)) => value.to_string(),
                Some(DefaultValue::Byte(value)) => value.to_string(),
                Some(DefaultValue::Int(value)) => format!("{value}L"),
                Some(DefaultValue::Float(bits)) => {
                    format!("java.lang.Double.longBitsToDouble({bits:#x}L)")
                }
                Some(DefaultValue::String(bytes)) => self.default_string(bytes),
            },
            Type::List(element) | Type::Array(element) => {
                format!("java.util.List.<{}>of()", self.boxed(*element))
            }
            _ => format!("{}.byDefault(in)", self.named(id)),
        }
    }

    /// Returns a Java expression for the default string `bytes`. If strings are `String` in Java
    /// and the bytes are not UTF-8, the expression throws an exception.
    fn default_string(&self, bytes: &[u8]) -> String {
        match (std::str::from_utf8(bytes), self.options.strings) {
            (Ok(text), Strings::Utf8) => literal(text),
            (Ok(text), Strings::Bytes) => format!("{RT}.Bytes.of({})", literal(text)),
            (Err(_), Strings::Utf8) => "in.<java.lang.String>noField()".into(),
            (Err(_), Strings::Bytes) => {
                let bytes: Vec<String> =
                    bytes.iter().map(|byte| (*byte as i8).to_string()).collect();
                format!("{RT}.Bytes.of(new byte[] {{{}}})", bytes.join(", "))
            }
        }
    }

    /// Returns a Java expression that writes `value`, which is the value of `part`.
    pub(super) fn encode_part(&self, part: &Part, value: &str) -> String {
        match part.lazy {
            true => format!("out.writeLazy({value}, {})", self.encoder(part.ty, "out", "item")),
            false => self.encode(part.ty, "out", value),
        }
    }

    /// Returns a Java expression that writes `value`, of type `id`, to the Java variable `writer`.
    fn encode(&self, id: TypeId, writer: &str, value: &str) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => {
                format!("{writer}.write{}({value})", self.verb(*primitive))
            }
            Type::List(element) | Type::Array(element) => {
                format!("{writer}.writeList({value}, {})", self.encoder(*element, writer, "item"))
            }
            _ => format!("{value}.write({writer})"),
        }
    }

    /// Returns a Java function (a method reference or a lambda) that writes a value of type `id`.
    /// The parameters of a lambda get names that are derived from `writer` and `item`.
    fn encoder(&self, id: TypeId, writer: &str, item: &str) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => format!("{RT}.Writer::write{}", self.verb(*primitive)),
            _ => {
                let (writer, item) = (format!("{writer}1"), format!("{item}{}", writer.len()));
                format!("({writer}, {item}) -> {}", self.encode(id, &writer, &item))
            }
        }
    }

    /// Returns a Java expression that prints the value of `part` to the Java expression `printer`.
    pub(super) fn print_part(&self, part: &Part, printer: &str) -> String {
        let value = format!("this.{}", part.name);
        match part.lazy {
            true => {
                format!("{printer}.printLazy({value}, {})", self.printer(part.ty, "out", "item"))
            }
            false => self.print(part.ty, "out", printer, &value),
        }
    }

    /// Returns a Java expression that prints `value`, of type `id`, to the Java expression `printer`.
    /// `name` is the Java variable in it.
    fn print(&self, id: TypeId, name: &str, printer: &str, value: &str) -> String {
        let (method, element) = match self.schema.get(id) {
            Type::Primitive(primitive, _) => {
                return format!("{printer}.print{}({value})", self.verb(*primitive));
            }
            Type::List(element) => ("printList", element),
            Type::Array(element) => ("printArray", element),
            _ => return format!("{printer}.printValue({value})"),
        };
        format!("{printer}.{method}({value}, {})", self.printer(*element, name, "item"))
    }

    /// Returns a Java function (a method reference or a lambda) that prints a value of type `id`. The
    /// parameters of a lambda get names that are derived from `printer` and `item`.
    fn printer(&self, id: TypeId, printer: &str, item: &str) -> String {
        match self.schema.get(id) {
            Type::Primitive(primitive, _) => {
                format!("{RT}.Printer::print{}", self.verb(*primitive))
            }
            Type::List(_) | Type::Array(_) => {
                let (printer, item) = (format!("{printer}1"), format!("{item}{}", printer.len()));
                format!("({printer}, {item}) -> {}", self.print(id, &printer, &printer, &item))
            }
            _ => format!("{RT}.Printer::printValue"),
        }
    }
}

/// Returns `text` as a Java string literal.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => literal.push_str("\\\""),
            Ok(b'\\') => literal.push_str("\\\\"),
            Ok(byte @ b' '..=b'~') => literal.push(char::from(byte)),
            // An octal escape, since Java would treat `\u000a` as a line break in the source.
            Ok(byte) if byte < 128 => literal.push_str(&format!("\\{byte:03o}")),
            _ => literal.push_str(&format!("\\u{unit:04x}")),
        }
    }
    literal + "\""
}

//! Writes Java records: their components, and the methods that read, write and print them.

use super::{Error, Generator, Part, RT, Record, SLOTS_MAX};
use crate::schema::ast::Primitive;
use std::fmt::Write;

impl Generator<'_> {
    /// Writes `record` with the methods that `body` writes, and one that prints its value. A record
    /// that is not read-only also gets a method that writes its value.
    pub(super) fn record(
        &mut self,
        record: &Record<'_>,
        body: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let slots: usize = record.parts.iter().map(|part| self.slots(part)).sum();
        if slots > SLOTS_MAX {
            let (name, count) = (record.own, record.parts.len());
            return Err(Error::TooWide(format!(
                "{name} has {count} values, more than a Java method has parameters; split it"
            )));
        }
        let components: Vec<String> = record
            .parts
            .iter()
            .map(|part| format!("{} {}", self.part_type(part), part.name))
            .collect();
        let (indent, name) = (record.indent, record.name);
        let modifier = if indent.len() == 4 { "public " } else { "" };
        let _ = writeln!(
            self.out,
            "{indent}{modifier}record {name}({}) implements {} {{",
            components.join(", "),
            record.implements
        );
        body(self)?;
        if !record.is_read_only {
            self.write_method(record);
            self.out.push('\n');
        }
        self.print_method(record);
        let _ = writeln!(self.out, "{indent}}}");
        Ok(())
    }

    /// Returns the number of parameters that `part` takes in a Java method: 2 for `long` and
    /// `double`, otherwise 1.
    fn slots(&self, part: &Part) -> usize {
        match self.schema.primitive(part.ty) {
            Some(Primitive::Int | Primitive::Long | Primitive::Float) => 2,
            _ => 1,
        }
    }

    /// Writes the Java method that writes the value of `record`.
    fn write_method(&mut self, record: &Record<'_>) {
        let indent = record.indent;
        let _ = writeln!(self.out, "{indent}    public void write({RT}.Writer out) {{");
        if record.parts.is_empty() {
            let _ = writeln!(self.out, "{indent}        out.writeConstant({});", record.tag);
        } else {
            let _ = writeln!(self.out, "{indent}        int mark = out.mark();");
            for part in record.parts.iter().rev() {
                let value = format!("this.{}", part.name);
                let text = self.encode_part(part, &value);
                let _ = writeln!(self.out, "{indent}        {text};");
            }
            let (count, tag) = (record.parts.len(), record.tag);
            let _ = writeln!(self.out, "{indent}        out.close(mark, {count}, {tag});");
        }
        let _ = writeln!(self.out, "{indent}    }}");
    }

    /// Writes the Java method that prints the value of `record`.
    fn print_method(&mut self, record: &Record<'_>) {
        let (indent, printed) = (record.indent, &record.printed);
        let mut lines = Vec::new();
        let constructor = match record.has_elements && !printed.is_empty() {
            true => format!("out.constructor({printed:?})"),
            false => String::new(),
        };
        match (record.parts.as_slice(), printed.rsplit_once('.')) {
            ([], Some((ty, name))) if record.has_elements => {
                lines.push(format!("out.printConstant({ty:?}, {name:?})"));
            }
            ([only], _) if !constructor.is_empty() => {
                lines.push(self.print_part(only, &constructor));
            }
            (parts, _) => {
                lines.push(match (record.has_elements, constructor.as_str()) {
                    (false, _) => format!("out.openRecord({printed:?})"),
                    (true, "") => "out.openTuple()".into(),
                    (true, constructor) => format!("{constructor}.openTuple()"),
                });
                for part in parts {
                    let printer = match record.has_elements {
                        true => "out".into(),
                        false => format!("out.field({:?})", part.field),
                    };
                    lines.push(self.print_part(part, &printer));
                }
                lines.push("out.close()".into());
            }
        }
        let _ = writeln!(self.out, "{indent}    public void print({RT}.Printer out) {{");
        for line in lines {
            let _ = writeln!(self.out, "{indent}        {line};");
        }
        let _ = writeln!(self.out, "{indent}    }}");
    }

    /// Writes the Java method that reads a tuple. Where the data has a bare value, the method takes
    /// this as the first element.
    pub(super) fn read_tuple(&mut self, record: &Record<'_>) {
        let (indent, name) = (record.indent, record.name);
        let _ = write!(
            self.out,
            "{indent}    public static {name} read({RT}.Reader in) {{
{indent}        long prefix = in.prefix();
{indent}        if ((prefix & 15) != 1) {{
{indent}            return promoted(in, prefix);
{indent}        }}
{indent}        int outer = in.end();
{indent}        {name} value = fields(in, in.enter());
{indent}        in.leave(outer);
{indent}        return value;
{indent}    }}\n\n"
        );
        self.fields_method(record);
        self.promoted_method(record, true);
    }

    /// Writes the Java method that reads a message. Unless the message is a subset, the method also
    /// accepts a bare value as the first field.
    pub(super) fn read_message(&mut self, record: &Record<'_>, is_subset: bool) {
        let (indent, name) = (record.indent, record.name);
        let otherwise = match is_subset {
            true => "throw in.badWireType(prefix, \"a message\")",
            false => "return promoted(in, prefix)",
        };
        let _ = write!(
            self.out,
            "{indent}    public static {name} read({RT}.Reader in) {{
{indent}        long prefix = in.prefix();
{indent}        if ((prefix & 15) != 1) {{
{indent}            {otherwise};
{indent}        }}
{indent}        int outer = in.end();
{indent}        long count = in.enterMessage();
{indent}        if (prefix >>> 4 != 0) {{
{indent}            throw in.unknownTag(prefix);
{indent}        }}
{indent}        {name} value = fields(in, count);
{indent}        in.leave(outer);
{indent}        return value;
{indent}    }}\n\n"
        );
        self.fields_method(record);
        if !is_subset {
            self.promoted_method(record, false);
        }
    }

    /// Writes the Java method that reads the parts of `record` from an open block. Missing parts
    /// get their defaults.
    pub(super) fn fields_method(&mut self, record: &Record<'_>) {
        let (indent, name) = (record.indent, record.name);
        let _ = write!(
            self.out,
            "{indent}    static {name} fields({RT}.Reader in, long count) {{
{indent}        java.lang.String field = null;
{indent}        try {{\n"
        );
        let mut next = 0;
        for (index, part) in record.parts.iter().enumerate() {
            let wire = part.wire_index;
            let _ = writeln!(self.out, "{indent}            field = {:?};", part.field);
            if next < wire {
                let _ = writeln!(self.out, "{indent}            in.skip({next}, {wire}, count);");
            }
            next = wire + 1;
            let (ty, read) = (self.part_type(part), self.decode_part(part));
            let missing = self.missing(record, part, index);
            let _ = writeln!(
                self.out,
                "{indent}            {ty} f{index} = count > {wire} ? {read} : {missing};"
            );
        }
        let values: Vec<String> =
            (0..record.parts.len()).map(|index| format!("f{index}")).collect();
        let _ = write!(
            self.out,
            "{indent}            return new {name}({});
{indent}        }} catch ({RT}.ExtprotException error) {{
{indent}            throw error.within({:?}, field);
{indent}        }}
{indent}    }}\n\n",
            values.join(", "),
            record.own
        );
    }

    /// Writes the Java method that reads a bare value as the first part of `record` and gives the
    /// other parts their defaults. If another element has no default, the method rejects all
    /// values; if another field has none, the method throws an error about this field.
    pub(super) fn promoted_method(&mut self, record: &Record<'_>, elements: bool) {
        let (indent, name) = (record.indent, record.name);
        let expected = match (elements, record.indent.len()) {
            (false, _) => "a message",
            (true, 4) => "a tuple",
            _ => "a constructor",
        };
        let _ = writeln!(
            self.out,
            "{indent}    static {name} promoted({RT}.Reader in, long prefix) {{"
        );
        let first = record.parts.first().and_then(|part| self.schema.primitive(part.ty));
        let mut rest = record.parts.iter().skip(1);
        let primitive =
            first.filter(|_| !elements || rest.all(|part| self.schema.has_default(part.ty)));
        let Some(primitive) = primitive else {
            let _ = write!(
                self.out,
                "{indent}        throw in.badWireType(prefix, {expected:?});\n{indent}    }}\n\n"
            );
            return;
        };
        if !elements && record.indent.len() == 4 {
            let _ = write!(
                self.out,
                "{indent}        if (prefix >>> 4 != 0) {{
{indent}            throw in.unknownTag(prefix);
{indent}        }}\n"
            );
        }
        let mut values = vec![self.promoted(primitive)];
        for (index, part) in record.parts.iter().enumerate().skip(1) {
            values.push(self.missing(record, part, index));
        }
        let _ = write!(
            self.out,
            "{indent}        if ((prefix & 15) != {}) {{
{indent}            throw in.badWireType(prefix, {expected:?});
{indent}        }}
{indent}        return new {name}({});
{indent}    }}\n\n",
            primitive.wire_type() as u8,
            values.join(", ")
        );
    }

    /// Writes the Java method that returns a record whose parts all have their defaults.
    pub(super) fn by_default(&mut self, record: &Record<'_>) {
        let (indent, name) = (record.indent, record.name);
        let values: Vec<String> = record
            .parts
            .iter()
            .enumerate()
            .map(|(index, part)| self.missing(record, part, index))
            .collect();
        let _ = write!(
            self.out,
            "{indent}    static {name} byDefault({RT}.Reader in) {{
{indent}        in.countDefaults({});
{indent}        return new {name}({});
{indent}    }}\n\n",
            record.parts.len(),
            values.join(", ")
        );
    }

    /// Writes the Java method that decodes a value of the class `name` from a byte array.
    pub(super) fn decode_method(&mut self, name: &str, indent: &str) {
        let _ = write!(
            self.out,
            "{indent}public static {0}.{name} decode(byte[] bytes) {{
{indent}    return {RT}.Extprot.decode(bytes, {0}.{name}::read);
{indent}}}\n\n",
            self.class
        );
    }
}

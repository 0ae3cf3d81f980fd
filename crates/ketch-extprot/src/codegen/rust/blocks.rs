//! Generates code that reads tuples, options and sums, from a block or from a bare primitive.

use super::generator::{Generator, Mode, RT, TUPLE_MAX};
use crate::schema::{Constructor, Sum, TypeId};
use std::fmt::Write;

impl Generator<'_> {
    /// Returns Rust statements `let e0 = ...;` that read elements of the given types from an open
    /// block. Missing elements get their defaults.
    fn elements(&self, types: &[TypeId], mode: Mode) -> String {
        let mut text = String::new();
        for (index, ty) in types.iter().enumerate() {
            let decode = self.decode(*ty, mode);
            let default = match self.schema.has_default(*ty) {
                true => self.default(*ty, mode),
                false => format!("{RT}::missing_element(r.offset_bytes(), {index})"),
            };
            let _ = write!(
                text,
                "let e{index} = if n > {index} {{ {decode} }} else {{ {default} }}
                    .map_err(|e| e.in_element({index}))?;"
            );
        }
        text
    }

    /// Returns a Rust expression for a prefix that opens no block. It reads a bare primitive as the
    /// first of `types`, and fails if this is not allowed (specification 4.4 to 4.6). `build`
    /// constructs the value, and `expected` describes it in errors.
    fn promotion(&self, types: &[TypeId], build: &str, expected: &str, mode: Mode) -> String {
        let fail = format!("{RT}::Result::Err(r.bad_wire_type(prefix, \"{expected}\"))");
        let promotes = types.first().and_then(|first| self.schema.primitive(*first));
        let rest_has_defaults = types.iter().skip(1).all(|ty| self.schema.has_default(*ty));
        let Some(primitive) = promotes.filter(|_| rest_has_defaults) else {
            return fail;
        };
        let number = primitive.wire_type() as u8;
        let first = self.decode_primitive(primitive, "promoted", mode);
        let mut lets = format!("let e0 = {first}?;");
        for (index, ty) in types.iter().enumerate().skip(1) {
            let _ = write!(lets, "let e{index} = {}?;", self.default(*ty, mode));
        }
        format!(
            "if prefix.wire_number() == {number} {{ {lets} {RT}::Result::Ok({build}) }} else {{ {fail} }}"
        )
    }

    /// Writes a function that reads the tuple type `id`, a function that returns its default and,
    /// for a long tuple, a struct, unless they are already written.
    pub(super) fn tuple_helper(&mut self, id: TypeId, types: &[TypeId], mode: Mode) {
        if !self.tuples.insert((id, mode)) {
            return;
        }
        let ty = self.ty(id, mode);
        let (decode, default) = (self.helper("decode", id, mode), self.helper("default", id, mode));
        let all: Vec<_> = (0..types.len()).map(|index| format!("e{index}")).collect();
        let wide = types.len() > TUPLE_MAX;
        if wide {
            let fields: Vec<_> =
                types.iter().map(|ty| format!("pub {}", self.ty(*ty, mode))).collect();
            let text = format!(
                "#[doc = \" A tuple of {} elements.\"]
                #[derive(Debug, Clone, PartialEq)]
                pub struct {ty}({});",
                types.len(),
                fields.join(", ")
            );
            self.line(&text);
        }
        let constructor = if wide { ty.trim_end_matches("<'a>") } else { "" };
        let build = format!("{constructor}({})", all.join(", "));
        let elements = self.elements(types, mode);
        let promotion = self.promotion(types, &build, "a tuple", mode);
        let defaults: Vec<_> =
            types.iter().map(|ty| format!("{}?", self.default(*ty, mode))).collect();
        let defaults = defaults.join(", ");
        let text = format!(
            "fn {decode}<'a>(r: &mut {RT}::Reader<'a, '_>) -> {RT}::Result<{ty}> {{
                let prefix = r.prefix()?;
                if prefix.wire_number() == 1 {{
                    let block = r.enter()?;
                    let n = block.count();
                    {elements}
                    r.leave(block);
                    return {RT}::Result::Ok({build});
                }}
                {promotion}
            }}
            #[allow(dead_code)]
            fn {default}<'a>() -> {RT}::Result<{ty}> {{ {RT}::Result::Ok({constructor}({defaults})) }}"
        );
        self.line(&text);
    }

    /// Writes the function that reads the `Option` for the type `id`, unless it is already written.
    pub(super) fn option_helper(&mut self, id: TypeId, sum: &Sum, mode: Mode) {
        if !self.tuples.insert((id, mode)) {
            return;
        }
        let ty = self.ty(id, mode);
        let decode = self.helper("decode", id, mode);
        let body = self.decode_sum(sum, mode, &|constructor, values| match values {
            "" => "::std::option::Option::None".into(),
            _ => {
                let _ = constructor;
                format!("::std::option::Option::Some({values})")
            }
        });
        let text = format!(
            "fn {decode}<'a>(r: &mut {RT}::Reader<'a, '_>) -> {RT}::Result<{ty}> {{ {body} }}"
        );
        self.line(&text);
    }

    /// Returns the body of a function that reads `sum`. `build` returns an expression for a
    /// constructor with the given arguments.
    pub(super) fn decode_sum(
        &self,
        sum: &Sum,
        mode: Mode,
        build: &dyn Fn(&Constructor, &str) -> String,
    ) -> String {
        let values = |constructor: &Constructor| {
            let values: Vec<_> =
                (0..constructor.arguments.len()).map(|index| format!("e{index}")).collect();
            values.join(", ")
        };
        let mut arms = String::new();
        if !sum.constants.is_empty() {
            arms += "10 => match prefix.tag() {";
            for (tag, index) in sum.constants.iter().enumerate() {
                let value = build(&sum.constructors[*index as usize], "");
                let _ = write!(arms, "{tag} => {RT}::Result::Ok({value}),");
            }
            let _ = write!(arms, "tag => {RT}::unknown_tag(r, tag), }},");
        }
        if !sum.non_constants.is_empty() {
            arms += "1 => match prefix.tag() {";
            for (tag, index) in sum.non_constants.iter().enumerate() {
                let constructor = &sum.constructors[*index as usize];
                let elements = self.elements(&constructor.arguments, mode);
                let value = build(constructor, &values(constructor));
                let _ = write!(
                    arms,
                    "{tag} => {{ let block = r.enter()?; let n = block.count(); {elements}
                        r.leave(block); {RT}::Result::Ok({value}) }}"
                );
            }
            let _ = write!(arms, "tag => {RT}::unknown_tag(r, tag), }},");
        }
        let otherwise = match sum.non_constants.first() {
            Some(first) => {
                let first = &sum.constructors[*first as usize];
                let value = build(first, &values(first));
                self.promotion(&first.arguments, &value, "a constructor", mode)
            }
            None => {
                format!("{RT}::Result::Err(r.bad_wire_type(prefix, \"a constructor\"))")
            }
        };
        format!(
            "let prefix = r.prefix()?;
            match prefix.wire_number() {{ {arms} _ => {{ {otherwise} }} }}"
        )
    }
}

//! The rules of reading: what happens when a reader's type reads what a writer's type has on the
//! wire.

use super::comparison::{Comparison, Form, Help, Step, of_whole};
use crate::schema::ast::Primitive;
use crate::schema::{Case, Constructor, Message, Sum, Type, TypeId};
use std::borrow::Cow;
use std::collections::HashMap;

const FINDINGS_MAX: usize = 1000;

/// The maximum number of pairs of types to compare. A comparison exceeds it only if the number of
/// pairs grows exponentially with the length of the schemas.
const WORK_MAX: u64 = 1 << 20;

impl<'s> Comparison<'s> {
    /// Compares the type `written`, with which data is written, with the type `read`, which reads
    /// it, and records the findings. The recursion follows the schemas, whose depth is bounded when
    /// they are checked.
    pub(super) fn types(&mut self, written: TypeId, read: TypeId) {
        if self.clean.contains(&(written, read)) {
            return;
        }
        self.work += 1;
        if self.findings.len() >= FINDINGS_MAX || self.work > WORK_MAX {
            self.truncated = true;
            return;
        }
        let before = self.findings.len();
        let (writer, reader) = (self.writer, self.reader);
        match writer.get(written) {
            Type::Primitive(primitive, _) => self.form(&Form::Primitive(*primitive), written, read),
            Type::List(element) | Type::Array(element) => {
                self.form(&Form::List(*element), written, read);
            }
            Type::Tuple(elements) => {
                let step = |_, element| Step::Element(element);
                let elements = Cow::Borrowed(&elements[..]);
                self.form(&Form::Tuple { tag: 0, elements, step, index: 0 }, written, read);
            }
            Type::Sum(sum) => {
                if let Type::Sum(read_sum) = reader.get(read) {
                    self.compare_constructor_names(sum, read_sum);
                }
                self.sum(sum, written, read);
            }
            Type::Message(message) => {
                if let Type::Message(read_message) = reader.get(read) {
                    self.compare_field_names(message, read_message);
                }
                self.message(message, written, read);
            }
            Type::External(name) => {
                if !matches!(reader.get(read), Type::External(other) if other == name) {
                    let reason = format!("{name} belongs to a schema that was not loaded");
                    self.find(Help::LoadSchema, reason, read);
                }
            }
        }
        if self.findings.len() == before && !self.truncated {
            self.clean.insert((written, read));
        }
    }

    /// Compares each constructor of the written type `sum` with the type `read`.
    fn sum(&mut self, sum: &'s Sum, written: TypeId, read: TypeId) {
        for (index, constructor) in (0..).zip(&sum.constructors) {
            let tag = constructor.tag;
            if constructor.arguments.is_empty() {
                self.steps.push(Step::Constructor(index));
                self.form(&Form::Enum(tag, &constructor.name), written, read);
                self.steps.pop();
            } else {
                let step = |constructor, argument| Step::Argument(constructor, argument);
                let elements = Cow::Borrowed(&constructor.arguments[..]);
                self.form(&Form::Tuple { tag, elements, step, index }, written, read);
            }
        }
    }

    /// Compares each case of the written type `message` with the type `read`.
    fn message(&mut self, message: &'s Message, written: TypeId, read: TypeId) {
        for (index, case) in (0..).zip(&message.cases) {
            let elements = case.fields.iter().map(|field| field.ty).collect::<Vec<_>>();
            let step = |case, field| Step::Field(case, field);
            let elements = Cow::Owned(elements);
            self.form(&Form::Tuple { tag: index, elements, step, index }, written, read);
        }
    }

    /// Compares `form`, which is one form of the written data, with the reader's type `read`.
    fn form(&mut self, form: &Form<'s>, written: TypeId, read: TypeId) {
        match self.reader.get(read) {
            Type::Primitive(primitive, _) => self.read_primitive(*primitive, form, written, read),
            Type::List(element) | Type::Array(element) => match form {
                Form::List(written_element) => {
                    self.steps.push(Step::Item);
                    self.types(*written_element, *element);
                    self.steps.pop();
                }
                _ => self.bad_wire_type(form, written, read),
            },
            Type::Tuple(types) => match form {
                Form::Tuple { elements, step, index, .. } => {
                    self.elements(elements, types, *step, *index, read);
                }
                Form::Primitive(primitive) => self.promote(*primitive, types, form, written, read),
                _ => self.bad_wire_type(form, written, read),
            },
            Type::Sum(sum) => self.read_sum(sum, form, written, read),
            Type::Message(message) => self.read_message(message, form, written, read),
            Type::External(name) => {
                let reason = format!("{name} belongs to a schema that was not loaded");
                self.find(Help::LoadSchema, reason, read);
            }
        }
    }

    /// Compares a form of the written data with the reader's primitive `wanted` (specification
    /// 4.2).
    fn read_primitive(
        &mut self,
        wanted: Primitive,
        form: &Form<'s>,
        written: TypeId,
        read: TypeId,
    ) {
        match form {
            Form::Primitive(primitive) => self.widen(*primitive, wanted, read),
            Form::Tuple { tag: 0, elements, step, index } => {
                self.steps.push(step(*index, 0));
                match self.writer.get(elements[0]) {
                    Type::Primitive(primitive, _) => {
                        self.widen(*primitive, wanted, read);
                    }
                    _ => {
                        let found = self.writer.describe(elements[0]);
                        let reason = format!(
                            "{} takes the first element if it is a primitive, but it is {found}",
                            wanted.name()
                        );
                        self.find(Help::KeepType, reason, read);
                    }
                }
                self.steps.pop();
            }
            Form::Tuple { tag, step, index, .. } => {
                self.steps.push(of_whole(*step, *index));
                let reason = format!("{} is read from tag 0 only, not from {tag}", wanted.name());
                self.find(Help::KeepType, reason, read);
                self.steps.pop();
            }
            _ => self.bad_wire_type(form, written, read),
        }
    }

    /// Checks whether a reader that expects the primitive `to` accepts `from`. It may accept
    /// smaller types than its own.
    fn widen(&mut self, from: Primitive, to: Primitive, read: TypeId) {
        use Primitive::{Bool, Byte, Float, Int, Long};
        let accepted = match to {
            Int => matches!(from, Int | Bool | Byte),
            Long => matches!(from, Long | Int | Bool | Byte),
            Float => matches!(from, Float | Long | Int | Bool | Byte),
            Bool | Byte => matches!(from, Bool | Byte),
            Primitive::String => from == Primitive::String,
        };
        let (from_name, to_name) = (from.name(), to.name());
        if !accepted {
            let reason = format!("{from_name} cannot be read as {to_name}");
            self.find(Help::KeepType, reason, read);
        } else if to == Float && matches!(from, Int | Long) {
            let reason = format!("{from_name} read as float is rounded beyond 2^53");
            self.find(Help::CheckRounding, reason, read);
        } else if from != to && (to == Bool || from == Bool) {
            let reason = format!(
                "{from_name} is read as {to_name}: 0 means false, and any other value means true"
            );
            self.find(Help::CheckBool, reason, read);
        }
    }

    /// Compares the written elements of a tuple or constructor with the reader's `types` one by
    /// one. It is a finding if an element is missing in the data and has no default.
    fn elements(
        &mut self,
        elements: &[TypeId],
        types: &[TypeId],
        step: fn(u32, u32) -> Step,
        index: u32,
        read: TypeId,
    ) {
        for (place, (element, ty)) in (0..).zip(elements.iter().zip(types)) {
            self.steps.push(step(index, place));
            self.types(*element, *ty);
            self.steps.pop();
        }
        for (place, ty) in types.iter().enumerate().skip(elements.len()) {
            if self.lacks_default(*ty) {
                self.steps.push(of_whole(step, index));
                let reason = format!("element {place} is missing in the data and has no default");
                self.find(Help::AddDefault, reason, read);
                self.steps.pop();
            }
        }
    }

    /// Compares a bare primitive with the elements of a block that the reader expects: the
    /// primitive becomes the first element (specification 4.4, 4.5).
    fn promote(
        &mut self,
        primitive: Primitive,
        types: &[TypeId],
        form: &Form<'s>,
        written: TypeId,
        read: TypeId,
    ) {
        let first = types.first().and_then(|first| self.reader.primitive(*first));
        let Some(first) = first.filter(|first| first.wire_type() == primitive.wire_type()) else {
            return self.bad_wire_type(form, written, read);
        };
        // The wire types are equal, so this never breaks readers. It can warn, since bool and byte
        // share a wire type.
        self.widen(primitive, first, read);
        for (place, ty) in types.iter().enumerate().skip(1) {
            if self.lacks_default(*ty) {
                let reason = format!(
                    "{} becomes the first element, but element {place} has no default",
                    primitive.name()
                );
                self.find(Help::AddDefault, reason, read);
            }
        }
    }

    /// Compares a form of the written data with the reader's sum type `sum` (specification 4.5).
    fn read_sum(&mut self, sum: &'s Sum, form: &Form<'s>, written: TypeId, read: TypeId) {
        match form {
            Form::Enum(tag, name) => {
                if sum.constants.is_empty() {
                    self.bad_wire_type(form, written, read);
                } else if *tag as usize >= sum.constants.len() {
                    let reason = format!("the constant {name} is unknown: unknown_tag {tag}");
                    self.find(Help::UpdateReaders, reason, read);
                }
            }
            Form::Tuple { tag, elements, step, index } => {
                match sum.non_constants.get(*tag as usize) {
                    Some(constructor) => {
                        let types = &sum.constructors[*constructor as usize].arguments;
                        self.elements(elements, types, *step, *index, read);
                    }
                    None => {
                        self.steps.push(of_whole(*step, *index));
                        let reason = if sum.non_constants.is_empty() {
                            format!("{} has constants only", sum.name)
                        } else {
                            format!("the constructor is unknown to {}: unknown_tag {tag}", sum.name)
                        };
                        self.find(Help::UpdateReaders, reason, read);
                        self.steps.pop();
                    }
                }
            }
            Form::Primitive(primitive) => match sum.non_constants.first() {
                Some(first) => {
                    let types = &sum.constructors[*first as usize].arguments;
                    self.promote(*primitive, types, form, written, read);
                }
                None => self.bad_wire_type(form, written, read),
            },
            Form::List(_) => self.bad_wire_type(form, written, read),
        }
    }

    /// Compares a form of the written data with the reader's message or subset (specification 4.6,
    /// 7).
    fn read_message(
        &mut self,
        message: &'s Message,
        form: &Form<'s>,
        written: TypeId,
        read: TypeId,
    ) {
        match form {
            Form::Tuple { tag, elements, step, index } => match message.cases.get(*tag as usize) {
                Some(case) => self.read_fields(case, elements, *step, *index, read),
                None => {
                    self.steps.push(of_whole(*step, *index));
                    let reason =
                        format!("the case is unknown to {}: unknown_tag {tag}", message.name);
                    self.find(Help::UpdateReaders, reason, read);
                    self.steps.pop();
                }
            },
            Form::Primitive(primitive) if !message.subset => {
                let fields = &message.cases[0].fields;
                let first = self.reader.primitive(fields[0].ty);
                match first.filter(|first| first.wire_type() == primitive.wire_type()) {
                    Some(first) => self.widen(*primitive, first, read),
                    None => return self.bad_wire_type(form, written, read),
                }
                for field in &fields[1..] {
                    if self.lacks_default(field.ty) {
                        let reason = format!(
                            "{} becomes the first field, but {} has no default",
                            primitive.name(),
                            field.name
                        );
                        self.find_at(Help::AddDefault, reason, Some(field.span), read);
                    }
                }
            }
            _ => self.bad_wire_type(form, written, read),
        }
    }

    /// Compares the written elements with the fields of `case`, which read them.
    fn read_fields(
        &mut self,
        case: &'s Case,
        elements: &[TypeId],
        step: fn(u32, u32) -> Step,
        index: u32,
        read: TypeId,
    ) {
        for field in &case.fields {
            match elements.get(field.wire_index as usize) {
                Some(element) => {
                    self.steps.push(step(index, field.wire_index));
                    self.read_fields.push(field.span);
                    self.types(*element, field.ty);
                    self.read_fields.pop();
                    self.steps.pop();
                }
                None if self.lacks_default(field.ty) => {
                    self.steps.push(of_whole(step, index));
                    let reason =
                        format!("{} is missing in the data and has no default", field.name);
                    self.find_at(Help::AddDefault, reason, Some(field.span), read);
                    self.steps.pop();
                }
                None => {}
            }
        }
    }

    /// Records that the reader rejects the wire type of `form`.
    fn bad_wire_type(&mut self, form: &Form<'s>, written: TypeId, read: TypeId) {
        let found = match form {
            Form::Primitive(primitive) => primitive.name().to_owned(),
            Form::List(_) => "a list or array".into(),
            Form::Enum(_, name) => format!("the constant {name}"),
            Form::Tuple { .. } => self.writer.describe(written),
        };
        let reason = format!("{found} cannot be read as {}", self.reader.describe(read));
        if let Form::Tuple { step, index, .. } = form {
            self.steps.push(of_whole(*step, *index));
            self.find(Help::KeepType, reason, read);
            self.steps.pop();
        } else {
            self.find(Help::KeepType, reason, read);
        }
    }

    /// Records the fields that have different positions in the two messages. The data contains no
    /// names, so it changes its meaning if a field moves.
    fn compare_field_names(&mut self, written: &'s Message, read: &'s Message) {
        for (index, (old, new)) in (0..).zip(written.cases.iter().zip(&read.cases)) {
            let names: HashMap<_, _> = new.fields.iter().map(|f| (&f.name, f)).collect();
            for (place, field) in (0..).zip(&old.fields) {
                let moved = names.get(&field.name).copied();
                if let Some(moved) = moved.filter(|moved| moved.wire_index != place) {
                    let now = new.fields.iter().find(|f| f.wire_index == place);
                    let effect = match now {
                        Some(now) => format!("so its values are read as {}", now.name),
                        None => "so its values are skipped".to_owned(),
                    };
                    let reason = format!(
                        "the field {} is at position {place} in the data and at {} in the reader, {effect}",
                        field.name, moved.wire_index
                    );
                    self.steps.push(Step::Field(index, place));
                    let (here, there) = (field.span, moved.span);
                    self.push(Help::KeepPosition, reason, Some(here), Some(there));
                    self.steps.pop();
                }
            }
        }
    }

    /// Records the constructors that have different tags in the two sum types.
    fn compare_constructor_names(&mut self, written: &'s Sum, read: &'s Sum) {
        let key = |c: &'s Constructor| (&c.name, c.arguments.is_empty());
        let names: HashMap<_, _> = read.constructors.iter().map(|c| (key(c), c)).collect();
        for (index, old) in (0..).zip(&written.constructors) {
            if let Some(new) = names.get(&key(old)).filter(|c| c.tag != old.tag) {
                let reason = format!(
                    "the constructor {} has tag {} in the data and {} in the reader",
                    old.name, old.tag, new.tag
                );
                self.steps.push(Step::Constructor(index));
                self.push(Help::KeepPosition, reason, Some(old.span), Some(new.span));
                self.steps.pop();
            }
        }
    }
}

//! What new readers make of old data, and old readers of new data (specification 5).
//!
//! A reader and a writer are compared type by type, by the rules of reading (4): for each form that
//! the writer's type has on the wire, what does the reader's type do with it? Each thing that fails
//! comes with a witness, a value the writer can write and the reader refuses; so a finding can be
//! tried, and the tests try them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::schema::ast::Primitive;
use crate::schema::{Case, Message, Schema, Span, Sum, Type, TypeId};
use crate::typed::Typed;

/// Who reads whose data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// New readers read old data: backward compatibility.
    Backward,
    /// Old readers read new data: forward compatibility.
    Forward,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Data is read, but may mean something else.
    Warning,
    /// Some data cannot be read.
    Break,
}

/// One thing that a reader does not make of a writer's data what the writer meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Who reads.
    pub direction: Direction,
    /// How bad it is.
    pub severity: Severity,
    /// The message it is in.
    pub message: String,
    /// The way to it from the message, in the writer's names: `contacts[].email.Set[0]`.
    pub path: String,
    /// What happens and why.
    pub reason: String,
    /// What to do about it.
    pub help: &'static str,
    /// The place in the old schema, `file:line:column`.
    pub old_place: String,
    /// The place in the new schema.
    pub new_place: String,
    /// The same in [`Schema::sources`]; `None` where it is the whole file.
    pub old_span: Option<Span>,
    /// The same in the new schema.
    pub new_span: Option<Span>,
    /// For a break: bytes of the writer that the reader refuses.
    pub witness: Option<Vec<u8>>,
}

/// All findings about two schemas.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The findings, message by message.
    pub findings: Vec<Finding>,
    /// Whether there were more than are listed: 1000 in each direction of each message.
    pub truncated: bool,
}

impl Report {
    /// Whether all old data can be read by new readers.
    pub fn is_backward_compatible(&self) -> bool {
        !self.breaks(Direction::Backward)
    }

    /// Whether all new data can be read by old readers.
    pub fn is_forward_compatible(&self) -> bool {
        !self.breaks(Direction::Forward)
    }

    /// Whether nothing was found: neither data that cannot be read, nor a warning.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// What the readers of a direction make of the data, in a few words.
    pub fn verdict(&self, direction: Direction) -> String {
        let findings = self.findings.iter().filter(|finding| finding.direction == direction);
        match findings.count() {
            _ if self.breaks(direction) => "not all readable".to_owned(),
            0 => "all readable".to_owned(),
            1 => "all readable, with a warning".to_owned(),
            count => format!("all readable, with {count} warnings"),
        }
    }

    fn breaks(&self, direction: Direction) -> bool {
        let broken = |f: &Finding| f.direction == direction && f.severity == Severity::Break;
        self.findings.iter().any(broken)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            let severity = match finding.severity {
                Severity::Break => "break",
                Severity::Warning => "warning",
            };
            let readers = match finding.direction {
                Direction::Backward => "new readers of old data",
                Direction::Forward => "old readers of new data",
            };
            let (message, path) = (&finding.message, &finding.path);
            writeln!(f, "{severity}: {readers}: {message}{path}: {}", finding.reason)?;
            writeln!(f, "  old {}, new {}", finding.old_place, finding.new_place)?;
            writeln!(f, "  help: {}", finding.help)?;
        }
        writeln!(f, "new readers of old data: {}", self.verdict(Direction::Backward))?;
        writeln!(f, "old readers of new data: {}", self.verdict(Direction::Forward))
    }
}

/// Compares the messages of two schemas that have the same name.
///
/// ```
/// use ketch_extprot::compat::compare;
/// use ketch_extprot::schema::{NoLoader, check_schema};
/// let old = check_schema("old", "message m = { a : int }", &mut NoLoader)?;
/// let new = check_schema("new", "message m = { a : int; b : string }", &mut NoLoader)?;
/// let report = compare(&old, &new);
/// assert!(report.is_forward_compatible() && !report.is_backward_compatible());
/// assert!(report.findings[0].reason.contains("b is missing in the data and has no default"));
/// # Ok::<(), ketch_extprot::schema::Diagnostics>(())
/// ```
pub fn compare(old: &Schema, new: &Schema) -> Report {
    let mut report = Report::default();
    for (name, old_id) in old.messages() {
        match new.lookup(name) {
            Some(new_id) => {
                compare_one(old, old_id, new, new_id, Direction::Backward, name, &mut report);
                compare_one(old, old_id, new, new_id, Direction::Forward, name, &mut report);
            }
            None => report.findings.push(removed(old, old_id, new, name)),
        }
    }
    report
}

/// The most new messages that a removed one is compared with.
const RENAMES_MAX: usize = 100;

/// The message of the new schema that takes all data of the removed one and gives it back: perhaps
/// it is the same under another name.
fn renamed<'n>(old: &Schema, id: TypeId, new: &'n Schema) -> Option<(&'n str, TypeId)> {
    let added = new.messages().filter(|(name, _)| old.lookup(name).is_none());
    let is_same = |&(_, new_id): &(&str, TypeId)| {
        let mut report = Report::default();
        for direction in [Direction::Backward, Direction::Forward] {
            compare_one(old, id, new, new_id, direction, "", &mut report);
        }
        report.is_clean() && !report.truncated && old.is_read_only(id) == new.is_read_only(new_id)
    };
    added.take(RENAMES_MAX).find(is_same)
}

fn removed(old: &Schema, id: TypeId, new: &Schema, name: &str) -> Finding {
    let found = renamed(old, id, new);
    let reason = match found {
        Some((other, _)) => format!(
            "the message was removed, or renamed to {other}, which reads and writes the same data"
        ),
        None => "the message was removed: no message of the new schema has its name or reads and \
            writes the same data"
            .to_owned(),
    };
    let new_span = found.and_then(|(_, id)| span(new, id));
    Finding {
        direction: Direction::Backward,
        severity: Severity::Warning,
        message: name.into(),
        path: String::new(),
        reason,
        help: "Keep it as long as there is data of it, or give the new one its old name.",
        old_place: place(old, id),
        new_place: locate(new, new_span),
        old_span: span(old, id),
        new_span,
        witness: None,
    }
}

/// Compares one message of each schema, whatever their names: adds what is found to `report`.
pub fn compare_one(
    old: &Schema,
    old_id: TypeId,
    new: &Schema,
    new_id: TypeId,
    direction: Direction,
    name: &str,
    report: &mut Report,
) {
    let ((writer, written), (reader, read)) = match direction {
        Direction::Backward => ((old, old_id), (new, new_id)),
        Direction::Forward => ((new, new_id), (old, old_id)),
    };
    // Nobody writes subsets.
    if writer.is_read_only(written) {
        return;
    }
    let mut comparison = Comparison {
        writer,
        reader,
        root: written,
        direction,
        message: name,
        steps: Vec::new(),
        read_fields: Vec::new(),
        clean: HashSet::new(),
        findings: Vec::new(),
        truncated: false,
        work: 0,
        lacks_default: HashMap::new(),
    };
    comparison.types(written, read);
    report.truncated |= comparison.truncated;
    report.findings.append(&mut comparison.findings);
}

const FINDINGS_MAX: usize = 1000;

/// Pairs of types looked at before giving up; only exponentially shared schemas get there.
const WORK_MAX: u64 = 1 << 20;

/// A step from a writer's type to a part of it.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Field of a case.
    Field(u32, u32),
    /// Element of a tuple.
    Element(u32),
    /// Any element of a list.
    Item,
    /// Argument of a constructor.
    Argument(u32, u32),
    /// The constructor itself.
    Constructor(u32),
    /// The case of a union itself.
    Case(u32),
}

/// What can be done about a finding; it tells how bad that is, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Help {
    LoadSchema,
    KeepType,
    MindRounding,
    MindBool,
    GiveDefault,
    ReadersFirst,
    KeepPlace,
}

impl Help {
    fn severity(self) -> Severity {
        match self {
            Help::LoadSchema | Help::MindRounding | Help::MindBool | Help::KeepPlace => {
                Severity::Warning
            }
            Help::KeepType | Help::GiveDefault | Help::ReadersFirst => Severity::Break,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Help::LoadSchema => "Put the schema of that module beside this one.",
            Help::KeepType => "Keep the old type, and add what is new as another field at the end.",
            Help::MindRounding => "Keep the integer type if greater numbers matter.",
            Help::MindBool => "Keep the type if the other values mean something.",
            Help::GiveDefault => {
                "Give it a default: `[@default ...]` for a primitive, a list, or a sum type that \
                 has a constant."
            }
            Help::ReadersFirst => "Bring the new schema to all readers before anybody writes this.",
            Help::KeepPlace => {
                "Put it back to its old place: names do not reach the wire, places do. Add what \
                 is new at the end."
            }
        }
    }
}

struct Comparison<'s> {
    writer: &'s Schema,
    reader: &'s Schema,
    root: TypeId,
    direction: Direction,
    message: &'s str,
    steps: Vec<Step>,
    /// The reader's fields that the steps lead through.
    read_fields: Vec<Span>,
    /// Pairs without findings, not to be walked again.
    clean: HashSet<(TypeId, TypeId)>,
    findings: Vec<Finding>,
    truncated: bool,
    work: u64,
    lacks_default: HashMap<TypeId, bool>,
}

/// What a writer's type looks like on the wire.
enum Form<'s> {
    Primitive(Primitive),
    List(TypeId),
    Enum(u32, &'s str),
    Tuple { tag: u32, elements: Cow<'s, [TypeId]>, step: fn(u32, u32) -> Step, index: u32 },
}

impl<'s> Comparison<'s> {
    /// Recursion here follows the schemas, whose depth is bounded when they are checked.
    fn types(&mut self, written: TypeId, read: TypeId) {
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

    fn message(&mut self, message: &'s Message, written: TypeId, read: TypeId) {
        for (index, case) in (0..).zip(&message.cases) {
            let elements = case.fields.iter().map(|field| field.ty).collect::<Vec<_>>();
            let step = |case, field| Step::Field(case, field);
            let elements = Cow::Owned(elements);
            self.form(&Form::Tuple { tag: index, elements, step, index }, written, read);
        }
    }

    /// What the reader's type makes of one form.
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

    // Specification 4.2
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
            self.find(Help::MindRounding, reason, read);
        } else if from != to && (to == Bool || from == Bool) {
            let reason = format!("{from_name} is read as {to_name}: 0 is false, all else true");
            self.find(Help::MindBool, reason, read);
        }
    }

    /// Elements of a tuple or constructor, one by one; missing ones by default.
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
                self.find(Help::GiveDefault, reason, read);
                self.steps.pop();
            }
        }
    }

    /// A bare primitive where a block is wanted: it becomes the first element (4.4, 4.5).
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
        // The wire types are equal, so this can only warn: bool and byte share one.
        self.widen(primitive, first, read);
        for (place, ty) in types.iter().enumerate().skip(1) {
            if self.lacks_default(*ty) {
                let reason = format!(
                    "{} becomes the first element, but element {place} has no default",
                    primitive.name()
                );
                self.find(Help::GiveDefault, reason, read);
            }
        }
    }

    // Specification 4.5
    fn read_sum(&mut self, sum: &'s Sum, form: &Form<'s>, written: TypeId, read: TypeId) {
        match form {
            Form::Enum(tag, name) => {
                if sum.constants.is_empty() {
                    self.bad_wire_type(form, written, read);
                } else if *tag as usize >= sum.constants.len() {
                    let reason = format!("the constant {name} is unknown: unknown_tag {tag}");
                    self.find(Help::ReadersFirst, reason, read);
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
                        self.find(Help::ReadersFirst, reason, read);
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

    // Specification 4.6 and 7
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
                    self.find(Help::ReadersFirst, reason, read);
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
                        self.find_at(Help::GiveDefault, reason, Some(field.span), read);
                    }
                }
            }
            _ => self.bad_wire_type(form, written, read),
        }
    }

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
                    self.find_at(Help::GiveDefault, reason, Some(field.span), read);
                    self.steps.pop();
                }
                None => {}
            }
        }
    }

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

    /// Names do not reach the wire: a name that moved means that data changes its meaning.
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
                        "the field {} is at place {place} in the data and at {} in the reader, {effect}",
                        field.name, moved.wire_index
                    );
                    self.steps.push(Step::Field(index, place));
                    let (here, there) = (field.span, moved.span);
                    self.push(Help::KeepPlace, reason, Some(here), Some(there));
                    self.steps.pop();
                }
            }
        }
    }

    fn compare_constructor_names(&mut self, written: &'s Sum, read: &'s Sum) {
        let key = |c: &'s crate::schema::Constructor| (&c.name, c.arguments.is_empty());
        let names: HashMap<_, _> = read.constructors.iter().map(|c| (key(c), c)).collect();
        for (index, old) in (0..).zip(&written.constructors) {
            if let Some(new) = names.get(&key(old)).filter(|c| c.tag != old.tag) {
                let reason = format!(
                    "the constructor {} has tag {} in the data and {} in the reader",
                    old.name, old.tag, new.tag
                );
                self.steps.push(Step::Constructor(index));
                self.push(Help::KeepPlace, reason, Some(old.span), Some(new.span));
                self.steps.pop();
            }
        }
    }

    fn find(&mut self, help: Help, reason: String, read: TypeId) {
        self.find_at(help, reason, None, read);
    }

    fn find_at(&mut self, help: Help, reason: String, read_span: Option<Span>, read: TypeId) {
        let read_span = read_span
            .or_else(|| span(self.reader, read))
            .or_else(|| self.read_fields.last().copied());
        self.push(help, reason, None, read_span);
    }

    fn push(
        &mut self,
        help: Help,
        reason: String,
        written_span: Option<Span>,
        read_span: Option<Span>,
    ) {
        let (value, path, last_span) = self.witness();
        let near = |schema: &Schema, span: Option<Span>| {
            span.or_else(|| span_of_message(schema, self.message))
        };
        let written = (self.writer, near(self.writer, written_span.or(last_span)));
        let read = (self.reader, near(self.reader, read_span));
        let ((old, old_span), (new, new_span)) = match self.direction {
            Direction::Backward => (written, read),
            Direction::Forward => (read, written),
        };
        let severity = help.severity();
        let witness = match severity {
            Severity::Break => self.writer.encode(self.root, &value).ok(),
            Severity::Warning => None,
        };
        self.findings.push(Finding {
            direction: self.direction,
            severity,
            message: self.message.into(),
            path,
            reason,
            help: help.in_words(),
            old_place: locate(old, old_span),
            new_place: locate(new, new_span),
            old_span,
            new_span,
            witness,
        });
    }

    /// The least value that has the steps in it, their path in words, and the place of the last.
    fn witness(&self) -> (Typed<'static>, String, Option<Span>) {
        let mut path = String::new();
        let mut last_span = span(self.writer, self.root);
        let value = self.build(self.root, &self.steps, &mut path, &mut last_span);
        (value, path, last_span)
    }

    fn build(
        &self,
        ty: TypeId,
        steps: &[Step],
        path: &mut String,
        last: &mut Option<Span>,
    ) -> Typed<'static> {
        let Some((step, rest)) = steps.split_first() else {
            return sample(self.writer, ty);
        };
        match (self.writer.get(ty), *step) {
            (Type::Message(message), Step::Field(case, place)) => {
                let fields = &message.cases[case as usize].fields;
                let types: Vec<_> = fields.iter().map(|f| f.ty).collect();
                push_case(path, message, case);
                path.push('.');
                path.push_str(&fields[place as usize].name);
                *last = Some(fields[place as usize].span);
                Typed::Message(case, self.build_parts(&types, place, rest, path, last))
            }
            (Type::Message(message), Step::Case(case)) => {
                let fields = message.cases[case as usize].fields.iter();
                push_case(path, message, case);
                *last = Some(message.cases[case as usize].span);
                Typed::Message(case, fields.map(|f| sample(self.writer, f.ty)).collect())
            }
            (Type::Tuple(types), Step::Element(place)) => {
                path.push_str(&format!("[{place}]"));
                Typed::Tuple(self.build_parts(types, place, rest, path, last))
            }
            (Type::List(element) | Type::Array(element), Step::Item) => {
                path.push_str("[]");
                Typed::List(self.build_parts(&[*element], 0, rest, path, last))
            }
            (Type::Sum(sum), Step::Argument(index, place)) => {
                let constructor = &sum.constructors[index as usize];
                path.push_str(&format!(".{}[{place}]", constructor.name));
                *last = Some(constructor.span);
                let types = &constructor.arguments;
                Typed::Sum(index, self.build_parts(types, place, rest, path, last))
            }
            (Type::Sum(sum), Step::Constructor(index)) => {
                let constructor = &sum.constructors[index as usize];
                path.push('.');
                path.push_str(&constructor.name);
                *last = Some(constructor.span);
                let arguments = constructor.arguments.iter();
                Typed::Sum(index, arguments.map(|a| sample(self.writer, *a)).collect())
            }
            _ => sample(self.writer, ty),
        }
    }
}

impl Comparison<'_> {
    /// Samples of `types`, but the one at `place` built by the steps.
    fn build_parts(
        &self,
        types: &[TypeId],
        place: u32,
        steps: &[Step],
        path: &mut String,
        last: &mut Option<Span>,
    ) -> Vec<Typed<'static>> {
        let build = |(at, ty): (u32, &TypeId)| match at == place {
            true => self.build(*ty, steps, path, last),
            false => sample(self.writer, *ty),
        };
        (0..).zip(types).map(build).collect()
    }

    /// Whether a value of the reader's type can be made when there is none in the data.
    fn lacks_default(&mut self, ty: TypeId) -> bool {
        let reader = self.reader;
        *self.lacks_default.entry(ty).or_insert_with(|| reader.default_value(ty).is_err())
    }
}

/// The step to the whole of what `step` leads into: a constructor, a case; a tuple is itself.
fn of_whole(step: fn(u32, u32) -> Step, index: u32) -> Step {
    match step(index, 0) {
        Step::Argument(constructor, _) => Step::Constructor(constructor),
        Step::Field(case, _) => Step::Case(case),
        other => other,
    }
}

fn push_case(path: &mut String, message: &Message, case: u32) {
    if message.union {
        path.push('.');
        path.push_str(&message.cases[case as usize].name);
    }
}

/// The most parts of a sample: a schema that uses its types again and again has exponential values.
const SAMPLE_PARTS_MAX: u32 = 100_000;

/// A small value of a type. Beyond all measure it is left unfinished; then there is no witness.
fn sample(schema: &Schema, ty: TypeId) -> Typed<'static> {
    sample_within(schema, ty, &mut SAMPLE_PARTS_MAX.clone())
}

fn sample_within(schema: &Schema, ty: TypeId, parts_left: &mut u32) -> Typed<'static> {
    if *parts_left == 0 {
        return Typed::Tuple(Vec::new());
    }
    *parts_left -= 1;
    let mut all = |types: &mut dyn Iterator<Item = TypeId>| -> Vec<Typed<'static>> {
        types.map(|ty| sample_within(schema, ty, parts_left)).collect()
    };
    match schema.get(ty) {
        Type::Primitive(primitive, _) => match primitive {
            Primitive::Bool => Typed::Bool(false),
            Primitive::Byte => Typed::Byte(0),
            Primitive::Int => Typed::Int(0),
            Primitive::Long => Typed::Long(0),
            Primitive::Float => Typed::Float(0.0),
            Primitive::String => Typed::String(Cow::Borrowed(b"")),
        },
        Type::List(_) | Type::Array(_) | Type::External(_) => Typed::List(Vec::new()),
        Type::Tuple(types) => Typed::Tuple(all(&mut types.iter().copied())),
        Type::Sum(sum) => {
            let index = sum.constants.first().copied().unwrap_or(0);
            let arguments = &sum.constructors[index as usize].arguments;
            Typed::Sum(index, all(&mut arguments.iter().copied()))
        }
        Type::Message(message) => {
            let fields = message.cases[0].fields.iter();
            Typed::Message(0, all(&mut fields.map(|field| field.ty)))
        }
    }
}

fn span(schema: &Schema, ty: TypeId) -> Option<Span> {
    match schema.get(ty) {
        Type::Sum(sum) => Some(sum.span),
        Type::Message(message) => Some(message.span),
        _ => None,
    }
}

fn span_of_message(schema: &Schema, name: &str) -> Option<Span> {
    span(schema, schema.lookup(name)?)
}

fn place(schema: &Schema, ty: TypeId) -> String {
    locate(schema, span(schema, ty))
}

fn locate(schema: &Schema, span: Option<Span>) -> String {
    match span {
        Some(span) => schema.sources().locate(span),
        None => schema.sources().0[0].name.clone(),
    }
}

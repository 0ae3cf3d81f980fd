//! The state of a comparison, and the functions that record its findings.

use super::place::{locate, span, span_of_message};
use super::report::{Direction, Finding, Severity};
use crate::schema::ast::Primitive;
use crate::schema::{Schema, Span, TypeId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A step from a writer's type to a part of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// To a field: the index of the case, and that of the field in it.
    Field(u32, u32),
    /// To the element of a tuple with this index.
    Element(u32),
    /// To any element of a list.
    Item,
    /// To an argument: the index of the constructor, and that of the argument.
    Argument(u32, u32),
    /// To the constructor with this index, as a whole.
    Constructor(u32),
    /// To the case of a union with this index, as a whole.
    Case(u32),
}

/// What a user can do about a finding. This also determines the severity of the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Help {
    LoadSchema,
    KeepType,
    CheckRounding,
    CheckBool,
    AddDefault,
    UpdateReaders,
    KeepPosition,
}

impl Help {
    /// Returns the severity of a finding with this advice.
    fn severity(self) -> Severity {
        match self {
            Help::LoadSchema | Help::CheckRounding | Help::CheckBool | Help::KeepPosition => {
                Severity::Warning
            }
            Help::KeepType | Help::AddDefault | Help::UpdateReaders => Severity::Break,
        }
    }

    /// Returns the advice as a sentence.
    fn in_words(self) -> &'static str {
        match self {
            Help::LoadSchema => "Put the schema of that module in the same folder as this one.",
            Help::KeepType => "Keep the old type, and add a field with the new type at the end.",
            Help::CheckRounding => "Keep the integer type if larger numbers matter.",
            Help::CheckBool => "Keep the type if the other values mean something.",
            Help::AddDefault => {
                "Give it a default: `[@default ...]` for a primitive, a list, or a sum type that \
                 has a constant."
            }
            Help::UpdateReaders => "Update all readers to the new schema before writing this.",
            Help::KeepPosition => {
                "Move it back to its old position: data has positions, not names. Add new fields \
                 at the end."
            }
        }
    }
}

pub(super) struct Comparison<'s> {
    pub(super) writer: &'s Schema,
    pub(super) reader: &'s Schema,
    pub(super) root: TypeId,
    pub(super) direction: Direction,
    pub(super) message: &'s str,
    pub(super) steps: Vec<Step>,
    /// The locations of the reader's fields to which the current steps lead.
    pub(super) read_fields: Vec<Span>,
    /// Pairs of a written and a read type that were compared without findings, so that they need
    /// not be compared again.
    pub(super) clean: HashSet<(TypeId, TypeId)>,
    pub(super) findings: Vec<Finding>,
    pub(super) truncated: bool,
    pub(super) work: u64,
    pub(super) lacks_default: HashMap<TypeId, bool>,
}

/// One of the forms that data of a writer's type can have on the wire.
pub(super) enum Form<'s> {
    Primitive(Primitive),
    List(TypeId),
    Enum(u32, &'s str),
    Tuple { tag: u32, elements: Cow<'s, [TypeId]>, step: fn(u32, u32) -> Step, index: u32 },
}

impl Comparison<'_> {
    /// Records a finding at the declaration of the reader's type `read`.
    pub(super) fn find(&mut self, help: Help, reason: String, read: TypeId) {
        self.find_at(help, reason, None, read);
    }

    /// Records a finding at `read_span`, or at the declaration of the reader's type `read` if there
    /// is no span.
    pub(super) fn find_at(
        &mut self,
        help: Help,
        reason: String,
        read_span: Option<Span>,
        read: TypeId,
    ) {
        let read_span = read_span
            .or_else(|| span(self.reader, read))
            .or_else(|| self.read_fields.last().copied());
        self.push(help, reason, None, read_span);
    }

    /// Records a finding about the part that the current steps lead to. If the finding breaks
    /// readers, it gets a witness.
    pub(super) fn push(
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

    /// Returns whether the reader's type `ty` has no default.
    pub(super) fn lacks_default(&mut self, ty: TypeId) -> bool {
        let reader = self.reader;
        *self.lacks_default.entry(ty).or_insert_with(|| reader.default_value(ty).is_err())
    }
}

/// Returns the step to the whole constructor or case `index`, where `step` leads to its parts. A
/// tuple has no such step, so this returns the step to its first element.
pub(super) fn of_whole(step: fn(u32, u32) -> Step, index: u32) -> Step {
    match step(index, 0) {
        Step::Argument(constructor, _) => Step::Constructor(constructor),
        Step::Field(case, _) => Step::Case(case),
        other => other,
    }
}

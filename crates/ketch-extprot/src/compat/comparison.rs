//! The state of a comparison, and how it reports what it finds.

use super::place::{locate, span, span_of_message};
use super::report::{Direction, Finding, Severity};
use crate::schema::ast::Primitive;
use crate::schema::{Schema, Span, TypeId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A step from a writer's type to a part of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
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

/// What can be done about a finding, which also decides its severity.
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
    /// Returns the severity: whether the finding breaks readers or is only a warning.
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
            Help::LoadSchema => "Put the schema of that module beside this one.",
            Help::KeepType => "Keep the old type, and add what is new as another field at the end.",
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
    /// The reader's fields on the path of the steps.
    pub(super) read_fields: Vec<Span>,
    /// Pairs of types that were compared without findings. They need not be compared again.
    pub(super) clean: HashSet<(TypeId, TypeId)>,
    pub(super) findings: Vec<Finding>,
    pub(super) truncated: bool,
    pub(super) work: u64,
    pub(super) lacks_default: HashMap<TypeId, bool>,
}

/// What a writer's type looks like on the wire.
pub(super) enum Form<'s> {
    Primitive(Primitive),
    List(TypeId),
    Enum(u32, &'s str),
    Tuple { tag: u32, elements: Cow<'s, [TypeId]>, step: fn(u32, u32) -> Step, index: u32 },
}

impl Comparison<'_> {
    /// Records a finding where the type `read` is declared.
    pub(super) fn find(&mut self, help: Help, reason: String, read: TypeId) {
        self.find_at(help, reason, None, read);
    }

    /// Records a finding at `read_span`, or where the type `read` is declared.
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

    /// Records a finding about the current steps, with a witness if it breaks readers.
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

    /// Returns whether a reader's type has no default.
    pub(super) fn lacks_default(&mut self, ty: TypeId) -> bool {
        let reader = self.reader;
        *self.lacks_default.entry(ty).or_insert_with(|| reader.default_value(ty).is_err())
    }
}

/// Returns the step to the constructor or case that `step` leads into. For a tuple, which has no
/// such step, returns the step to its first element.
pub(super) fn of_whole(step: fn(u32, u32) -> Step, index: u32) -> Step {
    match step(index, 0) {
        Step::Argument(constructor, _) => Step::Constructor(constructor),
        Step::Field(case, _) => Step::Case(case),
        other => other,
    }
}

//! Checks whether new readers can read old data, and old readers new data (specification 5).
//!
//! The types of a reader and a writer are compared by the rules of reading (specification 4), for
//! each form that the writer's type has on the wire. A finding that breaks readers comes with a
//! witness, which is a value that the writer can write and the reader rejects. The tests reproduce
//! findings with their witnesses.

mod comparison;
mod place;
mod report;
mod rules;
mod witness;

pub use report::{Direction, Finding, Report, Severity};

use crate::schema::{Schema, TypeId};
use comparison::Comparison;
use place::{locate, place, span};
use std::collections::{HashMap, HashSet};

/// Compares the messages that have the same name in both schemas. A message that is missing from
/// the new schema is a finding, too.
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

/// The maximum number of added messages that a removed message is compared with.
const RENAMES_MAX: usize = 100;

/// Finds a message that was added in `new`, and that reads and writes the same data as the removed
/// message `id` of `old`. The removed message may have been renamed to it.
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

/// Returns the finding that the message `name` was removed. The finding names the message to which
/// it may have been renamed.
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

/// Compares the message `old_id` with the message `new_id` in one direction, and adds the findings
/// to `report`. The two messages may have different names; the findings use `name`.
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
    // Subsets are never written.
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

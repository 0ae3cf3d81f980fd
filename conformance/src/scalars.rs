//! Sets every scalar of a text to a different value, and back again.
//!
//! Scalars are set in groups, each of which takes one session and two full parses. A group is in
//! the order of the text, and no scalar is in two groups.

use ketch_edit::{Action, Edit, Operation, Patch, apply_patches};
use ketch_yaml::compose::{Kind, Node, Style};
use ketch_yaml::path::Step;
use ketch_yaml::schema::Schema;
use ketch_yaml::{ComposeOptions, Document, Documents, DuplicateKeys, Limits, Options};
use std::collections::HashMap;
use std::ops::Range;

/// The number of scalars that are set in one session.
const GROUP: usize = 500;

/// The new values. A scalar is set to the first one that differs from its old value.
const OTHERS: [&str; 4] = ["12", "\"another value\"", "true", "\"a: b # c\""];

/// A scalar of a text.
struct Target {
    /// The index of the scalar among all nodes.
    index: usize,
    doc: usize,
    path: Vec<Step>,
    /// The range of the scalar in the text, including its anchor and tag.
    span: Range<usize>,
    /// The source of the scalar's value, and that of another value.
    old: String,
    new: &'static str,
}

/// The result of the edits of a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// The number of scalars to which a path can lead.
    pub scalars: usize,
    /// The number of scalars that were set, and set back.
    pub set: usize,
}

/// Sets every scalar of a text to a different value, undoes that, and sets the old value again. If
/// `share` is n, only one group in n is set.
///
/// # Errors
///
/// Returns a message that says which property is violated: a byte outside the scalar has changed,
/// the inverse patches do not restore the text, another value has changed, or setting the old value
/// does not result in the old document.
pub fn check(text: &str, share: usize) -> Result<Report, String> {
    let documents = parsed(text)?;
    let nodes = nodes(&documents);
    let targets = targets(text, &documents)?;
    let mut report = Report { scalars: targets.len(), set: 0 };
    for group in targets.chunks(GROUP).step_by(share.max(1)) {
        let first = &group[0];
        let named = |what: String| format!("document {}, {:?}: {what}", first.doc, first.path);
        check_group(text, (&documents, &nodes), group).map_err(named)?;
        report.set += group.len();
    }
    Ok(report)
}

/// Checks a group of scalars.
fn check_group(
    text: &str,
    (documents, nodes): (&[Document<'_>], &[Node<'_>]),
    group: &[Target],
) -> Result<(), String> {
    let mut edit = Edit::open(text).map_err(|error| error.to_string())?;
    for target in group {
        set(&mut edit, target, target.new)?;
    }
    let patches = edit.patches();
    is_local(text, &patches, group)?;
    if apply_patches(edit.text(), &edit.inverse()) != text {
        return Err("the inverse patches do not restore the text".to_owned());
    }
    compare(edit.text(), nodes, group)?;
    for target in group {
        set(&mut edit, target, &target.old)?;
    }
    is_local(text, &edit.patches(), group)?;
    let restored = parsed(edit.text())?;
    for (old, new) in documents.iter().zip(&restored) {
        let is_equal = old.root().equals(new.root(), Schema::Core, &Limits::default());
        if !matches!(is_equal, Ok(true)) {
            return Err("the old values do not give the old document".to_owned());
        }
    }
    Ok(())
}

/// Sets a scalar to `value`.
fn set(edit: &mut Edit, target: &Target, value: &str) -> Result<(), String> {
    let operation = Operation::new(Action::set(value), &target.path);
    let operation = Operation { doc: target.doc, ..operation };
    let done = edit.apply(std::slice::from_ref(&operation));
    done.map_err(|error| format!("{:?} = {value}: {error}", target.path))
}

/// Returns the offset of the end of a scalar or, for a missing value, of the end of the blanks at
/// its place.
fn end(text: &str, span: &Range<usize>) -> usize {
    let blanks = text[span.end..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    span.end + if span.is_empty() { blanks.count() } else { 0 }
}

/// Checks that each patch is within a scalar of the group. A missing value is written after the
/// colon or dash and, if the line ends with a blank, after that. The lines of a block scalar follow
/// after its header, which may end with blanks or a comment.
fn is_local(text: &str, patches: &[Patch], group: &[Target]) -> Result<(), String> {
    for Patch { at, new } in patches {
        let after = group.partition_point(|target| end(text, &target.span) < at.end);
        let is_in = group[after..].first().is_some_and(|target| {
            let span = &target.span;
            let before = text[..span.start].trim_end().len();
            let start = if span.is_empty() { before } else { span.start };
            start <= at.start && at.end <= end(text, span)
        });
        let is_below = at.is_empty()
            && group[..after].last().is_some_and(|target| {
                let rest = &text[target.span.end..at.start];
                let is_comment = rest.trim_start().starts_with('#') || rest.trim().is_empty();
                is_comment && !rest.contains('\n') && text[at.end..].starts_with(['\r', '\n'])
            });
        if !is_in && !is_below {
            return Err(format!("{at:?} became {new:?}, outside of all scalars that were set"));
        }
    }
    Ok(())
}

/// Checks the values of a text in which a group was set: those of the group have to be the new
/// ones, and all others the old ones.
fn compare(text: &str, old: &[Node<'_>], group: &[Target]) -> Result<(), String> {
    let documents = parsed(text)?;
    let found = nodes(&documents);
    if found.len() != old.len() {
        return Err(format!("{} nodes became {}", old.len(), found.len()));
    }
    let mut group = group.iter().peekable();
    for (index, (old, new)) in old.iter().zip(&found).enumerate() {
        let is_same = match group.next_if(|target| target.index == index) {
            Some(target) => value(target.new)?.iter().all(|value| is_equal(value.root(), *new)),
            None if old.kind() == Kind::Scalar => is_equal(*old, *new),
            None => old.kind() == new.kind(),
        };
        if !is_same || old.custom_tag() != new.custom_tag() || old.anchor() != new.anchor() {
            return Err(format!("{:?} became {:?}", old.text(), new.text()));
        }
    }
    Ok(())
}

/// Returns whether the new node has the value that was set.
fn is_equal(old: Node<'_>, new: Node<'_>) -> bool {
    // The value of a scalar whose tag is not YAML's own is its text.
    match new.custom_tag() {
        Some(_) => old.text() == new.text(),
        None => matches!(old.equals(new, Schema::Core, &Limits::default()), Ok(true)),
    }
}

/// Returns the documents that `source`, the source of a value, is parsed as.
fn value(source: &str) -> Result<Vec<Document<'_>>, String> {
    parsed(source)
}

/// Parses a text. It may contain duplicate keys, as one of the real files does.
fn parsed(text: &str) -> Result<Vec<Document<'_>>, String> {
    let mut compose = ComposeOptions::default();
    compose.duplicate_keys = DuplicateKeys::Off;
    let documents = Documents::with_options(text.as_bytes(), &Options::default(), &compose);
    documents.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Returns all nodes of the documents, in the order of the text.
fn nodes<'d>(documents: &'d [Document<'d>]) -> Vec<Node<'d>> {
    let mut found = Vec::new();
    for document in documents {
        let mut pending = vec![document.root()];
        while let Some(node) = pending.pop() {
            found.push(node);
            let first = pending.len();
            match node.kind() {
                Kind::Sequence => pending.extend(node.items()),
                Kind::Mapping => {
                    pending.extend(node.entries().flat_map(|(key, value)| [key, value]));
                }
                Kind::Scalar | Kind::Alias => {}
            }
            pending[first..].reverse();
        }
    }
    found
}

/// Returns the scalars to which a path can lead, in the order of the text. Keys are not among them,
/// nor are nodes in the value of a duplicate key.
fn targets(text: &str, documents: &[Document<'_>]) -> Result<Vec<Target>, String> {
    let (mut found, mut index) = (Vec::new(), 0);
    for (doc, document) in documents.iter().enumerate() {
        // The offset at which the document's text starts in the whole text.
        let base = document.text().as_ptr() as usize - text.as_ptr() as usize;
        let mut pending = vec![(document.root(), Some(Vec::new()))];
        while let Some((node, path)) = pending.pop() {
            let first = pending.len();
            let below = |step| path.iter().flatten().cloned().chain([step]).collect::<Vec<_>>();
            match node.kind() {
                Kind::Sequence => {
                    let item =
                        |(at, item)| (item, path.is_some().then(|| below(Step::Index(at as i64))));
                    pending.extend(node.items().enumerate().map(item));
                }
                Kind::Mapping => {
                    let mut uses = HashMap::new();
                    for (key, _) in node.entries() {
                        *uses.entry(key.text()).or_insert(0) += 1;
                    }
                    for (key, value) in node.entries() {
                        let is_unique = key.kind() == Kind::Scalar && uses[&key.text()] == 1;
                        let is_named = path.is_some() && is_unique;
                        let step = || below(Step::Name(key.text().into_owned()));
                        pending.push((key, None));
                        pending.push((value, is_named.then(step)));
                    }
                }
                Kind::Scalar | Kind::Alias => {}
            }
            pending[first..].reverse();
            if let (Kind::Scalar, Some(path)) = (node.kind(), path) {
                found.push(target(node, (doc, path), (index, base))?);
            }
            index += 1;
        }
    }
    Ok(found)
}

/// Returns a scalar as a target, with its old value and a new one.
fn target(
    node: Node<'_>,
    (doc, path): (usize, Vec<Step>),
    (index, base): (usize, usize),
) -> Result<Target, String> {
    let span = node.span();
    let properties = [node.tag_span(), node.anchor_span()].into_iter().flatten();
    let start = properties.map(|range| range.start).fold(span.start, usize::min);
    let is_text = node.style() != Style::Plain
        || node.custom_tag().is_some()
        || matches!(node.scalar(Schema::Core), Ok(ketch_yaml::schema::Scalar::Str(_)));
    let old = match is_text {
        true => serde_json::Value::from(node.text()).to_string(),
        false if span.is_empty() => "null".to_owned(),
        false => node.text().into_owned(),
    };
    let mut new = OTHERS[0];
    for other in OTHERS.iter().cycle().skip(index % OTHERS.len()).take(OTHERS.len()) {
        new = other;
        if !value(other)?.iter().all(|value| is_equal(node, value.root())) {
            break;
        }
    }
    Ok(Target { index, doc, path, span: base + start..base + span.end, old, new })
}

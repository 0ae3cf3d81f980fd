//! The laws of edits: the new text is what the program returned, and what it did not change keeps its bytes.

use ketch_edit::{Edit, Patch};
use ketch_query::{EditOptions, Kind, Limits, NoHost, Query, QueryEditError, Source, Value};
use ketch_yaml::compose::{Kind as NodeKind, Node};
use ketch_yaml::{Documents, Parser};
use std::sync::Arc;

const PROGRAMS: &str = include_str!("../laws.txt");

/// The maximum number of pairs of values that are compared.
const PAIRS_MAX: usize = 2_000_000;

/// A program.
pub struct Program {
    pub text: &'static str,
    query: Query,
    /// Whether it neither deletes nor moves a node.
    keeps: bool,
}

/// What became of an edit.
#[derive(Debug)]
pub enum Outcome {
    /// The text changed, as it should, or did not.
    Done { is_changed: bool },
    /// The program failed, or has not exactly one result for each document.
    None,
    /// The editor refused the change, with the kind of its error.
    #[allow(dead_code, reason = "only an example shows it")]
    Refused(String),
    /// A law is broken.
    Wrong(String),
}

/// Returns the programs.
pub fn programs() -> Vec<Program> {
    let lines = PROGRAMS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let program = |line: &'static str| {
        let kept = line.strip_prefix("= ");
        let text = kept.unwrap_or(line);
        Program { text, query: Query::new(text, &[]).expect(text), keeps: kept.is_some() }
    };
    lines.map(program).collect()
}

/// Returns whether a mapping of a document has keys with the same text, of which values show only one, or keys that are
/// aliases, which stay.
fn has_odd_keys(document: &Arc<Source>) -> bool {
    let mut mappings = document.document().nodes().filter(|node| node.kind() == NodeKind::Mapping);
    mappings.any(|node| {
        let mut texts: Vec<_> = node.entries().map(|(key, _)| document.key_text(key)).collect();
        texts.sort_unstable();
        texts.windows(2).any(|two| two[0] == two[1])
            || node.entries().any(|(key, _)| key.kind() == NodeKind::Alias)
    })
}

/// Returns the documents of a text; none if it is not valid.
pub fn documents(text: &str) -> Option<Vec<Arc<Source>>> {
    let mut documents = Documents::new(text.as_bytes());
    let mut found = Vec::new();
    while let Some(document) = documents.next_owned() {
        let number = found.len();
        found.push(Arc::new(Source::new(document.ok()?, "text".into(), number)));
    }
    Some(found)
}

impl Program {
    /// Returns the results for `documents`, if there is one for each.
    fn results(&self, documents: &[Arc<Source>]) -> Option<Vec<Value>> {
        let limits = Limits { steps: 20_000_000, ..Limits::default() };
        let mut run = self.query.run(Vec::new(), limits);
        let mut results = Vec::new();
        for document in documents {
            run.start(document.root());
            results.push(run.next(&mut NoHost)?.ok()?);
            if run.next(&mut NoHost).is_some() {
                return None;
            }
        }
        Some(results)
    }

    /// Edits a text, and checks the laws.
    pub fn check(&self, text: &str) -> Outcome {
        let Some(old) = documents(text) else { return Outcome::None };
        if old.iter().any(has_odd_keys) {
            return Outcome::None;
        }
        let Some(results) = self.results(&old) else { return Outcome::None };
        let mut edit = Edit::deferred(text.to_owned());
        let mut run = self.query.run(Vec::new(), Limits::default());
        let done = run.edit(&mut edit, &"text".into(), &EditOptions::default(), &mut NoHost);
        match done {
            Ok(()) => {}
            Err(QueryEditError::Edit(error)) => return Outcome::Refused(error.to_string()),
            Err(error) => return Outcome::Refused(error.to_string()),
        }
        let Some(new) = documents(edit.text()) else {
            return Outcome::Wrong("the new text is not valid".to_owned());
        };
        if new.len() != old.len() {
            return Outcome::Wrong(format!("{} documents of {}", new.len(), old.len()));
        }
        for ((result, document), old) in results.iter().zip(&new).zip(&old) {
            if let Err(difference) = compare(result, &document.root(), &old.root()) {
                return Outcome::Wrong(difference);
            }
        }
        let patches = edit.patches();
        if self.text == "." && !patches.is_empty() {
            return Outcome::Wrong("`.` changes bytes".to_owned());
        }
        if self.keeps {
            for (result, document) in results.iter().zip(&old) {
                if let Some(scalar) = overwritten(result, document, &patches, text) {
                    return Outcome::Wrong(format!("a patch touches {scalar}"));
                }
            }
            let mut kept = comments(edit.text());
            for comment in comments(text) {
                match kept.iter().position(|kept| *kept == comment) {
                    Some(at) => drop(kept.swap_remove(at)),
                    None => return Outcome::Wrong(format!("the comment `{comment}` is lost")),
                }
            }
        }
        Outcome::Done { is_changed: !patches.is_empty() }
    }
}

/// Returns the comments of a valid text.
fn comments(text: &str) -> Vec<&str> {
    let mut scalars = Vec::new();
    let mut parser = Parser::new(text.as_bytes());
    while let Ok(Some(chunk)) = parser.next_chunk() {
        let base = chunk.base() as usize;
        let events = chunk.events().filter(|event| event.kind.is_scalar());
        scalars.extend(events.map(|event| base + event.start..base + event.start + event.len));
    }
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('#') {
        at += found;
        let is_comment = text[..at].chars().next_back().is_none_or(char::is_whitespace);
        // The header of a block scalar may have a comment, which is no part of its content.
        let inside = scalars.iter().find(|scalar| scalar.contains(&at));
        let is_header = inside.is_some_and(|scalar| {
            let before = &text[scalar.start..at];
            before.starts_with(['|', '>']) && !before.contains('\n')
        });
        if is_comment && (inside.is_none() || is_header) {
            let comment = text[at..].lines().next().unwrap_or_default().trim_end();
            comments.push(comment);
            at += comment.len().max(1);
        } else {
            at += 1;
        }
    }
    comments
}

/// Returns the node that a value is, if it is an alias.
fn alias(value: &Value) -> Option<(Arc<Source>, String)> {
    let Value::Node(source, id) = value else { return None };
    let node = source.document().node(*id);
    (node.kind() == NodeKind::Alias)
        .then(|| (source.clone(), node.anchor().unwrap_or_default().to_owned()))
}

/// Compares a result with what the new text has in its place. An alias whose value is as in the old text stays an alias.
fn compare(result: &Value, new: &Value, old: &Value) -> Result<(), String> {
    let mut pending = vec![(String::new(), result.clone(), new.clone(), Some(old.clone()))];
    let mut count = 0;
    while let Some((path, a, b, old)) = pending.pop() {
        count += 1;
        if count > PAIRS_MAX {
            break;
        }
        if let (Some((_, name)), Some((_, b))) = (alias(&a), alias(&b))
            && name == b
        {
            continue;
        }
        if let (Some(old), Some(_)) = (&old, alias(&b))
            && alias(old).is_some()
            && a.compare(old).is_eq()
        {
            continue;
        }
        let is_same = match a.kind() == b.kind() {
            false => false,
            true if a.kind() == Kind::Array => {
                let (a, b) = (a.as_array().expect("an array"), b.as_array().expect("an array"));
                for (at, (a, b)) in a.entries.iter().zip(&b.entries).enumerate() {
                    let old = old.as_ref().map(|old| old.item(at));
                    pending.push((format!("{path}[{at}]"), a.clone(), b.clone(), old));
                }
                a.entries.len() == b.entries.len()
            }
            true if a.kind() == Kind::Object => {
                let (a, b) = (a.as_object().expect("an object"), b.as_object().expect("an object"));
                for ((key, a), b) in a.entries.iter().zip(b.entries.values()) {
                    let old = old.as_ref().and_then(|old| old.field(key));
                    pending.push((format!("{path}.{key}"), a.clone(), b.clone(), old));
                }
                a.entries.keys().eq(b.entries.keys())
            }
            true => a.compare(&b).is_eq(),
        };
        if !is_same {
            let shown = |value: &Value| value.to_json().chars().take(200).collect::<String>();
            return Err(format!("at `{path}`: {} became {}", shown(&a), shown(&b)));
        }
    }
    Ok(())
}

/// Returns a scalar that stays where it is, but which a patch touches.
fn overwritten(
    result: &Value,
    document: &Arc<Source>,
    patches: &[Patch],
    text: &str,
) -> Option<String> {
    let base = document.document().text();
    // The text of a document is a part of the whole one. Two documents may have the same text.
    let starts = 0..=text.len() - base.len();
    let mut starts = starts.filter(|at| text.as_bytes()[*at..].starts_with(base));
    let start = starts.next().filter(|_| starts.next().is_none())?;
    let mut pending = vec![(document.document().root(), result.clone())];
    while let Some((node, value)) = pending.pop() {
        let is_same = matches!(&value, Value::Node(source, id)
            if Arc::ptr_eq(source, document) && *id == node.id());
        if !is_same || node.kind() != NodeKind::Scalar {
            pending.extend(children(document, node, &value));
            continue;
        }
        // The blank lines after a block scalar are no part of it.
        let (from, to) = (node.span().start + start, node.span().end + start);
        let to = from + text[from..to].trim_end().len();
        let touches = |patch: &Patch| patch.at.start < to && from < patch.at.end;
        if patches.iter().any(touches) {
            return Some(format!("`{}`", &text[from..to]));
        }
    }
    None
}

/// Returns the children of a node with the entries of `value` at the same places.
fn children<'d>(
    document: &'d Arc<Source>,
    node: Node<'d>,
    value: &Value,
) -> Vec<(Node<'d>, Value)> {
    match node.kind() {
        NodeKind::Sequence => {
            let array = value.as_array().unwrap_or_default();
            node.items().zip(array.entries.iter().cloned()).collect()
        }
        NodeKind::Mapping => {
            let object = value.as_object().unwrap_or_default();
            let entry = |(key, child): (Node<'d>, Node<'d>)| {
                Some((child, object.entries.get(&document.key_text(key))?.clone()))
            };
            node.entries().filter_map(entry).collect()
        }
        _ => Vec::new(),
    }
}

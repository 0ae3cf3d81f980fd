//! Random edits of texts, and the properties that each of them must have.

use crate::generate::Random;
use ketch_edit::{Edit, EditErrorKind, Operation, apply_patches};
use ketch_yaml::compose::Kind;
use ketch_yaml::schema::Schema;
use ketch_yaml::{Document, Documents, Limits};
use serde_json::{Value, json};

/// A node to which a path can lead.
#[derive(Clone, Debug)]
pub struct Target {
    /// The index of the document that contains the node.
    pub doc: usize,
    /// The path to the node, as JSON.
    pub path: Vec<Value>,
    /// Whether the node is a scalar.
    pub is_scalar: bool,
}

/// Returns the nodes of a text to which a path can lead.
#[must_use]
pub fn targets(text: &str) -> Vec<Target> {
    let mut found = Vec::new();
    let documents: Result<Vec<_>, _> = Documents::new(text.as_bytes()).collect();
    for (doc, document) in documents.unwrap_or_default().iter().enumerate() {
        let mut pending = vec![(document.root(), Vec::new())];
        while let Some((node, path)) = pending.pop() {
            let below = |step| path.iter().cloned().chain([step]).collect::<Vec<_>>();
            match node.kind() {
                Kind::Sequence => {
                    let items = node.items().enumerate();
                    pending.extend(items.map(|(index, item)| (item, below(index.into()))));
                }
                Kind::Mapping => {
                    let pairs = node.entries().filter(|(key, _)| key.kind() == Kind::Scalar);
                    pending.extend(pairs.map(|(key, value)| (value, below((*key.text()).into()))));
                }
                _ => {}
            }
            found.push(Target { doc, path, is_scalar: node.kind() == Kind::Scalar });
        }
    }
    found
}

/// Returns a random value for an edit, with at most `depth` levels of collections.
fn value(random: &mut Random, depth: usize) -> Value {
    let words =
        ["", "x", "two words", "no", "12", "a: b", "# c", "it's", "é", "- x", "a\nb\n", "  a\nb"];
    match random.below(if depth > 0 { 9 } else { 7 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(1000)),
        3 => json!(1.5),
        4..7 => json!(words[random.below(words.len())]),
        7 => (0..random.below(3)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let keys = ["a", "b", "k2", "on"];
            let pairs = (0..random.below(3))
                .map(|_| (keys[random.below(keys.len())].to_owned(), value(random, depth - 1)));
            Value::Object(pairs.collect())
        }
    }
}

/// Returns a random operation on one of the targets, as JSON.
pub fn operation(random: &mut Random, targets: &[Target]) -> Value {
    let Target { doc, path, .. } = targets[random.below(targets.len())].clone();
    let other = &targets[random.below(targets.len())];
    let styles = ["plain", "single", "double", "literal", "folded", "block", "flow"];
    let new_key = ["a", "new", "zz", "on"][random.below(4)];
    let place = ["leading", "trailing"][random.below(2)];
    let style = styles[random.below(styles.len())];
    let mut edit = match random.below(18) {
        0..4 => json!({"op": "set", "value": value(random, 2)}),
        4 => json!({"op": "replace", "value": value(random, 2)}),
        5..7 => json!({"op": "delete"}),
        7 => json!({"op": "append", "value": value(random, 2)}),
        8 => json!({"op": "insert", "index": random.below(3), "value": value(random, 2)}),
        9 => json!({"op": "insert", "key": new_key, "value": value(random, 2)}),
        10 => json!({"op": "rename", "to": new_key}),
        11 => json!({"op": "sort"}),
        12 => json!({"op": "comment", "text": "note", "where": place}),
        13 => json!({"op": "style", "to": style}),
        14 => json!({"op": "merge", "value": value(random, 2)}),
        15 => json!({"op": "move", "to": other.path.clone()}),
        16 => json!({"op": "copy", "to": other.path.clone(), "key": "copied"}),
        _ => json!({"op": "anchor", "to": "fresh"}),
    };
    edit["path"] = Value::Array(path);
    edit["doc"] = json!(doc);
    if edit["op"] == "set" && random.below(3) == 0 {
        edit["path"].as_array_mut().into_iter().for_each(|path| path.push(json!("added")));
    }
    edit
}

/// The text after some edits, or the kind of the error if they were refused.
type Outcome = Result<String, EditErrorKind>;

fn outcome(mut edit: Edit, operations: &[Operation]) -> Outcome {
    edit.apply(operations).map_err(|error| error.kind())?;
    Ok(edit.text().to_owned())
}

/// Returns whether two texts contain equal documents.
fn mean_the_same(text: &str, other: &str) -> bool {
    fn parsed(text: &str) -> Option<Vec<Document<'_>>> {
        Documents::new(text.as_bytes()).collect::<Result<_, _>>().ok()
    }
    let (Some(all), Some(others)) = (parsed(text), parsed(other)) else { return false };
    let limits = Limits::default();
    all.len() == others.len()
        && all.iter().zip(&others).all(|(one, two)| {
            matches!(one.root().equals(two.root(), Schema::Core, &limits), Ok(true))
        })
}

/// Checks all properties that edits of a text must have. Returns whether the edits were accepted.
pub fn check(text: &str, edits: &[Value]) -> Result<bool, String> {
    let list = Value::Array(edits.to_vec()).to_string();
    let failed = |what: &str, detail: String| Err(format!("{what}\n{list}\n{text:?}\n{detail}"));
    let Ok(operations) = Operation::parse_all(&list) else {
        return failed("not read", list.clone());
    };
    let Ok(mut edit) = Edit::open(text) else { return Ok(false) };
    let done = edit.apply(&operations);
    let windowed = done.as_ref().map_err(|error| error.kind()).map(|()| edit.text().to_owned());
    let whole = Edit::open(text).map(Edit::checking_whole);
    let whole = whole.map_or(Err(EditErrorKind::Invalid), |edit| outcome(edit, &operations));
    if windowed != whole {
        return failed("a window differs from the whole text", format!("{windowed:?}\n{whole:?}"));
    }
    // Here, the first operation finds the part that it changes without an index of all entries.
    let deferred = outcome(Edit::deferred(text.to_owned()), &operations);
    if deferred != whole {
        return failed("a deferred edit differs", format!("{deferred:?}\n{whole:?}"));
    }
    let typed = |edit: Edit| {
        let typed = operations.iter().map(|one| Operation { is_typed: true, ..one.clone() });
        outcome(edit, &typed.collect::<Vec<_>>())
    };
    let all = Edit::open(text).map(|edit| typed(edit.checking_whole()));
    let (all, near) = (all.ok(), typed(Edit::deferred(text.to_owned())));
    if all.as_ref().is_some_and(|all| *all != near) {
        return failed("a typed path leads elsewhere", format!("{near:?}\n{all:?}"));
    }
    let (patches, inverse) = (edit.patches(), edit.inverse());
    if apply_patches(text, &patches) != edit.text() {
        return failed("the patches do not make the text", format!("{patches:?}"));
    }
    if apply_patches(edit.text(), &inverse) != text {
        return failed("the inverse patches do not restore the text", format!("{inverse:?}"));
    }
    let Ok(after) = windowed else {
        return if patches.is_empty() {
            Ok(false)
        } else {
            failed("refused, but changed", list.clone())
        };
    };
    let mut step = text.to_owned();
    // A session remembers the line breaks of a text that has lost all of them. A new session
    // cannot.
    let (has_returns, has_feeds) = (text.contains('\r'), text.contains('\n'));
    let mut has_lost_breaks = false;
    for operation in &operations {
        let next = Edit::open(&step).map_err(|error| error.kind());
        match next.and_then(|edit| outcome(edit, std::slice::from_ref(operation))) {
            Ok(text) => {
                step = text;
                let line_break = if has_feeds { '\n' } else { '\r' };
                has_lost_breaks |= has_returns && !step.contains(line_break);
            }
            Err(kind) => return failed("one by one, one is refused", format!("{kind:?}")),
        }
    }
    let is_same = step == after || has_lost_breaks && mean_the_same(&step, &after);
    if !is_same {
        return failed("one by one differs from all at once", format!("{step:?}\n{after:?}"));
    }
    // Edits with LF add LF to a text that has no line breaks at all, so such texts are not
    // compared.
    if !text.contains('\r') && text.contains('\n') {
        for (name, line_break) in [("CRLF", "\r\n"), ("CR", "\r")] {
            let twin = Edit::open(&text.replace('\n', line_break));
            let twin = twin.map(|edit| outcome(edit, &operations));
            let expected = after.replace('\n', line_break);
            if !matches!(&twin, Ok(Ok(found)) if *found == expected) {
                let detail = format!("{twin:?}\n{after:?}");
                return failed(&format!("with {name}, the result differs"), detail);
            }
        }
    }
    Ok(true)
}

/// Checks edits of a text. The first four bytes of `data` are the random seed, and the others the
/// text.
///
/// # Errors
///
/// Returns a message that says which guarantee an edit violates.
pub fn fuzzed(data: &[u8]) -> Result<(), String> {
    let Some((seed, text)) = data.split_first_chunk::<4>() else { return Ok(()) };
    let Ok(text) = std::str::from_utf8(text) else { return Ok(()) };
    let targets = targets(text);
    if targets.is_empty() {
        return Ok(());
    }
    let mut random = Random::new(u64::from(u32::from_le_bytes(*seed)));
    let count = 1 + random.below(3);
    let list: Vec<_> = (0..count).map(|_| operation(&mut random, &targets)).collect();
    check(text, &list).map(drop)
}

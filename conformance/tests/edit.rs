//! Edits as data: `conformance/edit/cases.toml`, byte for byte.

use ketch_conformance::suite;
use ketch_yaml::Documents;
use ketch_yaml::compose::Kind;
use ketch_yaml::edit::{Edit, Operation, apply_patches};
use serde_json::json;

fn cases() -> Vec<toml::Table> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/edit/cases.toml");
    let data: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let cases = data["case"].as_array().unwrap();
    cases.iter().map(|case| case.as_table().unwrap().clone()).collect()
}

fn text<'c>(case: &'c toml::Table, key: &str) -> &'c str {
    case.get(key).and_then(toml::Value::as_str).unwrap()
}

#[test]
fn edits_leave_every_other_byte() {
    let cases = cases();
    let mut failed = Vec::new();
    for case in &cases {
        let (name, before) = (text(case, "name"), text(case, "before"));
        let operations = Operation::parse_all(text(case, "operations")).unwrap();
        let mut edit = Edit::open(before).unwrap();
        let found = match edit.apply(&operations) {
            Ok(()) => edit.text().to_owned(),
            Err(error) => error.to_string(),
        };
        if found != text(case, "after") {
            failed.push(format!(
                "{name}\n  found    {found:?}\n  expected {:?}",
                text(case, "after")
            ));
        }
        assert_eq!(apply_patches(before, &edit.patches()), edit.text(), "{name}");
        assert_eq!(apply_patches(edit.text(), &edit.inverse()), before, "{name}");
    }
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), cases.len(), failed.join("\n"));
    assert!(cases.len() >= 60);
}

/// The paths of all nodes that a path can name, with the number of their document and whether they
/// are scalars.
fn targets(text: &str) -> Vec<(usize, Vec<serde_json::Value>, bool)> {
    let mut found = Vec::new();
    let documents: Result<Vec<_>, _> = Documents::new(text.as_bytes()).collect();
    for (number, document) in documents.unwrap_or_default().iter().enumerate() {
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
            found.push((number, path, node.kind() == Kind::Scalar));
        }
    }
    found
}

/// Applies an operation: refused, it changes nothing; done, its patches make the text, and the
/// inverse patches give the old one back. Says whether it was done.
fn is_applied(text: &str, operation: serde_json::Value) -> bool {
    let operations = Operation::parse_all(&serde_json::json!([operation]).to_string()).unwrap();
    let Ok(mut edit) = Edit::open(text) else { return false };
    let is_done = edit.apply(&operations).is_ok();
    assert_eq!(apply_patches(text, &edit.patches()), edit.text(), "{operation} {text:?}");
    assert_eq!(apply_patches(edit.text(), &edit.inverse()), text, "{operation}");
    assert!(is_done || edit.text() == text, "{operation} {text:?}");
    is_done
}

#[test]
fn every_node_of_the_suite_can_be_edited_and_restored() {
    let (mut set, mut deleted) = ([0, 0], [0, 0]);
    for case in suite::cases().iter().filter(|case| !case.fail) {
        let text = case.yaml.as_str();
        for (doc, path, is_scalar) in targets(text) {
            let edit = |op: &str, value: serde_json::Value| {
                is_applied(text, json!({"op": op, "path": path, "doc": doc, "value": value}))
            };
            if is_scalar {
                set[usize::from(edit("set", "another value".into()))] += 1;
            }
            if !path.is_empty() {
                deleted[usize::from(edit("delete", serde_json::Value::Null))] += 1;
            }
            edit("append", json!({"a": [1, "b"]}));
            edit("set", json!({"a": [1, "b\nc\n"], "d": {}}));
            edit("sort", serde_json::Value::Null);
        }
    }
    println!("[refused, done]: set {set:?}, deleted {deleted:?}");
    assert!(set[1] > 300 && set[0] * 20 < set[1], "{set:?}");
    assert!(deleted[1] > 300 && deleted[0] * 4 < deleted[1], "{deleted:?}");
}

#[test]
fn line_breaks_are_kept() {
    for case in cases().iter().filter(|case| text(case, "before").contains('\n')) {
        let [before, after] = ["before", "after"].map(|key| text(case, key));
        if before.contains('\r') {
            continue;
        }
        let operations = Operation::parse_all(text(case, "operations")).unwrap();
        let mut edit = Edit::open(&before.replace('\n', "\r\n")).unwrap();
        edit.apply(&operations).unwrap();
        assert_eq!(edit.text(), after.replace('\n', "\r\n"), "{}", text(case, "name"));
    }
}

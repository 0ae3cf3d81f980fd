//! The edits in `conformance/edit/cases.toml`, whose results are compared byte for byte.

use ketch_conformance::edits::{Target, targets};
use ketch_conformance::suite;
use ketch_edit::{Edit, Look, Operation, apply_patches};
use ketch_yaml::compose::Kind;
use ketch_yaml::path::{Path, Step};
use ketch_yaml::schema::Schema;
use ketch_yaml::{Documents, Limits};
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::AddAssign;

fn cases() -> Vec<toml::Table> {
    cases_of("cases.toml")
}

fn cases_of(file: &str) -> Vec<toml::Table> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("edit").join(file);
    let data: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let cases = data["case"].as_array().unwrap();
    cases.iter().map(|case| case.as_table().unwrap().clone()).collect()
}

fn text<'c>(case: &'c toml::Table, key: &str) -> &'c str {
    case.get(key).and_then(toml::Value::as_str).unwrap()
}

#[test]
fn edits_change_only_the_expected_bytes() {
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

/// Returns the kind of error with which the operations are refused, and its line and column in the
/// text. Returns `None` if they are accepted.
fn refusal(text: &str, operations: &[Operation], is_whole: bool) -> Option<(String, String)> {
    let edit = Edit::open(text).map(|edit| if is_whole { edit.checking_whole() } else { edit });
    let error = match edit {
        Ok(mut edit) => {
            let error = edit.apply(operations).err()?;
            assert_eq!(edit.text(), text);
            assert!(edit.patches().is_empty() && !edit.is_changed());
            error
        }
        Err(error) => error,
    };
    let location = error.location().map(|at| format!("{}:{}", at.line, at.column));
    Some((error.kind().name().to_owned(), location.unwrap_or_default()))
}

#[test]
fn each_kind_of_error_is_refused() {
    let cases = cases_of("refusals.toml");
    let (mut failed, mut counts) = (Vec::new(), BTreeMap::new());
    for case in &cases {
        let (name, before) = (text(case, "name"), text(case, "before"));
        let operations = Operation::parse_all(text(case, "operations"));
        let kind = text(case, "error");
        *counts.entry(kind).or_insert(0) += 1;
        let at = case.get("at").map(|at| at.as_str().unwrap().to_owned());
        // The error has to be the same with other line breaks, and if the whole text is checked
        // instead of a part.
        for before in [before.to_owned(), before.replace('\n', "\r\n")] {
            for is_whole in [false, true] {
                let found = match &operations {
                    Ok(operations) => refusal(&before, operations, is_whole).unwrap_or_default(),
                    Err(error) => (error.kind().name().to_owned(), String::new()),
                };
                if found.0 != kind || at.as_ref().is_some_and(|at| *at != found.1) {
                    failed.push(format!("{name}: {found:?}, expected {kind} {at:?}: {before:?}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(counts.len() == 10 && counts.values().all(|&count| count >= 3), "{counts:?}");
}

/// Applies an operation, and returns whether it was applied. Checks that a refused operation
/// changes nothing, that the patches turn the old text into the new one, and that the inverse
/// patches turn the new text into the old one.
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
        for Target { doc, path, is_scalar } in targets(text) {
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

/// Returns the steps of a path in the form in which the view of a binding has them.
fn steps(path: &[serde_json::Value]) -> Vec<Step> {
    let step = |value: &serde_json::Value| match value {
        serde_json::Value::Number(index) => Step::Index(index.as_i64().unwrap()),
        value => Step::Name(value.as_str().unwrap().to_owned()),
    };
    path.iter().map(step).collect()
}

#[test]
fn reads_agree_with_the_composed_document() {
    let (mut known, mut unknown) = (0, 0);
    for case in suite::cases().iter().filter(|case| !case.fail) {
        let text = case.yaml.as_str();
        let Ok(mut edit) = Edit::open(text) else { continue };
        let documents: Result<Vec<_>, _> = Documents::new(text.as_bytes()).collect();
        let Ok(documents) = documents else { continue };
        assert_eq!(edit.document_count().unwrap(), documents.len(), "{}", case.id);
        for Target { doc, path, .. } in targets(text) {
            let path = steps(&path);
            let whole = path.iter().cloned().fold(Path::default(), Path::then);
            let Ok(nodes) = documents[doc].root().select(&whole) else { continue };
            let [node] = nodes[..] else { continue };
            let found = edit.look(doc, &path).unwrap();
            let expected = match node.kind() {
                Kind::Sequence => Look::Sequence(node.items().count()),
                Kind::Mapping => Look::Mapping(node.entries().count()),
                _ => Look::Node,
            };
            let is_known = found != Look::Unknown;
            [&mut unknown, &mut known][usize::from(is_known)].add_assign(1);
            assert!(!is_known || found == expected, "{} {whole}: {found:?}", case.id);
            let missing = edit.look(doc, &[&path[..], &[Step::Key("no such key".into())]].concat());
            assert!(matches!(missing, Ok(Look::Missing | Look::Unknown)), "{} {whole}", case.id);
            let Some(part) = edit.part(doc, &path) else { continue };
            let Some(Ok(part_document)) = Documents::new(part.text.as_bytes()).next() else {
                continue;
            };
            let path = part.steps.iter().cloned().fold(Path::default(), Path::then);
            let found = part_document.root().select(&path).unwrap();
            assert_eq!(found.len(), 1, "{} {whole}: {:?}", case.id, part.text);
            let is_equal = found[0].equals(node, Schema::Core, &Limits::default()).unwrap();
            assert!(is_equal, "{} {whole}: {:?}", case.id, part.text);
        }
    }
    println!("looks: {known} known, {unknown} unknown");
    assert!(known > 1000 && unknown * 4 < known, "{known} {unknown}");
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

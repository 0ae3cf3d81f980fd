//! Edits as data: `conformance/edit/cases.toml`, byte for byte.

use ketch_yaml::edit::{Edit, Operation, apply_patches};

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

use super::{Edit, EditErrorKind, Error, Style};
use crate::Value;
use serde::{Deserialize, Serialize};
use std::fs;

fn edited(text: &str, edit: impl FnOnce(&mut Edit) -> super::Result<()>) -> super::Result<String> {
    let mut opened = Edit::open(text)?;
    edit(&mut opened)?;
    let inverse = opened.inverse();
    let new = String::from_utf8(opened.finish()?).expect("UTF-8");
    assert_eq!(super::apply_patches(&new, &inverse), text);
    Ok(new)
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Port {
    name: String,
    port: u16,
}

#[test]
fn values_of_any_type_are_set() {
    let http = || Port { name: "http".to_owned(), port: 80 };
    let done = edited("ports:\n  # first\n- name: ssh\n  port: 22\nv: 1.9 # pinned\n", |edit| {
        edit.at("ports")?.append(http())?;
        edit.at(".v")?.set("1.10")?;
        edit.at(".n")?.set(vec![None, Some(1.5)])?;
        assert_eq!(edit.at("ports[1]")?.get::<Port>()?, http());
        assert_eq!(edit.at("v")?.get::<String>()?, "1.10");
        Ok(())
    });
    let expected = "ports:\n  # first\n- name: ssh\n  port: 22\n- name: http\n  port: 80\n\
                    v: \"1.10\" # pinned\nn:\n- null\n- 1.5\n";
    assert_eq!(done.expect("edits that succeed"), expected);
}

#[test]
fn each_method_performs_its_operation() {
    type Step = fn(&mut Edit) -> super::Result<()>;
    let text = "a: 1 # one\nb: [x, y]\nc:\n  d: &k 4\ne: *k\n";
    let cases: [(Step, &str); 16] = [
        (|edit| edit.at("b[0]")?.replace("z"), "a: 1 # one\nb: [z, y]\nc:\n  d: &k 4\ne: *k\n"),
        (
            |edit| edit.at("b")?.first().insert("w"),
            "a: 1 # one\nb: [w, x, y]\nc:\n  d: &k 4\ne: *k\n",
        ),
        (
            |edit| edit.at("b")?.index(1).insert(2),
            "a: 1 # one\nb: [x, 2, y]\nc:\n  d: &k 4\ne: *k\n",
        ),
        (
            |edit| edit.at("c")?.after("d").insert_entry("f", true),
            "a: 1 # one\nb: [x, y]\nc:\n  d: &k 4\n  f: true\ne: *k\n",
        ),
        (|edit| edit.at("e")?.delete(), "a: 1 # one\nb: [x, y]\nc:\n  d: &k 4\n"),
        (
            |edit| edit.at("c.d")?.promoting_anchors().delete(),
            "a: 1 # one\nb: [x, y]\nc: {}\ne: &k 4\n",
        ),
        (
            |edit| edit.at("c.d")?.expanding_anchors().remove_anchor(),
            "a: 1 # one\nb: [x, y]\nc:\n  d: 4\ne: 4\n",
        ),
        (|edit| edit.at("c.d")?.anchor("n"), "a: 1 # one\nb: [x, y]\nc:\n  d: &n 4\ne: *n\n"),
        (|edit| edit.at("a")?.rename("one"), "one: 1 # one\nb: [x, y]\nc:\n  d: &k 4\ne: *k\n"),
        (|edit| edit.at("a")?.move_to("c"), "b: [x, y]\nc:\n  d: &k 4\n  a: 1 # one\ne: *k\n"),
        (
            |edit| edit.at("a")?.before("d").copy_to("c"),
            "a: 1 # one\nb: [x, y]\nc:\n  a: 1 # one\n  d: &k 4\ne: *k\n",
        ),
        (
            |edit| edit.at("c")?.merge(serde_json::json!({"f": null})),
            "a: 1 # one\nb: [x, y]\nc:\n  d: &k 4\n  f: null\ne: *k\n",
        ),
        (
            |edit| edit.at(".")?.merge_patch(serde_json::json!({"e": null, "a": 2})),
            "a: 2 # one\nb: [x, y]\nc:\n  d: &k 4\n",
        ),
        (
            |edit| edit.at("b")?.style(Style::Block),
            "a: 1 # one\nb:\n  - x\n  - y\nc:\n  d: &k 4\ne: *k\n",
        ),
        (
            |edit| edit.at("a")?.comment_above("two\nlines"),
            "# two\n# lines\na: 1 # one\nb: [x, y]\nc:\n  d: &k 4\ne: *k\n",
        ),
        (|edit| edit.at("a")?.remove_comments(), "a: 1\nb: [x, y]\nc:\n  d: &k 4\ne: *k\n"),
    ];
    for (index, (step, expected)) in cases.into_iter().enumerate() {
        assert_eq!(edited(text, step).expect("an edit"), expected, "case {index}");
    }
    edited(text, |edit| edit.at("..z")?.if_exists().set(1)).expect("nothing to do");
    edited("b: [y, x]\n", |edit| edit.at("b")?.sort()).expect("a sequence that can be sorted");
    let by_key = edited("- {k: 1, v: a} # one\n- {k: 2, v: b} # two\n", |edit| {
        edit.at(".")?.set_by_key("k", serde_json::json!([{"k": 2, "v": "b"}]))
    });
    assert_eq!(by_key.expect("an edit"), "- {k: 2, v: b} # two\n");
}

#[test]
fn rejected_edits_say_why_and_change_nothing() {
    let text = "a: &x {b: 1}\nc: *x\nd: [1]\n";
    let kind = |path: &str, edit: fn(&mut super::At<'_>) -> super::Result<()>| {
        let mut opened = Edit::open(text).expect("a text");
        let error = edit(&mut opened.at(path).expect("a valid path")).expect_err(path);
        assert_eq!(opened.text(), text);
        assert!(!opened.is_changed() && opened.patches().is_empty());
        assert!(!error.to_string().is_empty());
        error.kind()
    };
    assert_eq!(kind("z.y", |at| at.delete()), Some(EditErrorKind::NotFound));
    assert_eq!(kind("c.b", |at| at.set(2)), Some(EditErrorKind::ThroughAlias));
    assert_eq!(kind("a", |at| at.delete()), Some(EditErrorKind::AnchorInUse));
    assert_eq!(kind("a", |at| at.append(1)), Some(EditErrorKind::KindMismatch));
    assert_eq!(kind("a", |at| at.rename("c")), Some(EditErrorKind::DuplicateKey));
    assert_eq!(kind("d[0]", |at| at.test(2)), Some(EditErrorKind::TestFailed));
    assert_eq!(kind("z", |at| at.get::<u8>().map(drop)), Some(EditErrorKind::NotFound));
    assert_eq!(kind("d", |at| at.get::<u8>().map(drop)), None);
    assert_eq!(kind("a", |at| at.merge(5)), Some(EditErrorKind::BadOperation));

    let mut edit = Edit::open("a: [\n").expect("a text");
    let error = edit.at("a").expect("a valid path").set(1).expect_err("invalid");
    assert_eq!(error.kind(), Some(EditErrorKind::Invalid));
    assert!(error.location().is_some_and(|at| at.line == 1), "{error}");
    assert_eq!(edit.finish().expect_err("invalid").kind(), Some(EditErrorKind::Invalid));
    assert!(matches!(Edit::open("a").expect("a text").at("[").err(), Some(Error::Path(..))));
}

#[test]
fn a_value_may_be_binary() {
    let binary = edited("a: x # c\n", |edit| edit.at("a")?.set(Value::Bytes(vec![0])));
    assert_eq!(binary.expect("an edit"), "a: !!binary AA== # c\n");
}

#[test]
fn documents_are_chosen_by_the_path() {
    let done = edited("a: 1\n---\na: 2\nk: x\n---\na: 3\n", |edit| {
        assert_eq!(edit.at("@*.a")?.values()?, [1, 2, 3].map(Value::from));
        assert_eq!(edit.at("@[?k == x].a")?.get::<u8>()?, 2);
        assert_eq!(edit.at("@2.a")?.get::<u8>()?, 3);
        edit.at("@[?k == x].a")?.set(0)?;
        edit.at("a")?.set(5)
    });
    assert_eq!(done.expect("edits that succeed"), "a: 5\n---\na: 0\nk: x\n---\na: 3\n");
}

#[test]
fn files_are_replaced_only_if_the_text_changes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.yaml");
    fs::write(&path, "a: 0x50\n").expect("a writable file");
    let open = || Edit::file(&path).expect("a file");
    let before = fs::metadata(&path).expect("a file").modified().expect("a modification time");

    let mut edit = open();
    edit.at("a").and_then(|mut at| at.set(80)).expect("a new value that equals the old one");
    assert!(!edit.save().expect("nothing to save"));
    assert_eq!(
        fs::metadata(&path).expect("a file").modified().expect("a modification time"),
        before
    );

    let mut edit = open();
    edit.at("a").and_then(|mut at| at.set(81)).expect("an edit");
    fs::write(&path, "a: 9\n").expect("written meanwhile");
    let error = edit.save().expect_err("changed meanwhile");
    assert!(matches!(error, Error::File(_, ketch_files::Error::Changed)), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "a: 9\n");

    #[cfg(unix)]
    {
        let other = folder.path().join("b.yaml");
        fs::hard_link(&path, &other).expect("a link");
        let set = || {
            let mut edit = open();
            edit.at("a").and_then(|mut at| at.set(81)).expect("an edit");
            edit
        };
        let error = set().save().expect_err("a hard link");
        assert!(matches!(error, Error::File(_, ketch_files::Error::HardLinks(2))), "{error}");
        assert!(set().save_through().expect("a writable file"));
        assert_eq!(fs::read_to_string(&other).expect("a file"), "a: 81\n");
    }
    assert!(matches!(Edit::open("a").expect("a text").save(), Err(Error::NoFile)));
    assert!(matches!(Edit::file(folder.path()), Err(Error::File(..))));
    assert!(matches!(Edit::file(folder.path().join("none")), Err(Error::File(..))));
}

#[test]
fn a_file_of_json_stays_json() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.json");
    fs::write(&path, "{}\n").expect("a writable file");
    let mut edit = Edit::file(&path).expect("a file");
    edit.at("a").and_then(|mut at| at.set(80)).expect("an edit");
    assert_eq!(edit.finish().expect("bytes"), b"{\"a\": 80}\n");
}

#[test]
fn files_keep_their_encoding() {
    let mut edit = Edit::open(b"\xFF\xFEa\0:\0 \x001\0".to_vec()).expect("UTF-16");
    edit.at("a").and_then(|mut at| at.set("é")).expect("an edit");
    assert_eq!(edit.finish().expect("bytes"), b"\xFF\xFEa\0:\0 \0\xE9\0");
}

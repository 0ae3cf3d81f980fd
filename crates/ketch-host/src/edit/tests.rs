use super::{Child, Place, Refusal, Session, View, describe, source};
use ketch_edit::{Edit, Operation};
use ketch_yaml::Documents;
use ketch_yaml::path::Step;
use ketch_yaml::schema::{Scalar, Schema};

fn session(text: &str) -> Session {
    Session::new(Edit::open(text).unwrap())
}

fn key(name: &str) -> Step {
    Step::Key(name.to_owned())
}

fn at(session: &mut Session, steps: &[Step]) -> View {
    let root = session.root(0);
    steps.iter().fold(root, |view, step| match session.child(view, step.clone()).unwrap() {
        Child::Mapping(view) | Child::Sequence(view) => view,
        other => panic!("{step:?}: {other:?}"),
    })
}

fn path(session: &Session, view: View) -> Result<String, Refusal> {
    session.place(view).map(|place| place.path().to_string())
}

fn apply(session: &mut Session, operations: &str) {
    session.apply(&Operation::parse_all(operations).unwrap()).unwrap();
}

#[test]
fn views_follow_items_that_move() {
    let mut session = session("l:\n- [a]\n- [b]\n- [c]\n");
    let items: Vec<View> =
        (0..3).map(|index| at(&mut session, &[key("l"), Step::Index(index)])).collect();
    apply(&mut session, "[{op: insert, path: [l], value: [z], index: 1}]");
    apply(&mut session, "[{op: delete, path: [l, 0]}, {op: append, path: [l], value: []}]");
    apply(&mut session, "[{op: insert, path: [l], value: [y], before: 0}]");
    assert!(matches!(path(&session, items[0]), Err(Refusal::Stale(_))));
    assert_eq!(path(&session, items[1]).unwrap(), "l[2]");
    assert_eq!(path(&session, items[2]).unwrap(), "l[3]");
    for (view, text) in [(items[1], "b"), (items[2], "c")] {
        let reading = session.read(view, Some(Step::Index(0))).unwrap().unwrap();
        assert_eq!(reading.node().text(), text);
    }
}

#[test]
fn negative_indices_of_sequences_count_from_the_end() {
    let mut session = session("l: [a, b]\nm: {-1: c}\n");
    let (list, map) = (at(&mut session, &[key("l")]), at(&mut session, &[key("m")]));
    for (view, index, found) in [(list, -1, 1), (list, -2, 0), (list, 1, 1), (map, -1, -1)] {
        let step = session.step(view, Step::Index(index)).unwrap();
        assert_eq!(step, Step::Index(found), "{index}");
    }
    let step = session.step(list, Step::Index(-3)).unwrap();
    assert!(matches!(session.child(list, step).unwrap(), Child::Missing));
    assert_eq!(session.step(list, key("x")).unwrap(), key("x"));
}

#[test]
fn a_collection_keeps_its_view() {
    let mut session = session("a: {b: []}\n");
    let first = at(&mut session, &[key("a"), key("b")]);
    apply(&mut session, "[{op: set, path: [c], value: 1}]");
    assert_eq!(at(&mut session, &[key("a"), key("b")]), first);
    apply(&mut session, "[{op: rename, path: [a], to: z}]");
    assert_eq!(at(&mut session, &[key("z"), key("b")]), first);
}

#[test]
fn views_of_replaced_collections_become_stale() {
    let operations = [
        "[{op: delete, path: [a]}]",
        "[{op: set, path: [a], value: 1}]",
        "[{op: set, path: [a], value: []}]",
        "[{op: set, path: [], value: {a: {b: []}, n: 1}}]",
        "[{op: set, path: .a.b, value: {}}]",
        "[{op: replace, path: /a, value: {b: [1]}}]",
        "[{op: delete, path: '.*'}]",
        "[{op: merge_patch, path: [], value: {a: {b: null}}}]",
        "[{op: move, path: [a, b], to: []}]",
        "[{op: move, from: /a/b, path: /z}]",
    ];
    for operation in operations {
        let mut session = session("a:\n  b: [[]]\nc: 1\n");
        let view = at(&mut session, &[key("a"), key("b"), Step::Index(0)]);
        apply(&mut session, operation);
        let place = session.place(view);
        assert!(matches!(&place, Err(Refusal::Stale(_))), "{operation}: {place:?}");
    }
}

#[test]
fn views_elsewhere_stay_valid() {
    let operations = [
        "[{op: set, path: [a, c], value: 1}]",
        "[{op: append, path: [a, b], value: 1}]",
        "[{op: comment, path: [a], text: why}]",
        "[{op: style, path: [a, b], to: flow}]",
        "[{op: anchor, path: [a], to: x}]",
        "[{op: insert, path: [], key: y, value: 1, first: true}]",
        "[{op: sort, path: []}]",
        "[{op: copy, path: [a], to: [], key: d}]",
        "[{op: test, path: [c], value: 1}]",
    ];
    for operation in operations {
        let mut session = session("a:\n  b:\n    - []\nc: 1\n");
        let view = at(&mut session, &[key("a"), key("b"), Step::Index(0)]);
        apply(&mut session, operation);
        assert_eq!(path(&session, view).unwrap(), "a.b[0]", "{operation}");
        assert_eq!(session.count(view).unwrap(), 0);
    }
}

#[test]
fn views_through_aliases_are_stale_after_a_move_of_items() {
    let mut session = session("a: &x [[1], [2]]\nb: *x\n");
    let view = at(&mut session, &[key("b"), Step::Index(1)]);
    apply(&mut session, "[{op: set, path: [c], value: 1}]");
    assert_eq!(path(&session, view).unwrap(), "b[1]");
    apply(&mut session, "[{op: delete, path: [a, 0]}]");
    assert!(matches!(session.place(view), Err(Refusal::Stale(_))));
}

#[test]
fn views_stay_valid_when_an_entry_moves_within_its_collection() {
    let mut session = session("a: [[1], [2]]\nb: {c: [3], d: [4]}\n");
    let (a, b) = (at(&mut session, &[key("a")]), at(&mut session, &[key("b")]));
    let (item, d) =
        (at(&mut session, &[key("a"), Step::Index(1)]), at(&mut session, &[key("b"), key("d")]));
    apply(&mut session, "[{op: move, path: [a, 1], to: [a], index: 0}]");
    apply(&mut session, "[{op: move, path: [b, d], to: [b], index: 0}]");
    assert_eq!(session.edit().text(), "a: [[2], [1]]\nb: {d: [4], c: [3]}\n");
    assert_eq!(path(&session, a).unwrap(), "a");
    assert_eq!(path(&session, b).unwrap(), "b");
    assert_eq!(path(&session, d).unwrap(), "b.d");
    assert!(matches!(session.place(item), Err(Refusal::Stale(_))));
}

#[test]
fn a_view_under_a_negative_integer_key_stays_valid() {
    let mut session = session("-1: [[1]]\na: {-2: [2], b: 3}\n");
    let one = at(&mut session, &[Step::Index(-1)]);
    let inner = at(&mut session, &[Step::Index(-1), Step::Index(0)]);
    let two = at(&mut session, &[key("a"), Step::Index(-2)]);
    apply(&mut session, "[{op: append, path: [-1], value: 4}, {op: delete, path: [a, b]}]");
    apply(&mut session, "[{op: append, path: [a, -2], value: 5}]");
    assert_eq!(session.edit().text(), "-1: [[1], 4]\na: {-2: [2, 5]}\n");
    assert_eq!([one, inner, two].map(|view| session.count(view).unwrap()), [2, 1, 2]);
    apply(&mut session, "[{op: delete, path: [-1]}]");
    assert!(matches!(session.place(inner), Err(Refusal::Stale(_))));
}

#[test]
fn a_forgotten_view_is_stale() {
    let mut session = session("a: [[1]]\n");
    let (root, place) = (Place { doc: 0, steps: vec![] }, Place { doc: 0, steps: vec![key("a")] });
    assert_eq!(session.views(&place, false), []);
    let view = at(&mut session, &[key("a")]);
    let inner = at(&mut session, &[key("a"), Step::Index(0)]);
    assert_eq!(session.views(&place, false), [view]);
    assert_eq!(session.views(&place, true), [inner]);
    assert_eq!(session.views(&root, true), [view]);
    session.forget(view);
    assert_eq!(session.views(&place, false), []);
    assert!(matches!(session.place(inner), Err(Refusal::Stale(_))));
}

#[test]
fn a_rejected_list_of_operations_changes_no_view() {
    let mut session = session("a: [[]]\n");
    let view = at(&mut session, &[key("a"), Step::Index(0)]);
    let list = "[{op: delete, path: [a]}, {op: delete, path: [z]}]";
    let error = session.apply(&Operation::parse_all(list).unwrap()).unwrap_err();
    let message = describe(&error, Some("f.yml"), 2);
    assert!(message.starts_with("f.yml: operation 2 of 2: ") || message.contains("operation 2"));
    assert_eq!(path(&session, view).unwrap(), "a[0]");
}

#[test]
fn entries_read_in_place_equal_loaded_ones() {
    let mut session = session("a: 1\n? [x]\n: 2\n3: {}\n~: [b]\n");
    let root = session.root(0);
    let entries = session.entries(root).unwrap();
    let shapes: Vec<&str> = entries
        .iter()
        .map(|(_, child)| match child {
            Child::Scalar(_) => "scalar",
            Child::Mapping(_) => "mapping",
            Child::Sequence(_) => "sequence",
            Child::Missing => "missing",
        })
        .collect();
    assert_eq!(shapes, ["scalar", "scalar", "mapping", "sequence"]);
}

#[test]
fn written_sources_read_back() {
    let texts = ["", "a", "a\nb\r\n\t", "\"\\\u{0}\u{85}\u{2028}\u{feff}😀", "~", "1"];
    for text in texts {
        let mut out = String::new();
        source::push_text(&mut out, text);
        let document = Documents::new(out.as_bytes()).next().unwrap().unwrap();
        assert_eq!(document.root().text(), text);
    }
    for value in [0.0, -0.0, 1.5, 1e300, -1e-300, 5e-324, f64::MAX, 1e15, 1e16] {
        let mut out = String::new();
        source::push_float(&mut out, value);
        let document = Documents::new(out.as_bytes()).next().unwrap().unwrap();
        let Ok(Scalar::Float(found)) = document.root().scalar(Schema::Core) else {
            panic!("{out}")
        };
        assert_eq!(found.to_bits(), value.to_bits(), "{out}");
    }
}

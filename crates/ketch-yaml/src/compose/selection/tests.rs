//! Tests that the results in a stream are the same as those in its documents.

use super::*;
use crate::compose::view::Node;
use crate::problem::Problem;
use crate::schema::Schema;
use crate::{ComposeOptions, Documents, DuplicateKeys, Options, Parser, ReadParser};
use proptest::prelude::*;
use std::io::{Cursor, Read};

/// Returns the location and the value of a node as text, for comparisons.
fn shown(node: Node<'_>) -> String {
    let place = node.location();
    let resolved = node.resolved();
    let value = Found {
        document: Box::new(node.document().clone().into_owned()),
        nodes: vec![resolved.id()],
        document_index: 0,
        dead_end: None,
    };
    let mut text = format!("{}:{}:{} ", place.line, place.column, place.offset);
    let options = crate::compose::ExpandOptions::of(&value.document);
    for visit in value.nodes().flat_map(|node| node.expanded_with(&options)) {
        match visit {
            Ok(visit) => {
                let (step, node) = (visit.step, visit.node);
                text += &format!("{step:?} {:?} {:?} {:?};", node.kind(), node.tag(), node.text());
            }
            Err(error) => text += &format!("{:?}", error.problem()),
        }
    }
    text
}

type All = Result<Vec<String>, (Problem, u64)>;

fn streamed<S: Source>(source: S, path: &Path, options: &SelectionOptions) -> All {
    let mut all = Vec::new();
    let mut selection = Selection::new(source, path, options);
    while let Some(found) = selection.next() {
        let found = found.map_err(|error| (error.problem(), error.line()))?;
        all.extend(found.nodes().map(shown));
        selection.recycle(found.into_parts().0);
    }
    Ok(all)
}

/// Composes the whole documents of `text`, and follows `path` in each.
fn composed(text: &str, path: &Path, compose: &ComposeOptions) -> All {
    let mut all = Vec::new();
    for document in Documents::with_options(text.as_bytes(), &Options::default(), compose) {
        let wrong = |error: Error| (error.problem(), error.line());
        let document = document.map_err(wrong)?;
        all.extend(document.root().select(path).map_err(wrong)?.into_iter().map(shown));
    }
    Ok(all)
}

/// A reader that yields one byte at a time.
struct Drops<R>(R);

impl<R: Read> Read for Drops<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

fn compose(schema: Schema, duplicate_keys: DuplicateKeys) -> ComposeOptions {
    ComposeOptions { schema, duplicate_keys, ..ComposeOptions::default() }
}

#[track_caller]
fn is_same_with(text: &str, path: &str, options: &ComposeOptions) -> Vec<String> {
    let path: Path = path.parse().expect("a valid path");
    let whole = composed(text, &path, options);
    let selection = SelectionOptions { compose: *options, ..SelectionOptions::default() };
    let from_slice = streamed(Parser::new(text.as_bytes()), &path, &selection);
    assert_eq!(from_slice, whole, "{path} in {text}");
    for chunk_words in [1, 3, 4096] {
        let read = Options { chunk_words, ..Options::default() };
        let parser = ReadParser::with_options(Drops(Cursor::new(text)), &read);
        assert_eq!(streamed(parser, &path, &selection), whole, "{path} in {text}");
    }
    whole.expect("valid YAML")
}

#[track_caller]
fn is_same(text: &str, path: &str, count: usize) {
    let found = is_same_with(text, path, &ComposeOptions::default());
    assert_eq!(found.len(), count, "{path} in {text}: {found:?}");
}

const POD: &str = "\
kind: Pod
spec:
  containers:
  - {name: a, image: \"x:1\", ports: [80, 443]}
  - name: b
    image: y:2
    env:
      - a.b/c: |
          text
        0x1F: int
        '31': str
  replicas: 3
";

#[test]
fn paths_lead_to_nodes() {
    for (path, count) in [
        ("", 1),
        ("kind", 1),
        ("spec.containers[0].image", 1),
        ("spec.containers.1.image", 1),
        ("/spec/containers/1/image", 1),
        ("spec.containers[*].image", 2),
        ("spec.containers[*].ports[*]", 2),
        ("spec.containers[-1].name", 1),
        ("spec.containers[-2].ports[-1]", 1),
        ("spec.containers[-3]", 0),
        ("spec.containers[2]", 0),
        ("spec.containers[*].env[0][\"a.b/c\"]", 1),
        ("spec.containers[*].env[0].31", 1),
        ("spec.containers[*].env[0][31]", 1),
        ("spec.containers[*].env[0].\"31\"", 1),
        ("spec.containers[*].env[0].*", 3),
        ("*.*", 2),
        ("*.*.*.*", 6),
        ("kind.x", 0),
        ("spec.containers.name", 0),
        ("spec.none", 0),
    ] {
        is_same(POD, path, count);
    }
}

#[test]
fn filters_slices_and_descents_select_nodes() {
    for (path, count) in [
        ("spec.containers[?name == \"b\"].image", 1),
        ("spec.containers[?name == b].image", 1),
        ("spec.containers[?name != b].ports[-1]", 1),
        ("spec.containers[?.name == c]", 0),
        ("spec.containers[?ports]", 1),
        ("spec.containers[?!ports].name", 1),
        ("spec.containers[?ports[*] > 100].name", 1),
        ("spec.containers[?ports[*] == 80 || name == 'b'].name", 2),
        ("spec.containers[?image =~ \"^[xy]:\\d$\"].name", 2),
        ("spec.containers[?key == 1].name", 1),
        ("spec.containers[?. == 1]", 0),
        ("spec.containers[0].ports[?. > 80]", 1),
        ("spec.containers[0].ports[?. >= 80 && . < 443.5]", 2),
        ("spec.containers[0].ports[:1]", 1),
        ("spec.containers[0].ports[1:]", 1),
        ("spec.containers[0].ports[-1:]", 1),
        ("spec.containers[0].ports[-9:-1]", 1),
        ("spec.containers[0].ports[:]", 2),
        ("spec.containers[0].ports[2:1]", 0),
        ("spec.containers[0].ports[2:9]", 0),
        ("spec.containers[:1][*]", 3),
        ("spec[0:1]", 0),
        ("spec.containers[1].env[0][?. == int]", 1),
        ("spec.containers[1].env[0][?key == 31 || key == \"31\"]", 2),
        ("spec[?key =~ \"^rep\"]", 1),
        ("*[?key == replicas]", 1),
        ("..name", 2),
        ("..[?name].name", 2),
        ("spec..image", 2),
        ("..", 19),
        ("spec.containers..", 15),
        ("spec..[0]", 3),
        ("..env..*", 4),
        ("kind..", 1),
        ("..containers..ports..", 3),
        ("..none", 0),
        ("@0.kind", 1),
        ("@*.kind", 1),
        ("@[?kind == Pod].spec.replicas", 1),
        ("@[?kind == Pod]", 1),
        ("@[?kind == Service].spec", 0),
    ] {
        is_same(POD, path, count);
    }
    let path: Path = "@1.kind".parse().unwrap();
    let found = streamed(Parser::new(POD.as_bytes()), &path, &SelectionOptions::default());
    assert_eq!(found, Ok(vec![]));
}

#[test]
fn documents_are_chosen() {
    let text = "kind: A\nv: 1\n---\nkind: B\nv: &x [2]\nw: *x\n---\n- kind: B\n---\nkind: B\n";
    is_same(text, "@[?kind == B].v", 1);
    is_same(text, "@[?kind == B].w[0]", 1);
    is_same(text, "@[?kind == B]", 2);
    is_same(text, "@[?[0]]", 1);
    is_same(text, "@[?kind == B]..", 7);
    is_same(text, "@*.kind", 3);
    let path: Path = "@1..".parse().unwrap();
    let found = streamed(Parser::new(text.as_bytes()), &path, &SelectionOptions::default());
    assert_eq!(found.unwrap().len(), 5);
}

#[test]
fn aliases_and_merges_are_followed_by_all_steps() {
    let text = "- &a {x: &b [1, &c 2], y: *b}\n- *a\n- {x: *c, z: &c new, w: *c}\n- [*a, *c]\n";
    for (path, count) in [
        ("..x", 2),
        ("..x[*]", 2),
        ("..[?x]", 4),
        ("[?x[1] == 2].y[-1:]", 2),
        ("[1]..", 5),
        ("[*]..x", 4),
        ("[-2:][0].x", 1),
        ("[?y].y..", 6),
        ("[2][?. == new]", 2),
        ("[3:]..x", 1),
    ] {
        is_same(text, path, count);
    }
    let text = "base: &b {p: 1, q: 2}\none: {<<: *b, q: 3}\ntwo: {r: 4, <<: [*b]}\n";
    let options = compose(Schema::Yaml11, DuplicateKeys::Error);
    for (path, count) in [
        ("*[?. >= 2]", 4),
        ("[?p == 1].q", 3),
        ("..p", 1),
        ("one[?key == p]", 1),
        ("*[?key == r]", 1),
    ] {
        let found = is_same_with(text, path, &options);
        assert_eq!(found.len(), count, "{path}: {found:?}");
    }
    let text = "a: {x: 1}\nb: [{x: 2}, {x: 3}]\na: {x: 4}\n";
    for policy in [DuplicateKeys::First, DuplicateKeys::Last] {
        let options = compose(Schema::Core, policy);
        assert_eq!(is_same_with(text, "..x", &options).len(), 3);
        assert_eq!(is_same_with(text, "[?x].x", &options).len(), 1);
        assert_eq!(is_same_with(text, "b[?x > 2].x", &options).len(), 1);
    }
}

#[test]
fn all_documents_are_searched() {
    let text = "%TAG !e! tag:e.org,2000:\n--- !e!x\na: !e!y 1\n---\nb: 2\n---\na: !y [3]\n...\n";
    is_same(text, "a", 2);
    is_same(text, "b", 1);
    is_same(text, "", 3);
    is_same("--- |\n a\n--- \"b\"\n---\n", "", 3);
    is_same("", "", 0);
}

#[test]
fn aliases_are_followed() {
    let text = "\
- &a {x: &b [1, &c 2], y: *b}
- *a
- {x: *c, z: &c new, w: *c}
- !t &d [*a, *c]
- deep
";
    for (path, count) in [
        ("[*].x", 3),
        ("[*].y", 2),
        ("[1].y[1]", 1),
        ("[2].w", 1),
        ("[3]", 1),
        ("[3][0].y", 1),
        ("[3][1]", 1),
        ("[-2][*].x[*]", 2),
        ("*.*.*", 10),
        ("[0].y", 1),
    ] {
        is_same(text, path, count);
    }
    is_same("&r {a: 1, b: &x {c: 2}, d: *x}", "d.c", 1);
    is_same("? &k key\n: 1\n? other\n: *k\n", "other", 1);
    is_same("{&k a: 1, b: {*k : 2}}", "b.a", 1);
    is_same("&a a: 1\n!t b: 2\n!!str c: 3\n!!int '4': 5\n", "c", 1);
    is_same("&a a: 1\n!t b: 2\n!!str c: 3\n!!int '4': 5\n", "4", 1);
    // A tag that YAML does not define hides no key: the first key with the text is found.
    is_same("&a a: 1\n!t b: 2\n", "b", 1);
    is_same("!t b: 2\nb: 1\n!u b: 3\n", "b", 1);
    is_same("!t 4: 2\n'4': 1\n4: 3\n", "4", 1);
    is_same(
        &format!("{}!t b: 2\n", (0..200).fold(String::new(), |all, k| format!("{all}k{k}: 1\n"))),
        "b",
        1,
    );
    is_same("a: &x\nb: *x\nc: &y !t\nd: *y\n", "*", 4);
}

#[test]
fn anchors_needed_by_aliases_may_need_others() {
    let text = "- &a 1\n- &b [*a]\n- &a 2\n- &c [*b, *a]\n- &b 3\n- [*c, *b, *a]\n";
    is_same(text, "[5]", 1);
    is_same(text, "[-1][0][0][0]", 1);
    is_same(text, "[*][*]", 6);
}

#[test]
fn aliases_to_their_own_ancestors_are_errors() {
    for (text, path) in [
        ("a: &a {b: *a}", "a.b.b"),
        ("&r [*r]", "[0]"),
        ("&r [1, &x [*r], *x]", "[2][0]"),
        ("&r [1, &x [*r], *x]", "[2]"),
    ] {
        let path: Path = path.parse().unwrap();
        let found = streamed(Parser::new(text.as_bytes()), &path, &SelectionOptions::default());
        assert_eq!(found, Err((Problem::AliasCycle, 1)), "{path} in {text}");
    }
    let text = "- &a [*a, 1]\n- *a\n";
    is_same(text, "[*][1]", 2);
    let path: Path = "[1][0]".parse().unwrap();
    assert!(composed(text, &path, &ComposeOptions::default()).is_err());
}

#[test]
fn merge_keys_are_followed() {
    let text = "\
base: &base {image: x, port: 80, deep: {a: 1}}
more: &more {<<: *base, port: 90}
one: {<<: *base, image: y}
two:
  image: z
  <<: [*more, {tls: true}]
three: {<<: {port: 1}, !!merge _: *base, deep: {b: 1}}
";
    let options = compose(Schema::Yaml11, DuplicateKeys::Error);
    for (path, count) in [
        ("one.image", 1),
        ("one.port", 1),
        ("two.port", 1),
        ("two.image", 1),
        ("two.tls", 1),
        ("two.deep.a", 1),
        ("three.deep.a", 0),
        ("three.deep.b", 1),
        ("three.port", 1),
        ("three.image", 1),
        ("*.port", 5),
        ("two.*", 4),
        ("*.*", 16),
        ("one.none", 0),
        ("[\"<<\"]", 0),
    ] {
        let found = is_same_with(text, path, &options);
        assert_eq!(found.len(), count, "{path}: {found:?}");
    }
    let alike = "{<<: {!t '1': merged}, '1': own}";
    assert_eq!(is_same_with(alike, "[\"1\"]", &options), ["1:29:28 Scalar Scalar None \"own\";"]);
    is_same(text, "one.port", 0);
    is_same(text, "one[\"<<\"].port", 1);
    let wrong = "one: {<<: 1, a: 2}\n";
    let path: Path = "one.a".parse().unwrap();
    let options = SelectionOptions { compose: options, ..SelectionOptions::default() };
    let found = streamed(Parser::new(wrong.as_bytes()), &path, &options);
    assert_eq!(found, Err((Problem::MergeValue, 1)));
}

#[test]
fn the_option_chooses_among_duplicate_keys() {
    let text = "a: {x: 1}\nb: 2\na: {x: 3, y: 4}\n";
    for (policy, path, count) in [
        (DuplicateKeys::First, "a.x", 1),
        (DuplicateKeys::First, "a.y", 0),
        (DuplicateKeys::Last, "a.x", 1),
        (DuplicateKeys::Last, "a.y", 1),
        (DuplicateKeys::First, "*.x", 1),
        (DuplicateKeys::Last, "*.*", 2),
    ] {
        let found = is_same_with(text, path, &compose(Schema::Core, policy));
        assert_eq!(found.len(), count, "{policy:?} {path}: {found:?}");
    }
    let path: Path = "a.x".parse().unwrap();
    let found = streamed(Parser::new(text.as_bytes()), &path, &SelectionOptions::default());
    assert_eq!(found, Err((Problem::DuplicateKey, 3)));
    // Text and the integer spelled like it are two keys.
    is_same("'8': a\n8: b\n", "8", 1);
    is_same("0x8: a\n'8': b\n", "8", 1);
    for (policy, text) in [(DuplicateKeys::First, "a"), (DuplicateKeys::Last, "c")] {
        let alike = "{'1': a, !t '1': b, '1': d, 1: c}";
        let found = is_same_with(alike, "1", &compose(Schema::Core, policy));
        assert!(found.len() == 1 && found[0].contains(text), "{found:?}");
    }
}

#[test]
fn a_root_can_be_required_to_be_a_sequence() {
    let path: Path = "[*]".parse().unwrap();
    let options = SelectionOptions { is_sequence: true, ..SelectionOptions::default() };
    let wrong = Err((Problem::NotASequence, 2));
    for text in ["\na: 1", "\n--- &x !t\n", "\n{}"] {
        let found = streamed(Parser::new(text.as_bytes()), &path, &options);
        assert_eq!(found.map_err(|(problem, _)| (problem, 2)), wrong, "{text}");
    }
    let found = streamed(Parser::new(b"- 1\n--- []\n--- [2, {}]\n"), &path, &options);
    assert_eq!(found.map(|found| found.len()), Ok(3));
}

#[test]
fn reading_stops_after_the_chosen_document() {
    let path: Path = "a".parse().unwrap();
    for (document, value) in [(0, "1"), (1, "2"), (2, "&")] {
        let options = SelectionOptions { document: Some(document), ..SelectionOptions::default() };
        let text = "a: 1\n---\na: 2\n---\n&x a: \"&\"\n";
        let found = streamed(Parser::new(text.as_bytes()), &path, &options).expect("a document");
        assert!(found.len() == 1 && found[0].contains(value), "{found:?}");
    }
    let endless = Cursor::new("---\na: [1]\n---\n").chain(std::io::repeat(b'\n'));
    let options = SelectionOptions { document: Some(0), ..SelectionOptions::default() };
    let found = streamed(ReadParser::new(endless), &path, &options).expect("a document");
    assert_eq!(found.len(), 1);
}

#[test]
fn the_last_node_reached_is_reported() {
    let reached = |path: &str, text: &str| {
        let path: Path = path.parse().expect("a valid path");
        let mut selection =
            Selection::new(Parser::new(text.as_bytes()), &path, &Default::default());
        assert!(selection.next().is_none(), "{path}");
        let Reached { steps, kind, len, keys } =
            selection.reached().expect("nothing found").clone();
        (steps, kind, len, keys.join(" "))
    };
    use crate::compose::Kind;
    assert_eq!(reached("a", "b: 1\nc: 2"), (0, Kind::Mapping, 2, "b c".into()));
    assert_eq!(reached("b.x.y", "b: {d: 1}\nc: 2"), (1, Kind::Mapping, 1, "d".into()));
    assert_eq!(reached("b[3]", "b: [1, 2]"), (1, Kind::Sequence, 2, "".into()));
    assert_eq!(reached("b[-3]", "b: [1, 2]"), (1, Kind::Sequence, 2, "".into()));
    assert_eq!(reached("b.c", "b: [1, 2]"), (1, Kind::Sequence, 2, "".into()));
    assert_eq!(reached("*.c", "[1, 2]"), (1, Kind::Scalar, 0, "".into()));
    assert_eq!(reached("[*]", "[]"), (0, Kind::Sequence, 0, "".into()));
    assert_eq!(reached("[1].x.y", "[&a {x: {z: 1}}, *a]"), (2, Kind::Mapping, 1, "z".into()));
    assert_eq!(reached("x.y", "x: 1\n--- {x: {z: 1}}\n"), (1, Kind::Scalar, 0, "".into()));
}

/// Checks that an error in an entry is reported only if the entry is part of a result.
#[test]
fn errors_in_skipped_entries_are_not_reported() {
    let options = compose(Schema::Yaml11, DuplicateKeys::Error);
    is_same_with("[{<< : 0}, {x: 1}]", "[-1].x", &options);
    is_same_with("[{<< : [{}, 1]}, &a {x: 1}, *a]", "[-2].x", &options);
    let selection = SelectionOptions { compose: options, ..SelectionOptions::default() };
    let path: Path = "[-2].x".parse().unwrap();
    let found = streamed(Parser::new(b"[{x: 1}, {<< : 0}, {x: 1}]"), &path, &selection);
    assert_eq!(found, Err((Problem::MergeValue, 1)));
}

/// Generates nodes in flow style with anchors, aliases and tags. There are only a few names, so
/// that many of them occur several times.
fn nodes() -> impl Strategy<Value = String> {
    let properties = "(|&[abc] |!t |!t &[abc] |&a !t )";
    let leaf = prop_oneof![
        4 => (properties, "([0-3]|x|\"y\"|'1'|<<)").prop_map(|(properties, text)| properties + &text),
        2 => "\\*[abc] ",
    ];
    let leaf = leaf.boxed();
    let key = leaf.clone();
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let pairs = proptest::collection::vec((key.clone(), inner.clone()), 0..4);
        prop_oneof![
            (properties, proptest::collection::vec(inner, 0..4))
                .prop_map(|(properties, items)| format!("{properties}[{}]", items.join(", "))),
            (properties, pairs).prop_map(|(properties, pairs)| {
                let pairs: Vec<_> = pairs.iter().map(|(k, v)| format!("{k} : {v}")).collect();
                format!("{properties}{{{}}}", pairs.join(", "))
            }),
        ]
    })
}

/// Generates a step of a path, which may be of any kind.
fn steps() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "(\\.x|\\.y|\\.[0-3]|\\[[0-2]\\]|\\[-[1-2]\\]|\\[\"1\"\\]|\\.\\*)",
        2 => "\\[-?[0-2]?:-?[0-3]?\\]".prop_filter("a slice", |text| !text.contains("-:") && !text.ends_with("-]")),
        2 => "\\[\\?(x|x == 1|key == x|key < 2|\\. == 1|\\*\\.x|!y|x == \\.y|\\. =~ \"1\")\\]",
        1 => "\\.\\.(|x|\\[0\\]|\\*)",
    ]
}

/// Returns whether the node is an alias inside its own target.
fn is_in_circle(node: Node<'_>) -> bool {
    node.target().is_some_and(|target| target.subtree().contains(&node.id().index()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Checks that selecting finds the same as composing, unless composing fails, or selecting
    /// fails at a cycle.
    #[test]
    fn found_nodes_equal_those_of_the_document(
        documents in proptest::collection::vec(nodes(), 1..3),
        documents_of in "(|||@\\*|@\\[\\?x\\]|@\\[\\?\\*\\])",
        steps in proptest::collection::vec(steps(), 0..4),
        chunk_words in 1usize..12,
        schema in proptest::sample::select(vec![Schema::Core, Schema::Yaml11]),
        duplicate_keys in proptest::sample::select(vec![
            DuplicateKeys::Error, DuplicateKeys::First, DuplicateKeys::Last,
        ]),
    ) {
        let text: String = documents.iter().map(|text| format!("--- {text}\n")).collect();
        let path: Path = format!("{documents_of}{}", steps.concat()).parse().expect("a valid path");
        let compose = compose(schema, duplicate_keys);
        let whole = composed(&text, &path, &compose);
        let is_circle = Documents::with_options(text.as_bytes(), &Options::default(), &compose)
            .filter_map(Result::ok)
            .any(|document| document.nodes().any(is_in_circle));
        let options = SelectionOptions { compose, ..SelectionOptions::default() };
        let read = Options { chunk_words, ..Options::default() };
        let parser = ReadParser::with_options(Drops(Cursor::new(&text)), &read);
        let found = streamed(parser, &path, &options);
        prop_assert_eq!(
            &found,
            &streamed(Parser::new(text.as_bytes()), &path, &options),
            "{} in {}", path, text,
        );
        if whole.is_ok() && !is_circle {
            prop_assert_eq!(found, whole, "{} in {}", path, text);
        }
    }
}

#[test]
fn dead_ends_are_results_on_request() {
    let text = b"a: {b: [1]}\n---\na: {c: 1}\n---\na: 5\n---\n- 1\n---\na: &x {c: 1}\n---\na: {b: []}\n---\n- &y {d: 1}\n- *y\n";
    let path = "a.b[*]".parse().unwrap();
    let options = SelectionOptions { dead_ends: true, ..SelectionOptions::default() };
    let shown: Vec<String> = Selection::new(Parser::new(text), &path, &options)
        .map(|found| {
            let found = found.unwrap();
            let nodes: Vec<_> = found.nodes().map(|node| node.text().into_owned()).collect();
            let end = found.dead_end().map(|end| (end.steps, end.kind, end.keys.join(",")));
            format!("{} {nodes:?} {end:?}", found.document_index())
        })
        .collect();
    let expected = [
        "0 [\"1\"] None",
        "1 [] Some((1, Mapping, \"c\"))",
        "2 [\"5\"] Some((1, Scalar, \"\"))",
        "3 [] Some((0, Sequence, \"\"))",
        "4 [] Some((1, Mapping, \"c\"))",
        "5 [] Some((2, Sequence, \"\"))",
        "6 [] Some((0, Sequence, \"\"))",
    ];
    assert_eq!(shown, expected);
    let path = "[*].d.e".parse().unwrap();
    let count =
        Selection::new(Parser::new(b"- &y {d: 1}\n- *y\n- {d: {e: 2}}\n"), &path, &options).count();
    assert_eq!(count, 3);
}

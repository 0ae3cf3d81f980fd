//! `ketch set`, `ketch del` and `ketch patch`.

mod common;

use common::Place;

const OLD: &[u8] = b"# head\nimage:\n  tag: '1.9'   # pinned\nhosts: [a,  b]\n";

#[test]
fn one_file_goes_to_standard_output() {
    let place = Place::with(&[("a", OLD)]);
    let new = "# head\nimage:\n  tag: '1.10'   # pinned\nhosts: [a,  b]\n";
    place.ketch(&["set", "--str", "image.tag", "1.10", "a"]).is(0, new, "");
    let number = "# head\nimage:\n  tag: 1.10   # pinned\nhosts: [a,  b]\n";
    place.ketch(&["set", ".image.tag", "1.10", "a"]).is(0, number, "");
    place.ketch_with(&["set", "hosts[1]", "-1", "-"], OLD).is(
        0,
        "# head\nimage:\n  tag: '1.9'   # pinned\nhosts: [a,  -1]\n",
        "",
    );
    place.ketch(&["del", "hosts", "a"]).is(0, "# head\nimage:\n  tag: '1.9'   # pinned\n", "");
    assert_eq!(place.read("a").as_bytes(), OLD);
}

#[test]
fn files_are_replaced_in_place_if_they_change() {
    let place =
        Place::with(&[("a", OLD), ("b", b"image: {tag: 2}\n"), ("c", b"image: {tag: 3}\n")]);
    place.ketch(&["set", "--check", "image.tag", "2", "a", "b", "c"]).is(1, "a\nc\n", "");
    let before = std::fs::metadata(place.path("b")).expect("a file").modified().expect("a time");
    place.ketch(&["set", "-i", "image.tag", "2", "a", "b", "c"]).is(0, "", "");
    assert_eq!(place.read("a"), "# head\nimage:\n  tag: 2   # pinned\nhosts: [a,  b]\n");
    assert_eq!(place.read("c"), "image: {tag: 2}\n");
    let after = std::fs::metadata(place.path("b")).expect("a file").modified().expect("a time");
    assert_eq!(before, after, "an equal value writes nothing");
    let ran = place.ketch(&["set", "--diff", "hosts", "[]", "a"]);
    assert!(ran.ends(0).stdout.contains("-hosts: [a,  b]\n+hosts: []\n"), "{ran}");
}

#[test]
fn lists_of_edits_are_applied_as_a_whole() {
    let ops = b"- {op: append, path: [hosts], value: c}\n- {op: delete, path: [image, tag]}\n";
    let bad = b"- {op: append, path: [hosts], value: c}\n- {op: delete, path: [nothing]}\n";
    let place = Place::with(&[("a", OLD), ("ops", ops), ("bad", bad)]);
    let new = "# head\nimage: {}\nhosts: [a,  b,  c]\n";
    place.ketch(&["patch", "--ops", "ops", "a"]).is(0, new, "");
    place.ketch_with(&["patch", "--ops", "-", "a"], ops).is(0, new, "");
    let ran = place.ketch(&["patch", "-i", "--ops", "bad", "a"]);
    assert!(ran.ends(4).stderr.contains("the path leads to nothing"), "{ran}");
    assert_eq!(place.read("a").as_bytes(), OLD);
}

#[test]
fn refusals_say_what_to_do() {
    let place = Place::with(&[
        ("a", OLD),
        ("alias", b"a: &x {k: 1}\nb: *x\n"),
        ("broken", b"a: [1\nb: 2\n"),
        ("wide", b"\xFF\xFEa\0:\0 \x001\0"),
        ("bytes", b"a: \xFF\n"),
    ]);
    let ran = place.ketch(&["set", "b.k", "2", "alias"]);
    assert!(ran.ends(1).stderr.contains("--alias through"), "{ran}");
    assert!(ran.stderr.contains("alias:2:4"), "{ran}");
    let through = ["set", "--alias", "through", "b.k", "2", "alias"];
    place.ketch(&through).is(0, "a: &x {k: 2}\nb: *x\n", "");
    let detach = ["set", "--alias", "detach", "b.k", "2", "alias"];
    place.ketch(&detach).is(0, "a: &x {k: 1}\nb: {k: 2}\n", "");
    for (file, code) in [("broken", 1), ("wide", 1), ("bytes", 1), ("missing", 3)] {
        let ran = place.ketch(&["set", "-i", "a", "2", file]);
        assert!(ran.ends(code).stderr.starts_with("error: "), "{ran}");
    }
    place.ketch(&["del", "image.none", "a"]).ends(4);
    place.ketch(&["set", "image[", "1", "a"]).ends(2);
    for args in [
        &["set", "a", "1"][..],
        &["set", "*", "1", "a"],
        &["set", "hosts", "1", "a", "alias"],
        &["set", "-i", "hosts", "1", "-"],
        &["patch", "--ops", "-", "-"],
        &["del", "-i", "--diff", "hosts", "a"],
    ] {
        assert!(place.ketch(args).ends(2).stdout.is_empty(), "{args:?}");
    }
}

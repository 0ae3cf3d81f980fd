//! Documents that were composed, written again.

use super::KeyOrder;
use crate::Options;
use crate::compose::{ComposeOptions, Documents, DuplicateKeys};
use crate::present::Presenter;

/// The documents of `input`, written again.
fn represented(input: &str, order: KeyOrder, duplicate_keys: DuplicateKeys) -> String {
    let compose = ComposeOptions { duplicate_keys, ..ComposeOptions::default() };
    let mut yaml = Presenter::new(Vec::new());
    for document in Documents::with_options(input.as_bytes(), &Options::default(), &compose) {
        yaml.document(&document.expect("a right input"), order).expect("writing to memory");
    }
    String::from_utf8(yaml.finish().expect("writing to memory")).expect("UTF-8")
}

#[track_caller]
fn sorted(input: &str, expected: &str) {
    assert_eq!(represented(input, KeyOrder::Sorted, DuplicateKeys::Error), expected, "{input:?}");
}

#[test]
fn documents_stay_what_they_are() {
    let input = "%TAG !e! tag:e.org,2000:\n--- &a !e!x\nb: 'c'\n? [d]\n: |\n  e\nf: *a\n...\n\
        --- {&k a: b, *k : c}\n--- \"x\"\n";
    assert_eq!(represented(input, KeyOrder::AsGiven, DuplicateKeys::Off), input);
    let names = "- &a 1\n- *a\n- &a 2\n- *a\n";
    assert_eq!(represented(names, KeyOrder::AsGiven, DuplicateKeys::Error), names);
}

#[test]
fn keys_are_sorted_at_every_level() {
    sorted("b: {z: 1, y: 2}\na: [{d: 1, c: 2}]\n", "a: [{c: 2, d: 1}]\nb: {y: 2, z: 1}\n");
    sorted("? [x]\n: 1\nb: 2\n'a': 3\n", "'a': 3\nb: 2\n? [x]\n: 1\n");
}

#[test]
fn an_anchor_comes_before_its_alias() {
    sorted("b: &x [1]\na: *x\nc: *x\n", "a: &x [1]\nb: *x\nc: *x\n");
    sorted("b: &x {z: &y 1}\na: *x\nA: *y\n", "A: &y 1\na: &x {z: *y}\nb: *x\n");
    sorted("b: &x 1\na: *x\nd: &x 2\nc: *x\n", "a: &x 1\nb: *x\nc: &x-2 2\nd: *x-2\n");
    sorted("b: &x-2 0\na: &x 1\nd: &x 2\n", "a: &x 1\nb: &x-2 0\nd: &x-3 2\n");
    sorted("b: &x\n  c: *x\n", "b: &x\n  c: *x\n");
}

#[test]
fn what_is_overridden_is_left_out_but_not_what_refers_to_it() {
    let input = "a: &x [1]\nb: *x\na: &x [2]\nc: *x\n";
    let expected = "b: &x [1]\na: &x-2 [2]\nc: *x-2\n";
    assert_eq!(represented(input, KeyOrder::AsGiven, DuplicateKeys::Last), expected);
}

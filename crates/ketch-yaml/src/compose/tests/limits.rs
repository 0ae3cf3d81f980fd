//! Tests that depth, size and expansion take linear time, are limited, and never use the call
//! stack.

use super::super::{JsonError, JsonOptions, JsonWriter};
use super::{ComposeOptions, composed, json, with_duplicates};
use crate::error::Error;
use crate::limits::{Budget, Limits};
use crate::parse::Options;
use crate::problem::Problem;
use crate::schema::Schema;
use crate::{Documents, DuplicateKeys};
use std::time::{Duration, Instant};

/// The maximum time of an action. It is generous for a debug build on a busy machine, where
/// quadratic code takes minutes.
const SOON: Duration = Duration::from_secs(30);

fn soon<T>(action: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = action();
    assert!(start.elapsed() < SOON, "took {:?}", start.elapsed());
    result
}

fn unlimited() -> (Options, ComposeOptions) {
    let limits = Limits { max_depth: Budget::UNLIMITED, ..Limits::default() };
    (
        Options { limits, ..Options::default() },
        ComposeOptions { limits, ..ComposeOptions::default() },
    )
}

#[test]
fn a_million_levels_are_composed_copied_compared_written_and_dropped() {
    const DEPTH: usize = 1_000_000;
    let (options, compose) = unlimited();
    let text = format!("{}x\n", "- ".repeat(DEPTH));
    let written = format!("{}\"x\"{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
    soon(|| {
        let mut documents = Documents::with_options(text.as_bytes(), &options, &compose);
        let document = documents.next().expect("a document").expect("valid YAML within the limits");
        assert_eq!(document.node_count(), DEPTH + 1);
        let copy = document.clone();
        assert!(copy == document);
        assert!(
            document
                .root()
                .equals(copy.root(), Schema::Core, &compose.limits)
                .expect("a comparison within the limits")
        );
        let mut out = Vec::new();
        JsonWriter::new(&JsonOptions::default())
            .write(&document, &mut out)
            .expect("writing to memory");
        assert!(out == written.as_bytes());
        assert_eq!(document.root().span(), 0..text.len() - 1);
    });
}

#[test]
fn nested_keys_are_hashed_once() {
    const DEPTH: usize = 10_000;
    let (options, compose) = unlimited();
    let text = format!("{}x: y, a: b}}{}", "{? ".repeat(DEPTH) + "{", " : v, k: w}".repeat(DEPTH));
    soon(|| {
        let mut documents = Documents::with_options(text.as_bytes(), &options, &compose);
        let document = documents.next().expect("a document").expect("valid YAML within the limits");
        assert_eq!(document.node_count(), 4 * DEPTH + 5);
    });
}

#[test]
fn exponential_aliases_exceed_the_limit() {
    let mut text = String::from("a0: &a0 [x, x]\n");
    for i in 1..30 {
        text += &format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1);
    }
    let shown = soon(|| json(&text));
    assert!(shown.starts_with("TooManyAliasNodes"), "{shown}");
    // As keys, they are compared without being expanded.
    let keys = text.replace("a29: &a29", "? &a29") + "? *a29\n: y\n";
    let options = ComposeOptions::default();
    let error = soon(|| composed(&keys, &options)).expect_err("the same key");
    assert_eq!(error.problem(), Problem::DuplicateKey);
    let limit = Limits { max_alias_nodes: Budget::fixed(3), ..Limits::default() };
    let options = JsonOptions { limits: limit, ..JsonOptions::default() };
    let document = composed("[&a [1, 2, 3], *a]", &ComposeOptions::default())
        .expect("valid YAML within the limits");
    let result = JsonWriter::new(&options).write(&document, &mut Vec::new());
    let Err(JsonError::Document(error)) = result else { panic!("{result:?}") };
    assert_eq!(error.problem().setting(), Some("max_alias_nodes"));
}

#[test]
fn nodes_visited_through_merges_are_limited() {
    let chain = |count: usize| {
        let link = |i: usize| format!("m{}: &a{}\n  <<: *a{i}\n", i + 1, i + 1);
        format!("m0: &a0\n  x: y\n{}", (0..count).map(link).collect::<String>())
    };
    let select = |text: &str| {
        let options = ComposeOptions { schema: Schema::Yaml11, ..ComposeOptions::default() };
        let mut documents = Documents::with_options(text.as_bytes(), &Default::default(), &options);
        let document = documents.next().unwrap().unwrap();
        document.root().select(&"*.x".parse().unwrap()).map(|nodes| nodes.len())
    };
    assert_eq!(select(&chain(100)).unwrap(), 101);
    let error = select(&chain(20_000)).unwrap_err();
    assert_eq!(error.problem().setting(), Some("max_alias_nodes"));
}

#[test]
fn long_chains_of_aliases_and_merges_take_linear_time() {
    let mut text = String::from("- &a0 {k0: v}\n");
    for i in 1..20_000 {
        text += &format!("- &a{i} {{<<: *a{}}}\n", i - 1);
    }
    let yaml11 = ComposeOptions { schema: Schema::Yaml11, ..ComposeOptions::default() };
    let document = composed(&text, &yaml11).expect("valid YAML within the limits");
    let last = document.root().items().last().expect("an entry");
    let merged = soon(|| last.merged_entries()).expect("merged");
    assert_eq!(merged.len(), 1);
}

#[test]
fn a_hundred_thousand_keys_are_checked() {
    let check = |text: &str| -> Result<usize, Error> {
        composed(text, &ComposeOptions::default()).map(|document| document.node_count())
    };
    let prefix = "the same first bytes ";
    let suffix = " the same last bytes";
    let keys: String = (0..100_000).map(|i| format!("{prefix}{i:06}{suffix}: {i}\n")).collect();
    assert_eq!(soon(|| check(&keys)).expect("all different"), 200_001);
    let numbers: String = (0..100_000).map(|i| format!("0x{i:x}: {i}\n")).collect();
    assert_eq!(soon(|| check(&numbers)).expect("all different"), 200_001);
    let twice = format!("{keys}{prefix}{:06}{suffix}: again\n", 5);
    let error = soon(|| check(&twice)).expect_err("a duplicate");
    assert_eq!((error.problem(), error.line()), (Problem::DuplicateKey, 100_001));
    let same = "k: v\n".repeat(100_000);
    let last = with_duplicates(DuplicateKeys::Last);
    assert_eq!(
        soon(|| composed(&same, &last)).expect("valid YAML within the limits").root().len(),
        1
    );
}

#[test]
fn each_limit_names_its_setting() {
    let composed_with = |text: &str, limits: Limits| {
        let options = ComposeOptions { limits, ..ComposeOptions::default() };
        let error = composed(text, &options).expect_err("over the limit");
        error.problem().setting().expect("a setting")
    };
    let many = "- a\n".repeat(10_000);
    let limits = Limits { max_nodes: Budget::fixed(100), ..Limits::default() };
    assert_eq!(composed_with(&many, limits), "max_nodes");
    let long = format!("%TAG !e! {}\n---\n- !e!a b\n- !e!c d\n", "x".repeat(2000));
    let limits = Limits { max_tag_bytes: Budget::fixed(3000), ..Limits::default() };
    assert_eq!(composed_with(&long, limits), "max_tag_bytes");
}

#[test]
fn the_number_of_nodes_is_limited() {
    let limits = Limits { max_nodes: Budget::fixed(5), ..Limits::default() };
    let compose = ComposeOptions { limits, ..ComposeOptions::default() };
    for chunk_words in [1, 4096] {
        let options = Options { chunk_words, ..Options::default() };
        let composed = |text: &'static str| {
            Documents::with_options(text.as_bytes(), &options, &compose)
                .collect::<Result<Vec<_>, _>>()
        };
        // The limit is per document, not for the stream.
        assert_eq!(composed("a: 1\nb: 2\n--- [1, 2, 3, 4]\n").map(|all| all.len()).ok(), Some(2));
        let error = composed("--- a\n--- [1, 2, 3, 4, 5]\n").expect_err("six nodes");
        assert_eq!(error.problem(), Problem::TooManyNodes(5));
        assert_eq!((error.line(), error.column()), (2, 18));
    }
}

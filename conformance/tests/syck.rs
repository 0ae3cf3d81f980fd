//! Syck's dialect, with the inputs of yaml-test-suite and with generated documents.

use ketch_conformance::suite;
use ketch_conformance::syck::{Generator, read_alike};
use ketch_syck::{Content, Node, NodeHandler, Nodes};
use ketch_yaml::{Documents, Error};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Checks that no prefix of an input causes a panic or inconsistent results.
#[test]
fn no_prefix_causes_a_panic_or_inconsistent_results() {
    let mut count = 0;
    for case in suite::cases() {
        let text = case.yaml.as_bytes();
        for end in 0..=text.len() {
            if let Err(what) = read_alike(&text[..end]) {
                panic!("{} up to {end}: {what}", case.id);
            }
            count += 1;
        }
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn generated_documents_read_alike() {
    let mut generator = Generator::new(7);
    for _ in 0..5_000 {
        let lines = generator.lines();
        let mutated = generator.mutation(std::slice::from_ref(&lines));
        for text in [lines, mutated, generator.stream(), generator.mutation(&[])] {
            if let Err(what) = read_alike(&text) {
                panic!("{:?}: {what}", String::from_utf8_lossy(&text));
            }
        }
    }
}

/// A handler that logs each call on a line. bindings/ruby/test/syck_layer_test.rb contains the same
/// handler in Ruby.
#[derive(Default)]
struct Logged {
    out: String,
    count: usize,
}

impl NodeHandler for Logged {
    type Id = String;

    fn node(&mut self, node: &Node<'_, String>) -> String {
        let (kind, value) = match node.content {
            Content::Scalar(text) => ("scalar", text.replace('\\', "\\\\").replace('\n', "\\n")),
            Content::Sequence(ids) => ("sequence", ids.join(" ")),
            Content::Mapping(ids) => ("mapping", ids.join(" ")),
        };
        self.count += 1;
        let (tag, anchor) = (node.tag.unwrap_or("-"), node.anchor.unwrap_or("-"));
        let style = format!("{:?}", node.style).to_lowercase();
        let (start, len) = (node.start, node.end - node.start);
        let inside = node.inside.map_or("-", String::as_str);
        let line = format!(
            "{} {kind} {tag} {anchor} {style} {start}+{len} {inside} {value}\n",
            self.count
        );
        self.out += &line.replace('\r', "\\r").replace('\t', "\\t");
        self.count.to_string()
    }

    fn bad_anchor(&mut self, name: &str) -> String {
        let _ = writeln!(self.out, "bad {name}");
        format!("?{name}")
    }

    fn error(&mut self, error: Error) -> Error {
        let _ = writeln!(self.out, "error {}", error.line());
        error
    }
}

/// The handler in Rust and the one in Ruby write the same log for 100 documents.
#[test]
fn a_handler_logs_as_in_ruby() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("syck");
    let documents = fs::read(folder.join("documents.yml")).expect("the documents");
    let documents = Documents::new(&documents).next().expect("a list").expect("valid YAML");
    let texts: Vec<_> = documents.root().items().map(|item| item.text()).collect();
    assert_eq!(texts.len(), 100);
    let mut log = Logged::default();
    for text in texts {
        let mut nodes = Nodes::new(text.as_bytes());
        while let Ok(Some(root)) = nodes.next_root(&mut log) {
            let _ = writeln!(log.out, "root {root}");
        }
        log.count = 0;
        log.out += "end\n";
    }
    assert_eq!(log.out, fs::read_to_string(folder.join("handler.log")).expect("the log"));
}

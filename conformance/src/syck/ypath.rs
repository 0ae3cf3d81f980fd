//! YPath beside Syck's Ruby layer: random pairs of documents and paths, what the paths lead to in the
//! form that `conformance/ypath/oracle.rb` prints, and the check of the fuzz target.

use super::generate::Generator;
use ketch_yaml::compose::{Kind, Node, Selection, SelectionOptions};
use ketch_yaml::schema::Schema;
use ketch_yaml::ypath::{Composed, Hit, Label, YPath, select};
use ketch_yaml::{
    Budget, ComposeOptions, Dialect, Document, Documents, DuplicateKeys, Options, Parser,
};
use serde::Deserialize;
use std::fmt::Write;

/// Keys, names of paths and scalars: few, so that paths often lead somewhere.
const NAMES: &[&str] =
    &["a", "a", "a", "b", "b", "c", "d e", "0", "1", "02", "yes", "'*'", "'..'", "\"0\"", "<<"];
/// Scalars as values.
const SCALARS: &[&str] =
    &["x", "y", "1", "~", "''", "no", "'1'", "\"x\\ny\\n\"", "\"\\n\\nz\"", "1.5", "x y"];
/// Steps of paths, with the separators before and after them.
const STEPS: &[&str] = &[
    "a",
    "a",
    "a",
    "b",
    "b",
    "c",
    "d e",
    "0",
    "0",
    "1",
    "02",
    "'0'",
    "\"a\"",
    "\"*\"",
    "'..'",
    "yes",
    "<<",
    "*",
    "*",
    "*",
    "*",
    ".",
    "..",
    "x",
    "(a|b)",
    "(a|*)",
    "(a/b|c)",
    "a(|b)",
    "(b|(a|0))",
    "true",
];
/// Predicates.
const PREDICATES: &[&str] = &[
    "[a]",
    "[b]",
    "[0]",
    "[1]",
    "[.=x]",
    "[.=1]",
    "[.=]",
    "[(a|b)]",
    "[.=(x|y)]",
    "[\"a\"]",
    "[*]",
];

/// Makes random documents and paths. The same seed makes the same ones.
#[derive(Clone, Debug)]
pub struct Pairs {
    random: Generator,
    budget: usize,
    anchors: usize,
}

impl Pairs {
    /// Returns the pairs for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Pairs {
        Pairs { random: Generator::new(seed), budget: 0, anchors: 0 }
    }

    /// Returns a document in block style with flow collections in it.
    pub fn document(&mut self) -> String {
        self.budget = 3 + self.random.below(20);
        self.anchors = 0;
        let mut out = String::new();
        self.node(0, &mut out);
        out
    }

    /// Returns a path of at most five steps.
    pub fn path(&mut self) -> String {
        let mut out = String::new();
        let steps = [1, 1, 2, 2, 2, 3, 3, 4, 5][self.random.below(9)];
        for step in 0..steps {
            let starts_bare = step == 0 && self.random.one_in(4);
            out += if starts_bare { "" } else { self.random.pick(&["/", "/", "//"]) };
            out += self.random.pick(STEPS);
            if self.random.one_in(6) && !out.ends_with("..") {
                out += self.random.pick(PREDICATES);
            }
        }
        if self.random.one_in(15) {
            out += "|/";
            out += self.random.pick(STEPS);
        }
        out
    }

    /// Writes a collection or scalar whose lines have this indentation, and its last line break.
    fn node(&mut self, columns: usize, out: &mut String) {
        self.budget = self.budget.saturating_sub(1);
        let is_leaf = self.budget == 0 || columns > 12 || columns > 0 && self.random.one_in(3);
        if is_leaf {
            out.push_str(self.random.pick(SCALARS));
            out.push('\n');
            return;
        }
        let is_mapping = !self.random.one_in(3);
        if self.random.one_in(5) && columns > 0 {
            self.flow(is_mapping, out);
            return;
        }
        if columns > 0 {
            out.push('\n');
        }
        for _ in 0..1 + self.random.below(4) {
            out.extend(std::iter::repeat_n(' ', columns));
            if is_mapping {
                out.push_str(self.random.pick(NAMES));
                out.push(':');
            } else {
                out.push('-');
            }
            self.value(columns, is_mapping, out);
        }
    }

    /// Writes what follows a `:` or `-`.
    fn value(&mut self, columns: usize, is_pair: bool, out: &mut String) {
        out.push(' ');
        if self.anchors > 0 && self.random.one_in(6) {
            let _ = writeln!(out, "*n{}", self.random.below(self.anchors));
            return;
        }
        if self.random.one_in(5) {
            // An alias inside of its anchor would make a cycle: only scalars and flow collections.
            let anchor = self.anchors;
            let _ = write!(out, "&n{anchor} ");
            let is_mapping = self.random.one_in(2);
            self.flow(is_mapping, out);
            self.anchors += 1;
            if is_pair && self.random.one_in(3) {
                // The same node twice, by the same key or by another one.
                out.extend(std::iter::repeat_n(' ', columns));
                let _ = writeln!(out, "{}: *n{anchor}", self.random.pick(&["a", "b"]));
            }
            return;
        }
        self.node(columns + 2, out);
    }

    /// Writes a flow collection of scalars on the line.
    fn flow(&mut self, is_mapping: bool, out: &mut String) {
        out.push(if is_mapping { '{' } else { '[' });
        for at in 0..self.random.below(4) {
            out.push_str(if at > 0 { ", " } else { "" });
            if is_mapping {
                out.push_str(self.random.pick(NAMES));
                out.push_str(": ");
            }
            out.push_str(self.random.pick(SCALARS));
        }
        out.push_str(if is_mapping { "}\n" } else { "]\n" });
    }
}

/// A group of cases: a document with paths, or wrong paths.
#[derive(Debug, Deserialize)]
pub struct Group {
    /// The document.
    #[serde(default)]
    pub text: String,
    /// What paths find in it.
    #[serde(default)]
    pub paths: Vec<Case>,
    /// Paths that are not valid.
    #[serde(default)]
    pub wrong: Vec<Wrong>,
}

/// What a path finds.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// The path.
    pub path: String,
    /// The paths of the results.
    pub search: Vec<String>,
    /// The results.
    pub select: Vec<ketch::Value>,
}

/// A path that is not valid.
#[derive(Debug, Deserialize)]
pub struct Wrong {
    /// The path.
    pub path: String,
    /// The column of the problem, counted from 1.
    pub column: usize,
}

/// Returns the cases that the tests of the command also run.
///
/// # Panics
///
/// Panics if the file is not valid.
#[must_use]
pub fn groups() -> Vec<Group> {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/ketch-cli/tests/ypath.yml");
    let text = std::fs::read_to_string(cases).expect("the cases of YPath");
    ketch::from_str(&text).expect("valid cases")
}

/// Returns the first document of a text in the dialect, if it is valid.
fn first(text: &[u8], limit: Option<u64>) -> Option<Document<'_>> {
    let mut options = Options::default();
    options.dialect = Dialect::Syck;
    let mut compose = ComposeOptions::default();
    compose.schema = Schema::Syck;
    compose.duplicate_keys = DuplicateKeys::Last;
    if let Some(limit) = limit {
        compose.limits.max_alias_nodes = Budget::fixed(limit);
    }
    Documents::with_options(text, &options, &compose).next()?.ok()
}

/// Returns what a path leads to in a text of the dialect, as lines.
///
/// # Errors
///
/// Returns the error message if the path is invalid.
pub fn found(text: &[u8], path: &str) -> Result<String, String> {
    let path: YPath = path.parse().map_err(|error| format!("refused {error}\n"))?;
    let Some(document) = first(text, None) else { return Err("refused\n".to_owned()) };
    let root = document.root();
    let visits = 1_000_000;
    let found = path.matches(&mut Composed::of(root), root.id(), visits);
    let found = found.map_err(|error| format!("refused {error:?}\n"))?;
    let mut out = String::new();
    for found in found.iter() {
        let labels = found.labels();
        let labels: Vec<_> = labels.into_iter().filter_map(Label::shown).collect();
        let _ = writeln!(out, "/{}", labels.join("/"));
    }
    out.push('\n');
    let hits = select(&path, root).map_err(|error| format!("refused {error}\n"))?;
    for hit in hits {
        match hit {
            Hit::Node(node) => out.push_str(&shown(node, 6)),
            Hit::Line(line) => {
                let _ = write!(out, "line {line:?}");
            }
            Hit::None => out.push_str("none"),
        }
        out.push('\n');
    }
    Ok(out)
}

/// Returns a node as the oracle shows it, down to a depth.
fn shown(node: Node<'_>, depth: usize) -> String {
    let node = node.resolved();
    match node.kind() {
        Kind::Sequence if depth == 0 => "[..]".to_owned(),
        Kind::Mapping if depth == 0 => "{..}".to_owned(),
        Kind::Sequence => {
            let items: Vec<_> = node.items().map(|item| shown(item, depth - 1)).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Mapping => {
            let pair = |(key, value): (Node<'_>, Node<'_>)| {
                format!("{}: {}", shown(key, depth - 1), shown(value, depth - 1))
            };
            let pairs: Vec<_> = node.written_entries().map(pair).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        Kind::Scalar | Kind::Alias => format!("{:?}", node.text()),
    }
}

/// Searches the documents of `data` after its first line, which is the path.
///
/// # Errors
///
/// Returns a message that says how results differ from the nodes that their steps lead to, or from
/// the results of the split path.
pub fn found_alike(data: &[u8]) -> Result<(), String> {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let text = data.get(end + 1..).unwrap_or_default();
    let Ok(path) = std::str::from_utf8(&data[..end]) else { return Ok(()) };
    let path = match path.parse::<YPath>() {
        Ok(path) => path,
        Err(error) if path.is_char_boundary(error.offset()) => {
            return if error.to_string().is_empty() {
                Err("no message".to_owned())
            } else {
                Ok(())
            };
        }
        Err(error) => return Err(format!("the place {} is not in {path:?}", error.offset())),
    };
    if path.to_string().parse().as_ref() != Ok(&path) {
        return Err(format!("{path} is not read back"));
    }
    if let Some(document) = first(text, Some(10_000)) {
        steps_lead_there(&path, &document)?;
    }
    split_alike(&path, text)
}

/// Checks that the steps of each result lead to it. Several entries of a mapping may have one key, so
/// steps can lead to several nodes.
fn steps_lead_there(path: &YPath, document: &Document<'_>) -> Result<(), String> {
    let root = document.root();
    let Ok(found) = path.matches(&mut Composed::of(root), root.id(), 10_000) else { return Ok(()) };
    // In a document that contains itself, the results can have as many steps as there are results.
    let mut steps_left = 1_000_000usize;
    for found in found.iter() {
        let (labels, target) = (found.labels(), found.target());
        let Some(left) = steps_left.checked_sub(labels.len()) else { break };
        steps_left = left;
        let Some((last, before)) = labels.split_last() else { continue };
        let nodes = before.iter().fold(vec![root], |nodes, label| follow(&nodes, label));
        if nodes.is_empty() {
            return Err(format!("{path}: {labels:?}"));
        }
        let is_there = match target.node() {
            Some(&id) => follow(&nodes, last).iter().any(|node| node.id() == id),
            None => target.line().is_some() || **last == Label::Up,
        };
        if !is_there {
            return Err(format!("{path}: {labels:?} do not lead to {target:?}"));
        }
    }
    Ok(())
}

/// Takes one step from each of these nodes.
fn follow<'d>(nodes: &[Node<'d>], label: &Label) -> Vec<Node<'d>> {
    let mut found: Vec<Node<'d>> = Vec::new();
    for node in nodes.iter().map(|node| node.resolved()) {
        let mut pairs = node.written_entries();
        match label {
            Label::Here => found.push(node),
            Label::Up => {}
            Label::Index(at) => found.extend(node.items().nth(*at)),
            Label::Key(at, _) => found.extend(pairs.nth(*at).map(|(_, value)| value)),
            Label::Name(name) if node.kind() == Kind::Sequence => {
                found.extend(name.parse().ok().and_then(|at| node.items().nth(at)));
            }
            Label::Name(name) => {
                let alike = pairs.filter(|(key, _)| key.text() == name.as_str());
                found.extend(alike.map(|(_, value)| value));
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.into_iter().map(Node::resolved).filter(|node| seen.insert(node.id())).collect()
}

/// Checks that a selection by the first part of a path, then a search by the rest, finds the same in
/// each document of YAML 1.2 without duplicate keys.
fn split_alike(path: &YPath, text: &[u8]) -> Result<(), String> {
    let compose = ComposeOptions::default();
    let (first, rest) = path.split();
    let mut whole = Vec::new();
    for document in Documents::with_options(text, &Options::default(), &compose) {
        // A selection does not report errors in what it skips, and can fail earlier at an alias, so
        // documents with errors are not compared.
        let Ok(document) = document else { return Ok(()) };
        let Ok(hits) = select(path, document.root()) else { return Ok(()) };
        whole.extend(hits.iter().map(|hit| place(hit)));
    }
    let mut options = SelectionOptions::default();
    options.compose = compose;
    options.text_keys = true;
    let selection = Selection::new(Parser::new(text), &first, &options);
    let mut parts = Vec::new();
    for found in selection {
        let Ok(found) = found else { return Ok(()) };
        for node in found.nodes() {
            let Ok(hits) = select(&rest, node) else { return Ok(()) };
            parts.extend(hits.iter().map(|hit| place(hit)));
        }
    }
    if whole == parts {
        return Ok(());
    }
    Err(format!("{path} as {first} and the rest\n--- whole\n{whole:?}\n--- parts\n{parts:?}"))
}

/// Returns where a result is, and its text.
fn place(hit: &Hit<'_>) -> String {
    match hit {
        Hit::Node(node) => format!("{} {}", node.location().offset, node.text()),
        Hit::Line(line) => format!("line {line:?}"),
        Hit::None => "nothing".to_owned(),
    }
}

//! Compares YPath with Syck's Ruby layer. Contains random pairs of documents and paths, the results
//! of paths in the form that `conformance/ypath/oracle.rb` prints, and the check of the fuzz
//! target.

use super::generate::Generator;
use ketch_syck::ypath::{Composed, Hit, Label, YPath, select};
use ketch_yaml::compose::{Kind, Node, Selection, SelectionOptions};
use ketch_yaml::schema::Schema;
use ketch_yaml::{Budget, ComposeOptions, Document, Documents, DuplicateKeys, Options, Parser};
use serde::Deserialize;
use std::fmt::Write;

/// Keys, names in paths, and scalars. There are only a few, so that paths often lead somewhere.
const NAMES: &[&str] =
    &["a", "a", "a", "b", "b", "c", "d e", "0", "1", "02", "yes", "'*'", "'..'", "\"0\"", "<<"];
/// Scalars that are used as values.
const SCALARS: &[&str] =
    &["x", "y", "1", "~", "''", "no", "'1'", "\"x\\ny\\n\"", "\"\\n\\nz\"", "1.5", "x y"];
/// The steps of paths, with the separators before and after them.
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
/// The predicates of paths.
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

/// Generates random documents and paths, which depend only on the seed.
#[derive(Clone, Debug)]
pub struct Pairs {
    random: Generator,
    budget: usize,
    anchors: usize,
}

impl Pairs {
    /// Creates a generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Pairs {
        Pairs { random: Generator::new(seed), budget: 0, anchors: 0 }
    }

    /// Returns a random document in block style, which may contain flow collections.
    pub fn document(&mut self) -> String {
        self.budget = 3 + self.random.below(20);
        self.anchors = 0;
        let mut out = String::new();
        self.node(0, &mut out);
        out
    }

    /// Returns a random path of at most five steps.
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

    /// Writes a collection or a scalar, whose lines are indented by `columns`, and its last line
    /// break.
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

    /// Writes what follows a `:` or a `-`.
    fn value(&mut self, columns: usize, is_pair: bool, out: &mut String) {
        out.push(' ');
        if self.anchors > 0 && self.random.one_in(6) {
            let _ = writeln!(out, "*n{}", self.random.below(self.anchors));
            return;
        }
        if self.random.one_in(5) {
            // An alias within the node that has its anchor would make a cycle, so only scalars and
            // flow collections have anchors.
            let anchor = self.anchors;
            let _ = write!(out, "&n{anchor} ");
            let is_mapping = self.random.one_in(2);
            self.flow(is_mapping, out);
            self.anchors += 1;
            if is_pair && self.random.one_in(3) {
                // The same node occurs twice, with the same key or with another one.
                out.extend(std::iter::repeat_n(' ', columns));
                let _ = writeln!(out, "{}: *n{anchor}", self.random.pick(&["a", "b"]));
            }
            return;
        }
        self.node(columns + 2, out);
    }

    /// Writes a flow collection of scalars on the current line.
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

/// A group of cases: a document with paths, or paths that are invalid.
#[derive(Debug, Deserialize)]
pub struct Group {
    /// The document.
    #[serde(default)]
    pub text: String,
    /// Paths, and what they find in the document.
    #[serde(default)]
    pub paths: Vec<Case>,
    /// Paths that are invalid.
    #[serde(default)]
    pub wrong: Vec<Wrong>,
}

/// A path, and what it finds.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// The path.
    pub path: String,
    /// The paths of the results.
    pub search: Vec<String>,
    /// The values of the results.
    pub select: Vec<ketch::Value>,
}

/// A path that is invalid.
#[derive(Debug, Deserialize)]
pub struct Wrong {
    /// The path.
    pub path: String,
    /// The column of the error, counted from 1.
    pub column: usize,
}

/// Returns the cases, which the tests of the command also use.
///
/// # Panics
///
/// Panics if the file is missing or invalid.
#[must_use]
pub fn groups() -> Vec<Group> {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/ketch-cli/tests/ypath.yml");
    let text = std::fs::read_to_string(cases).expect("the cases of YPath");
    ketch::from_str(&text).expect("valid cases")
}

/// Returns the first document of a text in Syck's dialect, or `None` if it is invalid.
fn first(text: &[u8], limit: Option<u64>) -> Option<Document<'_>> {
    let mut options = Options::default();
    options.dialect = ketch_syck::DIALECT;
    let mut compose = ComposeOptions::default();
    compose.schema = Schema::Syck;
    compose.duplicate_keys = DuplicateKeys::Last;
    if let Some(limit) = limit {
        compose.limits.max_alias_nodes = Budget::fixed(limit);
    }
    Documents::with_options(text, &options, &compose).next()?.ok()
}

/// Returns the results of a path in a text in Syck's dialect, as lines.
///
/// # Errors
///
/// Returns the error message if the path or the text is invalid.
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

/// Returns a node in the form that the oracle prints, down to `depth` levels of collections.
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

/// Searches the documents in `data` after its first line, which is the path.
///
/// # Errors
///
/// Returns a message that says how results differ from the nodes to which their steps lead, or from
/// the results of the path after it was split.
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

/// Checks that the steps of each result lead to it. A mapping may have several entries with the
/// same key, so steps can lead to several nodes.
fn steps_lead_there(path: &YPath, document: &Document<'_>) -> Result<(), String> {
    let root = document.root();
    let Ok(found) = path.matches(&mut Composed::of(root), root.id(), 10_000) else { return Ok(()) };
    // In a document that contains itself, a result can have as many steps as there are results.
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

/// Returns the nodes to which a step leads from any of `nodes`.
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

/// Checks that a selection by the first part of a path, followed by a search by the rest, finds the
/// same as the whole path, in each YAML 1.2 document without duplicate keys.
fn split_alike(path: &YPath, text: &[u8]) -> Result<(), String> {
    let compose = ComposeOptions::default();
    let (first, rest) = path.split();
    let mut whole = Vec::new();
    for document in Documents::with_options(text, &Options::default(), &compose) {
        // A selection does not report errors in what it skips, and can fail earlier because of an
        // alias, so documents with errors are not compared.
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

/// Returns the location and the text of a result.
fn place(hit: &Hit<'_>) -> String {
    match hit {
        Hit::Node(node) => format!("{} {}", node.location().offset, node.text()),
        Hit::Line(line) => format!("line {line:?}"),
        Hit::None => "nothing".to_owned(),
    }
}

//! Searching composed documents.

use super::find::{Entry, Label, NodeKind, Target, TooManyVisits, Tree};
use super::{Matches, YPath};
use ketch_yaml::compose::internal::expanded_sizes;
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::path::array_index;
use ketch_yaml::schema::Scalar;
use ketch_yaml::{Document, Error, Limits, Problem};

/// The tree of a composed document.
#[derive(Clone, Copy, Debug)]
pub struct Composed<'d> {
    document: &'d Document<'d>,
}

impl<'d> Composed<'d> {
    /// Returns the tree of the document that contains `node`.
    #[must_use]
    pub fn of(node: Node<'d>) -> Composed<'d> {
        Composed { document: node.document() }
    }

    /// Returns the node with the identifier `id` or, if that is an alias, the node that it refers
    /// to.
    fn node(&self, id: NodeId) -> Node<'d> {
        self.document.node(id).resolved()
    }

    /// Returns the label of the pair with the index `at` and the key `key`.
    fn label(&self, at: usize, key: Node<'_>) -> Label {
        if key.kind() != Kind::Scalar {
            return Label::Key(at, None);
        }
        let shown = match key.scalar(self.document.schema()) {
            Ok(Scalar::Str(text)) => return Label::Name(text.into_owned()),
            Ok(Scalar::Null) => None,
            Ok(Scalar::Bool(value)) => Some(value.to_string()),
            Ok(Scalar::Int(value)) => Some(value.to_string()),
            Ok(Scalar::Float(value)) => Some(format!("{value:?}")),
            _ => Some(key.text().into_owned()),
        };
        Label::Key(at, shown)
    }

    /// Returns whether `key` is the text `name`.
    fn is_text(&self, key: Node<'_>, name: &str) -> bool {
        key.resolved().kind() == Kind::Scalar
            && key.content() == name.as_bytes()
            && matches!(key.scalar(self.document.schema()), Ok(Scalar::Str(_)))
    }
}

/// The error that a search has visited more nodes than this limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(u64);

impl From<TooManyVisits> for Refused {
    fn from(TooManyVisits(max): TooManyVisits) -> Refused {
        Refused(max)
    }
}

impl Tree for Composed<'_> {
    type Node = NodeId;
    type Error = Refused;

    fn kind(&mut self, node: NodeId) -> Result<NodeKind, Refused> {
        Ok(match self.node(node).kind() {
            Kind::Sequence => NodeKind::Sequence,
            Kind::Mapping => NodeKind::Mapping,
            Kind::Scalar | Kind::Alias => NodeKind::Scalar,
        })
    }

    fn entries(&mut self, node: NodeId) -> Result<Vec<Entry<NodeId>>, Refused> {
        let node = self.node(node);
        if node.kind() == Kind::Sequence {
            let entry = |(at, item): (usize, Node<'_>)| Entry {
                label: Label::Index(at),
                node: item.resolved().id(),
            };
            return Ok(node.items().enumerate().map(entry).collect());
        }
        let pairs = node.written_entries().enumerate();
        Ok(pairs
            .map(|(at, (key, value))| {
                let label = self.label(at, key.resolved());
                Entry { label, node: value.resolved().id() }
            })
            .collect())
    }

    fn child(&mut self, node: NodeId, name: &str) -> Result<Option<NodeId>, Refused> {
        let node = self.node(node);
        let found = match node.kind() {
            Kind::Sequence => index(name).and_then(|index| node.items().nth(index)),
            Kind::Mapping => node
                .written_entries()
                .find(|(key, _)| self.is_text(*key, name))
                .map(|(_, value)| value),
            _ => None,
        };
        Ok(found.map(|found| found.resolved().id()))
    }

    fn text(&mut self, node: NodeId) -> Result<String, Refused> {
        Ok(self.node(node).text().into_owned())
    }
}

/// Returns `name` as an index if it consists of digits, which may start with zeros.
fn index(name: &str) -> Option<usize> {
    let digits = name.trim_start_matches('0');
    let has_zeros = digits.len() < name.len();
    if digits.is_empty() && has_zeros { Some(0) } else { array_index(digits) }
}

/// A result of [`select`].
#[derive(Clone, Debug)]
pub enum Hit<'d> {
    /// A node.
    Node(Node<'d>),
    /// A line of a scalar, including its line break.
    Line(String),
    /// Nothing, because the path ends with `..`.
    None,
}

impl<'d> Hit<'d> {
    /// Returns the node if the result is one.
    #[must_use]
    pub fn node(&self) -> Option<Node<'d>> {
        if let Hit::Node(node) = self { Some(*node) } else { None }
    }
}

/// Returns what `path` leads to from the node `root` of a document, in the order in which Syck
/// returns it.
///
/// # Errors
///
/// Returns [`Problem::TooManyResultNodes`] if the search, or the results with everything in them,
/// comprise more nodes than the document and [`Limits::max_alias_nodes`] together. This can happen
/// because aliases repeat nodes, and because results can be parts of other results.
pub fn select<'d>(path: &YPath, root: Node<'d>) -> Result<Vec<Hit<'d>>, Error> {
    select_within(path, root, &Limits::default())
}

/// Returns the same as [`select`], but with the limits `limits`.
///
/// # Errors
///
/// The same as for [`select`].
pub fn select_within<'d>(
    path: &YPath,
    root: Node<'d>,
    limits: &Limits,
) -> Result<Vec<Hit<'d>>, Error> {
    let document = root.document();
    let start = root.resolved().id();
    let aliases = limits.max_alias_nodes.at(document.text().len() as u64);
    let nodes = (document.node_count() as u64).saturating_add(aliases);
    let too_many = || root.error(Problem::TooManyResultNodes(nodes));
    let steps: usize = path.routes.iter().map(|route| route.len() + 1).sum();
    // Each step visits a node, and lists it together with its siblings.
    let max = nodes.saturating_mul(2 * steps as u64);
    let found: Matches<NodeId> =
        path.matches(&mut Composed::of(root), start, max).map_err(|Refused(_)| too_many())?;
    let sizes = if found.iter().len() > 1 { expanded_sizes(document) } else { Vec::new() };
    let mut sum = 0_u64;
    let mut hits = Vec::new();
    for found in found.iter() {
        hits.push(match found.target() {
            Target::Node(id) => {
                sum = sum.saturating_add(sizes.get(id.index()).copied().unwrap_or_default());
                Hit::Node(document.node(*id))
            }
            Target::Line(line) => Hit::Line(line.clone()),
            Target::None => Hit::None,
        });
        if sum > nodes {
            return Err(too_many());
        }
    }
    Ok(hits)
}

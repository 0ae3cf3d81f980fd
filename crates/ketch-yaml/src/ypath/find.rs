//! Finds the nodes of a tree that a path leads to. The trees of documents and those of Ruby are
//! searched by the same code.

use super::YPath;
use super::segment::{Predicate, Segment, SegmentKind};
use hashbrown::HashMap;
use std::borrow::Cow;
use std::hash::Hash;

/// The kinds of nodes; an alias is the node that it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Text.
    Scalar,
    /// Entries.
    Sequence,
    /// Keys and values.
    Mapping,
}

/// An entry of a sequence, or a pair of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<N> {
    /// Its index, or its key.
    pub label: Label,
    /// The entry, or the value.
    pub node: N,
}

/// A step that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// `.`
    Here,
    /// `..`
    Up,
    /// A name of the path, or a key that is text.
    Name(String),
    /// An entry of a sequence, or a line of a scalar.
    Index(usize),
    /// A key that is not text: its index among the pairs, and how it is shown.
    Key(usize, Option<String>),
}

impl Label {
    /// Returns how Syck's layer shows the step, which is a name, an index or `..`. It shows neither
    /// `.` nor keys that are null.
    #[must_use]
    pub fn shown(&self) -> Option<Cow<'_, str>> {
        match self {
            Label::Here => None,
            Label::Up => Some("..".into()),
            Label::Name(name) => Some(name.into()),
            Label::Index(index) => Some(index.to_string().into()),
            Label::Key(_, shown) => shown.as_deref().map(Cow::Borrowed),
        }
    }
}

/// A tree whose nodes a path can lead to.
pub trait Tree {
    /// Identifies a node.
    type Node: Copy + Eq + Hash;
    /// Why a node cannot be read.
    type Error: From<TooManyVisits>;

    /// Returns the kind of a node.
    fn kind(&mut self, node: Self::Node) -> Result<NodeKind, Self::Error>;

    /// Returns the entries of a collection in order, with pairs whose key occurs again.
    fn entries(&mut self, node: Self::Node) -> Result<Vec<Entry<Self::Node>>, Self::Error>;

    /// Returns the value of the first key that is this text, or the entry with this index.
    fn child(&mut self, node: Self::Node, name: &str) -> Result<Option<Self::Node>, Self::Error>;

    /// Returns the text of a scalar.
    fn text(&mut self, node: Self::Node) -> Result<String, Self::Error>;
}

/// A search visited more nodes than its limit allows: aliases repeat them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyVisits(pub u64);

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target<N> {
    /// A node of the tree.
    Node(N),
    /// A line of a scalar.
    Line(String),
    /// Nothing: the last step was `..`.
    None,
}

impl<N> Target<N> {
    /// Returns the node, if it is one.
    #[must_use]
    pub fn node(&self) -> Option<&N> {
        if let Target::Node(node) = self { Some(node) } else { None }
    }

    /// Returns the line, if it is one.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        if let Target::Line(line) = self { Some(line) } else { None }
    }
}

/// A taken step, after another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Link<N> {
    before: Option<usize>,
    label: Label,
    target: Target<N>,
}

/// The results of a search.
#[derive(Clone, Debug)]
pub struct Matches<N> {
    links: Vec<Link<N>>,
    ends: Vec<usize>,
    /// The whole tree, if the path has no steps.
    root: Option<Target<N>>,
}

/// A result: how the path led to it, and the target.
#[derive(Clone, Copy, Debug)]
pub struct Match<'m, N> {
    matches: &'m Matches<N>,
    end: Option<usize>,
}

impl<N> Matches<N> {
    /// Returns the results in Syck's order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Match<'_, N>> {
        let count = self.ends.len() + usize::from(self.root.is_some());
        (0..count).map(|at| Match { matches: self, end: self.ends.get(at).copied() })
    }
}

impl<'m, N> Match<'m, N> {
    /// Returns what the path leads to.
    #[must_use]
    pub fn target(&self) -> &'m Target<N> {
        match self.end {
            Some(end) => &self.matches.links[end].target,
            None => self.matches.root.as_ref().unwrap_or(&Target::None),
        }
    }

    /// Returns the steps that were taken, from the root.
    #[must_use]
    pub fn labels(&self) -> Vec<&'m Label> {
        let mut labels = Vec::new();
        let mut next = self.end;
        while let Some(at) = next {
            let link = &self.matches.links[at];
            labels.push(&link.label);
            next = link.before;
        }
        labels.reverse();
        labels
    }
}

/// A node to search with the steps from `step` on.
struct Visit<N> {
    node: N,
    step: usize,
    link: Option<usize>,
}

struct Finder<'p, T: Tree> {
    route: &'p [Segment],
    tree: &'p mut T,
    links: Vec<Link<T::Node>>,
    /// The links that exist, if several paths can make the same ones.
    known: Option<HashMap<Link<T::Node>, usize, foldhash::fast::RandomState>>,
    /// The links that are results.
    ends: Vec<usize>,
    work: Vec<Visit<T::Node>>,
    visits: u64,
    max: u64,
}

impl YPath {
    /// Finds the nodes of a tree from its root, visiting at most `max` nodes: aliases can repeat them,
    /// even without end.
    ///
    /// # Errors
    ///
    /// Returns the errors of the tree, and [`TooManyVisits`].
    pub fn matches<T: Tree>(
        &self,
        tree: &mut T,
        root: T::Node,
        max: u64,
    ) -> Result<Matches<T::Node>, T::Error> {
        if let [route] = &self.routes[..]
            && route.is_empty()
        {
            let root = Some(Target::Node(root));
            return Ok(Matches { links: Vec::new(), ends: Vec::new(), root });
        }
        let is_one = self.routes.len() == 1;
        let mut finder = Finder {
            route: &[],
            tree,
            links: Vec::new(),
            known: (!is_one).then(HashMap::default),
            ends: Vec::new(),
            work: Vec::new(),
            visits: 0,
            max,
        };
        for route in &self.routes {
            finder.route = route;
            finder.work.push(Visit { node: root, step: 0, link: None });
            finder.run()?;
        }
        if !is_one {
            let mut seen = Set::<usize>::default();
            finder.ends.retain(|&end| seen.insert(end));
        }
        Ok(Matches { links: finder.links, ends: finder.ends, root: None })
    }
}

impl<T: Tree> Finder<'_, T> {
    /// Searches until no node is left.
    fn run(&mut self) -> Result<(), T::Error> {
        while let Some(visit) = self.work.pop() {
            self.count(1)?;
            self.visit(&visit)?;
        }
        Ok(())
    }

    fn count(&mut self, visits: usize) -> Result<(), T::Error> {
        self.visits += visits as u64;
        if self.visits > self.max { Err(TooManyVisits(self.max).into()) } else { Ok(()) }
    }

    /// Applies a step to a node.
    fn visit(&mut self, visit: &Visit<T::Node>) -> Result<(), T::Error> {
        let route = self.route;
        let Some(segment) = route.get(visit.step) else { return Ok(()) };
        let is_last = visit.step + 1 == route.len();
        let found = self.step(&segment.kind, visit.node)?;
        let is_found = found.is_some();
        let mut next = Vec::new();
        for (label, target) in found.into_iter().flatten() {
            if !self.holds(segment.predicate.as_ref(), &target)? {
                continue;
            }
            let node = if let Target::Node(node) = target { Some(node) } else { None };
            if is_last {
                let link = self.link(visit.link, label, target);
                self.ends.push(link);
            } else if let Some(node) = node {
                let link = self.link(visit.link, label, target);
                next.push(Visit { node, step: visit.step + 1, link: Some(link) });
            }
        }
        // Syck's layer looks deeper only if the step leads nowhere here, or is the last one.
        if segment.is_deep && (is_last || !is_found) {
            for Entry { label, node } in self.entries(visit.node)? {
                let link = self.link(visit.link, label, Target::Node(node));
                next.push(Visit { node, step: visit.step, link: Some(link) });
            }
        }
        self.work.extend(next.into_iter().rev());
        Ok(())
    }

    /// Returns what a step leads to, or `None` if it leads nowhere.
    #[expect(clippy::type_complexity, reason = "a list of labels with their targets")]
    fn step(
        &mut self,
        kind: &SegmentKind,
        node: T::Node,
    ) -> Result<Option<Vec<(Label, Target<T::Node>)>>, T::Error> {
        Ok(match kind {
            SegmentKind::Here => Some(vec![(Label::Here, Target::Node(node))]),
            SegmentKind::Up => Some(vec![(Label::Up, Target::None)]),
            SegmentKind::Name(name) => {
                let child = self.tree.child(node, name)?;
                child.map(|child| vec![(Label::Name(name.clone()), Target::Node(child))])
            }
            SegmentKind::All if self.tree.kind(node)? == NodeKind::Scalar => {
                let text = self.tree.text(node)?;
                let line =
                    |(at, line): (usize, &str)| (Label::Index(at), Target::Line(line.into()));
                Some(text.split_inclusive('\n').enumerate().map(line).collect())
            }
            SegmentKind::All => {
                let target = |entry: Entry<T::Node>| (entry.label, Target::Node(entry.node));
                Some(self.entries(node)?.into_iter().map(target).collect())
            }
        })
    }

    /// Returns the entries of a node, and counts them as visited. Of pairs with the same key and the
    /// same node, returns the first one.
    fn entries(&mut self, node: T::Node) -> Result<Vec<Entry<T::Node>>, T::Error> {
        let kind = self.tree.kind(node)?;
        if kind == NodeKind::Scalar {
            return Ok(Vec::new());
        }
        let mut entries = self.tree.entries(node)?;
        self.count(entries.len())?;
        if kind == NodeKind::Mapping {
            drop_repeated(&mut entries);
        }
        Ok(entries)
    }

    /// Returns whether a predicate holds.
    fn holds(
        &mut self,
        predicate: Option<&Predicate>,
        target: &Target<T::Node>,
    ) -> Result<bool, T::Error> {
        let Some(predicate) = predicate else { return Ok(true) };
        let &Target::Node(node) = target else { return Ok(false) };
        match predicate {
            Predicate::Has(name) => Ok(self.tree.child(node, name)?.is_some()),
            Predicate::Is(text) => {
                Ok(self.tree.kind(node)? == NodeKind::Scalar && self.tree.text(node)? == *text)
            }
        }
    }

    /// Returns the link for a step after `before`.
    fn link(&mut self, before: Option<usize>, label: Label, target: Target<T::Node>) -> usize {
        let link = Link { before, label, target };
        let new = self.links.len();
        if let Some(known) = &mut self.known {
            let at = *known.entry(link.clone()).or_insert(new);
            if at != new {
                return at;
            }
        }
        self.links.push(link);
        new
    }
}

/// A set with the hash function of the crate.
type Set<K> = hashbrown::HashSet<K, foldhash::fast::RandomState>;

/// Removes each pair whose key and node are those of an earlier pair. Takes linear time.
fn drop_repeated<N: Copy + Eq + Hash>(entries: &mut Vec<Entry<N>>) {
    let mut nodes = Set::default();
    if entries.iter().all(|entry| nodes.insert(entry.node)) {
        return;
    }
    let mut seen = Set::default();
    entries.retain(|entry| {
        let label = match &entry.label {
            // Keys that are displayed in the same way are equal, wherever they are.
            Label::Key(_, Some(shown)) => Label::Key(0, Some(shown.clone())),
            label => label.clone(),
        };
        seen.insert((label, entry.node))
    });
}

//! Finding the nodes of a tree that a path leads to. The same code searches the trees of documents
//! and those of Ruby.

use super::YPath;
use super::segment::{Predicate, Segment, SegmentKind};
use hashbrown::HashMap;
use std::borrow::Cow;
use std::hash::Hash;

/// The kinds of nodes. An alias counts as the node that it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A scalar, which has text.
    Scalar,
    /// A sequence, which has entries.
    Sequence,
    /// A mapping, which has keys and values.
    Mapping,
}

/// An entry of a sequence, or a pair of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<N> {
    /// The index of the entry, or the key of the pair.
    pub label: Label,
    /// The entry of a sequence, or the value of a pair.
    pub node: N,
}

/// A step that a search has taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// The step `.`.
    Here,
    /// The step `..`.
    Up,
    /// A name in the path, or a key that is text.
    Name(String),
    /// The index of an entry in a sequence, or of a line in a scalar.
    Index(usize),
    /// A key that is not text: its index among the pairs, and the text that it is shown as.
    Key(usize, Option<String>),
}

impl Label {
    /// Returns the text as which Syck's layer shows the step: a name, an index or `..`. Returns
    /// `None` for `.` and for keys that are null, which it does not show.
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

/// A tree in which nodes can be found by paths.
pub trait Tree {
    /// A value that identifies a node.
    type Node: Copy + Eq + Hash;
    /// The error if a node cannot be read.
    type Error: From<TooManyVisits>;

    /// Returns the kind of `node`.
    fn kind(&mut self, node: Self::Node) -> Result<NodeKind, Self::Error>;

    /// Returns the entries of the collection `node` in order. Pairs with the same key are all
    /// included.
    fn entries(&mut self, node: Self::Node) -> Result<Vec<Entry<Self::Node>>, Self::Error>;

    /// Returns the value of the first key of `node` that is the text `name`, or the entry with that
    /// index.
    fn child(&mut self, node: Self::Node, name: &str) -> Result<Option<Self::Node>, Self::Error>;

    /// Returns the text of the scalar `node`.
    fn text(&mut self, node: Self::Node) -> Result<String, Self::Error>;
}

/// The error that a search has visited more nodes than this limit, because aliases repeat nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyVisits(pub u64);

/// A result of a search: what the path leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target<N> {
    /// A node of the tree.
    Node(N),
    /// A line of a scalar.
    Line(String),
    /// Nothing, because the last step was `..`.
    None,
}

impl<N> Target<N> {
    /// Returns the node if the target is one.
    #[must_use]
    pub fn node(&self) -> Option<&N> {
        if let Target::Node(node) = self { Some(node) } else { None }
    }

    /// Returns the line if the target is one.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        if let Target::Line(line) = self { Some(line) } else { None }
    }
}

/// A step that a search has taken, with the index of the link for the step before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Link<N> {
    before: Option<usize>,
    label: Label,
    target: Target<N>,
}

/// All results of a search.
#[derive(Clone, Debug)]
pub struct Matches<N> {
    links: Vec<Link<N>>,
    ends: Vec<usize>,
    /// The root of the tree, if it is the only result because the path has no steps.
    root: Option<Target<N>>,
}

/// One result of a search, with the steps that led to it.
#[derive(Clone, Copy, Debug)]
pub struct Match<'m, N> {
    matches: &'m Matches<N>,
    end: Option<usize>,
}

impl<N> Matches<N> {
    /// Returns the results in the order in which Syck returns them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Match<'_, N>> {
        let count = self.ends.len() + usize::from(self.root.is_some());
        (0..count).map(|at| Match { matches: self, end: self.ends.get(at).copied() })
    }
}

impl<'m, N> Match<'m, N> {
    /// Returns what the path has led to.
    #[must_use]
    pub fn target(&self) -> &'m Target<N> {
        match self.end {
            Some(end) => &self.matches.links[end].target,
            None => self.matches.root.as_ref().unwrap_or(&Target::None),
        }
    }

    /// Returns the steps that were taken, starting at the root.
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

/// A node from which the steps with indices from `step` on have yet to be taken.
struct Visit<N> {
    node: N,
    step: usize,
    link: Option<usize>,
}

/// The state of a search.
struct Finder<'p, T: Tree> {
    route: &'p [Segment],
    tree: &'p mut T,
    links: Vec<Link<T::Node>>,
    /// The indices of the links so far, if several routes may create the same link.
    known: Option<HashMap<Link<T::Node>, usize, foldhash::fast::RandomState>>,
    /// The indices of the links that are results.
    ends: Vec<usize>,
    work: Vec<Visit<T::Node>>,
    visits: u64,
    max: u64,
}

impl YPath {
    /// Finds the nodes to which the path leads from `root`. At most `max` nodes are visited,
    /// because aliases can repeat nodes, even without end.
    ///
    /// # Errors
    ///
    /// Returns the errors of the tree, and [`TooManyVisits`] if the search exceeds `max`.
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
    /// Searches until no node is left to visit.
    fn run(&mut self) -> Result<(), T::Error> {
        while let Some(visit) = self.work.pop() {
            self.count(1)?;
            self.visit(&visit)?;
        }
        Ok(())
    }

    /// Counts visits. It is an error if they exceed the limit.
    fn count(&mut self, visits: usize) -> Result<(), T::Error> {
        self.visits += visits as u64;
        if self.visits > self.max { Err(TooManyVisits(self.max).into()) } else { Ok(()) }
    }

    /// Takes a step from a node.
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
        // Syck's layer looks deeper only if the step leads nowhere from here, or is the last one.
        if segment.is_deep && (is_last || !is_found) {
            for Entry { label, node } in self.entries(visit.node)? {
                let link = self.link(visit.link, label, Target::Node(node));
                next.push(Visit { node, step: visit.step, link: Some(link) });
            }
        }
        self.work.extend(next.into_iter().rev());
        Ok(())
    }

    /// Returns what a step leads to from `node`, or `None` if it leads nowhere.
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

    /// Returns the entries of `node`, and counts them as visited. Of several pairs with the same
    /// key and the same value node, only the first is returned.
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

    /// Returns whether `predicate` holds for `target`. Without a predicate, it does.
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

    /// Returns the index of the link for a step that follows the link `before`.
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

/// A set that uses the hash function of the crate.
type Set<K> = hashbrown::HashSet<K, foldhash::fast::RandomState>;

/// Removes each pair with the same key and the same value node as an earlier pair. Takes linear
/// time.
fn drop_repeated<N: Copy + Eq + Hash>(entries: &mut Vec<Entry<N>>) {
    let mut nodes = Set::default();
    if entries.iter().all(|entry| nodes.insert(entry.node)) {
        return;
    }
    let mut seen = Set::default();
    entries.retain(|entry| {
        let label = match &entry.label {
            // Keys that are shown in the same way are equal, wherever they are.
            Label::Key(_, Some(shown)) => Label::Key(0, Some(shown.clone())),
            label => label.clone(),
        };
        seen.insert((label, entry.node))
    });
}

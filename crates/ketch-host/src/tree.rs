//! Builds the values of a host language from composed documents. This covers all of YAML: tags, merge
//! keys, and aliases to collections that contain them.
//!
//! As in [`load`](crate::load), values are pushed on a stack of the host, and the end of a collection
//! replaces its values there by one object. The object of a collection with an anchor is pushed before
//! its values and filled after them, so that it can contain itself.
//!
//! Ruby may leave the functions of a tree by a jump, so they own nothing across a call to the host.

use crate::load::Make;
use crate::walk::{Children, RepeatBudget};
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::schema::{Scalar, Schema};
use ketch_yaml::tag::is_known;
use ketch_yaml::{
    ComposeOptions, Document, Documents, Error, FloatKeys, Location, Options, Problem,
};
use std::borrow::Cow;
use std::collections::HashMap;

/// The number of nodes between two pauses.
const NODES_A_TURN: u32 = 4096;

/// The place of a node in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whether it is a key.
    pub is_key: bool,
    /// Whether it is a key or part of one.
    pub in_key: bool,
}

impl Place {
    /// The place of a value.
    pub const VALUE: Place = Place { is_key: false, in_key: false };
    /// The place of a key.
    pub const KEY: Place = Place { is_key: true, in_key: true };
}

/// A collection that ends.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// The index on the stack at which its values start.
    pub start: usize,
    /// Whether it is a mapping, whose keys and values alternate.
    pub is_mapping: bool,
    /// Whether its object was pushed before its values, by [`Convert::open`].
    pub is_open: bool,
    /// Whether it has a tag that is part of its value.
    pub is_tagged: bool,
    /// Whether it is a key or part of one.
    pub in_key: bool,
}

/// What a host does to create values from documents, beyond [`Make`].
pub trait Convert: Make<Error: From<Error>> {
    /// Pushes a scalar that is not text.
    fn scalar(
        &mut self,
        scalar: Scalar<'_, Cow<'_, [u8]>>,
        node: Node<'_>,
        place: Place,
    ) -> Result<(), Self::Error>;
    /// Pushes an empty collection, with its tag, if it has one that is part of its value.
    fn open(&mut self, node: Node<'_>, tag: Option<&str>) -> Result<(), Self::Error>;
    /// Replaces the values of a collection by its object, or removes the values and fills the object
    /// with them if that [is open](Ended::is_open). Changes nothing and returns false if the host
    /// considers two keys equal.
    fn close(&mut self, ended: Ended) -> Result<bool, Self::Error>;
    /// Returns the index of the first key that equals one before it, after the index of that one, of
    /// the pairs on the stack from `start` on.
    fn repeated(&mut self, start: usize) -> Result<(usize, usize), Self::Error>;

    /// Is called after every few thousand nodes. The host may check for interrupts.
    fn pause(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
    /// Fails if the host cannot represent a mapping that is a key, or part of one.
    fn check_mapping_in_key(&mut self, _mapping: Node<'_>) -> Result<(), Self::Error> {
        Ok(())
    }
    /// Returns whether a node has the same value at this place as elsewhere.
    fn shares(&self, _is_collection: bool, _place: Place) -> bool {
        true
    }
    /// Is called for each value that was pushed, before its tag is added.
    fn locate(&mut self, _node: Node<'_>) {}
}

/// Returns the tag of a node if it is part of its value.
pub fn kept_tag<'d>(node: Node<'d>) -> Option<&'d str> {
    node.tag().filter(|tag| !is_known(tag))
}

/// Returns the location of the root of the document with this number, or offset 0 if there is none. It is
/// not interrupted.
pub fn location_of_document(
    text: &[u8],
    number: usize,
    parse: &Options,
    compose: &ComposeOptions,
) -> Location {
    let mut parse = *parse;
    parse.interrupt = None;
    match Documents::with_options(text, &parse, compose).nth(number) {
        Some(Ok(document)) => document.root().location(),
        _ => Location::at_offset(0, 0),
    }
}

/// Builds the value of a node, and of everything in it.
#[derive(Debug)]
pub struct Tree<'d, 'm, M> {
    /// What makes the values.
    pub make: M,
    document: &'d Document<'d>,
    schema: Schema,
    decoded: &'m mut Vec<u8>,
    open: Vec<Open<'d>>,
    /// The numbers of the nodes that may be referred to again, as those of anchors.
    known: HashMap<usize, u32>,
    budget: RepeatBudget,
    turn: u32,
}

/// An open collection.
#[derive(Debug)]
struct Open<'d> {
    node: Node<'d>,
    children: Children<'d>,
    start: usize,
    is_open: bool,
    is_tagged: bool,
    place: Place,
}

impl<'d, 'm, M: Convert> Tree<'d, 'm, M> {
    /// Prepares to build nodes of a document. `decoded` is memory for text.
    pub fn new(
        make: M,
        document: &'d Document<'d>,
        options: &ComposeOptions,
        decoded: &'m mut Vec<u8>,
    ) -> Tree<'d, 'm, M> {
        Tree {
            make,
            document,
            schema: options.schema,
            decoded,
            open: Vec::new(),
            known: HashMap::new(),
            budget: RepeatBudget::new(document, &options.limits),
            turn: 0,
        }
    }

    /// Pushes the value of a node.
    ///
    /// # Errors
    ///
    /// Fails if a value of the node's subtree has no meaning in the schema, if the host cannot represent
    /// it, or if a budget is exceeded.
    pub fn build(&mut self, root: Node<'d>, place: Place) -> Result<(), M::Error> {
        root.check_keys(FloatKeys::Rounded)?;
        self.node(root, place)?;
        while let Some(open) = self.open.last_mut() {
            let in_key = open.place.in_key;
            match open.children.next() {
                Some((child, is_key)) => {
                    self.node(child, Place { is_key, in_key: in_key || is_key })?;
                }
                None => self.end()?,
            }
        }
        Ok(())
    }

    /// Adds the value of a scalar, or starts a collection.
    fn node(&mut self, node: Node<'d>, place: Place) -> Result<(), M::Error> {
        self.turn += 1;
        if self.turn.is_multiple_of(NODES_A_TURN) {
            self.make.pause()?;
        }
        let node = node.resolved();
        let is_collection = node.kind() != Kind::Scalar;
        if place.is_key && is_collection {
            self.budget.count_key(node, self.document)?;
        }
        // This check comes first because most documents have no anchors.
        if !self.known.is_empty()
            && let Some(&known) = self.known.get(&node.id().index())
            && self.make.shares(is_collection, place)
        {
            return self.make.alias(known, false);
        }
        if is_collection { self.start(node, place) } else { self.scalar(node, place) }
    }

    /// Starts a collection.
    fn start(&mut self, node: Node<'d>, place: Place) -> Result<(), M::Error> {
        if place.in_key && node.kind() == Kind::Mapping {
            self.make.check_mapping_in_key(node)?;
        }
        let children = Children::of(node, self.document, &mut self.budget)?;
        let is_open = node.anchor_span().is_some() && self.make.shares(true, place);
        let tag = kept_tag(node);
        // From here on, the tree owns the children.
        self.open.push(Open { node, children, start: 0, is_open, is_tagged: tag.is_some(), place });
        match (tag, is_open) {
            (tag, true) => {
                self.make.open(node, tag)?;
                self.remember(node, place);
            }
            (Some(tag), false) => self.make.tag(tag)?,
            (None, false) => {}
        }
        if let Some(open) = self.open.last_mut() {
            open.start = self.make.count();
        }
        Ok(())
    }

    /// Ends the innermost collection.
    fn end(&mut self) -> Result<(), M::Error> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let Open { node, children, start, is_open, is_tagged, place } = open;
        // The iterator is exhausted and owns hardly any memory, but a jump must not leave it.
        drop(children);
        let is_mapping = node.kind() == Kind::Mapping;
        let ended = Ended { start, is_mapping, is_open, is_tagged, in_key: place.in_key };
        if !self.make.close(ended)? {
            let places = self.make.repeated(start)?;
            let keys = Children::of(node, self.document, &mut self.budget)?;
            return Err(keys.repeated(places).into());
        }
        if is_open { Ok(()) } else { self.complete(node, place, is_tagged) }
    }

    /// Adds a scalar.
    fn scalar(&mut self, node: Node<'d>, place: Place) -> Result<(), M::Error> {
        // Such text has no tag.
        if let Some(text) = node.verbatim_text(self.schema) {
            add_text(&mut self.make, text, place)?;
            return self.complete(node, place, false);
        }
        let tag = kept_tag(node);
        if let Some(tag) = tag {
            self.make.tag(tag)?;
        }
        match node.scalar_bytes(self.schema)? {
            Scalar::Str(Cow::Borrowed(text)) => add_text(&mut self.make, text, place)?,
            Scalar::Str(Cow::Owned(text)) => {
                // A jump must not leave a frame that owns this memory, so it is moved.
                *self.decoded = text;
                add_text(&mut self.make, self.decoded, place)?;
            }
            Scalar::Merge => add_text(&mut self.make, b"<<", place)?,
            Scalar::Unresolved(_) => {
                return Err(Error::at(Problem::UnresolvedScalar, node.location()).into());
            }
            scalar => self.make.scalar(scalar, node, place)?,
        }
        self.complete(node, place, tag.is_some())
    }

    /// Completes a value that was pushed.
    #[inline]
    fn complete(&mut self, node: Node<'d>, place: Place, is_tagged: bool) -> Result<(), M::Error> {
        self.make.locate(node);
        if is_tagged {
            self.make.wrap()?;
        }
        self.remember(node, place);
        Ok(())
    }

    /// Assigns a number to the value on top of the stack, if its node may be referred to again: by an
    /// alias, or by a merge key whose mapping contains it.
    fn remember(&mut self, node: Node<'d>, place: Place) {
        let may_recur = node.anchor_span().is_some() || self.document.merges() && !place.is_key;
        if may_recur && self.make.shares(node.kind() != Kind::Scalar, place) {
            let number = self.make.anchor();
            self.make.define(number);
            self.known.insert(node.id().index(), number);
        }
    }
}

/// Pushes text, as a key if it is one.
fn add_text<M: Make>(make: &mut M, text: &[u8], place: Place) -> Result<(), M::Error> {
    if place.is_key { make.key(text, false) } else { make.text(text, false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Complex, Texts};

    /// A host whose values are those of [`Texts`].
    #[derive(Debug, Default)]
    struct Host(Texts);

    #[derive(Debug)]
    enum Stop {
        Complex,
        Yaml(Error),
    }

    impl From<Complex> for Stop {
        fn from(_: Complex) -> Stop {
            Stop::Complex
        }
    }

    impl From<Error> for Stop {
        fn from(error: Error) -> Stop {
            Stop::Yaml(error)
        }
    }

    impl Make for Host {
        type Error = Stop;

        fn count(&self) -> usize {
            self.0.count()
        }
        fn null(&mut self) {
            self.0.null();
        }
        fn boolean(&mut self, value: bool) {
            self.0.boolean(value);
        }
        fn integer(&mut self, value: i64) -> Result<(), Stop> {
            Ok(self.0.integer(value)?)
        }
        fn float(&mut self, value: f64) -> Result<(), Stop> {
            Ok(self.0.float(value)?)
        }
        fn text(&mut self, text: &[u8], _: bool) -> Result<(), Stop> {
            Ok(self.0.text(text, true)?)
        }
        fn key(&mut self, text: &[u8], _: bool) -> Result<(), Stop> {
            Ok(self.0.key(text, true)?)
        }
        fn rare(&mut self, scalar: Scalar<'_, &[u8]>) -> Result<(), Stop> {
            Ok(self.0.rare(scalar)?)
        }
        fn sequence(&mut self, start: usize) -> Result<(), Stop> {
            Ok(self.0.sequence(start)?)
        }
        fn mapping(&mut self, start: usize, _: bool) -> Result<(), Stop> {
            Ok(self.0.mapping(start, false)?)
        }
        fn tag(&mut self, tag: &str) -> Result<(), Stop> {
            Ok(self.0.tag(tag)?)
        }
        fn wrap(&mut self) -> Result<(), Stop> {
            Ok(self.0.wrap()?)
        }
        fn anchor(&mut self) -> u32 {
            self.0.anchor()
        }
        fn define(&mut self, anchor: u32) {
            self.0.define(anchor);
        }
        fn alias(&mut self, anchor: u32, merges: bool) -> Result<(), Stop> {
            Ok(self.0.alias(anchor, merges)?)
        }
    }

    impl Convert for Host {
        fn scalar(
            &mut self,
            scalar: Scalar<'_, Cow<'_, [u8]>>,
            _: Node<'_>,
            _: Place,
        ) -> Result<(), Stop> {
            Ok(self.0.push(match scalar {
                Scalar::Int(value) => value.to_string(),
                other => format!("{other:?}"),
            })?)
        }
        fn open(&mut self, node: Node<'_>, tag: Option<&str>) -> Result<(), Stop> {
            let kind = if node.kind() == Kind::Mapping { "{&}" } else { "[&]" };
            Ok(self.0.push(format!("{}{kind}", tag.unwrap_or_default()))?)
        }
        fn close(&mut self, ended: Ended) -> Result<bool, Stop> {
            if ended.is_mapping && self.0.stack[ended.start..].iter().any(|text| text == "twice") {
                return Ok(false);
            }
            match ended.is_mapping {
                true => self.0.mapping(ended.start, false)?,
                false => self.0.sequence(ended.start)?,
            }
            if ended.is_open
                && let (Some(values), Some(object)) = (self.0.stack.pop(), self.0.stack.pop())
            {
                self.0.push(format!("{object}{values}"))?;
            }
            Ok(true)
        }
        fn repeated(&mut self, _: usize) -> Result<(usize, usize), Stop> {
            Ok((0, 1))
        }
        fn check_mapping_in_key(&mut self, mapping: Node<'_>) -> Result<(), Stop> {
            Err(Error::at(Problem::AliasCycle, mapping.location()).into())
        }
    }

    fn build(text: &str) -> Result<String, Stop> {
        let mut compose = ComposeOptions::default();
        compose.merge_keys = Some(true);
        let mut documents = Documents::with_options(text.as_bytes(), &Options::default(), &compose);
        let document = documents.next().unwrap().unwrap();
        let mut decoded = Vec::new();
        let mut tree = Tree::new(Host::default(), &document, &compose, &mut decoded);
        tree.build(document.root(), Place::VALUE)?;
        Ok(tree.make.0.stack.join(" | "))
    }

    #[test]
    fn values_are_built_from_documents() {
        for (text, expected) in [
            ("a: [1, x, !t y]", r#"{a [1 "x" <!t "y">]}"#),
            ("!t {a: !u [1]}", "<!t {a <!u [1]>}>"),
            // The object of an anchored collection comes before its values.
            ("&a [*a, 1]", "[&][[&] 1]"),
            ("&a !t {b: *a}", "!t{&}{b !t{&}}"),
            ("[&a 1, *a]", "[1 1]"),
            ("{x: &a {b: 1}, y: {<<: *a, c: 2}}", "{x {&}{b 1} y {b 1 c 2}}"),
            ("[1, 2]: 3", "{[1 2] 3}"),
        ] {
            assert_eq!(build(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn errors_name_the_node() {
        let at = |text: &str| match build(text).unwrap_err() {
            Stop::Yaml(error) => (error.problem(), error.location().column),
            Stop::Complex => panic!("{text}"),
        };
        assert_eq!(at("{a: 1, {b: 2}: 3}"), (Problem::AliasCycle, 8));
        assert_eq!(at("{&a [*a]: 3}").0, Problem::AliasCycle);
        assert!(matches!(at("{a: 1, twice: 2}"), (Problem::DuplicateKey, 8)));
    }

    #[test]
    fn documents_are_located_by_their_numbers() {
        let (parse, compose) = (Options::default(), ComposeOptions::default());
        let at = |number| {
            let location = location_of_document(b"a\n---\n- b\n", number, &parse, &compose);
            (location.line, location.column)
        };
        assert_eq!([at(0), at(1), at(2)], [(1, 1), (3, 1), (0, 0)]);
    }
}

//! Writing composed documents as Syck did. A walk over the tree keeps their aliases.

use super::dialect::BAD_ALIAS_TAG;
use super::emitter::{SyckEmitter, form_of_tag};
use ketch_yaml::compose::{Entries, Items, Kind, Node, NodeId};
use ketch_yaml::present::{PresentError, Properties};
use ketch_yaml::represent::Native;
use ketch_yaml::schema::{BigInt, Radix, Scalar, Schema};
use ketch_yaml::tag::YAML_PREFIX;
use ketch_yaml::{Document, Error, Problem};
use std::collections::{HashMap, HashSet};

type Result = std::result::Result<(), PresentError>;

impl SyckEmitter {
    /// Writes the values of a document as Syck did. `schema` determines the values of its scalars.
    /// Collections that aliases refer to get anchors such as `&id001`, while scalars are repeated.
    /// Styles and comments are not kept. A local tag, `!x`, becomes the private tag `!!x`.
    ///
    /// ```
    /// use ketch_yaml::Documents;
    /// use ketch_yaml::present::Sequences;
    /// use ketch_syck::SyckEmitter;
    /// use ketch_yaml::schema::Schema;
    ///
    /// let document = Documents::new(b"[&a [0o17, no], *a, !x '']").next().unwrap()?;
    /// let mut syck = SyckEmitter::new(Sequences::Flush);
    /// syck.document(&document, Schema::Core)?;
    /// assert_eq!(syck.take(), b"--- \n- &id001 \n  - 15\n  - \"no\"\n- *id001\n- !!x \"\"\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails for text that is not valid for its tag, and for a tag that Syck's dialect cannot
    /// express.
    pub fn document(&mut self, document: &Document<'_>, schema: Schema) -> Result {
        let targets = document.nodes().filter_map(Node::target);
        let shared = targets.filter(|node| node.kind() != Kind::Scalar).map(Node::id).collect();
        self.start_document()?;
        Walk { syck: self, schema, shared, names: HashMap::new(), open: Vec::new() }
            .run(document.root())?;
        self.end_document()
    }
}

/// The state of a walk over a document. Its stack is on the heap.
struct Walk<'e, 'd> {
    syck: &'e mut SyckEmitter,
    schema: Schema,
    /// The collections that aliases refer to.
    shared: HashSet<NodeId>,
    /// The anchors of those collections that have been written.
    names: HashMap<NodeId, String>,
    open: Vec<Open<'d>>,
}

/// The children of an open collection that have not been written yet.
enum Open<'d> {
    Items(Items<'d>),
    /// The remaining pairs, and the value of the last key if that has not been written yet.
    Pairs(Entries<'d>, Option<Node<'d>>),
}

impl<'d> Open<'d> {
    /// Returns the next child. In a mapping, keys and values alternate.
    fn next(&mut self) -> Option<Node<'d>> {
        match self {
            Open::Items(items) => items.next(),
            Open::Pairs(pairs, value) => value.take().or_else(|| {
                let (key, next) = pairs.next()?;
                *value = Some(next);
                Some(key)
            }),
        }
    }
}

impl<'d> Walk<'_, 'd> {
    /// Writes `node` with everything in it.
    fn run(mut self, node: Node<'d>) -> Result {
        self.node(node)?;
        while let Some(open) = self.open.last_mut() {
            match open.next() {
                Some(node) => self.node(node)?,
                None => match self.open.pop() {
                    Some(Open::Items(_)) => self.syck.end_sequence()?,
                    _ => self.syck.end_mapping()?,
                },
            }
        }
        Ok(())
    }

    /// Writes `node` or, if it is a collection, its start.
    fn node(&mut self, node: Node<'d>) -> Result {
        let node = node.resolved();
        if node.kind() == Kind::Scalar {
            return self.scalar(node);
        }
        if let Some(name) = self.names.get(&node.id()) {
            return self.syck.alias(name);
        }
        let tag = written_tag(node)?;
        let mut anchor = None;
        if self.shared.contains(&node.id()) {
            let name = format!("id{:03}", self.names.len() + 1);
            anchor = Some(&*self.names.entry(node.id()).or_insert(name));
        }
        let properties = Properties { anchor: anchor.map(String::as_str), tag: tag.as_deref() };
        match node.kind() {
            Kind::Sequence => {
                self.syck.start_sequence(properties)?;
                self.open.push(Open::Items(node.items()));
            }
            _ => {
                self.syck.start_mapping(properties)?;
                self.open.push(Open::Pairs(node.entries(), None));
            }
        }
        Ok(())
    }

    /// Writes the scalar `node`: its value, or its text with its tag.
    fn scalar(&mut self, node: Node<'d>) -> Result {
        if node.tag() == Some(BAD_ALIAS_TAG) {
            return self.syck.alias(&node.text());
        }
        let value = node.scalar(self.schema)?;
        if let (Some(tag), Scalar::Str(text)) = (written_tag(node)?, &value) {
            return self.syck.native(Native::Str(text), Properties::tag(&tag));
        }
        let none = Properties::NONE;
        match &value {
            Scalar::Null => self.syck.native(Native::Null, none),
            Scalar::Bool(value) => self.syck.native(Native::Bool(*value), none),
            Scalar::Int(value) => self.syck.native(Native::Int(*value), none),
            Scalar::BigInt(value) => self.syck.native(Native::BigInt(&digits(value)), none),
            Scalar::Float(value) => self.syck.native(Native::Float(*value), none),
            Scalar::Timestamp(value) => self.syck.native(Native::Timestamp(*value), none),
            Scalar::Binary(bytes) => self.syck.native(Native::Binary(bytes), none),
            Scalar::Merge => self.syck.plain("<<", none),
            Scalar::Str(text) | Scalar::Unresolved(text) => {
                self.syck.native(Native::Str(text), none)
            }
        }
    }
}

/// Returns the tag to write for `node`; `None` if the value of the node implies its tag.
fn written_tag(node: Node<'_>) -> std::result::Result<Option<String>, Error> {
    let Some(tag) = node.tag() else { return Ok(None) };
    if let Some(local) = tag.strip_prefix('!') {
        return Ok((!local.is_empty()).then(|| format!("x-private:{local}")));
    }
    if tag.strip_prefix(YAML_PREFIX).is_some_and(|name| matches!(name, "str" | "seq" | "map")) {
        return Ok(None);
    }
    match form_of_tag(tag) {
        Some(_) => Ok(Some(tag.to_owned())),
        None => Err(node.error_at_tag(Problem::NotInSyck)),
    }
}

/// Returns the digits of `value` as the dialect reads them, in linear time. Because the dialect has
/// no base 2, binary digits become hexadecimal ones.
fn digits(value: &BigInt<'_>) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let digits = value.digits();
    match value.radix() {
        Radix::Decimal => format!("{sign}{digits}"),
        Radix::Octal => format!("{sign}0{digits}"),
        Radix::Hexadecimal => format!("{sign}0x{digits}"),
        Radix::Binary => {
            let padding = "0".repeat(digits.len().next_multiple_of(4) - digits.len());
            let padded = padding + digits;
            let nibble =
                |bits: &[u8]| bits.iter().fold(0, |sum, bit| sum * 2 + u32::from(bit - b'0'));
            let nibbles = padded.as_bytes().chunks(4).map(nibble);
            let hex: String = nibbles.filter_map(|value| char::from_digit(value, 16)).collect();
            format!("{sign}0x{hex}")
        }
    }
}

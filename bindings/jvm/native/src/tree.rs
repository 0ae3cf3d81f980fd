//! Converts composed documents to tokens.

use crate::events::{Stack, Stop, Writer};
use crate::options::LoadOptions;
use crate::scalar;
use crate::tokens::{Kind, Tokens};
use ketch_host::load::Make;
use ketch_host::tree::{Convert, Ended, Place, Tree};
use ketch_yaml::compose::{Kind as NodeKind, Node};
use ketch_yaml::schema::Scalar;
use ketch_yaml::{Document, Error, Problem};
use std::borrow::Cow;

/// Appends the tokens of a document. If the options request locations, `input` must contain the
/// document's text.
pub fn document(
    document: &Document<'_>,
    options: &LoadOptions,
    input: &[u8],
    out: &mut Tokens,
) -> Result<(), Error> {
    let base = options.has_positions.then(|| base(document, input));
    subtree(document, document.root(), options, base, out)
}

/// Appends the tokens of a node and of everything in it.
pub fn value<'d>(
    document: &'d Document<'d>,
    node: Node<'d>,
    options: &LoadOptions,
    out: &mut Tokens,
) -> Result<(), Error> {
    subtree(document, node, options, None, out)
}

/// Appends the tokens of a node. If `base` is set, it is the offset at which the document's text
/// starts, and locations are appended as well.
fn subtree<'d>(
    document: &'d Document<'d>,
    root: Node<'d>,
    options: &LoadOptions,
    base: Option<usize>,
    out: &mut Tokens,
) -> Result<(), Error> {
    let (mut stack, mut decoded) = (Stack::default(), Vec::new());
    let writer = Writer { out, stack: &mut stack, base };
    let mut tree = Tree::new(writer, document, &options.compose, &mut decoded);
    let built = tree.build(root, Place::VALUE).and_then(|()| tree.make.end_document(0));
    built.map_err(|stop| match stop {
        Stop::Yaml(error) => error,
        Stop::Complex => Error::at(Problem::AliasCycle, root.location()),
    })
}

/// Returns the offset in the input at which the text of a document starts. In most cases, it is
/// determined without counting lines.
fn base(document: &Document<'_>, input: &[u8]) -> usize {
    let start = (document.text().as_ptr() as usize).wrapping_sub(input.as_ptr() as usize);
    if start <= input.len() { start } else { document.location(0..0).offset as usize }
}

impl Convert for Writer<'_> {
    fn scalar(
        &mut self,
        scalar: Scalar<'_, Cow<'_, [u8]>>,
        _: Node<'_>,
        _: Place,
    ) -> Result<(), Stop> {
        scalar::push(self.out, &scalar);
        self.pushed()
    }

    fn open(&mut self, node: Node<'_>, tag: Option<&str>) -> Result<(), Stop> {
        if let Some(tag) = tag {
            self.tag(tag)?;
        }
        self.push(match node.kind() {
            NodeKind::Mapping => Kind::OpenMapping,
            _ => Kind::OpenSequence,
        });
        self.locate(node);
        if tag.is_some() { self.wrap() } else { Ok(()) }
    }

    /// Java compares the keys.
    fn close(&mut self, ended: Ended) -> Result<bool, Stop> {
        match (ended.is_mapping, ended.is_open) {
            (true, false) => self.mapping(ended.start, false)?,
            (false, false) => self.sequence(ended.start)?,
            (true, true) => self.fill(Kind::FillMapping, ended.start, 2),
            (false, true) => self.fill(Kind::FillSequence, ended.start, 1),
        }
        Ok(true)
    }

    fn repeated(&mut self, _: usize) -> Result<(usize, usize), Stop> {
        Err(Stop::Complex)
    }

    /// Appends the location of the value on top of the stack, if locations are requested.
    fn locate(&mut self, node: Node<'_>) {
        if let Some(base) = self.base {
            let span = node.span();
            self.out.position(base + span.start, span.len());
        }
    }
}

//! `Ketch.parse`: composed documents, whose nodes know their styles and places.
//!
//! A node is a number in its document; `Ketch::Node` in lib/ketch/node.rb gives it methods.

use crate::failure;
use crate::load::{self, Source};
use crate::memory::Lease;
use crate::options::{LoadOptions, source_and_options};
use ketch_yaml::Place;
use ketch_yaml::compose::{Document, Documents, Kind, Node, NodeId, Style};
use magnus::{
    Error, RArray, RModule, Ruby, Symbol, TypedData, Value, function, method, prelude::*,
    typed_data::Obj,
};

/// A document that owns its text.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::Document", free_immediately, size)]
struct Holder {
    document: Document<'static>,
    options: LoadOptions,
}

impl magnus::DataTypeFunctions for Holder {
    fn size(&self) -> usize {
        size_of::<Holder>() + self.document.text().len() + 16 * self.document.node_count()
    }
}

/// Defines `Ketch::Document`, and the methods that make documents.
pub fn init(ruby: &Ruby, ketch: RModule) -> Result<(), Error> {
    ketch.define_singleton_method("parse_stream", function!(parse_stream, -1))?;
    let class = ketch.define_class("Document", ruby.class_object())?;
    class.undef_default_alloc_func();
    class.define_method("explicit_start?", method!(Holder::is_start_explicit, 0))?;
    class.define_method("explicit_end?", method!(Holder::is_end_explicit, 0))?;
    class.define_method("node_count", method!(Holder::node_count, 0))?;
    class.define_method("kind_of_node", method!(Holder::kind, 1))?;
    class.define_method("style_of_node", method!(Holder::style, 1))?;
    class.define_method("tag_of_node", method!(Holder::tag, 1))?;
    class.define_method("anchor_of_node", method!(Holder::anchor, 1))?;
    class.define_method("target_of_node", method!(Holder::target, 1))?;
    class.define_method("text_of_node", method!(Holder::text, 1))?;
    class.define_method("children_of_node", method!(Holder::children, 1))?;
    class.define_method("place_of_node", method!(Holder::place, 1))?;
    class.define_method("value_of_node", method!(value, 1))?;
    Ok(())
}

/// `Ketch.parse_stream(source, **options)`: all documents.
fn parse_stream(ruby: &Ruby, arguments: &[Value]) -> Result<RArray, Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    let text = {
        let lease = Lease::take(ruby)?;
        Source::read(ruby, source, &lease)?.bytes().to_vec()
    };
    let documents = ruby.ary_new();
    for document in Documents::with_options(&text, &options.parse, &options.compose) {
        let document = document.map_err(|error| failure::yaml(ruby, error, &options))?.into_owned();
        documents.push(ruby.obj_wrap(Holder { document, options: options.clone() }))?;
    }
    Ok(documents)
}

impl Holder {
    fn node(&self, ruby: &Ruby, number: usize) -> Result<Node<'_>, Error> {
        if number < self.document.node_count() {
            return Ok(self.document.node(NodeId::from(number)));
        }
        Err(Error::new(ruby.exception_index_error(), "the document has no such node"))
    }

    fn is_start_explicit(&self) -> bool {
        self.document.is_start_explicit()
    }

    fn is_end_explicit(&self) -> bool {
        self.document.is_end_explicit()
    }

    fn node_count(&self) -> usize {
        self.document.node_count()
    }

    fn kind(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Symbol, Error> {
        let name = match rb_self.node(ruby, number)?.kind() {
            Kind::Scalar => "scalar",
            Kind::Sequence => "sequence",
            Kind::Mapping => "mapping",
            Kind::Alias => "alias",
        };
        Ok(ruby.to_symbol(name))
    }

    fn style(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Symbol, Error> {
        let name = match rb_self.node(ruby, number)?.style() {
            Style::Plain => "plain",
            Style::SingleQuoted => "single_quoted",
            Style::DoubleQuoted => "double_quoted",
            Style::Literal => "literal",
            Style::Folded => "folded",
            Style::Block => "block",
            Style::Flow => "flow",
            Style::Alias => "alias",
        };
        Ok(ruby.to_symbol(name))
    }

    fn tag(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<String>, Error> {
        let node = rb_self.node(ruby, number)?;
        let is_alias = node.kind() == Kind::Alias;
        Ok(node.tag().filter(|_| !is_alias).map(str::to_owned))
    }

    fn anchor(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<String>, Error> {
        Ok(rb_self.node(ruby, number)?.anchor().map(str::to_owned))
    }

    fn target(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<usize>, Error> {
        Ok(rb_self.node(ruby, number)?.target().map(|node| node.id().index()))
    }

    fn text(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<String>, Error> {
        let node = rb_self.node(ruby, number)?;
        let is_scalar = node.resolved().kind() == Kind::Scalar;
        Ok(is_scalar.then(|| node.text().into_owned()))
    }

    /// The numbers of the entries, or of keys and values in turn.
    fn children(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Vec<usize>, Error> {
        let node = rb_self.node(ruby, number)?;
        Ok(match node.kind() {
            Kind::Sequence => node.items().map(|item| item.id().index()).collect(),
            Kind::Mapping => node
                .entries()
                .flat_map(|(key, value)| [key.id().index(), value.id().index()])
                .collect(),
            _ => Vec::new(),
        })
    }

    /// Line and column where it starts, those behind its end, offset and length in bytes.
    fn place(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Vec<u64>, Error> {
        let node = rb_self.node(ruby, number)?;
        let span = node.span();
        let start = node.place();
        let end: Place = rb_self.document.place(span.end..span.end);
        Ok(vec![start.line, start.column, end.line, end.column, start.offset, start.len as u64])
    }
}

/// The value of a node and all below.
fn value(ruby: &Ruby, holder: Obj<Holder>, number: usize) -> Result<Value, Error> {
    let node = holder.node(ruby, number)?;
    load::value_of(ruby, &holder.document, node, &holder.options)
}

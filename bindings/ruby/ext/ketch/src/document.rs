//! `Ketch.parse`: composed documents, whose nodes have styles and locations.
//!
//! Ruby refers to a node by its number in the document; `Ketch::Node` in lib/ketch/node.rb wraps
//! this number and provides the methods.

use crate::failure;
use crate::find;
use crate::guard::{function, method};
use crate::holder::{Holder, held};
use crate::load::{self, Source};
use crate::memory::Lease;
use crate::options::source_and_options;
use ketch_host::nodes;
use ketch_yaml::compose::{Node, NodeId};
use ketch_yaml::{Documents, FloatKeys};

use magnus::{Error, RArray, RModule, Ruby, Symbol, TypedData, Value, prelude::*, typed_data::Obj};
use std::borrow::Cow;

/// Defines `Ketch::Document`, and the methods that make documents.
pub fn init(ruby: &Ruby, ketch: RModule) -> Result<(), Error> {
    ketch.define_singleton_method("parse_stream", function!(parse_stream, -1))?;
    ketch.define_singleton_method("parse_two", function!(parse_two, -1))?;
    let class = ketch.define_class("Document", ruby.class_object())?;
    class.undef_default_alloc_func();
    // Looked up now, since an interrupt during a later lookup would cause a panic.
    <Holder as TypedData>::class(ruby);
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
    class.define_method("line_of_node", method!(Holder::line, 1))?;
    class.define_method("pairs_of_node", method!(Holder::pairs, 1))?;
    class.define_method("find_node", method!(find, 1))?;
    class.define_method("value_of_node", method!(value, 1))?;
    Ok(())
}

/// Implements `Ketch.parse_stream(source, **options)`: returns an array of all documents.
fn parse_stream(ruby: &Ruby, arguments: &[Value]) -> Result<RArray, Error> {
    parse(ruby, arguments, usize::MAX)
}

/// Implements `Ketch.parse_two(source, **options)`: returns an array of the first two documents,
/// after checking that the whole stream is valid.
fn parse_two(ruby: &Ruby, arguments: &[Value]) -> Result<RArray, Error> {
    parse(ruby, arguments, 2)
}

/// Composes the whole stream, and returns an array of its first `kept_max` documents.
fn parse(ruby: &Ruby, arguments: &[Value], kept_max: usize) -> Result<RArray, Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    let text = {
        let lease = Lease::take(ruby)?;
        Source::read(ruby, source, &lease)?.bytes().to_vec()
    };
    let documents = ruby.ary_new();
    let mut compose = options.compose;
    compose.float_keys = FloatKeys::Exact;
    let mut composed = Documents::with_options(&text, &options.parse, &compose);
    while let Some(document) = composed.next_owned() {
        let document = document.map_err(|error| failure::yaml(ruby, error, &options))?;
        if documents.len() < kept_max {
            documents.push(held(ruby, document, &options))?;
        }
    }
    Ok(documents)
}

impl Holder {
    /// Returns the node with this number, or an `IndexError` if the document has no such node.
    fn node(&self, ruby: &Ruby, number: usize) -> Result<Node<'_>, Error> {
        if number < self.document.node_count() {
            return Ok(self.document.node(NodeId::from(number)));
        }
        Err(Error::new(ruby.exception_index_error(), "the document has no such node"))
    }

    /// Returns whether the document starts with `---`.
    fn is_start_explicit(&self) -> bool {
        self.document.is_start_explicit()
    }

    /// Returns whether the document ends with `...`.
    fn is_end_explicit(&self) -> bool {
        self.document.is_end_explicit()
    }

    /// Returns the number of nodes.
    fn node_count(&self) -> usize {
        self.document.node_count()
    }

    /// Implements `kind_of_node(number)`: returns the kind of the node, such as `:scalar`.
    fn kind(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Symbol, Error> {
        Ok(ruby.to_symbol(nodes::kind_name(rb_self.node(ruby, number)?.kind())))
    }

    /// Implements `style_of_node(number)`: returns the style of the node, such as `:plain`.
    fn style(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Symbol, Error> {
        let name = nodes::style_name(rb_self.node(ruby, number)?.style());
        Ok(ruby.to_symbol(&*name.replace('-', "_")))
    }

    /// Returns the tag of the node, or `nil` if it has none or is an alias.
    fn tag(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<String>, Error> {
        Ok(nodes::tag(rb_self.node(ruby, number)?).map(str::to_owned))
    }

    /// Returns the name of the node's anchor or, for an alias, of the anchor that it refers to;
    /// `nil` if there is none.
    fn anchor(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<String>, Error> {
        Ok(rb_self.node(ruby, number)?.anchor().map(str::to_owned))
    }

    /// Returns the number of the node that the alias refers to, or `nil` if the node is not an
    /// alias.
    fn target(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<usize>, Error> {
        Ok(rb_self.node(ruby, number)?.target().map(|node| node.id().index()))
    }

    /// Returns the content of the scalar, or of the scalar that the alias refers to; `nil` for
    /// other nodes.
    fn text(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Option<String>, Error> {
        Ok(nodes::text(rb_self.node(ruby, number)?).map(Cow::into_owned))
    }

    /// Returns the numbers of the child nodes: the items of a sequence, or the keys and values of a
    /// mapping, alternating. For other nodes, the array is empty.
    fn children(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Vec<usize>, Error> {
        Ok(nodes::children(rb_self.node(ruby, number)?))
    }

    /// Returns the location of the node: its start line and column, its end line and column, its
    /// offset in bytes, and its length in bytes.
    fn place(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<Vec<u64>, Error> {
        Ok(rb_self.places.of(rb_self.node(ruby, number)?).to_vec())
    }

    /// Returns the text of the line on which the node starts, and the number of characters in this
    /// text before the node.
    fn line(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<(String, usize), Error> {
        let place = rb_self.node(ruby, number)?.location();
        Ok((place.text, place.text_column))
    }

    /// Returns an array of triples, one for each pair of the mapping, including merged pairs: the
    /// number of the key, the number of the value, and whether the pair is written in this mapping
    /// itself.
    fn pairs(ruby: &Ruby, rb_self: &Holder, number: usize) -> Result<RArray, Error> {
        let pairs = nodes::numbered_pairs(rb_self.node(ruby, number)?).unwrap_or_default();
        Ok(ruby.ary_from_iter(pairs))
    }
}

/// Implements `find_node(path)`: returns the number of the key (`nil` if the node is not the value
/// of a mapping) and the number of the node at the end of `path`, or `nil` if there is no such
/// node.
fn find(
    ruby: &Ruby,
    holder: Obj<Holder>,
    path: RArray,
) -> Result<Option<(Option<usize>, usize)>, Error> {
    let found = find::find(ruby, &holder.document, path, &holder.options)?;
    Ok(found.map(|(key, node)| (key.map(|key| key.id().index()), node.id().index())))
}

/// Implements `value_of_node(number)`: returns the Ruby value of the node and everything in it.
fn value(ruby: &Ruby, holder: Obj<Holder>, number: usize) -> Result<Value, Error> {
    let node = holder.node(ruby, number)?;
    load::value_of(ruby, &holder.document, node, &holder.options)
}

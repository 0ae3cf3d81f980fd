//! What `ketch/syck` needs of the core: nodes for handlers, the tags of plain text, the search with
//! YPath, and writing.

use crate::failure;
use crate::given::{self, Content as Given};
use crate::guard::function;
use crate::load::Source;
use crate::memory::Lease;
use crate::options::LoadOptions;
use crate::ruby;
use ketch_syck::ypath::{Entry, Label, NodeKind, Target, TooManyVisits, Tree, YPath, YPathError};
use ketch_syck::{Content, Node, NodeHandler, NodeStyle, Nodes, SyckEmitter};
use ketch_yaml::present::{PresentError, Properties, Sequences};
use ketch_yaml::represent::Native;
use ketch_yaml::schema::Schema;
use magnus::{
    Error, ExceptionClass, Float, Integer, IntoValue, RArray, RClass, RHash, RModule, RString,
    Ruby, Symbol, TryConvert, Value, prelude::*,
};

/// Implements `Ketch.syck_nodes(parser, source, options) { |root| }`: passes the nodes of a text to
/// the handler of `parser`, a `Ketch::Syck::Parser`, and yields the id that the handler has
/// returned for the root of each document.
fn nodes(ruby: &Ruby, parser: Value, source: Value, options: RHash) -> Result<(), Error> {
    let options = LoadOptions::of_hash(ruby, options)?;
    let text = {
        let lease = Lease::take(ruby)?;
        Source::read(ruby, source, &lease)?.bytes().to_vec()
    };
    let syck: RModule = ruby.define_module("Ketch")?.const_get("Syck")?;
    let mut passing = Passing {
        ruby,
        parser,
        handler: parser.funcall("handler", ())?,
        class: syck.const_get("HandledNode")?,
        ids: ruby.ary_new(),
        failure: None,
    };
    let types = parser.funcall("implicit_typing", ())?;
    let mut nodes = Nodes::with_options(&text, &options.parse, types);
    loop {
        let root = nodes.next_root(&mut passing);
        if let Some(failure) = passing.failure {
            return Err(failure);
        }
        let Some(root) = root.map_err(|error| failure::yaml(ruby, error, &options))? else {
            return Ok(());
        };
        let root: Value = passing.ids.entry(root as isize)?;
        passing.ids = ruby.ary_new();
        let _: Value = ruby.yield_value(root)?;
    }
}

/// Passes nodes to a handler in Ruby. The ids that the handler returns are kept alive in `ids`; the
/// core uses their indices there.
struct Passing<'r> {
    ruby: &'r Ruby,
    parser: Value,
    handler: Value,
    class: RClass,
    ids: RArray,
    /// The first exception that the handler has raised. After it, no more nodes are passed to the
    /// handler.
    failure: Option<Error>,
}

impl Passing<'_> {
    /// Stores the id that `call` returns, and returns its index in `ids`. If the handler has raised
    /// an exception, does nothing and returns 0.
    fn keep(&mut self, call: impl FnOnce(&Self) -> Result<Value, Error>) -> usize {
        if self.failure.is_some() {
            return 0;
        }
        match call(self).and_then(|id| self.ids.push(id)) {
            Ok(()) => self.ids.len() - 1,
            Err(failure) => {
                self.failure = Some(failure);
                0
            }
        }
    }

    /// Returns a node as a `Ketch::Syck::HandledNode`.
    fn object(&self, node: &Node<'_, usize>) -> Result<Value, Error> {
        let id = |&index: &usize| self.ids.entry::<Value>(index as isize);
        let array = |indices: &[usize]| -> Result<Value, Error> {
            let array = self.ruby.ary_new_capa(indices.len());
            indices.iter().try_for_each(|index| array.push(id(index)?))?;
            Ok(array.as_value())
        };
        let (kind, value) = match node.content {
            Content::Scalar(text) => ("scalar", self.ruby.str_new(text).as_value()),
            Content::Sequence(items) => ("sequence", array(items)?),
            Content::Mapping(pairs) => ("mapping", array(pairs)?),
        };
        let members = (
            self.ruby.to_symbol(kind),
            node.tag,
            node.anchor,
            self.ruby.to_symbol(style(node.style)),
            value,
            node.start,
            node.end - node.start,
            node.inside.map(id).transpose()?,
        );
        self.class.new_instance(members)
    }
}

impl NodeHandler for Passing<'_> {
    type Id = usize;

    fn node(&mut self, node: &Node<'_, usize>) -> usize {
        self.keep(|passing| {
            let object = passing.object(node)?;
            passing.handler.funcall("handle", (passing.parser, object))
        })
    }

    fn bad_anchor(&mut self, name: &str) -> usize {
        self.keep(|passing| passing.parser.funcall("bad_anchor", (name,)))
    }
}

/// Returns the name of a style.
fn style(style: NodeStyle) -> &'static str {
    match style {
        NodeStyle::Block => "block",
        NodeStyle::Flow => "flow",
        NodeStyle::Plain => "plain",
        NodeStyle::SingleQuoted => "single_quoted",
        NodeStyle::DoubleQuoted => "double_quoted",
        NodeStyle::Literal => "literal",
        NodeStyle::Folded => "folded",
    }
}

/// Implements `Ketch.syck_tag(text)`: returns the tag that Syck gives to the plain scalar `text`.
/// If the tag has a refinement, it follows after `#`.
fn tag(text: RString) -> Result<String, Error> {
    let text = text.to_string()?;
    let tag = Schema::Syck.resolve(text.as_bytes());
    Ok(match tag.refinement() {
        Some(refinement) => format!("{}#{refinement}", tag.uri()),
        None => tag.uri().to_owned(),
    })
}

/// Implements `Ketch.syck_search(path, tree, visits)`: returns what `path` matches, starting from
/// node 0 of `tree`, or nil if the search would visit more than `visits` nodes.
///
/// The tree identifies nodes by integers. It has the methods `kind(node)`, which returns `:scalar`,
/// `:sequence` or `:mapping`; `entries(node)`, which returns an array of the form `[is_text, shown,
/// node]` for each entry; `child(node, name)`, which returns a node or nil; and `text(node)`. Each
/// result is an array of two elements: an array of the steps, and the node that the steps lead to,
/// or the text of a line, or nil.
/// nil.
fn search(ruby: &Ruby, path: String, tree: Value, visits: u64) -> Result<Value, Error> {
    let path: YPath = path.parse().map_err(|error| wrong(ruby, &error))?;
    let found = match path.matches(&mut Searched { tree }, 0, visits) {
        Ok(found) => found,
        Err(Stop::TooMany) => return Ok(ruby.qnil().as_value()),
        Err(Stop::Ruby(error)) => return Err(error),
    };
    let results = ruby.ary_new();
    for found in found.iter() {
        let steps = ruby.ary_new();
        for label in found.labels() {
            steps.push(label.shown().as_deref())?;
        }
        let target = match found.target() {
            Target::Node(node) => node.into_value_with(ruby),
            Target::Line(line) => ruby.str_new(line).as_value(),
            Target::None => ruby.qnil().as_value(),
        };
        results.push(ruby.ary_new_from_values(&[steps.as_value(), target]))?;
    }
    Ok(results.as_value())
}

/// Returns the exception for an invalid path.
fn wrong(ruby: &Ruby, error: &YPathError) -> Error {
    let made = || -> Result<Error, Error> {
        let syck: RModule = ruby.define_module("Ketch")?.const_get("Syck")?;
        let class: ExceptionClass = syck.const_get("PathError")?;
        let exception: magnus::Exception =
            class.new_instance((error.to_string(), error.offset()))?;
        Ok(exception.into())
    };
    made().unwrap_or_else(|failure| failure)
}

/// The reason why a search ends early.
enum Stop {
    TooMany,
    Ruby(Error),
}

impl From<TooManyVisits> for Stop {
    fn from(_: TooManyVisits) -> Stop {
        Stop::TooMany
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Ruby(error)
    }
}

/// A tree whose methods are implemented in Ruby.
struct Searched {
    tree: Value,
}

impl Tree for Searched {
    type Node = usize;
    type Error = Stop;

    fn kind(&mut self, node: usize) -> Result<NodeKind, Stop> {
        let kind: Symbol = self.tree.funcall("kind", (node,))?;
        Ok(match &*kind.name()? {
            "sequence" => NodeKind::Sequence,
            "mapping" => NodeKind::Mapping,
            _ => NodeKind::Scalar,
        })
    }

    fn entries(&mut self, node: usize) -> Result<Vec<Entry<usize>>, Stop> {
        let kind = self.kind(node)?;
        let entries: RArray = self.tree.funcall("entries", (node,))?;
        let mut made = Vec::with_capacity(entries.len());
        for (at, entry) in entries.into_iter().enumerate() {
            let (is_text, shown, node) = <(bool, Option<String>, usize)>::try_convert(entry)?;
            let label = match shown {
                _ if kind == NodeKind::Sequence => Label::Index(at),
                Some(shown) if is_text => Label::Name(shown),
                shown => Label::Key(at, shown),
            };
            made.push(Entry { label, node });
        }
        Ok(made)
    }

    fn child(&mut self, node: usize, name: &str) -> Result<Option<usize>, Stop> {
        Ok(self.tree.funcall("child", (node, name))?)
    }

    fn text(&mut self, node: usize) -> Result<String, Stop> {
        Ok(self.tree.funcall("text", (node,))?)
    }
}

/// Implements `Ketch.syck_write(tokens, is_indented)`: returns the text of a document in Syck's
/// dialect. `tokens` are those of `Ketch::Syck::Emitter`.
fn write(ruby: &Ruby, tokens: RArray, is_indented: bool) -> Result<RString, Error> {
    let sequences = if is_indented { Sequences::Indented } else { Sequences::Flush };
    let mut syck = SyckEmitter::new(sequences);
    let mut tokens = Tokens { tokens, at: 0 };
    let failed = |error: PresentError| match error {
        PresentError::Tag(_) => Error::new(ruby.exception_arg_error(), error.to_string()),
        _ => Error::new(ruby.exception_runtime_error(), error.to_string()),
    };
    syck.start_document().map_err(failed)?;
    while tokens.at < tokens.tokens.len() {
        let written = match tokens.next::<u8>()? {
            0 => {
                let (tag, value) = (tokens.next::<Option<String>>()?, tokens.next()?);
                scalar(ruby, &mut syck, tag.as_deref(), value)?
            }
            1 => {
                let (tag, text) = (tokens.next::<Option<String>>()?, tokens.next::<String>()?);
                syck.plain(&text, Properties { anchor: None, tag: tag.as_deref() })
            }
            kind @ (2 | 3) => {
                let tag = tokens.next::<Option<String>>()?;
                let anchor = tokens.next::<Option<String>>()?;
                let properties = Properties { anchor: anchor.as_deref(), tag: tag.as_deref() };
                match kind {
                    2 => syck.start_sequence(properties),
                    _ => syck.start_mapping(properties),
                }
            }
            4 => syck.alias(&tokens.next::<String>()?),
            5 => syck.end_sequence(),
            _ => syck.end_mapping(),
        };
        written.map_err(failed)?;
    }
    syck.end_document().map_err(failed)?;
    let string = ruby::protect(|| ruby::string(&syck.take()))?;
    RString::try_convert(ruby::value(string))
}

/// The tokens to write, and the position in them.
struct Tokens {
    tokens: RArray,
    at: usize,
}

impl Tokens {
    /// Returns the next token, converted to a `T`.
    fn next<T: TryConvert>(&mut self) -> Result<T, Error> {
        self.at += 1;
        self.tokens.entry(self.at as isize - 1)
    }
}

/// Writes a string. Binary data is written as text if it is valid UTF-8.
fn string(
    ruby: &Ruby,
    syck: &mut SyckEmitter,
    properties: Properties<'_>,
    string: RString,
) -> Result<Result<(), PresentError>, Error> {
    // SAFETY: the tokens keep the string alive, and writing does not call Ruby.
    let native = match unsafe { given::content(ruby::raw(string)) } {
        Given::Text(text) => Native::Str(text),
        Given::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Native::Str(text),
            Err(_) => Native::Binary(bytes),
        },
        Given::Other => {
            let message = "the text is not in UTF-8";
            return Err(Error::new(ruby.exception_encoding_error(), message));
        }
    };
    Ok(syck.native(native, properties))
}

/// Writes a scalar. Fails if Syck's dialect has no form for the object.
fn scalar(
    ruby: &Ruby,
    syck: &mut SyckEmitter,
    tag: Option<&str>,
    value: Value,
) -> Result<Result<(), PresentError>, Error> {
    let properties = Properties { anchor: None, tag };
    if let Some(text) = RString::from_value(value) {
        return string(ruby, syck, properties, text);
    }
    if let Some(int) = Integer::from_value(value) {
        return Ok(match int.to_i64() {
            Ok(int) => syck.native(Native::Int(int), properties),
            Err(_) => syck.native(Native::BigInt(&given::digits(ruby::raw(value))?), properties),
        });
    }
    if let Some(float) = Float::from_value(value) {
        return Ok(syck.native(Native::Float(float.to_f64()), properties));
    }
    if value.is_nil() {
        return Ok(syck.native(Native::Null, properties));
    }
    let is_true = value.is_kind_of(ruby.class_true_class());
    if is_true || value.is_kind_of(ruby.class_false_class()) {
        return Ok(syck.native(Native::Bool(is_true), properties));
    }
    Err(Error::new(ruby.exception_type_error(), format!("cannot write {value} in Syck's dialect")))
}

/// Defines the methods of `Ketch` in this module.
pub fn init(ketch: RModule) -> Result<(), Error> {
    ketch.define_singleton_method("syck_nodes", function!(nodes, 3))?;
    ketch.define_singleton_method("syck_tag", function!(tag, 1))?;
    ketch.define_singleton_method("syck_search", function!(search, 3))?;
    ketch.define_singleton_method("syck_write", function!(write, 2))
}

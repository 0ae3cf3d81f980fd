//! Reads YAML documents as typed values.

use super::write::BINARY_KEY;
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorLocation, Problem};
use crate::model::{VINT_RANGE, has_digits};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ketch_extprot::Typed;
use ketch_extprot::schema::ast::Primitive;
use ketch_extprot::schema::{Case, Constructor, Field, Message, Schema, Sum, Type, TypeId};
use ketch_yaml::Document;
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::schema::Scalar;
use std::borrow::Cow;
use std::fmt::Write;

/// Reads documents as values of a type of an extprot schema.
///
/// Aliases are expanded, up to the limit [`max_alias_nodes`](ketch_yaml::Limits::max_alias_nodes).
///
/// ```
/// use ketch::typed::TypedReader;
/// use ketch_extprot::schema::{NoLoader, check_schema};
/// use ketch_yaml::Documents;
///
/// let text = "type shape = Dot | Circle int message m = { name : string; shape : shape }";
/// let schema = check_schema("m.proto", text, &mut NoLoader).unwrap();
/// let m = schema.lookup("m").unwrap();
/// let reader = TypedReader::new(&schema, m, &Default::default());
///
/// let document = Documents::new(b"{shape: !Circle 5, name: c}").next().unwrap()?;
/// let value = reader.read(&document)?;
/// assert_eq!(schema.encode(m, &value).unwrap(), b"\x01\x09\x02\x03\x01c\x01\x03\x01\x00\x0a");
///
/// let document = Documents::new(b"name: 7\nshape: Dot\n").next().unwrap()?;
/// let error = reader.read(&document).unwrap_err();
/// assert!(error.to_string().starts_with("1:7: name: expected a string, found an integer"));
/// # Ok::<(), ketch::Error>(())
/// ```
#[derive(Debug)]
pub struct TypedReader<'s> {
    schema: &'s Schema,
    message: TypeId,
    options: EncodeOptions,
}

impl<'s> TypedReader<'s> {
    /// Creates a reader for values of the type `message` of `schema`.
    pub fn new(schema: &'s Schema, message: TypeId, options: &EncodeOptions) -> TypedReader<'s> {
        TypedReader { schema, message, options: *options }
    }

    /// Reads `document` as a value of the type.
    ///
    /// # Errors
    ///
    /// Fails if a node does not match its type, if a field without a default is missing, if a key
    /// is not a field, or if the expansion of aliases exceeds the limit.
    pub fn read<'d>(&self, document: &'d Document<'_>) -> Result<Typed<'d>, Error> {
        let EncodeOptions { schema, merge_keys, limits } = self.options;
        let alias_nodes = limits.max_alias_nodes.at(document.text().len() as u64);
        let mut walk = Walk {
            schema: self.schema,
            options: self.options,
            merges: merge_keys.unwrap_or(schema.has_merge_keys()),
            path: Vec::new(),
            nodes_left: alias_nodes.saturating_add(document.node_count() as u64),
        };
        walk.value(self.message, document.root(), None)
    }
}

/// A step of the path to a node.
#[derive(Clone, Copy, Debug)]
enum Step<'s> {
    Name(&'s str),
    Index(usize),
}

struct Walk<'s> {
    schema: &'s Schema,
    options: EncodeOptions,
    merges: bool,
    path: Vec<Step<'s>>,
    nodes_left: u64,
}

/// If the tag of the node has already been read, the name of the constructor or case that it
/// selected.
type Used<'t> = Option<&'t str>;

impl<'s> Walk<'s> {
    /// Reads `node` as a value of the type `ty`. If its tag has already been read, `used` is the
    /// name in the tag.
    fn value<'d>(
        &mut self,
        ty: TypeId,
        node: Node<'d>,
        used: Used<'_>,
    ) -> Result<Typed<'d>, Error> {
        match self.nodes_left.checked_sub(1) {
            Some(left) => self.nodes_left = left,
            None => return Err(self.too_many(node)),
        }
        let schema = self.schema;
        let takes_tags = match schema.get(ty) {
            Type::Sum(_) => true,
            Type::Message(message) => message.union,
            _ => false,
        };
        if let Some(tag) = node.custom_tag().filter(|_| used.is_none() && !takes_tags) {
            let message = format!("unexpected tag {tag}");
            return Err(self.wrong_tag(
                node,
                message,
                "Remove it: only constructors and cases have tags.",
            ));
        }
        match schema.get(ty) {
            Type::Primitive(primitive, _) => self.primitive(*primitive, node, used),
            Type::List(element) | Type::Array(element) => {
                self.sequence(node, std::iter::repeat(*element), None).map(Typed::List)
            }
            Type::Tuple(types) => {
                let count = Some(types.len());
                self.sequence(node, types.iter().copied(), count).map(Typed::Tuple)
            }
            Type::Sum(sum) => self.sum(sum, node, used),
            Type::Message(message) => self.message(message, node, used),
            Type::External(name) => Err(self.wrong(
                node,
                format!("{name} belongs to a schema that was not loaded"),
                "Put the file with its schema in the same folder as this one.",
            )),
        }
    }

    /// Runs `read` with `step` appended to the path that errors show.
    fn step<T>(
        &mut self,
        step: Step<'s>,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.path.push(step);
        let value = read(self);
        self.path.pop();
        value
    }

    /// Reads the scalar `node` as a value of a primitive type. If its tag has already been read,
    /// `used` is the name in the tag.
    fn primitive<'d>(
        &mut self,
        primitive: Primitive,
        node: Node<'d>,
        used: Used<'_>,
    ) -> Result<Typed<'d>, Error> {
        if node.resolved().kind() != Kind::Scalar {
            if let (Primitive::String, Some(base64)) = (primitive, marked_binary(node)) {
                return self.binary(base64);
            }
            return Err(self.expected(node, primitive_name(primitive), "Write a scalar."));
        }
        let scalar = match used {
            // The tag selected the constructor, so only the form of the scalar determines its type.
            Some(_) => self.untagged(node),
            None => node.scalar_bytes(self.options.schema)?,
        };
        match (primitive, scalar) {
            (Primitive::Bool, Scalar::Bool(value)) => Ok(Typed::Bool(value)),
            (Primitive::Byte, Scalar::Int(value)) => match u8::try_from(value) {
                Ok(value) => Ok(Typed::Byte(value)),
                Err(_) => Err(self.out_of_range(node, "a byte", "0 to 255")),
            },
            (Primitive::Int, Scalar::Int(value)) if VINT_RANGE.contains(&value) => {
                Ok(Typed::Int(value))
            }
            (Primitive::Int, Scalar::Int(_) | Scalar::BigInt(_)) => {
                Err(self.out_of_range(node, "an int", "-2^62 to 2^62-1; a long has 64 bits"))
            }
            (Primitive::Long, Scalar::Int(value)) => Ok(Typed::Long(value)),
            (Primitive::Byte, Scalar::BigInt(_)) => {
                Err(self.out_of_range(node, "a byte", "0 to 255"))
            }
            (Primitive::Long, Scalar::BigInt(_)) => {
                Err(self.out_of_range(node, "a long", "-2^63 to 2^63-1"))
            }
            (Primitive::Float, Scalar::Float(value))
                if value.is_infinite() && has_digits(&node.text()) =>
            {
                Err(self.out_of_range(node, "a float", "up to 1.7976931348623157e308"))
            }
            (Primitive::Float, Scalar::Float(value)) => Ok(Typed::Float(value)),
            (Primitive::Float, Scalar::Int(value)) if is_exact(value) => {
                Ok(Typed::Float(value as f64))
            }
            // JSON has no numbers for these values, so they are written as strings there.
            (Primitive::Float, Scalar::Str(text)) if non_finite(&text).is_some() => {
                Ok(Typed::Float(non_finite(&text).unwrap_or_default()))
            }
            (Primitive::Float, Scalar::Int(_) | Scalar::BigInt(_)) => Err(self.wrong(
                node,
                "no float has exactly this value".to_owned(),
                "Write it as a float, as in `1e20`, if it may be rounded.",
            )),
            (Primitive::String, Scalar::Str(text)) => Ok(Typed::String(text)),
            (Primitive::String, Scalar::Merge) => Ok(Typed::String(Cow::Borrowed(b"<<"))),
            (Primitive::String, Scalar::Binary(bytes)) => Ok(Typed::String(Cow::Owned(bytes))),
            (Primitive::String, _) => Err(self.expected(node, "a string", "Put it in quotes.")),
            (primitive, _) => {
                Err(self.expected(node, primitive_name(primitive), primitive_help(primitive)))
            }
        }
    }

    /// Decodes the text of `node` from base64.
    fn binary<'d>(&self, node: Node<'d>) -> Result<Typed<'d>, Error> {
        let is_text = matches!(node.scalar_bytes(self.options.schema), Ok(Scalar::Str(_)));
        match STANDARD.decode(node.content()) {
            Ok(bytes) if is_text => Ok(Typed::String(Cow::Owned(bytes))),
            _ => Err(self.wrong(
                node,
                format!("the value of the key {BINARY_KEY:?} is not base 64"),
                "Write the bytes in base 64, or the text as a string.",
            )),
        }
    }

    /// Resolves the scalar `node` by its form, ignoring its tag.
    fn untagged<'d>(&self, node: Node<'d>) -> Scalar<'d, Cow<'d, [u8]>> {
        use ketch_yaml::compose::Style;
        let content = node.content();
        if node.resolved().style() != Style::Plain {
            return Scalar::Str(content);
        }
        match self.options.schema.scalar(&*content) {
            Scalar::Null => Scalar::Null,
            Scalar::Bool(value) => Scalar::Bool(value),
            Scalar::Int(value) => Scalar::Int(value),
            Scalar::BigInt(value) => Scalar::BigInt(value.into_owned()),
            Scalar::Float(value) => Scalar::Float(value),
            Scalar::Timestamp(value) => Scalar::Timestamp(value),
            Scalar::Binary(value) => Scalar::Binary(value),
            Scalar::Merge | Scalar::Str(_) => Scalar::Str(content),
            Scalar::Unresolved(_) => Scalar::Unresolved(content),
        }
    }

    /// Reads the items of the sequence `node`, which have the types `types`. If `count` is given,
    /// there must be exactly this number of items.
    fn sequence<'d>(
        &mut self,
        node: Node<'d>,
        types: impl Iterator<Item = TypeId>,
        count: Option<usize>,
    ) -> Result<Vec<Typed<'d>>, Error> {
        if node.resolved().kind() != Kind::Sequence {
            return Err(self.expected(node, "a sequence", "Write `[...]`, or entries after `- `."));
        }
        if let Some(count) = count.filter(|count| *count != node.len()) {
            let message = format!("expected {count} entries, found {}", node.len());
            return Err(self.wrong(
                node,
                message,
                "Write one entry for each element of the tuple or constructor.",
            ));
        }
        let entries = node.items().zip(types).enumerate();
        entries
            .map(|(index, (entry, ty))| {
                self.step(Step::Index(index), |walk| walk.value(ty, entry, None))
            })
            .collect()
    }

    /// Reads `node` as a value of a sum type: a constructor with its arguments.
    fn sum<'d>(
        &mut self,
        sum: &'s Sum,
        node: Node<'d>,
        used: Used<'_>,
    ) -> Result<Typed<'d>, Error> {
        if let Some((name, value, used)) = self.named(node, used)? {
            let found = sum.constructors.iter().position(|constructor| constructor.name == name);
            let Some(index) = found else { return Err(self.no_constructor(sum, node, &name)) };
            let constructor = &sum.constructors[index];
            let arguments = self.step(Step::Name(&constructor.name), |walk| {
                walk.arguments(constructor, value, used.then_some(&*name))
            })?;
            return Ok(Typed::Sum(index as u32, arguments));
        }
        if node.resolved().kind() != Kind::Scalar {
            return Err(self.expected(node, "a constructor", &constructor_help(sum)));
        }
        let name = node.text();
        match sum.constructors.iter().position(|constructor| constructor.name == name) {
            Some(index) if sum.constructors[index].arguments.is_empty() => {
                Ok(Typed::Sum(index as u32, Vec::new()))
            }
            Some(_) => {
                let message = format!("{name} needs arguments");
                let help = format!("Write `!{name}` before the arguments.");
                Err(self.wrong(node, message, &help))
            }
            None => Err(self.no_constructor(sum, node, &name)),
        }
    }

    /// Returns the name of the constructor or case that `node` has as its tag or as its only key,
    /// the node with the content, and whether the tag of that node has been read with this. Returns
    /// `None` if there is no such tag or key.
    #[allow(clippy::type_complexity, reason = "a name for it would say no more")]
    fn named<'d>(
        &mut self,
        node: Node<'d>,
        used: Used<'_>,
    ) -> Result<Option<(Cow<'d, str>, Node<'d>, bool)>, Error> {
        if let Some(tag) = node.custom_tag().filter(|_| used.is_none()) {
            return match tag.strip_prefix('!') {
                Some(name) => Ok(Some((Cow::Borrowed(name), node, true))),
                None => {
                    let message = format!("the tag {tag} is not a constructor");
                    Err(self.wrong_tag(node, message, "Write the constructor as `!Name`."))
                }
            };
        }
        if node.resolved().kind() != Kind::Mapping || node.len() != 1 {
            return Ok(None);
        }
        let pair = node.entries().next();
        Ok(pair
            .filter(|(key, _)| key.resolved().kind() == Kind::Scalar)
            .map(|(key, value)| (key.text(), value, false)))
    }

    /// Reads the arguments of `constructor` from `node`.
    fn arguments<'d>(
        &mut self,
        constructor: &'s Constructor,
        node: Node<'d>,
        used: Used<'_>,
    ) -> Result<Vec<Typed<'d>>, Error> {
        match constructor.arguments[..] {
            [] => {
                let is_scalar = node.resolved().kind() == Kind::Scalar;
                match is_scalar && matches!(self.untagged(node), Scalar::Null) {
                    true => Ok(Vec::new()),
                    false => {
                        let message = format!("{} takes no arguments", constructor.name);
                        Err(self.wrong(node, message, "Remove what follows it."))
                    }
                }
            }
            [ty] => {
                // If the argument has a tag of its own, it is the only item of a sequence.
                let only = match self.schema.get(ty) {
                    Type::Sum(_) | Type::Message(_) | Type::Primitive(..) => only_entry(node),
                    _ => None,
                };
                let value = match only {
                    Some(entry) => self.value(ty, entry, None),
                    None => self.value(ty, node, used),
                };
                Ok(vec![value?])
            }
            ref types => self.sequence(node, types.iter().copied(), Some(types.len())),
        }
    }

    /// Reads `node` as a message: a record, or a case of a union.
    fn message<'d>(
        &mut self,
        message: &'s Message,
        node: Node<'d>,
        used: Used<'_>,
    ) -> Result<Typed<'d>, Error> {
        if !message.union {
            return Ok(Typed::Message(0, self.fields(&message.cases[0], node)?));
        }
        let names = || names(message.cases.iter().map(|case| case.name.as_str()));
        let Some((name, value, _)) = self.named(node, used)? else {
            let help = format!("Write `!Case {{...}}`; the cases are {}.", names());
            return Err(self.expected(node, &format!("a case of {}", message.name), &help));
        };
        let Some(index) = message.cases.iter().position(|case| case.name == name) else {
            let what = format!("{} has no case {name}", message.name);
            return Err(self.wrong_tag(node, what, &format!("The cases are {}.", names())));
        };
        let case = &message.cases[index];
        let fields = self.step(Step::Name(&case.name), |walk| walk.fields(case, value))?;
        Ok(Typed::Message(index as u32, fields))
    }

    /// Reads the fields of a record from the mapping `node`, in the order of the schema.
    fn fields<'d>(&mut self, case: &'s Case, node: Node<'d>) -> Result<Vec<Typed<'d>>, Error> {
        if node.resolved().kind() != Kind::Mapping {
            let help = "Write its fields as `name: value`.";
            return Err(self.expected(node, "a mapping", help));
        }
        let mut values: Vec<Option<Typed<'d>>> = vec![None; case.fields.len()];
        let pairs = match self.merges {
            true => node.merged_entries()?,
            false => node.entries().collect(),
        };
        for (key, value) in pairs {
            let index = self.field_of(case, key)?;
            let field = &case.fields[index];
            if values[index].is_some() {
                let message = format!("duplicate field {}", field.name);
                return Err(self.wrong(key, message, "Remove one of them."));
            }
            let value =
                self.step(Step::Name(&field.name), |walk| walk.value(field.ty, value, None))?;
            values[index] = Some(value);
        }
        let fields = case.fields.iter().zip(values);
        fields.map(|(field, value)| value.map_or_else(|| self.absent(field, node), Ok)).collect()
    }

    /// Returns the index of the field that `key` names. It is an error if there is no such field.
    fn field_of(&self, case: &Case, key: Node<'_>) -> Result<usize, Error> {
        if key.resolved().kind() != Kind::Scalar {
            return Err(self.expected(key, "the name of a field", "Write `name: value`."));
        }
        let name = key.text();
        if let Some(index) = case.fields.iter().position(|field| field.name == name) {
            return Ok(index);
        }
        let near = nearest(&name, case.fields.iter().map(|field| field.name.as_str()));
        let help = match near {
            Some(near) => format!("Did you mean {near}?"),
            None => {
                format!("The fields are {}.", names(case.fields.iter().map(|f| f.name.as_str())))
            }
        };
        Err(self.wrong(key, format!("unknown field {name}"), &help))
    }

    /// Returns the default of a field that is missing in `node`. It is an error if it has none.
    fn absent<'d>(&self, field: &Field, node: Node<'d>) -> Result<Typed<'d>, Error> {
        self.schema.default_value(field.ty).map_err(|_| {
            let message = format!("missing field {}, which has no default", field.name);
            let help = format!("Add `{}:` with {}.", field.name, self.schema.describe(field.ty));
            self.wrong(node, message, &help)
        })
    }

    /// Returns the error for `name`, which is not a constructor of the sum type.
    fn no_constructor(&self, sum: &Sum, node: Node<'_>, name: &str) -> Error {
        let message = format!("{} has no constructor {name:?}", sum.name);
        self.wrong_tag(node, message, &constructor_help(sum))
    }

    /// Returns the error for a number that is outside `range`, the range of the type `what`.
    fn out_of_range(&self, node: Node<'_>, what: &str, range: &str) -> Error {
        self.wrong(
            node,
            format!("this is out of range for {what}"),
            &format!("The range is {range}."),
        )
    }

    /// Returns the error for a node that is not what its type requires, `what`.
    fn expected(&self, node: Node<'_>, what: &str, help: &str) -> Error {
        let found = self.describe(node);
        self.wrong(node, format!("expected {what}, found {found}"), help)
    }

    /// Creates an error at `node`. Its message starts with the path to the node.
    fn wrong(&self, node: Node<'_>, message: String, help: &str) -> Error {
        let mut text = String::new();
        for step in &self.path {
            // Writing to a string cannot fail.
            let _ = match step {
                Step::Index(index) => write!(text, "[{index}]"),
                Step::Name(name) if text.is_empty() => write!(text, "{name}"),
                Step::Name(name) => write!(text, ".{name}"),
            };
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&message);
        let problem = Problem::Schema { message: text, help: help.to_owned() };
        Error::new(problem, ErrorLocation::Text(node.location()))
    }

    /// Creates an error at the tag of `node` or, if it has no tag, at the node itself.
    fn wrong_tag(&self, node: Node<'_>, message: String, help: &str) -> Error {
        let error = self.wrong(node, message, help);
        match node.tag_location() {
            Some(location) => error.moved(ErrorLocation::Text(location)),
            None => error,
        }
    }

    /// Returns the error for aliases that expand to too many nodes.
    fn too_many(&self, node: Node<'_>) -> Error {
        let help = "If you trust the input, raise `max_alias_nodes`.";
        self.wrong(node, "the aliases expand to too many nodes".to_owned(), help)
    }

    /// Returns a description of `node` for messages.
    fn describe(&self, node: Node<'_>) -> &'static str {
        match node.resolved().kind() {
            Kind::Sequence => return "a sequence",
            Kind::Mapping => return "a mapping",
            _ => {}
        }
        match node.scalar_bytes(self.options.schema) {
            Ok(Scalar::Null) => "null",
            Ok(Scalar::Bool(_)) => "a bool",
            Ok(Scalar::Int(_) | Scalar::BigInt(_)) => "an integer",
            Ok(Scalar::Float(_)) => "a float",
            Ok(Scalar::Timestamp(_)) => "a timestamp",
            Ok(Scalar::Binary(_)) => "a binary",
            Ok(Scalar::Str(_) | Scalar::Merge) => "a string",
            Ok(Scalar::Unresolved(_)) | Err(_) => "text that the schema does not allow",
        }
    }
}

/// Returns the only item of the sequence `node`. Returns `None` if it is not a sequence with one
/// item.
fn only_entry(node: Node<'_>) -> Option<Node<'_>> {
    let is_one = node.resolved().kind() == Kind::Sequence && node.len() == 1;
    node.items().next().filter(|_| is_one)
}

/// Returns the node of the base64 text in `{"!!binary": ...}`, which represents bytes that are not
/// UTF-8 in JSON. Returns `None` if `node` does not have this form.
fn marked_binary(node: Node<'_>) -> Option<Node<'_>> {
    let is_one = node.resolved().kind() == Kind::Mapping && node.len() == 1;
    let (key, value) = node.entries().next().filter(|_| is_one)?;
    let is_mark = key.resolved().kind() == Kind::Scalar && key.text() == BINARY_KEY;
    (is_mark && value.resolved().kind() == Kind::Scalar).then_some(value)
}

/// Parses the text of an infinity or NaN. Returns `None` for any other text.
fn non_finite(text: &[u8]) -> Option<f64> {
    match text {
        b".inf" => Some(f64::INFINITY),
        b"-.inf" => Some(f64::NEG_INFINITY),
        b".nan" => Some(f64::NAN),
        _ => None,
    }
}

/// Returns whether `value` can be converted to a float without loss.
fn is_exact(value: i64) -> bool {
    let float = value as f64;
    // A float of 2^63 does not fit in an `i64`: the conversion back would saturate, so `i64::MAX`
    // would seem to be converted without loss.
    float < 9_223_372_036_854_775_808.0 && float as i64 == value
}

/// Returns what a primitive type requires, as words for messages.
fn primitive_name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Bool => "a bool",
        Primitive::Byte | Primitive::Int | Primitive::Long => "an integer",
        Primitive::Float => "a float",
        Primitive::String => "a string",
    }
}

/// Returns a sentence that says how to write a value of a primitive type.
fn primitive_help(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Bool => "Write `true` or `false`.",
        Primitive::Byte => "Write a number from 0 to 255, without quotes.",
        Primitive::Int | Primitive::Long => "Write a whole number, without quotes.",
        Primitive::Float => "Write a number, without quotes.",
        Primitive::String => "Put it in quotes.",
    }
}

/// Returns a sentence that says how to write the constructors of a sum type.
fn constructor_help(sum: &Sum) -> String {
    let forms = sum.constructors.iter().map(|constructor| match constructor.arguments.len() {
        0 => constructor.name.clone(),
        1 => format!("!{} ...", constructor.name),
        _ => format!("!{} [...]", constructor.name),
    });
    format!("Write one of {}.", limited(forms))
}

/// Returns `names` as a list for messages, which is cut if it is long.
fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    limited(names.map(str::to_owned))
}

/// The maximum number of names that a message lists.
const NAMES_MAX: usize = 12;

/// Joins `names` with commas. If there are more than [`NAMES_MAX`], adds `...` instead of the
/// others.
fn limited(names: impl Iterator<Item = String>) -> String {
    let mut shown: Vec<String> = names.take(NAMES_MAX + 1).collect();
    if shown.len() > NAMES_MAX {
        shown[NAMES_MAX] = "...".to_owned();
    }
    shown.join(", ")
}

/// Returns the name in `names` that is most similar to `name`, or `None` if none is similar enough.
fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let likeness = |other: &&str| strsim::damerau_levenshtein(name, other);
    let nearest = names.min_by_key(likeness)?;
    (likeness(&nearest) <= 1 + name.chars().count() / 4).then_some(nearest)
}

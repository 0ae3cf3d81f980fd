//! Writes typed values as items.

use crate::error::Problem;
use crate::model::{Item, Sink};
use ketch_extprot::schema::{Message, Schema, Sum, Type, TypeId};
use ketch_extprot::{Limits, Typed};

/// The key that marks bytes in base64 in formats without tags: `{"!!binary":"/w=="}`.
pub(super) const BINARY_KEY: &str = "!!binary";

/// The form in which constructors with arguments, and cases of unions, are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constructors {
    /// As tags: `!Circle 5`.
    Tags,
    /// As mappings with one pair, for formats without tags: `{"Circle":5}`.
    Mappings,
}

/// Writes `value`, which has the type `ty` of `schema`, to `sink`. Lazy fields are decoded within
/// `limits`.
///
/// # Errors
///
/// Fails if `sink` rejects an item, if a lazy field cannot be decoded, or if `value` is not of the
/// type `ty`.
///
/// ```
/// use ketch::JsonSink;
/// use ketch::typed::{Constructors, write};
/// use ketch_extprot::schema::{NoLoader, check_schema};
///
/// let text = "type shape = Dot | Circle int message m = { a : shape; b : [ shape ] }";
/// let schema = check_schema("m.proto", text, &mut NoLoader).unwrap();
/// let m = schema.lookup("m").unwrap();
/// let limits = Default::default();
/// let bytes = [0x01, 0x0a, 0x02, 0x0a, 0x05, 0x06, 0x01, 0x01, 0x03, 0x01, 0x00, 0x0a];
/// let value = schema.decode(m, &bytes, &limits).unwrap();
///
/// let mut json = JsonSink::new(&Default::default());
/// write(&schema, m, &value, Constructors::Mappings, &limits, &mut json).unwrap();
/// assert_eq!(json.text(), br#"{"a":"Dot","b":[{"Circle":5}]}"#);
/// ```
pub fn write(
    schema: &Schema,
    ty: TypeId,
    value: &Typed<'_>,
    constructors: Constructors,
    limits: &Limits,
    sink: &mut impl Sink,
) -> Result<(), Problem> {
    Writer { schema, constructors, limits, sink }.value(ty, value)
}

struct Writer<'w, S> {
    schema: &'w Schema,
    constructors: Constructors,
    limits: &'w Limits,
    sink: &'w mut S,
}

impl<S: Sink> Writer<'_, S> {
    /// Writes `value`, which has the type `ty`.
    fn value(&mut self, ty: TypeId, value: &Typed<'_>) -> Result<(), Problem> {
        match (self.schema.get(ty), value) {
            (_, Typed::Bool(value)) => self.sink.item(Item::Bool(*value)),
            (_, Typed::Byte(value)) => self.sink.item(Item::Int((*value).into())),
            (_, Typed::Int(value) | Typed::Long(value)) => self.sink.item(Item::Int(*value)),
            (_, Typed::Float(value)) => self.sink.item(Item::Float(*value)),
            (_, Typed::String(bytes)) => self.string(bytes),
            (_, Typed::Lazy(lazy)) => {
                let forced = lazy.force(self.schema, self.limits).map_err(Problem::Extprot)?;
                self.value(ty, forced)
            }
            (Type::Tuple(types), Typed::Tuple(values)) => {
                self.sequence(types.iter().copied(), values)
            }
            (Type::List(element) | Type::Array(element), Typed::List(values)) => {
                self.sequence(std::iter::repeat(*element), values)
            }
            (Type::Sum(sum), Typed::Sum(index, values)) => self.sum(sum, *index, values),
            (Type::Message(message), Typed::Message(case, values)) => {
                self.message(message, *case, values)
            }
            _ => Err(self.shape(ty)),
        }
    }

    /// Writes `bytes` as text or, if they are not UTF-8, in a form from which the same bytes can be
    /// read.
    fn string(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.sink.item(Item::Str(text)),
            // YAML represents this item as a scalar with the tag `!!binary`.
            Err(_) if self.constructors == Constructors::Tags => {
                self.sink.item(Item::Binary(bytes))
            }
            Err(_) => {
                self.sink.item(Item::MappingStart(1))?;
                self.sink.item(Item::Str(BINARY_KEY))?;
                self.sink.item(Item::Binary(bytes))?;
                self.sink.item(Item::MappingEnd)
            }
        }
    }

    /// Returns the problem for a value that is not of its type, `ty`.
    fn shape(&self, ty: TypeId) -> Problem {
        let expected = self.schema.describe(ty);
        let problem = ketch_extprot::Problem::Shape { expected };
        Problem::Extprot(ketch_extprot::Error::unplaced(problem))
    }

    /// Writes `values`, which have the types `types`, as a sequence.
    fn sequence(
        &mut self,
        types: impl Iterator<Item = TypeId>,
        values: &[Typed<'_>],
    ) -> Result<(), Problem> {
        self.sink.item(Item::SequenceStart(values.len() as u64))?;
        for (ty, value) in types.zip(values) {
            self.value(ty, value)?;
        }
        self.sink.item(Item::SequenceEnd)
    }

    /// Writes constructor number `index` of `sum` with its arguments, `values`.
    fn sum(&mut self, sum: &Sum, index: u32, values: &[Typed<'_>]) -> Result<(), Problem> {
        let Some(constructor) = sum.constructors.get(index as usize) else {
            return Err(unknown_case(&sum.name));
        };
        let types = &constructor.arguments;
        match (&types[..], values) {
            ([], _) => self.sink.item(Item::Str(&constructor.name)),
            (&[ty], [value]) => self.named(&constructor.name, |writer| {
                // A node cannot have two tags, so an argument with a tag is put in a sequence.
                let is_tagged =
                    writer.constructors == Constructors::Tags && writer.has_tag(ty, value);
                match is_tagged {
                    true => writer.sequence([ty].into_iter(), values),
                    false => writer.value(ty, value),
                }
            }),
            _ => self
                .named(&constructor.name, |writer| writer.sequence(types.iter().copied(), values)),
        }
    }

    /// Returns whether `value` is written as a node with a tag.
    fn has_tag(&self, ty: TypeId, value: &Typed<'_>) -> bool {
        match (self.schema.get(ty), value) {
            (Type::Sum(_), Typed::Sum(_, arguments)) => !arguments.is_empty(),
            (Type::Message(message), _) => message.union,
            (_, Typed::String(bytes)) => std::str::from_utf8(bytes).is_err(),
            _ => false,
        }
    }

    /// Writes a message whose fields have the values `values`. If it is a union, also writes the
    /// name of its case.
    fn message(
        &mut self,
        message: &Message,
        case: u32,
        values: &[Typed<'_>],
    ) -> Result<(), Problem> {
        let Some(case) = message.cases.get(case as usize) else {
            return Err(unknown_case(&message.name));
        };
        let fields = |writer: &mut Self| {
            writer.sink.item(Item::MappingStart(values.len() as u64))?;
            for (field, value) in case.fields.iter().zip(values) {
                writer.sink.item(Item::Str(&field.name))?;
                writer.value(field.ty, value)?;
            }
            writer.sink.item(Item::MappingEnd)
        };
        match message.union {
            true => self.named(&case.name, fields),
            false => fields(self),
        }
    }

    /// Writes the name of a constructor or case, and then its content with `value`.
    fn named(
        &mut self,
        name: &str,
        value: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        match self.constructors {
            Constructors::Tags => {
                self.sink.item(Item::Tag(&format!("!{name}")))?;
                value(self)
            }
            Constructors::Mappings => {
                self.sink.item(Item::MappingStart(1))?;
                self.sink.item(Item::Str(name))?;
                value(self)?;
                self.sink.item(Item::MappingEnd)
            }
        }
    }
}

/// Returns the problem for a constructor or case that the type `name` does not have.
#[cold]
fn unknown_case(name: &str) -> Problem {
    let expected = name.to_owned();
    Problem::Extprot(ketch_extprot::Error::unplaced(ketch_extprot::Problem::Shape { expected }))
}

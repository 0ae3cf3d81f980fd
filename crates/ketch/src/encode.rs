//! Encodes YAML documents as extprot, following the table in `docs/data-model.md`.

use crate::error::{Error, ErrorLocation, Problem};
use crate::model::{Item, NAN_BITS, Sink, VINT_RANGE, has_digits};
use ketch_extprot::value::{Builder, tags};
use ketch_extprot::wire::{WireType, Writer};
use ketch_yaml::compose::{ExpandOptions, Kind, Node, Step, Visit};
use ketch_yaml::schema::{BigInt, Scalar, Schema, Timestamp};
use ketch_yaml::tag::is_known;
use ketch_yaml::{Document, FloatKeys, Limits};

/// Options of an [`Encoder`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// The schema that determines the values of plain scalars. Default: core.
    pub schema: Schema,
    /// Whether merge keys (`<<`) are applied. The default, `None`, means that the schema decides.
    pub merge_keys: Option<bool>,
    /// The limits for encoding. [`Limits::max_alias_nodes`] bounds the expansion of aliases.
    pub limits: Limits,
}

impl Default for EncodeOptions {
    fn default() -> EncodeOptions {
        EncodeOptions { schema: Schema::Core, merge_keys: None, limits: Limits::default() }
    }
}

/// Encodes values as extprot. An encoder takes whole documents or, as a [`Sink`], one item at a
/// time. It reuses its memory.
///
/// The bytes are canonical: equal values have equal bytes, even if their YAML is written
/// differently. Aliases are expanded. The memory that is needed is linear in the size of the
/// document with aliases expanded.
///
/// ```
/// use ketch::Encoder;
/// use ketch_yaml::Documents;
///
/// let document = Documents::new(b"{id: 7, on: true}").next().unwrap()?;
/// let mut encoder = Encoder::new(&Default::default());
/// let bytes = encoder.encode(&document)?;
/// assert_eq!(bytes, b"\x07\x0d\x02\x03\x02id\x00\x0e\x03\x02on\x02\x01");
/// # Ok::<(), ketch::Error>(())
/// ```
#[derive(Debug)]
pub struct Encoder {
    options: EncodeOptions,
    builder: Builder,
    writer: Writer,
    /// For each open tagged value, the number of open collections around it.
    tagged: Vec<usize>,
    /// The number of open collections.
    depth: usize,
}

impl Encoder {
    /// Creates an encoder with the options `options`.
    pub fn new(options: &EncodeOptions) -> Encoder {
        Encoder {
            options: *options,
            builder: Builder::new(),
            writer: Writer::new(),
            tagged: Vec::new(),
            depth: 0,
        }
    }

    /// Discards the value that has been passed as items so far.
    pub fn clear(&mut self) {
        self.builder.clear();
        self.tagged.clear();
        self.depth = 0;
    }

    /// Returns the bytes of the value that was passed as items.
    ///
    /// # Panics
    ///
    /// Panics unless exactly one complete value was passed.
    pub fn bytes(&mut self) -> Result<&[u8], Error> {
        self.writer.clear();
        self.builder.write(&mut self.writer);
        // This cannot fail, because the encoder writes no Vint outside the portable range.
        self.writer.finish().map_err(|error| Error::extprot(error, 0))
    }

    /// Encodes `document`, and returns its bytes.
    ///
    /// # Errors
    ///
    /// Fails if a scalar is not valid for its tag or the schema, or cannot be represented, if the
    /// expansion of aliases exceeds the budget, or if two keys of a mapping become the same float.
    pub fn encode(&mut self, document: &Document<'_>) -> Result<&[u8], Error> {
        let EncodeOptions { schema, merge_keys, limits } = self.options;
        let merges = merge_keys.unwrap_or(schema.has_merge_keys());
        document.root().check_keys(FloatKeys::Finite)?;
        let mut walk = ExpandOptions::of(document);
        walk.schema = schema;
        walk.float_keys = FloatKeys::Finite;
        walk.merges = merges;
        walk.limits = limits;
        self.clear();
        for visit in document.expanded_with(&walk) {
            self.visit(&visit?)?;
        }
        self.bytes()
    }

    /// Encodes `visit`, one step of the walk through a document.
    fn visit(&mut self, visit: &Visit<'_>) -> Result<(), Error> {
        let node = visit.node;
        let tag = node.tag().filter(|tag| !is_known(tag));
        if let Some(tag) = tag.filter(|_| visit.step != Step::End) {
            self.builder.begin(tags::TAGGED, WireType::Tuple);
            self.builder.bytes(0, tag.as_bytes());
        }
        match visit.step {
            Step::Scalar => self.scalar(node)?,
            Step::Start => {
                let is_mapping = node.kind() == Kind::Mapping;
                self.builder.begin(0, if is_mapping { WireType::Assoc } else { WireType::Htuple });
            }
            Step::End => self.builder.end(),
        }
        if tag.is_some() && visit.step != Step::Start {
            self.builder.end();
        }
        Ok(())
    }

    /// Encodes the scalar `node`.
    fn scalar(&mut self, node: Node<'_>) -> Result<(), Error> {
        let wrong = |problem| Error::new(problem, ErrorLocation::Text(node.location()));
        match node.scalar_bytes(self.options.schema)? {
            Scalar::Str(text) => self.builder.bytes(0, &text),
            Scalar::Null => self.builder.enum_tag(tags::NULL),
            Scalar::Bool(value) => self.builder.bits8(0, value.into()),
            Scalar::Int(value) => int(&mut self.builder, value),
            Scalar::BigInt(value) => match decimal(&value) {
                Some(digits) => tuple_of_bytes(&mut self.builder, tags::BIG_INT, digits.as_bytes()),
                None => return Err(wrong(Problem::IntegerTooLong)),
            },
            Scalar::Float(value) if value.is_infinite() && has_digits(&node.text()) => {
                return Err(wrong(Problem::FloatTooLarge));
            }
            Scalar::Float(value) => float(&mut self.builder, value),
            Scalar::Timestamp(value) => timestamp(&mut self.builder, value),
            Scalar::Binary(value) => tuple_of_bytes(&mut self.builder, tags::BINARY, &value),
            Scalar::Merge => self.builder.bytes(0, b"<<"),
            Scalar::Unresolved(_) => return Err(wrong(Problem::UnresolvedScalar)),
        }
        Ok(())
    }
}

impl Sink for Encoder {
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem> {
        let builder = &mut self.builder;
        match item {
            Item::Null => builder.enum_tag(tags::NULL),
            Item::Bool(value) => builder.bits8(0, value.into()),
            Item::Int(value) => int(builder, value),
            Item::BigInt(digits) => tuple_of_bytes(builder, tags::BIG_INT, digits.as_bytes()),
            Item::Float(value) => float(builder, value),
            Item::Str(text) => builder.bytes(0, text.as_bytes()),
            Item::Binary(bytes) => tuple_of_bytes(builder, tags::BINARY, bytes),
            Item::Timestamp(value) => timestamp(builder, value),
            Item::Tag(tag) => {
                builder.begin(tags::TAGGED, WireType::Tuple);
                builder.bytes(0, tag.as_bytes());
                self.tagged.push(self.depth);
                return Ok(());
            }
            Item::SequenceStart(_) | Item::MappingStart(_) => {
                let is_mapping = matches!(item, Item::MappingStart(_));
                builder.begin(0, if is_mapping { WireType::Assoc } else { WireType::Htuple });
                self.depth += 1;
                return Ok(());
            }
            Item::SequenceEnd | Item::MappingEnd => {
                builder.end();
                self.depth -= 1;
            }
        }
        // A value has ended, and with it, tagged values that contain it.
        while self.tagged.pop_if(|depth| *depth == self.depth).is_some() {
            self.builder.end();
        }
        Ok(())
    }
}

/// The maximum number of digits of an integer that is not in base 10. Converting such an integer to
/// decimal takes quadratic time.
const RADIX_DIGITS_MAX: usize = 1 << 14;

/// Returns the decimal digits of `value`, or `None` if it has too many digits to convert.
fn decimal<'b>(value: &'b BigInt<'_>) -> Option<std::borrow::Cow<'b, str>> {
    let is_quick = value.is_decimal() || value.digits().len() <= RADIX_DIGITS_MAX;
    is_quick.then(|| value.to_decimal())
}

/// Writes `value` in its canonical form.
fn int(builder: &mut Builder, value: i64) {
    if VINT_RANGE.contains(&value) {
        builder.vint(0, value);
    } else {
        builder.bits64_long(0, value);
    }
}

/// Writes `value`. Every NaN is written as the canonical one.
fn float(builder: &mut Builder, value: f64) {
    let canonical = if value.is_nan() { f64::from_bits(NAN_BITS) } else { value };
    builder.bits64_float(0, canonical);
}

/// Writes `bytes` in a tuple with the tag `tag`.
fn tuple_of_bytes(builder: &mut Builder, tag: u64, bytes: &[u8]) {
    builder.begin(tag, WireType::Tuple);
    builder.bytes(0, bytes);
    builder.end();
}

/// Writes `value` as a tuple of seconds, nanoseconds and offset.
fn timestamp(builder: &mut Builder, value: Timestamp) {
    builder.begin(tags::TIMESTAMP, WireType::Tuple);
    int(builder, value.seconds);
    int(builder, value.nanoseconds.into());
    match value.offset_minutes {
        _ if value.date_only => builder.enum_tag(tags::DATE_ONLY),
        None => builder.enum_tag(tags::NULL),
        Some(minutes) => int(builder, minutes.into()),
    }
    builder.end();
}

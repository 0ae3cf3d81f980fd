//! Builds objects from events. Values are pushed on the marked stack, and the end of a collection
//! replaces its values there by one object.

use super::psych::{self, Meaning};
use super::stop::Stop;
use super::{merge, scalar};
use crate::memory::{Frame, Keys, Memory, Stack};
use crate::options::LoadOptions;
use crate::permissions::Permissions;
use crate::ruby::{self, VALUE};
use ketch_yaml::DuplicateKeys;
use ketch_yaml::schema::{ScalarTag, Schema};

/// Builds the values of a stream, one document after another.
///
/// Nothing in it needs to be dropped, since Ruby may raise anywhere.
pub struct Builder<'m> {
    pub stack: &'m Stack,
    keys: &'m Keys,
    pub frames: &'m mut Vec<Frame>,
    schema: Schema,
    merges: bool,
    duplicate_keys: DuplicateKeys,
    symbolize_names: bool,
    freeze: bool,
    pub psych: Option<Permissions>,
    /// The number of pairs that may still be copied for merge keys.
    merged_pairs_left: u64,
    tagged_class: VALUE,
    in_mapping: bool,
    /// Whether the next value is a key.
    pub at_key: bool,
}

/// The result of adding something to a builder.
pub type Step = Result<(), Stop>;

impl<'m> Builder<'m> {
    /// Creates an empty builder for an input of `bytes` bytes.
    pub fn new(
        options: &LoadOptions,
        bytes: u64,
        memory: &'m Memory,
        frames: &'m mut Vec<Frame>,
    ) -> Builder<'m> {
        frames.clear();
        Builder {
            stack: &memory.stack,
            keys: &memory.keys,
            tagged_class: memory.tagged_class,
            frames,
            schema: options.compose.schema,
            merges: options.compose.merges(),
            duplicate_keys: options.compose.duplicate_keys,
            symbolize_names: options.symbolize_names,
            freeze: options.freeze,
            psych: options.psych,
            merged_pairs_left: options.compose.limits.max_alias_nodes.at(bytes),
            in_mapping: false,
            at_key: false,
        }
    }

    /// Adds a complete value.
    #[inline(always)]
    pub fn push(&mut self, value: VALUE) {
        self.stack.push(value);
        self.at_key ^= self.in_mapping;
    }

    /// Adds a string or, if a key is due, a key.
    #[inline(always)]
    pub fn text(&mut self, text: &[u8]) {
        let value = match self.at_key {
            false if self.freeze => self.keys.string(text),
            false => ruby::string(text),
            true if self.is_merge_key(text) => self.merge_key(),
            true if self.symbolize_names => self.keys.symbol(text),
            true => self.keys.string(text),
        };
        self.push(value);
    }

    /// Returns whether keys become symbols.
    pub fn symbolizes(&self) -> bool {
        self.symbolize_names
    }

    /// Returns whether a scalar with the content `text` would be a key here that Psych merges.
    #[inline(always)]
    pub fn is_merge_key(&self, text: &[u8]) -> bool {
        self.at_key && self.psych.is_some() && text == merge::KEY
    }

    /// Records that the innermost mapping has a merge key, and returns the string `<<`. The values
    /// of merge keys are merged when the mapping ends.
    #[cold]
    fn merge_key(&mut self) -> VALUE {
        if let Some(frame) = self.frames.last_mut() {
            frame.merges = true;
        }
        self.keys.string(merge::KEY)
    }

    /// Returns whether the next value is that of a merge key `<<`.
    pub fn is_after_merge_key(&self) -> bool {
        let merges = self.frames.last().is_some_and(|frame| frame.merges);
        merges && !self.at_key && merge::is_key(self.stack.get(self.stack.len() - 1))
    }

    /// Adds a plain scalar.
    #[inline(always)]
    pub fn plain(&mut self, text: &[u8]) -> Step {
        if let Some(permissions) = self.psych {
            return self.plain_of_psych(permissions, text);
        }
        match self.schema.resolve(text) {
            // In the schemas of YAML 1.2, `<<` is text, even if the options enable merge keys.
            ScalarTag::Str if self.merges && self.at_key && text == b"<<" => {
                return Err(Stop::Complex);
            }
            ScalarTag::Str => self.text(text),
            ScalarTag::Null => self.push(ruby::NIL),
            ScalarTag::Bool(true) => self.push(ruby::TRUE),
            ScalarTag::Bool(false) => self.push(ruby::FALSE),
            tag => return self.other(tag, text),
        }
        Ok(())
    }

    /// Adds a plain scalar, resolved by the rules of Psych.
    #[inline(always)]
    fn plain_of_psych(&mut self, permissions: Permissions, text: &[u8]) -> Step {
        let value = match psych::meaning(text, permissions.is_strict()) {
            Meaning::Str => {
                self.text(text);
                return Ok(());
            }
            Meaning::Null => ruby::NIL,
            Meaning::Bool(true) => ruby::TRUE,
            Meaning::Bool(false) => ruby::FALSE,
            Meaning::Int(value) => ruby::integer(value),
            Meaning::Float(value) => ruby::float(value),
            Meaning::Symbol(name) if permissions.symbols() => self.keys.symbol(name),
            Meaning::Symbol(_) => return Err(Stop::Complex),
            Meaning::Rare => psych::rare(text, permissions)?,
        };
        // Text that looks like a rare form may be a string after all, such as the date of a
        // February 30.
        if ruby::is_string(value) {
            self.text(text);
            return Ok(());
        }
        self.push(value);
        Ok(())
    }

    /// Adds a plain scalar that the schema does not resolve to text, null or a boolean.
    #[inline(never)]
    fn other(&mut self, tag: ScalarTag, text: &[u8]) -> Step {
        use ketch_yaml::schema::Scalar;
        match (self.schema.convert(tag, text), self.at_key) {
            (Scalar::Int(value), _) => self.push(ruby::integer(value)),
            (Scalar::Float(value), false) => self.push(ruby::float(value)),
            (Scalar::Unresolved(_), _) => return Err(Stop::Complex),
            (Scalar::Merge, true) if self.merges => return Err(Stop::Complex),
            (Scalar::Str(_) | Scalar::Merge, _) => self.text(text),
            // As keys, Ruby may compare these values by different rules than YAML.
            (_, true) => return Err(Stop::Complex),
            (rare, false) => match scalar::value(rare)? {
                Some(value) => {
                    if self.freeze {
                        ruby::freeze(value);
                    }
                    self.push(value);
                }
                None => self.text(text),
            },
        }
        Ok(())
    }

    /// Adds the tag that belongs to the next value.
    pub fn tag(&mut self, tag: &[u8]) -> Step {
        if self.at_key {
            return Err(Stop::Complex);
        }
        self.stack.push(self.keys.string(tag));
        Ok(())
    }

    /// Adds a string, together with the tag that was added last.
    pub fn tagged_text(&mut self, text: &[u8]) {
        self.stack.push(if self.freeze { self.keys.string(text) } else { ruby::string(text) });
        self.wrap(self.stack.len() - 2);
        self.at_key ^= self.in_mapping;
    }

    /// Adds a string whose tag, which was added last, is one that Psych defines.
    #[cold]
    pub fn text_tagged_by_psych(&mut self, text: &[u8]) -> Step {
        let Some(permissions) = self.psych else { return Err(Stop::Complex) };
        let at = self.stack.len() - 1;
        let value = psych::tagged(self.stack.get(at), text, permissions)?;
        self.stack.truncate(at);
        self.push(value);
        Ok(())
    }

    /// Replaces the tag at the index `at` of the stack, and the value after it, by a
    /// `Ketch::Tagged`.
    #[cold]
    fn wrap(&self, at: usize) {
        let stack = self.stack;
        let tagged = ruby::structure(self.tagged_class, &[stack.get(at), stack.get(at + 1)]);
        if self.freeze {
            ruby::freeze(tagged);
        }
        stack.truncate(at);
        stack.push(tagged);
    }

    /// Starts a collection. If it would be a key, fails, which leaves the document to the composer.
    #[inline(always)]
    pub fn start(&mut self, is_mapping: bool, anchor: Option<u32>, is_tagged: bool) -> Step {
        if self.at_key {
            return Err(Stop::Complex);
        }
        self.frames.push(Frame {
            start: self.stack.len(),
            is_mapping,
            anchor,
            is_tagged,
            merges: false,
        });
        (self.in_mapping, self.at_key) = (is_mapping, is_mapping);
        Ok(())
    }

    /// Ends the innermost collection, and returns the number of its anchor, if it has one.
    #[inline(always)]
    pub fn end(&mut self) -> Result<Option<u32>, Stop> {
        let Some(frame) = self.frames.pop() else { return Ok(None) };
        let Frame { start, is_mapping, anchor, is_tagged, merges } = frame;
        let values = self.stack.from(start);
        let value = match is_mapping {
            true if merges => merge::hash(values, &mut self.merged_pairs_left)?,
            true if self.psych.is_some() => ruby::hash(values),
            true => self.hash(values)?,
            false => ruby::array(values),
        };
        if self.freeze {
            ruby::freeze(value);
        }
        self.stack.truncate(start);
        self.stack.push(value);
        if is_tagged {
            self.wrap(start - 1);
        }
        self.in_mapping = self.frames.last().is_some_and(|frame| frame.is_mapping);
        self.at_key = self.in_mapping;
        Ok(anchor)
    }

    /// Creates a hash from alternating keys and values, some of which may be duplicate keys.
    #[inline(always)]
    fn hash(&self, pairs: &[VALUE]) -> Result<VALUE, Stop> {
        let hash = ruby::hash(pairs);
        if ruby::hash_len(hash) * 2 == pairs.len() { Ok(hash) } else { self.hash_of_some(pairs) }
    }

    /// Creates a hash from pairs with duplicate keys. Of the pairs with equal keys, it contains the
    /// one that the options choose, at the position of the last such pair if the last one is
    /// chosen. Fails if only the composer can decide: if duplicate keys are an error, or if some
    /// keys are not strings or symbols, which Ruby may compare by different rules than YAML.
    #[cold]
    fn hash_of_some(&self, pairs: &[VALUE]) -> Result<VALUE, Stop> {
        let pairs = pairs.chunks_exact(2);
        let is_text = |pair: &[VALUE]| ruby::is_string(pair[0]) || ruby::is_symbol(pair[0]);
        if self.duplicate_keys == DuplicateKeys::Error || !pairs.clone().all(is_text) {
            return Err(Stop::Complex);
        }
        let hash = ruby::new_hash();
        for pair in pairs {
            match ruby::hash_has(hash, pair[0]) {
                true if self.duplicate_keys == DuplicateKeys::First => continue,
                true => ruby::hash_delete(hash, pair[0]),
                false => {}
            }
            ruby::hash_set(hash, pair[0], pair[1]);
        }
        Ok(hash)
    }
}

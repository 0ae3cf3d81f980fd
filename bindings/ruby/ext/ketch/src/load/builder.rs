//! Creates the objects of a load from events, on the marked stack.

use super::psych::{self, Meaning};
use super::stop::Stop;
use super::{merge, scalar};
use crate::memory::{Keys, Memory, Stack};
use crate::options::LoadOptions;
use crate::permissions::Permissions;
use crate::ruby::{self, VALUE};
use ketch_host::load::{Complex, Make, Tag};
use ketch_yaml::DuplicateKeys;
use ketch_yaml::schema::Scalar;

/// Creates the values of a stream, one document after another.
///
/// Nothing in it needs to be dropped, since Ruby may raise anywhere.
pub struct Builder<'m> {
    pub stack: &'m Stack,
    /// The values of anchors, by the anchors' numbers; `UNFINISHED` while a value is incomplete.
    anchored: &'m Stack,
    pub keys: &'m Keys,
    duplicate_keys: DuplicateKeys,
    pub symbolize_names: bool,
    pub freeze: bool,
    psych: Option<Permissions>,
    /// The number of pairs that may still be copied for merge keys.
    merged_pairs_left: u64,
    tagged_class: VALUE,
    first_only: bool,
    /// The offset at which loading stops: the end of the text or, if only the first document is
    /// loaded, the end of that document.
    pub end: usize,
}

/// The result of adding something to a builder.
pub type Step = Result<(), Stop>;

impl<'m> Builder<'m> {
    /// Creates a builder for an input of `bytes` bytes, of which only the first document may be
    /// loaded.
    pub fn new(
        options: &LoadOptions,
        bytes: usize,
        first_only: bool,
        memory: &'m Memory,
    ) -> Builder<'m> {
        Builder {
            stack: &memory.stack,
            anchored: &memory.anchored,
            keys: &memory.keys,
            duplicate_keys: options.compose.duplicate_keys,
            symbolize_names: options.symbolize_names,
            freeze: options.freeze,
            psych: options.psych,
            merged_pairs_left: options.compose.limits.max_alias_nodes.at(bytes as u64),
            tagged_class: memory.tagged_class,
            first_only,
            end: bytes,
        }
    }

    #[inline(always)]
    fn push(&mut self, value: VALUE) -> Step {
        self.stack.push(value);
        Ok(())
    }

    /// Replaces the values from `start` on by the object that was created from them.
    #[inline(always)]
    pub fn finish(&mut self, start: usize, value: VALUE) -> Step {
        if self.freeze {
            ruby::freeze(value);
        }
        self.stack.truncate(start);
        self.push(value)
    }

    /// Pushes a scalar that is not text.
    pub fn push_scalar<T>(&mut self, scalar: Scalar<'_, T>) -> Step {
        let value = scalar::value(scalar)?.ok_or(Stop::Complex)?;
        if self.freeze {
            ruby::freeze(value);
        }
        self.push(value)
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

impl Make for Builder<'_> {
    type Error = Stop;

    #[inline(always)]
    fn count(&self) -> usize {
        self.stack.len()
    }

    #[inline(always)]
    fn null(&mut self) {
        self.stack.push(ruby::NIL);
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.stack.push(if value { ruby::TRUE } else { ruby::FALSE });
    }

    #[inline(always)]
    fn integer(&mut self, value: i64) -> Step {
        self.push(ruby::integer(value))
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Step {
        self.push(ruby::float(value))
    }

    fn digits(&mut self, text: &str, is_integer: bool) -> Step {
        self.push(scalar::number(text, is_integer)?)
    }

    #[inline(always)]
    fn text(&mut self, text: &[u8], _: bool) -> Step {
        self.push(if self.freeze { self.keys.string(text) } else { ruby::string(text) })
    }

    #[inline(always)]
    fn key(&mut self, text: &[u8], _: bool) -> Step {
        let is_symbol = self.symbolize_names && !self.is_merge_key(text);
        self.push(if is_symbol { self.keys.symbol(text) } else { self.keys.string(text) })
    }

    fn rare(&mut self, scalar: Scalar<'_, &[u8]>) -> Step {
        self.push_scalar(scalar)
    }

    #[inline(always)]
    fn sequence(&mut self, start: usize) -> Step {
        self.finish(start, ruby::array(self.stack.from(start)))
    }

    #[inline(always)]
    fn mapping(&mut self, start: usize, merges: bool) -> Step {
        let pairs = self.stack.from(start);
        let hash = match merges {
            true => merge::hash(pairs, &mut self.merged_pairs_left)?,
            false if self.psych.is_some() => ruby::hash(pairs),
            false => self.hash(pairs)?,
        };
        self.finish(start, hash)
    }

    fn tag(&mut self, tag: &str) -> Step {
        self.push(self.keys.string(tag.as_bytes()))
    }

    #[cold]
    fn wrap(&mut self) -> Step {
        let at = self.stack.len() - 2;
        let parts = [self.stack.get(at), self.stack.get(at + 1)];
        self.finish(at, ruby::structure(self.tagged_class, &parts))
    }

    fn anchor(&mut self) -> u32 {
        self.anchored.push(UNFINISHED);
        self.anchored.len() as u32 - 1
    }

    #[cold]
    fn define(&mut self, anchor: u32) {
        self.anchored.set(anchor as usize, self.stack.get(self.stack.len() - 1));
    }

    fn alias(&mut self, anchor: u32, merges: bool) -> Step {
        let value = self.anchored.get(anchor as usize);
        // Psych merges a sequence of mappings, but not an alias that refers to one.
        let is_merged = || merges && merge::is_key(self.stack.get(self.stack.len() - 1));
        let permits = |permissions: Permissions| {
            permissions.aliases() && !(ruby::is_array(value) && is_merged())
        };
        if value == UNFINISHED || self.psych.is_some_and(|permissions| !permits(permissions)) {
            return Err(Stop::Complex);
        }
        self.push(value)
    }

    /// Psych freezes the string that it uses as the key, but not the anchored string. If the key
    /// becomes a symbol, aliases to it are still strings.
    fn may_anchor(&self, is_key: bool, _: bool) -> bool {
        !(is_key && (self.psych.is_some() || self.symbolize_names))
    }

    #[inline(always)]
    fn end_document(&mut self, end: usize) -> Step {
        if self.first_only {
            self.end = end;
            return Err(Stop::Enough);
        }
        Ok(())
    }

    #[inline(always)]
    fn is_dialect(&self) -> bool {
        self.psych.is_some()
    }

    #[inline(always)]
    fn plain_of_dialect(&mut self, text: &[u8], _: bool) -> Result<bool, Stop> {
        let Some(permissions) = self.psych else { return Ok(false) };
        let value = match psych::meaning(text, permissions.is_strict()) {
            Meaning::Str => return Ok(false),
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
            return Ok(false);
        }
        self.stack.push(value);
        Ok(true)
    }

    #[cold]
    fn tag_of_dialect(&self, tag: &str) -> Result<Tag, Complex> {
        const SPECIAL: [&str; 9] =
            ["!ruby/", "!str", "!binary", "!float", "!omap", "!set", "!map", "!seq", "tag:"];
        Ok(match tag {
            "tag:yaml.org,2002:str" => Tag::Text,
            "tag:yaml.org,2002:int" | "tag:yaml.org,2002:seq" | "tag:yaml.org,2002:map" => {
                Tag::AsPlain
            }
            _ if SPECIAL.iter().any(|special| tag.starts_with(special)) => Tag::Special,
            _ => Tag::AsPlain,
        })
    }

    #[cold]
    fn special(&mut self, text: &[u8]) -> Step {
        let Some(permissions) = self.psych else { return Err(Stop::Complex) };
        let at = self.stack.len() - 1;
        let value = psych::tagged(self.stack.get(at), text, permissions)?;
        self.stack.truncate(at);
        self.push(value)
    }

    #[inline(always)]
    fn is_merge_key(&self, text: &[u8]) -> bool {
        self.psych.is_some() && text == merge::KEY
    }
}

/// The value of an anchor whose node is incomplete. It is `Qundef`, which no node has as its value.
const UNFINISHED: VALUE = rb_sys::Qundef as VALUE;

//! Types can be read from events or from a tree. Both must give the same result, whatever a type
//! requests, and however it behaves.
//!
//! A probe is a type without a fixed shape: at each node, it makes a random request to the
//! deserializer, does something random with the result, and logs what it gets. Some of this is bad
//! behavior: it ignores entries, requests values twice, and ignores errors.

use crate::generate::Random;
use ketch::Value;
use ketch::serde::{DeOptions, Deserializer, Error, Spanned};
use ketch_yaml::DuplicateKeys;
use ketch_yaml::schema::Schema;
use serde::de::{
    self, Deserialize, DeserializeSeed, EnumAccess, IgnoredAny, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use std::cell::RefCell;
use std::fmt::{self, Write};
use std::rc::Rc;

/// The number of words in a chunk of events.
const CHUNK_WORDS: usize = 4096;

/// The number of errors that a probe ignores before it gives up, since a persistent error could
/// repeat forever.
const ERRORS_MAX: usize = 20;

/// Checks that a probe receives the same from the events of a text as from its trees. The first
/// three bytes of `data` are the random seed, the options and the padding; the rest is the text.
pub fn read_alike(data: &[u8]) -> Result<(), String> {
    let Some((&[seed, options, padding], rest)) = data.split_first_chunk() else { return Ok(()) };
    let Ok(text) = std::str::from_utf8(rest) else { return Ok(()) };
    // A document before the text fills most of a chunk, so that the next chunk begins somewhere
    // within the text.
    let text = match padding {
        0..=127 => text.to_owned(),
        _ => format!("{}---\n{text}", "- a\n".repeat(CHUNK_WORDS - usize::from(padding) / 2)),
    };
    let mut how = DeOptions::default();
    how.merge_keys = Some(false);
    if options & 1 != 0 {
        how.schema = Schema::Yaml11;
    }
    if options & 2 != 0 {
        how.duplicate_keys = DuplicateKeys::Off;
    }
    if options & 4 != 0 {
        how.max_recursion = 3;
    }
    if options & 8 != 0 {
        how.limits.max_nodes = ketch_yaml::Budget::fixed(CHUNK_WORDS as u64 + 20);
    }
    let seed = u64::from(seed) << 8 | u64::from(options);
    let in_events = Deserializer::with_options(text.as_bytes(), &how);
    let in_trees = Deserializer::reader_with_options(text.as_bytes(), &how);
    let (events, trees) = match options & 16 {
        0 => (stream(in_events, seed), stream(in_trees, seed)),
        _ => (vec![single(in_events, seed)], vec![single(in_trees, seed)]),
    };
    for (events, trees) in events.iter().zip(&trees) {
        same(events, trees).map_err(|what| format!("{what}\n{text}"))?;
    }
    if events.len() != trees.len() {
        return Err(format!("{} and {} documents\n{text}", events.len(), trees.len()));
    }
    Ok(())
}

/// The log of a probe, and its result.
type Log = (String, Result<(), String>);

/// Compares the results of reading from events with those of reading from trees.
fn same(events: &Log, trees: &Log) -> Result<(), String> {
    // Errors in a text are found before a tree is read, but while events are read.
    let is_logged = !trees.0.is_empty() || trees.1.is_ok();
    if events.1 == trees.1 && (!is_logged || events.0 == trees.0) {
        return Ok(());
    }
    Err(format!("events: {:?}\n{}\ntrees: {:?}\n{}", events.1, events.0, trees.1, trees.0))
}

/// Reads a document with a probe. Returns the probe's log and result.
fn log(document: Deserializer<'_>, seed: u64) -> Log {
    let probe = Probe::new(seed);
    let result = probe.clone().deserialize(document).map_err(|error: Error| error.to_string());
    let log = std::mem::take(&mut probe.0.borrow_mut().log);
    (log, result)
}

/// Reads a stream that should contain only one document.
fn single(stream: Deserializer<'_>, seed: u64) -> Log {
    log(stream, seed)
}

/// Reads each document of a stream immediately, later, or never.
fn stream(mut stream: Deserializer<'_>, seed: u64) -> Vec<Log> {
    let dice = Probe::new(seed ^ 0x5EED);
    let mut all = Vec::new();
    let mut kept = Vec::new();
    for index in 0.. {
        let seed = seed + index;
        if dice.throw(8) == 0 {
            // The rest is read as if it were one document, even if there is none or more than one.
            all.push(log(stream, seed));
            break;
        }
        let Some(document) = stream.next() else { break };
        match dice.throw(8) {
            0 => kept.push((document, seed)),
            1 => drop(document),
            _ => all.push(log(document, seed)),
        }
    }
    all.extend(kept.into_iter().rev().map(|(document, seed)| log(document, seed)));
    all
}

/// A probe; see the module's documentation.
#[derive(Clone)]
struct Probe(Rc<RefCell<State>>);

struct State {
    random: Random,
    log: String,
    errors: usize,
}

impl Probe {
    fn new(seed: u64) -> Probe {
        let (random, log) = (Random::new(seed), String::new());
        Probe(Rc::new(RefCell::new(State { random, log, errors: 0 })))
    }

    /// Returns a random number below `sides`.
    fn throw(&self, sides: usize) -> usize {
        self.0.borrow_mut().random.below(sides)
    }

    fn note(&self, what: impl fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0.borrow_mut().log, "{what:?}");
    }

    /// Records an error, and returns whether to continue after it.
    fn continues_after(&self, error: &impl fmt::Display) -> bool {
        self.note(error.to_string());
        let mut state = self.0.borrow_mut();
        state.errors += 1;
        state.errors < ERRORS_MAX && error.to_string().len().is_multiple_of(2)
    }
}

impl<'de> DeserializeSeed<'de> for Probe {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, node: D) -> Result<(), D::Error> {
        match self.throw(40) {
            0 => node.deserialize_str(self),
            1 => node.deserialize_u8(self),
            2 => node.deserialize_f64(self),
            3 => node.deserialize_bool(self),
            4..=7 => node.deserialize_option(self),
            8 | 9 => node.deserialize_seq(self),
            10 | 11 => node.deserialize_map(self),
            12 | 13 => node.deserialize_struct("Probe", &["a", "b"], self),
            14 | 15 => node.deserialize_ignored_any(self),
            16 => node.deserialize_newtype_struct("Probe", self),
            17 => Value::deserialize(node).map(|value| self.note(value)),
            18 => Spanned::<Value>::deserialize(node).map(|value| self.note(value)),
            19 | 20 => node.deserialize_enum("Probe", &["a", "b"], self),
            21 => node.deserialize_tuple(2, self),
            22 => node.deserialize_unit(self),
            23 => node.deserialize_identifier(self),
            24 => {
                self.note("left alone");
                Ok(())
            }
            25 => Err(de::Error::custom("refused")),
            26 => node.deserialize_bytes(self),
            _ => node.deserialize_any(self),
        }
    }
}

macro_rules! visit {
    ($($method:ident($type:ty))*) => {
        $(fn $method<E: de::Error>(self, value: $type) -> Result<(), E> {
            self.note(value);
            Ok(())
        })*
    };
}

impl<'de> Visitor<'de> for Probe {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    visit! {
        visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_i128(i128) visit_u128(u128)
        visit_str(&str) visit_bytes(&[u8])
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.note(value.to_bits());
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.note("unit");
        Ok(())
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.note("none");
        Ok(())
    }

    fn visit_some<D: de::Deserializer<'de>>(self, node: D) -> Result<(), D::Error> {
        self.note("some");
        self.deserialize(node)
    }

    fn visit_newtype_struct<D: de::Deserializer<'de>>(self, node: D) -> Result<(), D::Error> {
        self.note("newtype");
        self.deserialize(node)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.note("sequence");
        loop {
            if self.throw(16) == 0 {
                self.note("enough");
                return Ok(());
            }
            match entries.next_element_seed(self.clone()) {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(error) if self.continues_after(&error) => {}
                Err(error) => return Err(error),
            }
        }
        self.note("end");
        if self.throw(8) == 0 {
            // After the last entry, there must be no more.
            let more = entries.next_element_seed(self.clone())?;
            self.note(more);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<(), A::Error> {
        self.note("mapping");
        loop {
            let pair = match self.throw(16) {
                0 => {
                    self.note("enough");
                    return Ok(());
                }
                1 => pairs.next_key_seed(self.clone()),
                2 => pairs.next_key::<IgnoredAny>().map(|key| key.map(|_| ())),
                3 => match pairs.next_key_seed(self.clone()) {
                    Ok(Some(())) => {
                        let value = pairs.next_value_seed(self.clone());
                        value.and_then(|()| pairs.next_value_seed(self.clone()).map(Some))
                    }
                    other => other,
                },
                4..=8 => match pairs.next_key_seed(self.clone()) {
                    Ok(Some(())) => pairs.next_value_seed(self.clone()).map(Some),
                    other => other,
                },
                _ => pairs.next_entry_seed(self.clone(), self.clone()).map(|pair| pair.map(|_| ())),
            };
            match pair {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(error) if self.continues_after(&error) => {}
                Err(error) => return Err(error),
            }
        }
        self.note("end");
        if self.throw(8) == 0 {
            let more = pairs.next_key_seed(self.clone())?;
            self.note(more);
        }
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<(), A::Error> {
        let (name, content) = variant.variant::<String>()?;
        self.note(name);
        match self.throw(4) {
            0 => content.unit_variant(),
            1 => content.tuple_variant(2, self),
            2 => content.struct_variant(&["a", "b"], self),
            _ => content.newtype_variant_seed(self),
        }
    }
}

//! noyalib's tree. Its events are private, so it is measured only at that level.

use noyalib::{DuplicateKeyPolicy, ParserConfig, Value, load_all_with_config};

use super::{Engine, Level, Reports, Tally, text_of};
use crate::native::noyalib_config;
use crate::work::locked;

struct Noyalib(ParserConfig);

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Noyalib(noyalib_config(DuplicateKeyPolicy::Last)))]
}

/// Counts the nodes of all documents.
fn tally_trees<'a>(documents: impl Iterator<Item = &'a Value>) -> Tally {
    let mut tally = Tally::default();
    let mut pending: Vec<&Value> = documents.collect();
    tally.documents = pending.len() as u64;
    while let Some(node) = pending.pop() {
        match node {
            Value::Sequence(items) => {
                tally.sequences += 1;
                pending.extend(items);
            }
            Value::Mapping(pairs) => {
                tally.mappings += 1;
                // Keys are strings here: a key that was a collection counts as one scalar.
                tally.scalars += pairs.len() as u64;
                pending.extend(pairs.iter().map(|(_, value)| value));
            }
            Value::Tagged(tagged) => pending.push(tagged.value()),
            _ => tally.scalars += 1,
        }
    }
    tally
}

impl Noyalib {
    fn load(&self, input: &[u8]) -> Result<Vec<Value>, String> {
        load_all_with_config(text_of(input)?, &self.0)
            .and_then(Iterator::collect)
            .map_err(|error| error.to_string())
    }
}

impl Engine for Noyalib {
    fn name(&self) -> &'static str {
        "noyalib"
    }

    fn version(&self) -> String {
        locked("noyalib")
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        (level == Level::Tree).then_some(Reports { aliases: false, text: false })
    }

    fn run(&mut self, _level: Level, input: &mut [u8]) -> Result<u64, String> {
        self.load(input).map(|documents| documents.len() as u64)
    }

    fn tally(&mut self, _level: Level, input: &mut [u8]) -> Result<Tally, String> {
        self.load(input).map(|documents| tally_trees(documents.iter()))
    }
}

//! noyalib's tree. Its events are private, so it is measured only at that level.

use noyalib::{MergeKeyPolicy, ParserConfig, Value, load_all_with_config};

use super::{Engine, Facts, Level, RUST_FLAGS, Reports, Tally, text_of};

struct Noyalib {
    facts: Facts,
    config: ParserConfig,
}

pub fn engines() -> Vec<Box<dyn Engine>> {
    let facts = Facts {
        name: "noyalib",
        version: env!("KETCH_BENCH_VERSION_NOYALIB").to_owned(),
        flags: format!("{RUST_FLAGS}; limits raised, merge keys kept"),
        note: "its events are private; its tree resolves scalars, expands aliases and keeps the \
               last of duplicate keys",
    };
    vec![Box::new(Noyalib { facts, config: config() })]
}

/// Returns the defaults, without the limits that a corpus file could exceed.
fn config() -> ParserConfig {
    let mut config = ParserConfig::default();
    config.max_depth = 100_000;
    config.alias_anchor_ratio = None;
    for limit in [
        &mut config.max_document_length,
        &mut config.max_stream_bytes,
        &mut config.max_alias_expansions,
        &mut config.max_mapping_keys,
        &mut config.max_sequence_length,
        &mut config.max_events,
        &mut config.max_nodes,
        &mut config.max_total_scalar_bytes,
        &mut config.max_documents,
    ] {
        *limit = usize::MAX;
    }
    config.merge_key_policy = MergeKeyPolicy::AsOrdinary;
    config
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
        load_all_with_config(text_of(input)?, &self.config)
            .and_then(Iterator::collect)
            .map_err(|error| error.to_string())
    }
}

impl Engine for Noyalib {
    fn facts(&self) -> &Facts {
        &self.facts
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

//! saphyr-parser's events, and saphyr's tree over them.

use saphyr::{Yaml, YamlLoader};
use saphyr_parser::{Event, Parser};

use super::{Engine, Level, Reports, Tally, outcome, text_of};
use crate::work::locked;

struct Saphyr;

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Saphyr)]
}

/// Counts the events of an input. With `check`, also hashes the text of scalars.
fn events(input: &str, check: bool) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for event in Parser::new_from_str(input) {
        match event.map_err(|error| error.to_string())?.0 {
            Event::DocumentStart(_) => tally.documents += 1,
            Event::SequenceStart(..) => tally.sequences += 1,
            Event::MappingStart(..) => tally.mappings += 1,
            Event::Alias(_) => tally.aliases += 1,
            Event::Scalar(text, ..) => {
                tally.scalars += 1;
                if check {
                    tally.add_text(text.as_bytes());
                }
            }
            _ => {}
        }
    }
    Ok(tally)
}

/// Builds the trees of all documents.
fn trees(input: &str) -> Result<Vec<Yaml<'_>>, String> {
    let mut loader = YamlLoader::<Yaml<'_>>::default();
    loader.early_parse(false);
    loader.allow_duplicate_keys(true);
    let mut parser = Parser::new_from_str(input);
    parser.load(&mut loader, true).map_err(|error| error.to_string())?;
    Ok(loader.into_documents())
}

/// Counts the nodes of all documents.
fn tally_trees(documents: &[Yaml<'_>]) -> Tally {
    let mut tally = Tally { documents: documents.len() as u64, ..Tally::default() };
    let mut pending: Vec<&Yaml<'_>> = documents.iter().collect();
    while let Some(node) = pending.pop() {
        if let Some(items) = node.as_vec() {
            tally.sequences += 1;
            pending.extend(items);
        } else if let Some(pairs) = node.as_mapping() {
            tally.mappings += 1;
            pending.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
        } else if let Yaml::Tagged(_, inner) = node {
            pending.push(inner);
        } else {
            tally.scalars += 1;
        }
    }
    tally
}

impl Engine for Saphyr {
    fn name(&self) -> &'static str {
        "saphyr"
    }

    fn version(&self) -> String {
        locked("saphyr-parser")
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        let events = level != Level::Tree;
        Some(Reports { aliases: events, text: events })
    }

    fn run(&mut self, level: Level, input: &mut [u8]) -> Result<u64, String> {
        let input = text_of(input)?;
        match level {
            Level::Tree => trees(input).map(|documents| documents.len() as u64),
            _ => events(input, false).map(|tally| outcome(&tally)),
        }
    }

    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String> {
        let input = text_of(input)?;
        match level {
            Level::Tree => trees(input).map(|documents| tally_trees(&documents)),
            _ => events(input, true),
        }
    }
}

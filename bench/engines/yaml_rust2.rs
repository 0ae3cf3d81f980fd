//! yaml-rust2's events and its tree.

use yaml_rust2::parser::{Event, EventReceiver, Parser};
use yaml_rust2::{Yaml, YamlLoader};

use super::{Engine, Level, Reports, Tally, outcome, text_of};
use crate::work::locked;

struct YamlRust2;

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(YamlRust2)]
}

struct Receiver {
    tally: Tally,
    check: bool,
}

impl EventReceiver for Receiver {
    fn on_event(&mut self, event: Event) {
        let tally = &mut self.tally;
        match event {
            Event::DocumentStart => tally.documents += 1,
            Event::SequenceStart(..) => tally.sequences += 1,
            Event::MappingStart(..) => tally.mappings += 1,
            Event::Alias(_) => tally.aliases += 1,
            Event::Scalar(text, ..) => {
                tally.scalars += 1;
                if self.check {
                    tally.add_text(text.as_bytes());
                }
            }
            _ => {}
        }
    }
}

/// Counts the events of an input. With `check`, also hashes the text of scalars.
fn events(input: &str, check: bool) -> Result<Tally, String> {
    let mut receiver = Receiver { tally: Tally::default(), check };
    let mut parser = Parser::new_from_str(input);
    parser.load(&mut receiver, true).map_err(|error| error.to_string())?;
    Ok(receiver.tally)
}

fn trees(input: &str) -> Result<Vec<Yaml>, String> {
    YamlLoader::load_from_str(input).map_err(|error| error.to_string())
}

/// Counts the nodes of all documents.
fn tally_trees(documents: &[Yaml]) -> Tally {
    let mut tally = Tally { documents: documents.len() as u64, ..Tally::default() };
    let mut pending: Vec<&Yaml> = documents.iter().collect();
    while let Some(node) = pending.pop() {
        match node {
            Yaml::Array(items) => {
                tally.sequences += 1;
                pending.extend(items);
            }
            Yaml::Hash(pairs) => {
                tally.mappings += 1;
                pending.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
            }
            _ => tally.scalars += 1,
        }
    }
    tally
}

impl Engine for YamlRust2 {
    fn name(&self) -> &'static str {
        "yaml-rust2"
    }

    fn version(&self) -> String {
        locked("yaml-rust2")
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

//! granit-parser's events.

use granit_parser::{Event, Parser};

use super::{Engine, Level, Reports, Tally, outcome, text_of};
use crate::work::locked;

struct Granit;

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Granit)]
}

/// Counts the events of an input. With `check`, also hashes the text of scalars.
fn events(input: &str, check: bool) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let options = granit_parser::options! {
        emit_comments: false,
        flow_nesting_limit: usize::MAX,
        block_nesting_limit: usize::MAX,
    };
    for event in Parser::new_from_str_with_options(input, options) {
        match event.map_err(|error| error.to_string())?.0 {
            Event::DocumentStart(..) => tally.documents += 1,
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

impl Engine for Granit {
    fn name(&self) -> &'static str {
        "granit"
    }

    fn version(&self) -> String {
        locked("granit-parser")
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        (level != Level::Tree).then_some(Reports { aliases: true, text: true })
    }

    fn run(&mut self, _level: Level, input: &mut [u8]) -> Result<u64, String> {
        events(text_of(input)?, false).map(|tally| outcome(&tally))
    }

    fn tally(&mut self, _level: Level, input: &mut [u8]) -> Result<Tally, String> {
        events(text_of(input)?, true)
    }
}

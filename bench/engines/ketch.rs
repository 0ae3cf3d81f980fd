//! Ketch itself.

use std::hint::black_box;

use ketch_yaml::{Chunk, Counter, EventKind, Parser, Receiver, scalar};

use super::{Engine, Level, Reports, Tally, outcome};
use crate::work::locked;

struct Ketch {
    /// Reused buffer for decoded text.
    decoded: Vec<u8>,
}

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Ketch { decoded: Vec::new() })]
}

/// Parses like a caller who only needs the structure.
fn events(input: &[u8]) -> Result<Tally, String> {
    let mut counter = Counter::default();
    Parser::new(input).push_into(&mut counter).map_err(|error| error.to_string())?;
    Ok(tally_of(&counter))
}

/// Returns the numbers of a counter as a tally.
fn tally_of(counter: &Counter) -> Tally {
    Tally {
        documents: counter.count(EventKind::DocumentStart),
        sequences: counter.count(EventKind::SequenceStart),
        mappings: counter.count(EventKind::MappingStart),
        scalars: counter.scalars(),
        aliases: counter.count(EventKind::Alias),
        ..Tally::default()
    }
}

/// A receiver that decodes every scalar.
struct Texts<'d, F> {
    counter: Counter,
    /// The last decoded text.
    decoded: &'d mut Vec<u8>,
    on_text: F,
}

impl<F: FnMut(&[u8])> Receiver for Texts<'_, F> {
    type Error = ketch_yaml::Error;

    fn receive(&mut self, chunk: &Chunk<'_, '_>) -> Result<(), Self::Error> {
        for event in chunk.events().filter(|event| event.kind.is_scalar()) {
            if let Some(text) = scalar::verbatim(chunk.text(), &event) {
                (self.on_text)(text);
            } else {
                self.decoded.clear();
                scalar::decode(chunk.text(), &event, self.decoded);
                (self.on_text)(self.decoded);
            }
        }
        self.counter.receive(chunk)
    }
}

impl Ketch {
    /// Counts the events of an input, and passes the decoded text of each scalar to `on_text`.
    fn decoded(&mut self, input: &[u8], on_text: impl FnMut(&[u8])) -> Result<Tally, String> {
        let counter = Counter::default();
        let mut texts = Texts { counter, decoded: &mut self.decoded, on_text };
        Parser::new(input).push_into(&mut texts).map_err(|error| error.to_string())?;
        Ok(tally_of(&texts.counter))
    }
}

impl Engine for Ketch {
    fn name(&self) -> &'static str {
        "ketch"
    }

    fn version(&self) -> String {
        locked("ketch-yaml")
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        match level {
            Level::Events => Some(Reports { aliases: true, text: false }),
            Level::Decoded => Some(Reports { aliases: true, text: true }),
            Level::Tree => None,
        }
    }

    fn run(&mut self, level: Level, input: &mut [u8]) -> Result<u64, String> {
        let tally = match level {
            Level::Decoded => self.decoded(input, |text| {
                black_box(text);
            }),
            _ => events(input),
        };
        tally.map(|tally| outcome(&tally))
    }

    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String> {
        if level != Level::Decoded {
            return events(input);
        }
        let mut texts = Tally::default();
        let tally = self.decoded(input, |text| texts.add_text(text))?;
        Ok(Tally { text: texts.text, ..tally })
    }
}

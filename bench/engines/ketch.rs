//! Ketch itself.

use std::hint::black_box;

use ketch_yaml::{EventKind, Parser, scalar};

use super::{Engine, Facts, Level, RUST_FLAGS, Tally, Tells, outcome};

struct Ketch {
    facts: Facts,
    /// Text of the scalars of one chunk that are not their bytes; used again and again.
    decoded: Vec<u8>,
}

pub fn engines() -> Vec<Box<dyn Engine>> {
    let facts = Facts {
        name: "ketch",
        version: env!("KETCH_BENCH_VERSION_KETCH_YAML").to_owned(),
        flags: format!("{RUST_FLAGS}; vector instructions chosen at run time"),
        note: "a parser for each input; all events are visited and counted",
    };
    vec![Box::new(Ketch { facts, decoded: Vec::new() })]
}

impl Ketch {
    /// Visits all events; `on_scalar` gets each scalar's text, and an empty one at [`Level::Events`].
    fn parse(
        &mut self,
        level: Level,
        input: &[u8],
        mut on_scalar: impl FnMut(&[u8]),
    ) -> Result<Tally, String> {
        let mut kinds = [0_u64; 16];
        let mut parser = Parser::new(input);
        while let Some(chunk) = parser.next_chunk().map_err(|error| error.to_string())? {
            for event in chunk.events() {
                kinds[event.kind as usize] += 1;
                if level == Level::Decoded && event.kind.is_scalar() {
                    if let Some(text) = scalar::verbatim(chunk.text(), &event) {
                        on_scalar(text);
                    } else {
                        self.decoded.clear();
                        scalar::decode(chunk.text(), &event, &mut self.decoded);
                        on_scalar(&self.decoded);
                    }
                }
            }
        }
        Ok(tally_of(&kinds))
    }
}

fn tally_of(kinds: &[u64; 16]) -> Tally {
    let of = |kind: EventKind| kinds[kind as usize];
    Tally {
        documents: of(EventKind::DocumentStart),
        sequences: of(EventKind::SequenceStart),
        mappings: of(EventKind::MappingStart),
        scalars: kinds[EventKind::Plain as usize..=EventKind::Folded as usize].iter().sum(),
        aliases: of(EventKind::Alias),
        ..Tally::default()
    }
}

impl Engine for Ketch {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn tells(&self, level: Level) -> Option<Tells> {
        match level {
            Level::Events => Some(Tells { aliases: true, text: false }),
            Level::Decoded => Some(Tells { aliases: true, text: true }),
            Level::Tree => None,
        }
    }

    fn run(&mut self, level: Level, input: &mut [u8]) -> Result<u64, String> {
        let tally = self.parse(level, input, |text| {
            black_box(text);
        })?;
        Ok(outcome(&tally))
    }

    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String> {
        let mut texts = Tally::default();
        let tally = self.parse(level, input, |text| texts.add_text(text))?;
        Ok(Tally { text: texts.text, ..tally })
    }
}

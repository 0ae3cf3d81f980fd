//! YAML engines, by the amount of their work: `yaml.events`, `yaml.decoded`, `yaml.tree`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

use ketch::Value;

use crate::engines::{self, Engine, Level, PADDING, Tally};
use crate::runner::read;
use crate::work::{Clock, Prepared, Refusal, Work, absent, same, unable};

/// The size of all copies of a small input, which stay in the second-level cache.
const ARENA_BYTES: usize = 256 * 1024;

/// The size of a page. Copies are moved within it: processors predict from these bits of an address
/// whether a load depends on an earlier store.
const PAGE_BYTES: usize = 4096;

thread_local! {
    /// The memory of the copies, in which all engines find their input at the same place.
    static ARENA: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Copies of one input, one for each parse, because an engine may modify its copy.
struct Copies<'a> {
    source: &'a [u8],
    arena: &'a mut [u8],
    stride: usize,
}

impl<'a> Copies<'a> {
    /// Makes room for at least one copy. The position within a page depends on `round`: the
    /// position of an input relative to an engine's buffers affects its speed by chance, and must
    /// not be the same in all rounds.
    fn new(arena: &'a mut Vec<u8>, source: &'a [u8], round: usize) -> Self {
        let stride = (source.len() + PADDING).next_multiple_of(64);
        let bytes = (ARENA_BYTES / stride).max(1) * stride;
        if arena.len() < bytes + 2 * PAGE_BYTES {
            arena.resize(bytes + 2 * PAGE_BYTES, 0);
        }
        let lead = arena.as_ptr().align_offset(PAGE_BYTES) + round * 11 * 64 % PAGE_BYTES;
        Self { source, arena: &mut arena[lead..lead + bytes], stride }
    }

    fn count(&self) -> usize {
        self.arena.len() / self.stride
    }

    fn refill(&mut self, count: usize) {
        for slot in self.arena.chunks_exact_mut(self.stride).take(count) {
            slot[..self.source.len()].copy_from_slice(self.source);
        }
    }

    fn slots(&mut self, count: usize) -> impl Iterator<Item = &mut [u8]> {
        let length = self.source.len();
        let copies = self.arena.chunks_exact_mut(self.stride).take(count);
        copies.map(move |slot| &mut slot[..length])
    }
}

/// Returns the versions of all engines.
pub fn engines() -> BTreeMap<&'static str, String> {
    engines::all().iter().map(|engine| (engine.name(), engine.version())).collect()
}

pub fn prepare(level: &str, engine: &str, input: &Path) -> Prepared {
    let level = match level {
        "events" => Level::Events,
        "decoded" => Level::Decoded,
        "tree" => Level::Tree,
        _ => return Err(unable()),
    };
    let mut engine = named(engine).ok_or_else(|| absent(engine))?;
    engine.reports(level).ok_or_else(unable)?;
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    if !engine.reads(&name) {
        return Err(Refusal::Unable("the engine does not read this format".to_owned()));
    }
    let source = read(input)?;
    engine.prepare(level, &source);
    Ok(Box::new(Parses { engine, level, source, round: 0, expected: None }))
}

fn named(name: &str) -> Option<Box<dyn Engine>> {
    engines::all().into_iter().find(|engine| engine.name() == name)
}

struct Parses {
    engine: Box<dyn Engine>,
    level: Level,
    source: Vec<u8>,
    round: usize,
    /// What each timed parse returns.
    expected: Option<u64>,
}

impl Parses {
    /// Counts everything in one parse.
    fn tally(&mut self) -> Result<Tally, String> {
        let mut copy = [&self.source[..], &[0; PADDING]].concat();
        self.engine.reset(self.level);
        self.engine.tally(self.level, &mut copy[..self.source.len()])
    }
}

impl Work for Parses {
    fn run(&mut self, times: usize, clock: &mut Clock) -> Result<(), String> {
        let Self { engine, level, source, round, expected } = self;
        *round += 1;
        ARENA.with_borrow_mut(|arena| {
            let mut copies = Copies::new(arena, source, *round);
            let most = engine.parses_per_reset(*level).min(copies.count());
            let mut left = times;
            while left > 0 {
                let batch = left.min(most);
                copies.refill(batch);
                engine.reset(*level);
                let is_same = clock.time(|| {
                    copies.slots(batch).try_fold(true, |is_same, input| {
                        let found = black_box(engine.run(*level, black_box(input))?);
                        Ok::<_, String>(is_same & (found == *expected.get_or_insert(found)))
                    })
                })?;
                same(is_same)?;
                left -= batch;
            }
            Ok(())
        })
    }

    /// Returns the counts of the events, and the hash of the scalars' text if they are decoded.
    fn value(&mut self) -> Result<Value, String> {
        let reports = self.engine.reports(self.level).ok_or("does not do this")?;
        let mut found = self.tally()?;
        // What an engine does not know cannot be compared.
        if !reports.aliases {
            let mut ketch = named("ketch").ok_or("no engine of Ketch")?;
            found.aliases = ketch.tally(Level::Events, &mut self.source.clone())?.aliases;
        }
        let Tally { documents, sequences, mappings, scalars, aliases, text } = found;
        let mut counts = vec![documents, sequences, mappings, scalars, aliases];
        if self.level == Level::Decoded {
            counts.push(text);
        }
        Ok(counts.into_iter().map(Value::from).collect::<Vec<_>>().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_copy_is_whole_after_a_refill() {
        let mut arena = Vec::new();
        let mut copies = Copies::new(&mut arena, b"key: value\n", 3);
        let count = copies.count();
        copies.refill(count);
        copies.slots(3).for_each(|slot| slot.fill(b'x'));
        copies.refill(3);
        assert!(count > 1000);
        assert!(copies.slots(count).all(|slot| slot == b"key: value\n"));
    }
}

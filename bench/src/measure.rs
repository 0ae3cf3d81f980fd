//! Timing. Engines alternate on the same input, so that disturbances of the machine affect all of
//! them.

use std::hint::black_box;
use std::time::Duration;

use crate::clock;
use crate::corpus::Item;
use crate::engines::{Engine, Level, PADDING};

/// The minimum duration of a sample. Small inputs are parsed many times in it.
const SAMPLE: Duration = Duration::from_millis(2);

/// The size of all copies of a small input, which stay in the second-level cache.
const ARENA_BYTES: usize = 256 * 1024;

/// The maximum distance by which copies are moved: the range of the address bits from which
/// processors predict whether a load depends on an earlier store.
const LEAD_MAX: usize = 4096;

/// Copies of one input, one for each parse of a sample, because an engine may modify its copy.
pub struct Copies<'a> {
    source: &'a [u8],
    arena: Vec<u8>,
    stride: usize,
    /// Bytes before the first copy.
    lead: usize,
}

impl<'a> Copies<'a> {
    /// Creates at least one copy of `source`.
    #[must_use]
    pub fn new(source: &'a [u8]) -> Self {
        let stride = (source.len() + PADDING).next_multiple_of(64);
        let count = (ARENA_BYTES / stride).max(1);
        Self { source, arena: vec![0; stride * count + LEAD_MAX], stride, lead: 0 }
    }

    fn count(&self) -> usize {
        (self.arena.len() - LEAD_MAX) / self.stride
    }

    /// Moves the copies to a position within a page that depends on the round. The position of an
    /// input relative to an engine's buffers affects its speed by chance, and must not be the same
    /// in all rounds.
    fn shift(&mut self, round: usize) {
        self.lead = round * 11 * 64 % LEAD_MAX;
    }

    fn refill(&mut self, count: usize) {
        for slot in self.arena[self.lead..].chunks_exact_mut(self.stride).take(count) {
            slot[..self.source.len()].copy_from_slice(self.source);
        }
    }

    fn slots(&mut self, count: usize) -> impl Iterator<Item = &mut [u8]> {
        let length = self.source.len();
        let copies = self.arena[self.lead..].chunks_exact_mut(self.stride).take(count);
        copies.map(move |slot| &mut slot[..length])
    }
}

/// Measures `engines` on `item` in one round to warm up and `rounds` timed rounds. Returns the
/// seconds per parse.
///
/// In each round, every engine yields one sample, and each round starts with a different engine.
///
/// # Errors
///
/// Returns the index of the engine and the reason, if a run fails or does not return the engine's
/// expected outcome. The engine succeeded when it was verified, so this is a defect to report.
pub fn measure(
    engines: &mut [(&mut Box<dyn Engine>, u64)],
    level: Level,
    item: &Item,
    rounds: usize,
) -> Result<Vec<Vec<f64>>, (usize, String)> {
    let mut copies = Copies::new(&item.bytes);
    let mut samples = vec![Vec::with_capacity(rounds); engines.len()];
    let reading = clock::reading_cost();
    for (engine, _) in engines.iter_mut() {
        engine.prepare(level, &item.bytes);
    }
    for round in 0..=rounds {
        copies.shift(round);
        for turn in 0..engines.len() {
            let index = (turn + round) % engines.len();
            let (engine, outcome) = &mut engines[index];
            let sample = sample(engine.as_mut(), level, &mut copies, reading, *outcome)
                .map_err(|reason| (index, reason))?;
            if round > 0 {
                samples[index].push(sample);
            }
        }
    }
    Ok(samples)
}

/// Returns the seconds per parse over a sample of at least [`SAMPLE`].
fn sample(
    engine: &mut dyn Engine,
    level: Level,
    copies: &mut Copies<'_>,
    reading: Duration,
    outcome: u64,
) -> Result<f64, String> {
    let batch = engine.parses_per_reset(level).min(copies.count());
    let (mut total, mut parses) = (Duration::ZERO, 0_usize);
    while total < SAMPLE {
        copies.refill(batch);
        engine.reset(level);
        let start = clock::thread_cpu_time();
        for input in copies.slots(batch) {
            let found = black_box(engine.run(level, black_box(input))?);
            if found != outcome {
                return Err("a timed run gave another result than the probe".to_owned());
            }
        }
        total += (clock::thread_cpu_time() - start).saturating_sub(reading);
        parses += batch;
    }
    Ok(total.as_secs_f64() / parses as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_copy_is_whole_after_a_refill() {
        let mut copies = Copies::new(b"key: value\n");
        let count = copies.count();
        copies.refill(count);
        copies.slots(3).for_each(|slot| slot.fill(b'x'));
        copies.refill(3);
        assert!(copies.count() > 1000);
        assert!(copies.slots(count).all(|slot| slot == b"key: value\n"));
        copies.shift(5);
        copies.refill(count);
        assert!(copies.slots(count).all(|slot| slot == b"key: value\n"));
    }
}

//! Stores the keys of a very large mapping as sorted runs of fingerprints, in four and a half bytes per
//! key.
//!
//! A fingerprint has 46 bits. The first 14 bits choose a bucket, so a run stores the number of keys in
//! each bucket, and 32 bits per key. Two keys with the same fingerprint are in the same bucket of their
//! runs, so only keys in the same bucket have to be compared. Different keys rarely have the same
//! fingerprint (in 3% of mappings with two million keys). The caller then compares their text.

/// The maximum number of keys in a run, so that 16 bits can count the keys of a bucket.
pub(super) const RUN_KEYS: usize = u16::MAX as usize;

const BUCKET_BITS: u32 = 14;
const BUCKETS: usize = 1 << BUCKET_BITS;

/// The runs of one mapping.
#[derive(Debug, Default)]
pub(super) struct Runs(Vec<Run>);

/// A sorted run of at most [`RUN_KEYS`] fingerprints.
#[derive(Debug)]
struct Run {
    /// The number of keys in each bucket.
    counts: Box<[u16]>,
    /// The rest of each fingerprint, bucket by bucket.
    rests: Box<[u32]>,
}

/// Returns the fingerprint of a key, given `hash`, the hash of its meaning.
pub(super) fn print_of(hash: u64) -> u64 {
    hash >> (u64::BITS - u32::BITS - BUCKET_BITS)
}

/// Returns the number of the bucket for the fingerprint `print`, which its first bits give.
fn bucket_of(print: u64) -> usize {
    (print >> u32::BITS) as usize
}

impl Runs {
    /// Adds a run of at most [`RUN_KEYS`] keys, whose hashes are `hashes`.
    pub fn add(&mut self, hashes: &[u64]) {
        debug_assert!(hashes.len() <= RUN_KEYS);
        let mut counts = vec![0u16; BUCKETS].into_boxed_slice();
        for &hash in hashes {
            counts[bucket_of(print_of(hash))] += 1;
        }
        let mut ends = starts(&counts);
        let mut rests = vec![0u32; hashes.len()].into_boxed_slice();
        for &hash in hashes {
            let print = print_of(hash);
            let end = &mut ends[bucket_of(print)];
            rests[*end] = print as u32;
            *end += 1;
        }
        self.0.push(Run { counts, rests });
    }

    /// Returns the fingerprints shared by several keys, in order.
    pub fn repeated(&self) -> Vec<u64> {
        let mut repeated = Vec::new();
        let mut taken = vec![0; self.0.len()];
        let mut bucket_rests: Vec<u32> = Vec::new();
        for bucket in 0..BUCKETS {
            bucket_rests.clear();
            for (run, taken) in self.0.iter().zip(&mut taken) {
                let end = *taken + usize::from(run.counts[bucket]);
                bucket_rests.extend_from_slice(&run.rests[*taken..end]);
                *taken = end;
            }
            bucket_rests.sort_unstable();
            let same = bucket_rests.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
            let print = |rest: u32| (bucket as u64) << u32::BITS | u64::from(rest);
            repeated.extend(same.map(|same| print(same[0])));
        }
        repeated
    }
}

/// Returns the index at which each bucket starts in a run whose buckets have `counts` keys.
fn starts(counts: &[u16]) -> Vec<usize> {
    let mut start = 0;
    let next = |&count: &u16| {
        let this = start;
        start += usize::from(count);
        this
    };
    counts.iter().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u64) -> u64 {
        (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[test]
    fn fingerprints_repeated_within_or_across_runs_are_found() {
        let mut runs = Runs::default();
        let first: Vec<u64> = (0..RUN_KEYS as u64).map(hash).collect();
        runs.add(&first);
        assert!(runs.repeated().is_empty());
        runs.add(&[hash(7), hash(100_000), hash(100_000), hash(200_000)]);
        runs.add(&[hash(7), hash(300_000)]);
        let mut expected = vec![print_of(hash(7)), print_of(hash(100_000))];
        expected.sort_unstable();
        assert_eq!(runs.repeated(), expected);
    }

    #[test]
    fn equal_keys_fill_one_bucket() {
        let mut runs = Runs::default();
        runs.add(&vec![u64::MAX; RUN_KEYS]);
        assert_eq!(runs.repeated(), [print_of(u64::MAX)]);
    }
}

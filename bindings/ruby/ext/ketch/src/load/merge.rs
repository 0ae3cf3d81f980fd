//! Merge keys as in Psych: pair by pair, so pairs after `<<` win and those before it are
//! overwritten. A value that cannot be merged is that of an ordinary key.

use super::stop::Stop;
use crate::given;
use crate::ruby::{self, VALUE};

/// The key.
pub const KEY: &[u8] = b"<<";

/// Returns the hash of alternating keys and values, some of whose keys are `<<`. `pairs_left` is
/// the rest of the budget for merged pairs.
#[cold]
pub fn hash(pairs: &[VALUE], pairs_left: &mut u64) -> Result<VALUE, Stop> {
    let hash = ruby::new_hash();
    for pair in pairs.chunks_exact(2) {
        let (key, value) = (pair[0], pair[1]);
        if is_key(key) && ruby::is_hash(value) {
            count(value, pairs_left)?;
            ruby::hash_update(hash, value);
        } else if is_key(key) && is_list_of_hashes(value) {
            ruby::hash_update(hash, merged(value, pairs_left)?);
        } else {
            ruby::hash_set(hash, key, value);
        }
    }
    Ok(hash)
}

/// Merges the hashes of a list into one and returns it. Of equal keys, the first counts.
fn merged(list: VALUE, pairs_left: &mut u64) -> Result<VALUE, Stop> {
    let merged = ruby::new_hash();
    for index in (0..ruby::array_len(list)).rev() {
        let hash = ruby::entry(list, index);
        count(hash, pairs_left)?;
        ruby::hash_update(merged, hash);
    }
    Ok(merged)
}

/// Counts the pairs of a hash against the budget. They are copied each time it is merged.
fn count(hash: VALUE, pairs_left: &mut u64) -> Result<(), Stop> {
    *pairs_left = pairs_left.checked_sub(ruby::hash_len(hash) as u64).ok_or(Stop::Complex)?;
    Ok(())
}

/// Returns whether a key is `<<`.
pub fn is_key(key: VALUE) -> bool {
    // SAFETY: the value is checked to be a string first, and Ruby does not run while its bytes are
    // compared.
    ruby::is_string(key) && unsafe { given::bytes(key) } == KEY
}

/// Returns whether a value is an array that contains only hashes.
fn is_list_of_hashes(value: VALUE) -> bool {
    ruby::is_array(value)
        && (0..ruby::array_len(value)).all(|index| ruby::is_hash(ruby::entry(value, index)))
}

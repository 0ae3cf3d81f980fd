//! Merge keys as in Psych. The pairs of a mapping are added one by one, so a merged pair replaces
//! an earlier pair with the same key, and is replaced by a later one. If the value of `<<` cannot
//! be merged, `<<` is an ordinary key.

use super::stop::Stop;
use crate::given;
use crate::ruby::{self, VALUE};

/// The merge key.
pub const KEY: &[u8] = b"<<";

/// Returns the hash for alternating keys and values, of which some keys are `<<`. `pairs_left` is
/// the number of pairs that may still be merged.
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

/// Merges the hashes in `list` into one, and returns it. If several have the same key, the first
/// one's value is used.
fn merged(list: VALUE, pairs_left: &mut u64) -> Result<VALUE, Stop> {
    let merged = ruby::new_hash();
    for index in (0..ruby::array_len(list)).rev() {
        let hash = ruby::entry(list, index);
        count(hash, pairs_left)?;
        ruby::hash_update(merged, hash);
    }
    Ok(merged)
}

/// Subtracts the number of pairs of a hash from `pairs_left`, since they are copied each time that
/// the hash is merged. Fails if there are too many.
fn count(hash: VALUE, pairs_left: &mut u64) -> Result<(), Stop> {
    *pairs_left = pairs_left.checked_sub(ruby::hash_len(hash) as u64).ok_or(Stop::Complex)?;
    Ok(())
}

/// Returns whether a key is the string `<<`.
pub fn is_key(key: VALUE) -> bool {
    // SAFETY: the value is checked to be a string, and Ruby does not run while its bytes are
    // compared.
    ruby::is_string(key) && unsafe { given::bytes(key) } == KEY
}

/// Returns whether a value is an array that contains only hashes.
fn is_list_of_hashes(value: VALUE) -> bool {
    ruby::is_array(value)
        && (0..ruby::array_len(value)).all(|index| ruby::is_hash(ruby::entry(value, index)))
}

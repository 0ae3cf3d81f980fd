//! The function that Java calls for the types of plain scalars, the native method of
//! `dev.ketch.NativeTypes`.

use crate::env::{self, Env, Object};
use crate::guard::guarded;
use crate::jni::no_memory;
use crate::pull;
use ketch_yaml::schema::Schema;

/// The number of bytes, and of texts, for which no memory is allocated.
const FEW: usize = 256;

/// Implements `types(schema, texts, length, ends, count, types)`: writes the numbers of the types of
/// plain scalars, as in events, to the array `types`. The scalars follow each other in `texts`, and
/// `ends` has the end of each. Returns 0, or the results of `next` for a failure.
///
/// # Safety
/// `texts` must be a `byte[]` of at least `length` bytes, `ends` an `int[]` and `types` a `byte[]` of
/// at least `count` elements. The ends must not decrease, and must not exceed `length`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeTypes_types(
    env: Env,
    _: Object,
    schema: i32,
    texts: Object,
    length: i32,
    ends: Object,
    count: i32,
    types: Object,
) -> i64 {
    guarded!(env, || {
        let (length, count) = (length.max(0) as usize, count.max(0) as usize);
        let (mut few_bytes, mut few_ends, mut few_types) = ([0; FEW], [0; FEW], [0; FEW]);
        let (mut many_bytes, mut many_ends, mut many_types) = (Vec::new(), Vec::new(), Vec::new());
        let Some(bytes) = space(length, &mut few_bytes, &mut many_bytes) else {
            return no_memory();
        };
        let Some(ends_of) = space(count, &mut few_ends, &mut many_ends) else { return no_memory() };
        let Some(found) = space(count, &mut few_types, &mut many_types) else { return no_memory() };
        // SAFETY: by the caller's contract.
        unsafe {
            env::fill_bytes(env, texts, bytes);
            env::ints_of(env, ends, ends_of);
        }
        let schema = Schema::ALL[schema as usize];
        let mut start = 0;
        for (end, found) in ends_of.iter().zip(found.iter_mut()) {
            let end = *end as usize;
            *found = pull::number_of_type(schema.resolve(&bytes[start..end]));
            start = end;
        }
        // SAFETY: by the caller's contract.
        unsafe { env::copy_bytes(env, found, types) };
        0
    })
}

/// Returns space for `count` elements: in an array if they are few, otherwise in a vector. Returns
/// `None` if there is not enough memory.
fn space<'s, T: Copy + Default>(
    count: usize,
    few: &'s mut [T; FEW],
    many: &'s mut Vec<T>,
) -> Option<&'s mut [T]> {
    if count <= FEW {
        return Some(&mut few[..count]);
    }
    many.try_reserve_exact(count).ok()?;
    many.resize(count, T::default());
    Some(many)
}

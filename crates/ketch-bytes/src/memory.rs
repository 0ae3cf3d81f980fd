//! Prefetches memory into the cache.

/// Prefetches the start of `values` into the cache. Does nothing on architectures other than
/// x86-64.
///
/// ```
/// let numbers = vec![7; 1000];
/// ketch_bytes::memory::prefetch(&numbers);
/// ketch_bytes::memory::prefetch::<u8>(&[]);
/// assert_eq!(numbers.iter().sum::<i32>(), 7000);
/// ```
#[inline(always)]
pub fn prefetch<T>(values: &[T]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch has no visible effect and never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = values;
}

//! The CPU time of this thread, to which other processes on a shared machine do not add.

use std::mem::MaybeUninit;
use std::time::Duration;

/// Returns the CPU time that the calling thread has used so far, kernel time included.
///
/// # Panics
/// Panics if the system has no such clock.
#[must_use]
pub fn thread_cpu_time() -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the pointer is valid for a write of a `timespec`.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr()) };
    assert_eq!(status, 0, "no clock for the CPU time of a thread");
    // SAFETY: the call succeeded, so it wrote the whole struct.
    let time = unsafe { time.assume_init() };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the cost of two readings: the minimum of many, subtracted from each sample.
#[must_use]
pub fn reading_cost() -> Duration {
    let cost = || {
        let start = thread_cpu_time();
        thread_cpu_time() - start
    };
    (0..1000).map(|_| cost()).min().unwrap_or_default()
}

//! Handles running out of memory. By default, Rust ends the process then, but users of a host
//! language expect an exception. So some memory is held in reserve, and is released when an
//! allocation fails. Wherever a load checks for interrupts, it also checks whether memory was
//! released, and if so, raises an exception.
//!
//! ```
//! use ketch_host::reserve::{self, Reserving};
//!
//! #[global_allocator]
//! static ALLOCATOR: Reserving = Reserving;
//!
//! let text = "- a\n".repeat(100_000);
//! let reserve = reserve::hold_for(text.len()).expect("there is memory");
//! // ... load; where it checks for interrupts:
//! assert!(!reserve::was_needed());
//! drop(reserve);
//! ```
//!
//! The reserve is never written to, so it takes only address space, no physical memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// The system's allocator, which releases a reserve when an allocation fails. A binding uses it as
/// its global allocator.
#[derive(Debug)]
pub struct Reserving;

/// The size of the reserve that is always held, in bytes. It is for memory that does not grow with
/// the input.
const LEAST_BYTES: usize = 1 << 20;

/// The minimum size in bytes of an input that gets a reserve of its own.
const LARGE_INPUT_BYTES: usize = 1 << 15;
/// The number of bytes that are reserved per byte of such an input. A document has at most one node
/// of 16 bytes per two bytes of text, and its memory doubles when it grows.
const BYTES_PER_INPUT_BYTE: usize = 20;

/// The maximum size of a reserve in bytes. Some systems do not allow more, even as address space.
const MOST_BYTES: usize = 1 << 30;

/// The reserve that is always held comes first. The others are for loads that run at the same time.
static RESERVES: [Reserve; 8] = [const { Reserve::new() }; 8];
static IS_EXHAUSTED: AtomicBool = AtomicBool::new(false);

struct Reserve {
    start: AtomicPtr<u8>,
    bytes: AtomicUsize,
}

impl Reserve {
    /// Creates a reserve that holds nothing.
    const fn new() -> Reserve {
        Reserve { start: AtomicPtr::new(null_mut()), bytes: AtomicUsize::new(0) }
    }

    /// Allocates `bytes` bytes for this reserve. Returns whether there was enough memory, or `None`
    /// if the reserve is already in use.
    fn hold(&self, bytes: usize) -> Option<bool> {
        let layout = Layout::array::<u8>(bytes).ok()?;
        // SAFETY: the size of the layout is not zero, because no caller passes 0.
        let start = unsafe { System.alloc(layout) };
        if start.is_null() {
            return Some(false);
        }
        let placed =
            self.start.compare_exchange(null_mut(), start, Ordering::AcqRel, Ordering::Relaxed);
        if placed.is_err() {
            // SAFETY: `start` was allocated above with this layout, and has not been shared.
            unsafe { System.dealloc(start, layout) };
            return None;
        }
        self.bytes.store(bytes, Ordering::Release);
        Some(true)
    }

    /// Releases the memory of the reserve. Returns whether it held any.
    fn release(&self) -> bool {
        let bytes = self.bytes.swap(0, Ordering::AcqRel);
        let Ok(layout) = Layout::array::<u8>(bytes) else { return false };
        if bytes == 0 {
            return false;
        }
        let start = self.start.swap(null_mut(), Ordering::AcqRel);
        // SAFETY: only the call that swaps the size out releases the bytes, and they were allocated
        // with this layout.
        unsafe { System.dealloc(start, layout) };
        true
    }
}

/// Releases the memory of one reserve, because an allocation failed. Returns whether there was one
/// to release.
#[cold]
fn release_one() -> bool {
    let released = RESERVES.iter().rev().any(Reserve::release);
    if released {
        IS_EXHAUSTED.store(true, Ordering::Release);
    }
    released
}

// SAFETY: all calls are forwarded to the system's allocator; if one fails, it is only repeated.
unsafe impl GlobalAlloc for Reserving {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        loop {
            // SAFETY: the caller keeps the contract of the system's allocator, as in the other
            // functions below.
            let start = unsafe { System.alloc(layout) };
            if !start.is_null() || !release_one() {
                return start;
            }
        }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(start, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        loop {
            // SAFETY: as above.
            let start = unsafe { System.alloc_zeroed(layout) };
            if !start.is_null() || !release_one() {
                return start;
            }
        }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        loop {
            // SAFETY: as above; if the call fails, the old block is unchanged, so the call can be
            // repeated.
            let moved = unsafe { System.realloc(start, layout, size) };
            if !moved.is_null() || !release_one() {
                return moved;
            }
        }
    }
}

/// Returns whether a reserve has been released because of a failed allocation since the last call.
#[inline(always)]
pub fn was_needed() -> bool {
    IS_EXHAUSTED.load(Ordering::Relaxed) && IS_EXHAUSTED.swap(false, Ordering::AcqRel)
}

/// The reserve for an input, which is held until this value is dropped.
#[derive(Debug)]
pub struct Held(Option<usize>);

/// Reserves memory for an input of `input_bytes` bytes. Returns `None` if there is not enough
/// memory.
#[inline(always)]
pub fn hold_for(input_bytes: usize) -> Option<Held> {
    let least = &RESERVES[0];
    if least.bytes.load(Ordering::Relaxed) == 0 {
        IS_EXHAUSTED.store(false, Ordering::Release);
        if least.hold(LEAST_BYTES) == Some(false) {
            return None;
        }
    }
    if input_bytes < LARGE_INPUT_BYTES {
        return Some(Held(None));
    }
    hold_large(input_bytes.saturating_mul(BYTES_PER_INPUT_BYTE).min(MOST_BYTES))
}

/// Holds `bytes` in a reserve that is not in use, if there is one. Returns `None` if there is not
/// enough memory.
fn hold_large(bytes: usize) -> Option<Held> {
    for (place, reserve) in RESERVES.iter().enumerate().skip(1) {
        if !reserve.start.load(Ordering::Relaxed).is_null() {
            continue;
        }
        match reserve.hold(bytes) {
            Some(true) => return Some(Held(Some(place))),
            Some(false) => return None,
            // Another load has taken this reserve in the meantime.
            None => {}
        }
    }
    // All reserves are in use. The reserves of the other loads suffice for one more load.
    Some(Held(None))
}

thread_local! {
    /// The size of the input whose reserve is deferred, in bytes, or 0 if none is deferred.
    static DEFERRED: Cell<usize> = const { Cell::new(0) };
    static HELD_LATE: Cell<Option<Held>> = const { Cell::new(None) };
}

/// A deferred reserve. If [`hold_deferred`] holds it, it is held until this value is dropped.
#[derive(Debug)]
pub struct Deferred(());

/// Defers the reserve for an input of `input_bytes` bytes until [`hold_deferred`] is called. Before
/// that, only the reserve that is always held is available. This is for calls that rarely read the
/// whole input: allocating a large reserve takes more time than reading a part of the input.
/// Returns `None` if there is not enough memory.
pub fn defer_for(input_bytes: usize) -> Option<Deferred> {
    hold_for(0)?;
    DEFERRED.set(input_bytes);
    Some(Deferred(()))
}

/// Holds the reserve that this thread has deferred, if there is one. The host calls this before it
/// reads a long part of the input. Returns false if there is not enough memory.
pub fn hold_deferred() -> bool {
    let bytes = DEFERRED.replace(0);
    if bytes == 0 {
        return true;
    }
    let held = hold_for(bytes);
    let is_held = held.is_some();
    HELD_LATE.set(held);
    is_held
}

impl Drop for Deferred {
    fn drop(&mut self) {
        DEFERRED.set(0);
        drop(HELD_LATE.take());
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            RESERVES[place].release();
        }
    }
}

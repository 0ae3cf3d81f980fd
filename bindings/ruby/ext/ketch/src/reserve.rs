//! What happens when memory ends. Rust ends the process then, where Ruby raises `NoMemoryError`. So a
//! reserve is held, which is given back when the system has no more; a load looks for that where it lets
//! other threads run, and raises.
//!
//! The reserve is address space that nobody writes to, so it costs no memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: Reserving = Reserving;

/// The system's allocator, with the reserve behind it.
struct Reserving;

/// What is always held, for what does not grow with the input.
const LEAST_BYTES: usize = 1 << 20;

/// A load of so many bytes holds more: a document has a node of 16 bytes for two bytes of text at most, and
/// moves to a place twice as large when it grows.
const LARGE_INPUT_BYTES: usize = 1 << 15;
const BYTES_PER_INPUT_BYTE: usize = 20;

/// More than this, some systems do not give even as address space.
const MOST_BYTES: usize = 1 << 30;

/// The reserves of loads that run at the same time, and the one that is always held.
static RESERVES: [Reserve; 8] = [const { Reserve::new() }; 8];
static IS_EXHAUSTED: AtomicBool = AtomicBool::new(false);

struct Reserve {
    start: AtomicPtr<u8>,
    bytes: AtomicUsize,
}

impl Reserve {
    const fn new() -> Reserve {
        Reserve { start: AtomicPtr::new(null_mut()), bytes: AtomicUsize::new(0) }
    }

    /// Takes so many bytes from the system, if the place is empty. Says whether they were there.
    fn hold(&self, bytes: usize) -> Option<bool> {
        let layout = Layout::array::<u8>(bytes).ok()?;
        // SAFETY: `bytes` is not zero.
        let start = unsafe { System.alloc(layout) };
        if start.is_null() {
            return Some(false);
        }
        let placed =
            self.start.compare_exchange(null_mut(), start, Ordering::AcqRel, Ordering::Relaxed);
        if placed.is_err() {
            // SAFETY: it was taken above, and nobody knows it.
            unsafe { System.dealloc(start, layout) };
            return None;
        }
        self.bytes.store(bytes, Ordering::Release);
        Some(true)
    }

    /// Gives the bytes back to the system. Says whether there were any.
    fn release(&self) -> bool {
        let bytes = self.bytes.swap(0, Ordering::AcqRel);
        let Ok(layout) = Layout::array::<u8>(bytes) else { return false };
        if bytes == 0 {
            return false;
        }
        let start = self.start.swap(null_mut(), Ordering::AcqRel);
        // SAFETY: who takes the size owns the bytes, which were taken with this layout.
        unsafe { System.dealloc(start, layout) };
        true
    }
}

/// Gives a reserve back because memory has ended.
#[cold]
fn release_one() -> bool {
    let released = RESERVES.iter().rev().any(Reserve::release);
    if released {
        IS_EXHAUSTED.store(true, Ordering::Release);
    }
    released
}

// SAFETY: all is the system's allocator's; a second try follows where that has no memory.
unsafe impl GlobalAlloc for Reserving {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        loop {
            // SAFETY: by the caller's contract. So below.
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
            // SAFETY: as above; where it fails, the old block is as it was.
            let moved = unsafe { System.realloc(start, layout, size) };
            if !moved.is_null() || !release_one() {
                return moved;
            }
        }
    }
}

/// Whether memory has ended since this was asked last.
#[inline(always)]
pub fn was_needed() -> bool {
    IS_EXHAUSTED.load(Ordering::Relaxed) && IS_EXHAUSTED.swap(false, Ordering::AcqRel)
}

/// The reserve for an input, held until this is dropped.
#[derive(Debug)]
pub struct Held(Option<usize>);

/// Holds what reading an input of so many bytes may need. `None` if there is no memory for it.
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

fn hold_large(bytes: usize) -> Option<Held> {
    for (place, reserve) in RESERVES.iter().enumerate().skip(1) {
        if !reserve.start.load(Ordering::Relaxed).is_null() {
            continue;
        }
        match reserve.hold(bytes) {
            Some(true) => return Some(Held(Some(place))),
            Some(false) => return None,
            // Another load was faster.
            None => {}
        }
    }
    // So many loads hold enough for one more.
    Some(Held(None))
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            RESERVES[place].release();
        }
    }
}

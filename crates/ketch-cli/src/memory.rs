//! The end of memory: a sentence and an exit code, and no temporary file left.
//!
//! Rust aborts where its allocator gets no memory. So the allocator of the command ends the process
//! itself. It holds a little memory back: allocations that are small still succeed after the system
//! has refused one, which is what removing temporary files and printing the message may need, and
//! whoever holds a lock at that time.
//!
//! `GlobalAlloc` cannot be implemented without `unsafe`.
#![allow(unsafe_code)]

use crate::status::Status;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// The allocator of the command.
pub struct Ending {
    /// Memory held back; null before the first allocation and once it was given back.
    reserve: AtomicPtr<u8>,
    is_started: AtomicBool,
    is_ending: AtomicBool,
}

/// How much is held back.
const RESERVE: Layout = match Layout::from_size_align(256 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u64>(),
};

/// The largest allocation that the reserve is for.
const SMALL_BYTES: usize = 16 << 10;

impl Ending {
    pub const fn new() -> Ending {
        Ending {
            reserve: AtomicPtr::new(ptr::null_mut()),
            is_started: AtomicBool::new(false),
            is_ending: AtomicBool::new(false),
        }
    }

    /// Takes the reserve; for the start of the command.
    pub fn start(&self) {
        if !self.is_started.swap(true, Ordering::Relaxed) {
            // SAFETY: the layout is not of size zero.
            let reserve = unsafe { System.alloc(RESERVE) };
            self.reserve.store(reserve, Ordering::Release);
        }
    }

    /// Gives the reserve back to the system allocator. Says whether there was one.
    fn release(&self) -> bool {
        let reserve = self.reserve.swap(ptr::null_mut(), Ordering::AcqRel);
        if reserve.is_null() {
            return false;
        }
        // SAFETY: `start` allocated it with this layout, and the swap lets nobody else see it.
        unsafe { System.dealloc(reserve, RESERVE) };
        true
    }

    /// The system has refused `bytes`: tries again with the reserve, or ends the process.
    #[cold]
    #[inline(never)]
    fn refused(&self, bytes: usize, again: impl Fn() -> *mut u8) -> *mut u8 {
        if self.release() && bytes <= SMALL_BYTES {
            let memory = again();
            if !memory.is_null() {
                return memory;
            }
        }
        // Refused again while the process ends: null makes Rust abort.
        if self.is_ending.swap(true, Ordering::Relaxed) {
            return ptr::null_mut();
        }
        end(bytes)
    }
}

/// Ends the process.
fn end(bytes: usize) -> ! {
    ketch_files::remove_temporary_files();
    // A closed stderr is not an error.
    let _ = writeln!(
        std::io::stderr(),
        "error: out of memory: {bytes} more bytes were refused\n  = help: Allow the process more \
         memory, or split the input; docs/limits.md says what each subcommand needs."
    );
    std::process::exit(Status::Memory as i32)
}

// SAFETY: all memory is the system allocator's; what differs is only what happens when it has none.
unsafe impl GlobalAlloc for Ending {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of the system allocator.
        let allocate = || unsafe { System.alloc(layout) };
        let memory = allocate();
        if memory.is_null() { self.refused(layout.size(), allocate) } else { memory }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        let allocate = || unsafe { System.alloc_zeroed(layout) };
        let memory = allocate();
        if memory.is_null() { self.refused(layout.size(), allocate) } else { memory }
    }

    #[inline]
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as in `alloc`; a refusal leaves the old memory as it was.
        let allocate = || unsafe { System.realloc(old, layout, size) };
        let memory = allocate();
        if memory.is_null() { self.refused(size, allocate) } else { memory }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

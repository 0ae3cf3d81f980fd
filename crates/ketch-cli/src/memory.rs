//! Handles running out of memory with a message and an exit code, and leaves no temporary files.
//!
//! Rust aborts when an allocation fails. So the command's allocator ends the process itself. It
//! keeps a small reserve, so that small allocations still succeed after a failure, because removing
//! temporary files and printing the message may need some, and so may a thread that holds a lock.
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
    /// The reserve, which is null before it is allocated and after it is released.
    reserve: AtomicPtr<u8>,
    is_started: AtomicBool,
    is_ending: AtomicBool,
}

/// Allocations of at least this size ask for large pages.
const HUGE_BYTES: usize = 16 << 20;

/// The maximum size of a normal page.
#[cfg(target_os = "linux")]
const PAGE_BYTES: usize = 64 << 10;

/// The size of the reserve.
const RESERVE: Layout = match Layout::from_size_align(256 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u64>(),
};

/// The maximum size of an allocation for which the reserve is used.
const SMALL_BYTES: usize = 16 << 10;

impl Ending {
    /// Creates the allocator, without a reserve.
    pub const fn new() -> Ending {
        Ending {
            reserve: AtomicPtr::new(ptr::null_mut()),
            is_started: AtomicBool::new(false),
            is_ending: AtomicBool::new(false),
        }
    }

    /// Allocates the reserve, at the start of the command.
    pub fn start(&self) {
        if !self.is_started.swap(true, Ordering::Relaxed) {
            // SAFETY: the layout is not of size zero.
            let reserve = unsafe { System.alloc(RESERVE) };
            self.reserve.store(reserve, Ordering::Release);
        }
    }

    /// Releases the reserve to the system allocator. Returns whether there was one.
    fn release(&self) -> bool {
        let reserve = self.reserve.swap(ptr::null_mut(), Ordering::AcqRel);
        if reserve.is_null() {
            return false;
        }
        // SAFETY: `start` allocated it with this layout, and the swap makes this the only owner.
        unsafe { System.dealloc(reserve, RESERVE) };
        true
    }

    /// Handles a failed allocation of `bytes`: releases the reserve and retries with `again`, or
    /// ends the process.
    #[cold]
    #[inline(never)]
    fn refused(&self, bytes: usize, again: impl Fn() -> *mut u8) -> *mut u8 {
        if self.release() && bytes <= SMALL_BYTES {
            let memory = again();
            if !memory.is_null() {
                return memory;
            }
        }
        // Memory runs out again while the process ends. Null makes Rust abort.
        if self.is_ending.swap(true, Ordering::Relaxed) {
            return ptr::null_mut();
        }
        end(bytes)
    }
}

/// Removes temporary files, prints a message, and ends the process.
fn end(bytes: usize) -> ! {
    ketch_files::remove_temporary_files();
    // A closed standard error is not an error.
    let _ = writeln!(
        std::io::stderr(),
        "error: out of memory: could not allocate {bytes} more bytes\n  = help: Allow the process more \
         memory, or split the input; docs/limits.md says what each subcommand needs."
    );
    std::process::exit(Status::Memory as i32)
}

/// Asks for large pages, because a file that is read at once needs only a few of them. Reading 100
/// MB then takes 0.04 s in the system instead of 0.06 s.
#[cold]
fn prefer_huge_pages(memory: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let start = memory.align_offset(PAGE_BYTES);
        // SAFETY: the pages are inside the allocation, and the advice changes no content.
        let _ = unsafe {
            madvise(
                memory.wrapping_add(start).cast(),
                bytes.saturating_sub(start),
                Advice::LinuxHugepage,
            )
        };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}

// SAFETY: all memory is the system allocator's; only the handling of failures differs.
unsafe impl GlobalAlloc for Ending {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of the system allocator.
        let allocate = || unsafe { System.alloc(layout) };
        let memory = allocate();
        if layout.size() >= HUGE_BYTES && !memory.is_null() {
            prefer_huge_pages(memory, layout.size());
        }
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
        // SAFETY: as in `alloc`; a failure leaves the old memory unchanged.
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

//! Handles running out of memory: the command ends with a message and its own exit code, and leaves
//! no temporary files.
//!
//! By default, Rust aborts when an allocation fails. So the command's allocator ends the process
//! itself. It keeps a small reserve, so that small allocations still succeed after a failure:
//! removing temporary files and printing the message may need some memory, and so may a thread that
//! holds a lock that these need.
//!
//! `GlobalAlloc` cannot be implemented without `unsafe`.
#![allow(unsafe_code)]

use crate::status::Status;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// The allocator of the command, which ends the process when memory runs out.
pub struct Ending {
    /// The reserve, which is null before it is allocated and after it is released.
    reserve: AtomicPtr<u8>,
    is_started: AtomicBool,
    is_ending: AtomicBool,
}

/// The minimum size in bytes of allocations for which large pages are requested.
const HUGE_BYTES: usize = 16 << 20;

/// The maximum size of a normal page in bytes.
#[cfg(target_os = "linux")]
const PAGE_BYTES: usize = 64 << 10;

/// The size and alignment of the reserve.
const RESERVE: Layout = match Layout::from_size_align(256 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u64>(),
};

/// The maximum size in bytes of an allocation for which the reserve is used.
const SMALL_BYTES: usize = 16 << 10;

impl Ending {
    /// Creates the allocator without a reserve.
    pub const fn new() -> Ending {
        Ending {
            reserve: AtomicPtr::new(ptr::null_mut()),
            is_started: AtomicBool::new(false),
            is_ending: AtomicBool::new(false),
        }
    }

    /// Allocates the reserve. This is called at the start of the command.
    pub fn start(&self) {
        if !self.is_started.swap(true, Ordering::Relaxed) {
            // SAFETY: the size of the layout is not zero.
            let reserve = unsafe { System.alloc(RESERVE) };
            self.reserve.store(reserve, Ordering::Release);
        }
    }

    /// Returns the reserve to the system's allocator. Returns whether there was one.
    fn release(&self) -> bool {
        let reserve = self.reserve.swap(ptr::null_mut(), Ordering::AcqRel);
        if reserve.is_null() {
            return false;
        }
        // SAFETY: `start` allocated the reserve with this layout, and the swap makes this call its
        // only owner.
        unsafe { System.dealloc(reserve, RESERVE) };
        true
    }

    /// Handles a failed allocation of `bytes` bytes: releases the reserve and repeats the
    /// allocation with `again`, or ends the process.
    #[cold]
    #[inline(never)]
    fn refused(&self, bytes: usize, again: impl Fn() -> *mut u8) -> *mut u8 {
        if self.release() && bytes <= SMALL_BYTES {
            let memory = again();
            if !memory.is_null() {
                return memory;
            }
        }
        // Memory has run out again while the process is ending. Returning null makes Rust abort.
        if self.is_ending.swap(true, Ordering::Relaxed) {
            return ptr::null_mut();
        }
        end(bytes)
    }
}

/// Removes temporary files, prints a message, and ends the process. `bytes` is the size of the
/// allocation that failed.
fn end(bytes: usize) -> ! {
    ketch_files::remove_temporary_files();
    // It is not an error if standard error is closed.
    let _ = writeln!(
        std::io::stderr(),
        "error: out of memory: could not allocate {bytes} more bytes\n  = help: Allow the process more \
         memory, or split the input; docs/limits.md says what each subcommand needs."
    );
    std::process::exit(Status::Failed as i32)
}

/// Requests large pages for an allocation, because a file that is read at once then needs only a
/// few pages. Reading 100 MB takes 0.04 s in the system with them, and 0.06 s without.
#[cold]
fn prefer_huge_pages(memory: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let start = memory.align_offset(PAGE_BYTES);
        // SAFETY: the pages are inside the allocation, and the advice does not change their
        // content.
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

// SAFETY: all calls are forwarded to the system's allocator. Only the handling of failures differs.
unsafe impl GlobalAlloc for Ending {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the system's allocator.
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
        // SAFETY: as in `alloc`; if the call fails, the old memory is unchanged, so the call can be
        // repeated.
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

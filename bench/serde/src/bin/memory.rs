//! The peak memory of values while they are read, counted in the allocator.

use ketch_bench_serde::{inputs, values};
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grow(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: all is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grow(size);
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the peak number of bytes during `run`, and the number that its result keeps.
fn peak<T>(run: impl FnOnce() -> T) -> (usize, usize) {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let made = run();
    let (peak, kept) = (PEAK.load(Relaxed) - before, LIVE.load(Relaxed) - before);
    drop(made);
    (peak, kept)
}

fn main() {
    let folder = std::env::args_os().nth(1).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../out/corpus")),
        PathBuf::from,
    );
    let inputs =
        inputs::all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    println!("bytes held at the most while values are read, and by the values, per byte of input");
    println!("{:26}{:>18}{:>18}{:>18}{:>10}", "", "ketch", "serde_yaml", "noyalib", "ratio");
    for input in &inputs {
        let text = &*input.text;
        let ketch = peak(|| values::ketch(text).ok());
        let others = [peak(|| values::serde_yaml(text).ok()), peak(|| values::noyalib(text).ok())];
        let per_byte = |bytes: usize| bytes as f64 / text.len() as f64;
        print!("{:26}", input.name);
        for (peak, kept) in [ketch, others[0], others[1]] {
            print!("{:>10.2} {:>7.2}", per_byte(peak), per_byte(kept));
        }
        println!("{:10.2}", others[0].0 as f64 / ketch.0 as f64);
    }
}

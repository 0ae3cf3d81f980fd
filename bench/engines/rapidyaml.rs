//! rapidyaml: its integer event handler, with and without scalar filtering, and its tree, new and
//! reused. Everything is parsed in place.

use std::ffi::{c_char, c_void};

use super::{Engine, Level, Reports, Tally, foreign};

type TreeParse =
    unsafe extern "C" fn(*mut c_void, *mut u8, usize, *mut u64, *mut c_char, usize) -> i32;

unsafe extern "C" {
    fn bench_rapidyaml_version() -> *const c_char;
    fn bench_rapidyaml_new(filtering: i32) -> *mut c_void;
    fn bench_rapidyaml_delete(bench: *mut c_void);
    fn bench_rapidyaml_prepare(bench: *mut c_void, input: *const u8, length: usize);
    fn bench_rapidyaml_ints(
        bench: *mut c_void,
        input: *mut u8,
        length: usize,
        size: *mut u64,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
    fn bench_rapidyaml_ints_tally(
        bench: *const c_void,
        input: *const u8,
        size: u64,
        out: *mut Tally,
    );
    fn bench_rapidyaml_tree_clear(bench: *mut c_void);
    fn bench_rapidyaml_tree_reused(
        bench: *mut c_void,
        input: *mut u8,
        length: usize,
        size: *mut u64,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
    fn bench_rapidyaml_tree_fresh(
        bench: *mut c_void,
        input: *mut u8,
        length: usize,
        size: *mut u64,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
    fn bench_rapidyaml_tree_tally(bench: *const c_void, out: *mut Tally);
}

/// The number of trees used between two resets: enough to hide the cost of the clock for
/// small inputs, few enough to stay in the cache.
const TREES: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// Scalars are filtered (unfolded, unescaped) while parsing: the default.
    Ints,
    /// Scalars are not decoded: spans only.
    IntsUnfiltered,
    TreeReused,
    TreeFresh,
}

struct Rapidyaml {
    name: &'static str,
    variant: Variant,
    /// Owned; never null.
    bench: *mut c_void,
}

pub fn engines() -> Vec<Box<dyn Engine>> {
    [
        ("rapidyaml ints", Variant::Ints),
        ("rapidyaml ints raw", Variant::IntsUnfiltered),
        ("rapidyaml tree reused", Variant::TreeReused),
        ("rapidyaml tree fresh", Variant::TreeFresh),
    ]
    .map(|(name, variant)| Box::new(Rapidyaml::new(name, variant)) as Box<dyn Engine>)
    .into()
}

impl Rapidyaml {
    fn new(name: &'static str, variant: Variant) -> Self {
        // SAFETY: takes no pointers; C++ `new` does not return null.
        let bench = unsafe { bench_rapidyaml_new((variant != Variant::IntsUnfiltered).into()) };
        Self { name, variant, bench }
    }

    /// Parses an input into integer events, and returns the size of the events.
    fn ints(&mut self, input: &mut [u8]) -> Result<u64, String> {
        foreign::call(|size, message, capacity| {
            // SAFETY: `prepare` made the objects; `input` is exclusively ours and outlives the
            // call; `size` and `message` are valid for writes of their sizes.
            unsafe {
                bench_rapidyaml_ints(
                    self.bench,
                    input.as_mut_ptr(),
                    input.len(),
                    size,
                    message,
                    capacity,
                )
            }
        })
    }

    /// Parses an input into a tree, and returns the number of nodes.
    fn tree(&mut self, parse: TreeParse, input: &mut [u8]) -> Result<u64, String> {
        foreign::call(|size, message, capacity| {
            // SAFETY: as in `ints`; a reused tree refers to `input` until the next
            // `bench_rapidyaml_tree_clear`, and only its node count is read in between.
            unsafe { parse(self.bench, input.as_mut_ptr(), input.len(), size, message, capacity) }
        })
    }
}

impl Engine for Rapidyaml {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> String {
        foreign::version(bench_rapidyaml_version)
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        let here = match self.variant {
            Variant::Ints => level != Level::Tree,
            Variant::IntsUnfiltered => level == Level::Events,
            Variant::TreeReused | Variant::TreeFresh => level == Level::Tree,
        };
        here.then_some(Reports { aliases: true, text: self.variant == Variant::Ints })
    }

    fn prepare(&mut self, _level: Level, input: &[u8]) {
        // SAFETY: `bench` is live and `input` is valid for reads.
        unsafe { bench_rapidyaml_prepare(self.bench, input.as_ptr(), input.len()) };
    }

    fn reset(&mut self, _level: Level) {
        if self.variant == Variant::TreeReused {
            // SAFETY: `bench` is live and `prepare` made its tree.
            unsafe { bench_rapidyaml_tree_clear(self.bench) };
        }
    }

    fn parses_per_reset(&self, _level: Level) -> usize {
        if self.variant == Variant::TreeReused { TREES } else { usize::MAX }
    }

    fn run(&mut self, _level: Level, input: &mut [u8]) -> Result<u64, String> {
        match self.variant {
            Variant::Ints | Variant::IntsUnfiltered => self.ints(input),
            Variant::TreeReused => self.tree(bench_rapidyaml_tree_reused, input),
            Variant::TreeFresh => self.tree(bench_rapidyaml_tree_fresh, input),
        }
    }

    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String> {
        let mut tally = Tally::default();
        if level == Level::Tree {
            // Both trees come out of the same parser; the reused one can be walked afterwards.
            // SAFETY: `bench` is live and `prepare` made its tree.
            unsafe { bench_rapidyaml_tree_clear(self.bench) };
            self.tree(bench_rapidyaml_tree_reused, input)?;
            // SAFETY: the tree was just built and `input`, to which it refers, is still borrowed.
            unsafe { bench_rapidyaml_tree_tally(self.bench, &raw mut tally) };
            return Ok(tally);
        }
        let size = self.ints(input)?;
        // SAFETY: `size` events were just written, and they refer to `input`.
        unsafe {
            bench_rapidyaml_ints_tally(self.bench, input.as_ptr(), size, &raw mut tally);
        }
        Ok(tally)
    }
}

impl Drop for Rapidyaml {
    fn drop(&mut self) {
        // SAFETY: `bench` came from `bench_rapidyaml_new` and is not used after this.
        unsafe { bench_rapidyaml_delete(self.bench) };
    }
}

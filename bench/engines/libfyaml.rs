//! libfyaml as Debian ships it.

use std::ffi::{c_char, c_void};
use std::ptr;

use super::{Engine, Level, Reports, Tally, foreign, outcome};

unsafe extern "C" {
    fn bench_libfyaml_version() -> *const c_char;
    fn bench_libfyaml_new(tree: i32) -> *mut c_void;
    fn bench_libfyaml_delete(parser: *mut c_void);
    fn bench_libfyaml_events(
        parser: *mut c_void,
        input: *const u8,
        length: usize,
        decode: i32,
        with_text: i32,
        out: *mut Tally,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
    fn bench_libfyaml_tree(
        parser: *mut c_void,
        input: *const u8,
        length: usize,
        with_nodes: i32,
        out: *mut Tally,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
}

/// Null, or a parser that this value owns.
struct Libfyaml(*mut c_void);

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Libfyaml(ptr::null_mut()))]
}

impl Libfyaml {
    /// Counts the events or nodes of an input. With `check`, also hashes the text of scalars.
    fn parse(&self, level: Level, input: &[u8], check: bool) -> Result<Tally, String> {
        let (bytes, length, check) = (input.as_ptr(), input.len(), i32::from(check));
        foreign::tally(|out, message, capacity| {
            if level == Level::Tree {
                // SAFETY: `prepare` made the parser; `input` outlives the call, which only reads
                // it; `out` and `message` are valid for writes of their sizes.
                unsafe { bench_libfyaml_tree(self.0, bytes, length, check, out, message, capacity) }
            } else {
                let decode = i32::from(level == Level::Decoded);
                // SAFETY: as above.
                unsafe {
                    bench_libfyaml_events(
                        self.0, bytes, length, decode, check, out, message, capacity,
                    )
                }
            }
        })
    }

    /// Deletes the parser, if there is one.
    fn release(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the parser came from `bench_libfyaml_new` and is not used after this.
            unsafe { bench_libfyaml_delete(self.0) };
            self.0 = ptr::null_mut();
        }
    }
}

impl Engine for Libfyaml {
    fn name(&self) -> &'static str {
        "libfyaml"
    }

    fn version(&self) -> String {
        foreign::version(bench_libfyaml_version)
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        Some(Reports { aliases: true, text: level != Level::Tree })
    }

    fn prepare(&mut self, level: Level, _input: &[u8]) {
        self.release();
        // SAFETY: takes no pointers; null, its failure, is checked.
        self.0 = unsafe { bench_libfyaml_new(i32::from(level == Level::Tree)) };
        assert!(!self.0.is_null(), "libfyaml could not make a parser");
    }

    fn run(&mut self, level: Level, input: &mut [u8]) -> Result<u64, String> {
        self.parse(level, input, false).map(|tally| outcome(&tally))
    }

    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String> {
        self.parse(level, input, true)
    }
}

impl Drop for Libfyaml {
    fn drop(&mut self) {
        self.release();
    }
}

//! simdjson's tree of JSON: not a peer, since it cannot parse YAML, but a floor under the time that
//! such texts take.

use std::ffi::{CStr, c_char};

use super::{Engine, Facts, Level, Reports, Tally, foreign};

unsafe extern "C" {
    fn bench_simdjson_version() -> *const c_char;
    fn bench_simdjson_tree(
        input: *const u8,
        length: usize,
        walk: i32,
        out: *mut Tally,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
}

struct Simdjson(Facts);

pub fn engines() -> Vec<Box<dyn Engine>> {
    // SAFETY: the function returns a static NUL-terminated string.
    let version = unsafe { CStr::from_ptr(bench_simdjson_version()) };
    vec![Box::new(Simdjson(Facts {
        name: "simdjson (floor)",
        version: version.to_string_lossy().into_owned(),
        flags: concat!(env!("KETCH_BENCH_CXX"), " ", env!("KETCH_BENCH_C_FLAGS")).to_owned(),
        note: "the tree of a JSON text, with numbers, at every level; one parser for all inputs",
    }))]
}

impl Simdjson {
    /// Parses an input. With `walk`, counts its nodes.
    fn parse(input: &[u8], walk: bool) -> Result<Tally, String> {
        foreign::tally(|out, message, capacity| {
            // SAFETY: `input` and the padding after it outlive the call, which only reads them;
            // `out` and `message` are valid for writes of their sizes.
            unsafe {
                bench_simdjson_tree(
                    input.as_ptr(),
                    input.len(),
                    walk.into(),
                    out,
                    message,
                    capacity,
                )
            }
        })
    }
}

impl Engine for Simdjson {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn reports(&self, _level: Level) -> Option<Reports> {
        Some(Reports { aliases: true, text: false })
    }

    fn reads(&self, file: &str) -> bool {
        file.ends_with(".json")
    }

    fn run(&mut self, _level: Level, input: &mut [u8]) -> Result<u64, String> {
        Self::parse(input, false).map(|tally| tally.documents)
    }

    fn tally(&mut self, _level: Level, input: &mut [u8]) -> Result<Tally, String> {
        Self::parse(input, true)
    }
}

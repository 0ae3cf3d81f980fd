//! simdjson's tree of JSON: not a peer, since it cannot parse YAML, but a floor under the time that
//! such texts take.

use std::ffi::c_char;

use super::{Engine, Level, Reports, Tally, foreign};

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

struct Simdjson;

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Simdjson)]
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
    fn name(&self) -> &'static str {
        "simdjson"
    }

    fn version(&self) -> String {
        foreign::version(bench_simdjson_version)
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

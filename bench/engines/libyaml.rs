//! libyaml as Debian ships it.

use std::ffi::c_char;

use super::{Engine, Level, Reports, Tally, foreign, outcome};

type Parse = unsafe extern "C" fn(*const u8, usize, i32, *mut Tally, *mut c_char, usize) -> i32;

unsafe extern "C" {
    fn bench_libyaml_version() -> *const c_char;
    fn bench_libyaml_events(
        input: *const u8,
        length: usize,
        with_text: i32,
        out: *mut Tally,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
    fn bench_libyaml_tree(
        input: *const u8,
        length: usize,
        with_nodes: i32,
        out: *mut Tally,
        message: *mut c_char,
        capacity: usize,
    ) -> i32;
}

struct Libyaml;

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Libyaml)]
}

impl Libyaml {
    /// Counts the events or nodes of an input. With `check`, also hashes the text of scalars.
    fn parse(level: Level, input: &[u8], check: bool) -> Result<Tally, String> {
        let parse: Parse =
            if level == Level::Tree { bench_libyaml_tree } else { bench_libyaml_events };
        foreign::tally(|out, message, capacity| {
            // SAFETY: `input` outlives the call, which only reads it; `out` and `message` are
            // valid for writes of their sizes.
            unsafe { parse(input.as_ptr(), input.len(), check.into(), out, message, capacity) }
        })
    }
}

impl Engine for Libyaml {
    fn name(&self) -> &'static str {
        "libyaml"
    }

    fn version(&self) -> String {
        foreign::version(bench_libyaml_version)
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        let events = level != Level::Tree;
        Some(Reports { aliases: events, text: events })
    }

    fn run(&mut self, level: Level, input: &mut [u8]) -> Result<u64, String> {
        Self::parse(level, input, false).map(|tally| outcome(&tally))
    }

    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String> {
        Self::parse(level, input, true)
    }
}

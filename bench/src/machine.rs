//! The test machine: enough to compare runs, nothing that identifies it.

use std::fs;

use serde::Serialize;

/// A machine and its compilers.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// The name of the processor.
    pub processor: String,
    /// Vector instructions that matter here.
    pub vectors: Vec<&'static str>,
    /// Cores that this process may use.
    pub cores: usize,
    /// Architecture and operating system.
    pub target: String,
    /// Rust compiler.
    pub rustc: &'static str,
    /// C and C++ compiler, and its flags.
    pub cxx: String,
}

/// Vector extensions, as Linux spells them.
const VECTORS: [&str; 6] = ["sse2", "avx2", "avx512bw", "avx512vbmi", "asimd", "sve"];

impl Machine {
    /// Describes this machine.
    #[must_use]
    pub fn current() -> Self {
        let facts = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = field(&facts, "flags").or_else(|| field(&facts, "Features"));
        let flags: Vec<&str> = flags.unwrap_or_default().split_whitespace().collect();
        Self {
            processor: field(&facts, "model name").unwrap_or("unknown").to_owned(),
            vectors: VECTORS.into_iter().filter(|vector| flags.contains(vector)).collect(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            target: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            rustc: env!("KETCH_BENCH_RUSTC"),
            cxx: concat!(env!("KETCH_BENCH_CXX"), " ", env!("KETCH_BENCH_C_FLAGS")).to_owned(),
        }
    }
}

/// Returns the first value of `name` in the lines `name : value`.
fn field<'a>(facts: &'a str, name: &str) -> Option<&'a str> {
    facts.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_matched_by_their_full_name() {
        let facts = "model\t\t: 17\nmodel name\t: Some CPU\nmodel name\t: Other\n";
        assert_eq!(field(facts, "model name"), Some("Some CPU"));
        assert_eq!(field(facts, "name"), None);
    }
}

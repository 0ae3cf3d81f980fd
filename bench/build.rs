//! Builds the C and C++ engines into the runner, and generates the types of extprot.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use ketch_extprot::codegen::{Options, Strings, build};

fn main() {
    println!("cargo::rerun-if-changed=engines");
    println!("cargo::rerun-if-changed=definitions/peers.toml");
    println!("cargo::rerun-if-env-changed=KETCH_BENCH_SOURCES");
    build_of_system("libyaml", &["engines/libyaml.c", "engines/libyaml_emitter.c"]);
    build_of_system("libfyaml", &["engines/libfyaml.c"]);
    build_rapidyaml();
    build_simdjson();
    generate_types();
    let rustc =
        Command::new(env::var("RUSTC").expect("cargo sets RUSTC")).arg("--version").output();
    let version = String::from_utf8(rustc.expect("rustc runs").stdout).expect("a version");
    println!("cargo::rustc-env=KETCH_BENCH_RUSTC={}", version.trim());
}

/// Returns a build with the flags of rapidyaml's own Release build, for this machine. That was 4%
/// faster here than a build for generic x86-64; `-O2` was slower than both.
fn tuned() -> cc::Build {
    let mut build = cc::Build::new();
    build.opt_level(3).flag("-march=native").define("NDEBUG", None).warnings(false).debug(false);
    build
}

/// Compiles the adapter of a library that the system has; without it, the engine is left out.
fn build_of_system(library: &str, files: &[&str]) {
    println!("cargo::rustc-check-cfg=cfg(has_{library})");
    let mut build = tuned();
    build.std("c11").files(files).cargo_metadata(false).cargo_warnings(false);
    if build.try_compile(&format!("ketch_bench_{library}")).is_ok() {
        println!("cargo::rustc-cfg=has_{library}");
        println!("cargo::rustc-link-search=native={}", env::var("OUT_DIR").expect("a folder"));
        println!("cargo::rustc-link-lib=static=ketch_bench_{library}");
        println!("cargo::rustc-link-lib={}", library.trim_start_matches("lib"));
    }
}

/// Compiles rapidyaml and the functions of `engines/rapidyaml.cpp`.
fn build_rapidyaml() {
    let root = source("rapidyaml").join("cpp");
    let mut build = tuned();
    build.cpp(true).std("c++17").file("engines/rapidyaml.cpp");
    for folder in ["src", "src_extra", "ext/c4core/src"] {
        build.include(root.join(folder));
    }
    for folder in ["src/c4/yml", "ext/c4core/src/c4"] {
        build.files(sources_in(&root.join(folder)));
    }
    build.file(root.join("src_extra/c4/yml/extra/event_handler_ints.cpp"));
    build.compile("ketch_bench_rapidyaml");
}

/// Returns the C++ files in a folder, sorted by name.
fn sources_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| {
        panic!("{}: {error}; `bench/build` fetches the peers' sources", folder.display())
    });
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    files.sort();
    files
}

/// Compiles simdjson, of which pysimdjson has a copy, and `engines/simdjson.cpp`.
fn build_simdjson() {
    let root = source("pysimdjson").join("simdjson");
    let mut build = tuned();
    build.cpp(true).std("c++17").include(&root);
    build.files([root.join("simdjson.cpp"), "engines/simdjson.cpp".into()]);
    build.compile("ketch_bench_simdjson");
}

/// Returns the folder of the sources of `peer`.
fn source(peer: &str) -> PathBuf {
    let base = env::var_os("KETCH_BENCH_SOURCES")
        .map_or_else(|| PathBuf::from("out/sources"), PathBuf::from);
    base.join(format!("{peer}-{}", pinned(peer)))
}

/// Returns the version of `peer` in `definitions/peers.toml`.
fn pinned(peer: &str) -> String {
    let text = fs::read_to_string("definitions/peers.toml").expect("definitions/peers.toml");
    let table: toml::Table = text.parse().expect("definitions/peers.toml is TOML");
    table[peer]["version"].as_str().expect("a version").to_owned()
}

/// Generates the types of extprot from their schema.
fn generate_types() {
    let options = Options { strings: Strings::Utf8, ..Options::default() };
    build(&["src/extprot/bench.proto"], &options).unwrap_or_else(|error| panic!("{error}"));
}

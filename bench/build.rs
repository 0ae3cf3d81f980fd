//! Builds the C and C++ engines into the benchmark binary, and passes the peers' versions and the
//! compilers' flags to the reports.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The flags for the C and C++ parts: rapidyaml's own Release build, for this machine. That was 4%
/// faster here than a build for generic x86-64; `-O2` was slower than both.
const FLAGS: &str = "-O3 -march=native -DNDEBUG";

fn main() {
    println!("cargo::rerun-if-changed=engines");
    println!("cargo::rerun-if-changed=definitions/peers.toml");
    println!("cargo::rerun-if-env-changed=KETCH_BENCH_SOURCES");
    build_c_engines();
    build_rapidyaml();
    build_simdjson();
    export_versions();
}

fn tuned(build: &mut cc::Build) -> &mut cc::Build {
    build.opt_level(3).flag("-march=native").define("NDEBUG", None).warnings(false).debug(false)
}

/// libyaml and libfyaml are compiled by Debian; only the small adapters are compiled here.
fn build_c_engines() {
    let mut build = cc::Build::new();
    tuned(&mut build).std("c11");
    for name in ["libyaml", "libfyaml"] {
        let file = format!("engines/{name}.c");
        if Path::new(&file).exists() {
            build.file(file);
        }
    }
    build.compile("ketch_bench_c");
    println!("cargo::rustc-link-lib=yaml");
    println!("cargo::rustc-link-lib=fyaml");
}

/// Compiles rapidyaml and the functions of `engines/rapidyaml.cpp`.
fn build_rapidyaml() {
    let root = source("rapidyaml").join("cpp");
    let mut build = cc::Build::new();
    tuned(&mut build).cpp(true).std("c++17").file("engines/rapidyaml.cpp");
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
        panic!("{}: {error}; `bench/run` fetches the peers' sources", folder.display())
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
    let mut build = cc::Build::new();
    tuned(&mut build).cpp(true).std("c++17").include(&root);
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

/// Crate versions are read from the lock file, so reports cannot go stale.
fn export_versions() {
    println!("cargo::rustc-env=KETCH_BENCH_C_FLAGS={FLAGS}");
    let compiler = cc::Build::new().cpp(true).get_compiler();
    let version = std::process::Command::new(compiler.path()).arg("-dumpfullversion").output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!("cargo::rustc-env=KETCH_BENCH_CXX=g++ {}", version.unwrap_or_default());
    let rustc = std::process::Command::new(env::var("RUSTC").expect("cargo sets RUSTC"))
        .arg("--version")
        .output()
        .expect("rustc runs");
    println!(
        "cargo::rustc-env=KETCH_BENCH_RUSTC={}",
        String::from_utf8_lossy(&rustc.stdout).trim()
    );
    let lock: toml::Table =
        fs::read_to_string("Cargo.lock").expect("Cargo.lock").parse().expect("Cargo.lock is TOML");
    for package in lock["package"].as_array().expect("packages") {
        let (name, version) = (package["name"].as_str(), package["version"].as_str());
        if let (Some(name), Some(version)) = (name, version) {
            let key = name.to_uppercase().replace('-', "_");
            println!("cargo::rustc-env=KETCH_BENCH_VERSION_{key}={version}");
        }
    }
}

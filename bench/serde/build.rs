//! Compiles the adapter for libyaml's emitter, and passes the versions in the lock file to the
//! reports.

use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=src/emitter.c");
    println!("cargo::rerun-if-changed=../Cargo.lock");
    let mut build = cc::Build::new();
    build.opt_level(3).flag("-march=native").define("NDEBUG", None).std("c11");
    build.file("src/emitter.c").compile("ketch_bench_emitter");
    println!("cargo::rustc-link-lib=yaml");
    let lock = fs::read_to_string("../Cargo.lock").expect("Cargo.lock");
    let lock: toml::Table = lock.parse().expect("Cargo.lock is TOML");
    for package in lock["package"].as_array().expect("packages") {
        let (name, version) = (package["name"].as_str(), package["version"].as_str());
        if let (Some(name), Some(version)) = (name, version) {
            let key = name.to_uppercase().replace('-', "_");
            println!("cargo::rustc-env=VERSION_{key}={version}");
        }
    }
    let rustc = std::process::Command::new(env::var("RUSTC").expect("cargo sets RUSTC"))
        .arg("--version")
        .output()
        .expect("rustc runs");
    println!("cargo::rustc-env=RUSTC_VERSION={}", String::from_utf8_lossy(&rustc.stdout).trim());
}

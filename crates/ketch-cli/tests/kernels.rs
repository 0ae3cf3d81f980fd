//! Checks that no vector instruction of the command became a function call.
//!
//! In a function that is compiled without the instruction set of its kernel, vector intrinsics
//! cannot be inlined. Each of them becomes a function in the symbol table, which is correct but ten
//! times as slow. Only optimized builds inline them at all.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(debug_assertions)))]

use object::{Object, ObjectSymbol};

#[test]
fn vector_intrinsics_are_inlined() {
    let bytes = std::fs::read(env!("CARGO_BIN_EXE_ketch")).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    assert!(names.iter().any(|name| name.contains("outline_avx2")), "there are no names");
    // These are all intrinsics that kernels use, except `movemask`, which a dependency also uses.
    let parts = ["set1_epi8", "cmpeq_epi8", "cmple_epu8", "min_epu8", "or_si256", "movepi8"];
    let is_part = |name: &&&str| {
        (name.contains("_mm256_") || name.contains("_mm512_"))
            && parts.iter().any(|part| name.contains(part))
    };
    let calls: Vec<_> = names.iter().filter(is_part).collect();
    assert!(calls.is_empty(), "a kernel lost its instruction set: {calls:#?}");
}

//! Writes the seed corpora of the fuzz targets: the cases of yaml-test-suite, their scalars, and
//! patterns that Ruby accepts or refuses, and queries.
//!
//! `cargo run -p ketch-conformance --example seeds -- FOLDER` writes into `FOLDER/<target>/`.

use ketch_conformance::encode::{WIDE, encode};
use ketch_conformance::suite;
use ketch_yaml::{Parser, scalar};
use std::fs;
use std::path::{Path, PathBuf};

fn write(folder: &Path, target: &str, name: &str, bytes: &[u8]) {
    let folder = folder.join(target);
    fs::create_dir_all(&folder).expect("a folder that can be made");
    fs::write(folder.join(name.replace('/', "-")), bytes).expect("a file that can be written");
}

/// Writes the patterns in the tests of `ketch-regex`, each of which is on a line.
fn write_patterns(folder: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/ketch-regex/src/syntax");
    for list in ["accepted.txt", "messages.tsv"] {
        let patterns = fs::read_to_string(source.join(list)).expect("a list of patterns");
        for (number, line) in patterns.lines().enumerate() {
            let pattern = line.split('\t').next().unwrap_or(line);
            let input = [b"\0", pattern.as_bytes()].concat();
            for target in ["regex_parser", "regex_compiler"] {
                write(folder, target, &format!("{list}-{number}"), &input);
            }
            for (flags, text) in [(0, "aab\nfoo bar a1"), (17, "a\u{e9}b=1;\n"), (8, "ab\n\u{df}")]
            {
                let input = [&[flags], pattern.as_bytes(), b"\0", text.as_bytes()].concat();
                write(folder, "regex_matcher", &format!("{list}-{number}-{flags}"), &input);
            }
        }
    }
}

/// Writes the cases of queries.
fn write_queries(folder: &Path) {
    const CASES: &str = include_str!("../query/cases.json");
    let cases: Vec<serde_json::Value> = serde_json::from_str(CASES).expect("JSON");
    for case in &cases {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let input = format!("{}\0{}", text("program"), text("input"));
        write(folder, "query_parser", text("id"), text("program").as_bytes());
        write(folder, "query_machine", text("id"), input.as_bytes());
    }
}

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder for the corpora"));
    write_patterns(&folder);
    write_queries(&folder);
    for case in suite::cases() {
        let yaml = case.yaml.as_bytes();
        for target in ["slice", "scalars", "encodings", "lenient", "compose", "present", "format"] {
            write(&folder, target, &case.id, yaml);
        }
        for (number, path) in ["*", "*.*", "[0]", "a[-1]", "/0/a"].into_iter().enumerate() {
            let stream = [path.as_bytes(), b"\n", yaml].concat();
            write(&folder, "select", &format!("{}-{number}", case.id), &stream);
        }
        for (number, path) in ["//*", "/*[.=a]", "/(0|a)/1"].into_iter().enumerate() {
            let stream = [path.as_bytes(), b"\n", yaml].concat();
            write(&folder, "ypath", &format!("{}-{number}", case.id), &stream);
        }
        for head in [[1, 0, 0], [2, 1, 200], [3, 16, 0]] {
            let name = format!("{}-{}", case.id, head[0]);
            write(&folder, "types", &name, &[&head[..], yaml].concat());
        }
        let mut cut = vec![3, 0, 5, 1, 9];
        cut.extend_from_slice(yaml);
        write(&folder, "reader", &case.id, &cut);
        for encoding in WIDE {
            let name = format!("{}-{encoding}", case.id);
            write(&folder, "encodings", &name, &encode(&case.yaml, encoding));
        }
        let mut parser = Parser::new(yaml);
        let mut count = 0;
        while let Ok(Some(chunk)) = parser.next_chunk() {
            for event in chunk.events().filter(|event| event.kind.is_scalar()) {
                count += 1;
                let content = scalar::content(chunk.text(), &event);
                write(&folder, "resolver", &format!("{}-{count}", case.id), &content);
            }
        }
    }
}

//! A clone is self-contained: no file refers to paths outside the checkout.

use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Returns the files that git tracks or would add, as paths relative to the root.
fn files() -> Vec<String> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git runs");
    assert!(listing.status.success(), "{}", String::from_utf8_lossy(&listing.stderr));
    let names = String::from_utf8(listing.stdout).expect("file names are UTF-8");
    names.split_terminator('\0').map(str::to_owned).collect()
}

/// Returns the part of a line that leaves the checkout, for a file `depth` folders below the root:
/// a path that goes up too far, or a search through all parent folders.
fn way_out(line: &str, depth: usize) -> Option<String> {
    static UP: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?:^|[^.\w])(\.\.(?:/\.\.)*)(?:[/"'`)\s]|$)"#).unwrap());
    static CD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bcd (\w[\w/]*)").unwrap());
    static WALK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(concat!(r"\.ances", r"tors\(\)|\.asc", r"end\b")).unwrap());
    // A script may change to a folder on the same line.
    let inner = CD.captures(line).map_or(0, |cd| cd[1].split('/').count());
    let is_outside = |up: &str| up.matches("..").count() > depth + inner;
    let up = UP.captures_iter(line).map(|found| found[1].to_owned()).find(|up| is_outside(up));
    up.or_else(|| WALK.find(line).map(|found| found.as_str().to_owned()))
}

#[test]
fn links_that_leave_the_repository_are_recognized() {
    assert!(way_out(r#"root.join("../../shared")"#, 1).is_some());
    assert!(way_out(r#"File.expand_path("../../..", __dir__)"#, 2).is_some());
    assert!(way_out("cd bindings && run ../..", 0).is_some());
    assert!(way_out(concat!("start.ances", "tors()"), 9).is_some());
    assert!(way_out(concat!("Pathname.new(root).asc", "end { }"), 9).is_some());
    assert!(way_out(r#"File.expand_path("../../..", __dir__)"#, 3).is_none());
    assert!(way_out("cd bindings/ruby && run ../..", 0).is_none());
    assert!(way_out("for i in 0..10 { and so on ... }", 0).is_none());
}

#[test]
fn no_file_refers_to_a_path_outside_the_repository() {
    let mut found = Vec::new();
    let files = files();
    assert!(files.len() > 500, "only {} files", files.len());
    for name in &files {
        // Binary files contain no paths, and links have their own test.
        let Ok(text) = std::fs::read_to_string(root().join(name)) else { continue };
        let depth = name.matches('/').count();
        for (index, line) in text.lines().enumerate() {
            if let Some(way) = way_out(line, depth)
                && !name.ends_with("tests/standalone.rs")
            {
                found.push(format!("{name}:{}: {way}", index + 1));
            }
        }
    }
    assert!(found.is_empty(), "these lead out of the checkout:\n{}", found.join("\n"));
}

#[test]
fn no_symbolic_link_leaves_the_repository() {
    for name in files() {
        let Ok(target) = std::fs::read_link(root().join(&name)) else { continue };
        let mut depth = Path::new(&name).components().count() as isize - 1;
        for part in target.components() {
            match part {
                Component::ParentDir => depth -= 1,
                Component::Normal(_) => depth += 1,
                Component::CurDir => {}
                _ => panic!("{name} is a link to an absolute path"),
            }
            assert!(depth >= 0, "{name} is a link to {}", target.display());
        }
    }
}

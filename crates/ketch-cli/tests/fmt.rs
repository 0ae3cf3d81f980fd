//! Tests of `ketch fmt`: which files are written back.

mod common;

use common::Sandbox;

const OLD: &[u8] = b"a:   1   # one\nb:\n    - x\n";
const NEW: &str = "a: 1 # one\nb:\n  - x\n";

#[test]
fn files_are_written_back() {
    let sandbox = Sandbox::with(&[("a", OLD), ("b", NEW.as_bytes()), ("c", b"c: [1\n")]);
    let run = sandbox.ketch(&["fmt", "a", "c", "b", "missing"]);
    assert!(run.exits_with(3).stdout.is_empty(), "{run}");
    assert!(run.stderr.contains("a `[` is never closed"), "{run}");
    assert_eq!((sandbox.read("a"), sandbox.read("b")), (NEW.to_owned(), NEW.to_owned()));
    assert_eq!(sandbox.read("c"), "c: [1\n");
    assert_eq!(sandbox.count(), 3);
    sandbox.ketch(&["fmt", "a"]).is(0, "", "");
}

#[test]
fn a_file_of_white_space_becomes_empty() {
    for options in [&["fmt", "a"][..], &["fmt", "--write-through", "a"]] {
        let sandbox = Sandbox::with(&[("a", b"\n \n")]);
        sandbox.ketch(&["fmt", "--check", "a"]).is(1, "a\n", "");
        sandbox.ketch(options).is(0, "", "");
        assert_eq!(sandbox.read("a"), "");
        sandbox.ketch(&["fmt", "--check", "a"]).is(0, "", "");
    }
}

#[test]
fn standard_input_goes_to_standard_output() {
    let sandbox = Sandbox::new();
    sandbox.ketch_with(&["fmt", "-"], OLD).is(0, NEW, "");
    sandbox.ketch_with(&["fmt", "-"], NEW.as_bytes()).is(0, NEW, "");
    let indented = "a: 1 # one\nb:\n   - x\n";
    let options = ["fmt", "--sequences", "indented", "--indent", "3", "-"];
    sandbox.ketch_with(&options, OLD).is(0, indented, "");
    let flush = "a: 1 # one\nb:\n- x\n";
    sandbox.ketch_with(&["fmt", "--sequences", "flush", "-"], OLD).is(0, flush, "");
    sandbox.ketch_with(&["fmt", "-"], flush.as_bytes()).is(0, flush, "");
    sandbox.ketch_with(&["fmt", "--width", "8", "-"], b"[aa, bb, cc]").is(
        0,
        "[aa, bb,\n  cc]\n",
        "",
    );
    sandbox.ketch_with(&["fmt", "--blank-lines", "0", "-"], b"a\n\n---\nb\n").is(
        0,
        "a\n---\nb\n",
        "",
    );
}

#[test]
fn check_and_diff_change_no_file() {
    let sandbox = Sandbox::with(&[("a", OLD), ("b", NEW.as_bytes())]);
    sandbox.ketch(&["fmt", "--check", "a", "b"]).is(1, "a\n", "");
    sandbox.ketch(&["fmt", "--check", "b"]).is(0, "", "");
    let diff =
        "--- a\n+++ a\n@@ -1,3 +1,3 @@\n-a:   1   # one\n+a: 1 # one\n b:\n-    - x\n+  - x\n";
    sandbox.ketch(&["fmt", "--diff", "a", "b"]).is(0, diff, "");
    sandbox.ketch(&["fmt", "--diff", "--check", "a"]).is(1, diff, "");
    sandbox.ketch_with(&["fmt", "--check", "-"], OLD).is(1, "<stdin>\n", "");
    assert_eq!(sandbox.read("a").as_bytes(), OLD);
}

#[test]
fn encodings_and_line_breaks_are_kept() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let sandbox = Sandbox::with(&[("a", &wide("\u{feff}a:  \u{e9}\r\n"))]);
    sandbox.ketch(&["fmt", "--diff", "a"]).exits_with(0);
    sandbox.ketch(&["fmt", "a"]).is(0, "", "");
    assert_eq!(std::fs::read(sandbox.path("a")).unwrap(), wide("\u{feff}a: \u{e9}\r\n"));
}

#[test]
fn output_above_the_limit_is_an_error() {
    let sandbox = Sandbox::with(&[("a", b"- - - - -\n#\n#\n          x\n")]);
    let run = sandbox.ketch(&["fmt", "--max-output-bytes", "30", "a"]);
    assert!(run.exits_with(1).stderr.contains("`--max-output-bytes`"), "{run}");
    assert!(sandbox.read("a").contains("\n#\n"), "{run}");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(&[("file", OLD)]);
    let mode = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(sandbox.path("file"), mode).unwrap();
    std::os::unix::fs::symlink("file", sandbox.path("link")).unwrap();
    sandbox.ketch(&["fmt", "link"]).is(0, "", "");
    assert_eq!(sandbox.read("file"), NEW);
    assert!(std::fs::symlink_metadata(sandbox.path("link")).unwrap().is_symlink());
    let mode = std::fs::metadata(sandbox.path("file")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

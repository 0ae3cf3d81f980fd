//! `ketch fmt`: which files are written back.

mod common;

use common::Place;

const OLD: &[u8] = b"a:   1   # one\nb:\n    - x\n";
const NEW: &str = "a: 1 # one\nb:\n  - x\n";

#[test]
fn files_are_written_back() {
    let place = Place::with(&[("a", OLD), ("b", NEW.as_bytes()), ("c", b"c: [1\n")]);
    let ran = place.ketch(&["fmt", "a", "c", "b", "missing"]);
    assert!(ran.ends(3).stdout.is_empty(), "{ran}");
    assert!(ran.stderr.contains("a `[` is never closed"), "{ran}");
    assert_eq!((place.read("a"), place.read("b")), (NEW.to_owned(), NEW.to_owned()));
    assert_eq!(place.read("c"), "c: [1\n");
    assert_eq!(place.count(), 3);
    place.ketch(&["fmt", "a"]).is(0, "", "");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let place = Place::new();
    place.ketch_with(&["fmt", "-"], OLD).is(0, NEW, "");
    place.ketch_with(&["fmt", "-"], NEW.as_bytes()).is(0, NEW, "");
    let indented = "a: 1 # one\nb:\n   - x\n";
    let options = ["fmt", "--sequences", "indented", "--indent", "3", "-"];
    place.ketch_with(&options, OLD).is(0, indented, "");
    let flush = "a: 1 # one\nb:\n- x\n";
    place.ketch_with(&["fmt", "--sequences", "flush", "-"], OLD).is(0, flush, "");
    place.ketch_with(&["fmt", "-"], flush.as_bytes()).is(0, flush, "");
    place.ketch_with(&["fmt", "--width", "8", "-"], b"[aa, bb, cc]").is(0, "[aa, bb,\n  cc]\n", "");
    place.ketch_with(&["fmt", "--blank-lines", "0", "-"], b"a\n\n---\nb\n").is(
        0,
        "a\n---\nb\n",
        "",
    );
}

#[test]
fn check_and_diff_change_no_file() {
    let place = Place::with(&[("a", OLD), ("b", NEW.as_bytes())]);
    place.ketch(&["fmt", "--check", "a", "b"]).is(1, "a\n", "");
    place.ketch(&["fmt", "--check", "b"]).is(0, "", "");
    let diff =
        "--- a\n+++ a\n@@ -1,3 +1,3 @@\n-a:   1   # one\n+a: 1 # one\n b:\n-    - x\n+  - x\n";
    place.ketch(&["fmt", "--diff", "a", "b"]).is(0, diff, "");
    place.ketch(&["fmt", "--diff", "--check", "a"]).is(1, diff, "");
    place.ketch_with(&["fmt", "--check", "-"], OLD).is(1, "<stdin>\n", "");
    assert_eq!(place.read("a").as_bytes(), OLD);
}

#[test]
fn encodings_and_line_breaks_are_kept() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let place = Place::with(&[("a", &wide("\u{feff}a:  \u{e9}\r\n"))]);
    place.ketch(&["fmt", "--diff", "a"]).ends(0);
    place.ketch(&["fmt", "a"]).is(0, "", "");
    assert_eq!(std::fs::read(place.path("a")).unwrap(), wide("\u{feff}a: \u{e9}\r\n"));
}

#[test]
fn output_above_the_limit_is_an_error() {
    let place = Place::with(&[("a", b"- - - - -\n#\n#\n          x\n")]);
    let ran = place.ketch(&["fmt", "--max-output-bytes", "30", "a"]);
    assert!(ran.ends(1).stderr.contains("`--max-output-bytes`"), "{ran}");
    assert!(place.read("a").contains("\n#\n"), "{ran}");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with(&[("file", OLD)]);
    let mode = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(place.path("file"), mode).unwrap();
    std::os::unix::fs::symlink("file", place.path("link")).unwrap();
    place.ketch(&["fmt", "link"]).is(0, "", "");
    assert_eq!(place.read("file"), NEW);
    assert!(std::fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
    let mode = std::fs::metadata(place.path("file")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

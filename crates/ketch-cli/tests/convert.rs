//! `ketch convert`: outputs, files, statistics.

mod common;

use common::Place;
use std::fs;

#[test]
fn each_input_is_a_stream_of_events() {
    let place = Place::with(&[("a", b"1\n"), ("b", b"2\n")]);
    let stream = |value| format!("+STR\n+DOC\n=VAL :{value}\n-DOC\n-STR\n");
    let both = stream(1) + &stream(2);
    place.ketch(&["convert", "--to", "events", "a", "b"]).is(0, &both, "");
    place.ketch_with(&["convert", "--to", "events", "a", "-"], b"2\n").is(0, &both, "");
    place.ketch_with(&["convert", "--to", "events"], b"2\n").is(0, &stream(2), "");
}

#[test]
fn a_wrong_input_does_not_keep_the_others() {
    let place = Place::with(&[("bad", b"]"), ("good", b"2\n")]);
    let ran = place.ketch(&["convert", "--to", "events", "bad", "good"]);
    assert_eq!(ran.ends(1).stdout, "+STR\n+DOC\n+STR\n+DOC\n=VAL :2\n-DOC\n-STR\n", "{ran}");
    assert_eq!(ran.stderr.matches("error:").count(), 1, "{ran}");
    let ran = place.ketch(&["convert", "--to", "events", "missing", "good", "bad"]);
    assert_eq!(ran.ends(3).stderr.matches("error:").count(), 2, "{ran}");
}

#[test]
fn statistics_say_what_was_done() {
    let place = Place::with(&[("a", b"- 1\n- 2\n"), ("b", b"--- 1\n--- 2\n")]);
    let ran = place.ketch(&["convert", "--to", "events", "--stats", "a", "b"]);
    let start = "2 files, 20 B, 3 documents, 12 events in ";
    assert!(ran.ends(0).stderr.starts_with(start), "{ran}");
    assert!(ran.stderr.ends_with(" MB/s)\n"), "{ran}");
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let place = Place::with(&[("good", b"1\n"), ("bad", b"]"), ("out", b"old")]);
    place.ketch(&["convert", "--to", "events", "good", "bad", "-o", "out"]).ends(1);
    assert_eq!((place.read("out").as_str(), place.count()), ("old", 3));
    place.ketch(&["convert", "--to", "events", "good", "-o", "out"]).is(0, "", "");
    assert_eq!(place.read("out"), "+STR\n+DOC\n=VAL :1\n-DOC\n-STR\n");
    // Also over its own input, and to a new file.
    place.ketch(&["convert", "--to", "events", "good", "-o", "good"]).is(0, "", "");
    assert_eq!(place.read("good"), "+STR\n+DOC\n=VAL :1\n-DOC\n-STR\n");
    place.ketch(&["convert", "--to", "events", "out", "-o", "new"]).ends(0);
    assert_eq!(place.count(), 4);
}

#[test]
fn an_output_that_cannot_be_written() {
    let place = Place::with(&[("a", b"1\n")]);
    let ran = place.ketch(&["convert", "--to", "events", "a", "-o", "no/such/directory"]);
    assert!(ran.ends(3).stderr.contains("no/such/directory: could not be written"), "{ran}");
    let ran = place.ketch(&["convert", "--to", "events", "a", "-o", "."]);
    assert!(ran.ends(3).stderr.contains(".: could not be written: is a directory"), "{ran}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = Place::with(&[("a", b"1\n")]);
    let mut command = place.command(&["convert", "--to", "events", "a"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = command.stdout(full).output().expect("the command runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.starts_with("error: <stdout>: could not be written: "), "{stderr}");
    let ran = place.ketch(&["convert", "--to", "events", "a", "-o", "/dev/full"]);
    assert!(ran.ends(3).stderr.contains("/dev/full: could not be written"), "{ran}");
}

//! How files are replaced: metadata, errors, and signals.
#![cfg(unix)]

mod common;

use common::{Place, as_nobody, as_nobody_with, is_root};
use rustix::fs::{CWD, Mode, mkfifoat};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const OLD: &[u8] = b"a:   1\n";
const NEW: &str = "a: 1\n";
const NOBODY: u32 = 65534;

fn mode(place: &Place, name: &str) -> u32 {
    fs::metadata(place.path(name)).unwrap().mode() & 0o7777
}

fn set_mode(place: &Place, name: &str, mode: u32) {
    fs::set_permissions(place.path(name), Permissions::from_mode(mode)).unwrap();
}

/// An ACL that also lets the user 4711 read.
fn acl() -> Vec<u8> {
    let mut acl = vec![2, 0, 0, 0];
    let entries = [
        (0x01_u16, 6_u16, u32::MAX),
        (2, 4, 4711),
        (4, 4, u32::MAX),
        (16, 4, u32::MAX),
        (32, 0, u32::MAX),
    ];
    for (tag, permissions, id) in entries {
        acl.extend(tag.to_le_bytes());
        acl.extend(permissions.to_le_bytes());
        acl.extend(id.to_le_bytes());
    }
    acl
}

/// Sets an attribute, if the file system has them.
fn set_attribute(place: &Place, name: &str, attribute: &str, value: &[u8]) -> bool {
    match xattr::set(place.path(name), attribute, value) {
        Ok(()) => true,
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::Unsupported, "{error}");
            false
        }
    }
}

#[test]
fn owner_mode_and_set_id_bits_are_kept() {
    let place = Place::with(&[("a", OLD)]);
    if is_root() {
        chown(place.path("a"), Some(NOBODY), Some(4711)).unwrap();
    }
    set_mode(&place, "a", 0o6754);
    place.ketch(&["fmt", "a"]).is(0, "", "");
    let metadata = fs::metadata(place.path("a")).unwrap();
    assert_eq!((place.read("a").as_str(), mode(&place, "a")), (NEW, 0o6754));
    if is_root() {
        assert_eq!((metadata.uid(), metadata.gid()), (NOBODY, 4711));
    }
    place.ketch(&["convert", "a", "-o", "a"]).is(0, "", "");
    assert_eq!((place.read("a").as_str(), mode(&place, "a")), ("{\"a\":1}\n", 0o6754));
}

#[test]
fn acls_and_attributes_are_kept() {
    let place = Place::with(&[("a", OLD)]);
    let has_attributes = set_attribute(&place, "a", "user.origin", b"here");
    let has_acl = set_attribute(&place, "a", "system.posix_acl_access", &acl());
    let old_mode = mode(&place, "a");
    place.ketch(&["fmt", "a"]).is(0, "", "");
    assert_eq!((place.read("a").as_str(), mode(&place, "a")), (NEW, old_mode));
    let get = |name| xattr::get(place.path("a"), name).unwrap();
    if has_attributes {
        assert_eq!(get("user.origin").as_deref(), Some(b"here".as_slice()));
    }
    if has_acl {
        assert_eq!(get("system.posix_acl_access"), Some(acl()));
    }
}

#[test]
fn a_default_acl_is_for_new_files() {
    let place = Place::with(&[("old", OLD)]);
    set_mode(&place, "old", 0o604);
    if !set_attribute(&place, ".", "system.posix_acl_default", &acl()) {
        return;
    }
    place.ketch(&["fmt", "old"]).is(0, "", "");
    assert_eq!(mode(&place, "old"), 0o604);
    assert_eq!(xattr::get(place.path("old"), "system.posix_acl_access").unwrap(), None);
    // New files get the same ACL as files that any other program creates.
    place.write("by-shell", b"");
    place.ketch(&["convert", "old", "-o", "new"]).is(0, "", "");
    let get = |name| xattr::get(place.path(name), "system.posix_acl_access").unwrap();
    assert_eq!((get("new"), mode(&place, "new")), (get("by-shell"), mode(&place, "by-shell")));
}

#[test]
fn a_new_file_gets_its_mode_from_the_umask() {
    let place = Place::with(&[("a", OLD)]);
    let ketch = env!("CARGO_BIN_EXE_ketch");
    for (mask, want) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let script = format!("umask {mask}; {ketch} convert a -o new-{mask}");
        let ran = Command::new("sh").args(["-c", &script]).current_dir(place.path("")).status();
        assert!(ran.unwrap().success());
        assert_eq!(mode(&place, &format!("new-{mask}")), want, "{mask}");
    }
}

#[test]
fn files_with_several_hard_links_are_not_replaced() {
    let place = Place::with(&[("a", OLD)]);
    fs::hard_link(place.path("a"), place.path("b")).unwrap();
    for args in [["fmt", "a"].as_slice(), &["convert", "a", "-o", "a"]] {
        let ran = place.ketch(args);
        assert!(ran.ends(3).stderr.contains("it has 2 hard links"), "{ran}");
        assert!(ran.stderr.contains("`--write-through`"), "{ran}");
    }
    assert_eq!((place.read("b").as_bytes(), place.count()), (OLD, 2));
    place.ketch(&["fmt", "--write-through", "a"]).is(0, "", "");
    assert_eq!((place.read("a").as_str(), place.read("b").as_str()), (NEW, NEW));
    assert_eq!(fs::metadata(place.path("a")).unwrap().nlink(), 2);
    // An error in the input leaves the file unchanged, also with `--write-through`.
    place.write("wrong", b"a: [\n");
    place.ketch(&["convert", "wrong", "-o", "a", "--write-through"]).ends(1);
    assert_eq!(place.read("b"), NEW);
}

#[test]
fn files_of_other_users_are_refused() {
    if !is_root() {
        return;
    }
    let place = Place::with(&[("a", OLD), ("b", OLD)]);
    set_mode(&place, ".", 0o777);
    set_mode(&place, "a", 0o666);
    let ran = as_nobody(&place, &["fmt", "a"]);
    assert!(ran.ends(3).stderr.contains("its owner (user 0, group 0) cannot be kept"), "{ran}");
    assert!(ran.stderr.contains("`--write-through`"), "{ran}");
    assert_eq!((place.read("a").as_bytes(), place.count()), (OLD, 2));
    as_nobody(&place, &["fmt", "--write-through", "a"]).is(0, "", "");
    let metadata = fs::metadata(place.path("a")).unwrap();
    assert_eq!((place.read("a").as_str(), metadata.uid()), (NEW, 0));
    // The group that a user is not in cannot be given, and so no set-group-id.
    chown(place.path("b"), Some(NOBODY), Some(4711)).unwrap();
    set_mode(&place, "b", 0o2755);
    let ran = as_nobody(&place, &["fmt", "b"]);
    assert!(ran.ends(3).stderr.contains("its owner (user 65534, group 4711)"), "{ran}");
    assert_eq!((place.read("b").as_bytes(), mode(&place, "b")), (OLD, 0o2755));
    // A folder without write permission.
    set_mode(&place, ".", 0o755);
    chown(place.path("a"), Some(NOBODY), Some(NOBODY)).unwrap();
    place.write("a", OLD);
    let ran = as_nobody(&place, &["fmt", "a"]);
    assert!(ran.ends(3).stderr.contains("permission denied"), "{ran}");
    assert!(!ran.stderr.contains(".ketch-") && !ran.stderr.contains("os error"), "{ran}");
    assert!(ran.stderr.contains("`--write-through`"), "{ran}");
    as_nobody(&place, &["fmt", "--write-through", "a"]).is(0, "", "");
    assert_eq!(place.read("a"), NEW);
    // No folder for temporary files.
    place.write("a", OLD);
    let ran = as_nobody_with(&place, "/proc/none", &["fmt", "--write-through", "a"]);
    let expected = "a: could not be replaced: no temporary file can be created in /proc/none";
    assert!(ran.ends(3).stderr.contains(expected), "{ran}");
    assert!(ran.stderr.contains("`TMPDIR`"), "{ran}");
    // A read-only file.
    set_mode(&place, "b", 0o444);
    let ran = as_nobody(&place, &["fmt", "b"]);
    assert!(ran.ends(3).stderr.contains("b: could not be written: permission denied"), "{ran}");
}

#[test]
fn links_are_followed_and_kept() {
    let place = Place::with(&[("a", OLD)]);
    fs::create_dir(place.path("there")).unwrap();
    symlink("there/link", place.path("dangling")).unwrap();
    symlink("../new", place.path("there/link")).unwrap();
    place.ketch(&["convert", "a", "-o", "dangling"]).is(0, "", "");
    assert_eq!(place.read("new"), "{\"a\":1}\n");
    for link in ["dangling", "there/link"] {
        assert!(fs::symlink_metadata(place.path(link)).unwrap().is_symlink(), "{link}");
    }
    symlink("loop", place.path("loop")).unwrap();
    let ran = place.ketch(&["convert", "a", "-o", "loop"]);
    assert!(ran.ends(3).stderr.contains("symbolic links"), "{ran}");
    symlink("nowhere/new", place.path("lost")).unwrap();
    let ran = place.ketch(&["convert", "a", "-o", "lost"]);
    assert!(ran.ends(3).stderr.contains("no such file or directory"), "{ran}");
}

#[test]
fn streams_are_written_to_and_not_replaced() {
    let place = Place::with(&[("a", OLD), ("log", b"first\n")]);
    let inode = fs::metadata(place.path("log")).unwrap().ino();
    for target in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let log = fs::File::options().append(true).open(place.path("log")).unwrap();
        let status = place.command(&["convert", "a", "-o", target]).stdout(log).status();
        assert!(status.unwrap().success(), "{target}");
    }
    assert_eq!(place.read("log"), "first\n".to_owned() + &"{\"a\":1}\n".repeat(3));
    assert_eq!(fs::metadata(place.path("log")).unwrap().ino(), inode);
    let log = fs::File::create(place.path("errors")).unwrap();
    let mut command = place.command(&["convert", "a", "-o", "/dev/stderr"]);
    assert!(command.stderr(log).status().unwrap().success());
    assert_eq!(place.read("errors"), "{\"a\":1}\n");
    place.ketch(&["convert", "a", "-o", "/dev/stdout"]).is(0, "{\"a\":1}\n", "");
    place.ketch(&["convert", "a", "-o", "/dev/null"]).is(0, "", "");
    let ran = place.ketch(&["convert", "a", "-o", "/dev/full"]);
    assert!(ran.ends(3).stderr.contains("no space left on device\n"), "{ran}");
}

#[test]
fn pipes_are_written_to_and_not_formatted() {
    let place = Place::with(&[("a", OLD)]);
    mkfifoat(CWD, place.path("pipe"), Mode::RWXU).unwrap();
    let mut writer = place.command(&["convert", "a", "-o", "pipe"]).spawn().unwrap();
    let mut read = String::new();
    fs::File::open(place.path("pipe")).unwrap().read_to_string(&mut read).unwrap();
    assert!(writer.wait().unwrap().success());
    assert_eq!(read, "{\"a\":1}\n");
    // These commands fail at once instead of waiting for a writer.
    for args in [["fmt", "pipe"].as_slice(), &["extprot", "format", "--write", "pipe"]] {
        let ran = place.ketch(args);
        assert!(ran.ends(3).stderr.contains("not a regular file"), "{ran}");
        assert!(ran.stderr.contains("- < pipe"), "{ran}");
    }
    assert_eq!(place.count(), 2);
}

#[test]
fn signals_leave_no_temporary_file() {
    for (signal, ignored) in
        [(Signal::INT, false), (Signal::TERM, false), (Signal::HUP, false), (Signal::HUP, true)]
    {
        let place = Place::with(&[("out", b"old\n")]);
        // Tests that run in the background or under nohup may ignore signals.
        let option = if ignored { "--ignore-signal=HUP" } else { "--default-signal=INT,TERM,HUP" };
        let mut command = Command::new("env");
        command.args([option, env!("CARGO_BIN_EXE_ketch"), "convert", "-o", "out"]);
        command.current_dir(place.path(""));
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"a: 1\n--- [1]\n").unwrap();
        let start = Instant::now();
        while place.count() == 1 && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(place.count(), 2, "the temporary file");
        let temporary = fs::read_dir(place.path(""))
            .unwrap()
            .map(Result::unwrap)
            .find(|entry| entry.file_name().to_string_lossy().starts_with(".ketch-"));
        assert_eq!(temporary.unwrap().metadata().unwrap().mode() & 0o7777, 0o600);
        kill_process(Pid::from_child(&child), signal).unwrap();
        if ignored {
            drop(stdin);
            assert!(child.wait().unwrap().success());
            assert_eq!(place.read("out"), "{\"a\":1}\n[1]\n");
        } else {
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(signal.as_raw()));
            assert_eq!(place.read("out"), "old\n");
        }
        assert_eq!(place.count(), 1, "{signal:?}");
    }
}

#[test]
fn a_full_disk_leaves_the_file_unchanged() {
    let place = Place::with(&[("out", b"old\n")]);
    let big = "a: 0123456789\n".repeat(20_000).replace("a:", "-");
    place.write("big", big.as_bytes());
    fs::hard_link(place.path("out"), place.path("other")).unwrap();
    let ketch = env!("CARGO_BIN_EXE_ketch");
    // Blocks of 512 bytes in a shell of Debian.
    for option in ["-o new", "-o out --write-through"] {
        let script = format!("ulimit -f 8; exec {ketch} convert big {option}");
        let ran = Command::new("sh").args(["-c", &script]).current_dir(place.path("")).output();
        let ran = ran.unwrap();
        assert_eq!(ran.status.code(), Some(3), "{option}: {ran:?}");
        let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(stderr.contains("file too large") && !stderr.contains(".ketch-"), "{stderr}");
        assert_eq!((place.read("other").as_str(), place.count()), ("old\n", 3), "{option}");
    }
}

#[test]
fn a_reader_never_sees_half_a_file() {
    let place = Place::with(&[("a", b"[1, 2]\n"), ("out", b"old\n")]);
    let open = fs::File::open(place.path("out")).unwrap();
    place.ketch(&["convert", "a", "-o", "out"]).is(0, "", "");
    let mut line = String::new();
    BufReader::new(open).read_line(&mut line).unwrap();
    assert_eq!((line.as_str(), place.read("out").as_str()), ("old\n", "[1,2]\n"));
}

#[test]
fn a_folder_as_input_is_an_error_with_help() {
    let place = Place::new();
    fs::create_dir(place.path("deploy")).unwrap();
    for command in ["fmt", "check", "convert"] {
        let ran = place.ketch(&[command, "deploy"]);
        let text = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.ends(3).code == Some(3) && text.contains("deploy/*.yaml"), "{ran}");
    }
}

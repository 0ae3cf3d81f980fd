//! Tests of how files are replaced: metadata, errors, and signals.
#![cfg(unix)]

mod common;

use common::{Sandbox, as_nobody, as_nobody_with, is_root};
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

fn mode(sandbox: &Sandbox, name: &str) -> u32 {
    fs::metadata(sandbox.path(name)).unwrap().mode() & 0o7777
}

fn set_mode(sandbox: &Sandbox, name: &str, mode: u32) {
    fs::set_permissions(sandbox.path(name), Permissions::from_mode(mode)).unwrap();
}

/// Returns an ACL by which the user 4711 may read the file, too.
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

/// Sets an extended attribute. Returns whether the file system supports this.
fn set_attribute(sandbox: &Sandbox, name: &str, attribute: &str, value: &[u8]) -> bool {
    match xattr::set(sandbox.path(name), attribute, value) {
        Ok(()) => true,
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::Unsupported, "{error}");
            false
        }
    }
}

#[test]
fn owner_mode_and_set_id_bits_are_kept() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    if is_root() {
        chown(sandbox.path("a"), Some(NOBODY), Some(4711)).unwrap();
    }
    set_mode(&sandbox, "a", 0o6754);
    sandbox.ketch(&["fmt", "a"]).is(0, "", "");
    let metadata = fs::metadata(sandbox.path("a")).unwrap();
    assert_eq!((sandbox.read("a").as_str(), mode(&sandbox, "a")), (NEW, 0o6754));
    if is_root() {
        assert_eq!((metadata.uid(), metadata.gid()), (NOBODY, 4711));
    }
    sandbox.ketch(&["convert", "a", "-o", "a"]).is(0, "", "");
    assert_eq!((sandbox.read("a").as_str(), mode(&sandbox, "a")), ("{\"a\":1}\n", 0o6754));
}

#[test]
fn acls_and_attributes_are_kept() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    let has_attributes = set_attribute(&sandbox, "a", "user.origin", b"here");
    let has_acl = set_attribute(&sandbox, "a", "system.posix_acl_access", &acl());
    let old_mode = mode(&sandbox, "a");
    sandbox.ketch(&["fmt", "a"]).is(0, "", "");
    assert_eq!((sandbox.read("a").as_str(), mode(&sandbox, "a")), (NEW, old_mode));
    let get = |name| xattr::get(sandbox.path("a"), name).unwrap();
    if has_attributes {
        assert_eq!(get("user.origin").as_deref(), Some(b"here".as_slice()));
    }
    if has_acl {
        assert_eq!(get("system.posix_acl_access"), Some(acl()));
    }
}

#[test]
fn a_default_acl_is_for_new_files() {
    let sandbox = Sandbox::with(&[("old", OLD)]);
    set_mode(&sandbox, "old", 0o604);
    if !set_attribute(&sandbox, ".", "system.posix_acl_default", &acl()) {
        return;
    }
    sandbox.ketch(&["fmt", "old"]).is(0, "", "");
    assert_eq!(mode(&sandbox, "old"), 0o604);
    assert_eq!(xattr::get(sandbox.path("old"), "system.posix_acl_access").unwrap(), None);
    // New files get the same ACL and mode as files that another program creates.
    sandbox.write("by-shell", b"");
    sandbox.ketch(&["convert", "old", "-o", "new"]).is(0, "", "");
    let get = |name| xattr::get(sandbox.path(name), "system.posix_acl_access").unwrap();
    assert_eq!((get("new"), mode(&sandbox, "new")), (get("by-shell"), mode(&sandbox, "by-shell")));
}

#[test]
fn a_new_file_gets_its_mode_from_the_umask() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    let ketch = env!("CARGO_BIN_EXE_ketch");
    for (mask, want) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let script = format!("umask {mask}; {ketch} convert a -o new-{mask}");
        let run = Command::new("sh").args(["-c", &script]).current_dir(sandbox.path("")).status();
        assert!(run.unwrap().success());
        assert_eq!(mode(&sandbox, &format!("new-{mask}")), want, "{mask}");
    }
}

#[test]
fn files_with_several_hard_links_are_not_replaced() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    fs::hard_link(sandbox.path("a"), sandbox.path("b")).unwrap();
    for args in [["fmt", "a"].as_slice(), &["convert", "a", "-o", "a"]] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(3).stderr.contains("it has 2 hard links"), "{run}");
        assert!(run.stderr.contains("`--write-through`"), "{run}");
    }
    assert_eq!((sandbox.read("b").as_bytes(), sandbox.count()), (OLD, 2));
    sandbox.ketch(&["fmt", "--write-through", "a"]).is(0, "", "");
    assert_eq!((sandbox.read("a").as_str(), sandbox.read("b").as_str()), (NEW, NEW));
    assert_eq!(fs::metadata(sandbox.path("a")).unwrap().nlink(), 2);
    // After an error in the input, the file is unchanged, even with `--write-through`.
    sandbox.write("wrong", b"a: [\n");
    sandbox.ketch(&["convert", "wrong", "-o", "a", "--write-through"]).exits_with(1);
    assert_eq!(sandbox.read("b"), NEW);
}

#[test]
fn files_of_other_users_are_refused() {
    if !is_root() {
        return;
    }
    let sandbox = Sandbox::with(&[("a", OLD), ("b", OLD)]);
    set_mode(&sandbox, ".", 0o777);
    set_mode(&sandbox, "a", 0o666);
    let run = as_nobody(&sandbox, &["fmt", "a"]);
    assert!(
        run.exits_with(3).stderr.contains("its owner (user 0, group 0) cannot be kept"),
        "{run}"
    );
    assert!(run.stderr.contains("`--write-through`"), "{run}");
    assert_eq!((sandbox.read("a").as_bytes(), sandbox.count()), (OLD, 2));
    as_nobody(&sandbox, &["fmt", "--write-through", "a"]).is(0, "", "");
    let metadata = fs::metadata(sandbox.path("a")).unwrap();
    assert_eq!((sandbox.read("a").as_str(), metadata.uid()), (NEW, 0));
    // Users cannot give a file to a group that they are not in, so the set-group-ID bit would be
    // lost.
    chown(sandbox.path("b"), Some(NOBODY), Some(4711)).unwrap();
    set_mode(&sandbox, "b", 0o2755);
    let run = as_nobody(&sandbox, &["fmt", "b"]);
    assert!(run.exits_with(3).stderr.contains("its owner (user 65534, group 4711)"), "{run}");
    assert_eq!((sandbox.read("b").as_bytes(), mode(&sandbox, "b")), (OLD, 0o2755));
    // The folder is not writable.
    set_mode(&sandbox, ".", 0o755);
    chown(sandbox.path("a"), Some(NOBODY), Some(NOBODY)).unwrap();
    sandbox.write("a", OLD);
    let run = as_nobody(&sandbox, &["fmt", "a"]);
    assert!(run.exits_with(3).stderr.contains("permission denied"), "{run}");
    assert!(!run.stderr.contains(".ketch-") && !run.stderr.contains("os error"), "{run}");
    assert!(run.stderr.contains("`--write-through`"), "{run}");
    as_nobody(&sandbox, &["fmt", "--write-through", "a"]).is(0, "", "");
    assert_eq!(sandbox.read("a"), NEW);
    // There is no folder for temporary files.
    sandbox.write("a", OLD);
    let run = as_nobody_with(&sandbox, "/proc/none", &["fmt", "--write-through", "a"]);
    let expected = "a: could not be replaced: no temporary file can be created in /proc/none";
    assert!(run.exits_with(3).stderr.contains(expected), "{run}");
    assert!(run.stderr.contains("`TMPDIR`"), "{run}");
    // The file is read-only.
    set_mode(&sandbox, "b", 0o444);
    let run = as_nobody(&sandbox, &["fmt", "b"]);
    assert!(
        run.exits_with(3).stderr.contains("b: could not be written: permission denied"),
        "{run}"
    );
}

#[test]
fn links_are_followed_and_kept() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    fs::create_dir(sandbox.path("there")).unwrap();
    symlink("there/link", sandbox.path("dangling")).unwrap();
    symlink("../new", sandbox.path("there/link")).unwrap();
    sandbox.ketch(&["convert", "a", "-o", "dangling"]).is(0, "", "");
    assert_eq!(sandbox.read("new"), "{\"a\":1}\n");
    for link in ["dangling", "there/link"] {
        assert!(fs::symlink_metadata(sandbox.path(link)).unwrap().is_symlink(), "{link}");
    }
    symlink("loop", sandbox.path("loop")).unwrap();
    let run = sandbox.ketch(&["convert", "a", "-o", "loop"]);
    assert!(run.exits_with(3).stderr.contains("symbolic links"), "{run}");
    symlink("nowhere/new", sandbox.path("lost")).unwrap();
    let run = sandbox.ketch(&["convert", "a", "-o", "lost"]);
    assert!(run.exits_with(3).stderr.contains("no such file or directory"), "{run}");
}

#[test]
fn streams_are_written_to_and_not_replaced() {
    let sandbox = Sandbox::with(&[("a", OLD), ("log", b"first\n")]);
    let inode = fs::metadata(sandbox.path("log")).unwrap().ino();
    for target in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let log = fs::File::options().append(true).open(sandbox.path("log")).unwrap();
        let status = sandbox.command(&["convert", "a", "-o", target]).stdout(log).status();
        assert!(status.unwrap().success(), "{target}");
    }
    assert_eq!(sandbox.read("log"), "first\n".to_owned() + &"{\"a\":1}\n".repeat(3));
    assert_eq!(fs::metadata(sandbox.path("log")).unwrap().ino(), inode);
    let log = fs::File::create(sandbox.path("errors")).unwrap();
    let mut command = sandbox.command(&["convert", "a", "-o", "/dev/stderr"]);
    assert!(command.stderr(log).status().unwrap().success());
    assert_eq!(sandbox.read("errors"), "{\"a\":1}\n");
    sandbox.ketch(&["convert", "a", "-o", "/dev/stdout"]).is(0, "{\"a\":1}\n", "");
    sandbox.ketch(&["convert", "a", "-o", "/dev/null"]).is(0, "", "");
    let run = sandbox.ketch(&["convert", "a", "-o", "/dev/full"]);
    assert!(run.exits_with(3).stderr.contains("no space left on device\n"), "{run}");
}

#[test]
fn pipes_are_written_to_and_not_formatted() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    mkfifoat(CWD, sandbox.path("pipe"), Mode::RWXU).unwrap();
    let mut writer = sandbox.command(&["convert", "a", "-o", "pipe"]).spawn().unwrap();
    let mut read = String::new();
    fs::File::open(sandbox.path("pipe")).unwrap().read_to_string(&mut read).unwrap();
    assert!(writer.wait().unwrap().success());
    assert_eq!(read, "{\"a\":1}\n");
    // These commands fail at once instead of waiting for a writer of the pipe.
    for args in [["fmt", "pipe"].as_slice(), &["extprot", "format", "--write", "pipe"]] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(3).stderr.contains("not a regular file"), "{run}");
        assert!(run.stderr.contains("- < pipe"), "{run}");
    }
    assert_eq!(sandbox.count(), 2);
}

#[test]
fn signals_leave_no_temporary_file() {
    for (signal, ignored) in
        [(Signal::INT, false), (Signal::TERM, false), (Signal::HUP, false), (Signal::HUP, true)]
    {
        let sandbox = Sandbox::with(&[("out", b"old\n")]);
        // Without these options, the command would ignore the signals that the tests ignore, for
        // example under `nohup`.
        let option = if ignored { "--ignore-signal=HUP" } else { "--default-signal=INT,TERM,HUP" };
        let mut command = Command::new("env");
        command.args([option, env!("CARGO_BIN_EXE_ketch"), "convert", "-o", "out"]);
        command.current_dir(sandbox.path(""));
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"a: 1\n--- [1]\n").unwrap();
        let start = Instant::now();
        while sandbox.count() == 1 && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(sandbox.count(), 2, "the temporary file");
        let temporary = fs::read_dir(sandbox.path(""))
            .unwrap()
            .map(Result::unwrap)
            .find(|entry| entry.file_name().to_string_lossy().starts_with(".ketch-"));
        assert_eq!(temporary.unwrap().metadata().unwrap().mode() & 0o7777, 0o600);
        kill_process(Pid::from_child(&child), signal).unwrap();
        if ignored {
            drop(stdin);
            assert!(child.wait().unwrap().success());
            assert_eq!(sandbox.read("out"), "{\"a\":1}\n[1]\n");
        } else {
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(signal.as_raw()));
            assert_eq!(sandbox.read("out"), "old\n");
        }
        assert_eq!(sandbox.count(), 1, "{signal:?}");
    }
}

#[test]
fn a_full_disk_leaves_the_file_unchanged() {
    let sandbox = Sandbox::with(&[("out", b"old\n")]);
    let big = "a: 0123456789\n".repeat(20_000).replace("a:", "-");
    sandbox.write("big", big.as_bytes());
    fs::hard_link(sandbox.path("out"), sandbox.path("other")).unwrap();
    let ketch = env!("CARGO_BIN_EXE_ketch");
    // In the shell of Debian, the limit counts blocks of 512 bytes.
    for option in ["-o new", "-o out --write-through"] {
        let script = format!("ulimit -f 8; exec {ketch} convert big {option}");
        let run = Command::new("sh").args(["-c", &script]).current_dir(sandbox.path("")).output();
        let run = run.unwrap();
        assert_eq!(run.status.code(), Some(3), "{option}: {run:?}");
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(stderr.contains("file too large") && !stderr.contains(".ketch-"), "{stderr}");
        assert_eq!((sandbox.read("other").as_str(), sandbox.count()), ("old\n", 3), "{option}");
    }
}

#[test]
fn a_reader_never_sees_half_a_file() {
    let sandbox = Sandbox::with(&[("a", b"[1, 2]\n"), ("out", b"old\n")]);
    let open = fs::File::open(sandbox.path("out")).unwrap();
    sandbox.ketch(&["convert", "a", "-o", "out"]).is(0, "", "");
    let mut line = String::new();
    BufReader::new(open).read_line(&mut line).unwrap();
    assert_eq!((line.as_str(), sandbox.read("out").as_str()), ("old\n", "[1,2]\n"));
}

#[test]
fn a_folder_as_input_is_an_error_with_help() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("deploy")).unwrap();
    for command in ["fmt", "check", "convert"] {
        let run = sandbox.ketch(&[command, "deploy"]);
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(run.exits_with(3).code == Some(3) && text.contains("deploy/*`"), "{run}");
    }
}

//! Tests of edits in place that end early, because the process is killed or a system call fails.
//! The file must then be either the old one or the new one, with its metadata.
//!
//! The environment variable `KETCH_KILLS` sets the number of kills. The tests with faults in system
//! calls need strace, and run in `bin/release-check`.
#![cfg(target_os = "linux")]

mod common;

use common::{Sandbox, as_nobody, is_root};
use std::collections::HashMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

const OLD: &str = "# head\nimage: {tag: 1.9}   # pinned\n";
const NEW: &str = "# head\nimage: {tag: 1.10}   # pinned\n";
const EDIT: [&str; 5] = ["set", "-i", ".image.tag", "1.10", "a.yaml"];

/// A folder with one file that has all kinds of metadata.
struct Target {
    sandbox: Sandbox,
    /// The text after the part that is edited.
    rest: String,
    metadata: (u32, u32, u32),
    attributes: Vec<(String, Option<Vec<u8>>)>,
}

impl Target {
    fn new(rest: &str) -> Target {
        let sandbox = Sandbox::with(&[("a.yaml", format!("{OLD}{rest}").as_bytes())]);
        let path = sandbox.path("a.yaml");
        if is_root() {
            chown(&path, Some(65534), Some(4711)).unwrap();
        }
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        // Not every file system supports extended attributes.
        let _ = xattr::set(&path, "user.origin", b"here");
        // The owner may read and write, and the user 4711 may read.
        let acl = "0200000001000600ffffffff020004006712000004000400ffffffff10000400ffffffff20000000ffffffff";
        let acl = (0..acl.len()).step_by(2).map(|at| u8::from_str_radix(&acl[at..at + 2], 16));
        let _ = xattr::set(
            &path,
            "system.posix_acl_access",
            &acl.collect::<Result<Vec<_>, _>>().unwrap(),
        );
        let (metadata, attributes) = kept(&sandbox);
        Target { sandbox, rest: rest.to_owned(), metadata, attributes }
    }

    /// Checks that the file is the old or the new one, and returns whether it is the new one.
    #[track_caller]
    fn check(&self, what: &str) -> bool {
        let (metadata, attributes) = kept(&self.sandbox);
        assert_eq!((metadata, &attributes), (self.metadata, &self.attributes), "{what}");
        let text = self.sandbox.read("a.yaml");
        let head = text.strip_suffix(&self.rest).unwrap_or_else(|| panic!("{what}: a third file"));
        assert!(head == OLD || head == NEW, "{what}: a third file: {head:?}");
        head == NEW
    }

    /// Removes all other files in the folder, which must be temporary files, and returns their
    /// number.
    fn left(&self) -> usize {
        let mut count = 0;
        for entry in fs::read_dir(self.sandbox.path("")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name != "a.yaml" {
                assert!(name.starts_with(".ketch-"), "{name}");
                fs::remove_file(self.sandbox.path(&name)).unwrap();
                count += 1;
            }
        }
        count
    }
}

type Attributes = Vec<(String, Option<Vec<u8>>)>;

/// Returns the mode, the owner and the group of the file, and its extended attributes. The ACL is
/// one of these.
fn kept(sandbox: &Sandbox) -> ((u32, u32, u32), Attributes) {
    let path = sandbox.path("a.yaml");
    let metadata = fs::metadata(&path).unwrap();
    let names = xattr::list(&path).map(Iterator::collect::<Vec<_>>).unwrap_or_default();
    let mut attributes: Attributes = names
        .into_iter()
        .map(|name| (name.to_string_lossy().into_owned(), xattr::get(&path, &name).unwrap()))
        .collect();
    attributes.sort();
    ((metadata.mode(), metadata.uid(), metadata.gid()), attributes)
}

/// Returns element `index` of a sequence of numbers that are evenly spread between 0 and 1.
fn fraction(index: u32) -> f64 {
    (f64::from(index) * 0.618_033_988_749_895).fract()
}

#[test]
fn a_killed_edit_leaves_the_old_file_or_the_new_one() {
    let kills = std::env::var("KETCH_KILLS").ok().and_then(|kills| kills.parse().ok());
    let kills: u32 = kills.unwrap_or(60);
    let rest = "- {name: a, port: 80}\n".repeat(100_000);
    let rest = format!("list:\n{rest}");
    let mut lasts: Vec<Duration> = (0..5)
        .map(|_| {
            let target = Target::new(&rest);
            let start = Instant::now();
            target.sandbox.ketch(&EDIT).is(0, "", "");
            assert!(target.check("not killed") && target.left() == 0);
            start.elapsed()
        })
        .collect();
    lasts.sort();
    let longest = lasts[2].mul_f64(1.2);
    let (mut new, mut left, mut killed) = (0, 0, 0);
    for index in 0..kills {
        let target = Target::new(&rest);
        let mut child = target.sandbox.command(&EDIT).spawn().unwrap();
        std::thread::sleep(longest.mul_f64(fraction(index)));
        // This sends SIGKILL.
        child.kill().unwrap();
        let status = child.wait().unwrap();
        killed += u32::from(status.signal() == Some(9));
        new += u32::from(target.check(&format!("kill {index}")));
        let found = target.sandbox.count() - 1;
        assert!(found <= 1, "kill {index}");
        if found == 1 && left < 3 {
            target.sandbox.ketch(&EDIT).is(0, "", "");
            assert_eq!(target.left(), 0, "the next edit removes the temporary file");
        }
        assert!(status.signal() == Some(9) || found == 0, "it ended, and left a file");
        left += found;
    }
    eprintln!("{killed} of {kills} killed before the end; {new} new files; {left} temporary files");
    // Both outcomes must occur. Otherwise, the kills are too early or too late.
    assert!(kills < 50 || (killed > kills / 4 && new < kills));
}

#[test]
fn an_interrupted_edit_leaves_no_other_files() {
    let rest = format!("list:\n{}", "- {name: a, port: 80}\n".repeat(100_000));
    for index in 0..20 {
        let target = Target::new(&rest);
        let child = target.sandbox.command(&EDIT).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60).mul_f64(fraction(index)));
        let pid = rustix::process::Pid::from_child(&child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let run = child.wait_with_output().unwrap();
        target.check(&format!("{run:?}"));
        assert_eq!(target.left(), 0, "{run:?}");
    }
}

/// The system calls that concern files. A fault in another call, such as one for memory, ends the
/// process.
const CALLS: &str = "openat,open,read,pread64,write,pwrite64,readlink,getcwd,lseek,close,fsync,fdatasync,\
    statx,fstat,newfstatat,stat,lstat,chown,fchown,fchownat,chmod,fchmod,fchmodat,umask,\
    flistxattr,fgetxattr,fsetxattr,fremovexattr,listxattr,getxattr,setxattr,rename,renameat,\
    renameat2,ftruncate,fallocate,copy_file_range,sendfile,ioctl";

/// Runs the edit under strace. If `inject` is given, it makes one call fail or kill the process.
fn traced(target: &Target, inject: Option<&str>) -> std::process::Output {
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "/dev/fd/2", "-e", &format!("trace={CALLS}")]);
    if let Some(inject) = inject {
        command.args(["-e", &format!("inject={inject}")]);
    }
    command.arg(env!("CARGO_BIN_EXE_ketch")).args(EDIT);
    command.current_dir(target.sandbox.path("")).output().expect("strace")
}

/// Returns the system calls of the main thread, each with its name and the number of calls with
/// this name up to and including it.
fn calls(target: &Target) -> Vec<(String, usize)> {
    let run = traced(target, None);
    assert!(run.status.success() && target.check("traced"), "{run:?}");
    let log = String::from_utf8_lossy(&run.stderr).into_owned();
    let main = log.split_whitespace().next().expect("a log").to_owned();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut calls = Vec::new();
    for line in log.lines().filter(|line| line.starts_with(&main)) {
        let call = line[main.len()..].trim_start();
        if let Some((name, _)) =
            call.split_once('(').filter(|(name, _)| !name.contains([' ', '+', '<']))
        {
            let count = counts.entry(name.to_owned()).or_default();
            *count += 1;
            calls.push((name.to_owned(), *count));
        }
    }
    assert!(calls.iter().any(|(name, _)| name.starts_with("rename")), "{log}");
    calls
}

#[test]
#[ignore = "needs strace: bin/release-check faults"]
fn a_fault_in_any_system_call_leaves_the_old_file_or_the_new_one() {
    let calls = calls(&Target::new(""));
    let (mut runs, mut new, mut left) = (0, 0, 0);
    for (name, count) in &calls {
        let errors: &[&str] = match name.as_str() {
            "write" | "pwrite64" | "fallocate" | "ftruncate" => &["EIO", "ENOSPC", "EDQUOT"],
            "openat" => &["EACCES", "EROFS", "EMFILE", "ENOSPC"],
            "rename" | "renameat" | "renameat2" => &["EIO", "EACCES", "ENOSPC", "EXDEV"],
            "fchown" | "fchmod" | "fsetxattr" => &["EPERM", "EIO", "ENOSPC"],
            _ => &["EIO"],
        };
        for error in errors {
            let what = format!("{name}:error={error}:when={count}");
            // Under load, another thread may make one of the calls.
            let tries = (0..5).map(|_| Target::new("")).map(|target| {
                let run = traced(&target, Some(&what));
                (target, String::from_utf8_lossy(&run.stderr).into_owned(), run)
            });
            let found = tries.into_iter().find(|(_, log, _)| log.contains("(INJECTED)"));
            let (target, log, run) = found.unwrap_or_else(|| panic!("{what} was not injected"));
            assert!(!log.contains("panicked"), "{what}\n{log}");
            let is_new = target.check(&what);
            assert!(is_new || !run.status.success(), "{what}: success, but the old file");
            assert_eq!(target.left(), 0, "{what}\n{log}");
            (runs, new) = (runs + 1, new + u32::from(is_new));
        }
        // The process is killed before the call.
        let target = Target::new("");
        let what = format!("{name}:signal=SIGKILL:when={count}");
        traced(&target, Some(&what));
        (runs, new) = (runs + 1, new + u32::from(target.check(&what)));
        left += target.left();
    }
    eprintln!("{} calls, {runs} runs: {new} new files, {left} left by SIGKILL", calls.len());
    assert!(new > 0 && left > 0 && new < runs);
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let target = Target::new(&format!("list:\n{}", "- 0123456789\n".repeat(20_000)));
    let ketch = env!("CARGO_BIN_EXE_ketch");
    let script = format!("ulimit -f 8; exec {ketch} set -i .image.tag 1.10 a.yaml");
    let run =
        Command::new("sh").args(["-c", &script]).current_dir(target.sandbox.path("")).output();
    let run = run.unwrap();
    assert_eq!(run.status.code(), Some(3), "{run:?}");
    assert!(!target.check("full") && target.left() == 0, "{run:?}");
}

#[test]
fn links_are_kept() {
    let target = Target::new("");
    let sandbox = Sandbox::new();
    symlink(target.sandbox.path("a.yaml"), sandbox.path("a.yaml")).unwrap();
    sandbox.ketch(&EDIT).is(0, "", "");
    assert!(fs::symlink_metadata(sandbox.path("a.yaml")).unwrap().is_symlink());
    assert!(target.check("a link") && target.left() == 0);

    let sandbox = Sandbox::with(&[("a.yaml", OLD.as_bytes())]);
    fs::hard_link(sandbox.path("a.yaml"), sandbox.path("b.yaml")).unwrap();
    let run = sandbox.ketch(&EDIT);
    assert!(run.exits_with(3).stderr.contains("it has 2 hard links"), "{run}");
    assert_eq!((sandbox.read("b.yaml").as_str(), sandbox.count()), (OLD, 2));
    sandbox.ketch(&[&EDIT[..], &["--write-through"]].concat()).is(0, "", "");
    assert_eq!((sandbox.read("b.yaml").as_str(), sandbox.count()), (NEW, 2));
    assert_eq!(fs::metadata(sandbox.path("a.yaml")).unwrap().nlink(), 2);
    // There is nothing to change, so even a file with several links is left as it is.
    sandbox.ketch(&EDIT).is(0, "", "");
}

#[test]
fn read_only_files_and_folders_are_refused() {
    if !is_root() {
        return;
    }
    let sandbox = Sandbox::with(&[("a.yaml", OLD.as_bytes())]);
    chown(sandbox.path("a.yaml"), Some(65534), Some(65534)).unwrap();
    fs::set_permissions(sandbox.path(""), Permissions::from_mode(0o755)).unwrap();
    let run = as_nobody(&sandbox, &EDIT);
    assert!(run.exits_with(3).stderr.contains("its folder does not allow replacing it"), "{run}");
    assert_eq!((sandbox.read("a.yaml").as_str(), sandbox.count()), (OLD, 1));
    fs::set_permissions(sandbox.path(""), Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(sandbox.path("a.yaml"), Permissions::from_mode(0o444)).unwrap();
    let run = as_nobody(&sandbox, &EDIT);
    assert!(run.exits_with(3).stderr.contains("permission denied"), "{run}");
    assert_eq!((sandbox.read("a.yaml").as_str(), sandbox.count()), (OLD, 1));
}

/// Without `--atomic`, the file is edited again; with it, nothing is written.
#[test]
fn a_file_that_changes_during_the_edit_is_not_replaced() {
    const OTHER: &str = "image: {tag: 2}\n";
    let sandbox = Sandbox::new();
    // All files are read before the first is written, and reading the second one takes a while.
    let big = format!("{OLD}list:\n{}", "- {name: a, port: 80}\n".repeat(500_000));
    sandbox.write("b.yaml", big.as_bytes());
    let mut refused = 0;
    for index in 0..24 {
        sandbox.write("a.yaml", OLD.as_bytes());
        let is_atomic = index % 2 == 0;
        let atomic: &[&str] = if is_atomic { &["--atomic"] } else { &[] };
        let args = [&EDIT[..], &["b.yaml"], atomic].concat();
        let child = sandbox.command(&args).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(2 * index));
        sandbox.write("other", OTHER.as_bytes());
        fs::rename(sandbox.path("other"), sandbox.path("a.yaml")).unwrap();
        let run = child.wait_with_output().unwrap();
        let (now, stderr) = (sandbox.read("a.yaml"), String::from_utf8_lossy(&run.stderr));
        if run.status.code() == Some(3) {
            assert!(stderr.contains("has changed since it was read"), "{stderr}");
            assert!(is_atomic && now == OTHER, "{now}");
            refused += 1;
        } else {
            // The file was replaced before it was read, or after it had been written.
            assert!(run.status.success(), "{stderr}");
            assert!(now == OTHER || now == "image: {tag: 1.10}\n", "{now}");
        }
        assert_eq!(sandbox.count(), 2, "{stderr}");
    }
    assert!(refused > 0);
}

/// Appends to one file by several processes at once, and kills one of them again and again.
#[test]
fn edits_of_one_file_by_several_processes_all_arrive() {
    const EDITS: usize = 25;
    let sandbox = Sandbox::with(&[("a.yaml", b"list:\n- start\n")]);
    for write_through in [false, true] {
        let options: &[&str] = if write_through { &["--write-through"] } else { &[] };
        std::thread::scope(|scope| {
            for process in 0..4 {
                let sandbox = &sandbox;
                scope.spawn(move || {
                    for edit in 0..EDITS {
                        let entry = format!("{write_through}-{process}-{edit}");
                        let args = [&["append", "-i", ".list", &entry, "a.yaml"], options].concat();
                        sandbox.ketch(&args).is(0, "", "");
                    }
                });
            }
            // Formatting writes the file, too, but refuses if it has changed since it was read.
            scope.spawn(|| {
                for index in 0..EDITS {
                    sandbox.write("b.yaml", format!("a:  {index}\n").as_bytes());
                    let run = sandbox.ketch(&["fmt", "a.yaml", "b.yaml"]);
                    assert!(matches!(run.code, Some(0 | 3)), "{run}");
                }
            });
            scope.spawn(|| {
                for delay in 0..EDITS as u64 {
                    let args = ["set", "-i", ".killed", "1", "a.yaml"];
                    let mut child = sandbox.command(&args).spawn().unwrap();
                    std::thread::sleep(Duration::from_micros(300 * delay));
                    child.kill().unwrap();
                    child.wait().unwrap();
                }
            });
        });
        let text = sandbox.read("a.yaml");
        let arrived = text.lines().filter(|line| line.contains(&format!("- {write_through}-")));
        assert_eq!(arrived.count(), 4 * EDITS, "{text}");
    }
}

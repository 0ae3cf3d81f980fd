//! Tests of running out of memory: the command ends with a message and its own exit code.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Runs the command with an address space of `kib` KiB.
fn with_memory(kib: u32, arguments: &[&str], folder: &Path) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {kib}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_ketch")])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("a shell")
}

#[test]
fn running_out_of_memory_exits_with_code_5() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // A tag needs the tree, also in a conversion to JSON.
    let line = format!("[!!str a, {}]\n", "a, ".repeat(44_000_000));
    std::fs::write(folder.path().join("line.yaml"), line).expect("a file");
    std::fs::write(folder.path().join("out.json"), "old\n").expect("a file");
    let runs: [(u32, &[&str]); 5] = [
        (200_000, &["convert", "line.yaml"]),
        (200_000, &["convert", "line.yaml", "-o", "out.json"]),
        (100_000, &["check", "line.yaml"]),
        (200_000, &["fmt", "line.yaml"]),
        (200_000, &["convert", "line.yaml", "--to", "yaml", "--sort-keys"]),
    ];
    for (kib, run) in runs {
        let output = with_memory(kib, run, folder.path());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{run:?}: {message}");
        assert!(message.starts_with("error: out of memory: "), "{run:?}: {message}");
        assert_eq!(message.lines().count(), 2, "{run:?}: {message}");
    }
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["line.yaml", "out.json"]);
    let old = std::fs::read_to_string(folder.path().join("out.json")).expect("a file");
    assert_eq!(old, "old\n");
}

/// Returns the peak of the memory that a run with `text` as its input needs, from a file and from a
/// pipe. It is measured in bytes per byte of the input, and what a run with a short input needs is
/// subtracted.
fn peaks(folder: &Path, text: &str, code: &str) -> [f64; 2] {
    std::fs::write(folder.join("input.yaml"), text).expect("a file");
    let runs = [
        "exec \"$KETCH\" check input.yaml > out.txt",
        "cat input.yaml | \"$KETCH\" check - > out.txt",
    ];
    runs.map(|run| (peak(folder, run, code) - base()) / text.len() as f64)
}

/// Returns the memory in bytes of a run that has read a short input and waits for more.
fn base() -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ketch"));
    let command = command.args(["check", "-"]).stdin(Stdio::piped());
    let mut child = command.spawn().expect("the command");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"a: 1\n").expect("a reader");
    std::thread::sleep(Duration::from_millis(300));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    drop(input);
    assert!(child.wait().expect("an end").success());
    let status = status.expect("the status of the run");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kib = peak.trim().trim_end_matches(" kB");
    kib.parse::<f64>().expect("a number") * 1024.0
}

/// Runs `script`, which must end with the exit code `expected`. Returns the peak of the memory of
/// its largest process, in bytes.
fn peak(folder: &Path, script: &str, expected: &str) -> f64 {
    let measured = "import resource, subprocess, sys\n\
        code = subprocess.call(['sh', '-c', sys.argv[1]])\n\
        print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
    let output = Command::new("python3")
        .args(["-c", measured, script])
        .env("KETCH", env!("CARGO_BIN_EXE_ketch"))
        .current_dir(folder)
        .output()
        .expect("Python");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let (code, kib) = printed.trim().rsplit_once(' ').expect("a code and a number");
    assert_eq!(code, expected, "{script}: {printed}");
    kib.parse::<f64>().expect("a number") * 1024.0
}

#[test]
fn checking_takes_little_more_memory_than_the_text() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shapes: [(&str, String); 4] = [
        ("one mapping of short keys", (0..2_000_000).map(|i| format!("k{i}: 1\n")).collect()),
        (
            "one mapping of lines",
            (0..700_000).map(|i| format!("name_{i}: some text of {i} words\n")).collect(),
        ),
        (
            "a list of small mappings",
            (0..500_000).map(|i| format!("- id: {i}\n  name: n{i}\n  is: true\n")).collect(),
        ),
        (
            "nested collections",
            (0..150_000)
                .map(|i| format!("a{i}:\n  b:\n  - c: {{d: [{i}, {i}], e: f}}\n    g: h\n  i: j\n"))
                .collect(),
        ),
    ];
    for (shape, text) in shapes {
        holds_little(folder.path(), shape, &text, "0");
    }
}

#[test]
fn checking_holds_little_more_of_anchored_collections_and_duplicates() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let keys = |count: u32| -> String {
        (0..count).map(|i| format!("key_{i}: some text of {i} words\n")).collect()
    };
    // Four mappings are open at the same time. None of them is so large that its keys are packed.
    let open: String = (0..4)
        .map(|depth| {
            let line = |i| format!("{:depth$}key_{i}: some text that is {i} words long\n", "");
            (0..50_000).map(line).collect::<String>() + &format!("{:depth$}inner:\n", "")
        })
        .collect();
    let lists = (0..600_000).map(|i| format!("? [key_{i}, 1]\n: some text of {i} words\n"));
    let shapes = [
        ("an anchored mapping", format!("&root\n{}", keys(600_000)), "0"),
        ("anchored mappings in each other", format!("&root\n{open}    - 1\n"), "0"),
        ("a duplicate key", format!("&root\n{}key_7: 1\n", keys(600_000)), "1"),
        ("keys that are lists", lists.collect::<String>() + "? [key_7, 1]\n: text\n", "1"),
        ("one long line", format!("{{{}}}\n", keys(500_000).replace('\n', ", ")), "0"),
    ];
    for (shape, text, code) in shapes {
        holds_little(folder.path(), shape, &text, code);
    }
}

/// Returns about 40 MB of small mappings. With `indent` spaces before each line, they are not formatted
/// unless there are two.
fn records(indent: usize) -> String {
    let pad = " ".repeat(indent);
    let record = |i| {
        format!(
            "{pad}- id: {i}\n{pad}  name: \"n {i}\" # its name\n{pad}  is: [true, {{a: {i}, b: c}}]\n"
        )
    };
    "items:\n".to_owned() + &(0..500_000).map(record).collect::<String>() + "end: 1\n"
}

#[test]
fn writing_json_takes_little_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("input.yaml");
    let json: String =
        (0..1_000_000).map(|i| format!("{{\"id\": {i}, \"is\": [true, null]}},\n")).collect();
    let shapes = [("mappings", "yaml", records(2)), ("JSON", "json", format!("[{json}{{}}]\n"))];
    for (shape, format, text) in shapes {
        assert!(text.len() > 32 << 20, "{shape} has {} bytes", text.len());
        std::fs::write(&path, &text).expect("a file");
        let run = format!("exec \"$KETCH\" convert --from {format} --pretty input.yaml > out.json");
        let more = peak(folder.path(), &run, "0") - base();
        println!("{shape}: {more} bytes");
        assert!(more < 16e6, "{shape}: {more} bytes");
    }
}

#[test]
fn a_query_of_entries_takes_little_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("input.yaml"), records(2)).expect("a file");
    let program = "reduce .items[] as $item (0; . + 1)";
    let run = format!("test $(\"$KETCH\" q '{program}' input.yaml) = 500000");
    let more = peak(folder.path(), &run, "0") - base();
    assert!(more < 16e6, "{more} bytes");
}

#[test]
fn formatting_takes_little_more_memory_than_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("input.yaml");
    for (indent, run, code) in [(2, "fmt --check", "0"), (4, "fmt --check", "1"), (4, "fmt", "0")] {
        let text = records(indent);
        std::fs::write(&path, &text).expect("a file");
        let run = format!("exec \"$KETCH\" {run} input.yaml > out.txt");
        let more = (peak(folder.path(), &run, code) - base()) / text.len() as f64;
        println!("{run}, indented by {indent}: {more:.3}");
        assert!(more < 1.1, "{run}, indented by {indent}: {more:.3}");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), records(2));
}

fn holds_little(folder: &Path, shape: &str, text: &str, code: &str) {
    let [file, pipe] = peaks(folder, text, code);
    println!("{shape}: {file:.2} from a file, {pipe:.2} from a pipe");
    assert!(file < 1.5 && pipe < 1.5, "{shape}: {file:.2} from a file, {pipe:.2} from a pipe");
}

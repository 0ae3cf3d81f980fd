//! Tests folders and patterns as inputs: which files they name, and what is reported.

mod common;

use common::Sandbox;
use std::fs;

/// Returns a folder with YAML in subfolders, a file that `.gitignore` lists, and other files.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, text) in [
        ("a.yaml", "a: 1\n"),
        ("k8s/b.yml", "a: 2\n"),
        ("k8s/deep/c.yaml", "b:   3\n"),
        (".github/d.yml", "a: 4\n"),
        (".git/e.yaml", "a: 5\n"),
        ("out/f.yaml", "a: [\n"),
        (".gitignore", "out/\n"),
        ("k8s/g.txt", "a: 6\n"),
    ] {
        let path = sandbox.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    sandbox
}

#[test]
fn folders_and_patterns_name_files() {
    let sandbox = tree();
    sandbox.ketch(&["get", ".a", "."]).is(0, "4\n1\n2\n", "");
    sandbox.ketch(&["get", ".a", "k8s/**/*.y*ml"]).is(0, "2\n", "");
    sandbox.ketch(&["get", ".a", "*.yaml", "k8s/g.txt"]).is(0, "1\n6\n", "");
    sandbox.ketch(&["get", ".a", "out/f.yaml"]).exits_with(1);
    sandbox.ketch(&["convert", "k8s"]).is(0, "{\"a\":2}\n{\"b\":3}\n", "");
    sandbox.ketch(&["collect", "k8s"]).is(0, "a: 2\n---\nb:   3\n", "");
    sandbox.ketch(&["check", "."]).is(0, "", "4 files checked: no problems\n");
    sandbox.ketch(&["check", ".", "-q"]).is(0, "", "");
    sandbox.ketch(&["fmt", "--check", "."]).is(
        1,
        "./k8s/deep/c.yaml\n",
        "4 files: 1 would change, 0 errors\n",
    );
    sandbox.ketch(&["fmt", "."]).is(0, "", "4 files: 1 changed, 0 errors\n");
    assert_eq!(sandbox.read("k8s/deep/c.yaml"), "b: 3\n");
    assert_eq!(sandbox.read(".git/e.yaml"), "a: 5\n");
    for (name, message) in
        [("none/*.yaml", "no file matches `none/*.yaml`"), (".git/none", "could not be read")]
    {
        let outcome = sandbox.ketch(&["get", ".a", name]);
        assert!(outcome.stderr.contains(message), "{outcome}");
    }
    fs::create_dir(sandbox.path("empty")).unwrap();
    let outcome = sandbox.ketch(&["check", "empty"]);
    assert!(outcome.exits_with(3).stdout.contains("the folder has no YAML files"), "{outcome}");
}

#[test]
fn a_path_that_no_file_has_is_reported_once() {
    let sandbox = tree();
    let outcome = sandbox.ketch(&["get", ".none", "."]);
    assert_eq!(outcome.exits_with(4).stderr.matches("error").count(), 1, "{outcome}");
    let outcome = sandbox.ketch(&["get", ".b", "a.yaml", "k8s/deep/c.yaml"]);
    assert!(outcome.exits_with(4).stdout.contains('3'), "{outcome}");
}

#[test]
fn several_threads_print_what_one_does() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("in")).unwrap();
    for index in 0..120 {
        let text: &[u8] = match index % 7 {
            0 => b"a: [\n---\n- *b\n",
            1 => b"a: 3.10\nb: 1\nb: 2\n",
            2 => b"\xff\xd8\xff\xe0 binary\0",
            _ => b"a: 1\n---\nb: [x, y]\n",
        };
        sandbox.write(&format!("in/{index:03}.yaml"), text);
    }
    sandbox.write("in/wrong.json", b"{\"a\": 1,}");
    sandbox.write("post.md", b"# No front matter\n");
    for files in [
        &["in"][..],
        &["in/000.yaml", "missing.yaml", "in/wrong.json", "-", "in/003.yaml"],
        &["in/*", "*.md", "-"],
        &["in/001.yaml"],
    ] {
        for format in [&[][..], &["--format", "json"], &["--quiet"], &["--quiet", "--format=json"]]
        {
            let run = |jobs| {
                let args = [&["check", "--jobs", jobs], files, format].concat();
                sandbox.ketch_with(&args, b"- a\n- [\n")
            };
            let one = run("1");
            for jobs in ["2", "3", "64"] {
                let outcome = run(jobs);
                assert_eq!(outcome.code, one.code, "{files:?} {format:?}");
                assert_eq!(outcome.stdout, one.stdout, "{files:?} {format:?}");
                assert_eq!(outcome.stderr, one.stderr, "{files:?} {format:?}");
            }
        }
    }
    for jobs in ["0", "1025", "two"] {
        let outcome = sandbox.ketch(&["check", "--jobs", jobs, "in"]);
        let message = "expected a number from 1 to 1024";
        assert!(outcome.exits_with(2).stderr.contains(message), "{outcome}");
    }
}

#[test]
fn several_threads_find_in_a_stream_what_one_does() {
    let fine = format!("---\n{}", "- {a: 1, b: [x, 'y']}\n- text\n".repeat(2000));
    let wrong = "---\na: 1\na: 2\n---\n- *b\n- 3.10\n---\nc: [\n";
    let prefix = "x".repeat(300);
    let tag = format!("...\n%TAG !e! tag:{prefix}\n---\n- !e!a 1\n");
    let long = format!("---\n{}", "- a: 1\n".repeat(1_300_000));
    let sandbox = Sandbox::new();
    for (name, text) in [
        ("fine", fine.repeat(40)),
        ("depth", fine.repeat(20)),
        ("start", [wrong, &fine.repeat(40)].concat()),
        ("middle", [&fine.repeat(20), wrong, &fine.repeat(20), wrong].concat()),
        ("end", [&fine.repeat(40), "---\na: |\n  b"].concat()),
        ("syntax", [&fine.repeat(30), "%YAML 1.2\n", &fine.repeat(10), "- \u{7}\n"].concat()),
        ("tags", [&fine.repeat(15), &*tag.repeat(300), &fine.repeat(20)].concat()),
        ("long", [&fine.repeat(10), &*long, wrong, &fine.repeat(10)].concat()),
        ("returns", [&fine.repeat(30), wrong].concat().replace('\n', "\r\n")),
    ] {
        sandbox.write(name, text.as_bytes());
        let more: &[&str] = match name {
            "tags" => &["--max-tag-bytes", "20000"],
            "depth" => &["--lenient", "--max-depth=2"],
            _ => &[],
        };
        let run = |jobs, file, input: &[u8]| {
            let args = [&["check", "--format=json", "--jobs", jobs, file], more].concat();
            sandbox.ketch_with(&args, input)
        };
        let one = run("1", name, b"");
        assert_eq!(one.stdout.is_empty(), name == "fine", "{name}");
        let outcome = run("3", name, b"");
        assert_eq!((outcome.code, &outcome.stdout), (one.code, &one.stdout), "{name}");
        let piped = run("2", "-", text.as_bytes());
        assert_eq!(piped.stdout.replace("<stdin>", name), one.stdout, "{name}");
    }
}

#[test]
fn ten_problems_are_shown_and_the_others_counted() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("in")).unwrap();
    for index in 0..25 {
        sandbox.write(&format!("in/{index:02}.yaml"), b"a: [\n");
    }
    let outcome = sandbox.ketch(&["check", "in"]);
    assert_eq!(outcome.exits_with(1).stdout.matches("error: ").count(), 10, "{outcome}");
    assert_eq!(
        outcome.stderr,
        "25 files checked: 25 problems in 25 files; 15 more problems are not shown\n"
    );
    let outcome = sandbox.ketch(&["check", "--format", "json", "in"]);
    assert_eq!(outcome.stdout.lines().count(), 25);
    sandbox.ketch(&["check", "-q", "in"]).is(1, "", "");
    let outcome = sandbox.ketch(&["fmt", "--check", "in"]);
    assert_eq!(outcome.exits_with(1).stderr.matches("error: ").count(), 10, "{outcome}");
    assert!(
        outcome
            .stderr
            .ends_with("25 files: 0 would change, 25 errors; 15 more problems are not shown\n"),
        "{outcome}"
    );
    let outcome = sandbox.ketch(&["get", ".", "in"]);
    assert_eq!(outcome.exits_with(1).stderr.matches("error: ").count(), 10, "{outcome}");
}

#[test]
fn match_searches_folders_and_patterns() {
    let sandbox = tree();
    sandbox.ketch(&["match", "a: [16]", "."]).is(0, "./a.yaml:a: 1\n./k8s/g.txt:a: 6\n", "");
    sandbox.ketch(&["match", "-r", "a: [16]"]).is(0, "./a.yaml:a: 1\n./k8s/g.txt:a: 6\n", "");
    sandbox.ketch(&["match", "a: ", "k8s/*.txt"]).is(0, "k8s/g.txt:a: 6\n", "");
}

#[test]
fn text_commands_read_folders_and_patterns() {
    let sandbox = Sandbox::with(&[("a.log", b"x 1\n"), ("b.log", b"x 2\ny\n")]);
    fs::create_dir(sandbox.path("rules")).expect("a folder");
    sandbox.write("rules/a.yaml", b"regex: (a|aa)+$\n");
    sandbox.write("rules/b.grok", b"SLOW (b|bb)+$\n");
    sandbox.write("rules/c.txt", b"regex: (c|cc)+$\n");
    sandbox.ketch(&["lines", "--count", "*.log"]).is(0, "a.log:1\nb.log:2\n", "");
    let run = sandbox.ketch(&["lines", "rules"]);
    run.is(0, "regex: (a|aa)+$\nSLOW (b|bb)+$\nregex: (c|cc)+$\n", "");
    let grok = ["grok", "--matched", "x (?<n>[0-9])"];
    sandbox.ketch(&[&grok[..], &["*.log"]].concat()).is(0, "{\"n\":\"1\"}\n{\"n\":\"2\"}\n", "");
    let run = sandbox.ketch(&["regex", "check", "rules"]);
    assert!(
        run.exits_with(1).stdout.contains("rules/a.yaml:1") && run.stdout.contains("SLOW"),
        "{run}"
    );
    assert!(!run.stdout.contains("c.txt"), "{run}");
    let run = sandbox.ketch(&["regex", "check", "rules/*.txt"]);
    assert!(run.exits_with(1).stdout.contains("rules/c.txt:1"), "{run}");
    sandbox.ketch(&["grok", "x", "*.none"]).exits_with(2);
}

#[test]
fn quiet_prints_only_results() {
    let sandbox = Sandbox::with(&[
        ("a.yaml", b"a: '1.0'\n"),
        ("b.yaml", b"a: 2\n---\n<<: {b: 1}\n"),
        ("bad.yaml", b"a: [\n"),
    ]);
    sandbox.ketch(&["set", "-q", "-i", ".a", "3", "a.yaml", "b.yaml"]).is(0, "", "");
    assert_eq!(sandbox.read("a.yaml"), "a: 3\n");
    sandbox.ketch(&["convert", "--quiet", "bad.yaml"]).is(1, "", "");
    sandbox.ketch(&["-q", "get", ".none", "a.yaml"]).is(4, "", "");
    sandbox.ketch(&["get", "-q", "@1", "-o", "json", "b.yaml"]).is(0, "{\"<<\":{\"b\":1}}\n", "");
    sandbox.ketch(&["match", "-q", "a", "a.yaml"]).is(0, "", "");
    sandbox.ketch(&["match", "-q", "-c", "z", "a.yaml"]).is(4, "", "");
    sandbox.ketch(&["split", "-q", "b.yaml", "--to", "parts"]).is(0, "", "");
    assert!(sandbox.path("parts/b-1.yaml").is_file());
    // Wrong usage is always reported.
    assert!(sandbox.ketch(&["get", "-q", ".a["]).exits_with(2).stderr.contains("error"));
}

#[test]
fn documents_that_no_file_needs_to_have() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("k")).expect("a folder");
    let chosen = "@[?kind == \"Deployment\"].spec.replicas";
    sandbox.write("k/a.yaml", b"kind: Deployment\nspec: {replicas: 1}\n");
    sandbox.write("k/b.yaml", b"kind: Service\nspec: {}\n");
    sandbox.write("k/c.yaml", b"kind: Service\nspec: {}\n");
    let run = sandbox.ketch(&["set", "-i", "--atomic", chosen, "3", "k"]);
    run.is(0, "changed: k/a.yaml\n", "");
    let diff = sandbox.ketch(&["set", "--diff", chosen, "4", "k"]);
    assert!(diff.exits_with(0).stdout.contains("+spec: {replicas: 4}"), "{diff}");
    let none = sandbox.ketch(&["set", "-i", "@[?kind == \"Job\"].spec.replicas", "3", "k"]);
    assert_eq!(none.exits_with(4).stderr.matches("error").count(), 1, "{none}");
    // A file that is named must have the node.
    sandbox.ketch(&["set", "-i", chosen, "5", "k/a.yaml", "k/b.yaml"]).exits_with(4);
}

#[test]
fn markdown_without_front_matter_is_left_out() {
    let sandbox = Sandbox::with(&[("a.md", b"---\na: 1\n---\nx\n"), ("b.md", b"# x\n")]);
    sandbox.ketch(&["check", "*.md"]).is(0, "", "1 file checked: no problems\n");
    sandbox.ketch(&["fmt", "--check", "*.md"]).is(0, "", "1 file: 0 would change, 0 errors\n");
    sandbox.ketch(&["get", ".a", "*.md"]).is(0, "1\n", "");
    sandbox.ketch(&["convert", "*.md"]).is(0, "{\"a\":1}\n", "");
    sandbox.ketch(&["set", "-i", ".a", "2", "*.md"]).is(0, "changed: a.md\n", "");
    sandbox.write("c.md", b"---\na: 1\n");
    for args in [&["check", "*.md"][..], &["fmt", "--check", "*.md"], &["get", ".a", "c.md"]] {
        let run = sandbox.ketch(args);
        let text = run.exits_with(1).to_string();
        assert!(
            text.contains("the front matter is not closed") && text.contains("c.md:1:1"),
            "{run}"
        );
    }
}

#[test]
fn edits_change_the_files_of_a_folder_that_have_the_path() {
    let files: &[(&str, &[u8])] = &[
        ("c/a.yaml", b"v: 1\nw: 1\n"),
        ("c/b.yaml", b"v: 1\n"),
        ("c/e.yaml", b"# empty\n"),
        ("c/t.toml", b"w = 1\n"),
        ("c/w.yaml", b"u: 1\nw: []\n"),
    ];
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("c")).unwrap();
    files.iter().for_each(|(name, text)| sandbox.write(name, text));
    let report = "changed: c/a.yaml\nchanged: c/b.yaml\n";
    sandbox.ketch(&["set", "-i", ".v", "2", "c"]).is(0, report, "");
    assert_eq!(sandbox.read("c/w.yaml"), "u: 1\nw: []\n");
    assert_eq!(sandbox.read("c/e.yaml"), "# empty\n");
    sandbox.ketch(&["del", "-i", ".v", "c"]).is(0, report, "");
    assert_eq!(sandbox.read("c/a.yaml"), "w: 1\n");
    // Each of several edits changes the files that have its path.
    let report = "changed: c/a.yaml\nchanged: c/t.toml\nchanged: c/w.yaml\n";
    let two = ["set", "-i", "-e", ".w=x", "-e", ".u=3", "c/*.*ml"];
    sandbox.ketch(&two).is(0, report, "");
    assert_eq!(sandbox.read("c/t.toml"), "w = \"x\"\n");
    assert_eq!(sandbox.read("c/w.yaml"), "u: 3\nw: x\n");
    // A path that no file has is a mistake, and nothing is written.
    let before = sandbox.read("c/a.yaml");
    for edit in [
        &["set", "-i", ".none", "1"][..],
        &["del", "-i", ".none"],
        &["append", "-i", ".none", "1"],
        &["set", "-i", "-e", ".w=0", "-e", ".none=1"],
    ] {
        let run = sandbox.ketch(&[edit, &["c"]].concat());
        run.exits_with(4);
        assert!(run.stdout.is_empty() && run.stderr.contains("only those that have it"), "{run}");
    }
    assert_eq!(sandbox.read("c/a.yaml"), before);
    sandbox.ketch(&["del", "-i", "-q", "--if-exists", ".none", "c"]).is(0, "", "");
    // Broken files are reported, too.
    sandbox.write("c/z.yaml", b"w: [\n");
    let run = sandbox.ketch(&["set", "-i", ".none", "1", "c"]);
    assert!(run.stderr.contains("c/z.yaml:"), "{run}");
    // Files that are named get what is missing.
    sandbox.ketch(&["set", "-i", ".none", "1", "c/b.yaml", "c/e.yaml"]).exits_with(0);
    assert_eq!(sandbox.read("c/e.yaml"), "# empty\nnone: 1\n");
}

//! Tests the front matter of Markdown in each subcommand.

mod common;

use common::Sandbox;

const POST: &[u8] = b"---\ntitle:   A post\ntags: [a]\n---\n# Text\n\n- not: YAML: here\n";

#[test]
fn only_the_front_matter_is_read() {
    let sandbox = Sandbox::with(&[("post.md", POST)]);
    sandbox.ketch(&["get", ".title", "--to", "raw", "post.md"]).is(0, "A post\n", "");
    sandbox.ketch(&["check", "post.md"]).is(0, "", "");
    sandbox.ketch(&["convert", "post.md"]).is(0, "{\"title\":\"A post\",\"tags\":[\"a\"]}\n", "");
    sandbox.ketch(&["convert", "--to", "yaml", "post.md"]).is(
        0,
        "---\ntitle: A post\ntags: [a]\n",
        "",
    );
    sandbox.ketch(&["events", "post.md"]).exits_with(0);
    sandbox.ketch(&["split", "post.md"]).is(0, "./post-0.yaml\n", "");
    assert_eq!(sandbox.read("post-0.yaml"), "title:   A post\ntags: [a]\n");
    sandbox.ketch(&["collect", "post.md"]).is(0, "---\ntitle:   A post\ntags: [a]\n", "");
    sandbox.ketch(&["fmt", "post.md"]).is(0, "", "");
    assert_eq!(sandbox.read("post.md"), String::from_utf8_lossy(POST).replace("   A", " A"));
    let merged = sandbox.ketch(&["merge", ".", "{draft: true}", "post.md"]);
    assert!(
        merged.exits_with(0).stdout.contains("tags: [a]\ndraft: true\n---\n# Text\n"),
        "{merged}"
    );
}

#[test]
fn an_option_reads_the_front_matter_of_other_names() {
    let sandbox = Sandbox::with(&[("post.txt", POST)]);
    sandbox
        .ketch(&["get", ".title", "--to", "raw", "--front-matter", "post.txt"])
        .is(0, "A post\n", "");
    sandbox
        .ketch_with(&["get", ".title", "--to", "raw", "--front-matter"], POST)
        .is(0, "A post\n", "");
    sandbox.ketch_with(&["check", "--front-matter", "-"], POST).is(0, "", "");
    sandbox.ketch_with(&["convert", "--front-matter"], POST).exits_with(0);
    sandbox.ketch_with(&["split", "--front-matter"], POST).is(0, "./0.yaml\n", "");
    let expected = String::from_utf8_lossy(POST).replace("   A", " A");
    sandbox.ketch_with(&["fmt", "--front-matter", "-"], POST).is(0, &expected, "");
    let edited = sandbox.ketch_with(&["set", "--front-matter", ".title", "B", "-"], POST);
    assert!(edited.exits_with(0).stdout.starts_with("---\ntitle:   B\n"), "{edited}");
}

#[test]
fn errors_show_the_line_of_the_file() {
    let sandbox =
        Sandbox::with(&[("post.md", b"---\r\na: [1\r\n---\r\n# b\r\n"), ("plain.md", b"# b\n")]);
    let outcome = sandbox.ketch(&["check", "post.md"]);
    assert!(outcome.exits_with(1).stdout.contains("2 | a: [1"), "{outcome}");
    for command in [
        &["check", "plain.md"][..],
        &["get", ".", "plain.md"],
        &["fmt", "plain.md"],
        &["convert", "plain.md"],
    ] {
        let outcome = sandbox.ketch(command);
        assert!(
            outcome.exits_with(4).to_string().contains("there is no front matter"),
            "{outcome}"
        );
    }
}

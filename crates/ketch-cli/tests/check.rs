//! Tests of `ketch check`: its output as text and as JSON.

mod common;

use common::Sandbox;
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1f\xf3\xffa";

/// Checks that `ketch check` prints `picture` for a file `a.yaml` with the invalid content `yaml`.
#[track_caller]
fn shows(yaml: &str, picture: &str) {
    let sandbox = Sandbox::with(&[("a.yaml", yaml.as_bytes())]);
    sandbox.ketch(&["check", "a.yaml"]).is(1, picture, "");
}

#[test]
fn valid_files_produce_no_output() {
    let sandbox =
        Sandbox::with(&[("a", b"a: 1\n"), ("b", b""), ("c", b"\xEF\xBB\xBF- \xC3\xA9\n")]);
    sandbox.ketch(&["check", "a", "b", "c"]).is(0, "", "");
    sandbox.ketch_with(&["check", "-"], b"a: 1\n").is(0, "", "");
}

#[test]
fn keys_that_are_numbers_have_all_their_digits() {
    let yaml = b"{10513E58455: a, 11193E11281: b}\n";
    let sandbox = Sandbox::with(&[("a.yaml", yaml)]);
    sandbox.ketch(&["check", "a.yaml"]).is(0, "", "");
    let json = "{\"10513E58455\":\"a\",\"11193E11281\":\"b\"}\n";
    sandbox.ketch(&["convert", "--to", "json", "a.yaml"]).is(0, json, "");
    sandbox.ketch(&["get", "11193E11281", "a.yaml"]).is(0, "b\n", "");
    let equal = b"{10513E58455: a, 1051.3e58456: b}\n";
    assert!(sandbox.ketch_with(&["check", "-"], equal).stdout.contains("duplicate key"));
    let extprot = ["convert", "--to", "extprot", "-"];
    let run = sandbox.ketch_with(&extprot, b"{0.1: a, 0.10000000000000001: b}\n");
    assert!(run.exits_with(1).stderr.contains("<stdin>:1:10"), "{run}");
}

#[test]
fn a_tab_used_as_indentation_is_an_error() {
    shows(
        "a:\n\tb: 1\n",
        "\
error: a tab is used for indentation
  --> a.yaml:2:1
  |
1 | a:
  | -- indent it relative to this line
2 |     b: 1
  | ^^^^ expected spaces
  |
  = help: Type 2 spaces instead: `  b: 1`. YAML does not allow tabs as indentation.

",
    );
}

#[test]
fn distant_locations_are_shown_together() {
    let yaml = format!("# a\na: \"open\n{}b: 2\n", "  more\n".repeat(97));
    shows(
        &yaml,
        "\
error: a `\"` is never closed
   --> a.yaml:99:6
   |
 2 | a: \"open
   |    - the quote opens here
   .
99 |   more
   |      ^ expected the closing `\"` after this
   |
   = help: Write the closing `\"` at the end of line 99: `more\"`.

",
    );
}

#[test]
fn duplicate_keys_show_both_locations() {
    shows(
        "a: 1\nb: 2\na: 3\n",
        "\
error: duplicate key `a`
  --> a.yaml:3:1
  |
1 | a: 1
  | - first used here
  .
3 | a: 3
  | ^ the same key again
  |
  = help: Delete one of the two entries or rename its key, or choose with the option `--duplicate-keys` which one wins.

",
    );
    let sandbox = Sandbox::with(&[("a", b"1: x\n0x1: y\n"), ("b", b"1: x\n0x1: y\n")]);
    sandbox.ketch(&["check", "a"]).exits_with(1);
    sandbox.ketch(&["check", "--schema", "failsafe", "a"]).is(0, "", "");
    sandbox.ketch(&["check", "--duplicate-keys", "last", "a"]).is(0, "", "");
}

#[test]
fn an_alias_without_an_anchor_is_an_error() {
    shows(
        "a: &x 1\nb: *y\n",
        "\
error: unknown alias `*y`: no anchor `&y` before it
  --> a.yaml:2:4
  |
2 | b: *y
  |    ^^ an alias without an anchor
  |
  = help: Write `&y` before the value that it refers to, further up in this document. If it is text, quote it: `b: \"*y\"`.

",
    );
}

#[test]
fn text_that_is_not_valid_for_its_tag_is_an_error() {
    let sandbox = Sandbox::with(&[("a", b"- !!int 12\n- !!int twelve\n")]);
    let run = sandbox.ketch(&["check", "a"]);
    assert!(
        run.exits_with(1).stdout.contains("`twelve` is not a valid `!!int`\n  --> a:2:9\n"),
        "{run}"
    );
}

#[test]
fn long_lines_are_cut_and_columns_count_characters() {
    let yaml = format!("{}\u{e9}: \"\\q\"{}", "x".repeat(300), "y".repeat(300));
    let sandbox = Sandbox::with(&[("a.yaml", yaml.as_bytes())]);
    let run = sandbox.ketch(&["check", "a.yaml"]);
    assert!(run.exits_with(1).stdout.contains("--> a.yaml:1:305\n"), "{run}");
    assert!(run.stdout.lines().all(|line| line.chars().count() < 260), "{run}");
    assert!(run.stdout.contains("^^"), "{run}");
}

#[test]
fn binary_files_get_one_sentence_each() {
    let noise: Vec<u8> =
        (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
    let elf = [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 57], &noise].concat();
    let sandbox = Sandbox::with(&[("a.png", PNG), ("noise", &noise), ("prog", &elf)]);
    let run = sandbox.ketch(&["check", "a.png", "noise", "prog"]);
    run.is(
        1,
        "\
error: a.png: expected text, found a binary file (PNG image)
error: noise: expected text, found a binary file
error: prog: expected text, found a binary file (ELF executable)
",
        "",
    );
    let piped = sandbox.ketch_with(&["check", "-"], PNG);
    piped.is(1, "error: <stdin>: expected text, found a binary file (PNG image)\n", "");
}

#[test]
fn invalid_bytes_and_control_characters_are_described() {
    shows_bytes(b"name: caf\xe9\n", "1:10", "0xE9 is not UTF-8; in ISO 8859-1 it is `\u{e9}`");
    shows_bytes(b"name: \x93x\x94\n", "1:7", "0x93 is not UTF-8; in Windows-1252 it is `\u{201c}`");
    shows_bytes(b"a: 5 \x80", "1:6", "0x80 is not UTF-8; in Windows-1252 it is `\u{20ac}`");
    shows_bytes(b"a: \x9f", "1:4", "0x9F is not UTF-8; in Windows-1252 it is `\u{178}`");
    shows_bytes(b"a: \x81", "1:4", "the byte 0x81 is not UTF-8\n");
    shows_bytes(b"a: \x81", "1:4", "`iconv -f WINDOWS-1252 -t UTF-8`");
    shows_bytes(b"a: b\nc: \x07d\n", "2:4", "a BEL character (0x07)");
    shows_bytes(b"a: b\0c\n", "1:5", "a NUL byte (0x00)");
    shows_bytes(b"a: \xe2\x82", "1:4", "invalid UTF-8");
}

#[track_caller]
fn shows_bytes(yaml: &[u8], position: &str, message: &str) {
    let sandbox = Sandbox::with(&[("a.yaml", yaml)]);
    let run = sandbox.ketch(&["check", "a.yaml"]);
    assert!(run.exits_with(1).stdout.contains(&format!("--> a.yaml:{position}\n")), "{run}");
    assert!(run.stdout.contains(message), "{run}");
}

#[test]
fn every_file_is_checked_and_the_highest_exit_code_wins() {
    let sandbox = Sandbox::with(&[("bad", b"a: ]\n"), ("good", b"a: 1\n")]);
    let run = sandbox.ketch(&["check", "missing", "bad", "good", ".", "bad"]);
    assert_eq!(run.exits_with(3).stdout.matches("error:").count(), 4, "{run}");
    assert!(run.stdout.starts_with("error: missing: could not be read: "), "{run}");
    assert!(run.stdout.contains("error: .: the folder has no YAML files\n"), "{run}");
    sandbox.ketch(&["check", "bad", "good"]).exits_with(1);
}

#[test]
fn after_an_error_the_next_document_is_checked() {
    let yaml = "a: ]\n---\nok: 1\n---\nb: 1\nb: 2\n--- \"\n--- *x\n...\n%TAG !e! e:\n---\n!e!a [\n";
    let sandbox = Sandbox::with(&[("a", yaml.as_bytes())]);
    let problems = json_lines(&sandbox, &["a"]);
    let found: Vec<_> = problems
        .iter()
        .map(|problem| {
            let kind = problem["kind"].as_str().expect("a word");
            (kind, problem["line"].as_u64(), problem["offset"].as_u64())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("FlowIndicatorInBlock", Some(1), Some(3)),
            ("DuplicateKey", Some(6), Some(24)),
            ("MarkerInQuotes", Some(7), Some(33)),
            ("UnknownAlias", Some(8), Some(39)),
            ("UnclosedSequence", Some(12), Some(67)),
        ]
    );
    assert_eq!(problems[1]["related"]["line"], 5);
    assert_eq!(problems[4]["help"], "Write `]` at the end of line 12: `!e!a []`.");
}

/// Checks the kinds and lines of all problems in `yaml`, read from a file and from a pipe.
#[track_caller]
fn finds(yaml: &str, expected: &[(&str, u64)]) {
    let sandbox = Sandbox::with(&[("a", yaml.as_bytes())]);
    for (name, input) in [("a", ""), ("-", yaml)] {
        let run = sandbox.ketch_with(&["check", "--format", "json", name], input.as_bytes());
        let found: Vec<Value> =
            run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let found: Vec<_> = found
            .iter()
            .map(|problem| (problem["kind"].as_str().unwrap(), problem["line"].as_u64().unwrap()))
            .collect();
        assert_eq!(found, expected, "{name}: {yaml}");
        assert_eq!(run.code, Some(1), "{run}");
    }
}

#[test]
fn all_problems_of_a_document_are_found() {
    finds(
        "a: 1\nb: 2\na: 3\nc: !!int x\nd: *e\nf: {g: 1, g: 2, g: 3}\nb: 4\n",
        &[
            ("DuplicateKey", 3),
            ("TagMismatch", 4),
            ("UnknownAlias", 5),
            ("DuplicateKey", 6),
            ("DuplicateKey", 6),
            ("DuplicateKey", 7),
        ],
    );
    // Problems are in the order of their lines, even if the outer mapping ends last.
    finds(
        "a: {b: 1,\n  b: 2}\nc: [*d,\n  *e]\na: 1\n",
        &[("DuplicateKey", 2), ("UnknownAlias", 3), ("UnknownAlias", 4), ("DuplicateKey", 5)],
    );
    let related = json_lines(&Sandbox::with(&[("a", b"a: 1\nb: 2\na: 3\na: 4\n")]), &["a"]);
    assert_eq!(related[1]["related"]["line"], 1);
}

#[test]
fn after_a_syntax_error_checking_continues_at_the_next_marker() {
    finds(
        "a: 1\na: 2\nb: ]\nc: *x\n---\n- *y\n",
        &[("DuplicateKey", 2), ("FlowIndicatorInBlock", 3), ("UnknownAlias", 6)],
    );
    finds(
        "a: ]\n... # end\nb: *x\n---\nc: \"\\q\"\n",
        &[("FlowIndicatorInBlock", 1), ("UnknownAlias", 3), ("UnknownEscape", 5)],
    );
    // The marker itself may be the error. Text that only looks like a marker is not one.
    finds(
        "a: [\n---\nb: [\n ---\n...\nc: *x\n",
        &[("MarkerInFlow", 1), ("MarkerInFlow", 4), ("UnknownAlias", 6)],
    );
    finds(
        "a: ]\n---x: *x\n ---\n---\nc: *x\n",
        &[("FlowIndicatorInBlock", 1), ("UnknownAlias", 5)],
    );
    finds("a: \"\r\n---\r\nb: *x\r\n", &[("MarkerInQuotes", 1), ("UnknownAlias", 3)]);
    // Invalid directives are not reported again.
    finds(
        "%TAG x\n%TAG ! !x\n%TAG x\n---\na: *x\n",
        &[("TagDirective", 1), ("TagDirective", 3), ("UnknownAlias", 5)],
    );
    finds(
        "a: ]\n... b\n---\n*x\n",
        &[("FlowIndicatorInBlock", 1), ("ContentAfterEndMarker", 2), ("UnknownAlias", 4)],
    );
}

#[test]
fn invalid_bytes_end_only_their_document() {
    let sandbox = Sandbox::with(&[("a", b"a: \xE9\n---\nb: *x\n---\nc: \x07\n---\nd: *x\n")]);
    let lines: Vec<_> = json_lines(&sandbox, &["a"])
        .iter()
        .map(|problem| (problem["class"].as_str().unwrap().to_owned(), problem["line"].clone()))
        .collect();
    let classes = ["encoding", "semantic", "encoding", "semantic"].map(str::to_owned);
    let expected: Vec<_> =
        classes.into_iter().zip([1, 3, 5, 7]).map(|(class, line)| (class, json!(line))).collect();
    assert_eq!(lines, expected);
}

#[test]
fn line_numbers_in_sentences_are_those_of_the_file() {
    let yaml = format!("{}a: ]\n---\nb: [1,\n", "- 1\n---\n".repeat(50_000));
    let sandbox = Sandbox::with(&[("a", yaml.as_bytes())]);
    let problems = json_lines(&sandbox, &["a"]);
    assert_eq!(problems[1]["line"], 100_003);
    assert_eq!(problems[1]["related"]["line"], 100_004);
    assert_eq!(problems[1]["help"], "Write `]` at the end of line 100003: `b: [1]`.");
}

#[test]
fn at_most_a_hundred_problems_are_shown() {
    let yaml = format!("{}a: [\n---\n", "- *x\n".repeat(99));
    let sandbox = Sandbox::with(&[("a", yaml.as_bytes())]);
    let problems = json_lines(&sandbox, &["a"]);
    assert_eq!((problems.len(), &problems[99]["line"]), (100, &json!(100)));

    let sandbox = Sandbox::with(&[("a", format!("{yaml}- *x\n").as_bytes())]);
    let problems = json_lines(&sandbox, &["a"]);
    assert_eq!(problems.len(), 101);
    assert_eq!(problems[100]["kind"], "MoreProblems");
    assert_eq!(problems[100]["line"], Value::Null);
    let run = sandbox.ketch(&["check", "a"]);
    let last = "warning: a: more than 100 problems; only the first are shown\n";
    assert!(run.exits_with(1).stdout.ends_with(last), "{run}");

    // The limit also applies to the problems of a single mapping.
    let keys = "a: 1\n".repeat(1000);
    let sandbox = Sandbox::with(&[("a", keys.as_bytes())]);
    let problems = json_lines(&sandbox, &["a"]);
    assert_eq!(
        (problems.len(), &problems[0]["line"], &problems[99]["line"]),
        (101, &json!(2), &json!(101))
    );
}

#[test]
fn duplicates_in_a_very_large_mapping_are_found() {
    let mut yaml: String = (0..200_000).map(|i| format!("k{i}: {i}\n")).collect();
    let sandbox = Sandbox::with(&[("a", yaml.as_bytes())]);
    sandbox.ketch(&["check", "a"]).is(0, "", "");
    yaml.push_str("'k7': 1\nk150000: 2\n? [x]\n: 1\n? [\"x\"]\n: 2\nk7: 3\n");
    finds(
        &yaml,
        &[
            ("DuplicateKey", 200_001),
            ("DuplicateKey", 200_002),
            ("DuplicateKey", 200_005),
            ("DuplicateKey", 200_007),
        ],
    );
    let sandbox = Sandbox::with(&[("a", yaml.as_bytes())]);
    let problems = json_lines(&sandbox, &["a"]);
    let related: Vec<_> =
        problems.iter().map(|problem| problem["related"]["line"].as_u64()).collect();
    assert_eq!(related, [Some(8), Some(150_001), Some(200_003), Some(8)]);
}

#[test]
fn warnings_are_printed_but_are_not_failures() {
    let sandbox = Sandbox::with(&[("a.yaml", b"%FOO bar\n--- 1\n"), ("b.yaml", b"a: [\n1\n]\n")]);
    let run = sandbox.ketch(&["check", "--lenient", "a.yaml", "b.yaml"]);
    assert!(run.exits_with(0).stdout.starts_with("warning: unknown directive"), "{run}");
    assert!(run.stdout.matches("warning:").count() > 1, "{run}");
    let unbroken = sandbox.ketch_with(&["check", "-"], b"a: |\n  x");
    let place = "the text of this block scalar ends with a line break, but the input does not\n  --> <stdin>:2:4\n";
    assert!(unbroken.exits_with(0).stdout.contains(place), "{unbroken}");
    let piped = sandbox.ketch_with(&["check", "-"], b"%FOO bar\n--- 1\n");
    assert!(piped.exits_with(0).stdout.contains("--> <stdin>:1:1\n"), "{piped}");
}

/// Returns the warnings about `text`, and checks that it has no errors.
fn warnings(sandbox: &Sandbox, text: &str, args: &[&str]) -> String {
    sandbox.write("a.yaml", text.as_bytes());
    let run = sandbox.ketch(&[&["check", "--format", "json", "a.yaml"], args].concat());
    let lines = run.exits_with(0).stdout.lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let shown = lines.map(|found| {
        assert_eq!(found["severity"], "warning");
        let kind = found["kind"].as_str().expect("a kind");
        format!("{kind} {}:{}", found["line"], found["column"])
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Checks that valid text that was probably meant differently causes a warning with the place, and
/// that text that looks similar causes none.
#[test]
fn unusual_text_is_a_warning() {
    let sandbox = Sandbox::new();
    let warnings = |text: &str, args: &[&str]| warnings(&sandbox, text, args);
    let mark = "ByteOrderMark";
    assert_eq!(warnings("a: 1\n\u{feff}b: 2\n", &[]), format!("{mark} 2:1"));
    assert_eq!(warnings("\u{feff}a: 1\n...\n\u{feff}---\nb: 2\n", &[]), format!("{mark} 3:1"));
    assert_eq!(warnings("a: x\u{feff}y\nb: '\u{feff}'\n", &[]), format!("{mark} 1:5"));
    assert_eq!(warnings("\u{feff}a: \"\u{feff}\" # \u{a0}\n", &[]), "");
    let blank = "BlankNotSpace";
    assert_eq!(warnings("a:\n\u{a0}\u{a0}b: 1\n", &[]), format!("{blank} 2:1"));
    assert_eq!(warnings("a:\n  b: 1\n  \u{3000}c: 2\n", &[]), format!("{blank} 3:3"));
    assert_eq!(warnings("a: b\u{a0}c\nd: \"\u{a0}\"\ne: |\n  \u{a0}x\n", &[]), "");
    let curly = "CurlyQuotes";
    assert_eq!(warnings("\u{201c}a\u{201d}: 1\n", &[]), format!("{curly} 1:1"));
    assert_eq!(warnings("{b: 1, \u{2018}a\u{2019}: 1}\n", &[]), format!("{curly} 1:8"));
    assert_eq!(
        warnings("a: \u{201c}x\u{201d}\n- \u{201c}y\u{201d}\n".replace("a: ", "- ").as_str(), &[]),
        ""
    );
    let template = "UnquotedTemplate";
    let text = "a: {{ x }}\nb: [1, {{y}}]\n- {{ x | f }}\n".replace("- ", "c: ");
    assert_eq!(warnings(&text, &[]), format!("{template} 1:4, {template} 2:8, {template} 3:4"));
    // Wherever the two events are in a block of words.
    for count in 0..20 {
        let text = format!("{}- {{{{ x }}}}\n", "- 1\n".repeat(count));
        assert_eq!(warnings(&text, &[]), format!("{template} {}:3", count + 1));
    }
    let quoted = "a: \"{{ x }}\"\nb: {{a: 1}: 2}\nc: [[1], {a: {b: 1}}]\nd: '{{'\ne: {a: {}}\n";
    assert_eq!(warnings(quoted, &[]), "");
    let dash = "DashWithoutSpace";
    assert_eq!(warnings("a:\n  -b\n  -c\n", &[]), format!("{dash} 2:3"));
    assert_eq!(warnings("a:\n  -b: 1\n   \nc:\n-d: 2\n", &[]), format!("{dash} 2:3, {dash} 5:1"));
    assert_eq!(warnings("a:\n  -1\n  -2\n", &[]), format!("{dash} 2:3"));
    let options =
        "a: -b\nc:\n  -1\nd:\n  - -v\n  - --all\ne: [\n  -x,\n  -y\n  ]\n--f: 1\n-.5: 2\n";
    assert_eq!(warnings(options, &[]), "");
    // Options in a text of several lines.
    for text in ["a:\n  -Dsonar.host=x\n  -Dsonar.key=y\n", "a:\n  -Xmx1g -Xms1g\n", "a:\n  -f x\n"]
    {
        assert_eq!(warnings(text, &[]), "", "{text}");
    }
    assert_eq!(warnings("a:\n  -D=x\n  - y\n", &[]), format!("{dash} 2:3"));
    assert_eq!(warnings("a: \u{201c}x\u{201d}\n", &[]), format!("{curly} 1:4"));
    let prose = "a: \u{201c}x y\u{201d}\nb: \u{201c}x\u{201d}, y\nc: \u{201c}\u{4f60}\u{201d}\n";
    assert_eq!(warnings(prose, &[]), "");
    let colon = "ColonWithoutSpace";
    assert_eq!(warnings("a:1\n", &[]), format!("{colon} 1:1"));
    let three = format!("{colon} 1:5, {colon} 2:1, {colon} 4:1");
    assert_eq!(warnings("--- a:1\nb:2\n---\nc:3\n", &[]), three);
    assert_eq!(warnings("{a:1, b: 2, c:d }\n", &[]), format!("{colon} 1:2, {colon} 1:13"));
    assert_eq!(warnings("- a:1\n- [b:1]\n- {c: d:1}\n- {http://x, C:\\x, a::b, 12:30}\n", &[]), "");
    assert_eq!(warnings("http://x\n--- 12:30\n--- 'a:1'\n", &[]), "");
    let marker = "MarkerWithoutSpace";
    assert_eq!(warnings("a: 1\n---b: 2\n", &[]), format!("{marker} 2:1"));
    assert_eq!(warnings("a:\n  ---b: 2\n  c: ---d\n", &[]), "");
    assert_eq!(warnings("a: &nbsp;x\nb: &#160;\n", &[]), "HtmlEntity 1:4, HtmlEntity 2:4");
    assert_eq!(warnings("a: &x 1\nb: x&amp;\nc: &amp 2\n", &[]), "");
    assert_eq!(warnings("<<: !include f\na: 1\n", &["--merge"]), "MergeValue 1:5");
    assert_eq!(warnings("<<: !include f\na: 1\n", &[]), "");
    assert_eq!(warnings("%FOO\n---\n-a: 1\n", &[]), format!("UnknownDirective 1:1, {dash} 3:1"));
}

/// Checks that text that looks like the mistakes in `mistakes/other_value.txt` causes no warning, and
/// that some other forms of them cause one.
#[test]
fn values_that_are_meant_cause_no_warning() {
    let sandbox = Sandbox::new();
    let meant = [
        "a: # b\nb: #c d\nc: #todo\nport: #8080\nd: ##\ncolor: #\nitems: #/a b\n",
        "channel:\n  #general\n  a: 1\nb: #general\n  - 1\n",
        "- pip\n- a b\n  - c\n- d\n  -e\n",
        "a::b: 1\n'c:': 2\n\"d:\": 3\n",
        "- \"C:\\\\temp\"\n- \"C:/a\\n\"\n- \"\\b\\f\"\n",
        "- don't: isn't\n- 5\" disk: 3\" wide\n- \"a\": \"b\"\n- a \"b\" c: d\n- {a: '\"b\"'}\n",
        "price: 3.10\nversion: 3.1\nversions: [1.0, 2.00, '3.10', 10, 1.2.10]\na: [3.10]\n",
        "mode: 0644\ndefaultMode: 00644\numask: 00022\na: 0123\nb: 0.1234\nc: +12\nd: 0x1234\n",
        "<<: {a: 1}\n",
        "- a, b,\n- x;\n- c: Dear Ann,\n  d: e,\n  f: 1,2\n- {g: 1, }\n",
        "- !Ref x\n- !!str x\n- !important-x y\n- !<tag:a(b)> x\n- &a-b.c/d x\n- !f(x)\n  a: 1\n",
        "a: {}\nb: {c: 1}\nd: [{e}]\nf: {g, h}\n",
        "a: >\n  b \\\n    c\nd: |\n  e \\\n  f\ng: \"h \\\n  i\"\nj: >\n  k \\\n\n  l\n",
        "a: say \"b\"\nb: 5\"\nc: x\n  y\"\n",
        "a: x[0], b]\nb: see c, d e]\nc: d]\ng: [e, f]\n",
        "a: 3 # // b\nb: x // y\nc: |\n  3 // b\n# d: 3 // e\ne: '3 // f'\ng: 3//h\n",
        "a: !reset\npassword: !reset\nb: !Foo\nc: !u:1\npassword_of: !x1 y\nsecret: !x\n  a: 1\n",
        "a: – b\nc: –\nd:\n  –\ne: [\n  – f\n  ]\ng: h\n  – i\n",
        "a:\n  nginx:latest\nb:\n  localhost:80\nc:\n  http://x\nd:\n  - x:y\ne:    x:y\nf:\n  x:y z\n",
        "a:\n  12:30\nb:\n  a:b:c\nc:\n  acme/x:y\nd: # e\n",
        "- a b\n  - c\n  - d\n- {docker.io/a:b/c:d}\n",
        "a: 1e6\nb: 100000e3\nc: [1000e30, 12e+4567]\nd: 1.5e1234\ne: 1234e5x\n",
        "- toc:\n- admonition\n- x\n- x: 1\n- y\n- z\n- z:\n- - w\n- a: b\n",
        "a:\n  x:y\n  x:z\nb:\n  c:d e\n  f:g\nh:\n  i:j\n  k\n",
        "a: b,\nc: d\ne: f g,\nh: i j,\nk:\n  l: m,\n",
        "- name: x\n- names:x\n- [name, 'name:x']\n- !Ref x\n- !a/b c\n- !u:a/b\n",
    ];
    for text in meant {
        assert_eq!(warnings(&sandbox, text, &[]), "", "{text}");
    }
    let other = [
        ("{color: #fff\n}\n", "CommentAsValue 1:9"),
        ("colors:\n- #a1b2c3 # c\n", "CommentAsValue 2:3"),
        ("- <<: 'b'\n", "MergeValue 1:7"),
        ("- - x\n    - y\n", "DashInText 2:5"),
        ("a: !!boolean yes\n", "NoSuchTag 1:4"),
        ("a: web\"\n", "MarkAtEnd 1:4"),
        ("a: \u{a0}b\n", "BlankNotSpace 1:4"),
        ("s:\n  echo 'a: b'\n", "QuoteInKey 2:3"),
        ("x: {version: 3.10}\n", "NumberLoses 1:14"),
        ("image:\n  tag: 1.20\n", "NumberLoses 2:8"),
        ("- &copy;\n- [&eacute; b, c]\n", "HtmlEntity 1:3, HtmlEntity 2:4"),
        ("- 3 // a\n- [1, true // b\n  ]\n", "CommentInText 1:3, CommentInText 2:7"),
        ("a:\n  \u{2022} b\n", "OtherDash 2:3"),
        (
            "{a.b/c:d, e:f, g: 1, h:i}\n",
            "ColonWithoutSpace 1:2, ColonWithoutSpace 1:11, ColonWithoutSpace 1:22",
        ),
    ];
    for (text, expected) in other {
        assert_eq!(warnings(&sandbox, text, &[]), expected, "{text}");
    }
}

/// Checks that the lines of many warnings are counted across documents and chunks.
#[test]
fn unusual_text_is_found_in_a_long_stream() {
    let sandbox = Sandbox::new();
    sandbox.write("a.yaml", "a: [b, c] # d\nlist:\n  -x\n---\n".repeat(20_000).as_bytes());
    let found = json_lines(&sandbox, &["a.yaml"]);
    assert_eq!(found.len(), 1000);
    for (index, found) in found.iter().enumerate() {
        assert_eq!(found["line"], 3 + 4 * index, "{found}");
    }
}

/// Checks that characters that change the direction of text are shown nowhere, because they can make
/// a message look like a different one.
#[test]
fn direction_characters_are_masked() {
    let sandbox = Sandbox::new();
    for text in ["a: @\u{202e}x\n", "a: 1\n\u{2066}b: c\n  d: \u{200f}e\n", "a: *\u{202e}x\n"] {
        sandbox.write("a.yaml", text.as_bytes());
        for args in [&["check", "a.yaml"][..], &["check", "--format", "json", "a.yaml"]] {
            let run = sandbox.ketch(args);
            let is_direction = |ch: char| ketch_yaml::is_masked(ch) && !ch.is_control();
            assert!(!run.exits_with(1).stdout.contains(is_direction), "{run}");
            assert!(run.stdout.contains('\u{fffd}'), "{run}");
        }
    }
    let path = sandbox.ketch(&["get", ".a\u{202e}b", "a.yaml"]);
    assert!(!path.stderr.contains('\u{202e}'), "{path}");
}

fn json_lines(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let run = sandbox.ketch(&[&["check", "--format", "json"], args].concat());
    assert_eq!(run.stderr, "", "{run}");
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn json_has_one_object_per_problem() {
    let sandbox = Sandbox::with(&[
        ("a.yaml", b"a: \"x\nb: 2\n"),
        ("b.yaml", b"%FOO\n--- 1\n"),
        ("a.png", PNG),
    ]);
    let problems = json_lines(&sandbox, &["a.yaml", "b.yaml", "a.png", "missing"]);
    assert_eq!(problems.len(), 4);
    assert_eq!(
        problems[0],
        json!({
            "file": "a.yaml", "severity": "error", "kind": "QuotedIndentation", "class": "syntax",
            "message": "a `\"` is never closed",
            "line": 1, "column": 4, "offset": 3, "length": 1,
            "help": "Close it on line 1: `a: \"x\"`.",
            "related": {
                "message": "this line is not part of the quoted text",
                "line": 2, "column": 1, "offset": 6, "length": 1,
            },
        })
    );
    assert_eq!(problems[1]["severity"], "warning");
    assert_eq!((&problems[2]["kind"], &problems[2]["line"]), (&json!("Binary"), &Value::Null));
    assert_eq!((&problems[3]["kind"], &problems[3]["class"]), (&json!("Io"), &json!("io")));
}

#[test]
fn control_characters_in_file_names_are_escaped() {
    let sandbox = Sandbox::new();
    let run = sandbox.ketch(&["check", "a\x1b[2Jb"]);
    assert!(!run.exits_with(3).stdout.contains('\x1b'), "{run:?}");
}

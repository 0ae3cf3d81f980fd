//! Tests of `ketch match`, `ketch lines` and `ketch regex`.

mod common;

use common::Sandbox;

const LOG: &[u8] = b"GET /a 200\nPOST /b 500\n\nget /c 404\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[("a.log", LOG), ("b.log", b"PUT /d 200\n"), ("empty", b"")])
}

#[test]
fn matching_lines_are_printed() {
    let sandbox = sandbox();
    sandbox.ketch(&["match", "^(GET|POST)", "a.log"]).is(0, "GET /a 200\nPOST /b 500\n", "");
    sandbox.ketch(&["match", "-n", "^get", "-i", "a.log"]).is(
        0,
        "1:GET /a 200\n4:get /c 404\n",
        "",
    );
    sandbox.ketch(&["match", "-o", "/\\w", "a.log", "b.log"]).is(
        0,
        "a.log:/a\na.log:/b\na.log:/c\nb.log:/d\n",
        "",
    );
    sandbox.ketch(&["match", "-v", "\\d", "a.log"]).is(0, "\n", "");
    sandbox.ketch(&["match", "-c", "200", "a.log", "b.log", "empty"]).is(
        0,
        "a.log:1\nb.log:1\nempty:0\n",
        "",
    );
    sandbox.ketch(&["match", "-l", "500|PUT", "a.log", "b.log"]).is(0, "a.log\nb.log\n", "");
    sandbox.ketch_with(&["match", "0$"], LOG).is(0, "GET /a 200\nPOST /b 500\n", "");
    sandbox.ketch(&["match", "-c", "DELETE", "a.log"]).is(4, "0\n", "");
    sandbox.ketch(&["match", "DELETE", "a.log"]).is(4, "", "");
}

/// Checks that each line is matched without its line feed, so that sets and anchors never see one.
#[test]
fn no_match_extends_beyond_its_line() {
    let sandbox = sandbox();
    sandbox.ketch(&["match", "-c", "\\A[^G]", "a.log"]).is(0, "2\n", "");
    sandbox.ketch(&["match", "-c", "00\\z", "a.log"]).is(0, "2\n", "");
    sandbox.ketch(&["match", "-c", "\\s\\S+\\s\\d+\\s", "a.log"]).is(4, "0\n", "");
    sandbox.ketch_with(&["match", "-c", "a$"], b"a\r\na").is(0, "1\n", "");
}

#[test]
fn matches_are_printed_as_json_and_yaml() {
    let sandbox = sandbox();
    let pattern = "(?<method>[A-Z]+) (?<path>\\S+)( x)?";
    sandbox.ketch(&["match", "--json", pattern, "b.log"]).is(
        0,
        "{\"file\":\"b.log\",\"line\":1,\"column\":1,\"offset\":0,\"match\":\"PUT /d\",\
         \"groups\":{\"method\":\"PUT\",\"path\":\"/d\"}}\n",
        "",
    );
    sandbox.ketch(&["match", "--json", "(x)?/(.)", "a.log"]).is(
        0,
        "{\"file\":\"a.log\",\"line\":1,\"column\":5,\"offset\":4,\"match\":\"/a\",\"groups\":[null,\"a\"]}\n\
         {\"file\":\"a.log\",\"line\":2,\"column\":6,\"offset\":16,\"match\":\"/b\",\"groups\":[null,\"b\"]}\n\
         {\"file\":\"a.log\",\"line\":4,\"column\":5,\"offset\":28,\"match\":\"/c\",\"groups\":[null,\"c\"]}\n",
        "",
    );
    let yaml = sandbox.ketch(&["match", "--yaml", "(?<status>\\d+)$", "a.log"]);
    yaml.exits_with(0);
    let json = sandbox.ketch_with(&["convert", "--to", "json"], yaml.stdout.as_bytes());
    json.exits_with(0);
    assert!(
        json.stdout.contains(r#"{"file":"a.log","line":1,"column":8,"offset":7,"match":"200","groups":{"status":"200"}"#),
        "{json}"
    );
}

#[test]
fn folders_are_read_in_order() {
    let sandbox = Sandbox::with(&[("top", b"x\n")]);
    std::fs::create_dir_all(sandbox.path("folder/inner")).unwrap();
    sandbox.write("folder/b", b"x\ny\n");
    sandbox.write("folder/inner/a", b"x\n");
    sandbox.write("folder/binary", b"x\0y\n");
    sandbox.ketch(&["match", "-r", "x", "folder"]).is(
        0,
        "folder/b:x\nfolder/binary: a binary file matches\nfolder/inner/a:x\n",
        "",
    );
    sandbox.ketch(&["match", "-r", "-l", "x"]).is(
        0,
        "./folder/b\n./folder/binary\n./folder/inner/a\n./top\n",
        "",
    );
    let same = sandbox.ketch(&["match", "-r", "x", "folder"]).stdout;
    sandbox.ketch(&["match", "x", "folder"]).is(0, &same, "");
}

#[test]
fn errors_in_patterns_show_their_location() {
    let sandbox = sandbox();
    let error = "error: empty range in char class
  --> PATTERN:1:4
  |
1 | ab[z-a]
  |    ^^^
  |
  = help: Write the lower character first.

";
    for command in [["match", "ab[z-a]"], ["lines", "--pattern=ab[z-a]"]] {
        sandbox.ketch(&command).is(2, "", error);
    }
    sandbox.ketch(&["regex", "explain", "ab[z-a]"]).is(2, "", error);
}

#[test]
fn a_search_stops_at_its_timeout() {
    let sandbox = Sandbox::new();
    sandbox.write("long", "a".repeat(50_000).as_bytes());
    let run = sandbox.ketch(&["match", "--timeout", "200", r"(a*)*\1b?\1$(?<=c)", "long"]);
    run.exits_with(1);
    assert!(run.stderr.contains("the time limit of 200 ms has passed"), "{run}");
    sandbox.ketch(&["match", "--timeout", "0", "a", "long"]).exits_with(2);
}

#[test]
fn lines_splits_text_into_records() {
    let sandbox = sandbox();
    sandbox.ketch(&["lines", "-n", "a.log"]).is(
        0,
        "     1\tGET /a 200\n     2\tPOST /b 500\n     3\t\n     4\tget /c 404\n",
        "",
    );
    sandbox.ketch(&["lines", "--count", "a.log"]).is(0, "4\n", "");
    sandbox.ketch(&["lines", "--count", "a.log", "empty"]).is(0, "a.log:4\nempty:0\n", "");
    sandbox.ketch_with(&["lines", "--separator", "\\0"], b"a\0b\nc\0").is(0, "a\nb\nc\n", "");
    sandbox.ketch_with(&["lines", "--separator", "\\x3B;"], b"a;b;;c").is(0, "a;b\nc\n", "");
    sandbox.ketch_with(&["lines", "--pattern", ";\\s*"], b"a; b;;c").is(0, "a\nb\n\nc\n", "");
    sandbox.ketch_with(&["lines", "--paragraphs", "--count"], b"a\nb\n\n\nc\n").is(0, "2\n", "");
    sandbox.ketch_with(&["lines", "--json", "--paragraphs"], b"a\nb\n\n\nc\n").is(
        0,
        "{\"file\":\"<stdin>\",\"number\":1,\"offset\":0,\"text\":\"a\\nb\\n\"}\n\
         {\"file\":\"<stdin>\",\"number\":2,\"offset\":6,\"text\":\"c\\n\"}\n",
        "",
    );
    sandbox.ketch(&["lines", "--separator", "\\q", "a.log"]).exits_with(2);
    sandbox.ketch(&["lines", "--separator", "", "a.log"]).exits_with(2);
    sandbox.ketch(&["lines", "--max-bytes", "5", "a.log"]).is(
        1,
        "",
        "error: a.log: a record has more than 5 bytes, at byte 0\n = help: Raise --max-bytes, or give another separator.\n",
    );
}

/// Checks that a number takes six columns, or more if it has more digits.
#[test]
fn line_numbers_are_padded_to_six_columns() {
    let sandbox = Sandbox::new();
    let run = sandbox.ketch_with(&["lines", "-n"], "\n".repeat(1_000_001).as_bytes());
    run.exits_with(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!((lines[8], lines[99_999], lines[1_000_000]), ("     9\t", "100000\t", "1000001\t"));
}

#[test]
fn patterns_are_explained() {
    let sandbox = Sandbox::new();
    sandbox.ketch(&["regex", "explain", "\\d{1,3}(?<unit>ms|s)quux"]).is(
        0,
        "\
time       linear, also for all matches of a text
machine    automata
Ruby 3.2+  remembers what failed: linear; JRuby and Ruby 3.1 backtrack
length     6 to 54 bytes
requires   \"msquux\" or \"squux\", 1 to 12 bytes from the start
groups     unit (1)
tree
  sequence \\d{1,3}(?<unit>ms|s)quux
    repeat \\d{1,3}
      set \\d
    group (?<unit>ms|s)
      alternatives (?<unit>ms|s)
        sequence ms
          character m
          character s
        character s
    character q
    character u
    character u
    character x
",
        "",
    );
    let json = sandbox.ketch(&["regex", "explain", "--format", "json", "(a)(?=b)\\1"]);
    json.exits_with(0);
    for part in [
        r#""linear":false"#,
        r#""not_linear":{"reason":"a back-reference","start":8,"end":10}"#,
        r#""irregular":{"reason":"look-ahead","start":3,"end":8}"#,
        r#""backtracks_in_ruby":{"reason":"a back-reference","start":8,"end":10}"#,
    ] {
        assert!(json.stdout.contains(part), "{json}");
    }
    let deep = format!("{}a{}", "(?:".repeat(3000), ")".repeat(3000));
    sandbox.ketch(&["regex", "explain", &deep]).exits_with(0);
}

#[test]
fn grok_turns_lines_into_fields() {
    let sandbox = Sandbox::with(&[
        ("names", b"# own\nINT [+-]?\\d+\nWORD \\w+\nLINE %{WORD:[http][verb]} /%{WORD:path} %{INT:status:int}\n"),
        ("wrong", b"INT\n"),
        ("a.log", LOG),
    ]);
    sandbox.ketch(&["grok", "-p", "names", "^%{LINE}", "a.log"]).is(
        0,
        "{\"http\":{\"verb\":\"GET\"},\"path\":\"a\",\"status\":200}\n\
         {\"http\":{\"verb\":\"POST\"},\"path\":\"b\",\"status\":500}\n\
         {\"message\":\"\",\"tags\":[\"_grokparsefailure\"]}\n\
         {\"http\":{\"verb\":\"get\"},\"path\":\"c\",\"status\":404}\n",
        "",
    );
    sandbox.ketch(&["grok", "-m", "%{A:a=[A-Z]+}", "--or", "(?<b>c)", "a.log"]).is(
        0,
        "{\"a\":\"GET\"}\n{\"a\":\"POST\"}\n{\"b\":\"c\"}\n",
        "",
    );
    sandbox.ketch(&["grok", "%{L:a=\\w}%{L:a=\\w}", "a.log", "-m"]).exits_with(0);
    sandbox.ketch_with(&["grok", "%{L:a=\\w}%{L:a=\\w}"], b"xy").is(
        0,
        "{\"a\":[\"x\",\"y\"]}\n",
        "",
    );
    sandbox.ketch(&["grok", "-m", "nothing", "a.log"]).is(4, "", "");
    sandbox.ketch(&["grok", "%{NONE:x}", "a.log"]).is(
        2,
        "",
        "error: expression 1: there is no pattern NONE\n = help: Give a file of patterns: --patterns FILE.\n",
    );
    sandbox.ketch(&["grok", "-p", "wrong", "x", "a.log"]).is(
        1,
        "",
        "error: wrong: line 1 has a name, but no pattern\n = help: Write a name, a blank, and a pattern on each line.\n",
    );
}

/// Checks that `regex check` reports the patterns on which a backtracking engine can take very
/// long, each with a text that causes this, and no other patterns.
#[test]
fn check_reports_patterns_that_can_take_very_long() {
    let sandbox = Sandbox::with(&[
        (
            "rules.yaml",
            b"- pattern: '^\\d+$'\n- regex: ['(a|aa)+$', 'x*y']\n- re: !ruby/regexp /^(X+x+)+y/i\n\
              - match: '\\s+\\s+$'\n- other: '(b+)+$'\n",
        ),
        ("wrong.yaml", b"pattern: '(a'\n"),
        ("names.grok", b"# own\nWORDS ^(?:%{W} ?)+$\nW \\w+\n"),
        ("fine", b"INT [0-9]+\n"),
        ("half.grok", b"INT [0-9]+\n\n  WORD\n"),
    ]);
    let found = sandbox.ketch(&["regex", "check", "rules.yaml"]);
    found.exits_with(1);
    let shown = [
        "exponential time in `(a|aa)+`\n  --> rules.yaml:2:11\n",
        "exponential time in `(X+x+)+`\n  --> rules.yaml:3:20\n",
        "cubic time in `\\s+`\n  --> rules.yaml:4:10\n",
        "help: A text that takes long is \"a\" repeated 30 times, then \"!a\". Ruby 3.2 and later match \
         the pattern in linear time.",
    ];
    for part in shown {
        assert!(found.stdout.contains(part), "{part}: {found}");
    }
    assert_eq!(found.stdout.matches("error: ").count(), 3, "{found}");
    let other = sandbox.ketch(&["regex", "check", "--key", "other", "rules.yaml"]);
    assert!(other.exits_with(1).stdout.contains("in `(b+)+`\n  --> rules.yaml:5:10"), "{other}");
    let names = sandbox.ketch(&["regex", "check", "--format", "json", "names.grok", "fine"]);
    let part = r#"{"file":"names.grok","severity":"error","kind":"Explosion","class":"limit","message":"WORDS: "#;
    assert!(names.exits_with(1).stdout.starts_with(part), "{names}");
    assert_eq!(names.stdout.lines().count(), 1, "{names}");
    let wrong = sandbox.ketch(&["regex", "check", "wrong.yaml"]);
    assert!(wrong.exits_with(1).stdout.contains("unmatched parenthesis"), "{wrong}");
    let half = sandbox.ketch(&["regex", "check", "half.grok"]);
    let part = "cannot be checked: the line has a name, but no pattern\n  --> half.grok:3:3\n";
    assert!(half.exits_with(1).stdout.contains(part), "{half}");
    sandbox.ketch(&["regex", "check", "fine"]).is(0, "", "");
    sandbox.ketch(&["regex", "check", "none"]).exits_with(3);
}

#[test]
fn strange_files_never_panic() {
    let sandbox = Sandbox::with(&[
        ("bytes", b"\xFF\xFEa\x00\n\xC3"),
        ("breaks", b"\n\n\r\n\r"),
        ("a.log", LOG),
    ]);
    for args in [&["match", ""][..], &["match", "--json", ".+"], &["grok", "%{A:a=.*}"], &["lines"]]
    {
        for file in ["bytes", "breaks", "a.log"] {
            sandbox.ketch(&[args, &[file]].concat()).exits_with(0);
        }
        sandbox.ketch(&[args, &["none"]].concat()).exits_with(3);
        // The other files are still searched.
        let run = sandbox.ketch(&[args, &["none", "a.log"]].concat());
        assert!(run.exits_with(3).stdout.contains("POST"), "{run}");
    }
}

//! Runs the cases of `ketch q` in conformance/query: those of jq's language in cases.json, and those of messages in
//! messages.json.

mod common;

use common::{Outcome, Sandbox};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn list(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Runs a case in an empty folder. Returns the result, and the file of the input afterwards.
fn run(case: &Value) -> (Outcome, Option<String>) {
    let options = list(&case["options"]);
    let program = case["program"].as_str().expect("a program");
    let sandbox = Sandbox::new();
    for (name, text) in case["files"].as_object().into_iter().flatten() {
        sandbox.write(name, text.as_str().expect("a text").as_bytes());
    }
    let file = format!("input.{}", case["from"].as_str().expect("a format"));
    let input = case["input"].as_str();
    if options.contains(&"--args") {
        let args = [&["q", program, "--errors", "json"], &options[..]].concat();
        return (sandbox.ketch_with(&args, input.unwrap_or_default().as_bytes()), None);
    }
    let mut args = [&["q", "--errors", "json"], &options[..], &[program]].concat();
    if let Some(input) = input {
        sandbox.write(&file, input.as_bytes());
        args.push(&file);
    }
    let outcome = sandbox.ketch(&args);
    (outcome, fs::read_to_string(sandbox.path(&file)).ok())
}

/// Returns what a case calls `key` of a message.
fn property(error: &Value, key: &str) -> Value {
    let is_in_program = error["class"] == "program";
    let message = error["message"].as_str().unwrap_or_default();
    let after = |text: &str, start: &str, end: char| {
        let rest = text.split_once(start)?.1;
        rest.split_once(end).map(|(found, _)| found.to_owned())
    };
    match key {
        "kind" if error["kind"] == "through-alias" || is_in_program => error["kind"].clone(),
        "kind" => "invalid-input".into(),
        "at" => match (error["offset"].as_u64(), error["length"].as_u64()) {
            (Some(offset), Some(length)) => vec![offset, offset + length].into(),
            _ => Value::Null,
        },
        // Of an invalid input, the place where reading stopped.
        "place" => {
            let own = Some(error).filter(|_| !is_in_program);
            let places = own.into_iter().chain(Some(&error["related"]));
            let place = places.max_by_key(|place| place["offset"].as_u64()).unwrap_or(error);
            format!("{}:{}", place["line"], place["column"]).into()
        }
        "option" => after(message, "(option ", ')').into(),
        "nearest" => after(error["help"].as_str().unwrap_or_default(), "`", '`').into(),
        key => error[key].clone(),
    }
}

/// Returns how a run differs from what a case expects.
fn differences(case: &Value, ran: &Outcome, file: Option<&str>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |what: &str, found: &Value, expected: &Value| {
        if found != expected {
            wrong.push(format!("{what}: {found}, expected {expected}"));
        }
    };
    check("exit code", &ran.code.into(), &case["exit"]);
    let options = list(&case["options"]);
    let mut lines: Vec<&str> = ran.stdout.lines().collect();
    if options.contains(&"--explain") {
        lines.truncate(1);
    }
    check("stdout", &lines.into(), &case["stdout"]);
    if case["file"].is_string() {
        check("file", &file.into(), &case["file"]);
    }
    if let Some(expected) = case["error"].as_object() {
        let error = ran.stderr.lines().find_map(|line| serde_json::from_str::<Value>(line).ok());
        let error = error.unwrap_or_default();
        for (key, expected) in expected.iter().filter(|(_, expected)| !expected.is_null()) {
            check(key, &property(&error, key), expected);
        }
    }
    wrong
}

#[test]
fn cases_have_their_results() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/query/cases.json");
    let cases: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(path).expect("cases")).expect("JSON");
    assert!(cases.len() >= 129, "{} cases", cases.len());
    let mut wrong = String::new();
    let mut count = 0;
    for case in &cases {
        let (ran, file) = run(case);
        let differences = differences(case, &ran, file.as_deref());
        if !differences.is_empty() {
            count += 1;
            let program = &case["program"];
            wrong += &format!("{} {program}\n  {}\n", case["id"], differences.join("\n  "));
            wrong += &format!("  stderr: {}\n", ran.stderr.trim_end());
        }
    }
    assert!(wrong.is_empty(), "{count} cases differ:\n{wrong}");
}

/// Without `-i`, a document that a program has changed is written as it would be in its file.
#[test]
fn changed_documents_are_written_as_in_place() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/query/cases.json");
    let cases: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(path).expect("cases")).expect("JSON");
    let is_changed = |case: &&Value| {
        case["file"].is_string() && case["error"].is_null() && case["from"] == "yaml"
    };
    // These make a new value, which has no comments.
    let new = ["Q110", "Q111"];
    let mut count = 0;
    for case in cases.iter().filter(is_changed) {
        let (program, input) = (case["program"].as_str(), case["input"].as_str());
        let sandbox = Sandbox::with(&[("a.yaml", input.expect("a text").as_bytes())]);
        let ran = sandbox.ketch(&["q", program.expect("a program"), "a.yaml"]);
        let file = case["file"].as_str().expect("a text");
        let is_same = ran.stdout.trim_end_matches('\n') == file.trim_end_matches('\n');
        assert_eq!(is_same, new.iter().all(|id| case["id"] != *id), "{}\n{ran}", case["id"]);
        count += 1;
    }
    assert!(count >= 26, "{count} cases");
}

#[test]
fn documents_among_results_keep_their_text() {
    let text = "%YAML 1.2\n---\na: 1 # x\n...\n# c\n---\n[x]   # y";
    let sandbox = Sandbox::with(&[("a.yaml", text.as_bytes()), ("b.yaml", b"b: 1 # z\n")]);
    let run = |program: &str, args: &[&str]| {
        let ran = sandbox.ketch(&[&["q", program], args].concat());
        assert_eq!(ran.code, Some(0), "{ran}");
        ran.stdout
    };
    assert_eq!(run(".", &["a.yaml"]), format!("{text}\n"));
    let both = format!("b: 1 # z\n...\n{text}\n---\nb: 1 # z\n");
    assert_eq!(run(".", &["b.yaml", "a.yaml", "b.yaml"]), both);
    let last = run("select(type == \"array\")", &["a.yaml"]);
    assert_eq!(last, "# c\n---\n[x]   # y\n");
    assert_eq!(run("{c: 1}, .", &["b.yaml"]), "c: 1\n---\nb: 1 # z\n");
    assert_eq!(run("., {c: 1}", &["b.yaml"]), "b: 1 # z\n---\nc: 1\n");
    assert_eq!(run(".", &["b.yaml", "--indent", "4"]), "b: 1\n");
    assert_eq!(run(".", &["b.yaml", "--unbuffered"]), "b: 1\n");
    assert_eq!(run(".", &["b.yaml", "-c"]), "{\"b\":1}\n");
}

#[test]
fn inputs_of_any_encoding_and_format() {
    let utf16: Vec<u8> = "\u{feff}a: 1 # é\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let sandbox = Sandbox::with(&[
        ("a.yaml", b"a: 1\n"),
        ("bom.yaml", "\u{feff}b: 2 # x\n".as_bytes()),
        ("utf16.yaml", &utf16),
        ("t.toml", b"[a]\nx = 1 # c\ny = [1, 2]\n"),
        ("m.jq", b"def one: 1;"),
    ]);
    let run = |args: &[&str]| sandbox.ketch(&[&["q"], args].concat());
    assert_eq!(run(&[".", "a.yaml", "bom.yaml"]).stdout, "a: 1\n---\nb: 2 # x\n");
    assert_eq!(run(&[".a = 2", "utf16.yaml"]).stdout, "a: 2 # é\n");
    assert_eq!(run(&[".", "t.toml"]).stdout, "a:\n  x: 1\n  \"y\":\n  - 1\n  - 2\n");
    let records = sandbox.ketch_with(&["q", "--seq", "-c", "."], b"\x1e{\"a\":1}\n\x1e[2]\n");
    assert_eq!(records.stdout, "\x1e{\"a\":1}\n\x1e[2]\n");
    let import = "import \"m\" as m; m::one";
    assert_eq!(run(&["-n", import]).code, Some(2));
    assert_eq!(run(&["-n", "-L", ".", import]).stdout, "1\n");
    assert_eq!(run(&["-i", "-S", ".", "a.yaml"]).code, Some(2));
}

#[test]
fn errors_about_json_have_a_place_in_it() {
    let lines = "{\"a\": \"x\"}\n\n {\"é\": 1, \"b\": [{\"c\": 2}, {\"a\": []}]}";
    let sandbox = Sandbox::with(&[("a.json", lines.as_bytes()), ("b.json", b"[1, {\"a\": 2}]")]);
    let places = |program: &str, file: &str| -> Vec<String> {
        let ran = sandbox.ketch(&["q", "--strict", "--errors", "json", program, file]);
        let errors = ran.stderr.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        errors.map(|error: Value| property(&error, "place").as_str().unwrap_or("").into()).collect()
    };
    assert_eq!(places(".a + 1", "a.json"), ["1:7", "3:2"]);
    // Of a key that is missing before `[]`, nothing is in memory.
    assert_eq!(places(".b[]?.a | .[0]", "a.json"), ["null:null", "3:17"]);
    assert_eq!(places("[.b[0].c.d]?, .b[1].a[3]", "a.json"), ["1:1", "3:33"]);
    assert_eq!(places(".[] | .a", "b.json"), ["1:2"]);
    assert_eq!(places("map(.a)", "b.json"), ["1:2"]);
    // Standard input is not read again, so only a place in its first value is known.
    let input = |text: &str| {
        let ran = sandbox.ketch_with(&["q", ".a + 1"], text.as_bytes());
        ran.stderr.contains("<stdin>:1:7")
    };
    assert!(input("{\"a\": \"x\"}"));
    assert!(!input("{\"a\": 1}\n{\"a\": \"x\"}"));
}

#[test]
fn messages_have_their_results() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/query/messages.json");
    let cases: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(path).expect("cases")).expect("JSON");
    assert!(cases.len() >= 30, "{} cases", cases.len());
    for case in &cases {
        let text = |key: &str| case[key].as_str().expect("a text");
        let sandbox = Sandbox::with(&[("input.yaml", text("input").as_bytes())]);
        let options = ["q", "-m", "--errors", "json", "--to", "json", "-c"];
        let ran = sandbox.ketch(&[&options[..], &[text("query"), "input.yaml"]].concat());
        let mut found = ran.stdout.clone();
        if ran.code != Some(0) {
            let error = ran.stderr.lines().find_map(|line| serde_json::from_str(line).ok());
            let error: Value = error.unwrap_or_default();
            let (kind, at) = (property(&error, "kind"), property(&error, "at"));
            found += &format!("{}\n", serde_json::json!({"error": kind, "at": at}));
        }
        let expected = text("output").lines().map(|line| match line.starts_with("{\"error\"") {
            true => format!("{}\n", serde_json::from_str::<Value>(line).expect("JSON")),
            false => format!("{line}\n"),
        });
        assert_eq!(found, expected.collect::<String>(), "{}\n{ran}", text("name"));
    }
}

#[test]
fn options_of_messages() {
    let sandbox = Sandbox::with(&[("a.yaml", b"l: [{n: 1}, {}]\n")]);
    let run =
        |options: &[&str]| sandbox.ketch(&[&["q", "-m", "-c"][..], options, &["a.yaml"]].concat());
    assert_eq!(run(&["l map(n)", "--missing", "null"]).stdout, "[1,null]\n");
    assert_eq!(run(&["l map(n)", "--missing", "skip"]).stdout, "[1]\n");
    run(&["l map(n)"]).exits_with(4);
    assert_eq!(run(&["1/3", "--ratios", "text"]).stdout, "\"1/3\"\n");
    assert_eq!(run(&["2/3", "--ratios", "places:2"]).stdout, "0.67\n");
    assert_eq!(run(&["--arg", "x", "y", "x"]).stdout, "\"y\"\n");
    run(&["1", "--ratios", "many"]).exits_with(2);
    run(&["1", "-i"]).exits_with(2);
}

//! Runs messages: the cases of conformance/query/messages.json, and those of `messages.txt`.
//!
//! A case there is a query, an input on a line of YAML, and the results as lines of JSON, with a line `error: KIND START END`
//! last if it fails.

use ketch_query::{
    InputOptions, Inputs, Limits, MessageOptions, Missing, NoHost, Query, Ratios, Value, parse_json,
};
use ketch_yaml::schema::Schema;
use std::io::Cursor;

const CASES: &str = include_str!("messages.txt");

/// The cases of the command. The file is a symbolic link, so that the package contains it.
const COMMAND_CASES: &str = include_str!("messages.json");

/// Returns the inputs in a text.
fn inputs(text: &str, schema: Schema) -> Vec<Value> {
    let mut options = InputOptions::default();
    options.compose.schema = schema;
    let reader = Box::new(Cursor::new(text.to_owned().into_bytes()));
    let inputs = Inputs::new(reader, "input.yaml".into(), &options);
    let mut values = Vec::new();
    for input in inputs {
        values.push(input.unwrap_or_else(|error| panic!("{text}: {error:?}")));
    }
    values
}

/// Returns the results for all inputs, and the kind and place of the error.
fn results(
    query: &str,
    inputs: Vec<Value>,
    options: MessageOptions,
) -> (Vec<String>, Option<String>) {
    let failed = |kind: &str, start: u32, end: u32| Some(format!("error: {kind} {start} {end}"));
    let query = match Query::parse_messages(query, &["bound".into()]) {
        Ok(query) => query,
        Err(error) => return (Vec::new(), failed(error.kind, error.span.start, error.span.end)),
    };
    let limits = Limits { steps: 10_000_000, text_bytes: 10_000_000, ..Limits::default() };
    let mut run = query.run(vec![7.into()], limits);
    run.set_messages(options);
    let mut lines = Vec::new();
    for input in inputs {
        run.start(input);
        while let Some(output) = run.next(&mut NoHost) {
            match output {
                Ok(value) => lines.push(value.to_json()),
                Err(failure) => {
                    let span = run.span(&failure).unwrap_or_default();
                    return (lines, failed(failure.kind.name(), span.start, span.end));
                }
            }
        }
    }
    (lines, None)
}

/// Returns the results and the error as lines.
fn lines(query: &str, inputs: Vec<Value>, options: MessageOptions) -> Vec<String> {
    let (mut lines, error) = results(query, inputs, options);
    lines.extend(error);
    lines
}

#[test]
fn the_cases_of_the_command_hold_for_the_library() {
    let cases = parse_json(COMMAND_CASES).expect("JSON");
    let mut wrong = Vec::new();
    let count = cases.entry_count().unwrap_or_default();
    for at in 0..count {
        let case = cases.item(at);
        let text = |key: &str| {
            let field = case.field(key).unwrap_or_default();
            field.as_text().map(|text| text.to_string()).unwrap_or_default()
        };
        let inputs = inputs(&text("input"), Schema::Core);
        let found = lines(&text("query"), inputs, MessageOptions::default());
        let expected: Vec<String> = text("output").lines().map(as_error).collect();
        if found != expected {
            wrong.push(format!("{}\n{}\n", text("name"), found.join("\n")));
        }
    }
    assert!(count >= 30, "{count} cases");
    assert!(wrong.is_empty(), "these differ:\n\n{}", wrong.join("\n"));
}

/// Returns an expected line, of which an object with `error` and `at` is an error.
fn as_error(line: &str) -> String {
    let value = parse_json(line).expect("JSON");
    match (value.field("error"), value.field("at")) {
        (Some(kind), Some(at)) => {
            let kind = kind.as_text().unwrap_or_default();
            format!("error: {kind} {} {}", at.item(0).to_json(), at.item(1).to_json())
        }
        _ => line.to_owned(),
    }
}

#[test]
fn cases_have_their_results() {
    let groups = CASES.split("\n\n").map(|group| {
        group.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect::<Vec<_>>()
    });
    let (mut wrong, mut count) = (Vec::new(), 0);
    for case in groups.filter(|lines| lines.len() >= 2) {
        count += 1;
        let inputs = inputs(case[1], Schema::Core);
        let found = lines(case[0], inputs, MessageOptions::default());
        if found != case[2..] {
            wrong.push(format!("{}\n{}\n{}\n", case[0], case[1], found.join("\n")));
        }
    }
    assert!(count >= 60, "{count} cases");
    assert!(wrong.is_empty(), "these differ:\n\n{}", wrong.join("\n"));
}

#[test]
fn options_replace_what_is_missing_and_ratios() {
    let run = |query: &str, missing, ratios| {
        let inputs = inputs("{l: [{n: 1}, {}], d: {}}", Schema::Core);
        lines(query, inputs, MessageOptions { missing, ratios }).join(" ")
    };
    assert_eq!(run("l map(n)", Missing::Null, Ratios::Error), "[1,null]");
    assert_eq!(run("l map(n)", Missing::Skip, Ratios::Error), "[1]");
    assert_eq!(run("d x", Missing::Skip, Ratios::Error), "");
    assert_eq!(
        run("[d x, .d.y, [] first, l[9]]", Missing::Null, Ratios::Error),
        "[null,null,null,null]"
    );
    // A handler comes first.
    assert_eq!(run("l map(n ifMissing(0))", Missing::Null, Ratios::Error), "[1,0]");
    assert_eq!(
        run("[1/3, 1/4, {a: [1/3]}]", Missing::Error, Ratios::Text),
        r#"["1/3",0.25,{"a":["1/3"]}]"#
    );
    assert_eq!(run("{a: 2/3}", Missing::Error, Ratios::Places(2)), r#"{"a":0.67}"#);
}

#[test]
fn timestamps_are_dates() {
    let query = "[end - start, start + 1, start kind, start year, start == \"2026-02-27\", start]";
    let inputs = inputs("{start: 2026-02-27, end: 2026-03-02}", Schema::Yaml11);
    let found = lines(query, inputs, MessageOptions::default());
    assert_eq!(found, [r#"[3,"2026-02-28","Date",2026,false,"2026-02-27"]"#]);
}

#[test]
fn keys_keep_their_types_in_yaml() {
    let query = Query::parse_messages("l group(it) mapValues(length)", &[]).expect("a query");
    let mut run = query.run(Vec::new(), Limits::default());
    run.start(inputs("l: [true, 1, null, a, 1, 'true ']", Schema::Core).remove(0));
    let value = run.next(&mut NoHost).expect("a result").expect("no error");
    assert_eq!(value.to_yaml().expect("YAML"), "true: 1\n1: 2\nnull: 1\na: 1\n\"true \": 1\n");
}

/// Deep queries and values need no deep stack, and no time that grows faster than they do.
#[test]
fn deep_queries_need_no_deep_stack() {
    let queries = [
        (format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)), "1"),
        (format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000)), "[["),
        (format!("{}1", "- ".repeat(100_000)), "1"),
        (format!("{}1", "not ".repeat(100_000)), "true"),
        (format!("1{}", " + 1".repeat(100_000)), "100001"),
        (format!("2{}", " ** 1".repeat(100_000)), "2"),
        (format!("1{}", " and 1".repeat(100_000)), "1"),
        (format!("1{}", " text".repeat(100_000)), "\"1\""),
        (format!("x{}", " ifMissing(y)".repeat(60_000)), "error: no-such-key"),
        (format!("{}1{}", "1 then(".repeat(60_000), ")".repeat(60_000)), "1"),
        (format!("{}1{}", "if(1, ".repeat(60_000), ")".repeat(60_000)), "1"),
        (format!("{}1{}", "\"#{".repeat(60_000), "}\"".repeat(60_000)), "\"1\""),
        (format!("{}1{}", "{a: ".repeat(100_000), "}".repeat(100_000)), "{\"a\""),
        ("1 to(100000) fold([], a, x, [a]) flatten length".to_owned(), "0"),
        (
            "1 to(100000) fold([1], a, x, [a]) == 1 to(100000) fold([2], a, x, [a])".to_owned(),
            "false",
        ),
        ("1 to(100000) fold([1/3], a, x, {a: a, b: [a]} a) length".to_owned(), "1"),
        ("1 to(100000) fold(1/4, a, x, [a]) deep(\"b\")".to_owned(), "[]"),
        (format!("{}1", "a = 1; ".repeat(2)), "error: syntax"),
        (format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)), "error: too-large"),
    ];
    let run = move || {
        for (query, start) in queries {
            let found = lines(&query, inputs("{}", Schema::Core), MessageOptions::default());
            assert!(
                found[0].starts_with(start),
                "{}: {:.60}",
                &query[..12.min(query.len())],
                found[0]
            );
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run);
    thread.expect("a thread").join().expect("no panic");
}

/// What costs too much ends with an error that no handler takes.
#[test]
fn costly_queries_end_with_an_error() {
    for (query, kind) in [
        ("2 ** 10000000", "too-many-digits"),
        ("1e1000000000 + 1", "too-many-digits"),
        ("1e-1000000000 * 1", "too-many-digits"),
        ("(1 / 3) ** 2", "wrong-kind"),
        ("1 round(1000000000)", "too-many-digits"),
        ("1e1000000000 % 7", "too-many-digits"),
        ("1 to(10000000000)", "too-large"),
        ("1 to(40) fold('x', a, n, \"#{a}#{a}\") length", "too-large"),
        ("1 to(40) fold('x', a, n, [a, a] join) length", "too-large"),
        ("1 to(40) fold('x', a, n, a replace('x', 'xx')) length", "too-large"),
        ("1 to(1000000) map(it) map(it)", "too-many-steps"),
        ("(1 to(1000000) map(it) map(it)) ifError(0)", "too-many-steps"),
    ] {
        let found = lines(query, inputs("{}", Schema::Core), MessageOptions::default());
        assert!(found[0].starts_with(&format!("error: {kind}")), "{query}: {:.60}", found[0]);
    }
}

/// No text makes the parser or the machine panic.
#[test]
fn random_queries_do_not_panic() {
    const WORDS: [&str; 48] = [
        "a",
        "it",
        "$",
        ".",
        ".a",
        ".*",
        "[",
        "]",
        "[]",
        "[?",
        "(",
        ")",
        "{",
        "}",
        ",",
        ":",
        ";",
        "=",
        "+",
        "-",
        "*",
        "**",
        "/",
        "%",
        "==",
        "<",
        "and",
        "or",
        "not",
        "1",
        "2.50",
        "\"x\"",
        "'y'",
        "?",
        "map(",
        "sum",
        "first",
        "sort(",
        "fold(",
        "if(",
        "ifMissing(",
        "skip",
        "take(1)",
        "round(half:",
        "\"#{",
        "}\"",
        "group(",
        "l",
    ];
    let mut state = 1_u64;
    let mut results = 0;
    for _ in 0..20_000 {
        let mut query = String::new();
        for _ in 0..state % 9 + 1 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            query.push_str(WORDS[(state >> 33) as usize % WORDS.len()]);
            query.push_str(if state >> 63 == 0 { " " } else { "" });
        }
        let inputs = inputs("{a: {a: 1}, l: [{a: 2}, 3, x]}", Schema::Core);
        results += lines(&query, inputs, MessageOptions::default()).len();
    }
    assert!(results > 10_000, "{results}");
}

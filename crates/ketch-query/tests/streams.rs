//! Programs have the same results whether they read their input entry by entry or whole.

use ketch_query::{
    Entry, ErrorKind, Failure, Host, InputError, InputOptions, Inputs, Limits, Query, Value,
};
use std::io::Read;
use std::sync::Arc;

/// Programs that read entry by entry, with the first line that `explain` returns for them.
const STREAMED: [(&str, &str); 40] = [
    (".[]", "stream .[]"),
    (".[]?", "stream .[]"),
    (".a[]", "stream .a[]"),
    (".a.b[]", "stream .a.b[]"),
    (".a | .b[] | .c", "stream .a.b[]"),
    (".\"a b\"[]", "stream .\"a b\"[]"),
    (".[].c[]", "stream .[].c[]"),
    (".[].c[]?", "stream .[].c[]"),
    (".[] | select(.n > 1)", "stream .[]"),
    ("try .[] catch .", "stream .[]"),
    (".[] | try error catch .", "stream .[]"),
    ("first(.[])", "stream .[]"),
    ("first(.a[])", "stream .a[]"),
    ("[limit(2; .[])]", "stream .[]"),
    ("[skip(1; .[])]", "stream .[]"),
    ("last(.[])", "stream .[]"),
    ("nth(1; .[])", "stream .[]"),
    ("isempty(.[])", "stream .[]"),
    ("any", "stream .[]"),
    (".a | all(. > 0)", "stream .a[]"),
    ("any(.[]; . == 2)", "stream .[]"),
    ("map(.n)", "stream .[]"),
    ("map(.n) | add", "stream .[]"),
    ("map(.n?) | length", "stream .[]"),
    ("[.[] | .n?, 1] | add", "stream .[]"),
    ("add", "stream .[]"),
    (".a | add", "stream .a[]"),
    ("add(.[] | .n?)", "stream .[]"),
    ("reduce .[] as $x (0; . + 1)", "stream .[]"),
    ("reduce .[] as $x (null; . + $x)", "stream .[]"),
    ("reduce .[] as {n: $x} ([]; . + [$x])", "stream .[]"),
    ("foreach .[] as $x (0; . + 1; [., $x])", "stream .[]"),
    ("label $out | .[] | if . == 2 then break $out else . end", "stream .[]"),
    ("1 as $x | .[] | [., $x]", "stream .[]"),
    (".[] as $x | {x: $x}", "stream .[]"),
    ("def f: [.]; .[] | f", "stream .[]"),
    ("([.[] | .n?] | add) + 1", "stream .[]"),
    ("-(.[] | .n)", "stream .[]"),
    (".[][0]?", "stream .[]"),
    ("map(.n?)[1]", "stream .[]"),
];

const WHOLE: [(&str, &str); 10] = [
    (".", "`.` at column 1"),
    ("length", "`length` at column 1"),
    ("group_by(.n)", "`group_by` at column 1"),
    (".[0]", "`[0]` at column 2"),
    ("reduce .[] as $x (.n; .)", "`n` at column 20"),
    (".[] as $x | [$x, .n]", ""),
    (".[], .a", "`,` at column 4"),
    (".[] | input", "`input` at column 7"),
    ("def map(f): 1; map(.)", "`map` at column 16"),
    ("to_entries[]", "`to_entries` at column 1"),
];

/// Inputs, all of them both JSON and YAML.
const INPUTS: [&str; 24] = [
    "[]",
    "[1, 2, 3]",
    "[1, [2, {\"n\": 3}], {\"n\": 4}]",
    "[{\"n\": 1.50, \"c\": [1, 2]}, {\"n\": 2, \"c\": []}, {\"n\": 3, \"c\": [[3]]}]",
    "[{\"c\": [1]}, {\"d\": 1}, {\"c\": [2]}]",
    "[{\"c\": [1]}, 5, {\"c\": [2]}]",
    "[\"x\", \"y\\u00e9\\n\", \"\"]",
    "[true, false, null]",
    "{}",
    "{\"a\": [1, 2], \"b\": 3}",
    "{\"b\": [0], \"a\": {\"b\": [1, {\"c\": 2}], \"x\": [[]]}}",
    "{\"a\": {\"b\": 5}}",
    "{\"a\": {\"c\": 5}}",
    "{\"a\": {\"b\": {\"x\": 1, \"y\": 2}}}",
    "{\"a\": null}",
    "{\"a\": \"text\"}",
    "{\"a\": []}",
    "{\"a b\": [1], \"n\": 2, \"\\u0061\": [3]}",
    "5",
    "null",
    "\"text\"",
    "false",
    "[[], {}, [[[[1]]]], \"[\", \"]\\\"\", {\"}\": \"{\"}]",
    "{\"x\": {\"n\": 1}, \"y\": {\"n\": 2, \"c\": [7]}}",
];

/// A host with the entries of inputs.
struct Entries(Inputs);

impl Host for Entries {
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        None
    }

    fn entry(&mut self) -> Option<Result<Entry, Failure>> {
        let entry = self.0.next_entry()?;
        Some(entry.map_err(|error| Failure::new(ErrorKind::InvalidInput, shown(&error))))
    }

    fn message(&mut self, _: &str) {}

    fn input_name(&self) -> Option<Arc<str>> {
        None
    }

    fn environment(&self) -> Option<Value> {
        None
    }
}

fn shown(error: &InputError) -> String {
    match error {
        InputError::Text(error) => error.to_string(),
        InputError::Json(message) | InputError::NoDocument(message) => message.clone(),
    }
}

/// A reader that returns a few bytes at a time.
struct Slow(std::io::Cursor<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = out.len().min(self.1);
        self.0.read(&mut out[..count])
    }
}

/// Returns the outputs and errors of a program on all inputs of a text.
fn results(program: &str, text: &str, is_json: bool, step: usize, by_entries: bool) -> Vec<String> {
    let query = Query::new(program, &[]).expect("a program");
    let reader = Box::new(Slow(std::io::Cursor::new(text.into()), step));
    let options = InputOptions { is_json, ..InputOptions::default() };
    let mut inputs = Inputs::new(reader, "input".into(), &options);
    let mut run = query.run(Vec::new(), Limits::default());
    if by_entries {
        inputs = inputs.by_entries(query.entry_path().expect("a path"));
        run = query.run_entries(Vec::new(), Limits::default()).expect("a run");
    }
    let mut host = Entries(inputs);
    let mut found = Vec::new();
    while let Some(input) = host.0.next() {
        match input {
            Ok(input) => run.start(input),
            Err(error) => {
                found.push(format!("invalid: {}", shown(&error)));
                continue;
            }
        }
        while let Some(output) = run.next(&mut host) {
            found.push(match output {
                Ok(value) => value.to_json(),
                Err(failure) if failure.kind == ErrorKind::InvalidInput => {
                    format!("invalid: {failure}")
                }
                Err(failure) => format!("error: {failure} {:?}", run.span(&failure)),
            });
        }
        found.push("end".to_owned());
    }
    found
}

#[test]
fn entries_lead_to_the_results_of_whole_inputs() {
    let all = INPUTS.join("\n");
    let documents: String = INPUTS.iter().map(|input| format!("--- {input}\n")).collect();
    for (program, explained) in STREAMED {
        let query = Query::new(program, &[]).expect("a program");
        assert_eq!(query.explain().lines().next(), Some(explained), "{program}");
        for (text, is_json) in [(&all, true), (&documents, false)] {
            let whole = results(program, text, is_json, 1000, false);
            assert_eq!(whole.iter().filter(|line| *line == "end").count(), INPUTS.len());
            for step in [1, 7, 1 << 20] {
                let found = results(program, text, is_json, step, true);
                assert_eq!(found, whole, "{program}, JSON: {is_json}");
            }
        }
    }
}

#[test]
fn aliases_of_all_entries_together_are_limited() {
    let list = "x, ".repeat(1000);
    let count = |entries: usize| {
        let text = format!("- &a [{list}]\n{}", "- *a\n".repeat(entries));
        let found = results(".[] | length", &text, false, 1000, true);
        (found.iter().filter(|line| *line == "1000").count(), found.len())
    };
    assert_eq!(count(900), (901, 902));
    let (lengths, _) = count(2000);
    assert!((999..1100).contains(&lengths), "{lengths}");
}

#[test]
fn other_programs_need_whole_inputs() {
    for (program, reason) in WHOLE {
        let query = Query::new(program, &[]).expect("a program");
        assert!(query.entry_path().is_none(), "{program}");
        let explained = query.explain();
        assert!(explained.starts_with("document\n") && explained.contains(reason), "{explained}");
    }
}

#[test]
fn results_before_invalid_text_are_returned() {
    for (text, is_json) in [("[1, 2, x", true), ("[1, 2,\n x: {", false)] {
        let found = results(".[]", text, is_json, 1, true);
        assert_eq!(found[..2], ["1", "2"], "{found:?}");
        assert!(found[2].starts_with("invalid: "), "{found:?}");
    }
    assert_eq!(results("try .[] catch 3", "[1, x", true, 9, true)[..1], ["1"]);
    assert!(results("try .[] catch 3", "[1, x", true, 9, true)[1].starts_with("invalid: "));
    let duplicate = "{\"a\": [1], \"a\": [2]}";
    assert_eq!(results(".a[]", duplicate, true, 9, false), ["2", "end"]);
    assert_eq!(
        results(".a[]", duplicate, true, 9, true),
        ["1", "invalid: Duplicate key \"a\" at line 1, column 12", "end"]
    );
}

#[test]
fn aliases_and_anchors_are_found_in_entries() {
    let text = "- &x {n: 1}\n- *x\n- {n: 2, of: *x}\n--- {a: [1]}\n";
    for program in [".[]", "map(.n) | add", ".[] | .of?"] {
        let whole = results(program, text, false, 1000, false);
        assert_eq!(results(program, text, false, 3, true), whole, "{program}");
    }
}

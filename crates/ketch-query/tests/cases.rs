//! Runs the cases of `cases.txt`.
//!
//! A case is a program, an input, and the outputs, each on a line, with a line `error: MESSAGE` last if it fails. Lines that
//! start with `#` are comments.

use ketch_query::{Failure, Host, Limits, NoHost, Query, Value, parse_json};
use std::sync::Arc;

const CASES: &str = include_str!("cases.txt");

/// A host that keeps messages, and has one input and a small environment.
#[derive(Default)]
struct Kept {
    messages: String,
    inputs: u32,
}

impl Host for Kept {
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        self.inputs += 1;
        (self.inputs == 1).then(|| Ok("an input".into()))
    }

    fn message(&mut self, text: &str) {
        self.messages.push_str(text);
    }

    fn input_name(&self) -> Option<Arc<str>> {
        None
    }

    fn environment(&self) -> Option<Value> {
        Some(Value::object([("HOME".into(), "/home".into())].into_iter().collect()))
    }
}

/// Returns the lines of the outputs, and of the error.
fn results(program: &str, input: &str) -> Vec<String> {
    let query = match Query::new(program, &[]) {
        Ok(query) => query,
        Err(error) => return vec![format!("error: {error}")],
    };
    let limits = Limits { steps: 10_000_000, ..Limits::default() };
    let mut run = query.run(Vec::new(), limits);
    run.start(parse_json(input).expect("the input is JSON"));
    let mut host = Kept::default();
    let mut lines = Vec::new();
    while let Some(output) = run.next(&mut host) {
        lines.push(match output {
            Ok(value) => value.to_json(),
            Err(failure) => format!("error: {failure}"),
        });
    }
    lines
}

/// Returns the cases: the lines of each.
fn cases() -> impl Iterator<Item = Vec<&'static str>> {
    let groups = CASES.split("\n\n").map(|group| {
        let lines = group.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.collect::<Vec<_>>()
    });
    groups.filter(|lines| lines.len() >= 2)
}

#[test]
fn cases_have_their_results() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases() {
        count += 1;
        let found = results(case[0], case[1]);
        if found != case[2..] {
            wrong.push(format!("{}\n{}\n{}\n", case[0], case[1], found.join("\n")));
        }
    }
    assert!(count >= 120, "{count} cases");
    assert!(wrong.is_empty(), "these differ:\n\n{}", wrong.join("\n"));
}

/// Each builtin of jq's, with arguments that are filters of their own, compiles.
#[test]
fn builtins_compile() {
    let names = results("builtins[]", "null");
    assert!(names.len() > 200, "{}", names.len());
    for name in names {
        let name = name.trim_matches('"');
        let (name, arity) = name.split_once('/').expect("a name and a number");
        let args = vec!["."; arity.parse().expect("a number")].join("; ");
        let call = if args.is_empty() { name.to_owned() } else { format!("{name}({args})") };
        if let Err(error) = Query::new(&call, &[]) {
            panic!("{call}: {error}");
        }
    }
}

#[test]
fn inputs_messages_and_the_environment_come_from_the_host() {
    let query = Query::new("[inputs], (1 | debug), $ENV.HOME, env.HOME", &[]).expect("a program");
    let mut run = query.run(Vec::new(), Limits::default());
    run.start(Value::Null);
    let mut host = Kept::default();
    let mut outputs = Vec::new();
    while let Some(output) = run.next(&mut host) {
        outputs.push(output.expect("no error").to_json());
    }
    assert_eq!(outputs, ["[\"an input\"]", "1", "\"/home\"", "\"/home\""]);
    assert_eq!(host.messages, "[\"DEBUG:\",1]\n");
}

#[test]
fn globals_are_variables() {
    let query = Query::new("$a + $b", &["a".into(), "b".into()]).expect("a program");
    let mut run = query.run(vec![1.into(), 2.into()], Limits::default());
    for _ in 0..2 {
        run.start(Value::Null);
        let output = run.next(&mut NoHost).expect("an output").expect("no error");
        assert_eq!(output.to_json(), "3");
        assert!(run.next(&mut NoHost).is_none());
    }
}

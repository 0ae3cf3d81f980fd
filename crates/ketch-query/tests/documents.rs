//! Runs the cases of `documents.txt`: programs on YAML documents.
//!
//! A case starts with a line `%% NAME`, and the program is on the next line. The input follows after a line `%% yaml` or
//! `%% json`. What follows after `%% results` are the results as JSON, each on a line, and after `%% written` the
//! results as YAML. What follows after `%% file` is the text that the program edits the input into, and after `%% error`
//! the kind of the error and its place. With a `+` after its name, a part has no line break at its end.

use ketch_edit::Edit;
use ketch_query::{EditOptions, Limits, NoHost, Query, QueryEditError, Source, SourceText, Value};
use ketch_yaml::Documents;
use ketch_yaml::present::Presenter;
use ketch_yaml::represent::KeyOrder;
use std::sync::Arc;

const CASES: &str = include_str!("documents.txt");

/// A part of a case: its name and its text.
type Part<'t> = (&'t str, String);

/// A case: its name, its program and its parts.
struct Case<'t> {
    name: &'t str,
    program: &'t str,
    parts: Vec<Part<'t>>,
}

/// Returns the cases.
fn cases() -> Vec<Case<'static>> {
    const PARTS: [&str; 6] = ["yaml", "json", "results", "written", "file", "error"];
    let mut cases: Vec<Case<'_>> = Vec::new();
    let mut lines = CASES.lines().skip_while(|line| !line.starts_with("%% "));
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("%% ") else {
            if let Some((_, text)) = cases.last_mut().and_then(|case| case.parts.last_mut()) {
                *text += line;
                text.push('\n');
            }
            continue;
        };
        match cases.last_mut().filter(|_| PARTS.contains(&head.trim_end_matches('+'))) {
            Some(case) => case.parts.push((head, String::new())),
            None => {
                let program = lines.next().expect("a program");
                cases.push(Case { name: head, program, parts: Vec::new() });
            }
        }
    }
    cases
}

impl Case<'_> {
    /// Returns the part `name`, and whether there is one.
    fn part(&self, name: &str) -> Option<String> {
        let (found, text) =
            self.parts.iter().find(|(part, _)| part.trim_end_matches('+') == name)?;
        let is_cut = found.ends_with('+');
        Some(if is_cut { text.strip_suffix('\n').unwrap_or(text).to_owned() } else { text.clone() })
    }

    /// Returns what the program edits the input into, or the kind of the error and its place.
    fn edited(&self) -> Result<String, String> {
        let json = self.part("json");
        let mut edit = Edit::deferred(json.clone().or(self.part("yaml")).expect("an input"));
        if json.is_some() {
            edit = edit.as_json();
        }
        let query = Query::new(self.program, &[]).expect(self.name);
        let mut run = query.run(Vec::new(), Limits::default());
        let options = EditOptions::default();
        let done = run.edit(&mut edit, &"input".into(), &options, &mut NoHost);
        let place = |error: QueryEditError| {
            let location = match &error {
                QueryEditError::Edit(error) => error.location(),
                _ => None,
            };
            let place = location.map(|location| format!(" {}:{}", location.line, location.column));
            format!("{}{}\n", error.kind_name(), place.unwrap_or_default())
        };
        done.map(|()| edit.text().to_owned()).map_err(place)
    }

    /// Returns the results of the program on each document of the input, or of an error its kind.
    fn results(&self) -> Vec<Result<Value, &'static str>> {
        let text = self.part("yaml").expect("an input");
        let query = Query::new(self.program, &[]).expect(self.name);
        let whole = Arc::new(SourceText::new(text.clone()));
        let mut documents = Documents::new(text.as_bytes());
        let mut results = Vec::new();
        let mut number = 0;
        while let Some(document) = documents.next_owned() {
            let document = document.expect(self.name);
            let source = Source::new(document, "input.yaml".into(), number);
            let mut run = query.run(Vec::new(), Limits::default());
            run.start(Arc::new(source.with_text(whole.clone())).root());
            while let Some(result) = run.next(&mut NoHost) {
                results.push(result.map_err(|failure| failure.kind.name()));
            }
            number += 1;
        }
        results
    }
}

#[test]
fn programs_have_their_results() {
    let mut wrong = String::new();
    for case in cases() {
        if let Some(expected) = case.part("results") {
            let line = |result: Result<Value, _>| match result {
                Ok(value) => value.to_json() + "\n",
                Err(kind) => format!("error: {kind}\n"),
            };
            let found: String = case.results().into_iter().map(line).collect();
            if found != expected {
                wrong += &format!("{}: {}\n{found}\n", case.name, case.program);
            }
        }
        if let Some(expected) = case.part("written") {
            let mut yaml = Presenter::new(Vec::new());
            for result in case.results() {
                let value = result.expect(case.name);
                value.write_yaml(&mut yaml, KeyOrder::AsGiven).expect(case.name);
            }
            let found = String::from_utf8(yaml.finish().expect("no open document")).expect("UTF-8");
            if found != expected {
                wrong += &format!("{}: {}\n{found}\n", case.name, case.program);
            }
        }
    }
    assert!(wrong.is_empty(), "these differ:\n\n{wrong}");
}

#[test]
fn edits_change_only_what_programs_change() {
    let mut wrong = String::new();
    let mut count = 0;
    for case in cases() {
        let expected = match (case.part("file"), case.part("error")) {
            (Some(text), _) => Ok(text),
            (_, Some(error)) => Err(error),
            _ => continue,
        };
        count += 1;
        let found = case.edited();
        if found != expected {
            let found = found.unwrap_or_else(|error| format!("error: {error}"));
            wrong += &format!("{}: {}\n{found}\n", case.name, case.program);
        }
    }
    assert!(count >= 29, "{count} edits");
    assert!(wrong.is_empty(), "these differ:\n\n{wrong}");
}

//! Tests for grok expressions.

use ketch_regex::{Grok, GrokError, GrokPatterns, GrokValue, Options};

/// Returns the named patterns that the expressions of the tests use.
fn patterns() -> GrokPatterns {
    let mut patterns = GrokPatterns::new();
    let file = "# numbers\nINT (?:[+-]?(?:[0-9]+))\nNUM %{INT}(?:\\.\\d+)?\n\n  WORD \\b\\w+\\b\nDATA .*?\n\
        IP (?:\\d{1,3}\\.){3}\\d{1,3}\nPAIR %{WORD:key}=%{NUM:value:float}\nREST (.*)\nLOOP a%{LOOPED}\nLOOPED %{LOOP}|b\n";
    patterns.add_file(file).unwrap();
    patterns
}

fn grok(expressions: &[&str]) -> Grok {
    Grok::new(&patterns(), expressions, Options::default()).unwrap()
}

/// Returns the index of the expression that matches a line, and its fields as `path=value`.
fn fields(expressions: &[&str], line: &str) -> Option<(usize, Vec<String>)> {
    let grok = grok(expressions);
    let found = grok.parse(line.as_bytes()).unwrap()?;
    let shown = found.values.iter().map(|(path, value)| {
        let value = match value {
            GrokValue::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
            GrokValue::Int(int) => int.to_string(),
            GrokValue::Float(float) => format!("{float:?}"),
        };
        format!("{}={value}", path.join("/"))
    });
    Some((found.expression, shown.collect()))
}

/// The expressions, a line, and the index of the expression that matches with its fields, or `None`.
type Row = (&'static [&'static str], &'static str, Option<(usize, &'static [&'static str])>);

#[test]
fn lines_are_parsed_into_fields() {
    let rows: &[Row] = &[
        (
            &["%{IP:client} %{WORD:[http][verb]}"],
            "10.0.0.1 GET",
            Some((0, &["client=\"10.0.0.1\"", "http/verb=\"GET\""])),
        ),
        (&["%{INT:n:int}ms"], "took 12ms", Some((0, &["n=12"]))),
        (&["%{NUM:n:float}"], "-1.50", Some((0, &["n=-1.5"]))),
        (&["%{DATA:n:int}$"], "12ab", Some((0, &["n=12"]))),
        (&["%{WORD:n:int}"], "ab", Some((0, &["n=0"]))),
        (&["%{WORD:n:float}"], "1e", Some((0, &["n=1.0"]))),
        // If several expressions match, the first expression wins, even if its match starts later.
        (&["%{INT:n}$", "^%{WORD:w}"], "ab 1", Some((0, &["n=\"1\""]))),
        (&["%{INT:n}x", "^%{WORD:w}"], "ab 1", Some((1, &["w=\"ab\""]))),
        // A field may occur several times, also inside a pattern. Named groups are fields too.
        (
            &["%{PAIR} %{PAIR}"],
            "a=1 b=2",
            Some((0, &["key=\"a\"", "value=1.0", "key=\"b\"", "value=2.0"])),
        ),
        (&["(?<own>\\d+) %{WORD}"], "12 a", Some((0, &["own=\"12\""]))),
        // A pattern that is defined in the expression may contain braces.
        (&["%{CODE:code=[A-Z]{3}}-%{INT:n}"], "ABC-1", Some((0, &["code=\"ABC\"", "n=\"1\""]))),
        // Groups that are empty or not set have no value.
        (&["(?:%{INT:a}|%{WORD:b})%{DATA:c}$"], "word", Some((0, &["b=\"word\""]))),
        // Plain groups are ignored if there are fields. Text that does not form a reference is literal.
        (&["%{REST:all}"], "x y", Some((0, &["all=\"x y\""]))),
        (&["%\\{%{INT:n}"], "%{5", Some((0, &["n=\"5\""]))),
        (&["^%{INT:n}$"], "x", None),
        (&["^$", "%{INT}"], "7", Some((1, &[]))),
    ];
    for (expressions, line, expected) in rows {
        let expected =
            expected.map(|(n, fields)| (n, fields.iter().map(|field| field.to_string()).collect()));
        assert_eq!(fields(expressions, line), expected, "{expressions:?} on {line:?}");
    }
}

#[test]
fn invalid_expressions_are_rejected() {
    let error =
        |expressions: &[&str]| Grok::new(&patterns(), expressions, Options::default()).unwrap_err();
    assert_eq!(error(&["a", "%{NONE:x}"]), GrokError::Unknown(1, "NONE".to_string()));
    assert_eq!(error(&["%{LOOP}"]), GrokError::Recursive(0, "LOOP".to_string()));
    assert_eq!(error(&["%{INT:n:date}"]), GrokError::Type(0, "date".to_string()));
    let conflict = GrokError::Conflict(0, "a".to_string());
    assert_eq!(error(&["%{INT:[a][b]} %{INT:a}"]), conflict);
    assert_eq!(error(&["%{INT:a} %{INT:a} %{INT:[a][b]}"]), conflict);
    let wrong = error(&["%{INT}("]);
    assert!(matches!(wrong, GrokError::Pattern(0, _)), "{wrong:?}");
    assert_eq!(patterns().add_file("A a\nB"), Err(2));

    // Each pattern refers twice to the next one, so the expanded text has 2^40 parts.
    let mut many = GrokPatterns::new();
    for n in 0..40 {
        many.insert(&format!("P{n}"), &format!("%{{P{0}}}%{{P{0}}}", n + 1));
    }
    many.insert("P40", "a");
    let error = Grok::new(&many, &["%{P0}"], Options::default()).unwrap_err();
    assert_eq!(error, GrokError::TooLong(0));
}

//! Programs of `ketch q` on any input: they end within their limits, and their results can be read again.

use ketch_query::{ErrorKind, InputOptions, Inputs, Limits, NoHost, Query, Value, parse_json};
use std::io::Cursor;

/// Returns the bounds of a run.
fn limits() -> Limits {
    Limits {
        steps: 200_000,
        frames: 10_000,
        digits: 2_000,
        text_bytes: 1 << 20,
        ..Limits::default()
    }
}

/// The greatest number of results that are looked at.
const RESULTS_MAX: usize = 200;

/// Compiles `data` as a program. Its errors must have a place in it.
///
/// # Errors
///
/// Returns what is wrong with the error.
pub fn parser(data: &[u8]) -> Result<(), String> {
    let program = String::from_utf8_lossy(data);
    match Query::new(&program, &["x".into()]) {
        Ok(query) => drop(query.explain()),
        Err(error) => {
            let (start, end) = (error.span.start as usize, error.span.end as usize);
            if start > end || end > program.len() || !program.is_char_boundary(start) {
                return Err(format!("{program:?}: the place {start} to {end} of {error}"));
            }
        }
    }
    Ok(())
}

/// Runs the program before the first NUL in `data` on the text after it, as YAML, as JSON, and in place.
///
/// # Errors
///
/// Returns which result cannot be read again.
pub fn machine(data: &[u8]) -> Result<(), String> {
    let at = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (program, text) = data.split_at(at);
    let text = text.strip_prefix(b"\0").unwrap_or(text);
    let Ok(program) = std::str::from_utf8(program) else { return Ok(()) };
    let Ok(query) = Query::new(program, &[]) else { return Ok(()) };
    for is_json in [false, true] {
        let options = InputOptions { is_json, ..InputOptions::default() };
        let mut inputs = Inputs::new(Box::new(Cursor::new(text.to_vec())), "text".into(), &options);
        if let Some(Ok(input)) = inputs.next() {
            run(&query, input)?;
        }
    }
    if let Ok(text) = std::str::from_utf8(text) {
        let mut edit = ketch_edit::Edit::deferred(text.to_owned());
        let mut run = query.run(Vec::new(), limits());
        let _ = run.edit(&mut edit, &"text".into(), &Default::default(), &mut NoHost);
    }
    Ok(())
}

/// Runs a program on an input.
fn run(query: &Query, input: Value) -> Result<(), String> {
    let mut run = query.run(Vec::new(), limits());
    run.start(input);
    let mut results = 0;
    while let Some(output) = run.next(&mut NoHost) {
        match output {
            Ok(value) => check(&value)?,
            Err(failure) if failure.kind == ErrorKind::InvalidInput => {
                return Err(format!("{failure}: no input is read here"));
            }
            Err(_) => {}
        }
        results += 1;
        if results == RESULTS_MAX {
            break;
        }
    }
    Ok(())
}

/// Fails if a result cannot be written and read again.
fn check(value: &Value) -> Result<(), String> {
    let json = value.to_json();
    let again = parse_json(&json).map_err(|problem| format!("{json}: {problem}"))?;
    if again.to_json() != json {
        return Err(format!("{json} is {} when it is read again", again.to_json()));
    }
    let Ok(yaml) = value.to_yaml() else { return Ok(()) };
    let document = ketch_yaml::Documents::new(yaml.as_bytes()).next();
    match document {
        Some(Ok(_)) => Ok(()),
        other => Err(format!("{json} as YAML: {yaml:?}: {:?}", other.and_then(Result::err))),
    }
}

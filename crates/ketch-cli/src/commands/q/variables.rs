//! The variables that options define.

use crate::args::{Given, QueryWords};
use crate::input;
use crate::status::Failure;
use ketch_query::{Entries, Value, parse_json, parse_json_texts};
use std::sync::Arc;

/// Returns the variables with their values. If a name is given twice, the first value counts, as in jq.
pub fn globals(words: &QueryWords) -> Result<Vec<(Arc<str>, Value)>, Failure> {
    let mut named = Entries::new();
    for (given, name, value) in &words.named {
        if !named.contains_key(name.as_str()) {
            let value = read(*given, value).map_err(|failure| of_option(failure, *given, name))?;
            named.insert(name.as_str().into(), value);
        }
    }
    let positional = words.positional.iter().map(|(given, word)| read(*given, word));
    let positional = positional.collect::<Result<Vec<_>, _>>()?;
    let mut globals: Vec<_> =
        named.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let args =
        [("positional".into(), Value::array(positional)), ("named".into(), Value::object(named))];
    globals.push(("ARGS".into(), Value::object(args.into_iter().collect())));
    Ok(globals)
}

/// Returns the value of a word.
fn read(given: Given, word: &str) -> Result<Value, Failure> {
    let invalid = |problem: String| Failure::Usage(format!("`{word}` is not JSON: {problem}"));
    let text = |file| input::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(match given {
        Given::Text => word.into(),
        Given::Json => parse_json(word).map_err(invalid)?,
        Given::JsonFile => Value::array(parse_json_texts(&text(word)?).map_err(invalid)?),
        Given::TextFile => text(word)?.into(),
    })
}

/// Adds the name of the variable to a failure about its value.
fn of_option(failure: Failure, given: Given, name: &str) -> Failure {
    match failure {
        Failure::Usage(message) => {
            let tip = if given == Given::Json { "; for a string, write `--arg`" } else { "" };
            Failure::Usage(format!("${name}: {message}{tip}"))
        }
        other => other,
    }
}

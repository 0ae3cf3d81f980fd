//! Keys that JSON cannot hold: collections, and those that differ only in their type.

use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Source, Value};
use ketch_yaml::compose::{Kind, NodeId};
use std::collections::HashSet;
use std::sync::Arc;

/// Checks that all keys in a value have a text of their own, as JSON needs it.
///
/// # Errors
///
/// Returns an error of the kind `key-not-text` about the first other key.
pub fn check_keys(value: &Value) -> Result<(), Failure> {
    if matches!(value, Value::Json(..)) || value.entry_count().is_none() {
        return Ok(());
    }
    if let Value::Node(source, _) = value
        && value.decoration().is_none()
        && !source.has_other_keys()
    {
        return Ok(());
    }
    let mut pending = vec![value.clone()];
    // A node may be in many places, by aliases.
    let mut seen = HashSet::new();
    while let Some(value) = pending.pop() {
        let value = value.bare();
        if let Value::Node(source, id) = &value
            && (!source.has_other_keys() || !seen.insert((Arc::as_ptr(source), *id)))
        {
            continue;
        }
        if matches!(value, Value::Json(..)) {
            continue;
        }
        if let Some(array) = value.as_array() {
            let collections = array.entries.iter().filter(|entry| entry.entry_count().is_some());
            pending.extend(collections.cloned());
        } else if let Some(object) = value.as_object() {
            if let Some((source, id)) = value.origin()
                && source.has_other_keys()
            {
                check_mapping(&source, id, |text| object.entries.contains_key(text))?;
            }
            let entries = object.entries.values();
            pending.extend(entries.filter(|entry| entry.entry_count().is_some()).cloned());
        }
    }
    Ok(())
}

/// Checks the keys of the mapping `id` whose texts the value still has.
fn check_mapping(
    source: &Arc<Source>,
    id: NodeId,
    is_kept: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let mut texts = HashSet::new();
    for (key, _) in source.node(id).resolved().entries() {
        let text = source.key_text(key);
        if !is_kept(&text) {
            continue;
        }
        let failed = |message: String| {
            let key = source.value(key);
            Err(Failure::new(ErrorKind::KeyNotText, message).about(&key))
        };
        if key.resolved().kind() != Kind::Scalar {
            return failed("a key that is a collection has no text".to_owned());
        }
        if !texts.insert(text.clone()) {
            return failed(format!("two keys have the text `{text}` in JSON"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InputOptions, Inputs, Limits, NoHost, Query};
    use std::io::Cursor;

    fn checked(program: &str, text: &str) -> Result<(), String> {
        let reader = Box::new(Cursor::new(text.to_owned()));
        let mut options = InputOptions::default();
        options.compose.limits.max_alias_nodes = ketch_yaml::Budget::fixed(u64::MAX);
        let mut inputs = Inputs::new(reader, "text".into(), &options);
        let mut run = Query::new(program, &[]).unwrap().run(Vec::new(), Limits::default());
        run.start(inputs.next().unwrap().unwrap());
        let value = run.next(&mut NoHost).unwrap().unwrap();
        check_keys(&value).map_err(|failure| failure.message())
    }

    #[test]
    fn keys_need_a_text_of_their_own() {
        let texts = "{1: a, 'x': b, true: c, k: [{2: d}]}";
        assert_eq!(checked(".", texts), Ok(()));
        let twice = "{a: [{1: a, '1': b}], c: 1}";
        let wrong = Err("two keys have the text `1` in JSON".to_owned());
        assert_eq!(checked(".", twice), wrong);
        assert_eq!(checked(".c = 2", twice), wrong);
        assert_eq!(checked("[.a[0]]", twice), wrong);
        assert_eq!(checked(".c", twice), Ok(()));
        assert_eq!(checked("del(.a)", twice), Ok(()));
        let collection = "{? [x] : 1, c: 2}";
        let wrong = Err("a key that is a collection has no text".to_owned());
        assert_eq!(checked(".", collection), wrong);
        assert_eq!(checked(".c += 1 | with_tag(\"!x\")", collection), wrong);
        assert_eq!(checked(".c", collection), Ok(()));
    }

    #[test]
    fn nodes_that_are_in_many_places_are_checked_once() {
        let list = |at: u8| {
            let items = format!("*{}, ", (b'a' + at - 1) as char).repeat(9);
            format!("{0}: &{0} [{1}]\n", (b'a' + at) as char, items)
        };
        let text = "a: &a [{1: x}]\n".to_owned() + &(1..20).map(list).collect::<String>();
        assert_eq!(checked(".", &text), Ok(()));
    }
}

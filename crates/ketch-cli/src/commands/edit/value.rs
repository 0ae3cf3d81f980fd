//! Reads the values that are typed as arguments: text, character by character, unless the whole
//! argument is a number, a boolean, null, or another form of YAML that nobody writes by accident.

use crate::args::{Origin, ValueArgs};
use crate::formats;
use crate::input;
use crate::status::Failure;
use ketch_edit::{NewValue, Spelling};
use ketch_yaml::schema::{ScalarTag, Schema};
use ketch_yaml::{Event, EventKind, Parser, Problem, scalar};

/// Returns the value of the arguments. `typed` is the argument, unless the value comes from the
/// environment or a file.
pub fn given(typed: Option<String>, args: &ValueArgs) -> Result<NewValue, Failure> {
    if let Some(tag) = args.tag.as_ref().filter(|tag| !is_whole_tag(tag)) {
        let message = format!("`{tag}` is not a tag; write one such as `--tag '!Ref'`");
        return Err(Failure::Usage(message));
    }
    let (source, spelling) = source(typed, args)?;
    let (tag, keep_tag) = (args.tag.clone(), args.keep_tag);
    Ok(NewValue { source, spelling, tag, keep_tag })
}

/// Returns the value that the arguments give, as YAML, and how its scalars are written.
fn source(typed: Option<String>, args: &ValueArgs) -> Result<(String, Spelling), Failure> {
    let (text, is_typed, is_foreign) = match (typed, &args.source.env, &args.source.value_from) {
        (_, Some(name), _) => (variable(name)?, false, false),
        (_, _, Some(file)) => {
            let (text, is_foreign) = of_file(file, args.yaml)?;
            (text, false, is_foreign)
        }
        (typed, None, None) => (typed.unwrap_or_default(), true, false),
    };
    if args.source.json {
        let read = serde_json::from_str::<serde_json::Value>(&text);
        read.map_err(|error| Failure::Usage(format!("the value is not JSON: {error}")))?;
        return Ok((text, Spelling::Free));
    }
    if is_foreign {
        return Ok((text, Spelling::Free));
    }
    if args.yaml {
        // A collection in brackets shows no style for block collections.
        let is_flow = text.trim_start().starts_with(['{', '[']);
        return Ok((text, if is_flow { Spelling::Typed } else { Spelling::Whole }));
    }
    match is_typed && !args.str {
        true => of_argument(&text),
        false => Ok((quoted(&text), Spelling::Safe)),
    }
}

/// Returns the content of `file` and, if `is_yaml` is set, as YAML, whether its name says that it has
/// another format.
fn of_file(file: &str, is_yaml: bool) -> Result<(String, bool), Failure> {
    let origin = Origin::of_name(file).filter(|_| is_yaml).unwrap_or_default();
    let bytes = input::read(file)?;
    if !origin.is_foreign() {
        return Ok((super::text::text_of(file, bytes)?, origin == Origin::Json));
    }
    let yaml = formats::to_yaml(origin, file, bytes)?;
    Ok((with_dates(&super::text::text_of(file, yaml)?), true))
}

/// Returns `text`, YAML made of another format, with a tag at each date, the only text in it that has
/// no quotes. Edits write a scalar with this tag plain, without the tag.
fn with_dates(text: &str) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for Event { start, len, kind, .. } in read(text).unwrap_or_default() {
        let plain = &text[start..start + len];
        if kind == EventKind::Plain && Schema::Core.resolve(plain.as_bytes()) == ScalarTag::Str {
            out += &text[done..start];
            out += "!!timestamp ";
            done = start;
        }
    }
    out + &text[done..]
}

/// Returns whether the YAML `text` has no nodes.
pub fn is_empty(text: &str) -> bool {
    read(text).is_ok_and(|nodes| nodes.is_empty())
}

/// Returns whether `text` is a tag as a whole.
fn is_whole_tag(text: &str) -> bool {
    text.starts_with('!')
        && !text.contains(char::is_whitespace)
        && read(&format!("{text} x")).is_ok_and(|nodes| nodes.len() == 2)
}

fn variable(name: &str) -> Result<String, Failure> {
    let Some(text) = std::env::var_os(name) else {
        return Err(Failure::Usage(format!("there is no environment variable `{name}`")));
    };
    let not_text = |_| Failure::Usage(format!("the variable `{name}` is not UTF-8"));
    text.into_string().map_err(not_text)
}

/// Returns `text` as a string in YAML.
fn quoted(text: &str) -> String {
    // All escapes of JSON are also escapes of YAML.
    serde_json::Value::from(text).to_string()
}

/// Returns the argument `text` as YAML. It is YAML if it has a tag before the value, or is as a
/// whole a number, a boolean, null, a quoted scalar, a flow collection, or a block scalar.
fn of_argument(text: &str) -> Result<(String, Spelling), Failure> {
    let Some((tag, rest)) = text.split_once(' ').filter(|(tag, _)| is_tag(tag)) else {
        return of_rest(text);
    };
    let (rest, spelling) = of_rest(rest)?;
    Ok((format!("{tag} {rest}"), spelling))
}

/// Returns `text`, an argument without a tag, as YAML.
fn of_rest(text: &str) -> Result<(String, Spelling), Failure> {
    Ok(match is_yaml(text)? {
        true => (text.to_owned(), Spelling::Typed),
        false if is_plain(text) => (text.to_owned(), Spelling::Free),
        false => (quoted(text), Spelling::Free),
    })
}

/// Returns the content of `text` if it is a quoted scalar as a whole.
pub fn unquoted(text: &str) -> Option<String> {
    let nodes = read(text).ok().filter(|_| text.starts_with(['"', '\'']))?;
    let [node] = &nodes[..] else { return None };
    let is_whole = node.start == 0 && node.len == text.len();
    let content = scalar::content(text.as_bytes(), node);
    String::from_utf8(content.into_owned()).ok().filter(|_| is_whole)
}

/// Returns whether `text` on its own is a plain scalar on one line in YAML.
fn is_plain(text: &str) -> bool {
    let is_whole =
        |node: &Event| node.kind == EventKind::Plain && node.start == 0 && node.len == text.len();
    !text.contains(['\n', '\r'])
        && read(text).is_ok_and(|nodes| matches!(&nodes[..], [node] if is_whole(node)))
}

/// Returns whether `word` is a tag that does not look like the start of other text.
fn is_tag(word: &str) -> bool {
    let name = word.strip_prefix("!!").or_else(|| word.strip_prefix('!')).unwrap_or_default();
    let is_named = name.starts_with(|ch: char| ch.is_ascii_alphabetic());
    let is_verbatim = word.starts_with("!<") && word.ends_with('>');
    let is_one = || read(&format!("{word} x")).is_ok_and(|nodes| nodes.len() == 2);
    (is_named || is_verbatim) && !word.ends_with(':') && is_one()
}

/// Returns whether the whole of `text` is YAML that means something other than the text. It is an
/// error if a quote or a bracket at its start is never closed, or if there is an anchor inside.
fn is_yaml(text: &str) -> Result<bool, Failure> {
    match text.as_bytes().first() {
        None => Ok(false),
        Some(b'"' | b'\'' | b'[' | b'{' | b'|' | b'>') => match read(text) {
            Ok(nodes) => is_one_node(text, &nodes),
            Err(problem) if is_unclosed(problem) => Err(refusal(text, problem.help())),
            Err(_) => Ok(false),
        },
        Some(_) => Ok(Schema::Core.resolve(text.as_bytes()) != ScalarTag::Str),
    }
}

fn refusal(text: &str, reason: &str) -> Failure {
    let reason = reason.trim_end_matches('.');
    Failure::Usage(format!(
        "VALUE `{text}` is not complete YAML. {reason}. With `--str`, it is text; with `--yaml`, YAML of any form"
    ))
}

fn is_unclosed(problem: Problem) -> bool {
    matches!(
        problem,
        Problem::UnclosedQuote
            | Problem::UnclosedSequence
            | Problem::UnclosedMapping
            | Problem::MismatchedSequenceEnd
            | Problem::MismatchedMappingEnd
    )
}

/// Returns the events of `text` without those of documents that have no markers.
fn read(text: &str) -> Result<Vec<Event>, Problem> {
    let mut parser = Parser::new(text.as_bytes());
    let mut nodes = Vec::new();
    while let Some(chunk) = parser.next_chunk().map_err(|error| error.problem())? {
        nodes.extend(chunk.events().filter(|event| match event.kind {
            EventKind::DocumentStart | EventKind::DocumentEnd | EventKind::Nop => event.len > 0,
            _ => true,
        }));
    }
    Ok(nodes)
}

/// Returns whether the events `nodes` of `text` are those of one quoted scalar, flow collection or
/// block scalar that is the whole of the text.
fn is_one_node(text: &str, nodes: &[Event]) -> Result<bool, Failure> {
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return Ok(false) };
    if first.start != 0 || last.start + last.len != text.len() {
        return Ok(false);
    }
    Ok(match first.kind {
        EventKind::SingleQuoted | EventKind::DoubleQuoted => nodes.len() == 1,
        EventKind::Literal | EventKind::Folded => {
            nodes.len() == 1 && text.lines().skip(1).any(|line| line.starts_with(' '))
        }
        EventKind::SequenceStart | EventKind::MappingStart => {
            first.len > 0 && is_flow(text, nodes)?
        }
        _ => false,
    })
}

/// Returns whether a flow collection with the events `nodes` has no comments, and a colon in each
/// entry of its mappings.
fn is_flow(text: &str, nodes: &[Event]) -> Result<bool, Failure> {
    // For each open collection, whether it is a mapping, and its number of nodes so far.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let (mut end, mut is_value) = (0, false);
    for event in nodes {
        if event.kind == EventKind::Anchor {
            return Err(refusal(text, "Anchors are read only as part of YAML"));
        }
        let gap = &text[end.min(event.start)..event.start];
        if gap.contains('#') || is_value && !gap.contains(':') {
            return Ok(false);
        }
        end = event.start + event.len;
        is_value = false;
        match event.kind {
            EventKind::Tag => continue,
            EventKind::SequenceStart | EventKind::MappingStart => {
                open.push((event.kind == EventKind::MappingStart, 0));
                continue;
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => drop(open.pop()),
            _ => {}
        }
        if let Some((is_mapping, count)) = open.last_mut() {
            *count += 1;
            is_value = *is_mapping && *count % 2 == 1;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text_character_by_character() {
        for text in [
            "",
            " ",
            "web",
            "Fix issue #12",
            "Note: no users",
            "{{ stage }}",
            "{% x %}",
            "{id}",
            "a:",
            "? x",
            ">5",
            "|",
            "!important",
            "!= 5",
            "line1\nline2",
            " lead",
            "trail ",
            "-",
            "- x",
            "a: b",
            "&x 1",
            "*x",
            "%x",
            "---",
            "...",
            "2021-01-02",
            "1 # one",
            "\"a\" # b",
            "[link](x)",
            "'a' b",
            "\"a\": b",
            " 12",
            "12 ",
            "[a] # c",
            "{a: b, c}",
            "[{id}]",
            "yes",
            "NO",
            "0o8",
            "1_000",
            "@x",
            "`x`",
            "#x",
            "\ta",
            "|\ntext",
            "\"\\d\"",
            "!a:",
            "!",
            "! x",
            "!important: x",
            "[a, # c\n b]",
            "it's",
            "{a:b}",
            "~user",
            "null ",
        ] {
            let (source, spelling) = of_argument(text).unwrap();
            let expected = if is_plain(text) { text.to_owned() } else { quoted(text) };
            assert_eq!((source, spelling), (expected, Spelling::Free), "{text:?}");
        }
    }

    #[test]
    fn some_forms_of_yaml_are_read() {
        for text in [
            "12",
            "-5",
            "0x1F",
            "1.10",
            ".nan",
            "-.inf",
            "null",
            "~",
            "true",
            "False",
            "1e3",
            "\"12\"",
            "''",
            "'it''s'",
            "[a, b]",
            "{a: b}",
            "{\"a\":1}",
            "[]",
            "{}",
            "[[1], {a: }]",
            "[\n  1,\n  2\n]",
            "[a: b]",
            "|\n text",
            ">-\n a\n b\n",
            "|2\n   a",
            "!!str 12",
            "!reset []",
            "!x {a: b}",
            "!x \"a\"",
            "!<tag:x,1:y> 1",
            "{? a : b}",
            "[!x a, *b]",
            "!x |\n  a",
        ] {
            let expected = (text.to_owned(), Spelling::Typed);
            assert_eq!(of_argument(text).unwrap(), expected, "{text:?}");
        }
        for (text, expected) in [
            ("!Ref x", "!Ref x"),
            ("!Sub a: b", "!Sub \"a: b\""),
            ("!x ", "!x \"\""),
            ("!x  a", "!x \" a\""),
            ("!a !b x", "!a \"!b x\""),
        ] {
            assert_eq!(of_argument(text).unwrap().0, expected);
        }
    }

    #[test]
    fn open_quotes_and_brackets_are_refused() {
        for text in
            ["[a, b", "{a: b", "\"abc", "'abc", "{a: \"b}", "[a}", "[&a 1]", "!x [a", "{{ x }"]
        {
            let error = of_argument(text).unwrap_err();
            assert!(
                matches!(&error, Failure::Usage(message) if message.contains("--str")),
                "{text}"
            );
        }
    }
}

//! Compares the checker with the composer: the checker has to find all errors that the composer
//! finds, with the same messages. In documents that compose without a check of keys, it has to find
//! exactly the duplicate keys that a naive comparison of all keys finds.

use crate::checks::Shown;
use crate::generate::Random;
use crate::run::{Pieces, chunked};
use ketch_yaml::compose::{Checker, Kind, Node};
use ketch_yaml::schema::Schema;
use ketch_yaml::{
    ComposeOptions, Document, Documents, DuplicateKeys, Error, Limits, Options, Problem,
};
use std::io::Read;

/// Checks `data` with each schema, each time with one of the ways to treat duplicate keys.
pub fn as_composed(data: &[u8]) -> Result<(), String> {
    (0..Schema::ALL.len()).try_for_each(|number| under_one_schema(data, number + data.len()))
}

/// Checks `data` with one of the schemas and one of the ways to treat duplicate keys, which
/// `number` determines.
pub fn under_one_schema(data: &[u8], number: usize) -> Result<(), String> {
    let choices =
        [DuplicateKeys::Error, DuplicateKeys::First, DuplicateKeys::Last, DuplicateKeys::Off];
    let mut options = ComposeOptions::default();
    options.schema = Schema::ALL[number % Schema::ALL.len()];
    options.duplicate_keys = choices[number % choices.len()];
    same(data, &options).map_err(|what| format!("{options:?}\n{}\n{what}", Shown(data)))
}

/// Checks `data` with the given options.
pub fn same(data: &[u8], options: &ComposeOptions) -> Result<(), String> {
    let problems = checked(data, &Options::default(), options);
    let cut = checked(Pieces::new(data, &[1]), &chunked(1), options);
    let shown =
        |problems: &[Error]| -> Vec<String> { problems.iter().map(Error::to_string).collect() };
    // The help text may depend on the bytes that are buffered after a location.
    let facts = |error: &Error| (error.problem(), error.offset(), error.line(), error.column());
    if !problems.iter().map(facts).eq(cut.iter().map(facts)) {
        return Err(format!("--- whole\n{:#?}\n--- cut\n{:#?}", shown(&problems), shown(&cut)));
    }
    if !problems.is_sorted_by_key(Error::offset) {
        return Err(format!("not in order\n{:#?}", shown(&problems)));
    }
    let expected = composed(data, options);
    // The checker does not compare the targets of aliases, so it cannot exceed this limit.
    let is_exempt = |error: &Error| matches!(error.problem(), Problem::TooManyAliasNodes(_));
    let found = shown(&problems);
    let Some((last, before)) = expected.split_last() else {
        return if found.is_empty() { Ok(()) } else { Err(format!("found\n{found:#?}")) };
    };
    let (last, is_end) = last;
    let mut wanted = shown_all(before);
    wanted.push(last.to_string());
    let is_fine = match is_end {
        // All documents can be composed.
        false => found == wanted,
        true => wanted.iter().all(|wanted| found.contains(wanted)) || is_exempt(last),
    };
    if !is_fine {
        return Err(format!("--- composed\n{wanted:#?}\n--- checked\n{found:#?}"));
    }
    all_keys(data, options, &problems)
}

fn shown_all(errors: &[(Error, bool)]) -> Vec<String> {
    errors.iter().map(|(error, _)| error.to_string()).collect()
}

fn checked(reader: impl Read, options: &Options, compose: &ComposeOptions) -> Vec<Error> {
    Checker::new(reader, options, compose, usize::MAX / 4).collect()
}

/// Returns the errors that composing finds: scalars that are not valid for their tags, and the
/// final error, for which the flag is true.
fn composed(data: &[u8], options: &ComposeOptions) -> Vec<(Error, bool)> {
    let mut errors = Vec::new();
    for document in Documents::with_options(data, &Options::default(), options) {
        match document {
            Ok(document) => errors.extend(mismatches(&document, options.schema)),
            Err(error) => {
                errors.push((error, true));
                break;
            }
        }
    }
    errors
}

fn mismatches(document: &Document<'_>, schema: Schema) -> Vec<(Error, bool)> {
    let tagged = document.nodes().filter(|node| node.kind() == Kind::Scalar);
    let tagged = tagged.filter(|node| node.tag().is_some());
    tagged.filter_map(|node| node.scalar(schema).err()).map(|error| (error, false)).collect()
}

/// Checks that `problems` contains all duplicate keys of all documents, each with the first equal
/// key. The expected ones are found by comparing all pairs of keys. A stream that cannot be
/// composed even without a check of keys is not checked.
fn all_keys(data: &[u8], options: &ComposeOptions, problems: &[Error]) -> Result<(), String> {
    // A key that contains itself is not compared with others, not even with an alias that refers to
    // it.
    let has_cycle = problems.iter().any(|error| error.problem() == Problem::AliasCycle);
    if options.duplicate_keys != DuplicateKeys::Error || has_cycle {
        return Ok(());
    }
    let mut lax = *options;
    lax.duplicate_keys = DuplicateKeys::Off;
    let mut expected = Vec::new();
    for document in Documents::with_options(data, &Options::default(), &lax) {
        let Ok(document) = document else { return Ok(()) };
        for mapping in document.nodes().filter(|node| node.kind() == Kind::Mapping) {
            let Ok(found) = duplicates(mapping, options) else { return Ok(()) };
            expected.extend(found);
        }
    }
    expected.sort_unstable();
    let is_key = |error: &&Error| error.problem() == Problem::DuplicateKey;
    let first = |error: &Error| error.related().map(|place| place.offset);
    let keys = problems.iter().filter(is_key).map(|error| (error.offset(), first(error)));
    let found: Vec<_> = keys.collect();
    if found == expected {
        return Ok(());
    }
    Err(format!("--- all keys\n{expected:?}\n--- checked\n{found:?}"))
}

/// Returns the offset of each duplicate key of a mapping, together with that of the first equal
/// key.
fn duplicates(
    mapping: Node<'_>,
    options: &ComposeOptions,
) -> Result<Vec<(u64, Option<u64>)>, Error> {
    let mut found = Vec::new();
    let mut firsts: Vec<Node<'_>> = Vec::new();
    for (key, _) in mapping.entries() {
        if options.merges() && is_merge_key(key) {
            continue;
        }
        let mut first = None;
        for &other in &firsts {
            if first.is_none() && key.equals(other, options.schema, &Limits::default())? {
                first = Some(other.location().offset);
            }
        }
        match first {
            Some(_) => found.push((key.location().offset, first)),
            None => firsts.push(key),
        }
    }
    Ok(found)
}

/// Returns whether a key is a merge key: a plain scalar `<<`, or a scalar with the tag `!!merge`.
fn is_merge_key(key: Node<'_>) -> bool {
    let is_plain = key.style() == ketch_yaml::compose::Style::Plain;
    let is_tagged = key.tag() == Some("tag:yaml.org,2002:merge");
    key.kind() == Kind::Scalar
        && (is_tagged || is_plain && key.tag().is_none() && key.text() == "<<")
}

/// Returns a document with many keys of all kinds, some of which are equal or nearly equal.
pub fn keys(random: &mut Random) -> String {
    let mut out = String::new();
    for document in 0..1 + random.below(3) {
        if document > 0 {
            out.push_str(["---\n", "...\n---\n", "--- # x\n"][random.below(3)]);
        }
        for _ in 0..random.below(7) {
            match random.below(4) {
                0 => {
                    out.push_str("? ");
                    node(&mut out, random, 3);
                    out.push_str("\n: ");
                }
                1 => out.push_str("? - a\n  - b: c\n: "),
                _ => {
                    scalar(&mut out, random);
                    out.push_str(" : ");
                }
            }
            node(&mut out, random, 3);
            out.push('\n');
        }
    }
    out
}

/// Appends a random node in flow style, with at most `depth` levels of collections.
fn node(out: &mut String, random: &mut Random, depth: usize) {
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0..4 => scalar(out, random),
        kind => {
            let properties = ["", "", "&a ", "&b ", "!x ", "!!map "][random.below(6)];
            out.push_str(properties);
            let is_mapping = kind < 7;
            out.push(if is_mapping { '{' } else { '[' });
            for _ in 0..random.below(4) {
                node(out, random, depth - 1);
                if is_mapping {
                    out.push_str(" : ");
                    node(out, random, depth - 1);
                }
                out.push_str(", ");
            }
            out.push(if is_mapping { '}' } else { ']' });
        }
    }
}

/// Appends a random scalar.
fn scalar(out: &mut String, random: &mut Random) {
    const SCALARS: [&str; 32] = [
        "a",
        "b",
        "'a'",
        "\"a\"",
        "\"\\x61\"",
        "1",
        "0x1",
        "1.0",
        "'1'",
        "~",
        "null",
        "",
        "<<",
        "<<",
        "!!str a",
        "!!str 1",
        "!!int 1",
        "!!int b",
        "!x a",
        "!<tag:yaml.org,2002:str> a",
        "&a a",
        "&b b",
        "*a",
        "*b",
        "*a",
        "*c",
        "true",
        "yes",
        "\"a\\\n  b\"",
        "a b",
        "!!merge x",
        "&c 1",
    ];
    out.push_str(SCALARS[random.below(SCALARS.len())]);
}

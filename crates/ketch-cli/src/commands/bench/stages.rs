//! Measures the rounds of each stage.

use super::measured::{Counts, Measured};
use super::scan;
use crate::args::{BenchArgs, Stage};
use crate::read;
use crate::status::Failure;
use ketch_yaml::schema::ScalarTag;
use ketch_yaml::{Chunk, Counter, Document, Documents, EventKind, Options, Parser, scalar};
use std::hint::black_box;
use std::time::Instant;

/// Measures the stage that `args` chooses, with `text` as its input.
pub fn measure(args: &BenchArgs, text: &[u8]) -> Result<Measured, Failure> {
    let options = args.read.options();
    match args.stage {
        Stage::Scan => Measured::new(args.rounds, || Ok(scan::count(options.level, text))),
        Stage::Parse => Measured::new(args.rounds, || parse(args, &options, text)),
        Stage::Tree => tree(args, &options, text),
        Stage::Resolve => resolve(args, &options, text),
    }
}

/// Parses `text`, and counts all events, scalars and documents.
fn parse(args: &BenchArgs, options: &Options, text: &[u8]) -> Result<Counts, Failure> {
    let mut counter = Counter::default();
    Parser::with_options(text, options)
        .push_into(&mut counter)
        .map_err(|error| read::failure(&args.file, text, error))?;
    Ok(vec![
        ("events", counter.events()),
        ("scalars", counter.scalars()),
        ("documents", counter.count(EventKind::DocumentStart)),
    ])
}

/// Measures composing all documents of `text`. Each document reuses the memory of the previous one.
fn tree(args: &BenchArgs, options: &Options, text: &[u8]) -> Result<Measured, Failure> {
    let compose = args.compose.options(args.schema.unwrap_or(args.read.schema()), &args.read);
    let mut document = Document::new();
    Measured::new(args.rounds, || {
        let (mut nodes, mut count) = (0, 0);
        let mut documents = Documents::with_options(text, options, &compose);
        loop {
            match documents.next_into(&mut document) {
                Ok(true) => nodes += black_box(&document).node_count() as u64,
                Ok(false) => return Ok(vec![("nodes", nodes), ("documents", count)]),
                Err(error) => return Err(read::failure(&args.file, text, error)),
            }
            count += 1;
        }
    })
}

/// Measures parsing `text` and resolving all plain scalars, and then resolving alone.
fn resolve(args: &BenchArgs, options: &Options, text: &[u8]) -> Result<Measured, Failure> {
    let schema = args.schema.unwrap_or(args.read.schema());
    let mut measured = Measured::new(args.rounds, || {
        let (mut plain, mut typed) = (0, 0);
        let mut decoded = Vec::new();
        each_chunk(args, options, text, |chunk| {
            for event in chunk.events().filter(|event| event.kind == EventKind::Plain) {
                plain += 1;
                let content = content(chunk, &event, &mut decoded);
                typed += u64::from(is_typed(schema.resolve(content)));
            }
        })?;
        Ok(vec![("plain_scalars", plain), ("not_text", typed)])
    })?;
    measured.each_ns = each_ns(args, options, text)?.map(|ns| ("to resolve one", ns));
    Ok(measured)
}

/// Returns the average time in nanoseconds for resolving one plain scalar, in the best round, or
/// `None` if `text` has no plain scalars.
fn each_ns(args: &BenchArgs, options: &Options, text: &[u8]) -> Result<Option<f64>, Failure> {
    let (mut contents, mut ends) = (Vec::new(), Vec::new());
    let mut decoded = Vec::new();
    each_chunk(args, options, text, |chunk| {
        for event in chunk.events().filter(|event| event.kind == EventKind::Plain) {
            contents.extend_from_slice(content(chunk, &event, &mut decoded));
            ends.push(contents.len());
        }
    })?;
    let schema = black_box(args.schema.unwrap_or(args.read.schema()));
    let round = || {
        let mut start = 0;
        let clock = Instant::now();
        for &end in &ends {
            black_box(schema.resolve(black_box(&contents[start..end])));
            start = end;
        }
        clock.elapsed().as_secs_f64() * 1e9 / ends.len() as f64
    };
    let best = (0..args.rounds).map(|_| round()).fold(f64::INFINITY, f64::min);
    Ok((!ends.is_empty()).then_some(best))
}

/// Returns the content of the scalar `event`. If it does not appear verbatim in the text, it is
/// decoded into `decoded`.
fn content<'a>(
    chunk: &Chunk<'_, 'a>,
    event: &ketch_yaml::Event,
    decoded: &'a mut Vec<u8>,
) -> &'a [u8] {
    match scalar::verbatim(chunk.text(), event) {
        Some(content) => content,
        None => {
            decoded.clear();
            scalar::decode(chunk.text(), event, decoded);
            decoded
        }
    }
}

/// Returns whether `tag` is the tag of a plain scalar that is not text.
fn is_typed(tag: ScalarTag) -> bool {
    !matches!(tag, ScalarTag::Str | ScalarTag::Unresolved)
}

/// Parses `text`, and passes each chunk of events to `receive`.
fn each_chunk(
    args: &BenchArgs,
    options: &Options,
    text: &[u8],
    mut receive: impl FnMut(&Chunk<'_, '_>),
) -> Result<(), Failure> {
    let mut parser = Parser::with_options(text, options);
    loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => receive(&chunk),
            Ok(None) => return Ok(()),
            Err(error) => return Err(read::failure(&args.file, text, error)),
        }
    }
}

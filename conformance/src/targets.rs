//! The checks of the fuzz targets. A test also runs them on the inputs in `fuzz/regressions`.

use crate::present::{option_sets, round_trip};
use crate::run::{self, chunked};
use crate::{
    check, checks, edits, encode, format, generate, oracle, pushed, query, regex, select, syck,
    types,
};
use ketch_yaml::compose::{JsonError, JsonOptions, JsonWriter, NotInJson, Source, Streamed};
use ketch_yaml::schema::{Scalar, ScalarTag, Schema};
use ketch_yaml::tag::TagHandles;
use ketch_yaml::{
    Chunk, ComposeOptions, Document, Documents, DuplicateKeys, Event, EventKind, Limits, Options,
    Parser, ReadParser, scalar,
};

/// A target: its name, and the check of an input.
pub type Target = (&'static str, fn(&[u8]) -> Result<(), String>);

/// All targets.
pub const ALL: [Target; 22] = [
    ("slice", slice),
    ("reader", reader),
    ("structured", structured),
    ("encodings", encodings),
    ("scalars", scalars),
    ("resolver", resolver),
    ("lenient", lenient),
    ("compose", compose),
    ("present", present),
    ("pushed", pushed::reads_back),
    ("format", formatted),
    ("select", select::found_as_composed),
    ("types", types::read_alike),
    ("check", check::as_composed),
    ("syck", syck::read_alike),
    ("ypath", syck::found_alike),
    ("edit", edits::fuzzed),
    ("regex_parser", regex::parser),
    ("regex_compiler", regex::compiler),
    ("regex_matcher", regex::matcher),
    ("query_parser", query::parser),
    ("query_machine", query::machine),
];

/// Checks the parser on a slice: all levels and chunk sizes give the same result, the events follow
/// their grammar, and spans and gaps cover the input.
pub fn slice(data: &[u8]) -> Result<(), String> {
    if std::str::from_utf8(data).is_ok() && is_utf8_stream(data) {
        return checks::all_ways(data).map(drop);
    }
    let expected = run::parse(data, &Options::default());
    let found = run::parse(data, &chunked(1));
    if expected == found { Ok(()) } else { Err(format!("{expected:?}\n{found:?}")) }
}

/// Returns whether the first bytes show that the encoding is UTF-8.
fn is_utf8_stream(data: &[u8]) -> bool {
    ketch_bytes::encoding::Encoding::detect(data).0 == ketch_bytes::encoding::Encoding::Utf8
}

/// Checks that the parser gives the same result on a reader as on the slice, regardless of how the
/// input is cut. The first bytes choose the cuts.
pub fn reader(data: &[u8]) -> Result<(), String> {
    let Some((&[count, words], rest)) = data.split_first_chunk() else { return Ok(()) };
    let (cuts, text) = rest.split_at(usize::from(count % 8).min(rest.len()));
    let cuts: Vec<usize> = cuts.iter().map(|&cut| usize::from(cut)).collect();
    let words = checks::CHUNK_WORDS[usize::from(words) % checks::CHUNK_WORDS.len()];
    let expected = run::parse(text, &Options::default());
    let found = run::parse_in_pieces(text, &cuts, &chunked(words));
    if expected == found {
        return Ok(());
    }
    let shown = checks::Shown(text);
    Err(format!("pieces of {cuts:?}, chunks of {words}\n{shown}\n{expected:?}\n{found:?}"))
}

/// Runs both checks on the documents that are generated from `data`.
pub fn structured(data: &[u8]) -> Result<(), String> {
    let text = generate::document(data).into_bytes();
    let outcome = checks::all_ways(&text)?;
    checks::small_pieces(&text, &outcome)?;
    contents(&text)
}

/// Checks that text in the other encodings has the same result as in UTF-8, and that bytes that are
/// not text end with an error.
pub fn encodings(data: &[u8]) -> Result<(), String> {
    let (whole, piece) = (run::parse(data, &Options::default()), [1]);
    let found = run::parse_in_pieces(data, &piece, &Options::default());
    if whole != found {
        return Err(format!("{data:?}\n{whole:?}\n{found:?}"));
    }
    let Ok(text) = std::str::from_utf8(data) else { return Ok(()) };
    // A byte order mark in UTF-16LE followed by a NUL has the same bytes as one in UTF-32LE.
    if !is_utf8_stream(data) || data.starts_with(b"\xEF\xBB\xBF") || data.starts_with(b"\0") {
        return Ok(());
    }
    let expected = run::slice(data, &Options::default());
    for encoding in encode::WIDE {
        for marked in [true, false] {
            if !marked && !encode::is_detectable(text) {
                continue;
            }
            let mark = if marked { "\u{feff}" } else { "" };
            let wide = encode::encode(&format!("{mark}{text}"), encoding);
            let found = run::slice_as(&wide, data, &Options::default());
            checks::same(data, &expected, &found, &encoding)?;
            let reader = run::Pieces::new(&wide, &[3, 1, 7]);
            let found = run::reader_as(reader, data, &Options::default());
            checks::same(data, &expected, &found, &format_args!("{encoding} in pieces"))?;
        }
    }
    Ok(())
}

/// Compares the decoders of scalars with those in `oracle`, and checks tags and their handles.
pub fn scalars(data: &[u8]) -> Result<(), String> {
    if !is_utf8_stream(data) {
        return Ok(());
    }
    contents(data)
}

/// Compares the content of each scalar with the result of the slow decoder in `oracle`.
fn contents(text: &[u8]) -> Result<(), String> {
    let mut parser = Parser::new(text);
    let mut handles = TagHandles::default();
    while let Ok(Some(chunk)) = parser.next_chunk() {
        for event in chunk.events() {
            match event.kind {
                EventKind::Directive => handles.directive(chunk.bytes(&event)),
                EventKind::DocumentEnd => handles.clear(),
                EventKind::Tag => {
                    let tag = handles.resolve(chunk.bytes(&event));
                    if tag.is_empty() {
                        return Err(format!("an empty tag\n{}", checks::Shown(text)));
                    }
                }
                kind if kind.is_scalar() => content(&chunk, &event)?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// Compares the content of a scalar with the result of the slow decoder in `oracle`.
fn content(chunk: &Chunk<'_, '_>, event: &Event) -> Result<(), String> {
    let span = chunk.bytes(event);
    let text = std::str::from_utf8(span).map_err(|_| format!("{span:?} is no UTF-8"))?;
    let expected = oracle::content(event, text);
    let found = scalar::content(chunk.text(), event);
    let mut appended = b"x".to_vec();
    scalar::decode(chunk.text(), event, &mut appended);
    if *found != *expected.as_bytes() || appended[1..] != *found {
        let found = String::from_utf8_lossy(&found);
        return Err(format!(
            "{event:?} {text:?}\n--- expected\n{expected:?}\n--- found\n{found:?}"
        ));
    }
    if scalar::verbatim(chunk.text(), event).is_some_and(|bytes| *bytes != *expected.as_bytes()) {
        return Err(format!("{event:?} {text:?} is not verbatim"));
    }
    Ok(())
}

/// Checks that, in each schema, resolution and conversion agree, and that text that needs no quotes
/// is a string.
pub fn resolver(data: &[u8]) -> Result<(), String> {
    let needs_quotes = ketch_yaml::schema::needs_quotes(data);
    for schema in Schema::ALL {
        let tag = schema.resolve(data);
        let value = schema.scalar(data);
        let fits = match (tag, &value) {
            (ScalarTag::Null, Scalar::Null) => true,
            (ScalarTag::Bool(tag), Scalar::Bool(value)) => tag == *value,
            (ScalarTag::Int(_), Scalar::Int(_) | Scalar::BigInt(_)) => true,
            (ScalarTag::Float(_), Scalar::Float(_)) => true,
            (ScalarTag::Timestamp(_), Scalar::Timestamp(_) | Scalar::Str(_)) => true,
            (ScalarTag::Merge, Scalar::Merge) => true,
            (ScalarTag::Str | ScalarTag::Value | ScalarTag::Default, Scalar::Str(text)) => {
                *text == data
            }
            (ScalarTag::Unresolved, Scalar::Unresolved(text)) => *text == data,
            _ => false,
        };
        let shown = checks::Shown(data);
        if !fits {
            return Err(format!("{schema}: {tag:?} and {value:?}, {shown}"));
        }
        if let Scalar::BigInt(number) = &value {
            let decimal = number.to_decimal();
            if decimal.trim_start_matches('-').bytes().any(|b| !b.is_ascii_digit())
                || decimal.len() < 19
            {
                return Err(format!("{schema}: {decimal} is no big integer, {shown}"));
            }
        }
        let is_text = matches!(tag, ScalarTag::Str | ScalarTag::Unresolved);
        if !needs_quotes && !is_text {
            return Err(format!("{schema}: {tag:?} though no quotes are needed, {shown}"));
        }
        for tag in ["null", "bool", "int", "float", "str", "binary", "timestamp", "x"] {
            let uri = format!("{}{tag}", ketch_yaml::tag::YAML_PREFIX);
            if let Err(error) = schema.convert_tagged(&uri, data)
                && error.to_string().is_empty()
            {
                return Err(format!("an error without words, {shown}"));
            }
        }
    }
    Ok(())
}

/// Checks that lenient mode accepts everything that strict mode accepts, with the same result.
pub fn lenient(data: &[u8]) -> Result<(), String> {
    if !is_utf8_stream(data) {
        return Ok(());
    }
    let mut options = Options::default();
    options.lenient = true;
    let strict = run::slice(data, &Options::default());
    let taken = checks::checked(data, &options)?;
    options.chunk_words = 1;
    checks::same(data, &taken, &run::slice(data, &options), &"lenient, chunks of a word,")?;
    checks::same(data, &taken, &run::reader(data, &[1], &options), &"lenient, by reader,")?;
    if strict.is_fine() {
        checks::same(data, &strict, &taken, &"lenient")?;
    }
    Ok(())
}

/// Checks documents and their JSON in each schema: a slice and a reader are composed to the same
/// documents, each document equals itself, and the output is valid JSON.
pub fn compose(data: &[u8]) -> Result<(), String> {
    let choices =
        [DuplicateKeys::Error, DuplicateKeys::First, DuplicateKeys::Last, DuplicateKeys::Off];
    for (i, schema) in Schema::ALL.into_iter().enumerate() {
        let mut options = ComposeOptions::default();
        options.schema = schema;
        options.duplicate_keys = choices[(i + data.len()) % choices.len()];
        let small = chunked(1);
        let whole =
            converted(Documents::with_options(data, &Options::default(), &options), &options)?;
        let cut = converted(Documents::with_options(data, &small, &options), &options)?;
        let reader = ReadParser::with_options(run::Pieces::new(data, &[1]), &small);
        let read = converted(Documents::from_source(reader, &options), &options)?;
        if whole != cut || whole != read {
            let shown = checks::Shown(data);
            return Err(format!(
                "{schema} {shown}\n--- slice\n{whole}\n--- chunks of a word\n{cut}\n--- reader\n{read}"
            ));
        }
        check_streamed(Documents::with_options(data, &small, &options), &options, &whole)?;
    }
    Ok(())
}

/// Checks that documents that are written without a tree become `whole`, the output of their trees. A
/// document that needs a tree becomes the start of that output, unless it is wrong.
fn check_streamed<S: Source>(
    mut documents: Documents<'_, S>,
    options: &ComposeOptions,
    whole: &str,
) -> Result<(), String> {
    let mut writer = JsonWriter::new(&json_options(options));
    let (mut document, mut out) = (Document::new(), Vec::new());
    let mut start = 0;
    let is_cut = loop {
        match writer.next(&mut documents, &mut document, options, &mut out) {
            Ok(Streamed::End) => break false,
            Ok(Streamed::Document) => {
                if writer.write(&document, &mut out).is_err() {
                    out.truncate(start);
                    break true;
                }
            }
            Ok(Streamed::Json { .. }) => {}
            Ok(_) => break true,
            Err(error) => {
                out.truncate(start);
                let JsonError::Document(error) = error else { return Err(error.to_string()) };
                out.extend_from_slice(shown(&error).as_bytes());
                break false;
            }
        }
        out.push(b'\n');
        start = out.len();
    };
    let out = String::from_utf8_lossy(&out);
    // The name of a problem has a capital letter.
    let is_wrong = whole[start.min(whole.len())..].starts_with(|ch: char| ch.is_ascii_uppercase());
    let is_same = match is_cut {
        true if is_wrong => whole.starts_with(&out[..start]),
        true => whole.starts_with(&*out),
        false => *out == *whole,
    };
    if is_same { Ok(()) } else { Err(format!("{options:?}\n--- tree\n{whole}\n--- events\n{out}")) }
}

/// Returns the options for the JSON of documents that are composed with `options`.
fn json_options(options: &ComposeOptions) -> JsonOptions {
    let mut json = JsonOptions::default();
    json.schema = options.schema;
    json.non_finite = NotInJson::Convert;
    json
}

/// Returns the problem and the place of an error of the composer.
fn shown(error: &ketch_yaml::Error) -> String {
    let place = error.location();
    format!("{:?} at {}, {} bytes", error.problem(), place.offset, place.len)
}

/// Returns the documents of a stream as JSON, followed by its error.
fn converted<S: Source>(
    mut documents: Documents<'_, S>,
    options: &ComposeOptions,
) -> Result<String, String> {
    let mut writer = JsonWriter::new(&json_options(options));
    let mut document = Document::new();
    let mut out = Vec::new();
    loop {
        match documents.next_into(&mut document) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                out.extend_from_slice(shown(&error).as_bytes());
                break;
            }
        }
        let start = out.len();
        match writer.write(&document, &mut out) {
            Ok(()) => check_json(&out[start..])?,
            Err(error) => {
                out.truncate(start);
                let end = match error {
                    JsonError::Document(error) => {
                        format!("{:?} at {}", error.problem(), error.location().offset)
                    }
                    other => return Err(other.to_string()),
                };
                out.extend_from_slice(end.as_bytes());
            }
        }
        out.push(b'\n');
        let root = document.root();
        if let Ok(false) = root.equals(document.root(), options.schema, &Limits::default()) {
            return Err(format!(
                "a document does not equal itself: {}",
                String::from_utf8_lossy(&out)
            ));
        }
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Checks that text is a JSON value. If it is nested too deeply for the reader, it is accepted.
fn check_json(text: &[u8]) -> Result<(), String> {
    match serde_json::from_slice::<serde::de::IgnoredAny>(text) {
        Err(error) if !error.to_string().contains("recursion limit") => {
            Err(format!("{error}: {}", String::from_utf8_lossy(text)))
        }
        _ => Ok(()),
    }
}

/// Checks that valid input can be presented with each set of options, and that the text has the
/// same events.
pub fn present(data: &[u8]) -> Result<(), String> {
    if !is_utf8_stream(data) || run::parse(data, &Options::default()).1.is_some() {
        return Ok(());
    }
    for (name, options) in option_sets() {
        round_trip(name, data, &options)?;
    }
    Ok(())
}

/// Checks that formatting valid input with each set of options keeps its events and comments, and
/// that formatting the result again changes nothing.
pub fn formatted(data: &[u8]) -> Result<(), String> {
    if !is_utf8_stream(data) || run::parse(data, &Options::default()).1.is_some() {
        return Ok(());
    }
    for (name, options) in format::option_sets() {
        format::checked(name, data, &options)?;
    }
    Ok(())
}

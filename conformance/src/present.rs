//! Compares presented texts with the events that they were written from.

use crate::checks::Shown;
use crate::run;
use ketch_yaml::present::{
    Collections, Directives, Markers, PresentOptions, Presenter, Scalars, Sequences,
};
use ketch_yaml::schema::{Scalar, ScalarTag, Schema};
use ketch_yaml::{Options, Parser};

/// Returns sets of options that together reach every branch of the presenter, each with its name.
pub fn option_sets() -> Vec<(&'static str, PresentOptions)> {
    let set = |change: fn(&mut PresentOptions)| {
        let mut options = PresentOptions::default();
        change(&mut options);
        options
    };
    vec![
        ("default", set(|_| {})),
        ("block", set(|options| options.collections = Collections::Block)),
        ("flow", set(|options| options.collections = Collections::Flow)),
        ("minimal", set(|options| options.scalars = Scalars::Minimal)),
        (
            "indented",
            set(|options| {
                options.sequences = Sequences::Indented;
                options.indent = 4;
                options.width = Some(20);
                options.markers = Markers::Needed;
            }),
        ),
        (
            "narrow",
            set(|options| {
                options.indent = 1;
                options.width = Some(1);
                options.collections = Collections::Block;
                options.directives = Directives::Drop;
            }),
        ),
        (
            "narrow flow",
            set(|options| {
                options.width = Some(8);
                options.collections = Collections::Flow;
                options.scalars = Scalars::Minimal;
                options.ascii = true;
            }),
        ),
        (
            "quoted",
            set(|options| {
                options.scalars = Scalars::DoubleQuoted;
                options.indent = 9;
                options.width = Some(30);
                options.markers = Markers::Start;
            }),
        ),
    ]
}

/// Presents the events of `input`.
///
/// # Errors
///
/// Returns the error of the presenter or of the parser.
pub fn presented(
    input: &[u8],
    options: &Options,
    present: &PresentOptions,
) -> Result<String, String> {
    let mut presenter = Presenter::with_options(Vec::new(), present);
    let mut parser = Parser::with_options(input, options);
    let failed = |error| format!("{error}\n{}", Shown(input));
    parser.push_into(&mut presenter).map_err(failed)?;
    let text = presenter.finish().map_err(failed)?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

/// Presents the events of a valid `input`, and parses the result. The events have to be the same,
/// and presenting them again must not change the text.
///
/// # Errors
///
/// Returns a message that shows how the events or the texts differ.
pub fn round_trip(name: &str, input: &[u8], present: &PresentOptions) -> Result<String, String> {
    let expected = run::slice(input, &Options::default());
    let text = presented(input, &Options::default(), present)?;
    let found = run::slice(text.as_bytes(), &Options::default());
    let failure = || format!("{name}: {}\n--- text\n{text}", Shown(input));
    if !found.is_fine() {
        return Err(format!("{}\n{:?}", failure(), found.fault));
    }
    let (expected, found) = (meaning(&expected.notation), meaning(&found.notation));
    if expected != found {
        return Err(format!("{}\n--- expected\n{expected}\n--- found\n{found}", failure()));
    }
    let again = presented(text.as_bytes(), &Options::default(), present)?;
    if again != text {
        return Err(format!("{}\n--- again\n{again}", failure()));
    }
    Ok(text)
}

/// Returns events in the notation without the details that presenting may change: document markers,
/// styles of collections, and styles of scalars, apart from whether a scalar is plain or text.
pub fn meaning(notation: &str) -> String {
    notation.lines().map(|line| event_meaning(line) + "\n").collect()
}

/// Returns a line of the notation without the details that presenting may change.
fn event_meaning(line: &str) -> String {
    match line.split(' ').next() {
        Some("+DOC" | "-DOC") => line[..4].to_owned(),
        Some("+MAP") => line.replacen(" {}", "", 1),
        Some("+SEQ") => line.replacen(" []", "", 1),
        Some("=VAL") => scalar_meaning(line),
        _ => line.to_owned(),
    }
}

/// Returns a line of the form `=VAL &anchor <tag> :text`, with the style replaced by the kind of
/// the text.
fn scalar_meaning(line: &str) -> String {
    let mut at = "=VAL ".len();
    while line[at..].starts_with(['&', '<']) {
        let end = if line[at..].starts_with('&') { " " } else { "> " };
        at += line[at..].find(end).expect("a scalar after its properties") + end.len();
    }
    let (properties, scalar) = line.split_at(at);
    let (style, text) = scalar.split_at(1);
    let is_text = style != ":" || resolve(text) == ScalarTag::Str;
    // `Scalars::Minimal` changes the form of floats.
    if let (false, Scalar::Float(value)) = (is_text, Schema::Core.scalar(text)) {
        return format!("{properties}float {value:?}");
    }
    match (is_text, text) {
        (true, _) => format!("{properties}text {text}"),
        // This is an empty node, which a flow sequence cannot contain.
        (false, "" | "null") if properties == "=VAL " => format!("{properties}null"),
        _ => format!("{properties}value {text}"),
    }
}

/// Returns the type of a plain scalar in the core schema or, if it is a string there, in YAML 1.1.
fn resolve(text: &str) -> ScalarTag {
    match Schema::Core.resolve(text.as_bytes()) {
        ScalarTag::Str => Schema::Yaml11.resolve(text.as_bytes()),
        tag => tag,
    }
}

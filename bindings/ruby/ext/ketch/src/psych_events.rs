//! `Ketch.psych_present(events, options)`: writes the events that a `Ketch::Psych::Emitter` has
//! received as YAML.
//!
//! An event is an array of its name and the fields that the comments below list.

use crate::options::DumpOptions;
use ketch_yaml::present::{CollectionStyle, PresentError, Presenter, Properties, ScalarStyle};
use magnus::{Error, RArray, RHash, RString, Ruby, Symbol, TryConvert};

/// Implements `Ketch.psych_present(events, options)`: returns the YAML text of `events`.
pub fn present(ruby: &Ruby, events: RArray, options: RHash) -> Result<RString, Error> {
    let options = DumpOptions::from_hash(ruby, options)?;
    let mut presenter = Presenter::with_options(Vec::new(), &options.present);
    for event in events.into_iter().map(RArray::try_convert) {
        push(&mut presenter, event?)?.map_err(|error| refused(ruby, &error))?;
    }
    let text = presenter.finish().map_err(|error| refused(ruby, &error))?;
    Ok(ruby.str_new(&String::from_utf8_lossy(&text)))
}

/// Passes an event to the presenter.
fn push(
    presenter: &mut Presenter<Vec<u8>>,
    event: RArray,
) -> Result<Result<(), PresentError>, Error> {
    let text = |at| event.entry::<Option<String>>(at);
    let name = event.entry::<Symbol>(0)?;
    Ok(match &*name.name()? {
        // Fields: whether the document starts with a marker, and the lines of its directives.
        "start_document" => {
            let directives = event.entry::<Vec<String>>(2)?;
            let is_explicit = event.entry(1)?;
            let declared = directives.iter().try_for_each(|line| presenter.directive(line));
            declared.and_then(|()| presenter.start_document(is_explicit))
        }
        // Field: whether the document ends with a marker.
        "end_document" => presenter.end_document(event.entry(1)?),
        // Field: the name of an anchor.
        "alias" => presenter.alias(&event.entry::<String>(1)?),
        // Fields: value, anchor, tag, style.
        "scalar" => {
            let (value, anchor, tag) = (event.entry::<String>(1)?, text(2)?, text(3)?);
            let properties = Properties { anchor: anchor.as_deref(), tag: tag.as_deref() };
            presenter.scalar(&value, scalar_style(event.entry(4)?), properties)
        }
        // Fields: anchor, tag, style.
        kind @ ("start_mapping" | "start_sequence") => {
            let (anchor, tag) = (text(1)?, text(2)?);
            let properties = Properties { anchor: anchor.as_deref(), tag: tag.as_deref() };
            let is_flow = event.entry::<i64>(3)? == 2;
            let style = if is_flow { CollectionStyle::Flow } else { CollectionStyle::Block };
            match kind {
                "start_mapping" => presenter.start_mapping(style, properties),
                _ => presenter.start_sequence(style, properties),
            }
        }
        "end_mapping" => presenter.end_mapping(),
        _ => presenter.end_sequence(),
    })
}

/// Returns the style that `number` means in Psych. For 0, the presenter chooses the style.
fn scalar_style(number: i64) -> ScalarStyle {
    match number {
        1 => ScalarStyle::Plain,
        2 => ScalarStyle::SingleQuoted,
        3 => ScalarStyle::DoubleQuoted,
        4 => ScalarStyle::Literal,
        5 => ScalarStyle::Folded,
        _ => ScalarStyle::Text,
    }
}

/// Returns the exception for events that cannot be written.
fn refused(ruby: &Ruby, error: &PresentError) -> Error {
    Error::new(ruby.exception_runtime_error(), error.to_string())
}

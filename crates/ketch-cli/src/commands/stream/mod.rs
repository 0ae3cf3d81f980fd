//! `ketch split` and `ketch collect`: write the documents of a stream to separate files, and join
//! files into a stream.

mod collect;
mod split;

pub use collect::run as collect;
pub use split::run as split;

use super::edit::{refused, text_of};
use crate::formats;
use crate::front_matter;
use crate::input;
use crate::status::Failure;
use ketch_bytes::encoding::Encoding;
use ketch_edit::Edit;
use ketch_yaml::{Error, EventKind, Parser};

/// Returns the content of `file` as text, without a byte order mark. If `front_matter` is set, or the
/// file is Markdown, returns only its front matter.
fn read(file: &str, front_matter: bool) -> Result<String, Failure> {
    formats::refuse_others("this command reads", file)?;
    let mut bytes = input::read(file)?;
    if front_matter || front_matter::is_markdown(file) {
        front_matter::cut(file, &mut bytes)?;
    }
    let text = match Encoding::detect(&bytes).0 {
        Encoding::Utf8 => text_of(file, bytes)?,
        _ => Edit::from_bytes(bytes).map_err(|error| refused(file, &error))?.text().to_owned(),
    };
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Returns what the documents of `text` mean: the kind and content of each event, without the
/// markers.
fn meaning(text: &str) -> Result<Vec<(EventKind, String)>, Error> {
    let mut all = Vec::new();
    let mut parser = Parser::new(text.as_bytes());
    while let Some(chunk) = parser.next_chunk()? {
        for event in chunk.events() {
            let content = match event.kind {
                EventKind::DocumentStart | EventKind::DocumentEnd => String::new(),
                kind if kind.is_scalar() => {
                    let content = ketch_yaml::scalar::content(chunk.text(), &event);
                    String::from_utf8_lossy(&content).into_owned()
                }
                _ => String::from_utf8_lossy(chunk.bytes(&event)).into_owned(),
            };
            all.push((event.kind, content));
        }
    }
    Ok(all)
}

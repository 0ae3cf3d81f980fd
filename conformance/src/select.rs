//! Paths through streams: a selection has to find the same as the path does in composed documents,
//! regardless of how the stream is cut.

use crate::checks::Shown;
use crate::run::{Pieces, chunked};
use ketch_yaml::compose::{
    JsonOptions, JsonWriter, Node, NotInJson, Selection, SelectionOptions, Source,
};
use ketch_yaml::path::{Documents as Chosen, Path};
use ketch_yaml::schema::Schema;
use ketch_yaml::{ComposeOptions, Documents, DuplicateKeys, Error, Options, Parser, ReadParser};

/// Checks that a selection finds the same as the path does in the composed documents. The first
/// line of `data` is the path, and the rest is the stream.
pub fn found_as_composed(data: &[u8]) -> Result<(), String> {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let text = data.get(end + 1..).unwrap_or_default();
    let Ok(path) = std::str::from_utf8(&data[..end]) else { return Ok(()) };
    let Ok(path) = path.parse::<Path>() else { return Ok(()) };
    let again = path.to_string();
    if again.parse().as_ref() != Ok(&path) {
        return Err(format!("{path:?} is written as {again:?}, which is another path"));
    }
    let choices = [DuplicateKeys::Error, DuplicateKeys::First, DuplicateKeys::Last];
    for (i, schema) in [Schema::Core, Schema::Yaml11, Schema::Json].into_iter().enumerate() {
        let mut compose = ComposeOptions::default();
        compose.schema = schema;
        compose.duplicate_keys = choices[(i + data.len()) % choices.len()];
        compared(&path, text, &compose).map_err(|what| format!("{path} {schema}: {what}"))?;
    }
    Ok(())
}

/// Compares what a selection finds in a slice and in a reader with what the path finds in composed
/// documents.
fn compared(path: &Path, text: &[u8], compose: &ComposeOptions) -> Result<(), String> {
    let mut options = SelectionOptions::default();
    options.compose = *compose;
    let slice = selected(Parser::new(text), path, &options);
    let reader = ReadParser::with_options(Pieces::new(text, &[1, 3]), &chunked(1));
    let read = selected(reader, path, &options);
    if slice != read {
        return Err(format!("{}\n--- slice\n{slice:?}\n--- reader\n{read:?}", Shown(text)));
    }
    // A selection may skip errors of the composer, and may detect cycles earlier.
    match composed(path, text, compose) {
        Ok(Some(whole)) if slice.as_ref().ok() != Some(&whole) => {
            Err(format!("{}\n--- composed\n{whole:?}\n--- selected\n{slice:?}", Shown(text)))
        }
        _ => Ok(()),
    }
}

/// The locations of the results, each with its JSON; or the error with its location.
type All = Result<Vec<String>, String>;

/// Returns all results of a selection, or its error.
fn selected<S: Source>(source: S, path: &Path, options: &SelectionOptions) -> All {
    let mut all = Vec::new();
    let mut selection = Selection::new(source, path, options);
    while let Some(found) = selection.next() {
        let found = found.map_err(wrong)?;
        all.extend(found.nodes().map(|node| shown(node, options.compose.schema)));
        selection.recycle(found.into_parts().0);
    }
    Ok(all)
}

/// Returns the results in the composed documents, or `None` if they cannot be compared, because an
/// alias is inside the node that it refers to, or because a filter uses the key.
fn composed(
    path: &Path,
    text: &[u8],
    compose: &ComposeOptions,
) -> Result<Option<Vec<String>>, String> {
    let mut all = Vec::new();
    let documents = Documents::with_options(text, &Options::default(), compose);
    for (index, document) in documents.enumerate() {
        let document = document.map_err(wrong)?;
        match path.documents() {
            Some(Chosen::Index(wanted)) if *wanted != index as u64 => continue,
            // Only a selection knows the number of a document, which such a filter may use.
            Some(Chosen::Filter(filter)) if filter.to_string().contains("key") => return Ok(None),
            _ => {}
        }
        let is_in_circle = |node: Node<'_>| {
            node.target().is_some_and(|target| target.subtree().contains(&node.id().index()))
        };
        if document.nodes().any(is_in_circle) {
            return Ok(None);
        }
        let found = document.root().select(path).map_err(wrong)?;
        all.extend(found.into_iter().map(|node| shown(node, compose.schema)));
    }
    Ok(Some(all))
}

fn wrong(error: Error) -> String {
    format!("{:?} at {}", error.problem(), error.location().offset)
}

/// Returns the location of a node, followed by the node as JSON.
fn shown(node: Node<'_>, schema: Schema) -> String {
    let mut json = JsonOptions::default();
    json.schema = schema;
    json.non_finite = NotInJson::Convert;
    let mut out = Vec::new();
    let written = JsonWriter::new(&json).write_node(node, &mut out);
    let what = match written {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(_) => "not in JSON".to_owned(),
    };
    format!("{} {what}", node.location().offset)
}

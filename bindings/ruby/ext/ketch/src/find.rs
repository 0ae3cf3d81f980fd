//! Finds the node of a value by its path: keys and indices as in Ruby, through aliases and merge
//! keys.

use crate::load;
use crate::options::LoadOptions;
use crate::ruby;
use ketch_yaml::Document;
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::schema::Scalar;
use magnus::{Error, Integer, RArray, RString, Ruby, Symbol, Value, prelude::*};

/// A key and its value.
pub type Pair<'d> = (Node<'d>, Node<'d>);

/// Returns the pairs of a mapping, with merged ones if the document merges.
pub fn pairs<'d>(
    document: &Document<'d>,
    node: Node<'d>,
) -> Result<Vec<Pair<'d>>, ketch_yaml::Error> {
    if document.merges() { node.merged_entries() } else { Ok(node.entries().collect()) }
}

/// Returns the node at the end of a path, and its key if it has one.
pub fn find<'d>(
    ruby: &Ruby,
    document: &'d Document<'d>,
    path: RArray,
    options: &LoadOptions,
) -> Result<Option<(Option<Node<'d>>, Node<'d>)>, Error> {
    let mut found = (None, document.root());
    for step in path {
        let node = found.1.resolved();
        let next = match node.kind() {
            Kind::Sequence => entry(node, step).map(|entry| (None, entry)),
            Kind::Mapping => {
                pair(ruby, document, node, step, options)?.map(|(key, value)| (Some(key), value))
            }
            _ => None,
        };
        let Some(next) = next else { return Ok(None) };
        found = next;
    }
    Ok(Some(found))
}

/// Returns the item of a sequence at an index, or `None` if there is none. A negative index counts
/// from the end.
fn entry<'d>(sequence: Node<'d>, step: Value) -> Option<Node<'d>> {
    let index = Integer::from_value(step)?.to_i64().ok()?;
    if let Ok(index) = usize::try_from(index) {
        return sequence.items().nth(index);
    }
    let count = sequence.items().count();
    sequence.items().nth(count.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?)
}

/// Returns the pair of a mapping whose key is `step`, or `None` if there is none.
fn pair<'d>(
    ruby: &Ruby,
    document: &'d Document<'d>,
    mapping: Node<'d>,
    step: Value,
    options: &LoadOptions,
) -> Result<Option<Pair<'d>>, Error> {
    // If a node cannot be merged, the load failed, so there is no value to locate.
    let pairs = pairs(document, mapping).unwrap_or_default();
    let wanted = Wanted::of(step, options.symbolize_names)?;
    for pair in pairs {
        if wanted.is(ruby, document, pair.0, options)? {
            return Ok(Some(pair));
        }
    }
    Ok(None)
}

/// A key to find.
enum Wanted {
    Text(String),
    Other(Value),
    /// No key of this load has this form.
    None,
}

impl Wanted {
    /// Returns the key that a step of a path selects.
    fn of(step: Value, symbolize_names: bool) -> Result<Wanted, Error> {
        if let Some(symbol) = Symbol::from_value(step) {
            return Ok(if symbolize_names {
                Wanted::Text(symbol.name()?.into_owned())
            } else {
                Wanted::None
            });
        }
        match RString::from_value(step) {
            Some(_) if symbolize_names => Ok(Wanted::None),
            Some(text) => Ok(text.to_string().map_or(Wanted::Other(step), Wanted::Text)),
            None => Ok(Wanted::Other(step)),
        }
    }

    /// Returns whether a key of a document is the wanted one.
    fn is(
        &self,
        ruby: &Ruby,
        document: &Document<'_>,
        key: Node<'_>,
        options: &LoadOptions,
    ) -> Result<bool, Error> {
        let key = key.resolved();
        let is_scalar = key.kind() == Kind::Scalar;
        match self {
            Wanted::None => Ok(false),
            Wanted::Text(text) if is_scalar => {
                let scalar = key.scalar_bytes(options.compose.schema);
                let content = match &scalar {
                    Ok(Scalar::Str(content)) => &content[..],
                    Ok(Scalar::Merge) => b"<<",
                    _ => return Ok(false),
                };
                Ok(content == text.as_bytes())
            }
            Wanted::Text(_) => Ok(false),
            Wanted::Other(wanted) => {
                let value = load::value_of(ruby, document, key, options)?;
                wanted.eql(ruby::value(ruby::raw(value)))
            }
        }
    }
}

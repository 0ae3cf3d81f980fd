//! Finds the node of a value by its path, which consists of keys and indices as in Ruby. Aliases
//! and merge keys are followed.

use crate::load;
use crate::options::LoadOptions;
use crate::ruby;
use ketch_host::nodes;
use ketch_yaml::Document;
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::schema::Scalar;
use magnus::{Error, Integer, RArray, RString, Ruby, Symbol, Value, prelude::*};

/// Returns the node at the end of `path`, after the node of its key if it is the value of a
/// mapping. Returns `None` if there is no such node.
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

/// Returns the item of a sequence at the index `step`, or `None` if there is none. A negative index
/// counts from the end.
fn entry<'d>(sequence: Node<'d>, step: Value) -> Option<Node<'d>> {
    let index = Integer::from_value(step)?.to_i64().ok()?;
    if let Ok(index) = usize::try_from(index) {
        return sequence.items().nth(index);
    }
    let count = sequence.items().count();
    sequence.items().nth(count.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?)
}

/// Returns the pair of a mapping whose key equals `step`, or `None` if there is none.
fn pair<'d>(
    ruby: &Ruby,
    document: &'d Document<'d>,
    mapping: Node<'d>,
    step: Value,
    options: &LoadOptions,
) -> Result<Option<(Node<'d>, Node<'d>)>, Error> {
    // If merging fails here, it has also failed in the load, so there is no value to locate.
    let pairs = nodes::pairs(mapping).unwrap_or_default();
    let wanted = Wanted::of(step, options.symbolize_names)?;
    for pair in pairs {
        if wanted.is(ruby, document, pair.0, options)? {
            return Ok(Some(pair));
        }
    }
    Ok(None)
}

/// The key to find.
enum Wanted {
    Text(String),
    Other(Value),
    /// With these options, no key of a loaded hash can equal the step.
    None,
}

impl Wanted {
    /// Returns the key to find for a step of a path.
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

    /// Returns whether `key`, a node of the document, is the key to find.
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

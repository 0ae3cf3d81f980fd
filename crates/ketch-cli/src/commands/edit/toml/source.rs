//! Converts TOML to YAML, in which the anchor of each node says what it comes from.

use crate::formats::{quoted, toml_token};
use ketch_yaml::compose::Node;
use std::fmt::Write;
use toml_edit::{DocumentMut, Item, Key, Value};

/// TOML as YAML.
pub struct Source {
    pub yaml: String,
    /// The values, in document order. The first one is the root.
    pub nodes: Vec<Old>,
}

/// A value of the TOML before the edits.
pub struct Old {
    pub parent: usize,
    pub children: Vec<usize>,
    pub key: Option<Key>,
    pub item: Item,
    /// If it is a scalar, whether it is text, and its content in YAML.
    pub scalar: Option<(bool, String)>,
}

/// Returns the index of the value that `node` comes from, if it comes from one.
pub fn index(node: Node<'_>) -> Option<usize> {
    node.anchor()?.strip_prefix("toml")?.parse().ok()
}

impl Source {
    pub fn of(document: &DocumentMut) -> Source {
        let mut source = Source { yaml: String::new(), nodes: Vec::new() };
        source.add(0, "", 0, None, document.as_item());
        source
    }

    /// Writes `lead` and `item`, which is `depth` levels deep. The parser has a limit of the depth,
    /// so this may recurse.
    fn add(&mut self, depth: usize, lead: &str, parent: usize, key: Option<&Key>, item: &Item) {
        let index = self.nodes.len();
        let (old, scalar) = (item.clone(), scalar(item));
        let (key, children) = (key.cloned(), Vec::new());
        self.nodes.push(Old { parent, children, key, item: old, scalar });
        if index > 0 {
            self.nodes[parent].children.push(index);
            let indent = 2 * (depth - 1);
            // Writing to a string does not fail.
            let _ = write!(self.yaml, "{:indent$}{lead}&toml{index}", "");
        }
        let start = self.yaml.len();
        self.children(depth + 1, index, item);
        let content = match &self.nodes[index].scalar {
            Some((true, text)) => quoted(text),
            Some((false, token)) => token.clone(),
            None if self.yaml.len() > start => {
                self.yaml.insert_str(start, if index > 0 { "\n" } else { "" });
                return;
            }
            None if item.is_table_like() => "{}".to_owned(),
            None => "[]".to_owned(),
        };
        let _ = writeln!(self.yaml, " {content}");
    }

    /// Writes what is in `item`, the value with the number `index`.
    fn children(&mut self, depth: usize, index: usize, item: &Item) {
        match item {
            Item::ArrayOfTables(tables) => {
                for table in tables {
                    self.add(depth, "- ", index, None, &Item::Table(table.clone()));
                }
            }
            Item::Value(Value::Array(values)) => {
                for value in values {
                    self.add(depth, "- ", index, None, &Item::Value(value.clone()));
                }
            }
            item => {
                let table = item.as_table_like();
                for (name, item) in table.iter().flat_map(|table| table.iter()) {
                    let key = table.and_then(|table| table.key(name));
                    self.add(depth, &format!("{}: ", quoted(name)), index, key, item);
                }
            }
        }
    }
}

/// Returns whether the scalar `item` is text, and its content in YAML.
fn scalar(item: &Item) -> Option<(bool, String)> {
    match item.as_value()? {
        Value::String(text) => Some((true, text.value().clone())),
        Value::Array(_) | Value::InlineTable(_) => None,
        Value::Datetime(date) => {
            Some((date.value().date.is_none(), date.display_repr().into_owned()))
        }
        value => Some((false, toml_token(value.clone().decorated("", "").to_string().trim()))),
    }
}

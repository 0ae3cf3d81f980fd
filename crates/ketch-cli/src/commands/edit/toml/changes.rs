//! Changes TOML to the values of YAML, where these are different.

use super::source::{Old, index};
use crate::commands::edit::refusal::not_in_toml;
use crate::status::Failure;
use ketch_yaml::compose::{Kind, Node, Style};
use std::mem;
use toml_edit::{Array, ArrayOfTables, Decor, InlineTable, Item, Key, Table, TableLike, Value};

/// What is known when TOML is changed.
pub struct Changes<'s> {
    pub file: &'s str,
    pub nodes: &'s [Old],
}

impl Changes<'_> {
    /// Gives the root of a file, `item`, the values of `node`.
    pub fn apply(&self, item: &mut Item, node: Node<'_>) -> Result<(), Failure> {
        match node.kind() {
            Kind::Mapping => self.update(item, node, 0),
            _ => {
                let message = "a file of TOML is a mapping".to_owned();
                Err(self.wrong(message, "Set one of its keys."))
            }
        }
    }

    pub fn wrong(&self, message: String, help: &str) -> Failure {
        not_in_toml(self.file, message, help)
    }

    /// Returns the value that `node` comes from.
    fn old(&self, node: Node<'_>) -> Option<usize> {
        index(node).filter(|&index| index < self.nodes.len())
    }

    /// Returns the children of the value `parent` that are still in it, each with its `node`.
    fn own(&self, node: Node<'_>, parent: usize) -> Option<usize> {
        self.old(node).filter(|&index| index > 0 && self.nodes[index].parent == parent)
    }

    /// Gives `item`, the old value `index`, the value of `node`.
    fn update(&self, item: &mut Item, node: Node<'_>, index: usize) -> Result<(), Failure> {
        let old = &self.nodes[index];
        let is_text = node.kind() == Kind::Scalar && node.style() != Style::Plain;
        match (node.kind(), &mut *item) {
            (Kind::Mapping, Item::Table(table)) => {
                let was_filled = !table.is_empty();
                self.update_table(Entries::Lines(table), node, index)?;
                if table.is_empty() && was_filled {
                    table.set_implicit(false);
                    if table.is_dotted() {
                        *item = Item::Value(Value::InlineTable(InlineTable::new()));
                    }
                }
                return Ok(());
            }
            (Kind::Mapping, Item::Value(Value::InlineTable(table))) => {
                return self.update_table(Entries::Inline(table), node, index);
            }
            (Kind::Sequence, Item::Value(Value::Array(array))) => {
                return self.update_array(array, node, index);
            }
            (Kind::Sequence, Item::ArrayOfTables(tables)) if node.items().next().is_some() => {
                return self.update_tables(tables, node, index);
            }
            (Kind::Scalar, _) if old.scalar == Some((is_text, node.text().into_owned())) => {
                return Ok(());
            }
            _ => {}
        }
        let mut value = self.value(node, Some(old))?;
        if let Item::Value(before) = item {
            *value.decor_mut() = before.decor().clone();
        }
        *item = Item::Value(value);
        Ok(())
    }

    /// Returns an item for `node`, which is new in its collection. With `headers`, a table gets a
    /// header of its own.
    fn item(&self, node: Node<'_>, headers: bool) -> Result<Item, Failure> {
        if let Some(index) = self.old(node) {
            let mut item = self.nodes[index].item.clone();
            self.update(&mut item, node, index)?;
            each_table(&mut item, &mut |table| {
                table.set_position(None);
                let lead = prefix(table.decor());
                if !lead.starts_with('\n') {
                    table.decor_mut().set_prefix(format!("\n{lead}"));
                }
            });
            if let (Item::Value(value), false) = (&mut item, self.has_lines(index)) {
                value.decor_mut().clear();
            }
            return Ok(item);
        }
        let is_table = |node: Node<'_>| node.kind() == Kind::Mapping;
        if headers && is_table(node) {
            let mut table = Table::new();
            for (key, value) in node.entries() {
                table.insert(&self.key(key)?, self.item(value, true)?);
            }
            table.set_implicit(!table.is_empty() && !table.iter().any(|(_, item)| item.is_value()));
            return Ok(Item::Table(table));
        }
        if headers && node.items().next().is_some() && node.items().all(is_table) {
            let tables = node.items().map(|item| self.table(item));
            return Ok(Item::ArrayOfTables(tables.collect::<Result<_, _>>()?));
        }
        Ok(Item::Value(self.value(node, None)?))
    }

    /// Returns `node` as a table with a header.
    fn table(&self, node: Node<'_>) -> Result<Table, Failure> {
        let mut table = self.item(node, true)?.into_table().map_err(|_| {
            let message = "an array of tables has no other values".to_owned();
            self.wrong(message, "Set the whole array, or add a table.")
        })?;
        table.set_implicit(false);
        Ok(table)
    }

    /// Returns whether the old value `index` is on lines of its own, with its comments.
    fn has_lines(&self, index: usize) -> bool {
        self.nodes[index].key.is_some() && self.nodes[self.nodes[index].parent].item.is_table()
    }

    fn update_table(
        &self,
        mut table: Entries<'_>,
        node: Node<'_>,
        index: usize,
    ) -> Result<(), Failure> {
        let is_inline = matches!(table, Entries::Inline(_));
        let headers = !is_inline && has_headers(table.like(), index == 0);
        let ends = ends(table.like()).filter(|_| is_inline);
        let indent = indent(table.like());
        let mut entries = Vec::new();
        for (key, value) in node.entries() {
            entries.push((self.key(key)?, value, self.own(value, index)));
        }
        let is_here =
            |name: &str, own: Option<usize>| own.is_some_and(|own| self.name(own) == Some(name));
        let mut removed = Vec::new();
        for &child in &self.nodes[index].children {
            let name = self.name(child).unwrap_or_default();
            if !entries.iter().any(|(new, _, own)| *own == Some(child) && is_here(new, *own)) {
                removed.push((child, table.like().remove(name)));
            }
        }
        for (name, value, own) in &entries {
            if let (true, Some(own)) = (is_here(name, *own), *own) {
                self.update_entry(table.like(), name, *value, own)?;
                continue;
            }
            let renamed = removed.iter_mut().find(|(child, _)| Some(*child) == *own);
            let mut item = match renamed.and_then(|(child, item)| Some((*child, item.take()?))) {
                Some((child, mut item)) => {
                    self.update(&mut item, *value, child)?;
                    item
                }
                None => self.item(*value, headers)?,
            };
            if is_inline {
                item.make_value();
            }
            let mut key = Key::new(name);
            let keeps = item.is_value() && !is_inline;
            let old = self.old(*value).filter(|&old| own.is_some() || keeps && self.has_lines(old));
            if let Some(old) = old.and_then(|old| self.nodes[old].key.as_ref()) {
                *key.leaf_decor_mut() = old.leaf_decor().clone();
            } else if let Item::Value(value) = &mut item {
                value.decor_mut().clear();
                if keeps && !indent.is_empty() {
                    *key.leaf_decor_mut() = Decor::new(&indent, " ");
                }
            }
            table.put(&key, item);
        }
        table.reorder(entries.iter().map(|(name, ..)| &name[..]));
        let kept: Vec<usize> = entries.iter().filter_map(|(_, _, own)| *own).collect();
        if !kept.is_sorted() && !is_inline {
            place(table.like().iter_mut().map(|(_, item)| item).collect());
        }
        let is_same = removed.is_empty() && kept.len() == entries.len() && kept.is_sorted();
        if let Some(ends) = ends.filter(|_| !is_same) {
            set_ends(table.like(), &ends);
        }
        Ok(())
    }

    /// Gives the entry `name`, the old value `index`, the value of `node`.
    fn update_entry(
        &self,
        table: &mut dyn TableLike,
        name: &str,
        node: Node<'_>,
        index: usize,
    ) -> Result<(), Failure> {
        let Some(item) = table.get_mut(name) else { return Ok(()) };
        let had_header = !item.is_value();
        self.update(item, node, index)?;
        if had_header
            && item.is_value()
            && let Some(mut key) = table.key_mut(name)
        {
            key.leaf_decor_mut().clear();
        }
        Ok(())
    }

    /// Returns the name of the key of the old value `index`.
    fn name(&self, index: usize) -> Option<&str> {
        self.nodes[index].key.as_ref().map(Key::get)
    }

    fn update_array(&self, array: &mut Array, node: Node<'_>, index: usize) -> Result<(), Failure> {
        let children = &self.nodes[index].children;
        let mut layout = Layout::of(array);
        let mut old: Vec<Option<Value>> = array.iter().cloned().map(Some).collect();
        let mut values = Vec::new();
        for item in node.items() {
            let own = self.own(item, index);
            let at = own.and_then(|own| children.iter().position(|&child| child == own));
            let value = match (own, at.and_then(|at| old[at].take())) {
                (Some(own), Some(value)) => {
                    let mut value = Item::Value(value);
                    self.update(&mut value, item, own)?;
                    value
                }
                _ => self.item(item, false)?,
            };
            let value = value.into_value().map_err(|_| self.wrong(String::new(), ""))?;
            values.push((at, value));
        }
        if values.iter().map(|(at, _)| *at).eq((0..old.len()).map(Some)) {
            // The same items in the same order.
            for (at, (_, value)) in values.into_iter().enumerate() {
                array.replace_formatted(at, value);
            }
            return Ok(());
        }
        array.clear();
        let mut before = String::new();
        for (slot, (at, mut value)) in values.into_iter().enumerate() {
            let (lead, after) = layout.around(slot, at);
            let suffix = at.map_or(String::new(), |at| mem::take(&mut layout.suffixes[at]));
            *value.decor_mut() = Decor::new(before + &lead, suffix);
            before = after;
            array.push_formatted(value);
        }
        let end = before + &layout.end;
        array.set_trailing(if array.is_empty() && !end.contains('#') { "" } else { &end });
        Ok(())
    }

    fn update_tables(
        &self,
        tables: &mut ArrayOfTables,
        node: Node<'_>,
        index: usize,
    ) -> Result<(), Failure> {
        let children = &self.nodes[index].children;
        let mut old: Vec<Item> = mem::take(tables).into_iter().map(Item::Table).collect();
        let mut kept = Vec::new();
        for item in node.items() {
            let own = self.own(item, index).filter(|_| item.kind() == Kind::Mapping);
            let at = own.and_then(|own| children.iter().position(|&child| child == own));
            match own.zip(at) {
                Some((own, at)) => {
                    self.update(&mut old[at], item, own)?;
                    kept.push(own);
                    tables.extend(mem::take(&mut old[at]).into_table());
                }
                None => tables.push(self.table(item)?),
            }
        }
        if !kept.is_sorted() {
            let mut items: Vec<Item> = mem::take(tables).into_iter().map(Item::Table).collect();
            place(items.iter_mut().collect());
            tables.extend(items.into_iter().filter_map(|item| item.into_table().ok()));
        }
        Ok(())
    }
}

/// Returns whether new tables in `table` get headers.
fn has_headers(table: &dyn TableLike, is_root: bool) -> bool {
    if table.is_dotted() {
        return false;
    }
    let mut items = table.iter().map(|(_, item)| item);
    let has_inline = table.iter().any(|(_, item)| item.is_inline_table());
    let is_header = |item: &Item| match item {
        Item::Table(table) => !table.is_dotted(),
        item => item.is_array_of_tables(),
    };
    items.any(is_header) || is_root && !has_inline
}

/// Returns the indentation of the last entry of `table`.
fn indent(table: &dyn TableLike) -> String {
    let last = table.iter().last().and_then(|(name, _)| table.key(name));
    last.map_or(String::new(), |key| last_line(&prefix(key.leaf_decor())))
}

/// A table, whose entries are on lines of their own or between braces.
enum Entries<'t> {
    Lines(&'t mut Table),
    Inline(&'t mut InlineTable),
}

impl Entries<'_> {
    fn like(&mut self) -> &mut dyn TableLike {
        match self {
            Entries::Lines(table) => *table,
            Entries::Inline(table) => *table,
        }
    }

    /// Adds an entry at the end. `TableLike` does not keep the form of keys in inline tables.
    fn put(&mut self, key: &Key, item: Item) {
        match (self, item) {
            (Entries::Lines(table), item) => drop(table.insert_formatted(key, item)),
            (Entries::Inline(table), Item::Value(value)) => {
                table.insert_formatted(key, value);
            }
            (Entries::Inline(_), _) => {}
        }
    }

    /// Gives the entries the order of `names`.
    fn reorder<'n>(&mut self, names: impl Iterator<Item = &'n str> + Clone) {
        if self.like().iter().map(|(name, _)| name).eq(names.clone()) {
            return;
        }
        for name in names {
            if let Some(key) = self.like().key(name).cloned()
                && let Some(item) = self.like().remove(name)
            {
                self.put(&key, item);
            }
        }
    }
}

/// Calls `act` for each table in `item` that may have a header.
fn each_table(item: &mut Item, act: &mut dyn FnMut(&mut Table)) {
    match item {
        Item::Table(table) => {
            act(table);
            table.iter_mut().for_each(|(_, item)| each_table(item, act));
        }
        Item::ArrayOfTables(tables) => {
            for table in tables.iter_mut() {
                act(table);
                table.iter_mut().for_each(|(_, item)| each_table(item, act));
            }
        }
        _ => {}
    }
}

/// Gives the tables in `items` the places that they have together, in their new order.
fn place(mut items: Vec<&mut Item>) {
    let mut places = Vec::new();
    let mut each = |act: &mut dyn FnMut(&mut Table)| {
        items.iter_mut().for_each(|item| each_table(item, act));
    };
    each(&mut |table| places.extend(table.position().map(|at| (at, prefix(table.decor())))));
    let first = places.iter().min().cloned();
    let mut old: Vec<isize> = places.into_iter().map(|(at, _)| at).collect();
    old.sort_unstable();
    let mut old = old.into_iter();
    // If the first table was at the start of the file, the new first one gets the comments there.
    let first = first.filter(|(_, lead)| !lead.starts_with('\n'));
    each(&mut |table| {
        let Some(was) = table.position() else { return };
        table.set_position(old.next());
        let Some((at, lead)) = &first else { return };
        let (free, owned) = lead.split_at(lead.rfind("\n\n").map_or(0, |at| at + 2));
        if was == *at && table.position() != Some(was) {
            table.decor_mut().set_prefix(format!("\n{owned}"));
        } else if was != *at && table.position() == Some(*at) {
            let own = prefix(table.decor());
            table.decor_mut().set_prefix(format!("{free}{}", own.trim_start_matches('\n')));
        }
    });
}

fn prefix(decor: &Decor) -> String {
    decor.prefix().and_then(|text| text.as_str()).unwrap_or_default().to_owned()
}

fn suffix(decor: &Decor) -> String {
    decor.suffix().and_then(|text| text.as_str()).unwrap_or_default().to_owned()
}

/// Returns what follows the last line break of `text`.
fn last_line(text: &str) -> String {
    text.rsplit('\n').next().unwrap_or_default().to_owned()
}

/// The blanks in an inline table: after its first bracket, after its commas, and before the last
/// bracket.
type Ends = [String; 3];

/// Returns these blanks, unless `table` is empty.
fn ends(table: &dyn TableLike) -> Option<Ends> {
    let values = table.get_values();
    let (first, last) = (values.first()?, values.last()?);
    let lead = |keys: &[&Key]| keys.last().map_or(String::new(), |key| prefix(key.leaf_decor()));
    let second = values.get(1).map_or(" ".to_owned(), |(keys, _)| lead(keys));
    Some([lead(&first.0), second, suffix(last.1.decor())])
}

/// Writes the blanks `ends` again, after entries were added or removed.
fn set_ends(table: &mut dyn TableLike, ends: &Ends) {
    let [first, second, last] = ends;
    let count = table.len();
    for (at, (mut key, item)) in table.iter_mut().enumerate() {
        let is_blank = |text: &str| text.bytes().all(|byte| byte == b' ');
        let decor = key.leaf_decor_mut();
        if is_blank(&prefix(decor)) {
            decor.set_prefix(if at == 0 { &first[..] } else { second });
            if decor.suffix().is_none() {
                decor.set_suffix(" ");
            }
        }
        if let Item::Value(value) = item
            && is_blank(&suffix(value.decor()))
        {
            if value.decor().prefix().is_none() {
                value.decor_mut().set_prefix(" ");
            }
            value.decor_mut().set_suffix(if at + 1 == count { last } else { "" });
        }
    }
}

/// The blanks and comments of an array.
struct Layout {
    /// What precedes each value: line breaks, blanks, and comments on lines of their own.
    leads: Vec<String>,
    /// What follows each value before its comma.
    suffixes: Vec<String>,
    /// The comment after each value or its comma, on its line.
    comments: Vec<String>,
    /// What precedes the closing bracket.
    end: String,
}

impl Layout {
    fn of(array: &Array) -> Layout {
        let count = array.len();
        let mut layout = Layout {
            leads: array.iter().map(|value| prefix(value.decor())).collect(),
            suffixes: array.iter().map(|value| suffix(value.decor())).collect(),
            comments: vec![String::new(); count],
            end: array.trailing().as_str().unwrap_or_default().to_owned(),
        };
        for at in 0..count {
            let is_last = at + 1 == count;
            let own = &mut layout.suffixes[at];
            let own =
                if is_last || own.contains(['#', '\n']) { mem::take(own) } else { String::new() };
            let next = if is_last { &mut layout.end } else { &mut layout.leads[at + 1] };
            next.insert_str(0, &own);
            let line = next.find('\n').unwrap_or(next.len());
            if next[..line].contains('#') {
                layout.comments[at] = next.drain(..line).collect();
            }
        }
        layout
    }

    /// Returns what precedes and what follows the value at `slot`. `at` is its old index.
    fn around(&self, slot: usize, at: Option<usize>) -> (String, String) {
        let is_multiline = self.leads.iter().any(|lead| lead.contains('\n'));
        let lead = at.map(|at| &self.leads[at]);
        let lead = match (slot, is_multiline) {
            (_, true) => lead.cloned().unwrap_or_else(|| {
                let lead = self.leads.iter().rev().find(|lead| lead.contains('\n'));
                format!("\n{}", lead.map_or(String::new(), |lead| last_line(lead)))
            }),
            (0, false) => self.leads.first().cloned().unwrap_or_default(),
            (_, false) => self.leads.get(1).cloned().unwrap_or_else(|| " ".to_owned()),
        };
        (lead, at.map_or(String::new(), |at| self.comments[at].clone()))
    }
}

//! Reads XML.

use super::flow::{DEPTH_MAX, Flow, Wrong};
use roxmltree::{Document, Node, ParsingOptions};

/// Converts `text` to a mapping with one key, the name of the root element.
pub fn convert(text: &str) -> Result<Flow, Wrong> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = offset(text, error.pos());
        let message = error.to_string();
        // The place is shown with the line.
        let message = message.split(" at ").next().unwrap_or(&message).to_owned();
        Wrong::new(at..at + 1, message)
    })?;
    let mut flow = Flow::default();
    flow.each(['{', '}'], [document.root_element()], |flow, root| {
        flow.key(name(text, root));
        write_element(flow, text, root, 1)
    })?;
    Ok(flow)
}

/// Returns the offset of a position, which counts lines and columns from 1.
fn offset(text: &str, position: roxmltree::TextPos) -> usize {
    let row = position.row.saturating_sub(1) as usize;
    let start: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
    let column = position.col.saturating_sub(1) as usize;
    let line = &text[start.min(text.len())..];
    start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}

/// Returns the name of `element` with its prefix.
fn name<'t>(text: &'t str, element: Node<'_, '_>) -> &'t str {
    let start = element.range().start + 1;
    let end = |ch: char| ch.is_whitespace() || matches!(ch, '/' | '>');
    text.get(start..).and_then(|rest| rest.split(end).next()).unwrap_or("")
}

/// A part of an element that becomes an entry of a mapping.
enum Entry<'a, 'i> {
    Attribute(&'a str, &'a str),
    Text(String),
    Elements(&'a str, Vec<Node<'a, 'i>>),
}

/// Writes the value of `element`: null, its text, or a mapping of its attributes and elements.
fn write_element<'a>(
    flow: &mut Flow,
    text: &'a str,
    element: Node<'a, '_>,
    depth: usize,
) -> Result<(), Wrong> {
    if depth > DEPTH_MAX {
        let message = format!("elements are nested more than {DEPTH_MAX} levels deep");
        return Err(Wrong::new(element.range().start..element.range().start + 1, message));
    }
    let content: String =
        element.children().filter(Node::is_text).filter_map(|node| node.text()).collect();
    let mut entries: Vec<Entry<'_, '_>> = element
        .attributes()
        .map(|attribute| Entry::Attribute(&text[attribute.range_qname()], attribute.value()))
        .collect();
    let has_elements = element.children().any(|child| child.is_element());
    if entries.is_empty() && !has_elements {
        match content.is_empty() {
            true => flow.nothing(),
            false => flow.text(&content),
        }
        return Ok(());
    }
    if has_elements && let Some(mixed) = first_text(element) {
        return Err(beside_elements(text, element, mixed));
    }
    if !has_elements && !content.is_empty() {
        entries.push(Entry::Text(content));
    }
    group(text, element, &mut entries);
    flow.each(['{', '}'], entries, |flow, entry| write_entry(flow, text, &entry, depth))
}

/// Returns the mistake that `mixed`, a text, is beside the elements of `element`.
fn beside_elements(text: &str, element: Node<'_, '_>, mixed: Node<'_, '_>) -> Wrong {
    let content = mixed.text().unwrap_or_default();
    let start = mixed.range().start + (content.len() - content.trim_start().len());
    let name = name(text, element);
    let message = format!("text beside the elements of `{name}` has no place in a mapping");
    Wrong::new(start..start + 1, message).help("Documents such as HTML cannot be converted.")
}

/// Adds the elements in `element` to `entries`. Elements with the same name are one entry.
fn group<'a, 'i>(text: &'a str, element: Node<'a, 'i>, entries: &mut Vec<Entry<'a, 'i>>) {
    for child in element.children().filter(Node::is_element) {
        let child_name = name(text, child);
        let same = entries.iter_mut().find_map(|entry| match entry {
            Entry::Elements(name, all) if *name == child_name => Some(all),
            _ => None,
        });
        match same {
            Some(all) => all.push(child),
            None => entries.push(Entry::Elements(child_name, vec![child])),
        }
    }
}

/// Writes an entry of an element that is `depth` levels deep.
fn write_entry(
    flow: &mut Flow,
    text: &str,
    entry: &Entry<'_, '_>,
    depth: usize,
) -> Result<(), Wrong> {
    match entry {
        Entry::Attribute(name, value) => {
            flow.key(&format!("@{name}"));
            flow.text(value);
            Ok(())
        }
        Entry::Text(content) => {
            flow.key("#text");
            flow.text(content);
            Ok(())
        }
        Entry::Elements(name, all) => {
            flow.key(name);
            match &all[..] {
                [one] => write_element(flow, text, *one, depth + 1),
                all => flow.each(['[', ']'], all, |flow, each| {
                    write_element(flow, text, *each, depth + 1)
                }),
            }
        }
    }
}

/// Returns the first text in `element` that is not white space.
fn first_text<'a, 'i>(element: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    element
        .children()
        .find(|child| child.is_text() && child.text().is_some_and(|text| !text.trim().is_empty()))
}

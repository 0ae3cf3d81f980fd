//! Writing new flow collections on several lines if their siblings are.

use super::lines::{Entry, entries, line_start, skip_blanks, skip_trivia, starts_line};
use super::scene::Scene;
use super::tree::Shape;
use super::write::{Padding, Spacing, Writer};

/// The maximum number of entries of the models whose blanks are read.
const ENTRIES_SEEN: usize = 8;

/// The layout of a flow collection whose entries and closing bracket each start a line.
struct Layout<'t> {
    /// The indentation of the line with the closing bracket.
    indent: &'t str,
    /// The additional indentation of the entries.
    step: &'t str,
    /// Whether a comma follows the last entry.
    has_comma: bool,
}

/// Formats the value of `writer` in flow style, with blanks like those of the nodes `models`.
/// It is on several lines if the first filled flow collection among the models is.
pub(super) fn flow_like(
    scene: &Scene,
    writer: &Writer<'_>,
    models: impl IntoIterator<Item = usize>,
) -> String {
    let root = writer.value.root;
    if writer.value.children().is_empty() {
        return writer.flow(root);
    }
    let models: Vec<usize> = models.into_iter().collect();
    let model = models.iter().copied().find(|&model| is_filled_flow(scene, model));
    let writer = &Writer { spacing: spacing(scene, &models), ..*writer };
    match model.and_then(|model| Some((layout_of(scene, model)?, model))) {
        Some((layout, model)) => {
            spread(scene, (writer, root), (&layout, Some(model)), layout.indent)
        }
        None => writer.flow(root),
    }
}

/// Returns the blanks for new flow collections on one line. Each kind is taken from the first
/// of these that shows it: the models, their entries, and the collection that contains the
/// first model.
fn spacing<'t>(scene: &'t Scene, models: &[usize]) -> Spacing<'t> {
    let mut spacing = Spacing::default();
    let nodes = &scene.tree.nodes;
    let inner = models.iter().flat_map(|&model| nodes[model].children.iter().copied());
    for at in models.iter().copied().chain(inner.take(ENTRIES_SEEN)) {
        if is_filled_flow(scene, at) {
            add_padding(scene, at, &mut spacing);
            add_separators(scene, at, 0, &mut spacing);
        }
    }
    let outer = models.first().and_then(|&model| scene.entry_of(model));
    if let Some((parent, index, _)) = outer.filter(|(parent, ..)| is_filled_flow(scene, *parent)) {
        add_separators(scene, parent, index.saturating_sub(1), &mut spacing);
    }
    spacing
}

/// Sets the blanks inside the brackets in `spacing` to those of the flow collection `at`,
/// unless they are known already.
fn add_padding<'t>(scene: &'t Scene, at: usize, spacing: &mut Spacing<'t>) {
    let (text, node) = (scene.text.as_bytes(), &scene.tree.nodes[at]);
    let first = entries(text, &scene.tree, at)[0];
    let blanks = |at: usize| &scene.text[at..skip_blanks(text, at)];
    let padding = blanks(node.content + 1);
    let close = node.end - 1;
    let is_padded = node.content + 1 + padding.len() == first.start
        && scene.text[..close].ends_with(padding)
        && scene.text[..close].trim_end_matches([' ', '\t']).len() + padding.len() == close;
    if is_padded {
        padding_like(scene, at, spacing).inside.get_or_insert(padding);
    }
}

/// Returns the part of `spacing` for collections with the same shape as the node `at`.
fn padding_like<'s, 't>(
    scene: &Scene,
    at: usize,
    spacing: &'s mut Spacing<'t>,
) -> &'s mut Padding<'t> {
    match scene.tree.nodes[at].shape {
        Shape::Mapping => &mut spacing.in_braces,
        _ => &mut spacing.in_brackets,
    }
}

/// Sets the blanks after commas and colons in `spacing` to those of the entry `index` of the
/// flow collection `at`, unless they are known already.
fn add_separators<'t>(scene: &'t Scene, at: usize, index: usize, spacing: &mut Spacing<'t>) {
    let text = scene.text.as_bytes();
    let all = entries(text, &scene.tree, at);
    let blanks = |at: usize| &scene.text[at..skip_blanks(text, at)];
    let first = all[index];
    if let Some(second) = all.get(index + 1) {
        let comma = skip_blanks(text, first.end);
        let gap = blanks((comma + 1).min(second.start));
        if text[comma] == b',' && comma + 1 + gap.len() == second.start {
            padding_like(scene, at, spacing).after_comma.get_or_insert(gap);
        }
    }
    if let Some(mark) = first.after_mark {
        let gap = blanks(mark);
        if mark + gap.len() == scene.tree.nodes[first.value].start && mark < first.end {
            spacing.after_colon.get_or_insert(gap);
        }
    }
}

/// Returns the values of the entries directly before and after the entry with the index
/// `index`.
pub(super) fn values_beside(all: &[Entry], index: usize) -> impl Iterator<Item = usize> {
    let before = index.checked_sub(1).and_then(|before| all.get(before));
    before.into_iter().chain(all.get(index + 1)).map(|entry| entry.value)
}

/// Returns whether `node` is a flow collection with brackets and at least one entry.
pub(super) fn is_filled_flow(scene: &Scene, node: usize) -> bool {
    let node = &scene.tree.nodes[node];
    node.is_flow && node.event.len > 0 && !node.children.is_empty()
}

/// Returns the layout of the flow collection `at`; `None` unless its entries and its closing
/// bracket each start a line.
fn layout_of(scene: &Scene, at: usize) -> Option<Layout<'_>> {
    let (text, close) = (scene.text.as_bytes(), scene.tree.nodes[at].end - 1);
    let all = entries(text, &scene.tree, at);
    let (first, last) = (all.first()?, all.last()?);
    let is_spread =
        starts_line(text, close) && all.iter().all(|entry| starts_line(text, entry.start));
    let blanks = |at: usize| {
        let line = line_start(text, at);
        &scene.text[line..skip_blanks(text, line)]
    };
    let indent = blanks(close);
    let step = blanks(first.start).strip_prefix(indent).filter(|step| !step.is_empty())?;
    let has_comma = text.get(skip_trivia(text, last.end)) == Some(&b',');
    is_spread.then_some(Layout { indent, step, has_comma })
}

/// Formats the node `at` of a new value on several lines. Collections in it get the layouts of
/// their counterparts in `model`; those without a counterpart are on several lines, too.
fn spread(
    scene: &Scene,
    (writer, at): (&Writer<'_>, usize),
    (layout, model): (&Layout<'_>, Option<usize>),
    indent: &str,
) -> String {
    let node = &writer.value.tree.nodes[at];
    let inner = format!("{indent}{}", layout.step);
    let part = |key: Option<usize>, part: usize| {
        if writer.value.tree.nodes[part].children.is_empty() {
            return writer.flow(part);
        }
        let model = model.and_then(|model| counterpart(scene, model, writer, (key, part)));
        match model.is_some_and(|model| layout_of(scene, model).is_none()) {
            true => writer.flow(part),
            false => spread(scene, (writer, part), (layout, model), &inner),
        }
    };
    let is_mapping = node.shape == Shape::Mapping;
    let parts = node.children.chunks_exact(if is_mapping { 2 } else { 1 });
    let parts = parts.map(|entry| match *entry {
        [key, value] => writer.pair(key, &part(Some(key), value)),
        _ => part(None, entry[0]),
    });
    let parts = parts.collect::<Vec<_>>().join(&format!(",\n{inner}"));
    let (open, close) = if is_mapping { ('{', '}') } else { ('[', ']') };
    let comma = if layout.has_comma { "," } else { "" };
    let properties = writer.properties(at);
    let blank = if properties.is_empty() { "" } else { " " };
    format!("{properties}{blank}{open}\n{inner}{parts}{comma}\n{indent}{close}")
}

/// Returns the collection in `model` whose layout the collection `part` of a new value should
/// get: the value of the same key or, failing that, the first collection of the same shape.
fn counterpart(
    scene: &Scene,
    model: usize,
    writer: &Writer<'_>,
    (key, part): (Option<usize>, usize),
) -> Option<usize> {
    let (tree, new) = (&scene.tree, &writer.value.tree);
    let children = &tree.nodes[model].children;
    let is_like = |&child: &usize| {
        is_filled_flow(scene, child) && tree.nodes[child].shape == new.nodes[part].shape
    };
    let same = match (key, tree.nodes[model].shape) {
        (Some(key), Shape::Mapping) => {
            let mut pairs = children.chunks_exact(2);
            pairs.find(|pair| tree.content(pair[0]) == new.content(key)).map(|pair| pair[1])
        }
        _ => None,
    };
    same.filter(is_like).or_else(|| children.iter().copied().find(is_like))
}

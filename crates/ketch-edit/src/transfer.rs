//! Moving and copying entries, together with their comments.

use super::aliases::NameCounts;
use super::error::{EditError, EditErrorKind};
use super::index::index_of;
use super::lines::{
    Entry, block_start, entries, follows_comma, line_start, lines_end, owned_end, shifted,
    skip_blanks, starts_line,
};
use super::operation::{Action, Destination, Operation, Spelling, Transfer};
use super::pieces::Patch;
use super::scene::{Place, Plan, Scene, Slot, aliases};
use super::tree::{Shape, Token};
use super::write::{Traits, Value, key_source, quoted};
use super::{anchors, removal, sort};
use ketch_yaml::EventKind;
use ketch_yaml::path::Step;
use std::collections::HashSet;

/// A node that is moved or copied, as it was before the operation.
pub(super) struct Lifted {
    pub value: Value,
    lines: Option<Lines>,
    comments: OwnComments,
    /// Whether the node contains neither anchors nor aliases.
    pub is_plain: bool,
    /// The anchors and aliases in the node.
    pub names: Names,
    /// The source of its key, if it has one that is a scalar.
    key: Option<String>,
    /// Whether its key contains an anchor or an alias.
    pub is_key_named: bool,
    was_in_flow: bool,
    /// Whether it was an item of a sequence.
    is_item: bool,
}

/// The lines of an entry as they were.
struct Lines {
    /// The comment lines above the entry.
    leading: Vec<String>,
    /// The text after its colon or dash, including comments.
    rest: String,
    /// The column of the entry.
    column: usize,
    /// The column of the block collection in it, if there is one.
    content: Option<usize>,
}

/// The names of the anchors and aliases in a node.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names of the anchors.
    pub anchors: HashSet<String>,
    /// The names of the aliases that refer to anchors before the node.
    pub outer: HashSet<String>,
}

impl Lifted {
    /// Returns whether the node lacks a key in the mapping that it goes to. `key` is its new key,
    /// or `None` if it goes to a sequence.
    pub fn lacks_key(&self, operation: &Operation, key: Option<&str>) -> bool {
        let action = &operation.action;
        let has_new = action.key().is_some() || action.target().is_some();
        self.is_item && !has_new && key.is_some()
    }
}

impl Lifted {
    /// Returns the source of the key that the node gets in its new collection; `None` in a
    /// sequence. A number as the last step of `target` becomes text if the old key is text or the
    /// document is JSON.
    pub fn new_key(
        &self,
        operation: &Operation,
        is_sequence: bool,
        is_json: bool,
    ) -> Option<String> {
        if is_sequence {
            return None;
        }
        let was_text = self.key.as_ref().is_some_and(|key| key.starts_with('"'));
        if let Some(target) = operation.action.target() {
            return target.last().map(|step| key_source(step, was_text || is_json));
        }
        let old = || operation.path.last().map(|step| key_source(step, is_json));
        let new = operation.action.key().map(str::to_owned);
        new.or_else(|| self.key.clone()).or_else(old)
    }
}

impl Names {
    fn of(tokens: &[Token]) -> Names {
        let mut names = Names::default();
        for token in tokens {
            match token {
                Token::Anchor(name) => drop(names.anchors.insert(name.clone())),
                Token::Alias(name) if !names.anchors.contains(name) => {
                    names.outer.insert(name.clone());
                }
                _ => {}
            }
        }
        names
    }

    /// Returns whether all aliases keep their meaning wherever the node is put, provided that it
    /// comes after the anchors to which its own aliases refer. `others` are the names in the whole
    /// text without the node.
    pub fn are_free(&self, others: &NameCounts) -> bool {
        self.anchors.iter().all(|name| others.aliases(name) == 0 && !self.outer.contains(name))
            && self.outer.iter().all(|name| others.anchors(name) == 1)
    }
}

/// The comments of an entry, each with its `#`. The trailing one includes the blanks before it.
#[derive(Default)]
struct OwnComments {
    leading: Vec<String>,
    trailing: String,
}

/// Returns whether an operation moves an entry to the place where it is. Neighbours in a
/// mapping are not considered.
fn is_in_place(scene: &Scene, operation: &Operation) -> Result<bool, EditError> {
    let node = scene.existing(operation, &operation.path)?;
    let Some((parent, index, entry)) = scene.entry_of(node) else { return Ok(false) };
    let count = scene.tree.nodes[parent].children.len() / if entry.key.is_some() { 2 } else { 1 };
    Ok(keeps_place(operation, (index, count), entry.key.is_some()))
}

/// Moves or copies an entry to another collection, or within its own one.
pub(super) fn transfer(
    scene: &mut Scene,
    operation: &Operation,
    transfer: &Transfer,
) -> Result<(), EditError> {
    if is_in_place(scene, operation)? {
        return Ok(());
    }
    let lifted = lift(scene, operation)?;
    let is_move = matches!(operation.action, Action::Move(_));
    if is_move && destination(operation).starts_with(&operation.path) {
        let error = EditError::plain(EditErrorKind::BadOperation);
        return Err(error.with_detail("a node cannot be moved into itself".to_owned()));
    }
    // The position of an error must be that in the text before the removal.
    if let Destination::Into(parent) = &transfer.to {
        let parent = scene.existing(operation, parent)?;
        scene.index_for(operation, scene.followed(operation, parent)?)?;
    }
    let before = (!lifted.is_plain).then(|| references(&scene.tree.tokens));
    scene.are_aliases_loose = before.is_some();
    let removed = if is_move { removed_index(scene, operation)? } else { None };
    if is_move {
        scene.was_apart = are_two_apart(scene, operation)?;
        removal::delete(scene, operation, &operation.path)?;
    }
    let (place, placed) = place_of(scene, operation, removed, &lifted)?;
    if lifted.lacks_key(operation, place.key.as_deref()) {
        let error = EditError::plain(EditErrorKind::BadOperation);
        return Err(error.with_detail("an item that goes into a mapping needs `key`".to_owned()));
    }
    let at = put(scene, &placed, &place, &lifted.value)?;
    scene.are_aliases_loose = false;
    if let Some(before) = before {
        check_references(scene, before, is_move)?;
    }
    restore_entry(scene, operation, &place, at, &lifted)
}

/// Returns whether an operation moves one of two entries within their collection, and a blank
/// line separates them.
fn are_two_apart(scene: &Scene, operation: &Operation) -> Result<bool, EditError> {
    if !stays_in_collection(operation) {
        return Ok(false);
    }
    let node = scene.existing(operation, &operation.path)?;
    let Some((parent, ..)) = scene.entry_of(node) else { return Ok(false) };
    let all = entries(scene.text.as_bytes(), &scene.tree, parent);
    Ok(all.len() == 2 && !scene.tree.nodes[parent].is_flow && scene.are_apart(parent, &all))
}

/// Reads the node that an operation moves or copies, with everything that is kept of it.
pub(super) fn lift(scene: &Scene, operation: &Operation) -> Result<Lifted, EditError> {
    let node = scene.existing(operation, &operation.path)?;
    lift_node(scene, node, matches!(operation.action, Action::Move(_)))
}

/// Reads the entry with the value `node`, with its anchors if `is_move` is set.
pub(super) fn lift_node(scene: &Scene, node: usize, is_move: bool) -> Result<Lifted, EditError> {
    let Some((_, _, entry)) = scene.entry_of(node) else {
        return Err(scene.refuse(EditErrorKind::KindMismatch, scene.tree.nodes[node].start));
    };
    let traits = Traits { styles: true, tags: true, anchors: is_move, spelling: Spelling::Free };
    let is_reference = |token: &Token| matches!(token, Token::Anchor(_) | Token::Alias(_));
    Ok(Lifted {
        value: Value::copy(&scene.text, &scene.tree, node, traits)?,
        lines: lines_of(scene, node, &entry, is_move),
        comments: own_comments(scene, node, &entry),
        is_plain: !scene.tree.whole(node).iter().any(is_reference),
        names: Names::of(scene.tree.whole(node)),
        was_in_flow: scene.is_in_flow(node),
        is_item: entry.key.is_none(),
        key: entry.key.and_then(|key| key_source_of(scene, key)),
        is_key_named: entry.key.is_some_and(|key| scene.tree.whole(key).iter().any(is_reference)),
    })
}

/// Returns the source of a new key that equals the node `key`; `None` if that is not a scalar.
fn key_source_of(scene: &Scene, key: usize) -> Option<String> {
    let node = &scene.tree.nodes[key];
    match scene.tree.content(key) {
        [Token::Text(text)] => Some(quoted(text, EventKind::DoubleQuoted)),
        [Token::Value(_)] if !node.is_absent() => {
            Some(scene.text[node.content..node.end].to_owned())
        }
        _ => None,
    }
}

/// Returns the index of the node that an operation moves, if it is an item of a sequence.
fn removed_index(scene: &Scene, operation: &Operation) -> Result<Option<usize>, EditError> {
    let node = scene.existing(operation, &operation.path)?;
    let Some(parent) = scene.tree.nodes[node].parent else { return Ok(None) };
    let parent = &scene.tree.nodes[parent];
    let at = parent.children.iter().position(|&child| child == node);
    Ok(at.filter(|_| parent.shape == Shape::Sequence))
}

/// Returns the place of the node and the operation that puts it there, both after its removal
/// from its old collection. If that is a sequence, `removed` is the index that the node had.
fn place_of(
    scene: &Scene,
    operation: &Operation,
    removed: Option<usize>,
    lifted: &Lifted,
) -> Result<(Place, Operation), EditError> {
    let (parents, placed) = after_removal(operation, removed);
    let parent = scene.existing(operation, &parents)?;
    let parent = scene.followed(operation, parent)?;
    let is_sequence = scene.tree.nodes[parent].shape == Shape::Sequence;
    let key = lifted.new_key(operation, is_sequence, scene.habits().is_json);
    Ok((Place { parents, key }, placed))
}

/// Inserts `value` at `place`. Returns the index of the new entry; `None` if the entry is the
/// last one or is found by its key.
pub(super) fn put(
    scene: &mut Scene,
    operation: &Operation,
    place: &Place,
    value: &Value,
) -> Result<Option<usize>, EditError> {
    let parent = scene.existing(operation, &place.parents)?;
    let parent = scene.followed(operation, parent)?;
    let node = &scene.tree.nodes[parent];
    let target = match &operation.action {
        Action::Add(_) => Some(&operation.path[..]),
        action => action.target(),
    };
    if let Some(target) = target {
        let count = node.children.len();
        let mut path = target.to_vec();
        if let (Some(Step::Name(name)), Some(key)) = (target.last(), &place.key)
            && key.starts_with('"')
            && !scene.leads_to_node(operation, target)
        {
            path.pop();
            path.push(Step::Key(name.clone()));
        }
        scene.add(operation, &path, value)?;
        let at = target.last().and_then(index_of).and_then(|at| usize::try_from(at).ok());
        return Ok(at.filter(|&at| at < count));
    }
    if node.shape == Shape::Scalar && !scene.is_null(parent) {
        return Err(scene.refuse(EditErrorKind::KindMismatch, node.start));
    }
    if node.shape == Shape::Scalar {
        scene.fill_empty(parent, place.key.as_deref(), value)?;
        return Ok(None);
    }
    let key = place.key.as_deref();
    let at = scene.index_for(operation, parent)?;
    let slot = Slot { at, is_after: operation.action.position().is_after() };
    scene.insert_at(parent, key, value, slot)?;
    Ok(at)
}

/// Returns an error if an alias refers to another node than before the operation, or to none.
fn check_references(
    scene: &Scene,
    before: Vec<(String, Option<Vec<Token>>)>,
    is_move: bool,
) -> Result<(), EditError> {
    let after = references(&scene.tree.tokens);
    let is_lost = after.iter().any(|(_, target)| target.is_none());
    let had_lost = before.iter().any(|(_, target)| target.is_none());
    if is_lost && !had_lost {
        return Err(EditError::plain(EditErrorKind::AnchorInUse)
            .with_detail("an alias would come before its anchor".to_owned()));
    }
    let is_same = match is_move {
        true => after == before,
        // A copy may add aliases.
        false => after.len() >= before.len(),
    };
    match is_same {
        true => Ok(()),
        false => Err(EditError::plain(EditErrorKind::WouldChangeMeaning)),
    }
}

/// Returns the lines of `entry` as they are, without anchors unless `with_anchor` is set.
/// Returns `None` if the entry is in a flow collection, or has no colon or dash.
fn lines_of(scene: &Scene, node: usize, entry: &Entry, with_anchor: bool) -> Option<Lines> {
    let text = scene.text.as_bytes();
    if scene.is_in_flow(node) {
        return None;
    }
    let line = line_start(text, entry.start);
    let column = entry.start - line;
    let leading = match starts_line(text, entry.start) {
        true => &scene.text[block_start(text, entry.start)..line],
        false => "",
    };
    let mark = entry.after_mark?;
    let found = &scene.tree.nodes[node];
    let end = scene.trimmed(owned_end(text, &scene.tree, entry)).max(mark);
    let rest = match with_anchor {
        true => scene.text[mark..end].to_owned(),
        false => anchors::without_anchors(scene, mark..end),
    };
    let is_block = !found.is_flow && !found.children.is_empty();
    Some(Lines {
        leading: leading.lines().map(str::to_owned).collect(),
        rest,
        column,
        content: is_block.then(|| scene.column(found.content)),
    })
}

/// Writes a moved entry again as it was, at its new column, if this does not change its
/// meaning. If moving its lines would change it, the entry stays as newly written. `at` is its
/// index, or `None` if it is the last entry or has a key.
pub(super) fn restore_entry(
    scene: &mut Scene,
    operation: &Operation,
    place: &Place,
    at: Option<usize>,
    lifted: &Lifted,
) -> Result<(), EditError> {
    let Some((parent, entry)) = new_entry(scene, operation, place, at) else { return Ok(()) };
    let lines = lifted.lines.as_ref().filter(|_| !scene.tree.nodes[parent].is_flow);
    match lines.and_then(|lines| old_lines(scene, parent, &entry, lines)) {
        Some((patch, fallback)) => {
            let whole = Plan::of_layout(vec![patch]);
            if scene.commit(whole).is_err() {
                let _ = scene.commit(Plan::of_layout(vec![fallback]));
            }
        }
        None => {
            let patches = comment_patches(scene, parent, &entry, lifted)?;
            let _ = scene.commit(Plan::of_layout(patches));
        }
    }
    Ok(())
}

/// Returns the comments that belong to `entry`. In a flow collection, an entry has comments
/// only if it is the first one on its line or after the bracket.
fn own_comments(scene: &Scene, node: usize, entry: &Entry) -> OwnComments {
    let text = scene.text.as_bytes();
    let is_in_flow = scene.is_in_flow(node);
    let first = first_on_line(scene, entry);
    if is_in_flow && first.is_none() && !follows_bracket(scene, node, entry) {
        return OwnComments::default();
    }
    let above = match first.filter(|_| !is_in_flow || ends_line(scene, entry)) {
        Some(first) => &scene.text[block_start(text, first)..line_start(text, first)],
        None => "",
    };
    let trailing = if is_in_flow {
        let trail = sort::trail(scene, entry);
        trail.blanks.start..trail.comment.end
    } else {
        let (head, end) = scene.trailing_place(node, entry);
        let comment = scene.comment_start(head, end);
        let blanks = |at: usize| scene.text[head..at].trim_end_matches([' ', '\t']).len();
        comment.map_or(end, |at| head + blanks(at))..end
    };
    OwnComments {
        leading: above.lines().map(|line| line.trim_start().to_owned()).collect(),
        trailing: scene.text[trailing].to_owned(),
    }
}

/// Returns the offset of the first byte on the line of `entry` that is not a blank, if this is
/// the entry or the comma of a flow collection before it. Returns `None` if anything else
/// precedes the entry.
fn first_on_line(scene: &Scene, entry: &Entry) -> Option<usize> {
    let text = scene.text.as_bytes();
    let first = || skip_blanks(text, line_start(text, entry.start));
    (starts_line(text, entry.start) || follows_comma(text, entry.start)).then(first)
}

/// Returns whether no other entry follows `entry`, which is in a flow collection, on its line.
fn ends_line(scene: &Scene, entry: &Entry) -> bool {
    let text = scene.text.as_bytes();
    let comma = skip_blanks(text, entry.end);
    let is_comma = text.get(comma) == Some(&b',');
    let next = if is_comma { skip_blanks(text, comma + 1) } else { comma };
    matches!(text.get(next), None | Some(b'\n' | b'\r' | b'#' | b']' | b'}'))
}

/// Returns whether only blanks are between `entry`, whose value is `node`, and the opening
/// bracket of its flow collection.
fn follows_bracket(scene: &Scene, node: usize, entry: &Entry) -> bool {
    let parent = scene.tree.nodes[node].parent.map(|parent| &scene.tree.nodes[parent]);
    let parent = parent.filter(|parent| parent.is_flow && parent.event.len > 0);
    parent
        .is_some_and(|parent| skip_blanks(scene.text.as_bytes(), parent.content + 1) >= entry.start)
}

/// Returns the patches that write the comments of a moved entry above and after it. If other
/// entries of a flow collection precede it on its line, comments from a block collection are
/// dropped, and comments from a flow collection are an error.
fn comment_patches(
    scene: &Scene,
    parent: usize,
    entry: &Entry,
    lifted: &Lifted,
) -> Result<Vec<Patch>, EditError> {
    let (text, comments) = (scene.text.as_bytes(), &lifted.comments);
    let is_flow = scene.tree.nodes[parent].is_flow;
    let mut patches = Vec::new();
    let head = match is_flow {
        true => sort::trail(scene, entry).blanks.start,
        false => scene.trailing_place(entry.value, entry).0,
    };
    let is_line_end = scene.text[head..scene.content_end(head)].trim().is_empty();
    let (trailing, above) = match is_line_end {
        true => (&*comments.trailing, ""),
        // Something follows on the line, such as the closing bracket.
        false => ("", comments.trailing.trim_start()),
    };
    let first = first_on_line(scene, entry);
    let has_above = !comments.leading.is_empty() || !above.is_empty();
    if is_flow && has_above && first.is_none() && lifted.was_in_flow {
        let error = scene.refuse(EditErrorKind::KindMismatch, entry.start);
        let message = "there is no place for the entry's comments on this line";
        return Err(error.with_detail(message.to_owned()));
    }
    if let Some(first) = first {
        let at = line_start(text, first);
        let indent = &scene.text[at..first];
        let lines = comments.leading.iter().map(|line| &**line);
        let lines = lines.chain([above].into_iter().filter(|line| !line.is_empty()));
        let lines = lines.map(|line| format!("{indent}{line}\n"));
        patches.push(Patch { at: at..at, new: lines.collect() });
    }
    patches.push(Patch { at: head..head, new: trailing.to_owned() });
    Ok(patches)
}

/// Returns the collection that an entry was moved or copied into, and the entry there.
fn new_entry(
    scene: &Scene,
    operation: &Operation,
    place: &Place,
    at: Option<usize>,
) -> Option<(usize, Entry)> {
    let parent = scene.existing(operation, &place.parents).ok()?;
    let parent = scene.followed(operation, parent).ok()?;
    let all = entries(scene.text.as_bytes(), &scene.tree, parent);
    let key = place.key.as_deref().map(Value::parse).transpose().ok()?;
    let entry = match (&key, at) {
        (Some(key), _) => all.iter().find(|entry| {
            entry.key.is_some_and(|other| scene.tree.content(other) == key.tokens())
        })?,
        (None, Some(at)) => all.get(at)?,
        (None, None) => all.last()?,
    };
    Some((parent, *entry))
}

/// Returns two patches that write the new entry as it was: one with the comments above it, and
/// one without them.
fn old_lines(scene: &Scene, parent: usize, entry: &Entry, lines: &Lines) -> Option<(Patch, Patch)> {
    let text = scene.text.as_bytes();
    let step = if scene.tree.nodes[parent].shape == Shape::Mapping { 2 } else { 1 };
    let column = scene.column(entry.start);
    let mark = entry.after_mark?;
    let head = &scene.text[entry.start..mark];
    let content = scene.tree.nodes[entry.value].content;
    let delta = match lines.content {
        Some(old) => (old, scene.column(content)),
        None => (lines.column, column),
    };
    let rest = shifted_rest(lines, delta, step == 2);
    let at = scene.trimmed(lines_end(text, entry));
    let indent = " ".repeat(column);
    let mut above: String =
        lines.leading.iter().map(|line| format!("{}\n{indent}", line.trim_start())).collect();
    let new = format!("{head}{rest}");
    let plain = Patch { at: entry.start..at, new: new.clone() };
    above.push_str(&new);
    Some((Patch { at: entry.start..at, new: above }, plain))
}

/// Returns the path of the collection that a node is moved or copied into.
pub(super) fn destination(operation: &Operation) -> &[Step] {
    match operation.action.transfer().map(|transfer| &transfer.to) {
        Some(Destination::At(target)) => &target[..target.len().saturating_sub(1)],
        Some(Destination::Into(parent)) => parent,
        None => &[],
    }
}

/// Returns whether an operation moves or copies an entry within its collection.
pub(super) fn stays_in_collection(operation: &Operation) -> bool {
    operation.path.split_last().is_some_and(|(_, old)| destination(operation) == old)
}

/// Returns whether an operation moves an entry to the place where it is. It is at `index`, in a
/// collection of `count` entries, which is a mapping if `is_pair` is set.
pub(super) fn keeps_place(
    operation: &Operation,
    (index, count): (usize, usize),
    is_pair: bool,
) -> bool {
    let Action::Move(Transfer { to: Destination::Into(_), key: None, position }) =
        &operation.action
    else {
        return false;
    };
    if !stays_in_collection(operation) {
        return false;
    }
    if let Some(neighbor) = position.neighbor() {
        let is_before = !position.is_after();
        return match (is_pair, neighbor.parse::<usize>()) {
            (true, _) => operation.path.last().is_some_and(|own| names(own, neighbor)),
            (false, Ok(at)) if is_before => at == index || at < count && at == index + 1,
            (false, Ok(at)) => at == index || at + 1 == index,
            (false, Err(_)) => false,
        };
    }
    position.index().unwrap_or(count - 1) == index
}

/// Returns whether `step` leads to the entry with the key `key`.
fn names(step: &Step, key: &str) -> bool {
    match step {
        Step::Key(name) | Step::Name(name) | Step::Plain(name) => name == key,
        Step::Index(index) => key.parse() == Ok(*index),
        _ => false,
    }
}

/// Returns the path of the collection that a node is moved or copied into, and the operation, both
/// adjusted to the removal of the node. If the node was removed from a sequence, `removed` is the
/// index that it had.
pub(super) fn after_removal(
    operation: &Operation,
    removed: Option<usize>,
) -> (Vec<Step>, Operation) {
    let mut parents = destination(operation).to_vec();
    let mut placed = operation.clone();
    let (Some(removed), Some((_, old))) = (removed, operation.path.split_last()) else {
        return (parents, placed);
    };
    let depth = old.len();
    // In RFC 6902, indices count after the removal; in `to`, they count before it.
    let counts_before = operation.action.target().is_none();
    if counts_before
        && parents.len() > depth
        && parents[..depth] == *old
        && let Some(Step::Index(index)) = parents.get_mut(depth)
    {
        *index -= i64::from(*index > removed as i64);
    }
    if counts_before
        && parents == *old
        && let Some(position) = placed.action.position_mut()
        && position.neighbor().is_some()
    {
        *position = position.shifted(true, |at| at - usize::from(at > removed));
    }
    (parents, placed)
}

/// Returns the text after the colon or dash of an entry, with its lines moved from the column
/// `from` to the column `to`.
fn shifted_rest(lines: &Lines, (from, to): (usize, usize), is_pair: bool) -> String {
    let mut rest = lines.rest.split('\n');
    let first = rest.next().unwrap_or_default();
    let mut below: Vec<String> = rest.map(|line| shifted(line, from, to)).collect();
    let is_compact = lines.content.is_some() && !first.trim().is_empty();
    let starts_content = is_compact && !first.trim_start().starts_with(['#', '&', '!']);
    match (is_pair, starts_content) {
        // After a colon, a block collection has to start on the next line.
        (true, true) => {
            below.insert(0, format!("{}{}", " ".repeat(to), first.trim_start()));
            format!("\n{}", below.join("\n"))
        }
        // After a dash, it starts on the same line if nothing else is there.
        (false, false) if first.trim().is_empty() && lines.content.is_some() => {
            let Some(next) = below.first_mut() else { return first.to_owned() };
            *next = format!(" {}", next.trim_start());
            below.join("\n")
        }
        _ => std::iter::once(first.to_owned()).chain(below).collect::<Vec<_>>().join("\n"),
    }
}

/// Returns the names of the aliases in `tokens`, sorted, each with the tokens of the node that it
/// refers to.
fn references(tokens: &[Token]) -> Vec<(String, Option<Vec<Token>>)> {
    let mut found: Vec<_> = aliases(tokens)
        .into_iter()
        .map(|(alias, target)| {
            let name = match &tokens[alias] {
                Token::Alias(name) => name.clone(),
                _ => String::new(),
            };
            (name, target.map(|target| content_after(tokens, target).to_vec()))
        })
        .collect();
    found.sort();
    found
}

/// Returns the tokens of the node whose property is at `at`, from that property on.
fn content_after(tokens: &[Token], at: usize) -> &[Token] {
    let (mut depth, mut end) = (0usize, at);
    for token in &tokens[at..] {
        end += 1;
        match token {
            Token::Anchor(_) | Token::Tag(_) => continue,
            Token::Sequence | Token::Mapping => depth += 1,
            Token::End => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    &tokens[at..end]
}

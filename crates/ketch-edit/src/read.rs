//! Reading: what a path leads to in the current text.

use super::error::EditError;
use super::index::{Target, Way};
use super::lines::{block_start, line_start, starts_line};
use super::operation::Operation;
use super::plan::{Found, is_key};
use super::scene::Scene;
use super::session::Edit;
use super::tree::{Token, Tree, meaning, parser};
use super::window::has_stand_in;
use ketch_yaml::path::Step;
use ketch_yaml::{Event, EventKind, Options, scalar};

/// The maximum number of bytes that are read to compare a key. For longer keys, the whole text is
/// needed.
const KEY_BYTES: usize = 2048;

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// No node.
    Missing,
    /// A sequence, with the number of its items.
    Sequence(usize),
    /// A mapping, with the number of its own entries.
    Mapping(usize),
    /// A scalar, an alias or an empty node. [`Edit::part`] returns the text around it.
    Node,
    /// A path whose result depends on the whole text, because of duplicate keys, merge keys,
    /// aliases, or keys that are collections.
    Unknown,
}

/// A part of the text that can be parsed on its own.
#[derive(Clone, Debug)]
pub struct Part {
    /// YAML text that contains the node.
    pub text: String,
    /// The path of the node in this text.
    pub steps: Vec<Step>,
}

/// The comments of an entry, without the `#` and the space after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// The comment on lines of its own above the entry.
    pub leading: Option<String>,
    /// The comment at the end of the entry's line.
    pub trailing: Option<String>,
}

impl Edit {
    /// Returns the number of documents in the text.
    ///
    /// # Errors
    ///
    /// The same as for [`Edit::look`].
    pub fn document_count(&mut self) -> Result<usize, EditError> {
        self.ensure_parsed(Way::new(&[], 0))?;
        if self.is_lenient() {
            return Ok(Tree::parse_as(self.current().as_bytes(), true)?.docs.len());
        }
        Ok(self.spans().len())
    }

    /// Returns what a path of keys and indices leads to in the document `doc`. Parses only those
    /// parts of the text that no earlier read or edit has indexed.
    ///
    /// ```
    /// use ketch_edit::{Edit, Look};
    /// use ketch_yaml::path::Step;
    ///
    /// let mut edit = Edit::open("ports: [80, 443]\n")?;
    /// assert_eq!(edit.look(0, &[Step::Key("ports".into())])?, Look::Sequence(2));
    /// assert_eq!(edit.look(0, &[Step::Key("hosts".into())])?, Look::Missing);
    /// # Ok::<(), ketch_edit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The parser's first error, if nothing has parsed the text yet.
    pub fn look(&mut self, doc: usize, steps: &[Step]) -> Result<Look, EditError> {
        self.ensure_parsed(Way::new(steps, doc))?;
        if self.is_lenient() {
            return Ok(Look::Unknown);
        }
        if doc >= self.spans().len() {
            return Ok(Look::Missing);
        }
        let found = self.walk(doc, steps);
        match self.takes_stop() {
            true => Err(EditError::interrupted()),
            false => Ok(found.unwrap_or(Look::Unknown)),
        }
    }

    /// Follows `steps` through the tables. Returns `None` if the whole text is needed.
    fn walk(&mut self, doc: usize, steps: &[Step]) -> Option<Look> {
        self.root_table(doc, steps)?;
        let mut at: Vec<usize> = Vec::with_capacity(steps.len() + 1);
        for (index, step) in steps.iter().enumerate() {
            if index > 0 {
                self.reach(doc, &at, steps)?;
            }
            at.push(0);
            let target = Target::new(doc, at, false);
            let table = self.levels(&target)?.last()?.table;
            at = target.at;
            let (is_mapping, merges) = (table.is_mapping, table.is_mapping && table.has_key("<<"));
            let Some(found) = self.find_in(doc, &at[..index], step)? else {
                // A merge key may provide the entry.
                return (!merges).then_some(Look::Missing);
            };
            let is_last = index + 1 == steps.len();
            if is_last && is_mapping && !self.has_key_at(self.cut_of(doc, &at, found)?, step) {
                return None;
            }
            *at.last_mut()? = found;
        }
        if !at.is_empty() && self.reach(doc, &at, steps).is_none() {
            return Some(Look::Node);
        }
        at.push(0);
        let target = Target::new(doc, at, false);
        let table = match self.levels(&target) {
            Some(levels) => levels.last()?.table,
            // The root is a scalar.
            None => return Some(Look::Node),
        };
        // Entries from a merge key would count as well.
        let merges = table.is_mapping && table.has_key("<<");
        (!merges).then_some(match table.is_mapping {
            true => Look::Mapping(table.len()),
            false => Look::Sequence(table.len()),
        })
    }

    /// Returns the cut of the entry with the index `entry` in the collection whose first entry is
    /// at `at`.
    fn cut_of(&self, doc: usize, at: &[usize], entry: usize) -> Option<usize> {
        Some(self.levels(&Target::new(doc, at.to_vec(), false))?.last()?.cut(entry))
    }

    /// Returns whether the key of the entry after `cut` is the one that `step` selects. Equal
    /// hashes do not prove it.
    fn has_key_at(&self, cut: usize, step: &Step) -> bool {
        let store = self.store();
        let mut start = store.skip_trivia(cut);
        let text = store.text(start..(start + KEY_BYTES).min(store.len()));
        let mut text = text.as_bytes();
        if text.first() == Some(&b',') {
            start = store.skip_trivia(start + 1);
            let part = store.text(start..(start + KEY_BYTES).min(store.len()));
            return first_scalar(part.as_bytes()).is_some_and(|key| is_key(&[key], step));
        }
        // The bracket of a flow collection is between its first cut and its first entry.
        while let [b'{' | b'[', rest @ ..] = text {
            text = rest;
        }
        first_scalar(text).is_some_and(|key| is_key(&[key], step))
    }

    /// Returns a part of the text that contains the node at `steps` and can be parsed on its own.
    /// Returns `None` if that would be the whole text.
    ///
    /// ```
    /// use ketch_edit::Edit;
    /// use ketch_yaml::path::Step;
    ///
    /// let text = format!("ports: [80, 443]\nrest: [{}]\n", "1, ".repeat(1000));
    /// let mut edit = Edit::open(&text)?;
    /// let part = edit.part(0, &[Step::Key("ports".into()), Step::Index(1)]).unwrap();
    /// assert!(part.text.len() < 100 && part.text.contains("443"));
    /// # Ok::<(), ketch_edit::EditError>(())
    /// ```
    #[must_use]
    pub fn part(&mut self, doc: usize, steps: &[Step]) -> Option<Part> {
        self.part_with(doc, steps, false)
    }

    /// Returns the same as [`Edit::part`], with the rest of the node's line if `with_line` is set.
    fn part_with(&mut self, doc: usize, steps: &[Step], with_line: bool) -> Option<Part> {
        self.ensure_parsed(Way::new(steps, doc)).ok()?;
        if self.is_lenient() {
            return None;
        }
        let mut target = self.target(&Operation::to_find(doc, steps))?;
        if target.at.len() < steps.len() || steps.is_empty() {
            return None;
        }
        if with_line {
            self.reach_line_end(&mut target);
        }
        let window = self.window(&target)?;
        let levels = self.levels(&target)?;
        let inner = &window.text[window.before..window.text.len() - window.after];
        if has_stand_in(inner) {
            return None;
        }
        let steps = window.steps(&levels, steps);
        Some(Part { text: window.text, steps })
    }

    /// Returns the comments of the entry at the path `steps` in the document `doc`.
    ///
    /// ```
    /// use ketch_edit::Edit;
    /// use ketch_yaml::path::Step;
    ///
    /// let mut edit = Edit::open("# the web\nport: 80  # http\n")?;
    /// let comments = edit.comments(0, &[Step::Key("port".into())])?;
    /// assert_eq!(comments.leading.as_deref(), Some("the web"));
    /// assert_eq!(comments.trailing.as_deref(), Some("http"));
    /// # Ok::<(), ketch_edit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no node at the path, or the text is not valid YAML.
    pub fn comments(&mut self, doc: usize, steps: &[Step]) -> Result<Comments, EditError> {
        let (scene, operation) = match self.part_with(doc, steps, true) {
            Some(part) => {
                (Scene::new(part.text, self.interrupt)?, Operation::to_find(0, &part.steps))
            }
            None => {
                let operation = Operation::to_find(doc, steps);
                (Scene::new(self.current().into_owned(), self.interrupt)?, operation)
            }
        };
        match scene.find(&operation, &operation.path)? {
            Found::Node(node) => Ok(comments(&scene, node)),
            // This returns an error that lists the entries that exist.
            Found::Missing { .. } => {
                scene.existing(&operation, &operation.path).map(|_| Comments::default())
            }
        }
    }
}

/// Returns the comments of the entry whose value is `node`.
fn comments(scene: &Scene, node: usize) -> Comments {
    let Some((_, _, entry)) = scene.entry_of(node) else { return Comments::default() };
    let text = scene.text.as_bytes();
    let mut comments = Comments::default();
    if starts_line(text, entry.start) {
        let lines = &scene.text[block_start(text, entry.start)..line_start(text, entry.start)];
        let each = lines.lines().map(|line| content(line.trim_start()));
        comments.leading =
            Some(each.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty());
    }
    let (head, end) = scene.trailing_place(node, &entry);
    let trailing = scene.comment_start(head, end).map(|at| &scene.text[at..end]);
    comments.trailing = trailing.map(|comment| content(comment.trim_end()).to_owned());
    comments
}

/// Returns `comment` without its `#` and the space after it.
fn content(comment: &str) -> &str {
    let text = comment.strip_prefix('#').unwrap_or(comment);
    text.strip_prefix(' ').unwrap_or(text)
}

/// Returns the first scalar of `text`, which may be cut off at its end. Returns `None` if it has a
/// tag or is an alias.
fn first_scalar(text: &[u8]) -> Option<Token> {
    let mut parser = parser(text, &Options::default()).ok()?;
    let chunk = parser.next_chunk().ok()??;
    let is_scalar = |event: &Event| {
        matches!(
            event.kind,
            EventKind::Plain
                | EventKind::SingleQuoted
                | EventKind::DoubleQuoted
                | EventKind::Literal
                | EventKind::Folded
                | EventKind::Alias
                | EventKind::Tag
        )
    };
    let mut event = chunk.events().find(is_scalar)?;
    event.start += chunk.base() as usize;
    if matches!(event.kind, EventKind::Alias | EventKind::Tag) {
        return None;
    }
    let content = scalar::content(text, &event);
    let content = String::from_utf8_lossy(&content).into_owned();
    Some(if event.kind == EventKind::Plain { meaning(&content) } else { Token::Text(content) })
}

//! New values, and formatting them.

use super::error::{EditError, EditErrorKind};
use super::habits::{Counts, Habits};
use super::operation::{NewValue, Spelling};
use super::tree::{Node, Shape, Token, Tree, meaning};
use ketch_yaml::EventKind;
use ketch_yaml::path::Step;
use ketch_yaml::present::text;
use ketch_yaml::schema::needs_quotes;

/// The maximum number of levels of a new value.
const DEPTH_MAX: usize = 100;

/// The tag of a timestamp in new values.
const TIMESTAMP: &str = "!!timestamp";

/// A value of an operation: a node of a parsed text.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub source: String,
    pub tree: Tree,
    pub root: usize,
    /// What is kept of its nodes besides their meaning.
    pub traits: Traits,
}

/// The properties of nodes that a value keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits {
    pub styles: bool,
    pub tags: bool,
    pub anchors: bool,
    pub spelling: Spelling,
}

/// Fails if `tag` is not written as a tag.
pub(super) fn check_tag(tag: &str) -> Result<(), EditError> {
    if tag.starts_with('!') && !tag.contains(char::is_whitespace) {
        return Ok(());
    }
    let error = EditError::plain(EditErrorKind::BadOperation);
    Err(error.with_detail(format!("`{tag}` is not a tag, such as `!Ref`")))
}

impl Value {
    /// Parses `source`, which must be a single document without anchors, aliases and tags. The tag
    /// `!!timestamp` is allowed; its scalar is written plain, without the tag.
    pub fn parse(source: &str) -> Result<Value, EditError> {
        let value = Value::with_tags(source)?;
        value.refuse_properties("this value cannot have tags and aliases")?;
        Ok(value)
    }

    /// Returns the error `message` if the value has tags or aliases.
    fn refuse_properties(&self, message: &str) -> Result<(), EditError> {
        let has_alias = self.tree.tokens.iter().any(|token| matches!(token, Token::Alias(_)));
        match self.traits.tags || has_alias {
            true => Err(EditError::plain(EditErrorKind::BadOperation).with_detail(message.into())),
            false => Ok(()),
        }
    }

    /// Parses `source`: one document without anchors. If `!!timestamp` is the only tag
    /// in it, the tag is not written.
    pub fn with_tags(source: &str) -> Result<Value, EditError> {
        let value = Value::with_anchors(source)?;
        if value.tree.tokens.iter().any(|token| matches!(token, Token::Anchor(_))) {
            let error = EditError::plain(EditErrorKind::BadOperation);
            return Err(error.with_detail("a value cannot have anchors".to_owned()));
        }
        Ok(value)
    }

    /// Parses `source`, as [`Value::with_tags`] does, but with anchors.
    pub fn with_anchors(source: &str) -> Result<Value, EditError> {
        let bad =
            |what: &str| EditError::plain(EditErrorKind::BadOperation).with_detail(what.to_owned());
        let is_blank = source.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        let source = if is_blank { "null" } else { source };
        let tree = Tree::parse(source.as_bytes())?;
        let root = tree.single_root()?;
        if tree.depth(root) > DEPTH_MAX {
            return Err(bad("a value can have at most 100 levels"));
        }
        let is_tag = |token: &Token| matches!(token, Token::Tag(tag) if tag != TIMESTAMP);
        let traits = Traits { tags: tree.tokens.iter().any(is_tag), ..Traits::default() };
        Ok(Value { source: source.to_owned(), tree, root, traits })
    }

    /// Parses the value `new`, and gives it its tag.
    pub fn of(new: &NewValue) -> Result<Value, EditError> {
        let mut value = match new.spelling {
            Spelling::Whole if new.tag.is_none() => return Value::of_file(&new.source),
            _ => Value::with_tags(&new.source)?,
        };
        if let Some(tag) = &new.tag {
            if value.tag().is_some() {
                let error = EditError::plain(EditErrorKind::BadOperation);
                return Err(error.with_detail("the value has a tag already".to_owned()));
            }
            if !tag.is_empty() {
                check_tag(tag)?;
            }
            value = Value::with_tags(&format!("{tag}\n{}", value.source))?;
        }
        value.traits.spelling = new.spelling;
        Ok(value)
    }

    /// Returns the node `root` of a text as a value, to be written elsewhere.
    pub fn copy(
        source: &str,
        tree: &Tree,
        root: usize,
        traits: Traits,
    ) -> Result<Value, EditError> {
        if tree.depth(root) > DEPTH_MAX {
            let error = EditError::plain(EditErrorKind::KindMismatch);
            return Err(error.with_detail("the node has more than 100 levels".to_owned()));
        }
        Ok(Value { source: source.to_owned(), tree: tree.clone(), root, traits })
    }

    /// Returns a value that is the text `text`.
    pub fn text(text: &str) -> Result<Value, EditError> {
        Value::parse(&quoted(text, EventKind::DoubleQuoted))
    }

    /// Returns the value as it is in JSON: keys that are not text become text. It is an error if
    /// the value has tags other than those of quoted text, which JSON does not need.
    pub fn for_json(mut self) -> Result<Value, EditError> {
        let mut has_tags = false;
        for at in 0..self.tree.nodes.len() {
            let is_quoted = self.tree.nodes[at].event.kind != EventKind::Plain;
            match self.tree.tag(at) {
                Some("!!str") if is_quoted => self.tree.nodes[at].tag = None,
                Some(tag) => has_tags |= tag != TIMESTAMP,
                None => {}
            }
        }
        self.traits.tags &= has_tags;
        self.refuse_properties("a value in JSON cannot have tags and aliases")?;
        let is_other = |node: &Node| {
            node.shape == Shape::Mapping
                && node
                    .children
                    .iter()
                    .step_by(2)
                    .any(|&key| !matches!(self.tree.content(key), [Token::Text(_)]))
        };
        if !self.tree.nodes.iter().any(is_other) {
            return Ok(self);
        }
        let habits = Habits { is_json: true, counts: Some(Counts::default()), is_wanted: None };
        Value::parse(&Writer::new(&self, habits, false).flow(self.root))
    }

    /// Returns the node `root` of the value as a value.
    pub fn part(&self, root: usize) -> Value {
        Value { root, ..self.clone() }
    }

    /// Returns whether the node `at` is a scalar with the tag `!!timestamp` that is not written. In
    /// copied nodes, tags are written.
    fn is_timestamp(&self, at: usize) -> bool {
        let node = &self.tree.nodes[at];
        !self.traits.tags && node.shape == Shape::Scalar && node.tag.is_some()
    }

    /// Returns whether the value is null.
    pub fn is_null(&self) -> bool {
        matches!(self.tree.content(self.root), [Token::Value(text)] if text == "null")
    }

    /// Returns the tag that the root is written with, if any.
    pub fn tag(&self) -> Option<&str> {
        self.tree.tag(self.root).filter(|_| self.traits.tags)
    }

    /// Returns the value without the tag of its root.
    pub fn without_tag(&self) -> Value {
        let mut bare = self.clone();
        bare.tree.nodes[self.root].tag = None;
        bare
    }

    /// Returns whether the root keeps its style.
    pub fn keeps_style(&self) -> bool {
        let is_quoted = self.tree.nodes[self.root].event.kind != EventKind::Plain;
        self.traits.styles || self.traits.spelling == Spelling::Typed && is_quoted
    }

    /// Returns the shape of the root.
    pub fn shape(&self) -> Shape {
        self.tree.nodes[self.root].shape
    }

    /// Returns the children of the root.
    pub fn children(&self) -> &[usize] {
        &self.tree.nodes[self.root].children
    }

    /// Returns the tokens of the root, without those of its properties.
    pub fn tokens(&self) -> Vec<Token> {
        self.counted(self.tree.content(self.root))
    }

    /// Returns the tokens of the root, including those of its properties that are kept.
    pub fn whole(&self) -> Vec<Token> {
        self.counted(self.tree.whole(self.root))
    }

    /// Returns `tokens` without those that the traits drop.
    fn counted(&self, tokens: &[Token]) -> Vec<Token> {
        let counts = |token: &&Token| match token {
            Token::Anchor(_) => self.traits.anchors,
            Token::Tag(_) => self.traits.tags,
            _ => true,
        };
        tokens.iter().filter(counts).cloned().collect()
    }

    /// Formats the node `at` in flow style.
    pub fn flow(&self, at: usize) -> String {
        let counts = Some(Counts::default());
        let habits = Habits { is_json: false, counts, is_wanted: None };
        Writer::new(self, habits, false).flow(at)
    }

    /// Returns a collection whose only entry is the value, at the step `step`.
    pub fn wrapped(&self, step: &Step, is_json: bool) -> Result<Value, EditError> {
        match step {
            Step::Index(0) => Value::holding(None, self),
            Step::Index(index) => {
                let message = format!("there is no item `{index}` in a new sequence");
                Err(EditError::plain(EditErrorKind::NotFound).with_detail(message))
            }
            _ => Value::holding(Some(&key_source(step, is_json)), self),
        }
    }

    /// Returns a collection whose only entry is `value`: a mapping if `key` is set, or a sequence.
    pub fn holding(key: Option<&str>, value: &Value) -> Result<Value, EditError> {
        let tag = if value.is_timestamp(value.root) { "!!timestamp " } else { "" };
        let flow = format!("{tag}{}", value.flow(value.root));
        let source = match key.map(Value::parse).transpose()? {
            Some(key) => format!("{{{}: {flow}}}", key.flow(key.root)),
            None => format!("[{flow}]"),
        };
        let tree = Tree::parse(source.as_bytes())?;
        let root = tree.single_root()?;
        // A flow collection cannot show that its text was a block scalar.
        let is_block = matches!(
            value.tree.nodes[value.root].event.kind,
            EventKind::Literal | EventKind::Folded
        );
        let spelling = if is_block { Spelling::Free } else { value.traits.spelling };
        Ok(Value { source, tree, root, traits: Traits { spelling, ..value.traits } })
    }
}

/// Returns the source of a new key to which `step` leads. A number without quotes is an integer,
/// unless `is_text` is set.
pub(super) fn key_source(step: &Step, is_text: bool) -> String {
    match step {
        Step::Name(text) if !is_text && text.parse::<i64>().is_ok() => text.clone(),
        Step::Name(text) | Step::Key(text) => quoted(text, EventKind::DoubleQuoted),
        Step::Index(index) => index.to_string(),
        Step::Plain(text) => text.clone(),
        _ => "null".to_owned(),
    }
}

/// Formatted text: what goes on the line of the key or dash, and the lines below, each after a line
/// break.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    pub head: String,
    pub body: String,
}

impl Written {
    /// Returns `head` as text on the line of the key or dash, with nothing below.
    pub fn line(head: String) -> Written {
        Written { head, body: String::new() }
    }
}

/// Formats the nodes of a value. They are at most 100 levels deep, so functions may recurse.
#[derive(Clone, Copy)]
pub(super) struct Writer<'v> {
    pub value: &'v Value,
    pub habits: Habits<'v>,
    /// Whether text with line breaks may become a block scalar.
    pub allows_literal: bool,
    /// If a block scalar is replaced, the number of columns by which its content was deeper than
    /// its key or dash.
    pub old_step: Option<usize>,
    /// Whether the replaced scalar was plain text that some parsers take for another type, such as
    /// a date.
    pub keeps_plain: bool,
    /// The blanks in new flow collections.
    pub spacing: Spacing<'v>,
}

/// The blanks in flow collections on one line. `None` stands for Ketch's default.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spacing<'t> {
    pub after_colon: Option<&'t str>,
    pub in_braces: Padding<'t>,
    pub in_brackets: Padding<'t>,
}

/// The blanks in a flow mapping or a flow sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Padding<'t> {
    pub after_comma: Option<&'t str>,
    /// The blanks after the opening and before the closing bracket.
    pub inside: Option<&'t str>,
}

impl<'v> Writer<'v> {
    /// Creates a writer that imitates only the habits of the document, and no sibling.
    pub fn new(value: &'v Value, habits: Habits<'v>, allows_literal: bool) -> Writer<'v> {
        let spacing = Spacing::default();
        Writer { value, habits, allows_literal, old_step: None, keeps_plain: false, spacing }
    }
}

impl Writer<'_> {
    /// Formats the node `at` as the value of a key at `column`, in the style `old` if possible.
    pub fn after_key(&self, at: usize, column: usize, old: Option<EventKind>) -> Written {
        let node = &self.value.tree.nodes[at];
        if node.children.is_empty() {
            return self.leaf(at, column, old);
        }
        let is_flush = node.shape == Shape::Sequence && self.habits.is_flush();
        let inner = if is_flush { column } else { column + self.habits.step() };
        self.below(at, inner)
    }

    /// Formats the node `at` as an item, `gap` blanks after its dash at `column`.
    pub fn after_dash(&self, at: usize, column: usize, gap: usize) -> Written {
        let node = &self.value.tree.nodes[at];
        if node.children.is_empty() {
            return self.leaf(at, column, None);
        }
        Written { head: self.entries(at, column + 1 + gap), body: String::new() }
    }

    /// Formats the entries of the collection `at` on lines of their own, at `column`.
    pub fn below(&self, at: usize, column: usize) -> Written {
        let body = format!("\n{}{}", " ".repeat(column), self.entries(at, column));
        Written { head: String::new(), body }
    }

    /// Returns the anchor and the tag of the node `at` that are kept, separated by a space.
    pub fn properties(&self, at: usize) -> String {
        let (node, traits) = (&self.value.tree.nodes[at], self.value.traits);
        let anchor = node.anchor.as_ref().filter(|_| traits.anchors);
        let tag = node.tag.as_ref().filter(|_| traits.tags);
        let parts = anchor.into_iter().chain(tag);
        let parts = parts.map(|range| &self.value.source[range.clone()]);
        parts.collect::<Vec<_>>().join(" ")
    }

    /// Formats a scalar or an empty collection, in the style `old` if that is possible.
    fn leaf(&self, at: usize, column: usize, old: Option<EventKind>) -> Written {
        let node = &self.value.tree.nodes[at];
        if let Some(source) = self.kept_source(at) {
            return Written { head: source.to_owned(), body: String::new() };
        }
        let old = self.own_style(at).or(old);
        match (node.shape, self.value.tree.content(at)) {
            (_, [Token::Text(text)]) => self.text(text, column, old),
            _ => Written { head: self.flow_content(at), body: String::new() },
        }
    }

    /// Returns the style of the scalar `at`, if its style is kept.
    fn own_style(&self, at: usize) -> Option<EventKind> {
        let style = style_of(&self.value.tree.nodes[at])?;
        let is_typed = self.value.traits.spelling == Spelling::Typed && style != EventKind::Plain;
        let is_kept = self.value.traits.styles || is_typed;
        (is_kept && !self.habits.is_json).then_some(style)
    }

    /// Returns the source of a scalar on one line that is plain, or typed with quotes, if it is to
    /// be kept and is allowed here.
    fn kept_source(&self, at: usize) -> Option<&str> {
        let node = &self.value.tree.nodes[at];
        let plain = &self.value.source[node.content..node.end];
        let is_quoted =
            matches!(self.own_style(at), Some(EventKind::SingleQuoted | EventKind::DoubleQuoted));
        if is_quoted && self.value.traits.spelling == Spelling::Typed && !plain.contains('\n') {
            return Some(plain);
        }
        // `!Ref 1` needs no quotes, although 1 is text with that tag.
        let is_tagged = node.tag.is_some() && needs_quotes(plain.as_bytes());
        let is_kept = self.value.traits.styles
            || self.value.is_timestamp(at)
            || is_tagged
            || self.keeps_plain;
        let is_kept = is_kept
            && style_of(node) == Some(EventKind::Plain)
            && !self.habits.is_json
            && !plain.contains('\n')
            && (self.allows_literal || !plain.contains([',', '[', ']', '{', '}', '?']));
        is_kept.then_some(plain)
    }

    /// Formats a value after a key at `column` or, if there is a `gap`, that many blanks after a
    /// dash there. Properties are included.
    pub fn inner(&self, at: usize, column: usize, gap: Option<usize>) -> Written {
        let properties = self.properties(at);
        let is_compact = properties.is_empty();
        let mut written = match gap {
            Some(gap) if is_compact => self.after_dash(at, column, gap),
            Some(_) if !self.value.tree.nodes[at].children.is_empty() => {
                self.below(at, column + self.habits.step())
            }
            _ => self.after_key(at, column, None),
        };
        if !is_compact {
            let blank = if written.head.is_empty() { "" } else { " " };
            written.head = format!("{properties}{blank}{}", written.head);
        }
        written
    }

    /// Formats the node `at` as the value of a key at `column`, including its properties.
    pub fn with_properties(&self, at: usize, column: usize) -> Written {
        self.inner(at, column, None)
    }

    /// Formats the entries of a collection at `column`. The first line is not indented.
    pub fn entries(&self, at: usize, column: usize) -> String {
        let node = &self.value.tree.nodes[at];
        let is_mapping = node.shape == Shape::Mapping;
        let indent = format!("\n{}", " ".repeat(column));
        let lines =
            node.children.chunks_exact(if is_mapping { 2 } else { 1 }).map(|entry| match *entry {
                [key, value] => {
                    let value = self.inner(value, column, None);
                    let blank = if value.head.is_empty() { "" } else { " " };
                    format!("{}{blank}{}{}", self.key(key, column), value.head, value.body)
                }
                _ => {
                    let item = self.inner(entry[0], column, Some(1));
                    let blank = if item.head.is_empty() { "" } else { " " };
                    format!("-{blank}{}{}", item.head, item.body)
                }
            });
        lines.collect::<Vec<_>>().join(&indent)
    }

    /// Formats a key with its colon: after `? ` if it is too long for an implicit key.
    pub fn key(&self, at: usize, column: usize) -> String {
        let key = self.flow(at);
        let is_alias = self.value.tree.nodes[at].shape == Shape::Alias;
        match key.chars().count() > 1000 {
            true => format!("? {key}\n{}:", " ".repeat(column)),
            false if is_alias => format!("{key} :"),
            false => format!("{key}:"),
        }
    }

    /// Formats the node `at` in flow style, including its properties.
    pub fn flow(&self, at: usize) -> String {
        let properties = self.properties(at);
        match properties.is_empty() {
            true => self.flow_content(at),
            false => format!("{properties} {}", self.flow_content(at)),
        }
    }

    /// Joins the entries of a flow collection. If there are none, there is no padding.
    fn on_a_line(
        &self,
        entries: Vec<String>,
        (open, close): (char, char),
        padding: Padding<'_>,
    ) -> String {
        let inside = padding.inside.filter(|_| !entries.is_empty()).unwrap_or_default();
        let Spacing { in_braces, in_brackets, .. } = self.spacing;
        let commas = [padding, in_braces, in_brackets].map(|padding| padding.after_comma);
        let comma = format!(",{}", commas.into_iter().flatten().next().unwrap_or(" "));
        format!("{open}{inside}{}{inside}{close}", entries.join(&comma))
    }

    /// Formats a pair of a flow mapping. Only after a key in quotes or brackets is a blank
    /// optional.
    pub fn pair(&self, key: usize, value: &str) -> String {
        let key = self.flow_key(key);
        let may_lack_blank = ["\":", "':", "]:", "}:"].iter().any(|end| key.ends_with(end));
        let blanks = self.spacing.after_colon.filter(|gap| may_lack_blank || !gap.is_empty());
        format!("{key}{}{value}", blanks.unwrap_or(" "))
    }

    /// Formats a key of a flow mapping, including its colon.
    pub fn flow_key(&self, at: usize) -> String {
        let is_alias = self.value.tree.nodes[at].shape == Shape::Alias;
        match self.value.tree.content(at) {
            [Token::Value(text)] if self.habits.is_json => {
                format!("{}:", quoted(text, EventKind::DoubleQuoted))
            }
            _ => format!("{}{}", self.flow(at), if is_alias { " :" } else { ":" }),
        }
    }

    /// Formats the node `at` in flow style, without its properties.
    pub fn flow_content(&self, at: usize) -> String {
        let node = &self.value.tree.nodes[at];
        let text = match (node.shape, self.value.tree.content(at)) {
            (Shape::Sequence, _) => {
                let items = node.children.iter().map(|&item| self.flow(item));
                return self.on_a_line(items.collect(), ('[', ']'), self.spacing.in_brackets);
            }
            (Shape::Mapping, _) => {
                let pair = |pair: &[usize]| self.pair(pair[0], &self.flow(pair[1]));
                let pairs = node.children.chunks_exact(2).map(pair);
                return self.on_a_line(pairs.collect(), ('{', '}'), self.spacing.in_braces);
            }
            (_, [Token::Text(text)]) => text,
            _ if node.is_absent() => return "null".to_owned(),
            (_, content) => {
                return self.spelled(&self.value.source[node.content..node.end], content);
            }
        };
        if let Some(source) = self.kept_source(at) {
            return source.to_owned();
        }
        match self.own_style(at) {
            Some(style @ (EventKind::SingleQuoted | EventKind::DoubleQuoted)) => {
                quoted(text, style)
            }
            _ if self.is_plain(text, true) => text.clone(),
            _ => quoted(text, self.habits.quote()),
        }
    }

    /// Returns the source of a scalar that is not text or, in a JSON document, its canonical form.
    fn spelled(&self, source: &str, content: &[Token]) -> String {
        match content {
            [Token::Value(value)] if self.habits.is_json && !is_json_word(source) => value.clone(),
            _ => source.to_owned(),
        }
    }

    /// Formats text, in the style `old` if that is possible.
    fn text(&self, text: &str, column: usize, old: Option<EventKind>) -> Written {
        let inline = |head| Written { head, body: String::new() };
        let is_block = matches!(old, Some(EventKind::Literal | EventKind::Folded));
        let is_plain_style = matches!(old, None | Some(EventKind::Plain)) && !self.habits.is_json;
        let has_lines = text.contains('\n');
        let is_lines = is_block || is_plain_style && has_lines;
        let is_filled = !text.trim_matches('\n').is_empty();
        if self.allows_literal && is_lines && is_filled && text::is_block(text, !is_block) {
            let step = self.old_step.filter(|_| is_block);
            let step = step.unwrap_or_else(|| self.habits.step());
            let is_folded = old == Some(EventKind::Folded);
            let (head, body) = text::block(text, is_folded, column + step, step);
            return Written { head, body };
        }
        match old {
            Some(style @ (EventKind::SingleQuoted | EventKind::DoubleQuoted)) => {
                inline(quoted(text, style))
            }
            _ if is_plain_style && self.is_plain(text, !self.allows_literal) => {
                inline(text.to_owned())
            }
            Some(EventKind::Literal | EventKind::Folded) if self.is_plain(text, true) => {
                inline(text.to_owned())
            }
            _ => inline(quoted(text, self.habits.quote())),
        }
    }

    /// Returns whether `text` can be written plain.
    fn is_plain(&self, text: &str, is_flow: bool) -> bool {
        let is_safe = || !needs_quotes(text.as_bytes());
        !self.habits.is_json
            && is_plain(text, is_flow)
            && (self.value.traits.spelling != Spelling::Safe || is_safe())
    }
}

/// Returns whether all common parsers read `text` as this text if it is a plain scalar.
pub(super) fn is_plain(text: &str, is_flow: bool) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    let starts_badly = match first {
        b'-' | b'?' | b':' => {
            bytes.get(1).is_none_or(|&next| next == b' ' || is_flow && b",[]{}".contains(&next))
        }
        first => b",[]{}#&*!|>'\"%@` ".contains(&first),
    };
    let is_marked = bytes.starts_with(b"---") || bytes.starts_with(b"...");
    // Few parsers take these letters for booleans, and they are usually not quoted: `y: 1`.
    let is_letter = matches!(text, "y" | "n" | "Y" | "N");
    (is_letter || !needs_quotes(bytes))
        && meaning(text) == Token::Text(text.to_owned())
        && !starts_badly
        && !is_marked
        && last != b' '
        && last != b':'
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(is_escaped)
        && !(is_flow && bytes.iter().any(|byte| b",[]{}?".contains(byte)))
}

/// Returns whether `text` is a number, a boolean or null in the syntax of JSON.
fn is_json_word(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let number = text.strip_prefix('-').unwrap_or(text);
    let (number, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && digits(fraction)
        && digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    is_number || matches!(text, "true" | "false" | "null")
}

/// Writes text in quotes: single ones if `style` says so and no escapes are needed.
pub(super) fn quoted(text: &str, style: EventKind) -> String {
    if style == EventKind::SingleQuoted && !text.chars().any(is_escaped) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' | '\\' => out.extend(['\\', ch]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            ch if is_escaped(ch) => out.push_str(&format!("\\u{:04x}", u32::from(ch))),
            ch => out.push(ch),
        }
    }
    out.push('"');
    out
}

/// Returns whether `ch` can only be written as an escape.
fn is_escaped(ch: char) -> bool {
    ch.is_control() || matches!(ch, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns the style of `node`; `None` if it is not a scalar or is empty.
pub(super) fn style_of(node: &Node) -> Option<EventKind> {
    (node.shape == Shape::Scalar && !node.is_absent()).then_some(node.event.kind)
}

//! The parser, which is one loop over the pattern, with the open groups in a vector.

use super::{behind, check};
use crate::budget::Allowance;
use crate::dialect::{Rule, Syntax};
use crate::error::{Error, Result};
use crate::options::{Encoding, NESTING_MAX, Options};
use crate::problem::Problem;
use crate::tree::{
    Assertion, Escape, Flags, Group, Kind, Mode, Name, Node, NodeId, Reference, Span, Tree,
};

const REPEAT_MAX: u32 = 100_000;

/// The kind of an open group, which determines the node that it becomes.
enum Open {
    Pattern,
    Group(Group),
    Conditional(Reference),
}

/// An open group.
struct Frame {
    open: Open,
    start: usize,
    /// The options that apply outside of the group.
    flags: Flags,
    branches: Vec<NodeId>,
    branch_start: usize,
    items: Vec<NodeId>,
    /// The number of items before the last options that go on to the end of the group, as these
    /// cannot be repeated.
    fixed: usize,
}

/// The maximum number of groups that capture.
const GROUPS_MAX: u32 = 32_767;

/// The rules for a pattern.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Whether characters are bytes.
    pub(super) binary: bool,
    pub(super) syntax: Syntax,
    /// Whether the rules are Oniguruma's where no rule of the syntax decides.
    pub(super) oniguruma: bool,
    /// Whether plain groups capture next to named ones.
    capture_group: bool,
}

/// The state of parsing.
pub(super) struct Parser<'p> {
    pub(super) pattern: &'p str,
    pub(super) at: usize,
    pub(super) rules: Rules,
    pub(super) flags: Flags,
    pub(super) groups: u32,
    pub(super) names: Vec<Name>,
    /// Calls by name, which may come before their groups.
    pub(super) calls: Vec<(NodeId, String)>,
    /// The first reference by number, which is an error if there are named groups.
    pub(super) numbered: Option<Span>,
    /// The radix of a list of code points in a class, while the list is being read.
    pub(super) codes: Option<u32>,
    pub(super) nodes: Vec<Node>,
    frames: Vec<Frame>,
    /// The number of repeat operators on the last item.
    repeats: usize,
    limits: Allowance<'p>,
    /// The number of items since the last check of the limits.
    items: usize,
}

/// The maximum size of a tree, in units of [`Limits::program_bytes`](crate::Limits::program_bytes).
const TREE_PROGRAMS: usize = 8;

/// The number of items between two checks of the limits.
const ITEMS: usize = 1024;

/// Parses a pattern.
pub fn parse(pattern: &str, options: &Options) -> Result<Tree> {
    parse_within(pattern, options, Allowance::new(&options.limits))
}

/// Parses a pattern within an allowance.
pub(crate) fn parse_within(
    pattern: &str,
    options: &Options,
    limits: Allowance<'_>,
) -> Result<Tree> {
    if pattern.len() > limits.program_bytes {
        // The pattern is too long to be copied into the error.
        let span = Span { start: 0, end: 0 };
        return Err(Error::new(Problem::ProgramSize(limits.program_bytes), span, ""));
    }
    let flags = options.flags();
    let mut parser = Parser {
        pattern,
        at: 0,
        rules: Rules {
            binary: options.encoding == Encoding::Binary,
            syntax: options.dialect.syntax(),
            oniguruma: options.dialect.is_oniguruma(),
            capture_group: options.capture_group,
        },
        flags,
        groups: 0,
        names: Vec::new(),
        calls: Vec::new(),
        numbered: None,
        codes: None,
        nodes: Vec::new(),
        frames: Vec::new(),
        repeats: 0,
        limits,
        items: 0,
    };
    if parser.rules.binary
        && let Some(at) = pattern.bytes().position(|byte| !byte.is_ascii())
    {
        return Err(parser.error(Problem::NonAsciiBinary, at));
    }
    parser.open(Open::Pattern, 0)?;
    while parser.step()? {}
    parser.finish()
}

impl<'p> Parser<'p> {
    /// Returns an error that spans the text from `start` to the current position.
    pub(super) fn error(&self, problem: Problem, start: usize) -> Error {
        let next = self.pattern[start..].chars().next().map_or(0, char::len_utf8);
        let span = Span { start, end: self.at.max(start + next).min(self.pattern.len()) };
        Error::new(problem, span, self.pattern)
    }

    /// Counts an item, and checks the limits each time [`ITEMS`] items have been counted.
    pub(super) fn count(&mut self) -> Result<()> {
        self.items += 1;
        if self.items < ITEMS {
            return Ok(());
        }
        self.items = 0;
        let tree = self.nodes.len() * size_of::<Node>();
        let checked = match self.limits.program_bytes {
            limit if tree / TREE_PROGRAMS > limit => Err(Problem::ProgramSize(limit)),
            _ => self.limits.check(),
        };
        checked.map_err(|problem| Error::whole(problem, self.pattern))
    }

    /// Returns the next character without moving past it, or `None` at the end of the pattern.
    pub(super) fn peek(&self) -> Option<char> {
        self.pattern[self.at..].chars().next()
    }

    /// Moves past the next character and returns it. Returns `None` at the end of the pattern.
    pub(super) fn bump(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    /// Moves past `text` if it is next. Returns whether it was.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.pattern[self.at..].starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Adds a node that spans the text from `start` to the current position.
    pub(super) fn add(&mut self, kind: Kind, start: usize) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { kind, span: Span { start, end: self.at }, flags: self.flags });
        id
    }

    /// Adds an item to the current branch.
    pub(super) fn item(&mut self, kind: Kind, start: usize) {
        let id = self.add(kind, start);
        self.push(id);
    }

    /// Adds a node to the current branch.
    fn push(&mut self, id: NodeId) {
        self.repeats = 0;
        if let Some(frame) = self.frames.last_mut() {
            frame.items.push(id);
        }
    }

    /// Opens a group, unless too many are open.
    fn open(&mut self, open: Open, start: usize) -> Result<()> {
        if self.frames.len() > NESTING_MAX {
            return Err(self.error(Problem::Nesting(NESTING_MAX), start));
        }
        self.frames.push(Frame {
            open,
            start,
            flags: self.flags,
            branches: Vec::new(),
            branch_start: self.at,
            items: Vec::new(),
            fixed: 0,
        });
        Ok(())
    }

    /// Parses one item. Returns false at the end of the pattern.
    fn step(&mut self) -> Result<bool> {
        self.count()?;
        let start = self.at;
        let Some(char) = self.bump() else { return Ok(false) };
        match char {
            '|' => self.end_branch(start),
            '(' => self.group(start)?,
            ')' => self.close(start)?,
            '[' => {
                let id = self.class(start)?;
                self.push(id);
            }
            '.' => self.item(Kind::Any, start),
            '^' if self.flags.single_line => {
                self.item(Kind::Assertion(Assertion::TextStart), start);
            }
            '$' if self.flags.single_line => {
                self.item(Kind::Assertion(Assertion::TextEndLine), start);
            }
            '^' => self.item(Kind::Assertion(Assertion::LineStart), start),
            '$' => self.item(Kind::Assertion(Assertion::LineEnd), start),
            '*' => self.repeat(0, None, start)?,
            '+' => self.repeat(1, None, start)?,
            '?' => self.repeat(0, Some(1), start)?,
            '{' => match self.interval(start)? {
                Some((min, max, fixed)) => self.repeat_interval(min, max, fixed, start)?,
                None => self.item(Kind::Char('{' as u32), start),
            },
            '\\' => self.escape_item(start)?,
            '#' if self.flags.extended => {
                let rest = &self.pattern[self.at..];
                self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
            }
            // As in Ruby, a vertical tab is not white space.
            ' ' | '\t' | '\n' | '\x0C' | '\r' if self.flags.extended => {}
            _ => self.item(Kind::Char(char as u32), start),
        }
        Ok(true)
    }

    /// Reads `{n,m}`, after its `{`. If this is not an interval, returns `None` and does not move.
    fn interval(&mut self, start: usize) -> Result<Option<(u32, Option<u32>, bool)>> {
        let from = self.at;
        let low = self.digits(start)?;
        if low.is_none() && !self.rules.syntax.has(Rule::LOW_ABBREVIATION) {
            return Ok(None);
        }
        let (max, fixed) = if self.eat(",") {
            let high = self.digits(start)?;
            if low.is_none() && high.is_none() {
                self.at = from;
                return Ok(None);
            }
            (high, false)
        } else {
            (low, true)
        };
        if !self.eat("}") || (fixed && low.is_none()) {
            self.at = from;
            return Ok(None);
        }
        let min = low.unwrap_or(0);
        if max.is_some_and(|max| max < min) {
            return Err(self.error(Problem::RepeatReversed, start));
        }
        Ok(Some((min, max, fixed)))
    }

    /// Reads a number if one is next, and otherwise returns `None`.
    fn digits(&mut self, start: usize) -> Result<Option<u32>> {
        let from = self.at;
        let mut number = 0;
        while let Some(digit) = self.peek().and_then(|char| char.to_digit(10)) {
            self.at += 1;
            number = number * 10 + digit;
            if number > REPEAT_MAX {
                return Err(self.error(Problem::RepeatTooBig, start));
            }
        }
        Ok((self.at > from).then_some(number))
    }

    /// Repeats the last item by an interval. In Ruby, an interval is never possessive, and `{n}?` is
    /// not lazy, because a `+` or `?` after it repeats the interval.
    fn repeat_interval(
        &mut self,
        min: u32,
        max: Option<u32>,
        fixed: bool,
        start: usize,
    ) -> Result<()> {
        let has = |rule| self.rules.syntax.has(rule);
        let (lazy, possessive) =
            (!(fixed && has(Rule::FIXED_IS_GREEDY)), has(Rule::POSSESSIVE_INTERVAL));
        let mode = match self.has_target() {
            true if lazy && self.eat("?") => Mode::Lazy,
            true if possessive && self.eat("+") => Mode::Possessive,
            _ => Mode::Greedy,
        };
        self.repeat_with(min, max, mode, start)
    }

    /// Repeats the last item. The next character determines the mode.
    fn repeat(&mut self, min: u32, max: Option<u32>, start: usize) -> Result<()> {
        let mode = match self.has_target() {
            true if self.eat("?") => Mode::Lazy,
            true if self.eat("+") => Mode::Possessive,
            _ => Mode::Greedy,
        };
        self.repeat_with(min, max, mode, start)
    }

    /// Returns whether there is an item to repeat.
    fn has_target(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.items.len() > frame.fixed)
    }

    /// Repeats the last item in the given mode, or reports that there is none.
    fn repeat_with(&mut self, min: u32, max: Option<u32>, mode: Mode, start: usize) -> Result<()> {
        let repeats = self.repeats + 1;
        if repeats > NESTING_MAX {
            return Err(self.error(Problem::Nesting(NESTING_MAX), start));
        }
        let target = self.frames.last_mut().filter(|frame| frame.items.len() > frame.fixed);
        let Some(child) = target.and_then(|frame| frame.items.pop()) else {
            return Err(self.error(Problem::RepeatOfNothing, start));
        };
        if self.rules.oniguruma && self.is_assertion(child) {
            return Err(self.error(Problem::RepeatOfAssertion, start));
        }
        let from = self.nodes[child.index()].span.start;
        self.item(Kind::Repeat { child, min, max, mode }, from);
        self.repeats = repeats;
        Ok(())
    }

    /// Parses the start of a group, after its `(`.
    fn group(&mut self, start: usize) -> Result<()> {
        if !self.eat("?") {
            if self.rules.syntax.has(Rule::CALLOUT_NAMES) && self.eat("*") {
                return self.callout(start);
            }
            self.count_group(start)?;
            return self.open(Open::Group(Group::Plain(Some(self.groups))), start);
        }
        let Some(char) = self.bump() else {
            return Err(self.error(Problem::GroupCutShort, start));
        };
        if self.rules.oniguruma && self.own_group(char, start)? {
            return Ok(());
        }
        let group = match char {
            '#' => return self.comment(start),
            ':' => Group::NonCapturing,
            '>' => Group::Atomic,
            '~' => Group::Absence,
            '=' => Group::LookAhead { negative: false },
            '!' => Group::LookAhead { negative: true },
            '<' if self.eat("=") => Group::LookBehind { negative: false },
            '<' if self.eat("!") => Group::LookBehind { negative: true },
            '<' if self.peek().is_none() => {
                return Err(self.error(Problem::UnclosedGroup, start));
            }
            '<' => self.named('>')?,
            '\'' => self.named('\'')?,
            '(' => {
                let test = self.condition(start)?;
                return self.open(Open::Conditional(test), start);
            }
            _ => {
                self.at -= char.len_utf8();
                return self.options(start);
            }
        };
        self.open(Open::Group(group), start)
    }

    /// Skips a comment group, after its `(?#`.
    fn comment(&mut self, start: usize) -> Result<()> {
        loop {
            self.count()?;
            let rest = &self.pattern.as_bytes()[self.at..];
            let Some(end) = memchr::memchr2(b')', b'\\', rest) else {
                self.at = self.pattern.len();
                return Err(self.error(Problem::GroupCutShort, start));
            };
            self.at += end;
            match self.bump() {
                Some(')') => return Ok(()),
                _ => self.bump(),
            };
        }
    }

    /// Counts a group that captures. Fails if there are too many.
    fn count_group(&mut self, start: usize) -> Result<()> {
        if self.groups == GROUPS_MAX {
            return Err(self.error(Problem::TooManyGroups, start));
        }
        self.groups += 1;
        Ok(())
    }

    /// Reads the name of a group, which ends at `close`, and numbers the group.
    fn named(&mut self, close: char) -> Result<Group> {
        let name = self.group_name(close)?;
        self.count_group(self.at)?;
        let group = self.groups;
        let index = self.names.iter().position(|known| known.name == name);
        let index = index.unwrap_or_else(|| {
            self.names.push(Name { name, groups: Vec::new() });
            self.names.len() - 1
        });
        self.names[index].groups.push(group);
        Ok(Group::Named(group, index as u32))
    }

    /// Parses options such as `i-m:` or `i-m)`, which open a group.
    fn options(&mut self, start: usize) -> Result<()> {
        let (change, isolated) = self.flag_change(start)?;
        let flags = self.flags;
        if isolated && self.rules.syntax.has(Rule::OPTION_CONTINUES) {
            self.flags = change.apply(flags);
            if let Some(frame) = self.frames.last_mut() {
                frame.fixed = frame.items.len();
            }
            return Ok(());
        }
        self.open(Open::Group(Group::Options(change, isolated)), start)?;
        self.flags = change.apply(flags);
        Ok(())
    }

    /// Ends the current branch of the innermost group. The branch ends at the offset `end`.
    fn end_branch(&mut self, end: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        let mut items = std::mem::take(&mut frame.items);
        let after_options = std::mem::take(&mut frame.fixed);
        let start = std::mem::replace(&mut frame.branch_start, self.at);
        let at = std::mem::replace(&mut self.at, end);
        // What follows options is an item, even if it is empty.
        if after_options > 0 && items.len() == after_options {
            items.push(self.add(Kind::Empty, end));
        }
        let branch = match items[..] {
            [] => self.add(Kind::Empty, start),
            [one] => one,
            _ => self.add(Kind::Concat(items), start),
        };
        self.at = at;
        if let Some(frame) = self.frames.last_mut() {
            frame.branches.push(branch);
        }
        self.repeats = 0;
    }

    /// Closes the innermost group at its `)`, and the isolated options in it.
    fn close(&mut self, start: usize) -> Result<()> {
        while let Some(frame) = self.frames.last() {
            let isolated = matches!(frame.open, Open::Group(Group::Options(_, true)));
            if matches!(frame.open, Open::Pattern) {
                break;
            }
            self.end_group(if isolated { start } else { self.at }, start)?;
            if !isolated {
                return Ok(());
            }
        }
        Err(self.error(Problem::UnmatchedClose, start))
    }

    /// Ends the innermost group at the offset `end`. The content of the group ends at
    /// `content_end`.
    fn end_group(&mut self, end: usize, content_end: usize) -> Result<()> {
        self.end_branch(content_end);
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let at = std::mem::replace(&mut self.at, end);
        let node = match frame.open {
            Open::Conditional(test) => {
                let branches = match self.rules.oniguruma {
                    true => self.two_branches(frame.branches, frame.start),
                    false => self.conditional_branches(frame.branches),
                };
                let no = branches.get(1).copied();
                if branches.len() > 2 {
                    return Err(self.error(Problem::InvalidConditional, frame.start));
                }
                self.flags = frame.flags;
                self.add(Kind::Conditional { test, yes: branches[0], no }, frame.start)
            }
            Open::Group(group) => {
                let child = self.alternation(frame.branches, frame.start);
                self.flags = frame.flags;
                self.add(Kind::Group(group, child), frame.start)
            }
            Open::Pattern => self.alternation(frame.branches, frame.start),
        };
        self.at = at;
        self.push(node);
        Ok(())
    }

    /// Returns the branches of a conditional. As in Ruby, `(?(1)(?:a|b))` is the same as
    /// `(?(1)a|b)`. The nodes of the inner group are the last ones in the tree.
    fn conditional_branches(&mut self, branches: Vec<NodeId>) -> Vec<NodeId> {
        let [mut inner] = branches[..] else { return branches };
        let mut groups = 0;
        while let Kind::Group(Group::NonCapturing, child) = self.nodes[inner.index()].kind {
            inner = child;
            groups += 1;
        }
        match &mut self.nodes[inner.index()].kind {
            Kind::Alternation(inner) if groups > 0 => {
                let inner = std::mem::take(inner);
                self.nodes.truncate(self.nodes.len() - groups - 1);
                inner
            }
            _ => branches,
        }
    }

    /// Returns the node for `branches`, which is the branch itself if there is only one.
    pub(super) fn alternation(&mut self, branches: Vec<NodeId>, start: usize) -> NodeId {
        match branches[..] {
            [one] => one,
            _ => self.add(Kind::Alternation(branches), start),
        }
    }

    /// Ends the pattern, and resolves references.
    fn finish(mut self) -> Result<Tree> {
        let end = self.at;
        while self.frames.len() > 1 {
            let last = &self.frames[self.frames.len() - 1];
            if !matches!(last.open, Open::Group(Group::Options(_, true))) {
                return Err(self.error(Problem::UnclosedGroup, last.start));
            }
            self.end_group(end, end)?;
        }
        self.end_branch(end);
        let branches = self.frames.pop().map(|frame| frame.branches).unwrap_or_default();
        let root = self.alternation(branches, 0);
        let only_named =
            self.rules.syntax.has(Rule::ONLY_NAMED_CAPTURES) && !self.rules.capture_group;
        if !self.names.is_empty() && only_named {
            self.number_named_groups();
            if let Some(span) = self.numbered {
                return Err(Error::new(Problem::NumberWithNames, span, self.pattern));
            }
        }
        for (id, name) in std::mem::take(&mut self.calls) {
            self.limits.check().map_err(|problem| Error::whole(problem, self.pattern))?;
            let Some(index) = self.names.iter().position(|known| known.name == name) else {
                let span = self.nodes[id.index()].span;
                let problem = Problem::UndefinedName(self.shown(&name));
                return Err(Error::new(problem, span, self.pattern));
            };
            self.nodes[id.index()].kind = Kind::Call(Reference::Name(index as u32));
        }
        let mut tree = Tree {
            nodes: self.nodes,
            root,
            names: self.names,
            groups: self.groups,
            binary: self.rules.binary,
            ascii: !self.rules.oniguruma && self.pattern.is_ascii(),
            oniguruma: self.rules.oniguruma,
        };
        if self.rules.oniguruma
            && let Err(at) = behind::settle(&mut tree, self.rules.syntax)
        {
            let span = tree.nodes[at].span;
            return Err(Error::new(Problem::InvalidLookBehind, span, self.pattern));
        }
        check::check(&tree, self.pattern, self.limits, self.rules.oniguruma)?;
        Ok(tree)
    }

    /// Numbers only the named groups, because plain groups do not capture if there are named ones.
    fn number_named_groups(&mut self) {
        let mut numbers: Vec<u32> =
            self.names.iter().flat_map(|name| name.groups.clone()).collect();
        numbers.sort_unstable();
        let renumber = |old: u32| numbers.binary_search(&old).map_or(0, |at| at as u32 + 1);
        for name in &mut self.names {
            for group in &mut name.groups {
                *group = renumber(*group);
            }
        }
        for node in &mut self.nodes {
            match &mut node.kind {
                Kind::Group(Group::Plain(group), _) => *group = None,
                Kind::Group(Group::Named(group, _), _) => *group = renumber(*group),
                _ => {}
            }
        }
        self.groups = numbers.len() as u32;
    }

    /// Parses an escape outside of classes.
    fn escape_item(&mut self, start: usize) -> Result<()> {
        match self.escape(start)? {
            Escape::Node(kind) => self.item(kind, start),
            Escape::Call(name) => {
                self.item(Kind::Call(Reference::Number(0)), start);
                let id = NodeId(self.nodes.len() as u32 - 1);
                self.calls.push((id, name));
            }
            Escape::Chars(chars) => {
                for char in chars {
                    // Oniguruma accepts numbers that are no characters.
                    let exists = self.rules.binary || char::from_u32(char).is_some();
                    self.item(if exists { Kind::Char(char) } else { Kind::nothing() }, start);
                }
            }
            Escape::Dot(dot_all) => {
                let flags = self.flags;
                self.flags.dot_all = dot_all;
                self.item(Kind::Any, start);
                self.flags = flags;
            }
        }
        Ok(())
    }
}

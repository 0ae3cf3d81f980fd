//! Prints a tree as a pattern that parses to the same tree.

use std::fmt::{self, Write};

use crate::tree::{
    Assertion, Charset, FlagChange, Group, Kind, Mode, NodeId, Reference, Shorthand, Tree,
};

enum Task {
    Text(&'static str),
    Node(NodeId),
    /// The operator of a repeat, and whether a `+` follows, which the operator must not take as its
    /// suffix.
    Operator(NodeId, bool),
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tasks = vec![Task::Node(self.root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => f.write_str(text)?,
                Task::Operator(id, repeated) => self.operator(id, repeated, f)?,
                Task::Node(id) => self.print(id, &mut tasks, f)?,
            }
        }
        Ok(())
    }
}

impl Tree {
    /// Writes the start of the node `id`, and adds the tasks for the rest of it.
    fn print(&self, id: NodeId, tasks: &mut Vec<Task>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node(id).kind {
            Kind::Empty => Ok(()),
            Kind::Char(char) => self.write_char(*char, f),
            Kind::Range(first, last) => {
                self.write_char(*first, f)?;
                f.write_char('-')?;
                self.write_char(*last, f)
            }
            Kind::Any => f.write_char('.'),
            Kind::Shorthand(shorthand, negated) => {
                f.write_str(shorthand_text(*shorthand, *negated))
            }
            Kind::Property(name, negated) => {
                write!(f, "\\{}{{{name}}}", if *negated { 'P' } else { 'p' })
            }
            Kind::Posix(name, negated) => {
                write!(f, "[:{}{name}:]", if *negated { "^" } else { "" })
            }
            Kind::Assertion(assertion) => f.write_str(assertion_text(*assertion)),
            Kind::Keep => f.write_str("\\K"),
            Kind::LineBreak => f.write_str("\\R"),
            Kind::Grapheme => f.write_str("\\X"),
            Kind::Class(negated, operands) => {
                f.write_str(if *negated { "[^" } else { "[" })?;
                tasks.push(Task::Text("]"));
                separate(tasks, operands, "&&");
                Ok(())
            }
            Kind::Concat(items) => {
                tasks.extend(items.iter().rev().map(|id| Task::Node(*id)));
                Ok(())
            }
            Kind::Alternation(branches) => {
                let branches: Vec<_> = branches.iter().map(|id| vec![*id]).collect();
                separate(tasks, &branches, "|");
                Ok(())
            }
            Kind::Repeat { child, .. } => {
                tasks.push(Task::Operator(id, false));
                if matches!(self.node(*child).kind, Kind::Repeat { .. }) {
                    self.print_repeats(id, tasks);
                } else {
                    tasks.push(Task::Node(*child));
                }
                Ok(())
            }
            Kind::Group(group, child) => {
                self.open(group, f)?;
                if !matches!(group, Group::Options(_, true)) {
                    tasks.push(Task::Text(")"));
                }
                tasks.push(Task::Node(*child));
                Ok(())
            }
            Kind::Conditional { test, yes, no } => {
                f.write_str("(?(")?;
                match test {
                    Reference::Number(number) => write!(f, "{number})")?,
                    Reference::Name(name) => write!(f, "{})", delimited(self.name(*name)))?,
                }
                tasks.push(Task::Text(")"));
                if let Some(no) = no {
                    tasks.extend([Task::Node(*no), Task::Text("|")]);
                }
                tasks.push(Task::Node(*yes));
                Ok(())
            }
            Kind::BackReference(reference, level) => {
                write!(f, "\\k{}", self.reference(reference, *level))
            }
            Kind::Call(reference) => write!(f, "\\g{}", self.reference(reference, None)),
        }
    }

    /// Adds the tasks for the repeat `outer` and the repeats directly inside it, the innermost first.
    fn print_repeats(&self, outer: NodeId, tasks: &mut Vec<Task>) {
        let mut id = outer;
        while let Kind::Repeat { child, min, max, .. } = self.node(id).kind {
            if matches!(self.node(child).kind, Kind::Repeat { .. }) {
                tasks.push(Task::Operator(child, (min, max) == (1, None)));
            } else {
                tasks.push(Task::Node(child));
            }
            id = child;
        }
    }

    /// Returns whether the operator `?` of the repeat `id` would be read as one that makes its child
    /// lazy.
    fn takes_suffix(&self, id: NodeId) -> bool {
        let Kind::Repeat { child, .. } = self.node(id).kind else { return false };
        match self.node(child).kind {
            Kind::Repeat { min, max, mode, .. } => mode == Mode::Greedy && max != Some(min),
            _ => false,
        }
    }

    /// Writes the operator of a repeat.
    fn operator(&self, id: NodeId, plus_follows: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kind::Repeat { min, max, mode, .. } = &self.node(id).kind else { return Ok(()) };
        match (min, max) {
            _ if plus_follows && *mode == Mode::Greedy => write_interval(*min, *max, false, f),
            (0, None) => f.write_char('*'),
            (1, None) => f.write_char('+'),
            (0, Some(1)) if *mode == Mode::Possessive || !self.takes_suffix(id) => {
                f.write_char('?')
            }
            _ => write_interval(*min, *max, *mode == Mode::Lazy, f),
        }?;
        match mode {
            Mode::Greedy => Ok(()),
            Mode::Lazy => f.write_char('?'),
            Mode::Possessive => f.write_char('+'),
        }
    }

    /// Writes the start of a group, up to its content.
    fn open(&self, group: &Group, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match group {
            Group::Plain(_) => f.write_char('('),
            Group::Named(_, name) => write!(f, "(?{}", delimited(self.name(*name))),
            Group::NonCapturing => f.write_str("(?:"),
            Group::Options(change, isolated) => {
                write_options(*change, f)?;
                f.write_char(if *isolated { ')' } else { ':' })
            }
            Group::Atomic => f.write_str("(?>"),
            Group::LookAhead { negative } => f.write_str(if *negative { "(?!" } else { "(?=" }),
            Group::LookBehind { negative } => f.write_str(if *negative { "(?<!" } else { "(?<=" }),
            Group::Absence => f.write_str("(?~"),
        }
    }

    /// Returns the name or number in a back-reference or a call, with its level and its delimiters.
    fn reference(&self, reference: &Reference, level: Option<i32>) -> String {
        let mut name = match reference {
            Reference::Number(number) => number.to_string(),
            Reference::Name(name) => self.name(*name).to_string(),
        };
        if let Some(level) = level {
            name += &format!("{level:+}");
        }
        delimited(&name)
    }

    /// Returns the name with the index `index`.
    fn name(&self, index: u32) -> &str {
        self.names.get(index as usize).map_or("", |name| &name.name)
    }
}

/// Returns a name in the delimiters that it can have. A name cannot contain both `>` and `'`, because one
/// of them ends it.
fn delimited(name: &str) -> String {
    match name.contains('>') || name.starts_with(['!', '=']) {
        true => format!("'{name}'"),
        false => format!("<{name}>"),
    }
}

/// Adds the tasks for `lists` of nodes, with `separator` between the lists.
fn separate(tasks: &mut Vec<Task>, lists: &[Vec<NodeId>], separator: &'static str) {
    for (at, list) in lists.iter().enumerate().rev() {
        tasks.extend(list.iter().rev().map(|id| Task::Node(*id)));
        if at > 0 {
            tasks.push(Task::Text(separator));
        }
    }
}

/// Writes an interval such as `{n,m}`.
fn write_interval(
    min: u32,
    max: Option<u32>,
    lazy: bool,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match max {
        Some(max) if max == min && !lazy => write!(f, "{{{min}}}"),
        Some(max) => write!(f, "{{{min},{max}}}"),
        None => write!(f, "{{{min},}}"),
    }
}

/// Writes the start of a group with options, up to its options.
fn write_options(change: FlagChange, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("(?")?;
    match change.charset {
        Some(Charset::Ascii) => f.write_char('a')?,
        Some(Charset::Unicode) => f.write_char('u')?,
        Some(Charset::Default) => f.write_char('d')?,
        None => {}
    }
    let flags = [('i', change.ignore_case), ('m', change.dot_all), ('x', change.extended)];
    for (letter, _) in flags.iter().filter(|flag| flag.1 == Some(true)) {
        f.write_char(*letter)?;
    }
    // `(?-:x)` changes nothing, but `(?:x)` is another kind of group.
    if change == FlagChange::default() || flags.iter().any(|flag| flag.1 == Some(false)) {
        f.write_char('-')?;
    }
    for (letter, _) in flags.iter().filter(|flag| flag.1 == Some(false)) {
        f.write_char(*letter)?;
    }
    Ok(())
}

/// Returns the text of a shorthand in a pattern.
fn shorthand_text(shorthand: Shorthand, negated: bool) -> &'static str {
    match (shorthand, negated) {
        (Shorthand::Word, false) => "\\w",
        (Shorthand::Word, true) => "\\W",
        (Shorthand::Digit, false) => "\\d",
        (Shorthand::Digit, true) => "\\D",
        (Shorthand::Space, false) => "\\s",
        (Shorthand::Space, true) => "\\S",
        (Shorthand::Hex, false) => "\\h",
        (Shorthand::Hex, true) => "\\H",
    }
}

/// Returns the text of an assertion in a pattern.
fn assertion_text(assertion: Assertion) -> &'static str {
    match assertion {
        Assertion::LineStart => "^",
        Assertion::LineEnd => "$",
        Assertion::TextStart => "\\A",
        Assertion::TextEnd => "\\z",
        Assertion::TextEndLine => "\\Z",
        Assertion::SearchStart => "\\G",
        Assertion::Word => "\\b",
        Assertion::NotWord => "\\B",
    }
}

impl Tree {
    /// Writes a character, which is escaped if it could have another meaning under any options.
    fn write_char(&self, char: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match char::from_u32(char) {
            Some(char) if char.is_ascii_alphanumeric() || "_\"'%,/;@`~!=<>".contains(char) => {
                f.write_char(char)
            }
            Some(char) if char.is_ascii_graphic() => write!(f, "\\{char}"),
            Some(char) if char as u32 > 0xFF => f.write_char(char),
            _ if char <= 0x7F || self.binary => write!(f, "\\x{char:02X}"),
            _ => write!(f, "\\u{char:04X}"),
        }
    }
}

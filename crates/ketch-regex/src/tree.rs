//! The tree of a pattern. It is a flat arena in which children come before their parents, so that
//! each pass over it is a loop, and dropping it does not recurse.

/// A range of bytes in the pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

/// The index of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Returns the number as an index of [`Tree::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The characters that `\w \d \s \h`, `\b` and POSIX brackets refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Charset {
    /// `(?d)`: `\w \d \s` are ASCII, `\b` and brackets follow the encoding.
    #[default]
    Default,
    /// `(?a)`: all ASCII.
    Ascii,
    /// `(?u)`: all Unicode.
    Unicode,
}

/// The options that apply at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    /// `i`: the case of letters is ignored.
    pub ignore_case: bool,
    /// Ruby's `m`: `.` matches line feeds.
    pub dot_all: bool,
    /// `x`: white space and comments are skipped.
    pub extended: bool,
    /// `^` and `$` match only at the start and the end of the text.
    pub single_line: bool,
    /// The character set: `a`, `d` or `u`.
    pub charset: Charset,
}

/// The options that a group changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FlagChange {
    /// `i`, if it is switched on or off.
    pub ignore_case: Option<bool>,
    /// Ruby's `m` or Perl's `s`, if it is switched on or off.
    pub dot_all: Option<bool>,
    /// `x`, if it is switched on or off.
    pub extended: Option<bool>,
    /// The opposite of Perl's `m`, if that is switched on or off.
    pub single_line: Option<bool>,
    /// `a`, `d` or `u`.
    pub charset: Option<Charset>,
}

impl FlagChange {
    /// Returns the options in the group, given those around it.
    pub fn apply(self, flags: Flags) -> Flags {
        Flags {
            ignore_case: self.ignore_case.unwrap_or(flags.ignore_case),
            dot_all: self.dot_all.unwrap_or(flags.dot_all),
            extended: self.extended.unwrap_or(flags.extended),
            single_line: self.single_line.unwrap_or(flags.single_line),
            charset: self.charset.unwrap_or(flags.charset),
        }
    }
}

/// `\w`, `\d`, `\s`, `\h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shorthand {
    /// `\w`
    Word,
    /// `\d`
    Digit,
    /// `\s`
    Space,
    /// `\h`, a hexadecimal digit.
    Hex,
}

/// A condition on a position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assertion {
    /// `^`: at the start, and after a line feed that is not the end of the text.
    LineStart,
    /// `$`: before a line feed and at the end.
    LineEnd,
    /// `\A`
    TextStart,
    /// `\z`
    TextEnd,
    /// `\Z`: at the end, or before a line feed there.
    TextEndLine,
    /// `\G`
    SearchStart,
    /// `\b`
    Word,
    /// `\B`
    NotWord,
}

/// The order in which a repeat tries the possible numbers of repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Tries as many repetitions as possible first.
    Greedy,
    /// Tries as few repetitions as possible first.
    Lazy,
    /// Tries only as many repetitions as possible.
    Possessive,
}

/// The meaning of a pair of parentheses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// `(...)`, with its number unless named groups exist.
    Plain(Option<u32>),
    /// `(?<name>...)`, its number and its index in [`Tree::names`].
    Named(u32, u32),
    /// `(?:...)`
    NonCapturing,
    /// `(?i:...)`, or `(?i)` up to the end of the group around it.
    Options(FlagChange, bool),
    /// `(?>...)`
    Atomic,
    /// `(?=...)`, `(?!...)`
    LookAhead {
        /// `(?!...)`
        negative: bool,
    },
    /// `(?<=...)`, `(?<!...)`
    LookBehind {
        /// `(?<!...)`
        negative: bool,
    },
    /// `(?~...)`
    Absence,
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// A number.
    Number(u32),
    /// An index in [`Tree::names`].
    Name(u32),
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing, which always matches.
    Empty,
    /// A character, or a byte of a binary pattern.
    Char(u32),
    /// `.`
    Any,
    /// `\w` or `\W`
    Shorthand(Shorthand, bool),
    /// `\p{name}` or `\P{name}`, and whether it is negated.
    Property(String, bool),
    /// `[:name:]` in a class, and whether it is negated.
    Posix(String, bool),
    /// `a-z` in a class.
    Range(u32, u32),
    /// `[...]`: whether it is negated, and the sets that `&&` intersects.
    Class(bool, Vec<Vec<NodeId>>),
    /// An assertion.
    Assertion(Assertion),
    /// `\K`
    Keep,
    /// `\R`
    LineBreak,
    /// `\X`
    Grapheme,
    /// Nodes in sequence.
    Concat(Vec<NodeId>),
    /// Alternatives, of which the first that leads to a match is used.
    Alternation(Vec<NodeId>),
    /// `x*`, `x+`, `x?`, `x{n,m}`.
    Repeat {
        /// What is repeated.
        child: NodeId,
        /// The minimum number of repetitions.
        min: u32,
        /// The maximum number of repetitions, or `None` if it is unlimited.
        max: Option<u32>,
        /// The order in which numbers of repetitions are tried.
        mode: Mode,
    },
    /// A group.
    Group(Group, NodeId),
    /// `(?(1)yes|no)`
    Conditional {
        /// The group that has to be set.
        test: Reference,
        /// What matches if it is set.
        yes: NodeId,
        /// What matches otherwise. `None` if there is no `|`.
        no: Option<NodeId>,
    },
    /// `\1` or `\k<name>`, with its level if it has one.
    BackReference(Reference, Option<i32>),
    /// `\g<name>`
    Call(Reference),
}

impl Kind {
    /// Returns a construct that never matches.
    pub(crate) fn nothing() -> Kind {
        Kind::Class(false, vec![Vec::new()])
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// The kind of the node.
    pub kind: Kind,
    /// The location of the node in the pattern.
    pub span: Span,
    /// The options that apply at the node.
    pub flags: Flags,
}

/// The name of one or more groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// The numbers of its groups, in order.
    pub groups: Vec<u32>,
}

/// A parsed pattern. Two trees are equal if their nodes have the same kinds; spans and options are
/// not compared.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: NodeId,
    pub(crate) names: Vec<Name>,
    pub(crate) groups: u32,
    /// Whether characters are bytes.
    pub(crate) binary: bool,
    /// Whether the text of the pattern is ASCII.
    pub(crate) ascii: bool,
    /// Whether the rules are Oniguruma's.
    pub(crate) oniguruma: bool,
}

impl Tree {
    /// Returns all nodes. Children come before their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the node of the whole pattern.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Returns the node with this id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns the content of the node `id`, without the groups around it that neither capture nor
    /// change options, and without repeats `{1}`.
    pub(crate) fn unwrapped(&self, mut id: NodeId) -> NodeId {
        loop {
            id = match self.node(id).kind {
                Kind::Group(Group::NonCapturing | Group::Plain(None), child)
                | Kind::Repeat { child, min: 1, max: Some(1), mode: Mode::Greedy } => child,
                _ => return id,
            }
        }
    }

    /// Returns whether the pattern contains a character beyond ASCII or a property. Ruby always
    /// matches such a pattern by the rules of Unicode. It matches any other by those of ASCII if the
    /// text is ASCII.
    pub(crate) fn is_unicode(&self) -> bool {
        let wide = |node: &Node| match node.kind {
            Kind::Char(code) | Kind::Range(_, code) => code > 0x7F,
            Kind::Property(..) => true,
            _ => false,
        };
        !self.ascii || self.nodes.iter().any(wide)
    }

    /// Returns the names, in the order of their first groups.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Returns the number of capture groups, not counting the whole match.
    pub fn groups(&self) -> u32 {
        self.groups
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.root == other.root
            && self.names == other.names
            && self.groups == other.groups
            && self.nodes.len() == other.nodes.len()
            && self.nodes.iter().zip(&other.nodes).all(|(a, b)| a.kind == b.kind)
    }
}

/// What the parser makes of an escape.
pub(super) enum Escape {
    /// One character, or the list in `\u{...}`.
    Chars(Vec<u32>),
    /// A construct.
    Node(Kind),
    /// A call by name.
    Call(String),
    /// `\N`, or `\O`, which also matches line feeds.
    Dot(bool),
}

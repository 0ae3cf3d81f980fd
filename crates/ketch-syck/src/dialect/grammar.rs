//! The grammar of the dialect. The tables in [`super::table`] are generated from it.
//!
//! The grammar has conflicts, and Syck's language depends on how an LALR(1) parser resolves them:
//! shifting takes precedence over reducing, and of two possible reductions, that by the earlier
//! rule takes precedence. Therefore, the order of the rules matters. A test generates the tables
//! again and compares them.

use super::token::Kind;

/// The action of a rule: what happens when it is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// The result has the value of the first symbol.
    First,
    /// A document with a `---` was read.
    Marked,
    /// There are no more documents.
    Nothing,
    /// The result has the value of the second symbol.
    Second,
    /// A node without text was read.
    Empty,
    /// A block sequence was read whose tag or anchor is on a line of its own.
    HeadedSequence,
    /// A block sequence was read.
    Sequence,
    /// An entry of a block sequence was read.
    Entry,
    /// A tag or an anchor above entries was read.
    Head,
    /// A sequence in brackets was read.
    FlowSequence,
    /// A mapping of one pair, in a sequence, was read.
    SinglePair,
    /// A block mapping was read whose tag or anchor is on a line of its own.
    HeadedMapping,
    /// A block mapping was read.
    Mapping,
    /// A tag or an anchor above pairs was read.
    HeadPairs,
    /// A key and its value were read.
    Pair,
    /// An entry was read at the indentation of a key. It replaces the value of the key.
    Replace,
    /// A further pair was read.
    NextPair,
    /// A mapping in brackets was read.
    FlowMapping,
    /// A key without a value was read in brackets.
    KeyOnly,
}

/// The symbols that the rules define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Name {
    Document,
    Atom,
    Structure,
    AtomOrEmpty,
    Empty,
    Opened,
    BlockEnd,
    Separator,
    FlexClose,
    Word,
    Collection,
    BlockSequence,
    Entry,
    HeadedSequence,
    Entries,
    FlowSequence,
    FlowEntries,
    FlowEntry,
    BlockMapping,
    HeadedMapping,
    Key,
    Value,
    Pair,
    Pairs,
    FlowPair,
    FlowMapping,
    FlowPairs,
    FlowPairOrKey,
}

/// A symbol on the right side of a rule: a token or the name of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    T(Kind),
    N(Name),
}

/// A rule of the grammar: `symbols` can be reduced to `name`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub name: Name,
    pub symbols: &'static [Symbol],
    pub action: Action,
}

/// Creates a rule.
const fn rule(name: Name, symbols: &'static [Symbol], action: Action) -> Rule {
    Rule { name, symbols, action }
}

use Name::*;
use Symbol::{N, T};

/// The rules of the grammar. The name of the first one is the start symbol.
#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    rule(Document, &[N(Atom)], Action::First),
    rule(Document, &[T(Kind::Marker), N(AtomOrEmpty)], Action::Marked),
    rule(Document, &[], Action::Nothing),
    rule(Atom, &[N(Word)], Action::First),
    rule(Atom, &[N(Structure)], Action::First),
    rule(Structure, &[N(Collection)], Action::First),
    rule(Structure, &[T(Kind::Tag), N(Structure)], Action::Second),
    rule(Structure, &[T(Kind::Anchor), N(Structure)], Action::Second),
    rule(Structure, &[N(Opened), N(Structure), N(FlexClose)], Action::Second),
    rule(AtomOrEmpty, &[N(Atom)], Action::First),
    rule(AtomOrEmpty, &[N(Empty)], Action::First),
    rule(Empty, &[N(Opened), N(Empty), N(BlockEnd)], Action::Second),
    rule(Empty, &[], Action::Empty),
    rule(Empty, &[T(Kind::Implicit), N(Empty)], Action::Second),
    rule(Empty, &[T(Kind::Tag), N(Empty)], Action::Second),
    rule(Empty, &[T(Kind::Anchor), N(Empty)], Action::Second),
    rule(Opened, &[T(Kind::Open)], Action::First),
    rule(Opened, &[N(Opened), T(Kind::Line)], Action::First),
    rule(BlockEnd, &[T(Kind::Close)], Action::First),
    rule(Separator, &[T(Kind::Line)], Action::First),
    rule(FlexClose, &[T(Kind::Close)], Action::First),
    rule(FlexClose, &[N(Separator), N(FlexClose)], Action::First),
    rule(Word, &[T(Kind::Tag), N(Word)], Action::Second),
    rule(Word, &[T(Kind::Implicit), N(Word)], Action::Second),
    rule(Word, &[T(Kind::Anchor), N(Word)], Action::Second),
    rule(Word, &[T(Kind::Alias)], Action::First),
    rule(Word, &[T(Kind::Scalar)], Action::First),
    rule(Word, &[N(Opened), N(Word), N(FlexClose)], Action::Second),
    rule(Collection, &[T(Kind::Block)], Action::First),
    rule(Collection, &[N(BlockSequence)], Action::First),
    rule(Collection, &[N(FlowSequence)], Action::First),
    rule(Collection, &[N(BlockMapping)], Action::First),
    rule(Collection, &[N(FlowMapping)], Action::First),
    rule(BlockSequence, &[N(Opened), N(HeadedSequence), N(BlockEnd)], Action::HeadedSequence),
    rule(BlockSequence, &[N(Opened), N(Entries), N(BlockEnd)], Action::Sequence),
    rule(Entry, &[T(Kind::Dash), N(AtomOrEmpty)], Action::Entry),
    rule(HeadedSequence, &[T(Kind::Tag), N(Separator), N(Entries)], Action::Head),
    rule(HeadedSequence, &[T(Kind::Tag), N(HeadedSequence)], Action::Head),
    rule(HeadedSequence, &[T(Kind::Anchor), N(Separator), N(Entries)], Action::Head),
    rule(HeadedSequence, &[T(Kind::Anchor), N(HeadedSequence)], Action::Head),
    rule(Entries, &[N(Entry)], Action::First),
    rule(Entries, &[N(Entries), N(Separator), N(Entry)], Action::First),
    rule(Entries, &[N(Entries), N(Separator)], Action::First),
    rule(FlowSequence, &[T(Kind::SequenceOpen), N(FlowEntries), T(Kind::SequenceClose)], Action::FlowSequence),
    rule(FlowSequence, &[T(Kind::SequenceOpen), T(Kind::SequenceClose)], Action::FlowSequence),
    rule(FlowEntries, &[N(FlowEntry)], Action::First),
    rule(FlowEntries, &[N(FlowEntries), T(Kind::Comma), N(FlowEntry)], Action::First),
    rule(FlowEntry, &[N(Atom)], Action::First),
    rule(FlowEntry, &[N(FlowPair)], Action::SinglePair),
    rule(BlockMapping, &[N(Opened), N(HeadedMapping), N(BlockEnd)], Action::HeadedMapping),
    rule(BlockMapping, &[N(Opened), N(Pairs), N(BlockEnd)], Action::Mapping),
    rule(HeadedMapping, &[T(Kind::Tag), N(Separator), N(Pairs)], Action::HeadPairs),
    rule(HeadedMapping, &[T(Kind::Tag), N(HeadedMapping)], Action::HeadPairs),
    rule(HeadedMapping, &[T(Kind::Anchor), N(Separator), N(Pairs)], Action::HeadPairs),
    rule(HeadedMapping, &[T(Kind::Anchor), N(HeadedMapping)], Action::HeadPairs),
    rule(Key, &[N(Word)], Action::First),
    rule(Key, &[T(Kind::Question), N(Atom), N(Separator)], Action::Second),
    rule(Value, &[N(AtomOrEmpty)], Action::First),
    rule(Pair, &[N(Key), T(Kind::Colon), N(Value)], Action::Pair),
    rule(Pairs, &[N(Pair)], Action::First),
    rule(Pairs, &[N(Pairs), N(Separator), N(Entry)], Action::Replace),
    rule(Pairs, &[N(Pairs), N(Separator), N(Pair)], Action::NextPair),
    rule(Pairs, &[N(Pairs), N(Separator)], Action::First),
    rule(FlowPair, &[N(Atom), T(Kind::Colon), N(AtomOrEmpty)], Action::Pair),
    rule(FlowMapping, &[T(Kind::MappingOpen), N(FlowPairs), T(Kind::MappingClose)], Action::FlowMapping),
    rule(FlowMapping, &[T(Kind::MappingOpen), T(Kind::MappingClose)], Action::FlowMapping),
    rule(FlowPairs, &[N(FlowPairOrKey)], Action::First),
    rule(FlowPairs, &[N(FlowPairs), T(Kind::Comma), N(FlowPairOrKey)], Action::First),
    rule(FlowPairOrKey, &[N(Atom)], Action::KeyOnly),
    rule(FlowPairOrKey, &[N(FlowPair)], Action::First),
];

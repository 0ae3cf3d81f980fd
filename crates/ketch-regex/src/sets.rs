//! Computes the classes of a pattern as sets of characters.

use std::collections::HashMap;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::budget::Allowance;
use crate::problem::Problem;
use crate::syntax::{Charset, Kind, NodeId, Shorthand, Tree};
use crate::{fold, unicode};

/// A class before negation and case folding, which apply to the outermost class as a whole.
struct Part {
    set: ClassUnicode,
    /// The characters that also match characters beyond ASCII under `i`. Characters that are in the
    /// class only because of `\w` and the like do not.
    foldable: ClassUnicode,
}

/// The sets of all classes in a pattern.
pub(crate) struct Sets<'t> {
    tree: &'t Tree,
    binary: bool,
    unicode: bool,
    classes: HashMap<NodeId, Part>,
}

impl<'t> Sets<'t> {
    /// Computes all classes of `tree`.
    pub(crate) fn new(tree: &'t Tree, binary: bool) -> Sets<'t> {
        let mut sets = Sets::empty(tree, binary);
        for at in 0..tree.nodes().len() {
            sets.learn(at);
        }
        sets
    }

    /// Computes all classes as [`Sets::new`] does, or fails after the deadline.
    pub(crate) fn limited(
        tree: &'t Tree,
        binary: bool,
        limits: Allowance<'_>,
    ) -> Result<Sets<'t>, Problem> {
        let mut sets = Sets::empty(tree, binary);
        for at in 0..tree.nodes().len() {
            if at.is_multiple_of(64) {
                limits.check()?;
            }
            sets.learn(at);
        }
        Ok(sets)
    }

    fn empty(tree: &'t Tree, binary: bool) -> Sets<'t> {
        Sets { tree, binary, unicode: tree.is_unicode(), classes: HashMap::new() }
    }

    /// Computes the class of the node `at`, if it is one. The classes inside it must already have
    /// been computed.
    fn learn(&mut self, at: usize) {
        if let Kind::Class(_, operands) = &self.tree.nodes()[at].kind {
            let part = self.class(operands);
            self.classes.insert(NodeId(at as u32), part);
        }
    }

    /// Returns whether characters are bytes.
    pub(crate) fn is_binary(&self) -> bool {
        self.binary
    }

    /// Returns the characters that the node `id` matches, which is a node for one character.
    pub(crate) fn get(&self, id: NodeId) -> ClassUnicode {
        let node = self.tree.node(id);
        match &node.kind {
            Kind::Class(negated, _) => self.negate(self.outermost(id), *negated),
            Kind::Char(code) if node.flags.ignore_case => self.folded(range(*code, *code)),
            Kind::Char(code) => range(*code, *code),
            Kind::Range(first, last) => range(*first, *last),
            Kind::Any if node.flags.dot_all => self.all(),
            Kind::Any => self.negated(range(10, 10)),
            Kind::Shorthand(shorthand, negated) => {
                self.negate(self.shorthand(*shorthand, node.flags.charset), *negated)
            }
            Kind::Property(name, negated) => {
                let set = self.property(name);
                let folds = node.flags.ignore_case && !is_ascii(name);
                self.negate(if folds { self.folded(set) } else { set }, *negated)
            }
            Kind::Posix(name, negated) => {
                let set = unicode::bracket(name).unwrap_or_else(ClassUnicode::empty);
                let ascii = self.binary || node.flags.charset == Charset::Ascii;
                self.negate(if ascii { intersection(set, range(0, 0x7F)) } else { set }, *negated)
            }
            _ => ClassUnicode::empty(),
        }
    }

    /// Returns the set of a class that is not inside another class, before its `^` is applied.
    fn outermost(&self, id: NodeId) -> ClassUnicode {
        let Some(part) = self.classes.get(&id) else { return ClassUnicode::empty() };
        let mut set = part.set.clone();
        if self.tree.node(id).flags.ignore_case {
            let mut ascii = intersection(set.clone(), range(0, 0x7F));
            ascii.case_fold_simple();
            let ascii = intersection(ascii, range(0, 0x7F));
            let foldable = intersection(set.clone(), part.foldable.clone());
            set.union(&ascii);
            set.union(&self.folded(foldable));
        }
        set
    }

    /// Returns the class with these operands, before its `^` is applied. As in Ruby, the first
    /// operand of `&&` determines what folds.
    fn class(&self, operands: &[Vec<NodeId>]) -> Part {
        let mut result: Option<Part> = None;
        for operand in operands {
            let mut part = Part { set: ClassUnicode::empty(), foldable: ClassUnicode::empty() };
            for item in operand {
                self.add(*item, &mut part);
            }
            result = Some(match result {
                Some(first) => Part { set: intersection(first.set, part.set), ..first },
                None => part,
            });
        }
        result.unwrap_or(Part { set: ClassUnicode::empty(), foldable: ClassUnicode::empty() })
    }

    /// Adds the item of a class to `part`.
    fn add(&self, item: NodeId, part: &mut Part) {
        match &self.tree.node(item).kind {
            Kind::Class(negated, _) => {
                let Some(inner) = self.classes.get(&item) else { return };
                let set = self.negate(inner.set.clone(), *negated);
                if !inner.foldable.ranges().is_empty() {
                    part.foldable.union(&set);
                }
                part.set.union(&set);
            }
            Kind::Shorthand(..) => part.set.union(&self.get(item)),
            Kind::Posix(name, _)
                if is_ascii(name) || self.tree.node(item).flags.charset == Charset::Ascii =>
            {
                part.set.union(&self.get(item));
            }
            Kind::Property(name, negated) => {
                // Only the outermost class folds.
                let set = self.negate(self.property(name), *negated);
                if !is_ascii(name) {
                    part.foldable.union(&set);
                }
                part.set.union(&set);
            }
            Kind::Char(code) => {
                part.set.union(&range(*code, *code));
                part.foldable.union(&range(*code, *code));
            }
            _ => {
                let set = self.get(item);
                part.foldable.union(&set);
                part.set.union(&set);
            }
        }
    }

    /// Returns the characters of a property. The parser has already rejected unknown names. In a binary
    /// pattern, properties contain only ASCII.
    fn property(&self, name: &str) -> ClassUnicode {
        let set = match self.binary {
            true => unicode::bracket(&name.to_ascii_lowercase())
                .map(|set| intersection(set, range(0, 0x7F))),
            false => unicode::property(name),
        };
        set.unwrap_or_else(ClassUnicode::empty)
    }

    /// Returns the characters of a shorthand such as `\w`.
    fn shorthand(&self, shorthand: Shorthand, charset: Charset) -> ClassUnicode {
        if charset != Charset::Unicode || self.binary {
            let ranges: &[(char, char)] = match shorthand {
                Shorthand::Word => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
                Shorthand::Digit => &[('0', '9')],
                Shorthand::Space => &[('\t', '\r'), (' ', ' ')],
                Shorthand::Hex => &[('0', '9'), ('A', 'F'), ('a', 'f')],
            };
            let ranges = ranges.iter().map(|range| ClassUnicodeRange::new(range.0, range.1));
            return ClassUnicode::new(ranges);
        }
        let name = match shorthand {
            Shorthand::Word => "word",
            Shorthand::Digit => "digit",
            Shorthand::Space => "space",
            Shorthand::Hex => "xdigit",
        };
        unicode::bracket(name).unwrap_or_else(ClassUnicode::empty)
    }

    /// Adds the characters that match those in `set` in the other case, and returns the set.
    fn folded(&self, mut set: ClassUnicode) -> ClassUnicode {
        if self.binary {
            let mut ascii = intersection(set.clone(), range(0, 0x7F));
            ascii.case_fold_simple();
            set.union(&intersection(ascii, range(0, 0x7F)));
        } else {
            fold::add_equivalents(&mut set);
        }
        set
    }

    /// Returns all characters.
    fn all(&self) -> ClassUnicode {
        range(0, if self.binary { 0xFF } else { 0x10_FFFF })
    }

    /// Returns `set` or, if `negated` is set, all characters that are not in it.
    fn negate(&self, set: ClassUnicode, negated: bool) -> ClassUnicode {
        if negated { self.negated(set) } else { set }
    }

    /// Returns all characters that are not in `set`.
    fn negated(&self, set: ClassUnicode) -> ClassUnicode {
        let mut all = self.all();
        all.difference(&set);
        all
    }

    /// Returns the texts of several characters that the class or property `id` also matches under
    /// `i`, such as "ss" for `[ß]`. In Ruby, classes such as `[[:alpha:]]` also match "ss" if some
    /// other part of the text is not ASCII. This depends on the whole text, so it is left out.
    pub(crate) fn expansions(&self, id: NodeId) -> Vec<&'static str> {
        let node = self.tree.node(id);
        if self.binary || !node.flags.ignore_case {
            return Vec::new();
        }
        let set = match &node.kind {
            Kind::Class(false, _) => self.outermost(id),
            Kind::Property(name, false) if !is_ascii(name) => self.get(id),
            _ => return Vec::new(),
        };
        fold::expansions(&set).filter(|text| self.unicode || !text.is_ascii()).collect()
    }
}

/// Returns whether `name` is that of a set whose characters do not match characters beyond ASCII
/// under `i`.
fn is_ascii(name: &str) -> bool {
    name.eq_ignore_ascii_case("ascii")
}

/// Returns the characters that are in both sets.
fn intersection(mut left: ClassUnicode, right: ClassUnicode) -> ClassUnicode {
    left.intersect(&right);
    left
}

/// Returns the characters from `first` to `last`.
fn range(first: u32, last: u32) -> ClassUnicode {
    let (Some(first), Some(last)) = (char::from_u32(first), char::from_u32(last)) else {
        return ClassUnicode::empty();
    };
    ClassUnicode::new([ClassUnicodeRange::new(first, last)])
}

//! Compiles look-arounds.
//!
//! Under `i`, an alternative of a look-behind may match texts of several lengths: `ss` also matches ß.
//! It is then compiled once for each length. In each copy, the number of characters up to an
//! instruction is the same on all paths, so what follows depends only on the position.

use std::collections::{BTreeMap, BTreeSet};

use super::{Builder, Target, Task};
use crate::error::Result;
use crate::fold;
use crate::machine::code::{Inst, Look, NONE};
use crate::regular::{joins, literal_repeat};
use crate::syntax::{Group, Kind, Mode, NodeId};

/// A part of an alternative of a look-behind.
enum Item {
    /// Literals under `i` that fold as one text.
    Chars(Vec<char>),
    Node(NodeId),
    /// The start or end of a group that captures.
    Save(u32),
    /// The end of another group.
    End,
}

/// A way to match one or more items of an alternative. Literals count as one item each.
struct Step {
    from: usize,
    to: usize,
    /// The number of characters that it matches.
    length: u32,
    what: What,
}

enum What {
    Node(NodeId),
    Save(u32),
    /// The indexes of sets that match one character each.
    Sets(Vec<u32>),
}

/// The steps of an alternative, in the order of the items where they start.
#[derive(Default)]
struct Folds {
    steps: Vec<Step>,
    /// The number of items.
    end: usize,
    /// The numbers of characters that the items before each one may match.
    reached: Vec<BTreeSet<u32>>,
}

impl Folds {
    /// Adds a step that matches `items` items from the last one on.
    fn step(&mut self, items: usize, length: u32, what: What) {
        self.steps.push(Step { from: self.end, to: self.end + items, length, what });
    }

    /// Adds a step that matches one character of each set.
    fn step_sets(&mut self, items: usize, sets: Vec<u32>) {
        self.step(items, sets.len() as u32, What::Sets(sets));
    }

    /// Computes `reached`.
    fn reach(&mut self) {
        self.reached = vec![BTreeSet::new(); self.end + 1];
        self.reached[0].insert(0);
        for step in &self.steps {
            let ends: Vec<u32> =
                self.reached[step.from].iter().map(|length| length + step.length).collect();
            self.reached[step.to].extend(ends);
        }
    }
}

impl Builder<'_> {
    /// Returns whether a node always matches exactly one character.
    pub(super) fn is_character(&self, id: NodeId) -> bool {
        let node = self.source.tree.node(id);
        match node.kind {
            Kind::Char(code) => {
                !node.flags.ignore_case && (self.source.binary || char::from_u32(code).is_some())
            }
            Kind::Class(..) | Kind::Shorthand(..) | Kind::Property(..) | Kind::Any => {
                self.fold(id).is_none() && self.source.sets.expansions(id).is_empty()
            }
            _ => false,
        }
    }

    /// Compiles a look-around whose content is one character.
    pub(super) fn peek(&mut self, child: NodeId, behind: bool, negative: bool) -> Result<()> {
        let set = self.set_of(child);
        self.emit(Inst::Peek { set, behind, negative })
    }

    /// Compiles a look-around.
    pub(super) fn look(&mut self, negative: bool, child: NodeId, body: Task) {
        let after = self.label();
        let behind = matches!(body, Task::Behind(_));
        let captures = self.source.mixed.captures[child.index()];
        let index = self.program.looks.len() as u32;
        self.program.looks.push(Look { negative, body: NONE, after, captures });
        self.tasks.extend([
            Task::Bind(after),
            Task::Emit(Inst::LookEnd(index)),
            Task::Look(self.look, self.loops_from, self.behind),
            Task::LeaveScope,
            body,
            Task::EnterScope,
            Task::Look(index, self.loops, behind),
            Task::Emit(Inst::LookBegin(index)),
        ]);
        // The start of the body is already known, because it follows the instruction of the first
        // task.
        self.program.looks[index as usize].body = self.program.code.len() as u32 + 1;
    }

    /// Compiles the alternatives of a look-behind.
    pub(super) fn behind(&mut self, branches: Vec<NodeId>) {
        let mut ways = Vec::new();
        for id in branches {
            match self.folds(id) {
                Some(folds) => {
                    let lengths = folds.reached.last().cloned().unwrap_or_default();
                    ways.extend(lengths.into_iter().map(|length| self.way(&folds, length)));
                }
                None => {
                    let back = self.source.mixed.characters(id);
                    ways.push(vec![Task::Emit(Inst::Back(back)), Task::Node(id)]);
                }
            }
        }
        let tasks = self.choice(ways);
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Returns the tasks that compile alternatives, which are tried in order.
    fn choice(&mut self, ways: Vec<Vec<Task>>) -> Vec<Task> {
        let end = self.label();
        let mut tasks = Vec::new();
        let last = ways.len().max(1) - 1;
        for (index, way) in ways.into_iter().enumerate() {
            let [first, second] = [(); 2].map(|()| self.label());
            if index < last {
                tasks.extend([Task::Split(first, second), Task::Bind(first)]);
            }
            tasks.extend(way);
            if index < last {
                tasks.extend([Task::Emit(Inst::Jump(end)), Task::Bind(second)]);
            }
        }
        tasks.push(Task::Bind(end));
        tasks
    }

    /// Returns the steps of an alternative of a look-behind, or `None` if its matches all have the
    /// same length. In Oniguruma, characters do not fold to several there.
    fn folds(&mut self, id: NodeId) -> Option<Folds> {
        if self.source.tree.oniguruma {
            return None;
        }
        let mut folds = Folds::default();
        for item in self.items(id) {
            match item {
                Item::Chars(chars) => self.literal_steps(&mut folds, &chars),
                Item::Save(slot) => {
                    folds.step(1, 0, What::Save(slot));
                    folds.end += 1;
                }
                Item::End => {}
                Item::Node(id) => {
                    let length = self.source.mixed.characters(id);
                    folds.step(1, length, What::Node(id));
                    for text in self.source.sets.expansions(id) {
                        self.text_steps(&mut folds, &text.chars().collect::<Vec<char>>());
                    }
                    folds.end += 1;
                }
            }
        }
        folds.reach();
        (folds.reached.last()?.len() > 1).then_some(folds)
    }

    /// Returns the tasks that compile an alternative for texts of `length` characters.
    fn way(&mut self, folds: &Folds, length: u32) -> Vec<Task> {
        // The numbers of characters before each item from which the end is reached.
        let mut useful = vec![BTreeMap::new(); folds.end + 1];
        useful[folds.end].insert(length, self.label());
        for step in folds.steps.iter().rev() {
            for before in folds.reached[step.from].clone() {
                if useful[step.to].contains_key(&(before + step.length)) {
                    let label = self.label();
                    useful[step.from].entry(before).or_insert(label);
                }
            }
        }
        let mut tasks = vec![Task::Emit(Inst::Back(length))];
        let mut steps = folds.steps.iter().peekable();
        for at in 0..folds.end {
            let here: Vec<&Step> =
                std::iter::from_fn(|| steps.next_if(|step| step.from == at)).collect();
            let labels: Vec<(u32, Target)> =
                useful[at].iter().map(|row| (*row.0, *row.1)).collect();
            for (before, label) in labels {
                let mut ways = Vec::new();
                for step in &here {
                    let Some(next) = useful[step.to].get(&(before + step.length)) else { continue };
                    let mut way = match &step.what {
                        What::Node(id) => vec![Task::Node(*id)],
                        What::Save(slot) => vec![Task::Emit(Inst::Save(*slot))],
                        What::Sets(sets) => {
                            sets.iter().map(|set| Task::Emit(Inst::Set(*set))).collect()
                        }
                    };
                    way.push(Task::Emit(Inst::Jump(*next)));
                    ways.push(way);
                }
                tasks.push(Task::Bind(label));
                tasks.extend(self.choice(ways));
            }
        }
        tasks.push(Task::Bind(useful[folds.end][&length]));
        tasks
    }

    /// Returns the literals under `i` and the other nodes of a sequence. Literals that fold as one text
    /// are together.
    fn items(&self, id: NodeId) -> Vec<Item> {
        let tree = self.source.tree;
        let mut items = Vec::new();
        let mut todo = vec![Item::Node(id)];
        while let Some(item) = todo.pop() {
            let Item::Node(id) = item else {
                items.push(item);
                continue;
            };
            if let Some(char) = self.fold(id) {
                match items.last_mut() {
                    Some(Item::Chars(chars)) if joins(tree, id) => chars.push(char),
                    _ => items.push(Item::Chars(vec![char])),
                }
                continue;
            }
            match &tree.node(id).kind {
                Kind::Concat(inner) => todo.extend(inner.iter().rev().copied().map(Item::Node)),
                Kind::Group(Group::Plain(Some(group)) | Group::Named(group, _), child)
                    if !self.program.levels =>
                {
                    items.push(Item::Save(2 * group));
                    todo.extend([Item::Save(2 * group + 1), Item::Node(*child)]);
                }
                Kind::Group(
                    Group::NonCapturing | Group::Plain(None) | Group::Options(..),
                    child,
                ) => {
                    items.push(Item::End);
                    todo.extend([Item::End, Item::Node(*child)]);
                }
                Kind::Repeat { child, min: 1, max: Some(1), mode: Mode::Greedy } => {
                    items.push(Item::End);
                    todo.extend([Item::End, Item::Node(*child)]);
                }
                Kind::Repeat { min, .. } => match literal_repeat(tree, id) {
                    Some((char, n)) if n == *min && !self.source.binary => {
                        items.extend([Item::Chars(vec![char; n as usize]), Item::End]);
                    }
                    _ => items.push(Item::Node(id)),
                },
                _ => items.push(Item::Node(id)),
            }
        }
        items
    }

    /// Adds steps for the text to which a character folds. Two of its letters may also be one character.
    fn text_steps(&mut self, folds: &mut Folds, text: &[char]) {
        let singles: Vec<u32> =
            text.iter().map(|char| self.add_set(&fold::equivalents(*char))).collect();
        if let [first, second, third] = text {
            for (at, pair) in [[*first, *second], [*second, *third]].iter().enumerate() {
                let pair = fold::contractions(pair);
                if !pair.ranges().is_empty() {
                    let mut sets = vec![singles[2 - 2 * at]; 2];
                    sets[at] = self.add_set(&pair);
                    folds.step_sets(1, sets);
                }
            }
        }
        folds.step_sets(1, singles);
    }

    /// Adds the steps of a literal under `i`: single characters, and characters that fold to several
    /// of its characters or the other way round.
    fn literal_steps(&mut self, folds: &mut Folds, chars: &[char]) {
        for (at, char) in chars.iter().enumerate() {
            let expansion: Vec<char> = fold::expansion(*char).unwrap_or("").chars().collect();
            let mut set = fold::equivalents(*char);
            set.union(&fold::contractions(&expansion));
            let single = self.add_set(&set);
            folds.step_sets(1, vec![single]);
            if !expansion.is_empty() {
                self.text_steps(folds, &expansion);
            }
            for length in 2..=3.min(chars.len() - at) {
                let text = &chars[at..at + length];
                let set = fold::contractions(text);
                if !set.ranges().is_empty()
                    && text.iter().all(|char| fold::expansion(*char).is_none())
                {
                    let set = self.add_set(&set);
                    folds.step_sets(length, vec![set]);
                }
            }
            folds.end += 1;
        }
    }
}

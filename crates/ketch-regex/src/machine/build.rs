//! Compiles a tree to a program of the memo machine. A vector of tasks takes the place of recursion.

mod looks;

use std::collections::HashMap;
use std::sync::Arc;

use regex_syntax::hir::ClassUnicode;

use super::branches;
use super::code::{Absent, BackReference, Branch, CharSet, Event, Inst, NONE, Program, Target};
use super::frame::NUMBER_MAX;
use crate::budget::Allowance;
use crate::error::{Error, Result};
use crate::fold;
use crate::mixed::{Mixed, has_groups};
use crate::problem::Problem;
use crate::regular::{joins, literal_char, literal_repeat};
use crate::sets::Sets;
use crate::syntax::{Charset, Group, Kind, Mode, NodeId, Reference, Span, Tree};

enum Task {
    Node(NodeId),
    /// Compiles a node several times in sequence.
    Copies(NodeId, u32),
    /// Compiles the optional copies of a bounded repeat, each with a branch to its end.
    Optional(NodeId, u32, Target),
    /// Compiles literals in either case.
    Run(Vec<char>),
    Emit(Inst),
    /// Emits a branch with its first and its second target.
    Split(Target, Target),
    Bind(Target),
    EnterLoop,
    LeaveLoop,
    EnterScope,
    LeaveScope,
    /// Sets the look-around that contains what follows, the first register of its loops, and whether
    /// it is a look-behind.
    Look(u32, u32, bool),
    /// Compiles the alternatives of a look-behind, each after a step back.
    Behind(Vec<NodeId>),
}

/// The input of the compiler.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) root: NodeId,
    pub(crate) pattern: &'t str,
    pub(crate) sets: &'t Sets<'t>,
    pub(crate) mixed: &'t Mixed,
    pub(crate) limits: Allowance<'t>,
    pub(crate) binary: bool,
}

struct Builder<'t> {
    source: Source<'t>,
    /// The indexes of the programs of absence operators, by node.
    absences: HashMap<NodeId, u32>,
    program: Program,
    tasks: Vec<Task>,
    /// The index of the instruction that each label stands for.
    labels: Vec<u32>,
    /// The indexes of the sets of nodes that were already compiled.
    sets: HashMap<NodeId, u32>,
    /// The number of loops around the current node. Their registers are numbered from the outermost
    /// one. In the body of a look-around, they start at `loops_from`.
    loops: u32,
    loops_from: u32,
    scopes: u32,
    look: u32,
    /// Whether the current node is in a look-behind. There, a node only matches texts of one length.
    behind: bool,
    /// The labels of the groups that are called.
    called: HashMap<u32, Target>,
    /// The group whose routine is being compiled.
    routine: Option<NodeId>,
    steps: u64,
}

/// Compiles the node `source.root`. `parts` has this node and the groups that it calls, and
/// `absences` has the absence operators in them.
pub(crate) fn build(
    source: Source<'_>,
    parts: &[NodeId],
    absences: Vec<(NodeId, Arc<Absent>)>,
) -> Result<Program> {
    let mixed = source.mixed;
    let ids = absences.iter().enumerate().map(|(at, row)| (row.0, at as u32)).collect();
    let depth = absences.iter().map(|row| row.1.depth()).max().unwrap_or(0);
    let program = Program {
        code: Vec::new(),
        branches: Vec::new(),
        looks: Vec::new(),
        sets: Vec::new(),
        references: Vec::new(),
        absences: absences.into_iter().map(|row| row.1).collect(),
        ends: 0,
        depth,
        column: 0,
        registers: 0,
        groups: source.tree.groups(),
        open_groups: None,
        tested: mixed.tested.clone(),
        plain_groups: mixed.memo && mixed.tested.is_empty() && !mixed.levels,
        memo: mixed.memo,
        levels: mixed.levels,
        tables: Vec::new(),
        first: None,
        binary: source.binary,
    };
    let mut builder = Builder {
        source,
        absences: ids,
        program,
        tasks: Vec::new(),
        labels: Vec::new(),
        sets: HashMap::new(),
        loops: 0,
        loops_from: 0,
        scopes: 0,
        look: NONE,
        behind: false,
        called: HashMap::new(),
        routine: None,
        steps: 0,
    };
    builder.whole(parts)?;
    Ok(builder.program)
}

impl Builder<'_> {
    /// Compiles the pattern, then the groups that are called.
    fn whole(&mut self, parts: &[NodeId]) -> Result<()> {
        let mixed = self.source.mixed;
        for group in mixed.called.iter().filter(|_| mixed.recursive) {
            if mixed.group(*group).is_some_and(|id| parts.contains(&id)) {
                let label = self.label();
                self.called.insert(*group, label);
            }
        }
        self.tasks = vec![Task::Emit(Inst::Match), Task::Node(self.source.root)];
        self.drain()?;
        // The groups that are called, each as a routine.
        let mut called: Vec<(u32, Target)> =
            self.called.iter().map(|(group, label)| (*group, *label)).collect();
        called.sort_unstable();
        for (group, label) in called {
            let Some(node) = self.source.mixed.group(group) else { continue };
            self.routine = Some(node);
            // The loops of a routine have registers of their own.
            (self.loops, self.loops_from) = (self.program.registers, self.program.registers);
            self.tasks = vec![Task::Emit(Inst::Return), Task::Node(node), Task::Bind(label)];
            self.drain()?;
        }
        if self.source.mixed.recursive {
            self.program.open_groups = Some(self.program.registers);
            self.program.registers += self.source.tree.groups() + 1;
        }
        self.resolve();
        branches::prepare(&mut self.program, self.source.limits)
            .map_err(|problem| self.fail(problem))
    }

    /// Performs all tasks, and checks the time every 64 tasks.
    fn drain(&mut self) -> Result<()> {
        while let Some(task) = self.tasks.pop() {
            self.steps += 1;
            if self.steps.is_multiple_of(64)
                && let Err(problem) = self.source.limits.check()
            {
                return Err(self.fail(problem));
            }
            self.task(task)?;
        }
        Ok(())
    }

    /// Replaces labels by the indexes of instructions.
    fn resolve(&mut self) {
        let labels = &self.labels;
        // Jumps to jumps, such as the one to the head of a loop, lead straight to the end. They do not
        // form circles, because a loop has a branch.
        let jumps: Vec<Option<Target>> = self
            .program
            .code
            .iter()
            .map(|inst| match inst {
                Inst::Jump(target) => Some(labels[*target as usize]),
                _ => None,
            })
            .collect();
        let place = |target: &mut Target| {
            *target = labels[*target as usize];
            while let Some(Some(next)) = jumps.get(*target as usize) {
                *target = *next;
            }
        };
        for inst in &mut self.program.code {
            match inst {
                Inst::Jump(target)
                | Inst::Call(target)
                | Inst::IfSet(_, target)
                | Inst::LoopCheck(_, target, _) => place(target),
                Inst::Split { first, second, .. } => {
                    place(first);
                    place(second);
                }
                _ => {}
            }
        }
        for look in &mut self.program.looks {
            place(&mut look.after);
        }
    }

    /// Creates a label whose instruction is not known yet.
    fn label(&mut self) -> Target {
        self.labels.push(NONE);
        self.labels.len() as u32 - 1
    }

    /// Returns an error that spans the whole pattern.
    fn fail(&self, problem: Problem) -> Error {
        let span = Span { start: 0, end: self.source.pattern.len() };
        Error::new(problem, span, self.source.pattern)
    }

    /// Appends an instruction, or fails if the program is too large.
    fn emit(&mut self, inst: Inst) -> Result<()> {
        let limit = self.source.limits.program_bytes;
        let bytes = size_of::<Inst>() * self.program.code.len()
            + size_of::<Branch>() * self.program.branches.len();
        if bytes >= limit || self.program.code.len() >= NUMBER_MAX {
            return Err(self.fail(Problem::ProgramSize(limit)));
        }
        self.program.code.push(inst);
        Ok(())
    }

    /// Appends a branch.
    fn split(&mut self, first: Target, second: Target) -> Result<()> {
        let branch = Branch {
            recorded: true,
            slot: 0,
            table: NONE,
            direct: 0,
            runs: 0,
            ends_atomic: false,
            loops: self.loops_from..self.loops,
            scoped: self.scopes > 0,
            look: self.look,
        };
        self.program.branches.push(branch);
        let branch = self.program.branches.len() as u32 - 1;
        self.emit(Inst::Split { first, second, branch })
    }

    /// Performs one task, which may add others.
    fn task(&mut self, task: Task) -> Result<()> {
        match task {
            Task::Node(id) => self.node(id)?,
            Task::Copies(_, 0) => {}
            Task::Copies(id, n) => self.tasks.extend([Task::Copies(id, n - 1), Task::Node(id)]),
            Task::Optional(id, n, end) => self.optional(id, n, end),
            Task::Run(chars) => self.run(&chars)?,
            Task::Emit(inst) => self.emit(inst)?,
            Task::Split(first, second) => self.split(first, second)?,
            Task::Bind(label) => self.labels[label as usize] = self.program.code.len() as u32,
            Task::EnterLoop => {
                let register = self.loops;
                self.loops += 1;
                self.program.registers = self.program.registers.max(self.loops);
                self.emit(Inst::LoopBegin(register))?;
            }
            Task::LeaveLoop => self.loops -= 1,
            Task::EnterScope => self.scopes += 1,
            Task::LeaveScope => self.scopes -= 1,
            Task::Look(look, from, behind) => {
                (self.look, self.loops_from, self.behind) = (look, from, behind);
            }
            Task::Behind(branches) => self.behind(branches),
        }
        Ok(())
    }

    /// Compiles a node, or adds the tasks that do so.
    fn node(&mut self, id: NodeId) -> Result<()> {
        let tree = self.source.tree;
        let node = tree.node(id);
        let ascii = self.source.binary || node.flags.charset == Charset::Ascii;
        match &node.kind {
            Kind::Empty => {}
            Kind::Char(code) if !node.flags.ignore_case => self.char(*code)?,
            Kind::Char(_) | Kind::Class(..) if self.fold(id).is_some() => {
                let char = self.fold(id);
                self.run(char.as_slice())?;
            }
            Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => self.set(id)?,
            Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => self.set(id)?,
            Kind::Assertion(assertion) => self.emit(Inst::Assert(*assertion, ascii))?,
            Kind::Keep => self.emit(Inst::Keep)?,
            Kind::LineBreak => self.line_break()?,
            Kind::Grapheme => self.emit(Inst::Grapheme)?,
            Kind::Concat(items) => self.concat(items),
            Kind::Alternation(branches) => self.alternation(branches),
            Kind::Repeat { .. } => self.repeat(id),
            Kind::Group(group, child) => self.group(id, group, *child)?,
            Kind::Conditional { test, yes, no } => self.conditional(test, *yes, *no)?,
            Kind::BackReference(reference, level) => {
                let ignore_case = node.flags.ignore_case;
                let mut groups = self.groups(reference);
                groups.reverse();
                self.program.references.push(BackReference { groups, level: *level, ignore_case });
                self.emit(Inst::Reference(self.program.references.len() as u32 - 1))?;
            }
            Kind::Call(reference) => {
                let group = self.groups(reference).last().copied().unwrap_or(0);
                match self.called.get(&group) {
                    Some(label) if !self.behind || self.program.levels => {
                        self.emit(Inst::Call(*label))?;
                    }
                    _ => self.tasks.extend(self.source.mixed.group(group).map(Task::Node)),
                }
            }
        }
        Ok(())
    }

    /// Returns the character of a literal under `i`, or `None` if the node is not such a literal.
    fn fold(&self, id: NodeId) -> Option<char> {
        if self.source.binary { None } else { literal_char(self.source.tree, id) }
    }

    /// Returns the numbers of the groups that a reference refers to.
    fn groups(&self, reference: &Reference) -> Vec<u32> {
        match reference {
            Reference::Number(number) => vec![*number],
            Reference::Name(name) => self.source.tree.names()[*name as usize].groups.clone(),
        }
    }

    /// Emits instructions that match the character `code`.
    fn char(&mut self, code: u32) -> Result<()> {
        match char::from_u32(code) {
            Some(char) if !self.source.binary => {
                for byte in char.encode_utf8(&mut [0; 4]).bytes() {
                    self.emit(Inst::Byte(byte))?;
                }
                Ok(())
            }
            _ => self.emit(Inst::Byte(code as u8)),
        }
    }

    /// Emits an instruction that matches one character of `set`.
    fn chars(&mut self, set: &ClassUnicode) -> Result<()> {
        let set = self.add_set(set);
        self.emit(Inst::Set(set))
    }

    /// Adds a set, and returns its index.
    fn add_set(&mut self, set: &ClassUnicode) -> u32 {
        self.program.sets.push(CharSet::new(set));
        self.program.sets.len() as u32 - 1
    }

    /// Returns the index of the set of the node `id`, which is added if it is new.
    fn set_of(&mut self, id: NodeId) -> u32 {
        if let Some(set) = self.sets.get(&id) {
            return *set;
        }
        let set = self.add_set(&self.source.sets.get(id));
        self.sets.insert(id, set);
        set
    }

    /// Compiles a set, which matches one of its characters or one of the texts that they fold to.
    fn set(&mut self, id: NodeId) -> Result<()> {
        let set = self.set_of(id);
        let expansions = self.source.sets.expansions(id);
        if expansions.is_empty() || self.behind {
            return self.emit(Inst::Set(set));
        }
        let end = self.label();
        let mut next = self.label();
        let first = self.label();
        self.split(first, next)?;
        self.bind(first);
        self.emit(Inst::Set(set))?;
        self.emit(Inst::Jump(end))?;
        for (index, text) in expansions.iter().enumerate() {
            self.bind(next);
            if index + 1 < expansions.len() {
                next = self.label();
                let this = self.label();
                self.split(this, next)?;
                self.bind(this);
            }
            self.run(&text.chars().collect::<Vec<char>>())?;
            self.emit(Inst::Jump(end))?;
        }
        self.bind(end);
        Ok(())
    }

    /// Binds `label` to the instruction that is emitted next.
    fn bind(&mut self, label: Target) {
        self.labels[label as usize] = self.program.code.len() as u32;
    }

    /// Compiles `\R`, which is `(?>\r\n|[\n-\r\u0085\u2028\u2029])`.
    fn line_break(&mut self) -> Result<()> {
        let [first, second, end] = [(); 3].map(|()| self.label());
        self.emit(Inst::AtomicBegin)?;
        self.scopes += 1;
        self.split(first, second)?;
        self.scopes -= 1;
        self.bind(first);
        self.emit(Inst::Byte(b'\r'))?;
        self.emit(Inst::Byte(b'\n'))?;
        self.emit(Inst::Jump(end))?;
        self.bind(second);
        self.chars(&fold::line_breaks(self.source.binary))?;
        self.bind(end);
        self.emit(Inst::AtomicEnd)
    }

    /// Compiles nodes in sequence. Adjacent literals under `i` are compiled together, because "ss"
    /// also matches ß.
    fn concat(&mut self, items: &[NodeId]) {
        let mut tasks = Vec::with_capacity(items.len());
        for id in items {
            match self.fold(*id) {
                Some(char) => match tasks.last_mut() {
                    Some(Task::Run(chars)) if joins(self.source.tree, *id) => chars.push(char),
                    _ => tasks.push(Task::Run(vec![char])),
                },
                None => tasks.push(Task::Node(*id)),
            }
        }
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Compiles literals in either case, with paths for single characters that fold to several.
    fn run(&mut self, chars: &[char]) -> Result<()> {
        let labels: Vec<Target> = (0..=chars.len()).map(|_| self.label()).collect();
        for (at, char) in chars.iter().enumerate() {
            self.bind(labels[at]);
            let mut set = fold::equivalents(*char);
            if self.behind {
                self.chars(&set)?;
                continue;
            }
            let expansion = fold::expansion(*char);
            if let Some(text) = expansion {
                let folded: Vec<char> = text.chars().collect();
                set.union(&fold::contractions(&folded));
            }
            let mut longer = Vec::new();
            for length in 2..=3.min(chars.len() - at) {
                let text = &chars[at..at + length];
                let expands = text.iter().any(|char| fold::expansion(*char).is_some());
                let set = fold::contractions(text);
                if !expands && !set.ranges().is_empty() {
                    longer.push((set, labels[at + length]));
                }
            }
            if let Some(text) = expansion {
                let next = self.branch()?;
                self.run(&text.chars().collect::<Vec<char>>())?;
                self.emit(Inst::Jump(labels[at + 1]))?;
                self.bind(next);
            }
            for (set, target) in longer.into_iter().rev() {
                // The single character is tried first, but comes last in the code.
                let [long, short] = [(); 2].map(|()| self.label());
                self.split(short, long)?;
                self.bind(long);
                self.chars(&set)?;
                self.emit(Inst::Jump(target))?;
                self.bind(short);
            }
            self.chars(&set)?;
        }
        self.bind(labels[chars.len()]);
        Ok(())
    }

    /// Appends a branch whose first alternative comes next. Returns the label of the second.
    fn branch(&mut self) -> Result<Target> {
        let [first, second] = [(); 2].map(|()| self.label());
        self.split(first, second)?;
        self.bind(first);
        Ok(second)
    }

    /// Compiles alternatives, which are tried in order.
    fn alternation(&mut self, branches: &[NodeId]) {
        let end = self.label();
        let mut tasks = Vec::new();
        for (index, id) in branches.iter().enumerate() {
            if index + 1 == branches.len() {
                tasks.push(Task::Node(*id));
                break;
            }
            let [first, second] = [(); 2].map(|()| self.label());
            tasks.extend([
                Task::Split(first, second),
                Task::Bind(first),
                Task::Node(*id),
                Task::Emit(Inst::Jump(end)),
                Task::Bind(second),
            ]);
        }
        tasks.push(Task::Bind(end));
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Compiles a repeat.
    fn repeat(&mut self, id: NodeId) {
        let Kind::Repeat { child, mut min, mut max, mode } = self.source.tree.node(id).kind else {
            return;
        };
        let mut tasks = Vec::new();
        if let Some((char, n)) = literal_repeat(self.source.tree, id)
            && !self.source.binary
        {
            tasks.push(Task::Run(vec![char; n as usize]));
            (min, max) = (min - n, max.map(|max| max - n));
        }
        match max {
            Some(max) => {
                let end = self.label();
                tasks.push(Task::Copies(child, min));
                if max > min {
                    tasks.push(Task::Optional(id, max - min, end));
                }
                tasks.push(Task::Bind(end));
            }
            None => {
                tasks.push(Task::Copies(child, min.saturating_sub(1)));
                self.endless(child, min, mode == Mode::Lazy, &mut tasks);
            }
        }
        if mode == Mode::Possessive {
            self.tasks.extend([Task::Emit(Inst::AtomicEnd), Task::LeaveScope]);
            self.tasks.extend(tasks.into_iter().rev());
            self.tasks.extend([Task::EnterScope, Task::Emit(Inst::AtomicBegin)]);
        } else {
            self.tasks.extend(tasks.into_iter().rev());
        }
    }

    /// Adds the tasks for `x*` if `min` is 0, and otherwise for `x+`.
    fn endless(&mut self, child: NodeId, min: u32, lazy: bool, tasks: &mut Vec<Task>) {
        let [start, head, end] = [(); 3].map(|()| self.label());
        let nullable = self.source.mixed.lengths[child.index()] == 0;
        let split = match lazy {
            true => Task::Split(end, start),
            false => Task::Split(start, end),
        };
        // All iterations of `x+` share the branch that follows the first one.
        let body = self.label();
        if min == 0 {
            tasks.push(Task::Emit(Inst::Jump(head)));
        } else if nullable && !self.program.memo {
            // As in Ruby, the first iteration may match nothing, and always goes on to the next one.
            let skip = Inst::LoopSkip(self.loops);
            tasks.extend([Task::Emit(skip), Task::Emit(Inst::Jump(body))]);
        }
        tasks.push(Task::Bind(start));
        if nullable {
            let groups = !self.program.memo && has_groups(self.source.tree, child);
            let check = Inst::LoopCheck(self.loops, end, groups);
            tasks.extend([Task::EnterLoop, Task::Bind(body), Task::Node(child)]);
            tasks.extend([Task::Emit(check), Task::LeaveLoop]);
        } else {
            tasks.push(Task::Node(child));
        }
        tasks.extend([Task::Bind(head), split, Task::Bind(end)]);
    }

    /// Adds the tasks for the next of `n` optional copies in a bounded repeat.
    fn optional(&mut self, id: NodeId, n: u32, end: Target) {
        let Kind::Repeat { child, mode, .. } = self.source.tree.node(id).kind else { return };
        if n == 0 {
            return;
        }
        let start = self.label();
        let split = match mode {
            Mode::Lazy => Task::Split(end, start),
            _ => Task::Split(start, end),
        };
        let rest = Task::Optional(id, n - 1, end);
        self.tasks.extend([rest, Task::Node(child), Task::Bind(start), split]);
    }

    /// Compiles a group of any kind.
    fn group(&mut self, id: NodeId, group: &Group, child: NodeId) -> Result<()> {
        match group {
            Group::Plain(Some(number)) | Group::Named(number, _) => {
                // For levels, a group that is called also counts as a call where it is written.
                let level = self.program.levels
                    && self.routine != Some(id)
                    && self.source.mixed.called.contains(number);
                self.tasks.extend(level.then_some(Task::Emit(Inst::Level(Event::Return))));
                self.tasks.extend([
                    Task::Emit(Inst::Save(2 * number + 1)),
                    Task::Node(child),
                    Task::Emit(Inst::Save(2 * number)),
                ]);
                self.tasks.extend(level.then_some(Task::Emit(Inst::Level(Event::Call))));
            }
            Group::Plain(None) | Group::NonCapturing | Group::Options(..) => {
                self.tasks.push(Task::Node(child));
            }
            Group::Atomic => self.tasks.extend([
                Task::Emit(Inst::AtomicEnd),
                Task::LeaveScope,
                Task::Node(child),
                Task::EnterScope,
                Task::Emit(Inst::AtomicBegin),
            ]),
            Group::LookAhead { negative } | Group::LookBehind { negative }
                if self.is_character(child) =>
            {
                let behind = matches!(group, Group::LookBehind { .. });
                self.peek(child, behind, *negative)?;
            }
            Group::LookAhead { negative } => self.look(*negative, child, Task::Node(child)),
            Group::LookBehind { negative } => {
                let content = self.source.tree.unwrapped(child);
                let branches = match &self.source.tree.node(content).kind {
                    Kind::Alternation(branches) => branches.clone(),
                    _ => vec![child],
                };
                self.look(*negative, child, Task::Behind(branches));
            }
            Group::Absence => {
                let plain = self.program.memo && self.loops == self.loops_from;
                let ends = if plain { self.program.ends } else { NONE };
                self.program.ends += u32::from(plain);
                self.emit(Inst::Absence(self.absences[&id], ends))?;
            }
        }
        Ok(())
    }

    /// Compiles a conditional such as `(?(1)yes|no)`.
    fn conditional(&mut self, test: &Reference, yes: NodeId, no: Option<NodeId>) -> Result<()> {
        let [other, end] = [(); 2].map(|()| self.label());
        let group = self.groups(test).first().copied().unwrap_or(0);
        self.emit(Inst::IfSet(group, other))?;
        self.tasks.push(Task::Bind(end));
        self.tasks.extend(no.map(Task::Node));
        self.tasks.extend([Task::Bind(other), Task::Emit(Inst::Jump(end)), Task::Node(yes)]);
        Ok(())
    }
}

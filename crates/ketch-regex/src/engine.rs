//! The memo machine of a pattern, and the automata that propose where to start it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::{Anchored, Input, MatchKind};

use crate::budget::{Allowance, Budget, EAGER};
use crate::cost::Cost;
use crate::error::{Error, Result};
use crate::lazy;
use crate::machine::{self, Absent, Ends, Program, Search, Source, build};
use crate::mixed::{Mixed, absences, below, outward};
use crate::options::{Encoding, Limits, Options};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::program::{Target, compile};
use crate::regular::{self, Facts};
use crate::sets::Sets;
use crate::syntax::{Kind, NodeId, Tree, parse_within};
use crate::text::{Request, Text};

/// The minimum length in bytes of a text in which automata propose starts.
const PROPOSE_BYTES: usize = if EAGER { 0 } else { 512 };
/// The number of wrong proposals after which all positions are tried instead.
const WRONG_MAX: usize = 16;
/// The number of bytes in wrong proposals after which all positions are tried, unless it is a small
/// part of the text.
const WASTED_MAX: usize = 4096;

/// The maximum number of absence operators around one whose pattern is not regular. Each of them runs
/// the machine of the next.
const ABSENCES_MAX: usize = 8;
const TOO_DEEP: &str = "an absence operator inside more than 8 others";

/// The memo machine of a pattern, with the automata that propose starts.
pub(crate) struct Engine {
    pub(crate) program: Program,
    groups: usize,
    /// Automata that match at least what the pattern matches, and so find positions at which a match
    /// may start.
    wider: OnceLock<Option<Wider>>,
}

/// A place at which automata propose that a match may be.
enum Proposal {
    Span(usize, usize),
    No,
    Unknown,
}

struct Wider {
    forward: DFA,
    backward: DFA,
}

/// The memory of the machines.
#[derive(Default)]
pub(crate) struct Cache {
    pub(crate) machine: machine::Cache,
    forward: Option<dfa::Cache>,
    backward: Option<dfa::Cache>,
}

impl Engine {
    pub(crate) fn new(
        tree: &Tree,
        pattern: &str,
        sets: &Sets<'_>,
        mixed: &Mixed,
        encoding: Encoding,
        limits: Allowance<'_>,
    ) -> Result<Engine> {
        let binary = encoding == Encoding::Binary;
        let source = Source { tree, root: tree.root(), pattern, sets, mixed, limits, binary };
        let program = Absences::default().program(source)?;
        Ok(Engine { program, groups: tree.groups() as usize, wider: OnceLock::new() })
    }

    /// Creates the memo machine of a pattern that is also matched by automata.
    pub(crate) fn of(pattern: &str, options: &Options, limits: Allowance<'_>) -> Result<Engine> {
        let tree = parse_within(pattern, options, limits)?;
        let facts = regular::facts(&tree);
        let sets = Sets::limited(&tree, options.encoding == Encoding::Binary, limits)
            .map_err(|problem| Error::whole(problem, pattern))?;
        let mixed = Mixed::new(&tree, &facts);
        Engine::new(&tree, pattern, &sets, &mixed, options.encoding, limits)
    }

    /// Returns whether a table for `positions` positions is within the limits.
    pub(crate) fn fits(&self, positions: usize, limits: &Limits) -> bool {
        self.program.table_bytes(positions) <= limits.memory_bytes / 2
    }

    /// Returns an automaton that finds all starts of matches, and possibly other positions. Returns
    /// `None` if the pattern has no such automaton.
    pub(crate) fn backward(
        &self,
        pattern: &str,
        options: &Options,
        limits: Allowance<'_>,
    ) -> Result<Option<&DFA>, Problem> {
        Ok(self.wider(pattern, options, limits)?.map(|wider| &wider.backward))
    }

    /// Returns the automata that propose starts, which are compiled at the first call, or `None` if
    /// the pattern has no such automata. Fails if there is no time to compile them; the next search
    /// then tries again.
    fn wider(
        &self,
        pattern: &str,
        options: &Options,
        limits: Allowance<'_>,
    ) -> Result<Option<&Wider>, Problem> {
        if let Some(wider) = self.wider.get() {
            return Ok(wider.as_ref());
        }
        let wider = Wider::new(pattern, options, limits);
        if wider.is_none() {
            limits.check()?;
        }
        Ok(self.wider.get_or_init(|| wider).as_ref())
    }

    /// Searches as `request` says, and stores the match in `slots`. Returns whether there is one.
    pub(crate) fn run(
        &self,
        (pattern, options): (&str, &Options),
        cache: &mut Cache,
        request: Request<'_>,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
        mut cost: Option<&mut Cost>,
    ) -> Result<bool, Problem> {
        let Request { text, from, anchored, .. } = request;
        let Cache { machine, forward, backward } = cache;
        let limits = budget.allowance();
        let mut search = Search::new(&self.program, machine, request, budget)?;
        search.ends = ends(options);
        if anchored {
            return search.match_at(from, self.groups, slots);
        }
        if text.bytes.len() - from < PROPOSE_BYTES {
            return search.find_anywhere(self.groups, slots);
        }
        let mut wider = self.wider(pattern, options, limits)?;
        // The number of wrong proposals, and of the bytes that the automata have read twice for them.
        let (mut wrong, mut wasted) = (0, 0);
        search.find(self.groups, slots, |at, budget| {
            let at = if text.is_boundary(at) { at } else { text.next_boundary(at) };
            let allowed = cost.as_ref().is_none_or(|cost| cost.allows(text.bytes.len()));
            if let Some(automata) = wider.filter(|_| {
                wrong < WRONG_MAX && wasted < WASTED_MAX.max(text.bytes.len() / 8) && allowed
            }) {
                wrong += 1;
                match automata.propose((forward, backward), text, at, budget, &mut cost)? {
                    Proposal::Span(start, end) => {
                        wasted += end - start;
                        let inside = !text.is_boundary(start);
                        return Ok(Some(if inside { text.next_boundary(start) } else { start }));
                    }
                    Proposal::No => return Ok(None),
                    Proposal::Unknown => wider = None,
                }
            }
            Ok((at <= text.bytes.len()).then_some(at))
        })
    }
}

impl Wider {
    fn new(pattern: &str, options: &Options, limits: Allowance<'_>) -> Option<Wider> {
        let binary = options.encoding == Encoding::Binary;
        let tree = parse_within(pattern, options, limits).ok()?;
        let sets = Sets::limited(&tree, binary, limits).ok()?;
        let plan = Plan::new(&tree, &sets, 0, false);
        let program = |reverse| {
            let target = Target { reverse, exact: false, binary, wider: true };
            compile(&tree, tree.root(), pattern, &sets, target, limits).ok()
        };
        Some(Wider {
            forward: lazy::build(program(false)?, MatchKind::LeftmostFirst, plan.prefix(), limits)?,
            backward: lazy::build(program(true)?, MatchKind::All, None, limits)?,
        })
    }

    /// Finds the first place at `from` or later at which a match may be.
    fn propose(
        &self,
        (forward, backward): (&mut Option<dfa::Cache>, &mut Option<dfa::Cache>),
        text: Text<'_>,
        from: usize,
        budget: &mut Budget<'_>,
        cost: &mut Option<&mut Cost>,
    ) -> Result<Proposal, Problem> {
        let input = Input::new(text.bytes).range(from..);
        let memory = forward.get_or_insert_with(|| self.forward.create_cache());
        let end = match Cost::forward(cost, &self.forward, memory, &input, budget)? {
            lazy::Answer::At(end) => end,
            lazy::Answer::No => return Ok(Proposal::No),
            lazy::Answer::Unknown => return Ok(Proposal::Unknown),
        };
        let input = Input::new(text.bytes).range(from..end).anchored(Anchored::Yes);
        let memory = backward.get_or_insert_with(|| self.backward.create_cache());
        match lazy::backward(&self.backward, memory, &input, budget)? {
            lazy::Answer::At(start) => Ok(Proposal::Span(start, end)),
            _ => Ok(Proposal::Unknown),
        }
    }
}

/// The absence operators of a pattern. A program contains those of the groups that it calls, so
/// several programs may contain the same one.
#[derive(Default)]
struct Absences {
    done: HashMap<NodeId, Arc<Absent>>,
    /// Those that are being compiled, from the outermost to the innermost.
    open: Vec<NodeId>,
}

impl Absences {
    /// Compiles the node `source.root`, and the patterns of its absence operators, which may
    /// themselves contain absence operators.
    fn program(&mut self, source: Source<'_>) -> Result<Program> {
        let parts = source.mixed.parts(source.tree, source.root);
        let mut programs = Vec::new();
        for id in absences(source.tree, &parts) {
            let Kind::Group(_, child) = source.tree.node(id).kind else { continue };
            programs.push((id, self.absent(source, id, child)?));
        }
        build(source, &parts, programs)
    }

    /// Returns the compiled form of the absence operator `id` with the content `child`.
    fn absent(&mut self, source: Source<'_>, id: NodeId, child: NodeId) -> Result<Arc<Absent>> {
        let Source { tree, pattern, sets, mixed, limits, binary, .. } = source;
        let refuse =
            |id, what| Err(Error::new(Problem::Irregular(what), tree.node(id).span, pattern));
        if !self.done.contains_key(&id) {
            let mut inside = below(tree, child).into_iter();
            let absent = if inside.all(|id| regular::construct(&tree.node(id).kind).is_none()) {
                let target = Target { reverse: false, exact: true, binary, wider: false };
                Absent::Regular(compile(tree, child, pattern, sets, target, limits)?)
            } else {
                if let Some(outward) = outward(tree, &mixed.parts(tree, child)) {
                    let what = "a reference in an absence operator to a group outside of it";
                    return refuse(outward, what);
                }
                if self.open.contains(&id) {
                    return refuse(id, "an absence operator that calls itself");
                }
                if self.open.len() == ABSENCES_MAX {
                    return refuse(id, TOO_DEEP);
                }
                self.open.push(id);
                let program = self.program(Source { root: child, ..source })?;
                self.open.pop();
                Absent::Irregular(Box::new(program))
            };
            self.done.insert(id, Arc::new(absent));
        }
        let absent = &self.done[&id];
        // It may have been compiled where there are fewer absence operators around it.
        if self.open.len() + absent.depth() > ABSENCES_MAX {
            return refuse(id, TOO_DEEP);
        }
        Ok(Arc::clone(absent))
    }
}

/// Returns which ends of a path are a match.
fn ends(options: &Options) -> Ends {
    match (options.find_longest, options.find_not_empty) {
        (true, not_empty) => Ends::Longest(!not_empty, None),
        (false, true) => Ends::NotEmpty,
        (false, false) => Ends::First,
    }
}

/// Returns whether automata find the spans of a pattern with these facts, and whether the memo
/// machine is needed. Automata can only find the first match, which may be empty.
pub(crate) fn parts(facts: &Facts, options: &Options) -> (bool, bool) {
    if options.find_longest || options.find_not_empty {
        return (false, true);
    }
    (facts.irregular.is_none() || facts.spans, facts.irregular.is_some())
}

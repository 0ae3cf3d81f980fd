//! Explains the cost of a pattern, and what all its matches have in common. Finds texts on which engines
//! that backtrack without remembering take much more than linear time: the memo machine without its table
//! is such an engine, so candidates are tried with it, and the growth of the number of its steps is
//! measured.

use crate::budget::{Allowance, Budget};
use crate::engine::Engine;
use crate::error::Result;
use crate::machine::{Cache, Search};
use crate::mixed::below;
use crate::needs::needs;
use crate::options::{Encoding, Limits};
use crate::regex::Regex;
use crate::regular::facts;
use crate::sets::Sets;
use crate::syntax::{Group, Kind, Span, Tree, parse};
use crate::text::{Request, Text};
use crate::threads::UNSET;
use crate::witness::{Candidate, candidates};

/// The result of [`Regex::explain`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The first construct that automata cannot match, if any. A pattern with such a construct needs the
    /// memo machine.
    pub irregular: Option<(Span, &'static str)>,
    /// Whether the memo machine is needed only for captures.
    pub automata_find_spans: bool,
    /// The construct because of which a search may take more than linear time, if any.
    pub not_linear: Option<(Span, &'static str)>,
    /// Whether all searches of one scan together take linear time.
    pub scan_is_linear: bool,
    /// The minimum length of a match in bytes.
    pub length_min: usize,
    /// The maximum length in bytes, if there is one. It may be a few bytes too large if letters match in
    /// either case.
    pub length_max: Option<usize>,
    /// Texts of which every match contains at least one. They are empty if no such texts were found. In
    /// a text without any of them, a search is as fast as `memmem`.
    pub required: Vec<Vec<u8>>,
    /// The minimum and maximum distance in bytes from the start of a match to the required text in it.
    pub distance: (usize, Option<usize>),
    /// The construct because of which Ruby 3.2 and later backtrack without memoization, or `None`
    /// if they use it. Earlier versions and JRuby never use it.
    pub backtracks_in_ruby: Option<(Span, &'static str)>,
}

impl Regex {
    /// Explains the cost of the pattern, and what all its matches have in common.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::new`] does.
    ///
    /// ```
    /// use ketch_regex::{Options, Regex};
    /// let explained = Regex::new("\\d{1,3}quux", Options::default()).unwrap().explain().unwrap();
    /// assert_eq!(explained.required, [b"quux"]);
    /// assert_eq!(explained.distance, (1, Some(12)));
    /// assert_eq!((explained.length_min, explained.irregular), (5, None));
    /// ```
    pub fn explain(&self) -> Result<Explanation> {
        let options = &self.0.options;
        let tree = parse(self.pattern(), options)?;
        let facts = facts(&tree);
        let sets = Sets::new(&tree, options.encoding == Encoding::Binary);
        let required = needs(&tree, &sets).required;
        Ok(Explanation {
            irregular: facts.irregular.map(|(id, name)| (tree.node(id).span, name)),
            automata_find_spans: facts.spans,
            not_linear: self.not_linear(),
            scan_is_linear: self.scan_is_linear(),
            length_min: facts.length_min,
            length_max: facts.length_max,
            distance: required.as_ref().map_or((0, None), |need| (need.least, need.most)),
            required: required.map_or(Vec::new(), |need| need.literals),
            backtracks_in_ruby: backtracks_in_ruby(&tree),
        })
    }
}

/// Finds the first construct for which Ruby 3.4's `Regexp.linear_time?` returns false.
fn backtracks_in_ruby(tree: &Tree) -> Option<(Span, &'static str)> {
    let mut found: Vec<(Span, &'static str)> = Vec::new();
    for node in tree.nodes() {
        let reason = match &node.kind {
            Kind::BackReference(..) => Some("a back-reference"),
            Kind::Call(_) => Some("a subexpression call"),
            Kind::Conditional { .. } => Some("a conditional"),
            Kind::Group(Group::Absence, _) => Some("an absence operator"),
            Kind::Group(
                Group::LookAhead { .. } | Group::LookBehind { .. } | Group::Atomic,
                child,
            ) => {
                let captures = below(tree, *child).into_iter().any(|id| {
                    matches!(
                        tree.node(id).kind,
                        Kind::Group(Group::Plain(Some(_)) | Group::Named(..), _)
                    )
                });
                captures.then_some("a capture in a look-around or an atomic group")
            }
            _ => None,
        };
        found.extend(reason.map(|reason| (node.span, reason)));
    }
    found.into_iter().min_by_key(|(span, _)| span.start)
}

/// The number of steps after which a search is given up: first while looking for exponential growth, and
/// then while looking for polynomial growth.
const STEPS_SMALL: u64 = 200_000;
const STEPS_LARGE: u64 = 4_000_000;
/// The distance between the numbers of repeats at which steps are compared, and the greatest of these
/// numbers.
const STRIDE: usize = 4;
const REPEATS_MAX: usize = 40;

/// How the time of a search that backtracks grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Growth {
    /// The time grows with this power of the length of the text. The power is at least 2.
    Polynomial(u32),
    /// The time is multiplied with each repeat.
    Exponential,
}

/// Texts on which engines that backtrack take much more than linear time: `prefix`, many repeats of
/// `pump`, and `suffix`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explosion {
    /// What comes before the repeats.
    pub prefix: String,
    /// What is repeated.
    pub pump: String,
    /// What comes after the repeats.
    pub suffix: String,
    /// How the time grows with the number of repeats.
    pub growth: Growth,
    /// The location of the loop in the pattern.
    pub span: Span,
}

impl Explosion {
    /// Returns the text with `repeats` repeats of `pump`.
    pub fn text(&self, repeats: usize) -> String {
        format!("{}{}{}", self.prefix, self.pump.repeat(repeats), self.suffix)
    }
}

impl Regex {
    /// Finds a text on which engines that backtrack, such as those of JRuby, Ruby 3.1 and Python,
    /// take more than linear time, and how much more. The search runs such an engine on texts that
    /// the pattern suggests. It finds the usual cases, but `None` is not a proof.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::new`] does.
    ///
    /// ```
    /// use ketch_regex::{Growth, Regex};
    /// let explosion = Regex::new("^(a+)+$", Default::default()).unwrap().explosion().unwrap().unwrap();
    /// assert_eq!(explosion.growth, Growth::Exponential);
    /// assert_eq!(explosion.text(3), "aaa!a");
    /// assert_eq!(Regex::new("^a+$", Default::default()).unwrap().explosion(), Ok(None));
    /// ```
    pub fn explosion(&self) -> Result<Option<Explosion>> {
        let options = &self.0.options;
        let tree = parse(self.pattern(), options)?;
        let sets = Sets::new(&tree, options.encoding == Encoding::Binary);
        let required = needs(&tree, &sets).required;
        let required = required.as_ref().and_then(|need| need.literals.first());
        let required = required.map_or(String::new(), |text| String::from_utf8_lossy(text).into());
        let mut probe = Probe::new(self)?;
        let mut worst: Option<(Growth, Candidate)> = None;
        for candidate in candidates(&tree, &sets, &required) {
            let Some(growth) = probe.growth(&candidate) else { continue };
            if worst.as_ref().is_none_or(|(known, _)| growth > *known) {
                worst = Some((growth, candidate));
            }
            if growth == Growth::Exponential {
                break;
            }
        }
        Ok(worst.map(|(growth, Candidate { prefix, pump, suffix, node })| Explosion {
            prefix,
            pump,
            suffix,
            growth,
            span: tree.node(node).span,
        }))
    }
}

/// The memo machine of a pattern, without a table.
struct Probe<'r> {
    engine: Engine,
    regex: &'r Regex,
    cache: Cache,
}

impl<'r> Probe<'r> {
    fn new(regex: &'r Regex) -> Result<Probe<'r>> {
        let options = &regex.0.options;
        let mut engine = Engine::of(regex.pattern(), options, Allowance::new(&options.limits))?;
        engine.program.forget();
        Ok(Probe { engine, regex, cache: Cache::default() })
    }

    /// Returns how the number of steps grows with the number of repeats, or `None` if it grows linearly.
    fn growth(&mut self, candidate: &Candidate) -> Option<Growth> {
        let mut known: Vec<(f64, f64)> = Vec::new();
        for repeats in (2 * STRIDE..=REPEATS_MAX).step_by(STRIDE) {
            match self.steps(candidate, repeats, STEPS_SMALL) {
                Some(steps) => known.push((repeats as f64, steps as f64)),
                None => break,
            }
        }
        let degrees: Vec<f64> = known
            .windows(2)
            .map(|pair| (pair[1].1 / pair[0].1).ln() / (pair[1].0 / pair[0].0).ln())
            .collect();
        let exponential = match degrees.as_slice() {
            // The degree of a polynomial hardly changes from one stride to the next.
            [.., before, last] => *last > 4.5 && *last > 1.05 * before,
            [last] => *last > 5.0,
            [] => true,
        };
        if exponential {
            return Some(Growth::Exponential);
        }
        let degree = self.degree(candidate)?.round();
        (degree >= 2.0).then_some(Growth::Polynomial(degree as u32))
    }

    /// Returns the power of the text's length with which the number of steps grows, or `None` if it
    /// does not grow faster than the text.
    fn degree(&mut self, candidate: &Candidate) -> Option<f64> {
        let mut last = self.steps(candidate, 16, STEPS_LARGE)? as f64;
        let mut degree = None;
        for repeats in [32, 64, 128, 256, 512] {
            let Some(steps) = self.steps(candidate, repeats, STEPS_LARGE) else { break };
            let found = (steps as f64 / last).log2();
            if found < 1.3 {
                return None;
            }
            degree = Some(found);
            last = steps as f64;
        }
        degree
    }

    /// Returns the number of steps of a search in a text with `repeats` repeats, or `None` if there are
    /// more than `max`.
    fn steps(&mut self, candidate: &Candidate, repeats: usize, max: u64) -> Option<u64> {
        let Candidate { prefix, pump, suffix, .. } = candidate;
        let bytes = [prefix.as_str(), &pump.repeat(repeats), suffix].concat().into_bytes();
        let text = Text { bytes: &bytes, encoding: self.regex.0.options.encoding };
        let limits = Limits { fuel: max, steps: 4 * max, ..Limits::default() };
        let mut budget = Budget::new(&limits);
        let request = Request { text, from: 0, anchored: false, search_start: 0, shared: None };
        let program = &self.engine.program;
        let mut search = Search::new(program, &mut self.cache, request, &mut budget).ok()?;
        let groups = program.groups as usize;
        let length = bytes.len();
        search.find(groups, &mut [UNSET; 2], |at, _| Ok((at <= length).then_some(at))).ok()?;
        Some(self.cache.steps).filter(|steps| *steps <= max)
    }
}

//! Searches for several patterns at once: finds the patterns that match a text, or the first match of
//! any of them.

use std::fmt;
use std::ops::Range;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::Builder;
use regex_automata::util::pool::Pool;
use regex_automata::{Anchored, Input, MatchKind, PatternSet};

use crate::budget::{Allowance, Budget};
use crate::error::{Error, Result};
use crate::lazy;
use crate::options::{Encoding, Options};
use crate::problem::Problem;
use crate::program::{Source, Target, add, finish};
use crate::regex::{Captures, Regex};
use crate::sets::Sets;
use crate::syntax::parse_within;

/// The maximum number of wrong proposals. After that, each pattern is searched for by itself.
const WRONG_MAX: usize = 16;

/// Patterns that are searched for together.
///
/// Automata for all patterns together, which ignore look-arounds and the like, find in one pass which
/// patterns may match. For patterns that are not regular, this is then checked.
///
/// ```
/// use ketch_regex::{Options, Set, SetCaptures};
/// let set = Set::new(["\\d+", "[a-z]+(?=!)", "[a-z]+"], Options::default()).unwrap();
/// assert_eq!(set.matches(b"ab 12").unwrap(), [0, 2]);
/// let mut captures = SetCaptures::new();
/// assert!(set.find_at(b"ab! 12", 0, &mut captures).unwrap());
/// assert_eq!((captures.pattern(), captures.get(0)), (1, Some(0..2)));
/// ```
pub struct Set {
    regexes: Vec<Regex>,
    /// The automata for all patterns together, or `None` if they are too large. In that case, each
    /// pattern is searched for by itself.
    together: Option<Together>,
}

struct Together {
    /// Whether the texts are in UTF-8.
    utf8: bool,
    /// Finds all patterns that match.
    all: DFA,
    /// Finds the end of the first match. From there, `backward` finds its start.
    first: DFA,
    backward: DFA,
    caches: Pool<Caches, MakeCaches>,
}

type MakeCaches =
    Box<dyn Fn() -> Caches + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>;

#[derive(Default)]
struct Caches {
    all: Option<Cache>,
    first: Option<Cache>,
    backward: Option<Cache>,
}

/// The match of one pattern of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetCaptures {
    pattern: usize,
    captures: Captures,
}

impl SetCaptures {
    /// Creates captures without a match.
    pub fn new() -> SetCaptures {
        SetCaptures::default()
    }

    /// Returns the index of the pattern that matched.
    pub fn pattern(&self) -> usize {
        self.pattern
    }

    /// Returns the range of a group of that pattern, where 0 is the whole match, or `None` if the
    /// group is not set.
    pub fn get(&self, group: usize) -> Option<Range<usize>> {
        self.captures.get(group)
    }

    /// Returns all groups of that pattern.
    pub fn captures(&self) -> &Captures {
        &self.captures
    }
}

/// The error for an invalid pattern of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetError {
    /// The index of the pattern.
    pub pattern: usize,
    /// The error in the pattern.
    pub error: Error,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pattern {}: {}", self.pattern, self.error)
    }
}

impl std::error::Error for SetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.regexes).finish()
    }
}

impl Set {
    /// Compiles patterns.
    ///
    /// # Errors
    ///
    /// Fails if one of them is not a valid pattern, or if compiling all of them takes longer than
    /// [`Limits::time`](crate::Limits::time).
    pub fn new<'p>(
        patterns: impl IntoIterator<Item = &'p str>,
        options: Options,
    ) -> Result<Set, SetError> {
        let limits = Allowance::new(&options.limits);
        let mut regexes = Vec::new();
        for (pattern, text) in patterns.into_iter().enumerate() {
            let regex = Regex::within(text, options.clone(), limits);
            regexes.push(regex.map_err(|error| SetError { pattern, error })?);
        }
        let together = Together::new(&regexes, &options, limits);
        if let (Err(problem), Some(last)) = (limits.check(), regexes.last()) {
            let error = last.0.error(problem);
            return Err(SetError { pattern: regexes.len() - 1, error });
        }
        Ok(Set { regexes, together })
    }

    /// Returns the compiled patterns.
    pub fn regexes(&self) -> &[Regex] {
        &self.regexes
    }

    /// Returns the indexes of the patterns that match somewhere in the text, in order.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn matches(&self, text: &[u8]) -> Result<Vec<usize>> {
        let Some(first) = self.regexes.first() else { return Ok(Vec::new()) };
        let mut budget = Budget::new(&first.0.options.limits);
        let maybe = match &self.together {
            Some(together) => {
                let found =
                    together.which(&mut together.caches.get(), &Input::new(text), &mut budget);
                found.map_err(|problem| first.0.error(problem))?
            }
            None => None,
        };
        let Some(maybe) = maybe else {
            let all = 0..self.regexes.len();
            return self.filter(all, |regex| regex.is_match_within(text, &mut budget));
        };
        let found = maybe.iter().map(|pattern| pattern.as_usize());
        // In a text with stray bytes, the automata may find empty matches that are not valid.
        let mut is_intact = None;
        self.filter(found, |regex| {
            let is_exact =
                regex.0.is_exact(text) && *is_intact.get_or_insert_with(|| self.is_intact(text));
            Ok(is_exact || regex.is_match_within(text, &mut budget)?)
        })
    }

    /// Returns whether `text` contains no stray bytes. A text in binary never does.
    fn is_intact(&self, text: &[u8]) -> bool {
        let is_utf8 = self.together.as_ref().is_some_and(|together| together.utf8);
        !is_utf8 || std::str::from_utf8(text).is_ok()
    }

    /// Returns those of `patterns` that `keep` accepts.
    fn filter(
        &self,
        patterns: impl Iterator<Item = usize>,
        mut keep: impl FnMut(&Regex) -> Result<bool>,
    ) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        for pattern in patterns {
            if keep(&self.regexes[pattern])? {
                found.push(pattern);
            }
        }
        Ok(found)
    }

    /// Finds the first match of any pattern from `from` on, and stores it in `captures`. If several
    /// patterns match there, the first of them counts. `\G` matches at `from`. Returns whether there
    /// is a match.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn find_at(&self, text: &[u8], from: usize, captures: &mut SetCaptures) -> Result<bool> {
        if from > text.len() {
            return Ok(false);
        }
        let Some(first) = self.regexes.first() else { return Ok(false) };
        let mut budget = Budget::new(&first.0.options.limits);
        match self.find_together(text, from, &mut budget, captures)? {
            Some(found) => Ok(found),
            None => self.one_by_one(text, from, &mut budget, captures),
        }
    }

    /// Searches as [`Set::find_at`] does, with the automata for all patterns together. Returns `None`
    /// if they do not suffice.
    fn find_together(
        &self,
        text: &[u8],
        from: usize,
        budget: &mut Budget<'_>,
        captures: &mut SetCaptures,
    ) -> Result<Option<bool>> {
        let (Some(together), Some(first)) = (&self.together, self.regexes.first()) else {
            return Ok(None);
        };
        let fail = |problem| first.0.error(problem);
        let mut caches = together.caches.get();
        let mut at = from;
        for _ in 0..WRONG_MAX {
            let start = match together.start(&mut caches, text, at, budget).map_err(fail)? {
                lazy::Answer::At(start) if !first.text(text).is_boundary(start) => {
                    first.text(text).next_boundary(start)
                }
                lazy::Answer::At(start) => start,
                lazy::Answer::No => return Ok(Some(false)),
                lazy::Answer::Unknown => return Ok(None),
            };
            let input = Input::new(text).range(start..).anchored(Anchored::Yes);
            let Some(maybe) = together.which(&mut caches, &input, budget).map_err(fail)? else {
                return Ok(None);
            };
            for pattern in maybe.iter() {
                captures.pattern = pattern.as_usize();
                let regex = &self.regexes[captures.pattern];
                let captures = &mut captures.captures;
                if regex.captures_exactly_at(text, start, from, budget, captures)? {
                    return Ok(Some(true));
                }
            }
            at = first.text(text).next_boundary(start);
            if at > text.len() {
                return Ok(Some(false));
            }
        }
        Ok(None)
    }

    /// Finds the first match of each pattern, and stores the first of these matches in `captures`.
    /// Returns whether there is one.
    fn one_by_one(
        &self,
        text: &[u8],
        from: usize,
        budget: &mut Budget<'_>,
        captures: &mut SetCaptures,
    ) -> Result<bool> {
        let mut best: Option<(usize, usize, Captures)> = None;
        let mut found = Captures::new();
        for (pattern, regex) in self.regexes.iter().enumerate() {
            if !regex.captures_within(text, from, budget, &mut found)? {
                continue;
            }
            let start = found.get(0).map_or(from, |span| span.start);
            if best.as_ref().is_none_or(|(least, ..)| start < *least) {
                best = Some((start, pattern, std::mem::take(&mut found)));
            }
        }
        let Some((_, pattern, found)) = best else { return Ok(false) };
        *captures = SetCaptures { pattern, captures: found };
        Ok(true)
    }
}

impl Together {
    /// Compiles automata for all patterns together. Returns `None` if there are no patterns, or if the
    /// automata cannot be built within the limits.
    fn new(regexes: &[Regex], options: &Options, limits: Allowance<'_>) -> Option<Together> {
        let nfa = |reverse| {
            let mut builder = Builder::new();
            let mut starts = Vec::new();
            for regex in regexes {
                starts.push(add_pattern(&mut builder, regex, options, reverse, limits)?);
            }
            finish(builder, starts).ok().filter(|_| !regexes.is_empty())
        };
        let forward = nfa(false)?;
        Some(Together {
            utf8: options.encoding == Encoding::Utf8,
            all: lazy::build(forward.clone(), MatchKind::All, None, limits)?,
            first: lazy::build(forward, MatchKind::LeftmostFirst, None, limits)?,
            backward: lazy::build(nfa(true)?, MatchKind::All, None, limits)?,
            caches: Pool::new(Box::new(Caches::default)),
        })
    }

    /// Returns the patterns that may match in `input`, or `None` if the automaton gives up.
    fn which(
        &self,
        caches: &mut Caches,
        input: &Input<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<PatternSet>, Problem> {
        let mut set = PatternSet::new(self.all.get_nfa().pattern_len());
        let cache = caches.all.get_or_insert_with(|| self.all.create_cache());
        let complete = lazy::which(&self.all, cache, input, self.utf8, budget, &mut set)?;
        Ok(complete.then_some(set))
    }

    /// Returns the position at `from` or later at which the first match of any pattern may start.
    fn start(
        &self,
        caches: &mut Caches,
        text: &[u8],
        from: usize,
        budget: &mut Budget<'_>,
    ) -> Result<lazy::Answer, Problem> {
        let cache = caches.first.get_or_insert_with(|| self.first.create_cache());
        let input = Input::new(text).range(from..);
        let end = match lazy::forward(&self.first, cache, &input, budget)? {
            lazy::Answer::At(end) => end,
            answer => return Ok(answer),
        };
        let cache = caches.backward.get_or_insert_with(|| self.backward.create_cache());
        let input = Input::new(text).range(from..end).anchored(Anchored::Yes);
        match lazy::backward(&self.backward, cache, &input, budget)? {
            lazy::Answer::At(start) => Ok(lazy::Answer::At(start)),
            _ => Ok(lazy::Answer::Unknown),
        }
    }
}

/// Adds the pattern of `regex` to `builder`, and returns its start state, or `None` if the limits do
/// not allow this.
fn add_pattern(
    builder: &mut Builder,
    regex: &Regex,
    options: &Options,
    reverse: bool,
    limits: Allowance<'_>,
) -> Option<regex_automata::util::primitives::StateID> {
    let binary = options.encoding == Encoding::Binary;
    let tree = parse_within(regex.pattern(), options, limits).ok()?;
    let sets = Sets::limited(&tree, binary, limits).ok()?;
    let source = Source { tree: &tree, root: tree.root(), pattern: regex.pattern(), sets: &sets };
    let target = Target { reverse, exact: false, binary, wider: true };
    add(builder, source, target, limits).ok()
}

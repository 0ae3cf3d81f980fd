//! Compiled patterns, which choose the machine that searches.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use regex_automata::hybrid::dfa::DFA;
use regex_automata::util::pool::Pool;
use regex_automata::util::prefilter::Prefilter;

use crate::automata::{self, Automata};
use crate::budget::{Allowance, Budget, EAGER};
use crate::cost::Cost;
use crate::engine::{self, Engine, parts};
use crate::error::{Error, Result};
use crate::mixed::Mixed;
use crate::options::{Encoding, Options};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::regular::facts;
use crate::sets::Sets;
use crate::syntax::{Name, Span, parse_within};
use crate::text::{Request, Text};
use crate::threads::UNSET;

/// A compiled pattern in Ruby's syntax. It is cheap to clone, and threads can share it.
///
/// A search takes time proportional to the length of the text times the size of the pattern, unless
/// [`Regex::not_linear`] returns a reason. Positions are in bytes.
#[derive(Clone, Debug)]
pub struct Regex(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pattern: String,
    pub(crate) options: Options,
    names: Vec<Name>,
    pub(crate) groups: usize,
    pub(crate) plan: Plan,
    /// The automata, if the pattern, or at least its spans, are regular.
    automata: Option<Automata>,
    /// The memo machine, for patterns that are not regular.
    engine: Option<Engine>,
    /// The memo machine of a regular pattern, for scans in which automata would read too much of
    /// the text twice, and for short texts on which they give up.
    fallback: OnceLock<Option<Engine>>,
    /// The minimum length of a match. The next two fields are for scans.
    length_min: usize,
    length_max: Option<usize>,
    search_start: bool,
    /// Whether every match starts with `\A`.
    pub(crate) text_start: bool,
    /// The construct for which a search may take more than linear time, if any.
    not_linear: Option<(Span, &'static str)>,
    pub(crate) caches: Pool<Cache, MakeCache>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "/{}/", self.pattern)
    }
}

pub(crate) type MakeCache =
    Box<dyn Fn() -> Cache + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>;

/// The minimum length of a text in which a match at its start is searched for only if the text
/// contains what every match contains.
const PLAN_BYTES: usize = if EAGER { 0 } else { 512 };

/// The minimum length of a text in which dense automata search only where a match may start.
const QUICK_PLAN_BYTES: usize = if EAGER { 0 } else { 32 };

/// The maximum length of a text in which the memo machine replaces the threads.
const MEMO_BYTES: usize = if EAGER { 0 } else { 4096 };

/// The result of a search in a short text.
enum Quick {
    Answer(bool),
    /// The automata do not support the text, so another machine has to search from `start`.
    GaveUp {
        start: usize,
        anchored: bool,
    },
    /// There are no automata for short texts.
    Unknown,
}

/// The memory of the machines.
#[derive(Default)]
pub(crate) struct Cache {
    pub(crate) automata: automata::Cache,
    pub(crate) engine: engine::Cache,
}

/// The groups of a match, whose memory can be reused between searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captures {
    pub(crate) slots: Vec<usize>,
}

impl Captures {
    /// Creates captures without a match.
    pub fn new() -> Captures {
        Captures::default()
    }

    /// Returns the range of the group with this number, where 0 is the whole match, or `None` if the
    /// group is not set.
    pub fn get(&self, group: usize) -> Option<Range<usize>> {
        let start = *self.slots.get(group.checked_mul(2)?)?;
        let end = *self.slots.get(group * 2 + 1)?;
        (start != UNSET && end != UNSET).then_some(start..end)
    }

    /// Returns the number of groups, including group 0, which is the whole match.
    pub fn len(&self) -> usize {
        self.slots.len() / 2
    }

    /// Returns whether there is no match.
    pub fn is_empty(&self) -> bool {
        self.get(0).is_none()
    }

    /// Returns the range of the match, and then the ranges of its groups.
    pub fn iter(&self) -> impl Iterator<Item = Option<Range<usize>>> {
        (0..self.len()).map(|group| self.get(group))
    }
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// Fails with Ruby's message if the pattern is invalid, or if it exceeds a limit.
    ///
    /// ```
    /// use ketch_regex::{Options, Regex};
    /// let date = Regex::new(r"(?<year>\d+)-(\d+)", Options::default()).unwrap();
    /// assert_eq!(date.find(b"on 2026-11").unwrap(), Some(3..10));
    /// let error = Regex::new("a(b", Options::default()).unwrap_err();
    /// assert_eq!((error.to_string(), error.column()),
    ///     ("end pattern with unmatched parenthesis (column 2)".to_string(), 2));
    /// ```
    pub fn new(pattern: &str, options: Options) -> Result<Regex> {
        let limits = options.limits.clone();
        Regex::within(pattern, options, Allowance::new(&limits))
    }

    /// Compiles a pattern within an allowance.
    pub(crate) fn within(pattern: &str, options: Options, limits: Allowance<'_>) -> Result<Regex> {
        let tree = parse_within(pattern, &options, limits)?;
        let fail = |problem| Error::whole(problem, pattern);
        limits.check().map_err(fail)?;
        let facts = facts(&tree);
        let binary = options.encoding == Encoding::Binary;
        limits.check().map_err(fail)?;
        let sets = Sets::limited(&tree, binary, limits).map_err(fail)?;
        let plan = Plan::new(&tree, &sets, facts.length_min, facts.text_start);
        limits.check().map_err(fail)?;
        let (regular, mixed) = parts(&facts, &options);
        let automata = match regular {
            true => Some(Automata::new(&tree, pattern, &sets, &facts, &plan, limits)?),
            false => None,
        };
        let mut not_linear = None;
        let engine = match mixed {
            true => {
                let mixed = Mixed::new(&tree, &facts);
                not_linear = mixed.reason.map(|(id, reason)| (tree.node(id).span, reason));
                Some(Engine::new(&tree, pattern, &sets, &mixed, options.encoding, limits)?)
            }
            false => None,
        };
        Ok(Regex(Arc::new(Inner {
            pattern: pattern.to_string(),
            names: tree.names().to_vec(),
            groups: tree.groups() as usize,
            plan,
            automata,
            engine,
            fallback: OnceLock::new(),
            length_min: facts.length_min,
            length_max: facts.length_max,
            search_start: facts.search_start,
            text_start: facts.text_start,
            not_linear,
            options,
            caches: Pool::new(Box::new(Cache::default)),
        })))
    }

    /// Returns why a search may take more than linear time, with the location of the reason in the
    /// pattern, or `None` if searches are linear. Searches that are not linear are bounded by
    /// [`Limits::fuel`](crate::Limits::fuel).
    ///
    /// ```
    /// use ketch_regex::{Options, Regex};
    /// let linear = Regex::new("(?=(a*)*b)a", Options::default()).unwrap();
    /// assert!(linear.is_linear());
    /// let copied = Regex::new(r"(a)\1", Options::default()).unwrap();
    /// let (span, reason) = copied.not_linear().unwrap();
    /// assert_eq!((span.start, reason), (3, "a back-reference"));
    /// ```
    pub fn not_linear(&self) -> Option<(Span, &'static str)> {
        self.0.not_linear
    }

    /// Returns whether every search takes linear time.
    pub fn is_linear(&self) -> bool {
        self.0.not_linear.is_none()
    }

    /// Returns the pattern.
    pub fn pattern(&self) -> &str {
        &self.0.pattern
    }

    /// Returns the names of groups, with the numbers of the groups that have them.
    pub fn names(&self) -> &[Name] {
        &self.0.names
    }

    /// Returns the number of capture groups, without group 0.
    pub fn groups(&self) -> usize {
        self.0.groups
    }

    /// Returns whether the text has a match.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn is_match(&self, text: &[u8]) -> Result<bool> {
        self.search(text, 0, false, &mut [])
    }

    /// Returns whether the text has a match, and counts the steps in `budget`.
    pub(crate) fn is_match_within(&self, text: &[u8], budget: &mut Budget<'_>) -> Result<bool> {
        self.search_within(text, 0, false, budget, &mut [])
    }

    /// Returns the byte range of the first match, or `None`. Takes linear time if
    /// [`Regex::is_linear`] returns true.
    ///
    /// # Errors
    ///
    /// Fails if a limit of [`Limits`](crate::Limits) is exceeded.
    ///
    /// ```
    /// let regex = ketch_regex::Regex::new("[a-z]+", Default::default()).unwrap();
    /// assert_eq!(regex.find(b"12 boats").unwrap(), Some(3..8));
    /// ```
    pub fn find(&self, text: &[u8]) -> Result<Option<Range<usize>>> {
        self.find_at(text, 0)
    }

    /// Returns the byte range of the first match that starts at `from` or later, or `None` if there
    /// is none. Look-behind and anchors see the text before it.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn find_at(&self, text: &[u8], from: usize) -> Result<Option<Range<usize>>> {
        let mut slots = [UNSET; 2];
        Ok(self.search(text, from, false, &mut slots)?.then(|| slots[0]..slots[1]))
    }

    /// Returns the byte range of the match that starts exactly at `at`, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn match_at(&self, text: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        let mut slots = [UNSET; 2];
        Ok(self.search(text, at, true, &mut slots)?.then(|| slots[0]..slots[1]))
    }

    /// Finds the match that [`Regex::find_at`] finds, with its groups. Stores them in `captures`,
    /// whose memory is reused, and returns whether there is a match.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn captures_at(&self, text: &[u8], from: usize, captures: &mut Captures) -> Result<bool> {
        let mut budget = Budget::new(&self.0.options.limits);
        self.captures_within(text, from, &mut budget, captures)
    }

    /// Does what [`Regex::captures_at`] does, and counts the steps in `budget`.
    pub(crate) fn captures_within(
        &self,
        text: &[u8],
        from: usize,
        budget: &mut Budget<'_>,
        captures: &mut Captures,
    ) -> Result<bool> {
        captures.slots.clear();
        captures.slots.resize(2 * (self.0.groups + 1), UNSET);
        let found = self.search_within(text, from, false, budget, &mut captures.slots);
        if !matches!(found, Ok(true)) {
            captures.slots.fill(UNSET);
        }
        found
    }

    /// Finds the match that starts exactly at `at`, and stores its groups in `captures`. Returns
    /// whether there is one.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn match_captures_at(
        &self,
        text: &[u8],
        at: usize,
        captures: &mut Captures,
    ) -> Result<bool> {
        let mut budget = Budget::new(&self.0.options.limits);
        self.captures_exactly_at(text, at, at, &mut budget, captures)
    }

    /// Does what [`Regex::match_captures_at`] does, and counts the steps in `budget`. `\G` matches
    /// at `search_start`.
    pub(crate) fn captures_exactly_at(
        &self,
        text: &[u8],
        at: usize,
        search_start: usize,
        budget: &mut Budget<'_>,
        captures: &mut Captures,
    ) -> Result<bool> {
        captures.slots.clear();
        captures.slots.resize(2 * (self.0.groups + 1), UNSET);
        let inner = &*self.0;
        let text = self.text(text);
        if at > text.bytes.len() || !text.is_boundary(at) {
            return Ok(false);
        }
        let request = Request { text, from: at, anchored: true, search_start, shared: None };
        let found = inner.run(&mut inner.caches.get(), request, budget, &mut captures.slots);
        found.map_err(|problem| inner.error(problem))
    }

    /// Returns the groups of the first match, or `None`.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn captures(&self, text: &[u8]) -> Result<Option<Captures>> {
        let mut captures = Captures::new();
        Ok(self.captures_at(text, 0, &mut captures)?.then_some(captures))
    }

    /// Returns whether the pattern, or at least its spans, are regular.
    #[cfg(test)]
    pub(crate) fn has_automata(&self) -> bool {
        self.0.automata.is_some()
    }

    /// Finds the first match with the automata in slices if `sliced` is set, and otherwise with the
    /// threads.
    #[cfg(test)]
    pub(crate) fn find_exact(
        &self,
        text: &[u8],
        from: usize,
        sliced: bool,
    ) -> Result<Option<Range<usize>>, Problem> {
        let text = self.text(text);
        let Some(automata) = self.0.automata.as_ref().filter(|_| from <= text.bytes.len()) else {
            return Ok(None);
        };
        let mut cache = automata::Cache::default();
        let limits = &self.0.options.limits;
        if sliced {
            let mut budget = Budget::sliced(limits);
            let budget = &mut budget;
            if let Some(found) = automata.span(&mut cache, text, from, false, budget, &mut None)? {
                return Ok(found);
            }
        }
        let mut slots = [UNSET; 2];
        let mut budget = Budget::new(limits);
        let found = crate::threads::search(
            &automata.exact,
            &mut cache.threads,
            text,
            from..text.bytes.len(),
            false,
            &mut budget,
            &mut slots,
        )?;
        Ok(found.then(|| slots[0]..slots[1]))
    }

    /// Returns `bytes` as a text in the pattern's encoding.
    pub(crate) fn text<'t>(&self, bytes: &'t [u8]) -> Text<'t> {
        Text { bytes, encoding: self.0.options.encoding }
    }

    /// Searches from `from` on, and stores the match in `slots`, which may be empty. Returns whether
    /// there is one.
    fn search(
        &self,
        text: &[u8],
        from: usize,
        anchored: bool,
        slots: &mut [usize],
    ) -> Result<bool> {
        let inner = &*self.0;
        match inner.quick(self.text(text), from, anchored, slots) {
            Quick::Answer(found) => Ok(found),
            Quick::Unknown => {
                let mut budget = Budget::new(&inner.options.limits);
                self.search_within(text, from, anchored, &mut budget, slots)
            }
            Quick::GaveUp { start, anchored } => {
                let mut budget = Budget::new(&inner.options.limits);
                let text = self.text(text);
                let request =
                    Request { text, from: start, anchored, search_start: from, shared: None };
                let found = inner.run_slowly(&mut inner.caches.get(), request, &mut budget, slots);
                found.map_err(|problem| inner.error(problem))
            }
        }
    }

    /// Searches as [`Regex::search`] does, and counts the steps in `budget`.
    fn search_within(
        &self,
        text: &[u8],
        from: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool> {
        let inner = &*self.0;
        let text = self.text(text);
        if from > text.bytes.len() {
            return Ok(false);
        }
        let search_start = from;
        let start = match anchored {
            true => Ok(inner.may_start(text, from).then_some((from, true))),
            false => inner.start(text, from, budget),
        };
        let Some((from, anchored)) = start.map_err(|problem| inner.error(problem))? else {
            return Ok(false);
        };
        let mut cache = inner.caches.get();
        let request = Request { text, from, anchored, search_start, shared: None };
        inner.run(&mut cache, request, budget, slots).map_err(|problem| inner.error(problem))
    }
}

impl Inner {
    /// Returns the error for a problem of a search.
    #[cold]
    pub(crate) fn error(&self, problem: Problem) -> Error {
        Error::whole(problem, &self.pattern)
    }

    /// Returns whether the text from `from` on is long enough for a match.
    fn fits(&self, text: Text<'_>, from: usize) -> bool {
        text.bytes.len() - from >= self.length_min
    }

    /// Returns whether a match may start at the position `at`.
    fn may_start(&self, text: Text<'_>, at: usize) -> bool {
        self.fits(text, at) && text.is_boundary(at)
    }

    /// Returns the first position at `from` or later where a match may start, and whether a match
    /// can start only there. Returns `None` if there is no match.
    pub(crate) fn start(
        &self,
        text: Text<'_>,
        from: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(usize, bool)>, Problem> {
        if self.automata.as_ref().is_some_and(Automata::is_words) {
            return Ok(self.fits(text, from).then_some((from, false)));
        }
        if !self.text_start {
            return Ok(self.plan.start(text, from, budget)?.map(|start| (start, false)));
        }
        if from > 0 || !self.may_start(text, from) {
            return Ok(None);
        }
        // In a short text, it takes longer to look for a text that is required.
        let start = match text.bytes.len() < PLAN_BYTES {
            true => Some(0),
            false => self.plan.start(text, 0, budget)?,
        };
        Ok(start.filter(|start| *start == 0).map(|start| (start, true)))
    }

    /// Searches a short text for a span. This needs neither a budget nor memory.
    #[inline]
    fn quick(&self, text: Text<'_>, from: usize, anchored: bool, slots: &mut [usize]) -> Quick {
        if from > text.bytes.len() {
            return Quick::Answer(false);
        }
        let dense = self.automata.as_ref().and_then(|automata| automata.dense(text, from));
        let Some(dense) = dense else { return Quick::Unknown };
        let (mut from, mut anchored) = (from, anchored);
        if !self.fits(text, from) || self.text_start && from > 0 {
            return Quick::Answer(false);
        }
        if self.text_start {
            anchored = true;
        } else if !anchored && text.bytes.len() - from >= QUICK_PLAN_BYTES {
            let find =
                |finder: &Prefilter, span| Ok::<_, Infallible>(finder.find(text.bytes, span));
            let Ok(start) = self.plan.start_by(text, from, find);
            match start {
                Some(start) => from = start,
                None => return Quick::Answer(false),
            }
        }
        let found = match slots {
            [] => dense.is_match(text.bytes, from, anchored),
            _ => dense.find(text.bytes, from, anchored).map(|found| {
                if let Some(span) = &found {
                    slots[0] = span.start;
                    slots[1] = span.end;
                }
                found.is_some()
            }),
        };
        found.map_or(Quick::GaveUp { start: from, anchored }, Quick::Answer)
    }

    /// Searches with the machine that suits the request. `slots` may be empty.
    fn run(
        &self,
        cache: &mut Cache,
        request: Request<'_>,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        let mut request = request;
        if let Some(automata) = &self.automata {
            let Request { text, from, anchored, .. } = request;
            if self.engine.is_none() || slots.len() <= 2 {
                let found =
                    automata.run(&mut cache.automata, text, from, anchored, budget, slots)?;
                return match found {
                    Some(found) => Ok(found),
                    None => self.run_slowly(cache, request, budget, slots),
                };
            }
            // Only the captures are irregular, so the automata find the span.
            match automata.span(&mut cache.automata, text, from, anchored, budget, &mut None)? {
                Some(None) => return Ok(false),
                Some(Some(found)) => {
                    request = Request { from: found.start, anchored: true, ..request };
                }
                None => {}
            }
        }
        let Some(engine) = &self.engine else { return Ok(false) };
        let source = (&*self.pattern, &self.options);
        let mut span = [UNSET; 2];
        let slots = if slots.is_empty() { &mut span[..] } else { slots };
        engine.run(source, &mut cache.engine, request, budget, slots, None)
    }

    /// Searches by slower means for a pattern whose automata gave up on this text. In a short text,
    /// the memo machine is faster than the threads.
    #[cold]
    fn run_slowly(
        &self,
        cache: &mut Cache,
        request: Request<'_>,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        let Request { text, from, anchored, .. } = request;
        let mut span = [UNSET; 2];
        let slots = if slots.is_empty() { &mut span[..] } else { slots };
        if self.engine.is_none()
            && text.bytes.len() <= MEMO_BYTES
            && let Some(engine) = self.fallback(text, from, budget.allowance())?
        {
            let source = (&*self.pattern, &self.options);
            return engine.run(source, &mut cache.engine, request, budget, slots, None);
        }
        let Some(automata) = &self.automata else { return Ok(false) };
        automata.run_threads(&mut cache.automata, text, from, anchored, budget, slots)
    }

    /// Returns whether automata that leave out irregular constructs still find exactly the matches
    /// of the pattern in `text`.
    pub(crate) fn is_exact(&self, text: &[u8]) -> bool {
        let line_end = text.last() == Some(&b'\n');
        self.automata.as_ref().is_some_and(|automata| automata.is_exact(line_end))
    }

    /// Returns an automaton that finds all starts of matches, and possibly other positions. Returns
    /// `None` if the pattern has no such automaton.
    pub(crate) fn backward(
        &self,
        text: Text<'_>,
        limits: Allowance<'_>,
    ) -> Result<Option<&DFA>, Problem> {
        match (&self.automata, &self.engine) {
            (Some(automata), None) => Ok(automata.backward(text)),
            (_, Some(engine)) => engine.backward(&self.pattern, &self.options, limits),
            _ => Ok(None),
        }
    }

    /// Returns automata that can also search a text whose end is not known yet, or `None` if the
    /// pattern has none.
    pub(crate) fn streamed(&self) -> Option<(&DFA, &DFA)> {
        self.automata.as_ref().filter(|_| self.engine.is_none())?.streamed()
    }

    /// Returns whether the next search can use the table of the last one.
    pub(crate) fn shares(&self) -> bool {
        !self.search_start && !self.options.find_longest
    }

    /// Creates the count of the cost of a scan.
    pub(crate) fn cost(&self) -> Cost {
        Cost::new(self.length_max)
    }

    /// Runs one of many searches in a text. `request.shared` must be set, unless [`Inner::shares`]
    /// is false.
    pub(crate) fn run_again(
        &self,
        cache: &mut Cache,
        request: Request<'_>,
        cost: &mut Cost,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        let mut request = request;
        let Request { text, from, anchored, .. } = request;
        let source = (&*self.pattern, &self.options);
        if let Some(automata) = self.automata.as_ref().filter(|_| cost.allows(text.bytes.len())) {
            let found = automata.span(
                &mut cache.automata,
                text,
                from,
                anchored,
                budget,
                &mut Some(cost),
            )?;
            match found {
                Some(None) => return Ok(false),
                Some(Some(found)) if self.engine.is_none() || slots.len() == 2 => {
                    automata.captures(&mut cache.automata, text, found, budget, slots)?;
                    return Ok(true);
                }
                Some(Some(found)) => {
                    request = Request { from: found.start, anchored: true, ..request };
                }
                None => {}
            }
        }
        let cache_engine = &mut cache.engine;
        if let Some(engine) = &self.engine {
            return engine.run(source, cache_engine, request, budget, slots, Some(cost));
        }
        match self.fallback(text, request.shared.unwrap_or(from), budget.allowance())? {
            Some(engine) => engine.run(source, cache_engine, request, budget, slots, Some(cost)),
            None => self.run(cache, request, budget, slots),
        }
    }

    /// Returns the memo machine of a regular pattern, or `None` if the limits do not allow a table
    /// for the text.
    fn fallback(
        &self,
        text: Text<'_>,
        table_start: usize,
        limits: Allowance<'_>,
    ) -> Result<Option<&Engine>, Problem> {
        if self.fallback.get().is_none() {
            let engine = Engine::of(&self.pattern, &self.options, limits).ok();
            if engine.is_none() {
                limits.check()?;
            }
            self.fallback.get_or_init(|| engine);
        }
        let positions = text.bytes.len() - table_start.min(text.bytes.len());
        let engine = self.fallback.get().and_then(Option::as_ref);
        Ok(engine.filter(|engine| engine.fits(positions, &limits)))
    }
}

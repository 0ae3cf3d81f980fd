//! The limits of compiling a pattern, and of one search.

use std::time::Instant;

use crate::options::Limits;
use crate::problem::Problem;

/// The limits of compiling a pattern, which include the time until a deadline.
#[derive(Clone, Copy)]
pub(crate) struct Allowance<'l> {
    limits: &'l Limits,
    deadline: Option<Instant>,
}

impl<'l> Allowance<'l> {
    /// Creates an allowance for everything that is compiled from now on.
    pub(crate) fn new(limits: &'l Limits) -> Allowance<'l> {
        Allowance { limits, deadline: limits.time.map(|time| Instant::now() + time) }
    }

    /// Fails if the deadline has passed.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(Problem::Timeout(self.limits.time.map_or(0, |time| time.as_millis())));
        }
        Ok(())
    }
}

impl std::ops::Deref for Allowance<'_> {
    type Target = Limits;

    fn deref(&self) -> &Limits {
        self.limits
    }
}

/// The number of steps between two checks of the clock.
pub(crate) const SLICE: u64 = 1 << 16;

/// Whether automata and tables that only pay for long texts are used for short texts, too.
/// `conformance/regex/run` tests a build in which this is true.
#[allow(unexpected_cfgs)]
pub(crate) const EAGER: bool = cfg!(ketch_eager);

/// The number of steps that one search has taken, with the limits on its steps and its time.
pub(crate) struct Budget<'l> {
    limits: Allowance<'l>,
    steps: u64,
    /// The number of steps after which `Limits::interrupt` is called again.
    next_poll: u64,
    #[cfg(test)]
    sliced: bool,
}

impl<'l> Budget<'l> {
    /// Creates a budget for a search that starts now.
    pub(crate) fn new(limits: &'l Limits) -> Budget<'l> {
        Budget::within(Allowance::new(limits))
    }

    /// Creates a budget for a search within the given limits and their deadline.
    pub(crate) fn within(limits: Allowance<'l>) -> Budget<'l> {
        Budget {
            limits,
            steps: 0,
            next_poll: SLICE,
            #[cfg(test)]
            sliced: false,
        }
    }

    /// Returns the limits for everything that is compiled during the search.
    pub(crate) fn allowance(&self) -> Allowance<'l> {
        self.limits
    }

    /// Creates a budget that divides every search into slices.
    #[cfg(test)]
    pub(crate) fn sliced(limits: &'l Limits) -> Budget<'l> {
        Budget { sliced: true, ..Budget::new(limits) }
    }

    /// Returns whether a search of a text of `bytes` bytes must be divided into slices, because a
    /// limit has to be checked.
    pub(crate) fn slices(&self, bytes: usize) -> bool {
        #[cfg(test)]
        if self.sliced {
            return true;
        }
        let Limits { steps, interrupt, .. } = *self.limits;
        bytes as u64 > SLICE
            && (self.limits.time.is_some() || steps < u64::MAX || interrupt.is_some())
    }

    /// Counts `steps` steps, and fails if a limit is exceeded. Call this at least once per
    /// [`SLICE`].
    pub(crate) fn take(&mut self, steps: u64) -> Result<(), Problem> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(Problem::Steps(self.limits.steps));
        }
        self.limits.check()?;
        if self.steps >= self.next_poll {
            self.next_poll = self.steps.saturating_add(SLICE);
            if self.limits.interrupt.is_some_and(|interrupt| interrupt()) {
                return Err(Problem::Interrupted);
            }
        }
        Ok(())
    }

    /// Counts the steps of an automaton that is at the position `at`, with `left` bytes still to
    /// read. It counts a whole slice at each position that is divisible by the size of a slice,
    /// including 0.
    #[inline]
    pub(crate) fn take_slice(&mut self, at: usize, left: usize) -> Result<(), Problem> {
        match (at as u64).is_multiple_of(SLICE) {
            true => self.take(SLICE.min(left as u64)),
            false => Ok(()),
        }
    }

    /// Returns whether a search that is not linear may continue after `steps` steps.
    pub(crate) fn has_fuel(&self, steps: u64) -> bool {
        steps <= self.limits.fuel
    }

    /// Returns the problem of a search that has used all its fuel.
    pub(crate) fn fuel_problem(&self) -> Problem {
        Problem::Fuel(self.limits.fuel)
    }

    /// Returns the problem of a search that needs too much memory.
    pub(crate) fn memory_problem(&self) -> Problem {
        Problem::Memory(self.limits.memory_bytes)
    }

    /// Fails if an allocation of `bytes` bytes exceeds the limit.
    pub(crate) fn memory(&self, bytes: usize) -> Result<(), Problem> {
        if bytes > self.limits.memory_bytes {
            return Err(Problem::Memory(self.limits.memory_bytes));
        }
        Ok(())
    }
}

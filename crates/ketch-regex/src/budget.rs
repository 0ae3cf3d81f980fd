//! The limits of one search.

use std::time::Instant;

use crate::options::Limits;
use crate::problem::Problem;

/// How many steps pass between two looks at the clock.
pub(crate) const SLICE: u64 = 1 << 16;

/// What one search may still take.
pub(crate) struct Budget<'l> {
    limits: &'l Limits,
    deadline: Option<Instant>,
    steps: u64,
    #[cfg(test)]
    sliced: bool,
}

impl<'l> Budget<'l> {
    pub(crate) fn new(limits: &'l Limits) -> Budget<'l> {
        let deadline = limits.time.map(|time| Instant::now() + time);
        Budget {
            limits,
            deadline,
            steps: 0,
            #[cfg(test)]
            sliced: false,
        }
    }

    /// One that cuts every search into slices.
    #[cfg(test)]
    pub(crate) fn sliced(limits: &'l Limits) -> Budget<'l> {
        Budget { sliced: true, ..Budget::new(limits) }
    }

    /// Whether a search of `bytes` must be cut into slices.
    pub(crate) fn slices(&self, bytes: usize) -> bool {
        #[cfg(test)]
        if self.sliced {
            return true;
        }
        bytes as u64 > SLICE && (self.deadline.is_some() || self.limits.steps < u64::MAX)
    }

    /// Counts steps; call it at least once per [`SLICE`].
    pub(crate) fn take(&mut self, steps: u64) -> Result<(), Problem> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(Problem::Steps(self.limits.steps));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(Problem::Timeout(self.limits.time.map_or(0, |time| time.as_millis())));
        }
        Ok(())
    }

    /// Whether a search that is not linear may go on.
    pub(crate) fn has_fuel(&self, steps: u64) -> bool {
        steps <= self.limits.fuel
    }

    pub(crate) fn fuel_problem(&self) -> Problem {
        Problem::Fuel(self.limits.fuel)
    }

    pub(crate) fn memory_problem(&self) -> Problem {
        Problem::Memory(self.limits.memory_bytes)
    }

    pub(crate) fn memory(&self, bytes: usize) -> Result<(), Problem> {
        if bytes > self.limits.memory_bytes {
            return Err(Problem::Memory(self.limits.memory_bytes));
        }
        Ok(())
    }
}

//! How a host stops an operation.

use super::session::Edit;

impl Edit {
    /// Lets a function stop operations: it is polled while a text is parsed, and between the nodes that
    /// a path leads to, and stops the operation by returning true. The error then has the cause
    /// [`Problem::Interrupted`](crate::Problem::Interrupted), and the text stays as it was.
    #[must_use]
    pub fn interruptible(mut self, stop: fn() -> bool) -> Edit {
        self.interrupt = Some(stop);
        self
    }

    /// Polls the interrupt before the whole text is read. `None` if it stops the operation.
    pub(super) fn poll(&mut self) -> Option<()> {
        self.is_stopped |= self.interrupt.is_some_and(|stop| stop());
        (!self.is_stopped).then_some(())
    }

    /// Returns whether the interrupt has stopped the operation, which then ends.
    pub(super) fn takes_stop(&mut self) -> bool {
        std::mem::take(&mut self.is_stopped)
    }
}

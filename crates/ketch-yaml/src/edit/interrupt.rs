//! Stopping an operation from outside.

use super::session::Edit;

impl Edit {
    /// Sets a function that can stop operations. It is called regularly while a text is parsed, and
    /// between the nodes that a path leads to. If it returns true, the operation fails with an
    /// error whose cause is [`Problem::Interrupted`](crate::Problem::Interrupted), and the text
    /// stays as it was.
    #[must_use]
    pub fn interruptible(mut self, stop: fn() -> bool) -> Edit {
        self.interrupt = Some(stop);
        self
    }

    /// Polls the interrupt before the whole text is read. Returns `None` if the operation must
    /// stop.
    pub(super) fn poll(&mut self) -> Option<()> {
        self.is_stopped |= self.interrupt.is_some_and(|stop| stop());
        (!self.is_stopped).then_some(())
    }

    /// Returns whether the interrupt has stopped the operation, and resets this.
    pub(super) fn takes_stop(&mut self) -> bool {
        std::mem::take(&mut self.is_stopped)
    }
}

//! Stopping an operation from outside.

use super::session::Edit;

impl Edit {
    /// Sets a function that can stop operations. It is called regularly while a text is parsed, and
    /// between the nodes that a path leads to. If it returns true, the operation fails with an
    /// error whose cause is [`Problem::Interrupted`](ketch_yaml::Problem::Interrupted), and the text
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

#[cfg(test)]
mod tests {
    use super::super::operation::{Action, Operation, Style, Transfer};
    use super::super::session::Edit;
    use ketch_yaml::Problem;
    use ketch_yaml::path::Step;
    use std::cell::Cell;

    thread_local! {
        /// The number of polls that let the operation continue before one stops it.
        static LEFT: Cell<usize> = const { Cell::new(0) };
    }

    fn stop() -> bool {
        LEFT.replace(LEFT.get().saturating_sub(1)) == 0
    }

    #[test]
    fn an_operation_can_be_interrupted_at_any_poll() {
        let text = format!("big: [{}]\nx: &a 1\ny: *a\nz: {{}}\n", "12, ".repeat(10_000));
        let at = |action, path: &str| Operation::at(action, &path.parse().expect("a path"));
        for operation in [
            at(Action::set("7"), "big[*]"),
            at(Action::Append("7".into()), "big"),
            at(Action::Anchor(Some("b".into())), "x"),
            at(Action::Copy(Transfer::to(vec![Step::Key("z".into())])), "x"),
            at(Action::Style(Style::Block), "big"),
        ] {
            let mut stopped = 0;
            for left in (0..8).chain([20, 9000]) {
                LEFT.set(left);
                let mut edit = Edit::deferred(text.clone()).interruptible(stop);
                match edit.apply(std::slice::from_ref(&operation)) {
                    Ok(()) => break,
                    Err(error) => {
                        let problem = error.cause().map(ketch_yaml::Error::problem);
                        assert_eq!(problem, Some(Problem::Interrupted), "{error} {operation:?}");
                        assert_eq!(edit.text(), text, "{operation:?} {left}");
                        stopped += 1;
                    }
                }
            }
            assert!(stopped > 2, "{operation:?}");
        }
    }
}

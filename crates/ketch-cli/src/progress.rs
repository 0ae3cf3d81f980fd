//! Shows a progress bar for work that takes longer than a second. It is shown only on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr, stdout};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The time for which no bar is shown. Work that takes less time never shows one.
const QUIET: Duration = Duration::from_secs(1);

/// The progress of reading one input.
pub struct Progress {
    start: Instant,
    total_bytes: Option<u64>,
    done_bytes: u64,
    state: State,
}

enum State {
    /// No bar is shown: standard error is not a terminal, or the results go to a terminal as well.
    Never,
    Waiting,
    Shown(ProgressBar),
}

impl Progress {
    /// Creates the progress of an input of `total_bytes` bytes, or of unknown size.
    /// `stdout_is_free` says that the results do not go to standard output.
    pub fn new(total_bytes: Option<u64>, stdout_is_free: bool) -> Progress {
        // With thousands of small files, asking for each of them takes as long as reading it.
        static ARE_TERMINALS: LazyLock<(bool, bool)> =
            LazyLock::new(|| (stdout().is_terminal(), stderr().is_terminal()));
        let (is_stdout, is_stderr) = *ARE_TERMINALS;
        let is_free = stdout_is_free || !is_stdout;
        let state = if is_stderr && is_free { State::Waiting } else { State::Never };
        Progress { start: Instant::now(), total_bytes, done_bytes: 0, state }
    }

    /// Sets the number of bytes that have been processed to `bytes`.
    pub fn reached(&mut self, bytes: u64) {
        self.done_bytes = bytes;
        match &self.state {
            State::Never => {}
            State::Waiting if self.start.elapsed() < QUIET => {}
            State::Waiting => self.state = State::Shown(self.show()),
            State::Shown(bar) => bar.set_position(bytes),
        }
    }

    /// Creates the bar at the current position.
    fn show(&self) -> ProgressBar {
        let target = ProgressDrawTarget::stderr();
        let bar = match self.total_bytes {
            Some(total) => ProgressBar::with_draw_target(Some(total), target)
                .with_style(style(template(columns()))),
            None => {
                ProgressBar::with_draw_target(None, target).with_style(style(spinner(columns())))
            }
        };
        bar.with_elapsed(self.start.elapsed()).with_position(self.done_bytes)
    }
}

/// Returns the template of a bar for a terminal that is `columns` wide.
fn template(columns: u16) -> &'static str {
    match columns {
        100.. => {
            "{bar:40} {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left"
        }
        60.. => "{wide_bar} {decimal_bytes} of {decimal_total_bytes}, {eta} left",
        12.. => "{wide_bar} {percent:>3}%",
        _ => "{percent:>3}%",
    }
}

/// Returns the template for an input of unknown size and a terminal that is `columns` wide.
fn spinner(columns: u16) -> &'static str {
    match columns {
        24.. => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}",
        12.. => "{spinner} {decimal_bytes}",
        _ => "{decimal_bytes}",
    }
}

/// Returns the width of the terminal in columns, or 80 if it is not known.
fn columns() -> u16 {
    terminal_size::terminal_size_of(stderr()).map_or(80, |(width, _)| width.0)
}

/// Returns the style for `template`.
fn style(template: &str) -> ProgressStyle {
    // All our templates are valid. An invalid one would only cause an unsuitable bar.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let State::Shown(bar) = &self.state {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the width of `template` in columns without the bar, when all values in it have their
    /// maximum width.
    fn fixed_columns(template: &str) -> usize {
        let long = [
            ("{wide_bar}", ""),
            ("{decimal_bytes}", "999.99 MB"),
            ("{decimal_total_bytes}", "999.99 MB"),
            ("{decimal_bytes_per_sec}", "999.99 MB/s"),
            ("{eta}", "59m"),
            ("{percent:>3}", "100"),
            ("{bar:40}", "----------------------------------------"),
            ("{spinner}", "-"),
        ];
        let text =
            long.iter().fold(template.to_owned(), |text, (name, value)| text.replace(name, value));
        assert!(!text.contains('{'), "{text}");
        text.len()
    }

    #[test]
    fn every_progress_bar_fits_its_terminal() {
        assert_eq!(template(20), "{wide_bar} {percent:>3}%");
        for columns in 4..200 {
            assert!(fixed_columns(template(columns)) <= columns.into(), "{columns}");
            assert!(fixed_columns(spinner(columns)) <= columns.max(9).into(), "{columns}");
        }
    }
}

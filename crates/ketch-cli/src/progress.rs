//! Shows the progress of work that takes longer than a second. It is shown only on a terminal.

use crate::quiet;
use indicatif::style::ProgressTracker;
use indicatif::{DecimalBytes, HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget};
use indicatif::{ProgressState, ProgressStyle};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::io::{IsTerminal, stderr, stdout};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time for which nothing is shown. Work that takes less time never shows anything.
const QUIET: Duration = Duration::from_secs(1);
/// The time between two drawings, even if there is no progress.
const TICK: Duration = Duration::from_millis(200);
/// The time over which speeds are measured.
const WINDOW: Duration = Duration::from_secs(3);

/// The progress of reading one input. Clones are the same progress.
#[derive(Clone)]
pub struct Progress(Rc<RefCell<Reading>>);

struct Reading {
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

/// Returns whether progress can be shown. `stdout_is_free` says that the results do not go to
/// standard output.
fn is_visible(stdout_is_free: bool) -> bool {
    // With thousands of small files, asking for each of them takes as long as reading it.
    static ARE_TERMINALS: LazyLock<(bool, bool)> =
        LazyLock::new(|| (stdout().is_terminal(), stderr().is_terminal()));
    let (is_stdout, is_stderr) = *ARE_TERMINALS;
    is_stderr && (stdout_is_free || !is_stdout) && !quiet::is_on()
}

impl Progress {
    /// Creates the progress of an input of `total_bytes` bytes, or of unknown size.
    /// `stdout_is_free` says that the results do not go to standard output.
    pub fn new(total_bytes: Option<u64>, stdout_is_free: bool) -> Progress {
        let state = if is_visible(stdout_is_free) { State::Waiting } else { State::Never };
        let start = Instant::now();
        Progress(Rc::new(RefCell::new(Reading { start, total_bytes, done_bytes: 0, state })))
    }

    /// Sets the number of bytes that have been processed to `bytes`.
    pub fn reached(&self, bytes: u64) {
        let mut reading = self.0.borrow_mut();
        reading.done_bytes = bytes;
        match &reading.state {
            State::Never => {}
            State::Waiting if reading.start.elapsed() < QUIET => {}
            State::Waiting => reading.state = State::Shown(reading.show()),
            State::Shown(bar) => bar.set_position(bytes),
        }
    }

    /// Does `work` on what has been read, which the bar calls `name` meanwhile.
    pub fn during<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.phase(name);
        let done = work();
        self.phase("reading");
        done
    }

    fn phase(&self, name: &'static str) {
        if let State::Shown(bar) = &self.0.borrow().state {
            bar.set_message(name);
        }
    }
}

impl Reading {
    /// Creates the bar at the current position.
    fn show(&self) -> ProgressBar {
        let template = match self.total_bytes {
            Some(_) => template(columns()),
            None => spinner(columns()),
        };
        let bar = ProgressBar::with_draw_target(self.total_bytes, ProgressDrawTarget::stderr());
        let bar = bar.with_style(style(template)).with_message("reading");
        let bar = bar.with_elapsed(self.start.elapsed()).with_position(self.done_bytes);
        bar.enable_steady_tick(TICK);
        bar
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        if let State::Shown(bar) = &self.state {
            bar.finish_and_clear();
        }
    }
}

/// The bytes of the last seconds, from which the speed follows.
#[derive(Clone)]
struct Rate {
    samples: VecDeque<(Instant, u64)>,
    write: fn(f64, &ProgressState, &mut dyn fmt::Write) -> fmt::Result,
}

impl Rate {
    fn new(write: fn(f64, &ProgressState, &mut dyn fmt::Write) -> fmt::Result) -> Rate {
        Rate { samples: VecDeque::new(), write }
    }

    /// Adds the position `bytes` at the time `now`.
    fn add(&mut self, bytes: u64, now: Instant) {
        let is_recent = |&(at, _): &(Instant, u64)| now.duration_since(at) < TICK / 2;
        if self.samples.len() > 1 && self.samples.back().is_some_and(is_recent) {
            return;
        }
        self.samples.push_back((now, bytes));
        // The oldest sample is at least as old as the window.
        while self.samples.get(1).is_some_and(|&(at, _)| now.duration_since(at) >= WINDOW) {
            self.samples.pop_front();
        }
    }

    /// Returns the bytes per second.
    fn per_second(&self) -> f64 {
        let (Some((start, from)), Some((end, to))) = (self.samples.front(), self.samples.back())
        else {
            return 0.0;
        };
        let seconds = end.duration_since(*start).as_secs_f64();
        if seconds > 0.0 { to.saturating_sub(*from) as f64 / seconds } else { 0.0 }
    }
}

impl ProgressTracker for Rate {
    fn clone_box(&self) -> Box<dyn ProgressTracker> {
        Box::new(self.clone())
    }

    fn tick(&mut self, state: &ProgressState, now: Instant) {
        self.add(state.pos(), now);
    }

    fn reset(&mut self, _: &ProgressState, _: Instant) {
        self.samples.clear();
    }

    fn write(&self, state: &ProgressState, out: &mut dyn fmt::Write) {
        // Writing to memory cannot fail.
        let _ = (self.write)(self.per_second(), state, out);
    }
}

/// Writes a speed.
fn speed(rate: f64, _: &ProgressState, out: &mut dyn fmt::Write) -> fmt::Result {
    write!(out, "{}/s", DecimalBytes(rate as u64))
}

/// Writes the time that is left at the current speed.
fn time_left(rate: f64, state: &ProgressState, out: &mut dyn fmt::Write) -> fmt::Result {
    let left = state.len().unwrap_or(0).saturating_sub(state.pos());
    match rate > 0.0 {
        true => {
            write!(out, "{:#} left", HumanDuration(Duration::from_secs_f64(left as f64 / rate)))
        }
        false => write!(out, "waiting"),
    }
}

/// The progress of work on whole files, which are held in memory: the current phase, and the number
/// of files that are done.
pub struct Phases {
    /// The current phase and the bar, once it is shown. `None` if nothing is ever shown.
    shared: Option<Arc<Mutex<Shown>>>,
    end: Option<(Sender<()>, JoinHandle<()>)>,
}

struct Shown {
    phase: String,
    bar: Option<ProgressBar>,
}

impl Phases {
    /// Starts work. `stdout_is_free` says that no results go to standard output while it is done.
    pub fn new(stdout_is_free: bool) -> Phases {
        if !is_visible(stdout_is_free) {
            return Phases { shared: None, end: None };
        }
        let shared = Arc::new(Mutex::new(Shown { phase: String::new(), bar: None }));
        let (sender, receiver) = channel();
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || show_later(&theirs, &receiver));
        Phases { shared: Some(shared), end: Some((sender, thread)) }
    }

    /// Starts the phase `name` for the file with the number `index` of `count`.
    pub fn start(&self, name: &str, (index, count): (usize, usize)) {
        let Some(mut shown) = self.shown() else { return };
        shown.phase = match count {
            1 => name.to_owned(),
            _ => {
                let (index, count) = (HumanCount(index as u64 + 1), HumanCount(count as u64));
                format!("{name}, file {index} of {count}")
            }
        };
        if let Some(bar) = &shown.bar {
            bar.set_message(shown.phase.clone());
        }
    }

    /// Prints something while the bar is not on the screen.
    pub fn paused<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.shown().and_then(|shown| shown.bar.clone()) {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn shown(&self) -> Option<std::sync::MutexGuard<'_, Shown>> {
        self.shared.as_ref()?.lock().ok()
    }
}

/// Shows the phases once the work has taken a while, until `end` is closed.
fn show_later(shared: &Mutex<Shown>, end: &Receiver<()>) {
    if end.recv_timeout(QUIET) != Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
        return;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let template =
        if columns() < 24 { "{spinner} {wide_msg}" } else { "{spinner} {elapsed} {wide_msg}" };
    let bar = bar.with_style(style(template)).with_elapsed(QUIET);
    if let Ok(mut shown) = shared.lock() {
        bar.set_message(shown.phase.clone());
        shown.bar = Some(bar.clone());
    }
    bar.enable_steady_tick(TICK);
    // The other side only closes the channel.
    let _ = end.recv();
    bar.finish_and_clear();
}

impl Drop for Phases {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.end.take() {
            drop(sender);
            // The thread cannot panic.
            let _ = thread.join();
        }
    }
}

/// Returns the template of a bar for a terminal that is `columns` wide.
fn template(columns: u16) -> &'static str {
    match columns {
        100.. => "{bar:30} {msg} {decimal_bytes} of {decimal_total_bytes}, {rate}, {left}",
        64.. => "{wide_bar} {msg} {decimal_bytes} of {decimal_total_bytes}, {left}",
        12.. => "{wide_bar} {percent:>3}%",
        _ => "{percent:>3}%",
    }
}

/// Returns the template for an input of unknown size and a terminal that is `columns` wide.
fn spinner(columns: u16) -> &'static str {
    match columns {
        34.. => "{spinner} {msg} {decimal_bytes}, {rate}",
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
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", Rate::new(speed)).with_key("left", Rate::new(time_left))
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
            ("{rate}", "999.99 MB/s"),
            ("{left}", "59m left"),
            ("{msg}", "composing"),
            ("{percent:>3}", "100"),
            ("{bar:30}", "------------------------------"),
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

    #[test]
    fn the_speed_is_that_of_the_last_seconds() {
        let mut rate = Rate::new(speed);
        let start = Instant::now();
        // Ten seconds at 1000 bytes a second, then ten at 100, then a pause.
        let mut bytes = 0;
        let mut speeds = Vec::new();
        for tick in 0..150u32 {
            rate.add(bytes, start + TICK * tick);
            bytes += [200, 20, 0][tick as usize / 50];
            speeds.push(rate.per_second().round() as u64);
        }
        assert_eq!((speeds[0], speeds[40], speeds[90], speeds[149]), (0, 1000, 100, 0));
        assert!(rate.samples.len() < 20, "{}", rate.samples.len());
    }
}

//! Signals that end the command: its temporary files go first.

#[cfg(unix)]
pub use unix::remove_temporary_files;

/// Elsewhere, whoever ends a process leaves what it has written.
#[cfg(not(unix))]
pub fn remove_temporary_files() {}

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Once};

    /// From now on, a signal that ends the command removes the temporary files first. What was
    /// ignored, as behind `nohup`, stays ignored.
    ///
    /// Without the handlers, for lack of threads or memory, a signal may leave a file: no reason to
    /// fail.
    pub fn remove_temporary_files() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // A file that grows beyond `ulimit -f` then is an error of writing, as on a full disk.
            let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
            let ignored = ignored_signals();
            let signals = [SIGHUP, SIGINT, SIGTERM];
            let signals = signals.into_iter().filter(|signal| ignored & 1 << (signal - 1) == 0);
            if let Ok(mut signals) = Signals::new(signals) {
                let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
                    for signal in signals.forever() {
                        ketch_files::remove_temporary_files();
                        let _ = low_level::emulate_default_handler(signal);
                    }
                });
            }
        });
    }

    /// A bit for each signal that the process was started to ignore, the first one for signal 1; on
    /// Linux, elsewhere none is known.
    fn ignored_signals() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

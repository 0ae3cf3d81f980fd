//! Removes temporary files when a signal ends the command.

#[cfg(unix)]
pub use unix::remove_temporary_files;

/// Does nothing. On these systems, a process that a signal ends leaves its temporary files.
#[cfg(not(unix))]
pub fn remove_temporary_files() {}

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Once};

    /// Installs handlers that remove the command's temporary files before a signal ends it. Signals
    /// that are ignored, as under `nohup`, stay ignored.
    ///
    /// If the handlers cannot be installed, that is not an error; a signal may leave a temporary
    /// file then.
    pub fn remove_temporary_files() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // With a handler for this signal, exceeding `ulimit -f` is a write error, as on a full
            // disk.
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

    /// Returns a mask of the signals that were ignored at the start, in which bit 0 is signal 1.
    /// Returns 0 if they are not known, as on systems other than Linux.
    fn ignored_signals() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

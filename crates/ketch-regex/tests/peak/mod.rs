//! Measures the largest amount of memory that a test has used.

/// Returns the largest amount of memory in bytes that this process has used since the last call of
/// [`start`], or `None` if the system does not report it.
pub fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// Starts a new measurement of the peak. Returns the amount of memory in use.
pub fn start() -> Option<usize> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    peak()
}

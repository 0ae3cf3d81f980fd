//! Where results go: standard output, or a file that is replaced whole or not at all.

use crate::status::Failure;
use std::io::{self, BufWriter, Write};

/// Large enough that the cost of a system call does not count.
const BUFFER_BYTES: usize = 256 * 1024;

/// Standard output with a large buffer.
pub fn stdout() -> BufWriter<io::Stdout> {
    BufWriter::with_capacity(BUFFER_BYTES, io::stdout())
}

/// The failure of writing to standard output.
pub fn stdout_failed(error: io::Error) -> Failure {
    Failure::write("<stdout>", error)
}

/// Runs `print` on standard output and flushes.
pub fn print(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = stdout();
    print(&mut out).and_then(|()| out.flush()).map_err(stdout_failed)
}

//! Splits long streams into lines. This takes linear time, and the memory of a line.

mod cpu;
mod peak;

use std::io::{self, Read};
use std::time::Duration;

use cpu::Timer;
use ketch_regex::{LineOptions, Lines, Separator};
use peak::{peak, start};

const MB: usize = 1 << 20;
/// The size of a stream, which is about a tenth where code is not optimized.
const BYTES: usize = if cfg!(debug_assertions) { 25 } else { 256 } * MB;

/// More than the largest step in which Linux counts the time of a thread.
const STEP: Duration = Duration::from_millis(20);

/// A stream that repeats a block.
struct Repeated<'b> {
    block: &'b [u8],
    at: usize,
    left: usize,
}

impl<'b> Repeated<'b> {
    fn new(block: &'b [u8], bytes: usize) -> Repeated<'b> {
        Repeated { block, at: 0, left: bytes }
    }
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.block[self.at..];
        let n = rest.len().min(buffer.len()).min(self.left);
        buffer[..n].copy_from_slice(&rest[..n]);
        self.at = (self.at + n) % self.block.len();
        self.left -= n;
        Ok(n)
    }
}

/// Counts the lines of a stream. Returns their number and the time, and fails if more than `most`
/// bytes of memory are used.
fn count(
    what: &str,
    block: &[u8],
    bytes: usize,
    separator: &[u8],
    most: usize,
) -> (usize, Duration) {
    let separator = Separator::Text(separator.to_vec());
    let options = LineOptions { separator, ..LineOptions::default() };
    let before = start();
    let timer = Timer::start();
    let mut lines = Lines::new(Repeated::new(block, bytes), options);
    let mut count = 0;
    while lines.next_line().unwrap().is_some() {
        count += 1;
    }
    let time = timer.elapsed();
    let used = before.zip(peak()).map(|(before, peak)| peak.saturating_sub(before));
    println!("{what}: {bytes} bytes, {count} lines, {time:?}, {used:?} bytes of memory");
    assert!(used.is_none_or(|used| used <= most), "{what}: {used:?} bytes of memory");
    (count, time)
}

/// A name, the block that a stream repeats, the separator, the length of a line in bytes (0 if
/// there is only one line), and the maximum memory in bytes.
type Row<'r> = (&'r str, &'r [u8], &'r [u8], usize, usize);

/// All rows are in one test, so that no other test allocates at the same time.
#[test]
fn long_streams_take_linear_time_and_the_memory_of_a_line() {
    // Every position almost matches a separator of 1 MB.
    let separator = [&vec![b'a'; MB - 1][..], b"b"].concat();
    let block = [&vec![b'a'; 4 * MB - 1][..], b"b"].concat();
    let lines = "x".repeat(99) + "\n";
    // The buffer doubles, and while it does, the old one still exists.
    let rows: [Row<'_>; 3] = [
        ("short lines", lines.as_bytes(), b"\n", 100, 2 * MB),
        ("a separator of 1 MB", &block, &separator, 4 * MB, 32 * MB),
        ("one line", b"a", b"\n", 0, 3 * BYTES),
    ];
    for (what, block, separator, length, most) in rows {
        let block = if length == 0 { &vec![b'a'; MB] } else { block };
        let expected = |bytes: usize| if length == 0 { 1 } else { bytes.div_ceil(length) };
        let (half, short) = count(what, block, BYTES / 2, separator, most);
        let (all, long) = count(what, block, BYTES, separator, most);
        assert_eq!([half, all], [BYTES / 2, BYTES].map(expected), "{what}");
        assert!(long < 3 * short + STEP, "{what}: {short:?}, and {long:?} for twice the text");
    }
}

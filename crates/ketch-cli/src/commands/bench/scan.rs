//! Measures a lower bound for the time of the parser: masks find lines and indicators, but there
//! are no events.

use super::measured::Counts;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, Tail, block_at, dispatch};

/// Counts line breaks and indicators in `text`, even those in comments and quotes.
pub fn count(level: Level, text: &[u8]) -> Counts {
    let found = dispatch(level, Scan(text));
    vec![
        ("line_breaks", found.line_breaks),
        ("colons_before_blanks", found.colons),
        ("flow_indicators", found.flow_indicators),
        ("quotes", found.quotes),
    ]
}

struct Scan<'t>(&'t [u8]);

#[derive(Default)]
struct Found {
    line_breaks: u64,
    colons: u64,
    flow_indicators: u64,
    quotes: u64,
}

impl Kernel for Scan<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Found {
        let text = self.0;
        let tail = Tail::of(text);
        let mut found = Found::default();
        let (mut after_colon, mut after_return) = (0, 0);
        for at in (0..text.len()).step_by(BLOCK_BYTES) {
            let block = lanes.load(block_at(text, &tail, at));
            // The last block may contain bytes after the end of the text, whose bits are ignored.
            let inside = u64::MAX >> BLOCK_BYTES.saturating_sub(text.len() - at);
            let colon = lanes.eq(block, b':') & inside;
            let (feed, carriage) = (lanes.eq(block, b'\n'), lanes.eq(block, b'\r') & inside);
            let second_half = feed & (carriage << 1 | after_return);
            // The end of the text is treated like white space after it.
            let blank = lanes.le(block, b' ');
            found.line_breaks += ones((feed & !second_half) & inside) + ones(carriage);
            found.colons += ones(blank & (colon << 1 | after_colon));
            found.flow_indicators +=
                ones(lanes.eq_any(block, [b'[', b']', b'{', b'}', b',']) & inside);
            found.quotes += ones(lanes.eq_any(block, [b'\'', b'"']) & inside);
            after_colon = colon >> (BLOCK_BYTES - 1);
            after_return = carriage >> (BLOCK_BYTES - 1);
        }
        found.colons += after_colon;
        found
    }
}

/// Returns the number of bits of `mask` that are set.
#[inline(always)]
fn ones(mask: u64) -> u64 {
    u64::from(mask.count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does the same as [`count`], but examines one byte at a time.
    fn naive(text: &[u8]) -> Counts {
        let count =
            |test: &dyn Fn(usize) -> bool| (0..text.len()).filter(|&at| test(at)).count() as u64;
        let next = |at: usize| text.get(at + 1).copied().unwrap_or(b'\n');
        let is_pair = |at: usize| at > 0 && text[at - 1] == b'\r';
        vec![
            ("line_breaks", count(&|at| text[at] == b'\r' || text[at] == b'\n' && !is_pair(at))),
            ("colons_before_blanks", count(&|at| text[at] == b':' && next(at) <= b' ')),
            ("flow_indicators", count(&|at| b"[]{},".contains(&text[at]))),
            ("quotes", count(&|at| b"'\"".contains(&text[at]))),
        ]
    }

    #[test]
    fn counts_are_correct_at_every_alignment() {
        let text = "a: [\"b\", 'c:']\r\nd:\te\rf:\n{x:y}:\r\n".repeat(5) + "end:";
        for level in Level::available() {
            for start in 0..text.len() {
                for end in [text.len(), text.len() - 1, start.max(64), start.max(63)] {
                    let part = &text.as_bytes()[start..end.max(start).min(text.len())];
                    assert_eq!(count(level, part), naive(part), "{level} {start}..{end}");
                }
            }
        }
    }
}

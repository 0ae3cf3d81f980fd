//! Determines the lines and columns of nodes with a table of the lines of a document.

use ketch_yaml::Document;

/// The offsets at which the lines of a document's text start.
#[derive(Debug)]
pub struct Lines {
    /// The offset of each line in the text; the first is 0.
    starts: Vec<usize>,
    /// The line and column of the first character of the text.
    first: (u64, u64),
    /// The offset of the text in the stream, in bytes.
    pub offset: u64,
}

impl Lines {
    /// Returns the lines of `document`, or `None` if its text is not contiguous, for example
    /// because it comes from a reader or from UTF-16. Such a document stores the locations of its
    /// nodes itself.
    pub fn of(document: &Document<'_>) -> Option<Lines> {
        if !document.is_contiguous() {
            return None;
        }
        let text = document.text();
        let start = document.location(0..0);
        let ends = memchr::memchr2_iter(b'\n', b'\r', text)
            .filter(|&at| text[at] == b'\n' || text.get(at + 1) != Some(&b'\n'));
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        Some(Lines { starts, first: (start.line, start.column), offset: start.offset })
    }

    /// Returns the line and column of offset `at` in `text`. Both count from 1, and the column
    /// counts characters.
    pub fn place(&self, text: &[u8], at: usize) -> (u64, u64) {
        let index = self.starts.partition_point(|&start| start <= at) - 1;
        let (line, column) = self.first;
        let in_front = &text[self.starts[index]..at.min(text.len())];
        let characters = in_front.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        (line + index as u64, if index == 0 { column } else { 1 } + characters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::Documents;

    #[test]
    fn columns_count_characters() {
        let text = "--- a\n---\né: [b,\r\n c]\n".as_bytes();
        let document = Documents::new(text).nth(1).unwrap().unwrap();
        let lines = Lines::of(&document).unwrap();
        let places = (0..document.node_count()).map(|number| {
            let node = document.node(ketch_yaml::compose::NodeId::from(number));
            let location = node.location();
            (lines.place(document.text(), node.span().start), (location.line, location.column))
        });
        for (place, expected) in places {
            assert_eq!(place, expected);
        }
    }
}

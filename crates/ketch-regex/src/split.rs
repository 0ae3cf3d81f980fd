//! Splits a text by Ruby's rules.

use std::collections::VecDeque;

use crate::error::Result;
use crate::regex::Regex;
use crate::scan::Searches;
use crate::threads::UNSET;

/// An iterator over the parts of a text between matches. The text of each group of a match is also
/// a part.
pub struct Split<'r, 't> {
    searches: Searches<'r, 't>,
    slots: Vec<usize>,
    /// The number of times that the text may still be split, or `None` if it is not limited.
    cuts: Option<usize>,
    /// Whether empty parts at the end are kept.
    keeps_empty: bool,
    /// The position at which the next part starts. `search` is the position at which the next
    /// search starts.
    begin: usize,
    search: usize,
    /// Whether the last match was empty and at the start of its search. In this case, the text is
    /// split only if the next match is later.
    empty: bool,
    done: bool,
    /// Parts that are known but not yielded yet. `waiting` is the number of empty parts that are
    /// held back until a part with text follows.
    ready: VecDeque<&'t [u8]>,
    waiting: usize,
}

impl Regex {
    /// Returns the parts of a text between matches, as Ruby's `split` does. A positive `limit` is
    /// the maximum number of parts, not counting groups. If `limit` is 0, empty parts at the end
    /// are left out. If it is negative, all parts are returned.
    ///
    /// ```
    /// let regex = ketch_regex::Regex::new(" *, *", Default::default()).unwrap();
    /// let parts: Vec<_> = regex.split(b"a, b ,c,,", 0).map(Result::unwrap).collect();
    /// assert_eq!(parts, [b"a", b"b", b"c"]);
    /// assert_eq!(regex.split(b"a, b ,c,,", -1).count(), 5);
    /// assert_eq!(regex.split(b"a, b ,c,,", 2).last().unwrap().unwrap(), b"b ,c,,");
    /// ```
    pub fn split<'t>(&self, text: &'t [u8], limit: isize) -> Split<'_, 't> {
        Split {
            searches: Searches::new(self, text),
            slots: vec![UNSET; 2 * (self.groups() + 1)],
            cuts: usize::try_from(limit).ok().filter(|limit| *limit > 0).map(|limit| limit - 1),
            keeps_empty: limit != 0,
            begin: 0,
            search: 0,
            empty: false,
            done: text.is_empty(),
            ready: VecDeque::new(),
            waiting: 0,
        }
    }
}

impl<'t> Split<'_, 't> {
    /// Adds a part. If empty parts at the end are not kept, an empty part is held back until a part
    /// with text follows.
    fn push(&mut self, part: &'t [u8]) {
        if part.is_empty() && !self.keeps_empty {
            self.waiting += 1;
            return;
        }
        self.ready.extend(std::iter::repeat_n(&part[..0], std::mem::take(&mut self.waiting)));
        self.ready.push_back(part);
    }

    /// Searches for the next match, and adds the part before it. If there is no match, adds the
    /// last part.
    fn advance(&mut self) -> Result<()> {
        let text = self.searches.text;
        let bytes = text.bytes;
        let found = self.cuts != Some(0) && self.search <= bytes.len() && {
            self.slots.fill(UNSET);
            self.searches.search(self.search, &mut self.slots)?
        };
        if !found {
            self.done = true;
            if bytes.len() > self.begin || self.keeps_empty {
                self.push(&bytes[self.begin.min(bytes.len())..]);
            }
            return Ok(());
        }
        let (start, end) = (self.slots[0], self.slots[1]);
        if start == end && start == self.search {
            if !self.empty {
                self.search = text.next_boundary(self.search);
                self.empty = true;
                return Ok(());
            }
            let next = text.next_boundary(self.begin).min(bytes.len());
            self.push(&bytes[self.begin..next]);
            self.begin = self.search;
        } else {
            self.push(bytes.get(self.begin..start).unwrap_or(&[]));
            self.begin = end;
            // `\K` in a look-ahead may move the start after the end, and the end to where the
            // search began.
            let stays = end <= self.search;
            self.search = if stays { text.next_boundary(self.search) } else { end };
        }
        self.empty = false;
        for group in 1..self.slots.len() / 2 {
            let (start, end) = (self.slots[2 * group], self.slots[2 * group + 1]);
            if start != UNSET && end != UNSET {
                self.push(bytes.get(start..end).unwrap_or(&[]));
            }
        }
        self.cuts = self.cuts.map(|cuts| cuts - 1);
        Ok(())
    }
}

impl<'t> Iterator for Split<'_, 't> {
    type Item = Result<&'t [u8]>;

    fn next(&mut self) -> Option<Result<&'t [u8]>> {
        loop {
            if let Some(part) = self.ready.pop_front() {
                return Some(Ok(part));
            }
            if self.done {
                return None;
            }
            if let Err(error) = self.advance() {
                self.done = true;
                return Some(Err(error));
            }
        }
    }
}

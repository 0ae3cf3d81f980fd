//! Replaces matches with Ruby's templates, and splits a text by Ruby's rules.

use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::regex::{Captures, Regex};
use crate::scan::Searches;
use crate::syntax::Span;
use crate::threads::UNSET;
use std::borrow::Cow;
use std::collections::VecDeque;

/// The replacement for a match. As in Ruby, `\0` to `\9`, `\&`, `\+`, `` \` ``, `\'`, `\k<name>` and
/// `\\` have a meaning in it, and `\1` to `\9` are empty if the pattern has names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(Vec<u8>),
    /// The text of the last of these groups that is set, or nothing.
    Groups(Vec<u32>),
    Before,
    After,
}

impl Template {
    /// Parses a template for matches of `regex`.
    ///
    /// # Errors
    ///
    /// Fails if the name in `\k<name>` is not that of a group, or if the `>` is missing.
    ///
    /// ```
    /// use ketch_regex::{Options, Regex, Template};
    /// let regex = Regex::new(r"(?<key>\w+)=(?<value>\w+)", Options::default()).unwrap();
    /// let template = Template::new(br"\k<value>:\k<key>", &regex).unwrap();
    /// assert_eq!(*regex.replace_all(b"a=1 b=2", &template).unwrap(), *b"1:a 2:b");
    /// ```
    pub fn new(template: &[u8], regex: &Regex) -> Result<Template> {
        let mut parts = Vec::new();
        let mut text = Vec::new();
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'\\', &template[at..]) {
            text.extend_from_slice(&template[at..at + found]);
            at += found;
            let (part, length) = match template.get(at + 1) {
                Some(b'1'..=b'9') if !regex.names().is_empty() => {
                    (Some(Part::Groups(Vec::new())), 2)
                }
                Some(digit @ b'0'..=b'9') => (Some(Part::Groups(vec![u32::from(digit - b'0')])), 2),
                Some(b'&') => (Some(Part::Groups(vec![0])), 2),
                Some(b'+') => (Some(Part::Groups((1..=regex.groups() as u32).collect())), 2),
                Some(b'`') => (Some(Part::Before), 2),
                Some(b'\'') => (Some(Part::After), 2),
                Some(b'k') => named(template, at, regex)?,
                Some(b'\\') => {
                    text.push(b'\\');
                    (None, 2)
                }
                _ => {
                    text.push(b'\\');
                    (None, 1)
                }
            };
            if let Some(part) = part {
                parts.push(Part::Text(std::mem::take(&mut text)));
                parts.push(part);
            } else if length == 0 {
                text.extend_from_slice(b"\\k");
                at += 2;
            }
            at += length;
        }
        text.extend_from_slice(&template[at..]);
        parts.push(Part::Text(text));
        parts.retain(|part| *part != Part::Text(Vec::new()));
        Ok(Template { parts })
    }

    /// Appends the replacement for a match in `text` to `out`.
    pub fn expand(&self, text: &[u8], captures: &Captures, out: &mut Vec<u8>) {
        let whole = captures.get(0).unwrap_or(0..0);
        for part in &self.parts {
            let bytes = match part {
                Part::Text(text) => Some(text.as_slice()),
                Part::Groups(groups) => groups
                    .iter()
                    .rev()
                    .find_map(|group| captures.get(*group as usize))
                    .and_then(|span| text.get(span)),
                Part::Before => text.get(..whole.start),
                Part::After => text.get(whole.end..),
            };
            out.extend_from_slice(bytes.unwrap_or(&[]));
        }
    }
}

/// Parses `\k<name>` at the position `at`, and returns the part with its length. The length is 0 if the
/// text has no special meaning.
fn named(template: &[u8], at: usize, regex: &Regex) -> Result<(Option<Part>, usize)> {
    let rest = &template[at..];
    if rest.get(2) != Some(&b'<') {
        return Ok((None, 0));
    }
    let close = rest.iter().position(|byte| *byte == b'>');
    let name = String::from_utf8_lossy(&rest[3..close.unwrap_or(rest.len())]);
    let known = regex.names().iter().find(|known| known.name == name);
    let problem = match (close, known) {
        (Some(close), Some(known)) => {
            return Ok((Some(Part::Groups(known.groups.clone())), close + 1));
        }
        (Some(_), None) => Problem::UndefinedName(name.into_owned()),
        (None, _) => Problem::UnclosedReference,
    };
    let span = Span { start: at, end: at + close.map_or(rest.len(), |close| close + 1) };
    Err(Error::new(problem, span, &String::from_utf8_lossy(template)))
}

impl Regex {
    /// Replaces the first match as Ruby's `sub` does, and returns the resulting text.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn replace<'t>(&self, text: &'t [u8], template: &Template) -> Result<Cow<'t, [u8]>> {
        self.replace_with(text, 1, |captures, out| template.expand(text, captures, out))
    }

    /// Replaces all matches as Ruby's `gsub` does, and returns the resulting text.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn replace_all<'t>(&self, text: &'t [u8], template: &Template) -> Result<Cow<'t, [u8]>> {
        self.replace_with(text, usize::MAX, |captures, out| template.expand(text, captures, out))
    }

    /// Replaces the first `count` matches with what `write` appends, and returns the resulting text.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    ///
    /// ```
    /// use ketch_regex::{Options, Regex};
    /// let regex = Regex::new("[aeiou]", Options::default()).unwrap();
    /// let text = b"a boat";
    /// let upper = regex.replace_with(text, 2, |captures, out| {
    ///     out.extend(text[captures.get(0).unwrap()].to_ascii_uppercase());
    /// });
    /// assert_eq!(*upper.unwrap(), *b"A bOat");
    /// ```
    pub fn replace_with<'t>(
        &self,
        text: &'t [u8],
        count: usize,
        mut write: impl FnMut(&Captures, &mut Vec<u8>),
    ) -> Result<Cow<'t, [u8]>> {
        let mut scan = self.scan(text);
        let mut captures = Captures::new();
        let mut out = Vec::new();
        let mut copied = 0;
        let mut done = 0;
        while done < count && scan.next_captures(&mut captures)? {
            let Some(found) = captures.get(0) else { break };
            // `\K` may move the start of a match before the end of the last one, or after its own
            // end.
            out.extend_from_slice(text.get(copied..found.start).unwrap_or(&[]));
            write(&captures, &mut out);
            copied = found.end;
            done += 1;
        }
        if done == 0 {
            return Ok(Cow::Borrowed(text));
        }
        out.extend_from_slice(&text[copied..]);
        Ok(Cow::Owned(out))
    }
}

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

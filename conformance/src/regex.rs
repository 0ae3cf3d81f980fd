//! The checks of the fuzz targets for `ketch-regex`.

use std::ops::Range;

use ketch_regex::syntax::{Assertion, Group, Kind, Tree, parse};
use ketch_regex::{
    Captures, Class, Encoding, Error, Limits, LineOptions, Lines, Options, Problem, Regex,
    Separator, Set, SetCaptures,
};

/// Returns small limits, so that a pattern that is very large or not linear takes little time.
fn limits() -> Limits {
    Limits { program_bytes: 256 << 10, fuel: 20_000, ..Limits::default() }
}

/// Returns the options that the bits of a byte choose.
fn options(flags: u8) -> Options {
    Options {
        ignore_case: flags & 1 != 0,
        multi_line: flags & 2 != 0,
        extended: flags & 4 != 0,
        encoding: if flags & 8 != 0 { Encoding::Binary } else { Encoding::Utf8 },
        limits: limits(),
        ..Options::default()
    }
}

/// Splits an input into options, a pattern and a text. A NUL separates the pattern from the text.
fn split(data: &[u8]) -> Option<(u8, &str, &[u8])> {
    let (flags, rest) = data.split_first()?;
    let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
    let text = rest.get(end + 1..).unwrap_or(&[]);
    Some((*flags, std::str::from_utf8(&rest[..end]).ok()?, text))
}

/// Checks the parser: the tree of a pattern is printed as a pattern with the same tree, children
/// precede their parents and are within them, and an error has a span in the pattern.
pub fn parser(data: &[u8]) -> Result<(), String> {
    let Some((flags, rest)) = data.split_first() else { return Ok(()) };
    let Ok(pattern) = std::str::from_utf8(rest) else { return Ok(()) };
    let options = options(flags & !4);
    let tree = match parse(pattern, &options) {
        Ok(tree) => tree,
        Err(error) => return located(&error, pattern),
    };
    for (at, node) in tree.nodes().iter().enumerate() {
        if pattern.get(node.span.start..node.span.end).is_none() {
            return Err(format!("/{pattern}/: {:?} at {:?}", node.kind, node.span));
        }
        for child in children(&node.kind) {
            if child >= at {
                return Err(format!("/{pattern}/: node {at} has the child {child}"));
            }
        }
    }
    let printed = tree.to_string();
    match parse(&printed, &options) {
        Ok(again) if again == tree => Ok(()),
        Ok(again) => Err(format!("/{pattern}/ is printed as /{printed}/, which is /{again}/")),
        // The printed pattern may be longer than the limit allows.
        Err(error) if error.class() == Class::Limit => Ok(()),
        Err(error) => Err(format!("/{pattern}/ is printed as /{printed}/: {error}")),
    }
}

/// Checks that an error has a span within the pattern, and a line with carets.
fn located(error: &Error, pattern: &str) -> Result<(), String> {
    let span = error.span();
    let inside = pattern.get(span.start..span.end).is_some();
    if inside && error.column() > 0 && error.caret().ends_with('^') {
        return Ok(());
    }
    Err(format!("/{pattern}/: {error} at {span:?}"))
}

/// Returns the indices of a node's children.
fn children(kind: &Kind) -> Vec<usize> {
    let ids = match kind {
        Kind::Concat(ids) | Kind::Alternation(ids) => ids.clone(),
        Kind::Class(_, operands) => operands.concat(),
        Kind::Repeat { child, .. } | Kind::Group(_, child) => vec![*child],
        Kind::Conditional { yes, no, .. } => [Some(*yes), *no].into_iter().flatten().collect(),
        _ => Vec::new(),
    };
    ids.into_iter().map(|id| id.index()).collect()
}

/// Checks the compiler: a pattern that can be parsed can be compiled, or has an error about a limit
/// or a construct, and its explanation agrees with short searches.
pub fn compiler(data: &[u8]) -> Result<(), String> {
    let Some((flags, rest)) = data.split_first() else { return Ok(()) };
    let Ok(pattern) = std::str::from_utf8(rest) else { return Ok(()) };
    let options = options(*flags);
    let parsed = parse(pattern, &options);
    let regex = match (Regex::new(pattern, options), &parsed) {
        (Ok(regex), Ok(_)) => regex,
        (Ok(_), Err(error)) => return Err(format!("/{pattern}/ compiles in spite of {error}")),
        (Err(error), Err(refused)) if error == *refused => return located(&error, pattern),
        (Err(error), Ok(_)) if error.class() != Class::Syntax => return located(&error, pattern),
        (Err(error), _) => return Err(format!("/{pattern}/: {error}")),
    };
    let explained = regex.explain().map_err(|error| format!("/{pattern}/: {error}"))?;
    for text in [&b""[..], b"a", b"\n", "é a1".as_bytes(), b"\xFFab\n"] {
        let Ok(Some(found)) = regex.find(text) else { continue };
        let keeps = parsed.as_ref().is_ok_and(has_keep);
        let length = found.len();
        let short = length < explained.length_min && !keeps;
        let long = explained.length_max.is_some_and(|most| length > most) && !keeps;
        let required = explained.required.is_empty()
            || explained.required.iter().any(|literal| contains(text, literal));
        if short || long || !required {
            return Err(format!("/{pattern}/ matches {found:?} of {text:?}: {explained:?}"));
        }
    }
    Ok(())
}

/// Returns whether `text` contains `part`.
fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

/// Returns whether a pattern contains `\K`, which moves the start of the match.
fn has_keep(tree: &Tree) -> bool {
    tree.nodes().iter().any(|node| node.kind == Kind::Keep)
}

/// Checks the matching machines: searches that share no code have to give the same result, and a
/// search with a regular pattern takes a number of steps that is linear in the lengths of the text
/// and the pattern.
pub fn matcher(data: &[u8]) -> Result<(), String> {
    let Some((flags, pattern, text)) = split(data) else { return Ok(()) };
    let mut options = options(flags);
    let Ok(tree) = parse(pattern, &options) else { return Ok(()) };
    // The automata that propose the starts of matches are only used for longer texts.
    let long = flags & 16 != 0;
    let text = if long { text.repeat((600 / text.len().max(1)).min(100)) } else { text.to_vec() };
    if let Some(size) = size(&tree) {
        options.limits.steps = STEPS_BASE + STEPS * (text.len() as u64 + 1) * size;
    }
    let Ok(regex) = Regex::new(pattern, options.clone()) else { return Ok(()) };
    let check = Check { regex, options, tree, text: &text };
    match check.all() {
        Ok(()) => Ok(()),
        Err(Failed::Differs(what)) => Err(format!(
            "/{pattern}/ with {flags} on {:?}: {what}",
            text.escape_ascii().to_string()
        )),
        Err(Failed::Error(error)) => match error.problem() {
            Problem::Steps(_) => Err(format!("/{pattern}/ on {text:?} is not linear: {error}")),
            _ if error.class() == Class::Limit => Ok(()),
            _ => Err(format!("/{pattern}/ on {text:?}: {error}")),
        },
    }
}

/// The maximum number of steps is proportional to `STEPS`, and `STEPS_BASE` is added to it.
const STEPS: u64 = 8;
const STEPS_BASE: u64 = 1024;

/// Returns the size of a pattern in which repetitions are written out, or `None` if searches with
/// it are not linear in this size.
fn size(tree: &Tree) -> Option<u64> {
    let mut sizes: Vec<u64> = Vec::new();
    for node in tree.nodes() {
        let of = |id: usize| sizes[id];
        let sum = || children(&node.kind).into_iter().map(of).fold(0u64, u64::saturating_add);
        sizes.push(match &node.kind {
            Kind::Call(_)
            | Kind::BackReference(..)
            | Kind::Conditional { .. }
            | Kind::Group(Group::Absence, _) => return None,
            Kind::Repeat { child, min, max, .. } => {
                let times = max.unwrap_or(*min).max(*min).saturating_add(1);
                of(child.index()).saturating_mul(u64::from(times)).saturating_add(2)
            }
            Kind::Concat(_) | Kind::Group(..) => sum().saturating_add(2),
            Kind::Alternation(branches) => sum().saturating_add(branches.len() as u64),
            Kind::Empty | Kind::Assertion(_) | Kind::Keep => 1,
            Kind::Char(_) if !node.flags.ignore_case => 1,
            // Sets of characters are compiled to sequences of bytes, and some characters match
            // others if case is ignored.
            _ => 8,
        });
    }
    sizes.last().map(|size| size + 1)
}

enum Failed {
    Differs(String),
    Error(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Error(error)
    }
}

/// A pattern, and the text in which its searches are checked.
struct Check<'t> {
    regex: Regex,
    options: Options,
    tree: Tree,
    text: &'t [u8],
}

/// The number of positions before the first match, or after the last one, at which a match is
/// tried.
const TRIED: usize = 20;
/// The maximum number of matches in a scan that are compared.
const MATCHES: usize = 40;

impl Check<'_> {
    /// Runs all checks.
    fn all(&self) -> Result<(), Failed> {
        let found = self.regex.captures(self.text)?;
        let span = found.as_ref().and_then(|captures| captures.get(0));
        same("find", &span, &self.regex.find(self.text)?)?;
        same("is_match", &span.is_some(), &self.regex.is_match(self.text)?)?;
        self.by_machine(&found)?;
        let has = |kind: Kind| self.tree.nodes().iter().any(|node| node.kind == kind);
        if has(Kind::Keep) || has(Kind::Assertion(Assertion::SearchStart)) {
            return Ok(());
        }
        self.leftmost(span.clone())?;
        self.rightmost()?;
        self.scan()?;
        self.set(span)?;
        self.lines()
    }

    /// Compares the result with that of the memo machine. For this, the pattern is written so that
    /// it is neither regular nor requires any text: `(?!)` matches nothing.
    fn by_machine(&self, found: &Option<Captures>) -> Result<(), Failed> {
        let is_call = |kind: &Kind| matches!(kind, Kind::Call(_));
        let extended = self.tree.nodes().iter().any(|node| node.flags.extended);
        if extended || self.tree.nodes().iter().any(|node| is_call(&node.kind)) {
            return Ok(());
        }
        let wrapped = format!("(?:{}|(?!))", self.regex.pattern());
        let options = Options { limits: limits(), ..self.options.clone() };
        match Regex::new(&wrapped, options) {
            Ok(wrapped) => same("the memo machine", found, &wrapped.captures(self.text)?),
            Err(error) if error.class() == Class::Syntax => {
                Err(Failed::Differs(format!("/{wrapped}/ has {error}")))
            }
            Err(_) => Ok(()),
        }
    }

    /// Returns the positions at which a match can start.
    fn starts(&self) -> impl DoubleEndedIterator<Item = usize> {
        let binary = self.options.encoding == Encoding::Binary;
        let is_start =
            move |at: &usize| binary || self.text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
        (0..=self.text.len()).filter(is_start)
    }

    /// Checks that no match starts before the first one.
    fn leftmost(&self, span: Option<Range<usize>>) -> Result<(), Failed> {
        let end = span.as_ref().map_or(usize::MAX, |span| span.start);
        let before: Vec<usize> = self.starts().take_while(|at| *at < end).collect();
        let near = &before[before.len().saturating_sub(TRIED)..];
        for at in before.iter().take(TRIED).chain(near).copied() {
            same(&format!("match_at({at})"), &None, &self.regex.match_at(self.text, at)?)?;
        }
        match span {
            Some(span) => {
                same("match_at", &Some(span.clone()), &self.regex.match_at(self.text, span.start)?)
            }
            None => Ok(()),
        }
    }

    /// Checks that no match starts after the last one.
    fn rightmost(&self) -> Result<(), Failed> {
        let span = self.regex.rfind_at(self.text, self.text.len())?;
        let start = span.as_ref().map(|span| span.start);
        let after = self.starts().rev().take_while(|at| start.is_none_or(|start| *at > start));
        for at in after.take(TRIED) {
            same(&format!("match_at({at})"), &None, &self.regex.match_at(self.text, at)?)?;
        }
        match start {
            Some(start) => same("rfind_at", &span, &self.regex.match_at(self.text, start)?),
            None => Ok(()),
        }
    }

    /// Compares the matches of a scan with those of single searches.
    fn scan(&self) -> Result<(), Failed> {
        let mut scan = self.regex.scan(self.text);
        let (mut scanned, mut single) = (Captures::new(), Captures::new());
        let mut from = Some(0);
        for _ in 0..MATCHES {
            let more = scan.next_captures(&mut scanned)?;
            let found = match from {
                Some(from) => self.regex.captures_at(self.text, from, &mut single)?,
                None => false,
            };
            same("scan", &found.then_some(&single), &more.then_some(&scanned))?;
            let Some(span) = scanned.get(0).filter(|_| more) else { break };
            from = match span.is_empty() {
                true => self.starts().find(|at| *at > span.end),
                false => Some(span.end),
            };
        }
        Ok(())
    }

    /// Compares the matches of a set of two patterns with those of single searches.
    fn set(&self, span: Option<Range<usize>>) -> Result<(), Failed> {
        let other = Regex::new("b+", self.options.clone())?;
        let options = Options { limits: limits(), ..self.options.clone() };
        let Ok(set) = Set::new([other.pattern(), self.regex.pattern()], options) else {
            return Ok(());
        };
        let mut captures = SetCaptures::new();
        let found = set.find_at(self.text, 0, &mut captures)?;
        let first = other.find(self.text)?;
        let start =
            |span: &Option<Range<usize>>| span.as_ref().map_or(usize::MAX, |span| span.start);
        let expected = match start(&first) <= start(&span) {
            true => first.map(|span| (0, span)),
            false => span.map(|span| (1, span)),
        };
        let found = captures.get(0).filter(|_| found).map(|span| (captures.pattern(), span));
        same("a set", &expected, &found)
    }

    /// Compares the lines of a text with those of a stream that yields the text in pieces.
    fn lines(&self) -> Result<(), Failed> {
        let separator = Separator::Pattern(self.regex.clone());
        let mut lines = Lines::new(
            Pieces(self.text),
            LineOptions { separator: separator.clone(), ..LineOptions::default() },
        );
        for line in ketch_regex::lines(self.text, separator) {
            let expected = &self.text[line?.0];
            match lines.next_line() {
                Ok(found) => same("a line", &Some(expected), &found)?,
                Err(ketch_regex::LineError::Search(error)) => return Err(error.into()),
                Err(error) => return Err(Failed::Differs(format!("{error}"))),
            }
        }
        Ok(())
    }
}

/// A reader that yields a few bytes at a time.
struct Pieces<'t>(&'t [u8]);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(3);
        self.0.read(&mut buffer[..length])
    }
}

/// Fails if the results of two searches differ.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Result<(), Failed> {
    if expected == found {
        return Ok(());
    }
    Err(Failed::Differs(format!("{what}: {found:?}, not {expected:?}")))
}

//! Choices in paths: `a(b|c)` stands for the paths `ab` and `ac`.

use super::problem::YPathProblem;
use std::ops::Range;

/// The maximum number of paths that choices may stand for.
const PATHS_MAX: usize = 1000;
/// The maximum number of bytes in all of these paths.
const BYTES_MAX: usize = 1 << 20;

/// A problem with its offset.
pub(super) type Wrong = (YPathProblem, usize);

/// A path without choices, as ranges of the text that form it.
#[derive(Clone, Debug, Default)]
pub(super) struct Route(Vec<Range<usize>>);

impl Route {
    /// Returns the text of the path, and the offset in `text` from which each of its bytes comes.
    pub fn spelled(&self, text: &str) -> (String, Vec<usize>) {
        let mut spelled = String::new();
        let mut offsets = Vec::new();
        for piece in &self.0 {
            spelled += &text[piece.clone()];
            offsets.extend(piece.clone());
        }
        (spelled, offsets)
    }

    fn len(&self) -> usize {
        self.0.iter().map(Range::len).sum()
    }
}

/// An open parenthesis, or the whole text, with its choices.
struct Level {
    open: usize,
    /// The paths of the choices that are complete.
    done: Vec<Route>,
    /// The paths of the current choice so far.
    current: Vec<Route>,
    /// The offset where the current choice starts.
    from: usize,
}

impl Level {
    fn new(open: usize, from: usize) -> Level {
        Level { open, done: Vec::new(), current: vec![Route::default()], from }
    }

    /// Ends the current choice at the offset `at`.
    fn end_choice(&mut self, at: usize) -> Result<(), Wrong> {
        if at == self.from && !self.done.is_empty() {
            return Err((YPathProblem::EmptyChoice, at));
        }
        self.done.append(&mut self.current);
        self.current = vec![Route::default()];
        self.from = at + 1;
        Ok(())
    }

    /// Appends the text in `piece` to the current choice.
    fn push(&mut self, piece: Range<usize>) {
        if !piece.is_empty() {
            self.current.iter_mut().for_each(|route| route.0.push(piece.clone()));
        }
    }

    /// Appends each path of an inner level to each path of the current choice. All combinations
    /// with one of the `choices` are listed before those with the next one.
    fn multiply(&mut self, choices: &[Route]) -> Result<(), Wrong> {
        let bytes: usize = self.current.iter().chain(choices).map(Route::len).sum();
        let count = self.current.len() * choices.len();
        if count > PATHS_MAX || bytes * choices.len() > BYTES_MAX {
            return Err((YPathProblem::TooManyChoices, self.open));
        }
        let joined = |one: &Route, two: &Route| Route([&one.0[..], &two.0[..]].concat());
        let with = |two| self.current.iter().map(move |one| joined(one, two));
        self.current = choices.iter().flat_map(with).collect();
        Ok(())
    }
}

/// Returns the paths that `text` stands for, without repetitions.
pub(super) fn routes(text: &str) -> Result<Vec<Route>, Wrong> {
    if text.is_empty() {
        return Err((YPathProblem::Empty, 0));
    }
    let mut levels = vec![Level::new(0, 0)];
    let mut piece = 0;
    // The number of the level with an open bracket, and the offset of the bracket.
    let mut bracket: Option<(usize, usize)> = None;
    for (at, byte) in text.bytes().enumerate() {
        let depth = levels.len();
        let Some(level) = levels.last_mut() else { break };
        match byte {
            b'\n' | b'\r' => return Err((YPathProblem::LineBreak, at)),
            b'[' if bracket.is_none() => bracket = Some((depth, at)),
            b']' if bracket.is_some_and(|(within, _)| within == depth) => bracket = None,
            b'(' => {
                level.push(piece..at);
                levels.push(Level::new(at, at + 1));
            }
            b'|' => {
                if bracket.is_some_and(|(within, _)| within == depth) {
                    return Err((YPathProblem::ChoiceInPredicate, at));
                }
                level.push(piece..at);
                level.end_choice(at)?;
            }
            b')' if depth == 1 => return Err((YPathProblem::UnopenedChoice, at)),
            b')' => {
                if let Some((within, bracket)) = bracket
                    && within == depth
                {
                    return Err((YPathProblem::UnclosedPredicate, bracket));
                }
                level.push(piece..at);
                if level.from == at && level.done.is_empty() {
                    return Err((YPathProblem::EmptyChoice, at));
                }
                level.end_choice(at)?;
                let choices = levels.pop().map(|level| level.done).unwrap_or_default();
                if let Some(outer) = levels.last_mut() {
                    outer.multiply(&choices)?;
                }
            }
            _ => continue,
        }
        piece = if matches!(byte, b'(' | b'|' | b')') { at + 1 } else { piece };
    }
    let Some(mut level) = levels.pop() else { return Ok(Vec::new()) };
    if !levels.is_empty() {
        return Err((YPathProblem::UnclosedChoice, level.open));
    }
    level.push(piece..text.len());
    level.end_choice(text.len())?;
    Ok(once(text, level.done))
}

/// Returns `routes` without those that have the same text as an earlier one.
fn once(text: &str, routes: Vec<Route>) -> Vec<Route> {
    let mut seen = hashbrown::HashSet::<String, foldhash::fast::RandomState>::default();
    routes.into_iter().filter(|route| seen.insert(route.spelled(text).0)).collect()
}

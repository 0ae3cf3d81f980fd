//! Converts parser events to tokens without composing a document, which is enough for most texts.
//!
//! If events are not enough, the result is [`Complex`], and the text is read again as documents.

use crate::options::LoadOptions;
use crate::scalar;
use crate::tokens::{Kind, Tokens};
use ketch_host::load::{self, Buffers, Complex, Loader, Make, Position};
use ketch_yaml::schema::Scalar;
use ketch_yaml::{Chunk, ComposeOptions, Error};

/// Returns whether the options allow loading from events. (Duplicate keys are handled in Java, by
/// `Builder`.)
pub fn suffice(options: &LoadOptions) -> bool {
    load::suffice(&options.compose)
}

/// The state that is kept between chunks.
#[derive(Debug)]
pub struct Receiver {
    options: ComposeOptions,
    buffers: Buffers,
    position: Position,
    stack: Stack,
}

/// What the reader's stack holds.
#[derive(Debug, Default)]
pub struct Stack {
    /// The number of values.
    height: usize,
    /// For each anchor, whether its value is complete.
    anchors: Vec<bool>,
}

impl Receiver {
    /// Creates the state for a new text.
    pub fn new(options: &LoadOptions) -> Receiver {
        Receiver {
            options: options.compose,
            buffers: Buffers::default(),
            position: Position::START,
            stack: Stack::default(),
        }
    }

    /// Appends the tokens of a chunk.
    pub fn chunk(&mut self, chunk: &Chunk<'_, '_>, out: &mut Tokens) -> Result<(), Stop> {
        let writer = Writer { out, stack: &mut self.stack, base: None };
        let mut loader = Loader::at(self.position, writer, &self.options, &mut self.buffers);
        loader.chunk(chunk)?;
        self.position = loader.position();
        Ok(())
    }
}

/// The reason why a load stops.
#[derive(Debug)]
pub enum Stop {
    /// Events are not enough to load the text.
    Complex,
    /// The text is invalid.
    Yaml(Error),
}

impl From<Complex> for Stop {
    fn from(_: Complex) -> Stop {
        Stop::Complex
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Yaml(error)
    }
}

/// Writes the tokens that create values.
pub struct Writer<'o> {
    pub out: &'o mut Tokens,
    pub stack: &'o mut Stack,
    /// The offset at which the document's text starts, if locations are requested.
    pub base: Option<usize>,
}

impl Writer<'_> {
    /// Counts a value that was pushed.
    #[inline(always)]
    pub fn pushed(&mut self) -> Result<(), Stop> {
        self.stack.height += 1;
        Ok(())
    }

    #[inline(always)]
    pub fn push(&mut self, kind: Kind) {
        self.out.push(kind);
        self.stack.height += 1;
    }

    /// Removes the values of a collection, those from `start` on, and appends the token for it. Each of
    /// its entries has `each` values.
    #[inline(always)]
    pub fn fill(&mut self, kind: Kind, start: usize, each: usize) {
        self.out.push_with(kind, (self.stack.height - start) / each);
        self.stack.height = start;
    }
}

impl Make for Writer<'_> {
    type Error = Stop;

    #[inline(always)]
    fn count(&self) -> usize {
        self.stack.height
    }

    #[inline(always)]
    fn null(&mut self) {
        self.push(Kind::Null);
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.push(if value { Kind::True } else { Kind::False });
    }

    #[inline(always)]
    fn integer(&mut self, value: i64) -> Result<(), Stop> {
        self.out.int(value);
        self.pushed()
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<(), Stop> {
        self.out.float(value);
        self.pushed()
    }

    fn digits(&mut self, text: &str, is_integer: bool) -> Result<(), Stop> {
        let digits = if is_integer { text.trim_start_matches('-') } else { text };
        let sign = usize::from(digits.len() < text.len()) << 8;
        self.out.text(digits.as_bytes());
        self.out.push_with(Kind::BigInt, if is_integer { 10 | sign } else { 0 });
        self.pushed()
    }

    #[inline(always)]
    fn text(&mut self, text: &[u8], _: bool) -> Result<(), Stop> {
        self.out.text(text);
        self.pushed()
    }

    #[inline(always)]
    fn key(&mut self, text: &[u8], _: bool) -> Result<(), Stop> {
        self.out.key(text);
        self.pushed()
    }

    fn rare(&mut self, scalar: Scalar<'_, &[u8]>) -> Result<(), Stop> {
        scalar::push(self.out, &scalar);
        self.pushed()
    }

    #[inline(always)]
    fn sequence(&mut self, start: usize) -> Result<(), Stop> {
        self.fill(Kind::Sequence, start, 1);
        self.pushed()
    }

    #[inline(always)]
    fn mapping(&mut self, start: usize, _: bool) -> Result<(), Stop> {
        self.fill(Kind::Mapping, start, 2);
        self.pushed()
    }

    fn tag(&mut self, tag: &str) -> Result<(), Stop> {
        self.key(tag.as_bytes(), false)
    }

    fn wrap(&mut self) -> Result<(), Stop> {
        self.out.push(Kind::Tagged);
        self.stack.height -= 1;
        Ok(())
    }

    fn anchor(&mut self) -> u32 {
        self.stack.anchors.push(false);
        self.stack.anchors.len() as u32 - 1
    }

    #[cold]
    fn define(&mut self, anchor: u32) {
        self.out.anchor(Kind::Anchor, anchor);
        if let Some(is_complete) = self.stack.anchors.get_mut(anchor as usize) {
            *is_complete = true;
        }
    }

    fn alias(&mut self, anchor: u32, _: bool) -> Result<(), Stop> {
        if self.stack.anchors.get(anchor as usize) != Some(&true) {
            return Err(Stop::Complex);
        }
        self.out.anchor(Kind::Alias, anchor);
        self.pushed()
    }

    fn end_document(&mut self, _: usize) -> Result<(), Stop> {
        self.out.push(Kind::End);
        self.stack.height = 0;
        self.stack.anchors.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::Parser;

    fn load(text: &str) -> Result<Vec<u64>, Stop> {
        let mut out = Tokens::new();
        out.set_input(text.as_bytes());
        let mut receiver = Receiver::new(&LoadOptions::default());
        let mut parser = Parser::new(text.as_bytes());
        while let Some(chunk) = parser.next_chunk().unwrap() {
            receiver.chunk(&chunk, &mut out)?;
        }
        Ok(out.words)
    }

    #[test]
    fn keys_that_are_text_by_their_tag_need_no_document() {
        let words = load("! 1: a\n!!str 2: b\n").unwrap();
        let texts = words.iter().filter(|&&word| word as u8 == Kind::Ascii as u8).count();
        assert_eq!(texts, 4);
        assert_eq!(words[words.len() - 2..], [Kind::Mapping as u64 | 2 << 8, Kind::End as u64]);
    }

    #[test]
    fn keys_with_other_tags_need_a_document() {
        for text in ["!!int 1: a", "!a b: c", "!!set {}: a", "! {}: a"] {
            assert!(load(text).is_err(), "{text}");
        }
    }
}

//! Objects straight out of the parser's events.

use super::builder::{Builder, Step};
use super::{Stop, run};
use crate::memory::{Buffers, Memory, Names, Stack};
use crate::options::LoadOptions;
use crate::ruby;
use ketch_yaml::{Budget, Chunk, DuplicateKeys, Event, EventKind, Parser, scalar};

/// Whether events can do what the options ask for. What counts nodes is the composer.
pub fn suffice(options: &LoadOptions) -> bool {
    options.compose.limits.max_nodes == Budget::UNLIMITED
        && options.compose.duplicate_keys != DuplicateKeys::Off
}

/// Loads all documents onto the stack.
pub fn documents(
    text: &[u8],
    options: &LoadOptions,
    memory: &Memory,
    buffers: &mut Buffers,
) -> Result<(), Stop> {
    let mut parser = Parser::with_options(text, &options.parse);
    let Buffers { frames, decoded, names, .. } = buffers;
    names.0.clear();
    // In front of `run`: what a raise passes over may own nothing.
    let mut receiver = Receiver {
        builder: Builder::new(options, &memory.stack, &memory.keys, frames),
        anchored: &memory.anchored,
        names,
        decoded,
        pending: None,
    };
    run(|| receiver.all(&mut parser))
}

struct Receiver<'m> {
    builder: Builder<'m>,
    /// What anchors stand for, by their numbers; `UNFINISHED` while that is open.
    anchored: &'m Stack,
    names: &'m mut Names,
    decoded: &'m mut Vec<u8>,
    /// The anchor of the node to come.
    pending: Option<u32>,
}

impl Receiver<'_> {
    fn all(&mut self, parser: &mut Parser<'_>) -> Step {
        while let Some(chunk) = parser.next_chunk()? {
            self.chunk(&chunk)?;
            ruby::check_interrupts();
        }
        Ok(())
    }

    fn chunk(&mut self, chunk: &Chunk<'_, '_>) -> Step {
        for event in chunk.events() {
            match event.kind {
                EventKind::Plain => self.plain(chunk, &event)?,
                EventKind::SingleQuoted | EventKind::DoubleQuoted => self.text(chunk, &event),
                EventKind::MappingStart => self.start(true)?,
                EventKind::SequenceStart => self.start(false)?,
                EventKind::MappingEnd | EventKind::SequenceEnd => self.end()?,
                EventKind::Literal | EventKind::Folded => self.text(chunk, &event),
                EventKind::Anchor => self.anchor(chunk.bytes(&event)),
                EventKind::Alias => self.alias(chunk.bytes(&event))?,
                EventKind::Tag => return Err(Stop::Complex),
                EventKind::DocumentEnd => self.names.0.clear(),
                EventKind::DocumentStart | EventKind::Directive | EventKind::Nop => {}
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn plain(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        match scalar::verbatim(chunk.text(), event) {
            Some(text) => self.builder.plain(text)?,
            None => {
                self.decode(chunk, event);
                self.builder.plain(self.decoded)?;
            }
        }
        self.define_scalar();
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        match scalar::verbatim(chunk.text(), event) {
            Some(text) => self.builder.text(text),
            None => {
                self.decode(chunk, event);
                self.builder.text(self.decoded);
            }
        }
        self.define_scalar();
    }

    fn decode(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        self.decoded.clear();
        scalar::decode(chunk.text(), event, self.decoded);
    }

    #[inline(always)]
    fn start(&mut self, is_mapping: bool) -> Step {
        let anchor = self.pending.take();
        self.builder.start(is_mapping, anchor)
    }

    #[inline(always)]
    fn end(&mut self) -> Step {
        if let Some(anchor) = self.builder.end()? {
            self.define(anchor);
        }
        Ok(())
    }

    /// Gives the node to come a number, under which its name will find it.
    #[cold]
    fn anchor(&mut self, bytes: &[u8]) {
        let number = self.anchored.len() as u32;
        self.anchored.push(UNFINISHED);
        self.names.0.insert(bytes[1..].into(), number);
        self.pending = Some(number);
    }

    #[inline(always)]
    fn define_scalar(&mut self) {
        if let Some(anchor) = self.pending.take() {
            self.define(anchor);
        }
    }

    /// The anchor's node is the value on top of the stack.
    #[cold]
    fn define(&mut self, anchor: u32) {
        let stack = self.builder.stack;
        self.anchored.set(anchor as usize, stack.get(stack.len() - 1));
    }

    #[cold]
    fn alias(&mut self, bytes: &[u8]) -> Step {
        let number = self.names.0.get(&bytes[1..]).ok_or(Stop::Complex)?;
        let value = self.anchored.get(*number as usize);
        if value == UNFINISHED || self.builder.at_key {
            return Err(Stop::Complex);
        }
        self.builder.push(value);
        Ok(())
    }
}

/// Stands for a node that is still open. No node has this value, which is `Qundef`.
const UNFINISHED: ruby::VALUE = rb_sys::Qundef as ruby::VALUE;

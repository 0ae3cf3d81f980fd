//! The presenter as a receiver of a parser's chunks.
//!
//! Nearly all scalars are short, stand on one line and look in the output as they do in the input:
//! the fast path looks at each as one block of 64 bytes, and copies it whole, together with the
//! bytes that happen to follow; what comes next overwrites those. Whatever is not so simple is left
//! to [`Core`], and the fast path writes nothing before it knows.

use super::core::Core;
use super::error::PresentError;
use super::fast_path::FastPath;
use super::frame::{FrameKind, Slot};
use super::presenter::Presenter;
use super::style::ScalarStyle;
use crate::event::{Chunk, Event, EventKind, Flags};
use crate::receiver::Receiver;
use crate::scalar;
use crate::schema::needs_quotes;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, dispatch};
use std::io::Write;

impl<W: Write> Receiver for Presenter<W> {
    type Error = PresentError;

    /// Writes the events of a chunk. Holds their text in memory meanwhile.
    fn receive(&mut self, chunk: &Chunk<'_, '_>) -> Result<(), PresentError> {
        let level = self.core.options.level;
        dispatch(level, Receive { core: &mut self.core, chunk })?;
        self.hand_over()
    }
}

/// Takes the events of a chunk.
struct Receive<'l, 'c> {
    core: &'l mut Core,
    chunk: &'l Chunk<'c, 'c>,
}

impl Kernel for Receive<'_, '_> {
    type Output = Result<(), PresentError>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<(), PresentError> {
        let Receive { core, chunk } = self;
        let text = chunk.text();
        let fast_path = core.fast_path;
        for event in chunk.events() {
            if !core.quick(lanes, fast_path, text, &event)? {
                core.event(text, &event)?;
            }
        }
        Ok(())
    }
}

/// What the fast path may write at once: indentation, an indicator, a scalar, a line break.
const ROOM_BYTES: usize = 2 * BLOCK_BYTES + 4;

/// Where the next scalar goes.
#[derive(Clone, Copy)]
struct SimplePlace {
    column: usize,
    indicator: [u8; 2],
    /// So much of the indicator counts.
    indicator_len: usize,
    /// A line break follows the scalar.
    has_break: bool,
}

/// What the fast path knows of a place, by the frame's kind and slot.
#[derive(Clone, Copy)]
struct Place {
    is_simple: bool,
    /// What the next node is.
    next: Slot,
    /// Stands at the start of a line, unless it is the first one.
    starts_line: bool,
    /// The indicator stands behind the entry before, and so not before the first one.
    is_entry_in_brackets: bool,
    indicator: [u8; 2],
    indicator_len: usize,
    has_break: bool,
}

static PLACES: [[Place; Slot::COUNT]; FrameKind::COUNT] = {
    const RARE: Place = Place {
        is_simple: false,
        next: Slot::Full,
        starts_line: false,
        is_entry_in_brackets: false,
        indicator: *b"  ",
        indicator_len: 0,
        has_break: false,
    };
    const SIMPLE: Place = Place { is_simple: true, ..RARE };
    const VALUE: Place = Place { next: Slot::Key, indicator: *b": ", indicator_len: 2, ..SIMPLE };
    const IN_BRACKETS: Place =
        Place { is_entry_in_brackets: true, indicator: *b", ", indicator_len: 2, ..SIMPLE };
    let mut places = [[RARE; Slot::COUNT]; FrameKind::COUNT];
    let block = &mut places[FrameKind::BlockMapping as usize];
    block[Slot::Key as usize] = Place { next: Slot::Value, starts_line: true, ..SIMPLE };
    block[Slot::Value as usize] = Place { has_break: true, ..VALUE };
    places[FrameKind::BlockSequence as usize][Slot::Entry as usize] = Place {
        next: Slot::Entry,
        starts_line: true,
        indicator: *b"- ",
        indicator_len: 2,
        has_break: true,
        ..SIMPLE
    };
    let flow = &mut places[FrameKind::FlowMapping as usize];
    flow[Slot::Key as usize] = Place { next: Slot::Value, ..IN_BRACKETS };
    flow[Slot::Value as usize] = VALUE;
    places[FrameKind::FlowSequence as usize][Slot::Entry as usize] =
        Place { next: Slot::Entry, ..IN_BRACKETS };
    places
};

impl Core {
    /// Writes an event if it is simple. Says whether it was.
    #[inline(always)]
    fn quick<L: Lanes>(
        &mut self,
        lanes: L,
        fast_path: FastPath,
        text: &[u8],
        event: &Event,
    ) -> Result<bool, PresentError> {
        let is_quoted = match event.kind {
            EventKind::Plain => false,
            EventKind::SingleQuoted | EventKind::DoubleQuoted => true,
            _ => return Ok(false),
        };
        if fast_path == FastPath::Closed || self.node_properties.len() > 0 {
            return Ok(false);
        }
        let Some(block) = simple_block(lanes, text, event) else { return Ok(false) };
        if fast_path == FastPath::Minimal && !is_quoted && may_be_float(&block[..event.len]) {
            return Ok(false);
        }
        self.open_pending()?;
        if !(is_quoted && fast_path == FastPath::Minimal) {
            return Ok(self.put_simple(block, event.len));
        }
        let Some(content) = text[event.start + 1..].first_chunk() else { return Ok(false) };
        match lanes.outline(Quotes { content, len: event.len - 2, is_flow: self.top().is_flow() }) {
            Needed::No => Ok(self.put_simple(content, event.len - 2)),
            Needed::Yes if event.kind == EventKind::DoubleQuoted => {
                Ok(self.put_simple(block, event.len))
            }
            _ => Ok(false),
        }
    }

    /// Writes a scalar that stands in the first `len` bytes of `block`, where the place is simple,
    /// too.
    #[inline(always)]
    pub(super) fn put_simple(&mut self, block: &[u8; BLOCK_BYTES], len: usize) -> bool {
        let Some(place) = self.simple_place() else { return false };
        let (room, start) = self.lead_to(place);
        room[start..start + BLOCK_BYTES].copy_from_slice(block);
        room[start + len] = b'\n';
        self.out.advance(start + len + usize::from(place.has_break));
        true
    }

    /// Writes a scalar that is the first `len` bytes of `block`, where the place is simple, too. With
    /// its quotes, it has to fit into the block.
    #[inline(always)]
    pub(super) fn put_block<L: Lanes>(
        &mut self,
        lanes: L,
        block: L::Block,
        len: usize,
        is_quoted: bool,
    ) -> bool {
        let Some(place) = self.simple_place() else { return false };
        let (room, start) = self.lead_to(place);
        let quote = usize::from(is_quoted);
        // What comes next is written over the quote where none is wanted.
        room[start] = b'"';
        let content = start + quote;
        let Some(bytes) = room[content..].first_chunk_mut() else { return false };
        lanes.store(block, bytes);
        room[content + len] = b'"';
        let end = content + len + quote;
        room[end] = b'\n';
        self.out.advance(end + usize::from(place.has_break));
        true
    }

    /// Where the next scalar goes, if that is a simple place; then the place behind it is the next.
    /// Looked up instead of branched to: keys, values and entries take turns that no processor can
    /// foresee.
    #[inline(always)]
    fn simple_place(&mut self) -> Option<SimplePlace> {
        if self.needs_space || self.has_line_comment {
            return None;
        }
        let top = self.top_mut();
        let place = PLACES[top.kind as usize][top.slot as usize];
        if !place.is_simple {
            return None;
        }
        let is_first = std::mem::take(&mut top.is_first);
        top.slot = place.next;
        let is_indented = place.starts_line && !is_first;
        let is_separated = !(place.is_entry_in_brackets && is_first);
        Some(SimplePlace {
            column: if is_indented { top.column } else { 0 },
            indicator: place.indicator,
            indicator_len: if is_separated { place.indicator_len } else { 0 },
            has_break: place.has_break,
        })
    }

    /// Writes what leads to a scalar; gives the room, and where in it the scalar starts.
    #[inline(always)]
    fn lead_to(&mut self, place: SimplePlace) -> (&mut [u8; ROOM_BYTES], usize) {
        self.is_open_ended = false;
        let SimplePlace { column, indicator, indicator_len, .. } = place;
        // The room holds a block of it.
        let column = match column.checked_sub(BLOCK_BYTES) {
            None => column,
            Some(beyond) => {
                self.out.fill(b' ', beyond);
                BLOCK_BYTES
            }
        };
        let room = self.out.room::<ROOM_BYTES>();
        room[..BLOCK_BYTES].fill(b' ');
        room[column..column + 2].copy_from_slice(&indicator);
        (room, column + indicator_len)
    }

    #[inline(never)]
    fn event(&mut self, text: &[u8], event: &Event) -> Result<(), PresentError> {
        let bytes = &text[event.range()];
        let is_flow = event.flags.has(Flags::FLOW);
        let is_explicit = event.flags.has(Flags::EXPLICIT);
        match event.kind {
            EventKind::Nop => Ok(()),
            EventKind::Directive => {
                self.read_handles.directive(bytes);
                self.directive(bytes);
                Ok(())
            }
            EventKind::DocumentStart => self.start_document(is_explicit),
            EventKind::DocumentEnd => {
                self.read_handles.clear();
                self.end_document(is_explicit)
            }
            EventKind::SequenceStart => self.start(false, is_flow),
            EventKind::MappingStart => self.start(true, is_flow),
            EventKind::SequenceEnd => self.end(false),
            EventKind::MappingEnd => self.end(true),
            EventKind::Alias => self.alias(bytes),
            EventKind::Anchor => self.anchor(bytes),
            EventKind::Tag => {
                let handles = std::mem::take(&mut self.read_handles);
                let result = self.tag(&handles.resolve(bytes));
                self.read_handles = handles;
                result
            }
            kind => {
                let content = scalar::content(text, event);
                self.scalar(&content, ScalarStyle::of(kind))
            }
        }
    }
}

/// The block that starts with a scalar which is written as it is read, quotes included: short, on
/// one line, without escapes, and without characters that would become some.
///
/// A plain scalar of the input is plain text wherever it stands, but for what [`analyse`] forbids
/// beyond YAML's own rules: a `:` at the end, and the looks of a document marker.
///
/// [`analyse`]: super::analysis::analyse
#[inline(always)]
fn simple_block<'t, L: Lanes>(
    lanes: L,
    text: &'t [u8],
    event: &Event,
) -> Option<&'t [u8; BLOCK_BYTES]> {
    let is_verbatim = !event.flags.intersects(Flags::MULTILINE.with(Flags::ESCAPES));
    if !is_verbatim || event.len == 0 || event.len >= BLOCK_BYTES {
        return None;
    }
    let block: &[u8; BLOCK_BYTES] = text.get(event.start..)?.first_chunk()?;
    if event.kind == EventKind::Plain {
        let is_like_marker = block[0] == block[1] && matches!(block[0], b'-' | b'.');
        if is_like_marker || block[event.len - 1] == b':' {
            return None;
        }
    }
    let loaded = lanes.load(block);
    // The last three start the characters beyond ASCII that have to be looked at.
    let odd = lanes.le(loaded, 0x1F) | lanes.eq_any(loaded, [0x7F, 0xC2, 0xE2, 0xEF]);
    (odd & ((1 << event.len) - 1) == 0).then_some(block)
}

/// Whether a plain scalar may be a float with an exponent, whose form the slow path looks at.
#[inline(always)]
fn may_be_float(text: &[u8]) -> bool {
    let is_number = matches!(text, [b'0'..=b'9' | b'-', ..]);
    is_number && text.iter().any(|byte| matches!(byte, b'e' | b'E'))
}

/// Asks whether text needs quotes: `len` bytes of `content`, in which [`simple_block`] has found
/// nothing odd.
struct Quotes<'t> {
    content: &'t [u8; BLOCK_BYTES],
    len: usize,
    is_flow: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    Yes,
    No,
    /// That is for the slow path to tell.
    Unknown,
}

impl Kernel for Quotes<'_> {
    type Output = Needed;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Needed {
        let text = &self.content[..self.len];
        let Some(&first) = text.first() else { return Needed::Yes };
        let block = lanes.load(self.content);
        let all = (1u64 << self.len) - 1;
        let ends = 1 | 1 << (self.len - 1);
        // Indicators that would need a look at their place, and what double quotes would escape.
        let rare = lanes.eq_any(block, *b"#'\"\\,?[]{}");
        if rare & all != 0 || !(first.is_ascii_alphanumeric() || first >= 0x80 || first == b'/') {
            return Needed::Unknown;
        }
        let blanks = lanes.eq(block, b' ') & all;
        let colons = lanes.eq(block, b':') & all;
        // Some readers end plain text in brackets at a `:`.
        if self.is_flow && colons != 0 {
            return Needed::Unknown;
        }
        let is_plain = (blanks | colons) & ends == 0 && colons & blanks >> 1 == 0;
        if is_plain && !needs_quotes(text) { Needed::No } else { Needed::Yes }
    }
}

//! The presenter as a receiver of a parser's chunks.
//!
//! Nearly all scalars are short, are on one line, and are the same in input and output. The fast
//! path checks each of them as one block of 64 bytes, and copies the whole block. The next output
//! overwrites the excess bytes. Any other scalar is left to [`Core`] before the fast path has
//! written anything.

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

    /// Writes the events of `chunk`, and flushes the buffer once it is full.
    fn receive(&mut self, chunk: &Chunk<'_, '_>) -> Result<(), PresentError> {
        let level = self.core.options.level;
        dispatch(level, Receive { core: &mut self.core, chunk })?;
        self.flush_when_full()
    }
}

/// The kernel that writes the events of a chunk.
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

/// The maximum number of bytes that the fast path writes at once: indentation, an indicator, a
/// scalar and a line break.
const SPARE_BYTES: usize = 2 * BLOCK_BYTES + 4;

/// What to write around the next scalar.
#[derive(Clone, Copy)]
struct SimpleLead {
    column: usize,
    indicator: [u8; 2],
    /// The number of bytes of the indicator.
    indicator_len: usize,
    /// Whether a line break follows the scalar.
    has_break: bool,
}

/// What the fast path writes around a scalar, for one kind of frame and one slot.
#[derive(Clone, Copy)]
struct Lead {
    is_simple: bool,
    /// The slot that the next node will have.
    next: Slot,
    /// Whether the scalar starts a line, unless it is the first entry.
    starts_line: bool,
    /// Whether the indicator is a comma after the previous entry, so that the first entry has none.
    is_entry_in_brackets: bool,
    indicator: [u8; 2],
    indicator_len: usize,
    has_break: bool,
}

/// What the fast path writes around a scalar, by the kind of the frame and the slot.
static LEADS: [[Lead; Slot::COUNT]; FrameKind::COUNT] = {
    const RARE: Lead = Lead {
        is_simple: false,
        next: Slot::Full,
        starts_line: false,
        is_entry_in_brackets: false,
        indicator: *b"  ",
        indicator_len: 0,
        has_break: false,
    };
    const SIMPLE: Lead = Lead { is_simple: true, ..RARE };
    const VALUE: Lead = Lead { next: Slot::Key, indicator: *b": ", indicator_len: 2, ..SIMPLE };
    const IN_BRACKETS: Lead =
        Lead { is_entry_in_brackets: true, indicator: *b", ", indicator_len: 2, ..SIMPLE };
    let mut leads = [[RARE; Slot::COUNT]; FrameKind::COUNT];
    let block = &mut leads[FrameKind::BlockMapping as usize];
    block[Slot::Key as usize] = Lead { next: Slot::Value, starts_line: true, ..SIMPLE };
    block[Slot::Value as usize] = Lead { has_break: true, ..VALUE };
    leads[FrameKind::BlockSequence as usize][Slot::Entry as usize] = Lead {
        next: Slot::Entry,
        starts_line: true,
        indicator: *b"- ",
        indicator_len: 2,
        has_break: true,
        ..SIMPLE
    };
    let flow = &mut leads[FrameKind::FlowMapping as usize];
    flow[Slot::Key as usize] = Lead { next: Slot::Value, ..IN_BRACKETS };
    flow[Slot::Value as usize] = VALUE;
    leads[FrameKind::FlowSequence as usize][Slot::Entry as usize] =
        Lead { next: Slot::Entry, ..IN_BRACKETS };
    leads
};

impl Core {
    /// Writes `event` if it is a simple scalar in a simple position, and returns whether it did.
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

    /// Writes the first `len` bytes of `block` as a scalar if its position is simple. Returns
    /// whether it did.
    #[inline(always)]
    pub(super) fn put_simple(&mut self, block: &[u8; BLOCK_BYTES], len: usize) -> bool {
        let Some(lead) = self.take_lead() else { return false };
        let (spare, start) = self.put_lead(lead);
        spare[start..start + BLOCK_BYTES].copy_from_slice(block);
        spare[start + len] = b'\n';
        self.out.advance(start + len + usize::from(lead.has_break));
        true
    }

    /// Writes the first `len` bytes of `block` as a scalar if its position is simple, in double
    /// quotes if `is_quoted` is set. Returns whether it did. The scalar with its quotes has to fit
    /// into the block.
    #[inline(always)]
    pub(super) fn put_block<L: Lanes>(
        &mut self,
        lanes: L,
        block: L::Block,
        len: usize,
        is_quoted: bool,
    ) -> bool {
        let Some(lead) = self.take_lead() else { return false };
        let (spare, start) = self.put_lead(lead);
        let quote = usize::from(is_quoted);
        // If there are no quotes, the text overwrites this one.
        spare[start] = b'"';
        let content = start + quote;
        let Some(bytes) = spare[content..].first_chunk_mut() else { return false };
        lanes.store(block, bytes);
        spare[content + len] = b'"';
        let end = content + len + quote;
        spare[end] = b'\n';
        self.out.advance(end + usize::from(lead.has_break));
        true
    }

    /// Returns what to write around the next scalar, and moves on to the next slot. Returns `None`
    /// if the position of the scalar is not simple. This is a table lookup instead of branches,
    /// because the order of keys, values and entries is unpredictable.
    #[inline(always)]
    fn take_lead(&mut self) -> Option<SimpleLead> {
        if self.needs_space || self.has_line_comment {
            return None;
        }
        let top = self.top_mut();
        let lead = LEADS[top.kind as usize][top.slot as usize];
        if !lead.is_simple {
            return None;
        }
        let is_first = std::mem::take(&mut top.is_first);
        top.slot = lead.next;
        let is_indented = lead.starts_line && !is_first;
        let is_separated = !(lead.is_entry_in_brackets && is_first);
        Some(SimpleLead {
            column: if is_indented { top.column } else { 0 },
            indicator: lead.indicator,
            indicator_len: if is_separated { lead.indicator_len } else { 0 },
            has_break: lead.has_break,
        })
    }

    /// Writes the indentation and the indicator before a scalar. Returns the spare capacity, and
    /// the offset of the scalar in it.
    #[inline(always)]
    fn put_lead(&mut self, lead: SimpleLead) -> (&mut [u8], usize) {
        self.is_open_ended = false;
        let SimpleLead { column, indicator, indicator_len, .. } = lead;
        // The spare capacity contains one block for indentation, so any indentation beyond that is
        // written first.
        let column = match column.checked_sub(BLOCK_BYTES) {
            None => column,
            Some(beyond) => {
                self.out.fill(b' ', beyond);
                BLOCK_BYTES
            }
        };
        let spare = self.out.spare::<SPARE_BYTES>();
        spare[..BLOCK_BYTES].fill(b' ');
        spare[column..column + 2].copy_from_slice(&indicator);
        (spare, column + indicator_len)
    }

    /// Writes an event of any kind on the slow path.
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

/// Returns the block that starts with the scalar `event` if the scalar, including its quotes, can
/// be copied as it is. It must be short, on one line, and contain no escapes and no characters that
/// need them.
///
/// A scalar that is plain in the input can be plain in the output, unless it has one of the
/// features that [`analyse`] rejects although YAML allows them: a `:` at its end, a start like that
/// of a document marker, or nothing but `-` or `?`, as in `?: a`.
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
        let is_indicator = event.len == 1 && matches!(block[0], b'-' | b'?');
        if is_like_marker || is_indicator || block[event.len - 1] == b':' {
            return None;
        }
    }
    let loaded = lanes.load(block);
    // The last three bytes start characters outside ASCII that have to be checked.
    let odd = lanes.le(loaded, 0x1F) | lanes.eq_any(loaded, [0x7F, 0xC2, 0xE2, 0xEF]);
    (odd & ((1 << event.len) - 1) == 0).then_some(block)
}

/// Returns whether the plain scalar `text` may be a float with an exponent, which the slow path has
/// to check.
#[inline(always)]
fn may_be_float(text: &[u8]) -> bool {
    matches!(text, [b'0'..=b'9' | b'-', ..]) && text.iter().any(|b| b.eq_ignore_ascii_case(&b'e'))
}

/// The kernel that checks whether the first `len` bytes of `content` need quotes. [`simple_block`]
/// has accepted them.
struct Quotes<'t> {
    content: &'t [u8; BLOCK_BYTES],
    len: usize,
    is_flow: bool,
}

/// Whether a text needs quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    Yes,
    No,
    /// The slow path has to decide.
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
        // These are indicators that depend on their position, and characters that are escaped in
        // double quotes.
        let rare = lanes.eq_any(block, *b"#'\"\\,?[]{}");
        if rare & all != 0 || !(first.is_ascii_alphanumeric() || first >= 0x80 || first == b'/') {
            return Needed::Unknown;
        }
        let blanks = lanes.eq(block, b' ') & all;
        let colons = lanes.eq(block, b':') & all;
        // In flow context, some parsers end plain text at a `:`.
        if self.is_flow && colons != 0 {
            return Needed::Unknown;
        }
        let is_plain = (blanks | colons) & ends == 0 && colons & blanks >> 1 == 0;
        if is_plain && !needs_quotes(text) { Needed::No } else { Needed::Yes }
    }
}

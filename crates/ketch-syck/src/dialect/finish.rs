//! The last pass over the events of a document, once all of them are known. It moves properties to
//! their nodes, replaces aliases that refer to nothing by placeholders, and removes no-ops.

use super::builder::IMPLICIT;
use super::decode::{bad_alias, implicit};
use hashbrown::HashMap;
use ketch_yaml::internal::{FLAGS_SHIFT, Fault, LEN_SHIFT, LONG_LEN_BITS};
use ketch_yaml::{Event, EventKind, Events, Flags, Limits, Problem};

/// The tag, as it is written, of the placeholder for an alias that refers to nothing.
pub(super) const BAD_ALIAS_TAG: &[u8] = b"!<x-private:bad-alias>";

/// The events of a document before the last pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'a> {
    /// The text that the offsets in the events refer to.
    pub text: &'a [u8],
    /// The offset of that text in the stream.
    pub base: usize,
    pub words: &'a [u64],
    /// The offset at which the expanded tags will be added to the document's text.
    pub side_base: usize,
}

/// What is known of the properties before a node.
#[derive(Debug, Default)]
struct Properties {
    /// The index in the output at which the properties start.
    from: usize,
    has_tag: bool,
    /// Whether the tag is a lone `!`.
    is_implicit: bool,
    has_any: bool,
}

/// The last pass: its input, its output and its options.
pub(super) struct Finish<'a, 't> {
    pub raw: Raw<'t>,
    pub out: &'a mut Vec<u64>,
    pub side: &'a mut Vec<u8>,
    pub warnings: &'a mut Vec<Fault>,
    pub limits: &'a Limits,
}

impl<'t> Finish<'_, 't> {
    /// Appends an event of any length to the output.
    fn push(&mut self, event: &Event) {
        if event.indent == 0 && event.len < 1 << (64 - LEN_SHIFT) {
            let Event { kind, flags, start, len, .. } = *event;
            self.out.push(Event::first_word(kind, flags, start, len));
            return;
        }
        let flags = event.flags.with(Flags::EXTENDED);
        self.out.push(Event::first_word(event.kind, flags, event.start, 0));
        self.out.push(event.len as u64 | u64::from(event.indent) << LONG_LEN_BITS);
    }

    /// Runs the last pass.
    pub fn run(mut self) -> Result<(), Fault> {
        let Raw { base, words, .. } = self.raw;
        let mut anchors = Anchors::default();
        let mut properties = Properties { from: self.out.len(), ..Properties::default() };
        let mut depth = 0u64;
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            let is_long = word >> FLAGS_SHIFT & 1 != 0;
            let span = &words[at..];
            at += if is_long { 2 } else { 1 };
            let kind = Event::unpack(word).kind;
            match kind {
                EventKind::Nop => continue,
                EventKind::Anchor | EventKind::Tag => {
                    self.property(span, &mut properties, &mut anchors);
                    continue;
                }
                EventKind::SequenceStart | EventKind::MappingStart => {
                    depth += 1;
                    self.check_depth(depth, (base + Event::unpack(word).start) as u64)?;
                    self.out.push(word);
                }
                EventKind::SequenceEnd | EventKind::MappingEnd => {
                    depth = depth.saturating_sub(1);
                    self.out.push(word);
                }
                EventKind::Alias => {
                    let Some(event) = Events::new(span).next() else { continue };
                    self.alias(event, &properties, &mut anchors);
                }
                _ if properties.is_implicit => {
                    let Some(event) = Events::new(span).next() else { continue };
                    self.push(&implicit(&event));
                }
                _ => self.out.extend_from_slice(&span[..if is_long { 2 } else { 1 }]),
            }
            if properties.has_any {
                properties = Properties::default();
            }
            properties.from = self.out.len();
        }
        Ok(())
    }

    /// Returns an error if the nesting depth `depth` at `offset` exceeds the limit.
    fn check_depth(&self, depth: u64, offset: u64) -> Result<(), Fault> {
        if self.limits.max_depth.allows(depth, offset) {
            return Ok(());
        }
        let problem = Problem::TooDeep(depth - 1);
        Err(Fault { problem, at: offset, len: 1, related: None })
    }

    /// Processes an anchor or a tag. If a node has several tags, the first one counts.
    fn property(&mut self, span: &[u64], properties: &mut Properties, anchors: &mut Anchors<'t>) {
        let Some(event) = Events::new(span).next() else { return };
        properties.has_any = true;
        if event.kind == EventKind::Anchor {
            anchors.add(&self.raw.text[event.range()][1..]);
            self.push(&event);
            return;
        }
        if properties.has_tag {
            return;
        }
        properties.has_tag = true;
        if event.flags.has(IMPLICIT) {
            properties.is_implicit = true;
            return;
        }
        self.push(&Event { start: self.raw.side_base + event.start, ..event });
    }

    /// Writes an alias, or the placeholder for it. An alias cannot have a tag, so a tag before it
    /// is dropped.
    fn alias(&mut self, event: Event, properties: &Properties, anchors: &mut Anchors<'t>) {
        let Raw { text, base, side_base, .. } = self.raw;
        let name = &text[event.range()][1..];
        let own: Vec<Event> = Events::new(&self.out[properties.from..])
            .filter(|event| event.kind == EventKind::Anchor)
            .collect();
        self.out.truncate(properties.from);
        let names: Vec<&[u8]> = own.iter().map(|anchor| &text[anchor.range()][1..]).collect();
        let target = anchors.target(name).filter(|target| !names.contains(target));
        let Some(target) = target else {
            let at = (base + event.start) as u64;
            let problem = Problem::SyckUnknownAlias;
            self.warnings.push(Fault { problem, at, len: event.len, related: None });
            let start = side_base + self.side.len();
            self.side.extend_from_slice(BAD_ALIAS_TAG);
            let (kind, flags, len) = (EventKind::Tag, Flags::NONE, BAD_ALIAS_TAG.len());
            self.push(&Event { kind, flags, start, len, indent: 0 });
            own.iter().for_each(|anchor| self.push(anchor));
            self.push(&bad_alias(&event));
            return;
        };
        for &other in &names {
            anchors.link(other, target);
        }
        if target == name {
            self.push(&event);
            return;
        }
        let start = side_base + self.side.len();
        self.side.push(b'*');
        self.side.extend_from_slice(target);
        self.push(&Event { start, len: target.len() + 1, ..event });
    }
}

/// The names of the anchors so far.
#[derive(Debug, Default)]
struct Anchors<'a> {
    /// For each name, the number of nodes that have had it. If the last of these was an alias, also
    /// the anchor that the alias referred to, and the number of nodes that had had that anchor by
    /// then.
    names: Names<'a>,
}

type Names<'a> = HashMap<&'a [u8], Anchor<'a>, foldhash::fast::RandomState>;

/// The uses of an anchor's name, as [`Anchors::names`] describes.
#[derive(Clone, Copy, Debug, Default)]
struct Anchor<'a> {
    count: usize,
    link: Option<(&'a [u8], usize)>,
}

impl<'a> Anchors<'a> {
    /// Records that another node has the anchor `name`.
    fn add(&mut self, name: &'a [u8]) {
        let anchor = self.names.entry(name).or_default();
        *anchor = Anchor { count: anchor.count + 1, link: None };
    }

    /// Makes `name`, which was just added, refer to the node with the anchor `target`.
    fn link(&mut self, name: &'a [u8], target: &'a [u8]) {
        let count = self.names.get(target).map_or(0, |anchor| anchor.count);
        if let Some(anchor) = self.names.get_mut(name) {
            anchor.link = Some((target, count));
        }
    }

    /// Returns the anchor, as it is written, of the node that `name` refers to. Returns `None` if
    /// there is no such node, or if another node has taken its anchor.
    fn target(&self, name: &'a [u8]) -> Option<&'a [u8]> {
        match self.names.get(name)?.link {
            None => Some(name),
            // Another node may have taken the anchor since then.
            Some((target, count)) => {
                let is_same = self.names.get(target).is_some_and(|anchor| anchor.count == count);
                is_same.then_some(target)
            }
        }
    }
}

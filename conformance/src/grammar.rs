//! Checks the grammar of event streams, which every run has to follow:
//!
//! ```text
//! stream   = document*
//! document = Directive* DocumentStart node DocumentEnd
//! node     = properties (scalar | sequence | mapping) | Alias
//! sequence = SequenceStart node* SequenceEnd
//! mapping  = MappingStart (node node)* MappingEnd
//! ```
//!
//! A run that ends with an error yields a prefix of such a stream.

use crate::run::Item;
use ketch_yaml::{EventKind, Flags};

/// An open collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    kind: EventKind,
    is_flow: bool,
    /// Whether it is a pair in a flow sequence.
    is_pair: bool,
    nodes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Between { directives: bool },
    Inside { has_root: bool },
}

/// The state of the check.
#[derive(Debug)]
struct Grammar {
    place: Place,
    open: Vec<Open>,
    anchor: bool,
    tag: bool,
}

/// Checks that `events` follow the grammar. If `is_whole` is true, there was no error, so the
/// stream has to be complete.
///
/// # Errors
///
/// Returns a message that contains the index of the event that violates the grammar.
pub fn check(events: &[Item], is_whole: bool) -> Result<(), String> {
    let place = Place::Between { directives: false };
    let mut grammar = Grammar { place, open: Vec::new(), anchor: false, tag: false };
    for (i, event) in events.iter().enumerate() {
        grammar.event(event).map_err(|what| format!("event {i}, {event:?}: {what}"))?;
    }
    if is_whole && grammar.place != (Place::Between { directives: false }) {
        return Err(format!("the stream ends in {:?}", grammar.place));
    }
    Ok(())
}

impl Grammar {
    /// Checks the next event against the grammar.
    fn event(&mut self, event: &Item) -> Result<(), &'static str> {
        self.flags(event)?;
        match event.kind {
            EventKind::Nop => Err("no receiver sees this"),
            EventKind::Directive => match &mut self.place {
                Place::Between { directives } => {
                    *directives = true;
                    Ok(())
                }
                Place::Inside { .. } => Err("directive in a document"),
            },
            EventKind::DocumentStart => self.document_start(event),
            EventKind::DocumentEnd => self.document_end(),
            EventKind::SequenceStart | EventKind::MappingStart => self.start(event),
            EventKind::SequenceEnd | EventKind::MappingEnd => self.end(event),
            EventKind::Anchor => property(&mut self.anchor),
            EventKind::Tag => property(&mut self.tag),
            EventKind::Alias if self.anchor || self.tag => Err("alias with properties"),
            _ => self.node(event),
        }
    }

    /// Checks that no document is open, and that a marker follows after directives.
    fn document_start(&mut self, event: &Item) -> Result<(), &'static str> {
        let Place::Between { directives } = self.place else {
            return Err("document in a document");
        };
        if directives && !event.flags.has(Flags::EXPLICIT) {
            return Err("directives without a marker");
        }
        self.place = Place::Inside { has_root: false };
        Ok(())
    }

    /// Checks that the document has a root, and that no collection is open.
    fn document_end(&mut self) -> Result<(), &'static str> {
        if self.place != (Place::Inside { has_root: true }) || !self.open.is_empty() {
            return Err("the document is not finished");
        }
        self.place = Place::Between { directives: false };
        Ok(())
    }

    /// Counts a node in the collection that contains it.
    fn node(&mut self, event: &Item) -> Result<(), &'static str> {
        (self.anchor, self.tag) = (false, false);
        if let Some(open) = self.open.last_mut() {
            open.nodes += 1;
            if open.is_pair && open.nodes > 2 {
                return Err("a pair of more than two nodes");
            }
            if open.is_flow && matches!(event.kind, EventKind::Literal | EventKind::Folded) {
                return Err("block scalar in a flow collection");
            }
            return Ok(());
        }
        match &mut self.place {
            Place::Inside { has_root } if !*has_root => {
                *has_root = true;
                Ok(())
            }
            _ => Err("a node outside of a document, or a second root"),
        }
    }

    /// Checks that a collection may start here, and opens it.
    fn start(&mut self, event: &Item) -> Result<(), &'static str> {
        self.node(event)?;
        let is_flow = event.flags.has(Flags::FLOW);
        let is_pair = is_flow && event.len == 0;
        let parent = self.open.last();
        if parent.is_some_and(|open| open.is_flow && !is_flow) {
            return Err("block collection in a flow collection");
        }
        if is_pair {
            let in_flow_sequence =
                |open: &Open| open.is_flow && open.kind == EventKind::SequenceStart;
            if event.kind != EventKind::MappingStart || !parent.is_some_and(in_flow_sequence) {
                return Err("a pair outside of a flow sequence");
            }
        }
        self.open.push(Open { kind: event.kind, is_flow, is_pair, nodes: 0 });
        Ok(())
    }

    /// Checks that the event ends the innermost collection, and closes this.
    fn end(&mut self, event: &Item) -> Result<(), &'static str> {
        let Some(open) = self.open.pop() else { return Err("nothing is open") };
        if self.anchor || self.tag {
            return Err("properties without a node");
        }
        let expected = match open.kind {
            EventKind::SequenceStart => EventKind::SequenceEnd,
            _ => EventKind::MappingEnd,
        };
        if event.kind != expected {
            return Err("closes the other kind of collection");
        }
        if event.flags.has(Flags::FLOW) != open.is_flow {
            return Err("ends in another style than it started in");
        }
        if (event.len == 0) != (!open.is_flow || open.is_pair) {
            return Err("has a span where it has no bracket, or none where it has one");
        }
        if open.kind == EventKind::MappingStart && open.nodes % 2 != 0 {
            return Err("a key without a value");
        }
        if !open.is_flow && open.nodes == 0 {
            return Err("an empty block collection");
        }
        Ok(())
    }

    /// Checks that an event has only flags that its kind allows.
    fn flags(&self, event: &Item) -> Result<(), &'static str> {
        use EventKind::*;
        let flags = event.flags;
        let allowed = match event.kind {
            DocumentStart | DocumentEnd => Flags::EXPLICIT,
            SequenceStart | SequenceEnd | MappingStart | MappingEnd => Flags::FLOW,
            Plain => Flags::MULTILINE,
            SingleQuoted | DoubleQuoted => Flags::MULTILINE.with(Flags::ESCAPES),
            _ => Flags::NONE,
        };
        if allowed.has(flags) { Ok(()) } else { Err("a flag that this kind does not have") }
    }
}

fn property(seen: &mut bool) -> Result<(), &'static str> {
    if std::mem::replace(seen, true) { Err("the same property twice") } else { Ok(()) }
}

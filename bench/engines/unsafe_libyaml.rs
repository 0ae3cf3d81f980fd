//! unsafe-libyaml: libyaml translated to Rust.

use std::mem::MaybeUninit;
use std::slice;

use unsafe_libyaml::{
    YAML_ALIAS_EVENT, YAML_DOCUMENT_START_EVENT, YAML_MAPPING_NODE, YAML_MAPPING_START_EVENT,
    YAML_SCALAR_EVENT, YAML_SCALAR_NODE, YAML_SEQUENCE_NODE, YAML_SEQUENCE_START_EVENT,
    YAML_STREAM_END_EVENT, yaml_document_delete, yaml_document_get_root_node, yaml_document_t,
    yaml_event_delete, yaml_event_t, yaml_parser_delete, yaml_parser_initialize, yaml_parser_load,
    yaml_parser_parse, yaml_parser_set_input_string, yaml_parser_t,
};

use super::{Engine, Level, Reports, Tally, outcome};
use crate::work::locked;

struct UnsafeLibyaml;

pub fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(UnsafeLibyaml)]
}

/// An initialized parser over `input`, deleted when dropped.
struct Parser(Box<MaybeUninit<yaml_parser_t>>);

impl Parser {
    /// # Safety
    /// `input` must outlive the parser.
    unsafe fn new(input: &[u8]) -> Self {
        let mut parser = Self(Box::new(MaybeUninit::uninit()));
        // SAFETY: `initialize` writes the whole struct before the input is set; the parser stays
        // at one address.
        unsafe {
            assert!(yaml_parser_initialize(parser.0.as_mut_ptr()).ok, "out of memory");
            yaml_parser_set_input_string(parser.0.as_mut_ptr(), input.as_ptr(), input.len() as u64);
        }
        parser
    }

    /// Counts the events. With `check`, also hashes the text of scalars.
    fn events(&mut self, check: bool) -> Result<Tally, String> {
        let mut tally = Tally::default();
        loop {
            let mut event = MaybeUninit::<yaml_event_t>::uninit();
            // SAFETY: the parser is initialized; `parse` writes the event, also when it fails.
            if unsafe { yaml_parser_parse(self.0.as_mut_ptr(), event.as_mut_ptr()) }.fail {
                return Err("syntax error".to_owned());
            }
            // SAFETY: `parse` succeeded, so the event is whole.
            let ended = unsafe { add_event(&mut tally, event.assume_init_ref(), check) };
            // SAFETY: the event is whole and not used after this.
            unsafe { yaml_event_delete(event.as_mut_ptr()) };
            if ended {
                return Ok(tally);
            }
        }
    }

    /// Counts the nodes of all documents. With `check`, also hashes the text of scalars.
    fn trees(&mut self, check: bool) -> Result<Tally, String> {
        let mut tally = Tally::default();
        loop {
            let mut document = MaybeUninit::<yaml_document_t>::uninit();
            // SAFETY: the parser is initialized; a failed `load` leaves nothing to release.
            if unsafe { yaml_parser_load(self.0.as_mut_ptr(), document.as_mut_ptr()) }.fail {
                return Err("syntax error".to_owned());
            }
            // SAFETY: `load` succeeded, so the document is whole.
            let empty = unsafe { yaml_document_get_root_node(document.as_mut_ptr()) }.is_null();
            tally.documents += u64::from(!empty);
            if check {
                // SAFETY: as above.
                unsafe { add_nodes(&mut tally, document.assume_init_ref()) };
            }
            // SAFETY: the document is whole and not used after this.
            unsafe { yaml_document_delete(document.as_mut_ptr()) };
            if empty {
                return Ok(tally);
            }
        }
    }
}

impl Drop for Parser {
    fn drop(&mut self) {
        // SAFETY: `new` initialized the parser; nobody uses it after this.
        unsafe { yaml_parser_delete(self.0.as_mut_ptr()) };
    }
}

/// Counts an event; true at the end of the stream.
///
/// # Safety
/// `event` must come from a successful `yaml_parser_parse` and not be deleted yet.
unsafe fn add_event(tally: &mut Tally, event: &yaml_event_t, check: bool) -> bool {
    match event.type_ {
        YAML_STREAM_END_EVENT => return true,
        YAML_DOCUMENT_START_EVENT => tally.documents += 1,
        YAML_SEQUENCE_START_EVENT => tally.sequences += 1,
        YAML_MAPPING_START_EVENT => tally.mappings += 1,
        YAML_ALIAS_EVENT => tally.aliases += 1,
        YAML_SCALAR_EVENT => {
            tally.scalars += 1;
            if check {
                // SAFETY: the type says that the union holds a scalar; its text has that length.
                let text = unsafe {
                    let scalar = &event.data.scalar;
                    slice::from_raw_parts(scalar.value, scalar.length as usize)
                };
                tally.add_text(text);
            }
        }
        _ => {}
    }
    false
}

/// # Safety
/// `document` must come from a successful `yaml_parser_load` and not be deleted yet.
unsafe fn add_nodes(tally: &mut Tally, document: &yaml_document_t) {
    let mut node = document.nodes.start;
    while node < document.nodes.top {
        // SAFETY: nodes from `start` up to `top` are whole.
        let kind = unsafe { (*node).type_ };
        tally.sequences += u64::from(kind == YAML_SEQUENCE_NODE);
        tally.mappings += u64::from(kind == YAML_MAPPING_NODE);
        tally.scalars += u64::from(kind == YAML_SCALAR_NODE);
        // SAFETY: at most one past the last node.
        node = unsafe { node.add(1) };
    }
}

fn parse(level: Level, input: &[u8], check: bool) -> Result<Tally, String> {
    // SAFETY: `input` outlives this function, and the parser does not.
    let mut parser = unsafe { Parser::new(input) };
    if level == Level::Tree { parser.trees(check) } else { parser.events(check) }
}

impl Engine for UnsafeLibyaml {
    fn name(&self) -> &'static str {
        "unsafe-libyaml"
    }

    fn version(&self) -> String {
        locked("unsafe-libyaml")
    }

    fn reports(&self, level: Level) -> Option<Reports> {
        let events = level != Level::Tree;
        Some(Reports { aliases: events, text: events })
    }

    fn run(&mut self, level: Level, input: &mut [u8]) -> Result<u64, String> {
        parse(level, input, false).map(|tally| outcome(&tally))
    }

    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String> {
        parse(level, input, true)
    }
}

//! libyaml's emitter: the system's build of the C library, and its translation to Rust.

use ketch::Value;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
#[allow(clippy::unsafe_removed_from_name, reason = "shorter")]
use unsafe_libyaml as yaml;

/// A step for the C adapter; the numbers are those of its `enum`.
#[repr(C)]
struct Step {
    kind: u32,
    length: u32,
    text: *const u8,
}

const DOCUMENT: u32 = 0;
const DOCUMENT_END: u32 = 1;
const SEQUENCE: u32 = 2;
const SEQUENCE_END: u32 = 3;
const MAPPING: u32 = 4;
const MAPPING_END: u32 = 5;
const PLAIN: u32 = 6;
const QUOTED: u32 = 7;

/// The steps of a document, made before timing, and the length of the output.
pub struct Steps {
    steps: Vec<Step>,
    /// The texts that the steps point into.
    _texts: Vec<Box<[u8]>>,
    capacity: usize,
}

#[cfg(has_libyaml)]
unsafe extern "C" {
    fn bench_emit(steps: *const Step, count: usize, bytes: *mut u8, capacity: usize) -> i64;
}

impl Steps {
    /// Returns the steps of a value; `None` for one with tags, which steps do not support.
    pub fn of(value: &Value, emit: fn(&Steps) -> Vec<u8>) -> Option<Steps> {
        let mut steps = Steps { steps: Vec::new(), _texts: Vec::new(), capacity: 0 };
        steps.push(DOCUMENT);
        steps.value(value)?;
        steps.push(DOCUMENT_END);
        let texts: usize = steps._texts.iter().map(|text| text.len()).sum();
        steps.capacity = (texts + 16 * steps.steps.len()) * 16 + (1 << 16);
        steps.capacity = emit(&steps).len();
        Some(steps)
    }

    fn push(&mut self, kind: u32) {
        self.steps.push(Step { kind, length: 0, text: std::ptr::null() });
    }

    fn scalar(&mut self, text: &str, kind: u32) {
        let text: Box<[u8]> = text.as_bytes().into();
        self.steps.push(Step { kind, length: text.len() as u32, text: text.as_ptr() });
        self._texts.push(text);
    }

    fn value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Null => self.scalar("null", PLAIN),
            Value::Bool(value) => self.scalar(&value.to_string(), PLAIN),
            Value::Number(value) => self.scalar(&value.to_string(), PLAIN),
            Value::String(text) => {
                let is_quoted = ketch_yaml::schema::needs_quotes(text.as_bytes());
                self.scalar(text, if is_quoted { QUOTED } else { PLAIN });
            }
            Value::Sequence(values) => {
                self.push(SEQUENCE);
                values.iter().try_for_each(|value| self.value(value))?;
                self.push(SEQUENCE_END);
            }
            Value::Mapping(pairs) => {
                self.push(MAPPING);
                for (key, value) in pairs {
                    self.value(key)?;
                    self.value(value)?;
                }
                self.push(MAPPING_END);
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(has_libyaml)]
pub fn libyaml(steps: &Steps) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(steps.capacity);
    let count = steps.steps.len();
    // SAFETY: the steps and their texts outlive the call, which writes no more than the capacity.
    let written =
        unsafe { bench_emit(steps.steps.as_ptr(), count, out.as_mut_ptr(), steps.capacity) };
    let written = usize::try_from(written).expect("libyaml writes what it is given");
    // SAFETY: this many bytes were written.
    unsafe { out.set_len(written) };
    out
}

/// # Safety
/// `data` must point to a `Vec<u8>`, `bytes` to `size` bytes.
unsafe fn append(data: *mut c_void, bytes: *mut u8, size: u64) -> i32 {
    // SAFETY: as the caller says.
    unsafe {
        let out = &mut *data.cast::<Vec<u8>>();
        out.extend_from_slice(std::slice::from_raw_parts(bytes, size as usize));
    }
    1
}

pub fn unsafe_libyaml(steps: &Steps) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(steps.capacity);
    let mut emitter = MaybeUninit::<yaml::yaml_emitter_t>::uninit();
    let emitter = emitter.as_mut_ptr();
    let target: *mut Vec<u8> = &mut out;
    // SAFETY: the emitter is initialized first and deleted last; it takes over each event, whose
    // texts it has copied; `out` outlives it.
    unsafe {
        assert!(yaml::yaml_emitter_initialize(emitter).ok, "out of memory");
        yaml::yaml_emitter_set_output(emitter, append, target.cast());
        yaml::yaml_emitter_set_unicode(emitter, true);
        yaml::yaml_emitter_set_width(emitter, -1);
        let mut event = MaybeUninit::<yaml::yaml_event_t>::uninit();
        let event = event.as_mut_ptr();
        _ = yaml::yaml_stream_start_event_initialize(event, yaml::YAML_UTF8_ENCODING);
        assert!(yaml::yaml_emitter_emit(emitter, event).ok, "a step that cannot be written");
        for step in &steps.steps {
            make(event, step);
            assert!(yaml::yaml_emitter_emit(emitter, event).ok, "a step that cannot be written");
        }
        _ = yaml::yaml_stream_end_event_initialize(event);
        assert!(yaml::yaml_emitter_emit(emitter, event).ok, "a step that cannot be written");
        assert!(yaml::yaml_emitter_flush(emitter).ok, "a step that cannot be written");
        yaml::yaml_emitter_delete(emitter);
    }
    out
}

/// # Safety
/// `event` must be valid for writes, the text of `step` for reads.
unsafe fn make(event: *mut yaml::yaml_event_t, step: &Step) {
    let (text, length) = (step.text, step.length as i32);
    let (none, is_plain) = (null_mut::<u8>(), step.kind == PLAIN);
    // SAFETY: as the caller says.
    let made = unsafe {
        match step.kind {
            DOCUMENT => yaml::yaml_document_start_event_initialize(
                event,
                null_mut(),
                null_mut(),
                null_mut(),
                false,
            ),
            DOCUMENT_END => yaml::yaml_document_end_event_initialize(event, true),
            SEQUENCE => yaml::yaml_sequence_start_event_initialize(
                event,
                none,
                none,
                true,
                yaml::YAML_ANY_SEQUENCE_STYLE,
            ),
            SEQUENCE_END => yaml::yaml_sequence_end_event_initialize(event),
            MAPPING => yaml::yaml_mapping_start_event_initialize(
                event,
                none,
                none,
                true,
                yaml::YAML_ANY_MAPPING_STYLE,
            ),
            MAPPING_END => yaml::yaml_mapping_end_event_initialize(event),
            _ => {
                let style = match is_plain {
                    true => yaml::YAML_ANY_SCALAR_STYLE,
                    false => yaml::YAML_SINGLE_QUOTED_SCALAR_STYLE,
                };
                yaml::yaml_scalar_event_initialize(
                    event, none, none, text, length, is_plain, true, style,
                )
            }
        }
    };
    assert!(made.ok, "an event that cannot be made");
}

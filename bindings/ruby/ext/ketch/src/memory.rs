//! Memory that loads reuse: the stack of values that the garbage collector marks, the cache of
//! keys, and buffers. Each Ractor has one [`Memory`]; a load takes a [`Lease`] on it. If another
//! load holds it (on a suspended thread), the load gets a new one for its duration.
//!
//! The collector reads stack and keys while a load runs. So they are only changed through shared
//! references to cells, since the compiler must not delay such changes past a call to Ruby.

use crate::extprot::Block;
use crate::ruby::{self, VALUE};
use ketch_extprot::wire::Writer;
use ketch_yaml::Document;
use magnus::{
    DataTypeFunctions, Error, RArray, RClass, RModule, Ruby, TypedData, gc, prelude::*,
    typed_data::Obj,
};
use std::cell::{Cell, UnsafeCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Values that are not yet part of any object.
#[derive(Debug, Default)]
pub struct Stack(UnsafeCell<Vec<VALUE>>);

/// The number of values kept allocated between two loads: half a MiB.
const KEPT_VALUES: usize = 1 << 16;

impl Stack {
    /// Pushes a value.
    #[inline(always)]
    pub fn push(&self, value: VALUE) {
        // SAFETY: the reference lives only for these lines, in which Ruby is not called, except by
        // `no_memory`, which does not return; stacks belong to one thread at a time, that of the
        // lease.
        let values = unsafe { &mut *self.0.get() };
        if values.len() == values.capacity() {
            grow(values);
        }
        values.push(value);
    }

    /// Returns the number of values.
    #[inline(always)]
    pub fn len(&self) -> usize {
        // SAFETY: as in `push`.
        unsafe { (*self.0.get()).len() }
    }

    /// Returns the values from `start` on. The stack must not change while they are in use.
    #[inline(always)]
    pub fn from(&self, start: usize) -> &[VALUE] {
        // SAFETY: the stack does not change while Ruby makes an object of the values: marking only
        // reads. `Builder` and `Tree`, the callers, pop after that.
        unsafe { &(&*self.0.get())[start..] }
    }

    /// Returns the value at an index.
    #[inline(always)]
    pub fn get(&self, at: usize) -> VALUE {
        self.from(at)[0]
    }

    /// Replaces the value at an index.
    pub fn set(&self, at: usize, value: VALUE) {
        // SAFETY: as in `push`.
        unsafe { (&mut *self.0.get())[at] = value }
    }

    /// Pops values until `len` are left.
    #[inline(always)]
    pub fn truncate(&self, len: usize) {
        // SAFETY: as in `push`.
        unsafe { (*self.0.get()).truncate(len) }
    }

    /// Pops all values, and frees memory that only large loads need.
    fn clear(&self) {
        // SAFETY: as in `push`.
        unsafe {
            (*self.0.get()).clear();
            (*self.0.get()).shrink_to(KEPT_VALUES);
        }
    }

    /// Marks all values, for the collector.
    fn mark(&self) {
        for &value in self.from(0) {
            // SAFETY: called by the collector while it marks; every value on the stack was live when
            // it was pushed, and has been marked since.
            unsafe { rb_sys::rb_gc_mark(value) }
        }
    }
}

/// Reserves space, or raises.
#[cold]
#[inline(never)]
fn grow(values: &mut Vec<VALUE>) {
    if values.try_reserve(1).is_err() {
        ruby::no_memory();
    }
}

/// Keys by their content, as interned strings and as symbols. A direct-mapped table: a key replaces
/// another one in the same slot.
#[derive(Debug)]
pub struct Keys(Box<[Slot]>);

const SLOTS_LOG2: u32 = 11;

/// The longest cached key.
const KEY_BYTES_MAX: usize = 31;

/// The content of a key in four words, padded with zeros, its length in the last byte.
type Packed = [u64; 4];

#[derive(Debug)]
struct Slot {
    content: Cell<Packed>,
    string: Cell<VALUE>,
    /// Zero until needed.
    symbol: Cell<VALUE>,
}

impl Default for Keys {
    fn default() -> Keys {
        // No key has this content, since its length is too large.
        let slot = || Slot {
            content: Cell::new([u64::MAX; 4]),
            string: Cell::new(ruby::NIL),
            symbol: Cell::new(0),
        };
        Keys((0..1 << SLOTS_LOG2).map(|_| slot()).collect())
    }
}

impl Keys {
    /// Returns the interned string of a key, which is UTF-8.
    #[inline(always)]
    pub fn string(&self, text: &[u8]) -> VALUE {
        match pack(text) {
            Some(content) => self.slot(content, text).string.get(),
            None => ruby::interned(text),
        }
    }

    /// Returns the symbol of a key.
    pub fn symbol(&self, text: &[u8]) -> VALUE {
        let Some(content) = pack(text) else { return ruby::symbol(ruby::interned(text)) };
        let slot = self.slot(content, text);
        if slot.symbol.get() == 0 {
            slot.symbol.set(ruby::symbol(slot.string.get()));
        }
        slot.symbol.get()
    }

    /// Returns the slot of a key, which then contains that key.
    #[inline(always)]
    fn slot(&self, content: Packed, text: &[u8]) -> &Slot {
        let slot = &self.0[place(content)];
        if slot.content.get() != content {
            self.fill(slot, content, text);
        }
        slot
    }

    /// Replaces the key in a slot.
    #[inline(never)]
    fn fill(&self, slot: &Slot, content: Packed, text: &[u8]) {
        let string = ruby::interned(text);
        slot.string.set(string);
        slot.symbol.set(0);
        slot.content.set(content);
    }

    /// Marks all keys, for the collector.
    fn mark(&self) {
        for slot in &self.0 {
            let (string, symbol) = (slot.string.get(), slot.symbol.get());
            if string != ruby::NIL {
                // SAFETY: called by the collector while it marks; both are live, as they have been
                // marked since they were put here.
                unsafe { rb_sys::rb_gc_mark(string) };
            }
            if symbol != 0 {
                // SAFETY: as above.
                unsafe { rb_sys::rb_gc_mark(symbol) };
            }
        }
    }
}

/// Returns the content of a key, unless it is too long.
#[inline(always)]
fn pack(text: &[u8]) -> Option<Packed> {
    if text.len() > KEY_BYTES_MAX {
        return None;
    }
    let mut bytes = [0u8; 32];
    bytes[..text.len()].copy_from_slice(text);
    bytes[31] = text.len() as u8;
    let word = |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap_or(&[0; 8]));
    Some([word(0), word(8), word(16), word(24)])
}

/// Returns the slot of a key in the table.
#[inline(always)]
fn place(content: Packed) -> usize {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed =
        content.into_iter().fold(0u64, |sum, word| (sum.rotate_left(23) ^ word).wrapping_mul(MIX));
    (mixed >> (64 - SLOTS_LOG2)) as usize
}

/// The classes of tagged values, and their preallocated values.
#[derive(Debug)]
pub struct Classes {
    pub tuple: VALUE,
    pub htuple: VALUE,
    pub assoc: VALUE,
    pub constant: VALUE,
    pub primitive: VALUE,
    /// Constants by their tag.
    pub constants: Vec<VALUE>,
    /// Bytes by their value.
    pub bits8: Vec<VALUE>,
}

impl Classes {
    /// Looks up the classes and constants.
    fn find(ruby: &Ruby) -> Result<Classes, Error> {
        let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let class = |name| module.const_get::<_, RClass>(name).map(ruby::raw);
        let list = |name| -> Result<Vec<VALUE>, Error> {
            let values: RArray = module.const_get(name)?;
            Ok(values.into_iter().map(ruby::raw).collect())
        };
        Ok(Classes {
            tuple: class("Tuple")?,
            htuple: class("Htuple")?,
            assoc: class("Assoc")?,
            constant: class("Enum")?,
            primitive: class("Primitive")?,
            constants: list("CONSTANTS")?,
            bits8: list("BITS8")?,
        })
    }

    /// Marks the classes and constants, for the collector.
    fn mark(&self) {
        let classes = [self.tuple, self.htuple, self.assoc, self.constant, self.primitive];
        for &value in classes.iter().chain(&self.constants).chain(&self.bits8) {
            // SAFETY: called by the collector while it marks; all were live when they were found.
            unsafe { rb_sys::rb_gc_mark(value) };
        }
    }
}

/// An open collection.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Where its values start on the stack.
    pub start: usize,
    pub is_mapping: bool,
    /// The number of its anchor.
    pub anchor: Option<u32>,
    /// Its tag is on the stack before its values.
    pub is_tagged: bool,
    /// One of its keys is `<<`, as Psych merges it.
    pub merges: bool,
}

/// The names and numbers of anchors.
#[derive(Debug, Default)]
pub struct Names(pub HashMap<Box<[u8]>, u32>);

/// Buffers that the collector does not mark.
#[derive(Debug, Default)]
pub struct Buffers {
    pub frames: Vec<Frame>,
    pub decoded: Vec<u8>,
    pub names: Names,
    /// The tag that is being resolved.
    pub tag: Vec<u8>,
    pub document: Document<'static>,
    pub blocks: Vec<Block>,
    pub writer: Writer,
}

/// The memory of a Ractor, which its loads use in turn.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::Memory", free_immediately, mark, size)]
pub struct Memory {
    pub stack: Stack,
    /// The values of anchors.
    pub anchored: Stack,
    pub keys: Keys,
    /// `Ketch::Tagged`.
    pub tagged_class: VALUE,
    pub extprot: Classes,
    buffers: UnsafeCell<Buffers>,
    /// The input, if it is small.
    input: UnsafeCell<Vec<u8>>,
    is_leased: Cell<bool>,
}

impl DataTypeFunctions for Memory {
    fn mark(&self, _: &gc::Marker) {
        self.stack.mark();
        self.anchored.mark();
        self.keys.mark();
        // SAFETY: called by the collector while it marks; the class was live when it was put here.
        unsafe { rb_sys::rb_gc_mark(self.tagged_class) };
        self.extprot.mark();
    }

    fn size(&self) -> usize {
        let values = self.stack.len() + self.anchored.len();
        size_of::<Memory>() + values * size_of::<VALUE>() + (size_of::<Slot>() << SLOTS_LOG2)
    }
}

/// The right to use a memory.
#[derive(Debug)]
pub struct Lease {
    object: VALUE,
    memory: *const Memory,
}

/// The key of each Ractor's memory.
static KEY: AtomicPtr<rb_sys::rb_ractor_local_key_struct> = AtomicPtr::new(std::ptr::null_mut());

/// Defines the class, and the key by which each Ractor finds its own.
pub fn init(ruby: &Ruby) -> Result<(), Error> {
    let class = ruby.define_module("Ketch")?.define_class("Memory", ruby.class_object())?;
    class.undef_default_alloc_func();
    // Looked up now, since an interrupt during a later lookup would panic.
    <Memory as TypedData>::class(ruby);
    // SAFETY: called once, while the extension is loaded.
    let key = unsafe { rb_sys::rb_ractor_local_storage_value_newkey() };
    KEY.store(key, Ordering::Release);
    // SAFETY: these ask for numbers, on which `ruby` and `given` rely.
    let indexes = unsafe {
        (rb_sys::rb_ascii8bit_encindex(), rb_sys::rb_utf8_encindex(), rb_sys::rb_usascii_encindex())
    };
    match indexes {
        (0, 1, 2) => Ok(()),
        _ => Err(Error::new(
            ruby.exception_load_error(),
            "this version of Ruby has other encoding indexes",
        )),
    }
}

impl Memory {
    /// Keeps a copy of the input until the next lease.
    pub fn keep(&self, input: &[u8]) -> (*const u8, usize) {
        // SAFETY: a memory has one lease at a time, which has one input; the previous one is no
        // longer used.
        let kept = unsafe { &mut *self.input.get() };
        kept.clear();
        kept.extend_from_slice(input);
        (kept.as_ptr(), kept.len())
    }

    /// Creates a memory as an object.
    fn wrap(ruby: &Ruby) -> Result<Obj<Memory>, Error> {
        let tagged: RClass = ruby.define_module("Ketch")?.const_get("Tagged")?;
        Ok(ruby.obj_wrap(Memory {
            stack: Stack::default(),
            anchored: Stack::default(),
            keys: Keys::default(),
            tagged_class: ruby::raw(tagged),
            extprot: Classes::find(ruby)?,
            buffers: UnsafeCell::default(),
            input: UnsafeCell::default(),
            is_leased: Cell::new(false),
        }))
    }
}

impl Lease {
    /// Leases the memory of this Ractor, or new memory if that is in use.
    pub fn take(ruby: &Ruby) -> Result<Lease, Error> {
        let key = KEY.load(Ordering::Acquire);
        let mut kept: VALUE = ruby::NIL;
        // SAFETY: the key is the one that `init` has made; the value is `nil` or what is put below.
        let is_there = unsafe { rb_sys::rb_ractor_local_storage_value_lookup(key, &mut kept) };
        if is_there && kept != ruby::NIL {
            // SAFETY: a memory is all that is put there.
            let lease = unsafe { Lease::of(kept) };
            if !lease.memory().is_leased.replace(true) {
                return Ok(lease);
            }
            // The other load's lease must not end here.
            std::mem::forget(lease);
        }
        let object = ruby::raw(Memory::wrap(ruby)?);
        if !is_there || kept == ruby::NIL {
            // SAFETY: the key is the one that `init` has made.
            unsafe { rb_sys::rb_ractor_local_storage_value_set(key, object) };
        }
        // SAFETY: it is a memory.
        let lease = unsafe { Lease::of(object) };
        lease.memory().is_leased.set(true);
        Ok(lease)
    }

    /// Returns a lease of the memory in an object.
    ///
    /// # Safety
    ///
    /// `object` is a `Ketch::Memory`.
    unsafe fn of(object: VALUE) -> Lease {
        // SAFETY: magnus wraps a box, whose pointer is the data of the object.
        let memory = unsafe { rb_sys::RTYPEDDATA_GET_DATA(object) }.cast::<Memory>();
        Lease { object, memory }
    }

    /// Returns the parts that the collector marks.
    #[inline(always)]
    pub fn memory(&self) -> &Memory {
        // SAFETY: the object is live as long as the lease, which is on the machine's stack.
        unsafe { &*self.memory }
    }

    /// Returns the parts that the collector does not mark.
    #[allow(clippy::mut_from_ref, reason = "called once a load: the lease is what makes it sole")]
    pub fn buffers(&self) -> &mut Buffers {
        // SAFETY: a memory has one lease at a time, and a load calls this once.
        unsafe { &mut *self.memory().buffers.get() }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let memory = self.memory();
        memory.stack.clear();
        memory.anchored.clear();
        memory.is_leased.set(false);
        // Up to here, the collector must find the memory on the machine stack.
        std::hint::black_box(&self.object);
    }
}

//! Memory that loads reuse: the marked stack, which holds values and which the garbage collector
//! marks, the cache of keys, and buffers. Each Ractor has one [`Memory`]. A load takes a [`Lease`]
//! on it; if another load, on a suspended thread, holds the lease, the load gets a new memory for
//! its duration.
//!
//! The collector reads the stack and the keys while a load runs. So they are only changed through
//! shared references to cells: otherwise, the compiler could delay changes past a call to Ruby.

use crate::ruby::{self, VALUE};
use ketch_extprot::wire::Writer;
use ketch_host::{extprot, load};
use ketch_yaml::Document;
use magnus::{
    DataTypeFunctions, Error, RArray, RClass, RModule, Ruby, TypedData, gc, prelude::*,
    typed_data::Obj,
};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicPtr, Ordering};

/// A stack of values that need not be part of any object, because the collector marks them here.
#[derive(Debug, Default)]
pub struct Stack(UnsafeCell<Vec<VALUE>>);

/// The number of values for which a stack keeps its memory between two loads: half a MiB.
const KEPT_VALUES: usize = 1 << 16;

impl Stack {
    /// Pushes a value.
    #[inline(always)]
    pub fn push(&self, value: VALUE) {
        // SAFETY: the reference lives only in these lines, in which Ruby is not called, except by
        // `no_memory`, which does not return. A stack is used by one thread at a time, the one that
        // holds the lease.
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

    /// Returns the values from the index `start` on. The stack must not change while they are in
    /// use.
    #[inline(always)]
    pub fn from(&self, start: usize) -> &[VALUE] {
        // SAFETY: the stack does not change while Ruby creates an object from the values: the
        // collector only reads them. The callers pop them only after that.
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

    /// Removes values from the top until `len` are left.
    #[inline(always)]
    pub fn truncate(&self, len: usize) {
        // SAFETY: as in `push`.
        unsafe { (*self.0.get()).truncate(len) }
    }

    /// Removes all values, and frees memory that only large loads need.
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
            // SAFETY: called by the collector while it marks. Every value on the stack was live
            // when it was pushed, and has been marked since.
            unsafe { rb_sys::rb_gc_mark(value) }
        }
    }
}

/// Reserves space for another value, or raises `NoMemoryError`.
#[cold]
#[inline(never)]
fn grow(values: &mut Vec<VALUE>) {
    if values.try_reserve(1).is_err() {
        ruby::no_memory();
    }
}

/// A cache of keys: it maps the content of a key to its interned string and its symbol. The table
/// is direct-mapped, so a key replaces another one in the same slot.
#[derive(Debug)]
pub struct Keys(Box<[Slot]>);

const SLOTS_LOG2: u32 = 11;

/// The maximum length of a cached key in bytes.
const KEY_BYTES_MAX: usize = 31;

/// The content of a key as four words: its bytes, padded with zeros, and its length in the last
/// byte.
type Packed = [u64; 4];

#[derive(Debug)]
struct Slot {
    content: Cell<Packed>,
    string: Cell<VALUE>,
    /// Zero until the symbol is needed for the first time.
    symbol: Cell<VALUE>,
}

impl Default for Keys {
    fn default() -> Keys {
        // No key has this content, since the length in it is too large.
        let slot = || Slot {
            content: Cell::new([u64::MAX; 4]),
            string: Cell::new(ruby::NIL),
            symbol: Cell::new(0),
        };
        Keys((0..1 << SLOTS_LOG2).map(|_| slot()).collect())
    }
}

impl Keys {
    /// Returns the interned string for the key `text`, which is UTF-8.
    #[inline(always)]
    pub fn string(&self, text: &[u8]) -> VALUE {
        match pack(text) {
            Some(content) => self.slot(content, text).string.get(),
            None => ruby::interned(text),
        }
    }

    /// Returns the Ruby symbol for the key `text`, reusing the cached one if there is one.
    pub fn symbol(&self, text: &[u8]) -> VALUE {
        let Some(content) = pack(text) else { return ruby::symbol(ruby::interned(text)) };
        let slot = self.slot(content, text);
        if slot.symbol.get() == 0 {
            slot.symbol.set(ruby::symbol(slot.string.get()));
        }
        slot.symbol.get()
    }

    /// Returns the slot for a key, after replacing the key in it if that is a different one.
    #[inline(always)]
    fn slot(&self, content: Packed, text: &[u8]) -> &Slot {
        let slot = &self.0[place(content)];
        if slot.content.get() != content {
            self.fill(slot, content, text);
        }
        slot
    }

    /// Puts the key `text` into a slot.
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
                // SAFETY: called by the collector while it marks. Both values are live, since they
                // have been marked since they were stored.
                unsafe { rb_sys::rb_gc_mark(string) };
            }
            if symbol != 0 {
                // SAFETY: as above.
                unsafe { rb_sys::rb_gc_mark(symbol) };
            }
        }
    }
}

/// Returns `text` as the content of a key, or `None` if it is too long to be cached.
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

/// Returns the index of the slot for a key.
#[inline(always)]
fn place(content: Packed) -> usize {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed =
        content.into_iter().fold(0u64, |sum, word| (sum.rotate_left(23) ^ word).wrapping_mul(MIX));
    (mixed >> (64 - SLOTS_LOG2)) as usize
}

/// The classes for extprot's tagged values, and preallocated objects.
#[derive(Debug)]
pub struct Classes {
    pub tuple: VALUE,
    pub htuple: VALUE,
    pub assoc: VALUE,
    pub constant: VALUE,
    pub primitive: VALUE,
    /// The constants with small tags, indexed by their tags.
    pub constants: Vec<VALUE>,
    /// The objects for untagged bytes, indexed by the bytes.
    pub bits8: Vec<VALUE>,
}

impl Classes {
    /// Looks up the classes and the preallocated objects.
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

    /// Marks the classes and the objects, for the collector.
    fn mark(&self) {
        let classes = [self.tuple, self.htuple, self.assoc, self.constant, self.primitive];
        for &value in classes.iter().chain(&self.constants).chain(&self.bits8) {
            // SAFETY: called by the collector while it marks. All values were live when they were
            // looked up.
            unsafe { rb_sys::rb_gc_mark(value) };
        }
    }
}

/// Buffers that the collector does not mark.
#[derive(Debug, Default)]
pub struct Buffers {
    pub load: load::Buffers,
    pub decoded: Vec<u8>,
    pub document: Document<'static>,
    pub blocks: Vec<extprot::Block>,
    pub writer: Writer,
}

/// The memory of a Ractor, which its loads use one after another.
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
    /// A copy of the input, if this is small.
    input: UnsafeCell<Vec<u8>>,
    is_leased: Cell<bool>,
}

impl DataTypeFunctions for Memory {
    fn mark(&self, _: &gc::Marker) {
        self.stack.mark();
        self.anchored.mark();
        self.keys.mark();
        // SAFETY: called by the collector while it marks. The class was live when it was stored.
        unsafe { rb_sys::rb_gc_mark(self.tagged_class) };
        self.extprot.mark();
    }

    fn size(&self) -> usize {
        let values = self.stack.len() + self.anchored.len();
        size_of::<Memory>() + values * size_of::<VALUE>() + (size_of::<Slot>() << SLOTS_LOG2)
    }
}

/// The exclusive right to use a memory. It ends when this is dropped.
#[derive(Debug)]
pub struct Lease {
    object: VALUE,
    memory: *const Memory,
}

/// The key under which each Ractor stores its memory.
static KEY: AtomicPtr<rb_sys::rb_ractor_local_key_struct> = AtomicPtr::new(std::ptr::null_mut());

/// Defines the class `Ketch::Memory`, and the key under which each Ractor stores its own.
pub fn init(ruby: &Ruby) -> Result<(), Error> {
    let class = ruby.define_module("Ketch")?.define_class("Memory", ruby.class_object())?;
    class.undef_default_alloc_func();
    // Looked up now, since an interrupt during a later lookup would cause a panic.
    <Memory as TypedData>::class(ruby);
    // SAFETY: called once, while the extension is loaded.
    let key = unsafe { rb_sys::rb_ractor_local_storage_value_newkey() };
    KEY.store(key, Ordering::Release);
    // SAFETY: these calls only return numbers. `ruby` and `given` rely on them.
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
    /// Copies `input`, and keeps the copy until the next lease. Returns its address and length.
    pub fn keep(&self, input: &[u8]) -> (*const u8, usize) {
        // SAFETY: a memory has one lease at a time, and a lease has one input, so the previous
        // input is no longer used.
        let kept = unsafe { &mut *self.input.get() };
        kept.clear();
        kept.extend_from_slice(input);
        (kept.as_ptr(), kept.len())
    }

    /// Creates a memory as a Ruby object.
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
    /// Returns a lease on the memory of this Ractor, or on new memory if the former is in use.
    pub fn take(ruby: &Ruby) -> Result<Lease, Error> {
        let key = KEY.load(Ordering::Acquire);
        let mut kept: VALUE = ruby::NIL;
        // SAFETY: the key is the one that `init` has created; the value is `nil`, or was stored
        // below.
        let is_there = unsafe { rb_sys::rb_ractor_local_storage_value_lookup(key, &mut kept) };
        if is_there && kept != ruby::NIL {
            // SAFETY: only memories are stored under this key.
            let lease = unsafe { Lease::of(kept) };
            if !lease.memory().is_leased.replace(true) {
                return Ok(lease);
            }
            // This lease must not be dropped, since that would end the lease of the other load.
            std::mem::forget(lease);
        }
        let object = ruby::raw(Memory::wrap(ruby)?);
        if !is_there || kept == ruby::NIL {
            // SAFETY: the key is the one that `init` has created.
            unsafe { rb_sys::rb_ractor_local_storage_value_set(key, object) };
        }
        // SAFETY: `object` is a memory.
        let lease = unsafe { Lease::of(object) };
        lease.memory().is_leased.set(true);
        Ok(lease)
    }

    /// Returns a lease on the memory that `object` holds.
    ///
    /// # Safety
    ///
    /// `object` must be a `Ketch::Memory`.
    unsafe fn of(object: VALUE) -> Lease {
        // SAFETY: the data of an object that magnus wraps is a pointer to a box.
        let memory = unsafe { rb_sys::RTYPEDDATA_GET_DATA(object) }.cast::<Memory>();
        Lease { object, memory }
    }

    /// Returns the memory, most of whose parts the collector marks.
    #[inline(always)]
    pub fn memory(&self) -> &Memory {
        // SAFETY: the object lives as long as the lease, which is on the machine's stack.
        unsafe { &*self.memory }
    }

    /// Returns the buffers, which the collector does not mark.
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
        // Up to this point, the collector must find the memory on the machine's stack.
        std::hint::black_box(&self.object);
    }
}

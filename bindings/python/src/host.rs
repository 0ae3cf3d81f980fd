//! Creates and reads objects of CPython without intermediate copies. All `unsafe` code is here.
//!
//! In wheels for one version of Python, text is written directly into a new string. The limited API
//! of abi3 does not support that, so there CPython decodes the text.

use crate::panics;
use crate::utf8::{self, Encoded, encode_short};
use ketch_yaml::Document;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use std::ffi::CStr;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::slice;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Returns a `str` that contains `text`, UTF-8 that the parser has checked.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
#[inline(always)]
pub fn string<'py>(py: Python<'py>, text: &[u8], is_ascii: bool) -> PyResult<Bound<'py, PyAny>> {
    #[cfg(not(feature = "abi3"))]
    {
        match text.len() {
            // CPython shares the strings of at most one character.
            0 | 1 => decoded(py, text),
            _ if is_ascii || ketch_bytes::utf8::is_ascii(text) => written::ascii(py, text),
            _ => written::wide(py, text),
        }
    }
    #[cfg(feature = "abi3")]
    {
        let _ = is_ascii;
        decoded(py, text)
    }
}

/// Returns a `str` that contains UTF-8 text and is created by CPython.
fn decoded<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let (start, len) = (text.as_ptr().cast(), text.len() as ffi::Py_ssize_t);
    // SAFETY: the pointer and the length are those of a slice. The result is a new reference, or
    // null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyUnicode_FromStringAndSize(start, len)) }
}

#[cfg(not(feature = "abi3"))]
mod written {
    use super::*;
    use crate::utf8::Unit;
    use std::mem::MaybeUninit;

    /// Returns a `str` that contains `text`, which has at least two characters, all of them ASCII.
    #[inline(always)]
    pub fn ascii<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let string = new(py, text.len(), 0x7F)?;
        // SAFETY: the string is new, and has one byte of memory for each byte of `text`.
        unsafe {
            let data = string.as_ptr().cast::<ffi::PyASCIIObject>().add(1).cast::<u8>();
            // A copy of unknown length is a call, which takes longer than copying a short text.
            let is_copied = copy_up_to::<8>(text, data)
                || copy_up_to::<4>(text, data)
                || copy_up_to::<16>(text, data);
            if !is_copied {
                data.copy_from_nonoverlapping(text.as_ptr(), text.len());
            }
        }
        Ok(string)
    }

    /// Copies a text of `N` to 2 `N` bytes as two halves, which may overlap. Returns `false` if it
    /// has another length.
    ///
    /// # Safety
    ///
    /// The memory at `data` must have space for the bytes of `text`.
    #[inline(always)]
    unsafe fn copy_up_to<const N: usize>(text: &[u8], data: *mut u8) -> bool {
        match (text.first_chunk::<N>(), text.last_chunk::<N>()) {
            (Some(first), Some(last)) if text.len() <= 2 * N => {
                // SAFETY: both halves are within the length of the text.
                unsafe {
                    data.cast::<[u8; N]>().write_unaligned(*first);
                    data.add(text.len() - N).cast::<[u8; N]>().write_unaligned(*last);
                }
                true
            }
            _ => false,
        }
    }

    /// Returns a `str` that contains `text`, which is not all ASCII. Its widest character
    /// determines the width of all, and the greatest byte is the lead byte of that character.
    pub fn wide<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let count = utf8::count(text);
        let greatest = text.iter().copied().max().unwrap_or_default();
        match greatest {
            // The strings of single characters of Latin-1 are shared as well.
            _ if count < 2 => decoded(py, text),
            ..0xC4 => filled(py, count, 0xFF, |made| utf8::decode::<u8>(text, greatest, made)),
            0xC4..0xF0 => {
                filled(py, count, 0xFFFF, |made| utf8::decode::<u16>(text, greatest, made))
            }
            _ => filled(py, count, 0x10_FFFF, |made| utf8::decode::<u32>(text, greatest, made)),
        }
    }

    /// Returns a string that consists of `units`, at least two characters of another string, which
    /// are not all ASCII. `unit_bytes` is the width of the new string.
    #[inline(always)]
    pub fn copy<'py, U: Unit>(
        py: Python<'py>,
        units: &[U],
        unit_bytes: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        match unit_bytes {
            1 => copy_as::<U, u8>(py, units, 0xFF),
            2 => copy_as::<U, u16>(py, units, 0xFFFF),
            _ => copy_as::<U, u32>(py, units, 0x10_FFFF),
        }
    }

    /// Returns a string that consists of `units`, which are at most `widest`.
    fn copy_as<'py, U: Unit, V: Unit>(
        py: Python<'py>,
        units: &[U],
        widest: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        filled(py, units.len(), widest, |made: &mut [MaybeUninit<V>]| {
            for (made, &unit) in made.iter_mut().zip(units) {
                made.write(V::of(unit.into()));
            }
        })
    }

    /// Creates a string of `count` characters, at least two, all of which `write` sets. `widest`
    /// must give them the width of `U`.
    #[inline(always)]
    fn filled<'py, U: Unit>(
        py: Python<'py>,
        count: usize,
        widest: u32,
        write: impl FnOnce(&mut [MaybeUninit<U>]),
    ) -> PyResult<Bound<'py, PyAny>> {
        let string = new(py, count, widest)?;
        // SAFETY: the string is new, and `widest` gives its characters the width of `U`.
        let units = unsafe {
            let data = ffi::PyUnicode_DATA(string.as_ptr()).cast::<MaybeUninit<U>>();
            slice::from_raw_parts_mut(data, count)
        };
        write(units);
        Ok(string)
    }

    /// Creates a string of `count` characters, at least two, none of which is set yet.
    #[inline(always)]
    fn new<'py>(py: Python<'py>, count: usize, widest: u32) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: strings of two or more characters are never shared, so this may write to it.
        unsafe {
            let string = ffi::PyUnicode_New(count as ffi::Py_ssize_t, widest);
            Bound::from_owned_ptr_or_err(py, string)
        }
    }
}

/// Returns the number of this thread's interpreter.
pub fn interpreter(_: Python<'_>) -> i64 {
    // SAFETY: the token shows that the thread is attached to an interpreter.
    unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) }
}

/// Returns `value` as an `int`.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
#[inline(always)]
pub fn integer(py: Python<'_>, value: i64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the result is a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyLong_FromLongLong(value)) }
}

/// Returns `value` as a `float`.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out. So do the functions below; PyO3's own constructors
/// would panic.
#[inline(always)]
pub fn float(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the result is a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyFloat_FromDouble(value)) }
}

/// Returns a `bytes` that contains `bytes`.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let (start, len) = (bytes.as_ptr().cast(), bytes.len() as ffi::Py_ssize_t);
    // SAFETY: the pointer and the length are those of a slice. The result is a new reference, or
    // null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyBytes_FromStringAndSize(start, len)) }
}

/// Returns a list of the values from `start` on, which are removed from the stack.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
#[inline(always)]
pub fn list<'py>(
    py: Python<'py>,
    stack: &mut Vec<Bound<'py, PyAny>>,
    start: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let count = stack.len() - start;
    // SAFETY: the result is a new reference, or null with an exception.
    let list: Bound<'py, PyAny> =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyList_New(count as ffi::Py_ssize_t))? };
    for (index, value) in stack.drain(start..).enumerate() {
        // SAFETY: the list is new and has `count` places, each of which is set once. The list takes
        // ownership of the reference.
        unsafe { set_item(list.as_ptr(), index as ffi::Py_ssize_t, value.into_ptr()) };
    }
    Ok(list)
}

/// Sets a place of a new list, which takes ownership of `value`.
///
/// # Safety
///
/// `list` must be a list whose place at `index` is not set; `value` must be an owned reference.
#[inline(always)]
unsafe fn set_item(list: *mut ffi::PyObject, index: ffi::Py_ssize_t, value: *mut ffi::PyObject) {
    #[cfg(not(feature = "abi3"))]
    // SAFETY: by the contract.
    unsafe {
        ffi::PyList_SET_ITEM(list, index, value);
    }
    #[cfg(feature = "abi3")]
    // SAFETY: by the contract; the call cannot fail for an index within the list.
    unsafe {
        ffi::PyList_SetItem(list, index, value);
    }
}

/// Returns a tuple with the values of `list`.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn tuple<'py>(list: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: `list` is alive; the result is a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(list.py(), ffi::PySequence_Tuple(list.as_ptr())) }
}

/// Returns a tuple of the values from `start` on, which are removed from the stack.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn tuple_of<'py>(
    py: Python<'py>,
    stack: &mut Vec<Bound<'py, PyAny>>,
    start: usize,
) -> PyResult<Bound<'py, PyAny>> {
    tuple(&list(py, stack, start)?)
}

/// Returns `values` as the arguments of a call. PyO3's own conversion panics if memory runs out.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn arguments<'py, const N: usize>(
    py: Python<'py>,
    values: [Bound<'py, PyAny>; N],
) -> PyResult<Bound<'py, PyTuple>> {
    // SAFETY: the result is a new reference, or null with an exception.
    let tuple: Bound<'py, PyAny> =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyTuple_New(N as ffi::Py_ssize_t))? };
    for (index, value) in values.into_iter().enumerate() {
        // SAFETY: the tuple is new; each of its places is set once, and then owns the reference.
        unsafe { ffi::PyTuple_SetItem(tuple.as_ptr(), index as ffi::Py_ssize_t, value.into_ptr()) };
    }
    Ok(tuple.cast_into()?)
}

/// Returns an object of a class that a `class` statement has created. Its attributes are not set.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
#[inline(always)]
pub fn new_instance<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the class is alive. The result is a new reference, or null with an exception. The
    // memory of an object of such a class is zero at first.
    unsafe {
        let made = ffi::PyType_GenericAlloc(class.as_type_ptr(), 0);
        Bound::from_owned_ptr_or_err(class.py(), made)
    }
}

/// Adds the pairs from `start` on, which are removed from the stack, to `dict`. Returns the number
/// of pairs that it then has.
///
/// # Errors
///
/// Raises a `TypeError` for a key that cannot be hashed, and passes on the exceptions of methods
/// that hash and compare keys.
#[inline(always)]
pub fn fill_dict<'py>(
    dict: &Bound<'py, PyAny>,
    stack: &mut Vec<Bound<'py, PyAny>>,
    start: usize,
) -> PyResult<usize> {
    let len = set_pairs(dict, stack, start)?;
    stack.truncate(start);
    Ok(len)
}

/// Does what [`fill_dict`] does, but leaves the keys and values on the stack.
///
/// # Errors
///
/// Fails as [`fill_dict`] does.
#[inline(always)]
pub fn set_pairs<'py>(
    dict: &Bound<'py, PyAny>,
    stack: &[Bound<'py, PyAny>],
    start: usize,
) -> PyResult<usize> {
    let (pairs, _) = stack.get(start..).unwrap_or_default().as_chunks::<2>();
    for [key, value] in pairs {
        // SAFETY: `dict` is a dict, which creates references of its own.
        let status = unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) };
        if status < 0 {
            return Err(PyErr::fetch(dict.py()));
        }
    }
    // SAFETY: `dict` is a dict.
    Ok(unsafe { ffi::PyDict_Size(dict.as_ptr()) } as usize)
}

/// Returns a new dict.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
#[inline(always)]
pub fn new_dict(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the result is a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyDict_New()) }
}

/// A function of the module that takes one object and keyword arguments. With PyO3, CPython would
/// create a tuple for each call.
pub trait Function {
    const NAME: &'static CStr;
    /// The signature for `inspect`, and the documentation.
    const TEXT: &'static CStr;

    /// Calls the function. Fails with what it raises.
    fn call<'py>(
        data: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

/// Adds a function to a module.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn add_function<F: Function>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // A function refers to its definition while it is alive, perhaps until the process ends.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: F::NAME.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: called::<F> },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: F::TEXT.as_ptr(),
    }));
    let name = module.name()?;
    // SAFETY: the definition is never freed; the result is a new reference, or null with an exception.
    let function = unsafe {
        let function = ffi::PyCFunction_NewEx(definition, module.as_ptr(), name.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), function)?
    };
    let name = F::NAME.to_str().unwrap_or_default();
    module.add(name, function)
}

/// The entry point through which CPython calls a function.
///
/// # Safety
///
/// The caller must be CPython, with its convention for such functions: on an attached thread, with
/// `count` objects at `arguments` and, if `names` is a tuple, one more for each name.
unsafe extern "C" fn called<F: Function>(
    _: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: by the contract. `Python::attach` would also count the attachment, which takes longer
    // than reading a small text. Without that, PyO3 keeps unbound objects that are released until
    // the next attachment, so calls that may release some attach later.
    let py = unsafe { Python::assume_attached() };
    let call = || {
        if count != 1 {
            return Err(wrong_count(F::NAME, count as usize));
        }
        // SAFETY: by the contract, as below.
        let data = unsafe { Borrowed::from_ptr(py, *arguments) };
        // SAFETY: as above.
        let Some(names) = (unsafe { Borrowed::from_ptr_or_opt(py, names) }) else {
            return F::call(&data, None);
        };
        // SAFETY: as above.
        let names = unsafe { names.cast_unchecked::<PyTuple>() };
        let options = new_dict(py)?.cast_into::<PyDict>()?;
        for (index, name) in names.iter().enumerate() {
            // SAFETY: as above; there is an object for each name.
            let value = unsafe { Borrowed::from_ptr(py, *arguments.add(1 + index)) };
            options.set_item(name, value)?;
        }
        Python::attach(|_| F::call(&data, Some(&options)))
    };
    // A panic must not unwind into CPython.
    let result = catch_unwind(AssertUnwindSafe(call));
    match result.unwrap_or_else(|panic| Err(panics::exception(&*panic))) {
        Ok(value) => value.into_ptr(),
        Err(error) => {
            Python::attach(|py| error.restore(py));
            null_mut()
        }
    }
}

/// Returns the exception for a call with no positional argument, or with more than one.
#[cold]
fn wrong_count(name: &CStr, given: usize) -> PyErr {
    let name = name.to_str().unwrap_or_default();
    PyTypeError::new_err(format!("{name}() takes 1 positional argument but {given} were given"))
}

/// The characters of a string, in one of CPython's three widths.
#[cfg_attr(feature = "abi3", expect(dead_code, reason = "the stable ABI gives no access to them"))]
#[derive(Clone, Copy, Debug)]
pub enum Units<'s> {
    One(&'s [u8]),
    Two(&'s [u16]),
    Four(&'s [u32]),
}

/// Returns the characters of a string, or `None` if the API gives no access to them.
#[cfg(not(feature = "abi3"))]
pub fn units<'s>(string: &'s Bound<'_, PyString>) -> Option<Units<'s>> {
    let object = string.as_ptr();
    // SAFETY: the object is a string. Its memory does not change or move while it is alive, and has
    // as many units of its kind as it has characters.
    Some(unsafe {
        let data = ffi::PyUnicode_DATA(object);
        let len = ffi::PyUnicode_GET_LENGTH(object) as usize;
        match ffi::PyUnicode_KIND(object) {
            ffi::PyUnicode_1BYTE_KIND => Units::One(slice::from_raw_parts(data.cast(), len)),
            ffi::PyUnicode_2BYTE_KIND => Units::Two(slice::from_raw_parts(data.cast(), len)),
            _ => Units::Four(slice::from_raw_parts(data.cast(), len)),
        }
    })
}

/// Returns `None`, because the limited API gives no access to the characters.
#[cfg(feature = "abi3")]
pub fn units<'s>(_: &'s Bound<'_, PyString>) -> Option<Units<'s>> {
    None
}

/// Returns a string of the given range of `units`, which is not all ASCII, with `unit_bytes` bytes
/// for each character. Returns `None` if there are fewer than two characters, since CPython shares
/// such strings, or if the range is outside of `units`.
#[cfg(not(feature = "abi3"))]
pub fn copy<'py>(
    py: Python<'py>,
    units: Units<'_>,
    characters: std::ops::Range<usize>,
    unit_bytes: usize,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    if characters.len() < 2 {
        return None;
    }
    Some(match units {
        Units::One(units) => written::copy(py, units.get(characters)?, unit_bytes),
        Units::Two(units) => written::copy(py, units.get(characters)?, unit_bytes),
        Units::Four(units) => written::copy(py, units.get(characters)?, unit_bytes),
    })
}

/// Returns `None`, because the limited API does not allow writing into a string.
#[cfg(feature = "abi3")]
pub fn copy<'py>(
    _: Python<'py>,
    _: Units<'_>,
    _: std::ops::Range<usize>,
    _: usize,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    None
}

/// Returns the text of a string in UTF-8, or `None` if it contains a lone surrogate, or if the API
/// gives no access to its characters.
///
/// This is faster than CPython's own encoder, which converts one character at a time.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn utf8(string: &Bound<'_, PyString>) -> PyResult<Option<Encoded>> {
    match units(string) {
        Some(Units::One(units)) => Encoded::of(units),
        Some(Units::Two(units)) => Encoded::of(units),
        Some(Units::Four(units)) => Encoded::of(units),
        None => Ok(None),
    }
}

/// Passes the text of a string in UTF-8 to `then`.
///
/// # Errors
///
/// Raises a `UnicodeEncodeError` for a lone surrogate, and a `MemoryError` if memory runs out. Passes on
/// the errors of `then`.
#[inline(always)]
pub fn with_utf8<R, E: From<PyErr>>(
    string: &Bound<'_, PyString>,
    then: impl FnOnce(&str) -> Result<R, E>,
) -> Result<R, E> {
    if let Some(text) = ascii(string) {
        return then(text);
    }
    let mut short = [0; size_of::<utf8::Short>()];
    let (long, object);
    let len = match units(string) {
        Some(Units::One(units)) => encode_short(units, &mut short),
        Some(Units::Two(units)) => encode_short(units, &mut short),
        Some(Units::Four(units)) => encode_short(units, &mut short),
        None => None,
    };
    let bytes = if let Some(len) = len {
        &short[..len]
    } else if let Some(text) = utf8(string)? {
        long = text;
        &long
    } else {
        object = string.encode_utf8()?;
        object.as_bytes()
    };
    // SAFETY: all of them are UTF-8.
    then(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Objects that can be reused. The first one is taken and put back without a lock.
pub struct Pool<T> {
    first: AtomicPtr<T>,
    others: Mutex<Vec<Box<T>>>,
}

/// The maximum number of unused objects that a pool keeps in addition to the first one.
const POOLED_MAX: usize = 15;

/// An object that is taken from a pool, and is put back when this is dropped.
pub struct Leased<T: Default + 'static> {
    /// Present until this is dropped.
    object: ManuallyDrop<Box<T>>,
    pool: &'static Pool<T>,
}

impl<T: Default> Pool<T> {
    /// Creates an empty pool.
    pub const fn new() -> Pool<T> {
        Pool { first: AtomicPtr::new(null_mut()), others: Mutex::new(Vec::new()) }
    }

    /// Takes an object that nobody else is using, or creates one if there is none.
    #[inline(always)]
    pub fn lease(&'static self) -> Leased<T> {
        let first = self.first.swap(null_mut(), Ordering::Acquire);
        let object = match first.is_null() {
            true => self.other(),
            // SAFETY: the pointer is from a box, and the swap makes this call its owner.
            false => unsafe { Box::from_raw(first) },
        };
        Leased { object: ManuallyDrop::new(object), pool: self }
    }

    /// Takes an object other than the first one, or creates one if there is none.
    #[cold]
    fn other(&self) -> Box<T> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Puts an object back, as the first one if its place is free.
    #[inline(always)]
    fn put(&self, object: Box<T>) {
        let object = Box::into_raw(object);
        let placed =
            self.first.compare_exchange(null_mut(), object, Ordering::Release, Ordering::Relaxed);
        if placed.is_err() {
            // SAFETY: the pointer is from a box, as above, and was not shared.
            self.put_other(unsafe { Box::from_raw(object) });
        }
    }

    /// Puts an object back when the place of the first one is taken.
    #[cold]
    fn put_other(&self, object: Box<T>) {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if others.len() < POOLED_MAX {
            others.push(object);
        }
    }
}

impl<T: Default> Deref for Leased<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.object
    }
}

impl<T: Default> DerefMut for Leased<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.object
    }
}

impl<T: Default> Drop for Leased<T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the object is not used after this.
        let object = unsafe { ManuallyDrop::take(&mut self.object) };
        // After a panic, the object may be in a state that no other call expects.
        if !std::thread::panicking() {
            self.pool.put(object);
        }
    }
}

impl<T: Default + fmt::Debug> fmt::Debug for Leased<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The object that owns the text of a document.
#[derive(Debug)]
pub enum Owner {
    /// A string that CPython stores as ASCII.
    Text(Py<PyString>),
    Bytes(Py<PyBytes>),
    Copy(Vec<u8>),
}

impl Owner {
    /// Returns the text. It does not move or change: strings and bytes of Python are immutable.
    fn text(&self, py: Python<'_>) -> &[u8] {
        match self {
            Owner::Text(text) => {
                let text = ascii(text.bind(py)).unwrap_or_default().as_bytes();
                // SAFETY: the owner keeps the string alive, and its memory never moves or changes.
                unsafe { slice::from_raw_parts(text.as_ptr(), text.len()) }
            }
            Owner::Bytes(bytes) => bytes.as_bytes(py),
            Owner::Copy(text) => text,
        }
    }
}

/// A document that borrows from a text, and the owner of the text.
pub struct Held {
    /// Dropped before the owner.
    document: Document<'static>,
    text: &'static [u8],
    _owner: Arc<Owner>,
}

impl Held {
    /// Returns the documents that `compose` creates from the text of `owner`.
    ///
    /// # Errors
    ///
    /// Passes on the errors of `compose`.
    pub fn compose<E>(
        py: Python<'_>,
        owner: Owner,
        compose: impl for<'t> FnOnce(&'t [u8]) -> Result<Vec<Document<'t>>, E>,
    ) -> Result<Vec<Held>, E> {
        let owner = Arc::new(owner);
        let text = owner.text(py);
        // SAFETY: each document is kept together with the owner, whose text does not move or
        // change, and `compose` cannot know that the text lives longer than its call.
        let text: &'static [u8] = unsafe { slice::from_raw_parts(text.as_ptr(), text.len()) };
        let documents = compose(text)?;
        let held = |document| Held { document, text, _owner: Arc::clone(&owner) };
        Ok(documents.into_iter().map(held).collect())
    }

    /// Returns the whole text.
    pub fn text(&self) -> &[u8] {
        self.text
    }

    /// Returns the document.
    pub fn document(&self) -> &Document<'_> {
        &self.document
    }
}

/// Returns the text of a string if CPython stores it as ASCII, and otherwise `None`.
#[inline(always)]
pub fn ascii<'a>(string: &'a Bound<'_, PyString>) -> Option<&'a str> {
    #[cfg(not(feature = "abi3"))]
    {
        let object = string.as_ptr();
        // SAFETY: the object is a string. The memory of an ASCII string has a byte for each
        // character, and does not change or move while the string is alive.
        unsafe {
            if ffi::PyUnicode_IS_COMPACT_ASCII(object) != 0 {
                let data = ffi::PyUnicode_DATA(object).cast::<u8>();
                let len = ffi::PyUnicode_GET_LENGTH(object) as usize;
                return Some(std::str::from_utf8_unchecked(slice::from_raw_parts(data, len)));
            }
        }
    }
    #[cfg(feature = "abi3")]
    let _ = string;
    None
}

//! The functions of the JVM that native code calls.
//!
//! The functions are looked up by index in the table that the JVM provides (JNI specification,
//! "Interface Function Table"). For a dozen functions, a crate is not worth it.

use ketch_host::panics;
use std::cell::Cell;
use std::collections::TryReserveError;
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::{self, Read};
use std::ptr::null_mut;
use std::rc::Rc;

/// The JVM's environment for a thread.
pub type Env = *mut *const *const c_void;
/// A reference to a Java object.
pub type Object = *mut c_void;
type Method = *mut c_void;

const FIND_CLASS: usize = 6;
const THROW_NEW: usize = 14;
const DELETE_LOCAL_REF: usize = 23;
const GET_METHOD: usize = 33;
const CALL_VOID_METHOD: usize = 63;
const GET_STATIC_METHOD: usize = 113;
const CALL_STATIC_OBJECT_METHOD: usize = 116;
const CALL_STATIC_INT_METHOD: usize = 131;
const GET_ARRAY_LENGTH: usize = 171;
const NEW_BYTE_ARRAY: usize = 176;
const GET_BYTE_ARRAY_REGION: usize = 200;
const GET_INT_ARRAY_REGION: usize = 203;
const GET_LONG_ARRAY_REGION: usize = 204;
const SET_BYTE_ARRAY_REGION: usize = 208;
const SET_CHAR_ARRAY_REGION: usize = 209;
const SET_INT_ARRAY_REGION: usize = 211;
const SET_LONG_ARRAY_REGION: usize = 212;
const EXCEPTION_CHECK: usize = 228;

type FindClass = unsafe extern "system" fn(Env, *const c_char) -> Object;
type ThrowNew = unsafe extern "system" fn(Env, Object, *const c_char) -> i32;
type GetMethod = unsafe extern "system" fn(Env, Object, *const c_char, *const c_char) -> Method;
type CallVoid = unsafe extern "system" fn(Env, Object, Method, *const Argument);
type CallStaticObject = unsafe extern "system" fn(Env, Object, Method, *const Argument) -> Object;
type Delete = unsafe extern "system" fn(Env, Object);
type CallStaticInt = unsafe extern "system" fn(Env, Object, Method, *const Argument) -> i32;
type GetLength = unsafe extern "system" fn(Env, Object) -> i32;
type NewBytes = unsafe extern "system" fn(Env, i32) -> Object;
type GetBytes = unsafe extern "system" fn(Env, Object, i32, i32, *mut u8);
type SetBytes = unsafe extern "system" fn(Env, Object, i32, i32, *const u8);
type GetInts = unsafe extern "system" fn(Env, Object, i32, i32, *mut i32);
type GetLongs = unsafe extern "system" fn(Env, Object, i32, i32, *mut i64);
type SetChars = unsafe extern "system" fn(Env, Object, i32, i32, *const u16);
type SetInts = unsafe extern "system" fn(Env, Object, i32, i32, *const i32);
type SetLongs = unsafe extern "system" fn(Env, Object, i32, i32, *const u64);
type Check = unsafe extern "system" fn(Env) -> u8;

/// An argument of a Java method, which JNI calls `jvalue`.
#[repr(C)]
union Argument {
    object: Object,
    long: i64,
}

/// Returns the function at `index` of the JNI table.
///
/// # Safety
/// `env` must be the environment of this thread, and `F` the type of the function at `index`.
unsafe fn function<F: Copy>(env: Env, index: usize) -> F {
    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
    // SAFETY: by the caller's contract, the table contains a pointer of this type there.
    unsafe { std::mem::transmute_copy(&*(*env).add(index)) }
}

/// Copies `len` bytes of an array, from `offset` on, into the memory of `bytes`, and returns this.
/// The result is empty if the array is null.
///
/// # Safety
/// `env` must be the environment of this thread, `array` a `byte[]` or null, and the range within
/// it.
pub unsafe fn bytes_of(
    env: Env,
    array: Object,
    offset: i32,
    len: i32,
    mut bytes: Vec<u8>,
) -> Result<Vec<u8>, TryReserveError> {
    bytes.clear();
    let count = usize::try_from(len).unwrap_or(0);
    if array.is_null() || count == 0 {
        return Ok(bytes);
    }
    bytes.try_reserve_exact(count)?;
    // SAFETY: by the caller's contract; the JVM writes `count` bytes, for which there is space.
    unsafe {
        let get: GetBytes = function(env, GET_BYTE_ARRAY_REGION);
        get(env, array, offset, len, bytes.as_mut_ptr());
        bytes.set_len(count);
    }
    Ok(bytes)
}

/// Returns the length of an array, or 0 if it is null.
///
/// # Safety
/// `env` must be the environment of this thread, and `array` an array or null.
pub unsafe fn length(env: Env, array: Object) -> i32 {
    if array.is_null() {
        return 0;
    }
    // SAFETY: by the caller's contract.
    unsafe { function::<GetLength>(env, GET_ARRAY_LENGTH)(env, array) }
}

/// Creates a `byte[]` that contains `bytes`. Returns null if the JVM is out of memory; its
/// exception is then pending.
///
/// # Safety
/// `env` must be the environment of this thread.
pub unsafe fn new_bytes(env: Env, bytes: &[u8]) -> Object {
    let len = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
    // SAFETY: by the caller's contract; the array has `len` bytes, and `bytes` has at least as
    // many.
    unsafe {
        let array = function::<NewBytes>(env, NEW_BYTE_ARRAY)(env, len);
        if !array.is_null() {
            function::<SetBytes>(env, SET_BYTE_ARRAY_REGION)(env, array, 0, len, bytes.as_ptr());
        }
        array
    }
}

/// Copies the numbers of an array to `numbers`, as far as they fit, and returns the part that was
/// filled.
///
/// # Safety
/// `env` must be the environment of this thread, and `array` a `long[]` or null.
pub unsafe fn longs_of(env: Env, array: Object, numbers: &mut [i64]) -> &[i64] {
    // SAFETY: by the caller's contract; the count exceeds neither the length of the array nor that
    // of the slice.
    unsafe {
        let count = length(env, array).min(numbers.len() as i32);
        if count > 0 {
            let get: GetLongs = function(env, GET_LONG_ARRAY_REGION);
            get(env, array, 0, count, numbers.as_mut_ptr());
        }
        &numbers[..count as usize]
    }
}

/// Copies the start of an array to `numbers`.
///
/// # Safety
/// `env` must be the environment of this thread, and `array` an `int[]` that is at least as long as
/// `numbers`.
pub unsafe fn ints_of(env: Env, array: Object, numbers: &mut [i32]) {
    // SAFETY: by the caller's contract; the JVM writes as many numbers as the slice has.
    unsafe {
        let get: GetInts = function(env, GET_INT_ARRAY_REGION);
        get(env, array, 0, numbers.len() as i32, numbers.as_mut_ptr());
    }
}

/// Copies the start of an array to `bytes`.
///
/// # Safety
/// `env` must be the environment of this thread, and `array` a `byte[]` that is at least as long as
/// `bytes`.
pub unsafe fn fill_bytes(env: Env, array: Object, bytes: &mut [u8]) {
    // SAFETY: by the caller's contract; the JVM writes as many bytes as the slice has.
    unsafe {
        let get: GetBytes = function(env, GET_BYTE_ARRAY_REGION);
        get(env, array, 0, bytes.len() as i32, bytes.as_mut_ptr());
    }
}

/// Copies bytes to the start of an array.
///
/// # Safety
/// `env` must be the environment of this thread, and `array` a `byte[]` that is at least as long as
/// `bytes`.
pub unsafe fn copy_bytes(env: Env, bytes: &[u8], array: Object) {
    // SAFETY: by the caller's contract.
    unsafe {
        let set: SetBytes = function(env, SET_BYTE_ARRAY_REGION);
        set(env, array, 0, bytes.len() as i32, bytes.as_ptr());
    }
}

/// Copies words and bytes to the start of two arrays, if both fit. Returns the number of words in
/// the low half, and the number of bytes in the high half.
///
/// # Safety
/// `env` must be the environment of this thread, `long_array` a `long[]` and `byte_array` a
/// `byte[]`.
pub unsafe fn copy(
    env: Env,
    (words, long_array): (&[u64], Object),
    (bytes, byte_array): (&[u8], Object),
) -> i64 {
    let (word_count, byte_count) = (words.len() as i32, bytes.len() as i32);
    // SAFETY: by the caller's contract; both ranges are checked.
    unsafe {
        if word_count <= length(env, long_array) && byte_count <= length(env, byte_array) {
            let set: SetLongs = function(env, SET_LONG_ARRAY_REGION);
            set(env, long_array, 0, word_count, words.as_ptr());
            let set: SetBytes = function(env, SET_BYTE_ARRAY_REGION);
            set(env, byte_array, 0, byte_count, bytes.as_ptr());
        }
    }
    i64::from(word_count) | i64::from(byte_count) << 32
}

/// Copies UTF-16 code units to the start of an array, if they fit. Returns their number.
///
/// # Safety
/// `env` must be the environment of this thread, and `char_array` a `char[]`.
pub unsafe fn copy_units(env: Env, units: &[u16], char_array: Object) -> i64 {
    let count = units.len() as i32;
    // SAFETY: by the caller's contract; the range is checked.
    unsafe {
        if count <= length(env, char_array) {
            let set: SetChars = function(env, SET_CHAR_ARRAY_REGION);
            set(env, char_array, 0, count, units.as_ptr());
        }
    }
    i64::from(count)
}

/// Copies numbers to the start of an array, if they fit. Returns their number.
///
/// # Safety
/// `env` must be the environment of this thread, and `long_array` a `long[]`.
pub unsafe fn copy_longs(env: Env, numbers: &[i64], long_array: Object) -> i64 {
    let count = numbers.len() as i32;
    // SAFETY: by the caller's contract; the range is checked. The JVM only copies bits, so the sign
    // does not matter.
    unsafe {
        if count <= length(env, long_array) {
            let set: SetLongs = function(env, SET_LONG_ARRAY_REGION);
            set(env, long_array, 0, count, numbers.as_ptr().cast());
        }
    }
    i64::from(count)
}

/// The arguments of a call from Java that a [`Pipe`] needs to call Java back.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub env: Env,
    /// The class `dev.ketch.Native`.
    pub class: Object,
    /// A `Feed`, or null.
    pub feed: Object,
    /// The `byte[]` that the `Feed` fills.
    pub buffer: Object,
}

impl Call {
    /// No call, so that nothing can be read.
    const NONE: Call =
        Call { env: null_mut(), class: null_mut(), feed: null_mut(), buffer: null_mut() };
}

/// Reads a Java stream: `Native.fill` stores bytes in an array, from which they are copied.
///
/// After Java has thrown an exception, all reads fail without calling Java. The exception is
/// pending, so that it is thrown in Java when native code returns.
#[derive(Clone, Debug)]
pub struct Pipe(Rc<Cell<Call>>);

impl Pipe {
    /// Creates a pipe that cannot read, since it belongs to no call.
    pub fn new() -> Pipe {
        Pipe(Rc::new(Cell::new(Call::NONE)))
    }

    /// Calls `run`, during which the pipe reads through `call`.
    ///
    /// # Safety
    /// `call` must be the call in which this thread is.
    pub unsafe fn with<T>(&self, call: Call, run: impl FnOnce() -> T) -> T {
        /// Clears the call when it is dropped, even if `run` panics.
        struct Forget<'c>(&'c Cell<Call>);
        impl Drop for Forget<'_> {
            fn drop(&mut self) {
                self.0.set(Call::NONE);
            }
        }
        self.0.set(call);
        let _forget = Forget(&self.0);
        run()
    }
}

impl Read for Pipe {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let call = self.0.get();
        if call.feed.is_null() {
            return Err(io::Error::other("the stream has failed"));
        }
        // SAFETY: `with` sets the call only while this thread is in it, and no exception is
        // pending, since the first exception clears the call.
        let count = unsafe { fill(call, out) };
        count.ok_or_else(|| {
            self.0.set(Call::NONE);
            io::Error::other("the stream has failed")
        })
    }
}

/// Calls `Native.fill(feed, most)`, and copies the bytes that it has read to `out`. Returns their
/// number, or `None` if Java has thrown an exception.
///
/// # Safety
/// `call` must be the call in which this thread is. Its class must have that method, its feed must
/// fill its buffer, and no exception may be pending.
unsafe fn fill(call: Call, out: &mut [u8]) -> Option<usize> {
    let Call { env, class, feed, buffer } = call;
    // SAFETY: by the caller's contract; the count is limited to the length of both buffers.
    unsafe {
        let most = length(env, buffer).min(i32::try_from(out.len()).unwrap_or(i32::MAX));
        let arguments = [Argument { object: feed }, Argument { long: i64::from(most) }];
        let count = call_int(env, class, c"fill", c"(Ldev/ketch/Feed;I)I", &arguments)?;
        let count = count.clamp(0, most);
        let get: GetBytes = function(env, GET_BYTE_ARRAY_REGION);
        get(env, buffer, 0, count, out.as_mut_ptr());
        Some(count as usize)
    }
}

/// Asks Java for bytes: calls `ask(tree, what, node, name)` of a class.
#[derive(Debug)]
pub struct Asker {
    env: Env,
    class: Object,
    tree: Object,
    method: Method,
}

impl Asker {
    /// Finds the method. Returns `None` if the class has none, with Java's exception pending.
    ///
    /// # Safety
    /// The thread is in the call from Java that `env` and `class` are from, and does not leave it while the
    /// asker is in use; `tree` is an object of the type that the method takes.
    pub unsafe fn new(env: Env, class: Object, tree: Object) -> Option<Asker> {
        const NAME: &CStr = c"ask";
        const SIGNATURE: &CStr = c"(Ldev/ketch/SyckSearch$Tree;II[B)[B";
        // SAFETY: by the caller's contract.
        let method = unsafe {
            let find: GetMethod = function(env, GET_STATIC_METHOD);
            find(env, class, NAME.as_ptr(), SIGNATURE.as_ptr())
        };
        (!method.is_null()).then_some(Asker { env, class, tree, method })
    }

    /// Returns Java's answer. `None` after an exception, which stays pending: every later call returns
    /// `None`, too.
    pub fn ask(&mut self, what: i32, node: i32, name: &[u8]) -> Option<Vec<u8>> {
        if self.method.is_null() {
            return None;
        }
        panics::point();
        let Asker { env, class, tree, method } = *self;
        // SAFETY: the contract of `new`. No exception is pending, because the first one clears the method.
        let answer = unsafe {
            let delete: Delete = function(env, DELETE_LOCAL_REF);
            let name = new_bytes(env, name);
            let arguments = [
                Argument { object: tree },
                Argument { long: i64::from(what) },
                Argument { long: i64::from(node) },
                Argument { object: name },
            ];
            let is_failed = || function::<Check>(env, EXCEPTION_CHECK)(env) != 0;
            if name.is_null() || is_failed() {
                None
            } else {
                let invoke: CallStaticObject = function(env, CALL_STATIC_OBJECT_METHOD);
                let answer = invoke(env, class, method, arguments.as_ptr());
                let is_thrown = is_failed();
                delete(env, name);
                if is_thrown || answer.is_null() {
                    None
                } else {
                    let bytes = bytes_of(env, answer, 0, length(env, answer), Vec::new());
                    delete(env, answer);
                    bytes.ok()
                }
            }
        };
        if answer.is_none() {
            self.method = null_mut();
        }
        answer
    }
}

/// Calls a static method of a class that returns an `int`. `None` after an exception.
///
/// # Safety
/// `env` is the environment of this thread, no exception is pending, and `class` is a class whose
/// method takes these arguments.
unsafe fn call_int(
    env: Env,
    class: Object,
    name: &CStr,
    signature: &CStr,
    arguments: &[Argument],
) -> Option<i32> {
    panics::point();
    // SAFETY: by the caller's contract.
    unsafe {
        let find: GetMethod = function(env, GET_STATIC_METHOD);
        let method = find(env, class, name.as_ptr(), signature.as_ptr());
        if method.is_null() {
            return None;
        }
        let invoke: CallStaticInt = function(env, CALL_STATIC_INT_METHOD);
        let result = invoke(env, class, method, arguments.as_ptr());
        (function::<Check>(env, EXCEPTION_CHECK)(env) == 0).then_some(result)
    }
}

/// Throws the exception for an error that these fields describe: calls `fail(fields)` of a class. An
/// exception that is already pending stays.
///
/// # Safety
/// `env` is the environment of this thread, and `class` a class with that method.
pub unsafe fn fail(env: Env, class: Object, fields: &[u8]) {
    // SAFETY: by the caller's contract.
    unsafe {
        if function::<Check>(env, EXCEPTION_CHECK)(env) != 0 {
            return;
        }
        let fields = new_bytes(env, fields);
        if !fields.is_null() {
            call_int(env, class, c"fail", c"([B)I", &[Argument { object: fields }]);
        }
    }
}

/// Throws an `InternalException` for a panic. An exception that is already pending stays.
///
/// # Safety
/// `env` is the environment of this thread, which is in a call of a class of the library.
#[cold]
pub unsafe fn throw_internal(env: Env, problem: &str) {
    let problem = problem.replace(|char: char| !matches!(char, ' '..='~'), "?");
    let problem = CString::new(problem).unwrap_or_default();
    // SAFETY: by the caller's contract, by which the class is found.
    unsafe {
        if function::<Check>(env, EXCEPTION_CHECK)(env) != 0 {
            return;
        }
        let name = c"dev/ketch/InternalException";
        let class = function::<FindClass>(env, FIND_CLASS)(env, name.as_ptr());
        if !class.is_null() {
            function::<ThrowNew>(env, THROW_NEW)(env, class, problem.as_ptr());
        }
    }
}

/// Copies numbers to the start of an array, if they fit.
///
/// # Safety
/// `env` is the environment of this thread, and `int_array` an `int[]` or null.
pub unsafe fn copy_ints(env: Env, numbers: &[i32], int_array: Object) {
    let count = numbers.len() as i32;
    // SAFETY: by the caller's contract; the range is checked.
    unsafe {
        if count <= length(env, int_array) {
            let set: SetInts = function(env, SET_INT_ARRAY_REGION);
            set(env, int_array, 0, count, numbers.as_ptr());
        }
    }
}

/// What [`poll`] needs to call Java.
#[derive(Clone, Copy, Debug)]
pub struct Poller {
    /// The environment of the call from Java.
    pub env: Env,
    /// A `Runnable`, or null if nothing polls.
    pub poller: Object,
}

thread_local! {
    static POLLER: Cell<Option<Poller>> = const { Cell::new(None) };
}

/// Runs `run` while [`poll`] may call Java.
///
/// # Safety
/// `poller` is of the call that this thread is in.
#[inline]
pub unsafe fn polling<T>(poller: Poller, run: impl FnOnce() -> T) -> T {
    /// Restores the poller of the outer call even if `run` panics.
    struct Restore(Option<Poller>);
    impl Drop for Restore {
        fn drop(&mut self) {
            POLLER.set(self.0);
        }
    }
    let _restore = Restore(POLLER.replace(Some(poller)));
    run()
}

/// Lets Java run. Returns whether an exception of Java is pending.
pub fn poll() -> bool {
    let Some(Poller { env, poller }) = POLLER.get() else { return false };
    if poller.is_null() {
        return false;
    }
    panics::point();
    // SAFETY: `polling` sets the poller only while this thread is in its call. Java is called only if no exception
    // is pending, and `run` has no arguments.
    unsafe {
        let is_thrown = || function::<Check>(env, EXCEPTION_CHECK)(env) != 0;
        if is_thrown() {
            return true;
        }
        let class = function::<FindClass>(env, FIND_CLASS)(env, c"java/lang/Runnable".as_ptr());
        if !class.is_null() {
            let find: GetMethod = function(env, GET_METHOD);
            let run = find(env, class, c"run".as_ptr(), c"()V".as_ptr());
            function::<Delete>(env, DELETE_LOCAL_REF)(env, class);
            if !run.is_null() {
                function::<CallVoid>(env, CALL_VOID_METHOD)(env, poller, run, [].as_ptr());
            }
        }
        is_thrown()
    }
}

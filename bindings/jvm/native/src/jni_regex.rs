//! The functions that JRuby's part calls for regular expressions, `dev.ketch.NativeRegex`. They throw a
//! `RegexFailure`, or what the poller or the stream throws.

use crate::env::{self, Call, Env, Object, Poller};
use crate::guard::guarded_or;
use crate::regex::failure;
use crate::regex::lines::StreamLines;
use crate::regex::pattern::{How, Pattern, search};
use crate::regex::walk::{Walk, push_groups, substitute};
use crate::regex::watch::{self, Stop};
use ketch_host::{panics, reserve};
use ketch_regex::{Captures, Regex};
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};
use std::time::Duration;

/// The bit of the number for a search or walk that says that the text is binary.
const BINARY: i32 = 1 << 8;

/// Longer texts need a reserve of memory.
const LONG_BYTES: i32 = 32 << 10;
/// A search needs memory for its tables, whatever the length of the text.
const TABLES_BYTES: usize = 1 << 20;
/// The memory for texts that a thread keeps.
const KEPT_BYTES: usize = 1 << 20;

/// A call from Java.
#[derive(Clone, Copy)]
struct Caller {
    env: Env,
    class: Object,
}

impl Caller {
    /// Runs a function of Java. A panic or an error becomes an exception, and the result `none`.
    ///
    /// # Safety
    /// The fields are those of the call that this thread is in.
    unsafe fn run<T>(self, none: T, run: impl FnOnce() -> Result<T, Stop>) -> T {
        let fields = match panics::caught(run) {
            Ok(Ok(result)) => return result,
            Ok(Err(Stop::Thrown)) => return none,
            Ok(Err(Stop::Failed(fields))) => fields,
            Err(message) => failure::internal(&message),
        };
        // SAFETY: by the caller's contract.
        unsafe { env::fail(self.env, self.class, &fields) };
        none
    }

    /// Runs a search, during which Java is polled.
    ///
    /// # Safety
    /// As for `run`, and `poller` is a `Runnable`.
    unsafe fn polled<T>(self, poller: Object, none: T, run: impl FnOnce() -> Result<T, Stop>) -> T {
        let poller = Poller { env: self.env, poller };
        // SAFETY: by the caller's contract.
        unsafe { self.run(none, || env::polling(poller, run)) }
    }

    /// Copies a text from Java into memory that it reuses.
    ///
    /// # Safety
    /// As for `run`; the range is in the `byte[]`.
    unsafe fn text(
        self,
        text: Object,
        begin: i32,
        len: i32,
        memory: Vec<u8>,
    ) -> Result<Vec<u8>, Stop> {
        // SAFETY: by the caller's contract.
        let text = unsafe { env::bytes_of(self.env, text, begin, len, memory) };
        text.map_err(|_| no_memory())
    }

    /// Copies a whole array from Java.
    ///
    /// # Safety
    /// As for `run`; the array is a `byte[]` or null.
    unsafe fn whole(self, array: Object) -> Result<Vec<u8>, Stop> {
        // SAFETY: by the caller's contract.
        unsafe { self.text(array, 0, env::length(self.env, array), Vec::new()) }
    }
}

fn no_memory() -> Stop {
    reserve::was_needed();
    Stop::Failed(failure::no_memory())
}

/// Runs a function with a reserve of memory for a text of this length.
fn reserved<T>(len: i32, run: impl FnOnce() -> Result<T, Stop>) -> Result<T, Stop> {
    if len < LONG_BYTES {
        return run();
    }
    let reserve = reserve::hold_for((len as usize).max(TABLES_BYTES)).ok_or_else(no_memory)?;
    let result = run();
    drop(reserve);
    if reserve::was_needed() { Err(no_memory()) } else { result }
}

/// Returns the pattern that a number from Java refers to.
///
/// # Safety
/// `handle` is from `compile`, and not freed while the result is in use.
unsafe fn pattern_of<'h>(handle: i64) -> &'h Pattern {
    // SAFETY: by the caller's contract.
    unsafe { &*(handle as *const Pattern) }
}

/// Returns a compiled form of a pattern.
fn regex_of(pattern: &Pattern, number: i32) -> Result<&Regex, Stop> {
    pattern.regex(number & BINARY != 0).map_err(|error| Stop::Failed(failure::of(&error)))
}

/// Implements `compile(source, encoding, isBroken, converted, extendsAscii, options)`: compiles a pattern.
///
/// # Safety
/// `source` is a `byte[]`, `converted` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_compile(
    env: Env,
    class: Object,
    source: Object,
    encoding: i32,
    is_broken: u8,
    converted: Object,
    extends_ascii: u8,
    options: i32,
) -> i64 {
    let caller = Caller { env, class };
    let run = || {
        // SAFETY: by the caller's contract.
        let (source, copy) = unsafe { (caller.whole(source)?, caller.whole(converted)?) };
        if is_broken != 0 {
            let fields = failure::whole("invalid multibyte character", &source);
            return Err(Stop::Failed(fields));
        }
        let copy = (!converted.is_null()).then_some(&copy[..]);
        let pattern = reserved(LONG_BYTES, || {
            Pattern::new(&source, encoding, copy, extends_ascii != 0, options as u32)
                .map_err(Stop::Failed)
        })?;
        Ok(Box::into_raw(Box::new(pattern)) as i64)
    };
    // SAFETY: by the caller's contract.
    unsafe { caller.run(0, run) }
}

/// Implements `facts(pattern)`: see [`Pattern::facts`].
///
/// # Safety
/// `pattern` is from `compile`, and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_facts(
    env: Env,
    class: Object,
    pattern: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    unsafe {
        let run = || Ok(env::new_bytes(env, &pattern_of(pattern).facts()));
        Caller { env, class }.run(null_mut(), run)
    }
}

/// Implements `free(pattern)`: frees a pattern.
///
/// # Safety
/// `pattern` is from `compile`, and never used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_free(env: Env, _: Object, pattern: i64) {
    guarded_or!(env, (), || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(pattern as *mut Pattern) });
    });
}

thread_local! {
    /// Memory for the text and the groups of a search.
    static MEMORY: Cell<(Vec<u8>, Captures, Vec<i32>)> = Cell::default();
}

/// Implements `search(pattern, how, text, begin, length, from, seconds, poller, slots)`: returns whether there is a
/// match, and copies the start and end of each group to `slots`. The positions count from `begin`.
///
/// # Safety
/// `pattern` is from `compile`, and not freed; the range is in the `byte[]`, and `from` in the range; `poller` is a
/// `Runnable`, and `slots` an `int[]`, or null for a test.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_search(
    env: Env,
    class: Object,
    pattern: i64,
    how: i32,
    text: Object,
    begin: i32,
    len: i32,
    from: i32,
    seconds: f64,
    poller: Object,
    slots: Object,
) -> u8 {
    let caller = Caller { env, class };
    let run = || {
        let (memory, mut captures, mut numbers) = MEMORY.take();
        // SAFETY: by the caller's contract.
        let (text, pattern) =
            unsafe { (caller.text(text, begin, len, memory)?, pattern_of(pattern)) };
        let found = reserved(len, || {
            let regex = regex_of(pattern, how)?;
            watch::watched(watch::limit(seconds), || {
                search(regex, &text, from as usize, How::of(how & !BINARY), &mut captures)
            })
        })?;
        if found && !slots.is_null() {
            numbers.clear();
            push_groups(&captures, &mut numbers);
            // SAFETY: by the caller's contract.
            unsafe { env::copy_ints(env, &numbers, slots) };
        }
        if text.capacity() <= KEPT_BYTES {
            MEMORY.set((text, captures, numbers));
        }
        Ok(u8::from(found))
    };
    // SAFETY: by the caller's contract.
    unsafe { caller.polled(poller, 0, run) }
}

/// A walk through a text that it owns.
struct Walking {
    /// `None` only while this is dropped.
    walk: Option<Walk<'static>>,
    text: NonNull<[u8]>,
    regex: NonNull<Regex>,
    /// The error after the results of the last call.
    failed: Option<Stop>,
}

impl Walking {
    fn new(which: i32, regex: Regex, text: Vec<u8>, limit: i64) -> Walking {
        let text = NonNull::from(Box::leak(text.into_boxed_slice()));
        let regex = NonNull::from(Box::leak(Box::new(regex)));
        // SAFETY: both live until `drop`, which drops the walk first; nothing changes them.
        let walk = unsafe { Walk::new(which, regex.as_ref(), text.as_ref(), limit as isize) };
        Walking { walk: Some(walk), text, regex, failed: None }
    }

    /// Returns the numbers of up to `most` results, and the number of these results.
    fn results(&mut self, most: i32, limit: Option<Duration>) -> Result<(Vec<i32>, i32), Stop> {
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        let (mut numbers, mut count) = (Vec::new(), 0);
        let Some(walk) = &mut self.walk else { return Ok((numbers, 0)) };
        while count < most {
            match walk.advance(&mut numbers, limit) {
                Ok(true) => count += 1,
                Ok(false) => break,
                // Java gets the results before the error first.
                Err(failed @ Stop::Failed(_)) if count > 0 => {
                    self.failed = Some(failed);
                    break;
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok((numbers, count))
    }
}

impl Drop for Walking {
    fn drop(&mut self) {
        self.walk = None;
        // SAFETY: `new` leaked both boxes, and the walk, which borrowed from them, is gone.
        unsafe {
            drop(Box::from_raw(self.text.as_ptr()));
            drop(Box::from_raw(self.regex.as_ptr()));
        }
    }
}

/// Implements `walk(pattern, which, text, begin, length, limit)`: starts a walk.
///
/// # Safety
/// `pattern` is from `compile`, and not freed; the range is in the `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_walk(
    env: Env,
    class: Object,
    pattern: i64,
    which: i32,
    text: Object,
    begin: i32,
    len: i32,
    limit: i64,
) -> i64 {
    let caller = Caller { env, class };
    let run = || {
        reserved(len, || {
            // SAFETY: by the caller's contract.
            let text = unsafe { caller.text(text, begin, len, Vec::new())? };
            // SAFETY: by the caller's contract.
            let regex = regex_of(unsafe { pattern_of(pattern) }, which)?.clone();
            let walking = Walking::new(which & !BINARY, regex, text, limit);
            Ok(Box::into_raw(Box::new(walking)) as i64)
        })
    };
    // SAFETY: by the caller's contract.
    unsafe { caller.run(0, run) }
}

/// Implements `next(walk, width, seconds, poller, slots)`: copies the next results, of `width` numbers each, to
/// `slots`. Returns their number, which is 0 at the end.
///
/// # Safety
/// `walk` is from `walk`, not closed, and used by no other thread; `poller` is a `Runnable`, and `slots` an
/// `int[]` for at least one result.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_next(
    env: Env,
    class: Object,
    walk: i64,
    width: i32,
    seconds: f64,
    poller: Object,
    slots: Object,
) -> i32 {
    let caller = Caller { env, class };
    // SAFETY: by the caller's contract.
    let walking = unsafe { &mut *(walk as *mut Walking) };
    let run = || {
        // SAFETY: by the caller's contract.
        let most = unsafe { env::length(env, slots) } / width.max(1);
        let len = walking.text.len() as i32;
        let (numbers, count) = reserved(len, || walking.results(most, watch::limit(seconds)))?;
        // SAFETY: by the caller's contract.
        unsafe { env::copy_ints(env, &numbers, slots) };
        Ok(count)
    };
    // SAFETY: by the caller's contract.
    unsafe { caller.polled(poller, 0, run) }
}

/// Implements `closeWalk(walk)`: frees a walk.
///
/// # Safety
/// `walk` is from `walk`, used by no other thread, and never used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_closeWalk(
    env: Env,
    class: Object,
    walk: i64,
) {
    let run = || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(walk as *mut Walking) });
        Ok(())
    };
    // SAFETY: by the caller's contract.
    unsafe { Caller { env, class }.run((), run) }
}

/// Implements `substitute(pattern, which, text, begin, length, template, most, seconds, poller, slots)`: returns the
/// text with the first `most` matches replaced by a template, or null if there are none, and copies the groups of
/// the last match to `slots`.
///
/// # Safety
/// As for `search`; `template` is a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_substitute(
    env: Env,
    class: Object,
    pattern: i64,
    which: i32,
    text: Object,
    begin: i32,
    len: i32,
    template: Object,
    most: i32,
    seconds: f64,
    poller: Object,
    slots: Object,
) -> Object {
    let caller = Caller { env, class };
    let run = || {
        // SAFETY: by the caller's contract.
        let (text, template, pattern) = unsafe {
            (
                caller.text(text, begin, len, Vec::new())?,
                caller.whole(template)?,
                pattern_of(pattern),
            )
        };
        let replaced = reserved(len, || {
            let (regex, limit) = (regex_of(pattern, which)?, watch::limit(seconds));
            substitute(regex, &text, &template, most as usize, limit)
        })?;
        let Some((replaced, last)) = replaced else { return Ok(null_mut()) };
        if i32::try_from(replaced.len()).is_err() {
            return Err(no_memory());
        }
        let mut numbers = Vec::new();
        push_groups(&last, &mut numbers);
        // SAFETY: by the caller's contract.
        unsafe {
            env::copy_ints(env, &numbers, slots);
            Ok(env::new_bytes(env, &replaced))
        }
    };
    // SAFETY: by the caller's contract.
    unsafe { caller.polled(poller, null_mut(), run) }
}

/// Implements `lines(pattern, maxLineBytes, chomps)`: prepares the lines of a stream.
///
/// # Safety
/// `pattern` is from `compile`, and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_lines(
    env: Env,
    class: Object,
    pattern: i64,
    max_line_bytes: i64,
    chomps: u8,
) -> i64 {
    let run = || {
        // SAFETY: by the caller's contract.
        let regex = regex_of(unsafe { pattern_of(pattern) }, 0)?.clone();
        let most = usize::try_from(max_line_bytes).unwrap_or(usize::MAX);
        Ok(Box::into_raw(Box::new(StreamLines::new(regex, most, chomps != 0))) as i64)
    };
    // SAFETY: by the caller's contract.
    unsafe { Caller { env, class }.run(0, run) }
}

/// Implements `nextLine(lines, feed, buffer, seconds, poller)`: returns the next line, or null at the end.
///
/// # Safety
/// `lines` is from `lines`, not closed, and used by no other thread; `feed` is a `Feed`, `buffer` its buffer, and
/// `poller` a `Runnable`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_nextLine(
    env: Env,
    class: Object,
    lines: i64,
    feed: Object,
    buffer: Object,
    seconds: f64,
    poller: Object,
) -> Object {
    // SAFETY: by the caller's contract.
    let lines = unsafe { &mut *(lines as *mut StreamLines) };
    let call = Call { env, class, feed, buffer };
    let run = || {
        reserved(LONG_BYTES, || {
            let pipe = lines.pipe();
            // SAFETY: by the caller's contract.
            let line = unsafe { pipe.with(call, || lines.advance(watch::limit(seconds)))? };
            // SAFETY: by the caller's contract.
            Ok(line.map_or(null_mut(), |line| unsafe { env::new_bytes(env, line) }))
        })
    };
    // SAFETY: by the caller's contract.
    unsafe { Caller { env, class }.polled(poller, null_mut(), run) }
}

/// Implements `closeLines(lines)`: frees the lines of a stream.
///
/// # Safety
/// `lines` is from `lines`, used by no other thread, and never used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeRegex_closeLines(
    env: Env,
    class: Object,
    lines: i64,
) {
    let run = || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(lines as *mut StreamLines) });
        Ok(())
    };
    // SAFETY: by the caller's contract.
    unsafe { Caller { env, class }.run((), run) }
}

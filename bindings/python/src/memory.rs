//! The memory that loads use again: for a text of a few bytes, allocating it would take as long as
//! reading the text.

use crate::host::{Leased, Pool};
use crate::keys::Keys;
use ketch_yaml::Buffers;
use pyo3::prelude::*;
use std::mem::take;
use std::ops::{Deref, DerefMut};

/// Memory that no load uses.
static POOL: Pool<Memory> = Pool::new();

/// A longer stack is freed, as are the frames of deeper nesting.
const KEPT_MAX: usize = 4096;

/// The memory of a load.
#[derive(Debug, Default)]
struct Memory {
    keys: Keys,
    parser: Buffers,
    /// Empty. The values of a load are bound to the interpreter.
    stack: Vec<Py<PyAny>>,
    frames: Vec<Frame>,
}

/// An open collection.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Where its values start on the stack.
    pub start: usize,
    pub is_mapping: bool,
    pub anchor: Option<u32>,
    pub is_tagged: bool,
}

/// Memory in use, of which the [`Keys`] are always needed. No other load uses it: one in another
/// thread, or one that a finalizer starts, gets its own.
#[derive(Debug)]
pub struct Lease(Leased<Memory>);

/// Takes memory that no other load uses.
#[inline(always)]
pub fn lease() -> Lease {
    Lease(POOL.lease())
}

impl Lease {
    /// Takes the buffers of a parser. They have no memory if they were taken already.
    #[inline(always)]
    pub fn take_buffers(&mut self) -> Buffers {
        take(&mut self.0.parser)
    }

    /// Puts the buffers back.
    #[inline(always)]
    pub fn keep_buffers(&mut self, buffers: Buffers) {
        self.0.parser = buffers;
    }

    /// Takes an empty stack of values.
    #[inline(always)]
    pub fn take_stack<'py>(&mut self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        // This does not allocate: values have the same size whether they are bound or not.
        take(&mut self.0.stack).into_iter().map(|value| value.into_bound(py)).collect()
    }

    /// Puts the stack back. Values that are still on it are dropped.
    #[inline(always)]
    pub fn keep_stack(&mut self, mut stack: Vec<Bound<'_, PyAny>>) {
        stack.clear();
        if stack.capacity() <= KEPT_MAX {
            self.0.stack = stack.into_iter().map(Bound::unbind).collect();
        }
    }

    /// Takes memory for open collections.
    #[inline(always)]
    pub fn take_frames(&mut self) -> Vec<Frame> {
        take(&mut self.0.frames)
    }

    /// Puts the memory for open collections back.
    #[inline(always)]
    pub fn keep_frames(&mut self, mut frames: Vec<Frame>) {
        if frames.capacity() <= KEPT_MAX {
            frames.clear();
            self.0.frames = frames;
        }
    }
}

impl Deref for Lease {
    type Target = Keys;

    #[inline(always)]
    fn deref(&self) -> &Keys {
        &self.0.keys
    }
}

impl DerefMut for Lease {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Keys {
        &mut self.0.keys
    }
}

//! Memory that loads reuse: for a text of a few bytes, allocating it would take as long as reading
//! the text.

use crate::host::{Leased, Pool};
use crate::keys::Keys;
use ketch_host::load;
use ketch_yaml::Buffers;
use pyo3::prelude::*;
use std::mem::take;
use std::ops::{Deref, DerefMut};

/// The memory that no load is currently using.
static POOL: Pool<Memory> = Pool::new();

/// The maximum capacity of a stack that is kept for the next load.
const KEPT_MAX: usize = 4096;

/// The memory of a load.
#[derive(Debug, Default)]
struct Memory {
    keys: Keys,
    parser: Buffers,
    /// Always empty between loads, because the values of a load are bound to the interpreter.
    stack: Vec<Py<PyAny>>,
    loader: load::Buffers,
}

/// Memory in use. It dereferences to its [`Keys`], which every load needs. Each load has its own:
/// also one in another thread, and one that a finalizer starts.
#[derive(Debug)]
pub struct Lease(Leased<Memory>);

/// Takes memory that no other load is using.
#[inline(always)]
pub fn lease() -> Lease {
    Lease(POOL.lease())
}

impl Lease {
    /// Takes the parser's buffers. If they have already been taken, returns buffers without memory.
    #[inline(always)]
    pub fn take_buffers(&mut self) -> Buffers {
        take(&mut self.0.parser)
    }

    /// Returns the parser's buffers for the next load.
    #[inline(always)]
    pub fn keep_buffers(&mut self, buffers: Buffers) {
        self.0.parser = buffers;
    }

    /// Takes the stack of values, which is empty.
    #[inline(always)]
    pub fn take_stack<'py>(&mut self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        // This does not allocate: values have the same size whether they are bound or not.
        take(&mut self.0.stack).into_iter().map(|value| value.into_bound(py)).collect()
    }

    /// Returns the stack for the next load. Values that are still on it are dropped.
    #[inline(always)]
    pub fn keep_stack(&mut self, mut stack: Vec<Bound<'_, PyAny>>) {
        stack.clear();
        if stack.capacity() <= KEPT_MAX {
            self.0.stack = stack.into_iter().map(Bound::unbind).collect();
        }
    }

    /// Takes the memory of the loader.
    #[inline(always)]
    pub fn take_loader(&mut self) -> load::Buffers {
        take(&mut self.0.loader)
    }

    /// Returns the memory of the loader for the next load.
    #[inline(always)]
    pub fn keep_loader(&mut self, buffers: load::Buffers) {
        if buffers.are_small() {
            self.0.loader = buffers;
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

//! Builds objects directly from the parser's events.

use super::builder::Builder;
use super::subtree::Subtrees;
use crate::errors::Stop;
use crate::interrupt;
use crate::memory::Lease;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_host::load::{self, Loader};
use ketch_yaml::{DuplicateKeys, Parser};
use pyo3::prelude::*;

/// Returns whether the options allow loading from events: only the composer can ignore duplicate
/// keys.
pub fn suffice(options: &LoadOptions) -> bool {
    load::suffice(&options.compose)
        && options.compose.duplicate_keys != DuplicateKeys::Off
        && !options.decimals
}

/// The maximum length in bytes of a text that is read so fast that signals can wait. The parser has
/// the same limit.
const SHORT_BYTES: usize = 32 * 1024;

/// Loads all documents, and returns their values on the stack of the lease, to which it should be
/// returned.
pub fn documents<'py>(
    py: Python<'py>,
    source: &Source<'_>,
    options: &LoadOptions,
    lease: &mut Lease,
) -> Result<Vec<Bound<'py, PyAny>>, Stop> {
    with_subtrees(py, source, (options, lease), &mut None)
}

/// Loads all documents, as [`documents`] does. Nodes whose tags have a constructor are left to
/// `subtrees`.
pub fn with_subtrees<'py>(
    py: Python<'py>,
    source: &Source<'_>,
    (options, lease): (&LoadOptions, &mut Lease),
    subtrees: &mut Option<Subtrees<'py>>,
) -> Result<Vec<Bound<'py, PyAny>>, Stop> {
    let text = source.bytes();
    let mut parser = Parser::with_buffers(text, &options.parse, lease.take_buffers());
    let (mut buffers, stack) = (lease.take_loader(), lease.take_stack(py));
    let builder = Builder::new(py, source, options, (&mut *lease, stack), subtrees);
    let mut loader = Loader::new(builder, &options.compose, &[], &mut buffers);
    let is_short = text.len() <= SHORT_BYTES;
    while let Some(chunk) = parser.next_chunk()? {
        loader.chunk(&chunk)?;
        match is_short {
            true => interrupt::check_memory()?,
            false => interrupt::check(py)?,
        }
    }
    let stack = loader.into_make().stack;
    lease.keep_loader(buffers);
    lease.keep_buffers(parser.into_buffers());
    Ok(stack)
}

//! Builds objects directly from the parser's events.

use super::builder::Builder;
use super::stop::Stop;
use crate::memory::{Buffers, Memory};
use crate::options::LoadOptions;
use crate::ruby;
use ketch_host::breaks::Kept;
use ketch_host::load::{self, Loader};
use ketch_yaml::{DuplicateKeys, Parser};

/// Returns whether the options allow loading from events: only the composer can ignore duplicate
/// keys.
pub fn suffice(options: &LoadOptions) -> bool {
    load::suffice(&options.compose) && options.compose.duplicate_keys != DuplicateKeys::Off
}

/// Loads the first document, or all if `first_only` is false, onto the stack. Returns the offset at
/// which it stopped. `kept` holds the contents of the scalars that span a separator. Checks for
/// interrupts after each chunk.
pub fn documents(
    text: &[u8],
    kept: &[Kept],
    first_only: bool,
    options: &LoadOptions,
    memory: &Memory,
    buffers: &mut Buffers,
) -> Result<usize, Stop> {
    let mut parser = Parser::with_options(text, &options.parse);
    // This is created before `run`, since the frames that an exception unwinds must not own
    // anything.
    let builder = Builder::new(options, text.len(), first_only, memory);
    let mut loader = Loader::new(builder, &options.compose, kept, &mut buffers.load);
    let result = ruby::run(|| {
        while let Some(chunk) = parser.next_chunk()? {
            loader.chunk(&chunk)?;
            ruby::check_interrupts();
        }
        Ok(())
    });
    match result {
        Ok(()) | Err(Stop::Enough) => Ok(loader.into_make().end),
        Err(stop) => Err(stop),
    }
}

//! Formats generated code.

use crate::codegen::Error;
use std::panic;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The maximum number of declarations that wait to be formatted.
const PENDING_MAX: usize = 64;

/// Formats the declarations that `generate` sends, and appends them to `code` in the same order.
///
/// Each declaration is parsed on its own, because the syntax tree of all the code of a large schema
/// would take gigabytes. The formatter has a thread of its own, so that its allocations reuse the
/// same memory. In the caller's heap, they would be spread over the gaps between the nodes of the
/// schema, which doubles the time per declaration for a schema of 2 MB.
pub(super) fn formatted(
    mut code: String,
    generate: impl FnOnce(&SyncSender<String>),
) -> Result<String, Error> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(PENDING_MAX);
        let formatter = scope.spawn(move || format_into(&mut code, &receiver).map(|()| code));
        generate(&sender);
        drop(sender);
        formatter.join().unwrap_or_else(|reason| panic::resume_unwind(reason))
    })
}

/// Formats declarations and appends them to `code`, until the channel is closed.
fn format_into(code: &mut String, declarations: &Receiver<String>) -> Result<(), Error> {
    for declaration in declarations {
        let file = syn::parse_file(&declaration)
            .map_err(|error| Error::Layout(format!("{error}\n{declaration}")))?;
        code.push_str(&prettyplease::unparse(&file));
    }
    Ok(())
}

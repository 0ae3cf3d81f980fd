//! The extension of the Python package `ketch`. The package's modules are its public interface.

mod document;
mod dump;
mod edit;
mod errors;
mod events;
mod extprot;
mod facts;
mod files;
mod host;
mod interrupt;
mod keys;
mod load;
mod memory;
mod options;
mod origin;
mod panics;
mod source;
mod times;
// With the limited API, which gives no access to the memory of strings, this is not used.
#[cfg_attr(feature = "abi3", allow(dead_code))]
mod utf8;

use ketch_host::reserve::Reserving;
use load::{Loads, LoadsAll};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicI64, Ordering};

/// Makes Python raise `MemoryError` when memory runs out, instead of ending the process.
#[global_allocator]
static ALLOCATOR: Reserving = Reserving;

/// The number of the interpreter that has imported the module, or -1.
static FIRST: AtomicI64 = AtomicI64::new(-1);

/// The compiled part of ketch.
#[pymodule]
mod _ketch {
    use super::*;

    /// Raises an `ImportError` in a second interpreter of the process, since classes and strings
    /// are kept for all calls.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let own = host::interpreter(module.py());
        let first = FIRST.compare_exchange(-1, own, Ordering::Relaxed, Ordering::Relaxed);
        match first {
            Err(other) if other != own => Err(PyImportError::new_err(
                "only one interpreter of a process can import ketch, and another one has",
            )),
            _ => {
                panics::adopt(module.py())?;
                host::add_function::<Loads>(module)?;
                host::add_function::<LoadsAll>(module)
            }
        }
    }

    #[pymodule_export]
    use crate::document::{Tree, trees};
    #[pymodule_export]
    use crate::dump::{dumps, dumps_all, pyyaml_document};
    #[pymodule_export]
    use crate::edit::EditSession;
    #[pymodule_export]
    use crate::events::{events, events_until};
    #[pymodule_export]
    use crate::extprot::{
        ExtprotProgram, extprot_batch, extprot_dumps, extprot_loads, extprot_schema_source,
    };
    #[pymodule_export]
    use crate::files::replace_file;
    #[pymodule_export]
    use crate::load::{
        DocumentReader, QueryProgram, QueryResults, conversion_error, pyyaml_breaks, pyyaml_values,
    };
    #[pymodule_export]
    use crate::panics::plant_panic;
}

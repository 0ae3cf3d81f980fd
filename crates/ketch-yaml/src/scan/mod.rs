//! Scanning: finding where a token ends. Scanners keep no state: one that reaches the end of the
//! buffer is simply run again after more input has arrived.

pub(crate) mod block;
pub(crate) mod class;
pub(crate) mod plain;
pub(crate) mod quoted;
pub(crate) mod text;
pub(crate) mod window;

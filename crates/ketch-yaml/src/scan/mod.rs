//! Scanning, which finds the ends of tokens. Scanners keep no state. A scanner that reaches the end
//! of the buffer runs again after more input has arrived.

pub(crate) mod block;
pub(crate) mod class;
pub(crate) mod plain;
pub(crate) mod quoted;
pub(crate) mod text;
pub(crate) mod window;

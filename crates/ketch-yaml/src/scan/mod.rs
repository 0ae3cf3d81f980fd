//! Scanning: where a token ends. Nothing here changes any state, so a scan that runs into the end
//! of the bytes at hand is simply made again when there are more.

pub(crate) mod block;
pub(crate) mod class;
pub(crate) mod plain;
pub(crate) mod quoted;
pub(crate) mod text;
pub(crate) mod window;

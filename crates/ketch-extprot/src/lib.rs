//! The extprot binary format.
#![forbid(unsafe_code)]

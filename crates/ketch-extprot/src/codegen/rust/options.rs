//! The settings of the generator for Rust.

/// How strings look in generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strings {
    /// `Vec<u8>` and `&[u8]`: extprot strings are any bytes.
    #[default]
    Bytes,
    /// `String` and `&str`: reading others fails.
    Utf8,
}

/// The options of [`rust`](super::rust).
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How strings look.
    pub strings: Strings,
    /// Leaves the borrowed variants out.
    pub no_borrowed: bool,
}

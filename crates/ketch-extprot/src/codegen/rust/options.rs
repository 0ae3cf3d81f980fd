//! The settings of the generator for Rust.

/// The type of strings in generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strings {
    /// `Vec<u8>` and `&[u8]`, since extprot strings may contain any bytes.
    #[default]
    Bytes,
    /// `String` and `&str`. Reading a string that is not UTF-8 fails.
    Utf8,
}

/// The options of [`rust`](super::rust).
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The Rust type for strings.
    pub strings: Strings,
    /// Whether to leave out the borrowed variants.
    pub no_borrowed: bool,
}

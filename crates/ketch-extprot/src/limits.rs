//! The limits of reading.

/// The limits of a reader. Each can be raised or lowered, and an error about a limit names it.
///
/// Even with the defaults, memory is linear in the input, because lengths and counts are checked before
/// anything is allocated: a length may not extend past its block, and a block may not have more elements
/// than bytes (specification 9.2, 9.3).
///
/// ```
/// use ketch_extprot::Limits;
/// let limits = Limits { string_length: 1 << 20, ..Limits::default() };
/// assert!(limits.depth > 1000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum length of a string in bytes. Default: none, so only the end of the block around a
    /// string limits its length.
    pub string_length: u64,
    /// The maximum number of elements of a list, array, message or record. Default: none, so only the
    /// length of the block limits it.
    pub num_elements: u64,
    /// The maximum length in bytes that the block of a list, array, message or record declares, which is
    /// L in specification 2.2. Default: none for slices, and 1 GiB for
    /// [`MessageReader`](crate::wire::MessageReader), which holds one message in memory.
    pub message_length: u64,
    /// The maximum depth when reading without a schema. The reader does not recurse; the limit protects
    /// programs that recurse on the result. Default: 10,000.
    pub depth: u64,
    /// The maximum number of values that defaults may add to a message, in addition to one per byte of the
    /// message. Default: 1,000,000.
    pub default_values: u64,
    /// Whether an `int` may use all 64 bits. Default: no, because other extprot readers support only 63.
    pub wide_ints: bool,
    /// Whether to reject bytes that no writer produces: padded vints, and bytes between the last element
    /// of a block and its end. This applies only to reading without a schema. Default: no.
    pub strict: bool,
}

/// The default limits.
pub static DEFAULT_LIMITS: Limits = Limits {
    string_length: u64::MAX,
    num_elements: u64::MAX,
    message_length: u64::MAX,
    depth: 10_000,
    default_values: 1_000_000,
    wide_ints: false,
    strict: false,
};

impl Default for Limits {
    fn default() -> Limits {
        DEFAULT_LIMITS.clone()
    }
}

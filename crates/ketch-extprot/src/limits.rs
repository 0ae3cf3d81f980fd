//! The limits of reading.

/// What a reader accepts. Every limit can be raised or lowered; each error names the one that fired.
///
/// The defaults follow from the input and need no setting: a length never reaches past its block,
/// a block never has more elements than bytes, and both are checked before anything is
/// allocated. So memory is linear in the input whatever the bytes say (specification 9.2, 9.3).
///
/// ```
/// use ketch_extprot::Limits;
/// let limits = Limits { string_length: 1 << 20, ..Limits::default() };
/// assert!(limits.depth > 1000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest string in bytes. Default: none but the block around it.
    pub string_length: u64,
    /// The most elements of a list, array, message or record. Default: none but the block's bytes.
    pub num_elements: u64,
    /// The longest block of a list, array, message or record in bytes: the L of its header.
    /// Default: none when reading slices; [`MessageReader`](crate::wire::MessageReader), which holds
    /// one message in memory, stops at 1 GiB.
    pub message_length: u64,
    /// The deepest nesting when reading without a schema. Nothing recurses, so this guards the
    /// programs that walk the result. Default: 10,000.
    pub depth: u64,
    /// The most values that defaults may add to one message, beyond one for each byte of it.
    /// Default: 1,000,000.
    pub default_values: u64,
    /// Whether `int` may use all 64 bits. Default: no, because other extprot readers hold 63.
    pub wide_ints: bool,
    /// Whether to refuse what no writer produces: padded vints, bytes between the last element of a
    /// block and its end, booleans above 1. Used when reading without a schema. Default: no.
    pub strict: bool,
}

/// The default limits, for readers that are not given any.
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

//! Budgets that grow with the input, so that no real file breaks and no small one explodes.

/// How many of something the input may hold: a base, and so many more for each KiB read so far.
///
/// ```
/// use ketch_yaml::Budget;
/// let nesting = Budget { base: 512, per_kib: 16 };
/// assert!(nesting.allows(512, 0));
/// assert!(!nesting.allows(600, 1024));
/// assert!(nesting.allows(600, 64 * 1024));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Allowed whatever the size of the input.
    pub base: u64,
    /// Allowed in addition for each 1,024 bytes of input.
    pub per_kib: u64,
}

impl Budget {
    /// No limit at all.
    pub const UNLIMITED: Budget = Budget { base: u64::MAX, per_kib: 0 };

    /// The same limit for every input.
    pub const fn fixed(base: u64) -> Budget {
        Budget { base, per_kib: 0 }
    }

    /// The limit for an input of `bytes` bytes.
    pub fn at(self, bytes: u64) -> u64 {
        self.base.saturating_add((bytes / 1024).saturating_mul(self.per_kib))
    }

    /// Whether `count` is within the budget for an input of `bytes` bytes.
    #[inline]
    pub fn allows(self, count: u64, bytes: u64) -> bool {
        count <= self.base || count <= self.at(bytes)
    }
}

/// The limits that reading obeys. All can be set; an error that one of them causes names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deep collections may nest. Default: 1,024 levels and 16 more for each KiB before them.
    pub max_depth: Budget,
    /// How many characters an implicit key may have. Default: 1,024, as YAML 1.2.2 section 7.4.2
    /// says; an explicit key (`? key`) may have any length.
    pub max_implicit_key_chars: u64,
    /// How many bytes one scalar may have. Default, and the most there can be: 2 GiB.
    pub max_scalar_bytes: u64,
    /// How many bytes a reader may hold at once, which bounds a single line or token when the input
    /// is not a slice. Default: as for `max_scalar_bytes`.
    pub max_buffer_bytes: u64,
    /// How many nodes the aliases of a document may stand for, all together, where they are
    /// expanded. Default: 1,000,000 and 4,096 more for each KiB of the document.
    pub max_alias_nodes: Budget,
    /// How many nodes one document may have. Default: no limit but that of memory; they cannot
    /// outnumber the bytes of the input by much.
    pub max_nodes: Budget,
    /// How many bytes the different tags of one document may have all together, their handles
    /// replaced by what `%TAG` declares; and how many bytes of prefixes longer than 256 bytes all
    /// tags of the stream may stand for. Default: 64 KiB and 16 KiB more for each KiB.
    pub max_tag_bytes: Budget,
    /// How many handles the `%TAG` directives of one document may declare. Default: 1,024.
    pub max_tag_handles: u64,
}

/// The most bytes that one scalar may have.
pub(crate) const SCALAR_BYTES_CEILING: u64 = 1 << 31;

/// The most characters that an implicit key may have, and the most bytes: the event of a key has no
/// second word, and 22 bits for its length.
pub(crate) const KEY_CEILING: u64 = (1 << 22) - 1;

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_depth: Budget { base: 1024, per_kib: 16 },
            max_implicit_key_chars: 1024,
            max_scalar_bytes: SCALAR_BYTES_CEILING,
            max_buffer_bytes: SCALAR_BYTES_CEILING,
            max_alias_nodes: Budget { base: 1_000_000, per_kib: 4096 },
            max_nodes: Budget::UNLIMITED,
            max_tag_bytes: Budget { base: 64 << 10, per_kib: 16 << 10 },
            max_tag_handles: 1024,
        }
    }
}

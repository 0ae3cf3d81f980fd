//! Limits, some of which grow with the input. Real files stay below them, and a small malicious file
//! cannot use much memory or time.

/// The maximum number of bytes of an implicit key that is written. The limit in section 7.4.2 is in
/// characters, so counting bytes is stricter.
pub const IMPLICIT_KEY_BYTES: usize = 1024;

/// A limit that grows with the input: a base, and an amount for each KiB read so far.
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
    /// The limit for an empty input.
    pub base: u64,
    /// The amount added for each 1,024 bytes of input.
    pub per_kib: u64,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget { base: u64::MAX, per_kib: 0 };

    /// Returns a limit that is `base` for every input.
    pub const fn fixed(base: u64) -> Budget {
        Budget { base, per_kib: 0 }
    }

    /// Returns the limit for an input of `bytes` bytes.
    pub fn at(self, bytes: u64) -> u64 {
        self.base.saturating_add((bytes / 1024).saturating_mul(self.per_kib))
    }

    /// Returns whether `count` is within the budget for an input of `bytes` bytes.
    #[inline]
    pub fn allows(self, count: u64, bytes: u64) -> bool {
        count <= self.base || count <= self.at(bytes)
    }
}

/// The limits of reading. An error caused by a limit names the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum depth of nested collections. Default: 1,024 levels, and 16 more for each KiB
    /// before the collection.
    pub max_depth: Budget,
    /// The maximum length of an implicit key in characters. An explicit key (`? key`) may have any
    /// length. Default: 1,024, as in YAML 1.2.2, section 7.4.2.
    pub max_implicit_key_chars: u64,
    /// The maximum length of a scalar in bytes. Default and upper bound: 2 GiB.
    pub max_scalar_bytes: u64,
    /// The maximum number of bytes that a parser of a reader buffers, which bounds the length of a line
    /// or token. It does not apply to slices. Default: as for `max_scalar_bytes`.
    pub max_buffer_bytes: u64,
    /// The maximum total number of nodes that result from expanding aliases. Also the maximum
    /// number of nodes by which the results of a path, taken together, may exceed the nodes of the
    /// document. Default: 1,000,000, and 4,096 more for each KiB of the document.
    pub max_alias_nodes: Budget,
    /// The maximum number of nodes in a document. Default: unlimited, since a document cannot have many
    /// more nodes than bytes.
    pub max_nodes: Budget,
    /// The maximum total length of the distinct tags of a document in bytes, with their prefixes
    /// written out. Also the maximum total length of all uses of prefixes longer than 256 bytes in
    /// the stream. Default: 64 KiB, and 16 KiB more for each KiB of input.
    pub max_tag_bytes: Budget,
    /// The maximum number of handles that the `%TAG` directives of a document declare. Default: 1,024.
    pub max_tag_handles: u64,
}

/// A limit, to be changed.
#[derive(Debug)]
pub enum Limit<'l> {
    /// One that grows with the input.
    Budget(&'l mut Budget),
    /// A number.
    Count(&'l mut u64),
}

impl Limits {
    /// Returns all limits with their names, those that grow with the input first.
    pub fn all(&mut self) -> [(&'static str, Limit<'_>); 8] {
        [
            ("max_depth", Limit::Budget(&mut self.max_depth)),
            ("max_alias_nodes", Limit::Budget(&mut self.max_alias_nodes)),
            ("max_nodes", Limit::Budget(&mut self.max_nodes)),
            ("max_tag_bytes", Limit::Budget(&mut self.max_tag_bytes)),
            ("max_tag_handles", Limit::Count(&mut self.max_tag_handles)),
            ("max_implicit_key_chars", Limit::Count(&mut self.max_implicit_key_chars)),
            ("max_scalar_bytes", Limit::Count(&mut self.max_scalar_bytes)),
            ("max_buffer_bytes", Limit::Count(&mut self.max_buffer_bytes)),
        ]
    }

    /// Returns the limit with this name, or `None` if there is none.
    ///
    /// ```
    /// use ketch_yaml::{Limit, Limits};
    ///
    /// let mut limits = Limits::default();
    /// if let Some(Limit::Count(most)) = limits.named("max_scalar_bytes") {
    ///     *most = 1000;
    /// }
    /// assert_eq!(limits.max_scalar_bytes, 1000);
    /// assert!(limits.named("max_lines").is_none());
    /// ```
    pub fn named(&mut self, name: &str) -> Option<Limit<'_>> {
        self.all().into_iter().find(|(known, _)| *known == name).map(|(_, limit)| limit)
    }
}

/// The upper bound of [`Limits::max_scalar_bytes`].
pub const SCALAR_BYTES_CEILING: u64 = 1 << 31;

/// The upper bound of [`Limits::max_implicit_key_chars`], also in bytes: the event of a key has only one
/// word, in which 22 bits hold the length.
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

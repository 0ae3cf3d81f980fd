//! The permissions that a caller of `Ketch::Psych` gives.

use crate::ruby::VALUE;

/// The permissions and options of a call to `Ketch::Psych`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions {
    /// The switches, one bit each, as set by lib/ketch/psych/permissions.rb.
    pub bits: u32,
    /// The `Ketch::Psych::Permissions`. It is an argument of the call, so it stays alive during the
    /// call.
    pub object: VALUE,
}

impl Permissions {
    pub const SYMBOLS: u32 = 1;
    pub const ALIASES: u32 = 1 << 1;
    pub const TIMES: u32 = 1 << 5;
    pub const STRICT_INTEGER: u32 = 1 << 2;
    pub const SYMBOLIZE_NAMES: u32 = 1 << 3;
    pub const FREEZE: u32 = 1 << 4;

    /// Returns whether `bit` is set.
    pub fn has(self, bit: u32) -> bool {
        self.bits & bit != 0
    }

    /// Returns whether symbols are permitted.
    pub fn symbols(self) -> bool {
        self.has(Self::SYMBOLS)
    }

    /// Returns whether aliases are permitted.
    pub fn aliases(self) -> bool {
        self.has(Self::ALIASES)
    }

    /// Returns whether the keys of hashes become symbols.
    pub fn symbolize_names(self) -> bool {
        self.has(Self::SYMBOLIZE_NAMES)
    }

    /// Returns whether values are frozen.
    pub fn freeze(self) -> bool {
        self.has(Self::FREEZE)
    }

    /// Returns whether `1,000` is text, not an integer.
    pub fn is_strict(self) -> bool {
        self.has(Self::STRICT_INTEGER)
    }
}

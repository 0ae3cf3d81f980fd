//! What a caller of `Ketch::Psych` permits.

use crate::ruby::VALUE;

/// The permissions and options of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions {
    /// The switches, as lib/ketch/psych/permissions.rb gives them.
    pub bits: u32,
    /// The `Ketch::Psych::Permissions`, an argument of the call, so it outlives the call.
    pub object: VALUE,
}

impl Permissions {
    pub const SYMBOLS: u32 = 1;
    pub const ALIASES: u32 = 1 << 1;
    pub const TIMES: u32 = 1 << 5;
    pub const STRICT_INTEGER: u32 = 1 << 2;
    pub const SYMBOLIZE_NAMES: u32 = 1 << 3;
    pub const FREEZE: u32 = 1 << 4;

    /// Returns whether a bit is set.
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

    /// Returns whether keys become symbols.
    pub fn symbolize_names(self) -> bool {
        self.has(Self::SYMBOLIZE_NAMES)
    }

    /// Returns whether values are frozen.
    pub fn freeze(self) -> bool {
        self.has(Self::FREEZE)
    }

    /// Returns whether `1,000` is text.
    pub fn is_strict(self) -> bool {
        self.has(Self::STRICT_INTEGER)
    }
}

//! The entries of open collections while they are written.

/// The stack of a host. The entries of a collection are copied to it, so that code of the program that
/// runs meanwhile cannot change them.
pub trait Entries {
    /// What ends the writing.
    type Error;
    /// An object.
    type Value;

    /// Returns the number of values on the stack.
    fn count(&self) -> usize;
    /// Pushes a value.
    fn push(&mut self, value: Self::Value);
    /// Pushes the elements of a list or, if `is_mapping` is true, the keys and values of a mapping,
    /// alternating.
    fn push_all(&mut self, collection: &Self::Value, is_mapping: bool) -> Result<(), Self::Error>;
    /// Returns the value on the stack at `at`.
    fn get(&self, at: usize) -> Self::Value;
    /// Returns the value on the stack at `at`, which may remove it: it is the last one that is needed.
    fn take(&mut self, at: usize) -> Self::Value {
        self.get(at)
    }
    /// Removes values until `count` are left.
    fn truncate(&mut self, count: usize);
    /// Checks for interrupts.
    fn interrupt(&self) -> Result<(), Self::Error>;
}

/// The number of values that are written between two checks for interrupts.
const VALUES_A_TURN: u32 = 4096;

/// Counts the values that are written.
#[derive(Debug, Default)]
pub(crate) struct Turns(u32);

impl Turns {
    /// Counts a value, and checks for interrupts after every few thousand.
    #[inline(always)]
    pub fn take<E: Entries>(&mut self, entries: &E) -> Result<(), E::Error> {
        self.0 = self.0.wrapping_add(1);
        if self.0.is_multiple_of(VALUES_A_TURN) { entries.interrupt() } else { Ok(()) }
    }
}

//! Native memory that Ruby's collector counts.

/// Native memory that belongs to a Ruby object. The collector counts it as it counts Ruby's own
/// memory, until this is dropped. Otherwise, it would let many such objects pile up, because it
/// would see only the few bytes of each in Ruby's heap.
#[derive(Debug)]
pub struct Charge(isize);

impl Charge {
    /// Adds this number of bytes to what the collector counts.
    pub fn of(bytes: usize) -> Charge {
        let bytes = isize::try_from(bytes).unwrap_or(isize::MAX);
        adjust(bytes);
        Charge(bytes)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        adjust(-self.0);
    }
}

/// Changes the number of bytes that the collector counts.
fn adjust(bytes: isize) {
    // SAFETY: only called by a Ruby thread that holds the GVL: while an object is created, and
    // while the collector frees it.
    unsafe { rb_sys::rb_gc_adjust_memory_usage(bytes as _) };
}

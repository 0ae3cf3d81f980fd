//! Native memory that is reported to Ruby's garbage collector.

/// Native memory that belongs to a Ruby object. Until this is dropped, the collector counts the
/// memory as if it were Ruby's own. Otherwise, the collector would see only the few bytes that each
/// object takes in Ruby's heap, and would let many of them pile up.
#[derive(Debug)]
pub struct Charge(isize);

impl Charge {
    /// Adds `bytes` to the number of bytes that the collector counts.
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

/// Changes the number of bytes that the collector counts by `bytes`, which may be negative.
fn adjust(bytes: isize) {
    // SAFETY: only called on a Ruby thread that holds the GVL: while an object is created, or while
    // the collector frees one.
    unsafe { rb_sys::rb_gc_adjust_memory_usage(bytes as _) };
}

//! One file per instruction set, as thin as possible.

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
pub(crate) mod scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

/// Hides from the optimiser that `mask` comes from a vector comparison.
///
/// LLVM sees a movemask as generic code, and moves the shifts and ands after it back into vector
/// registers, which takes about six times as many instructions per line. An empty `asm!` keeps the
/// mask in a general register. It is pure, so an unused mask is still removed.
#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
pub(crate) fn opaque(mut mask: u64) -> u64 {
    // SAFETY: the template is empty; it touches neither memory, stack nor flags.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

/// Returns the mask unchanged. Miri does not support `asm!`, and neither Miri nor other
/// architectures need it.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[inline(always)]
#[allow(dead_code)]
pub(crate) fn opaque(mask: u64) -> u64 {
    mask
}

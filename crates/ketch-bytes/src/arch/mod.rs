//! One file an instruction set, each as thin as the set allows.

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
pub(crate) mod scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

/// Hides from the optimiser that `mask` came out of a vector comparison.
///
/// Taking a mask out of a vector is generic code to LLVM, which then moves the shifts and ands that
/// follow back into vector registers: about six times as many instructions a line. An empty `asm!`
/// keeps the mask in a general register. It is pure, so an unused mask still vanishes.
#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
pub(crate) fn opaque(mut mask: u64) -> u64 {
    // SAFETY: the template is empty; it touches neither memory, stack nor flags.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

/// Miri knows no `asm!`, and needs none.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[inline(always)]
#[allow(dead_code)]
pub(crate) fn opaque(mask: u64) -> u64 {
    mask
}

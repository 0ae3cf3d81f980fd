//! Implements [`Lanes`](crate::Lanes) for each instruction set, with one file per architecture.

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
pub(crate) mod scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

/// Returns `mask`, hiding from the optimizer that it comes from a vector comparison.
///
/// LLVM treats a movemask as ordinary code, and moves the shifts and bitwise operations that follow
/// it back into vector registers, which takes about six times as many instructions per line. An
/// empty `asm!` keeps the mask in a general-purpose register. It is marked as pure, so the compiler
/// can still remove a mask that is not used.
#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
pub(crate) fn opaque(mut mask: u64) -> u64 {
    // SAFETY: the template contains only a comment, so it accesses no memory, stack or flags.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

/// Returns `mask` unchanged. Miri does not support `asm!`, and neither Miri nor the other
/// architectures need it.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[inline(always)]
#[allow(dead_code)]
pub(crate) fn opaque(mask: u64) -> u64 {
    mask
}

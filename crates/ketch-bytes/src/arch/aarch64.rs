//! Implements [`Lanes`] with NEON. NEON has no movemask instruction. Instead, each byte of the
//! result of a comparison is masked to one bit, which its position determines, and pairwise
//! additions turn the 64 bytes into 8 in three steps.

use super::opaque;
use crate::lanes::{BLOCK_BYTES, Lanes};
use crate::level::Kernel;
use core::arch::aarch64::*;

/// Proof that the processor has NEON, which every aarch64 processor has.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

/// Runs `kernel` with NEON. The kernel is inlined into this function.
///
/// # Safety
/// The processor must have NEON.
#[target_feature(enable = "neon")]
pub(crate) unsafe fn run_neon<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Neon(()))
}

/// Runs `kernel` with NEON, in a function that is never inlined.
///
/// # Safety
/// The processor must have NEON.
#[target_feature(enable = "neon")]
#[inline(never)]
unsafe fn outline_neon<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Neon(()))
}

impl Neon {
    /// Returns a mask of the bytes of `block` for which `test` returns 0xFF rather than 0.
    #[inline(always)]
    fn mask(self, block: [uint8x16_t; 4], test: impl Fn(uint8x16_t) -> uint8x16_t) -> u64 {
        const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: the table has 16 bytes, as the load needs; `self` proves that NEON is available.
        unsafe {
            let weights = vld1q_u8(WEIGHTS.as_ptr());
            let bits = block.map(|v| vandq_u8(test(v), weights));
            let low = vpaddq_u8(bits[0], bits[1]);
            let high = vpaddq_u8(bits[2], bits[3]);
            let all = vpaddq_u8(low, high);
            let all = vpaddq_u8(all, all);
            opaque(vgetq_lane_u64::<0>(vreinterpretq_u64_u8(all)))
        }
    }
}

impl Lanes for Neon {
    type Block = [uint8x16_t; 4];

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK_BYTES]) -> Self::Block {
        // SAFETY: the four loads of 16 bytes read exactly the 64 bytes of `bytes`; `self` proves
        // that NEON is available.
        core::array::from_fn(|i| unsafe { vld1q_u8(bytes.as_ptr().add(16 * i)) })
    }

    #[inline(always)]
    fn store(self, block: Self::Block, bytes: &mut [u8; BLOCK_BYTES]) {
        for (i, vector) in block.into_iter().enumerate() {
            // SAFETY: the four stores of 16 bytes write exactly the 64 bytes of `bytes`; `self`
            // proves that NEON is available.
            unsafe { vst1q_u8(bytes.as_mut_ptr().add(16 * i), vector) }
        }
    }

    #[inline(always)]
    fn eq(self, block: Self::Block, byte: u8) -> u64 {
        // SAFETY: `self` proves that NEON is available.
        self.mask(block, |v| unsafe { vceqq_u8(v, vdupq_n_u8(byte)) })
    }

    #[inline(always)]
    fn eq_any<const N: usize>(self, block: Self::Block, bytes: [u8; N]) -> u64 {
        // SAFETY: `self` proves that NEON is available.
        self.mask(block, |v| unsafe {
            let mut any = vceqq_u8(v, vdupq_n_u8(bytes[0]));
            let mut i = 1;
            while i < N {
                any = vorrq_u8(any, vceqq_u8(v, vdupq_n_u8(bytes[i])));
                i += 1;
            }
            any
        })
    }

    #[inline(always)]
    fn le(self, block: Self::Block, byte: u8) -> u64 {
        // SAFETY: `self` proves that NEON is available.
        self.mask(block, |v| unsafe { vcleq_u8(v, vdupq_n_u8(byte)) })
    }

    #[inline(always)]
    fn non_ascii(self, block: Self::Block) -> u64 {
        // SAFETY: `self` proves that NEON is available.
        self.mask(block, |v| unsafe { vcgeq_u8(v, vdupq_n_u8(0x80)) })
    }

    #[inline(always)]
    fn shuffle(self, bytes: [u8; 16], order: &[u8; 16]) -> [u8; 16] {
        let mut shuffled = [0; 16];
        // SAFETY: the loads read and the store writes exactly the 16 bytes of the arrays; `self`
        // proves that NEON is available.
        unsafe {
            let order = vandq_u8(vld1q_u8(order.as_ptr()), vdupq_n_u8(15));
            let moved = vqtbl1q_u8(vld1q_u8(bytes.as_ptr()), order);
            vst1q_u8(shuffled.as_mut_ptr(), moved);
        }
        shuffled
    }

    #[inline(always)]
    fn outline<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that NEON is available.
        unsafe { outline_neon(kernel) }
    }
}

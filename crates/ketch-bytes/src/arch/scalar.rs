//! The scalar implementation, which tests one byte at a time. The vector implementations are tested
//! against it.

use crate::lanes::{BLOCK_BYTES, Lanes};
use crate::level::Kernel;

/// Lanes without vector instructions. They need no processor feature, so any code may create them.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Scalar {
    /// Returns a mask of the bytes of `block` for which `test` returns true.
    #[inline(always)]
    fn mask(block: [u8; BLOCK_BYTES], test: impl Fn(u8) -> bool) -> u64 {
        block.iter().enumerate().fold(0, |mask, (i, &byte)| mask | u64::from(test(byte)) << i)
    }
}

impl Lanes for Scalar {
    type Block = [u8; BLOCK_BYTES];

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK_BYTES]) -> Self::Block {
        *bytes
    }

    #[inline(always)]
    fn store(self, block: Self::Block, bytes: &mut [u8; BLOCK_BYTES]) {
        *bytes = block;
    }

    #[inline(always)]
    fn eq(self, block: Self::Block, byte: u8) -> u64 {
        Self::mask(block, |b| b == byte)
    }

    #[inline(always)]
    fn eq_any<const N: usize>(self, block: Self::Block, bytes: [u8; N]) -> u64 {
        Self::mask(block, |b| bytes.contains(&b))
    }

    #[inline(always)]
    fn le(self, block: Self::Block, byte: u8) -> u64 {
        Self::mask(block, |b| b <= byte)
    }

    #[inline(always)]
    fn non_ascii(self, block: Self::Block) -> u64 {
        Self::mask(block, |b| !b.is_ascii())
    }

    #[inline(never)]
    fn outline<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

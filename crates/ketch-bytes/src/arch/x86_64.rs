//! Implements [`Lanes`] with SSE2, AVX2 and AVX-512. A macro implements the trait for SSE2 and
//! AVX2, which differ in the number of registers per block. In AVX-512, comparisons return masks
//! directly.

use super::opaque;
use crate::lanes::{BLOCK_BYTES, Lanes};
use crate::level::Kernel;
use core::arch::x86_64::*;

/// Proof that the processor has SSE2, which every x86-64 processor has.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(());

/// Proof that the processor has AVX2 and the bit manipulation instructions that were introduced
/// with it.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

/// Proof that the processor has AVX-512 BW and everything that [`Avx2`] proves.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

/// Returns whether the processor has all the instruction sets that [`Avx2`] stands for.
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Returns whether the processor has all the instruction sets that [`Avx512`] stands for.
pub(crate) fn has_avx512() -> bool {
    has_avx2() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
}

/// Runs `kernel` with SSE2, in a function that is never inlined. Without `#[inline(never)]`, it
/// could be inlined into its callers, because they have SSE2 as well.
///
/// # Safety
/// The processor must have SSE2.
#[target_feature(enable = "sse2")]
#[inline(never)]
pub(crate) unsafe fn run_sse2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Sse2(()))
}

/// Runs `kernel` with AVX2.
///
/// # Safety
/// [`has_avx2`] must return true.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) unsafe fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

/// Runs `kernel` with AVX2, in a function that is never inlined.
///
/// # Safety
/// [`has_avx2`] must return true.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
unsafe fn outline_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

/// Runs `kernel` with AVX-512.
///
/// # Safety
/// [`has_avx512`] must return true.
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) unsafe fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// Runs `kernel` with AVX-512, in a function that is never inlined.
///
/// # Safety
/// [`has_avx512`] must return true.
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
unsafe fn outline_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// Returns a block of SSE2 vectors with the 24 bytes of `words`, padded with zeros.
///
/// # Safety
/// The processor must have SSE2.
#[target_feature(enable = "sse2")]
#[inline]
unsafe fn words_sse2(words: [u64; 3]) -> [__m128i; 4] {
    let [a, b, c] = words.map(u64::cast_signed);
    let zero = _mm_setzero_si128();
    [_mm_set_epi64x(b, a), _mm_set_epi64x(0, c), zero, zero]
}

/// Returns a block of AVX2 vectors with the 24 bytes of `words`, padded with zeros.
///
/// # Safety
/// [`has_avx2`] must return true.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
unsafe fn words_avx2(words: [u64; 3]) -> [__m256i; 2] {
    let [a, b, c] = words.map(u64::cast_signed);
    [_mm256_set_epi64x(0, c, b, a), _mm256_setzero_si256()]
}

/// Implements [`Lanes::shuffle`]. SSE2 has no instruction for that, so the bytes are moved one by
/// one.
///
/// # Safety
/// The processor must have SSE2.
#[target_feature(enable = "sse2")]
#[inline]
unsafe fn shuffle_sse2(bytes: [u8; 16], order: &[u8; 16]) -> [u8; 16] {
    order.map(|from| bytes[usize::from(from & 15)])
}

/// Implements [`Lanes::shuffle`] with one instruction.
///
/// # Safety
/// [`has_avx2`] must return true.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
unsafe fn shuffle_avx2(bytes: [u8; 16], order: &[u8; 16]) -> [u8; 16] {
    let mut shuffled = [0; 16];
    // SAFETY: the vectors have the same size as the arrays, any byte is valid in them, and neither
    // the reads nor the write need an alignment.
    unsafe {
        let [bytes, order] =
            [&bytes, order].map(|from| from.as_ptr().cast::<__m128i>().read_unaligned());
        let order = _mm_and_si128(order, _mm_set1_epi8(15));
        _mm_storeu_si128(shuffled.as_mut_ptr().cast(), _mm_shuffle_epi8(bytes, order));
    }
    shuffled
}

/// Implements [`Lanes`] for `$lanes`, whose comparisons return a vector that `$movemask` turns into
/// a mask.
macro_rules! movemask_lanes {
    ($lanes:ty, $vector:ty, $count:literal, $splat:ident, $eq:ident, $or:ident,
     $min:ident, $movemask:ident, $outline:ident, $words:ident, $shuffle:ident) => {
        impl $lanes {
            /// Returns a mask of the highest bit of each byte.
            #[inline(always)]
            fn mask(self, vectors: [$vector; $count]) -> u64 {
                const STEP: usize = BLOCK_BYTES / $count;
                let mut mask = 0u64;
                let mut i = 0;
                while i < $count {
                    // SAFETY: `self` proves that the instruction set is available.
                    let bits = unsafe { $movemask(vectors[i]) } as u32;
                    // `as u32` keeps the bits of the signed result; of these, SSE2 sets only the
                    // lowest 16.
                    mask |= u64::from(bits) << (i * STEP);
                    i += 1;
                }
                opaque(mask)
            }
        }

        // There are no closures below, because a closure that is not inlined is compiled without
        // the instruction set.
        impl Lanes for $lanes {
            type Block = [$vector; $count];

            #[inline(always)]
            fn load(self, bytes: &[u8; BLOCK_BYTES]) -> Self::Block {
                // SAFETY: `Self::Block` has the same size as `bytes`, any bytes are valid in it,
                // and the read needs no alignment.
                unsafe { bytes.as_ptr().cast::<Self::Block>().read_unaligned() }
            }

            #[inline(always)]
            fn load_words(self, words: [u64; 3]) -> Self::Block {
                // SAFETY: `self` proves that the instruction set is available.
                unsafe { $words(words) }
            }

            #[inline(always)]
            fn store(self, block: Self::Block, bytes: &mut [u8; BLOCK_BYTES]) {
                // SAFETY: `Self::Block` has the same size as `bytes`, and the write needs no
                // alignment.
                unsafe { bytes.as_mut_ptr().cast::<Self::Block>().write_unaligned(block) }
            }

            #[inline(always)]
            fn eq(self, mut block: Self::Block, byte: u8) -> u64 {
                for vector in &mut block {
                    // SAFETY: `self` proves that the instruction set is available.
                    *vector = unsafe { $eq(*vector, $splat(byte as i8)) };
                }
                self.mask(block)
            }

            #[inline(always)]
            fn eq_any<const N: usize>(self, mut block: Self::Block, bytes: [u8; N]) -> u64 {
                for vector in &mut block {
                    // SAFETY: `self` proves that the instruction set is available.
                    *vector = unsafe {
                        let mut any = $eq(*vector, $splat(bytes[0] as i8));
                        let mut i = 1;
                        while i < N {
                            any = $or(any, $eq(*vector, $splat(bytes[i] as i8)));
                            i += 1;
                        }
                        any
                    };
                }
                self.mask(block)
            }

            #[inline(always)]
            fn le(self, mut block: Self::Block, byte: u8) -> u64 {
                for vector in &mut block {
                    // As unsigned numbers, `v <= byte` if and only if `min(v, byte) == v`.
                    // SAFETY: `self` proves that the instruction set is available.
                    *vector = unsafe { $eq($min(*vector, $splat(byte as i8)), *vector) };
                }
                self.mask(block)
            }

            #[inline(always)]
            fn non_ascii(self, block: Self::Block) -> u64 {
                self.mask(block)
            }

            #[inline(always)]
            fn shuffle(self, bytes: [u8; 16], order: &[u8; 16]) -> [u8; 16] {
                // SAFETY: `self` proves that the instruction set is available.
                unsafe { $shuffle(bytes, order) }
            }

            #[inline(always)]
            fn outline<K: Kernel>(self, kernel: K) -> K::Output {
                // SAFETY: `self` proves that the instruction set is available.
                unsafe { $outline(kernel) }
            }
        }
    };
}

movemask_lanes!(
    Sse2,
    __m128i,
    4,
    _mm_set1_epi8,
    _mm_cmpeq_epi8,
    _mm_or_si128,
    _mm_min_epu8,
    _mm_movemask_epi8,
    run_sse2,
    words_sse2,
    shuffle_sse2
);
movemask_lanes!(
    Avx2,
    __m256i,
    2,
    _mm256_set1_epi8,
    _mm256_cmpeq_epi8,
    _mm256_or_si256,
    _mm256_min_epu8,
    _mm256_movemask_epi8,
    outline_avx2,
    words_avx2,
    shuffle_avx2
);

impl Lanes for Avx512 {
    type Block = __m512i;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK_BYTES]) -> Self::Block {
        // SAFETY: the load reads exactly the 64 bytes of `bytes`; `self` proves that AVX-512 is
        // available.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    /// Implements [`Lanes::load_text`] with a masked load, which avoids an unpredictable branch on
    /// the length of `text`.
    #[inline(always)]
    fn load_text(self, text: &[u8]) -> Self::Block {
        // SAFETY: the load reads only bytes whose bit is set in `counts`, and `text` has at least
        // that many bytes; `self` proves that AVX-512 BW and BMI2 are available.
        unsafe {
            let counts = _bzhi_u64(u64::MAX, text.len().min(BLOCK_BYTES) as u32);
            _mm512_maskz_loadu_epi8(counts, text.as_ptr().cast())
        }
    }

    #[inline(always)]
    fn store(self, block: Self::Block, bytes: &mut [u8; BLOCK_BYTES]) {
        // SAFETY: the store writes exactly the 64 bytes of `bytes`; `self` proves that AVX-512 is
        // available.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), block) }
    }

    #[inline(always)]
    fn eq(self, block: Self::Block, byte: u8) -> u64 {
        // SAFETY: `self` proves that the instruction set is available.
        opaque(unsafe { _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(byte as i8)) })
    }

    #[inline(always)]
    fn eq_any<const N: usize>(self, block: Self::Block, bytes: [u8; N]) -> u64 {
        // Each comparison returns a mask, and these masks are combined with a bitwise or.
        // SAFETY: `self` proves that the instruction set is available.
        opaque(unsafe {
            let mut any = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(bytes[0] as i8));
            let mut i = 1;
            while i < N {
                any |= _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(bytes[i] as i8));
                i += 1;
            }
            any
        })
    }

    #[inline(always)]
    fn le(self, block: Self::Block, byte: u8) -> u64 {
        // SAFETY: `self` proves that the instruction set is available.
        opaque(unsafe { _mm512_cmple_epu8_mask(block, _mm512_set1_epi8(byte as i8)) })
    }

    #[inline(always)]
    fn non_ascii(self, block: Self::Block) -> u64 {
        // SAFETY: `self` proves that the instruction set is available.
        opaque(unsafe { _mm512_movepi8_mask(block) })
    }

    #[inline(always)]
    fn shuffle(self, bytes: [u8; 16], order: &[u8; 16]) -> [u8; 16] {
        // SAFETY: `self` also proves that AVX2 is available.
        unsafe { shuffle_avx2(bytes, order) }
    }

    #[inline(always)]
    fn outline<K: Kernel>(self, kernel: K) -> K::Output {
        // SAFETY: `self` proves that the instruction set is available.
        unsafe { outline_avx512(kernel) }
    }
}

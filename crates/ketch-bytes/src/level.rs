//! Detects which instruction sets the processor has, and runs kernels with one of them.

use crate::arch;
use crate::lanes::Lanes;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set with which [`dispatch`] can run a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// No vector instructions. All other levels are tested against this one.
    Scalar,
    /// Vectors of 16 bytes, which every x86-64 processor has.
    Sse2,
    /// Vectors of 32 bytes, with bit manipulation (x86-64-v3).
    Avx2,
    /// Vectors of 64 bytes, with comparisons that return masks (AVX-512 BW).
    Avx512,
    /// Vectors of 16 bytes, which every aarch64 processor has.
    Neon,
}

/// The index of the fastest level in [`Level::ALL`], or `u8::MAX` if it has not been detected yet.
static DETECTED: AtomicU8 = AtomicU8::new(u8::MAX);

impl Level {
    /// All levels, in the order of their numbers, so that the index of a level is its number.
    const ALL: [Level; 5] = [Level::Scalar, Level::Sse2, Level::Avx2, Level::Avx512, Level::Neon];

    /// Returns the fastest level that this processor has. The level is detected once; later calls
    /// only load it.
    #[inline]
    pub fn detect() -> Level {
        let known = DETECTED.load(Ordering::Relaxed);
        match Self::ALL.get(usize::from(known)) {
            Some(&level) => level,
            None => Self::detect_now(),
        }
    }

    /// Detects the fastest level that this processor has, and stores it in [`DETECTED`].
    #[cold]
    fn detect_now() -> Level {
        let index = Self::ALL.into_iter().rposition(Level::is_available).unwrap_or(0);
        let level = Self::ALL[index];
        DETECTED.store(level as u8, Ordering::Relaxed);
        level
    }

    /// Returns all levels that this processor has, starting with the scalar one.
    pub fn available() -> impl Iterator<Item = Level> {
        Self::ALL.into_iter().filter(|level| level.is_available())
    }

    /// Returns whether this processor has this level. Under Miri, only the scalar level and the
    /// architecture's baseline are available.
    pub fn is_available(self) -> bool {
        match self {
            Level::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Level::Sse2 => true,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Level::Avx2 => arch::x86_64::has_avx2(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Level::Avx512 => arch::x86_64::has_avx512(),
            #[cfg(target_arch = "aarch64")]
            Level::Neon => true,
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// Returns the name that the level has in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Sse2 => "sse2",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
            Level::Neon => "neon",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An algorithm that is generic over [`Lanes`].
pub trait Kernel {
    /// The result of the algorithm.
    type Output;

    /// Runs the algorithm with `lanes`. Mark it, and all the hot functions that it calls,
    /// `#[inline(always)]`: only code that is inlined is compiled for the instruction set of `L`.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs `kernel` at `level`, or at the scalar level if the processor does not have `level`.
#[inline]
pub fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Output {
    if level as u8 != DETECTED.load(Ordering::Relaxed) && !level.is_available() {
        return arch::scalar::Scalar.outline(kernel);
    }
    match level {
        // SAFETY: the level is `DETECTED`, or `is_available` has just returned true, so the
        // processor has it.
        #[cfg(target_arch = "x86_64")]
        Level::Sse2 => unsafe { arch::x86_64::run_sse2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { arch::x86_64::run_avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { arch::x86_64::run_avx512(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "aarch64")]
        Level::Neon => unsafe { arch::aarch64::run_neon(kernel) },
        _ => arch::scalar::Scalar.outline(kernel),
    }
}

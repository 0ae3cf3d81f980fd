//! Vints (specification 2.1) and zigzag (2.3).
//!
//! A vint has 7 bits in each byte, the least significant group first. The top bit of a byte is set
//! if another byte follows. Vints of three or more bytes are read eight bytes at a time: the
//! position of the first clear top bit gives the length, and three shifts remove the top bits.

/// The maximum length of a vint in bytes: 64 bits in groups of 7.
pub const VINT_BYTES_MAX: usize = 10;

/// Maps signed numbers to unsigned ones, so that numbers near zero stay small: 0, -1, 1, -2 become
/// 0, 1, 2, 3.
///
/// ```
/// use ketch_extprot::wire::vint::{unzigzag, zigzag};
/// assert_eq!([0, -1, 1, -2, 150].map(zigzag), [0, 1, 2, 3, 300]);
/// assert_eq!(unzigzag(u64::MAX), i64::MIN);
/// ```
#[inline]
pub const fn zigzag(n: i64) -> u64 {
    ((n << 1) ^ (n >> 63)) as u64
}

/// Maps unsigned numbers to signed ones. This is the inverse of [`zigzag`].
#[inline]
pub const fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Returns the length of the shortest vint for `n`, which is 1 to 10 bytes.
#[inline]
pub const fn length(n: u64) -> usize {
    // The number of significant bits, divided by 7 and rounded up. The number 0 counts as one bit.
    ((70 - (n | 1).leading_zeros() as usize) * 37) >> 8
}

/// The reason why a vint could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VintError {
    /// The bytes end inside it.
    Eof,
    /// It has more than 10 bytes or more than 64 bits.
    TooLong,
}

/// Reads the vint at the start of `bytes`, and returns it with the bytes after it.
#[inline]
pub fn read(bytes: &[u8]) -> Result<(u64, &[u8]), VintError> {
    match bytes {
        [a, rest @ ..] if *a < 0x80 => Ok((u64::from(*a), rest)),
        [a, b, rest @ ..] if *b < 0x80 => Ok((u64::from(*a & 0x7f) | u64::from(*b) << 7, rest)),
        _ => read_long(bytes),
    }
}

/// Reads a vint of three or more bytes, or an incomplete one.
fn read_long(bytes: &[u8]) -> Result<(u64, &[u8]), VintError> {
    if let Some(chunk) = bytes.first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let stops = !word & 0x8080_8080_8080_8080;
        if stops != 0 {
            let length_bytes = stops.trailing_zeros() as usize / 8 + 1;
            // Clears the bytes after the vint and all top bits, and then joins the groups of bits
            // to groups of 14, 28 and 56 bits.
            let word = word & (stops ^ (stops - 1)) & 0x7f7f_7f7f_7f7f_7f7f;
            let word = (word & 0x007f_007f_007f_007f) | (word & 0x7f00_7f00_7f00_7f00) >> 1;
            let word = (word & 0x0000_3fff_0000_3fff) | (word & 0x3fff_0000_3fff_0000) >> 2;
            let word = (word & 0x0fff_ffff) | (word & 0x0fff_ffff_0000_0000) >> 4;
            return Ok((word, &bytes[length_bytes..]));
        }
    }
    read_bytewise(bytes)
}

/// Reads a vint in a simple loop. It is used near the end of the input and for vints of 9 and 10
/// bytes, and tests compare the other paths with it.
fn read_bytewise(bytes: &[u8]) -> Result<(u64, &[u8]), VintError> {
    let mut n = 0u64;
    for (i, &byte) in bytes.iter().enumerate().take(VINT_BYTES_MAX) {
        let group = u64::from(byte & 0x7f);
        if i == 9 && byte > 1 {
            return Err(VintError::TooLong);
        }
        n |= group << (7 * i);
        if byte < 0x80 {
            return Ok((n, &bytes[i + 1..]));
        }
    }
    Err(if bytes.len() < VINT_BYTES_MAX { VintError::Eof } else { VintError::TooLong })
}

/// Appends `n` as a vint in its shortest form.
///
/// ```
/// let mut out = Vec::new();
/// ketch_extprot::wire::vint::push(&mut out, 300);
/// assert_eq!(out, [0xac, 0x02]);
/// ```
pub fn push(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vints_of_every_length_read_back() {
        for shift in 0..64 {
            for n in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let mut out = Vec::new();
                push(&mut out, n);
                assert_eq!(out.len(), length(n), "{n}");
                assert_eq!(read(&out), Ok((n, &[][..])));
                out.extend([0xff; 9]);
                assert_eq!(read(&out), Ok((n, &[0xff; 9][..])), "{n:#x}");
                assert_eq!(read(&out), read_bytewise(&out));
            }
        }
    }

    #[test]
    fn padded_vints_are_read_and_too_long_ones_rejected() {
        let table: [(&[u8], Result<u64, VintError>); 9] = [
            (&[0x82, 0x00], Ok(2)),
            (&[0x82, 0x80, 0x00], Ok(2)),
            (&[0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], Ok(2)),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], Ok(u64::MAX)),
            (
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
                Err(VintError::TooLong),
            ),
            (&[0x80; 10], Err(VintError::TooLong)),
            (&[0x80; 11], Err(VintError::TooLong)),
            (&[0x80; 9], Err(VintError::Eof)),
            (&[], Err(VintError::Eof)),
        ];
        for (bytes, expected) in table {
            assert_eq!(read(bytes).map(|(n, _)| n), expected, "{bytes:02x?}");
        }
    }

    #[test]
    fn zigzag_maps_the_documented_values() {
        let table =
            [(0, 0), (-1, 1), (1, 2), (-2, 3), (i64::MAX, u64::MAX - 1), (i64::MIN, u64::MAX)];
        for (signed, unsigned) in table {
            assert_eq!(zigzag(signed), unsigned);
            assert_eq!(unzigzag(unsigned), signed);
        }
    }
}

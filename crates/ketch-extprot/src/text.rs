//! Formats scalars for the texts of specification 13.2 and 14.

use std::fmt::{self, Write};

/// An integer with a suffix, which is shown in parentheses if it is negative.
pub(crate) struct Signed(pub(crate) i64, pub(crate) &'static str);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Signed(n, suffix) if *n < 0 => write!(f, "({n}{suffix})"),
            Signed(n, suffix) => write!(f, "{n}{suffix}"),
        }
    }
}

/// Returns `bytes` as a string in quotes. Quotes, backslashes and common control characters have
/// short escapes such as `\n`; other bytes that are not printable ASCII become `\ddd`, in decimal.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for &byte in bytes {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            8 => text.push_str("\\b"),
            0x20..=0x7e => text.push(byte.into()),
            _ => {
                let _ = write!(text, "\\{byte:03}");
            }
        }
    }
    text.push('"');
    text
}

/// Returns the shortest text that reads as the same float. For a NaN other than the usual one, its
/// bits follow.
pub(crate) fn exact_float(x: f64) -> String {
    match x {
        _ if x.is_nan() && x.to_bits() != f64::NAN.to_bits() => {
            format!("nan (0x{:016x})", x.to_bits())
        }
        _ if x.is_nan() => "nan".to_owned(),
        _ => format!("{x:?}"),
    }
}

/// A float that is shown in the format of C's `%.12g`, with a dot at the end if it would otherwise
/// look like an integer.
pub(crate) struct Float(pub(crate) f64);

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0;
        if x.is_nan() {
            return f.write_str("nan");
        }
        if x.is_infinite() {
            return f.write_str(if x < 0.0 { "-inf" } else { "inf" });
        }
        // Twelve significant digits, as `d.ddddddddddde±x`.
        let scientific = format!("{x:.11e}");
        let (mantissa, exponent) = scientific.split_once('e').ok_or(fmt::Error)?;
        let exponent: i32 = exponent.parse().map_err(|_| fmt::Error)?;
        if (-4..12).contains(&exponent) {
            let fixed = format!("{x:.*}", (11 - exponent) as usize);
            let trimmed = trim_zeros(&fixed);
            let dot = if trimmed.contains('.') { "" } else { "." };
            return write!(f, "{trimmed}{dot}");
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(f, "{}e{sign}{:02}", trim_zeros(mantissa), exponent.abs())
    }
}

/// Removes the zeros at the end of a fraction, and also the point if no digits remain after it.
fn trim_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_in_c() {
        let table = [
            (1.0, "1."),
            (-0.0, "-0."),
            (0.1, "0.1"),
            (100778.839918, "100778.839918"),
            (f64::MAX, "1.79769313486e+308"),
            (5e-324, "4.94065645841e-324"),
            (1e12, "1e+12"),
            (123456789012.0, "123456789012."),
            (999999999999.9, "1e+12"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (x, expected) in table {
            assert_eq!(Float(x).to_string(), expected);
        }
    }
}

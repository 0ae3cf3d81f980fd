//! Bytes with numbers and texts, as Java's `DataOutput` writes and `ByteBuffer` reads them: numbers are
//! big-endian, and a text is its length, or -1 for null, and its bytes.

/// Reads packed bytes. Each method returns `None` if they end too early.
#[derive(Debug)]
pub struct Unpacked<'b>(pub &'b [u8]);

impl<'b> Unpacked<'b> {
    /// Returns the next byte; `None` at the end.
    pub fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(array)
    }

    /// Returns the next number.
    pub fn int(&mut self) -> Option<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// Returns the next number of 64 bits.
    pub fn long(&mut self) -> Option<i64> {
        self.array().map(i64::from_be_bytes)
    }

    /// Returns the bytes of the next text; `Some(None)` for null.
    pub fn bytes(&mut self) -> Option<Option<&'b [u8]>> {
        let len = self.int()?;
        let Ok(len) = usize::try_from(len) else { return Some(None) };
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(Some(bytes))
    }

    /// Returns the next text; `None` if it is not UTF-8.
    pub fn text(&mut self) -> Option<Option<&'b str>> {
        match self.bytes()? {
            Some(bytes) => std::str::from_utf8(bytes).ok().map(Some),
            None => Some(None),
        }
    }
}

/// Appends a number.
pub fn put_int(out: &mut Vec<u8>, number: usize) {
    out.extend_from_slice(&i32::try_from(number).unwrap_or(i32::MAX).to_be_bytes());
}

/// Appends a text, or null.
pub fn put_text(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => {
            put_int(out, text.len());
            out.extend_from_slice(text.as_bytes());
        }
        None => out.extend_from_slice(&(-1_i32).to_be_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read_back_and_bytes_that_end_early_are_not() {
        let mut out = vec![7];
        put_int(&mut out, 5);
        put_text(&mut out, Some("é"));
        put_text(&mut out, None);
        let mut packed = Unpacked(&out);
        assert_eq!((packed.byte(), packed.int()), (Some(7), Some(5)));
        assert_eq!((packed.text(), packed.text()), (Some(Some("é")), Some(None)));
        assert_eq!(packed.byte(), None);
        assert_eq!(Unpacked(&[0, 0, 0, 2, b'a']).text(), None);
        assert_eq!(Unpacked(&[0, 0, 0, 1, 0xff]).text(), None);
        assert_eq!(Unpacked(&[0, 0]).int(), None);
    }
}

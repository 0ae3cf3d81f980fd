//! A borrowed view of a value, which finds a field by skipping the fields before it.

use super::reader::Reader;
use crate::error::Result;
use crate::prefix::{Prefix, WireType};

/// A value in a slice that is not decoded. Creating a view reads the prefix of the value, and each step
/// reads only headers.
///
/// ```
/// use ketch_extprot::wire::View;
/// let user = View::new(&[0x01, 0x08, 0x02, 0x00, 0x02, 0x03, 0x03, 0x41, 0x6e, 0x6e])?;
/// assert_eq!(user.field(1)?.expect("two fields").as_bytes()?, b"Ann");
/// assert!(user.field(2)?.is_none());
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct View<'a> {
    prefix: Prefix,
    /// A reader at the prefix of the value.
    reader: Reader<'a, 'static>,
}

impl<'a> View<'a> {
    /// Returns the value at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Result<View<'a>> {
        View::at(&Reader::new(bytes))
    }

    /// Returns the value at the position of `reader`.
    #[inline]
    pub fn at(reader: &Reader<'a, 'static>) -> Result<View<'a>> {
        Ok(View { prefix: reader.peek_prefix()?, reader: reader.clone() })
    }

    /// Returns the tag.
    pub fn tag(&self) -> u64 {
        self.prefix.tag()
    }

    /// Returns the wire type, or `None` if the number is not valid.
    pub fn wire_type(&self) -> Option<WireType> {
        self.prefix.wire_type()
    }

    /// Creates a reader at the value, for typed reads.
    pub fn reader(&self) -> Reader<'a, 'static> {
        self.reader.clone()
    }

    /// Returns the bytes of the value, including its prefix.
    pub fn raw(&self) -> Result<&'a [u8]> {
        self.reader().raw()
    }

    /// Returns the element `index` of a block, such as a field or an argument, or `None` if the block
    /// has fewer elements. In an Assoc, keys have even indexes and values have odd ones. To find the
    /// element, the header of each element before it is read.
    #[inline]
    pub fn field(&self, index: u64) -> Result<Option<View<'a>>> {
        let (mut reader, count) = self.open()?;
        if index >= count {
            return Ok(None);
        }
        for _ in 0..index {
            reader.skip()?;
        }
        View::at(&reader).map(Some)
    }

    /// Returns the elements of a block, one after another.
    pub fn elements(&self) -> Result<Views<'a>> {
        let (reader, remaining) = self.open()?;
        Ok(Views { reader, remaining })
    }

    /// Enters the block. Returns a reader at its first element, and the number of elements.
    #[inline]
    fn open(&self) -> Result<(Reader<'a, 'static>, u64)> {
        let mut reader = self.reader.clone();
        let prefix = reader.prefix()?;
        if !matches!(prefix.wire_number(), 1 | 5 | 7) {
            return Err(self.reader.bad_wire_type(prefix, "a block"));
        }
        let block = reader.enter()?;
        let pairs = prefix.wire_number() == WireType::Assoc as u8;
        let count = block.count().checked_mul(1 + u64::from(pairs));
        // The rest of the block is dropped with the reader, so there is no need to leave it.
        count.map(|count| (reader.clone(), count)).ok_or_else(|| reader.count_error(block.count()))
    }

    /// Returns the value as a `string`, by the rules of specification 4.2.
    pub fn as_bytes(&self) -> Result<&'a [u8]> {
        self.reader().read_string()
    }

    /// Returns the value as an `int`, by the rules of specification 4.2.
    pub fn as_int(&self) -> Result<i64> {
        self.reader().read_int()
    }

    /// Returns the value as a `float`, by the rules of specification 4.2.
    pub fn as_float(&self) -> Result<f64> {
        self.reader().read_float()
    }

    /// Returns the value as a `bool`, by the rules of specification 4.2.
    pub fn as_bool(&self) -> Result<bool> {
        self.reader().read_bool()
    }
}

/// Iterates over the elements of a block. After an error, it yields nothing more.
#[derive(Clone, Debug)]
pub struct Views<'a> {
    reader: Reader<'a, 'static>,
    remaining: u64,
}

impl<'a> Iterator for Views<'a> {
    type Item = Result<View<'a>>;

    fn next(&mut self) -> Option<Result<View<'a>>> {
        if self.remaining == 0 {
            return None;
        }
        self.remaining -= 1;
        let view = View::at(&self.reader);
        let step = view.and_then(|view| self.reader.skip().map(|()| view));
        if step.is_err() {
            self.remaining = 0;
        }
        Some(step)
    }
}

//! Values with their locations.

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range};

/// A value, and its location in the text.
///
/// ```
/// use ketch::Spanned;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Server {
///     port: Spanned<u16>,
/// }
///
/// let server: Server = ketch::from_str("name: x\nport: 80\n").unwrap();
/// assert_eq!((*server.port, server.port.line, server.port.column), (80, 2, 7));
/// assert_eq!(server.port.span(), 14..16);
/// ```
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The offset in bytes of UTF-8 where the value starts in the text.
    pub start: usize,
    /// The offset in bytes of UTF-8 where the value ends.
    pub end: usize,
    /// The line where the value starts, which counts from 1, or 0 if the line is not known.
    pub line: usize,
    /// The column where the value starts, which counts Unicode scalar values from 1.
    pub column: usize,
}

pub(super) const NAME: &str = "$ketch::Spanned";
pub(super) const FIELDS: [&str; 5] = ["start", "end", "line", "column", "value"];

impl<T> Spanned<T> {
    /// Returns the range of the text that contains the value, in bytes of UTF-8.
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the value without its location.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Compares the values. Locations make no difference.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: Serialize> Serialize for Spanned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spanned<T>, D::Error> {
        deserializer.deserialize_struct(NAME, &FIELDS, SpannedVisitor(PhantomData))
    }
}

struct SpannedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SpannedVisitor<T> {
    type Value = Spanned<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a YAML document with a known location")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Spanned<T>, A::Error> {
        let mut place = [0; 4];
        for (slot, name) in place.iter_mut().zip(FIELDS) {
            let key: Option<String> = map.next_key()?;
            if key.as_deref() != Some(name) {
                return Err(de::Error::custom("only Ketch can read `Spanned`"));
            }
            *slot = map.next_value()?;
        }
        map.next_key::<de::IgnoredAny>()?;
        let [start, end, line, column] = place;
        Ok(Spanned { value: map.next_value()?, start, end, line, column })
    }
}

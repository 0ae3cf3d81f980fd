//! Reads and writes the optional version header: two bytes, little endian, before a message
//! (specification 9.4).

use super::Typed;
use crate::error::{Error, Problem, Result};
use crate::limits::Limits;
use crate::schema::{Schema, TypeId};

/// Reads a message with a version header, and returns the version and the value. `versions`
/// contains the message types of version 0, 1, 2 and so on.
pub fn read_framed<'a>(
    schema: &Schema,
    versions: &[TypeId],
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<(u16, Typed<'a>)> {
    let known = versions.len() as u32;
    let Some((header, rest)) = bytes.split_first_chunk::<2>() else {
        return Err(Error::new(Problem::WrongProtocolVersion { known, found: -1 }, 0));
    };
    let version = u16::from_le_bytes(*header);
    let Some(message) = versions.get(usize::from(version)) else {
        let found = version.into();
        return Err(Error::new(Problem::WrongProtocolVersion { known, found }, 0));
    };
    let value = schema.decode(*message, rest, limits).map_err(|error| error.shifted(2))?;
    Ok((version, value))
}

/// Encodes `value` as a message of the given version, with a version header.
pub fn write_framed(
    schema: &Schema,
    versions: &[TypeId],
    version: u16,
    value: &Typed<'_>,
) -> Result<Vec<u8>> {
    let Some(message) = versions.get(usize::from(version)) else {
        let (known, found) = (versions.len() as u32, version.into());
        return Err(Error::unplaced(Problem::WrongProtocolVersion { known, found }));
    };
    let mut writer = crate::wire::Writer::new();
    schema.encode_into(*message, value, &mut writer)?;
    writer.raw(&version.to_le_bytes());
    writer.into_vec()
}

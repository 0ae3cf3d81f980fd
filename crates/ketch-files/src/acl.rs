//! Reads the default ACL of a folder, which limits the permissions of new files.
//!
//! The value of the attribute starts with a version of 4 bytes. Entries of 8 bytes follow: a tag,
//! the permissions, and the number of a user or group. All of these are little-endian
//! (`linux/posix_acl_xattr.h`).

use std::path::Path;

/// The name of the extended attribute that contains a file's ACL.
pub const ACCESS: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";

const HEADER_BYTES: usize = 4;
const ENTRY_BYTES: usize = 8;
const USER_OBJ: u16 = 0x01;
const GROUP_OBJ: u16 = 0x04;
const MASK: u16 = 0x10;
const OTHER: u16 = 0x20;

/// Returns the mode that the default ACL of `folder` allows for a new file, or `None` if there is
/// no such ACL or it cannot be read.
pub fn default_mode(folder: &Path) -> Option<u32> {
    let list = xattr::get(folder, DEFAULT).ok()??;
    mode_of(&list)
}

/// Returns the permissions that `list`, a default ACL, allows, as the bits of a mode. Returns
/// `None` if one of the entries that determine them is missing.
fn mode_of(list: &[u8]) -> Option<u32> {
    let permissions = |wanted: u16| {
        let entries = list.get(HEADER_BYTES..)?.chunks_exact(ENTRY_BYTES);
        let number = |entry: &[u8], at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
        let mut entries = entries.filter(|entry| number(entry, 0) == wanted);
        entries.next().map(|entry| u32::from(number(entry, 2)) & 0o7)
    };
    // If there is a mask entry, it determines the group bits of the mode.
    let group = permissions(MASK).or_else(|| permissions(GROUP_OBJ))?;
    Some(permissions(USER_OBJ)? << 6 | group << 3 | permissions(OTHER)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an access control list as the kernel stores it. Each of `entries` is a tag with its
    /// permissions.
    fn list(entries: &[(u16, u16)]) -> Vec<u8> {
        let mut list = vec![2, 0, 0, 0];
        for (tag, permissions) in entries {
            list.extend(tag.to_le_bytes());
            list.extend(permissions.to_le_bytes());
            list.extend(u32::MAX.to_le_bytes());
        }
        list
    }

    #[test]
    fn the_group_bits_of_the_mode_are_the_mask_of_the_acl() {
        let plain = list(&[(USER_OBJ, 7), (GROUP_OBJ, 5), (OTHER, 0)]);
        assert_eq!(mode_of(&plain), Some(0o750));
        let masked = list(&[(USER_OBJ, 6), (0x02, 7), (GROUP_OBJ, 7), (MASK, 4), (OTHER, 1)]);
        assert_eq!(mode_of(&masked), Some(0o641));
        assert_eq!(mode_of(&[]), None);
    }
}

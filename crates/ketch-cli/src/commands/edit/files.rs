//! Finds the files to edit, which may be given as patterns, folders and lists.

use super::named::refuse_missing;
use crate::files::{Files, add};
use crate::input;
use crate::status::Failure;
use std::fs;

/// Returns all files that `named` and the list `files_from` name, in order. Each file is returned
/// once.
pub fn all(named: &[String], files_from: Option<&str>) -> Result<Files, Failure> {
    refuse_missing(named)?;
    let (mut all, mut is_group) = (Vec::new(), false);
    for name in named {
        is_group |= add(name, &mut all)?;
    }
    if let Some(list) = files_from {
        let text = super::text::text_of(list, input::read(list)?)?;
        for name in text.lines().filter(|name| !name.is_empty()) {
            is_group |= add(name, &mut all)?;
        }
    } else if named.is_empty() {
        let stdin = vec!["-".to_owned()];
        input::expects_files(&stdin)?;
        return Ok(Files { names: stdin, is_group });
    }
    // A symbolic link and the file that it leads to are one file.
    let mut seen = std::collections::HashSet::new();
    all.retain(|name| seen.insert(fs::canonicalize(name).unwrap_or_else(|_| name.into())));
    Ok(Files { names: all, is_group })
}

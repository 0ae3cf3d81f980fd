//! Finds the files to edit, which may be given as patterns, folders and lists.

use crate::input;
use crate::status::Failure;
use std::fs;
use std::path::Path;

/// Returns all files that `named` and the list `files_from` name, in order. Each file is returned
/// once.
pub fn all(named: &[String], files_from: Option<&str>) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for name in named {
        add(name, &mut all)?;
    }
    if let Some(list) = files_from {
        let text = super::text::text_of(list, input::read(list)?)?;
        for name in text.lines().filter(|name| !name.is_empty()) {
            add(name, &mut all)?;
        }
    } else if named.is_empty() {
        let stdin = vec!["-".to_owned()];
        input::expects_files(&stdin)?;
        return Ok(stdin);
    }
    // A symbolic link and the file that it leads to are one file.
    let mut seen = std::collections::HashSet::new();
    all.retain(|name| seen.insert(fs::canonicalize(name).unwrap_or_else(|_| name.into())));
    Ok(all)
}

/// Adds `name` to `all` if it is a file. If it is a folder, adds the YAML files in it, and if it is
/// a pattern, the files that match it.
fn add(name: &str, all: &mut Vec<String>) -> Result<(), Failure> {
    let path = Path::new(name);
    if path.is_dir() {
        return folder(path, all).map_err(|error| Failure::Read(name.to_owned(), error));
    }
    let is_pattern = name.contains(['*', '?', '[']) && !path.exists();
    if !is_pattern {
        all.push(name.to_owned());
        return Ok(());
    }
    let wrong =
        |error: glob::PatternError| Failure::Usage(format!("wrong pattern `{name}`: {error}"));
    let before = all.len();
    for found in glob::glob(name).map_err(wrong)? {
        let found = found.map_err(|error| Failure::Read(name.to_owned(), error.into()))?;
        let is_git = found.components().any(|part| part.as_os_str() == ".git");
        if found.is_file() && (!is_git || name.contains(".git")) {
            all.push(found.to_string_lossy().into_owned());
        }
    }
    match all.len() > before {
        true => Ok(()),
        false => Err(Failure::Usage(format!("no file matches `{name}`"))),
    }
}

/// Adds the YAML files in the folder `path` and its subfolders to `all`, in the order of their
/// names. Symbolic links to folders are not followed.
fn folder(path: &Path, all: &mut Vec<String>) -> std::io::Result<()> {
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        let mut entries = fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut folders = Vec::new();
        for entry in entries {
            let (kind, path) = (entry.file_type()?, entry.path());
            let is_yaml = path.extension().is_some_and(|end| end == "yaml" || end == "yml");
            if kind.is_dir() && entry.file_name() != ".git" {
                folders.push(path);
            } else if is_yaml && path.is_file() {
                all.push(path.to_string_lossy().into_owned());
            }
        }
        open.extend(folders.into_iter().rev());
    }
    Ok(())
}

//! Finds the files that arguments name: files, folders, and patterns such as `**/*.yaml`.

use crate::status::Failure;
use glob::{MatchOptions, Pattern};
use ignore::{DirEntry, WalkBuilder};
use std::path::{Component, Path, PathBuf};

/// The files that the arguments of a command name.
pub struct Files {
    pub names: Vec<String>,
    /// Whether some were found in a folder or by a pattern, so that there may be many.
    pub is_group: bool,
}

/// Returns all files that `named` names, in order. In folders, these are YAML files.
pub fn expand(named: &[String]) -> Result<Files, Failure> {
    expand_to(named, is_yaml)
}

/// Returns all files that `named` names. In folders, these are files of any kind.
pub fn expand_all(named: &[String]) -> Result<Files, Failure> {
    expand_to(named, |_| true)
}

/// Returns all files that `named` names. In folders, these are those that `is_wanted` accepts.
pub fn expand_to(named: &[String], is_wanted: fn(&Path) -> bool) -> Result<Files, Failure> {
    if named.iter().filter(|name| *name == "-").count() > 1 {
        return Err(crate::input::read_twice());
    }
    let mut files = Files { names: Vec::new(), is_group: false };
    for name in named {
        files.is_group |= add_wanted(name, &mut files.names, is_wanted)?;
    }
    Ok(files)
}

/// Returns whether `file` has the extension of YAML.
pub fn is_yaml(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "yaml" || end == "yml")
}

/// Adds `name` to `all` if it is a file. If it is a folder, adds the YAML files in it, and if it is
/// a pattern, the files that match it. Returns whether it is a folder or a pattern.
pub fn add(name: &str, all: &mut Vec<String>) -> Result<bool, Failure> {
    add_wanted(name, all, is_yaml)
}

/// Returns whether `name` has characters of a pattern.
pub fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// Adds the files that `name` names to `all`; in a folder, these are those that `is_wanted` accepts.
/// Returns whether it is a folder or a pattern.
fn add_wanted(
    name: &str,
    all: &mut Vec<String>,
    is_wanted: fn(&Path) -> bool,
) -> Result<bool, Failure> {
    let path = Path::new(name);
    let before = all.len();
    if path.is_dir() {
        walk(path, None, name, all, is_wanted)?;
        if all.len() == before {
            // Reading it fails with a message that says what to do.
            all.push(name.to_owned());
        }
        return Ok(true);
    }
    if name == "-" || !is_pattern(name) || path.exists() {
        all.push(name.to_owned());
        return Ok(false);
    }
    let Ok(pattern) = Pattern::new(name) else {
        all.push(name.to_owned());
        return Ok(false);
    };
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    let is_wild =
        |part: &Component<'_>| part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    let parts: Vec<_> = path.components().collect();
    let base: PathBuf = parts.iter().take_while(|part| !is_wild(part)).collect();
    let depth =
        (!name.contains("**")).then(|| parts.iter().skip_while(|part| !is_wild(part)).count());
    if base.as_os_str().is_empty() || base.is_dir() {
        walk(&base, depth, name, all, |file| pattern.matches_path_with(file, options))?;
    }
    match all.len() > before {
        true => Ok(true),
        false => Err(Failure::Usage(format!("no file matches `{name}`"))),
    }
}

/// Adds the files in the folder `base` and its subfolders that `is_wanted` accepts to `all`, in the
/// order of their names, down to the depth `depth`. Leaves out those that `.gitignore` lists.
/// Symbolic links to folders are not followed. `name` is the argument.
fn walk(
    base: &Path,
    depth: Option<usize>,
    name: &str,
    all: &mut Vec<String>,
    is_wanted: impl Fn(&Path) -> bool,
) -> Result<(), Failure> {
    let takes_git = name.contains(".git");
    let is_here = base.as_os_str().is_empty();
    let entries = WalkBuilder::new(if is_here { Path::new(".") } else { base })
        .hidden(false)
        .require_git(false)
        .max_depth(depth)
        .sort_by_file_name(|one, other| one.cmp(other))
        .filter_entry(move |entry| takes_git || entry.file_name() != ".git")
        .build();
    for entry in entries {
        let entry = entry.map_err(|error| Failure::Read(name.to_owned(), into_io(error)))?;
        let path = entry.path();
        let path = if is_here { path.strip_prefix(".").unwrap_or(path) } else { path };
        if is_wanted(path) && is_file(&entry) {
            all.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// Returns whether `entry` is a file, or a link to one.
fn is_file(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Some(kind) if kind.is_file() => true,
        Some(kind) => kind.is_symlink() && entry.path().is_file(),
        None => false,
    }
}

fn into_io(error: ignore::Error) -> std::io::Error {
    let message = error.to_string();
    match error.into_io_error() {
        // Its message has the path again.
        Some(error) if error.raw_os_error().is_none() => error.kind().into(),
        Some(error) => error,
        None => std::io::Error::other(message),
    }
}

//! Edits values in a YAML text and keeps every other byte.
//!
//! ```
//! use ketch::edit::Edit;
//!
//! let mut edit = Edit::open("image:\n  tag: '1.9'   # pinned\nports: [80]\n")?;
//! edit.at(".image.tag")?.set("1.10")?;
//! edit.at("/ports")?.append(443)?;
//! assert_eq!(edit.finish()?, b"image:\n  tag: '1.10'   # pinned\nports: [80, 443]\n");
//! # Ok::<(), ketch::edit::Error>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | edit a text, and get the new one | [`Edit::open`], [`Edit::finish`] |
//! | edit a file in place | [`Edit::file`], [`Edit::save`] |
//! | edit what a path leads to | [`Edit::at`], [`At`] |
//! | apply a list of edits, all or none | [`Edit::apply`], [`Operation`] |
//! | get the changes | [`Edit::patches`], [`Edit::inverse`], [`unified_diff`] |
//!
//! `docs/editing.md` says what each edit may change, which entry a comment belongs to, and how new
//! text is formatted. A new value can have any type that implements serde's `Serialize`. The layer
//! below, [`ketch_edit`], takes values as YAML text.

mod at;
mod error;
mod file;
#[cfg(test)]
mod tests;

pub use at::At;
pub use error::Error;
pub use ketch_edit::{
    Action, AliasMode, AnchorMode, CommentPlace, Destination, EditError, EditErrorKind, IfAbsent,
    Lists, NewValue, Operation, Patch, Position, Spelling, Style, Transfer, apply_patches,
    patches_to_json, patches_to_lsp, unified_diff,
};
pub use ketch_files::Error as FileError;

use crate::{Path, Value};
use file::Source;
use ketch_yaml::path::Documents;
use serde::Deserialize;
use std::io::{self, Write};

/// The result of an edit.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A YAML text or file that is being edited. See the [module](self).
#[derive(Debug)]
pub struct Edit {
    inner: ketch_edit::Edit,
    file: Option<Source>,
}

impl Edit {
    /// Opens a text in any encoding that YAML allows. The text is parsed by the first operation or,
    /// if there is none, by [`Edit::finish`] or [`Edit::save`].
    ///
    /// # Errors
    ///
    /// Fails if `text` is not valid in its encoding.
    pub fn open(text: impl Into<Vec<u8>>) -> Result<Edit> {
        let inner = ketch_edit::Edit::from_bytes(text.into()).map_err(Error::Refused)?;
        Ok(Edit { inner, file: None })
    }

    /// Opens the file at `path`. [`Edit::save`] replaces its content.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # std::env::set_current_dir(&folder).unwrap();
    /// # std::fs::write("app.yaml", "level: 2  # of 5\n").unwrap();
    /// use ketch::edit::Edit;
    ///
    /// let mut edit = Edit::file("app.yaml")?;
    /// edit.at("level")?.set(3)?;
    /// assert!(edit.save()?);
    /// # assert_eq!(std::fs::read("app.yaml").unwrap(), b"level: 3  # of 5\n");
    /// # Ok::<(), ketch::edit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not a regular file, or is not valid text.
    pub fn file(path: impl AsRef<std::path::Path>) -> Result<Edit> {
        let (source, bytes) = Source::read(path.as_ref())?;
        let Edit { inner, .. } = Edit::open(bytes)?;
        let inner = inner.of_file(&path.as_ref().to_string_lossy());
        Ok(Edit { inner, file: Some(source) })
    }

    /// Returns the nodes that `path` leads to, for edits. Unless it has a selector such as `@1`, a
    /// path leads to nodes of the first document. If it has wildcards, an operation edits each node
    /// that it leads to.
    ///
    /// ```
    /// use ketch::edit::Edit;
    ///
    /// let mut edit = Edit::open("- {name: a, on: true}\n- {name: b, on: true}\n")?;
    /// edit.at("[?name == 'b'].on")?.set(false)?;
    /// assert_eq!(edit.text(), "- {name: a, on: true}\n- {name: b, on: false}\n");
    /// # Ok::<(), ketch::edit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `path` is not a valid [`Path`].
    pub fn at(&mut self, path: &str) -> Result<At<'_>> {
        match path.parse() {
            Ok(parsed) => Ok(self.at_path(parsed)),
            Err(error) => Err(Error::Path(path.to_owned(), error)),
        }
    }

    /// Returns the nodes that `path` leads to, for edits, as [`Edit::at`] does.
    pub fn at_path(&mut self, path: Path) -> At<'_> {
        At::new(self, path)
    }

    /// Applies `operations` in order, each to the result of the previous one. Either all of them
    /// are applied or, if there is an error, none.
    ///
    /// ```
    /// use ketch::edit::{Edit, EditErrorKind, Operation};
    ///
    /// let mut edit = Edit::open("a: 1\nb: 2\n")?;
    /// let operations = Operation::parse_all(
    ///     "[{op: set, path: [a], value: 3}, {op: delete, path: [c]}]",
    /// )?;
    /// let error = edit.apply(&operations).unwrap_err();
    /// assert_eq!(error.kind(), Some(EditErrorKind::NotFound));
    /// assert_eq!(edit.text(), "a: 1\nb: 2\n");
    /// # Ok::<(), ketch::edit::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if an operation is rejected. Then nothing has changed.
    pub fn apply(&mut self, operations: &[Operation]) -> Result<()> {
        self.inner.apply(operations).map_err(Error::Refused)
    }

    /// Returns the current text, with all edits, in UTF-8.
    #[must_use]
    pub fn text(&self) -> &str {
        self.inner.text()
    }

    /// Returns the text as it was when it was opened, in UTF-8.
    #[must_use]
    pub fn original(&self) -> &str {
        self.inner.original()
    }

    /// Returns whether the current text differs from the original.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.inner.is_changed()
    }

    /// Returns the patches that turn the original into the current text. They are sorted and do not
    /// overlap, and their offsets and lengths count bytes of UTF-8.
    #[must_use]
    pub fn patches(&self) -> Vec<Patch> {
        self.inner.patches()
    }

    /// Returns the patches that turn the current text back into the original.
    #[must_use]
    pub fn inverse(&self) -> Vec<Patch> {
        self.inner.inverse()
    }

    /// Writes the current text to `out`, in the encoding of the original.
    ///
    /// # Errors
    ///
    /// Fails if writing to `out` fails.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        self.inner.write_to(out)
    }

    /// Returns the current text, in the encoding of the original.
    ///
    /// # Errors
    ///
    /// Fails if no operation has parsed the text, and the text is not valid YAML.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.parsed()?;
        Ok(self.inner.to_bytes())
    }

    /// Replaces the file if the text has changed, and returns whether it has. The file keeps its
    /// owner, mode, ACL and attributes. At any time, readers see either the old text or the new
    /// one.
    ///
    /// # Errors
    ///
    /// Fails as [`Edit::finish`] does, and if the text was not read from a file, if the file has
    /// changed since it was read, or if it cannot be replaced. In all these cases, the file is
    /// unchanged.
    pub fn save(self) -> Result<bool> {
        self.save_with(&ketch_files::Options::default())
    }

    /// Like [`Edit::save`], but writes into the existing file instead of replacing it, which is
    /// necessary if the file has several hard links.
    ///
    /// # Errors
    ///
    /// Fails as [`Edit::save`] does. If the device fails during the writing, the file may be
    /// corrupt.
    pub fn save_through(self) -> Result<bool> {
        self.save_with(&ketch_files::Options::default().with_write_through(true))
    }

    /// Replaces the file as `options` say if the text has changed, and returns whether it has.
    fn save_with(mut self, options: &ketch_files::Options) -> Result<bool> {
        self.parsed()?;
        let Some(source) = &self.file else { return Err(Error::NoFile) };
        if !self.is_changed() {
            return Ok(false);
        }
        source.replace(options, |out| self.inner.write_to(out))?;
        Ok(true)
    }

    /// Parses the text to check it, unless an operation has already parsed it.
    fn parsed(&mut self) -> Result<()> {
        self.inner.check().map_err(Error::Refused)
    }

    /// Returns the values that `path` leads to in the current text.
    fn values(&self, path: &Path) -> crate::Result<Vec<Value>> {
        let documents = crate::Deserializer::from_str(self.text());
        let mut found = Vec::new();
        for (index, document) in documents.enumerate() {
            let is_meant = match path.documents() {
                None => index == 0,
                Some(Documents::Index(wanted)) => usize::try_from(*wanted) == Ok(index),
                Some(_) => true,
            };
            if is_meant {
                let value = Value::deserialize(document)?;
                found.extend(value.select(path).into_iter().cloned());
            }
        }
        Ok(found)
    }
}

//! A text while it is edited.

use super::error::{EditError, EditErrorKind};
use super::expand::expanded;
use super::operation::Operation;
use super::pieces::{Patch, Pieces, inverse};
use super::scene::Scene;
use super::tree::Tree;
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};

/// A text while it is edited.
///
/// ```
/// use ketch_yaml::edit::{Edit, Operation};
/// use ketch_yaml::path::Path;
///
/// let mut edit = Edit::open("image:\n  tag: '1.9'   # pinned\n")?;
/// let path: Path = "image.tag".parse().unwrap();
/// edit.apply(&[Operation::new("set", path.steps()).with_value("'1.10'")])?;
/// assert_eq!(edit.text(), "image:\n  tag: '1.10'   # pinned\n");
/// # Ok::<(), ketch_yaml::edit::EditError>(())
/// ```
#[derive(Debug)]
pub struct Edit {
    original: String,
    scene: Scene,
    pieces: Pieces,
    encoding: Encoding,
}

impl Edit {
    /// Starts with a text, which is parsed once.
    ///
    /// # Errors
    ///
    /// The parser's first error.
    pub fn open(text: &str) -> Result<Edit, EditError> {
        let scene = Scene::new(text.to_owned())?;
        let pieces = Pieces::new(text.len());
        Ok(Edit { original: text.to_owned(), scene, pieces, encoding: Encoding::Utf8 })
    }

    /// Starts with bytes in any encoding of YAML. Texts and patches are in UTF-8;
    /// [`Edit::to_bytes`] returns to the encoding.
    ///
    /// ```
    /// use ketch_yaml::edit::{Edit, Operation};
    /// use ketch_yaml::path::Step;
    ///
    /// let mut edit = Edit::from_bytes(b"\xFE\xFF\0a\0:\0 \x001")?;
    /// edit.apply(&[Operation::new("set", &[Step::Name("a".into())]).with_value("2")])?;
    /// assert_eq!(edit.to_bytes(), b"\xFE\xFF\0a\0:\0 \x002");
    /// # Ok::<(), ketch_yaml::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The parser's first error.
    pub fn from_bytes(bytes: &[u8]) -> Result<Edit, EditError> {
        let (encoding, _) = Encoding::detect(bytes);
        let mut text = Vec::new();
        let utf8 = match encoding {
            Encoding::Utf8 => Some(bytes),
            _ => match Transcoder::new(encoding).push(bytes, &mut text) {
                Progress::Used(read) if read == bytes.len() => Some(&text[..]),
                _ => None,
            },
        };
        match utf8.and_then(|text| std::str::from_utf8(text).ok()) {
            Some(text) => Ok(Edit { encoding, ..Edit::open(text)? }),
            // The parser says where.
            None => match Tree::parse(bytes) {
                Err(error) => Err(error),
                Ok(_) => Err(EditError::plain(EditErrorKind::Invalid)),
            },
        }
    }

    /// The text with all edits, in the encoding of the bytes that were opened.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.text();
        let wide = || text.encode_utf16();
        match self.encoding {
            Encoding::Utf16Le => wide().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => wide().flat_map(u16::to_be_bytes).collect(),
            Encoding::Utf32Le => text.chars().flat_map(|ch| u32::from(ch).to_le_bytes()).collect(),
            Encoding::Utf32Be => text.chars().flat_map(|ch| u32::from(ch).to_be_bytes()).collect(),
            Encoding::Utf8 => text.as_bytes().to_vec(),
        }
    }

    /// Applies operations in turn, each to the result of the one before: all of them, or none.
    ///
    /// # Errors
    ///
    /// Why the first refused operation is refused. Then nothing changes.
    pub fn apply(&mut self, operations: &[Operation]) -> Result<(), EditError> {
        let before = self.scene.text.clone();
        for (index, operation) in operations.iter().enumerate() {
            if let Err(error) = self.run(operation) {
                self.scene = Scene::new(before)?;
                return Err(error.of_operation(index));
            }
        }
        for patch in self.scene.done.drain(..) {
            self.pieces.apply(&patch);
        }
        Ok(())
    }

    /// Runs an operation on each of its nodes.
    fn run(&mut self, operation: &Operation) -> Result<(), EditError> {
        match expanded(&self.scene.text, self.scene.lenient, operation)? {
            Some(all) => all.iter().try_for_each(|each| self.scene.run(each)),
            None if operation.if_exists && !self.scene.exists(operation)? => Ok(()),
            None => self.scene.run(operation),
        }
    }

    /// The text with all edits.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.scene.text
    }

    /// The patches that turn the original into the text: sorted, without overlap.
    #[must_use]
    pub fn patches(&self) -> Vec<Patch> {
        self.pieces.patches(&self.original)
    }

    /// The original text, in UTF-8.
    #[must_use]
    pub fn original(&self) -> &str {
        &self.original
    }

    /// The patches that turn the text back into the original.
    #[must_use]
    pub fn inverse(&self) -> Vec<Patch> {
        inverse(&self.original, &self.patches())
    }
}

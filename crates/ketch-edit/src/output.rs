//! The results of edits: the text, its bytes, and patches.

use super::pieces::{Patch, inverse};
use super::session::Edit;
use ketch_bytes::encoding::Encoding;
use std::borrow::Cow;
use std::io::{self, Write};

impl Edit {
    /// Returns the current text, with all edits so far.
    #[must_use]
    pub fn text(&self) -> &str {
        if self.pieces.is_original(&self.original) {
            return self.original();
        }
        self.text.get_or_init(|| self.as_opened(self.current().into_owned()))
    }

    /// Returns whether the current text differs from the original.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        !self.patches().is_empty()
    }

    /// Writes the current text to `out`, in the encoding of the bytes that were opened. In UTF-8,
    /// unedited parts are written directly from the original.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        if self.encoding != Encoding::Utf8 || self.with_returns.is_some() {
            return out.write_all(&self.to_bytes());
        }
        self.pieces.chunks(&self.original).try_for_each(|chunk| out.write_all(chunk))
    }

    /// Returns the original bytes, in their original encoding.
    #[must_use]
    pub fn original_bytes(&self) -> Cow<'_, [u8]> {
        match self.encoding {
            Encoding::Utf8 => Cow::Borrowed(self.original().as_bytes()),
            encoding => Cow::Owned(encoded(self.original(), encoding)),
        }
    }

    /// Returns the current text, in the encoding of the bytes that were opened.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 if self.with_returns.is_some() => self.text().as_bytes().to_vec(),
            Encoding::Utf8 => self.pieces.chunks(&self.original).collect::<Vec<_>>().concat(),
            encoding => encoded(self.text(), encoding),
        }
    }

    /// Returns the patches that turn the original text into the current one. They are sorted and do
    /// not overlap.
    #[must_use]
    pub fn patches(&self) -> Vec<Patch> {
        let patches = self.pieces.patches(&self.original).into_iter();
        patches.map(|patch| Patch { new: self.as_opened(patch.new), ..patch }).collect()
    }

    /// Returns the original text, in UTF-8.
    #[must_use]
    pub fn original(&self) -> &str {
        self.with_returns.as_ref().unwrap_or(&self.original)
    }

    /// Returns the patches that turn the current text back into the original text.
    #[must_use]
    pub fn inverse(&self) -> Vec<Patch> {
        inverse(self.original(), &self.patches())
    }

    /// Returns the current text as operations see it: if all line breaks of the opened text are
    /// carriage returns, with line feeds instead.
    pub(super) fn current(&self) -> Cow<'_, str> {
        self.store().text(0..self.pieces.len())
    }

    /// Returns `text` with the kind of line breaks that the opened text has, if they are all
    /// carriage returns.
    fn as_opened(&self, text: String) -> String {
        if self.with_returns.is_some() { text.replace('\n', "\r") } else { text }
    }
}

/// Transcodes `text` to the encoding `encoding`.
fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    let wide = || text.encode_utf16();
    match encoding {
        Encoding::Utf16Le => wide().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => wide().flat_map(u16::to_be_bytes).collect(),
        Encoding::Utf32Le => text.chars().flat_map(|ch| u32::from(ch).to_le_bytes()).collect(),
        Encoding::Utf32Be => text.chars().flat_map(|ch| u32::from(ch).to_be_bytes()).collect(),
        Encoding::Utf8 => text.as_bytes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Edit, Operation, Transfer, apply_patches};
    use ketch_yaml::path::Step;

    #[test]
    fn lone_carriage_returns_are_kept() {
        let text = "a:\r  x: 1   # one\r  y: 2\rb: []\r";
        let mut edit = Edit::from_bytes(text.as_bytes().to_vec()).expect("a text");
        let path = |path: &str| path.parse().expect("a path");
        let moved =
            Operation::at(Action::Move(Transfer::to(vec![Step::Key("a".into())])), &path("b"));
        let edits = [
            Operation::at(Action::Append("- 7".into()), &path("b")),
            moved,
            Operation::at(Action::Delete, &path("a.y")),
        ];
        edit.apply(&edits).expect("an edit");
        let expected = "a:\r  x: 1   # one\r  b:\r    - - 7\r";
        assert_eq!(edit.text(), expected);
        assert_eq!(edit.to_bytes(), expected.as_bytes());
        let mut written = Vec::new();
        edit.write_to(&mut written).expect("a Vec");
        assert_eq!(written, expected.as_bytes());
        assert_eq!((edit.original(), &*edit.original_bytes()), (text, text.as_bytes()));
        assert_eq!(apply_patches(text, &edit.patches()), expected);
        assert_eq!(apply_patches(expected, &edit.inverse()), text);
    }
}

//! Writes text in the layout of PyYAML's emitter.

use super::scalar::{Analysis, BREAKS, Special, Style};
use crate::dump::stop::Stop;
use pyo3::exceptions::PyMemoryError;

/// The spaces from which indentation is copied.
const SPACES: &str = "                                ";

/// The options of a PyYAML dumper that determine the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'o> {
    pub indent: usize,
    pub width: usize,
    pub line_break: &'o str,
    pub special: Special,
}

/// The text written so far, and the state of the emitter. The names are those of PyYAML's emitter.
#[derive(Debug)]
pub(super) struct Emitter<'o> {
    layout: Layout<'o>,
    pub out: String,
    column: usize,
    /// The indentation of the innermost collection.
    pub indent: Option<usize>,
    pub flow_level: usize,
    /// Whether the last character was white space.
    whitespace: bool,
    /// Whether the current line contains only indentation and indicators of collections.
    pub indention: bool,
}

impl<'o> Emitter<'o> {
    /// Creates an emitter at the start of a line.
    pub fn new(layout: Layout<'o>) -> Emitter<'o> {
        Emitter {
            layout,
            out: String::new(),
            column: 0,
            indent: None,
            flow_level: 0,
            whitespace: true,
            indention: true,
        }
    }

    /// Writes a text of `count` characters, without line breaks.
    #[inline(always)]
    fn write(&mut self, text: &str, count: usize) -> Result<(), Stop> {
        if self.out.try_reserve(text.len()).is_err() {
            return Err(Stop::Python(PyMemoryError::new_err(())));
        }
        self.out.push_str(text);
        self.column += count;
        Ok(())
    }

    /// Writes an indicator, which must be ASCII. If `needs_space` is true, a space comes before it.
    #[inline(always)]
    pub fn indicator(&mut self, text: &str, needs_space: bool) -> Result<(), Stop> {
        self.indicator_with(text, needs_space, false, false)
    }

    /// Writes an indicator. `whitespace` is whether it counts as white space for what follows, and
    /// `indention` whether it counts as indentation.
    #[inline(always)]
    pub fn indicator_with(
        &mut self,
        text: &str,
        needs_space: bool,
        whitespace: bool,
        indention: bool,
    ) -> Result<(), Stop> {
        if needs_space && !self.whitespace {
            self.write(" ", 1)?;
        }
        self.whitespace = whitespace;
        self.indention &= indention;
        self.write(text, text.len())
    }

    /// Writes indentation, on a new line if the current line contains more than indentation and
    /// indicators.
    #[inline(always)]
    pub fn write_indent(&mut self) -> Result<(), Stop> {
        let indent = self.indent.unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.line_break('\n')?;
        }
        if self.column < indent {
            self.whitespace = true;
            let mut missing = indent - self.column;
            while missing > 0 {
                let part = missing.min(SPACES.len());
                self.write(&SPACES[..part], part)?;
                missing -= part;
            }
        }
        Ok(())
    }

    /// Writes a line break. A line feed is written as the line break that the options choose.
    fn line_break(&mut self, character: char) -> Result<(), Stop> {
        (self.whitespace, self.indention) = (true, true);
        match character {
            '\n' => self.write(self.layout.line_break, 0)?,
            other => self.write(other.encode_utf8(&mut [0; 4]), 0)?,
        }
        self.column = 0;
        Ok(())
    }

    /// Starts a new line in a flow collection if the current line is too long.
    pub fn break_long_line(&mut self) -> Result<(), Stop> {
        if self.column > self.layout.width { self.write_indent() } else { Ok(()) }
    }

    /// Increases the indentation for a collection, and returns the previous indentation.
    #[inline(always)]
    pub fn increase_indent(&mut self, is_flow: bool, is_indentless: bool) -> Option<usize> {
        let before = self.indent;
        self.indent = match before {
            None => Some(if is_flow { self.layout.indent } else { 0 }),
            Some(indent) if is_indentless => Some(indent),
            Some(indent) => Some(indent + self.layout.indent),
        };
        before
    }

    /// Returns whether `count` more characters fit into the line.
    #[inline(always)]
    pub fn fits(&self, count: usize) -> bool {
        self.column + count < self.layout.width
    }

    /// Writes a plain scalar, which must be ASCII, without folding it.
    #[inline(always)]
    pub fn word(&mut self, text: &str) -> Result<(), Stop> {
        self.indicator(text, true)
    }

    /// Writes a scalar. A key is not folded.
    #[inline(always)]
    pub fn scalar(
        &mut self,
        text: &str,
        analysis: &Analysis,
        style: Style,
        is_key: bool,
    ) -> Result<(), Stop> {
        let before = self.increase_indent(true, false);
        let is_one_line = is_key || !analysis.has_space || self.fits(analysis.count);
        let in_one_piece = is_one_line && !analysis.is_multiline;
        match style {
            Style::Plain => {
                if !self.whitespace {
                    self.write(" ", 1)?;
                }
                (self.whitespace, self.indention) = (false, false);
                match in_one_piece {
                    true => self.write(text, analysis.count)?,
                    false => self.plain(text)?,
                }
            }
            Style::Single => {
                self.indicator("'", true)?;
                match in_one_piece && !analysis.has_quote {
                    true => self.write(text, analysis.count)?,
                    false => self.single_quoted(text, !is_key)?,
                }
                self.indicator("'", false)?;
            }
            Style::Double => {
                self.indicator("\"", true)?;
                self.double_quoted(text, analysis.count, !is_key)?;
                self.indicator("\"", false)?;
            }
        }
        self.indent = before;
        Ok(())
    }

    /// Writes the content of a plain scalar, folding it at single spaces where lines are too long.
    fn plain(&mut self, text: &str) -> Result<(), Stop> {
        for piece in pieces(text) {
            if piece == " " && self.column > self.layout.width {
                self.write_indent()?;
                (self.whitespace, self.indention) = (false, false);
            } else {
                self.write(piece, piece.chars().count())?;
            }
        }
        Ok(())
    }

    /// Writes the content of single quotes. If `splits` is true, folds it where lines are too long.
    fn single_quoted(&mut self, text: &str, splits: bool) -> Result<(), Stop> {
        let mut at = 0;
        for piece in pieces(text) {
            let start = at;
            at += piece.len();
            let folds = || splits && self.column > self.layout.width;
            if piece.starts_with(BREAKS) {
                self.folded_breaks(piece)?;
            } else if piece == " " && folds() && start > 0 && at < text.len() {
                self.write_indent()?;
            } else if piece.contains('\'') {
                let doubled = piece.replace('\'', "''");
                self.write(&doubled, doubled.chars().count())?;
            } else {
                self.write(piece, piece.chars().count())?;
            }
        }
        Ok(())
    }

    /// Writes the line breaks in a scalar. One line feed would be folded into a space, so the first
    /// one is written twice.
    fn folded_breaks(&mut self, breaks: &str) -> Result<(), Stop> {
        if breaks.starts_with('\n') {
            self.line_break('\n')?;
        }
        for character in breaks.chars() {
            self.line_break(character)?;
        }
        self.write_indent()
    }

    /// Writes the content of double quotes, `count` characters. If `splits` is true, breaks it
    /// where lines are too long. `start` and `start_index` are the start of the part that is not
    /// written yet, as an offset and as the index of a character.
    fn double_quoted(&mut self, text: &str, count: usize, splits: bool) -> Result<(), Stop> {
        let (mut start, mut start_index) = (0, 0);
        for (index, (at, character)) in text.char_indices().enumerate() {
            if self.layout.special.is_escaped(character) {
                if start < at {
                    self.write(&text[start..at], index - start_index)?;
                }
                self.escape(character)?;
                (start, start_index) = (at + character.len_utf8(), index + 1);
            }
            let is_place = character == ' ' || start_index >= index;
            let is_inside = index > 0 && index + 1 < count;
            if splits
                && is_place
                && is_inside
                && self.column + index > self.layout.width + start_index
            {
                if start < at {
                    self.write(&text[start..at], index - start_index)?;
                    (start, start_index) = (at, index);
                }
                self.write("\\", 1)?;
                self.write_indent()?;
                (self.whitespace, self.indention) = (false, false);
                if text[start..].starts_with(' ') {
                    self.write("\\", 1)?;
                }
            }
        }
        self.write(&text[start..], count - start_index)
    }

    /// Writes the escape of a character.
    fn escape(&mut self, character: char) -> Result<(), Stop> {
        let letter = match character {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{B}' => 'v',
            '\u{C}' => 'f',
            '\r' => 'r',
            '\u{1B}' => 'e',
            '"' => '"',
            '\\' => '\\',
            '\u{85}' => 'N',
            '\u{A0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => return self.escape_code(u32::from(character)),
        };
        self.write("\\", 1)?;
        self.write(letter.encode_utf8(&mut [0; 4]), 1)
    }

    /// Writes the escape that denotes a character by its code point in hexadecimal digits.
    fn escape_code(&mut self, code: u32) -> Result<(), Stop> {
        let (letter, count) = match code {
            ..=0xFF => ("x", 2),
            0x100..=0xFFFF => ("u", 4),
            _ => ("U", 8),
        };
        self.write("\\", 1)?;
        self.write(letter, 1)?;
        let digits = (0..count).rev().map(|place| DIGITS[(code >> (4 * place)) as usize & 0xF]);
        for digit in digits {
            self.write(char::from(digit).encode_utf8(&mut [0; 4]), 1)?;
        }
        Ok(())
    }
}

/// The digits in escapes.
const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Splits a text into runs of spaces, of line breaks, and of other characters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let kind = |character: char| match character {
        ' ' => 1,
        _ if BREAKS.contains(&character) => 2,
        _ => 0,
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = kind(rest.chars().next()?);
        let end = rest.find(|character| kind(character) != first).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

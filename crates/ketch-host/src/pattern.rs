//! Determines, by Ruby's rules, the encoding of a pattern, the strings that it matches, and the
//! text that the engine compiles.
//!
//! Encodings are numbers: those of the three that the engine knows, and any other number for all
//! others.

/// The numbers of encodings, which are CRuby's indexes.
pub const BINARY: i32 = 0;
/// The number of UTF-8.
pub const UTF8: i32 = 1;
/// The number of US-ASCII.
pub const ASCII: i32 = 2;

/// The option `Regexp::IGNORECASE`.
pub const IGNORE_CASE: u32 = 1;
/// The option `Regexp::EXTENDED`.
pub const EXTENDED: u32 = 2;
/// The option `Regexp::MULTILINE`.
pub const MULTI_LINE: u32 = 4;
/// The option `Regexp::FIXEDENCODING`.
pub const FIXED_ENCODING: u32 = 16;
/// The option `Regexp::NOENCODING`.
pub const NO_ENCODING: u32 = 32;

/// Returns the message for a pattern that is wrong as a whole, with its text.
///
/// ```
/// use ketch_host::pattern::message;
///
/// assert_eq!(message("invalid character", b"a\xff"), r"invalid character: /a\xFF/");
/// ```
pub fn message(problem: &str, source: &[u8]) -> String {
    let mut message = format!("{problem}: /");
    for chunk in source.utf8_chunks() {
        message.push_str(chunk.valid());
        message.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    message + "/"
}

/// The strings that a pattern can be matched against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Strings in any encoding that is compatible with ASCII.
    Any,
    /// The same, but with a warning if the string is neither binary nor ASCII.
    Historical,
    /// Strings in UTF-8, and ASCII strings.
    Utf8,
    /// Binary strings, and ASCII strings.
    Binary,
    /// ASCII strings, and strings in the pattern's own encoding, which are converted to UTF-8. This
    /// encoding is US-ASCII, or one that the engine does not support.
    Converted,
    /// Strings in the pattern's own encoding, which is not compatible with ASCII. They are
    /// converted to UTF-8.
    Wide,
}

impl Kind {
    /// Returns the kind of a pattern whose encoding has the index `encoding`.
    fn of(encoding: i32, options: u32, extends_ascii: bool) -> Kind {
        match encoding {
            _ if options & (FIXED_ENCODING | NO_ENCODING) == NO_ENCODING => Kind::Historical,
            _ if options & FIXED_ENCODING == 0 => Kind::Any,
            UTF8 => Kind::Utf8,
            BINARY => Kind::Binary,
            _ if extends_ascii => Kind::Converted,
            _ => Kind::Wide,
        }
    }
}

/// A pattern in the form that the engine compiles.
#[derive(Debug)]
pub struct Source {
    /// The text to compile.
    pub pattern: String,
    /// What it matches.
    pub kind: Kind,
    /// The number of the pattern's encoding.
    pub encoding: i32,
    /// The options, with those that the source sets.
    pub options: u32,
}

impl Source {
    /// Determines the encoding of a pattern from its source.
    ///
    /// `encoding` is the number of the source's encoding. If the engine does not support this
    /// encoding, `converted` is the source in UTF-8. `extends_ascii` is whether the encoding is
    /// compatible with ASCII.
    ///
    /// # Errors
    ///
    /// Fails with the message of Ruby's error.
    pub fn read(
        source: &[u8],
        encoding: i32,
        converted: Option<&[u8]>,
        extends_ascii: bool,
        options: u32,
    ) -> Result<Source, &'static str> {
        let is_ascii = extends_ascii && source.is_ascii();
        let mut encoding = if encoding == ASCII && !is_ascii { BINARY } else { encoding };
        if options & NO_ENCODING != 0 && encoding != BINARY {
            if !is_ascii {
                return Err(
                    "/.../n has a non escaped non ASCII character in non ASCII-8BIT script",
                );
            }
            encoding = BINARY;
        }
        let fixed = match extends_ascii {
            true => {
                let mut scan = Scan { source, at: 0, encoding, fixed: None, property: false };
                scan.run()?;
                if scan.fixed == Some(ASCII) && options & FIXED_ENCODING == 0 {
                    // Such a pattern contains escaped bytes beyond ASCII, which match in binary
                    // strings.
                    let pattern = escaped(source);
                    return Ok(Source { pattern, kind: Kind::Binary, encoding, options });
                }
                scan.fixed.or(scan.property.then_some(encoding))
            }
            false => Some(encoding),
        };
        let mut options = options;
        if let Some(fixed) = fixed {
            let conflicts = (fixed != encoding && options & FIXED_ENCODING != 0)
                || (fixed != BINARY && options & NO_ENCODING != 0);
            if conflicts {
                return Err("incompatible character encoding");
            }
            options |= FIXED_ENCODING;
            encoding = fixed;
        } else if options & FIXED_ENCODING == 0 {
            encoding = ASCII;
        }
        let kind = Kind::of(encoding, options, extends_ascii);
        let pattern = match (kind, converted) {
            (Kind::Binary, _) => escaped(source),
            (_, Some(converted)) => String::from_utf8_lossy(converted).into_owned(),
            _ => String::from_utf8(source.to_vec()).map_err(|_| "invalid multibyte character")?,
        };
        Ok(Source { pattern, kind, encoding, options })
    }

    /// Returns whether the engine compiles the pattern for bytes. In US-ASCII, as in binary strings,
    /// only ASCII characters have properties.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        self.kind == Kind::Binary || (self.kind == Kind::Converted && self.encoding == ASCII)
    }
}

/// Returns the source with bytes beyond ASCII written as escapes.
fn escaped(source: &[u8]) -> String {
    let mut text = String::with_capacity(source.len());
    for &byte in source {
        match byte {
            0..=0x7F => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02X}")),
        }
    }
    text
}

/// Searches the source of a pattern for elements that fix the encoding of the pattern.
struct Scan<'s> {
    source: &'s [u8],
    at: usize,
    encoding: i32,
    fixed: Option<i32>,
    property: bool,
}

impl Scan<'_> {
    fn run(&mut self) -> Result<(), &'static str> {
        while let Some(byte) = self.next() {
            match byte {
                b'\\' => self.escape()?,
                0x80.. => {
                    self.fix(self.encoding, "non ASCII character in UTF-8 regexp")?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.source.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// Fixes the encoding of the pattern. Fails with the message `problem` if another encoding is
    /// already fixed.
    fn fix(&mut self, encoding: i32, problem: &'static str) -> Result<(), &'static str> {
        match self.fixed {
            Some(fixed) if fixed != encoding => Err(problem),
            _ => {
                self.fixed = Some(encoding);
                Ok(())
            }
        }
    }

    /// Reads an escape after its backslash. Errors in it are left to the parser of patterns.
    fn escape(&mut self) -> Result<(), &'static str> {
        match self.next() {
            Some(b'u') => self.unicode(),
            Some(b'p' | b'P') => {
                self.property = true;
                Ok(())
            }
            Some(byte @ (b'0'..=b'7' | b'x' | b'c' | b'C' | b'M')) => {
                if self.byte(byte).is_some_and(|value| value > 0x7F) {
                    self.fix(self.encoding, "escaped non ASCII character in UTF-8 regexp")?;
                }
                Ok(())
            }
            Some(0x80..) => self.fix(self.encoding, "non ASCII character in UTF-8 regexp"),
            _ => Ok(()),
        }
    }

    /// Reads an escape after `\u`. A character beyond ASCII fixes the encoding to UTF-8.
    fn unicode(&mut self) -> Result<(), &'static str> {
        let rest = &self.source[self.at..];
        let beyond = match rest {
            [b'{', list @ ..] => {
                let end = list.iter().position(|byte| *byte == b'}').unwrap_or(list.len());
                list[..end].split(|byte| byte.is_ascii_whitespace()).any(is_beyond_ascii)
            }
            _ => is_beyond_ascii(&rest[..rest.len().min(4)]),
        };
        match beyond {
            true => self.fix(UTF8, "UTF-8 character in non UTF-8 regexp"),
            false => Ok(()),
        }
    }

    /// Reads the rest of an escape that denotes a byte and starts with `kind`. Returns the byte's
    /// value, or `None` if the escape is invalid.
    fn byte(&mut self, kind: u8) -> Option<u32> {
        match kind {
            b'0'..=b'7' => {
                let digits = self.digits(2, |byte| byte.is_ascii_digit() && byte < b'8');
                u32::from_str_radix(&format!("{}{digits}", char::from(kind)), 8).ok()
            }
            b'x' => u32::from_str_radix(&self.digits(2, |byte| byte.is_ascii_hexdigit()), 16).ok(),
            _ => self.control(kind),
        }
    }

    /// Reads the rest of `\cx`, `\C-x`, `\M-x` or a combination of them. Returns the byte's value,
    /// or `None` if the escape is invalid.
    fn control(&mut self, kind: u8) -> Option<u32> {
        if kind != b'c' {
            self.next().filter(|byte| *byte == b'-')?;
        }
        let inner = match self.next()? {
            b'\\' => match self.next()? {
                byte @ (b'0'..=b'7' | b'x' | b'c' | b'C' | b'M') => self.byte(byte)?,
                byte => u32::from(byte),
            },
            byte => u32::from(byte),
        };
        Some(if kind == b'M' { inner | 0x80 } else { inner & 0x9F })
    }

    /// Reads at most `max` digits at the current position, and returns them.
    fn digits(&mut self, max: usize, is_digit: impl Fn(u8) -> bool) -> String {
        let rest = &self.source[self.at..];
        let count = rest.iter().take(max).take_while(|byte| is_digit(**byte)).count();
        self.at += count;
        rest[..count].iter().copied().map(char::from).collect()
    }
}

/// Returns whether hexadecimal digits denote a character beyond ASCII.
fn is_beyond_ascii(digits: &[u8]) -> bool {
    let text = String::from_utf8_lossy(digits);
    u32::from_str_radix(&text, 16).is_ok_and(|code| code > 0x7F)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the kind and the encoding of a pattern.
    fn kind(source: &[u8], encoding: i32, options: u32) -> Result<(Kind, i32), &'static str> {
        Source::read(source, encoding, None, true, options).map(|it| (it.kind, it.encoding))
    }

    #[test]
    fn a_pattern_fixes_its_encoding_as_in_ruby() {
        assert_eq!(kind(b"a+", UTF8, 0), Ok((Kind::Any, ASCII)));
        assert_eq!(kind("é".as_bytes(), UTF8, 0), Ok((Kind::Utf8, UTF8)));
        assert_eq!(kind(b"\\u00e9", ASCII, 0), Ok((Kind::Utf8, UTF8)));
        assert_eq!(kind(b"\xff", BINARY, 0), Ok((Kind::Binary, BINARY)));
        assert_eq!(kind(b"a", UTF8, NO_ENCODING), Ok((Kind::Historical, ASCII)));
        assert!(kind("é".as_bytes(), UTF8, NO_ENCODING).is_err());
    }

    #[test]
    fn patterns_of_bytes_and_ascii_are_compiled_for_bytes() {
        let is_bytes = |source: &[u8], encoding, options| {
            Source::read(source, encoding, None, true, options).unwrap().is_bytes()
        };
        assert!(is_bytes(b"\\p{Alpha}", ASCII, 0));
        assert!(is_bytes(b"\\p{Alpha}", BINARY, 0));
        assert!(is_bytes(b"a", ASCII, FIXED_ENCODING));
        assert!(!is_bytes(b"\\p{Alpha}", UTF8, 0));
        assert!(!is_bytes(b"a", ASCII, 0));
    }

    #[test]
    fn bytes_become_escapes() {
        let source = Source::read(b"a\xff", BINARY, None, true, 0).unwrap();
        assert_eq!(source.pattern, "a\\xFF");
    }
}

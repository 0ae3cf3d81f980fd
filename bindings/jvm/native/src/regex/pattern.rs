//! A compiled pattern.

use super::{failure, watch};
use crate::failure::Fields;
use ketch_host::pattern::{ASCII, BINARY, EXTENDED, IGNORE_CASE, Kind, MULTI_LINE, Source, UTF8};
use ketch_regex::{Captures, Encoding, Limits, Options, Regex};
use std::sync::OnceLock;

/// A pattern that is compiled for text, or for bytes if it is of bytes.
#[derive(Debug)]
pub struct Pattern {
    source: Source,
    regex: Regex,
    /// For bytes, if `regex` is for text.
    bytes: OnceLock<Regex>,
}

/// How a search works.
#[derive(Clone, Copy, Debug)]
pub enum How {
    /// Only determines whether there is a match.
    Test,
    /// Finds the first match from a position on.
    Forward,
    /// Finds the last match that starts at or before a position.
    Backward,
    /// Finds a match that starts at a position.
    Here,
}

impl How {
    /// Returns the way to search that a number from Java stands for.
    pub fn of(number: i32) -> How {
        match number {
            0 => How::Test,
            1 => How::Forward,
            2 => How::Backward,
            _ => How::Here,
        }
    }
}

impl Pattern {
    /// Compiles a pattern. `converted` is the source in UTF-8 if the engine does not know its encoding. Fails with
    /// the fields of an error.
    pub fn new(
        source: &[u8],
        encoding: i32,
        converted: Option<&[u8]>,
        extends_ascii: bool,
        options: u32,
    ) -> Result<Pattern, Vec<u8>> {
        let is_known = matches!(encoding, UTF8 | ASCII | BINARY);
        let converted = converted.filter(|_| !is_known);
        let source_of = Source::read(source, encoding, converted, extends_ascii, options)
            .map_err(|problem| failure::whole(problem, source))?;
        let regex = regex(&source_of.pattern, source_of.options, source_of.is_bytes())
            .map_err(|error| failure::of(&error))?;
        Ok(Pattern { source: source_of, regex, bytes: OnceLock::new() })
    }

    /// Returns the compiled form for text, or for bytes if the text is binary or the pattern is of bytes.
    #[inline]
    pub fn regex(&self, is_binary: bool) -> ketch_regex::Result<&Regex> {
        if !is_binary || self.source.kind == Kind::Binary {
            return Ok(&self.regex);
        }
        if let Some(regex) = self.bytes.get() {
            return Ok(regex);
        }
        let made = regex(&self.source.pattern, self.source.options, true)?;
        Ok(self.bytes.get_or_init(|| made))
    }

    /// Returns what Java has to know, as fields: the encoding, the options, the kind, the number of groups, the
    /// reason why a search may take more than linear time and its column; and for each name the name and the
    /// numbers of its groups.
    pub fn facts(&self) -> Vec<u8> {
        let mut fields = Fields::default();
        let kind = match self.source.kind {
            Kind::Any => "any",
            Kind::Historical => "historical",
            Kind::Utf8 => "utf8",
            Kind::Binary => "binary",
            Kind::Converted => "converted",
            Kind::Wide => "wide",
        };
        fields.number(u64::try_from(self.source.encoding).ok());
        fields.number(Some(u64::from(self.source.options)));
        fields.text(Some(kind));
        fields.number(Some(self.regex.groups() as u64));
        let reason = self.regex.not_linear();
        let column = |start| self.regex.pattern()[..start].chars().count() as u64 + 1;
        fields.text(reason.map(|(_, reason)| reason));
        fields.number(reason.map(|(span, _)| column(span.start)));
        for name in self.regex.names() {
            fields.text(Some(&name.name));
            let groups: Vec<String> = name.groups.iter().map(ToString::to_string).collect();
            fields.text(Some(&groups.join(" ")));
        }
        fields.0
    }
}

/// Searches a text from a position on. Returns whether there is a match, whose groups are in `captures` unless the
/// search was only a test.
pub fn search(
    regex: &Regex,
    text: &[u8],
    from: usize,
    how: How,
    captures: &mut Captures,
) -> ketch_regex::Result<bool> {
    match how {
        How::Test if from == 0 => regex.is_match(text),
        How::Test => Ok(regex.find_at(text, from)?.is_some()),
        How::Forward => regex.captures_at(text, from, captures),
        How::Backward => regex.rcaptures_at(text, from, captures),
        How::Here => regex.match_captures_at(text, from, captures),
    }
}

/// Compiles a pattern for text or for bytes.
fn regex(pattern: &str, options: u32, is_binary: bool) -> ketch_regex::Result<Regex> {
    let encoding = if is_binary { Encoding::Binary } else { Encoding::Utf8 };
    let limits = Limits { interrupt: Some(watch::poll), ..Limits::default() };
    let has = |option| options & option != 0;
    let options = Options {
        ignore_case: has(IGNORE_CASE),
        multi_line: has(MULTI_LINE),
        extended: has(EXTENDED),
        encoding,
        limits,
        ..Options::default()
    };
    Regex::new(pattern, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_a_form_for_text_and_one_for_bytes() {
        let pattern = Pattern::new(b".", UTF8, None, true, 0).unwrap();
        let mut captures = Captures::new();
        let mut ends = |is_binary| {
            let regex = pattern.regex(is_binary).unwrap();
            assert!(search(regex, "é".as_bytes(), 0, How::Forward, &mut captures).unwrap());
            captures.get(0).unwrap().end
        };
        assert_eq!([ends(false), ends(true)], [2, 1]);
    }

    #[test]
    fn errors_become_fields() {
        let fields = Pattern::new(b"a(", UTF8, None, true, 0).unwrap_err();
        let text = String::from_utf8_lossy(&fields);
        assert!(text.contains("syntax") && text.contains("UnclosedGroup"), "{text}");
        let fields = Pattern::new("é".as_bytes(), UTF8, None, true, 32).unwrap_err();
        assert!(String::from_utf8_lossy(&fields).contains("whole"));
    }
}

//! What the readers of other formats give: YAML in flow style, or a mistake in the text.

use crate::diagnostic::{Diagnostic, Related};
use crate::file_name::shown;
use crate::status::{Failure, KIND};
use ketch_yaml::{Location, is_masked};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

/// The maximum depth of nested values. Their readers recurse, so a limit bounds the stack.
pub const DEPTH_MAX: usize = 128;

/// A mistake in a text: where it is, and what is wrong.
pub struct Wrong {
    range: Range<usize>,
    message: String,
    help: Option<Cow<'static, str>>,
    related: Option<(Range<usize>, &'static str)>,
}

impl Wrong {
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Wrong {
        Wrong { range, message: message.into(), help: None, related: None }
    }

    pub fn help(self, help: impl Into<Cow<'static, str>>) -> Wrong {
        Wrong { help: Some(help.into()), ..self }
    }

    /// Adds another place that explains the mistake.
    pub fn related(self, range: Range<usize>, message: &'static str) -> Wrong {
        Wrong { related: Some((range, message)), ..self }
    }

    /// Returns the mistake that the key at `second` is already at `first`.
    pub fn twice(key: &str, first: Range<usize>, second: Range<usize>) -> Wrong {
        let wrong = Wrong::new(second, format!("duplicate key `{key}`"));
        wrong.related(first, "first used here").help("Delete one of the two, or rename it.")
    }

    /// Returns the failure for this mistake in `file`, whose text is `bytes`.
    pub fn failure(self, file: &str, bytes: &[u8]) -> Failure {
        let place =
            |range: &Range<usize>| Location::in_text(bytes, range.start as u64, range.len().max(1));
        let mut diagnostic = Diagnostic::sentence(shown(file), KIND, "syntax", self.message);
        diagnostic.location = Some(place(&self.range));
        diagnostic.help = self.help.map(Cow::into_owned);
        diagnostic.related = self.related.map(|(range, message)| Related {
            message: message.into(),
            file: None,
            location: place(&range),
        });
        Failure::Input(Box::new(diagnostic))
    }
}

/// Returns `text` in double quotes.
pub fn quoted(text: &str) -> String {
    let mut flow = Flow::default();
    flow.text(text);
    flow.out
}

/// YAML in flow style.
#[derive(Default)]
pub struct Flow {
    pub out: String,
    /// The offsets of each null that means that there is nothing, such as an empty field.
    nothing: Vec<usize>,
}

impl Flow {
    /// Writes `text` in double quotes.
    pub fn text(&mut self, text: &str) {
        self.out.push('"');
        for ch in text.chars() {
            match ch {
                '"' | '\\' => self.out.extend(['\\', ch]),
                '\n' => self.out.push_str("\\n"),
                '\t' => self.out.push_str("\\t"),
                ch if ch.is_control()
                    || is_masked(ch)
                    || ('\u{fff0}'..='\u{ffff}').contains(&ch) =>
                {
                    // Writing to a string does not fail.
                    let _ = write!(self.out, "\\U{:08x}", u32::from(ch));
                }
                ch => self.out.push(ch),
            }
        }
        self.out.push('"');
    }

    /// Writes `text`, which is a plain scalar.
    pub fn plain(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes null for a value that is missing.
    pub fn nothing(&mut self) {
        self.nothing.push(self.out.len());
        self.plain("null");
    }

    /// Returns what was written. If `is_text` is set, missing values are empty texts.
    pub fn finish(self, is_text: bool) -> Vec<u8> {
        let mut out = self.out.into_bytes();
        for at in self.nothing.into_iter().filter(|_| is_text) {
            out[at..at + 4].copy_from_slice(b"\"\"  ");
        }
        out
    }

    /// Writes `text` as a number, boolean or null if it is one in JSON, and as text otherwise.
    pub fn guessed(&mut self, text: &str) {
        match text {
            "" => self.nothing(),
            "true" | "false" | "null" => self.plain(text),
            _ if is_number(text) => self.plain(text),
            _ => self.text(text),
        }
    }

    /// Writes the key `key`.
    pub fn key(&mut self, key: &str) {
        self.text(key);
        self.out.push_str(": ");
    }

    /// Writes a collection in `brackets`, whose entries `entry` writes.
    pub fn each<T>(
        &mut self,
        brackets: [char; 2],
        entries: impl IntoIterator<Item = T>,
        mut entry: impl FnMut(&mut Flow, T) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        self.out.push(brackets[0]);
        for (index, each) in entries.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(",\n ");
            }
            entry(self, each)?;
        }
        self.out.push(brackets[1]);
        Ok(())
    }

    /// Writes a mapping of texts.
    fn pairs<'p>(&mut self, pairs: impl IntoIterator<Item = &'p Pair>) -> Result<(), Wrong> {
        self.each(['{', '}'], pairs, |flow, pair| {
            flow.key(&pair.key);
            match &pair.value {
                Some(value) => flow.text(value),
                None => flow.nothing(),
            }
            Ok(())
        })
    }
}

/// A key with its text, and where the key is.
pub struct Pair {
    pub key: String,
    pub value: Option<String>,
    pub range: Range<usize>,
}

/// Converts `pairs` to a mapping. Fails if a key occurs twice.
pub fn mapping(pairs: &[Pair]) -> Result<Flow, Wrong> {
    let mut seen = std::collections::HashMap::new();
    for pair in pairs {
        if let Some(first) = seen.insert(&pair.key, &pair.range) {
            return Err(Wrong::twice(&pair.key, first.clone(), pair.range.clone()));
        }
    }
    let mut flow = Flow::default();
    flow.pairs(pairs)?;
    Ok(flow)
}

/// Returns whether `text` is a number in JSON, which excludes numbers such as `007` and `+1`.
pub fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && serde_json::from_str::<&serde_json::value::RawValue>(text)
            .is_ok_and(|raw| raw.get() == text)
}

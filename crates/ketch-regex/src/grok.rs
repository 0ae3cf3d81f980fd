//! Grok expressions, which convert a line to fields. They are regular expressions with references
//! to named patterns, such as `%{NAME:field:int}`.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::Error;
use crate::options::Options;
use crate::regex::Captures;
use crate::set::{Set, SetError};

/// The maximum length of an expression after its references are replaced.
const EXPANDED_MAX: usize = 1 << 20;

/// A library of named patterns, to which expressions refer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrokPatterns(BTreeMap<String, String>);

impl GrokPatterns {
    /// Creates an empty library.
    pub fn new() -> GrokPatterns {
        GrokPatterns::default()
    }

    /// Adds a pattern, or replaces the one with the same name.
    pub fn insert(&mut self, name: &str, pattern: &str) {
        self.0.insert(name.to_owned(), pattern.to_owned());
    }

    /// Adds the patterns of a file in the format of Logstash: each line has a name, spaces and a
    /// pattern. Empty lines and lines that start with `#` are skipped.
    ///
    /// # Errors
    ///
    /// Fails with the number of the first line that has no pattern. Lines are counted from 1.
    pub fn add_file(&mut self, text: &str) -> Result<(), usize> {
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_start();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, pattern) = line.split_once([' ', '\t']).ok_or(index + 1)?;
            self.insert(name, pattern.trim_start());
        }
        Ok(())
    }

    /// Returns the names and patterns, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, pattern)| (name.as_str(), pattern.as_str()))
    }
}

/// The type of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GrokType {
    /// The text.
    #[default]
    Text,
    /// `:int`: the whole number at the start of the text, or 0.
    Int,
    /// `:float`: the number at the start of the text, or 0.
    Float,
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum GrokValue<'t> {
    /// Bytes of the line.
    Text(&'t [u8]),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
}

/// A field of the result. For `[a][b]`, the path is `a`, `b`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    path: Vec<String>,
    kind: GrokType,
}

/// The reason why an expression is not accepted. The number in each variant is the index of the
/// expression.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrokError {
    /// There is no pattern with this name.
    Unknown(usize, String),
    /// A pattern refers to itself, perhaps through others.
    Recursive(usize, String),
    /// A field has a type other than `int` and `float`.
    Type(usize, String),
    /// An expression is longer than 1 MiB after its references are replaced.
    TooLong(usize),
    /// A field is a value and also contains fields, as `a` in `a` and `[a][b]`.
    Conflict(usize, String),
    /// The expression is not a regular expression after its references are replaced.
    Pattern(usize, Error),
}

impl fmt::Display for GrokError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrokError::Unknown(_, name) => write!(f, "there is no pattern {name}"),
            GrokError::Recursive(_, name) => write!(f, "the pattern {name} refers to itself"),
            GrokError::Type(_, kind) => write!(f, "unknown type {kind}: expected int or float"),
            GrokError::TooLong(_) => {
                write!(f, "with its patterns, the expression is longer than {EXPANDED_MAX} bytes")
            }
            GrokError::Conflict(_, field) => {
                write!(f, "the field {field} cannot be a value and have fields")
            }
            GrokError::Pattern(_, error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GrokError {}

impl GrokError {
    /// Returns the index of the expression that is not accepted.
    pub fn expression(&self) -> usize {
        match self {
            GrokError::Unknown(expression, _)
            | GrokError::Recursive(expression, _)
            | GrokError::Type(expression, _)
            | GrokError::TooLong(expression)
            | GrokError::Conflict(expression, _)
            | GrokError::Pattern(expression, _) => *expression,
        }
    }
}

/// Expressions that convert lines to fields. For each line, the first expression that matches is
/// used. If all are regular, one pass over the line finds it.
///
/// ```
/// use ketch_regex::{Grok, GrokPatterns, GrokValue, Options};
/// let mut patterns = GrokPatterns::new();
/// patterns.add_file("INT [+-]?\\d+\nWORD \\w+").unwrap();
/// let grok = Grok::new(&patterns, &["%{WORD:[http][verb]} %{INT:status:int}"], Options::default());
/// let grok = grok.unwrap();
/// let fields = grok.parse(b"GET 200").unwrap().unwrap();
/// assert_eq!(fields.values[0], (&["http".to_string(), "verb".to_string()][..], GrokValue::Text(b"GET")));
/// assert_eq!(fields.values[1], (&["status".to_string()][..], GrokValue::Int(200)));
/// ```
#[derive(Debug)]
pub struct Grok {
    set: Set,
    /// For each expression, the field of each of its groups, if the group is a field.
    fields: Vec<Vec<Option<Field>>>,
}

/// The fields that were found in a line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GrokFields<'g, 't> {
    /// The index of the expression that matched.
    pub expression: usize,
    /// Paths and values, in the order of the expression. A path with several values occurs once for each.
    /// Groups that are unset or empty have no value.
    pub values: Vec<(&'g [String], GrokValue<'t>)>,
}

impl Grok {
    /// Replaces the references in expressions, and compiles them.
    ///
    /// # Errors
    ///
    /// Fails if an expression is not valid, for the reasons that [`GrokError`] lists.
    pub fn new(
        patterns: &GrokPatterns,
        expressions: &[&str],
        options: Options,
    ) -> Result<Grok, GrokError> {
        let mut sources = Vec::new();
        let mut generated = Vec::new();
        for (index, expression) in expressions.iter().enumerate() {
            let mut expansion =
                Expansion { patterns, index, out: String::new(), fields: Vec::new() };
            expansion.expand(expression)?;
            sources.push(expansion.out);
            generated.push(expansion.fields);
        }
        let set = Set::new(sources.iter().map(String::as_str), options)
            .map_err(|SetError { pattern, error }| GrokError::Pattern(pattern, error))?;
        let fields = set.regexes().iter().zip(generated).map(|(regex, generated)| {
            let mut fields = vec![None; regex.groups() + 1];
            for name in regex.names() {
                let number = name.name.strip_prefix(PREFIX).and_then(|digits| digits.parse().ok());
                let field = match number.and_then(|number: usize| generated.get(number)) {
                    Some(field) => field.clone(),
                    None => Field { path: vec![name.name.clone()], kind: GrokType::Text },
                };
                for group in &name.groups {
                    fields[*group as usize] = Some(field.clone());
                }
            }
            fields
        });
        let fields: Vec<Vec<Option<Field>>> = fields.collect();
        for (index, fields) in fields.iter().enumerate() {
            let mut paths: Vec<&[String]> =
                fields.iter().flatten().map(|field| field.path.as_slice()).collect();
            paths.sort_unstable();
            // In sorted order, a path is directly before the paths that start with it.
            for pair in paths.windows(2) {
                if pair[0].len() < pair[1].len() && pair[1].starts_with(pair[0]) {
                    return Err(GrokError::Conflict(index, pair[0].join(".")));
                }
            }
        }
        Ok(Grok { set, fields })
    }

    /// Returns the fields of a line, or `None` if no expression matches.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`](crate::Regex::find) does.
    pub fn parse<'t>(&self, line: &'t [u8]) -> Result<Option<GrokFields<'_, 't>>, Error> {
        let Some(&expression) = self.set.matches(line)?.first() else { return Ok(None) };
        let mut captures = Captures::new();
        if !self.set.regexes()[expression].captures_at(line, 0, &mut captures)? {
            return Ok(None);
        }
        let mut values = Vec::new();
        for (group, field) in self.fields[expression].iter().enumerate() {
            let Some(field) = field else { continue };
            let text = captures.get(group).and_then(|span| line.get(span)).unwrap_or(&[]);
            if !text.is_empty() {
                values.push((field.path.as_slice(), value(text, field.kind)));
            }
        }
        Ok(Some(GrokFields { expression, values }))
    }

    /// Returns the expressions with their references replaced.
    pub fn regexes(&self) -> &[crate::Regex] {
        self.set.regexes()
    }
}

/// The prefix of the names of groups for fields, which is followed by a number.
const PREFIX: &str = "ketch_field_";

/// Converts the text of a field to the type `kind`.
fn value(text: &[u8], kind: GrokType) -> GrokValue<'_> {
    let shown = || String::from_utf8_lossy(text).trim_start().to_owned();
    match kind {
        GrokType::Text => GrokValue::Text(text),
        GrokType::Int => {
            let shown = shown();
            let sign = usize::from(shown.starts_with(['+', '-']));
            let digits = shown[sign..].bytes().take_while(u8::is_ascii_digit).count();
            GrokValue::Int(shown[..sign + digits].parse().unwrap_or(0))
        }
        GrokType::Float => {
            let shown = shown();
            // This is the longest prefix that is a number: digits, a point, digits, an exponent.
            let end = (0..=shown.len())
                .rev()
                .filter(|end| shown.is_char_boundary(*end))
                .find(|end| shown[..*end].parse::<f64>().is_ok_and(f64::is_finite));
            GrokValue::Float(end.and_then(|end| shown[..end].parse().ok()).unwrap_or(0.0))
        }
    }
}

struct Expansion<'p> {
    patterns: &'p GrokPatterns,
    index: usize,
    out: String,
    fields: Vec<Field>,
}

/// A text whose references are being replaced.
struct Open {
    text: String,
    at: usize,
    name: String,
}

impl Expansion<'_> {
    /// Replaces the references in an expression. The patterns that are being expanded are on a stack.
    fn expand(&mut self, expression: &str) -> Result<(), GrokError> {
        let mut open = vec![Open { text: expression.to_owned(), at: 0, name: String::new() }];
        while let Some(top) = open.last_mut() {
            let rest = &top.text[top.at..];
            let Some(found) = rest.find("%{") else {
                self.out.push_str(rest);
                let inner = open.len() > 1;
                open.pop();
                self.out.push_str(if inner { ")" } else { "" });
                continue;
            };
            self.out.push_str(&rest[..found]);
            if self.out.len() > EXPANDED_MAX {
                return Err(GrokError::TooLong(self.index));
            }
            let Some(length) = reference(&rest[found..]) else {
                self.out.push_str("%{");
                top.at += found + 2;
                continue;
            };
            let inside = rest[found + 2..found + length - 1].to_owned();
            top.at += found + length;
            let (reference, definition) = match inside.split_once('=') {
                Some((reference, definition)) => {
                    (reference.to_owned(), Some(definition.to_owned()))
                }
                None => (inside, None),
            };
            let (name, field) = match reference.split_once(':') {
                Some((name, field)) => (name, Some(field)),
                None => (&*reference, None),
            };
            if definition.is_none() && open.iter().any(|open| open.name == name) {
                return Err(GrokError::Recursive(self.index, name.to_owned()));
            }
            let text = match &definition {
                Some(definition) => definition.clone(),
                None => match self.patterns.0.get(name) {
                    Some(pattern) => pattern.clone(),
                    None => return Err(GrokError::Unknown(self.index, name.to_owned())),
                },
            };
            let name = name.to_owned();
            self.start(field)?;
            open.push(Open { text, at: 0, name });
        }
        Ok(())
    }

    /// Writes the start of a group, which gets a name if it is a field.
    fn start(&mut self, field: Option<&str>) -> Result<(), GrokError> {
        let Some(field) = field else {
            self.out.push_str("(?:");
            return Ok(());
        };
        let (path, kind) = match field.rsplit_once(':') {
            Some((path, "int")) => (path, GrokType::Int),
            Some((path, "float")) => (path, GrokType::Float),
            Some((_, kind)) => return Err(GrokError::Type(self.index, kind.to_owned())),
            None => (field, GrokType::Text),
        };
        self.out.push_str(&format!("(?<{PREFIX}{}>", self.fields.len()));
        self.fields.push(Field { path: parts(path), kind });
        Ok(())
    }
}

/// Returns the length of the reference at the start of `text`, including its braces, or `None` if there is
/// no reference.
fn reference(text: &str) -> Option<usize> {
    let name = text[2..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if name.count() == 0 {
        return None;
    }
    let mut depth = 0;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the parts of a path such as `[a][b]`, or a single name itself.
fn parts(path: &str) -> Vec<String> {
    match path.strip_prefix('[').and_then(|path| path.strip_suffix(']')) {
        Some(inner) => inner.split("][").map(str::to_owned).collect(),
        None => vec![path.to_owned()],
    }
}

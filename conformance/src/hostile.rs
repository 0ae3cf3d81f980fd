//! Hostile inputs: shapes that have made parsers take quadratic time, each of which can have any
//! size.
//!
//! A shape has a name, a format, and a function that returns an input of a given size. The size is
//! approximate; doubling it doubles every count that matters for the shape. The program `hostile`
//! writes an input; `linear` runs the command on all shapes.

mod binary;
mod edited;
mod json;
mod schema;
mod yaml;

use std::fmt::Write as _;

/// The format of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// YAML.
    Yaml,
    /// JSON texts.
    Json,
    /// Values of extprot.
    Extprot,
    /// A schema of extprot.
    Schema,
    /// YAML in which many entries are edited.
    Edited,
}

impl Language {
    /// Returns the name of the language, as `hostile --list` prints it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Yaml => "yaml",
            Language::Json => "json",
            Language::Extprot => "extprot",
            Language::Schema => "schema",
            Language::Edited => "edited",
        }
    }
}

/// A hostile input of any size.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name of the shape, which is unique.
    pub name: &'static str,
    /// The format of the input.
    pub language: Language,
    /// Returns an input of about this many bytes.
    pub make: fn(usize) -> Vec<u8>,
}

/// Returns all shapes.
pub fn all() -> impl Iterator<Item = Shape> {
    let tables = [
        (Language::Yaml, yaml::SHAPES),
        (Language::Json, json::SHAPES),
        (Language::Extprot, binary::SHAPES),
        (Language::Schema, schema::SHAPES),
        (Language::Edited, edited::SHAPES),
    ];
    let shapes = |(language, table): (Language, &'static [Row])| {
        table.iter().map(move |&(name, make)| Shape { name, language, make })
    };
    tables.into_iter().flat_map(shapes)
}

/// Returns the shape with this name, or `None` if there is none.
#[must_use]
pub fn named(name: &str) -> Option<Shape> {
    all().find(|shape| shape.name == name)
}

/// A row in a table of shapes: the name and the function.
type Row = (&'static str, fn(usize) -> Vec<u8>);

/// Returns `part`, repeated to about `size` bytes.
fn repeated(part: &str, size: usize) -> String {
    part.repeat(size / part.len().max(1))
}

/// Returns `part`, repeated to about `size` bytes, between `before` and `after`.
fn around(before: &str, part: &str, after: &str, size: usize) -> Vec<u8> {
    [before, &repeated(part, size), after].concat().into_bytes()
}

/// Returns `before` and `after`, each repeated equally often, with `middle` between them, in about
/// `size` bytes.
fn nested(before: &str, middle: &str, after: &str, size: usize) -> Vec<u8> {
    let count = size / (before.len() + after.len());
    [&before.repeat(count), middle, &after.repeat(count)].concat().into_bytes()
}

/// Returns `head`, followed by numbered lines, in about `size` bytes.
fn lines(head: &str, size: usize, line: impl Fn(&mut String, usize)) -> Vec<u8> {
    let mut out = head.to_owned();
    let mut index = 0;
    while out.len() < size {
        line(&mut out, index);
        index += 1;
    }
    out.into_bytes()
}

/// Appends formatted text. Writing to a `String` cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_sizes_about_right() {
        let mut names = HashSet::new();
        for shape in all() {
            assert!(names.insert(shape.name), "{}", shape.name);
            for size in [20_000, 80_000] {
                let len = (shape.make)(size).len();
                assert!((size / 2..size * 2).contains(&len), "{}: {len} of {size}", shape.name);
            }
        }
    }
}

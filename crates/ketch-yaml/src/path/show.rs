//! Writing paths as text.

use super::Path;
use super::parse;
use super::step::{Documents, Expression, Filter, Right, Source, Step};
use std::fmt;

/// Writes the path so that parsing the text returns the same path. There is one exception: in a
/// JSON Pointer to which other steps were added, a name may need quotes, and is then parsed as
/// [`Step::Key`].
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.documents {
            Some(Documents::Index(index)) => write!(f, "@{index}")?,
            Some(Documents::All) => f.write_str("@*")?,
            Some(Documents::Filter(filter)) => write!(f, "@[?{filter}]")?,
            None if self.steps.is_empty() && !self.is_pointer => return f.write_str("."),
            None => {}
        }
        let is_first = self.documents.is_none();
        steps(f, &self.steps, self.is_pointer, is_first)
    }
}

/// Writes `steps`. If `is_first` is set, they start the path, so the first name needs no dot.
fn steps(
    f: &mut fmt::Formatter<'_>,
    steps: &[Step],
    is_pointer: bool,
    mut is_first: bool,
) -> fmt::Result {
    let mut is_descent = false;
    for step in steps {
        match step {
            Step::Name(name) if is_pointer => {
                write!(f, "/{}", name.replace('~', "~0").replace('/', "~1"))?;
            }
            Step::Name(name) if !parse::is_name(name) => write!(f, "[{}]", Quoted(name))?,
            Step::Name(name) if is_descent => f.write_str(name)?,
            // Without a dot, a path that starts with a slash would be read as a JSON Pointer.
            Step::Name(name)
                if is_first && !name.starts_with('/') && !parse::is_like_selector(name) =>
            {
                f.write_str(name)?;
            }
            Step::Name(name) => write!(f, ".{name}")?,
            Step::Key(key) => write!(f, "[{}]", Quoted(key))?,
            Step::Index(index) => write!(f, "[{index}]")?,
            Step::Plain(text) => write!(f, "[{text}]")?,
            Step::All => f.write_str("[*]")?,
            Step::Slice(from, to) => {
                let [from, to] = [from, to].map(|at| at.map_or(String::new(), |at| at.to_string()));
                write!(f, "[{from}:{to}]")?;
            }
            Step::Filter(filter) => write!(f, "[?{filter}]")?,
            Step::Descend => f.write_str("..")?,
        }
        is_descent = *step == Step::Descend;
        is_first = false;
    }
    Ok(())
}

/// Writes the filter as it is written between `[?` and `]`.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(f, &self.expression, false)
    }
}

impl Filter {
    /// Writes `expression`, in parentheses if `is_inner` is set and it has several parts. This may
    /// recurse, because the parser limits the depth.
    fn show(
        &self,
        f: &mut fmt::Formatter<'_>,
        expression: &Expression,
        is_inner: bool,
    ) -> fmt::Result {
        let (parts, sign) = match expression {
            Expression::Any(parts) => (parts, " || "),
            Expression::All(parts) => (parts, " && "),
            Expression::Not(part) => {
                f.write_str("!")?;
                return self.show(f, part, true);
            }
            Expression::Exists(source) => return self.source(f, *source),
            Expression::Matches(source, pattern) => {
                self.source(f, *source)?;
                return write!(f, " =~ '{}'", pattern.replace('\'', "''"));
            }
            Expression::Compare(left, operator, right) => {
                self.source(f, *left)?;
                write!(f, " {} ", operator.text())?;
                return match right {
                    Right::Source(source) => self.source(f, *source),
                    Right::Text(text) => write!(f, "{}", Quoted(text)),
                    Right::Plain(text) => f.write_str(text),
                };
            }
        };
        f.write_str(if is_inner { "(" } else { "" })?;
        for (at, part) in parts.iter().enumerate() {
            f.write_str(if at > 0 { sign } else { "" })?;
            self.show(f, part, true)?;
        }
        f.write_str(if is_inner { ")" } else { "" })
    }

    /// Writes one side of a comparison.
    fn source(&self, f: &mut fmt::Formatter<'_>, source: Source) -> fmt::Result {
        match source {
            Source::Key => f.write_str("key"),
            Source::Path(at) => match self.paths.get(at).map_or(&[][..], Vec::as_slice) {
                [] => f.write_str("."),
                path => steps(f, path, false, false),
            },
        }
    }
}

/// Text that is written in double quotes.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for ch in self.0.chars() {
            match ch {
                '"' | '\\' => write!(f, "\\{ch}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                ch if ch.is_control() => write!(f, "\\u{:04x}", u32::from(ch))?,
                ch => write!(f, "{ch}")?,
            }
        }
        f.write_str("\"")
    }
}

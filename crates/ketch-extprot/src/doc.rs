//! The layout of the pretty printer's text: on one line if it fits, else broken inside brackets.

use crate::text::{Signed, quoted, write_float};

/// A piece of text that can be laid out. What the pretty printers of generated code make.
#[derive(Debug, Clone, PartialEq)]
pub enum Doc {
    /// Text that is never broken.
    Atom(String),
    /// Brackets around items.
    Block(Bracket, Vec<Doc>),
    /// `label value`; the value may go to the next line.
    Labelled(String, Box<Doc>),
}

/// The brackets of specification 13.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bracket {
    /// `{ a; b }`
    Record,
    /// `[ a; b ]`
    List,
    /// `[| a; b |]`
    Array,
    /// `(a, b)`
    Tuple,
}

impl Bracket {
    /// Opening, separator, closing.
    fn signs(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Bracket::Record => ("{ ", "; ", " }"),
            Bracket::List => ("[ ", "; ", " ]"),
            Bracket::Array => ("[| ", "; ", " |]"),
            Bracket::Tuple => ("(", ", ", ")"),
        }
    }
}

/// The longest line.
const WIDTH: usize = 80;

impl Doc {
    /// A bool.
    pub fn bool(value: bool) -> Doc {
        Doc::Atom(value.to_string())
    }

    /// An int, or a byte.
    pub fn int(value: i64) -> Doc {
        Doc::Atom(Signed(value, "").to_string())
    }

    /// A long.
    pub fn long(value: i64) -> Doc {
        Doc::Atom(Signed(value, "L").to_string())
    }

    /// A float.
    pub fn float(value: f64) -> Doc {
        let mut text = String::new();
        write_float(&mut text, value).expect("writing to a string does not fail");
        Doc::Atom(text)
    }

    /// A string.
    pub fn string(bytes: &[u8]) -> Doc {
        Doc::Atom(quoted(bytes))
    }

    /// A constructor: `name` as `Module.Name`.
    pub fn constructor(name: &str, mut arguments: Vec<Doc>) -> Doc {
        match arguments.len() {
            0 => Doc::Atom(name.into()),
            1 => Doc::Labelled(name.into(), Box::new(arguments.remove(0))),
            _ => Doc::Labelled(name.into(), Box::new(Doc::Block(Bracket::Tuple, arguments))),
        }
    }

    /// A record; only the first field has the module.
    pub fn record<'n>(module: &str, fields: impl Iterator<Item = (&'n str, Doc)>) -> Doc {
        let field = |(index, (name, value)): (usize, (&str, Doc))| {
            let label = if index == 0 { format!("{module}.{name} =") } else { format!("{name} =") };
            Doc::Labelled(label, Box::new(value))
        };
        Doc::Block(Bracket::Record, fields.enumerate().map(field).collect())
    }

    /// The text, in lines of at most 80 columns where that is possible.
    pub fn layout(&self) -> String {
        let mut out = String::new();
        self.place(&mut out, 0);
        out
    }

    /// The text on one line, or `false` when it passes `width` bytes.
    fn flat(&self, out: &mut String, width: usize) -> bool {
        match self {
            Doc::Atom(text) => out.push_str(text),
            Doc::Labelled(label, value) => {
                out.push_str(label);
                out.push(' ');
                return out.len() <= width && value.flat(out, width);
            }
            Doc::Block(bracket, items) => {
                let (open, between, close) = bracket.signs();
                out.push_str(open);
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { between } else { "" });
                    if !item.flat(out, width) {
                        return false;
                    }
                }
                out.push_str(close);
            }
        }
        out.len() <= width
    }

    fn place(&self, out: &mut String, indent: usize) {
        let column = out.len() - out.rfind('\n').map_or(0, |i| i + 1);
        let mut line = String::new();
        // Something always follows: a separator or a bracket.
        if self.flat(&mut line, WIDTH.saturating_sub(column + 2)) {
            out.push_str(&line);
            return;
        }
        match self {
            Doc::Atom(text) => out.push_str(text),
            Doc::Labelled(label, value) => {
                out.push_str(label);
                let indent = indent + 2;
                out.push('\n');
                out.push_str(&" ".repeat(indent));
                value.place(out, indent);
            }
            Doc::Block(bracket, items) => {
                let (open, between, close) = bracket.signs();
                let indent = indent + open.len();
                out.push_str(open);
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(between.trim_end());
                        out.push('\n');
                        out.push_str(&" ".repeat(indent));
                    }
                    item.place(out, indent);
                }
                out.push_str(close);
            }
        }
    }
}

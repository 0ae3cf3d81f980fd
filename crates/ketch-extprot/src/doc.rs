//! Formats the text of the pretty printer: on one line if it fits, and otherwise broken inside
//! brackets.

use crate::text::{Float, Signed, quoted};

/// Text that is not yet broken into lines. The pretty printers of generated code return it.
///
/// The pieces are in a flat list in the order of the text, so nothing recurses. Putting one text
/// into another moves its pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Doc {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// Text that is never broken.
    Atom(String),
    /// A label before a value, as in `label value`. The next item is the value, which may go to the
    /// next line.
    Label(String),
    /// Brackets around items, and the number of pieces of the items, which follow this one.
    Block(Bracket, usize),
}

/// The brackets of specification 13.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Returns the opening bracket, the separator and the closing bracket, with their spaces.
    fn signs(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Bracket::Record => ("{ ", "; ", " }"),
            Bracket::List => ("[ ", "; ", " ]"),
            Bracket::Array => ("[| ", "; ", " |]"),
            Bracket::Tuple => ("(", ", ", ")"),
        }
    }
}

/// The maximum width of a line, in columns.
const WIDTH: usize = 80;

impl Doc {
    /// Creates text that is never broken.
    pub fn atom(text: String) -> Doc {
        Doc { pieces: vec![Piece::Atom(text)] }
    }

    /// Creates text with brackets around `items`.
    pub fn block(bracket: Bracket, items: Vec<Doc>) -> Doc {
        let length = items.iter().map(|item| item.pieces.len()).sum();
        let mut pieces = Vec::with_capacity(length + 1);
        pieces.push(Piece::Block(bracket, length));
        pieces.extend(items.into_iter().flat_map(|item| item.pieces));
        Doc { pieces }
    }

    /// Creates text of the form `label value`, in which the value may go to the next line.
    fn labelled(label: String, mut value: Doc) -> Doc {
        value.pieces.insert(0, Piece::Label(label));
        value
    }

    /// Creates the text of a bool.
    pub fn bool(value: bool) -> Doc {
        Doc::atom(value.to_string())
    }

    /// Creates the text of an int or a byte.
    pub fn int(value: i64) -> Doc {
        Doc::atom(Signed(value, "").to_string())
    }

    /// Creates the text of a long.
    pub fn long(value: i64) -> Doc {
        Doc::atom(Signed(value, "L").to_string())
    }

    /// Creates the text of a float.
    pub fn float(value: f64) -> Doc {
        Doc::atom(Float(value).to_string())
    }

    /// Creates the text of a string.
    pub fn string(bytes: &[u8]) -> Doc {
        Doc::atom(quoted(bytes))
    }

    /// Creates the text of a constructor with its arguments. `name` has the form `Module.Name`.
    pub fn constructor(name: &str, mut arguments: Vec<Doc>) -> Doc {
        match arguments.len() {
            0 => Doc::atom(name.into()),
            1 => Doc::labelled(name.into(), arguments.remove(0)),
            _ => Doc::labelled(name.into(), Doc::block(Bracket::Tuple, arguments)),
        }
    }

    /// Creates the text of a record. Only the label of the first field contains the name of the
    /// module.
    pub fn record<'n>(module: &str, fields: impl Iterator<Item = (&'n str, Doc)>) -> Doc {
        let field = |(index, (name, value)): (usize, (&str, Doc))| {
            let label = if index == 0 { format!("{module}.{name} =") } else { format!("{name} =") };
            Doc::labelled(label, value)
        };
        Doc::block(Bracket::Record, fields.enumerate().map(field).collect())
    }

    /// Returns the text, broken into lines of at most 80 columns where possible. Takes time linear
    /// in the length of the result.
    pub fn layout(&self) -> String {
        let mut page = Page {
            pieces: &self.pieces,
            extents: extents(&self.pieces),
            out: String::new(),
            line_start: 0,
        };
        page.fill();
        page.out
    }
}

/// For the item that starts at some piece: the index of the piece after the item, and the width of
/// the item on one line.
#[derive(Clone, Copy)]
struct Extent {
    end: usize,
    width: usize,
}

/// Returns, for each piece, the extent of the item that starts there. Goes from the last piece to
/// the first, because the extent of an item depends on those of its parts.
fn extents(pieces: &[Piece]) -> Vec<Extent> {
    let mut extents = vec![Extent { end: 0, width: 0 }; pieces.len()];
    for (at, piece) in pieces.iter().enumerate().rev() {
        extents[at] = match piece {
            Piece::Atom(text) => Extent { end: at + 1, width: text.len() },
            Piece::Label(label) => {
                let value = extents[at + 1];
                Extent { width: label.len() + 1 + value.width, ..value }
            }
            Piece::Block(bracket, length) => {
                let (open, between, close) = bracket.signs();
                let (mut item, end) = (at + 1, at + 1 + length);
                let mut width = open.len() + close.len();
                while item < end {
                    width += extents[item].width + if item > at + 1 { between.len() } else { 0 };
                    item = extents[item].end;
                }
                Extent { end, width }
            }
        };
    }
    extents
}

/// The text while it is formatted.
struct Page<'d> {
    pieces: &'d [Piece],
    extents: Vec<Extent>,
    out: String,
    /// The offset in `out` at which the last line starts.
    line_start: usize,
}

/// A part of the text that is still to be written.
enum Task {
    /// The item that starts at the piece with this index, and the indentation of its lines.
    Item(usize, usize),
    /// The items of a block, from the piece `next` up to the piece `end`, and the closing bracket.
    Rest { next: usize, end: usize, bracket: Bracket, indent: usize, is_first: bool },
}

impl Page<'_> {
    /// Formats all pieces.
    fn fill(&mut self) {
        let mut tasks = vec![Task::Item(0, 0)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Item(at, indent) => self.item(at, indent, &mut tasks),
                Task::Rest { next, end, bracket, .. } if next == end => {
                    self.out.push_str(bracket.signs().2);
                }
                Task::Rest { next, end, bracket, indent, is_first } => {
                    if !is_first {
                        self.out.push_str(bracket.signs().1.trim_end());
                        self.new_line(indent);
                    }
                    let after = self.extents[next].end;
                    tasks.push(Task::Rest { next: after, end, bracket, indent, is_first: false });
                    tasks.push(Task::Item(next, indent));
                }
            }
        }
    }

    /// Writes the item that starts at the piece `at` on one line, if it fits. Otherwise, writes the
    /// start of the item, and adds tasks for the rest.
    fn item(&mut self, at: usize, indent: usize, tasks: &mut Vec<Task>) {
        let column = self.out.len() - self.line_start;
        let Extent { end, width } = self.extents[at];
        // Two columns stay free for the separator or bracket that usually follows.
        if width <= WIDTH.saturating_sub(column + 2) {
            return self.flat(at, end);
        }
        match &self.pieces[at] {
            Piece::Atom(text) => self.out.push_str(text),
            Piece::Label(label) => {
                self.out.push_str(label);
                self.new_line(indent + 2);
                tasks.push(Task::Item(at + 1, indent + 2));
            }
            Piece::Block(bracket, _) => {
                let open = bracket.signs().0;
                self.out.push_str(open);
                let indent = indent + open.len();
                let bracket = *bracket;
                tasks.push(Task::Rest { next: at + 1, end, bracket, indent, is_first: true });
            }
        }
    }

    /// Starts a line with `indent` spaces.
    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.line_start = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes the pieces from `at` to `end` on one line.
    fn flat(&mut self, at: usize, end: usize) {
        // For each open block: the index at which it ends, its bracket, and whether an item was
        // written.
        let mut open: Vec<(usize, Bracket, bool)> = Vec::new();
        for at in at..end {
            let is_value = at > 0 && matches!(self.pieces[at - 1], Piece::Label(_));
            if let Some((_, bracket, has_item)) = open.last_mut().filter(|_| !is_value) {
                let between = if *has_item { bracket.signs().1 } else { "" };
                self.out.push_str(between);
                *has_item = true;
            }
            match &self.pieces[at] {
                Piece::Atom(text) => self.out.push_str(text),
                Piece::Label(label) => {
                    self.out.push_str(label);
                    self.out.push(' ');
                }
                Piece::Block(bracket, length) => {
                    self.out.push_str(bracket.signs().0);
                    open.push((at + 1 + length, *bracket, false));
                }
            }
            while let Some((_, bracket, _)) = open.pop_if(|(end, ..)| *end == at + 1) {
                self.out.push_str(bracket.signs().2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_documents_do_not_overflow_the_stack() {
        let mut doc = Doc::int(1);
        for level in 0..5000 {
            doc = match level % 2 {
                0 => Doc::block(Bracket::List, vec![doc, Doc::bool(true)]),
                _ => Doc::constructor("T.C", vec![doc]),
            };
        }
        let deep = doc.clone();
        assert!(deep == doc);
        assert_eq!(doc.layout().matches("[ ").count(), 2500);
    }

    #[test]
    fn items_that_fit_stay_on_one_line() {
        let list = |n| Doc::block(Bracket::List, (0..n).map(|_| Doc::string(b"item")).collect());
        let record = |n| Doc::record("M", [("a", list(n)), ("b", list(0))].into_iter());
        assert_eq!(record(2).layout(), "{ M.a = [ \"item\"; \"item\" ]; b = [  ] }");
        let text = record(12).layout();
        assert!(text.starts_with("{ M.a =\n    [ \"item\";\n      \"item\";\n"), "{text}");
        assert!(text.ends_with("\"item\" ];\n  b = [  ] }"), "{text}");
    }
}

//! Generates documents in Syck's dialect, from a grammar with a production for each construct, and
//! by mutations.

/// Generates documents, which depend only on the seed.
#[derive(Clone, Debug)]
pub struct Generator {
    state: u64,
    budget: usize,
}

/// Plain scalars: one or more forms for each implicit type, and text that looks like such a form.
const PLAIN: &[&str] = &[
    "a",
    "b",
    "key",
    "two words",
    "~",
    "null",
    "Null",
    "yes",
    "No",
    "on",
    "OFF",
    "true",
    "False",
    "y",
    "n",
    "0x1F",
    "-0x1,F",
    "010",
    "08",
    "0",
    "1,000",
    "1_000",
    "12",
    "-7",
    "+3",
    "0b101",
    "0o17",
    "1:30",
    "-1:30",
    "1:60",
    "1:30.5",
    "1.",
    "1.5",
    ".5",
    "1e3",
    "1.5e3",
    "1.5e+3",
    "1.2.3e+4",
    ".inf",
    "-.INF",
    "+.Inf",
    ".nan",
    "2001-01-01",
    "2001-1-1",
    "2001-12-14T21:59:43",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43.10 -05",
    "2001-12-14T21:59:43Z",
    "2001-12-15T02:59:43.1Z",
    "=",
    "<<",
    "00:11:22:33:44:55",
];

/// Plain text with characters that have a special meaning elsewhere, or here.
const ODD: &[&str] = &[
    "@x",
    "`x",
    "%x",
    "%YAML:1.0",
    ",x",
    "x,y",
    "x, y",
    "x,  y",
    "a:b",
    "::a",
    ":sym",
    "a#b",
    "a #b",
    "-x",
    "--",
    "---x",
    "?x",
    "a]b",
    "a}b",
    "a[b",
    "a{b",
    "x ]",
    "x }",
    "\u{e9}t\u{e9}",
    "a\\nb",
    "a'b",
    "a\"b",
    "*",
    "&",
    "* x",
    "& x",
    "a\tb",
    "a  b",
    ">x",
    "|x",
    ">",
    "|",
    "a&b",
    "a!b",
    "[",
    "]",
    "{",
    "}",
    "a:",
    "-",
    "?",
    ":",
    "...",
    "---",
];

const QUOTED: &[&str] = &[
    "'a'",
    "''",
    "'it''s'",
    "'a\n  b'",
    "'a\n\n b'",
    "'a \n b '",
    "\"a\"",
    "\"\"",
    "\"a\\nb\"",
    "\"\\x41\\t\"",
    "\"\\u00e9\"",
    "\"\\N\\_\\/\"",
    "\"a\n b\"",
    "\"a\n\n\n  b\"",
    "\"a\\\n  b\"",
    "\"a\\  \n b\"",
    "\"q\\\"q\"",
    "'x\\n'",
    "\"12\"",
    "'~'",
    "\"\\0\\a\\b\\e\\f\\v\\r\"",
    "\"a\\qb\"",
    "'\r\n'",
    "\"\\xc3\\xa9\"",
    "'open",
    "\"open",
    "'a # b'",
    "\"a: b\"",
    "'a\n\tb'",
];

const TAGS: &[&str] = &[
    "!int",
    "!str",
    "!float",
    "!!x",
    "!",
    "!dom/x",
    "!dom.com,2004/x",
    "!dom,2004-01/x",
    "!pre.com,2000/a^x",
    "!^y",
    "!tag:x.org,2001:z",
    "!x-private:w",
    "!<tag:x>",
    "!a\\x41b",
    "!a%20b",
    "!null",
    "!map",
    "!seq",
    "!binary",
    "!!",
    "!ruby/object:X",
    "!_a-b/c",
    "!a-/c",
    "!p^",
];

/// The starts of lines.
#[rustfmt::skip]
const HEADS: &[&str] = &[
    "- ", "- ", "- - ", "k: ", "key: ", "a b: ", "- k: ", "- k:", "k:", "k:", "\"q\": ", "'q' : ",
    ":s: ", "<<: ", "-", "-  ", "? ", "\u{e9}: ", "- - k: ", "!t k: ", "&a k: ", "# c", "", "",
    "k :", "---", "...",
];

/// The ends of lines: simple values, and values that look simple.
#[rustfmt::skip]
const TAILS: &[&str] = &[
    "a", "a", "oak elm", "1", "", "", "", "[a, b]", "[1,2, 3]", "[]", "[ ]", "{}", "{a: b}",
    "{a: b, c: 'd'}", "[a, ]", "{a, b: c}", "[a]b", "'x'", "\"x\"", "\"x\\n\"", "'x", "\"\\q\"",
    "*a", "&a x", "&a", "&b [x]", "&a &b x", "!t x", "!t", "! 'x'", "|", ">", "|-", "|2", "> x",
    "a # c", "a #c", "a  # c", "a\t# c", "a\t", "a  ", "# c", "- x", "k: v", "a:b", "http://x/y",
    "a,b", "a, b", "\u{e9}", ":sym", "-1", "--- ", "[a: b]", "{a: }", "['a', \"b\" ]",
    "{ 'a' : b }", "\u{e9} x", "a\n   b", "|\n   b\n  c", "'a\n b'", "~", ".5", "*z",
];

#[rustfmt::skip]
const LINE_ENDS: &[&str] = &[
    "\n\n", "\r\n", "  \n", "\n# c\n", "\n      # c\n", " # c\n", "\n \n", "\n\t\n",
];

const SPACE: &[&str] = &[
    " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", "  ", "   ",
    "\t", "", " \t",
];

impl Generator {
    /// Creates a generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Generator {
        Generator {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03,
            budget: 0,
        }
    }

    /// Returns the next random number (SplitMix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }

    /// Returns a stream of one to three documents.
    pub fn stream(&mut self) -> Vec<u8> {
        self.budget = 4 + self.below(24);
        let mut out = String::new();
        if self.one_in(12) {
            out += self.pick(&[
                "# comment\n",
                "\n",
                "\t\n",
                "  \n",
                " # c\n\n",
                "\u{feff}",
                "...\n",
                "%x\n",
            ]);
        }
        let documents = if self.one_in(6) { 2 + self.below(2) } else { 1 };
        for index in 0..documents {
            if index > 0 || self.one_in(4) {
                out += self.pick(&[
                    "---\n",
                    "--- ",
                    "--- %YAML:1.0\n",
                    "--- \n",
                    "---  # c\n",
                    "...\n",
                    "---\t\n",
                    "--- %A:b %C:d ",
                ]);
            }
            self.block(0, &mut out);
            if !out.ends_with('\n') && !self.one_in(10) {
                out.push('\n');
            }
        }
        let mut bytes = out.into_bytes();
        if self.one_in(12) {
            bytes = replace(&bytes, b"\n", b"\r\n");
        }
        if self.one_in(1000) {
            bytes.extend_from_slice(b"\n- \"\\xe9\"\n");
        }
        if self.one_in(400) {
            let at = self.below(bytes.len() + 1);
            bytes.insert(at, 0);
        }
        bytes
    }

    /// Returns a document whose lines are mostly simple entries and pairs, with any indentation.
    pub fn lines(&mut self) -> Vec<u8> {
        let mut out = String::new();
        if self.one_in(3) {
            out.push_str("---\n");
        }
        let mut indent = if self.one_in(9) { self.below(3) } else { 0 };
        for _ in 0..=self.below(12) {
            indent = match self.below(8) {
                0..=3 => indent,
                4..=5 => indent + 2,
                6 => self.below(7),
                _ => indent.saturating_sub(2),
            };
            Self::indent(&mut out, indent);
            out += self.pick(HEADS);
            if !self.one_in(3) {
                let is_odd = self.one_in(2);
                out += self.pick(if is_odd { TAILS } else { &["a", "b", "", "c d"] });
            }
            out += if self.one_in(15) { self.pick(LINE_ENDS) } else { "\n" };
        }
        if self.one_in(4) {
            out.pop();
        }
        if self.one_in(40) {
            out += "\0x";
        }
        out.into_bytes()
    }

    /// Returns a generated stream, or a text of `corpus`, with some bytes changed.
    pub fn mutation(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = match corpus.len() {
            0 => self.stream(),
            _ if self.one_in(3) => self.stream(),
            count => {
                let index = self.below(count);
                corpus[index].clone()
            }
        };
        for _ in 0..=self.below(4) {
            self.change(&mut bytes);
        }
        bytes
    }

    /// Deletes, inserts or replaces a few random bytes.
    fn change(&mut self, bytes: &mut Vec<u8>) {
        const BITS: &[&str] = &[
            " ", "  ", "\n", "\n ", "\n\n", "- ", "-\n", ": ", ":\n", "? ", ", ", ",", "[", "]",
            "{", "}", "'", "\"", "#", " #", "\t", "&a ", "*a ", "!x ", "! ", "> ", "|\n", ">-\n",
            "|2\n", "---\n", "--- ", "...\n", "\\", "\r\n", "~", "a",
        ];
        let at = self.below(bytes.len() + 1);
        let end = (at + 1 + self.below(3)).min(bytes.len());
        match self.below(4) {
            0 => drop(bytes.drain(at.min(end)..end)),
            1 => {
                let bit = self.pick(BITS);
                bytes.splice(at..at, bit.bytes());
            }
            2 => {
                let bit = self.pick(BITS);
                bytes.splice(at.min(end)..end, bit.bytes());
            }
            _ => {
                let from = self.below(bytes.len() + 1);
                let to = (from + self.below(12)).min(bytes.len());
                let copied = bytes[from..to].to_vec();
                bytes.splice(at..at, copied);
            }
        }
    }

    fn plain(&mut self) -> &'static str {
        let is_odd = self.one_in(5);
        self.pick(if is_odd { ODD } else { PLAIN })
    }

    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    fn indent(out: &mut String, columns: usize) {
        out.extend(std::iter::repeat_n(' ', columns));
    }

    /// Writes the end of a line, rarely after blanks or a comment, or followed by empty lines.
    fn line_end(&mut self, out: &mut String) {
        if self.one_in(20) {
            out.push_str(
                self.pick(&[" # c", "  ", "\t", "\t# c", " #", "\n", "\n   ", "\n# c", "\n  # c"]),
            );
        }
        out.push('\n');
    }

    /// Writes up to two anchors or tags.
    fn properties(&mut self, out: &mut String) {
        for _ in 0..2 {
            if self.one_in(9) {
                match self.below(3) {
                    0 => out.push_str(self.pick(&["&a", "&b", "&c-1"])),
                    _ => out.push_str(self.pick(TAGS)),
                }
                out.push(' ');
            }
        }
    }

    /// Writes a node in block style, whose lines are indented by `columns`.
    fn block(&mut self, columns: usize, out: &mut String) {
        if !self.spend() {
            self.scalar(columns, out);
            return;
        }
        match self.below(9) {
            0..=2 => self.mapping(columns, out),
            3..=5 => self.sequence(columns, out),
            6 => self.flow(3, out),
            _ => self.scalar(columns, out),
        }
    }

    /// Writes a block mapping that is indented by `columns`.
    fn mapping(&mut self, columns: usize, out: &mut String) {
        let count = 1 + self.below(3);
        for index in 0..count {
            if index > 0 {
                Self::indent(out, columns);
                if self.one_in(30) {
                    out.push_str(self.pick(&[" ", "  ", "\t"]));
                }
            }
            if self.one_in(14) && index > 0 {
                out.push_str("- ");
                self.scalar(columns + 2, out);
                continue;
            }
            self.key(columns, out);
            out.push(':');
            self.value(columns, out);
        }
    }

    /// Writes a key, which sometimes follows `?`.
    fn key(&mut self, columns: usize, out: &mut String) {
        if self.one_in(15) {
            out.push_str(self.pick(&["? ", "?  "]));
            self.block(columns + 2, out);
            if !out.ends_with('\n') {
                out.push('\n');
            }
            Self::indent(out, columns);
            return;
        }
        self.properties(out);
        match self.below(14) {
            0 => out.push_str(self.pick(QUOTED)),
            1 => out.push_str(self.plain()),
            2 => out.push_str(self.pick(&["*a", "*b", "<<", "=", "? k", "*c-1"])),
            _ => out.push_str(self.pick(&["a", "b", "c", "key", "k 2", "1", "two words"])),
        }
        if self.one_in(14) {
            out.push_str(self.pick(&[" ", "\t"]));
        }
    }

    /// Writes what follows a `:` or a `-`, up to the end of its last line.
    fn value(&mut self, columns: usize, out: &mut String) {
        let deeper = columns + [2, 2, 2, 2, 2, 2, 1, 4, 2, 0][self.below(10)];
        match self.below(12) {
            0 => self.line_end(out),
            1..=3 => {
                if self.one_in(4) {
                    out.push(' ');
                    self.properties(out);
                }
                self.line_end(out);
                Self::indent(out, deeper);
                self.block(deeper, out);
            }
            4 => {
                let space = self.pick(SPACE);
                out.push_str(space);
                self.block(columns + 1 + space.len(), out);
            }
            _ => {
                out.push_str(self.pick(SPACE));
                self.scalar(deeper, out);
            }
        }
    }

    /// Writes a block sequence that is indented by `columns`.
    fn sequence(&mut self, columns: usize, out: &mut String) {
        let count = 1 + self.below(3);
        for index in 0..count {
            if index > 0 {
                Self::indent(out, columns);
                if self.one_in(30) {
                    out.push_str(self.pick(&[" ", "a: 1\n", "a: "]));
                }
            }
            out.push('-');
            self.value(columns, out);
        }
    }

    /// Writes a scalar, a flow collection or an alias, and the end of its line.
    fn scalar(&mut self, columns: usize, out: &mut String) {
        self.properties(out);
        match self.below(16) {
            0..=6 => out.push_str(self.plain()),
            7..=8 => out.push_str(self.pick(QUOTED)),
            9 => out.push_str(self.pick(&["*a", "*b", "*nothing", "*c-1"])),
            10 => self.flow(2, out),
            11 | 12 => {
                self.literal(columns, out);
                return;
            }
            13 => {
                out.push_str(self.plain());
                for _ in 0..=self.below(2) {
                    out.push_str(self.pick(&["\n", "\n\n", " \n", "\n \n"]));
                    Self::indent(out, columns);
                    out.push_str(self.plain());
                }
            }
            _ => {}
        }
        self.line_end(out);
    }

    /// Writes a block scalar, whose header may be uncommon.
    fn literal(&mut self, columns: usize, out: &mut String) {
        out.push_str(self.pick(&["|", ">"]));
        out.push_str(self.pick(&["", "", "", "-", "+", "2", "1-", "+3", "0", "9"]));
        out.push_str(self.pick(&[
            "",
            "",
            "",
            "",
            " ",
            " # c",
            " text",
            " 3x",
            " -x",
            "  more text  ",
        ]));
        out.push('\n');
        for _ in 0..self.below(4) {
            if self.one_in(5) {
                out.push_str(self.pick(&["\n", " \n", "    \n", "\n\n"]));
            }
            Self::indent(out, columns);
            if self.one_in(5) {
                out.push_str(self.pick(&[" ", "  ", "\t", "    "]));
            }
            out.push_str(self.pick(&[
                "text",
                "more words",
                "# no comment",
                "- x",
                "a: b",
                "'q'",
                "x # y",
                "tail  ",
                "---",
                "--- ",
                "\u{e9}",
            ]));
            out.push('\n');
        }
        if self.one_in(5) {
            out.push_str(self.pick(&["\n", "\n\n", " \n"]));
        }
    }

    /// Writes a flow collection with at most `depth` more levels of collections in it.
    fn flow(&mut self, depth: usize, out: &mut String) {
        self.properties(out);
        let is_sequence = self.one_in(2);
        out.push(if is_sequence { '[' } else { '{' });
        let count = self.below(4);
        for index in 0..count {
            if index > 0 {
                out.push_str(self.pick(&[", ", ", ", ", ", ",", ",\n  ", " , ", ",\n", ",  "]));
            }
            self.flow_entry(is_sequence, depth, out);
        }
        out.push_str(self.pick(&["", "", "", "", "", "", "", "", " ", " ", ",", "\n", ", "]));
        let closes_wrong = self.one_in(40);
        if !self.one_in(60) {
            out.push(if is_sequence != closes_wrong { ']' } else { '}' });
        }
    }

    /// Writes an entry of a flow collection, which may have a value.
    fn flow_entry(&mut self, is_sequence: bool, depth: usize, out: &mut String) {
        let has_value = if is_sequence { self.one_in(6) } else { !self.one_in(6) };
        self.flow_node(depth, out);
        if has_value {
            out.push_str(self.pick(&[": ", ": ", ": ", ":", " : ", ":\n  ", ":  "]));
            if !self.one_in(10) {
                self.flow_node(depth, out);
            }
        }
    }

    /// Writes a node in a flow collection.
    fn flow_node(&mut self, depth: usize, out: &mut String) {
        if depth > 0 && self.one_in(5) {
            self.flow(depth - 1, out);
            return;
        }
        self.properties(out);
        match self.below(10) {
            0 => out.push_str(self.pick(QUOTED)),
            1 => out.push_str(self.pick(&["*a", "*b", "*nothing", "? a", "- a", "> a", "|"])),
            2 => out.push_str(self.pick(&["a\n b", "a\n\n  b", "a # c\n", "", "# c\n a"])),
            3..=5 => out.push_str(self.plain()),
            _ => out.push_str(self.pick(&["a", "1", "x y", "~", "1,2", "b"])),
        }
    }
}

/// Returns the bytes with each occurrence of `from` replaced by `to`.
fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        if rest.starts_with(from) {
            out.extend_from_slice(to);
            rest = &rest[from.len()..];
        } else {
            out.push(first);
            rest = &rest[1..];
        }
    }
    out
}

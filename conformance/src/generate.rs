//! Generates documents from bytes. Since the same bytes give the same document, property tests can
//! shrink documents, fuzzers can mutate them, and differential runs can enumerate them.
//!
//! The generator follows the grammar, but sometimes violates it, by wrong indentation, a tab, or a
//! stray indicator. About half of its output is valid YAML, and the other half nearly so.

/// The characters that have a meaning in YAML, and a few that have none.
pub const ALPHABET: &[u8] = b"-:?#&*!|>'\"%@`[]{},.=~<+\\ \t\n\r\n \n  a1bxn0";

const WORDS: [&str; 40] = [
    "a",
    "b1",
    "word",
    "two words",
    "-x",
    "?y",
    ":z",
    "a:b",
    "a#b",
    "x-",
    "http://e.org/#f",
    "12",
    "1.5e3",
    "null",
    "~",
    "true",
    "a, b",
    "a]b",
    "--- a",
    "--",
    "...x",
    "=",
    "<<",
    "a\\b",
    "it's",
    "say \"x\"",
    "\u{e9}\u{20ac}",
    "\u{1f30a}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "a\tb",
    "%a",
    "@",
    "`",
    "!",
    "x!",
    "a*b",
    "a&b",
    "-",
];

const ESCAPES: [&str; 16] = [
    "\\n",
    "\\t",
    "\\\"",
    "\\\\",
    "\\x41",
    "\\u20ac",
    "\\U0001F30A",
    "\\ ",
    "\\/",
    "\\_",
    "\\N",
    "\\0",
    "\\e",
    "\\L",
    "\\uD83D\\uDE00",
    "\\q",
];

const TAGS: [&str; 10] =
    ["!", "!!str", "!local", "!e!x", "!<tag:x>", "!<!y>", "!a%21", "!!", "!x!", "!!int"];

/// Returns one or more documents that are generated from `bytes`.
pub fn document(bytes: &[u8]) -> String {
    let mut generator = Generator { bytes, at: 0, out: String::new(), nodes: 0 };
    generator.stream();
    generator.out
}

/// Returns a character of [`ALPHABET`] for each of `bytes`.
pub fn noise(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|&byte| ALPHABET[byte as usize % ALPHABET.len()]).collect()
}

/// A small generator of random numbers (xorshift64*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns the next random number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a random number below `end`, which must not be zero.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() >> 33) as usize % end
    }

    /// Returns `len` random bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.number() >> 40) as u8).collect()
    }
}

/// Makes a small random change to a text, for fuzzers and differential runs.
pub fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len() + 1);
    match random.below(8) {
        6 => {
            let part = ["x", " ", "\u{e9}", "\t"][random.below(4)].repeat(1 + random.below(130));
            let at = if is_boundary(text, at) { at } else { text.len() };
            text.splice(at..at, part.bytes());
        }
        0 => text.truncate(at),
        1 if at < text.len() => {
            text.remove(at);
        }
        2 => text.insert(at, ALPHABET[random.below(ALPHABET.len())]),
        3 if at < text.len() => text[at] = ALPHABET[random.below(ALPHABET.len())],
        4 => {
            let end = (at + random.below(8)).min(text.len());
            let part = text[at..end].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, part);
        }
        _ => {
            let word = WORDS[random.below(WORDS.len())];
            text.splice(at..at, word.bytes());
        }
    }
}

fn is_boundary(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&byte| byte & 0xC0 != 0x80)
}

const NODES_MAX: usize = 60;
const DEPTH_MAX: usize = 7;

struct Generator<'b> {
    bytes: &'b [u8],
    at: usize,
    out: String,
    nodes: usize,
}

impl Generator<'_> {
    /// Returns a number below `end`, or zero if all bytes are used up, so that shrinking the bytes
    /// makes documents shorter.
    fn pick(&mut self, end: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte as usize % end
    }

    /// Returns true in one of `times` calls, on average.
    fn once_in(&mut self, times: usize) -> bool {
        self.pick(times) == times - 1
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes documents until the bytes are used up, or chance ends the stream.
    fn stream(&mut self) {
        if self.once_in(30) {
            self.put("\u{feff}");
        }
        loop {
            self.document();
            if self.at >= self.bytes.len() || !self.once_in(3) {
                break;
            }
        }
        if self.once_in(4) {
            while self.out.ends_with(['\n', '\r']) {
                self.out.pop();
            }
        }
    }

    /// Writes a document, which may have directives and markers.
    fn document(&mut self) {
        let directives = self.once_in(8);
        if directives {
            let lines = [
                "%YAML 1.2",
                "%TAG !e! tag:e.org,2000:",
                "%TAG !! x:",
                "%FOO bar # c",
                "%YAML 1.1 2",
            ];
            for _ in 0..=self.pick(2) {
                let line = lines[self.pick(lines.len())];
                self.put(line);
                self.line_end();
            }
        }
        self.comments();
        let marker = directives && !self.once_in(12) || self.once_in(3);
        if marker {
            self.put("---");
        }
        if marker && self.once_in(2) {
            self.put(" ");
            self.inline_node(-1, 0);
        } else {
            if marker {
                self.line_end();
            }
            self.block_node(-1, 0, true);
        }
        if self.once_in(4) {
            self.put("...");
            self.line_end();
        }
    }

    /// Writes the end of a line, which may contain a comment.
    fn line_end(&mut self) {
        match self.pick(24) {
            1 => self.put(" # comment"),
            2 => self.put(" "),
            3 => self.put("\t"),
            4 => self.put("#x"),
            5 => self.put("\t# t"),
            _ => {}
        }
        let line_break = ["\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\r"][self.pick(8)];
        self.put(line_break);
        if self.once_in(8) {
            self.comments();
        }
    }

    /// Writes blank lines and comment lines.
    fn comments(&mut self) {
        for _ in 0..self.pick(3) {
            let lines = ["\n", "  \n", "# c\n", "   # d: [\n", "\t\n", " \t# e\n", "\r\n"];
            let line = lines[self.pick(lines.len())];
            self.put(line);
        }
    }

    /// Writes indentation of `columns` columns, sometimes one more or less.
    fn indent(&mut self, columns: isize) {
        let columns = match self.pick(40) {
            1 => columns + 1,
            2 => columns - 1,
            _ => columns,
        };
        for _ in 0..columns {
            self.out.push(' ');
        }
        if self.once_in(60) {
            self.out.push('\t');
        }
    }

    fn separation(&mut self) {
        let white = [" ", " ", " ", " ", " ", "  ", "\t", " \t", ""][self.pick(9)];
        self.put(white);
    }

    /// Writes a node on lines of its own, in a collection that is indented by `parent` columns. The
    /// last line has a line break.
    fn block_node(&mut self, parent: isize, depth: usize, fresh_line: bool) {
        self.nodes += 1;
        let kind = if depth >= DEPTH_MAX || self.nodes > NODES_MAX { 0 } else { self.pick(8) };
        let indent = parent + 1 + self.pick(3) as isize;
        if fresh_line && self.once_in(10) {
            self.indent(indent);
            self.properties();
            self.line_end();
        }
        match kind {
            2 | 3 | 6 => self.block_mapping(indent, depth, !fresh_line),
            4 | 5 => self.block_sequence(indent, depth, !fresh_line),
            _ => {
                if fresh_line {
                    self.indent(indent);
                }
                self.inline_node(parent, depth);
            }
        }
    }

    /// Writes a block mapping that is indented by `indent` columns. If `compact` is true, its first
    /// key is on the current line.
    fn block_mapping(&mut self, indent: isize, depth: usize, compact: bool) {
        for i in 0..=self.pick(3) {
            if i > 0 || !compact {
                self.indent(indent);
            }
            if self.once_in(10) {
                self.put("?");
                self.separation();
                self.block_node(indent, depth + 1, false);
                if !self.once_in(4) {
                    self.indent(indent);
                    self.put(":");
                    self.separation();
                    self.block_node(indent, depth + 1, false);
                }
                continue;
            }
            if self.once_in(12) {
                self.properties();
            }
            self.key(indent, depth);
            self.put(":");
            self.value(indent, depth);
        }
    }

    /// Writes what follows the colon of an implicit key.
    fn value(&mut self, indent: isize, depth: usize) {
        match self.pick(5) {
            1 | 2 => {
                if self.once_in(6) {
                    self.separation();
                    self.properties();
                }
                self.line_end();
                // A sequence may start in the same column as its key.
                let parent = if self.once_in(4) { indent - 1 } else { indent };
                self.block_node(parent, depth + 1, true);
            }
            _ => {
                self.separation();
                self.inline_node(indent, depth + 1);
            }
        }
    }

    /// Writes a block sequence that is indented by `indent` columns. If `compact` is true, its
    /// first item is on the current line.
    fn block_sequence(&mut self, indent: isize, depth: usize, compact: bool) {
        for i in 0..=self.pick(3) {
            if i > 0 || !compact {
                self.indent(indent);
            }
            self.put("-");
            if self.once_in(5) {
                self.line_end();
                self.block_node(indent, depth + 1, true);
            } else {
                self.separation();
                self.block_node(indent, depth + 1, false);
            }
        }
    }

    /// Writes an implicit key.
    fn key(&mut self, indent: isize, depth: usize) {
        match self.pick(16) {
            1 => self.double_quoted(indent, false),
            2 => self.single_quoted(indent, false),
            3 if depth < DEPTH_MAX => self.flow(indent, depth + 1, false),
            4 => self.put("*a "),
            5 => {}
            6 => self.put("key "),
            7 => self.plain(indent, true),
            8 => self.word(),
            _ => {
                let word = WORDS[self.pick(12)];
                self.put(word);
            }
        }
    }

    /// Writes a scalar, an alias or a flow collection, and the end of its line.
    fn inline_node(&mut self, parent: isize, depth: usize) {
        if self.once_in(8) {
            self.properties();
        }
        match self.pick(14) {
            1 => self.double_quoted(parent, true),
            2 => self.single_quoted(parent, true),
            3 | 4 => return self.block_scalar(parent),
            5 | 6 if depth < DEPTH_MAX => self.flow(parent, depth + 1, true),
            7 => self.put("*a"),
            8 => {}
            9 => self.plain(parent, true),
            _ => self.plain(parent, false),
        }
        self.line_end();
    }

    /// Writes an anchor, a tag, both in either order, or neither.
    fn properties(&mut self) {
        let tag = TAGS[self.pick(TAGS.len())];
        match self.pick(5) {
            1 => self.put(tag),
            2 => {
                self.put("&a ");
                self.put(tag);
            }
            3 => {
                self.put(tag);
                self.put(" &b");
            }
            _ => self.put("&a"),
        }
        if !self.once_in(12) {
            self.put(" ");
        }
    }

    /// Writes a word or, rarely, a long run of one letter.
    fn word(&mut self) {
        if self.once_in(16) {
            // This is long enough to reach the boundaries of the 64-byte windows that the parser
            // uses.
            let len = 30 + self.pick(110);
            let letter = ["x", "\u{e9}"][self.pick(2)];
            self.put(&letter.repeat(len));
            return;
        }
        let word = WORDS[self.pick(WORDS.len())];
        self.put(word);
    }

    /// Writes a plain scalar, which may have several lines. If `long` is true, it has up to twelve
    /// words.
    fn plain(&mut self, parent: isize, long: bool) {
        self.word();
        for _ in 0..if long { self.pick(12) } else { self.pick(3) } {
            match self.pick(8) {
                1 => {
                    self.put("\n");
                    self.indent(parent + 1);
                }
                2 => self.put("  "),
                _ => self.put(" "),
            }
            self.word();
        }
    }

    /// Writes a scalar in these quotes. It has several lines only if `multiline` is true.
    fn quoted(&mut self, parent: isize, quote: &str, multiline: bool) {
        self.put(quote);
        for _ in 0..self.pick(6) {
            match self.pick(9) {
                1 if quote == "'" => self.put("''"),
                1 | 2 if quote == "\"" => {
                    let escape = ESCAPES[self.pick(ESCAPES.len())];
                    self.put(escape);
                }
                3 if multiline => {
                    let ends = ["\n", " \n", "\n\n", "\r\n", "\t\n", "\\\n", "\n  \n"];
                    let end = ends[self.pick(ends.len())];
                    self.put(end);
                    self.indent(parent + 1);
                }
                4 => self.put(" "),
                _ => {
                    let word = WORDS[self.pick(WORDS.len())];
                    let word = word.replace(['\'', '"', '\\'], "");
                    self.put(&word);
                }
            }
        }
        if !self.once_in(40) {
            self.put(quote);
        }
    }

    fn double_quoted(&mut self, parent: isize, multiline: bool) {
        self.quoted(parent, "\"", multiline);
    }

    fn single_quoted(&mut self, parent: isize, multiline: bool) {
        self.quoted(parent, "'", multiline);
    }

    /// Writes a block scalar, whose header may be invalid.
    fn block_scalar(&mut self, parent: isize) {
        let headers = ["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-", "|+1", "|0", ">x", "|-+"];
        let header = headers[self.pick(headers.len())];
        self.put(header);
        self.line_end();
        let indent = parent.max(0) + 1 + self.pick(3) as isize;
        for _ in 0..self.pick(6) {
            match self.pick(7) {
                1 => self.put("\n"),
                2 => self.put("  \n"),
                3 => {
                    self.indent(indent);
                    self.put(" more\n");
                }
                4 => {
                    self.indent(indent);
                    self.put("\ttab\n");
                }
                _ => {
                    self.indent(indent);
                    self.word();
                    let end = ["\n", "\n", "\n", " \n", "\r\n"][self.pick(5)];
                    self.put(end);
                }
            }
        }
    }

    /// Writes white space, a line break or nothing between two tokens of a flow collection.
    fn flow_blank(&mut self, parent: isize, multiline: bool) {
        match self.pick(12) {
            1 if multiline => {
                self.line_end();
                self.indent(parent + 1);
            }
            2 => self.put("  "),
            3 => self.put("\t"),
            4 | 5 => {}
            _ => self.put(" "),
        }
    }

    /// Writes a flow collection.
    fn flow(&mut self, parent: isize, depth: usize, multiline: bool) {
        self.nodes += 1;
        let is_sequence = self.pick(2) == 0;
        self.put(if is_sequence { "[" } else { "{" });
        for _ in 0..self.pick(4) {
            self.flow_blank(parent, multiline);
            self.flow_entry(parent, depth, multiline, is_sequence);
            self.flow_blank(parent, multiline);
            let end = [",", ",", ",", ",", ",", ",", ",", "", ",,"][self.pick(9)];
            self.put(end);
        }
        if !self.once_in(40) {
            let wrong = self.once_in(60);
            self.put(if is_sequence != wrong { "]" } else { "}" });
        }
    }

    /// Writes an entry of a flow collection: a node or a pair.
    fn flow_entry(&mut self, parent: isize, depth: usize, multiline: bool, is_sequence: bool) {
        let pair = !is_sequence && !self.once_in(4) || self.once_in(6);
        if pair && self.once_in(6) {
            self.put("?");
            self.flow_blank(parent, multiline);
        }
        self.flow_node(parent, depth, multiline);
        if pair {
            if self.once_in(3) {
                self.flow_blank(parent, multiline);
            }
            self.put(":");
            self.flow_blank(parent, multiline);
            self.flow_node(parent, depth, multiline);
        }
    }

    /// Writes a node in a flow collection.
    fn flow_node(&mut self, parent: isize, depth: usize, multiline: bool) {
        if self.once_in(8) {
            self.properties();
        }
        let nested = depth < DEPTH_MAX && self.nodes <= NODES_MAX;
        match self.pick(10) {
            1 => self.double_quoted(parent, multiline),
            2 => self.single_quoted(parent, multiline),
            3 | 4 if nested => self.flow(parent, depth + 1, multiline),
            5 => self.put("*a"),
            6 => {}
            7 if multiline => self.plain(parent, true),
            _ => self.word(),
        }
    }
}

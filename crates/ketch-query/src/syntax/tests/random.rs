//! Random programs and sequences of tokens.

/// Tokens, and pieces of tokens.
const TOKENS: [&str; 86] = [
    ".",
    "..",
    ".a",
    ".and",
    "?",
    "?//",
    "//",
    "//=",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "|",
    "|=",
    "+",
    "+=",
    "-",
    "-=",
    "*",
    "*=",
    "/",
    "/=",
    "%",
    "%=",
    ",",
    ":",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\"s\"",
    "\"\\(",
    "\\(",
    "\\u00e9",
    "\\n",
    "$x",
    "$x::y",
    "$__loc__",
    "$",
    "$__prog_args",
    "@base64",
    "@",
    "a",
    "b::c",
    "::",
    "f",
    "f(",
    "1",
    ".5",
    "1.",
    "1e3",
    "0",
    "as",
    "def",
    "if",
    "then",
    "elif",
    "else",
    "end",
    "reduce",
    "foreach",
    "try",
    "catch",
    "label",
    "break",
    "and",
    "or",
    "import",
    "include",
    "module",
    "null",
    "true",
    "not",
    "# c\n",
    "#\\\n",
    "é",
    "!",
    "as $x |",
    "as [$x] (",
];

/// A source of random numbers, which are the same each time.
pub(super) struct Random(u64);

impl Random {
    /// Begins with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    /// One of some choices.
    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }

    /// A sequence of tokens.
    pub fn tokens(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| format!("{}{}", self.pick(&TOKENS), self.pick(&[" ", ""]))).collect()
    }

    /// The program with a token inserted, removed or replaced.
    pub fn change(&mut self, program: &str) -> String {
        let mut parts: Vec<&str> = program.split_inclusive(' ').collect();
        let place = self.below(parts.len());
        match self.below(4) {
            0 => drop(parts.remove(place)),
            1 => parts[place] = self.pick(&TOKENS),
            2 => {
                let other = self.below(parts.len());
                parts.swap(place, other);
            }
            _ => parts.insert(place, self.pick(&TOKENS)),
        }
        parts.join(" ")
    }

    /// A program that mostly parses.
    pub fn program(&mut self) -> String {
        let mut text = String::new();
        if self.below(20) == 0 {
            text += "module { a : 1 , b : [ 2 , { c : null } ] } ; ";
        }
        for _ in 0..self.below(20) / 18 {
            text += self.pick(&[
                "import \"a\" as a ; ",
                "import \"a\" as $a { b : 1 } ; ",
                "include \"a\" ; ",
                "include \"a\" { } ; ",
            ]);
        }
        for _ in 0..self.below(8) / 6 {
            text += &self.def(2);
        }
        let depth = 1 + self.below(5);
        text + &self.query(depth)
    }

    /// A definition.
    fn def(&mut self, depth: usize) -> String {
        let head = self.pick(&["f", "f ( g )", "f ( g ; $x )", "f ( $x )", "a::f"]);
        format!("def {head} : {} ; ", self.query(depth))
    }

    /// An expression.
    fn query(&mut self, depth: usize) -> String {
        let less = depth.saturating_sub(1);
        match self.below(12) {
            0 if depth > 0 => self.def(less) + &self.query(less),
            1 if depth > 0 => {
                format!("{}as {}| {}", self.sum(less), self.patterns(less), self.query(less))
            }
            2 if depth > 0 => format!("label $x | {}", self.query(less)),
            3 | 4 if depth > 0 => format!("{}| {}", self.query(less), self.query(less)),
            5 | 6 if depth > 0 => format!("{}, {}", self.query(less), self.query(less)),
            _ => self.sum(depth),
        }
    }

    /// Operators other than `|` and `,`.
    fn sum(&mut self, depth: usize) -> String {
        let mut text = self.term(depth);
        while self.below(3) == 0 {
            let operator = self.pick(&[
                "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//", "=",
                "|=", "+=", "-=", "*=", "/=", "%=", "//=", "+", "*", "-", "and", "or", "//",
            ]);
            text += &format!("{operator} {}", self.term(depth.saturating_sub(1)));
        }
        text
    }

    /// Patterns between `?//`.
    fn patterns(&mut self, depth: usize) -> String {
        let mut text = self.pattern(depth);
        while self.below(5) == 0 {
            text += &format!("?// {}", self.pattern(depth));
        }
        text
    }

    /// A pattern.
    fn pattern(&mut self, depth: usize) -> String {
        let less = depth.saturating_sub(1);
        match self.below(4) {
            0 if depth > 0 => {
                let second = if self.below(2) == 0 {
                    String::new()
                } else {
                    format!(", {}", self.pattern(less))
                };
                format!("[ {}{second}] ", self.pattern(less))
            }
            1 if depth > 0 => {
                let entry = self.pattern_entry(less);
                match self.below(2) {
                    0 => format!("{{ {entry}}} "),
                    _ => format!("{{ {entry}, {}}} ", self.pattern_entry(less)),
                }
            }
            _ => self.pick(&["$x ", "$y ", "$z "]).to_owned(),
        }
    }

    /// An entry of a pattern.
    fn pattern_entry(&mut self, depth: usize) -> String {
        let key = match self.below(6) {
            0 => return "$k ".to_owned(),
            1 => "$k".to_owned(),
            2 => format!("( {})", self.query(depth)),
            3 => self.string(depth),
            _ => self.pick(&["a", "if", "b::c", "\"s\""]).to_owned(),
        };
        format!("{key} : {}", self.pattern(depth))
    }

    /// A string with interpolation.
    fn string(&mut self, depth: usize) -> String {
        let format = self.pick(&["", "", "@base64 ", "@text "]);
        let before = self.pick(&["", "a", "\\u00e9\\n", "# x", "'"]);
        let after = self.pick(&["", "z", "\\ud83d\\ude00", "()"]);
        format!("{format}\"{before}\\( {}){after}\" ", self.query(depth))
    }

    /// A term, with postfixes.
    fn term(&mut self, depth: usize) -> String {
        let mut text = self.simple_term(depth);
        while self.below(3) == 0 {
            let postfix = match self.below(9) {
                0 | 1 => "? ".to_owned(),
                2 => ".b ".to_owned(),
                3 => "[ ] ".to_owned(),
                4 => format!("[ {}] ", self.query(depth / 2)),
                5 => format!("[ {}: {}] ", self.query(depth / 2), self.query(depth / 2)),
                6 => self.pick(&[". \"s\" ", ". [ ] ", ". [ 1 ] ", "[ : 1 ] "]).to_owned(),
                7 => format!("[ {}: ] ", self.query(depth / 2)),
                _ => format!(". {}", self.string(depth / 2)),
            };
            text += &postfix;
        }
        text
    }

    /// A term without postfixes.
    fn simple_term(&mut self, depth: usize) -> String {
        let Some(less) = depth.checked_sub(1) else {
            let term = self.pick(&[
                ".",
                "..",
                ".a",
                "1",
                "\"s\"",
                "$x",
                "f",
                "null",
                "true",
                "@json",
                "$__loc__",
                "[ ]",
                "{ }",
                "1.5e3",
                "not",
                ".[\"b\"]",
                ".\"s\"",
                "a::b",
                "break $x",
                "$a::b",
                "@html \"t\"",
            ]);
            return format!("{term} ");
        };
        match self.below(14) {
            0 => format!("( {}) ", self.query(less)),
            1 => format!("[ {}] ", self.query(less)),
            2 => self.object(less),
            3 => format!("- {}", self.term(less)),
            4 => format!("try {}", self.term(less)),
            5 => format!("try {}catch {}", self.term(less), self.term(less)),
            6 => self.fold(less),
            7 => self.condition(less),
            8 => self.string(less),
            9 => format!("f ( {}) ", self.query(less)),
            10 => format!("f ( {}; {}) ", self.query(less), self.query(less)),
            _ => self.simple_term(0),
        }
    }

    /// `if`.
    fn condition(&mut self, depth: usize) -> String {
        let mut text = format!("if {}then {}", self.query(depth), self.query(depth));
        while self.below(3) == 0 {
            text += &format!("elif {}then {}", self.query(depth), self.query(depth));
        }
        if self.below(2) == 0 {
            text += &format!("else {}", self.query(depth));
        }
        text + "end "
    }

    /// `reduce` or `foreach`.
    fn fold(&mut self, depth: usize) -> String {
        let (source, patterns) = (self.sum(depth), self.patterns(depth));
        let parts = format!("{}; {}", self.query(depth), self.query(depth));
        match self.below(3) {
            0 => format!("reduce {source}as {patterns}( {parts}) "),
            1 => format!("foreach {source}as {patterns}( {parts}) "),
            _ => format!("foreach {source}as {patterns}( {parts}; {}) ", self.query(depth)),
        }
    }

    /// An object.
    fn object(&mut self, depth: usize) -> String {
        let mut entries: Vec<String> =
            (0..1 + self.below(3)).map(|_| self.object_entry(depth)).collect();
        if self.below(6) == 0 {
            entries.push(String::new());
        }
        format!("{{ {}}} ", entries.join(", "))
    }

    /// An entry of an object.
    fn object_entry(&mut self, depth: usize) -> String {
        let key = match self.below(7) {
            0 => return self.pick(&["a ", "and ", "$x ", "$__loc__ ", "\"s\" "]).to_owned(),
            1 => return self.string(depth),
            2 => format!("( {})", self.query(depth)),
            3 => self.string(depth),
            _ => self.pick(&["a", "if", "$x", "\"s\"", "@base64 \"s\""]).to_owned(),
        };
        let mut value = self.sum(depth);
        while self.below(4) == 0 {
            value += &format!("| {}", self.sum(depth));
        }
        format!("{key} : {value}")
    }
}

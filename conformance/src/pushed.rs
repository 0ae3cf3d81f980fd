//! Generates streams of nodes from bytes, and pushes the nodes to a presenter one by one. The
//! expected events are recorded.

use crate::present::{meaning, option_sets};
use crate::run;
use ketch_yaml::Options;
use ketch_yaml::present::{CollectionStyle, PresentError, Presenter, Properties, ScalarStyle};
use std::fmt::Write;

/// Pushes the stream that is generated from `bytes`, with each set of options, and parses the text.
///
/// # Errors
///
/// Fails if the parsed events differ from the pushed ones.
pub fn reads_back(bytes: &[u8]) -> Result<(), String> {
    for (name, options) in option_sets() {
        let mut stream = Stream {
            bytes,
            at: 0,
            nodes: 0,
            yaml: Presenter::with_options(Vec::new(), &options),
            notation: "+STR\n".to_owned(),
        };
        stream.documents().map_err(|error| format!("{name}: {error}\n{}", stream.notation))?;
        let Stream { yaml, notation, .. } = stream;
        let text = yaml.finish().map_err(|error| format!("{name}: {error}\n{notation}"))?;
        let found = run::slice(&text, &Options::default());
        let (expected, notation) = (meaning(&notation), meaning(&found.notation));
        if !found.is_fine() || expected != notation {
            let text = String::from_utf8_lossy(&text);
            let fault = found.fault;
            return Err(format!(
                "{name}: {text:?}\n{text}\n{fault:?}\n--- pushed\n{expected}--- found\n{notation}"
            ));
        }
    }
    Ok(())
}

const NODES_MAX: usize = 80;
const DEPTH_MAX: usize = 9;

struct Stream<'b> {
    bytes: &'b [u8],
    at: usize,
    nodes: usize,
    yaml: Presenter<Vec<u8>>,
    notation: String,
}

type Pushed = Result<(), PresentError>;

impl Stream<'_> {
    /// Returns a number below `end`, or zero if the bytes are used up.
    fn pick(&mut self, end: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte as usize % end
    }

    fn note(&mut self, line: &str) {
        writeln!(self.notation, "{line}").expect("writing to memory");
    }

    /// Pushes documents until the bytes are used up, or chance ends the stream.
    fn documents(&mut self) -> Pushed {
        loop {
            if self.pick(8) == 7 {
                self.yaml.directive("%TAG !e! tag:e.org,2000:")?;
            }
            let is_explicit = self.pick(3) == 0;
            self.yaml.start_document(is_explicit)?;
            self.note("+DOC");
            self.node(0)?;
            let is_explicit = self.pick(3) == 0;
            self.yaml.end_document(is_explicit)?;
            self.note("-DOC");
            if self.at >= self.bytes.len() || self.pick(2) == 0 {
                self.note("-STR");
                return Ok(());
            }
        }
    }

    /// Pushes a node.
    fn node(&mut self, depth: usize) -> Pushed {
        self.nodes += 1;
        let is_deep = depth >= DEPTH_MAX || self.nodes > NODES_MAX;
        match self.pick(if is_deep { 5 } else { 9 }) {
            0 if self.pick(4) == 0 => {
                let name = self.anchor_name();
                self.yaml.alias(name)?;
                self.note(&format!("=ALI *{name}"));
                Ok(())
            }
            5 | 6 => self.collection("MAP", depth),
            7 | 8 => self.collection("SEQ", depth),
            _ => self.scalar(),
        }
    }

    /// Pushes a mapping or a sequence, whose `name` in the notation is `MAP` or `SEQ`.
    fn collection(&mut self, name: &str, depth: usize) -> Pushed {
        let style = [CollectionStyle::Block, CollectionStyle::Flow][usize::from(self.pick(4) == 0)];
        let (properties, words) = self.properties();
        self.note(&format!("+{name}{words}"));
        let len = self.pick(4);
        if name == "MAP" {
            self.yaml.start_mapping(style, properties)?;
            for _ in 0..2 * len {
                self.node(depth + 1)?;
            }
            self.yaml.end_mapping()?;
        } else {
            self.yaml.start_sequence(style, properties)?;
            for _ in 0..len {
                self.node(depth + 1)?;
            }
            self.yaml.end_sequence()?;
        }
        self.note(&format!("-{name}"));
        Ok(())
    }

    /// Pushes a scalar in a style that the bytes choose.
    fn scalar(&mut self) -> Pushed {
        let (properties, words) = self.properties();
        let (style, sign) = [
            (ScalarStyle::Plain, ':'),
            (ScalarStyle::SingleQuoted, '\''),
            (ScalarStyle::DoubleQuoted, '"'),
            (ScalarStyle::Literal, '|'),
            (ScalarStyle::Folded, '>'),
            (ScalarStyle::Text, '"'),
        ][self.pick(6)];
        let text = self.text();
        self.yaml.scalar(&text, style, properties)?;
        let mut escaped = String::new();
        for ch in text.chars() {
            match ch {
                '\\' => escaped += "\\\\",
                '\n' => escaped += "\\n",
                '\r' => escaped += "\\r",
                '\t' => escaped += "\\t",
                '\0' => escaped += "\\0",
                '\u{8}' => escaped += "\\b",
                ch => escaped.push(ch),
            }
        }
        self.note(&format!("=VAL{words} {sign}{escaped}"));
        Ok(())
    }

    fn anchor_name(&mut self) -> &'static str {
        ["a", "b:", "\u{1f30a}", "*", "x-1"][self.pick(5)]
    }

    /// Generates properties, and returns them together with their notation.
    fn properties(&mut self) -> (Properties<'static>, String) {
        const TAGS: [&str; 7] = [
            "!",
            "!local",
            "!a!b",
            "tag:yaml.org,2002:str",
            "tag:e.org,2000:x,y",
            "tag:yaml.org,2002:",
            "x y{}%\u{e9}",
        ];
        let mut properties = Properties::NONE;
        let mut words = String::new();
        if self.pick(8) == 0 {
            let name = self.anchor_name();
            properties.anchor = Some(name);
            words += &format!(" &{name}");
        }
        if self.pick(8) == 0 {
            let tag = TAGS[self.pick(TAGS.len())];
            properties.tag = Some(tag);
            words += &format!(" <{tag}>");
        }
        (properties, words)
    }

    /// Returns a text, which may contain characters that some styles cannot express.
    fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.pick(9) {
            match self.pick(14) {
                0 => text.push('\n'),
                1 => text.push(' '),
                2 => text.push_str(["\t", "\n\n", "  ", " \n", "\n ", "\r"][self.pick(6)]),
                3 => text.push_str([": ", " #", ", ", "- ", "? ", ":", "#", "-"][self.pick(8)]),
                4 => text.push_str(["[", "]", "{", "}", ",", "&", "*", "!"][self.pick(8)]),
                5 => text.push_str(["'", "\"", "\\", "|", ">", "%", "@", "`"][self.pick(8)]),
                6 => {
                    text.push_str(["---", "...", "~", "null", "1", "yes", "=", "<<"][self.pick(8)])
                }
                7 => text.push(self.character()),
                8 => text.push_str(&"long ".repeat(self.pick(30))),
                9 if self.pick(8) == 0 => text.push_str(&"x".repeat(1000 + self.pick(60))),
                _ => text.push_str(["a", "bc", "word", "\u{e9}"][self.pick(4)]),
            }
        }
        text
    }

    /// Returns any character. Half of them are near a boundary between lengths in UTF-8, or have a
    /// special meaning in YAML.
    fn character(&mut self) -> char {
        const BORDERS: [u32; 10] =
            [0, 0x20, 0x7F, 0x85, 0xA0, 0x7FF, 0x2028, 0xFEFF, 0xFFFF, 0x10FFFF];
        let code = if self.pick(2) == 0 {
            (BORDERS[self.pick(10)] + self.pick(3) as u32).saturating_sub(1)
        } else {
            (self.pick(17) << 16 | self.pick(256) << 8 | self.pick(256)) as u32
        };
        char::from_u32(code).unwrap_or('\u{1}')
    }
}

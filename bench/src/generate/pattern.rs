//! Inputs that are described by a pattern in `definitions/generated.toml`.

use std::fmt::Write as _;

use serde::Deserialize;

use super::Random;

/// An input that repeats a pattern. Parts of a pattern that start with `$` are replaced:
///
/// | part | replacement |
/// |---|---|
/// | `$w`, `$k` | a word, a name that can be a key |
/// | `$d`, `$h` | a digit from 1 to 9, a hexadecimal digit |
/// | `$n` | the number of the repetition |
/// | `$r`, `$t`, `$$` | a carriage return, a tab, a dollar sign |
/// | `$(A\|B)` | one of these patterns; parentheses inside must be balanced |
/// | `$3(A\|B)`, `$3-5(A\|B)` | the same three times, or three to five times |
#[derive(Debug, Deserialize)]
pub struct Pattern {
    repeat: String,
    /// Text before the first, between two, and after the last repetition.
    #[serde(default)]
    head: String,
    #[serde(default)]
    join: String,
    #[serde(default)]
    tail: String,
    /// The least number of bytes.
    #[serde(default = "mebibyte")]
    bytes: usize,
}

const fn mebibyte() -> usize {
    super::MIB
}

impl Pattern {
    /// Generates the input. Inputs with different names get different words.
    pub fn make(&self, name: &str) -> Vec<u8> {
        let mut random = Random::new(name.bytes().map(u64::from).sum());
        let mut out = self.head.clone();
        for number in 0_u64.. {
            expand(&mut out, &self.repeat, number, &mut random);
            if out.len() >= self.bytes {
                break;
            }
            out.push_str(&self.join);
        }
        out.push_str(&self.tail);
        out.into_bytes()
    }
}

/// Writes one repetition of a pattern.
fn expand(out: &mut String, pattern: &str, number: u64, random: &mut Random) {
    let mut rest = pattern;
    while let Some((before, part)) = rest.split_once('$') {
        out.push_str(before);
        rest = &part[1..];
        match part.as_bytes()[0] {
            b'w' => out.push_str(random.word()),
            b'k' => out.push_str(&random.name()),
            b'd' => _ = write!(out, "{}", random.between(1, 9)),
            b'h' => _ = write!(out, "{:x}", random.below(16)),
            b'n' => _ = write!(out, "{number}"),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'$' => out.push('$'),
            _ => {
                let (times, group) = part.split_once('(').expect("a letter or a group after `$`");
                let (alternatives, after) = alternatives(group);
                for _ in 0..repetitions(times, random) {
                    expand(out, random.pick(&alternatives), number, random);
                }
                rest = after;
            }
        }
    }
    out.push_str(rest);
}

/// Returns a number from `low-high`; without `-`, that number; without a number, 1.
fn repetitions(times: &str, random: &mut Random) -> u64 {
    let number = |text: &str| text.parse().unwrap_or(1);
    let (low, high) = times.split_once('-').unwrap_or((times, times));
    random.between(number(low), number(high))
}

/// Returns the alternatives of a group, and the rest of the pattern.
fn alternatives(group: &str) -> (Vec<&str>, &str) {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, byte) in group.bytes().enumerate() {
        match byte {
            b'|' | b')' if depth == 0 => {
                found.push(&group[start..at]);
                start = at + 1;
                if byte == b')' {
                    break;
                }
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    (found, &group[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(pattern: &str) -> String {
        let mut out = String::new();
        expand(&mut out, pattern, 7, &mut Random::new(1));
        out
    }

    #[test]
    fn parts_of_patterns_are_replaced() {
        assert_eq!(once("a$n: $$5$t$r\n"), "a7: $5\t\r\n");
        assert_eq!(once("$3(x$2([)-)$0(y)z"), "x[[-x[[-x[[-z");
        let (letters, few) = (once("$50(a|$(b|(c)))"), once("$2-4(x)"));
        assert!(["a", "b", "(c)"].iter().all(|part| letters.contains(part)), "{letters}");
        assert!((2..=4).contains(&few.len()), "{few}");
        assert!(once("$d$h").bytes().all(|byte| byte.is_ascii_hexdigit()));
    }

    #[test]
    fn an_input_has_a_head_repetitions_and_a_tail() {
        let pattern = "head = '['\nrepeat = '$n'\njoin = ', '\ntail = ']'\nbytes = 6";
        let pattern: Pattern = toml::from_str(pattern).expect("a pattern");
        assert_eq!(pattern.make("a"), b"[0, 1, 2]");
    }
}

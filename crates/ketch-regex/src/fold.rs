//! Case folding: characters that are equal to each other, and characters that are equal to several
//! others in a row.

use std::collections::HashSet;
use std::sync::OnceLock;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::unicode;

/// Returns the characters that match `char` under `i`.
pub(crate) fn equivalents(char: char) -> ClassUnicode {
    let mut set = ClassUnicode::new([ClassUnicodeRange::new(char, char)]);
    set.case_fold_simple();
    set
}

/// Adds the characters that match those in `set` under `i`. In a large set, it looks only at
/// characters that have case, because `case_fold_simple` tries each character of a range.
pub(crate) fn add_equivalents(set: &mut ClassUnicode) {
    let length: usize = set.ranges().iter().map(ClassUnicodeRange::len).sum();
    if length < LARGE {
        return set.case_fold_simple();
    }
    let mut cased = cased().clone();
    cased.intersect(set);
    cased.case_fold_simple();
    set.union(&cased);
}

/// The minimum number of characters in a large set.
const LARGE: usize = 1024;

/// Returns a set that contains all characters that match others under `i`.
fn cased() -> &'static ClassUnicode {
    static CASED: OnceLock<ClassUnicode> = OnceLock::new();
    CASED.get_or_init(|| {
        unicode::property("changeswhencasemapped").unwrap_or_else(ClassUnicode::empty)
    })
}

/// Returns the text that `char` folds to, or `None` if this is a single character.
pub(crate) fn expansion(char: char) -> Option<&'static str> {
    let at = EXPANSIONS.binary_search_by_key(&char, |row| row.0).ok()?;
    Some(EXPANSIONS[at].1)
}

/// Returns the single characters that fold to the same text as the characters in `text` do.
pub(crate) fn contractions(text: &[char]) -> ClassUnicode {
    let lower: String = text.iter().map(char::to_ascii_lowercase).collect();
    let is_ascii = lower.is_ascii();
    let sets: Vec<ClassUnicode> =
        text.iter().filter(|_| !is_ascii).map(|char| equivalents(*char)).collect();
    // The characters of expansions are already folded.
    let folds = |folded: &str| match is_ascii {
        true => folded == lower,
        false => {
            folded.chars().count() == sets.len()
                && folded.chars().zip(&sets).all(|(char, set)| contains(set, char))
        }
    };
    let rows = EXPANSIONS.iter().filter(|row| folds(row.1));
    ClassUnicode::new(rows.map(|row| ClassUnicodeRange::new(row.0, row.0)))
}

/// Returns the different expansions of the characters in `set`.
pub(crate) fn expansions(set: &ClassUnicode) -> impl Iterator<Item = &'static str> {
    let mut seen = HashSet::new();
    let rows = EXPANSIONS.iter().filter(|row| contains(set, row.0));
    rows.map(|row| row.1).filter(move |text| seen.insert(*text))
}

/// Returns the characters that end a line: `[\n-\r\u0085\u2028\u2029]` or, in binary patterns,
/// `[\n-\r]`.
pub(crate) fn line_breaks(binary: bool) -> ClassUnicode {
    let wide = [('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')];
    let wide = if binary { &[][..] } else { &wide[..] };
    let ranges = std::iter::once(&('\n', '\r')).chain(wide);
    ClassUnicode::new(ranges.map(|range| ClassUnicodeRange::new(range.0, range.1)))
}

/// Returns whether `char` is in `set`.
pub(crate) fn contains(set: &ClassUnicode, char: char) -> bool {
    let ranges = set.ranges();
    let at = ranges.partition_point(|range| range.end() < char);
    ranges.get(at).is_some_and(|range| range.start() <= char)
}

/// The full case foldings of Unicode that have several characters (status F in CaseFolding.txt).
#[rustfmt::skip]
const EXPANSIONS: &[(char, &str)] = &[
    ('\u{00DF}', "\u{0073}\u{0073}"), ('\u{0130}', "\u{0069}\u{0307}"), ('\u{0149}', "\u{02BC}\u{006E}"),
    ('\u{01F0}', "\u{006A}\u{030C}"), ('\u{0390}', "\u{03B9}\u{0308}\u{0301}"), ('\u{03B0}', "\u{03C5}\u{0308}\u{0301}"),
    ('\u{0587}', "\u{0565}\u{0582}"), ('\u{1E96}', "\u{0068}\u{0331}"), ('\u{1E97}', "\u{0074}\u{0308}"),
    ('\u{1E98}', "\u{0077}\u{030A}"), ('\u{1E99}', "\u{0079}\u{030A}"), ('\u{1E9A}', "\u{0061}\u{02BE}"),
    ('\u{1E9E}', "\u{0073}\u{0073}"), ('\u{1F50}', "\u{03C5}\u{0313}"), ('\u{1F52}', "\u{03C5}\u{0313}\u{0300}"),
    ('\u{1F54}', "\u{03C5}\u{0313}\u{0301}"), ('\u{1F56}', "\u{03C5}\u{0313}\u{0342}"), ('\u{1F80}', "\u{1F00}\u{03B9}"),
    ('\u{1F81}', "\u{1F01}\u{03B9}"), ('\u{1F82}', "\u{1F02}\u{03B9}"), ('\u{1F83}', "\u{1F03}\u{03B9}"),
    ('\u{1F84}', "\u{1F04}\u{03B9}"), ('\u{1F85}', "\u{1F05}\u{03B9}"), ('\u{1F86}', "\u{1F06}\u{03B9}"),
    ('\u{1F87}', "\u{1F07}\u{03B9}"), ('\u{1F88}', "\u{1F00}\u{03B9}"), ('\u{1F89}', "\u{1F01}\u{03B9}"),
    ('\u{1F8A}', "\u{1F02}\u{03B9}"), ('\u{1F8B}', "\u{1F03}\u{03B9}"), ('\u{1F8C}', "\u{1F04}\u{03B9}"),
    ('\u{1F8D}', "\u{1F05}\u{03B9}"), ('\u{1F8E}', "\u{1F06}\u{03B9}"), ('\u{1F8F}', "\u{1F07}\u{03B9}"),
    ('\u{1F90}', "\u{1F20}\u{03B9}"), ('\u{1F91}', "\u{1F21}\u{03B9}"), ('\u{1F92}', "\u{1F22}\u{03B9}"),
    ('\u{1F93}', "\u{1F23}\u{03B9}"), ('\u{1F94}', "\u{1F24}\u{03B9}"), ('\u{1F95}', "\u{1F25}\u{03B9}"),
    ('\u{1F96}', "\u{1F26}\u{03B9}"), ('\u{1F97}', "\u{1F27}\u{03B9}"), ('\u{1F98}', "\u{1F20}\u{03B9}"),
    ('\u{1F99}', "\u{1F21}\u{03B9}"), ('\u{1F9A}', "\u{1F22}\u{03B9}"), ('\u{1F9B}', "\u{1F23}\u{03B9}"),
    ('\u{1F9C}', "\u{1F24}\u{03B9}"), ('\u{1F9D}', "\u{1F25}\u{03B9}"), ('\u{1F9E}', "\u{1F26}\u{03B9}"),
    ('\u{1F9F}', "\u{1F27}\u{03B9}"), ('\u{1FA0}', "\u{1F60}\u{03B9}"), ('\u{1FA1}', "\u{1F61}\u{03B9}"),
    ('\u{1FA2}', "\u{1F62}\u{03B9}"), ('\u{1FA3}', "\u{1F63}\u{03B9}"), ('\u{1FA4}', "\u{1F64}\u{03B9}"),
    ('\u{1FA5}', "\u{1F65}\u{03B9}"), ('\u{1FA6}', "\u{1F66}\u{03B9}"), ('\u{1FA7}', "\u{1F67}\u{03B9}"),
    ('\u{1FA8}', "\u{1F60}\u{03B9}"), ('\u{1FA9}', "\u{1F61}\u{03B9}"), ('\u{1FAA}', "\u{1F62}\u{03B9}"),
    ('\u{1FAB}', "\u{1F63}\u{03B9}"), ('\u{1FAC}', "\u{1F64}\u{03B9}"), ('\u{1FAD}', "\u{1F65}\u{03B9}"),
    ('\u{1FAE}', "\u{1F66}\u{03B9}"), ('\u{1FAF}', "\u{1F67}\u{03B9}"), ('\u{1FB2}', "\u{1F70}\u{03B9}"),
    ('\u{1FB3}', "\u{03B1}\u{03B9}"), ('\u{1FB4}', "\u{03AC}\u{03B9}"), ('\u{1FB6}', "\u{03B1}\u{0342}"),
    ('\u{1FB7}', "\u{03B1}\u{0342}\u{03B9}"), ('\u{1FBC}', "\u{03B1}\u{03B9}"), ('\u{1FC2}', "\u{1F74}\u{03B9}"),
    ('\u{1FC3}', "\u{03B7}\u{03B9}"), ('\u{1FC4}', "\u{03AE}\u{03B9}"), ('\u{1FC6}', "\u{03B7}\u{0342}"),
    ('\u{1FC7}', "\u{03B7}\u{0342}\u{03B9}"), ('\u{1FCC}', "\u{03B7}\u{03B9}"), ('\u{1FD2}', "\u{03B9}\u{0308}\u{0300}"),
    ('\u{1FD3}', "\u{03B9}\u{0308}\u{0301}"), ('\u{1FD6}', "\u{03B9}\u{0342}"), ('\u{1FD7}', "\u{03B9}\u{0308}\u{0342}"),
    ('\u{1FE2}', "\u{03C5}\u{0308}\u{0300}"), ('\u{1FE3}', "\u{03C5}\u{0308}\u{0301}"), ('\u{1FE4}', "\u{03C1}\u{0313}"),
    ('\u{1FE6}', "\u{03C5}\u{0342}"), ('\u{1FE7}', "\u{03C5}\u{0308}\u{0342}"), ('\u{1FF2}', "\u{1F7C}\u{03B9}"),
    ('\u{1FF3}', "\u{03C9}\u{03B9}"), ('\u{1FF4}', "\u{03CE}\u{03B9}"), ('\u{1FF6}', "\u{03C9}\u{0342}"),
    ('\u{1FF7}', "\u{03C9}\u{0342}\u{03B9}"), ('\u{1FFC}', "\u{03C9}\u{03B9}"), ('\u{FB00}', "\u{0066}\u{0066}"),
    ('\u{FB01}', "\u{0066}\u{0069}"), ('\u{FB02}', "\u{0066}\u{006C}"), ('\u{FB03}', "\u{0066}\u{0066}\u{0069}"),
    ('\u{FB04}', "\u{0066}\u{0066}\u{006C}"), ('\u{FB05}', "\u{0073}\u{0074}"), ('\u{FB06}', "\u{0073}\u{0074}"),
    ('\u{FB13}', "\u{0574}\u{0576}"), ('\u{FB14}', "\u{0574}\u{0565}"), ('\u{FB15}', "\u{0574}\u{056B}"),
    ('\u{FB16}', "\u{057E}\u{0576}"), ('\u{FB17}', "\u{0574}\u{056D}"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_without_case_match_only_themselves() {
        for char in ('\0'..=char::MAX).filter(|char| !contains(cased(), *char)) {
            let range = ClassUnicodeRange::new(char, char);
            assert_eq!(equivalents(char).ranges(), [range], "{char:?}");
        }
    }

    #[test]
    fn a_large_set_has_the_same_equivalents() {
        for (first, last) in [('A', 'Z'), ('\0', '\u{1FFF}'), ('\u{1E90}', '\u{10FFFF}')] {
            let mut set = ClassUnicode::new([ClassUnicodeRange::new(first, last)]);
            let mut folded = set.clone();
            add_equivalents(&mut folded);
            set.case_fold_simple();
            assert_eq!(folded, set, "{first:?} to {last:?}");
        }
    }
}

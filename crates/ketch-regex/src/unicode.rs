//! Sets of characters for properties, POSIX brackets, and shorthands such as `\w`.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// Returns whether there is a property called `name`.
pub(crate) fn is_property(name: &str) -> bool {
    property(name).is_some()
}

/// Returns the characters of the property `name`, or `None` if there is no such property. Case,
/// spaces, `_` and `-` in the name are ignored.
pub(crate) fn property(name: &str) -> Option<ClassUnicode> {
    let name: String = name
        .chars()
        .filter(|char| !matches!(char, ' ' | '_' | '-'))
        .map(|char| char.to_ascii_lowercase())
        .collect();
    match &*name {
        // Unlike `[[:punct:]]`, this leaves out the symbols of ASCII.
        "punct" => return class(r"\p{P}"),
        // The script of the characters that have no script.
        "unknown" | "zzzz" => return class(r"[\p{Cn}\p{Co}]"),
        _ => {}
    }
    if let Some(set) = bracket(&name) {
        return Some(set);
    }
    if let Some(set) = name.strip_prefix("in").and_then(crate::blocks::block) {
        return Some(set);
    }
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let age = name
        .strip_prefix("age=")
        .is_some_and(|age| age.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
    if let Some(kind) = name.strip_prefix("graphemeclusterbreak=") {
        return match kind {
            "control" | "cr" | "extend" | "l" | "lf" | "lv" | "lvt" | "prepend"
            | "regionalindicator" | "spacingmark" | "t" | "v" | "zwj" => {
                class(&format!(r"\p{{gcb={kind}}}"))
            }
            _ => None,
        };
    }
    match &*name {
        _ if !plain && !age => None,
        "xposixpunct" => Some(punctuation()),
        // UTF-8 has no surrogates.
        "cs" | "surrogate" => Some(ClassUnicode::empty()),
        name if name.starts_with("is") => None,
        name => class(&format!("\\p{{{name}}}")),
    }
}

/// Returns the characters of the POSIX bracket `name` in Unicode, by Ruby's rules, or `None` if
/// there is no such bracket.
pub(crate) fn bracket(name: &str) -> Option<ClassUnicode> {
    class(match name {
        "alnum" => r"[\p{Alphabetic}\p{Nd}]",
        "alpha" => r"\p{Alphabetic}",
        "ascii" => r"[\x00-\x7F]",
        "blank" => r"[\p{Zs}\t]",
        "cntrl" => r"\p{Cc}",
        "digit" => r"\p{Nd}",
        "graph" => r"[^\p{White_Space}\p{Cc}\p{Cn}]",
        "lower" => r"\p{Lowercase}",
        "print" => r"[\p{Zs}[^\p{White_Space}\p{Cc}\p{Cn}]]",
        "punct" => return Some(punctuation()),
        "space" => r"\p{White_Space}",
        "upper" => r"\p{Uppercase}",
        "word" => r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]",
        "xdigit" => r"[0-9A-Fa-f]",
        _ => return None,
    })
}

/// Returns the characters of `[[:punct:]]`.
fn punctuation() -> ClassUnicode {
    class(r"[\p{P}$+<=>^`|~]").unwrap_or_else(ClassUnicode::empty)
}

/// Returns the characters of `pattern`, which is a class or character in the syntax of the crate
/// regex-syntax.
fn class(pattern: &str) -> Option<ClassUnicode> {
    match regex_syntax::parse(pattern).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(set)) => Some(set),
        HirKind::Class(Class::Bytes(set)) => set.to_unicode_class(),
        HirKind::Literal(literal) => {
            let char = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(ClassUnicode::new([ClassUnicodeRange::new(char, char)]))
        }
        _ => None,
    }
}

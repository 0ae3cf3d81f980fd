//! Converts the names of a schema to names for generated code.

use std::collections::HashSet;

#[cfg(feature = "codegen")]
const KEYWORDS: [&str; 49] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized",
    "use", "virtual", "where", "while", "yield",
];

/// Converts `name` to the name of a generated type: `sum_type` becomes `SumType`.
pub(super) fn type_name(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        let part = part.replace('\'', "Prime");
        let mut chars = part.chars();
        if let Some(first) = chars.next() {
            // Without an underscore, the digits of both parts would run together.
            if first.is_ascii_digit() && out.ends_with(|c: char| c.is_ascii_digit()) {
                out.push('_');
            }
            out.push(first.to_ascii_uppercase());
            out.push_str(chars.as_str());
        }
    }
    match out.as_str() {
        "" => "Underscore".into(),
        "Self" => "Self_".into(),
        _ if out.starts_with(|c: char| c.is_ascii_digit()) => format!("T{out}"),
        _ => out,
    }
}

/// Returns the generated name for the constructor or case `name`: the name itself, except that `'`
/// becomes `Prime` and `Self` becomes `Self_`.
pub(super) fn variant_name(name: &str) -> String {
    match name.replace('\'', "Prime").as_str() {
        "Self" => "Self_".into(),
        other => other.into(),
    }
}

/// Returns the Rust name for the field `name`. Keywords become raw identifiers, and `'` becomes
/// `_prime`.
#[cfg(feature = "codegen")]
pub(super) fn field_name(name: &str) -> String {
    let name = name.replace('\'', "_prime");
    match name.as_str() {
        "self" | "super" | "crate" | "Self" => format!("{name}_"),
        "_" => "underscore".into(),
        _ if KEYWORDS.contains(&name.as_str()) => format!("r#{name}"),
        _ => name,
    }
}

/// The names that are already taken in one scope.
#[derive(Default)]
pub(super) struct Taken(HashSet<String>);

impl Taken {
    /// Takes `name`, or `name` with a number added if it is already taken. Returns the name that
    /// was taken.
    pub(super) fn claim(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut number = 2;
        while !self.0.insert(candidate.clone()) {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        candidate
    }
}

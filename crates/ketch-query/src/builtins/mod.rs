//! The builtins that are written in Rust. The others are in the prelude, in jq's language.

mod arithmetic;
mod calendar;
mod collections;
mod contains;
mod formats;
mod json;
mod math;
pub mod messages;
mod regex;
mod strftime;
mod strings;
mod strptime;
mod system;
mod time;
mod types;
mod yaml;

pub use arithmetic::binary;
pub use formats::{format, formatted, unknown as unknown_format};
pub use types::Context;

use crate::error::Failure;
use crate::value::Value;
use types::{Builtin, Call};

/// The builtins in jq's language.
pub const PRELUDE: &str = include_str!("prelude.jq");

/// Groups of builtins: names with the numbers of their arguments.
const GROUPS: [&[(&str, usize, Builtin)]; 8] = [
    collections::BUILTINS,
    strings::BUILTINS,
    json::BUILTINS,
    math::BUILTINS,
    regex::BUILTINS,
    time::BUILTINS,
    system::BUILTINS,
    yaml::BUILTINS,
];

/// Returns the number of a builtin.
pub fn native(name: &str, arity: usize) -> Option<u16> {
    let mut all = GROUPS.iter().flat_map(|group| group.iter());
    all.position(|(known, count, _)| *known == name && *count == arity).map(|at| at as u16)
}

/// Returns the number of the builtin that a variable such as `$ENV` stands for.
pub fn variable(name: &str) -> Option<u16> {
    (name == "ENV").then(|| native("env", 0)).flatten()
}

/// Returns the names of all builtins in Rust and of those that the compiler makes, with their numbers of arguments.
pub fn names() -> impl Iterator<Item = (&'static str, usize)> {
    const INLINED: [(&str, usize); 14] = [
        ("builtins", 0),
        ("empty", 0),
        ("not", 0),
        ("select", 1),
        ("map", 1),
        ("first", 1),
        ("path", 1),
        ("getpath", 1),
        ("error", 0),
        ("error", 1),
        ("input", 0),
        ("range", 1),
        ("range", 2),
        ("range", 3),
    ];
    let natives =
        GROUPS.iter().flat_map(|group| group.iter().map(|(name, arity, _)| (*name, *arity)));
    INLINED.into_iter().chain(natives)
}

/// Calls a builtin.
pub fn call(
    native: u16,
    input: Value,
    args: Vec<Value>,
    context: &mut Context<'_>,
) -> Result<Value, Failure> {
    let mut at = native as usize;
    for group in GROUPS {
        match group.get(at) {
            Some((_, _, builtin)) => return builtin(&mut Call { input, args, context }),
            None => at -= group.len(),
        }
    }
    Ok(Value::Null)
}

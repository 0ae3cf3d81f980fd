//! The built-ins of messages. Several may have one name, for receivers of different kinds.

mod collections;
mod dates;
mod dicts;
mod keys;
mod kinds;
mod numbers;
mod scalars;
mod types;
mod written;

pub use keys::key_text;
pub use types::{Message, Shape};

use super::types::{Call, Context};
use crate::error::{Failure, Kind as ErrorKind, shown};
use crate::value::{Kind, Value};
use kinds::{is_date, kind_name};
use std::sync::OnceLock;
use types::{DATE, DICT, LIST, NUMBER, OTHER, TEXT};

/// Groups of built-ins.
const GROUPS: [&[Message]; 4] =
    [collections::MESSAGES, dicts::MESSAGES, scalars::MESSAGES, numbers::MESSAGES];

/// The number of a message that is no built-in.
pub const NONE: u16 = u16::MAX;

/// Returns the names of all built-ins.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|known| known.name).filter(|name| name.starts_with(char::is_alphabetic))
}

fn all() -> impl Iterator<Item = &'static Message> {
    GROUPS.into_iter().flatten()
}

/// Returns the number and the first of the built-ins with this name.
pub fn find(name: &str) -> Option<(u16, &'static Message)> {
    let mut numbered = all().enumerate();
    numbered.find(|(_, known)| known.name == name).map(|(at, known)| (at as u16, known))
}

/// Returns the built-in with the name of the one with this number that `receiver` understands.
fn understood(native: u16, receiver: &Value) -> Option<&'static Message> {
    static NAMESAKES: OnceLock<Vec<Vec<&'static Message>>> = OnceLock::new();
    let namesakes = NAMESAKES.get_or_init(|| {
        let of = |name: &str| all().filter(|known| known.name == name).collect();
        all().map(|known| of(known.name)).collect()
    });
    let kind = match receiver.kind() {
        Kind::Array => LIST,
        Kind::Object => DICT,
        Kind::Text if is_date(receiver) => DATE,
        Kind::Text => TEXT,
        Kind::Number => NUMBER,
        _ => OTHER,
    };
    namesakes.get(native as usize)?.iter().find(|known| known.on & kind != 0).copied()
}

/// Returns whether `receiver` has the built-in.
pub fn is_understood(native: u16, receiver: &Value) -> bool {
    understood(native, receiver).is_some()
}

/// Sends a message; fails if the receiver has no built-in for it.
pub fn send(
    native: u16,
    name: &str,
    input: Value,
    args: Vec<Value>,
    context: &mut Context<'_>,
) -> Result<Value, Failure> {
    match understood(native, &input) {
        Some(known) => (known.run)(&mut Call { input, args, context }),
        None => {
            let message =
                format!("{} {} has no message `{name}`", kind_name(&input), shown(&input));
            let kind = match name.starts_with(char::is_alphabetic) {
                true => ErrorKind::NoSuchMessage,
                false => ErrorKind::WrongKind,
            };
            let mut failure = Failure::new(kind, message).about(&input);
            let names = all().map(|known| known.name).filter(|known| *known != name);
            failure.nearest = crate::nearest::nearest(name, names);
            Err(failure)
        }
    }
}

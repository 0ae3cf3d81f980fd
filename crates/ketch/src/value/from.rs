//! Converts Rust's types to values.

use super::{Mapping, Number, Sequence, TaggedValue, Text, Timestamp, Value};
use std::borrow::Cow;

macro_rules! from {
    ($($type:ty => |$value:ident| $make:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Value {
                $make
            }
        })*
    };
}

from! {
    () => |_value| Value::Null;
    bool => |value| Value::Bool(value);
    Number => |value| Value::Number(value);
    Text => |value| Value::String(value);
    String => |value| Value::String(value.into());
    &str => |value| Value::String(value.into());
    Cow<'_, str> => |value| Value::String(value.into());
    Timestamp => |value| Value::Timestamp(value);
    Sequence => |value| Value::Sequence(value);
    Mapping => |value| Value::Mapping(value);
    TaggedValue => |value| Value::Tagged(Box::new(value));
}

macro_rules! from_numbers {
    ($($type:ty)*) => {
        $(impl From<$type> for Value {
            fn from(value: $type) -> Value {
                Value::Number(value.into())
            }
        })*
    };
}

from_numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 num_bigint::BigInt);

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Value {
        values.into_iter().collect()
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Value {
        Value::Sequence(values.into_iter().map(Into::into).collect())
    }
}

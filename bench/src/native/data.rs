//! The values of all crates as those of Ketch, to compare them: without tags, and with keys as
//! text, since some crates support only that.

use ketch::Value;

/// A value that can be compared with those of other crates.
pub trait Plain {
    fn plain(&self) -> Value;
}

fn list<'v, V: Plain + 'v>(values: impl IntoIterator<Item = &'v V>) -> Value {
    values.into_iter().map(V::plain).collect::<Vec<_>>().into()
}

fn map(pairs: impl Iterator<Item = (Value, Value)>) -> Value {
    Value::Mapping(pairs.map(|(key, value)| (as_key(key), value)).collect())
}

/// Returns the value as the text of a key.
fn as_key(value: Value) -> Value {
    match value {
        Value::String(_) => value,
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string().into(),
        Value::Number(value) => match value.as_i128() {
            Some(value) => value.to_string().into(),
            None => value.as_f64().unwrap_or(f64::NAN).to_string().into(),
        },
        other => format!("{other:?}").into(),
    }
}

/// Returns a number without its spelling, and no longer than other crates support.
fn number(integer: Option<i128>, float: impl FnOnce() -> Option<f64>) -> Value {
    match integer {
        Some(value) => value.into(),
        None => float().unwrap_or(f64::NAN).into(),
    }
}

impl<V: Plain> Plain for Vec<V> {
    fn plain(&self) -> Value {
        list(self)
    }
}

impl Plain for Value {
    fn plain(&self) -> Value {
        match self {
            Value::Number(value) => number(value.as_i128(), || value.as_f64()),
            Value::Sequence(values) => list(values.iter()),
            Value::Mapping(pairs) => {
                map(pairs.iter().map(|(key, value)| (key.plain(), value.plain())))
            }
            Value::Tagged(tagged) => tagged.value.plain(),
            scalar => scalar.clone(),
        }
    }
}

impl Plain for serde_yaml::Value {
    fn plain(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(value) => {
                let integer = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
                number(integer, || value.as_f64())
            }
            Self::String(text) => text.as_str().into(),
            Self::Sequence(values) => list(values),
            Self::Mapping(pairs) => {
                map(pairs.iter().map(|(key, value)| (key.plain(), value.plain())))
            }
            Self::Tagged(tagged) => tagged.value.plain(),
        }
    }
}

impl Plain for serde_json::Value {
    fn plain(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(value) => number(value.as_i128(), || value.as_f64()),
            Self::String(text) => text.as_str().into(),
            Self::Array(values) => list(values),
            Self::Object(pairs) => {
                map(pairs.iter().map(|(key, value)| (key.as_str().into(), value.plain())))
            }
        }
    }
}

impl Plain for noyalib::Value {
    fn plain(&self) -> Value {
        use noyalib::Number;
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(Number::Integer(value)) => (*value).into(),
            Self::Number(Number::Float(value)) => (*value).into(),
            Self::Number(other) => other.to_string().into(),
            Self::String(text) => text.as_str().into(),
            Self::Sequence(values) => list(values),
            Self::Mapping(pairs) => {
                map(pairs.iter().map(|(key, value)| (key.to_string().into(), value.plain())))
            }
            Self::Tagged(tagged) => tagged.value().plain(),
        }
    }
}

impl Plain for yaml_rust2::Yaml {
    fn plain(&self) -> Value {
        match self {
            Self::Boolean(value) => (*value).into(),
            Self::Integer(value) => (*value).into(),
            Self::Real(_) => number(None, || self.as_f64()),
            Self::String(text) => text.as_str().into(),
            Self::Array(values) => list(values),
            Self::Hash(pairs) => map(pairs.iter().map(|(key, value)| (key.plain(), value.plain()))),
            Self::Null | Self::BadValue | Self::Alias(_) => Value::Null,
        }
    }
}

impl Plain for saphyr::Yaml<'_> {
    fn plain(&self) -> Value {
        use saphyr::Scalar;
        match self {
            Self::Value(Scalar::Boolean(value)) => (*value).into(),
            Self::Value(Scalar::Integer(value)) => (*value).into(),
            Self::Value(Scalar::FloatingPoint(value)) => value.0.into(),
            Self::Value(Scalar::String(text)) => (&**text).into(),
            Self::Sequence(values) => list(values),
            Self::Mapping(pairs) => {
                map(pairs.iter().map(|(key, value)| (key.plain(), value.plain())))
            }
            Self::Tagged(_, value) => value.plain(),
            _ => Value::Null,
        }
    }
}

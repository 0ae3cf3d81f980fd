//! Plain data, to compare the values of all crates.

use std::collections::BTreeMap;

/// Data without tags. Keys are text, since some crates support only that.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Null,
    Bool(bool),
    Int(i128),
    /// By its bits.
    Float(u64),
    Text(String),
    List(Vec<Data>),
    Map(BTreeMap<String, Data>),
}

impl Data {
    pub fn float(value: f64) -> Data {
        Data::Float(if value.is_nan() { f64::NAN } else { value }.to_bits())
    }

    /// Pairs, keys as text.
    ///
    /// # Errors
    /// Fails if two keys have the same text.
    pub fn map(pairs: impl Iterator<Item = (Data, Data)>) -> Data {
        Data::Map(pairs.map(|(key, value)| (key.key(), value)).collect())
    }

    /// Returns the value as the text of a key.
    fn key(self) -> String {
        match self {
            Data::Text(text) => text,
            Data::Null => "null".to_owned(),
            Data::Bool(value) => value.to_string(),
            Data::Int(value) => value.to_string(),
            Data::Float(bits) => f64::from_bits(bits).to_string(),
            other => format!("{other:?}"),
        }
    }

    /// Returns the path to the first difference.
    pub fn difference(&self, other: &Data) -> Option<String> {
        match (self, other) {
            (Data::List(a), Data::List(b)) if a.len() == b.len() => {
                let mut both = a.iter().zip(b).enumerate();
                both.find_map(|(i, (a, b))| Some(format!("[{i}]{}", a.difference(b)?)))
            }
            (Data::Map(a), Data::Map(b)) if a.keys().eq(b.keys()) => {
                let mut both = a.iter().zip(b.values());
                both.find_map(|((key, a), b)| Some(format!(".{key}{}", a.difference(b)?)))
            }
            _ if self == other => None,
            _ => Some(format!(": {} and {}", self.short(), other.short())),
        }
    }

    /// Returns a short description for messages about differences.
    fn short(&self) -> String {
        match self {
            Data::List(list) => format!("a list of {}", list.len()),
            Data::Map(map) => format!("a map of {}", map.len()),
            scalar => format!("{scalar:?}").chars().take(60).collect(),
        }
    }
}

impl From<&ketch::Value> for Data {
    fn from(value: &ketch::Value) -> Data {
        use ketch::Value;
        match value {
            Value::Null => Data::Null,
            Value::Bool(value) => Data::Bool(*value),
            Value::Number(value) => match value.as_i128() {
                Some(value) => Data::Int(value),
                None => Data::float(value.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Data::Text(text.to_string()),
            Value::Sequence(values) => Data::List(values.iter().map(Data::from).collect()),
            Value::Mapping(pairs) => {
                Data::map(pairs.iter().map(|(key, value)| (key.into(), value.into())))
            }
            Value::Tagged(tagged) => (&tagged.value).into(),
            other => Data::Text(format!("{other:?}")),
        }
    }
}

impl From<&serde_yaml::Value> for Data {
    fn from(value: &serde_yaml::Value) -> Data {
        use serde_yaml::Value;
        match value {
            Value::Null => Data::Null,
            Value::Bool(value) => Data::Bool(*value),
            Value::Number(value) => match (value.as_i64(), value.as_u64()) {
                (Some(value), _) => Data::Int(value.into()),
                (_, Some(value)) => Data::Int(value.into()),
                _ => Data::float(value.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Data::Text(text.clone()),
            Value::Sequence(values) => Data::List(values.iter().map(Data::from).collect()),
            Value::Mapping(pairs) => {
                Data::map(pairs.iter().map(|(key, value)| (key.into(), value.into())))
            }
            Value::Tagged(tagged) => (&tagged.value).into(),
        }
    }
}

impl From<&serde_json::Value> for Data {
    fn from(value: &serde_json::Value) -> Data {
        use serde_json::Value;
        match value {
            Value::Null => Data::Null,
            Value::Bool(value) => Data::Bool(*value),
            Value::Number(value) => match value.as_i128() {
                Some(value) => Data::Int(value),
                None => Data::float(value.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Data::Text(text.clone()),
            Value::Array(values) => Data::List(values.iter().map(Data::from).collect()),
            Value::Object(pairs) => {
                Data::map(pairs.iter().map(|(key, value)| (Data::Text(key.clone()), value.into())))
            }
        }
    }
}

impl From<&noyalib::Value> for Data {
    fn from(value: &noyalib::Value) -> Data {
        use noyalib::{Number, Value};
        match value {
            Value::Null => Data::Null,
            Value::Bool(value) => Data::Bool(*value),
            Value::Number(Number::Integer(value)) => Data::Int((*value).into()),
            Value::Number(Number::Float(value)) => Data::float(*value),
            Value::Number(other) => Data::Text(other.to_string()),
            Value::String(text) => Data::Text(text.clone()),
            Value::Sequence(values) => Data::List(values.iter().map(Data::from).collect()),
            Value::Mapping(pairs) => Data::map(
                pairs.iter().map(|(key, value)| (Data::Text(key.to_string()), value.into())),
            ),
            Value::Tagged(tagged) => tagged.value().into(),
        }
    }
}

impl From<&yaml_rust2::Yaml> for Data {
    fn from(value: &yaml_rust2::Yaml) -> Data {
        use yaml_rust2::Yaml;
        match value {
            Yaml::Boolean(value) => Data::Bool(*value),
            Yaml::Integer(value) => Data::Int((*value).into()),
            Yaml::Real(_) => Data::float(value.as_f64().unwrap_or(f64::NAN)),
            Yaml::String(text) => Data::Text(text.clone()),
            Yaml::Array(values) => Data::List(values.iter().map(Data::from).collect()),
            Yaml::Hash(pairs) => {
                Data::map(pairs.iter().map(|(key, value)| (key.into(), value.into())))
            }
            Yaml::Null | Yaml::BadValue | Yaml::Alias(_) => Data::Null,
        }
    }
}

impl From<&saphyr::Yaml<'_>> for Data {
    fn from(value: &saphyr::Yaml<'_>) -> Data {
        use saphyr::{Scalar, Yaml};
        match value {
            Yaml::Value(Scalar::Boolean(value)) => Data::Bool(*value),
            Yaml::Value(Scalar::Integer(value)) => Data::Int((*value).into()),
            Yaml::Value(Scalar::FloatingPoint(value)) => Data::float(value.0),
            Yaml::Value(Scalar::String(text)) => Data::Text(text.to_string()),
            Yaml::Sequence(values) => Data::List(values.iter().map(Data::from).collect()),
            Yaml::Mapping(pairs) => {
                Data::map(pairs.iter().map(|(key, value)| (key.into(), value.into())))
            }
            Yaml::Tagged(_, value) => (&**value).into(),
            _ => Data::Null,
        }
    }
}

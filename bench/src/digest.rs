//! Digests of values, which all hosts compute alike: SHA-256 of the extprot bytes, where each
//! mapping has its entries in the order of the bytes of their keys.

use ketch::value::TaggedValue;
use ketch::{Encoder, Item, Sink, Value};
use sha2::{Digest, Sha256};

/// Returns the digest of a value whose mappings are sorted.
pub fn of(sorted: &Value) -> Result<String, String> {
    Ok(hash(&encoded(sorted)?))
}

/// Returns the SHA-256 in lower-case hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the value with the entries of its mappings in order.
pub fn sorted(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Sequence(items) => {
            Value::Sequence(items.iter().map(sorted).collect::<Result<_, _>>()?)
        }
        Value::Mapping(pairs) => {
            let entry = |(key, value)| {
                let key = sorted(key)?;
                Ok((encoded(&key)?, key, sorted(value)?))
            };
            let mut entries = pairs.iter().map(entry).collect::<Result<Vec<_>, String>>()?;
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Mapping(entries.into_iter().map(|(_, key, value)| (key, value)).collect())
        }
        Value::Tagged(tagged) => {
            let TaggedValue { tag, value } = &**tagged;
            Value::Tagged(Box::new(TaggedValue { tag: tag.clone(), value: sorted(value)? }))
        }
        scalar => scalar.clone(),
    })
}

/// Returns the extprot bytes of a value.
fn encoded(value: &Value) -> Result<Vec<u8>, String> {
    let mut encoder = Encoder::new(&Default::default());
    write(value, &mut encoder)?;
    encoder.bytes().map(<[u8]>::to_vec).map_err(|error| error.to_string())
}

fn write(value: &Value, encoder: &mut Encoder) -> Result<(), String> {
    let mut item = |item| encoder.item(item).map_err(|problem| format!("{problem:?}"));
    match value {
        Value::Null => item(Item::Null),
        Value::Bool(value) => item(Item::Bool(*value)),
        Value::Number(number) => match (number.as_i64(), number.to_big_int()) {
            (Some(value), _) => item(Item::Int(value)),
            (_, Some(value)) => item(Item::BigInt(&value.to_string())),
            _ => item(Item::Float(number.as_f64().unwrap_or(f64::NAN))),
        },
        Value::String(text) => item(Item::Str(text)),
        Value::Bytes(bytes) => item(Item::Binary(bytes)),
        Value::Timestamp(timestamp) => item(Item::Timestamp(*timestamp)),
        Value::Sequence(items) => {
            item(Item::SequenceStart(items.len() as u64))?;
            items.iter().try_for_each(|value| write(value, encoder))?;
            encoder.item(Item::SequenceEnd).map_err(|problem| format!("{problem:?}"))
        }
        Value::Mapping(pairs) => {
            item(Item::MappingStart(pairs.len() as u64))?;
            for (key, value) in pairs {
                write(key, encoder)?;
                write(value, encoder)?;
            }
            encoder.item(Item::MappingEnd).map_err(|problem| format!("{problem:?}"))
        }
        Value::Tagged(tagged) => {
            item(Item::Tag(tagged.tag.as_str()))?;
            write(&tagged.value, encoder)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_does_not_depend_on_the_order_of_entries() {
        let digest = |text| of(&sorted(&ketch::from_str(text).expect("YAML")).expect("a value"));
        let found =
            digest("[{bb: 1, a: {y: !t 1.5, x: ~}}, 9223372036854775808]").expect("a digest");
        assert_eq!(Ok(found), digest("[{a: {x: ~, y: !t 1.5}, bb: 1}, 9223372036854775808]"));
        // Two null values in a sequence, in `docs/data-model.md`: 05 03 02 0a 0a.
        assert_eq!(digest("[~, ~]").expect("a digest"), hash(&[5, 3, 2, 10, 10]));
    }
}

//! Code that the tests share. It finds the vectors, and converts values to their notation.
#![allow(dead_code, reason = "each test crate uses its part")]

use ketch_extprot::schema::ast::Primitive;
use ketch_extprot::schema::{Schema, Type, TypeId};
use ketch_extprot::wire::WireType;
use ketch_extprot::{Error, Limits, Problem, Typed, Value, value::ValueRef};
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::path::Path;

pub fn load(dir: &Path, name: &str) -> Vec<Json> {
    let path = dir.join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let json: Json = serde_json::from_str(&text).expect("the vectors are JSON");
    json.as_array().expect("a file of vectors is an array").clone()
}

pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn string_to_json(bytes: &[u8]) -> Json {
    if bytes.len() > 200 && bytes.iter().all(|b| *b == bytes[0]) {
        return json!({"repeat": hex(&bytes[..1]), "count": bytes.len()});
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.iter().all(|b| (0x20..=0x7e).contains(b)) => json!(text),
        _ => json!({ "hex": hex(bytes) }),
    }
}

fn string_from_json(json: &Json) -> Vec<u8> {
    match json {
        Json::String(text) => text.clone().into_bytes(),
        _ => match json.get("repeat") {
            Some(byte) => {
                unhex(byte.as_str().unwrap()).repeat(json["count"].as_u64().unwrap() as usize)
            }
            None => unhex(json["hex"].as_str().unwrap()),
        },
    }
}

/// Returns a value of the type `ty` in the notation of the vectors.
pub fn to_json(schema: &Schema, ty: TypeId, value: &Typed<'_>) -> Result<Json, Error> {
    let all = |types: Vec<TypeId>, values: &[Typed<'_>]| -> Result<Json, Error> {
        let values = types.into_iter().zip(values).map(|(ty, v)| to_json(schema, ty, v));
        values.collect::<Result<Vec<_>, _>>().map(Json::Array)
    };
    Ok(match (schema.get(ty), value) {
        (_, Typed::Bool(value)) => json!(value),
        (_, Typed::Byte(value)) => json!(value),
        (_, Typed::Int(value) | Typed::Long(value)) => json!(value.to_string()),
        (_, Typed::Float(value)) => json!(format!("{:016x}", value.to_bits())),
        (_, Typed::String(bytes)) => string_to_json(bytes),
        (_, Typed::Lazy(lazy)) => to_json(schema, ty, lazy.force(schema, &Limits::default())?)?,
        (Type::Tuple(types), Typed::Tuple(values)) => all(types.clone(), values)?,
        (Type::List(element) | Type::Array(element), Typed::List(values)) => {
            all(vec![*element; values.len()], values)?
        }
        (Type::Sum(sum), Typed::Sum(index, values)) => {
            let constructor = &sum.constructors[*index as usize];
            if values.is_empty() {
                json!({ "tag": constructor.name })
            } else {
                json!({"tag": constructor.name, "args": all(constructor.arguments.clone(), values)?})
            }
        }
        (Type::Message(message), Typed::Message(case, values)) => {
            let case = &message.cases[*case as usize];
            let mut fields = serde_json::Map::new();
            for (field, value) in case.fields.iter().zip(values) {
                fields.insert(field.name.clone(), to_json(schema, field.ty, value)?);
            }
            if message.union {
                json!({"case": case.name, "value": fields})
            } else {
                Json::Object(fields)
            }
        }
        other => panic!("{other:?}"),
    })
}

pub fn from_json(schema: &Schema, ty: TypeId, json: &Json) -> Typed<'static> {
    let number = || json.as_str().unwrap().parse::<i64>().unwrap();
    let array = || json.as_array().unwrap().iter();
    match schema.get(ty) {
        Type::Primitive(primitive, _) => match primitive {
            Primitive::Bool => Typed::Bool(json.as_bool().unwrap()),
            Primitive::Byte => Typed::Byte(json.as_u64().unwrap().try_into().unwrap()),
            Primitive::Int => Typed::Int(number()),
            Primitive::Long => Typed::Long(number()),
            Primitive::Float => {
                let bits = u64::from_str_radix(json.as_str().unwrap(), 16).unwrap();
                Typed::Float(f64::from_bits(bits))
            }
            Primitive::String => Typed::String(Cow::Owned(string_from_json(json))),
        },
        Type::List(element) | Type::Array(element) => {
            Typed::List(array().map(|json| from_json(schema, *element, json)).collect())
        }
        Type::Tuple(types) => Typed::Tuple(
            types.iter().zip(array()).map(|(ty, json)| from_json(schema, *ty, json)).collect(),
        ),
        Type::Sum(sum) => {
            let name = json["tag"].as_str().unwrap();
            let index = sum.constructors.iter().position(|c| c.name == name).unwrap();
            let arguments = &sum.constructors[index].arguments;
            let none = Vec::new();
            let values = json.get("args").map_or(&none, |args| args.as_array().unwrap());
            assert_eq!(arguments.len(), values.len());
            let values = arguments.iter().zip(values);
            Typed::Sum(index as u32, values.map(|(ty, v)| from_json(schema, *ty, v)).collect())
        }
        Type::Message(message) => {
            let (case, fields) = if message.union {
                let name = json["case"].as_str().unwrap();
                (message.cases.iter().position(|c| c.name == name).unwrap(), &json["value"])
            } else {
                (0, json)
            };
            let values = message.cases[case].fields.iter();
            let values = values.map(|f| from_json(schema, f.ty, &fields[&f.name]));
            Typed::Message(case as u32, values.collect())
        }
        Type::External(name) => panic!("{name}"),
    }
}

/// Returns a value without a schema in the notation of the vectors.
pub fn tree_to_json(value: ValueRef<'_>) -> Json {
    use ketch_extprot::wire::{TokenKind, WireType};
    let children = || value.children().map(tree_to_json).collect::<Vec<_>>();
    let (name, v) = match value.kind() {
        TokenKind::Vint(n) => ("vint", json!(n.to_string())),
        TokenKind::Bits8(n) => ("bits8", json!(n)),
        TokenKind::Bits32(n) => ("bits32", json!(n.to_string())),
        TokenKind::Bits64Long(n) => ("bits64_long", json!(n.to_string())),
        TokenKind::Bits64Float(x) => ("bits64_float", json!(format!("{:016x}", x.to_bits()))),
        TokenKind::Enum => return json!({"type": "enum", "tag": value.tag()}),
        TokenKind::Bytes(bytes) => ("bytes", string_to_json(bytes)),
        TokenKind::Begin(WireType::Tuple, _) => ("tuple", Json::Array(children())),
        TokenKind::Begin(WireType::Htuple, _) => ("htuple", Json::Array(children())),
        TokenKind::Begin(..) => {
            let pairs: Vec<_> = children().chunks(2).map(|pair| json!(pair)).collect();
            ("assoc", Json::Array(pairs))
        }
        TokenKind::End(_) => unreachable!("a node starts with no end"),
    };
    json!({"type": name, "tag": value.tag(), "v": v})
}

/// Returns the value for a tree in the notation of the vectors.
pub fn tree_from_json(json: &Json) -> Value<'static> {
    let mut builder = ketch_extprot::value::Builder::new();
    add_tree(json, &mut builder);
    builder.finish().unwrap()
}

fn add_tree(json: &Json, builder: &mut ketch_extprot::value::Builder) {
    let tag = json["tag"].as_u64().unwrap();
    let v = &json["v"];
    let number = || v.as_str().unwrap().parse::<i64>().unwrap();
    let mut block = |wire_type| {
        builder.begin(tag, wire_type);
        for child in v.as_array().unwrap() {
            match child.as_array() {
                Some(pair) => pair.iter().for_each(|json| add_tree(json, builder)),
                None => add_tree(child, builder),
            }
        }
        builder.end();
    };
    match json["type"].as_str().unwrap() {
        "tuple" => block(WireType::Tuple),
        "htuple" => block(WireType::Htuple),
        "assoc" => block(WireType::Assoc),
        "vint" => builder.vint(tag, number()),
        "bits8" => builder.bits8(tag, v.as_u64().unwrap() as u8),
        "bits32" => builder.bits32(tag, number() as i32),
        "bits64_long" => builder.bits64_long(tag, number()),
        "bits64_float" => {
            let bits = u64::from_str_radix(v.as_str().unwrap(), 16).unwrap();
            builder.bits64_float(tag, f64::from_bits(bits));
        }
        "enum" => builder.enum_tag(tag),
        "bytes" => builder.bytes(tag, &string_from_json(v)),
        other => panic!("{other}"),
    }
}

/// Returns the parts of an error that the vectors contain and that the tests compare.
pub fn error_to_json(error: &Error) -> Json {
    match error.problem() {
        Problem::Eof => json!({"kind": "eof"}),
        Problem::BadWireType { .. } => json!({"kind": "bad_wire_type"}),
        Problem::UnknownTag { tag } => json!({"kind": "unknown_tag", "tag": tag}),
        Problem::MissingField => json!({"kind": "missing_field"}),
        Problem::MissingTupleElement { index } => {
            json!({"kind": "missing_tuple_element", "index": index})
        }
        Problem::LimitExceeded { limit, n, .. } => {
            json!({"kind": "limit_exceeded", "limit": limit, "n": n})
        }
        Problem::WrongProtocolVersion { known, found } => {
            json!({"kind": "wrong_protocol_version", "known": known, "found": found})
        }
        other => json!({"kind": format!("{other:?}")}),
    }
}

/// Removes the parts of an error that the vectors contain only for information.
pub fn plain_error(json: &Json) -> Json {
    let mut json = json.clone();
    let object = json.as_object_mut().unwrap();
    object.remove("loc");
    object.remove("wire_type");
    json
}

//! extprot beside other binary formats: `extprot.encode`, `extprot.decode`, and for extprot's own
//! strengths `extprot.dynamic`, `extprot.borrowed`, `extprot.field`, `extprot.last_field`.

mod convert;
pub mod random;
mod shapes;

/// The types of `bench.proto`.
#[allow(missing_docs, clippy::all, dead_code)]
pub mod ext {
    include!(concat!(env!("OUT_DIR"), "/bench.rs"));
}

use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;

use ketch::Value;
use ketch_extprot::rt::{Decode, Encode, Writer};
use ketch_extprot::wire::View;
use prost::Message;
use rkyv::rancor;
use shapes::{ArchivedTable, Rtts, Table, TableRef, Tree, pb};

use crate::runner::{read, text};
use crate::work::{Prepared, Refusal, timed, timed_with_facts, unable};

/// The engines, and their crates.
pub const ENGINES: &[(&str, &str)] = &[
    ("ketch whole", "ketch-extprot"),
    ("prost", "prost"),
    ("rmp-serde", "rmp-serde"),
    ("rmpv", "rmpv"),
    ("rmpv borrowed", "rmpv"),
    ("bincode", "bincode"),
    ("postcard", "postcard"),
    ("ciborium", "ciborium"),
    ("bitcode", "bitcode"),
    ("rkyv", "rkyv"),
    ("serde_json", "serde_json"),
    ("simd-json", "simd-json"),
];

pub fn prepare(operation: &str, engine: &str, input: &Path) -> Prepared {
    let bytes = read(input)?;
    let name = input.file_stem().unwrap_or_default().to_string_lossy();
    let is_encode = operation == "encode";
    match (operation, &*name) {
        ("encode" | "decode", "rtts") => rtts(is_encode, engine, &bytes),
        ("encode" | "decode", "table") => table(is_encode, engine, &bytes),
        ("encode" | "decode", "tree") => tree(is_encode, engine, &bytes),
        ("dynamic", name) => dynamic(name, engine, bytes),
        ("borrowed", "table") => borrowed(engine, bytes),
        ("field" | "last_field", "table") => field(operation == "field", engine, bytes),
        _ => Err(Refusal::Unable("there is no schema for this input".to_owned())),
    }
}

/// Makes the function that prepares all engines for the values of one type. Encoders reuse their
/// buffer if they can.
macro_rules! engines {
    ($name:ident: $ext:ty, $plain:ty, $proto:ty, $to_proto:path) => {
        fn $name(is_encode: bool, engine: &str, bytes: &[u8]) -> Prepared {
            let own = <$ext>::from_bytes(bytes).map_err(text)?;
            let value: $plain = convert::$name(&own);
            let result = ketch::to_value(&value).map_err(text)?;
            let (mut writer, mut buffer) = (Writer::new(), Vec::new());
            macro_rules! codec {
                ($value:expr, $encode:expr, $decode:expr) => {
                    codec(is_encode, result, $value, $encode, $decode)
                };
            }
            match engine {
                "ketch" => codec!(
                    own,
                    move |value: &$ext, out| {
                        writer.clear();
                        value.encode(&mut writer);
                        writer.finish().map(|bytes| out(bytes)).map_err(text)
                    },
                    |bytes| <$ext>::from_bytes(bytes).map_err(text)
                ),
                "prost" => codec!(
                    $to_proto(&own),
                    move |value: &$proto, out| {
                        buffer.clear();
                        value.encode(&mut buffer).map(|()| out(&buffer)).map_err(text)
                    },
                    |bytes| <$proto>::decode(bytes).map_err(text)
                ),
                "rmp-serde" => codec!(
                    value,
                    |value, out| rmp_serde::to_vec(value).map(|bytes| out(&bytes)).map_err(text),
                    |bytes| rmp_serde::from_slice::<$plain>(bytes).map_err(text)
                ),
                "bincode" => codec!(
                    value,
                    |value, out| bincode::serialize(value).map(|bytes| out(&bytes)).map_err(text),
                    |bytes| bincode::deserialize::<$plain>(bytes).map_err(text)
                ),
                "postcard" => codec!(
                    value,
                    |value, out| postcard::to_stdvec(value).map(|bytes| out(&bytes)).map_err(text),
                    |bytes| postcard::from_bytes::<$plain>(bytes).map_err(text)
                ),
                "ciborium" => codec!(
                    value,
                    |value, out| {
                        let mut bytes = Vec::new();
                        ciborium::into_writer(value, &mut bytes).map(|()| out(&bytes)).map_err(text)
                    },
                    |bytes| ciborium::from_reader::<$plain, _>(bytes).map_err(text)
                ),
                "bitcode" => codec!(
                    value,
                    |value, out| {
                        out(&bitcode::encode(value));
                        Ok(())
                    },
                    |bytes| bitcode::decode::<$plain>(bytes).map_err(text)
                ),
                "rkyv" => codec!(
                    value,
                    |value, out| {
                        let bytes = rkyv::to_bytes::<rancor::Error>(value);
                        bytes.map(|bytes| out(&bytes)).map_err(text)
                    },
                    |bytes| {
                        let mut aligned = rkyv::util::AlignedVec::<16>::new();
                        aligned.extend_from_slice(bytes);
                        rkyv::from_bytes::<$plain, rancor::Error>(&aligned).map_err(text)
                    }
                ),
                "serde_json" => codec!(
                    value,
                    |value, out| serde_json::to_vec(value).map(|bytes| out(&bytes)).map_err(text),
                    |bytes| serde_json::from_slice::<$plain>(bytes).map_err(text)
                ),
                "simd-json" => codec!(
                    value,
                    |value, out| simd_json::to_vec(value).map(|bytes| out(&bytes)).map_err(text),
                    |bytes| simd_json::from_slice::<$plain>(&mut bytes.to_vec()).map_err(text)
                ),
                _ => Err(unable()),
            }
        }
    };
}

engines!(rtts: ext::Rtts, Rtts, pb::Rtts, convert::rtts_pb);
engines!(table: ext::Table, Table, pb::Table, convert::table_pb);
engines!(tree: ext::Tree, Tree, pb::Tree, convert::tree_pb);

/// Encodes or decodes. The result is the value of the input if the engine gives it back.
fn codec<V: PartialEq + 'static>(
    is_encode: bool,
    result: Value,
    value: V,
    mut encode: impl FnMut(&V, &mut dyn FnMut(&[u8])) -> Result<(), String> + 'static,
    decode: impl Fn(&[u8]) -> Result<V, String> + Copy + 'static,
) -> Prepared {
    let mut bytes = Vec::new();
    encode(&value, &mut |encoded| bytes = encoded.to_vec())?;
    let facts = vec![
        ("bytes", bytes.len()),
        ("zstd_bytes", zstd::encode_all(&bytes[..], 3).map_err(text)?.len()),
    ];
    let (value, bytes) = (Rc::new(value), Rc::new(bytes));
    let (again, encoded) = (value.clone(), bytes.clone());
    let check = move || match decode(&encoded)? == *again {
        true => Ok(result.clone()),
        false => Err("the engine does not give its value back".to_owned()),
    };
    Ok(if is_encode {
        let run = move || {
            let mut length = 0;
            encode(&value, &mut |encoded| length = black_box(encoded).len())?;
            Ok(length)
        };
        timed_with_facts(run, check, facts)
    } else {
        let run = move || decode(black_box(&bytes)).map(|value| drop(black_box(value))).map(|()| 0);
        timed_with_facts(run, check, facts)
    })
}

/// Decodes without a schema. The result is true if encoding the value again gives the same bytes.
fn dynamic(name: &str, engine: &str, bytes: Vec<u8>) -> Prepared {
    use rmpv::{decode, encode};
    let packed = match name {
        "rtts" => rmp_serde::to_vec(&convert::rtts(&ext::Rtts::from_bytes(&bytes).map_err(text)?)),
        "table" => {
            rmp_serde::to_vec(&convert::table(&ext::Table::from_bytes(&bytes).map_err(text)?))
        }
        _ => rmp_serde::to_vec(&convert::tree(&ext::Tree::from_bytes(&bytes).map_err(text)?)),
    };
    let packed = packed.map_err(text)?;
    let again = |found: Result<Vec<u8>, String>, given: &[u8]| match found? == given {
        true => Ok(true.into()),
        false => Err("the value has other bytes when it is encoded again".to_owned()),
    };
    match engine {
        "ketch" => {
            let given = bytes.clone();
            fn value(bytes: &[u8]) -> Result<ketch_extprot::Value<'_>, String> {
                ketch_extprot::Value::decode(bytes).map_err(text)
            }
            Ok(timed(
                move || value(&bytes).map(black_box).map(|_| 0),
                move || again(value(&given).map(|value| value.encode()), &given),
            ))
        }
        "rmpv" | "rmpv borrowed" => {
            let given = packed.clone();
            let write = move || {
                let (mut out, mut read) = (Vec::new(), &given[..]);
                let value = decode::read_value_ref(&mut read).map_err(text)?;
                encode::write_value_ref(&mut out, &value).map_err(text)?;
                again(Ok(out), &given)
            };
            Ok(if engine == "rmpv" {
                timed(
                    move || {
                        decode::read_value(&mut &packed[..]).map(black_box).map(|_| 0).map_err(text)
                    },
                    write,
                )
            } else {
                timed(
                    move || {
                        decode::read_value_ref(&mut &packed[..])
                            .map(black_box)
                            .map(|_| 0)
                            .map_err(text)
                    },
                    write,
                )
            })
        }
        _ => Err(unable()),
    }
}

/// Decodes a table that borrows its texts. The result is its total.
fn borrowed(engine: &str, bytes: Vec<u8>) -> Prepared {
    let plain = convert::table(&ext::Table::from_bytes(&bytes).map_err(text)?);
    type Total = fn(&[u8]) -> Result<i64, String>;
    let (bytes, total): (Vec<u8>, Total) = match engine {
        "ketch" => (bytes, |bytes| Ok(ext::TableRef::from_bytes(bytes).map_err(text)?.total)),
        "rmp-serde" => (rmp_serde::to_vec(&plain).map_err(text)?, |bytes| {
            Ok(rmp_serde::from_slice::<TableRef<'_>>(bytes).map_err(text)?.total)
        }),
        "bincode" => (bincode::serialize(&plain).map_err(text)?, |bytes| {
            Ok(bincode::deserialize::<TableRef<'_>>(bytes).map_err(text)?.total)
        }),
        "postcard" => (postcard::to_stdvec(&plain).map_err(text)?, |bytes| {
            Ok(postcard::from_bytes::<TableRef<'_>>(bytes).map_err(text)?.total)
        }),
        "rkyv" => {
            let archive = rkyv::to_bytes::<rancor::Error>(&plain).map_err(text)?;
            let total = move || {
                let table = rkyv::access::<ArchivedTable, rancor::Error>(&archive);
                Ok::<i64, String>(table.map_err(text)?.total.to_native())
            };
            let value = total.clone();
            return Ok(timed(move || Ok(total()? as usize), move || Ok(value()?.into())));
        }
        _ => return Err(unable()),
    };
    let again = bytes.clone();
    Ok(timed(move || Ok(total(black_box(&bytes))? as usize), move || Ok(total(&again)?.into())))
}

/// Reads one field of a table, and nothing else of it if the engine can: the length of the name in
/// the middle row, or the total, which is after all rows.
fn field(is_name: bool, engine: &str, bytes: Vec<u8>) -> Prepared {
    type Field = fn(&[u8], u64) -> Result<Option<i64>, String>;
    let middle = ext::Table::from_bytes(&bytes).map_err(text)?.rows.len() as u64 / 2;
    let field: Field = match (engine, is_name) {
        ("ketch", true) => |bytes, middle| name_of_row(bytes, middle).map_err(text),
        ("ketch", false) => |bytes, _| total_of_table(bytes).map_err(text),
        ("ketch whole", true) => |bytes, middle| {
            let table = ext::Table::from_bytes(bytes).map_err(text)?;
            Ok(table.rows.get(middle as usize).map(|row| row.name.len() as i64))
        },
        ("ketch whole", false) => {
            |bytes, _| Ok(Some(ext::Table::from_bytes(bytes).map_err(text)?.total))
        }
        _ => return Err(unable()),
    };
    let again = bytes.clone();
    Ok(timed(
        move || Ok(field(black_box(&bytes), middle)?.unwrap_or(-1) as usize),
        move || Ok(field(&again, middle)?.into()),
    ))
}

fn name_of_row(table: &[u8], row: u64) -> ketch_extprot::Result<Option<i64>> {
    let Some(rows) = View::new(table)?.field(0)? else { return Ok(None) };
    let Some(row) = rows.field(row)? else { return Ok(None) };
    row.field(1)?.map(|name| Ok(name.as_bytes()?.len() as i64)).transpose()
}

fn total_of_table(table: &[u8]) -> ketch_extprot::Result<Option<i64>> {
    View::new(table)?.field(1)?.map(|total| total.as_int()).transpose()
}

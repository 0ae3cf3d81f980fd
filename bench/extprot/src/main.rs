//! Compares extprot with other binary formats. Each engine must first reproduce its input, then it
//! is timed: the median of n runs, and the spread from the fastest to the slowest.

mod convert;
mod data;
mod shapes;

#[allow(missing_docs, clippy::all, dead_code)]
mod ext {
    include!(concat!(env!("OUT_DIR"), "/bench.rs"));
}

use std::hint::black_box;
use std::time::{Duration, Instant};

use ketch_extprot::rt::{Decode, Encode, Writer};
use prost::Message;
use rkyv::rancor;
use shapes::{Rtts, Table, TableRef, Tree, pb};

/// Median, fastest, slowest.
struct Times(Vec<Duration>);

fn time<T>(mut run: impl FnMut() -> T) -> Times {
    black_box(run());
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < 15 || begin.elapsed() < Duration::from_millis(150) && times.len() < 200 {
        let start = Instant::now();
        black_box(run());
        times.push(start.elapsed());
    }
    times.sort();
    Times(times)
}

impl Times {
    fn median(&self) -> f64 {
        self.0[self.0.len() / 2].as_secs_f64() * 1e6
    }
}

impl Times {
    fn fastest(&self) -> f64 {
        self.0[0].as_secs_f64() * 1e6
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let us = |d: &Duration| d.as_secs_f64() * 1e6;
        let (low, high) = (us(&self.0[0]), us(&self.0[self.0.len() - 1]));
        write!(f, "{:8.0} ({low:.0}..{high:.0})", self.median())
    }
}

struct Row {
    engine: &'static str,
    bytes: Vec<u8>,
    encode: Times,
    decode: Times,
}

fn report(name: &str, rows: &[Row]) {
    println!("\n{name}: microseconds, median (fastest..slowest); size in bytes");
    println!("engine        |      size |  zstd -3 | encode                   | decode to owned");
    for row in rows {
        let zstd = zstd::encode_all(&row.bytes[..], 3).expect("in memory").len();
        let (encode, decode) = (row.encode.to_string(), row.decode.to_string());
        let size = row.bytes.len();
        println!("{:13} | {size:9} | {zstd:8} | {encode:24} | {decode}", row.engine);
    }
    let own = &rows[0];
    for row in &rows[1..] {
        println!(
            "  extprot against {:12}: encode {:5.2}x, decode {:5.2}x; of the fastest runs {:5.2}x, {:5.2}x",
            row.engine,
            row.encode.median() / own.encode.median(),
            row.decode.median() / own.decode.median(),
            row.encode.fastest() / own.encode.fastest(),
            row.decode.fastest() / own.decode.fastest()
        );
    }
}

/// Checks that the value survives a round trip, and then times both directions. Encoders reuse
/// their buffer if they can.
macro_rules! row {
    ($engine:literal, $value:expr, $encode:expr, $decode:expr) => {{
        let (value, encode, decode) = ($value, $encode, $decode);
        let bytes: Vec<u8> = encode(value).to_vec();
        assert!(decode(&bytes) == *value, "{} does not give its value back", $engine);
        let encode = time(|| encode(value).len());
        Row { engine: $engine, decode: time(|| decode(&bytes)), bytes, encode }
    }};
}

fn identity<T, F: Fn(&T) -> Vec<u8>>(f: F) -> F {
    f
}

macro_rules! engines {
    ($t:ty, $archived:ty, $value:expr, $ext:ty, $to_ext:expr, $pb:ty, $to_pb:expr) => {{
        let value: &$t = $value;
        let own = $to_ext(value);
        let proto = $to_pb(value);
        let mut writer = Writer::new();
        let bytes = own.to_bytes().expect("ints fit");
        assert!(<$ext>::from_bytes(&bytes).expect("own bytes") == own);
        let encode = time(|| {
            writer.clear();
            own.encode(&mut writer);
            writer.finish().expect("ints fit").len()
        });
        let decode = time(|| <$ext>::from_bytes(&bytes).expect("own bytes"));
        let mut rows = vec![Row { engine: "extprot", bytes, encode, decode }];
        let mut buffer = Vec::new();
        let bytes = proto.encode_to_vec();
        assert!(<$pb>::decode(&bytes[..]).expect("own bytes") == proto);
        let encode = time(|| {
            buffer.clear();
            proto.encode(&mut buffer).expect("memory");
            buffer.len()
        });
        let decode = time(|| <$pb>::decode(&bytes[..]).expect("own bytes"));
        rows.push(Row { engine: "prost", bytes, encode, decode });
        rows.push(row!(
            "rmp-serde",
            value,
            identity::<$t, _>(|v| rmp_serde::to_vec(v).unwrap()),
            |b: &[u8]| rmp_serde::from_slice::<$t>(b).unwrap()
        ));
        rows.push(row!(
            "bincode",
            value,
            identity::<$t, _>(|v| bincode::serialize(v).unwrap()),
            |b: &[u8]| bincode::deserialize::<$t>(b).unwrap()
        ));
        rows.push(row!(
            "postcard",
            value,
            identity::<$t, _>(|v| postcard::to_stdvec(v).unwrap()),
            |b: &[u8]| postcard::from_bytes::<$t>(b).unwrap()
        ));
        rows.push(row!(
            "ciborium",
            value,
            identity::<$t, _>(|v| {
                let mut out = Vec::new();
                ciborium::into_writer(v, &mut out).unwrap();
                out
            }),
            |b: &[u8]| ciborium::from_reader::<$t, _>(b).unwrap()
        ));
        rows.push(row!("bitcode", value, identity::<$t, _>(bitcode::encode), |b: &[u8]| {
            bitcode::decode::<$t>(b).unwrap()
        }));
        rows.push(row!(
            "rkyv",
            value,
            identity::<$t, _>(|v| rkyv::to_bytes::<rancor::Error>(v).unwrap().to_vec()),
            |b: &[u8]| {
                let mut aligned = rkyv::util::AlignedVec::<16>::new();
                aligned.extend_from_slice(b);
                rkyv::from_bytes::<$t, rancor::Error>(&aligned).unwrap()
            }
        ));
        rows.push(row!(
            "serde_json",
            value,
            identity::<$t, _>(|v| serde_json::to_vec(v).unwrap()),
            |b: &[u8]| serde_json::from_slice::<$t>(b).unwrap()
        ));
        rows.push(row!(
            "simd-json",
            value,
            identity::<$t, _>(|v| simd_json::to_vec(v).unwrap()),
            |b: &[u8]| simd_json::from_slice::<$t>(&mut b.to_vec()).unwrap()
        ));
        rows
    }};
}

fn dynamic(name: &str, extprot: &[u8], msgpack: &[u8]) {
    let own = ketch_extprot::Value::decode(extprot).expect("own bytes");
    assert_eq!(own.encode(), extprot);
    let theirs = rmpv::decode::read_value(&mut &msgpack[..]).expect("own bytes");
    let mut again = Vec::new();
    rmpv::encode::write_value(&mut again, &theirs).expect("memory");
    assert_eq!(again, msgpack);
    drop((own, theirs));
    let own = time(|| ketch_extprot::Value::decode(extprot).expect("own bytes"));
    let value = time(|| rmpv::decode::read_value(&mut &msgpack[..]).expect("own bytes"));
    let borrowed = time(|| rmpv::decode::read_value_ref(&mut &msgpack[..]).expect("own bytes"));
    println!(
        "{name} without schema: extprot {own}, rmpv Value {value} ({:.2}x), ValueRef {borrowed} ({:.2}x)",
        value.median() / own.median(),
        borrowed.median() / own.median()
    );
}

fn borrowed(table: &Table) {
    let ext_bytes = convert::table(table).to_bytes().expect("ints fit");
    let total = |t: &TableRef<'_>| t.total;
    let own = time(|| ext::TableRef::from_bytes(&ext_bytes).expect("own bytes").total);
    let rmp = rmp_serde::to_vec(table).unwrap();
    let rmp = time(|| total(&rmp_serde::from_slice(&rmp).unwrap()));
    let bin = bincode::serialize(table).unwrap();
    let bin = time(|| total(&bincode::deserialize(&bin).unwrap()));
    let post = postcard::to_stdvec(table).unwrap();
    let post = time(|| total(&postcard::from_bytes(&post).unwrap()));
    let archive = rkyv::to_bytes::<rancor::Error>(table).unwrap();
    let archived =
        time(|| rkyv::access::<shapes::ArchivedTable, rancor::Error>(&archive).unwrap().total);
    println!(
        "\ntable decoded borrowed: extprot {own}, rmp-serde {rmp}, bincode {bin}, postcard {post}, rkyv validated {archived}"
    );

    let value = ext::Table::from_bytes(&ext_bytes).expect("own bytes");
    let last = |bytes: &[u8]| {
        let root = ketch_extprot::wire::View::new(bytes)?;
        root.field(1)?.map(|total| total.as_int()).transpose()
    };
    assert_eq!(last(&ext_bytes).expect("own bytes"), Some(value.total));
    let middle = value.rows.len() as u64 / 2;
    let name = |bytes: &[u8]| -> ketch_extprot::Result<usize> {
        let root = ketch_extprot::wire::View::new(bytes)?;
        let rows = root.field(0)?.expect("rows");
        let row = rows.field(middle)?.expect("row");
        Ok(row.field(1)?.expect("name").as_bytes()?.len())
    };
    let expected = value.rows[middle as usize].name.len();
    assert_eq!(name(&ext_bytes).expect("own bytes"), expected);
    let whole = time(|| ext::Table::from_bytes(&ext_bytes).expect("own bytes"));
    // A single call is too short for the clock, so a thousand calls are timed together.
    let last = time(|| (0..1000).map(|_| last(black_box(&ext_bytes)).unwrap()).last());
    let name = time(|| name(black_box(&ext_bytes)).unwrap());
    println!(
        "table, one field by view: total {:.4} us ({:.0}x faster than decoding), the name in row {middle} {name} ({:.0}x)",
        last.median() / 1000.0,
        whole.median() * 1000.0 / last.median(),
        whole.median() / name.median()
    );
}

/// Frees one large block, which raises glibc's trim threshold: otherwise memory returns to the
/// system between runs until some engine frees as much, and the first engines pay with page faults.
fn settle_allocator() {
    drop(black_box(vec![1u8; (32 << 20) - 64 * 1024]));
}

fn main() {
    settle_allocator();
    let mut random = data::Random::new(0x9e37_79b9_7f4a_7c15);
    let (rtts, table, tree) = (random.rtts(5000), random.table(10_000), random.tree());
    if std::env::var_os("KETCH_BENCH_PROFILE").is_some() {
        return profile(&rtts, &table, &tree);
    }
    let rows = engines!(Rtts, _, &rtts, ext::Rtts, convert::rtts, pb::Rtts, convert::rtts_pb);
    report("sum types (5000 messages of the specification's benchmark)", &rows);
    dynamic("sum types", &rows[0].bytes, &rows[2].bytes);
    let rows = engines!(Table, _, &table, ext::Table, convert::table, pb::Table, convert::table_pb);
    report("flat records (10000)", &rows);
    dynamic("flat records", &rows[0].bytes, &rows[2].bytes);
    borrowed(&table);
    let rows = engines!(Tree, _, &tree, ext::Tree, convert::tree, pb::Tree, convert::tree_pb);
    report("tree (like the schema of a custom resource)", &rows);
    dynamic("tree", &rows[0].bytes, &rows[2].bytes);
}

/// `KETCH_BENCH_PROFILE=1`: only our own decoding, for a profiler.
fn profile(rtts: &Rtts, table: &Table, tree: &Tree) {
    let bytes = [
        convert::rtts(rtts).to_bytes().expect("ints fit"),
        convert::table(table).to_bytes().expect("ints fit"),
        convert::tree(tree).to_bytes().expect("ints fit"),
    ];
    let only = std::env::var("KETCH_BENCH_PROFILE").unwrap_or_default();
    for _ in 0..300 {
        if only != "tree" {
            black_box(ext::Rtts::from_bytes(&bytes[0]).expect("own bytes"));
            black_box(ext::Table::from_bytes(&bytes[1]).expect("own bytes"));
        }
        black_box(ext::Tree::from_bytes(&bytes[2]).expect("own bytes"));
    }
}

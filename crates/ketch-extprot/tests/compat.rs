//! What the compatibility checker says is what decoding does: random schemas, random edits of them,
//! random values. `KETCH_COMPAT_PAIRS` sets how many pairs are tried.

use std::borrow::Cow;
use std::fmt::Write;

use ketch_extprot::compat::{Direction, Report, Severity, compare, compare_one};
use ketch_extprot::schema::ast::Primitive;
use ketch_extprot::schema::{NoLoader, Schema, Type, TypeId, check_schema};
use ketch_extprot::{Limits, Typed};

/// xorshift64*
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) % n as u64) as usize
    }
}

#[derive(Clone)]
enum Ty {
    Primitive(usize, bool),
    List(Box<Ty>),
    Array(Box<Ty>),
    Tuple(Vec<Ty>),
    Named(usize),
}

#[derive(Clone)]
enum Body {
    Sum(Vec<Vec<Ty>>),
    Record(Vec<Ty>),
    Message(Vec<Ty>),
    Union(Vec<Vec<Ty>>),
    Alias(Ty),
}

const NAMES: [&str; 6] = ["bool", "byte", "int", "long", "float", "string"];
const DEFAULTS: [&str; 6] = ["true", "7", "-5", "9L", "1.5", "\"d\""];

fn random_type(random: &mut Random, names: usize, depth: usize) -> Ty {
    match random.below(if depth > 2 { 6 } else { 12 }) {
        0..=5 => Ty::Primitive(random.below(6), random.below(3) == 0),
        6 => Ty::List(Box::new(random_type(random, names, depth + 1))),
        7 => Ty::Array(Box::new(random_type(random, names, depth + 1))),
        8 => {
            let length = 2 + random.below(3);
            Ty::Tuple((0..length).map(|_| random_type(random, names, depth + 1)).collect())
        }
        _ if names == 0 => Ty::Primitive(random.below(6), false),
        _ => Ty::Named(random.below(names)),
    }
}

fn random_types(random: &mut Random, names: usize, least: usize) -> Vec<Ty> {
    let length = least + random.below(3);
    (0..length).map(|_| random_type(random, names, 1)).collect()
}

fn random_body(random: &mut Random, names: usize) -> Body {
    match random.below(6) {
        0 | 1 => {
            let length = 1 + random.below(3);
            Body::Sum((0..length).map(|_| random_types(random, names, 0)).collect())
        }
        2 => Body::Record(random_types(random, names, 1)),
        3 => Body::Message(random_types(random, names, 1)),
        4 => {
            let length = 1 + random.below(3);
            Body::Union((0..length).map(|_| random_types(random, names, 1)).collect())
        }
        _ => Body::Alias(random_type(random, names, 0)),
    }
}

fn edit_type(random: &mut Random, ty: &mut Ty, names: usize) {
    let inner = ty.clone();
    match random.below(7) {
        0 => {
            if let Ty::Primitive(kind, _) = ty {
                *kind = (*kind + 1).min(5);
            }
        }
        1 => {
            if let Ty::Primitive(_, default) = ty {
                *default = !*default;
            }
        }
        2 => *ty = Ty::Tuple(vec![inner, random_type(random, names, 2)]),
        3 => match inner {
            Ty::List(element) => *ty = Ty::Array(element),
            Ty::Array(element) => *ty = Ty::List(element),
            Ty::Tuple(elements) => *ty = elements[0].clone(),
            other => *ty = Ty::List(Box::new(other)),
        },
        4 => *ty = random_type(random, names, 1),
        _ => match ty {
            Ty::List(element) | Ty::Array(element) => edit_type(random, element, names),
            Ty::Tuple(elements) => edit_types(random, elements, names, 2),
            _ if names > 0 => *ty = Ty::Named(random.below(names)),
            _ => {}
        },
    }
}

fn edit_types(random: &mut Random, types: &mut Vec<Ty>, names: usize, least: usize) {
    match random.below(5) {
        0 | 1 => types.push(random_type(random, names, 1)),
        2 if types.len() > least => {
            types.pop();
        }
        3 => {
            let at = random.below(types.len() + 1);
            types.insert(at, random_type(random, names, 1));
        }
        _ if types.is_empty() => {}
        _ => {
            let at = random.below(types.len());
            edit_type(random, &mut types[at], names);
        }
    }
}

fn edit_body(random: &mut Random, body: &mut Body, names: usize) {
    match body {
        Body::Sum(list) | Body::Union(list) if random.below(3) == 0 => {
            if random.below(3) == 0 && list.len() > 1 {
                let at = random.below(list.len());
                list.remove(at);
            } else {
                let at = random.below(list.len() + 1);
                list.insert(at, random_types(random, names, 1));
            }
        }
        Body::Sum(list) => {
            let at = random.below(list.len());
            edit_types(random, &mut list[at], names, 0);
        }
        Body::Union(list) => {
            let at = random.below(list.len());
            edit_types(random, &mut list[at], names, 1);
        }
        Body::Record(types) | Body::Message(types) => edit_types(random, types, names, 1),
        Body::Alias(ty) => edit_type(random, ty, names),
    }
}

fn show_type(ty: &Ty, out: &mut String) {
    match ty {
        Ty::Primitive(kind, default) => {
            out.push_str(NAMES[*kind]);
            if *default {
                write!(out, " [@default {}]", DEFAULTS[*kind]).unwrap();
            }
        }
        Ty::List(element) => {
            out.push_str("[ ");
            show_type(element, out);
            out.push_str(" ]");
        }
        Ty::Array(element) => {
            out.push_str("[| ");
            show_type(element, out);
            out.push_str(" |]");
        }
        Ty::Tuple(elements) => {
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i == 0 { "(" } else { " * " });
                show_type(element, out);
            }
            out.push(')');
        }
        Ty::Named(index) => write!(out, "d{index}").unwrap(),
    }
}

fn show_fields(types: &[Ty], out: &mut String) {
    out.push_str("{ ");
    for (i, ty) in types.iter().enumerate() {
        // Every third field is lazy: that must change nothing.
        write!(out, "f{i}{} : ", if i % 3 == 2 { " [@lazy]" } else { "" }).unwrap();
        show_type(ty, out);
        out.push_str("; ");
    }
    out.push('}');
}

fn show(bodies: &[Body]) -> String {
    let mut out = String::new();
    for (index, body) in bodies.iter().enumerate() {
        let message = matches!(body, Body::Message(_) | Body::Union(_));
        write!(out, "{} d{index} = ", if message { "message" } else { "type" }).unwrap();
        match body {
            Body::Sum(constructors) => {
                for (i, arguments) in constructors.iter().enumerate() {
                    write!(out, "{}C{i}", if i > 0 { " | " } else { "" }).unwrap();
                    for argument in arguments {
                        out.push(' ');
                        show_type(argument, &mut out);
                    }
                }
            }
            Body::Record(types) | Body::Message(types) => show_fields(types, &mut out),
            Body::Union(cases) => {
                for (i, types) in cases.iter().enumerate() {
                    write!(out, "{}U{i} ", if i > 0 { " | " } else { "" }).unwrap();
                    show_fields(types, &mut out);
                }
            }
            Body::Alias(ty) => show_type(ty, &mut out),
        }
        out.push('\n');
    }
    out
}

fn random_value(random: &mut Random, schema: &Schema, ty: TypeId) -> Typed<'static> {
    let mut all = |types: &[TypeId]| -> Vec<Typed<'static>> {
        types.iter().map(|ty| random_value(random, schema, *ty)).collect()
    };
    match schema.get(ty) {
        Type::Primitive(primitive, _) => match primitive {
            Primitive::Bool => Typed::Bool(random.below(2) == 1),
            Primitive::Byte => Typed::Byte(random.next() as u8),
            Primitive::Int => {
                let shift = random.below(63) as u32;
                Typed::Int((random.next() as i64 >> 2) >> shift)
            }
            Primitive::Long => Typed::Long(random.next() as i64),
            Primitive::Float => Typed::Float(random.below(1000) as f64 / 8.0),
            Primitive::String => {
                let length = random.below(5);
                Typed::String(Cow::Owned(vec![random.next() as u8; length]))
            }
        },
        Type::List(element) | Type::Array(element) => {
            let element = *element;
            let length = random.below(3);
            Typed::List((0..length).map(|_| random_value(random, schema, element)).collect())
        }
        Type::Tuple(types) => Typed::Tuple(all(types)),
        Type::Sum(sum) => {
            let index = random.below(sum.constructors.len());
            let types = &sum.constructors[index].arguments;
            let values = types.iter().map(|ty| random_value(random, schema, *ty)).collect();
            Typed::Sum(index as u32, values)
        }
        Type::Message(message) => {
            let case = random.below(message.cases.len());
            let fields = message.cases[case].fields.iter();
            let values = fields.map(|f| random_value(random, schema, f.ty)).collect();
            Typed::Message(case as u32, values)
        }
        Type::External(name) => panic!("{name}"),
    }
}

fn readable(schema: &Schema, ty: TypeId, bytes: &[u8]) -> Result<(), ketch_extprot::Error> {
    let limits = Limits::default();
    schema.decode(ty, bytes, &limits)?.force_all(schema, &limits).map(drop)
}

/// Checks one direction; gives whether it broke.
fn try_pair(
    random: &mut Random,
    (old, old_id): (&Schema, TypeId),
    (new, new_id): (&Schema, TypeId),
    direction: Direction,
    texts: &str,
) -> bool {
    let mut report = Report::default();
    compare_one(old, old_id, new, new_id, direction, "m", &mut report);
    assert!(!report.truncated, "{texts}");
    let ((writer, written), (reader, read)) = match direction {
        Direction::Backward => ((old, old_id), (new, new_id)),
        Direction::Forward => ((new, new_id), (old, old_id)),
    };
    let broken = report.findings.iter().any(|f| f.severity == Severity::Break);
    for finding in report.findings.iter().filter(|f| f.severity == Severity::Break) {
        let witness = finding.witness.as_ref().unwrap_or_else(|| panic!("{finding:?}\n{texts}"));
        let result = readable(reader, read, witness);
        assert!(result.is_err(), "readable after all: {finding:?}\n{texts}");
    }
    for _ in 0..4 {
        let value = random_value(random, writer, written);
        let bytes = writer.encode(written, &value).unwrap();
        readable(writer, written, &bytes).unwrap_or_else(|e| panic!("{e}\n{texts}"));
        if let Err(error) = readable(reader, read, &bytes) {
            assert!(broken, "{direction:?}: {error}\n{bytes:02x?}\n{texts}");
        }
    }
    broken
}

#[test]
fn the_checker_agrees_with_decoding() {
    let pairs = std::env::var("KETCH_COMPAT_PAIRS").ok().and_then(|n| n.parse().ok());
    let pairs = pairs.unwrap_or(3000u64);
    let mut broken = 0;
    for seed in 1..=pairs {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let count = 1 + random.below(4);
        let mut bodies: Vec<Body> = (0..count).map(|names| random_body(random, names)).collect();
        bodies.push(Body::Message(random_types(random, count, 1)));
        let old_text = show(&bodies);
        for _ in 0..1 + random.below(2) {
            let at = random.below(bodies.len());
            edit_body(random, &mut bodies[at], at);
        }
        let new_text = show(&bodies);
        let texts = format!("seed {seed}\nold\n{old_text}\nnew\n{new_text}");
        let check = |text: &str| {
            check_schema("t", text, &mut NoLoader).unwrap_or_else(|e| panic!("{e}\n{texts}"))
        };
        let (old, new) = (check(&old_text), check(&new_text));
        let name = format!("d{count}");
        let (old_id, new_id) = (old.lookup(&name).unwrap(), new.lookup(&name).unwrap());
        for direction in [Direction::Backward, Direction::Forward] {
            broken +=
                u64::from(try_pair(random, (&old, old_id), (&new, new_id), direction, &texts));
        }
    }
    // Both answers must occur, or nothing was tested.
    println!("{pairs} pairs, {broken} of {} directions broken", 2 * pairs);
    assert!(broken > pairs / 10 && broken < 2 * pairs - pairs / 10, "{broken} of {pairs}");
}

#[test]
fn each_change_is_told_with_both_places() {
    let schema = |name: &str, text: &str| check_schema(name, text, &mut NoLoader).unwrap();
    let table = [
        // old, new, backward, forward, part of the first finding
        ("{ a : int }", "{ a : int; b : [int] }", true, true, ""),
        ("{ a : int }", "{ a : int; b : int }", false, true, "b is missing in the data"),
        ("{ a : int }", "{ a : long }", true, false, "long cannot be read as int"),
        ("{ a : int }", "{ a : float }", true, false, "rounded beyond 2^53"),
        ("{ a : [int] }", "{ a : [|int|] }", true, true, ""),
        ("{ a : int }", "{ a : (int * bool) }", true, true, ""),
        ("{ a : int; b : int }", "{ b : int; a : int }", true, true, "the field a is at place 0"),
        ("{ a : t }", "{ a : t2 }", true, false, "the constant C is unknown: unknown_tag 2"),
        ("{ a : bool }", "{ a : byte }", true, true, "0 is false"),
        ("{ a : int }", "U { a : int } | V { b : int }", true, false, "the case is unknown"),
    ];
    for (old, new, backward, forward, reason) in table {
        let types = "type t = A | B type t2 = A | B | C\n";
        let old_schema = schema("old.proto", &format!("{types}message m = {old}"));
        let new_schema = schema("new.proto", &format!("{types}message m = {new}"));
        let report = compare(&old_schema, &new_schema);
        assert_eq!(report.is_backward_compatible(), backward, "{old} to {new}\n{report}");
        assert_eq!(report.is_forward_compatible(), forward, "{old} to {new}\n{report}");
        match report.findings.first() {
            None => assert_eq!(reason, ""),
            Some(finding) => {
                assert!(finding.reason.contains(reason), "{report}");
                assert!(finding.old_place.starts_with("old.proto:"), "{report}");
                assert!(finding.new_place.starts_with("new.proto:"), "{report}");
            }
        }
    }
}

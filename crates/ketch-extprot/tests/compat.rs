//! Compares the compatibility checker with actual decoding, for random schemas, random edits of
//! them, and random values. `KETCH_COMPAT_PAIRS` sets the number of pairs.

#[path = "support/random.rs"]
mod random;

use ketch_extprot::Limits;
use ketch_extprot::compat::{Direction, Report, Severity, compare, compare_one};
use ketch_extprot::schema::{NoLoader, Schema, TypeId, check_schema};
use random::{Body, Random, Ty, random_body, random_type, random_types, random_value, show};

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

fn readable(schema: &Schema, ty: TypeId, bytes: &[u8]) -> Result<(), ketch_extprot::Error> {
    let limits = Limits::default();
    schema.decode(ty, bytes, &limits)?.force_all(schema, &limits).map(drop)
}

/// Checks one direction, and returns whether the checker finds that it breaks readers.
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
    // Both answers must occur; otherwise, the test would show nothing.
    println!("{pairs} pairs, {broken} of {} directions broken", 2 * pairs);
    assert!(broken > pairs / 10 && broken < 2 * pairs - pairs / 10, "{broken} of {pairs}");
}

#[test]
fn each_change_is_reported_with_both_locations() {
    let schema = |name: &str, text: &str| check_schema(name, text, &mut NoLoader).unwrap();
    let table = [
        // old, new, backward, forward, part of the first finding
        ("{ a : int }", "{ a : int; b : [int] }", true, true, ""),
        ("{ a : int }", "{ a : int; b : int }", false, true, "b is missing in the data"),
        ("{ a : int }", "{ a : long }", true, false, "long cannot be read as int"),
        ("{ a : int }", "{ a : float }", true, false, "rounded beyond 2^53"),
        ("{ a : [int] }", "{ a : [|int|] }", true, true, ""),
        ("{ a : int }", "{ a : (int * bool) }", true, true, ""),
        (
            "{ a : int; b : int }",
            "{ b : int; a : int }",
            true,
            true,
            "the field a is at position 0",
        ),
        ("{ a : t }", "{ a : t2 }", true, false, "the constant C is unknown: unknown_tag 2"),
        ("{ a : bool }", "{ a : byte }", true, true, "0 means false"),
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

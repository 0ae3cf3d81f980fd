//! The values of extprot's types in those of the other formats.

use super::ext::{self, ComplexRtt, SumTypeIntStringLong as ExtSum};
use super::shapes::{self, Rtt, Sum, pb};

pub fn rtts(v: &ext::Rtts) -> shapes::Rtts {
    let sum = |s: &ExtSum| match s {
        ExtSum::A(n) => Sum::A(*n),
        ExtSum::B(s) => Sum::B(s.clone()),
        ExtSum::C(n) => Sum::C(*n),
        ExtSum::D => Sum::D,
    };
    let item = |rtt: &ComplexRtt| match rtt {
        ComplexRtt::A { a1, a2 } => Rtt::A { a1: a1.clone(), a2: a2.iter().map(sum).collect() },
        ComplexRtt::B { b1, b2 } => Rtt::B { b1: *b1, b2: b2.clone() },
    };
    shapes::Rtts { items: v.items.iter().map(item).collect() }
}

pub fn rtts_pb(v: &ext::Rtts) -> pb::Rtts {
    let sum = |s: &ExtSum| pb::Sum {
        kind: Some(match s {
            ExtSum::A(n) => pb::SumKind::A(*n),
            ExtSum::B(s) => pb::SumKind::B(s.clone()),
            ExtSum::C(n) => pb::SumKind::C(*n),
            ExtSum::D => pb::SumKind::D(pb::Unit {}),
        }),
    };
    let item = |rtt: &ComplexRtt| pb::Rtt {
        kind: Some(match rtt {
            ComplexRtt::A { a1, a2 } => pb::RttKind::A(pb::RttA {
                a1: a1.iter().map(|(n, f)| pb::Pair { n: *n, flags: f.clone() }).collect(),
                a2: a2.iter().map(sum).collect(),
            }),
            ComplexRtt::B { b1, b2: (name, ints) } => pb::RttKind::B(pb::RttB {
                b1: *b1,
                b2: Some(pb::Named { name: name.clone(), ints: ints.clone() }),
            }),
        }),
    };
    pb::Rtts { items: v.items.iter().map(item).collect() }
}

/// Makes the functions that convert a table and a tree to the types of a module.
macro_rules! convert {
    ($to:ident: $table:ident $row:ident $tree:ident $p3:ident $p2:ident $p1:ident $leaf:ident) => {
        pub fn $table(v: &ext::Table) -> $to::Table {
            $to::Table { rows: v.rows.iter().map($row).collect(), total: v.total }
        }

        fn $row(v: &ext::Row) -> $to::Row {
            let ext::Row { id, name, email, age, score, active } = v;
            let (name, email) = (name.clone(), email.clone());
            $to::Row { id: *id, name, email, age: *age, score: *score, active: *active }
        }

        fn $leaf(v: &ext::Leaf) -> $to::Leaf {
            $to::Leaf { leaf_name: v.leaf_name.clone(), leaf_kind: v.leaf_kind.clone() }
        }

        property!($p1, ext::PropertyLeaf, $to::P1, $leaf);
        property!($p2, ext::PropertyPropertyLeaf, $to::P2, $p1);
        property!($p3, ext::PropertyPropertyPropertyLeaf, $to::P3, $p2);
        property!($tree, ext::Tree, $to::Tree, $p3);
    };
}

macro_rules! property {
    ($name:ident, $from:ty, $to:path, $child:expr) => {
        pub fn $name(v: &$from) -> $to {
            $to {
                name: v.name.clone(),
                description: v.description.clone(),
                kind: v.kind.clone(),
                required: v.required,
                values: v.values.clone(),
                children: v.children.iter().map($child).collect(),
            }
        }
    };
}

convert!(shapes: table row tree p3 p2 p1 leaf);
convert!(pb: table_pb row_pb tree_pb p3_pb p2_pb p1_pb leaf_pb);

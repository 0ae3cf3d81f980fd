//! The same values in the types of extprot and of prost.

use crate::ext;
use crate::shapes::{Leaf, P1, P2, P3, Row, Rtt, Rtts, Sum, Table, Tree, pb};

fn sum(s: &Sum) -> ext::SumTypeIntStringLong {
    use ext::SumTypeIntStringLong as E;
    match s {
        Sum::A(n) => E::A(*n),
        Sum::B(s) => E::B(s.clone()),
        Sum::C(n) => E::C(*n),
        Sum::D => E::D,
    }
}

pub fn rtts(v: &Rtts) -> ext::Rtts {
    let item = |rtt: &Rtt| match rtt {
        Rtt::A { a1, a2 } => {
            ext::ComplexRtt::A { a1: a1.clone(), a2: a2.iter().map(sum).collect() }
        }
        Rtt::B { b1, b2 } => ext::ComplexRtt::B { b1: *b1, b2: b2.clone() },
    };
    ext::Rtts { items: v.items.iter().map(item).collect() }
}

pub fn rtts_pb(v: &Rtts) -> pb::Rtts {
    let sum = |s: &Sum| pb::Sum {
        kind: Some(match s {
            Sum::A(n) => pb::SumKind::A(*n),
            Sum::B(s) => pb::SumKind::B(s.clone()),
            Sum::C(n) => pb::SumKind::C(*n),
            Sum::D => pb::SumKind::D(pb::Unit {}),
        }),
    };
    let item = |rtt: &Rtt| pb::Rtt {
        kind: Some(match rtt {
            Rtt::A { a1, a2 } => pb::RttKind::A(pb::RttA {
                a1: a1.iter().map(|(n, f)| pb::Pair { n: *n, flags: f.clone() }).collect(),
                a2: a2.iter().map(sum).collect(),
            }),
            Rtt::B { b1, b2: (name, ints) } => pb::RttKind::B(pb::RttB {
                b1: *b1,
                b2: Some(pb::Named { name: name.clone(), ints: ints.clone() }),
            }),
        }),
    };
    pb::Rtts { items: v.items.iter().map(item).collect() }
}

macro_rules! row {
    ($($to:tt)+) => {
        |Row { id, name, email, age, score, active }: &Row| $($to)+ {
            id: *id,
            name: name.clone(),
            email: email.clone(),
            age: *age,
            score: *score,
            active: *active,
        }
    };
}

pub fn table(v: &Table) -> ext::Table {
    ext::Table { rows: v.rows.iter().map(row!(ext::Row)).collect(), total: v.total }
}

pub fn table_pb(v: &Table) -> pb::Table {
    pb::Table { rows: v.rows.iter().map(row!(pb::Row)).collect(), total: v.total }
}

macro_rules! property {
    ($name:ident, $from:ty, $to:path, $child:expr) => {
        fn $name(v: &$from) -> $to {
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

fn leaf(v: &Leaf) -> ext::Leaf {
    ext::Leaf { leaf_name: v.leaf_name.clone(), leaf_kind: v.leaf_kind.clone() }
}
property!(p1, P1, ext::PropertyLeaf, leaf);
property!(p2, P2, ext::PropertyPropertyLeaf, p1);
property!(p3, P3, ext::PropertyPropertyPropertyLeaf, p2);
property!(p4, Tree, ext::Tree, p3);

pub fn tree(v: &Tree) -> ext::Tree {
    p4(v)
}

fn leaf_pb(v: &Leaf) -> pb::Leaf {
    pb::Leaf { leaf_name: v.leaf_name.clone(), leaf_kind: v.leaf_kind.clone() }
}
property!(q1, P1, pb::P1, leaf_pb);
property!(q2, P2, pb::P2, q1);
property!(q3, P3, pb::P3, q2);
property!(q4, Tree, pb::Tree, q3);

pub fn tree_pb(v: &Tree) -> pb::Tree {
    q4(v)
}

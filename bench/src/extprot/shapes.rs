//! The shapes of the benchmark as plain Rust types, for the formats that derive their code from
//! types; and the same for prost.

use serde::{Deserialize, Serialize};

macro_rules! shape {
    ($(#[$doc:meta])* $item:item) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, PartialEq, Serialize, Deserialize, bitcode::Encode, bitcode::Decode,
            rkyv::Archive, rkyv::Serialize, rkyv::Deserialize,
        )]
        $item
    };
}

shape! { pub enum Sum { A(i64), B(String), C(i64), D } }
shape! {
    pub enum Rtt {
        A { a1: Vec<(i64, Vec<bool>)>, a2: Vec<Sum> },
        B { b1: bool, b2: (String, Vec<i64>) },
    }
}
shape! { pub struct Rtts { pub items: Vec<Rtt> } }
shape! {
    pub struct Row {
        pub id: i64,
        pub name: String,
        pub email: String,
        pub age: i64,
        pub score: f64,
        pub active: bool,
    }
}
shape! { pub struct Table { pub rows: Vec<Row>, pub total: i64 } }
shape! { pub struct Leaf { pub leaf_name: String, pub leaf_kind: String } }

macro_rules! property {
    ($name:ident, $child:ty) => {
        shape! {
            pub struct $name {
                pub name: String,
                pub description: String,
                pub kind: String,
                pub required: bool,
                pub values: Vec<String>,
                pub children: Vec<$child>,
            }
        }
    };
}
property!(P1, Leaf);
property!(P2, P1);
property!(P3, P2);
property!(Tree, P3);

/// The table with borrowed strings.
#[derive(Debug, PartialEq, Deserialize)]
pub struct RowRef<'a> {
    pub id: i64,
    pub name: &'a str,
    pub email: &'a str,
    pub age: i64,
    pub score: f64,
    pub active: bool,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct TableRef<'a> {
    #[serde(borrow)]
    pub rows: Vec<RowRef<'a>>,
    pub total: i64,
}

/// The types that prost-build would generate for the same data; ints as `sint64`, long as
/// `sfixed64`.
pub mod pb {
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Pair {
        #[prost(sint64, tag = "1")]
        pub n: i64,
        #[prost(bool, repeated, tag = "2")]
        pub flags: Vec<bool>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Unit {}
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum SumKind {
        #[prost(sint64, tag = "1")]
        A(i64),
        #[prost(string, tag = "2")]
        B(String),
        #[prost(sfixed64, tag = "3")]
        C(i64),
        #[prost(message, tag = "4")]
        D(Unit),
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Sum {
        #[prost(oneof = "SumKind", tags = "1, 2, 3, 4")]
        pub kind: Option<SumKind>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct RttA {
        #[prost(message, repeated, tag = "1")]
        pub a1: Vec<Pair>,
        #[prost(message, repeated, tag = "2")]
        pub a2: Vec<Sum>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Named {
        #[prost(string, tag = "1")]
        pub name: String,
        #[prost(sint64, repeated, tag = "2")]
        pub ints: Vec<i64>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct RttB {
        #[prost(bool, tag = "1")]
        pub b1: bool,
        #[prost(message, optional, tag = "2")]
        pub b2: Option<Named>,
    }
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum RttKind {
        #[prost(message, tag = "1")]
        A(RttA),
        #[prost(message, tag = "2")]
        B(RttB),
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Rtt {
        #[prost(oneof = "RttKind", tags = "1, 2")]
        pub kind: Option<RttKind>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Rtts {
        #[prost(message, repeated, tag = "1")]
        pub items: Vec<Rtt>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Row {
        #[prost(sint64, tag = "1")]
        pub id: i64,
        #[prost(string, tag = "2")]
        pub name: String,
        #[prost(string, tag = "3")]
        pub email: String,
        #[prost(sint64, tag = "4")]
        pub age: i64,
        #[prost(double, tag = "5")]
        pub score: f64,
        #[prost(bool, tag = "6")]
        pub active: bool,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Table {
        #[prost(message, repeated, tag = "1")]
        pub rows: Vec<Row>,
        #[prost(sint64, tag = "2")]
        pub total: i64,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Leaf {
        #[prost(string, tag = "1")]
        pub leaf_name: String,
        #[prost(string, tag = "2")]
        pub leaf_kind: String,
    }
    macro_rules! property {
        ($name:ident, $child:ty) => {
            #[derive(Clone, PartialEq, prost::Message)]
            pub struct $name {
                #[prost(string, tag = "1")]
                pub name: String,
                #[prost(string, tag = "2")]
                pub description: String,
                #[prost(string, tag = "3")]
                pub kind: String,
                #[prost(bool, tag = "4")]
                pub required: bool,
                #[prost(string, repeated, tag = "5")]
                pub values: Vec<String>,
                #[prost(message, repeated, tag = "6")]
                pub children: Vec<$child>,
            }
        };
    }
    property!(P1, Leaf);
    property!(P2, P1);
    property!(P3, P2);
    property!(Tree, P3);
}

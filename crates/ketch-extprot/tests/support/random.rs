//! Creates random schemas, and random values of their types.
#![allow(dead_code, reason = "not every test file uses all of it")]

use ketch_extprot::Typed;
use ketch_extprot::schema::ast::Primitive;
use ketch_extprot::schema::{Schema, Type, TypeId};
use std::borrow::Cow;
use std::fmt::Write;

/// A generator of random numbers: xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) % n as u64) as usize
    }
}

/// A type in a random schema.
#[derive(Clone)]
pub enum Ty {
    Primitive(usize, bool),
    List(Box<Ty>),
    Array(Box<Ty>),
    Tuple(Vec<Ty>),
    Named(usize),
}

/// A declaration in a random schema. Its name is `d` followed by its index.
#[derive(Clone)]
pub enum Body {
    Sum(Vec<Vec<Ty>>),
    Record(Vec<Ty>),
    Message(Vec<Ty>),
    Union(Vec<Vec<Ty>>),
    Alias(Ty),
}

const NAMES: [&str; 6] = ["bool", "byte", "int", "long", "float", "string"];
const DEFAULTS: [&str; 6] = ["true", "7", "-5", "9L", "1.5", "\"d\""];

/// Returns a random type. It may use the first `names` declarations.
pub fn random_type(random: &mut Random, names: usize, depth: usize) -> Ty {
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

/// Returns at least `least` and at most `least + 2` random types.
pub fn random_types(random: &mut Random, names: usize, least: usize) -> Vec<Ty> {
    let length = least + random.below(3);
    (0..length).map(|_| random_type(random, names, 1)).collect()
}

/// Returns a random body for a declaration. It may use the first `names` declarations.
pub fn random_body(random: &mut Random, names: usize) -> Body {
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
        // Every third field is lazy, which must not change any result.
        write!(out, "f{i}{} : ", if i % 3 == 2 { " [@lazy]" } else { "" }).unwrap();
        show_type(ty, out);
        out.push_str("; ");
    }
    out.push('}');
}

/// Returns the text of a schema with these declarations.
pub fn show(bodies: &[Body]) -> String {
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

/// Returns a random value of the type `ty`.
pub fn random_value(random: &mut Random, schema: &Schema, ty: TypeId) -> Typed<'static> {
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

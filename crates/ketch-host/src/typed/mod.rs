//! Values of the types of an extprot schema, as objects of a host language.
//!
//! A [`Program`] holds the types, and the classes, constants and defaults that the host has for them. A
//! [`Decoder`] reads values, and an [`Encoder`] writes them, by the rules of evolution (specification 4
//! to 8). A host says how it creates and takes apart its objects, in [`Build`] and [`Take`].
//!
//! Recursion follows the schema, whose depth is limited when it is checked, and never the input.

mod write;

pub use ketch_extprot::schema::ast::Primitive;
pub use ketch_extprot::schema::program::{
    Case, Constructor, Field, Host, Kind, Program, Type, TypeNumber,
};
pub use ketch_extprot::typed::{Build, Decoder, Stop};
pub use write::{Encoder, Take};

use std::collections::HashMap;

/// Something that a program keeps of its host.
#[derive(Debug)]
pub enum Part<'p, H: Host> {
    /// A constant or a default.
    Held(&'p H::Held),
    /// The object that describes a type.
    Object(&'p H::Object),
    /// A class.
    Class(&'p H::Class),
    /// What stores a field.
    Slot(&'p H::Slot),
}

/// Reads the descriptions of types.
pub trait Describe<H: Host> {
    /// An object that describes a type.
    type Object;
    /// What is raised for an object that describes no type.
    type Error;

    /// Returns a number that no other object has.
    fn identity(&self, object: &Self::Object) -> usize;

    /// Returns what `object` describes.
    fn describe(&self, object: &Self::Object) -> Result<Type<H, Self::Object>, Self::Error>;
}

/// Compiles the type that `root` describes, and all types that it contains. It is the last one.
pub fn compile<H: Host, D: Describe<H>>(
    root: &D::Object,
    host: &D,
) -> Result<Program<H>, D::Error> {
    let mut compiler = Compiler { host, types: Vec::new(), known: HashMap::new() };
    compiler.add(root)?;
    Ok(Program { types: compiler.types })
}

/// Calls `visit` with everything that `program` keeps of its host, up to the first error.
pub fn try_each<H: Host, E>(
    program: &Program<H>,
    mut visit: impl FnMut(Part<'_, H>) -> Result<(), E>,
) -> Result<(), E> {
    for ty in &program.types {
        visit(Part::Object(&ty.object))?;
        match &ty.kind {
            Kind::Primitive { default, .. } => {
                default.iter().try_for_each(|default| visit(Part::Held(default)))?;
            }
            Kind::Sum { constants, constructors } => {
                constants.iter().try_for_each(|constant| visit(Part::Held(constant)))?;
                constructors.iter().try_for_each(|one| visit(Part::Class(&one.class)))?;
            }
            Kind::Message { cases, .. } => {
                for case in cases {
                    visit(Part::Class(&case.class))?;
                    let mut slots = case.fields.iter().filter_map(|field| field.slot.as_ref());
                    slots.try_for_each(|slot| visit(Part::Slot(slot)))?;
                }
            }
            Kind::List(_) | Kind::Tuple(_) | Kind::External(_) => {}
        }
    }
    Ok(())
}

/// Returns a primitive type. Beside the names of the schema language, `text` means a string that must
/// be text.
pub fn primitive<H: Host, T>(name: &str, default: Option<H::Held>) -> Option<Kind<H, T>> {
    let must_be_text = name == "text";
    let primitive = Primitive::from_name(if must_be_text { "string" } else { name })?;
    Some(Kind::Primitive { primitive, must_be_text, default })
}

struct Compiler<'d, H: Host, D> {
    host: &'d D,
    types: Vec<Type<H>>,
    /// The numbers of types, by the identities of their objects, which `types` keeps alive.
    known: HashMap<usize, TypeNumber>,
}

impl<H: Host, D: Describe<H>> Compiler<'_, H, D> {
    /// Compiles a type and the types that it contains, unless they are already compiled, and returns
    /// the number of the type.
    fn add(&mut self, described: &D::Object) -> Result<TypeNumber, D::Error> {
        let identity = self.host.identity(described);
        if let Some(&number) = self.known.get(&identity) {
            return Ok(number);
        }
        let Type { kind, has_default, name, object } = self.host.describe(described)?;
        let kind = self.kind(kind)?;
        let number = self.types.len();
        self.types.push(Type { kind, has_default, name, object });
        self.known.insert(identity, number);
        Ok(number)
    }

    fn kind(&mut self, kind: Kind<H, D::Object>) -> Result<Kind<H>, D::Error> {
        Ok(match kind {
            Kind::Primitive { primitive, must_be_text, default } => {
                Kind::Primitive { primitive, must_be_text, default }
            }
            Kind::External(name) => Kind::External(name),
            Kind::List(element) => Kind::List(self.add(&element)?),
            Kind::Tuple(types) => Kind::Tuple(self.all(&types)?),
            Kind::Sum { constants, constructors } => {
                let constructor = |Constructor { class, name, types }| {
                    Ok(Constructor { class, name, types: self.all(&types)? })
                };
                let constructors = constructors.into_iter().map(constructor);
                Kind::Sum { constants, constructors: constructors.collect::<Result<_, _>>()? }
            }
            Kind::Message { name, is_subset, cases } => {
                let mut field = |Field { name, ty, slot, index }| {
                    Ok(Field { name, ty: self.add(&ty)?, slot, index })
                };
                let case = |Case { class, fields }| {
                    let fields: Vec<Field<H, D::Object>> = fields;
                    let fields = fields.into_iter().map(&mut field).collect::<Result<_, _>>()?;
                    Ok(Case { class, fields })
                };
                let cases = cases.into_iter().map(case).collect::<Result<_, _>>()?;
                Kind::Message { name, is_subset, cases }
            }
        })
    }

    fn all(&mut self, types: &[D::Object]) -> Result<Vec<TypeNumber>, D::Error> {
        types.iter().map(|ty| self.add(ty)).collect()
    }
}

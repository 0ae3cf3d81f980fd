//! The state of the generator, and the names of the types that it generates.

use super::options::Options;
use crate::codegen::mangle;
use crate::codegen::names::{Taken, type_name};
use crate::schema::{Schema, Sum, Type, TypeId};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    Owned,
    Borrowed,
}

pub(super) struct Generator<'s> {
    pub(super) schema: &'s Schema,
    pub(super) options: &'s Options,
    pub(super) names: HashMap<TypeId, String>,
    pub(super) alias_names: Vec<(String, TypeId)>,
    pub(super) out: String,
    /// The tuples and options whose helper functions are already generated.
    pub(super) tuples: HashSet<(TypeId, Mode)>,
    pub(super) lazies: HashSet<(TypeId, Mode)>,
}

/// The maximum length of a tuple for which Rust implements its standard traits. A longer tuple
/// becomes a tuple struct.
pub(super) const TUPLE_MAX: usize = 12;

pub(super) const RT: &str = "::ketch_extprot::rt";

impl Generator<'_> {
    /// Chooses the names of all types. Types without type variables get their names first, so that
    /// types with type arguments cannot take them.
    pub(super) fn claim_names(&mut self, order: &[TypeId]) {
        let mut taken = Taken::default();
        let named = |id: &&TypeId| match self.schema.get(**id) {
            Type::Sum(sum) => option_of(sum).is_none() && sum.arguments.is_empty(),
            Type::Message(message) => message.arguments.is_empty(),
            _ => false,
        };
        let (plain, others): (Vec<&TypeId>, Vec<&TypeId>) = order.iter().partition(named);
        for id in plain {
            self.claim_name(*id, &mut taken);
        }
        // `message m = r<int>` declares another name of `r<int>`.
        for (name, id) in self.schema.messages() {
            let alias = type_name(name);
            if self.names.get(&id) != Some(&alias) {
                let alias = taken.claim(&alias);
                taken.claim(&format!("{alias}Ref"));
                self.alias_names.push((alias, id));
            }
        }
        for id in others {
            self.claim_name(*id, &mut taken);
        }
    }

    /// Chooses the name of the type `id`, and that of its borrowed variant.
    fn claim_name(&mut self, id: TypeId, taken: &mut Taken) {
        let none = Vec::new();
        let long;
        let (name, arguments) = match self.schema.get(id) {
            Type::Tuple(types) if types.len() > TUPLE_MAX => {
                long = format!("tuple{}", types.len());
                (&long, &none)
            }
            Type::Sum(sum) if option_of(sum).is_none() => (&sum.name, &sum.arguments),
            Type::Message(message) => (&message.name, &message.arguments),
            _ => return,
        };
        let mut name = type_name(name);
        for argument in arguments {
            mangle(self.schema, *argument, &mut name);
        }
        let name = taken.claim(&name);
        // The borrowed variant's name must be free as well.
        taken.claim(&format!("{name}Ref"));
        self.names.insert(id, name);
    }

    /// Appends `text` and a line feed to the code.
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// Returns the type `t` if `sum` is `None | Some t`, in either order, which becomes Rust's own
/// `Option`. Returns `None` for other sums.
pub(super) fn option_of(sum: &Sum) -> Option<TypeId> {
    let [constant] = sum.constants[..] else { return None };
    let [some] = sum.non_constants[..] else { return None };
    let (none, some) = (&sum.constructors[constant as usize], &sum.constructors[some as usize]);
    let [argument] = some.arguments[..] else { return None };
    (none.name == "None" && some.name == "Some").then_some(argument)
}

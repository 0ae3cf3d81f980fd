//! What the names at a place of a program mean.

use crate::syntax::tree::Def;
use std::sync::Arc;

/// A scope: the number of its last binding. Scopes share their outer bindings.
pub type Scope = u32;

/// The scope without bindings.
pub const OUTERMOST: Scope = u32::MAX;

/// What a name stands for. `level` counts the functions around the one that it is in.
#[derive(Clone, Debug)]
pub enum Meaning {
    Variable {
        level: u16,
        slot: u16,
    },
    Parameter {
        level: u16,
        slot: u16,
    },
    Label {
        level: u16,
        slot: u16,
    },
    /// A constant with this number: a file of data.
    Constant(u32),
    /// What another binding stands for.
    Alias(Scope),
    /// A definition, which is compiled when it is first used. Its own name is in its scope.
    Function {
        def: Arc<Def>,
        tree: u16,
        level: u16,
        compiled: Option<u32>,
    },
}

#[derive(Debug)]
struct Binding {
    name: Arc<str>,
    /// The number of parameters of a function; zero for all others.
    arity: usize,
    meaning: Meaning,
    outer: Scope,
}

/// All bindings of a program.
#[derive(Debug, Default)]
pub struct Scopes {
    bindings: Vec<Binding>,
}

/// The sort of name that is looked up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Variable,
    Function(usize),
    Label,
}

impl Scopes {
    /// Returns `outer` with one more binding.
    pub fn bind(&mut self, outer: Scope, name: Arc<str>, arity: usize, meaning: Meaning) -> Scope {
        self.bindings.push(Binding { name, arity, meaning, outer });
        self.bindings.len() as Scope - 1
    }

    /// Returns the innermost binding of a name.
    pub fn find(&self, scope: Scope, name: &str, sort: Sort) -> Option<Scope> {
        self.chain(scope).find(|&at| {
            let binding = &self.bindings[at as usize];
            let fits = match (&binding.meaning, sort) {
                (Meaning::Variable { .. } | Meaning::Constant(_), Sort::Variable)
                | (Meaning::Label { .. }, Sort::Label) => true,
                (
                    Meaning::Function { .. } | Meaning::Parameter { .. } | Meaning::Alias(_),
                    Sort::Function(arity),
                ) => binding.arity == arity,
                _ => false,
            };
            fits && *binding.name == *name
        })
    }

    /// Returns the meaning of a binding.
    pub fn meaning(&mut self, at: Scope) -> &mut Meaning {
        &mut self.bindings[at as usize].meaning
    }

    /// Returns the names in a scope that are of the given sort, whatever their arity, with that.
    pub fn names(&self, scope: Scope, is_variable: bool) -> Vec<(Arc<str>, usize)> {
        let bindings = self.chain(scope).map(|at| &self.bindings[at as usize]);
        let fits = |binding: &&Binding| {
            matches!(binding.meaning, Meaning::Variable { .. } | Meaning::Constant(_))
                == is_variable
                && !matches!(binding.meaning, Meaning::Label { .. })
        };
        bindings.filter(fits).map(|binding| (binding.name.clone(), binding.arity)).collect()
    }

    /// Returns the bindings of a scope from the innermost on.
    fn chain(&self, scope: Scope) -> impl Iterator<Item = Scope> {
        let exists = |at: Scope| (at != OUTERMOST).then_some(at);
        std::iter::successors(exists(scope), move |&at| exists(self.bindings[at as usize].outer))
    }
}

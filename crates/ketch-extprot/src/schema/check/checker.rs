//! The state of a check: the declarations so far, the types, and the errors.

use super::loader::Loader;
use crate::schema::ast::{self, File, Name};
use crate::schema::diagnostic::{Diagnostic, Rule, Source, Span};
use crate::schema::types::{Default, TypeId, TypeInfo};
use std::collections::HashMap;

/// The names visible in a file.
#[derive(std::default::Default)]
pub(super) struct Scope {
    pub(super) names: HashMap<String, Declared>,
    pub(super) messages: Vec<(String, TypeId)>,
    /// The names of the files that are being included, used to detect a file that includes itself.
    pub(super) open: Vec<String>,
    /// The module names of included files.
    pub(super) modules: Vec<String>,
    /// The declaration being checked.
    pub(super) current: Option<Name>,
}

pub(super) struct Declared {
    pub(super) span: Span,
    /// The number of the file, and the index of the declaration in it.
    pub(super) file: usize,
    pub(super) index: usize,
    pub(super) parameters: usize,
    pub(super) is_message: bool,
    /// The type, if the declaration is valid and has no parameters.
    pub(super) resolved: Option<TypeId>,
}

/// Identifies a type. Two types with equal keys are the same type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Primitive(ast::Primitive, Option<Default>),
    List(TypeId),
    Array(TypeId),
    Tuple(Vec<TypeId>),
    /// The file and index of a declaration, its type arguments, and whether fields are lazy without
    /// an annotation.
    Declared(usize, usize, Vec<TypeId>, bool),
    External(String),
}

/// Shows that an error was already reported, so that the caller reports no further errors that
/// follow from it.
pub(super) struct Reported;

pub(super) type Checked<T> = Result<T, Reported>;

pub(super) struct Checker<'l> {
    pub(super) loader: &'l mut dyn Loader,
    pub(super) sources: Vec<Source>,
    pub(super) files: Vec<File>,
    pub(super) types: Vec<TypeInfo>,
    pub(super) known: HashMap<Key, TypeId>,
    pub(super) errors: Vec<Diagnostic>,
    /// The names that are declared in other modules, or `None` for a module whose schema was not
    /// found.
    pub(super) modules: HashMap<String, Option<HashMap<String, TypeId>>>,
    pub(super) depth: usize,
    /// The number of unknown names that may still be compared with all declared names for a
    /// suggestion.
    pub(super) suggestions_left: usize,
}

/// The maximum number of unknown names with a suggestion. If a schema has more, its problem is not
/// typos.
pub(super) const SUGGESTIONS_MAX: usize = 100;

/// The types that type variables stand for, by the names of the variables.
pub(super) type Bindings = HashMap<String, TypeId>;

impl Checker<'_> {
    /// Records an error and returns [`Reported`].
    pub(super) fn report<T>(
        &mut self,
        rule: Rule,
        span: Span,
        message: String,
        help: &str,
    ) -> Checked<T> {
        let help = help.into();
        self.errors.push(Diagnostic { rule, span, message, help, related: None });
        Err(Reported)
    }

    /// Adds a related location to the last error. `reason` says how it is related.
    pub(super) fn relate(&mut self, span: Span, reason: &str) {
        if let Some(error) = self.errors.last_mut() {
            error.related = Some((span, reason.into()));
        }
    }
}

//! The state of a check: the declarations so far, the types, and the errors. Makes the checks that need no
//! types: for duplicate names, unknown names, and numbers of type arguments.

use super::loader::Loader;
use crate::schema::ast::{
    self, CaseBody, DeclarationKind, File, MessageBody, Name, TypeBody, TypeExpr, TypeExprKind,
};
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

impl Checker<'_> {
    /// Checks the names in a declaration, and that no name is declared twice in it.
    pub(super) fn check_syntax(&mut self, kind: &DeclarationKind, scope: &Scope) {
        match kind {
            DeclarationKind::Include { .. } => {}
            DeclarationKind::Type { parameters, body, .. } => {
                self.check_unique(parameters.iter(), "type variable");
                match body {
                    TypeBody::Sum(constructors) => {
                        self.check_unique(constructors.iter().map(|c| &c.name), "constructor");
                        for ty in constructors.iter().flat_map(|c| &c.arguments) {
                            self.check_names(ty, parameters, scope);
                        }
                    }
                    TypeBody::Record(fields) => self.check_fields(fields, parameters, scope),
                    TypeBody::Alias(ty) => self.check_names(ty, parameters, scope),
                }
            }
            DeclarationKind::Message { body, .. } => match body {
                MessageBody::Plain(case) => self.check_case(case, scope),
                MessageBody::Union(cases) => {
                    self.check_unique(cases.iter().map(|(name, _)| name), "case");
                    for (_, case) in cases {
                        self.check_case(case, scope);
                    }
                }
                MessageBody::Subset(_, fields) => {
                    for ty in fields.iter().filter_map(|field| field.ty.as_ref()) {
                        self.check_names(ty, &[], scope);
                    }
                }
                MessageBody::External(..) | MessageBody::SubsetNot(..) => {}
            },
        }
    }

    /// Checks the names in a case.
    fn check_case(&mut self, case: &CaseBody, scope: &Scope) {
        match case {
            CaseBody::Record(fields) => self.check_fields(fields, &[], scope),
            CaseBody::Apply(name, arguments) => {
                let _ = self.check_application(name, arguments, &[], scope);
            }
        }
    }

    /// Checks the names of fields, and the names in their types.
    fn check_fields(&mut self, fields: &[ast::Field], parameters: &[Name], scope: &Scope) {
        self.check_unique(fields.iter().map(|field| &field.name), "field");
        for field in fields {
            self.check_names(&field.ty, parameters, scope);
        }
    }

    /// Reports each name that occurs a second time in `names`. `what` says what the names stand for.
    fn check_unique<'n>(&mut self, names: impl Iterator<Item = &'n Name>, what: &str) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(&name.text, name.span) {
                let message = format!("the {what} {} occurs twice", name.text);
                let _: Checked<()> =
                    self.report(Rule::DuplicateName, name.span, message, "rename one of them");
                self.relate(first, "it occurs here first");
            }
        }
    }

    /// Checks the names in the type `ty`. The parser's limit on nesting bounds the recursion.
    fn check_names(&mut self, ty: &TypeExpr, parameters: &[Name], scope: &Scope) {
        match &ty.kind {
            TypeExprKind::Primitive(_, annotations) => {
                for annotation in annotations.iter().filter(|a| a.name.text != "default") {
                    let message = format!("unknown annotation {}", annotation.name.text);
                    let help = "the only annotation of a type is [@default value]";
                    let _: Checked<()> =
                        self.report(Rule::UnknownOption, annotation.name.span, message, help);
                }
            }
            TypeExprKind::List(element) | TypeExprKind::Array(element) => {
                self.check_names(element, parameters, scope);
            }
            TypeExprKind::Tuple(elements) => {
                elements.iter().for_each(|e| self.check_names(e, parameters, scope));
            }
            TypeExprKind::Variable(name) => {
                if !parameters.iter().any(|p| p.text == *name) {
                    let message = format!("the type variable '{name} is not declared");
                    let help = "name it before the =, as in type t 'a = ...; messages have none";
                    let _: Checked<()> = self.report(Rule::UnboundName, ty.span, message, help);
                }
            }
            TypeExprKind::Apply(name, arguments) => {
                let _ = self.check_application(name, arguments, parameters, scope);
            }
            TypeExprKind::External(..) => {}
        }
    }

    /// Checks the name of a type, the number of its arguments, and the names in the arguments.
    fn check_application(
        &mut self,
        name: &Name,
        arguments: &[TypeExpr],
        parameters: &[Name],
        scope: &Scope,
    ) -> Checked<()> {
        let result = match scope.names.get(&name.text) {
            None => self.unbound(name, scope),
            Some(declared) if declared.parameters != arguments.len() => {
                let (wanted, span) = (declared.parameters, declared.span);
                let kind = if declared.is_message { "message" } else { "type" };
                let message = format!(
                    "the {kind} {} takes {wanted} type argument{}, {} given",
                    name.text,
                    if wanted == 1 { "" } else { "s" },
                    arguments.len()
                );
                let help = "give one type for each type variable of the declaration";
                let result = self.report(Rule::Arity, name.span, message, help);
                self.relate(span, "it is declared here");
                result
            }
            Some(_) => Ok(()),
        };
        arguments.iter().for_each(|a| self.check_names(a, parameters, scope));
        result
    }

    /// Reports that `name` is not declared, and suggests a similar name if there is one.
    pub(super) fn unbound<T>(&mut self, name: &Name, scope: &Scope) -> Checked<T> {
        if scope.current.as_ref().is_some_and(|current| current.text == name.text) {
            let message = format!("{} contains itself: it is recursive", name.text);
            let help = "schemas are finite trees; nest as deep as you need, or keep \
                references as keys";
            return self.report(Rule::Recursion, name.span, message, help);
        }
        let close = match self.suggestions_left.checked_sub(1) {
            Some(left) => {
                self.suggestions_left = left;
                scope.names.keys().filter(|known| close(known, &name.text)).min()
            }
            None => None,
        };
        let help = match close {
            Some(known) => format!("did you mean {known}?"),
            None => "declare or include it above its use".into(),
        };
        let message = format!("{} is not declared", name.text);
        self.report(Rule::UnboundName, name.span, message, &help)
    }
}

/// Returns whether two names differ in at most one letter, which may be changed, added or removed.
/// The longer name must have more than two letters.
fn close(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let tail = a[same..].iter().rev().zip(b[same..].iter().rev()).take_while(|(x, y)| x == y);
    let longest = a.len().max(b.len());
    longest > 2 && same + tail.count() + 1 >= longest
}

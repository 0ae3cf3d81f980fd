//! Resolves the types of declarations and expressions, with their defaults.

use super::checker::{Bindings, Checked, Checker, Declared, Key, Reported, Scope};
use crate::schema::ast::{self, DeclarationKind, Name, Regime, TypeBody, TypeExpr, TypeExprKind};
use crate::schema::defaults::default_value;
use crate::schema::diagnostic::{Rule, Span};
use crate::schema::parse::DEPTH_MAX;
use crate::schema::types::{
    Case, Constructor, Default, Field, Message, Sum, Type, TypeId, capitalized,
};

/// The maximum number of types of a schema after all type variables are filled in, which can be
/// exponential in the length of the schema.
const TYPES_MAX: usize = 1 << 18;

/// The maximum size, in words, of a field that is never lazy.
const SMALL_WORDS: u32 = 8;

impl Checker<'_> {
    /// Returns the number of the type with the given key. If the key is new, adds `ty` to the
    /// table.
    pub(super) fn intern(&mut self, key: Key, ty: Type, span: Span) -> Checked<TypeId> {
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let info = ty.info(&self.types);
        if info.depth as usize > DEPTH_MAX {
            let message = format!("types nested more than {DEPTH_MAX} deep");
            return self.report(Rule::Limit, span, message, "flatten the schema");
        }
        if self.types.len() >= TYPES_MAX {
            let message = format!("more than {TYPES_MAX} types once all variables are filled in");
            return self.report(Rule::Limit, span, message, "use fewer type arguments");
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(info);
        self.known.insert(key, id);
        Ok(id)
    }

    /// Resolves a declaration without parameters, and returns its type.
    pub(super) fn resolve(
        &mut self,
        declaration: &ast::Declaration,
        at: (usize, usize),
        scope: &Scope,
    ) -> Checked<TypeId> {
        match &declaration.kind {
            DeclarationKind::Include { .. } => Err(Reported),
            DeclarationKind::Type { .. } => self.instantiate(at, Vec::new(), scope),
            DeclarationKind::Message { name, autolazy, body } => {
                self.message(name, *autolazy, body, at, scope)
            }
        }
    }

    /// Replaces the variables of the type declaration `at` with `arguments`, and returns the
    /// resulting type.
    fn instantiate(
        &mut self,
        at: (usize, usize),
        arguments: Vec<TypeId>,
        scope: &Scope,
    ) -> Checked<TypeId> {
        let key = Key::Declared(at.0, at.1, arguments.clone(), false);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let declaration = self.files[at.0].declarations[at.1].clone();
        let DeclarationKind::Type { name, parameters, body } = &declaration.kind else {
            return Err(Reported);
        };
        if self.depth == DEPTH_MAX {
            let message = format!("types nested more than {DEPTH_MAX} deep");
            return self.report(Rule::Limit, name.span, message, "flatten the schema");
        }
        self.depth += 1;
        let bindings: Bindings =
            parameters.iter().map(|p| p.text.clone()).zip(arguments.iter().copied()).collect();
        let result = match body {
            TypeBody::Sum(constructors) => {
                let sum = self.sum(name, constructors, &bindings, scope);
                sum.and_then(|mut sum| {
                    sum.arguments.clone_from(&arguments);
                    self.intern(key.clone(), Type::Sum(sum), name.span)
                })
            }
            TypeBody::Record(fields) => {
                let message = self.record(name, fields, &bindings, false, scope);
                message.and_then(|mut message| {
                    message.arguments.clone_from(&arguments);
                    self.intern(key.clone(), Type::Message(message), name.span)
                })
            }
            TypeBody::Alias(ty) => {
                let aliased = self.type_expr(ty, &bindings, scope);
                aliased.and_then(|id| match (&ty.kind, &self.types[id.0 as usize].ty) {
                    (TypeExprKind::Apply(_, arguments), Type::Message(message))
                        if arguments.is_empty() && parameters.is_empty() =>
                    {
                        let message = renamed(message, &name.text);
                        self.intern(key.clone(), Type::Message(message), name.span)
                    }
                    _ => Ok(id),
                })
            }
        };
        self.depth -= 1;
        let id = self.with_default(result?, &declaration)?;
        self.check_ocaml_default(id, &declaration)?;
        self.known.insert(key, id);
        Ok(id)
    }

    /// Gives a primitive type the default from the options of its declaration, unless it already
    /// has a default.
    fn with_default(&mut self, id: TypeId, declaration: &ast::Declaration) -> Checked<TypeId> {
        let Some(option) = declaration.options.iter().find(|o| o.name == "default") else {
            return Ok(id);
        };
        let Type::Primitive(primitive, None) = self.types[id.0 as usize].ty else {
            return Ok(id);
        };
        let value = ast::AnnotationValue::String(option.value.clone());
        let default = self.default(primitive, &value, option.value_span)?;
        self.primitive(primitive, Some(default), option.value_span)
    }

    /// Converts the declared default `value` to the type `primitive`, or reports that it is not
    /// valid.
    pub(super) fn default(
        &mut self,
        primitive: ast::Primitive,
        value: &ast::AnnotationValue,
        span: Span,
    ) -> Checked<Default> {
        match default_value(primitive, value) {
            Ok(default) => Ok(default),
            Err(help) => {
                let message = format!("this is not a valid {}", primitive.name());
                self.report(Rule::DefaultValue, span, message, help)
            }
        }
    }

    /// Reports an `ocaml.type` without a default for a type that has a default on the wire.
    fn check_ocaml_default(&mut self, id: TypeId, declaration: &ast::Declaration) -> Checked<()> {
        for option in declaration.options.iter().filter(|o| o.name == "ocaml.type") {
            let parts = option.value.split(|&b| b == b';').count();
            if parts == 3 && self.types[id.0 as usize].has_default {
                let message = "the type has a default, but ocaml.type gives none".into();
                let help = "add a fourth part to ocaml.type: the default";
                return self.report(Rule::DefaultValue, option.value_span, message, help);
            }
        }
        Ok(())
    }

    /// Returns the number of a primitive type with this default.
    fn primitive(
        &mut self,
        primitive: ast::Primitive,
        default: Option<Default>,
        span: Span,
    ) -> Checked<TypeId> {
        let key = Key::Primitive(primitive, default.clone());
        self.intern(key, Type::Primitive(primitive, default), span)
    }

    /// Resolves a type expression and returns its type. The limits on nesting bound the recursion.
    pub(super) fn type_expr(
        &mut self,
        ty: &TypeExpr,
        bindings: &Bindings,
        scope: &Scope,
    ) -> Checked<TypeId> {
        match &ty.kind {
            TypeExprKind::Primitive(primitive, annotations) => {
                // The first default is used, but the others must also be valid.
                let mut default = None;
                for annotation in annotations {
                    let value = self.default(*primitive, &annotation.value, annotation.span)?;
                    default.get_or_insert(value);
                }
                self.primitive(*primitive, default, ty.span)
            }
            TypeExprKind::List(element) => {
                let element = self.type_expr(element, bindings, scope)?;
                self.intern(Key::List(element), Type::List(element), ty.span)
            }
            TypeExprKind::Array(element) => {
                let element = self.type_expr(element, bindings, scope)?;
                self.intern(Key::Array(element), Type::Array(element), ty.span)
            }
            TypeExprKind::Tuple(elements) => {
                let elements = self.type_exprs(elements, bindings, scope)?;
                self.intern(Key::Tuple(elements.clone()), Type::Tuple(elements), ty.span)
            }
            TypeExprKind::Variable(name) => bindings.get(name).copied().ok_or(Reported),
            TypeExprKind::Apply(name, arguments) => {
                let arguments = self.type_exprs(arguments, bindings, scope)?;
                self.apply(name, arguments, scope)
            }
            TypeExprKind::External(path, name) => self.external(path, name, ty.span, scope),
        }
    }

    /// Resolves several type expressions.
    pub(super) fn type_exprs(
        &mut self,
        types: &[TypeExpr],
        bindings: &Bindings,
        scope: &Scope,
    ) -> Checked<Vec<TypeId>> {
        types.iter().map(|ty| self.type_expr(ty, bindings, scope)).collect()
    }

    /// Resolves the type `name` with type arguments. The number of arguments has already been
    /// checked.
    pub(super) fn apply(
        &mut self,
        name: &Name,
        arguments: Vec<TypeId>,
        scope: &Scope,
    ) -> Checked<TypeId> {
        match scope.names.get(&name.text) {
            None => self.unbound(name, scope),
            Some(Declared { resolved: Some(id), .. }) => Ok(*id),
            // The error was reported at the declaration of the message.
            Some(declared) if declared.is_message => Err(Reported),
            Some(declared) => {
                let at = (declared.file, declared.index);
                self.instantiate(at, arguments, scope)
            }
        }
    }

    /// Resolves the constructors of a sum type, and assigns their tags.
    fn sum(
        &mut self,
        name: &Name,
        constructors: &[ast::Constructor],
        bindings: &Bindings,
        scope: &Scope,
    ) -> Checked<Sum> {
        let mut sum = Sum {
            name: name.text.clone(),
            constructors: Vec::new(),
            constants: Vec::new(),
            non_constants: Vec::new(),
            arguments: Vec::new(),
            span: name.span,
        };
        for (index, constructor) in constructors.iter().enumerate() {
            let arguments = self.type_exprs(&constructor.arguments, bindings, scope)?;
            let same_kind =
                if arguments.is_empty() { &mut sum.constants } else { &mut sum.non_constants };
            let tag = same_kind.len() as u32;
            same_kind.push(index as u32);
            let (name, span) = (constructor.name.text.clone(), constructor.name.span);
            sum.constructors.push(Constructor { name, arguments, tag, span });
        }
        Ok(sum)
    }

    /// Resolves the record `name` with the given fields.
    pub(super) fn record(
        &mut self,
        name: &Name,
        fields: &[ast::Field],
        bindings: &Bindings,
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let case = Case {
            name: String::new(),
            module: capitalized(&name.text),
            fields: self.fields(fields, bindings, autolazy, scope)?,
            span: name.span,
        };
        let (name, span) = (name.text.clone(), name.span);
        Ok(Message {
            name,
            cases: vec![case],
            union: false,
            subset: false,
            arguments: Vec::new(),
            span,
        })
    }

    /// Resolves the fields of a record or case.
    pub(super) fn fields(
        &mut self,
        fields: &[ast::Field],
        bindings: &Bindings,
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Vec<Field>> {
        let mut resolved = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let ty = self.type_expr(&field.ty, bindings, scope)?;
            resolved.push(Field {
                name: field.name.text.clone(),
                ty,
                lazy: self.is_lazy(ty, field.regime, autolazy),
                mutable: field.mutable,
                wire_index: index as u32,
                span: field.name.span,
            });
        }
        Ok(resolved)
    }

    /// Returns whether a field of type `ty` is lazy. Primitives and small types are never lazy,
    /// even if they are declared so (specification 8).
    pub(super) fn is_lazy(&self, ty: TypeId, regime: Option<Regime>, autolazy: bool) -> bool {
        let wanted = regime == Some(Regime::Lazy) || regime.is_none() && autolazy;
        let info = &self.types[ty.0 as usize];
        wanted && info.words > SMALL_WORDS && !matches!(info.ty, Type::Primitive(..))
    }
}

/// Copies `message` under the name `name`: in the reference implementation, `type palias = point`
/// declares a record of its own, which differs from `point` only in its printed name.
fn renamed(message: &Message, name: &str) -> Message {
    let (old, new) = (capitalized(&message.name), capitalized(name));
    let mut message = Message { name: name.into(), ..message.clone() };
    for case in &mut message.cases {
        if case.module == old {
            case.module.clone_from(&new);
        } else if case.module == format!("{old}.{}", case.name) {
            case.module = format!("{new}.{}", case.name);
        }
    }
    message
}

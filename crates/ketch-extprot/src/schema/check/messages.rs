//! Resolves messages: records, unions, and aliases of these.

use super::checker::{Bindings, Checked, Checker, Key, Reported, Scope};
use crate::schema::ast::{
    CaseBody, DeclarationKind, MessageBody, Name, Regime, TypeBody, TypeExpr,
};
use crate::schema::diagnostic::Rule;
use crate::schema::types::{Case, Field, Message, Type, TypeId, capitalized};
use std::collections::HashMap;

impl Checker<'_> {
    /// Resolves the declaration of the message `name`. `at` is the number of its file and its index
    /// in that file.
    pub(super) fn message(
        &mut self,
        name: &Name,
        autolazy: bool,
        body: &MessageBody,
        at: (usize, usize),
        scope: &Scope,
    ) -> Checked<TypeId> {
        let key = Key::Declared(at.0, at.1, Vec::new(), autolazy);
        let message = match body {
            MessageBody::Plain(CaseBody::Record(fields)) => {
                self.record(name, fields, &Bindings::new(), autolazy, scope)?
            }
            MessageBody::Plain(CaseBody::Apply(target, arguments)) => {
                let id = self.record_named(target, arguments, scope)?;
                if !autolazy {
                    return Ok(id);
                }
                let Type::Message(message) = self.types[id.0 as usize].ty.clone() else {
                    return Err(Reported);
                };
                self.autolazy_copy(message, target, scope)
            }
            MessageBody::Union(cases) => self.union(name, cases, autolazy, scope)?,
            MessageBody::External(module, target) => {
                let path = std::slice::from_ref(module);
                return self.external(path, target, module.span.to(target.span), scope);
            }
            MessageBody::Subset(source, fields) => {
                self.subset(name, source, fields, autolazy, scope)?
            }
            MessageBody::SubsetNot(source, excluded) => {
                self.subset_not(name, source, excluded, autolazy, scope)?
            }
        };
        self.intern(key, Type::Message(message), name.span)
    }

    /// Resolves `name` with type arguments, which must be a record or message.
    fn record_named(
        &mut self,
        name: &Name,
        arguments: &[TypeExpr],
        scope: &Scope,
    ) -> Checked<TypeId> {
        let arguments = self.type_exprs(arguments, &Bindings::new(), scope)?;
        let id = self.apply(name, arguments, scope)?;
        if matches!(self.types[id.0 as usize].ty, Type::Message(_) | Type::External(_)) {
            return Ok(id);
        }
        let message = format!("{} is not a record or message", name.text);
        let help = "a message is a record; put the type into a field: { value : ... }";
        self.report(Rule::NotARecord, name.span, message, help)
    }

    /// Makes the fields of `message`, a copy of the record `target`, lazy unless they are small or
    /// annotated as eager.
    fn autolazy_copy(&mut self, mut message: Message, target: &Name, scope: &Scope) -> Message {
        let regimes = self.declared_regimes(target, scope);
        for field in message.cases.iter_mut().flat_map(|case| &mut case.fields) {
            let regime = regimes.get(&field.name).copied().flatten();
            field.lazy = self.is_lazy(field.ty, regime, true);
        }
        message
    }

    /// Returns the annotation (lazy, eager or none) of each field of the record `name`, by the
    /// field's name.
    pub(super) fn declared_regimes(
        &self,
        name: &Name,
        scope: &Scope,
    ) -> HashMap<String, Option<Regime>> {
        let Some(declared) = scope.names.get(&name.text) else { return HashMap::new() };
        let fields = match &self.files[declared.file].declarations[declared.index].kind {
            DeclarationKind::Type { body: TypeBody::Record(fields), .. } => fields.as_slice(),
            DeclarationKind::Message {
                body: MessageBody::Plain(CaseBody::Record(fields)), ..
            } => fields,
            _ => &[],
        };
        fields.iter().map(|f| (f.name.text.clone(), f.regime)).collect()
    }

    /// Resolves the cases of a union.
    fn union(
        &mut self,
        name: &Name,
        cases: &[(Name, CaseBody)],
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let mut resolved = Vec::new();
        for (case_name, body) in cases {
            let (module, fields) = match body {
                CaseBody::Record(fields) => {
                    let module = format!("{}.{}", capitalized(&name.text), case_name.text);
                    (module, self.fields(fields, &Bindings::new(), autolazy, scope)?)
                }
                CaseBody::Apply(target, arguments) => {
                    self.case_of_record(target, arguments, scope)?
                }
            };
            let (name, span) = (case_name.text.clone(), case_name.span);
            resolved.push(Case { name, module, fields, span });
        }
        let (name, span) = (name.text.clone(), name.span);
        Ok(Message {
            name,
            cases: resolved,
            union: true,
            subset: false,
            arguments: Vec::new(),
            span,
        })
    }

    /// Resolves a case whose body is the name of a record, and returns the record's module and
    /// fields.
    fn case_of_record(
        &mut self,
        target: &Name,
        arguments: &[TypeExpr],
        scope: &Scope,
    ) -> Checked<(String, Vec<Field>)> {
        let id = self.record_named(target, arguments, scope)?;
        match &self.types[id.0 as usize].ty {
            Type::Message(message) if !message.union && !message.subset => {
                let case = &message.cases[0];
                Ok((case.module.clone(), case.fields.clone()))
            }
            _ => {
                let message = format!("{} is not a record", target.text);
                let help = "a case of a union is a record, or a message that is one";
                self.report(Rule::NotARecord, target.span, message, help)
            }
        }
    }
}

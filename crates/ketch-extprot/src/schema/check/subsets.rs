//! Resolves subsets (specification 7).

use super::checker::{Bindings, Checked, Checker, Reported, Scope};
use crate::schema::ast::{self, CaseBody, DeclarationKind, MessageBody, Name, Regime, TypeBody};
use crate::schema::diagnostic::Rule;
use crate::schema::types::{Case, Field, Message, Type, capitalized};

impl Checker<'_> {
    /// Returns the fields of the record `source`, from which a subset takes its fields.
    fn subset_source(&mut self, source: &Name, scope: &Scope) -> Checked<Vec<Field>> {
        let help = "take fields of a message defined by a record or by one record type, or of a \
            record type without type variables";
        let Some(declared) = scope.names.get(&source.text) else {
            let message = format!("{} is not declared", source.text);
            return self.report(Rule::SubsetSource, source.span, message, help);
        };
        let (at, id) = ((declared.file, declared.index), declared.resolved);
        let rule = match &self.files[at.0].declarations[at.1].kind {
            DeclarationKind::Type { body: TypeBody::Record(_), parameters, .. }
                if parameters.is_empty() =>
            {
                None
            }
            DeclarationKind::Message { body: MessageBody::Plain(body), .. } => match body {
                CaseBody::Record(_) => None,
                // One alias is followed, but an alias of an alias is not.
                CaseBody::Apply(target, _) => self.alias_rule(target, scope),
            },
            _ => Some(Rule::SubsetSource),
        };
        if let Some(rule) = rule {
            let message = format!("{} has no fields to take", source.text);
            return self.report(rule, source.span, message, help);
        }
        match id.map(|id| &self.types[id.0 as usize].ty) {
            Some(Type::Message(m)) if !m.union && !m.subset => Ok(m.cases[0].fields.clone()),
            Some(_) => {
                let message = format!("{} has no fields to take", source.text);
                self.report(Rule::SubsetSource, source.span, message, help)
            }
            None => Err(Reported),
        }
    }

    /// Returns the rule that is broken if a subset takes fields from an alias of `target`, or
    /// `None` if such an alias is allowed.
    fn alias_rule(&self, target: &Name, scope: &Scope) -> Option<Rule> {
        let declared = scope.names.get(&target.text)?;
        match &self.files[declared.file].declarations[declared.index].kind {
            DeclarationKind::Type { body: TypeBody::Record(_), .. }
            | DeclarationKind::Message { body: MessageBody::Plain(CaseBody::Record(_)), .. } => {
                None
            }
            _ => Some(Rule::NotARecord),
        }
    }

    /// Resolves a subset that lists the fields to take.
    pub(super) fn subset(
        &mut self,
        name: &Name,
        source: &Name,
        fields: &[ast::SubsetField],
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let source_fields = self.subset_source(source, scope)?;
        let regimes = self.declared_regimes(source, scope);
        let mut selected: Vec<Field> = Vec::new();
        for field in fields {
            let found = source_fields.iter().find(|f| f.name == field.name.text);
            let Some(mut resolved) = found.cloned() else {
                return self.no_such_field(&field.name, source);
            };
            if let Some(ty) = &field.ty {
                resolved.ty = self.type_expr(ty, &Bindings::new(), scope)?;
            }
            let declared = regimes.get(&field.name.text).copied().flatten();
            let inherited = resolved.lazy.then_some(Regime::Lazy).or(declared);
            resolved.lazy = self.is_lazy(resolved.ty, field.regime.or(inherited), autolazy);
            if selected.iter().all(|f| f.wire_index != resolved.wire_index) {
                selected.push(resolved);
            }
        }
        selected.sort_by_key(|field| field.wire_index);
        Ok(subset_message(name, selected))
    }

    /// Resolves a subset that lists the fields to leave out.
    pub(super) fn subset_not(
        &mut self,
        name: &Name,
        source: &Name,
        excluded: &[Name],
        autolazy: bool,
        scope: &Scope,
    ) -> Checked<Message> {
        let mut fields = self.subset_source(source, scope)?;
        let regimes = self.declared_regimes(source, scope);
        for name in excluded {
            if fields.iter().all(|f| f.name != name.text) {
                return self.no_such_field(name, source);
            }
        }
        fields.retain(|f| excluded.iter().all(|name| name.text != f.name));
        for field in &mut fields {
            let declared = regimes.get(&field.name).copied().flatten();
            field.lazy = field.lazy || self.is_lazy(field.ty, declared, autolazy);
        }
        if fields.is_empty() {
            let message = format!("nothing is left of {}", source.text);
            return self.report(Rule::SubsetEmpty, name.span, message, "keep at least one field");
        }
        Ok(subset_message(name, fields))
    }

    /// Reports that `source` has no field `name`.
    fn no_such_field<T>(&mut self, name: &Name, source: &Name) -> Checked<T> {
        let message = format!("{} has no field {}", source.text, name.text);
        self.report(Rule::SubsetField, name.span, message, "name fields of the source")
    }
}

/// Creates the message type of a subset with these fields.
fn subset_message(name: &Name, fields: Vec<Field>) -> Message {
    let module = capitalized(&name.text);
    let case = Case { name: String::new(), module, fields, span: name.span };
    let (name, span) = (name.text.clone(), name.span);
    Message { name, cases: vec![case], union: false, subset: true, arguments: Vec::new(), span }
}

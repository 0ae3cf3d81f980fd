//! Resolves messages of other modules.

use super::checker::{Checked, Checker, Key, Scope};
use crate::schema::ast::Name;
use crate::schema::diagnostic::{Rule, Span};
use crate::schema::types::{Type, TypeId, capitalized};
use std::collections::HashMap;
use std::path::Path;

impl Checker<'_> {
    /// Resolves the message `name` of the module that `path` names. If the schema of the module is
    /// not found, the type is external.
    pub(super) fn external(
        &mut self,
        path: &[Name],
        name: &Name,
        span: Span,
        scope: &Scope,
    ) -> Checked<TypeId> {
        let full = path.iter().map(|p| p.text.as_str()).chain([name.text.as_str()]);
        let full = full.collect::<Vec<_>>().join(".");
        let unknown = |checker: &mut Self| {
            checker.intern(Key::External(full.clone()), Type::External(full.clone()), span)
        };
        let [module] = path else { return unknown(self) };
        let found = if scope.modules.contains(&module.text) {
            scope.names.get(&name.text).and_then(|declared| declared.resolved)
        } else {
            let from = self.sources[span.file as usize].name.clone();
            match self.module(&module.text, &from) {
                Some(names) => names.get(&name.text).copied(),
                None => return unknown(self),
            }
        };
        match found {
            Some(id) if matches!(self.types[id.0 as usize].ty, Type::Message(_)) => Ok(id),
            _ => {
                let message = format!("{} has no message {}", module.text, name.text);
                self.report(Rule::UnboundName, name.span, message, "name a message of that schema")
            }
        }
    }

    /// Returns the types of another module's schema by name, or `None` if its file is not found
    /// beside the file `from`.
    fn module(&mut self, module: &str, from: &str) -> Option<HashMap<String, TypeId>> {
        if let Some(names) = self.modules.get(module) {
            return names.clone();
        }
        // The module is unknown until it has been read, so that two modules that refer to each
        // other do not cause an endless recursion.
        self.modules.insert(module.into(), None);
        let mut file = module.to_owned();
        file[..1].make_ascii_lowercase();
        let source = self.loader.load(&format!("{file}.proto"), from).ok()?;
        let mut scope = Scope::default();
        self.file(source, &mut scope);
        let names: HashMap<String, TypeId> =
            scope.names.into_iter().filter_map(|(n, d)| d.resolved.map(|id| (n, id))).collect();
        self.modules.insert(module.into(), Some(names.clone()));
        Some(names)
    }
}

/// Returns the name of a file's module, such as `Inc_base` for `dir/inc_base.proto`.
pub(super) fn module_name(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    if stem.starts_with(|c: char| c.is_ascii_lowercase()) {
        capitalized(&stem)
    } else {
        stem.into()
    }
}

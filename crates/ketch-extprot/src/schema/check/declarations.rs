//! Checks files, their declarations, includes and options, and resolves messages of other modules.

use super::checker::{Checked, Checker, Declared, Key, Reported, Scope};
use crate::schema::ast::{self, DeclarationKind, File, Name};
use crate::schema::diagnostic::{Diagnostic, Rule, Source, Span};
use crate::schema::parse::parse;
use crate::schema::types::{Type, TypeId, capitalized};
use std::collections::HashMap;
use std::path::Path;

impl Checker<'_> {
    /// Checks the file `source`, and adds its names to `scope`.
    pub(super) fn file(&mut self, source: Source, scope: &mut Scope) {
        let number = self.sources.len();
        let parsed = parse(&source.text, number as u32);
        scope.open.push(source.name.clone());
        self.sources.push(source);
        // The file must get its number before the files that it includes get theirs.
        self.files.push(File { declarations: Vec::new(), comments: Vec::new() });
        match parsed {
            Ok(file) => {
                self.files[number] = file;
                for index in 0..self.files[number].declarations.len() {
                    self.declaration(number, index, scope);
                }
            }
            Err(error) => self.errors.push(error),
        }
        scope.open.pop();
    }

    /// Checks the declaration `index` of the file `file`, and adds its name to `scope`.
    fn declaration(&mut self, file: usize, index: usize, scope: &mut Scope) {
        let declaration = self.files[file].declarations[index].clone();
        self.check_options(&declaration);
        let (name, parameters, is_message) = match &declaration.kind {
            DeclarationKind::Include { path, path_span } => {
                let _ = self.include(path, *path_span, scope);
                return;
            }
            DeclarationKind::Type { name, parameters, .. } => (name, parameters.len(), false),
            DeclarationKind::Message { name, .. } => (name, 0, true),
        };
        if let Some(first) = scope.names.get(&name.text).map(|d| d.span) {
            let message = format!("{} is declared twice", name.text);
            let help = "rename one; types and messages share their names, also those included";
            let _: Checked<()> = self.report(Rule::DuplicateName, name.span, message, help);
            self.relate(first, "it is declared here first");
            return;
        }
        scope.current = Some(name.clone());
        let before = self.errors.len();
        self.check_syntax(&declaration.kind, scope);
        let sound = self.errors.len() == before;
        let mut declared =
            Declared { span: name.span, file, index, parameters, is_message, resolved: None };
        if sound && parameters == 0 {
            let resolved = self.resolve(&declaration, (file, index), scope);
            match resolved {
                Ok(id) => declared.resolved = Some(id),
                // The defaults of a type are checked where a message uses the type, so a default
                // that is not valid is not an error here.
                Err(Reported) if !is_message => {
                    let keep = |e: &Diagnostic| e.rule != Rule::DefaultValue;
                    let tail: Vec<_> = self.errors.drain(before..).filter(keep).collect();
                    self.errors.extend(tail);
                }
                Err(Reported) => {}
            }
        }
        scope.current = None;
        if is_message && let Some(id) = declared.resolved {
            scope.messages.push((name.text.clone(), id));
        }
        scope.names.insert(name.text.clone(), declared);
    }

    /// Checks the file that `path` refers to, and adds its names to `scope`. It is an error if the
    /// file is already being included.
    fn include(&mut self, path: &str, span: Span, scope: &mut Scope) -> Checked<()> {
        let from = self.sources[span.file as usize].name.clone();
        match self.loader.load(path, &from) {
            Ok(source) if scope.open.contains(&source.name) => {
                let message = format!("{path} includes itself");
                let help = "remove one include; move what both need to a third file";
                self.report(Rule::Recursion, span, message, help)
            }
            Ok(source) => {
                scope.modules.push(module_name(&source.name));
                self.file(source, scope);
                Ok(())
            }
            Err(error) => {
                let message = format!("cannot read {path}: {error}");
                let help = "give a path relative to this file";
                self.report(Rule::IncludeFile, span, message, help)
            }
        }
    }

    /// Reports options that do not exist, and values of `ocaml.type` with a wrong number of parts.
    fn check_options(&mut self, declaration: &ast::Declaration) {
        for option in &declaration.options {
            let known = option.name == "default"
                || option.name == "autolazy"
                || option
                    .name
                    .rsplit_once('.')
                    .is_some_and(|(_, kind)| matches!(kind, "type" | "type_equals" | "pp"));
            if !known {
                let message = format!("unknown option {}", option.name);
                let help = "the options are default, autolazy and, for any language, \
                    lang.type, lang.type_equals and lang.pp";
                let _: Checked<()> =
                    self.report(Rule::UnknownOption, option.name_span, message, help);
            }
            if option.name == "ocaml.type" {
                let parts = option.value.split(|&b| b == b';').count();
                if !(3..=4).contains(&parts) {
                    let message = "ocaml.type needs three or four parts".into();
                    let help = "write \"type; of_wire; to_wire\", with \"; default\" if need be";
                    let _: Checked<()> =
                        self.report(Rule::OcamlOption, option.value_span, message, help);
                }
            }
        }
    }
}

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

//! Checks files, their declarations, includes and options.

use super::checker::{Checked, Checker, Declared, Reported, Scope};
use super::modules::module_name;
use crate::schema::ast::{self, DeclarationKind, File};
use crate::schema::diagnostic::{Diagnostic, Rule, Source, Span};
use crate::schema::parse::parse;

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

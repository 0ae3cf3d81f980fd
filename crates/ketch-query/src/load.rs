//! Programs with all that they import.

use crate::compile::{Imported, Program};
use crate::json;
use crate::modules::{ModuleFile, ModuleRequest, Modules, metadata};
use crate::syntax::tree::{Import, ImportTarget, Span, Tree};
use crate::syntax::{self, SyntaxError};
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Why a program cannot be loaded.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// The program or a module is not valid. A module is named.
    Syntax(SyntaxError, Option<Arc<str>>),
    /// An import in the program, or in the module with this name, fails.
    Import { span: Span, message: String, module: Option<Arc<str>> },
}

/// Loads a program with all that it imports. `trees` starts with the prelude and the program.
pub fn load(trees: Vec<Arc<Tree>>, modules: &dyn Modules) -> Result<Program, LoadError> {
    let names = vec![None; trees.len()];
    let program = Program { trees, names, ..Program::default() };
    let mut loader = Loader { modules, program, known: HashMap::new() };
    loader.run()?;
    Ok(loader.program)
}

struct Loader<'m> {
    modules: &'m dyn Modules,
    program: Program,
    /// The numbers of the modules that are known. Those that are not in the order yet are open.
    known: HashMap<Arc<str>, u16>,
}

impl Loader<'_> {
    /// Loads the imports of the program, and those of each module before the module itself.
    fn run(&mut self) -> Result<(), LoadError> {
        let mut open = vec![1_u16];
        while let Some(&tree) = open.last() {
            let source = self.program.trees[tree as usize].clone();
            let done = self.program.imports.entry(tree).or_default().len();
            match source.imports.get(done) {
                Some(import) => {
                    let (imported, is_new) = self.import(tree, &source, import)?;
                    if let (Imported::Module(module), true) = (&imported, is_new) {
                        open.push(*module);
                    }
                    self.program.imports.entry(tree).or_default().push(imported);
                }
                None => {
                    open.pop();
                    self.program.order.extend((tree > 1).then_some(tree));
                }
            }
        }
        Ok(())
    }

    /// Returns what a tree imports, and whether it is a module whose own imports are still to be loaded.
    fn import(
        &mut self,
        tree: u16,
        source: &Tree,
        import: &Import,
    ) -> Result<(Imported, bool), LoadError> {
        let from = self.program.names[tree as usize].clone();
        let fail = |message: String| LoadError::Import {
            span: import.span,
            message,
            module: from.clone(),
        };
        let metadata = metadata(source, import.metadata);
        let is_data = matches!(import.target, ImportTarget::Data(_));
        let request = ModuleRequest {
            path: &import.path,
            search: metadata.get("search"),
            from: from.as_deref(),
            is_data,
        };
        let file = self.modules.source(request).map_err(fail)?;
        if is_data {
            return json::parse_json_texts(&file.text)
                .map(|values| (Imported::Data(Value::array(values)), false))
                .map_err(|problem| fail(format!("{}: {problem}", file.name)));
        }
        match self.known.get(&file.name) {
            Some(module) if self.program.order.contains(module) => {
                Ok((Imported::Module(*module), false))
            }
            Some(_) => Err(fail(format!("`{}` imports itself", import.path))),
            None => self.add(file).map(|module| (Imported::Module(module), true)),
        }
    }

    /// Adds a module.
    fn add(&mut self, file: ModuleFile) -> Result<u16, LoadError> {
        let failed = |error| LoadError::Syntax(error, Some(file.name.clone()));
        let tree = syntax::parse(&file.text).map_err(failed)?;
        if tree.body.is_some() {
            let message = "a module must only have definitions".to_owned();
            let module = Some(file.name);
            return Err(LoadError::Import { span: Span::default(), message, module });
        }
        let Ok(module) = u16::try_from(self.program.trees.len()) else {
            let message = "the program has too many modules".to_owned();
            return Err(LoadError::Import { span: Span::default(), message, module: None });
        };
        self.program.trees.push(Arc::new(tree));
        self.program.names.push(Some(file.name.clone()));
        self.known.insert(file.name, module);
        Ok(module)
    }
}

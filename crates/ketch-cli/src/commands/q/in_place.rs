//! Edits files by a program: only what the program changes is written again.

use super::errors::Program;
use super::feed::Feed;
use crate::args::{EditArgs, QueryArgs};
use crate::commands::edit::{self, Change};
use crate::file_name;
use crate::status::{Failure, Status};
use ketch_edit::{Edit, Operation};
use ketch_query::{EditOptions, ModuleFolders, Permissions, Query, QueryEditError, Value};

/// A program that edits files.
pub struct ByProgram<'a> {
    pub args: &'a QueryArgs,
    pub program: &'a Program,
    pub query: &'a Query,
    pub globals: &'a [Value],
    pub modules: &'a ModuleFolders,
}

impl ByProgram<'_> {
    /// Edits the files that `named` names.
    pub fn run(&self, named: &[String]) -> Result<Status, Failure> {
        let args = EditArgs {
            files_from: None,
            write: self.args.write.clone(),
            if_exists: false,
            document: None,
            input: self.args.input.clone(),
        };
        edit::change_all(&args, edit::all_files(named, None)?, self)
    }
}

impl Change for ByProgram<'_> {
    fn is_on_group(&self) -> bool {
        false
    }

    fn operations(&self) -> &[Operation] {
        &[]
    }

    fn apply(&self, file: &str, edit: &mut Edit) -> Result<(), Failure> {
        let args = self.args;
        let mut run = self.query.run(self.globals.to_vec(), args.limits());
        run.set_strict(args.program.strict);
        let mut host = Feed::new(args, self.modules.clone(), Vec::new(), self.query);
        let options = EditOptions {
            parser: args.read.options_for(args.input.origin(file)),
            compose: args.compose_options(),
            document: args.inputs.document,
            permissions: Permissions { alias: args.write.alias.map(Into::into), anchors: None },
        };
        let name = file_name::shown(file).into();
        run.edit(edit, &name, &options, &mut host).map_err(|error| {
            let span = match &error {
                QueryEditError::Program(failure) => run.span(failure),
                _ => None,
            };
            self.program.not_edited(&name, error, span)
        })
    }

    fn check_found(&self) -> Result<(), Failure> {
        Ok(())
    }
}

//! `ketch q`: runs a program in jq's language, or messages.

mod errors;
mod extprot;
mod feed;
mod in_place;
mod text;
mod variables;
mod writer;

use crate::args::QueryArgs;
use crate::draw;
use crate::files;
use crate::input;
use crate::output;
use crate::reports::Reports;
use crate::status::{Failure, Status};
use errors::Program;
use feed::Feed;
use in_place::ByProgram;
use ketch_query::{ErrorKind, Failure as Raised, ModuleFolders, Query, Run, Span, Value};
use ketch_yaml::Location;
use ketch_yaml::schema::Schema;
use std::sync::Arc;
use writer::Writer;

/// Runs the program on all inputs, and prints results when they are found.
pub fn run(mut args: QueryArgs) -> Result<Status, Failure> {
    args.input.is_failsafe = args.compose_options().schema == Schema::Failsafe;
    draw::choose(args.errors);
    let mut words = std::mem::take(&mut args.program.words.words).into_iter();
    let program = Program::of(&args, &mut words)?;
    let globals = variables::globals(&args.program.words)?;
    let names: Vec<Arc<str>> = globals.iter().map(|(name, _)| name.clone()).collect();
    let modules =
        ModuleFolders { folders: args.program.library_path.iter().map(Into::into).collect() };
    let parsed = match args.program.messages.messages {
        true => Query::parse_messages(&program.text, &names),
        false => Query::with_modules(&program.text, &names, &modules),
    };
    let query = match parsed {
        Ok(query) => query,
        Err(error) => return Err(program.invalid(&error)),
    };
    if args.explain {
        let explained = query.explain();
        return output::print(|out| out.write_all(explained.as_bytes())).map(|()| Status::Success);
    }
    let mut named: Vec<String> = words.collect();
    let (_, globals): (Vec<_>, Vec<_>) = globals.into_iter().unzip();
    if args.write.is_given() {
        let change = ByProgram {
            args: &args,
            program: &program,
            query: &query,
            globals: &globals,
            modules: &modules,
        };
        return change.run(&named);
    }
    if named.is_empty() {
        named.push("-".to_owned());
        if !args.inputs.null_input {
            input::expects_files(&named)?;
        }
    }
    let files = files::expand(&named)?;
    let reports = Reports::new(&files);
    let mut run = query.run(globals.clone(), args.limits());
    run.set_strict(args.program.strict);
    run.set_messages(args.program.messages.options());
    let mut entries = query.run_entries(globals, args.limits());
    entries.iter_mut().for_each(|run| run.set_strict(args.program.strict));
    let feed = Feed::new(&args, modules, files.names, &query);
    let writer = Writer::new(&args);
    Session { args: &args, program, run, entries, feed, writer, reports, is_true: None }.run()
}

/// A run of the command.
struct Session<'a> {
    args: &'a QueryArgs,
    program: Program,
    run: Run,
    /// The run for inputs that are read entry by entry.
    entries: Option<Run>,
    feed: Feed<'a>,
    writer: Writer<'a>,
    reports: Reports,
    /// Whether the last result counts as true.
    is_true: Option<bool>,
}

impl Session<'_> {
    /// Runs the program on all inputs.
    fn run(mut self) -> Result<Status, Failure> {
        let halted = self.inputs();
        self.writer.finish()?;
        let halted = halted?;
        if let Some(code) = halted {
            std::process::exit(code);
        }
        let status = self.reports.finish(None);
        Ok(match self.is_true {
            _ if status != Status::Success || !self.args.exit_status => status,
            None => Status::Missing,
            Some(false) => Status::WrongInput,
            Some(true) => Status::Success,
        })
    }

    /// Runs the program on the inputs. Returns the exit code if the program ends the run by `halt`.
    fn inputs(&mut self) -> Result<Option<i32>, Failure> {
        if self.args.inputs.null_input {
            return self.on(Value::Null);
        }
        while let Some(input) = self.feed.next() {
            let halted = match input {
                Ok(input) => self.on(input)?,
                Err(failure) => self.fail(&failure, None, None)?,
            };
            if halted.is_some() {
                return Ok(halted);
            }
        }
        Ok(None)
    }

    /// Runs the program on an input.
    fn on(&mut self, input: Value) -> Result<Option<i32>, Failure> {
        let has_entries = self.feed.has_entries();
        let run = self.entries.as_mut().filter(|_| has_entries).unwrap_or(&mut self.run);
        run.start(input);
        while let Some(output) = run.next(&mut self.feed) {
            let written = match output {
                Ok(value) => {
                    self.is_true = Some(value.is_true());
                    self.writer.write(&value, &self.feed)?
                }
                Err(failure) => Err(failure),
            };
            if let Err(mut failure) = written {
                let span = run.span(&failure);
                let location = self.feed.locate(run, &mut failure);
                return self.fail(&failure, span, location);
            }
        }
        Ok(None)
    }

    /// Reports an error, after the results before it.
    fn fail(
        &mut self,
        failure: &Raised,
        span: Option<Span>,
        location: Option<Location>,
    ) -> Result<Option<i32>, Failure> {
        self.writer.flush()?;
        match failure.kind {
            ErrorKind::Halt(code) => {
                errors::halted(&failure.value);
                return Ok(Some(code));
            }
            ErrorKind::InvalidInput => {
                for failure in std::mem::take(&mut self.feed.failures) {
                    self.reports.failure(&failure);
                }
            }
            _ => {
                let mut failure = self.program.raised(failure, span, location);
                if self.feed.is_converted() {
                    failure = failure.without_related();
                }
                self.reports.failure(&failure);
            }
        }
        Ok(None)
    }
}

//! The inputs of a program, from files one after another, and what else it gets from outside.

use super::text::Text;
use crate::args::QueryArgs;
use crate::status::Failure;
use ketch_query::{
    Entry, ErrorKind, Failure as Raised, Host, Limits, ModuleFolders, Modules, NoHost, Query, Run,
    Value,
};
use ketch_yaml::Location;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;

/// The inputs of a program.
pub struct Feed<'a> {
    args: &'a QueryArgs,
    modules: ModuleFolders,
    query: &'a Query,
    files: VecDeque<String>,
    text: Option<Text>,
    /// The name of the current file.
    name: Option<Arc<str>>,
    /// Whether the first text is JSON, once it is known.
    is_json: Option<bool>,
    /// The events of the current input, with `--stream`.
    events: Option<Run>,
    is_slurped: bool,
    /// Why inputs could not be read.
    pub failures: Vec<Failure>,
}

impl<'a> Feed<'a> {
    /// Creates the inputs in `files`, for a program.
    pub fn new(
        args: &'a QueryArgs,
        modules: ModuleFolders,
        files: Vec<String>,
        query: &'a Query,
    ) -> Feed<'a> {
        Feed {
            args,
            modules,
            query,
            files: files.into(),
            text: None,
            name: None,
            is_json: args.inputs.null_input.then_some(true),
            events: None,
            is_slurped: false,
            failures: Vec::new(),
        }
    }

    /// Returns whether the results are JSON, unless an option says otherwise.
    pub fn is_json(&self) -> bool {
        self.is_json.unwrap_or(true)
    }

    /// Returns whether the current input is read entry by entry.
    pub fn has_entries(&self) -> bool {
        self.text.as_ref().is_some_and(|text| text.has_entries)
    }

    /// Returns whether the places of the current input mean nothing.
    pub fn is_converted(&self) -> bool {
        self.text.as_ref().is_some_and(Text::is_converted)
    }

    /// Finds the value that an error of `run` is about. Returns its location, if the input is JSON.
    pub fn locate(&self, run: &Run, failure: &mut Raised) -> Option<Location> {
        self.text.as_ref().filter(|_| failure.place.is_none())?.locate(run, failure)
    }

    /// Returns the next input. An error is among `failures`.
    pub fn next(&mut self) -> Option<Result<Value, Raised>> {
        if !self.args.inputs.slurp {
            return self.next_single();
        }
        if std::mem::replace(&mut self.is_slurped, true) {
            return None;
        }
        let all = std::iter::from_fn(|| self.next_single()).collect::<Result<Vec<_>, _>>();
        Some(all.map(|all| match self.args.inputs.raw_input {
            true => {
                let texts: Vec<_> = all.iter().filter_map(Value::as_text).collect();
                texts.concat().into()
            }
            false => Value::array(all),
        }))
    }

    /// Returns the next value, line or event.
    fn next_single(&mut self) -> Option<Result<Value, Raised>> {
        if !self.args.inputs.has_events() {
            return self.next_value();
        }
        loop {
            if let Some(event) = self.events.as_mut().and_then(|events| events.next(&mut NoHost)) {
                return Some(event);
            }
            let value = match self.next_value()? {
                Err(_) if self.args.inputs.stream_errors => return Some(Ok(self.error_event())),
                value => value,
            };
            match value {
                Ok(value) => {
                    let query = Query::new("tostream", &[]).ok()?;
                    let run = self.events.insert(query.run(Vec::new(), Limits::default()));
                    run.start(value);
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Returns the event that stands for the last failure.
    fn error_event(&mut self) -> Value {
        let failure = self.failures.pop().and_then(|failure| failure.diagnostic());
        let message = failure.map(|found| found.message).unwrap_or_default();
        Value::array(vec![message.into(), Value::array(Vec::new())])
    }

    /// Returns the next value or line.
    fn next_value(&mut self) -> Option<Result<Value, Raised>> {
        loop {
            if self.text.is_none() {
                let file = self.files.pop_front()?;
                match Text::open(self.args, self.query, &file) {
                    Ok((text, is_json)) => {
                        self.is_json.get_or_insert(is_json);
                        self.name = Some(text.name().clone());
                        self.text = Some(text);
                    }
                    Err(failure) => return Some(Err(self.failed(failure))),
                }
            }
            match self.text.as_mut().and_then(Text::next) {
                Some(Ok(value)) => return Some(Ok(value)),
                Some(Err(failure)) => return Some(Err(self.failed(failure))),
                None => self.text = None,
            }
        }
    }

    /// Keeps a failure, and returns the error that ends the program for this input.
    fn failed(&mut self, failure: Failure) -> Raised {
        self.text = None;
        self.failures.push(failure);
        Raised::new(ErrorKind::InvalidInput, "the input is not valid")
    }
}

impl Host for Feed<'_> {
    fn input(&mut self) -> Option<Result<Value, Raised>> {
        self.next()
    }

    fn entry(&mut self) -> Option<Result<Entry, Raised>> {
        let next = self.text.as_mut().and_then(Text::next_entry);
        Some(next?.map_err(|failure| self.failed(failure)))
    }

    fn message(&mut self, text: &str) {
        // It is not an error if standard error is closed.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    fn input_name(&self) -> Option<Arc<str>> {
        self.name.clone()
    }

    fn modules(&self) -> &dyn Modules {
        &self.modules
    }

    fn environment(&self) -> Option<Value> {
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let variables =
            std::env::vars_os().map(|(name, value)| (text(name).into(), text(value).into()));
        Some(Value::object(variables.collect()))
    }
}

//! Programs in jq's language: compiling them, running them on texts, and editing texts by them.
//!
//! A host creates the objects of results by the primitives with which it loads, [`Make`]. A result is
//! first made flat, so that nothing is owned across calls to the host.

use crate::load::Make;
use crate::raised::Raised;
use ketch_edit::{Edit, EditError};
use ketch_query::{
    Entries, Entry, ErrorKind, Failure, Host, InputError, InputOptions, Inputs, Kind, Limits,
    ModuleFile, ModuleRequest, Modules, Number, Query, QueryEditError, QueryError, Run, Span,
    Value, check_keys,
};
use ketch_yaml::{ComposeOptions, Error, Location, Options, Problem};
use std::io::{Cursor, Read};
use std::sync::Arc;

/// The maximum number of steps of a run, unless an option says otherwise.
const STEPS: u64 = 1_000_000_000;

/// The name of programs in messages.
const PROGRAM: &str = "program";

/// A compiled program with the values of its variables, which threads may share.
#[derive(Clone, Debug)]
pub struct Program {
    text: Arc<str>,
    query: Query,
    globals: Vec<Value>,
}

/// What a program is started with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Starts {
    /// Each input in turn.
    WithEach,
    /// Null, once.
    WithNull,
    /// An array of all inputs, once.
    WithAll,
    /// Nothing more.
    Never,
}

/// How a program runs on a text.
#[derive(Clone, Debug)]
pub struct Settings {
    limits: Limits,
    /// The name of the text in messages.
    name: Option<String>,
    is_json: bool,
    is_strict: bool,
    starts: Starts,
    /// Whether numbers that are not integers become floats instead of decimals.
    floats: bool,
    parser: Options,
    compose: ComposeOptions,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits { steps: STEPS, ..Limits::default() },
            name: None,
            is_json: false,
            is_strict: false,
            starts: Starts::WithEach,
            floats: false,
            parser: Options::default(),
            compose: ComposeOptions::default(),
        }
    }
}

impl Settings {
    /// Sets the option `name` to the value that `text` stands for. Returns false if there is no such
    /// option, or if it has no such value.
    pub fn set(&mut self, name: &str, text: &str) -> bool {
        let is_true = text.eq_ignore_ascii_case("true");
        let count = |limit: &mut u64| text.parse().map(|count| *limit = count).is_ok();
        match name {
            "format" if text == "json" || text == "yaml" => self.is_json = text == "json",
            "strict" => self.is_strict = is_true,
            "null_input" if is_true => self.starts = Starts::WithNull,
            "slurp" if is_true => self.starts = Starts::WithAll,
            "null_input" | "slurp" => {}
            "floats" => self.floats = is_true,
            "max_steps" => return count(&mut self.limits.steps),
            "max_digits" => return count(&mut self.limits.digits),
            "max_frames" => {
                let mut frames = 0;
                return count(&mut frames)
                    && usize::try_from(frames).map(|frames| self.limits.frames = frames).is_ok();
            }
            _ => return false,
        }
        true
    }

    /// Sets how the text is read, and its name in messages.
    #[must_use]
    pub fn reading(
        mut self,
        parser: &Options,
        compose: &ComposeOptions,
        name: Option<&str>,
    ) -> Settings {
        (self.parser, self.compose) = (*parser, *compose);
        self.name = name.map(str::to_owned);
        self
    }

    /// Returns the name of the text in messages.
    fn shown_name(&self) -> Arc<str> {
        self.name.as_deref().unwrap_or("input").into()
    }

    /// Returns the run, for which missing keys are errors if they should be.
    fn strict(&self, mut run: Run) -> Run {
        run.set_strict(self.is_strict);
        run
    }

    /// Returns the bounds of a run, which ends when the parser would end.
    fn run_limits(&self) -> Limits {
        Limits { interrupt: self.parser.interrupt, ..self.limits }
    }
}

/// Why there is no result, or no program.
#[derive(Debug)]
pub enum Trouble {
    /// The text or the variables are not valid, or the host has interrupted the run.
    Text(Error),
    /// The editor refuses the change.
    Edit(EditError),
    /// An error of the program or in it.
    Program(Box<Fault>),
}

/// An error of a program or in it.
#[derive(Debug, Default)]
pub struct Fault {
    kind: &'static str,
    problem: String,
    help: String,
    /// The place in the program.
    at: Option<Location>,
    /// The name of the text, and the place of the value in it.
    place: Option<(Arc<str>, Location)>,
    /// The name of the module, if the error is in a module.
    module: Option<Arc<str>>,
}

impl Fault {
    /// Returns the exception. Its location is in the program, and the related one in the text.
    pub fn raised(&self) -> Raised<'_> {
        let setting = match self.kind {
            "too-many-steps" => Some("max_steps"),
            "too-many-frames" => Some("max_frames"),
            "too-many-digits" => Some("max_digits"),
            _ => None,
        };
        let class = if setting.is_some() { "LimitError" } else { "QueryError" };
        let file = Some(self.module.as_deref().unwrap_or(PROGRAM));
        let location = self.at.as_ref();
        Raised {
            name: Some(self.kind),
            file: self.place.as_ref().map(|(name, _)| &**name),
            related: self.place.as_ref().map(|(_, location)| location),
            setting,
            ..Raised::own(class, &self.problem, &self.help, location, file)
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Text(error)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Program(Box::new(fault))
    }
}

/// Modules by their names.
struct Texts(Entries);

impl Modules for Texts {
    fn source(&self, request: ModuleRequest<'_>) -> Result<ModuleFile, String> {
        let text = self.0.get(request.path).and_then(Value::as_text);
        match text {
            Some(text) => Ok(ModuleFile { name: request.path.into(), text: text.to_string() }),
            None => Err(format!("there is no module `{}`", request.path)),
        }
    }
}

/// Returns the entries of the mapping that a text of YAML is.
fn entries(text: &str, name: &str) -> Result<Entries, Trouble> {
    let reader = Box::new(Cursor::new(text.to_owned()));
    let value = match Inputs::new(reader, name.into(), &InputOptions::default()).next() {
        Some(Err(InputError::Text(error))) => return Err(Trouble::Text(error)),
        Some(Ok(value)) => value,
        _ => Value::Null,
    };
    Ok(value.as_object().map(|object| object.entries.clone()).unwrap_or_default())
}

/// Returns the location of `span` in a program.
fn location(text: &str, span: Span) -> Location {
    let start = (span.start as usize).min(text.len());
    let end = (span.end as usize).clamp(start, text.len());
    Location::in_text(text.as_bytes(), start as u64, end - start)
}

impl Program {
    /// Compiles a program, or messages. `variables` and `modules` are mappings in YAML: the values of
    /// variables, and the texts of modules, by their names.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the program or a module.
    pub fn new(
        text: &str,
        variables: &str,
        modules: &str,
        is_messages: bool,
    ) -> Result<Program, Trouble> {
        let variables = entries(variables, "variables")?;
        let names: Vec<Arc<str>> = variables.keys().cloned().collect();
        let modules = Texts(entries(modules, "modules")?);
        let query = match is_messages {
            true => Query::parse_messages(text, &names),
            false => Query::with_modules(text, &names, &modules),
        };
        let query = query.map_err(|error| Program::refused(text, error, &modules))?;
        Ok(Program { text: text.into(), query, globals: variables.into_values().collect() })
    }

    /// Returns the error for a program that is not valid.
    fn refused(text: &str, error: QueryError, modules: &Texts) -> Trouble {
        let QueryError { kind, span, message, help, module } = error;
        let source = module.as_ref().and_then(|name| modules.0.get(name)?.as_text());
        let at = Some(location(source.as_deref().unwrap_or(text), span));
        let help = help.unwrap_or_default();
        Fault { kind, problem: message, help, at, place: None, module }.into()
    }

    /// Starts a run on a text.
    pub fn run(&self, text: impl Read + Send + 'static, settings: Settings) -> Session {
        let options = InputOptions {
            is_json: settings.is_json,
            parser: settings.parser,
            compose: settings.compose,
            keeps_text: self.query.reads_comments(),
            document: None,
        };
        let mut inputs = Inputs::new(Box::new(text), settings.shown_name(), &options);
        let mut run = None;
        if let Some(path) = self.query.entry_path()
            && settings.starts == Starts::WithEach
        {
            inputs = inputs.by_entries(path);
            run = self.query.run_entries(self.globals.clone(), settings.run_limits());
        }
        let feed = Feed { inputs: Some(inputs), name: settings.shown_name(), invalid: None };
        Session {
            program: self.clone(),
            run: run.map_or_else(|| self.start(&settings), |run| settings.strict(run)),
            feed,
            is_running: false,
            starts: settings.starts,
            floats: settings.floats,
        }
    }

    /// Returns a run without an input.
    fn start(&self, settings: &Settings) -> Run {
        settings.strict(self.query.run(self.globals.clone(), settings.run_limits()))
    }

    /// Edits a text: the program gets each document, and returns the new one.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid, the program fails or has another number of results than one for
    /// a document, or the editor refuses the change.
    pub fn edit(&self, text: &str, settings: &Settings) -> Result<Edit, Trouble> {
        let mut edit = Edit::deferred(text.to_owned());
        let mut run = self.start(settings);
        let options = ketch_query::EditOptions {
            parser: settings.parser,
            compose: settings.compose,
            ..ketch_query::EditOptions::default()
        };
        let name = settings.shown_name();
        let mut feed = Feed { inputs: None, name: name.clone(), invalid: None };
        match run.edit(&mut edit, &name, &options, &mut feed) {
            Ok(()) => Ok(edit),
            Err(QueryEditError::Text(error)) => Err(Trouble::Text(error)),
            Err(QueryEditError::Edit(error)) => Err(Trouble::Edit(error)),
            Err(QueryEditError::Program(failure)) => Err(self.failed(&run, failure)),
            Err(error) => {
                let place = match &error {
                    QueryEditError::ResultCount { location, .. } => Some((name, location.clone())),
                    _ => None,
                };
                let (kind, problem) = (error.kind_name(), error.to_string());
                let at = Some(location(&self.text, self.query.span()));
                Err(Fault { kind, problem, at, place, ..Fault::default() }.into())
            }
        }
    }

    /// Returns the error for a failure of a run.
    fn failed(&self, run: &Run, failure: Failure) -> Trouble {
        if failure.kind == ErrorKind::Interrupted {
            return Trouble::Text(Error::at(Problem::Interrupted, Location::at_offset(0, 0)));
        }
        let place = failure
            .place
            .as_ref()
            .map(|(source, id)| (source.name().clone(), source.node(*id).location().clone()));
        let mut help = Vec::new();
        help.extend(failure.nearest.as_ref().map(|key| format!("Did you mean `{key}`?")));
        help.extend(place.as_ref().map(|(name, at): &(Arc<str>, Location)| {
            format!("The value is at {name}:{}:{}.", at.line, at.column)
        }));
        let at = run.span(&failure).map(|span| location(&self.text, span));
        let (kind, problem) = (failure.kind.name(), failure.message());
        Fault { kind, problem, help: help.join(" "), at, place, module: None }.into()
    }
}

/// What a run gets from outside: its text, and nothing else.
struct Feed {
    inputs: Option<Inputs>,
    name: Arc<str>,
    /// Why the text is not valid.
    invalid: Option<InputError>,
}

impl Feed {
    /// Keeps an error of the text. Returns the failure that ends the run.
    fn fail(&mut self, error: InputError) -> Failure {
        self.inputs = None;
        self.invalid = Some(error);
        Failure::new(ErrorKind::InvalidInput, "the input is not valid")
    }
}

impl Host for Feed {
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        let input = self.inputs.as_mut()?.next()?;
        Some(input.map_err(|error| self.fail(error)))
    }

    fn entry(&mut self) -> Option<Result<Entry, Failure>> {
        let entry = self.inputs.as_mut()?.next_entry()?;
        Some(entry.map_err(|error| self.fail(error)))
    }

    fn message(&mut self, _: &str) {}

    fn input_name(&self) -> Option<Arc<str>> {
        Some(self.name.clone())
    }

    fn environment(&self) -> Option<Value> {
        None
    }
}

/// A run of a program on the inputs in a text, which yields the results one by one.
pub struct Session {
    program: Program,
    run: Run,
    feed: Feed,
    /// Whether the program has been started on an input, and may have further results.
    is_running: bool,
    starts: Starts,
    floats: bool,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("program", &self.program.text).finish_non_exhaustive()
    }
}

impl Session {
    /// Returns the next result, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails if the program fails, or if the text is not valid. There is no result after an error.
    #[allow(clippy::should_implement_trait, reason = "an error ends the run, not an item")]
    pub fn next(&mut self) -> Result<Option<Flat>, Trouble> {
        loop {
            if !self.is_running {
                match self.input() {
                    None => return Ok(None),
                    Some(Ok(input)) => self.run.start(input),
                    Some(Err(failure)) => return Err(self.fail(failure)),
                }
                self.is_running = true;
            }
            match self.run.next(&mut self.feed) {
                Some(Ok(value)) => match check_keys(&value) {
                    Ok(()) => return Ok(Some(Flat::of(value, self.floats))),
                    Err(failure) => return Err(self.fail(failure)),
                },
                // `halt`, but not `halt_error`.
                Some(Err(Failure { kind: ErrorKind::Halt(_), value: Value::Null, .. })) => {
                    (self.feed.inputs, self.is_running) = (None, false);
                }
                Some(Err(failure)) => return Err(self.fail(failure)),
                None => self.is_running = false,
            }
        }
    }

    /// Returns what the program is started with next.
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        if self.starts == Starts::WithEach {
            return self.feed.input();
        }
        match std::mem::replace(&mut self.starts, Starts::Never) {
            Starts::WithNull => Some(Ok(Value::Null)),
            Starts::WithAll => {
                let inputs = std::iter::from_fn(|| self.feed.input());
                Some(inputs.collect::<Result<Vec<Value>, Failure>>().map(Value::array))
            }
            Starts::WithEach | Starts::Never => None,
        }
    }

    /// Ends the run. Returns the error for a failure.
    fn fail(&mut self, failure: Failure) -> Trouble {
        (self.feed.inputs, self.is_running) = (None, false);
        match self.feed.invalid.take() {
            Some(InputError::Text(error)) => Trouble::Text(error),
            Some(InputError::Json(problem) | InputError::NoDocument(problem)) => {
                Fault { kind: "invalid-input", problem, ..Fault::default() }.into()
            }
            None => self.program.failed(&self.run, failure),
        }
    }
}

/// A part of a result. The parts of a collection come before its end.
#[derive(Debug)]
enum Part {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A number that has more digits than these, and whether it is an integer.
    Digits(Box<str>, bool),
    Text(Arc<str>),
    Key(Arc<str>),
    /// The ends of collections, with the numbers of their entries.
    Array(usize),
    Object(usize),
}

/// A result, from which a host creates its objects.
#[derive(Debug)]
pub struct Flat(Vec<Part>);

/// What is left to be made flat.
enum Task {
    Value(Value),
    Part(Part),
}

impl Flat {
    /// Makes a result flat.
    fn of(value: Value, floats: bool) -> Flat {
        let mut parts = Vec::new();
        let mut tasks = vec![Task::Value(value)];
        while let Some(task) = tasks.pop() {
            let value = match task {
                Task::Part(part) => {
                    parts.push(part);
                    continue;
                }
                Task::Value(value) => value,
            };
            match value.kind() {
                Kind::Null => parts.push(Part::Null),
                Kind::False => parts.push(Part::Bool(false)),
                Kind::True => parts.push(Part::Bool(true)),
                Kind::Number => parts.extend(value.as_number().map(|number| of(&number, floats))),
                Kind::Text => parts.extend(value.as_text().map(Part::Text)),
                Kind::Array => {
                    let Some(array) = value.as_array() else { continue };
                    tasks.push(Task::Part(Part::Array(array.entries.len())));
                    tasks.extend(array.entries.iter().rev().cloned().map(Task::Value));
                }
                Kind::Object => {
                    let Some(object) = value.as_object() else { continue };
                    tasks.push(Task::Part(Part::Object(object.entries.len())));
                    for (key, value) in object.entries.iter().rev() {
                        tasks.push(Task::Value(value.clone()));
                        tasks.push(Task::Part(Part::Key(key.clone())));
                    }
                }
            }
        }
        Flat(parts)
    }

    /// Creates the object of the result, and leaves it on the stack of the host.
    ///
    /// # Errors
    ///
    /// Fails as the host does.
    pub fn build<M: Make>(&self, make: &mut M) -> Result<(), M::Error> {
        // The collections come after their parts, so the stack has the objects of these.
        for part in &self.0 {
            match part {
                Part::Null => make.null(),
                Part::Bool(value) => make.boolean(*value),
                Part::Int(value) => make.integer(*value)?,
                Part::Float(value) => make.float(*value)?,
                Part::Digits(text, is_integer) => make.digits(text, *is_integer)?,
                Part::Text(text) => make.text(text.as_bytes(), false)?,
                Part::Key(text) => make.key(text.as_bytes(), false)?,
                Part::Array(count) => make.sequence(make.count() - count)?,
                Part::Object(count) => make.mapping(make.count() - 2 * count, false)?,
            }
        }
        Ok(())
    }
}

/// Returns the part for a number: an integer if it is written as one, and otherwise a decimal.
fn of(number: &Number, floats: bool) -> Part {
    let text = number.to_string();
    let digits = text.trim_start_matches(['-', '+']);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_integer = is_plain || digits.starts_with("0x") || digits.starts_with("0o");
    if is_integer && let Some(value) = number.to_i64() {
        return Part::Int(value);
    }
    if number.is_nan() || number.is_infinite() || floats && !is_integer {
        return Part::Float(number.to_f64());
    }
    match number.to_big() {
        Some(value) if is_integer => Part::Digits(value.to_string().into(), true),
        _ => Part::Digits(text.into(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Texts as Shown;
    use crate::options::{Named, ReadOption, option};

    /// Returns the results, and the message and the kind of the error.
    fn results(program: &str, text: &str, options: &[(&str, &str)]) -> (Vec<String>, String) {
        let mut settings = Settings::default();
        for (name, value) in options {
            assert!(settings.set(name, value), "{name}");
        }
        let program = Program::new(program, "{n: 1.50}", "{m: 'def f: 7;'}", false);
        let program = program.unwrap_or_else(|trouble| panic!("{trouble:?}"));
        let mut session = program.run(Cursor::new(text.to_owned()), settings);
        let mut found = Vec::new();
        loop {
            match session.next() {
                Ok(Some(flat)) => {
                    let mut shown = Shown::default();
                    flat.build(&mut shown).unwrap();
                    found.push(shown.stack.pop().unwrap());
                    assert!(shown.stack.is_empty());
                }
                Ok(None) => return (found, String::new()),
                Err(Trouble::Program(fault)) => {
                    let raised = fault.raised();
                    let name = raised.name.unwrap_or_default().to_owned();
                    return (found, format!("{} {name}: {}", raised.class, raised.message));
                }
                Err(trouble) => return (found, format!("{trouble:?}")),
            }
        }
    }

    /// Returns the lines of the texts that are results, and the kind, the column and the place in the text
    /// of an error.
    fn outcome(program: &str, text: &str, settings: Settings, is_messages: bool) -> Vec<Outcome> {
        let mut found = Vec::new();
        let failed = match Program::new(program, "", "", is_messages) {
            Ok(program) => {
                let mut session = program.run(Cursor::new(text.to_owned()), settings);
                loop {
                    match session.next() {
                        Ok(Some(flat)) => found.push(flat),
                        Ok(None) => break None,
                        Err(trouble) => break Some(trouble),
                    }
                }
            }
            Err(trouble) => Some(trouble),
        };
        let lines = found.iter().flat_map(|flat| match &flat.0[..] {
            [Part::Text(text)] => text.lines().map(|line| Outcome::Line(line.into())).collect(),
            parts => vec![Outcome::Line(format!("{parts:?}"))],
        });
        lines.chain(failed.map(shown)).collect()
    }

    /// A line of a result, or an error.
    #[derive(Debug, PartialEq)]
    enum Outcome {
        Line(String),
        Error(Option<String>, Option<u64>, Option<String>),
    }

    fn shown(trouble: Trouble) -> Outcome {
        let place = |at: &Location| format!("{}:{}", at.line, at.column);
        match trouble {
            Trouble::Program(fault) => {
                let related = fault.place.as_ref().map(|(_, at)| place(at));
                Outcome::Error(Some(fault.kind.into()), fault.at.map(|at| at.column), related)
            }
            Trouble::Text(error) => Outcome::Error(None, None, Some(place(error.location()))),
            Trouble::Edit(error) => Outcome::Error(None, None, error.location().map(place)),
        }
    }

    /// Returns the cases in a file of conformance/query.
    fn cases(json: &str) -> Vec<Value> {
        let cases = ketch_query::parse_json(json).expect("JSON");
        cases.as_array().expect("an array").entries.to_vec()
    }

    fn member(value: &Value, key: &str) -> Option<Value> {
        value.as_object()?.entries.get(key).cloned()
    }

    fn text(value: &Value, key: &str) -> String {
        member(value, key)
            .and_then(|text| text.as_text())
            .map(|text| text.to_string())
            .unwrap_or_default()
    }

    fn items(value: &Value, key: &str) -> Option<Vec<Value>> {
        Some(member(value, key)?.as_array()?.entries.to_vec())
    }

    /// The cases of the command that need nothing but the library.
    #[test]
    fn cases_have_their_results() {
        let mut count = 0;
        for case in cases(include_str!("../../../conformance/query/cases.json")) {
            let Some(library) = member(&case, "library") else { continue };
            count += 1;
            let (mut settings, mut compose) = (Settings::default(), ComposeOptions::default());
            let options = member(&library, "options").expect("options");
            for (name, value) in options.as_object().expect("an object").entries.iter() {
                let value =
                    value.as_text().map_or_else(|| value.to_json(), |text| text.to_string());
                match option(name, &mut settings.parser, &mut compose) {
                    Some(ReadOption::Schema(schema)) => {
                        *schema = Named::named(&value).expect("a schema")
                    }
                    Some(ReadOption::Choice(choice)) => *choice = Some(value == "true"),
                    _ if &**name == "filename" => settings.name = Some(value),
                    _ => assert!(settings.set(name, &value), "{name}"),
                }
            }
            settings.compose = compose;
            let (program, input) = (text(&case, "program"), text(&case, "input"));
            let after = text(&library, "after");
            let program = if after.is_empty() { program } else { format!("{program}\n| {after}") };
            let error = items(&library, "error").map(|parts| {
                let words = |at: usize| parts[at].as_text().map(|text| text.to_string());
                let column = parts[1].as_number().and_then(|number| number.to_i64());
                Outcome::Error(words(0), column.map(|column| column as u64), words(2))
            });
            let (found, mut expected) = match member(&case, "file") {
                Some(_) => {
                    let edited = Program::new(&program, "", "", false)
                        .and_then(|program| program.edit(&input, &settings));
                    let file = if error.is_some() { String::new() } else { text(&case, "file") };
                    match edited {
                        Ok(edit) => {
                            (vec![Outcome::Line(edit.text().into())], vec![Outcome::Line(file)])
                        }
                        Err(trouble) => (vec![shown(trouble)], Vec::new()),
                    }
                }
                None => {
                    let lines = items(&library, "results").or_else(|| items(&case, "stdout"));
                    let lines = lines.expect("results").into_iter();
                    let line =
                        |line: Value| Outcome::Line(line.as_text().expect("a text").to_string());
                    (outcome(&program, &input, settings, false), lines.map(line).collect())
                }
            };
            expected.extend(error);
            assert_eq!(found, expected, "{}", text(&case, "id"));
        }
        assert!(count >= 115, "{count} cases");
    }

    #[test]
    fn messages_have_their_results() {
        let cases = cases(include_str!("../../../conformance/query/messages.json"));
        assert!(cases.len() >= 30, "{} cases", cases.len());
        for case in cases {
            let (query, input) = (text(&case, "query"), text(&case, "input"));
            let found = outcome(&query, &input, Settings::default(), true);
            let mut expected = Vec::new();
            for line in text(&case, "output").lines() {
                let json = ketch_query::parse_json(line).expect("JSON");
                match (member(&json, "error"), items(&json, "at")) {
                    (Some(kind), Some(at)) => {
                        let kind = kind.as_text().map(|kind| kind.to_string());
                        let column = at[0].as_number().and_then(|at| at.to_i64());
                        expected.push(Outcome::Error(kind, column.map(|at| at as u64 + 1), None));
                    }
                    _ => expected.extend(outcome(".", line, Settings::default(), false)),
                }
            }
            let found: Vec<Outcome> = found
                .into_iter()
                .map(|outcome| match outcome {
                    Outcome::Error(kind, column, _) => Outcome::Error(kind, column, None),
                    line => line,
                })
                .collect();
            assert_eq!(found, expected, "{}", text(&case, "name"));
        }
    }

    #[test]
    fn results_become_objects_of_the_host() {
        let text = "{a: [1, x, null, true], b: {c: 99999999999999999999}}";
        let (found, error) = results(".", text, &[]);
        assert_eq!(found, ["{a [1 \"x\"~ null true] b {c 99999999999999999999}}"]);
        assert_eq!(error, "");
    }

    #[test]
    fn numbers_are_integers_decimals_or_floats() {
        let text = "[1.0, 0x10, 1e3, .inf, -3, 0.1]";
        assert_eq!(results(".[]", text, &[]).0, ["1.0d", "16", "1e3d", "inf", "-3", "0.1d"]);
        let floats = results(".[] | . + 0", "[1.0, 0.1]", &[("floats", "true")]);
        assert_eq!(floats.0, ["1", "0.1"]);
        assert_eq!(results("1 / 3", "0", &[]).0, ["0.3333333333333333333333333333333333d"]);
    }

    #[test]
    fn inputs_variables_and_modules_reach_the_program() {
        assert_eq!(results("[., input]", "1\n--- 2\n", &[]).0, ["[1 2]"]);
        assert_eq!(results("$n", "1\n--- 2\n", &[]).0, ["1.50d", "1.50d"]);
        assert_eq!(results("import \"m\" as m; m::f", "1", &[]).0, ["7"]);
        assert_eq!(results(".", "1 2", &[("format", "json")]).0, ["1", "2"]);
        assert_eq!(results("1, halt, 2", "1\n--- 2\n", &[]).0, ["1"]);
        let once = [("null_input", "true")];
        assert_eq!(results("., [inputs]", "1\n--- 2\n", &once).0, ["null", "[1 2]"]);
        assert_eq!(results(".[]", "1\n--- 2\n", &[("slurp", "true")]).0, ["1", "2"]);
    }

    /// The results before invalid text are there although one document holds all of it.
    #[test]
    fn texts_are_read_entry_by_entry() {
        let (found, error) =
            results(".a[] | .b", r#"{"x": 0, "a": [{"b": 1}, {"b": 2}, }"#, &[("format", "json")]);
        assert_eq!(found, ["1", "2"]);
        assert!(error.contains("invalid-input") || error.starts_with("Text("), "{error}");
        let sum = results("[.[] | .n] | add", r#"[{"n": 1}, {"n": 2.5}]"#, &[("format", "json")]);
        assert_eq!(sum.0, ["3.5d"]);
        assert_eq!(results("first(.[])", "[1, 2", &[("format", "json")]).0, ["1"]);
        let (found, error) = results(".[]", "- 1\n- 2\n- [\n", &[]);
        assert_eq!(found, ["1", "2"]);
        assert!(error.starts_with("Text("), "{error}");
    }

    #[test]
    fn errors_have_a_kind_and_both_places() {
        let (found, error) = results(".[] | .prot", "- {port: 1}\n", &[("strict", "true")]);
        assert!(found.is_empty());
        assert!(error.starts_with("QueryError no-such-key: program:1:"), "{error}");
        assert!(error.ends_with("Did you mean `port`? The value is at input:1:3."), "{error}");
        let (_, error) = results("[range(1e9)]", "1", &[("max_steps", "1000")]);
        assert!(error.starts_with("LimitError too-many-steps: "), "{error}");
        let (_, error) = results("env", "1", &[]);
        assert!(error.starts_with("QueryError not-allowed: "), "{error}");
        let (found, error) = results(".", "1\n--- [\n", &[]);
        assert_eq!(found, ["1"]);
        assert!(error.starts_with("Text("), "{error}");
    }

    #[test]
    fn a_program_that_is_not_valid_has_a_place() {
        let refused = |program, modules| match Program::new(program, "", modules, false) {
            Err(Trouble::Program(fault)) => fault.raised().message,
            other => panic!("{other:?}"),
        };
        assert!(refused("1 |\n f(2)", "").starts_with("program:2:2: "));
        let wrong = refused("import \"m\" as m; 1", "m: 'def f: ;'");
        assert!(wrong.starts_with("m:1:8: "), "{wrong}");
        let missing = refused("import \"x\" as m; 1", "");
        assert!(missing.contains("there is no module `x`"), "{missing}");
    }

    #[test]
    fn an_edit_changes_only_what_the_program_changes() {
        let program = Program::new(".a += $n", "n: 2", "", false).unwrap();
        let edit = program.edit("a: 1   # one\nb: [ 2 ]\n", &Settings::default()).unwrap();
        assert_eq!(edit.text(), "a: 3   # one\nb: [ 2 ]\n");
        let program = Program::new("empty", "", "", false).unwrap();
        let Err(Trouble::Program(fault)) = program.edit("a: 1\n", &Settings::default()) else {
            panic!("it is edited");
        };
        assert_eq!(fault.raised().name, Some("result-count"));
    }

    #[test]
    fn an_interrupt_ends_a_run() {
        let mut settings = Settings::default();
        settings.parser.interrupt = Some(|| true);
        let program = Program::new("last(repeat(1))", "", "", false).unwrap();
        let mut session = program.run(Cursor::new("1"), settings);
        let Err(Trouble::Text(error)) = session.next() else { panic!("it goes on") };
        assert_eq!(error.problem(), Problem::Interrupted);
        assert!(matches!(session.next(), Ok(None)));
    }
}

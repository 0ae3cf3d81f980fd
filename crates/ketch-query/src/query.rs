//! Compiled programs, and their runs.

use crate::builtins::{self, PRELUDE};
use crate::compile::op::Op;
use crate::compile::{Code, CompileErrorKind, Program, compile};
use crate::error::{Failure, QueryError};
use crate::host::{Host, Limits, MessageOptions};
use crate::json::{Entry, Step};
use crate::load::{LoadError, load};
use crate::machine::Machine;
use crate::messages;
use crate::modules::{Modules, NoModules};
use crate::plan::Plan;
use crate::syntax::tree::{Span, Tree};
use crate::syntax::{self, SyntaxError};
use crate::value::{Source, Value};
use ketch_yaml::Documents;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A compiled program, which threads may share.
#[derive(Clone, Debug)]
pub struct Query {
    code: Arc<Code>,
    span: Span,
    text: Arc<str>,
    program: Arc<Program>,
    globals: Arc<[Arc<str>]>,
    /// How the input is read, and the code for entries, when it was asked for.
    plan: Arc<OnceLock<Planned>>,
}

/// How a program reads its input.
#[derive(Debug)]
struct Planned {
    plan: Plan,
    /// The code that reads entries, with the path to them.
    entries: Option<(Arc<Code>, Arc<[Step]>)>,
}

impl From<LoadError> for QueryError {
    fn from(error: LoadError) -> QueryError {
        match error {
            LoadError::Syntax(error, module) => syntax_error(error, module),
            LoadError::Import { span, message, module } => {
                QueryError { kind: "no-such-module", span, message, help: None, module }
            }
        }
    }
}

/// Returns an error of the syntax of the program or a module.
fn syntax_error(error: SyntaxError, module: Option<Arc<str>>) -> QueryError {
    let SyntaxError { span, message, help } = error;
    QueryError { kind: "syntax", span, message, help, module }
}

/// Returns the tree of the builtins in jq's language.
fn prelude() -> Arc<Tree> {
    static TREE: OnceLock<Arc<Tree>> = OnceLock::new();
    TREE.get_or_init(|| Arc::new(syntax::parse(PRELUDE).unwrap_or_default())).clone()
}

/// Returns the tree of those builtins in jq's language that `program` may use, if it is the first one
/// of the process. To parse all of them takes a tenth of the time of a command that reads a small file.
fn prelude_of_first(program: &str) -> Option<Arc<Tree>> {
    static IS_FIRST: AtomicBool = AtomicBool::new(true);
    let is_first = IS_FIRST.swap(false, Ordering::Relaxed);
    is_first.then(|| Arc::new(syntax::parse(&prelude_for(program)).unwrap_or_default()))
}

/// Returns the definitions of the prelude whose names are words of `program`, and those that these
/// use. A definition uses only itself and earlier ones.
fn prelude_for(program: &str) -> String {
    let words = |text| {
        let words = str::split(text, |ch: char| !ch.is_ascii_alphanumeric() && ch != '_');
        words.filter(|word| !word.is_empty())
    };
    let mut used: HashSet<&str> = words(program).chain(["recurse"]).collect();
    let mut wanted = Vec::new();
    for definition in PRELUDE.rsplit("\ndef ") {
        let mut all = words(definition);
        let name = all.next().filter(|name| definition.starts_with(name));
        if name.is_some_and(|name| used.contains(name)) {
            wanted.push(definition);
            used.extend(all);
        }
    }
    wanted.iter().rev().flat_map(|definition| ["\ndef ", definition]).collect()
}

impl Query {
    /// Compiles a program, which may use the variables `globals`, named without `$`.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the program, such as a function that is not defined.
    pub fn new(program: &str, globals: &[Arc<str>]) -> Result<Query, QueryError> {
        Query::with_modules(program, globals, &NoModules)
    }

    /// Compiles a program that may import modules.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the program or a module, or which module is missing.
    pub fn with_modules(
        program: &str,
        globals: &[Arc<str>],
        modules: &dyn Modules,
    ) -> Result<Query, QueryError> {
        let tree = syntax::parse(program).map_err(|error| syntax_error(error, None))?;
        let start = program.len() - program.trim_start().len();
        let end = program.trim_end().len().max(start);
        let span = Span { start: start as u32, end: end as u32 };
        let tree = Arc::new(tree);
        // `builtins` lists them all.
        let is_plain = tree.imports.is_empty() && !program.contains("builtins");
        let first = if is_plain { prelude_of_first(program) } else { None };
        let compiled = first.and_then(|first| {
            let program = load(vec![first, tree.clone()], modules).ok()?;
            Some((compile(&program, globals, None).ok()?, program))
        });
        let text = program.into();
        if let Some((code, program)) = compiled {
            return Ok(Query::compiled((code, program), (span, text), globals));
        }
        let program = load(vec![prelude(), tree], modules)?;
        let code = compile(&program, globals, None).map_err(|error| QueryError {
            kind: match error.kind {
                CompileErrorKind::UndefinedFunction => "undefined-function",
                CompileErrorKind::UndefinedVariable => "undefined-variable",
                CompileErrorKind::UndefinedLabel => "undefined-label",
                CompileErrorKind::TooLarge => "too-large",
            },
            span: error.span,
            message: error.message,
            help: error.help,
            module: program.names.get(error.tree as usize).cloned().flatten(),
        })?;
        Ok(Query::compiled((code, program), (span, text), globals))
    }

    /// Creates a query from a compiled program, and the place of its expression in its text.
    fn compiled(
        (code, program): (Code, Program),
        (span, text): (Span, Arc<str>),
        globals: &[Arc<str>],
    ) -> Query {
        Query {
            code: Arc::new(code),
            span,
            text,
            program: Arc::new(program),
            globals: globals.into(),
            plan: Arc::default(),
        }
    }

    /// Compiles messages, in which the names `globals` are bound.
    ///
    /// ```
    /// use ketch_query::{Limits, NoHost, Query, parse_json};
    ///
    /// let query = Query::parse_messages("items map(price * qty) sum", &[])?;
    /// let mut run = query.run(Vec::new(), Limits::default());
    /// run.start(parse_json(r#"{"items": [{"price": 12.50, "qty": 3}]}"#)?);
    /// assert_eq!(run.next(&mut NoHost).unwrap()?.to_json(), "37.50");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the query.
    pub fn parse_messages(query: &str, globals: &[Arc<str>]) -> Result<Query, QueryError> {
        let (code, span) = messages::compile(query, globals)?;
        let planned = Planned { plan: Plan::Document { span, is_input: false }, entries: None };
        Ok(Query {
            code: Arc::new(code),
            span,
            text: query.into(),
            program: Arc::default(),
            globals: globals.into(),
            plan: Arc::new(planned.into()),
        })
    }

    /// Returns the place of the whole program in its text, for errors about its results.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns whether the program reads comments, for which inputs need their text.
    pub fn reads_comments(&self) -> bool {
        ["comment", "line_comment"].iter().any(|name| {
            let native = builtins::native(name, 0);
            let is_call =
                |op: &Op| matches!(op, Op::Native { native: found, .. } if Some(*found) == native);
            self.code.ops.iter().any(is_call)
        })
    }

    /// Finds out how the program reads its input.
    fn planned(&self) -> &Planned {
        self.plan.get_or_init(|| {
            let plan = Plan::of(&self.program);
            let Plan::Entries(tree, source) = &plan else { return Planned { plan, entries: None } };
            let mut program = self.program.as_ref().clone();
            program.trees[1] = Arc::new(tree.clone());
            let path = source.steps.iter().map(|step| step.step.clone()).collect();
            let code = compile(&program, &self.globals, Some(source));
            let entries = code.ok().map(|code| (Arc::new(code), path));
            Planned { plan, entries }
        })
    }

    /// Describes how the program reads its input: a line such as `stream .items[]`, or `document` and a line with the part
    /// of the program that needs all of it.
    pub fn explain(&self) -> String {
        self.planned().plan.explain(&self.text)
    }

    /// Returns the path to the entries of the input that the program can read one by one, if it can.
    pub fn entry_path(&self) -> Option<Arc<[Step]>> {
        self.planned().entries.as_ref().map(|(_, path)| path.clone())
    }

    /// Starts a run that reads the input entry by entry, if the program can: from [`Host::entry`]. The value that such a run
    /// [starts](Run::start) with is not looked at.
    pub fn run_entries(&self, globals: Vec<Value>, limits: Limits) -> Option<Run> {
        let (code, _) = self.planned().entries.as_ref()?;
        Some(Run { code: code.clone(), machine: Machine::new(code.clone(), globals, limits) })
    }

    /// Starts a run with the values of the globals.
    pub fn run(&self, globals: Vec<Value>, limits: Limits) -> Run {
        Run { code: self.code.clone(), machine: Machine::new(self.code.clone(), globals, limits) }
    }
}

/// A run of a program on inputs, one after the other.
pub struct Run {
    code: Arc<Code>,
    machine: Machine,
}

impl Run {
    /// Takes the next input.
    pub fn start(&mut self, input: Value) {
        self.machine.start(input);
    }

    /// Sets whether missing keys are errors.
    pub fn set_strict(&mut self, is_strict: bool) {
        self.machine.is_strict = is_strict;
    }

    /// Sets what happens to missing values and ratios, of messages.
    pub fn set_messages(&mut self, options: MessageOptions) {
        self.machine.messages = options;
    }

    /// Returns the next output for the last input. After an error, there is none.
    pub fn next(&mut self, host: &mut dyn Host) -> Option<Result<Value, Failure>> {
        self.machine.next(host)
    }

    /// Finds the node that an error is about in an input that is the JSON text `text`, by running the program on its
    /// nodes. `steps` is the number of steps that lead to it, if it is an entry.
    pub(crate) fn locate(
        &self,
        failure: &mut Failure,
        text: &str,
        name: &Arc<str>,
        steps: Option<usize>,
    ) {
        let Some(Ok(document)) = Documents::new(text.as_bytes()).next_owned() else { return };
        let value = Arc::new(Source::new(document, name.clone(), 0)).root();
        let mut machine = self.machine.another(LOCATE_STEPS_MAX);
        let mut host = OneEntry(None);
        match steps {
            Some(steps) => {
                host.0 = Some(Entry { value, steps });
                machine.start(Value::Null);
            }
            None => machine.start(value),
        }
        let found = std::iter::from_fn(|| machine.next(&mut host)).find_map(Result::err);
        let is_same = |found: &Failure| (found.kind, found.at) == (failure.kind, failure.at);
        failure.place = found.filter(is_same).and_then(|found| found.place);
    }

    /// Returns the place in the program that an error is about, if it is in the program itself.
    pub fn span(&self, failure: &Failure) -> Option<Span> {
        let (tree, span) = *self.code.spans.get(failure.at? as usize)?;
        (tree == 1).then_some(span)
    }
}

/// The greatest number of steps for finding the node that an error is about.
const LOCATE_STEPS_MAX: u64 = 10_000_000;

/// Gives a run one entry.
struct OneEntry(Option<Entry>);

impl Host for OneEntry {
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        None
    }

    fn entry(&mut self) -> Option<Result<Entry, Failure>> {
        self.0.take().map(Ok)
    }

    fn message(&mut self, _: &str) {}

    fn input_name(&self) -> Option<Arc<str>> {
        None
    }

    fn environment(&self) -> Option<Value> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::host::NoHost;
    use crate::modules::{ModuleFile, ModuleRequest};

    #[test]
    fn the_builtins_that_a_program_may_use_are_enough_for_it() {
        let whole = prelude();
        assert!(prelude_for("The | . + 1").lines().count() < 5);
        syntax::parse(&prelude_for("The")).expect("definitions");
        for def in &whole.defs {
            let args = vec!["."; def.params.len()].join("; ");
            let call = if args.is_empty() {
                def.name.text.to_string()
            } else {
                format!("{}({args})", def.name.text)
            };
            let [few, all] = [prelude_for(&call), PRELUDE.to_owned()].map(|prelude| {
                let trees = [&prelude, &call].map(|text| Arc::new(syntax::parse(text).unwrap()));
                let program = load(trees.to_vec(), &NoModules).unwrap();
                compile(&program, &[], None).unwrap().ops.len()
            });
            assert_eq!(few, all, "{call}");
        }
    }

    /// Returns the outputs of a program on null, as JSON, and the error.
    fn outputs(program: &str, limits: Limits) -> (Vec<String>, Option<Failure>) {
        let query = Query::new(program, &[]).unwrap();
        let mut run = query.run(Vec::new(), limits);
        run.start(Value::Null);
        let mut found = Vec::new();
        while let Some(output) = run.next(&mut NoHost) {
            match output {
                Ok(value) => found.push(value.to_json()),
                Err(failure) => return (found, Some(failure)),
            }
        }
        (found, None)
    }

    fn error_kind(program: &str, limits: Limits) -> Kind {
        outputs(program, limits).1.unwrap_or_else(|| panic!("{program}")).kind
    }

    #[test]
    fn deep_values_need_no_deep_stack() {
        let deep = "reduce range(100000) as $_ (1; [.])";
        let object = "reduce range(100000) as $_ (1; {a: .})";
        let programs = [
            format!("{deep} | tojson | length"),
            format!("{deep} | tojson | fromjson | tojson | length"),
            format!("{deep} as $x | {deep} as $y | $x == $y, ([$x, $y] | sort | length)"),
            format!("{deep} as $x | $x | contains($x)"),
            format!("{object} as $x | $x | contains($x)"),
            format!("{object} as $x | $x * $x == $x"),
            format!("{deep} | flatten"),
            format!("{deep} | [..] | length"),
            format!("{deep} | [getpath([range(99999) | 0])] | length"),
            "setpath([range(100000) | 0]; 1) | [..] | length".to_owned(),
            format!("{deep} | delpaths([[range(100000) | 0]]) | tojson | length"),
            format!("{deep} | .[0][0] |= 1 | tojson | length"),
            format!("{object} | walk(.) | tojson | length"),
        ];
        let run = move || {
            for program in programs {
                let limits = Limits { steps: 40_000_000, ..Limits::default() };
                let (found, error) = outputs(&program, limits);
                assert!(!found.is_empty() && error.is_none(), "{program}: {error:?}");
            }
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run);
        thread.unwrap().join().unwrap();
    }

    #[test]
    fn deep_programs_need_no_deep_stack() {
        let programs = [
            format!("{}1{}", "[".repeat(60_000), "]".repeat(60_000)),
            format!("1{}", " | .".repeat(100_000)),
            format!("1{}", " + 1".repeat(100_000)),
            format!("{}1", "-".repeat(100_000)),
            format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
            format!("1{}", ", 1".repeat(100_000)),
            format!("{}1", "def f: 1; ".repeat(60_000)),
            format!("{}1{}", "try ".repeat(50_000), " catch .".repeat(50_000)),
        ];
        let run = move || {
            for program in programs {
                let (found, error) = outputs(&program, Limits::default());
                assert!(!found.is_empty() && error.is_none(), "{}: {error:?}", &program[..9]);
            }
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run);
        thread.unwrap().join().unwrap();
    }

    #[test]
    fn programs_may_be_too_large_to_compile() {
        let nested = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Query::new(&nested, &[]).unwrap_err().kind, "too-large");
        let calls = format!("def f(g): g; {}1{}", "f(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(Query::new(&calls, &[]).unwrap_err().kind, "too-large");
    }

    #[test]
    fn costly_programs_end_with_an_error() {
        let steps = Limits { steps: 100_000, ..Limits::default() };
        assert_eq!(error_kind("2 | pow(.; 1000000000)", steps), Kind::TooManyDigits);
        assert_eq!(error_kind("def f: 1 + f; f", Limits::default()), Kind::TooManyFrames);
        assert_eq!(error_kind("\"x\" * 1e10", steps), Kind::TooLarge);
        assert_eq!(error_kind("[range(1e9)]", steps), Kind::TooManySteps);
        assert_eq!(error_kind("last(repeat(1))", steps), Kind::TooManySteps);
        assert_eq!(error_kind("try (def f: f; f) catch .", steps), Kind::TooManySteps);
        assert_eq!(error_kind("[limit(3; range(1e9))] | .[1e9] = 1", steps), Kind::TooLarge);
        assert_eq!(outputs("[limit(3; repeat(1))]", steps).0, ["[1,1,1]"]);
    }

    #[test]
    fn nan_can_be_sorted() {
        let program = "[range(100) | if . % 3 == 0 then nan else 50 - . end]
            | sort, unique, group_by(.), unique_by(.), sort_by(-.), min, max | length?";
        let (found, error) = outputs(program, Limits::default());
        assert!(found.len() >= 6 && error.is_none(), "{found:?} {error:?}");
    }

    #[test]
    fn an_error_has_the_place_in_the_program() {
        let query = Query::new("1 | .a", &[]).unwrap();
        let mut run = query.run(Vec::new(), Limits::default());
        run.start(Value::Null);
        let failure = run.next(&mut NoHost).unwrap().unwrap_err();
        assert_eq!(run.span(&failure), Some(Span { start: 5, end: 6 }));
    }

    #[test]
    fn strict_runs_name_the_key_that_was_meant() {
        let query = Query::new(".prot", &[]).unwrap();
        let mut run = query.run(Vec::new(), Limits::default());
        run.set_strict(true);
        run.start(crate::json::parse_json("{\"port\": 1}").unwrap());
        let failure = run.next(&mut NoHost).unwrap().unwrap_err();
        assert_eq!((failure.kind, failure.nearest.as_deref()), (Kind::NoSuchKey, Some("port")));
    }

    /// Modules by their names.
    struct Fixed(&'static [(&'static str, &'static str)]);

    impl Modules for Fixed {
        fn source(&self, request: ModuleRequest<'_>) -> Result<ModuleFile, String> {
            let found = self.0.iter().find(|(name, _)| *name == request.path);
            let file = |(name, text): &(&str, &str)| ModuleFile {
                name: (*name).into(),
                text: (*text).to_owned(),
            };
            found.map(file).ok_or_else(|| format!("no `{}`", request.path))
        }
    }

    #[test]
    fn modules_are_found_by_the_caller() {
        let modules = Fixed(&[
            ("a", "import \"b\" as b; def f: b::g + 1;"),
            ("b", "def g: 1;"),
            ("d", "{\"x\": 5} 6"),
            ("self", "import \"self\" as s; def f: 1;"),
            ("wrong", "def f: ;"),
            ("undefined", "def f: h;"),
            ("main", "def f: 1; f"),
        ]);
        let compile = |program: &str| Query::with_modules(program, &[], &modules);
        let program =
            "import \"a\" as a; import \"d\" as $d; include \"b\"; [a::f, g, $d[0].x, $d::d[1]]";
        let mut run = compile(program).unwrap().run(Vec::new(), Limits::default());
        run.start(Value::Null);
        assert_eq!(run.next(&mut NoHost).unwrap().unwrap().to_json(), "[2,1,5,6]");
        let error = |program: &str| compile(program).unwrap_err();
        assert_eq!(error("import \"self\" as s; 1").kind, "no-such-module");
        assert_eq!(error("import \"none\" as s; 1").message, "no `none`");
        assert_eq!(error("import \"main\" as s; 1").module.as_deref(), Some("main"));
        assert_eq!(error("import \"wrong\" as s; 1").module.as_deref(), Some("wrong"));
        let undefined = error("import \"undefined\" as s; s::f");
        assert_eq!(
            (undefined.kind, undefined.module.as_deref()),
            ("undefined-function", Some("undefined"))
        );
    }
}

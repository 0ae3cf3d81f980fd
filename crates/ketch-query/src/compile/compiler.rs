//! The compiler: the functions of a program, and the tasks of each.

use super::op::{Address, Op, Slot};
use super::scope::{Meaning, OUTERMOST, Scope, Scopes};
use super::task::Task;
use super::types::EntryStep;
use super::types::{Code, CompileError, CompileErrorKind, Function, Imported, Program, Source};
use crate::json::Step;
use crate::syntax::tree::{Def, ExprId, ImportTarget, Span, Tree};
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// What compiling results in.
pub(super) type Result<T> = std::result::Result<T, CompileError>;

/// A function whose code is still to be compiled.
pub(super) struct Waiting {
    pub function: u32,
    pub tree: u16,
    pub level: u16,
    pub scope: Scope,
    pub body: ExprId,
    /// Parameters that are also variables: the slots of both.
    pub values: Vec<(u16, u16)>,
    pub slots: u16,
}

pub(super) struct Compiler<'p> {
    pub program: &'p Program,
    pub code: Code,
    pub scopes: Scopes,
    pub waiting: Vec<Waiting>,
    /// The addresses of labels.
    labels: Vec<u32>,
    texts: HashMap<Arc<str>, u32>,
    tasks: Vec<Task>,
    /// For each module, its number of a tree, with the scope of its definitions.
    modules: HashMap<u16, Scope>,
    pub tree: u16,
    pub level: u16,
    pub slots: u16,
    /// Where the entries of the input come from, if they are read one by one.
    entries: Option<&'p Source>,
    /// Whether a number did not fit an instruction.
    is_too_large: bool,
}

/// Compiles a program, which may use the variables `globals`, and which reads its input entry by entry if `entries` are
/// given.
pub fn compile(program: &Program, globals: &[Arc<str>], entries: Option<&Source>) -> Result<Code> {
    let mut compiler = Compiler {
        program,
        code: Code::default(),
        scopes: Scopes::default(),
        waiting: Vec::new(),
        labels: Vec::new(),
        texts: HashMap::new(),
        tasks: Vec::new(),
        modules: HashMap::new(),
        tree: 0,
        level: 0,
        slots: 0,
        entries,
        is_too_large: false,
    };
    compiler.run_program(globals)?;
    Ok(compiler.code)
}

impl Compiler<'_> {
    /// Compiles the main program and all functions that it uses.
    fn run_program(&mut self, globals: &[Arc<str>]) -> Result<()> {
        self.code.functions.push(Function { entry: 0, slots: 0 });
        let prelude = self.definitions(0, OUTERMOST);
        for &module in &self.program.order {
            let scope = self.imports(module, prelude)?;
            let scope = self.definitions(module, scope);
            self.modules.insert(module, scope);
        }
        let mut scope = prelude;
        for global in globals {
            let slot = self.new_slot();
            let meaning = Meaning::Variable { level: 0, slot };
            scope = self.scopes.bind(scope, global.clone(), 0, meaning);
        }
        let scope = self.imports(1, scope)?;
        let scope = self.definitions(1, scope);
        self.main(scope)?;
        while let Some(waiting) = self.waiting.pop() {
            self.function_body(waiting)?;
        }
        self.code.resolve_labels(&self.labels);
        Ok(())
    }

    /// Compiles the body of the main program.
    fn main(&mut self, scope: Scope) -> Result<()> {
        self.tree = 1;
        let body = self.source().body;
        let mut tasks: Vec<Task> =
            body.into_iter().map(|id| Task::Expr { id, scope, is_last: false }).collect();
        tasks.push(Task::Op(Op::End, Span::default()));
        self.push(tasks);
        self.run()?;
        self.code.functions[0].slots = self.slots;
        Ok(())
    }

    /// Binds what a tree imports.
    fn imports(&mut self, tree: u16, mut scope: Scope) -> Result<Scope> {
        let program = self.program;
        let source = &program.trees[tree as usize];
        let imported = program.imports.get(&tree).map_or(&[][..], Vec::as_slice);
        for (import, imported) in source.imports.iter().zip(imported) {
            scope = match (imported, &import.target) {
                (Imported::Data(value), ImportTarget::Data(name)) => {
                    self.imported_data(value, &name.text, scope)
                }
                (Imported::Module(module), ImportTarget::Module(name)) => {
                    self.exported(*module, scope, Some(&name.text))
                }
                (Imported::Module(module), _) => self.exported(*module, scope, None),
                _ => scope,
            };
        }
        Ok(scope)
    }

    /// Binds `$name` and `$name::name` to a file of data.
    fn imported_data(&mut self, value: &Value, name: &Arc<str>, scope: Scope) -> Scope {
        let constant = self.constant(value.clone());
        let qualified = format!("{name}::{name}").into();
        let scope = self.scopes.bind(scope, name.clone(), 0, Meaning::Constant(constant));
        self.scopes.bind(scope, qualified, 0, Meaning::Constant(constant))
    }

    /// Binds the definitions of a module under the names that its importer uses.
    fn exported(&mut self, module: u16, mut outer: Scope, prefix: Option<&str>) -> Scope {
        let program = self.program;
        let defs = &program.trees[module as usize].defs;
        let end = self.modules.get(&module).copied().unwrap_or(OUTERMOST);
        let first = end.wrapping_add(1).wrapping_sub(defs.len() as Scope);
        for (index, def) in defs.iter().enumerate() {
            let name = match prefix {
                Some(prefix) => format!("{prefix}::{}", def.name.text).into(),
                None => def.name.text.clone(),
            };
            let alias = Meaning::Alias(first + index as Scope);
            outer = self.scopes.bind(outer, name, def.params.len(), alias);
        }
        outer
    }

    /// Binds the definitions of a tree, each in the scope of those before it.
    fn definitions(&mut self, tree: u16, mut scope: Scope) -> Scope {
        let program = self.program;
        for def in &program.trees[tree as usize].defs {
            scope = self.definition(&Arc::new(def.clone()), tree, 0, scope);
        }
        scope
    }

    /// Binds a definition.
    pub fn definition(&mut self, def: &Arc<Def>, tree: u16, level: u16, scope: Scope) -> Scope {
        let meaning = Meaning::Function { def: def.clone(), tree, level, compiled: None };
        self.scopes.bind(scope, def.name.text.clone(), def.params.len(), meaning)
    }

    /// Returns the tree that is compiled.
    pub fn source(&self) -> Arc<Tree> {
        self.program.trees[self.tree as usize].clone()
    }

    /// Compiles a function that is called.
    pub fn function_body(&mut self, waiting: Waiting) -> Result<()> {
        let Waiting { function, tree, level, scope, body, values, slots } = waiting;
        (self.tree, self.level, self.slots) = (tree, level, slots);
        self.code.functions[function as usize].entry = self.code.ops.len() as u32;
        let mut tasks = Vec::new();
        for (parameter, variable) in values {
            let parameter = Slot { out: 0, index: parameter };
            tasks.push(Task::Op(Op::Sub, Span::default()));
            tasks.push(Task::Op(Op::CallParameter(parameter), Span::default()));
            tasks.push(Task::Op(Op::EndSub, Span::default()));
            tasks.push(Task::Op(Op::StoreBelow(variable), Span::default()));
        }
        tasks.push(Task::Expr { id: body, scope, is_last: true });
        tasks.push(Task::Op(Op::Return, Span::default()));
        self.push(tasks);
        self.run()?;
        self.code.functions[function as usize].slots = self.slots;
        Ok(())
    }

    /// Does all tasks.
    pub fn run(&mut self) -> Result<()> {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Expr { id, scope, is_last } => self.expr(id, scope, is_last)?,
                Task::Op(op, span) => self.emit(op, span),
                Task::Place(label) => self.labels[label as usize] = self.code.ops.len() as u32,
                Task::Pattern { id, names, scope } => self.pattern(id, &names, scope),
            }
        }
        if self.is_too_large {
            let message = "the program has too many variables, or is nested too deeply".to_owned();
            return Err(self.error(Span::default(), CompileErrorKind::TooLarge, message));
        }
        Ok(())
    }

    /// Adds tasks, to be done in their order before all others.
    pub fn push(&mut self, tasks: Vec<Task>) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Emits the instructions for the entries of the input, if those are the results of an expression. They are followed by
    /// those for the steps to them, which may fail.
    pub fn emit_entries(&mut self, id: ExprId) -> bool {
        let Some(source) = self.entries.filter(|source| source.at == id && self.tree == 1) else {
            return false;
        };
        let span = source.steps.last().map_or(Span::default(), |step| step.span);
        let steps = self.count(source.steps.len());
        self.emit(Op::Entries { steps }, span);
        for EntryStep { step, quiet, span } in &source.steps {
            let quiet = *quiet;
            let op = match step {
                Step::Each => Op::Each { quiet },
                Step::Key(name) => Op::Field { name: self.text(name), quiet },
            };
            self.emit(op, *span);
        }
        true
    }

    /// Appends an instruction.
    pub fn emit(&mut self, op: Op, span: Span) {
        self.code.ops.push(op);
        self.code.spans.push((self.tree, span));
    }

    /// Returns a new variable of the function.
    pub fn new_slot(&mut self) -> u16 {
        self.slots = self.next(self.slots);
        self.slots.saturating_sub(1)
    }

    /// Returns a count as instructions have it. If it does not fit, compiling fails.
    pub fn count(&mut self, count: usize) -> u16 {
        u16::try_from(count).unwrap_or_else(|_| {
            self.is_too_large = true;
            u16::MAX
        })
    }

    /// Returns the number after `number`, if instructions can have it. Otherwise, compiling fails.
    pub fn next(&mut self, number: u16) -> u16 {
        number.checked_add(1).unwrap_or_else(|| {
            self.is_too_large = true;
            number
        })
    }

    /// Returns a new label.
    pub fn label(&mut self) -> Address {
        self.labels.push(0);
        self.labels.len() as Address - 1
    }

    /// Adds a constant.
    pub fn constant(&mut self, value: Value) -> u32 {
        self.code.constants.push(value);
        self.code.constants.len() as u32 - 1
    }

    /// Adds a text, once.
    pub fn text(&mut self, text: &Arc<str>) -> u32 {
        if let Some(&known) = self.texts.get(text) {
            return known;
        }
        let constant = self.constant(Value::Text(text.clone()));
        self.texts.insert(text.clone(), constant);
        constant
    }

    /// Returns an error in the tree that is compiled.
    pub fn error(&self, span: Span, kind: CompileErrorKind, message: String) -> CompileError {
        CompileError { tree: self.tree, span, kind, message, help: None }
    }
}

//! Names of programs: calls, variables and labels.

use super::compiler::{Compiler, Result, Waiting};
use super::inlined::inlined;
use super::op::{Argument, Op, Slot};
use super::scope::{Meaning, Scope, Sort};
use super::task::{At, Task};
use super::types::{CompileError, CompileErrorKind, Function};
use crate::builtins;
use crate::nearest::nearest;
use crate::syntax::tree::{Def, Expr, ExprId, Name};
use std::sync::Arc;

impl Compiler<'_> {
    /// Returns the task for a variable.
    pub fn variable(&mut self, name: &Name, scope: Scope) -> Result<Task> {
        let found = self.scopes.find(scope, &name.text, Sort::Variable);
        match found.map(|at| self.scopes.meaning(at).clone()) {
            Some(Meaning::Variable { level, slot }) => {
                let out = self.level - level;
                return Ok(Task::Op(Op::Load(Slot { out, index: slot }), name.span));
            }
            Some(Meaning::Constant(constant)) => {
                return Ok(Task::Op(Op::Const(constant), name.span));
            }
            _ => {}
        }
        match builtins::variable(&name.text) {
            Some(native) => Ok(Task::Op(Op::Native { native, count: 0 }, name.span)),
            None => Err(self.undefined_variable(name, scope)),
        }
    }

    /// Returns the error for a variable that does not exist.
    fn undefined_variable(&self, name: &Name, scope: Scope) -> CompileError {
        let known = self.scopes.names(scope, true);
        let near = nearest(&name.text, known.iter().map(|(name, _)| &**name));
        let message = format!("the variable `${}` is not defined", name.text);
        let help = near.map(|near| format!("did you mean `${near}`?"));
        let error = self.error(name.span, CompileErrorKind::UndefinedVariable, message);
        CompileError { help, ..error }
    }

    /// Returns the slot of a label.
    pub fn find_label(&mut self, name: &Name, scope: Scope) -> Result<Slot> {
        let Some(at) = self.scopes.find(scope, &name.text, Sort::Label) else {
            let message = format!("no `label ${}` is around this `break`", name.text);
            return Err(self.error(name.span, CompileErrorKind::UndefinedLabel, message));
        };
        match *self.scopes.meaning(at) {
            Meaning::Label { level, slot } => Ok(Slot { out: self.level - level, index: slot }),
            _ => Ok(Slot { out: 0, index: 0 }),
        }
    }

    /// Compiles a call of a function, a parameter or a builtin.
    pub fn call(&mut self, name: &Name, args: &[ExprId], at: At) -> Result<()> {
        let is_literal = matches!(&*name.text, "true" | "false" | "null") && args.is_empty();
        if !is_literal
            && let Some(found) = self.scopes.find(at.scope, &name.text, Sort::Function(args.len()))
        {
            return self.call_defined(found, args, at);
        }
        if let Some(tasks) = inlined(self, &name.text, args, at) {
            self.push(tasks);
            return Ok(());
        }
        let Some(native) = builtins::native(&name.text, args.len()) else {
            return Err(self.undefined(name, args.len(), at.scope));
        };
        let mut tasks: Vec<Task> = args.iter().rev().flat_map(|&arg| at.sub(arg)).collect();
        tasks.push(at.op(Op::Native { native, count: args.len() as u8 }));
        self.push(tasks);
        Ok(())
    }

    /// Returns the error for a call of a function that does not exist.
    fn undefined(&self, name: &Name, arity: usize, scope: Scope) -> CompileError {
        let known = self.scopes.names(scope, false);
        let own = || known.iter().map(|(name, arity)| (&**name, *arity));
        let names =
            || own().chain(builtins::names().map(|(name, arity): (&str, usize)| (name, arity)));
        let mut arities: Vec<usize> =
            names().filter(|(known, _)| **known == *name.text).map(|(_, arity)| arity).collect();
        arities.sort_unstable();
        arities.dedup();
        let help = match arities.is_empty() {
            true => nearest(&name.text, names().map(|(name, _)| name))
                .map(|near| format!("did you mean `{near}`?")),
            false => {
                let arities: Vec<String> = arities.iter().map(usize::to_string).collect();
                Some(format!("`{}` takes {} arguments", name.text, arities.join(" or ")))
            }
        };
        let message = format!("the function `{}/{arity}` is not defined", name.text);
        CompileError { help, ..self.error(name.span, CompileErrorKind::UndefinedFunction, message) }
    }

    /// Compiles a call of what is bound at `found`.
    fn call_defined(&mut self, found: Scope, args: &[ExprId], at: At) -> Result<()> {
        match self.scopes.meaning(found).clone() {
            Meaning::Parameter { level, slot } => {
                let slot = Slot { out: self.level - level, index: slot };
                self.emit(Op::CallParameter(slot), at.span);
            }
            Meaning::Alias(found) => return self.call_defined(found, args, at),
            Meaning::Function { def, tree, level, compiled } => {
                let function = compiled.unwrap_or_else(|| self.function(found, &def, tree, level));
                let call = self.call_of(function, self.level - level, args, at);
                self.emit(call, at.span);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the instruction that calls a function.
    fn call_of(&mut self, function: u32, out: u16, args: &[ExprId], at: At) -> Op {
        let first = self.code.arguments.len() as u32;
        let own: Vec<Argument> = args.iter().map(|&arg| self.argument(arg, at.scope)).collect();
        let is_safe = own.iter().all(|arg| matches!(arg, Argument::Parameter(_)));
        self.code.arguments.extend(own);
        let count = self.count(args.len());
        match at.is_last && is_safe {
            true => Op::TailCall { function, out, args: first, count },
            false => Op::Call { function, out, args: first, count },
        }
    }

    /// Makes a function of a definition that is used for the first time.
    fn function(&mut self, at: Scope, def: &Arc<Def>, tree: u16, level: u16) -> u32 {
        let function = self.code.functions.len() as u32;
        let (params, level) = (self.count(def.params.len()), self.next(level));
        self.code.functions.push(Function { entry: 0, slots: params });
        if let Meaning::Function { compiled, .. } = self.scopes.meaning(at) {
            *compiled = Some(function);
        }
        let (mut scope, mut slots, mut values) = (at, params, Vec::new());
        for (slot, param) in def.params.iter().enumerate() {
            let slot = slot as u16;
            let meaning = Meaning::Parameter { level, slot };
            scope = self.scopes.bind(scope, param.name.text.clone(), 0, meaning);
            if param.is_variable {
                let meaning = Meaning::Variable { level, slot: slots };
                scope = self.scopes.bind(scope, param.name.text.clone(), 0, meaning);
                values.push((slot, slots));
                slots = self.next(slots);
            }
        }
        let body = def.body;
        self.waiting.push(Waiting { function, tree, level, scope, body, values, slots });
        function
    }

    /// Returns the argument for an expression: a parameter that is passed on, or a new function.
    fn argument(&mut self, arg: ExprId, scope: Scope) -> Argument {
        let tree = self.source();
        if let Expr::Call { name, args } = &tree.exprs[arg.0 as usize]
            && args.is_empty()
            && let Some(at) = self.scopes.find(scope, &name.text, Sort::Function(0))
            && let Meaning::Parameter { level, slot } = *self.scopes.meaning(at)
        {
            return Argument::Parameter(Slot { out: self.level - level, index: slot });
        }
        let function = self.code.functions.len() as u32;
        self.code.functions.push(Function { entry: 0, slots: 0 });
        let level = self.next(self.level);
        self.waiting.push(Waiting {
            function,
            tree: self.tree,
            level,
            scope,
            body: arg,
            values: Vec::new(),
            slots: 0,
        });
        Argument::Function(function)
    }
}

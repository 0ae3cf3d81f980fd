//! Builtins that the compiler makes of instructions.

use super::compiler::Compiler;
use super::op::Op;
use super::task::{At, Task};
use crate::builtins;
use crate::syntax::tree::ExprId;
use crate::value::Value;

/// Returns the tasks of a builtin that needs no call, if there is one with this name and these arguments.
pub(super) fn inlined(
    compiler: &mut Compiler<'_>,
    name: &str,
    args: &[ExprId],
    at: At,
) -> Option<Vec<Task>> {
    Some(match (name, args) {
        ("true", []) => constant(compiler, Value::Bool(true), at),
        ("false", []) => constant(compiler, Value::Bool(false), at),
        ("null", []) => constant(compiler, Value::Null, at),
        ("builtins", []) => {
            let names = names(compiler);
            constant(compiler, names, at)
        }
        ("empty", []) => vec![at.op(Op::Backtrack)],
        ("not", []) => vec![at.op(Op::Not)],
        ("error", []) => vec![at.op(Op::Error)],
        ("input", []) => vec![at.op(Op::Input)],
        ("error", &[message]) => with(at.untracked(message), [at.op(Op::Error)]),
        ("select", &[condition]) => with(at.sub(condition), [at.op(Op::BacktrackIfFalse)]),
        ("getpath", &[path]) => with(at.sub(path), [at.op(Op::GetPath)]),
        ("path", &[body]) => {
            vec![at.op(Op::Path { creates: false }), at.expr(body), at.op(Op::EndPath)]
        }
        ("map", &[body]) => {
            let each = at.op(Op::Each { quiet: false });
            let array = Op::NewArrayFrom(compiler.new_slot());
            compiler.collect_all(vec![each, at.expr(body)], array, at)
        }
        ("first", &[body]) => {
            let mark = compiler.new_slot();
            vec![at.op(Op::Mark(mark)), at.expr(body), at.op(Op::Cut(mark))]
        }
        ("range", &[to]) => {
            let zero = at.op(Op::Const(compiler.constant(0.into())));
            range(compiler, zero, to, None, at)
        }
        ("range", &[from, to]) => range(compiler, at.expr(from), to, None, at),
        ("range", &[from, to, by]) => range(compiler, at.expr(from), to, Some(by), at),
        _ => return None,
    })
}

/// Returns both groups of tasks.
fn with<const A: usize, const B: usize>(first: [Task; A], then: [Task; B]) -> Vec<Task> {
    first.into_iter().chain(then).collect()
}

/// Returns the task that makes the top a constant.
fn constant(compiler: &mut Compiler<'_>, value: Value, at: At) -> Vec<Task> {
    vec![at.op(Op::Const(compiler.constant(value)))]
}

/// Returns the tasks for `range(from; to; by)`, by one if nothing else is given.
fn range(
    compiler: &mut Compiler<'_>,
    from: Task,
    to: ExprId,
    by: Option<ExprId>,
    at: At,
) -> Vec<Task> {
    let one = || at.op(Op::Const(compiler.constant(1.into())));
    let by = by.map_or_else(one, |by| at.expr(by));
    let mut tasks = at.below(from).to_vec();
    tasks.extend(at.sub(to));
    tasks.extend(at.below(by));
    tasks.push(at.op(Op::Range));
    tasks
}

/// Returns the names of all builtins with their numbers of arguments, as `builtins` does.
fn names(compiler: &Compiler<'_>) -> Value {
    let defs = compiler.program.trees[0].defs.iter();
    let own = defs.map(|def| format!("{}/{}", def.name.text, def.params.len()));
    let natives = builtins::names().map(|(name, arity)| format!("{name}/{arity}"));
    let all = own.chain(natives).filter(|name| !name.starts_with('_'));
    Value::array(all.map(Value::from).collect())
}

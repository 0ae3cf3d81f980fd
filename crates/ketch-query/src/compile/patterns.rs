//! Bindings to patterns: `as`, `reduce` and `foreach`.

use super::compiler::{Compiler, Result};
use super::op::{Op, Slot};
use super::scope::{Meaning, Scope};
use super::task::{At, Names, Task};
use crate::syntax::tree::{
    BinaryOp, Expr, ExprId, Name, Pattern, PatternEntry, PatternId, Span, Tree,
};
use crate::value::Value;
use std::sync::Arc;

impl Compiler<'_> {
    /// Returns the tasks of an expression that binds variables.
    pub fn binding(&mut self, expr: &Expr, at: At) -> Result<Vec<Task>> {
        match expr {
            Expr::Reduce { source, patterns, init, update } => {
                self.reduce(*source, patterns, [*init, *update], at)
            }
            Expr::Foreach { source, patterns, init, update, extract } => {
                self.foreach(*source, patterns, [*init, *update], *extract, at)
            }
            Expr::Bind { source, patterns, body } => {
                let mut tasks = at.sub(*source).to_vec();
                tasks.push(at.op(Op::Swap));
                let scope = self.bind(patterns, &mut tasks, at);
                let is_last = at.is_last && patterns.len() == 1;
                tasks.push(Task::Expr { id: *body, scope, is_last });
                Ok(tasks)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the tasks for `reduce source as pattern (init; update)`.
    fn reduce(
        &mut self,
        source: ExprId,
        patterns: &[PatternId],
        [init, update]: [ExprId; 2],
        at: At,
    ) -> Result<Vec<Task>> {
        let (state, end) = (self.new_slot(), self.label());
        let take = at.op(Op::Take(Slot { out: 0, index: state }));
        let mut tasks = at.sub(init).to_vec();
        tasks.extend([Op::StoreBelow(state), Op::Fork(end), Op::Dup].map(|op| at.op(op)));
        tasks.push(at.expr(source));
        let scope = self.bind(patterns, &mut tasks, at);
        match added(&self.source(), update) {
            Some((right, span)) => {
                tasks.extend([at.op(Op::PushNull), at.within(scope).expr(right)]);
                tasks.push(Task::Op(Op::AddTo(state), span));
            }
            None => {
                tasks.extend([
                    take.clone(),
                    at.within(scope).expr(update),
                    at.op(Op::Store(state)),
                ]);
            }
        }
        tasks.extend([at.op(Op::Backtrack), Task::Place(end), take]);
        Ok(tasks)
    }

    /// Returns the tasks for `foreach source as pattern (init; update; extract)`.
    fn foreach(
        &mut self,
        source: ExprId,
        patterns: &[PatternId],
        [init, update]: [ExprId; 2],
        extract: Option<ExprId>,
        at: At,
    ) -> Result<Vec<Task>> {
        let state = self.new_slot();
        let mut tasks = at.sub(init).to_vec();
        tasks.extend([at.op(Op::StoreBelow(state)), at.op(Op::Dup)]);
        tasks.push(at.expr(source));
        let inner = at.within(self.bind(patterns, &mut tasks, at));
        tasks.push(at.op(Op::Take(Slot { out: 0, index: state })));
        tasks.extend([inner.expr(update), at.op(Op::Dup), at.op(Op::Store(state))]);
        tasks.extend(extract.map(|extract| inner.expr(extract)));
        Ok(tasks)
    }

    /// Adds the tasks that bind the top to one of `patterns` and take it, and returns the scope with their variables.
    fn bind(&mut self, patterns: &[PatternId], tasks: &mut Vec<Task>, at: At) -> Scope {
        let mut names = Names::new();
        patterns.iter().for_each(|&pattern| self.pattern_names(pattern, &mut names));
        let mut scope = at.scope;
        for (name, slot) in &names {
            let meaning = Meaning::Variable { level: self.level, slot: *slot };
            scope = self.scopes.bind(scope, name.clone(), 0, meaning);
        }
        let names = Arc::new(names);
        let body = self.label();
        let mut patterns = patterns.iter().peekable();
        let is_single = patterns.len() == 1;
        while let Some(&id) = patterns.next() {
            let bind = Task::Pattern { id, names: names.clone(), scope };
            if !is_single {
                tasks.extend(names.iter().map(|(_, slot)| at.op(Op::Clear(*slot))));
            }
            if patterns.peek().is_none() {
                tasks.push(bind);
                break;
            }
            let next = self.label();
            tasks.extend([at.op(Op::TryAlternative(next)), bind, at.op(Op::Jump(body))]);
            tasks.push(Task::Place(next));
        }
        tasks.push(Task::Place(body));
        scope
    }

    /// Adds a slot for each name of a pattern that has none yet.
    fn pattern_names(&mut self, pattern: PatternId, names: &mut Names) {
        let tree = self.source();
        let mut pending = vec![pattern];
        let mut found = Vec::new();
        while let Some(id) = pending.pop() {
            match &tree.patterns[id.0 as usize] {
                Pattern::Variable(name) => found.push(name.text.clone()),
                Pattern::Array(items) => pending.extend(items.iter().rev()),
                Pattern::Object(entries) => {
                    for entry in entries {
                        found.extend(entry.variable.iter().map(|name| name.text.clone()));
                        pending.extend(entry.value);
                    }
                }
            }
        }
        for name in found {
            if !names.iter().any(|(known, _)| *known == name) {
                names.push((name, self.new_slot()));
            }
        }
    }

    /// Adds the tasks that bind the top to a pattern and take it.
    pub fn pattern(&mut self, id: PatternId, names: &Arc<Names>, scope: Scope) {
        let tree = self.source();
        let at = At { span: Span::default(), scope, is_last: false };
        let mut tasks = Vec::new();
        match &tree.patterns[id.0 as usize] {
            Pattern::Variable(name) => {
                tasks.push(Task::Op(Op::Store(slot(names, name)), name.span));
            }
            Pattern::Array(items) => {
                for (index, &id) in items.iter().enumerate() {
                    let index = self.constant(Value::count(index));
                    tasks.extend(element(at.op(Op::Const(index)), at));
                    tasks.push(Task::Pattern { id, names: names.clone(), scope });
                }
                tasks.push(at.op(Op::Pop));
            }
            Pattern::Object(entries) => {
                for entry in entries {
                    let span = tree.spans[entry.key.0 as usize];
                    tasks.extend(pattern_entry(entry, names, At { span, ..at }));
                }
                tasks.push(at.op(Op::Pop));
            }
        }
        self.push(tasks);
    }
}

/// Returns what `update` adds to its input, if it is a variable or a field of one, and the place of the operator.
fn added(tree: &Tree, update: ExprId) -> Option<(ExprId, Span)> {
    let Expr::Binary(BinaryOp::Add, left, right) = tree.exprs[update.0 as usize] else {
        return None;
    };
    let mut at = right;
    while let Expr::Index { target, index } = &tree.exprs[at.0 as usize]
        && matches!(tree.exprs[index.0 as usize], Expr::Text(_))
    {
        at = *target;
    }
    let is_single = matches!(tree.exprs[at.0 as usize], Expr::Variable(_));
    let is_sum = is_single && matches!(tree.exprs[left.0 as usize], Expr::Identity);
    is_sum.then(|| (right, tree.spans[update.0 as usize]))
}

/// Returns the slot of a variable of a pattern.
fn slot(names: &Names, name: &Name) -> u16 {
    names.iter().find(|(known, _)| *known == name.text).map_or(0, |(_, slot)| *slot)
}

/// Returns the tasks that bind what an entry of a pattern is about.
fn pattern_entry(entry: &PatternEntry, names: &Arc<Names>, at: At) -> Vec<Task> {
    let mut tasks = element(at.expr(entry.key), at).to_vec();
    if let Some(name) = &entry.variable {
        tasks.extend(entry.value.is_some().then(|| at.op(Op::Dup)));
        tasks.push(Task::Op(Op::Store(slot(names, name)), name.span));
    }
    let nested = |id: PatternId| Task::Pattern { id, names: names.clone(), scope: at.scope };
    tasks.extend(entry.value.map(nested));
    tasks
}

/// Returns the tasks that put the element of the top at `key` on it.
fn element(key: Task, at: At) -> [Task; 5] {
    let [sub, key, end] = at.below(key);
    [at.op(Op::Dup), sub, key, end, at.op(Op::Index { quiet: false })]
}

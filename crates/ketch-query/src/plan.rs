//! How a program reads its input: entry by entry, or as a whole document.
//!
//! Entries are enough if the only thing that a program does with its input is to go along a path of keys to `.[]`, once:
//! in `.items[] | f`, in `reduce`, `foreach`, `first`, `limit` and others over such a stream, or where its results are
//! collected. So the search goes down from the whole program into the part that reads the input. If the rest does not
//! read it, the path in this part is where the entries come from.

use crate::compile::{EntryStep, Program, Source};
use crate::json::Step;
use crate::syntax::tree::{BinaryOp, Expr, ExprId, ImportTarget, Name, Pattern, Span, Tree};
use std::collections::HashSet;
use std::sync::Arc;

/// How a program reads its input.
#[derive(Debug)]
pub enum Plan {
    /// Entry by entry: the program, in which some parts are written otherwise, and where its entries come from.
    Entries(Tree, Source),
    /// As a whole document, for what is at this place in the program: an `input`, or what needs all of the document.
    Document { span: Span, is_input: bool },
}

impl Plan {
    /// Finds out how a program reads its input.
    pub fn of(program: &Program) -> Plan {
        let tree = &program.trees[1];
        let inputs = |tree: &Tree| {
            let is_input = |expr: &Expr| matches!(expr, Expr::Call { name, args } if args.is_empty() && matches!(&*name.text, "input" | "inputs"));
            tree.exprs.iter().position(is_input).map(|at| tree.spans[at])
        };
        let input = program.trees[1..].iter().find_map(|tree| inputs(tree));
        let whole = tree.body.map_or(Span::default(), |body| tree.spans[body.0 as usize]);
        if let Some(span) = input {
            return Plan::Document { span, is_input: true };
        }
        let Some(body) = tree.body else {
            return Plan::Document { span: whole, is_input: false };
        };
        let mut planner =
            Planner { own: own_names(tree), tree: tree.as_ref().clone(), steps: Vec::new() };
        match planner.search(body) {
            Ok(at) => Plan::Entries(planner.tree, Source { at, steps: planner.steps }),
            Err(at) => Plan::Document { span: planner.tree.spans[at.0 as usize], is_input: false },
        }
    }

    /// Describes the plan for the program `text`: a line that says what is read at once and, if that is a document, a line
    /// with the part of the program that needs it.
    pub fn explain(&self, text: &str) -> String {
        match self {
            Plan::Entries(_, source) => {
                let steps = source.steps.iter().map(|step| match &step.step {
                    Step::Each => "[]".to_owned(),
                    Step::Key(key) if is_name(key) => format!(".{key}"),
                    Step::Key(key) => format!(".{}", crate::Value::text(key.clone()).to_json()),
                });
                let path: String = steps.collect();
                let dot = if path.starts_with('.') { "" } else { "." };
                format!("stream {dot}{path}\n")
            }
            Plan::Document { span, is_input } => {
                const SHOWN_CHARS_MAX: usize = 40;
                let (start, end) = (span.start as usize, span.end as usize);
                let before = text.get(..start).unwrap_or_default();
                let what = text.get(start..end).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                let place = if line > 1 {
                    format!("line {line}, column {column}")
                } else {
                    format!("column {column}")
                };
                let why = if *is_input { "reads whole inputs" } else { "needs all of it" };
                match what.is_empty() {
                    true => "document\n".to_owned(),
                    false if what.chars().count() > SHOWN_CHARS_MAX => {
                        format!("document\n  the expression at {place} {why}\n")
                    }
                    false => format!("document\n  `{what}` at {place} {why}\n"),
                }
            }
        }
    }
}

/// Returns whether a key can be written after a dot without quotes.
fn is_name(key: &str) -> bool {
    let is_part = |ch: char| ch.is_ascii_alphanumeric() || ch == '_';
    key.chars().all(is_part) && !key.is_empty() && !key.starts_with(|ch: char| ch.is_ascii_digit())
}

/// Returns the functions that a program defines or may include.
fn own_names(tree: &Tree) -> Option<HashSet<(Arc<str>, usize)>> {
    if tree.imports.iter().any(|import| matches!(import.target, ImportTarget::All)) {
        return None;
    }
    let inner = tree.exprs.iter().filter_map(|expr| match expr {
        Expr::Def { def, .. } => Some(def.as_ref()),
        _ => None,
    });
    let defs = tree.defs.iter().chain(inner);
    Some(defs.map(|def| (def.name.text.clone(), def.params.len())).collect())
}

struct Planner {
    tree: Tree,
    /// The functions that are not those of jq; none if that is not known.
    own: Option<HashSet<(Arc<str>, usize)>>,
    /// The path so far.
    steps: Vec<EntryStep>,
}

/// A chain of steps from `.`.
struct Chain {
    steps: Vec<EntryStep>,
    /// The expression of the last `.[]`, and the number of steps up to it.
    each: Option<(ExprId, usize)>,
}

impl Planner {
    /// Finds the expression whose results are the entries, from `at` on. Otherwise, returns the one that needs all.
    fn search(&mut self, mut at: ExprId) -> Result<ExprId, ExprId> {
        loop {
            if let Some(chain) = self.chain(at) {
                let (each, count) = chain.each.ok_or(at)?;
                self.steps.extend(chain.steps.into_iter().take(count));
                return Ok(each);
            }
            at = match self.expr(at).clone() {
                Expr::Def { body, .. }
                | Expr::Label { body, .. }
                | Expr::Try { body, .. }
                | Expr::Negate(body)
                | Expr::Array(Some(body)) => body,
                Expr::Pipe(left, right) => self.pipe(left, right),
                Expr::Bind { source, body, .. } if self.is_closed(source) => body,
                Expr::Bind { source, body, .. } if self.is_closed(body) => source,
                Expr::Reduce { source, init, .. } | Expr::Foreach { source, init, .. } => {
                    if !self.is_closed(init) {
                        return Err(init);
                    }
                    source
                }
                Expr::Binary(operator, left, right) => {
                    self.operand(operator, left, right).ok_or(at)?
                }
                Expr::Call { name, args } => self.call(at, &name, &args).ok_or(at)?,
                Expr::Iterate(target) | Expr::Optional(target) => target,
                Expr::Index { target, index }
                    if self.is_constant(index)
                        && self.chain(target).is_none_or(|chain| chain.each.is_some()) =>
                {
                    target
                }
                _ => return Err(at),
            };
        }
    }

    fn expr(&self, id: ExprId) -> &Expr {
        &self.tree.exprs[id.0 as usize]
    }

    /// Adds an expression with the place of another.
    fn add(&mut self, expr: Expr, place: ExprId) -> ExprId {
        self.tree.exprs.push(expr);
        self.tree.spans.push(self.tree.spans[place.0 as usize]);
        ExprId(self.tree.exprs.len() as u32 - 1)
    }

    /// Returns the part of a pipe that reads the input.
    fn pipe(&mut self, left: ExprId, right: ExprId) -> ExprId {
        match self.chain(left) {
            Some(chain) if chain.each.is_none() => {
                self.steps.extend(chain.steps);
                self.tree.exprs[left.0 as usize] = Expr::Identity;
                right
            }
            _ => {
                self.fold_collected(left, right);
                left
            }
        }
    }

    /// Makes `reduce` of `[f] | add`, `[f] | length` and the same with `map`, so that nothing is collected.
    fn fold_collected(&mut self, left: ExprId, right: ExprId) {
        let next = match self.expr(right) {
            Expr::Pipe(next, _) => *next,
            _ => right,
        };
        let folds = ["add", "length"].into_iter().find(|name| self.is_builtin(next, name, 0));
        let Some(fold) = folds else { return };
        let source = match self.expr(left).clone() {
            Expr::Array(Some(body)) => body,
            Expr::Call { args, .. } if self.is_builtin(left, "map", 1) => {
                self.mapped(left, args[0])
            }
            _ => return,
        };
        self.tree.exprs[left.0 as usize] = self.fold(source, fold == "length", next);
        self.tree.exprs[next.0 as usize] = Expr::Identity;
    }

    /// Returns `.[] | body`.
    fn mapped(&mut self, place: ExprId, body: ExprId) -> ExprId {
        let each = self.each(place);
        self.add(Expr::Pipe(each, body), place)
    }

    /// Adds `.[]`.
    fn each(&mut self, place: ExprId) -> ExprId {
        let identity = self.add(Expr::Identity, place);
        self.add(Expr::Iterate(identity), place)
    }

    /// Returns the `reduce` that counts or adds all results of `source`.
    fn fold(&mut self, source: ExprId, counts: bool, place: ExprId) -> Expr {
        let span = self.tree.spans[place.0 as usize];
        let name = |text: &str| Name { text: text.into(), span };
        let (init, next) = match counts {
            true => (Expr::Number("0".into()), Expr::Number("1".into())),
            false => {
                (Expr::Call { name: name("null"), args: Vec::new() }, Expr::Variable(name("x")))
            }
        };
        self.tree.patterns.push(Pattern::Variable(name("x")));
        let pattern = crate::syntax::tree::PatternId(self.tree.patterns.len() as u32 - 1);
        let [init, next, sum] = [init, next, Expr::Identity].map(|expr| self.add(expr, place));
        let update = self.add(Expr::Binary(BinaryOp::Add, sum, next), place);
        Expr::Reduce { source, patterns: vec![pattern], init, update }
    }

    /// Returns the operand that reads the input, if the other is a constant.
    fn operand(&self, operator: BinaryOp, left: ExprId, right: ExprId) -> Option<ExprId> {
        match operator {
            BinaryOp::And | BinaryOp::Or => None,
            _ if self.is_constant(right) => Some(left),
            BinaryOp::Alternative => None,
            _ => self.is_constant(left).then_some(right),
        }
    }

    /// Returns the argument of a builtin that reads the input, once.
    fn call(&mut self, at: ExprId, name: &Name, args: &[ExprId]) -> Option<ExprId> {
        if !self.is_builtin(at, &name.text, args.len()) {
            return None;
        }
        match (&*name.text, args) {
            ("first" | "last" | "isempty", &[body]) => Some(body),
            ("any" | "all", &[source, _]) => Some(source),
            ("limit" | "skip" | "nth", &[count, body]) => self.is_constant(count).then_some(body),
            ("add", &[source]) => {
                self.tree.exprs[at.0 as usize] = self.fold(source, false, at);
                Some(source)
            }
            ("add", []) => {
                let source = self.each(at);
                self.tree.exprs[at.0 as usize] = self.fold(source, false, at);
                Some(source)
            }
            ("map", &[body]) => {
                let mapped = self.mapped(at, body);
                self.tree.exprs[at.0 as usize] = Expr::Array(Some(mapped));
                Some(mapped)
            }
            ("any" | "all", _) => {
                let source = self.each(at);
                let condition =
                    args.first().copied().unwrap_or_else(|| self.add(Expr::Identity, at));
                let args = vec![source, condition];
                self.tree.exprs[at.0 as usize] = Expr::Call { name: name.clone(), args };
                Some(source)
            }
            _ => None,
        }
    }

    /// Returns whether an expression calls this builtin.
    fn is_builtin(&self, at: ExprId, wanted: &str, arity: usize) -> bool {
        let Some(own) = &self.own else { return false };
        match self.expr(at) {
            Expr::Call { name, args } => {
                *name.text == *wanted
                    && args.len() == arity
                    && !own.contains(&(name.text.clone(), arity))
            }
            _ => false,
        }
    }

    /// Returns the steps that an expression consists of, if it is a chain of them.
    fn chain(&self, mut at: ExprId) -> Option<Chain> {
        let mut steps = Vec::new();
        let mut each = None;
        let (mut whole, mut quiet) = (at, false);
        loop {
            let span = self.tree.spans[at.0 as usize];
            let (step, target) = match self.expr(at) {
                Expr::Identity if !quiet => break,
                Expr::Optional(body) if !quiet => {
                    (whole, at, quiet) = (at, *body, true);
                    continue;
                }
                Expr::Iterate(target) => {
                    each = each.or(Some((whole, steps.len())));
                    (Step::Each, *target)
                }
                Expr::Index { target, index } => match self.expr(*index) {
                    Expr::Text(key) => (Step::Key(key.clone()), *target),
                    _ => return None,
                },
                _ => return None,
            };
            steps.push(EntryStep { step, quiet, span });
            (at, whole, quiet) = (target, target, false);
        }
        steps.reverse();
        let count = steps.len();
        Some(Chain { steps, each: each.map(|(at, after)| (at, count - after)) })
    }

    /// Returns whether an expression has one result that never changes.
    fn is_constant(&self, at: ExprId) -> bool {
        matches!(self.expr(at), Expr::Number(_) | Expr::Text(_) | Expr::Variable(_))
    }

    /// Returns whether an expression does not read its input.
    fn is_closed(&self, at: ExprId) -> bool {
        let mut pending = vec![at];
        while let Some(at) = pending.pop() {
            match self.expr(at) {
                Expr::Number(_) | Expr::Text(_) | Expr::Variable(_) | Expr::Location(_) => {}
                Expr::Break(_) | Expr::Array(None) => {}
                Expr::Array(Some(body))
                | Expr::Negate(body)
                | Expr::Optional(body)
                | Expr::Iterate(body) => {
                    pending.push(*body);
                }
                Expr::Interpolation { parts, .. } => pending.extend(parts),
                Expr::Index { target, index } => pending.extend([*target, *index]),
                Expr::Slice { target, from, to } => {
                    pending.push(*target);
                    pending.extend(from.iter().chain(to));
                }
                Expr::Object(entries) => {
                    pending.extend(entries.iter().flat_map(|(key, value)| [*key, *value]))
                }
                Expr::Pipe(left, _) => pending.push(*left),
                Expr::Comma(left, right) | Expr::Binary(_, left, right) => {
                    pending.extend([*left, *right])
                }
                Expr::Reduce { source, init, .. } | Expr::Foreach { source, init, .. } => {
                    pending.extend([*source, *init]);
                }
                Expr::Bind { source, body, .. } => pending.extend([*source, *body]),
                Expr::If { arms, otherwise: Some(otherwise) } => {
                    pending.extend(arms.iter().flat_map(|(condition, then)| [*condition, *then]));
                    pending.push(*otherwise);
                }
                Expr::Call { name, args } if self.is_builtin(at, &name.text, args.len()) => {
                    match &*name.text {
                        "true" | "false" | "null" | "empty" | "now" | "infinite" | "nan" => {}
                        "range" => pending.extend(args),
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

//! Trees as S-expressions, and as programs with all parentheses.

use super::super::*;

/// Walks a tree that is not deep.
pub(super) struct Dump<'t> {
    pub tree: &'t Tree,
}

/// The S-expression of a program, or the message of the error.
pub(super) fn dump(source: &str) -> String {
    match parse(source) {
        Ok(tree) => Dump { tree: &tree }.program(),
        Err(error) => format!("error: {}", error.message),
    }
}

impl Dump<'_> {
    /// The whole program.
    fn program(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.tree.metadata.map(|id| format!("(module {})", self.expr(id))));
        parts.extend(self.tree.imports.iter().map(|import| self.import(import)));
        parts.extend(self.tree.defs.iter().map(|def| self.def(def)));
        parts.extend(self.tree.body.map(|id| self.expr(id)));
        parts.join(" ")
    }

    /// `import` or `include`.
    fn import(&self, import: &Import) -> String {
        let target = match &import.target {
            ImportTarget::All => "*".to_owned(),
            ImportTarget::Module(name) => name.text.to_string(),
            ImportTarget::Data(name) => format!("${}", name.text),
        };
        let metadata = import.metadata.map(|id| format!(" {}", self.expr(id))).unwrap_or_default();
        format!("(import {:?} {target}{metadata})", import.path)
    }

    /// A definition.
    fn def(&self, def: &Def) -> String {
        let params: Vec<_> = def.params.iter().map(param).collect();
        format!("(def {} ({}) {})", def.name.text, params.join(" "), self.expr(def.body))
    }

    /// Expressions, each after a space.
    fn list(&self, ids: impl IntoIterator<Item = ExprId>) -> String {
        ids.into_iter().map(|id| format!(" {}", self.expr(id))).collect()
    }

    /// Patterns between `?//`.
    fn patterns(&self, ids: &[PatternId]) -> String {
        let all: Vec<_> = ids.iter().map(|id| self.pattern(*id)).collect();
        all.join(" ?// ")
    }

    /// A pattern.
    fn pattern(&self, id: PatternId) -> String {
        match &self.tree.patterns[id.0 as usize] {
            Pattern::Variable(name) => format!("${}", name.text),
            Pattern::Array(items) => {
                let items: Vec<_> = items.iter().map(|id| self.pattern(*id)).collect();
                format!("[{}]", items.join(" "))
            }
            Pattern::Object(entries) => {
                let entries: Vec<_> = entries.iter().map(|entry| self.entry(entry)).collect();
                format!("{{{}}}", entries.join(" "))
            }
        }
    }

    /// An entry of a pattern.
    fn entry(&self, entry: &PatternEntry) -> String {
        let variable =
            entry.variable.as_ref().map(|name| format!("${}=", name.text)).unwrap_or_default();
        let value = entry.value.map(|id| format!(":{}", self.pattern(id))).unwrap_or_default();
        format!("{variable}{}{value}", self.expr(entry.key))
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> String {
        use Expr::*;
        match self.tree.expr(id) {
            Identity => ".".to_owned(),
            RecurseDefault => "..".to_owned(),
            Number(text) => text.to_string(),
            Text(text) => format!("{text:?}"),
            Format(name) => format!("@{}", name.text),
            Break(name) => format!("(break ${})", name.text),
            Variable(name) => format!("${}", name.text),
            Location(line) => format!("(loc {line})"),
            Call { name, args } if args.is_empty() => name.text.to_string(),
            Call { name, args } => self.node(&name.text, args),
            Interpolation { format, parts } => {
                let format = format.as_ref().map(|name| format!("@{}", name.text));
                self.node(&format!("text{}", format.unwrap_or_default()), parts)
            }
            Index { target, index } => self.node("index", &[*target, *index]),
            Slice { target, from, to } => {
                let bound = |id: &Option<ExprId>| id.map_or("_".to_owned(), |id| self.expr(id));
                format!("(slice {} {} {})", self.expr(*target), bound(from), bound(to))
            }
            Iterate(target) => self.node("each", &[*target]),
            Optional(body) => self.node("?", &[*body]),
            Array(body) => format!("(array{})", self.list(*body)),
            Object(entries) => self.object(entries),
            Negate(body) => self.node("neg", &[*body]),
            Pipe(left, right) => self.node("|", &[*left, *right]),
            Comma(left, right) => self.node(",", &[*left, *right]),
            Binary(operator, left, right) => self.node(binary(*operator), &[*left, *right]),
            Update(operator, left, right) => self.node(&update(*operator), &[*left, *right]),
            _ => self.statement(id),
        }
    }

    /// An expression that begins with a word, or a binding.
    fn statement(&self, id: ExprId) -> String {
        use Expr::*;
        match self.tree.expr(id) {
            If { arms, otherwise } => {
                let arms = arms.iter().flat_map(|(condition, value)| [*condition, *value]);
                format!("(if{})", self.list(arms.chain(*otherwise)))
            }
            Try { body, handler } => {
                format!("(try{})", self.list([Some(*body), *handler].into_iter().flatten()))
            }
            Reduce { source, patterns, init, update } => {
                let head = format!("(reduce {} {}", self.expr(*source), self.patterns(patterns));
                format!("{head}{})", self.list([*init, *update]))
            }
            Foreach { source, patterns, init, update, extract } => {
                let head = format!("(foreach {} {}", self.expr(*source), self.patterns(patterns));
                let parts = [Some(*init), Some(*update), *extract];
                format!("{head}{})", self.list(parts.into_iter().flatten()))
            }
            Bind { source, patterns, body } => {
                let (source, body) = (self.expr(*source), self.expr(*body));
                format!("(as {source} {} {body})", self.patterns(patterns))
            }
            Label { name, body } => format!("(label ${} {})", name.text, self.expr(*body)),
            Def { def, body } => format!("(in {} {})", self.def(def), self.expr(*body)),
            other => unreachable!("{other:?}"),
        }
    }

    /// An object.
    fn object(&self, entries: &[(ExprId, ExprId)]) -> String {
        let entries: String = entries
            .iter()
            .map(|(key, value)| format!(" ({} {})", self.expr(*key), self.expr(*value)))
            .collect();
        format!("(object{entries})")
    }

    /// A name and expressions in parentheses.
    fn node(&self, name: &str, ids: &[ExprId]) -> String {
        format!("({name}{})", self.list(ids.iter().copied()))
    }
}

/// A parameter as it is written.
pub(super) fn param(param: &Param) -> String {
    format!("{}{}", if param.is_variable { "$" } else { "" }, param.name.text)
}

/// An operator as it is written.
pub(super) fn binary(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Alternative => "//",
    }
}

/// An assignment as it is written.
pub(super) fn update(operator: UpdateOp) -> String {
    match operator {
        UpdateOp::Assign => "=".to_owned(),
        UpdateOp::Update => "|=".to_owned(),
        UpdateOp::Arithmetic(operator) => format!("{}=", binary(operator)),
    }
}

//! Trees as programs with all parentheses, for a comparison of what jq makes of them and of the original.

use super::super::*;
use super::dump::{binary, param, update};

/// Prints a tree that is not deep.
pub(super) struct Print<'t> {
    pub tree: &'t Tree,
    pub source: &'t str,
}

impl Print<'_> {
    /// The whole program.
    pub fn program(&self) -> String {
        let mut text = String::new();
        if let Some(metadata) = self.tree.metadata {
            text += &format!("module {};", self.expr(metadata));
        }
        for import in &self.tree.imports {
            text += &self.import(import);
        }
        for def in &self.tree.defs {
            text += &self.def(def);
        }
        text + &self.tree.body.map(|id| self.expr(id)).unwrap_or_default()
    }

    /// `import` or `include`.
    fn import(&self, import: &Import) -> String {
        let path = quote(&import.path);
        let head = match &import.target {
            ImportTarget::All => format!("include {path}"),
            ImportTarget::Module(name) => format!("import {path} as {}", name.text),
            ImportTarget::Data(name) => format!("import {path} as ${}", name.text),
        };
        format!("{head} {};", import.metadata.map(|id| self.expr(id)).unwrap_or_default())
    }

    /// A definition.
    fn def(&self, def: &Def) -> String {
        let params: Vec<_> = def.params.iter().map(param).collect();
        let params =
            if params.is_empty() { String::new() } else { format!("({})", params.join(";")) };
        format!("def {}{params}: {};", def.name.text, self.expr(def.body))
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
                format!("[{}]", items.join(","))
            }
            Pattern::Object(entries) => {
                let entries: Vec<_> = entries.iter().map(|entry| self.entry(entry)).collect();
                format!("{{{}}}", entries.join(","))
            }
        }
    }

    /// An entry of a pattern.
    fn entry(&self, entry: &PatternEntry) -> String {
        let value = entry.value.map(|id| format!(":{}", self.pattern(id))).unwrap_or_default();
        match &entry.variable {
            Some(name) => format!("${}{value}", name.text),
            None => format!("{}{value}", self.expr(entry.key)),
        }
    }

    /// A string with interpolation.
    fn string(&self, format: &Option<Name>, parts: &[ExprId]) -> String {
        let format = format.as_ref().map(|name| format!("@{} ", name.text)).unwrap_or_default();
        let parts: String = parts
            .iter()
            .map(|id| match self.tree.expr(*id) {
                Expr::Text(_) => {
                    let span = self.tree.spans[id.0 as usize];
                    self.source[span.start as usize..span.end as usize].to_owned()
                }
                _ => format!("\\({})", self.expr(*id)),
            })
            .collect();
        format!("{format}\"{parts}\"")
    }

    /// An entry of an object.
    fn object_entry(&self, key: ExprId, value: ExprId) -> String {
        let span = self.tree.spans[key.0 as usize];
        let is_string = self.source[span.start as usize..].starts_with(['"', '@']);
        match self.tree.expr(value) {
            Expr::Index { index, .. } if *index == key && is_string => match self.tree.expr(key) {
                Expr::Interpolation { format, parts } => self.string(format, parts),
                _ => self.expr(key).trim_matches(['(', ')']).to_owned(),
            },
            _ => format!("({}): {}", self.expr(key), self.expr(value)),
        }
    }

    /// An expression in parentheses.
    pub fn expr(&self, id: ExprId) -> String {
        format!("({})", self.bare(id))
    }

    /// An expression without parentheses.
    fn bare(&self, id: ExprId) -> String {
        use Expr::*;
        let expr = |id: &ExprId| self.expr(*id);
        let option = |id: &Option<ExprId>| id.map(|id| self.expr(id)).unwrap_or_default();
        match self.tree.expr(id) {
            Identity => ".".to_owned(),
            RecurseDefault => "..".to_owned(),
            Number(text) => text.to_string(),
            Text(text) => quote(text),
            Interpolation { format, parts } => self.string(format, parts),
            Format(name) => format!("@{}", name.text),
            Index { target, index } => format!("{}[{}]", expr(target), expr(index)),
            Slice { target, from, to } => {
                format!("{}[{}:{}]", expr(target), option(from), option(to))
            }
            Iterate(target) => format!("{}[]", expr(target)),
            Array(body) => format!("[{}]", option(body)),
            Object(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(key, value)| self.object_entry(*key, *value)).collect();
                format!("{{{}}}", entries.join(","))
            }
            Optional(body) => format!("{}?", self.bare(*body)),
            Negate(body) => format!("-{}", expr(body)),
            Pipe(left, right) => format!("{}|{}", expr(left), expr(right)),
            Comma(left, right) => format!("{},{}", expr(left), expr(right)),
            Binary(operator, left, right) => {
                format!("{} {} {}", expr(left), binary(*operator), expr(right))
            }
            Update(operator, left, right) => {
                format!("{} {} {}", expr(left), update(*operator), expr(right))
            }
            Break(name) => format!("break ${}", name.text),
            Variable(name) => format!("${}", name.text),
            Location(line) => format!("{{\"file\": \"x\", \"line\": {line}}}"),
            Call { name, args } if args.is_empty() => name.text.to_string(),
            Call { name, args } => {
                let args: Vec<_> = args.iter().map(expr).collect();
                format!("{}({})", name.text, args.join(";"))
            }
            _ => self.statement(id),
        }
    }

    /// An expression that begins with a word, or a binding, without parentheses.
    fn statement(&self, id: ExprId) -> String {
        use Expr::*;
        let expr = |id: &ExprId| self.expr(*id);
        match self.tree.expr(id) {
            If { arms, otherwise } => {
                let arms: Vec<_> = arms
                    .iter()
                    .map(|(condition, value)| {
                        format!("if {} then {}", expr(condition), expr(value))
                    })
                    .collect();
                let otherwise = otherwise.map(|id| format!(" else {}", self.expr(id)));
                format!("{}{} end", arms.join(" el"), otherwise.unwrap_or_default())
            }
            Try { body, handler: None } => format!("try {}", expr(body)),
            Try { body, handler: Some(handler) } => {
                format!("try {} catch {}", expr(body), expr(handler))
            }
            Reduce { source, patterns, init, update } => {
                let patterns = self.patterns(patterns);
                let (source, init, update) = (expr(source), expr(init), expr(update));
                format!("reduce {source} as {patterns} ({init};{update})")
            }
            Foreach { source, patterns, init, update, extract } => {
                let patterns = self.patterns(patterns);
                let (source, init, update) = (expr(source), expr(init), expr(update));
                let extract = extract.map(|id| format!(";{}", self.expr(id))).unwrap_or_default();
                format!("foreach {source} as {patterns} ({init};{update}{extract})")
            }
            Bind { source, patterns, body } => {
                format!("{} as {} | {}", expr(source), self.patterns(patterns), expr(body))
            }
            Label { name, body } => format!("label ${} | {}", name.text, expr(body)),
            Def { def, body } => format!("{} {}", self.def(def), expr(body)),
            other => unreachable!("{other:?}"),
        }
    }
}

/// A string as it is written.
fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// The characters of a string as they are written.
fn escape(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '"' | '\\' | '\0'..' ' => format!("\\u{:04x}", u32::from(character)),
            _ => character.to_string(),
        })
        .collect()
}

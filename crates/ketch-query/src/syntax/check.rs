//! What must be constant in a program, and of which kind.

use super::error::SyntaxError;
use super::frame::Operand;
use super::tree::{Expr, ExprId, Tree};

impl Tree {
    /// An expression by its number.
    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}

/// Checks that a key in parentheses is not a constant other than a string.
pub(super) fn key(tree: &Tree, key: Operand) -> Result<(), SyntaxError> {
    let kind = match tree.expr(key.id) {
        Expr::Number(_) => "number",
        Expr::Array(_) if is_constant(tree, key.id) => "array",
        Expr::Object(_) if is_constant(tree, key.id) => "object",
        Expr::Call { name, args } if args.is_empty() => match &*name.text {
            "null" => "null",
            "true" | "false" => "boolean",
            _ => return Ok(()),
        },
        _ => return Ok(()),
    };
    let message = format!("the key of an object must be a string, but this is a constant {kind}");
    Err(SyntaxError::new(key.extent, message))
}

/// Checks that the metadata of a directive are a constant object.
pub(super) fn metadata(tree: &Tree, metadata: Operand) -> Result<(), SyntaxError> {
    let problem = match tree.expr(metadata.id) {
        _ if !is_constant(tree, metadata.id) => "the metadata must be constant",
        Expr::Object(_) | Expr::Location(_) => return Ok(()),
        _ => "the metadata must be an object",
    };
    Err(SyntaxError::new(metadata.extent, problem))
}

/// Whether an expression consists of literals only.
fn is_constant(tree: &Tree, id: ExprId) -> bool {
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        match tree.expr(id) {
            Expr::Number(_) | Expr::Text(_) | Expr::Location(_) | Expr::Array(None) => {}
            Expr::Call { name, args } if args.is_empty() => {
                if !matches!(&*name.text, "null" | "true" | "false") {
                    return false;
                }
            }
            Expr::Array(Some(body)) => pending.push(*body),
            Expr::Comma(left, right) => pending.extend([*left, *right]),
            Expr::Object(entries) => {
                for (key, value) in entries {
                    if !matches!(tree.expr(*key), Expr::Text(_)) {
                        return false;
                    }
                    pending.push(*value);
                }
            }
            _ => return false,
        }
    }
    true
}

//! Evaluating filters such as `[?name == "web" && ports[*] > 1024]`.

use super::compare::{self, Value};
use super::step::{Expression, Filter, Operator, Right, Source};
use crate::schema::Schema;
use regex_lite::Regex;
use std::borrow::Cow;
use std::cmp::Ordering;

/// A node, in the form in which filters compare it.
#[derive(Clone, Debug)]
pub enum Operand<'v> {
    /// A scalar, with its value and its text.
    Scalar(Value<'v>, Cow<'v, [u8]>),
    /// A sequence or a mapping, which is not equal to anything.
    Collection,
}

impl<'v> Operand<'v> {
    /// Creates the operand for a string.
    #[must_use]
    pub fn text(text: Cow<'v, [u8]>) -> Operand<'v> {
        Operand::Scalar(Value::Str(text.clone()), text)
    }

    /// Creates the operand for the plain scalar `source`, which `schema` resolves.
    #[must_use]
    pub fn plain(source: String, schema: Schema) -> Operand<'static> {
        Operand::Scalar(compare::plain(&source, schema), Cow::Owned(source.into_bytes()))
    }
}

impl Filter {
    /// Returns the filter in a form that can be applied to many nodes. Plain scalars in it are
    /// resolved by `schema`.
    #[doc(hidden)]
    #[must_use]
    pub fn matcher(&self, schema: Schema) -> Matcher {
        Matcher { condition: Condition::new(&self.expression, schema) }
    }
}

/// A [`Filter`] in a form that can be applied to many nodes.
#[derive(Debug)]
pub struct Matcher {
    condition: Condition,
}

/// An [`Expression`] whose scalars are resolved and whose patterns are compiled.
#[derive(Debug)]
enum Condition {
    Any(Vec<Condition>),
    All(Vec<Condition>),
    Not(Box<Condition>),
    Exists(Source),
    Compare(Source, Operator, Source),
    CompareTo(Source, Operator, Value<'static>),
    Matches(Source, Option<Regex>),
}

impl Condition {
    /// Creates the condition for `expression`: resolves its scalars by `schema`, and compiles its
    /// patterns.
    fn new(expression: &Expression, schema: Schema) -> Condition {
        let all = |parts: &[Expression]| -> Vec<Condition> {
            parts.iter().map(|part| Condition::new(part, schema)).collect()
        };
        match expression {
            Expression::Any(parts) => Condition::Any(all(parts)),
            Expression::All(parts) => Condition::All(all(parts)),
            Expression::Not(part) => Condition::Not(Box::new(Condition::new(part, schema))),
            Expression::Exists(source) => Condition::Exists(*source),
            Expression::Matches(source, pattern) => {
                // The parser of paths has checked that the pattern compiles.
                Condition::Matches(*source, Regex::new(pattern).ok())
            }
            Expression::Compare(left, operator, Right::Source(right)) => {
                Condition::Compare(*left, *operator, *right)
            }
            Expression::Compare(left, operator, Right::Text(text)) => {
                Condition::CompareTo(*left, *operator, compare::text(text))
            }
            Expression::Compare(left, operator, Right::Plain(text)) => {
                Condition::CompareTo(*left, *operator, compare::plain(text, schema))
            }
        }
    }
}

impl Matcher {
    /// Returns whether the filter accepts a node. It calls `find` to get the node's key, or the
    /// nodes to which one of its paths leads.
    ///
    /// # Errors
    ///
    /// Fails if `find` does.
    pub fn accepts<'v, E>(
        &self,
        find: &mut dyn FnMut(Source) -> Result<Vec<Operand<'v>>, E>,
    ) -> Result<bool, E> {
        accepts(&self.condition, find)
    }
}

/// Evaluates a condition. This may recurse, because the parser limits the depth of filters.
fn accepts<'v, E>(
    condition: &Condition,
    find: &mut dyn FnMut(Source) -> Result<Vec<Operand<'v>>, E>,
) -> Result<bool, E> {
    Ok(match condition {
        Condition::Any(parts) => {
            for part in parts {
                if accepts(part, find)? {
                    return Ok(true);
                }
            }
            false
        }
        Condition::All(parts) => {
            for part in parts {
                if !accepts(part, find)? {
                    return Ok(false);
                }
            }
            true
        }
        Condition::Not(part) => !accepts(part, find)?,
        Condition::Exists(source) => !find(*source)?.is_empty(),
        Condition::Matches(source, regex) => {
            let is_match = |operand: &Operand<'_>| match (operand, regex) {
                (Operand::Scalar(_, text), Some(regex)) => {
                    std::str::from_utf8(text).is_ok_and(|text| regex.is_match(text))
                }
                _ => false,
            };
            find(*source)?.iter().any(is_match)
        }
        Condition::CompareTo(left, operator, right) => {
            holds(*operator, &find(*left)?, std::slice::from_ref(&Some(right)))
        }
        Condition::Compare(left, operator, right) => {
            let (left, right) = (find(*left)?, find(*right)?);
            let right: Vec<_> = right.iter().map(value).collect();
            holds(*operator, &left, &right)
        }
    })
}

/// Returns the value of `operand`, or `None` if it is a collection.
fn value<'o, 'v>(operand: &'o Operand<'v>) -> Option<&'o Value<'v>> {
    match operand {
        Operand::Scalar(value, _) => Some(value),
        Operand::Collection => None,
    }
}

/// Returns whether a comparison holds for at least one pair of a left and a right operand. `!=`
/// holds if `==` does not hold for any pair.
fn holds(operator: Operator, left: &[Operand<'_>], right: &[Option<&Value<'_>>]) -> bool {
    if operator == Operator::NotEqual {
        return !holds(Operator::Equal, left, right);
    }
    let is_so = |left: &Value<'_>, right: &Value<'_>| match operator {
        Operator::Equal | Operator::NotEqual => compare::equals(left, right),
        Operator::Less => compare::order(left, right) == Some(Ordering::Less),
        Operator::Greater => compare::order(left, right) == Some(Ordering::Greater),
        Operator::LessOrEqual => compare::order(left, right).is_some_and(Ordering::is_le),
        Operator::GreaterOrEqual => compare::order(left, right).is_some_and(Ordering::is_ge),
    };
    let left = left.iter().filter_map(value);
    left.into_iter().any(|left| right.iter().flatten().any(|right| is_so(left, right)))
}

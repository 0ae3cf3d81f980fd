//! Advice on things that a node or a document cannot have twice.

use super::advice::Advice;
use super::quote::code;
use super::scene::{Scene, cut};
use crate::problem::Problem;

/// Advises on two anchors or two tags on one node.
pub(super) fn repeated(scene: &Scene<'_>) -> Option<Advice> {
    let first = scene.related?;
    let line = scene.line();
    let is_end = |ch: char| " \t\r\n,[]{}".contains(ch);
    let token = |at: usize| {
        let rest = cut(scene.text, at..);
        match rest.starts_with("!<") {
            true => cut(rest, ..rest.find('>').map_or(rest.len(), |at| at + 1)),
            false => cut(rest, ..rest.find(is_end).unwrap_or(rest.len())),
        }
    };
    let (one, other) = (token(first), token(scene.at));
    let name = if scene.problem == Problem::TwoAnchors { "anchors" } else { "tags" };
    let message = format!("two {name} on one node: {} and {}", code(one), code(other));
    let without = |at: usize, len: usize| {
        let rest = cut(scene.text, at + len..line.end()).trim_start();
        format!("{}{rest}", cut(scene.text, line.start..at))
    };
    let mut help = if line.start <= first {
        let (one, other) = (without(scene.at, other.len()), without(first, one.len()));
        format!("Keep one of them: {} or {}.", code(one.trim()), code(other.trim()))
    } else {
        let (fixed, number) = (without(scene.at, other.len()), scene.number(first));
        let (one, other) = (code(one), code(other));
        match fixed.trim() {
            "" => format!("Delete {other}, or {one} on line {number}."),
            fixed => {
                format!("Delete {other}: {}; or delete {one} on line {number}.", code(fixed))
            }
        }
    };
    if let (Problem::TwoAnchors, Some(name)) = (scene.problem, other.strip_prefix('&')) {
        let kept = one.trim_start_matches('&');
        help +=
            &format!(" Then use the name that you keep in the aliases `*{name}` and `*{kept}`.");
    }
    let label = format!("the second of the two {name}");
    Some(Advice::new(message, label, help).with(scene, first, one.len(), "the first"))
}

/// Advises on a second `%YAML` directive for one document.
pub(super) fn version_twice(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let first = scene.lines_above(line.start).find(|above| above.text.starts_with("%YAML"))?;
    let help = format!("Delete line {}.", scene.number(line.start));
    let advice =
        Advice::new("a second `%YAML` directive for one document", "the version is known", help);
    Some(advice.with(scene, first.start, first.text.trim_end().len(), "the first is here"))
}

//! Advice on things that a node or a document cannot have twice.

use super::advice::Advice;
use super::entry::without_comment;
use super::quote::{code, quoted};
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
    if !is_name(other) {
        return Some(operator(scene, first, other));
    }
    let name = if scene.problem == Problem::TwoAnchors { "anchors" } else { "tags" };
    let message = format!("two {name} on one node: {} and {}", code(one), code(other));
    let without = |at: usize, len: usize| {
        let rest = cut(scene.text, at + len..line.end()).trim_start();
        format!("{}{rest}", cut(scene.text, line.start..at))
    };
    let mut help = if line.start <= first {
        let fixed = [without(scene.at, other.len()), without(first, one.len())];
        let [one, other] = fixed.map(|fixed| code(fixed.trim()));
        format!("Keep one of them: {one} or {other}.")
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
    if scene.problem == Problem::TwoAnchors {
        help += &renamed(one, other);
    }
    let label = format!("the second of the two {name}");
    Some(Advice::new(message, label, help).with(scene, first, one.len(), "the first"))
}

/// Returns a sentence about the aliases of the anchors `one` and `other`, of which one is kept.
fn renamed(one: &str, other: &str) -> String {
    let [one, other] = [one, other].map(|anchor| anchor.trim_start_matches('&'));
    format!(" Then use the name that you keep in the aliases `*{other}` and `*{one}`.")
}

/// Returns whether `property` is an anchor or a tag, and not an operator.
fn is_name(property: &str) -> bool {
    let is_part = |ch: char| ch.is_alphanumeric() || "!_-.:/%#,<>".contains(ch);
    property != "&" && cut(property, 1..).chars().all(is_part)
}

/// Advises on a text that starts like an anchor or a tag, but contains an operator such as `&&`.
/// `first` is the offset of the text.
fn operator(scene: &Scene<'_>, first: usize, operator: &str) -> Advice {
    let line = scene.line_at(first);
    let text = without_comment(cut(line.text, first - line.start..));
    let (head, tail) =
        (cut(line.text, ..first - line.start), cut(scene.text, first + text.len()..line.end()));
    let kind = if text.starts_with('&') { "an anchor" } else { "a tag" };
    let start = cut(text, ..1);
    let message = format!("{} starts with `{start}`, which makes it {kind}", code(text));
    let fixed = code(&format!("{}{}{tail}", head.trim_start(), quoted(text)));
    let help = format!("If it is text, quote it: {fixed}.");
    let advice = Advice::new(message, format!("{} is not a name", code(operator)), help);
    advice.moved(scene, first, text.len(), "the text starts here")
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

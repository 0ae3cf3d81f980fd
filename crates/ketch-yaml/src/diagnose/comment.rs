//! Advice on comments in the form of other languages: `// c` and `/* c */`.

use super::advice::Advice;
use super::entry::without_comment;
use super::quote::{code, indented};
use super::scene::{Line, Scene, cut};
use crate::problem::Problem;

/// Advises on a line that is a comment of another language, or on such a comment at the error. The
/// line may be above the error if the two were read as one text.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    use Problem::*;
    let line = scene.line();
    if scene.at > line.body_at() && is_comment(cut(scene.text, scene.at..line.end())) {
        let is_after_value = matches!(
            scene.problem,
            ExpectedLineEnd | ExpectedCommaInSequence | ExpectedCommaInMapping | ExpectedFlowValue
        );
        return is_after_value.then(|| at_end(scene, line));
    }
    let above = scene.related.map(|related| scene.line_at(related)).filter(|above| *above != line);
    let near = above.filter(|above| scene.related == Some(above.body_at()));
    let start = [Some(line), near].into_iter().flatten().find(|line| is_comment(line.body()))?;
    Some(whole_lines(scene, start))
}

/// Returns whether `text` starts with a comment of another language.
fn is_comment(text: &str) -> bool {
    text.starts_with("//") || text.starts_with("/*")
}

/// Advises on a comment after a value.
fn at_end(scene: &Scene<'_>, line: Line<'_>) -> Advice {
    let (before, text) = line.text.split_at(scene.at - line.start);
    let fixed = format!("{} # {}", before.trim(), content(without_comment(text)));
    let help = format!("Comments start with `#`: {}.", code(&fixed));
    Advice::new(message(text), "expected `#`", help)
}

/// Advises on a comment that starts with the line `start`, and is alone on its lines.
fn whole_lines(scene: &Scene<'_>, start: Line<'_>) -> Advice {
    let body = start.body();
    let is_open = body.starts_with("/*") && !body.contains("*/");
    let mut lines = scene.lines_between(start.start, scene.at);
    let last = if is_open { lines.find(|line| line.body().ends_with("*/")) } else { None };
    let fixed = code(&indented(start.indent(), &format!("# {}", content(body))));
    let help = match last {
        Some(last) => format!(
            "Comments start with `#`: write one at the start of each of the lines {} to {}, as in {fixed}.",
            scene.number(start.start),
            scene.number(last.start)
        ),
        None => {
            format!("Comments start with `#`: write {fixed} on line {}.", scene.number(start.start))
        }
    };
    let advice = Advice::new(message(body), "this is not a comment either", help);
    let label = "expected `#`";
    if start == scene.line() {
        let advice = advice.at(scene, start.body_at(), body.len());
        return Advice { label: label.to_owned(), ..advice };
    }
    advice.moved(scene, start.body_at(), body.len(), label)
}

/// Returns the message about the comment `text`.
fn message(text: &str) -> String {
    format!("{} does not start a comment", code(cut(text, ..2)))
}

/// Returns the comment `text` without its marks.
fn content(text: &str) -> &str {
    let text = text.trim_start_matches(['/', '*']).trim_end();
    text.strip_suffix("*/").unwrap_or(text).trim_matches([' ', '\t', '*'])
}

//! Advice on tabs where only spaces are allowed.

use super::advice::Advice;
use super::entry::entry;
use super::quote::{code, indented, spaces};
use super::scene::{Scene, cut};

/// Advises on a misplaced tab, which is usually in the indentation.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let is_indentation = cut(line.text, ..scene.at - line.start).trim().is_empty();
    if !is_indentation {
        let (before, after) = line.text.split_at(scene.at - line.start);
        let fixed = format!("{before} {}", after.trim_start_matches(['\t', ' ']));
        let help = format!("Type a space instead of the tab: {}.", code(&fixed));
        let message = "a tab before a block collection";
        return Some(Advice::new(message, "expected a space", help));
    }
    let columns = wanted_columns(scene);
    let has_more =
        scene.lines_below(line).any(|line| line.text.trim_start_matches(' ').starts_with('\t'));
    let fixed = indented(columns, line.body());
    let help = format!(
        "{}: {}. YAML does not allow tabs as indentation{}.",
        match columns {
            0 => "Remove the tab".to_owned(),
            _ => format!("Type {} instead", spaces(columns)),
        },
        code(&fixed),
        if has_more { "; replace those in the lines below, too" } else { "" }
    );
    let advice = Advice::new("a tab is used for indentation", "expected spaces", help);
    Some(advice.with_line(scene, scene.line_above(line), "indent it relative to this line"))
}

/// Returns the column at which the line of the error was probably meant to start, judging by the
/// line above and by the number of tabs.
fn wanted_columns(scene: &Scene<'_>) -> usize {
    let line = scene.line();
    let Some(above) = scene.line_above(line) else { return 0 };
    let parent = entry(above);
    let opens = parent.value.is_empty() && (parent.key.is_some() || parent.dashes > 0)
        || parent.value.ends_with(['|', '>', '[', '{', ',']);
    let deeper = parent.column + 2;
    let is_item = entry(line).dashes > 0;
    let is_tabbed = above.text.starts_with('\t');
    match () {
        () if opens && !is_tabbed => deeper,
        () if is_tabbed => 2 * line.text.chars().take_while(|&ch| ch == '\t').count(),
        // An entry is beside the one above.
        () if is_item && parent.dashes > 0 => above.indent(),
        () => parent.column,
    }
}

//! Advice on files in other formats: XML, HTML, INI, TOML and properties.

use super::advice::Advice;
use super::entry::{colon, entry};
use super::quote::{code, indented, quoted};
use super::scene::{Line, Scene, cut};

/// Advises on a file that is in another format than YAML.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let first = first_line(scene)?;
    let advice = command(scene, first, line).or_else(|| markup(scene, first));
    advice.or_else(|| section(scene, first, line)).or_else(|| settings(scene, line))
}

/// Advises on a shell command that was copied with the text, on the first line or on that of the
/// error.
fn command(scene: &Scene<'_>, first: Line<'_>, line: Line<'_>) -> Option<Advice> {
    let is_beside = |line: Line<'_>| {
        let above = scene.line_above(line).map(entry);
        above.is_some_and(|above| above.column == 0 && !above.value.starts_with(['|', '>']))
    };
    let found = match is_command(first, true) {
        true => first,
        false => Some(line).filter(|&line| is_command(line, false) && is_beside(line))?,
    };
    let end = match found.body().split_once("<<") {
        Some((_, mark)) => {
            let mark = mark.trim_start_matches(['-', '"', '\'']);
            let end = mark.find(|ch: char| !ch.is_alphanumeric()).unwrap_or(mark.len());
            format!(", and the line {} below the text", code(&mark[..end]))
        }
        None => String::new(),
    };
    let message = format!("{} is a shell command, not YAML", code(found.body()));
    let help = format!("Delete line {}{end}.", scene.number(found.start));
    let (at, len, label) = (found.body_at(), found.body().len(), "delete this line");
    Some(match found == line {
        true => Advice::new(message, label, help).at(scene, at, len),
        false => Advice::new(message, "read as YAML up to this", help).moved(scene, at, len, label),
    })
}

/// Returns whether `line` starts with a prompt, or is a command that prints a file.
fn is_command(line: Line<'_>, is_first: bool) -> bool {
    let body = line.body();
    let is_prompt = body.split_once('$').is_some_and(|(before, rest)| {
        let is_end = rest.is_empty() || rest.starts_with(' ');
        is_end && (before.is_empty() || before.contains(['@', '~']))
    });
    let is_cat = body.starts_with("cat ") && body.contains(['.', '/', '<']);
    line.indent() == 0 && entry(line).key.is_none() && (is_prompt || is_first && is_cat)
}

/// Returns whether `line` is the first line of the input that has content.
pub(super) fn is_first_line(scene: &Scene<'_>, line: Line<'_>) -> bool {
    first_line(scene) == Some(line)
}

/// Returns the first line of the input that has content, if it is buffered.
fn first_line<'t>(scene: &Scene<'t>) -> Option<Line<'t>> {
    (scene.base == 0).then(|| scene.lines_between(0, scene.at).next())?
}

/// Advises on input that is XML or HTML.
fn markup(scene: &Scene<'_>, first: Line<'_>) -> Option<Advice> {
    let body = first.body().trim_start_matches('\u{feff}');
    let lower = body.get(..body.len().min(14)).unwrap_or(body).to_ascii_lowercase();
    let is_html = lower.starts_with("<!doctype html") || lower.starts_with("<html");
    let name = body.strip_prefix('<').unwrap_or_default();
    let is_element = name.starts_with(|ch: char| ch.is_ascii_alphabetic()) && body.ends_with('>');
    let is_xml = ["<?xml", "<!doctype", "<!--"].iter().any(|start| lower.starts_with(start));
    if !is_html && !is_xml && !is_element {
        return None;
    }
    let message = format!("this is {}, not YAML", if is_html { "HTML" } else { "XML or HTML" });
    let help = "Check that this is the right file, or convert it to YAML. To keep it as text, write \
                `text: |` above it and indent all its lines with 2 spaces.";
    let advice = Advice::new(message, "expected `key: value`", help);
    let at = first.body_at();
    Some(match first == scene.line() {
        true => advice,
        false => advice.moved(scene, at, first.end() - at, "a tag, not `key: value`"),
    })
}

/// Advises on a line `[section]` followed by a line `key = value`, which are INI or TOML.
fn section(scene: &Scene<'_>, first: Line<'_>, line: Line<'_>) -> Option<Advice> {
    let body = first.body();
    let is_section = body.starts_with('[') && body.ends_with(']') && !body.contains(',');
    let setting = setting(line).map(|(key, value)| format!("{key}: {value}"));
    let entry = setting.or_else(|| entry(line).key.map(|_| line.body().to_owned()))?;
    if !is_section || scene.line_above(line) != Some(first) {
        return None;
    }
    let section = body.trim_matches(['[', ']']);
    let help = format!(
        "Write {} on line {}, and {} on line {}.",
        code(&format!("{section}:")),
        scene.number(first.start),
        code(&indented(2, &entry)),
        scene.number(line.start)
    );
    let advice = Advice::new("this is INI or TOML, not YAML", "expected `key: value`", help);
    Some(advice.moved(scene, first.body_at(), body.len(), "a section, which YAML writes as a key"))
}

/// Advises on input in which all lines up to the error are `key = value`.
fn settings(scene: &Scene<'_>, line: Line<'_>) -> Option<Advice> {
    let mut lines = scene.lines_between(0, scene.at);
    let first = lines.next().filter(|&first| first != line)?;
    let (first_key, first_value) = setting(first)?;
    let (key, value) = setting(line)?;
    if !lines.all(|line| setting(line).is_some()) {
        return None;
    }
    let help = format!(
        "Write {} on line {}, {} on line {}, and the others in the same way.",
        code(&format!("{first_key}: {first_value}")),
        scene.number(first.start),
        code(&format!("{key}: {value}")),
        scene.number(line.start)
    );
    let message = "this is a file of `key = value`, not YAML";
    let advice = Advice::new(message, "this `:` is in a value", help);
    Some(advice.moved(scene, first.body_at(), first.body().len(), "YAML writes `key: value`"))
}

/// Returns the key and the value of a line `key = value`. The value is written as in YAML.
fn setting<'t>(line: Line<'t>) -> Option<(&'t str, String)> {
    let (key, value) = line.body().split_once('=')?;
    let (key, value) = (key.trim_end(), value.trim());
    let is_word = |ch: char| ch.is_alphanumeric() || "._-".contains(ch);
    if key.is_empty() || !key.chars().all(is_word) {
        return None;
    }
    let is_plain = colon(value).is_none() && !value.contains(" #");
    let is_closed = value.starts_with(['"', '\'', '[']) && is_plain;
    let needs_quotes =
        !is_closed && (!is_plain || value.starts_with(|ch| "\"'[]{}&*!|>%@`#,".contains(ch)));
    Some((key, if needs_quotes { quoted(value) } else { cut(value, ..).to_owned() }))
}

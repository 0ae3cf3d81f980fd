//! Translates expressions of yq for which there is a ketch command.

use super::words::Words;
use ketch::Value;
use ketch_yaml::path::Path;
use ketch_yaml::schema::needs_quotes;

/// The ketch command that an expression is translated to.
pub struct Translation {
    pub command: &'static str,
    pub arguments: Vec<String>,
    /// The files, if they are not those in the arguments of yq.
    pub files: Option<Vec<String>>,
    pub is_edit: bool,
}

/// Returns the translation to a command that does not edit files.
fn plain(command: &'static str, arguments: &[&str]) -> Translation {
    let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
    Translation { command, arguments, files: None, is_edit: false }
}

/// Returns the translation to a command that edits files.
fn edit(command: &'static str, arguments: &[&str]) -> Translation {
    Translation { is_edit: true, ..plain(command, arguments) }
}

/// Translates `words` to a ketch command. Returns `None` if there is no such command.
pub fn translate(words: &Words) -> Option<Translation> {
    let text = words.expression.trim();
    if let Some(name) = &words.split {
        return Some(match path(name) {
            Some(path) => plain("split", &["--name", &path]),
            None => plain("split", &[]),
        });
    }
    let found = whole(words, text).or_else(|| function(text)).or_else(|| comment(text));
    if found.is_some() || operator(text).is_some() {
        return found.or_else(|| assignment(text));
    }
    default(text).or_else(|| Some(plain("get", &[&path(text)?])))
}

/// Translates an expression that applies to whole files, as conversions and merges do. Returns
/// `None` for other expressions.
fn whole(words: &Words, text: &str) -> Option<Translation> {
    if let (true, [first, second]) = (words.is_all, &words.files[..])
        && text.split_whitespace().collect::<String>()
            == "select(fileIndex==0)*select(fileIndex==1)"
    {
        let merge = edit("merge", &[".", "--value-from", second]);
        return Some(Translation { files: Some(vec![first.clone()]), ..merge });
    }
    if text != "." {
        return None;
    }
    match (words.json, words.from_json) {
        (true, _) if words.is_compact => Some(plain("convert", &["--to", "json"])),
        (true, _) => Some(plain("convert", &["--to", "json", "--pretty"])),
        (_, true) => Some(plain("convert", &["--from", "json", "--to", "yaml"])),
        _ if words.is_all => Some(plain("collect", &[])),
        _ => None,
    }
}

/// Translates `del(PATH)`, `sort_keys(PATH)` and `has(KEY)`. Returns `None` for other expressions.
fn function(text: &str) -> Option<Translation> {
    let (name, inner) = call(text)?;
    match name {
        "del" | "delete" => {
            let paths = parts(inner, ',').into_iter().map(path).collect::<Option<Vec<_>>>()?;
            Some(match &paths[..] {
                [path] => edit("del", &[path]),
                paths => edit("del", &repeated(paths.iter().map(String::as_str))),
            })
        }
        "sort_keys" => Some(edit("sort", &[&path(inner)?])),
        "has" => {
            let key = string(inner)?;
            let is_name = |ch: char| ch.is_ascii_alphanumeric() || "_-".contains(ch);
            Some(match key.chars().all(is_name) {
                true => plain("get", &[&format!(".{key}")]),
                false => plain("get", &[&format!("[{inner}]")]),
            })
        }
        _ => None,
    }
}

/// Returns `words` with `-e` before each of them.
fn repeated<'w>(words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    words.flat_map(|word| ["-e", word]).collect()
}

/// Translates `PATH line_comment="TEXT"` and `PATH head_comment="TEXT"`. Returns `None` for other
/// expressions.
fn comment(text: &str) -> Option<Translation> {
    for (operator, options) in
        [("line_comment", &["--trailing"][..]), ("head_comment", &[]), ("headComment", &[])]
    {
        let Some((path_text, value)) = text.split_once(operator) else { continue };
        let value = value.trim_start().strip_prefix('=')?;
        let (path, value) = (path(path_text)?, string(value.trim())?);
        return Some(edit("comment", &[options, &[&*path, &*value]].concat()));
    }
    None
}

/// Translates `PATH = VALUE` and other assignments. Returns `None` for expressions that cannot be
/// translated.
fn assignment(text: &str) -> Option<Translation> {
    let (left, operator, right) = operator(text)?;
    let path = path(left)?;
    let (path, right) = (path.as_str(), right.trim());
    if let Some((function, inner)) = call(right) {
        let command = match operator {
            "=" | "|=" => "set",
            "*=" | "+=" => "merge",
            _ => return None,
        };
        return match function {
            "strenv" if command == "set" => Some(edit("set", &["--env", inner, path])),
            "env" if command == "set" => Some(edit("set", &["--env", inner, "--yaml", path])),
            "load" if command == "set" => {
                Some(edit("set", &["--value-from", &string(inner)?, "--yaml", path]))
            }
            "load" => Some(edit("merge", &[path, "--value-from", &string(inner)?])),
            _ => None,
        };
    }
    let is_value = |text: &str| !text.starts_with(['.', '$', '(']) && !text.contains('|');
    // In yq, a word without quotes is a function.
    let is_word = |text| matches!(ketch::from_str(text), Ok(Value::String(_)) | Err(_));
    if string(right).is_none() && (!is_value(right) || operator != "+=" && is_word(right)) {
        return None;
    }
    match operator {
        "=" | "|=" => Some(match string(right) {
            Some(text) if is_plain(&text) => edit("set", &[path, &text]),
            Some(text) => edit("set", &["--str", path, &text]),
            None => edit("set", &[path, right]),
        }),
        "+=" | "*=" if right.starts_with('{') => Some(edit("merge", &[path, right])),
        "+=" => {
            let items = right.strip_prefix('[')?.strip_suffix(']')?;
            let items = parts(items, ',');
            let items: Vec<String> = items
                .into_iter()
                .map(|item| {
                    string(item).filter(|text| is_plain(text)).unwrap_or(item.trim().into())
                })
                .collect();
            let pairs: Vec<String> = items.iter().map(|item| format!("{path}={item}")).collect();
            match &items[..] {
                [item] => Some(edit("append", &[path, item])),
                _ => Some(edit("append", &repeated(pairs.iter().map(String::as_str)))),
            }
        }
        _ => None,
    }
}

/// Returns whether `text`, written as YAML without quotes, is read as the same text again.
fn is_plain(text: &str) -> bool {
    let is_text = |value: Value| value.as_str() == Some(text);
    !text.starts_with('-')
        && !needs_quotes(text.as_bytes())
        && ketch::from_str(text).is_ok_and(is_text)
}

/// Translates `PATH // VALUE`. Returns `None` for other expressions.
fn default(text: &str) -> Option<Translation> {
    let (left, right) = text.split_once("//")?;
    let right = right.trim();
    let value = string(right).unwrap_or_else(|| right.to_owned());
    Some(plain("get", &[&path(left)?, "--default", &value]))
}

/// Returns the left side, the operator and the right side of the assignment that is not inside
/// brackets, or `None` if there is none.
fn operator(text: &str) -> Option<(&str, &'static str, &str)> {
    let at = outer(text).find(|&(at, ch)| {
        let before = text[..at].chars().next_back();
        ch == '='
            && !text[at + 1..].starts_with('=')
            && !matches!(before, Some('=' | '!' | '<' | '>'))
    });
    let (at, _) = at?;
    let right = &text[at + 1..];
    for (operator, sign) in [("|=", '|'), ("+=", '+'), ("*=", '*')] {
        if let Some(left) = text[..at].strip_suffix(sign) {
            return Some((left, operator, right));
        }
    }
    Some((&text[..at], "=", right))
}

/// Returns the characters of `text` that are outside brackets and quotes, with their offsets.
fn outer(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut depth, mut is_quoted, mut is_escaped) = (0i32, false, false);
    text.char_indices().filter(move |&(_, ch)| {
        if is_quoted {
            is_quoted = ch != '"' || is_escaped;
            is_escaped = ch == '\\' && !is_escaped;
            return false;
        }
        match ch {
            '"' => is_quoted = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => return depth == 0,
        }
        false
    })
}

/// Returns the parts of `text` that are separated by `separator`. Separators inside brackets and
/// quotes are ignored.
fn parts(text: &str, separator: char) -> Vec<&str> {
    let ends = outer(text).filter(|&(_, ch)| ch == separator).map(|(at, _)| at);
    let mut start = 0;
    let mut parts: Vec<&str> = Vec::new();
    for end in ends.collect::<Vec<_>>() {
        parts.push(&text[start..end]);
        start = end + separator.len_utf8();
    }
    parts.push(&text[start..]);
    parts
}

/// Returns the name and the argument of a call `name(argument)`, or `None` if `text` is not a call.
fn call(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (name, rest) = text.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    let is_name = name.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_');
    let is_one = outer(text).all(|(at, _)| at < name.len());
    (is_name && is_one).then_some((name, inner.trim()))
}

/// Returns the content of `text` if that is a string in double quotes.
fn string(text: &str) -> Option<String> {
    let text = text.trim();
    let is_quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    if is_quoted { serde_json::from_str(text).ok() } else { None }
}

/// Returns a pipeline of paths and calls of `select` as one path for ketch, or `None` if that is
/// not possible.
fn path(text: &str) -> Option<String> {
    let mut text = text.trim();
    if let Some(("", inner)) = call(text) {
        text = inner;
    }
    let mut out = String::new();
    // The key that must come next, after a `select` with `has` in a descent.
    let mut wanted: Option<String> = None;
    for part in parts(text, '|') {
        let part = part.trim().trim_end_matches('?');
        if let Some(key) = wanted.take() {
            (part == format!(".{key}")).then(|| out.push_str(part))?;
        } else if let Some(key) = has(part).filter(|_| out == ".") {
            wanted = Some(key);
        } else if let Some(("select", condition)) = call(part) {
            select(&mut out, condition)?;
        } else if part == ".." {
            // Only a key can follow.
            out.push('.');
        } else if !part.starts_with(['.', '[']) || outer(part).any(|(_, ch)| ch.is_whitespace()) {
            // After a blank, there is a function, such as `style`.
            return None;
        } else if part != "." || out.is_empty() {
            out.push_str(part.strip_prefix('.').filter(|_| part.starts_with(".[")).unwrap_or(part));
        }
    }
    if parts(text, '|').last().is_some_and(|last| last.trim() == "..") {
        return None;
    }
    let out = without_items_of_slices(out);
    (wanted.is_none() && out.parse::<Path>().is_ok()).then_some(out)
}

/// Returns the key in `select(has("key"))`, or `None` if `part` is something else.
fn has(part: &str) -> Option<String> {
    let ("select", condition) = call(part)? else { return None };
    let ("has", key) = call(condition)? else { return None };
    string(key)
}

/// Returns `path` with each `[]` after a slice removed: in ketch, a slice selects items, but in yq,
/// it selects a sequence of them.
fn without_items_of_slices(mut path: String) -> String {
    let mut from = 0;
    while let Some(found) = path[from..].find("][]") {
        let end = from + found + 1;
        let slice = path[..end].rsplit('[').next().and_then(|slice| slice.strip_suffix(']'));
        let is_bound = |ch: char| ch.is_ascii_digit() || ch == '-';
        let is_slice = slice
            .and_then(|slice| slice.split_once(':'))
            .is_some_and(|(first, last)| first.chars().all(is_bound) && last.chars().all(is_bound));
        if is_slice {
            path.replace_range(end..end + 2, "");
        }
        from = end;
    }
    path
}

/// Adds the condition of a `select` to the path in `out`. Returns `None` if a path cannot express
/// it.
fn select(out: &mut String, condition: &str) -> Option<()> {
    let condition = condition.trim();
    let (left, right) = condition.split_once("==")?;
    let (left, right) = (left.trim(), right.trim());
    if matches!(left, "documentIndex" | "document_index" | "di") {
        right.parse::<u32>().ok()?;
        out.insert_str(0, &format!("@{right}"));
        return Some(());
    }
    let left = left.strip_prefix('.')?;
    let left = if left.is_empty() { "." } else { left };
    let filter = format!("[?{left} == {right}]");
    if out.is_empty() {
        out.push('@');
        out.push_str(&filter);
        return Some(());
    }
    let base = out.strip_suffix("[]").or_else(|| out.strip_suffix("[*]"))?.to_owned();
    *out = format!("{base}{filter}");
    Some(())
}

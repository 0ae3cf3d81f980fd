//! Creates the error for a path that leads to nothing. It says how far the path led, and what is
//! there instead.

use super::outline;
use crate::args::{GetArgs, Shape};
use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::shell;
use crate::status::Failure;
use ketch_query::Query;
use ketch_yaml::Location;
use ketch_yaml::compose::{Kind, Reached};
use ketch_yaml::path::{Documents, Path, Step};

/// Returns the failure for `path`, which leads to nothing in `file`. `reached` is how far it led,
/// if there was a document.
pub fn failure((args, file): (&GetArgs, &str), path: &Path, reached: Option<&Reached>) -> Failure {
    let chosen = match path.documents() {
        Some(Documents::Index(number)) => Some(*number),
        _ => args.document,
    };
    let diagnostic = match (reached, chosen, path.documents()) {
        (Some(reached), ..) => there_is((args, file), path, reached),
        (None, Some(number), _) => {
            sentence(file, format!("there is no document {number}, counted from 0"))
        }
        (None, None, Some(Documents::Filter(_))) => {
            sentence(file, format!("no document matches `{}`", path.prefix(0)))
        }
        (None, None, _) => sentence(file, "there is no document".to_owned()),
    };
    Failure::Missing(Box::new(diagnostic))
}

/// Returns the failure for `path`, a YPath, which leads to nothing in `file`.
pub fn for_ypath(file: &str, path: &str) -> Failure {
    let message = format!("there is nothing at the YPath `{path}`");
    Failure::Missing(Box::new(sentence(file, message)))
}

/// Returns a diagnostic for `file` without an excerpt, whose message says that nothing was found.
fn sentence(file: &str, message: String) -> Diagnostic {
    Diagnostic::sentence(file, "NotFound", "semantic", message)
}

/// Returns a diagnostic that shows `path`, with a caret under the step that leads to nothing.
fn there_is((args, file): (&GetArgs, &str), path: &Path, reached: &Reached) -> Diagnostic {
    let file = file_name::shown(file);
    let text = path.to_string();
    let end = |steps: usize| match (steps, path.documents()) {
        (0, None) => 0,
        _ => path.prefix(steps).to_string().len(),
    };
    let (start, end) = (end(reached.steps), end(reached.steps + 1));
    let is_separated = text[start..].starts_with(['.', '/']) && end > start + 1;
    let start = start + usize::from(is_separated);
    let mut diagnostic = sentence("PATH", format!("{file} has nothing at this path"));
    diagnostic.location = Some(Location::in_text(text.as_bytes(), start as u64, end - start));
    diagnostic.label = reached.shown(path).into();
    let merge = || merge_help(args, reached);
    let step = path.steps().get(reached.steps);
    let typed = args.path.as_deref().unwrap_or(&text);
    let is_program = typed.contains(['|', '(', ',']) || is_function(path);
    let query = || query_help(args, typed).filter(|_| is_program);
    diagnostic.help =
        default_help(&text).or_else(|| help(step, reached)).or_else(merge).or_else(query);
    diagnostic
}

/// Returns whether `path` is only the name of a function of jq's language, such as `keys`.
fn is_function(path: &Path) -> bool {
    matches!(path.steps(), [Step::Name(name)] if Query::new(name, &[]).is_ok())
}

/// Returns a sentence that suggests `--default` for `path` if it has a default value as in jq.
pub fn default_help(path: &str) -> Option<String> {
    let (path, value) = path.split_once(" // ").filter(|(path, _)| !path.contains(['"', '\'']))?;
    let value = value.trim().trim_matches('"');
    let command = shell::line(["ketch", "get", path.trim(), "--default", value]);
    Some(format!("A default value is an option: `{command}`."))
}

/// Returns a sentence that shows the command which runs `program`, if it is one in jq's language.
pub fn query_help(args: &GetArgs, program: &str) -> Option<String> {
    Query::new(program, &[]).ok()?;
    let options = [(args.raw, "-r"), (args.join, "-j"), (args.to == Shape::Json, "-c")];
    let options = options.iter().filter(|(is_given, _)| *is_given).map(|(_, option)| *option);
    let files = args.files.iter().map(String::as_str).filter(|file| *file != "-");
    let command = ["ketch", "q"].into_iter().chain(options).chain([program]).chain(files);
    Some(format!("This is a program in jq's language: `{}`.", shell::line(command)))
}

/// Returns a sentence that suggests a similar key, or a step that fits the kind of the node, or
/// `None`.
fn help(step: Option<&Step>, reached: &Reached) -> Option<String> {
    match (step?, reached.kind) {
        (Step::Name(name) | Step::Key(name), Kind::Mapping) => {
            let near = nearest(name, &reached.keys)?;
            let is_name = near
                .parse()
                .is_ok_and(|path: Path| matches!(path.steps(), [Step::Name(name)] if name == near));
            let is_other = matches!(step, Some(Step::Key(name)) if name == near);
            let scalar = outline::scalar_step(near).filter(|_| is_other);
            let key = scalar.unwrap_or_else(|| Step::Key(near.to_owned()));
            let quoted = || Path::default().then(key).to_string();
            let near = if is_name { near.to_owned() } else { quoted() };
            Some(format!("Did you mean `{near}`?"))
        }
        (Step::Name(_) | Step::Key(_), Kind::Sequence) => {
            Some("Select an entry with [0] or [-1], or all entries with [*].".to_owned())
        }
        (Step::Index(index), Kind::Mapping) if reached.keys.contains(&index.to_string()) => {
            Some(format!("This key is text: `[\"{index}\"]`."))
        }
        (Step::Index(_), Kind::Sequence) => {
            Some("Entries count from 0; [-1] is the last one.".to_owned())
        }
        _ => None,
    }
}

/// Returns a sentence that suggests `--merge` if the key may be in a mapping that a merge key would
/// merge.
fn merge_help(args: &GetArgs, reached: &Reached) -> Option<String> {
    let merges = args.compose_options().merges();
    let has_merge_key = reached.kind == Kind::Mapping && reached.keys.iter().any(|key| key == "<<");
    (has_merge_key && !merges)
        .then(|| "It has a key `<<`: `--merge` includes the entries that it refers to.".to_owned())
}

/// Returns the key whose spelling is most similar to `name`, or `None` if none is similar enough.
fn nearest<'k>(name: &str, keys: &'k [String]) -> Option<&'k str> {
    let alike = |key: &&'k String| strsim::normalized_damerau_levenshtein(name, key);
    let fold = |text: &str| text.trim_start_matches('.').to_lowercase();
    if let Some(same) = keys.iter().find(|key| fold(key) == fold(name)) {
        return Some(same);
    }
    keys.iter()
        .map(|key| (key, alike(&key)))
        .filter(|(_, alike)| *alike >= 0.6)
        .max_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(key, _)| key.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_keys_are_found() {
        let keys = ["containers", "replicas", "Image"].map(str::to_owned);
        assert_eq!(nearest("contaners", &keys), Some("containers"));
        assert_eq!(nearest("image", &keys), Some("Image"));
        assert_eq!(nearest("ports", &keys), None);
        assert_eq!(nearest("x", &[".x".to_owned()]), Some(".x"));
    }
}

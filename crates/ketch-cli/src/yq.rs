//! Translates commands of yq to commands of ketch.

mod expression;
mod words;

use crate::shell;
use expression::{Translation, translate};
use ketch_query::Query;
use words::Words;

/// Returns the ketch command that does the same as yq with `arguments`, or `None` if they are not
/// arguments of yq or there is no such command.
pub fn command(arguments: &[String]) -> Option<String> {
    let words = Words::of(arguments)?;
    match translate(&words) {
        Some(translation) => Some(shown(&words, translation)),
        None => as_query(&words),
    }
}

/// Returns the command that runs the expression as a program, if it is one.
fn as_query(words: &Words) -> Option<String> {
    let is_plain = words.split.is_none() && !words.is_all;
    Query::new(&words.expression, &[]).ok().filter(|_| is_plain)?;
    let options = [
        (words.in_place, &["-i"][..]),
        (words.raw, &["-r"]),
        (words.from_json, &["--from", "json"]),
        (words.json, &["--to", "json"]),
        (words.is_compact, &["-c"]),
    ];
    let given = options.iter().filter(|(is_given, _)| *is_given);
    let options = given.flat_map(|(_, option)| option.iter().copied());
    let files = words.files.iter().map(String::as_str);
    let all = ["ketch", "q"].into_iter().chain(options).chain([words.expression.as_str()]);
    Some(shell::line(all.chain(files)))
}

/// Returns the command as a line for a shell.
fn shown(words: &Words, translation: Translation) -> String {
    let Translation { command, mut arguments, files, is_edit } = translation;
    let mut all = vec!["ketch".to_owned(), command.to_owned()];
    if is_edit && words.in_place {
        all.push("-i".to_owned());
    }
    if command == "get" {
        if words.raw {
            all.extend(["--to".to_owned(), "raw".to_owned()]);
        } else if words.json {
            all.extend(["--to".to_owned(), "json".to_owned()]);
        }
    }
    all.append(&mut arguments);
    all.extend(files.unwrap_or_else(|| words.files.clone()));
    shell::line(all.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::command;

    fn of(line: &[&str]) -> Option<String> {
        command(&line.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn yq_expressions_are_translated() {
        for (words, expected) in [
            (&[".a.b", "f.yml"][..], "ketch get .a.b f.yml"),
            (&["yq", "-r", ".a[0]", "f.yml"], "ketch get --to raw '.a[0]' f.yml"),
            (&["eval", ".a[]", "f.yml"], "ketch get '.a[]' f.yml"),
            (&[".a[-1]", "f.yml"], "ketch get '.a[-1]' f.yml"),
            (&[".a[1:3]", "f.yml"], "ketch get '.a[1:3]' f.yml"),
            (&[".a | .[1:] | .[]", "f.yml"], "ketch get '.a[1:]' f.yml"),
            (&[".a[1:-1][][]", "f.yml"], "ketch get '.a[1:-1][]' f.yml"),
            (&[".. | select(has(\"b\")) | .b", "f.yml"], "ketch get ..b f.yml"),
            (&[".a.\"b.c\"", "f.yml"], "ketch get '.a.\"b.c\"' f.yml"),
            (&[".a // \"x\"", "f.yml"], "ketch get .a --default x f.yml"),
            (&["-i", ".a.b = 3", "f.yml"], "ketch set -i .a.b 3 f.yml"),
            (&[".a = \"1.10\"", "f.yml"], "ketch set --str .a 1.10 f.yml"),
            (&[".a = \"x y\"", "f.yml"], "ketch set .a 'x y' f.yml"),
            (&[".a |= 3", "f.yml"], "ketch set .a 3 f.yml"),
            (&["-i", ".a = strenv(TAG)", "f.yml"], "ketch set -i --env TAG .a f.yml"),
            (&[".a = env(TAG)", "f.yml"], "ketch set --env TAG --yaml .a f.yml"),
            (&[".a = load(\"g.yml\")", "f.yml"], "ketch set --value-from g.yml --yaml .a f.yml"),
            (&["-i", "del(.a.b)", "f.yml"], "ketch del -i .a.b f.yml"),
            (&["del(.a, .b)", "f.yml"], "ketch del -e .a -e .b f.yml"),
            (&["-i", ".a += [\"x\"]", "f.yml"], "ketch append -i .a x f.yml"),
            (&[".a += [1, 2]", "f.yml"], "ketch append -e .a=1 -e .a=2 f.yml"),
            (&[".a += {\"b\": 1}", "f.yml"], "ketch merge .a '{\"b\": 1}' f.yml"),
            (&[". *= load(\"g.yml\")", "f.yml"], "ketch merge . --value-from g.yml f.yml"),
            (
                &["eval-all", "select(fileIndex == 0) * select(fileIndex == 1)", "f.yml", "g.yml"],
                "ketch merge . --value-from g.yml f.yml",
            ),
            (
                &[".a[] | select(.name == \"x\") | .image", "f.yml"],
                "ketch get '.a[?name == \"x\"].image' f.yml",
            ),
            (
                &["-i", "(.a[] | select(.name == \"x\") | .port) = 80", "f.yml"],
                "ketch set -i '.a[?name == \"x\"].port' 80 f.yml",
            ),
            (&["select(.kind == \"S\") | .m", "f.yml"], "ketch get '@[?kind == \"S\"].m' f.yml"),
            (&["select(documentIndex == 1)", "f.yml"], "ketch get @1 f.yml"),
            (&["select(di == 1) | .a", "f.yml"], "ketch get @1.a f.yml"),
            (&[".. | .image?", "f.yml"], "ketch get ..image f.yml"),
            (&["-o=json", ".", "f.yml"], "ketch convert --to json --pretty f.yml"),
            (&["-o", "json", "-I0", ".", "f.yml"], "ketch convert --to json f.yml"),
            (&["-p", "json", "-P", ".", "f.json"], "ketch convert --from json --to yaml f.json"),
            (&["-o=json", ".a", "f.yml"], "ketch get --to json .a f.yml"),
            (&["sort_keys(.a)", "f.yml"], "ketch sort .a f.yml"),
            (&["-s", ".kind", "f.yml"], "ketch split --name .kind f.yml"),
            (&["-s", "$index", "f.yml"], "ketch split f.yml"),
            (&[".a line_comment=\"x y\"", "f.yml"], "ketch comment --trailing .a 'x y' f.yml"),
            (&[".a head_comment=\"x\"", "f.yml"], "ketch comment .a x f.yml"),
            (&["eval-all", ".", "f.yml", "g.yml"], "ketch collect f.yml g.yml"),
            (&["has(\"a\")", "f.yml"], "ketch get .a f.yml"),
        ] {
            assert_eq!(of(words).as_deref(), Some(expected), "{words:?}");
        }
    }

    #[test]
    fn functions_without_a_command_have_none() {
        for expression in [".a style=\"double\"", ".. style=\"\"", "sort_keys(..)", ".a tag"] {
            assert_eq!(of(&[expression, "f.yml"]), None, "{expression}");
        }
        assert_eq!(of(&[".a = true", "f.yml"]).as_deref(), Some("ketch set .a true f.yml"));
    }

    #[test]
    fn other_expressions_are_programs() {
        for (words, expected) in [
            (&[".a | length", "f.yml"][..], Some("ketch q '.a | length' f.yml")),
            (&["yq", "keys", "f.yml"], Some("ketch q keys f.yml")),
            (&["-r", ".a | map(.b)", "f g.yml"], Some("ketch q -r '.a | map(.b)' 'f g.yml'")),
            (&["-i", ".a |= sort_by(.b)", "f.yml"], Some("ketch q -i '.a |= sort_by(.b)' f.yml")),
            (&[".a = .b", "f.yml"], Some("ketch q '.a = .b' f.yml")),
            (
                &["-o=json", "-I0", ".a | add", "f.yml"],
                Some("ketch q --to json -c '.a | add' f.yml"),
            ),
            (&["length", "f.yml"], None),
        ] {
            assert_eq!(of(words).as_deref(), expected, "{words:?}");
        }
    }

    #[test]
    fn other_arguments_are_not_translated() {
        for words in [
            &["conver", "f.yml"][..],
            &["--nosuch"],
            &["to_entries", "f.yml"],
            &[".a[", "f.yml"],
            &["f.yml"],
            &[],
        ] {
            assert_eq!(of(words), None, "{words:?}");
        }
    }
}

//! Tests of typical mistakes: `ketch check` prints the expected message for each, and if the input
//! is fixed as the message says, it has the intended value.
//!
//! Each file in `mistakes/` contains the mistakes of one kind, in YAML or, if its name starts with
//! the name of a format and `_`, in that format. Each mistake has the input, the
//! message, the input fixed exactly as the help says, and its value as JSON with one line for each
//! document. The mistake is on the first line that the fixed input changes, unless another line is
//! given. `<CR>` is a carriage return. If the environment variable `UPDATE_MISTAKES` is set, the
//! messages in the files are rewritten, and their diff must be reviewed. The fixed inputs are only
//! changed by hand.

mod common;

use common::Sandbox;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A typical mistake.
struct Mistake {
    title: String,
    input: String,
    /// The line of the mistake, if it is not the first line that the repair changes.
    line: Option<usize>,
    message: String,
    repair: String,
    value: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes")
}

/// Returns all mistakes, grouped by the file that contains them.
fn mistakes() -> BTreeMap<PathBuf, Vec<Mistake>> {
    let files = fs::read_dir(folder()).expect("the mistakes");
    let files = files.map(|file| file.expect("a file").path());
    files
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a file of text");
            let cases = text.split("%%% case: ").skip(1).map(parse).collect();
            (path, cases)
        })
        .collect()
}

fn parse(case: &str) -> Mistake {
    let (title, rest) = case.split_once('\n').expect("a title");
    let (input, rest) = rest.split_once("%%% message\n").expect("a message");
    let (message, rest) = rest.split_once("%%% repair\n").expect("a repair");
    let (repair, value) = rest.split_once("%%% value\n").expect("a value");
    let input = input.strip_prefix("%%% input\n").expect("an input");
    let (input, line) = match input.split_once("%%% line\n") {
        Some((input, line)) => (input, Some(line.trim_end().parse().expect("a line number"))),
        None => (input, None),
    };
    Mistake {
        title: title.to_owned(),
        input: input.replace("<CR>", "\r"),
        line,
        message: message.to_owned(),
        repair: repair.replace("<CR>", "\r"),
        value: value.trim_end().to_owned(),
    }
}

fn write(path: &Path, cases: &[Mistake]) {
    let shown = |text: &str| text.replace('\r', "<CR>");
    let cases = cases.iter().map(|case| {
        format!(
            "%%% case: {}\n%%% input\n{}{}%%% message\n{}%%% repair\n{}%%% value\n{}\n",
            case.title,
            shown(&case.input),
            case.line.map_or(String::new(), |line| format!("%%% line\n{line}\n")),
            case.message,
            shown(&case.repair),
            case.value
        )
    });
    let text = cases.collect::<Vec<_>>().join("\n");
    fs::write(path, text).expect("a writable file");
}

/// Returns the name of an input in the format of the mistakes in the file `path`.
fn input_name(path: &Path) -> &'static str {
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    match name.split_once('_') {
        Some(("json", _)) => "a.json",
        Some(("toml", _)) => "a.toml",
        _ => "a.yaml",
    }
}

/// Returns what `ketch check` prints for `text` in the file `input`. Its code is 0 if there are only
/// warnings.
fn message(sandbox: &Sandbox, input: &str, text: &str) -> String {
    sandbox.write(input, text.as_bytes());
    let run = sandbox.ketch(&["check", input]);
    let code = i32::from(run.stdout.contains("error: "));
    assert_eq!((run.code, run.stderr.as_str()), (Some(code), ""), "{text}");
    run.stdout
}

#[test]
fn each_mistake_has_its_message() {
    let sandbox = Sandbox::new();
    let is_update = std::env::var_os("UPDATE_MISTAKES").is_some();
    for (path, mut cases) in mistakes() {
        for case in &mut cases {
            let drawn = message(&sandbox, input_name(&path), &case.input);
            if is_update {
                case.message = drawn;
                continue;
            }
            let name = path.file_name().unwrap_or_default().display();
            assert_eq!(drawn, case.message, "{name}: {}", case.title);
        }
        if is_update {
            write(&path, &cases);
        }
    }
}

#[test]
fn the_help_repairs_each_mistake() {
    let sandbox = Sandbox::new();
    for (path, cases) in mistakes() {
        for Mistake { title, repair, value, .. } in cases {
            let input = input_name(&path);
            sandbox.write(input, repair.as_bytes());
            let run = sandbox.ketch(&["convert", "--to", "json", input]);
            let name = path.file_name().unwrap_or_default().display();
            assert_eq!((run.code, run.stdout.trim_end()), (Some(0), &*value), "{name}: {title}");
            if input == "a.json" {
                let checked = sandbox.ketch(&["check", input]);
                assert_eq!(checked.exits_with(0).stdout, "", "{name}: {title}");
            }
        }
    }
}

/// Checks that the error is located on the line of the mistake, where an editor or a review marks it.
#[test]
fn the_error_is_on_the_line_of_the_mistake() {
    for Mistake { title, input, line, message, repair, .. } in mistakes().into_values().flatten() {
        let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
        let (before, after) = (lines(&input.replace('\r', "")), lines(&repair.replace('\r', "")));
        let same = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
        let start = message.find("error: ").or_else(|| message.find("warning: "));
        let error = &message[start.expect("a problem")..];
        let place = error.split_once("--> a.").expect("a location").1;
        let place = place.split_once(':').expect("a line").1;
        let found = place.split(':').next().and_then(|line| line.parse().ok());
        assert_eq!(found, line.or(Some(same + 1)), "{title}\n{input}");
    }
}

/// Checks that the fixed inputs contain the text that the help suggests, except where the help is
/// about whole lines.
#[test]
fn the_repair_follows_the_help() {
    let (mut found, mut all) = (0, 0);
    for case in mistakes().into_values().flatten() {
        all += 1;
        let help = case.message.rsplit("help: ").next().expect("a help");
        let codes = help.split('`').skip(1).step_by(2).filter(|code| code.len() > 1);
        found += usize::from(codes.into_iter().any(|code| case.repair.contains(code)));
    }
    assert!(found * 10 >= all * 9, "{found} of {all}");
}

#[test]
fn there_is_a_file_for_each_common_kind_of_mistake() {
    let kinds = [
        "too_deep",
        "no_space_after_colon",
        "unclosed_bracket",
        "unclosed_quote",
        "quotes_in_quotes",
        "missing_comma",
        "template",
        "merge_conflict",
        "backslash",
        "block_text",
        "alias",
    ];
    let mistakes = mistakes();
    for kind in kinds {
        let cases = &mistakes[&folder().join(format!("{kind}.txt"))];
        assert!(cases.len() >= 3, "{kind}");
    }
    assert!(mistakes.values().map(Vec::len).sum::<usize>() >= 75);
}

/// Checks that the messages are the same for a stream as for a file in memory.
#[test]
fn a_pipe_gets_the_same_messages() {
    let sandbox = Sandbox::new();
    let mistakes = mistakes().into_iter().flat_map(|(path, cases)| {
        let format = input_name(&path).split_once('.').expect("an extension").1;
        cases.into_iter().map(move |case| (format, case))
    });
    for (format, case) in mistakes {
        let run = sandbox.ketch_with(&["check", "--from", format, "-"], case.input.as_bytes());
        let words = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| {
                line.contains("r: ") || line.contains("g: ") || line.contains("help:")
            });
            lines.map(str::to_owned).collect()
        };
        assert_eq!(words(&run.stdout), words(&case.message), "{}", case.title);
    }
}

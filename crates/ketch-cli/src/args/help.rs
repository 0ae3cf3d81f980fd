//! The help of the whole command: its subcommands by groups, and pages on single topics.

use super::Cli;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write;

/// The subcommands by what they are for. All others are listed last.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Look", &["get", "q", "check", "convert"]),
    (
        "Edit",
        &["set", "del", "append", "insert", "rename", "move", "merge", "sort", "comment", "patch"],
    ),
    ("Files", &["fmt", "split", "collect"]),
    ("Text", &["match", "lines", "grok", "regex"]),
    ("Binary", &["extprot"]),
    ("Inspect", &["events", "resolve", "bench"]),
];

/// The pages of `ketch help`, each with what it is about.
pub const TOPICS: [(&str, &str); 3] = [
    ("formats", "the formats that are read and written"),
    ("limits", "the limits for untrusted input, and the options that set them"),
    ("paths", "the syntax of paths"),
];

const PATHS: &str = "\
A path leads to values. It consists of steps:

  .spec.replicas          the value of a key; the first dot may be left out
  [\"app.kubernetes.io/name\"]   a key that needs quotes
  [0]  [-1]               an item, counted from 0, or from the end
  [*]  .*                 all items, or all values of a mapping
  [1:3]  [:2]  [-2:]      the items from one index up to another
  [?name == \"web\"]        the items or values that meet a condition
  ..image                 all values of the key `image`, at any depth
  .                       the whole document
  /spec/containers/0      a JSON Pointer

A condition compares with == != < <= > >=, matches a regular expression with =~, and has && || !
and parentheses: [?port > 1024 && name =~ \"^w\"]. A path alone is true if it leads to a value. `key`
is the key of the entry.

Edits that add keys do so after the last wildcard. A path with `..` never adds keys: it leads only
to what exists.

At the start of a path, @1 is the document with that number, counted from 0, @* is all documents,
and @[?kind == \"Service\"] is those that meet a condition.

Put quotes around a path with brackets, spaces or `*`, so that the shell leaves it alone:
  ketch get '.spec.containers[?name == \"web\"].image' deploy.yaml
";

const FORMATS: &str = "\
The extension of a file gives its format. `--from` gives it for standard input and other names.

  name         extensions               read   written by `convert --to` and `get -o`
  yaml         .yaml .yml               yes    yes
  json         .json .jsonl .ndjson     yes    yes
  toml         .toml                    yes    yes
  csv          .csv                     yes    yes
  tsv          .tsv                     yes    yes
  properties   .properties              yes    no
  env          .env .env.*              yes    no
  xml          .xml                     yes    no
  extprot      -                        `convert` only

Edits such as `set` change YAML, JSON and TOML.

The output format of `convert` is that of `--to`, that of the extension of the output file, or JSON.
`-o yaml` is the format, `-o ./yaml` a file.

In Markdown (.md, .markdown, .mdx, .qmd, .rmd), only the front matter is read and edited, the YAML
between two lines `---` at the start. `--front-matter` does so for other names.

https://github.com/ketch/ketch/blob/main/docs/formats.md says what becomes what.
";

const LIMITS: &str = "\
Limits protect against input that would take too much memory or time. Each is a number or
`unlimited`. The defaults grow with the input where this is said. An error about a limit names the
option that raises it. These are options of all subcommands that read YAML:
";

/// The maximum width of the pages.
const COLUMNS_MAX: usize = 98;

/// Returns the command with its help in groups.
pub fn command() -> Command {
    let command = Cli::command();
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{}\nOptions:\n{{options}}\n\n{{after-help}}",
        groups(&command)
    );
    command.help_template(template)
}

/// Returns the list of the subcommands by groups.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    let mut listed: Vec<&str> = Vec::new();
    for (heading, names) in GROUPS {
        listed.extend(names);
        let found = names.iter().filter_map(|name| command.find_subcommand(name));
        add_group(&mut text, heading, found);
    }
    let others = command.get_subcommands().filter(|other| !listed.contains(&other.get_name()));
    add_group(&mut text, "Other", others);
    text
}

fn add_group<'c>(text: &mut String, heading: &str, commands: impl Iterator<Item = &'c Command>) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{heading}:");
    for command in commands.filter(|command| !command.is_hide_set()) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "  {:<13}{about}", command.get_name());
    }
}

/// Returns the page about `topic`, or `None` if there is none.
pub fn page(topic: &str) -> Option<String> {
    Some(match topic {
        "paths" => PATHS.to_owned(),
        "formats" => FORMATS.to_owned(),
        "limits" => {
            let command = Cli::command();
            let args = command.find_subcommand("get")?.get_arguments().filter(|arg| is_limit(arg));
            args.fold(LIMITS.to_owned(), |text, arg| {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let name = arg.get_long().unwrap_or_default();
                text + &format!("\n  --{name}\n{}", wrapped(&help))
            })
        }
        _ => return None,
    })
}

/// Returns `text` in indented lines.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut columns = COLUMNS_MAX;
    for word in text.split_whitespace() {
        columns += 1 + word.chars().count();
        if columns > COLUMNS_MAX {
            out.push_str(if out.is_empty() { "     " } else { "\n     " });
            columns = 6 + word.chars().count();
        }
        out.push(' ');
        out.push_str(word);
    }
    out + "\n"
}

/// Returns whether `arg` is described on the page about limits.
fn is_limit(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|name| name.starts_with("max-") || name == "simd")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_is_listed_once() {
        let command = Cli::command();
        let text = groups(&command);
        for name in
            command.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name)
        {
            let line = format!("\n  {name:<13}");
            assert_eq!(text.matches(&line).count(), 1, "{name}");
        }
        for (_, names) in GROUPS {
            assert!(names.iter().all(|name| command.find_subcommand(name).is_some()), "{names:?}");
        }
    }

    #[test]
    fn each_topic_has_a_page() {
        for (topic, _) in TOPICS {
            let page = page(topic).unwrap();
            assert!(page.lines().all(|line| line.chars().count() <= 100), "{topic}: {page}");
        }
        assert!(page("limits").unwrap().contains("--max-alias-nodes"));
        assert_eq!(page("nosuch"), None);
    }
}

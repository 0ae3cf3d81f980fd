//! The arguments of `ketch set`, `ketch del` and `ketch patch`.

use clap::{Args, ValueEnum};

/// Set a value and leave every other byte alone.
///
/// A key that is missing is added. Comments, quotes, spaces and line breaks stay, and new text
/// looks like its neighbours.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch set spec.replicas 3 deployment.yaml
  ketch set -i --str image.tag 1.10 values.yaml
  ketch set debug true --diff values.yaml
  ketch set 'hosts[0]' '{name: a, port: 80}' - < hosts.yaml")]
pub struct SetArgs {
    /// The path of the value.
    pub path: String,
    /// The value, as YAML. Plain scalars keep their spelling.
    #[arg(allow_hyphen_values = true)]
    pub value: String,
    /// Take the value as text, whatever it looks like.
    #[arg(long)]
    pub str: bool,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Delete an entry and leave every other byte alone.
///
/// The comments of the entry go with it. Deleting the only entry leaves `{}` or `[]`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch del spec.template.metadata.labels deployment.yaml
  ketch del -i 'hosts[-1]' hosts.yaml")]
pub struct DelArgs {
    /// The path of the entry.
    pub path: String,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Apply a list of edits and leave every other byte alone.
///
/// The edits of a file are applied in turn. If one is refused, the file stays as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch patch --ops edits.json values.yaml
  echo '[{op: append, path: [hosts], value: b}]' | ketch patch -i --ops - hosts.yaml

Operations, each with `op` and `path`, a list of keys and indices or text as `get` takes it:
  set, replace, merge, test   value
  append                      value
  insert                      value; key for a mapping; before, after, index or first
  delete, sort                nothing else
  rename                      to: the new key
  move, copy                  to: the path of the collection
  comment                     text, none to remove it; where: leading or trailing
  rename_anchor               from, to; no path
Each may have doc, the number of the document, and alias: through or detach.")]
pub struct PatchArgs {
    /// The file with the edits, a list in YAML or JSON; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub ops: String,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// What to edit, and where the result goes.
#[derive(Debug, Args)]
pub struct EditArgs {
    /// The files to edit; `-` is standard input. The result is printed, unless an option says
    /// otherwise.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Replace each file atomically if it changes.
    #[arg(short, long, conflicts_with_all = ["diff", "check"])]
    pub in_place: bool,
    /// Change nothing: print a unified diff of what would change.
    #[arg(long)]
    pub diff: bool,
    /// Change nothing: print the names of files that would change, and exit with code 1 if there
    /// are any.
    #[arg(long)]
    pub check: bool,
    /// With `--in-place`, write into existing files instead of replacing them.
    #[arg(long, requires = "in_place")]
    pub write_through: bool,
    /// The document to edit, counted from 0.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub document: usize,
    /// What to do with an alias on the path [default: refuse].
    #[arg(long, value_enum, value_name = "HOW")]
    pub alias: Option<AliasArg>,
}

/// What to do with an alias on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AliasArg {
    /// Edit the anchored node.
    Through,
    /// Replace the alias with a copy of the node, and edit that.
    Detach,
}

//! The arguments of the subcommands that edit.

use super::input::InputArgs;
use clap::{Args, ValueEnum};
use ketch_edit::{AliasMode, Lists};

/// Set a value and leave every other byte alone.
///
/// A missing key is added, but never by a path with `..`. Comments, quotes, spaces and line breaks
/// stay, and new text follows the style of its neighbours.
///
/// A path has keys and indices: `.spec.containers[0].image`. `[-1]` is the last item, `[*]` is all,
/// `[?name == "web"]` is those that meet a condition, `..image` is all values of the key `image`, and
/// `["a.b"]` is a key that needs quotes. `@1`, `@*`, `@[?kind == "Service"]` and `--document` choose
/// documents. `ketch help paths` says more.
///
/// FILE may be a pattern or a folder; then those of its files `.yaml` and `.yml` that have the path
/// are edited. In Markdown, only the front matter is edited. Files `.json` and `.toml` are edited in
/// their format.
#[derive(Debug, Args)]
#[command(override_usage = "ketch set [OPTIONS] PATH VALUE [FILE]...
       ketch set [OPTIONS] PATH --env NAME [FILE]...
       ketch set [OPTIONS] -e PATH=VALUE... [FILE]...")]
#[command(after_help = "\
Examples:
  ketch set .spec.replicas 3 deployment.yaml
  ketch set -i --str .image.tag 1.10 values.yaml
  ketch set '.items[?name == \"web\"].port' 80 --diff values.yaml
  ketch set -i -e .debug=true -e .level=3 conf/
  ketch set -i .package.version 1.2.0 Cargo.toml
  ketch set .image.tag --env TAG - < values.yaml")]
pub struct SetArgs {
    /// The path, the value, and the files.
    ///
    /// The value is text, unless all of it is a number, true, false, null, a quoted text, a
    /// collection in brackets, a block scalar with its text, or one of these or text after a tag.
    #[arg(value_name = "WORD", allow_negative_numbers = true)]
    pub words: Vec<String>,
    /// Set this path to this value; may be repeated.
    #[arg(short = 'e', long = "edit", value_name = "PATH=VALUE")]
    pub edits: Vec<String>,
    #[command(flatten)]
    pub value: ValueArgs,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// How to read a value.
#[derive(Debug, Default, Args)]
pub struct ValueArgs {
    /// Take the value as text, whatever it looks like.
    #[arg(short = 's', long, conflicts_with_all = ["json", "yaml"])]
    pub str: bool,
    /// Read the value as YAML, whatever it looks like.
    #[arg(long, conflicts_with = "json")]
    pub yaml: bool,
    #[command(flatten)]
    pub source: SourceArgs,
    /// Give the new value this tag, such as `!Ref`.
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Keep the tag of the old value, even one that YAML does not define.
    #[arg(long, conflicts_with = "tag")]
    pub keep_tag: bool,
}

/// Where a value comes from.
#[derive(Debug, Default, Args)]
pub struct SourceArgs {
    /// The value must be JSON.
    #[arg(long)]
    pub json: bool,
    /// Take the value from this environment variable: text, or YAML for `merge`.
    #[arg(long, value_name = "NAME", conflicts_with = "value_from")]
    pub env: Option<String>,
    /// Take the value from this file: text, or YAML for `merge`.
    #[arg(long, value_name = "FILE")]
    pub value_from: Option<String>,
}

/// Delete entries and leave every other byte alone.
///
/// The comments of an entry are deleted with it. Deleting the only entry leaves `{}` or `[]`. A path
/// without keys deletes a document: `@1`.
#[derive(Debug, Args)]
#[command(override_usage = "ketch del [OPTIONS] PATH [FILE]...
       ketch del [OPTIONS] -e PATH... [FILE]...")]
#[command(after_help = "\
Examples:
  ketch del .spec.template.metadata.labels deployment.yaml
  ketch del -i '.hosts[-1]' hosts.yaml
  ketch del '@[?kind == \"Secret\"]' manifests.yaml
  ketch del --if-exists -i '..[?name == \"old\"]' conf/")]
pub struct DelArgs {
    /// The path, and the files.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// Delete the entry at this path; may be repeated. Each applies to the result of those before.
    #[arg(short = 'e', long = "edit", value_name = "PATH")]
    pub edits: Vec<String>,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Add an item at the end of a sequence.
#[derive(Debug, Args)]
#[command(override_usage = "ketch append [OPTIONS] PATH VALUE [FILE]...
       ketch append [OPTIONS] -e PATH=VALUE... [FILE]...")]
#[command(after_help = "\
Examples:
  ketch append .hosts b.example hosts.yaml
  ketch append -i '.spec.ports' '{name: http, port: 80}' service.yaml")]
pub struct AppendArgs {
    /// The path of the sequence, the value, and the files.
    #[arg(value_name = "WORD", allow_negative_numbers = true)]
    pub words: Vec<String>,
    /// Append this value to this path; may be repeated.
    #[arg(short = 'e', long = "edit", value_name = "PATH=VALUE")]
    pub edits: Vec<String>,
    #[command(flatten)]
    pub value: ValueArgs,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Insert an entry into a collection, at a chosen position.
#[derive(Debug, Args)]
#[command(override_usage = "ketch insert [OPTIONS] PATH VALUE [FILE]...")]
#[command(after_help = "\
Examples:
  ketch insert .hosts a.example --first hosts.yaml
  ketch insert .env debug --key LEVEL --before PORT app.yaml")]
pub struct InsertArgs {
    /// The path of the collection, the value, and the files.
    #[arg(value_name = "WORD", allow_negative_numbers = true)]
    pub words: Vec<String>,
    /// The key of the entry, if the collection is a mapping.
    #[arg(long)]
    pub key: Option<String>,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub value: ValueArgs,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// The position of a new entry; by default, it is the last.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// Insert before the entry with this key, in a mapping.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["after", "index", "first"])]
    pub before: Option<String>,
    /// Insert after the entry with this key, in a mapping.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["index", "first"])]
    pub after: Option<String>,
    /// Insert at this index, counted from 0.
    #[arg(long, value_name = "NUMBER", conflicts_with = "first")]
    pub index: Option<usize>,
    /// Insert before all other entries.
    #[arg(long)]
    pub first: bool,
}

/// Change the key of an entry.
#[derive(Debug, Args)]
#[command(override_usage = "ketch rename [OPTIONS] PATH KEY [FILE]...")]
#[command(after_help = "\
Examples:
  ketch rename .spec.replica replicas deployment.yaml
  ketch rename -i '..imageName' image charts/")]
pub struct RenameArgs {
    /// The path of the entry, its new key, and the files.
    ///
    /// The key is no path: `b`, not `.b`. A key that starts with a dot is written in quotes:
    /// '\".b\"'.
    #[arg(value_name = "WORD", allow_negative_numbers = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Move entries, with their comments, into another collection.
#[derive(Debug, Args)]
#[command(override_usage = "ketch move [OPTIONS] PATH TO [FILE]...")]
#[command(after_help = "\
Examples:
  ketch move .image .spec pod.yaml
  ketch move '.jobs[?disabled]' .old jobs.yaml")]
pub struct MoveArgs {
    /// The path of the entry, the path of the collection that it goes into, and the files.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// The new key of the entry, if it is moved into a mapping. By default, an entry keeps its key;
    /// an item of a sequence needs one.
    #[arg(long)]
    pub key: Option<String>,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Merge the entries of a mapping into another one, keeping its other entries.
///
/// The value is YAML; OTHER may also have another format, by its name. A list replaces the list that has the same path, unless `--lists` says otherwise.
#[derive(Debug, Args)]
#[command(override_usage = "ketch merge [OPTIONS] PATH VALUE [FILE]...
       ketch merge [OPTIONS] PATH --value-from OTHER [FILE]...")]
#[command(after_help = "\
Examples:
  ketch merge .resources '{limits: {cpu: 2}}' values.yaml
  ketch merge -i . --value-from overrides.yaml values.yaml
  ketch merge .spec --lists by=name --value-from pod.yaml deployment.yaml")]
pub struct MergeArgs {
    /// The path of the mapping, the mapping to merge into it, and the files.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// What to do with a list that both have: `replace` the old one, `append` the new items, or merge
    /// the items with the same value of a key, as in `by=name`.
    #[arg(long, value_name = "HOW", default_value = "replace", value_parser = str::parse::<Lists>)]
    pub lists: Lists,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Sort items, or entries by key; comments stay with them.
///
/// Items that are mappings are sorted by the value that `--by` names.
#[derive(Debug, Args)]
#[command(override_usage = "ketch sort [OPTIONS] PATH [FILE]...")]
#[command(after_help = "\
Examples:
  ketch sort .dependencies pubspec.yaml
  ketch sort -i .hosts hosts.yaml
  ketch sort --by .name .users users.yaml
  ketch sort --recursive . values.yaml")]
pub struct SortArgs {
    /// The path of the collection, and the files.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// Sort the items of a sequence by the value at this path in each of them.
    #[arg(long, value_name = "PATH")]
    pub by: Option<String>,
    /// Also sort the mappings in the collection, at any depth, by key. Other sequences in it keep
    /// their order.
    #[arg(short, long)]
    pub recursive: bool,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Write a comment above an entry, or after it.
///
/// It replaces the old one. With the path `.`, it is at the head of the document, above
/// an empty line.
#[derive(Debug, Args)]
#[command(override_usage = "ketch comment [OPTIONS] PATH TEXT [FILE]...
       ketch comment [OPTIONS] --remove PATH [FILE]...")]
#[command(after_help = "\
Examples:
  ketch comment .image.tag 'pinned, see issue 12' --trailing values.yaml
  ketch comment --remove .debug values.yaml")]
pub struct CommentArgs {
    /// The path of the entry, the text, and the files.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// Write the comment after the entry, on the same line.
    #[arg(long)]
    pub trailing: bool,
    /// Remove the comment.
    #[arg(long)]
    pub remove: bool,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Apply a list of edits and leave every other byte alone.
///
/// The edits of a file are applied in order. If one of them fails, the file stays unchanged.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch patch --ops edits.json values.yaml
  echo '[{op: append, path: [hosts], value: b}]' | ketch patch -i --ops - hosts.yaml

Operations, each with `op` and `path`, a list of keys and indices or text as `get` takes it:
  set, replace, merge, test   value; with set, key: what identifies the items of a sequence;
                              with merge, lists: replace, append or by=KEY
  append                      value
  insert                      value; key for a mapping; before, after, index or first
  delete                      anchors: promote or expand, if aliases use an anchor in it
  sort                        nothing else
  rename                      to: the new key
  move, copy                  to: the path of the collection; key; before, after, index or first
  comment                     text, none to remove it; where: leading or trailing
  style                       to: plain, single, double, literal, folded, block or flow
  anchor                      to: the name, none to remove it
  rename_anchor               from, to; no path
Also those of RFC 6902 (add, remove; from and path for move and copy) and merge_patch of RFC 7396.
Each may have doc, the number of the document, alias: through or detach, and if_exists.")]
pub struct PatchArgs {
    /// The file with the edits, a list in YAML or JSON; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub ops: String,
    /// The files to edit.
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    #[command(flatten)]
    pub edit: EditArgs,
}

/// What to edit, and where the result goes.
///
/// Files may be patterns such as `'**/*.yaml'`, and folders, in which all files named `.yaml` and
/// `.yml` are edited; `-` is standard input, which is read without a file. In Markdown, the front
/// matter is edited.
#[derive(Debug, Args)]
pub struct EditArgs {
    /// Read the names of more files from this file, one per line; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<String>,
    #[command(flatten)]
    pub write: WriteArgs,
    /// Edit only what exists: ignore a path that matches nothing, and add nothing.
    #[arg(long)]
    pub if_exists: bool,
    /// The document to edit, counted from 0 [default: each document that has the path].
    #[arg(long, value_name = "NUMBER")]
    pub document: Option<usize>,
    #[command(flatten)]
    pub input: InputArgs,
}

/// How files are changed.
#[derive(Clone, Debug, Args)]
pub struct WriteArgs {
    /// Replace each file atomically if it changes. With several files, report each of them.
    #[arg(short, long, conflicts_with = "check")]
    pub in_place: bool,
    /// Print a unified diff of what changes; without `--in-place`, only that.
    #[arg(long)]
    pub diff: bool,
    /// Change nothing: print the names of files that would change, and exit with code 1 if there
    /// are any.
    #[arg(long)]
    pub check: bool,
    /// With `--in-place`, change no file if one of them cannot be edited.
    #[arg(long, requires = "in_place")]
    pub atomic: bool,
    /// With `--in-place`, write into existing files instead of replacing them.
    #[arg(long, requires = "in_place")]
    pub write_through: bool,
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

impl From<AliasArg> for AliasMode {
    fn from(alias: AliasArg) -> AliasMode {
        match alias {
            AliasArg::Through => AliasMode::Through,
            AliasArg::Detach => AliasMode::Detach,
        }
    }
}

impl WriteArgs {
    /// Returns whether a result is not printed as a whole.
    pub fn is_given(&self) -> bool {
        self.in_place || self.diff || self.check
    }
}

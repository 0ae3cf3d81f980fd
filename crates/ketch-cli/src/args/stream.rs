//! The arguments of `ketch split` and `ketch collect`.

use clap::Args;

/// Split a stream: write each document to a file of its own.
///
/// The text of each document stays unchanged; a line with only `---` before it is left out. Prints
/// the names of the files.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch split all.yaml
  ketch split all.yaml --to parts --name '.metadata.name'
  helm template . | ketch split --to out --name .kind")]
pub struct SplitArgs {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub file: String,
    /// The folder for the new files, which is created if it is missing.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub to: String,
    /// Name each file after the text at this path in its document [default: the name of FILE and a
    /// number, counted from 0]. Documents without a node are left out.
    #[arg(long, value_name = "PATH")]
    pub name: Option<String>,
    /// Read only the YAML between `---` at the start of the file, as is done for Markdown.
    #[arg(long)]
    pub front_matter: bool,
    /// Overwrite existing files.
    #[arg(long)]
    pub overwrite: bool,
}

/// Join the documents of several files into one stream.
///
/// The text of each file stays unchanged. A line `---` separates the files.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch collect service.yaml deployment.yaml > all.yaml
  ketch collect 'manifests/**/*.yaml' -o all.yaml")]
pub struct CollectArgs {
    /// The files, patterns such as `'**/*.yaml'`, and folders; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Read only the YAML between `---` at the start of each file, as is done for Markdown.
    #[arg(long)]
    pub front_matter: bool,
    /// Write the output to this file. It is replaced atomically, and only if there is no error.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
}

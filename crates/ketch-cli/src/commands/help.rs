//! `ketch help`, `ketch man` and `ketch version`: what the command says about itself.

use crate::args::{HelpArgs, ManArgs, TOPICS, command, page};
use crate::output;
use crate::status::{Failure, Status};
use clap_mangen::Man;
use std::fs;
use std::io;
use std::path::Path;

/// Prints the help of a subcommand, the page about a topic, or the help of the whole command.
pub fn help(args: HelpArgs) -> Result<Status, Failure> {
    let mut found = command();
    found.build();
    let text = match args.words.first().and_then(|word| page(word)) {
        Some(page) => page,
        None => {
            for word in &args.words {
                let Some(inner) = found.find_subcommand(word) else {
                    let topics = TOPICS.map(|(name, _)| name).join(", ");
                    let message = format!(
                        "there is no subcommand `{word}` and no topic; topics are {topics}"
                    );
                    return Err(Failure::Usage(message));
                };
                found = inner.clone();
            }
            let topics = TOPICS.map(|(name, about)| format!("\n  ketch help {name:<10}{about}"));
            let more = if args.words.is_empty() {
                format!("\nPages:{}\n", topics.concat())
            } else {
                String::new()
            };
            found.render_long_help().to_string() + &more
        }
    };
    output::print(|out| out.write_all(text.as_bytes()))?;
    Ok(Status::Success)
}

/// Prints the version.
pub fn version() -> Result<Status, Failure> {
    output::print(|out| writeln!(out, "ketch {}", env!("CARGO_PKG_VERSION")))?;
    Ok(Status::Success)
}

/// Prints the manual page of the command or of a subcommand, or writes all pages to a folder.
pub fn man(args: ManArgs) -> Result<Status, Failure> {
    let mut root = command();
    root.build();
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder).map_err(|error| Failure::write(folder, error))?;
        return write_all(&root, Path::new(folder)).map_err(|error| Failure::write(folder, error));
    }
    let page = match &args.subcommand {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(found) => found.clone(),
            None => return Err(Failure::Usage(format!("there is no subcommand `{name}`"))),
        },
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).map_err(output::stdout_failed)?;
    output::print(|out| out.write_all(&text))?;
    Ok(Status::Success)
}

/// Writes a page for `command` and each of its subcommands to `folder`.
fn write_all(command: &clap::Command, folder: &Path) -> io::Result<Status> {
    let inner =
        command.get_subcommands().flat_map(|one| [one].into_iter().chain(one.get_subcommands()));
    for each in [command].into_iter().chain(inner).filter(|each| !each.is_hide_set()) {
        let name = each.get_display_name().unwrap_or_else(|| each.get_name());
        let mut text = Vec::new();
        Man::new(each.clone()).render(&mut text)?;
        fs::write(folder.join(format!("{name}.1")), text)?;
    }
    Ok(Status::Success)
}

//! The command `ketch`: checks, formats, queries, edits and converts YAML, JSON and extprot.
//!
//! This crate only parses arguments, opens files, calls the engines and draws errors. Each
//! subcommand has a file in `commands`.
#![deny(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

mod args;
mod binary;
mod color;
mod commands;
mod conversion;
mod diagnostic;
mod documents;
mod draw;
mod dropped_tags;
mod extprot_diagnostic;
mod file_name;
mod files;
mod formats;
mod front_matter;
mod input;
mod json_events;
mod json_syntax;
mod json_texts;
mod line_diff;
mod memory;
mod merge_keys;
mod output;
mod pieces;
mod position;
mod progress;
mod quiet;
mod read;
mod reports;
mod schema;
mod shell;
mod signals;
mod stats;
mod status;
mod stdout;
mod usage;
mod writers;
mod yq;

use std::process::ExitCode;

#[global_allocator]
static MEMORY: memory::Ending = memory::Ending::new();

fn main() -> ExitCode {
    MEMORY.start();
    let cli = match args::parse() {
        Ok(cli) => cli,
        Err(error) => return usage::refuse(error).into(),
    };
    color::choose(cli.global.color);
    quiet::choose(cli.global.quiet);
    match run(cli.command) {
        Ok(status) => status.into(),
        Err(failure) => draw::failure(&failure).into(),
    }
}

/// Runs a subcommand.
fn run(command: args::Command) -> Result<status::Status, status::Failure> {
    match command {
        args::Command::Convert(args) => commands::convert::run(args),
        args::Command::Events(args) => commands::events::run(args),
        args::Command::Check(args) => commands::check::run(args),
        args::Command::Get(args) => commands::get::run(args),
        args::Command::Query(args) => commands::q::run(args),
        args::Command::Set(args) => commands::edit::set(args),
        args::Command::Del(args) => commands::edit::del(args),
        args::Command::Append(args) => commands::edit::append(args),
        args::Command::Insert(args) => commands::edit::insert(args),
        args::Command::Rename(args) => commands::edit::rename(args),
        args::Command::Move(args) => commands::edit::move_to(args),
        args::Command::Merge(args) => commands::edit::merge(args),
        args::Command::Sort(args) => commands::edit::sort(args),
        args::Command::Comment(args) => commands::edit::comment(args),
        args::Command::Patch(args) => commands::edit::patch(args),
        args::Command::Split(args) => commands::stream::split(args),
        args::Command::Collect(args) => commands::stream::collect(args),
        args::Command::Fmt(args) => commands::fmt::run(args),
        args::Command::Resolve(args) => commands::resolve::run(args),
        args::Command::Match(args) => commands::matches::run(args),
        args::Command::Lines(args) => commands::lines::run(args),
        args::Command::Grok(args) => commands::grok::run(args),
        args::Command::Regex(args) => commands::regex::run(args),
        args::Command::Bench(args) => commands::bench::run(args),
        args::Command::Extprot(args) => commands::extprot::run(args),
        args::Command::Completions(args) => commands::completions::run(args),
        args::Command::Man(args) => commands::help::man(args),
        args::Command::Help(args) => commands::help::help(args),
        args::Command::Version => commands::help::version(),
    }
}

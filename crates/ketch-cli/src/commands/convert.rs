//! `ketch convert`: YAML, JSON and extprot, each to the others.

mod from_extprot;
mod from_yaml;
mod to_yaml;

use crate::args::{ConvertArgs, Origin, Target};
use crate::output::Output;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

/// Converts all inputs, one after the other, whatever is wrong with those before.
pub fn run(args: ConvertArgs) -> Result<Status, Failure> {
    let start = Instant::now();
    let is_file = args.output.as_deref().is_some_and(|file| file != "-");
    if args.to == Target::Extprot && !is_file && io::stdout().is_terminal() {
        let message = "extprot is binary: write it to a file with `-o FILE`, or into a pipe";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut output = Output::open(args.output.as_deref())?;
    let mut stats = Stats::default();
    let mut status = Status::Fine;
    for file in &args.files {
        let converted = match (args.from, args.to) {
            (Origin::Json, Target::Events) => {
                let message = "JSON has no events of its own: read it with `--from yaml`";
                return Err(Failure::Usage(message.to_owned()));
            }
            (Origin::Extprot, _) => from_extprot::convert(&args, file, &mut output, &mut stats),
            (_, Target::Yaml) => to_yaml::convert(&args, file, &mut output, &mut stats),
            (_, Target::Json) => from_yaml::to_json(&args, file, &mut output, &mut stats),
            (_, Target::Events) => from_yaml::to_events(&args, file, &mut output, &mut stats),
            (_, Target::Extprot) => from_yaml::to_extprot(&args, file, &mut output, &mut stats),
        };
        match converted {
            // Without anybody to write to there is no point in going on.
            Err(failure @ (Failure::Closed | Failure::Write(..) | Failure::Usage(_))) => {
                return Err(failure);
            }
            Err(failure) => status = status.max(failure.tell()),
            Ok(()) => {}
        }
    }
    // Half a result never replaces a file.
    if status == Status::Fine || !output.is_file() {
        output.finish()?;
    }
    if args.stats {
        let items = match args.to {
            Target::Json | Target::Extprot => "nodes",
            Target::Yaml if args.yaml.sort_keys || args.from == Origin::Extprot => "nodes",
            Target::Yaml | Target::Events => "events",
        };
        // That nobody can see it there is no reason to fail.
        let _ = writeln!(io::stderr(), "{}", stats.line(items, start.elapsed()));
    }
    Ok(status)
}

//! `ketch extprot`: works with extprot schemas and data.

mod check;
mod compat;
mod format;
mod generate;
mod inspect;

use crate::args::{ExtprotArgs, ExtprotCommand};
use crate::status::{Failure, Status};

/// Runs the subcommand that the arguments choose.
pub fn run(args: ExtprotArgs) -> Result<Status, Failure> {
    match args.command {
        ExtprotCommand::Check(args) => check::run(args),
        ExtprotCommand::Format(args) => format::run(args),
        ExtprotCommand::Compat(args) => compat::run(args),
        ExtprotCommand::Generate(args) => generate::run(args),
        ExtprotCommand::Inspect(args) => inspect::run(args),
    }
}

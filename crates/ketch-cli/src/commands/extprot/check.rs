//! `ketch extprot check`: reports what is wrong with schemas.

use crate::args::SchemaCheckArgs;
use crate::draw;
use crate::schema;
use crate::status::{Failure, Status};

/// Checks all schemas. Continues after errors.
pub fn run(args: SchemaCheckArgs) -> Result<Status, Failure> {
    let mut status = Status::Success;
    for file in &args.files {
        let problems = match schema::source(file) {
            Ok(source) => schema::check(&source).err().unwrap_or_default(),
            Err(failure) => {
                status = status.max(failure.status());
                failure.diagnostic().into_iter().collect()
            }
        };
        for problem in &problems {
            status = status.max(Status::WrongInput);
            draw::to_stdout(problem, args.format)?;
        }
    }
    Ok(status)
}

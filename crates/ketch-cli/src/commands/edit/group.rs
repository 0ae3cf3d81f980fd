//! Edits of the files of a folder or pattern. An operation changes those that have its path.

use super::refusal::{refused, refused_among};
use crate::diagnostic::Diagnostic;
use crate::status::Failure;
use ketch_edit::{Edit, IfAbsent, Operation};
use std::sync::Mutex;

/// How files are changed.
pub trait Change: Sync {
    /// Returns whether files may lack what is changed, as they are those of a folder or pattern.
    fn is_on_group(&self) -> bool;

    /// Returns the operations, if they are known before a file is read.
    fn operations(&self) -> &[Operation];

    /// Changes `edit`, a file named `file`.
    fn apply(&self, file: &str, edit: &mut Edit) -> Result<(), Failure>;

    /// Fails if no file has what is changed.
    fn check_found(&self) -> Result<(), Failure>;
}

/// The operations on a number of files.
pub struct Operations<'o> {
    all: &'o [Operation],
    /// For each operation, if the files are those of a folder or pattern, whether one has its path.
    found: Option<Mutex<Vec<Found>>>,
}

#[derive(Clone)]
enum Found {
    Yes,
    /// Not yet. The first file without it has this problem.
    Not(Option<Box<Diagnostic>>),
}

impl<'o> Operations<'o> {
    pub fn new(all: &'o [Operation], is_group: bool) -> Operations<'o> {
        let found = || Mutex::new(vec![Found::Not(None); all.len()]);
        Operations { all, found: is_group.then(found) }
    }
}

impl Change for Operations<'_> {
    fn is_on_group(&self) -> bool {
        self.found.is_some()
    }

    fn operations(&self) -> &[Operation] {
        self.all
    }

    /// Applies the operations to `edit`, a file named `file`. Fails if it is one of a folder or
    /// pattern, and has none of the paths.
    fn apply(&self, file: &str, edit: &mut Edit) -> Result<(), Failure> {
        let Some(found) = &self.found else {
            return apply(file, edit, self.all);
        };
        let mut missing = None;
        let mut is_edited = self.all.is_empty();
        for (index, operation) in self.all.iter().enumerate() {
            let operation = match operation.if_absent {
                IfAbsent::Add => &Operation { if_absent: IfAbsent::Fail, ..operation.clone() },
                _ => operation,
            };
            let result = apply(file, edit, std::slice::from_ref(operation));
            let mut found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match (result, &mut found[index]) {
                (Ok(()), found) => (*found, is_edited) = (Found::Yes, true),
                (Err(Failure::Missing(diagnostic)), found) => {
                    if let Found::Not(first @ None) = found {
                        *first = Some(diagnostic.clone());
                    }
                    missing.get_or_insert(Failure::Missing(diagnostic));
                }
                (Err(failure), _) => return Err(failure),
            }
        }
        missing.filter(|_| !is_edited).map_or(Ok(()), Err)
    }

    /// Fails if no file has the path of one of the operations.
    fn check_found(&self) -> Result<(), Failure> {
        let Some(found) = &self.found else { return Ok(()) };
        let found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let first = found.iter().find_map(|found| match found {
            Found::Not(first) => first.clone(),
            Found::Yes => None,
        });
        let help = "No file of the folder or pattern has this path, and only those that have it are \
                    edited. A file that is named itself gets what is missing.";
        first.map_or(Ok(()), |mut diagnostic| {
            diagnostic.help = Some(help.to_owned());
            Err(Failure::Missing(diagnostic))
        })
    }
}

fn apply(file: &str, edit: &mut Edit, operations: &[Operation]) -> Result<(), Failure> {
    edit.apply(operations).map_err(|error| refused_among(file, &error, operations))?;
    // If there are no operations, the text has not been parsed yet.
    edit.check().map_err(|error| refused(file, &error))
}

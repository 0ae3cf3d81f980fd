//! Ketch's output, read by the YAML libraries of other languages: `conformance/readers/run`.
//!
//! [`table`] holds troublesome values, [`random`] makes more of them. [`places`] has the contexts
//! and styles in which each is written; each distinct text is a [`Case`]. A [`Reader`] reads all
//! cases at once and prints the values in [`notation`]; a difference is a [`Misreading`], which
//! must be in the list of [`known`] ones.

pub mod known;
pub mod notation;
pub mod places;
pub mod random;
pub mod reader;
pub mod table;

use ketch::Value;
use known::Known;
use notation::Host;
pub use reader::Reader;

/// A text, and its documents.
#[derive(Clone, Debug)]
pub struct Case {
    /// The input of readers.
    pub text: String,
    /// One value per document.
    pub documents: Vec<Value>,
}

impl Case {
    /// Returns the documents in the notation.
    pub fn written(&self, host: Host) -> String {
        let shown: Vec<String> =
            self.documents.iter().map(|value| notation::shown(value, host)).collect();
        shown.join(";")
    }
}

/// A text that a reader misreads.
#[derive(Clone, Debug)]
pub struct Misreading<'c> {
    /// The name of the reader.
    pub reader: &'c str,
    /// The text.
    pub text: &'c str,
    /// The written value, in the notation.
    pub written: String,
    /// The value read, or the error.
    pub read: String,
}

/// The results of one reader.
#[derive(Debug)]
pub struct Outcome<'c> {
    /// The reader.
    pub reader: &'c Reader,
    /// Name and version, as the library reports them.
    pub version: String,
    /// The texts that were read, except those with values that the host language lacks.
    pub texts: usize,
    /// Misreadings that are not listed.
    pub misread: Vec<Misreading<'c>>,
    /// The count of each entry of the list.
    pub listed: Vec<usize>,
}

/// Compares a reader's values with the written ones.
///
/// # Errors
///
/// Returns the reason why the reader failed.
pub fn compare<'c>(
    reader: &'c Reader,
    cases: &'c [Case],
    folder: &std::path::Path,
    known: &Known,
) -> Result<Outcome<'c>, String> {
    let held: Vec<&Case> = cases.iter().filter(|case| reader.host.holds(&case.documents)).collect();
    let answers = reader.read(&held, folder)?;
    let mut outcome = Outcome {
        reader,
        version: answers.version,
        texts: held.len(),
        misread: Vec::new(),
        listed: vec![0; known.len()],
    };
    for (case, read) in held.into_iter().zip(answers.lines) {
        let written = case.written(reader.host);
        if read == written {
            continue;
        }
        let misreading = Misreading { reader: &reader.name, text: &case.text, written, read };
        match known.find(&misreading) {
            Some(entry) => outcome.listed[entry] += 1,
            None => outcome.misread.push(misreading),
        }
    }
    Ok(outcome)
}

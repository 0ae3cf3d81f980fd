//! What Ketch writes, read by the YAML libraries of other languages: `conformance/readers/run`.
//!
//! [`table`] holds troublesome values, [`random`] makes more of them. [`places`] says where each
//! stands and how it is written; each distinct text is a [`Case`]. A [`Reader`] reads all cases in
//! one go and says what it found, in [`notation`]; what is not as expected is a [`Misreading`], and
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

/// A text, and the documents that it is written from.
#[derive(Clone, Debug)]
pub struct Case {
    /// What readers are given.
    pub text: String,
    /// One value a document.
    pub documents: Vec<Value>,
}

impl Case {
    /// The documents in the notation.
    pub fn written(&self, host: Host) -> String {
        let shown: Vec<String> =
            self.documents.iter().map(|value| notation::shown(value, host)).collect();
        shown.join(";")
    }
}

/// A text that a reader takes for something else.
#[derive(Clone, Debug)]
pub struct Misreading<'c> {
    /// The name of the reader.
    pub reader: &'c str,
    /// The text.
    pub text: &'c str,
    /// What was written, in the notation.
    pub written: String,
    /// What was read, or why not.
    pub read: String,
}

/// What one reader made of all cases.
#[derive(Debug)]
pub struct Outcome<'c> {
    /// The reader.
    pub reader: &'c Reader,
    /// Name and version, as the library says them.
    pub version: String,
    /// Texts that were read; those are left out whose values the host has no types for.
    pub texts: usize,
    /// What is in no list.
    pub misread: Vec<Misreading<'c>>,
    /// How often each entry of the list came up.
    pub listed: Vec<usize>,
}

/// Compares what a reader says with what was written.
///
/// # Errors
///
/// What keeps the reader from answering.
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

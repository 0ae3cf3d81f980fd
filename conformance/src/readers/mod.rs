//! Reads Ketch's output with the YAML libraries of other languages: `conformance/readers/run`.
//!
//! [`table`] contains troublesome values, and [`random`] generates more of them. [`places`]
//! contains the contexts and styles in which each value is written. Each distinct text is a
//! [`Case`]. A [`Reader`] reads all cases in one run, and prints the values in [`notation`]. A
//! difference is a [`Misreading`], which must be in the list of [`known`] ones.

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

/// A text, and the documents that it contains.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text that readers get.
    pub text: String,
    /// The value of each document.
    pub documents: Vec<Value>,
}

impl Case {
    /// Returns the documents in the notation, as a host with these types has them.
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
    /// The value that was written, in the notation.
    pub written: String,
    /// The value that was read, in the notation, or the error.
    pub read: String,
}

/// The results of a reader.
#[derive(Debug)]
pub struct Outcome<'c> {
    /// The reader.
    pub reader: &'c Reader,
    /// The name and the version of the library, as it reports them.
    pub version: String,
    /// The number of texts that were read. Texts with values that the host language does not have
    /// are left out.
    pub texts: usize,
    /// The misreadings that are not in the list.
    pub misread: Vec<Misreading<'c>>,
    /// For each entry of the list, the number of times that it has occurred.
    pub listed: Vec<usize>,
}

/// Compares the values that a reader has read with those that were written.
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

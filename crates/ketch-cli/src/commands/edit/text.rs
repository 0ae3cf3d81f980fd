//! Converts the content of files to text.

use crate::diagnostic::Diagnostic;
use crate::read;
use crate::status::Failure;
use ketch_yaml::{Error, Parser};

/// Returns `bytes`, the content of `file`, as text. It is an error if they are not UTF-8.
pub fn text_of(file: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.into_bytes();
        match first_error(&bytes) {
            Some(error) => read::failure(file, &bytes, error),
            None => Failure::Input(Box::new(Diagnostic::binary(file, "not UTF-8".to_owned()))),
        }
    })
}

/// Returns the first error that the parser finds in `bytes`, or `None` if there is none.
fn first_error(bytes: &[u8]) -> Option<Error> {
    let mut parser = Parser::new(bytes);
    loop {
        match parser.next_chunk() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    }
}

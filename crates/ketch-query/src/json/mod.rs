//! JSON texts as values.

mod buffer;
mod build;
mod index;
mod reader;
mod steps;
mod walk;

pub use crate::value::json_number as number;
pub use reader::Reader;
pub use steps::{Entry, Step};

use crate::value::Value;

/// Reads a text that is one JSON value. The numbers are exact, and keep their spelling.
///
/// # Errors
///
/// Returns a message that says what is wrong and where.
pub fn parse_json(text: &str) -> Result<Value, String> {
    let mut reader = Reader::of_text(text.to_owned());
    let value = reader.next_value().map_err(|problem| problem.0)?;
    let value = value.ok_or_else(|| reader.problem(None, "").0)?;
    match reader.has_more().map_err(|problem| problem.0)? {
        true => Err("Unexpected extra JSON values".to_owned()),
        false => Ok(value),
    }
}

/// Reads all JSON values of a text, which are one after another.
///
/// # Errors
///
/// Returns a message that says what is wrong and where.
pub fn parse_json_texts(text: &str) -> Result<Vec<Value>, String> {
    let mut reader = Reader::of_text(text.to_owned());
    std::iter::from_fn(|| reader.next_value().transpose())
        .collect::<Result<_, _>>()
        .map_err(|problem| problem.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values of bytes as JSON, and the error, if they arrive in pieces of `step` bytes.
    fn read(bytes: &[u8], step: usize) -> Vec<String> {
        struct Pieces(Vec<u8>, usize, usize);
        impl std::io::Read for Pieces {
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                let count = self.1.min(out.len()).min(self.0.len() - self.2);
                out[..count].copy_from_slice(&self.0[self.2..self.2 + count]);
                self.2 += count;
                Ok(count)
            }
        }
        let mut reader = Reader::new(Vec::new(), Box::new(Pieces(bytes.to_vec(), step, 0)));
        let next = || match reader.next_value() {
            Ok(value) => value.map(|value| value.to_json()),
            Err(problem) => Some(problem.0),
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn values_are_read_however_the_text_is_cut() {
        let long =
            format!("[\"{}\", {{\"k\": [{}]}}]", "x".repeat(1 << 21), "1, ".repeat(99_999) + "1");
        let cases: [(&[u8], &[&str]); 11] = [
            (b" \xef\xbb\xbf", &["Invalid literal at line 1, column 2"]),
            (b"\xef\xbb\xbf[1]\n2 \"a\"{}", &["[1]", "2", "\"a\"", "{}"]),
            (b"{\"a\":1,\"b\":2,\"\\u0061\":3}", &["{\"a\":3,\"b\":2}"]),
            (b"[1.50,-0,1e5,-0.0,007,.5,1.,+1,nan]", &["[1.50,-0,1e5,-0.0,7,0.5,1,1,null]"]),
            (
                b"[\"\\ud83d\\ude00\\ud83d\", \"\\\\\\\"\"]",
                &["[\"\u{1f600}\u{fffd}\",\"\\\\\\\"\"]"],
            ),
            (b"[\"a\xffb\"] 1", &["[\"a\u{fffd}b\"]", "1"]),
            (b"1\n[1,]\n2", &["1", "Invalid literal at line 2, column 4"]),
            (b"[\"a\\x\"]", &["Invalid escape at line 1, column 6"]),
            (b"{\"a\" 1}", &["Objects must consist of key:value pairs at line 1, column 6"]),
            (b"{1:1}", &["Object keys must be strings at line 1, column 2"]),
            (b"[1 2]", &["Expected separator between values at line 1, column 4"]),
        ];
        for (text, expected) in cases {
            for step in [1, 3, 1000] {
                assert_eq!(read(text, step), expected, "{}", String::from_utf8_lossy(text));
            }
        }
        let compact = long.replace(", ", ",").replace(": ", ":");
        assert_eq!(read(long.as_bytes(), 4096), [compact]);
    }

    #[test]
    fn large_collections_are_searched_by_key_and_index() {
        let object: String = (0..99).map(|at| format!("\"k{at}\": {at}, \"k7\": {at},")).collect();
        let text = format!("[{{{}\"end\": 1}}, [{}]]", object, "1,".repeat(98) + "2");
        let value = parse_json(&text).unwrap();
        let (object, array) = (value.item(0), value.item(1));
        assert_eq!(object.entry_count(), Some(100));
        assert_eq!((object.field("k7"), object.field("k98")), (Some(98.into()), Some(98.into())));
        assert_eq!((object.field("none"), object.field("end")), (None, Some(1.into())));
        assert_eq!(
            (array.item(98), array.item(97), array.item(99)),
            (2.into(), 1.into(), Value::Null)
        );
    }
}

//! Hostile shapes of JSON.

use super::{Row, around, lines, nested, put, repeated};

pub(super) const SHAPES: &[Row] = &[
    ("json-arrays-deep", |n| nested("[", "", "]", n)),
    ("json-arrays-open", |n| repeated("[", n).into_bytes()),
    ("json-objects-deep", |n| nested("{\"a\":", "1", "}", n)),
    ("json-objects-open", |n| repeated("{\"a\":", n).into_bytes()),
    ("json-wide-array", |n| around("[0", ",1", "]", n)),
    ("json-wide-object", |n| {
        let mut text = lines("{", n, |out, i| put(out, format_args!("\"k{i}\":{i},")));
        text.extend_from_slice(b"\"\":0}");
        text
    }),
    ("json-same-keys", |n| around("{", "\"a\":1,", "\"a\":2}", n)),
    ("json-long-string", |n| around("\"", "x", "\"", n)),
    ("json-escapes", |n| around("\"", "\\n\\\"\\\\", "\"", n)),
    ("json-unicode-escapes", |n| around("\"", "\\ud83d\\ude00\\u0000", "\"", n)),
    ("json-many-texts", |n| repeated("{\"a\":[1,\"b\"]}\n", n).into_bytes()),
    ("json-many-texts-on-a-line", |n| repeated("[] ", n).into_bytes()),
    ("json-never-closed-string", |n| around("[\"", "a", "", n)),
    ("json-blanks", |n| around("[", " \n", "]", n)),
    ("json-long-number", |n| repeated("7", n).into_bytes()),
    ("json-long-fraction", |n| around("[0.", "3", "]", n)),
    ("json-long-exponent", |n| around("[1e", "9", "]", n)),
    ("json-long-key", |n| around("{\"", "k", "\":1}", n)),
];

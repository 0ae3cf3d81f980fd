//! Hostile shapes of extprot's schema language.

use super::{Row, around, lines, nested, put};

pub(super) const SHAPES: &[Row] = &[
    ("schema-many-fields", |n| {
        let mut text = lines("message m = {", n, |out, i| put(out, format_args!("f{i} : int;\n")));
        text.extend_from_slice(b"z : int }\n");
        text
    }),
    ("schema-many-types", |n| {
        let mut text = lines("", n, |out, i| put(out, format_args!("type t{i} = int\n")));
        text.extend_from_slice(b"message m = { a : t0 }\n");
        text
    }),
    ("schema-alias-chain", |n| {
        let mut text = lines("type t0 = int\n", n, |out, i| {
            put(out, format_args!("type t{} = t{i}\n", i + 1));
        });
        let last = text.iter().filter(|&&byte| byte == b'\n').count() - 1;
        text.extend_from_slice(format!("message m = {{ a : t{last} }}\n").as_bytes());
        text
    }),
    ("schema-record-chain", |n| {
        let mut text = lines("type t0 = int\n", n, |out, i| {
            put(out, format_args!("type t{} = {{ a : t{i}; b : [t{i}] }}\n", i + 1));
        });
        text.extend_from_slice(b"message m = { a : t9 }\n");
        text
    }),
    ("schema-doubling", |n| {
        let mut text = lines("type t0 'a = ('a * 'a)\n", n, |out, i| {
            put(out, format_args!("type t{} 'a = t{i}<t{i}<'a>>\n", i + 1));
        });
        let last = text.iter().filter(|&&byte| byte == b'\n').count() - 1;
        text.extend_from_slice(format!("message m = {{ a : t{last}<int> }}\n").as_bytes());
        text
    }),
    ("schema-many-constants", |n| {
        let mut text = lines("type t = A", n, |out, i| put(out, format_args!(" | C{i}")));
        text.extend_from_slice(b"\nmessage m = { a : t }\n");
        text
    }),
    ("schema-many-constructors", |n| {
        let mut text = lines("type t = A", n, |out, i| put(out, format_args!(" | C{i} int")));
        text.extend_from_slice(b"\nmessage m = { a : t }\n");
        text
    }),
    ("schema-many-messages", |n| {
        lines("message m = { a : int }\n", n, |out, i| {
            put(out, format_args!("message m{i} = {{ a : int }}\n"))
        })
    }),
    ("schema-message-cases", |n| {
        let mut text = lines("message m = Z { a : int }", n, |out, i| {
            put(out, format_args!("\n| C{i} {{ a : int }}"));
        });
        text.push(b'\n');
        text
    }),
    ("schema-same-type", |n| around("", "type t = int\n", "message m = { a : t }\n", n)),
    ("schema-same-field", |n| around("message m = {", "a : int; ", "b : int }\n", n)),
    ("schema-unknown-types", |n| {
        let mut text = lines("message m = {", n, |out, i| put(out, format_args!("f{i} : u{i};\n")));
        text.extend_from_slice(b"z : int }\n");
        text
    }),
    ("schema-lists-deep", |n| {
        let list = String::from_utf8(nested("[", "int", "]", n)).unwrap_or_default();
        format!("message m = {{ a : {list} }}\n").into_bytes()
    }),
    ("schema-tuples-deep", |n| {
        let tuple = String::from_utf8(nested("(int * ", "int", ")", n)).unwrap_or_default();
        format!("message m = {{ a : {tuple} }}\n").into_bytes()
    }),
    ("schema-wide-tuple", |n| around("message m = { a : (int", " * int", ") }\n", n)),
    ("schema-comments", |n| around("", "(* a *)\n", "message m = { a : int }\n", n)),
    ("schema-comments-deep", |n| {
        [nested("(* ", "", "*)", n), b" message m = { a : int }\n".to_vec()].concat()
    }),
    ("schema-comments-open", |n| around("", "(* ", "", n)),
    ("schema-long-name", |n| around("message m = { ", "a", " : int }\n", n)),
    ("schema-junk", |n| around("", "] ", "", n)),
    ("schema-recursive", |n| {
        let mut text = lines("", n, |out, i| {
            put(out, format_args!("type t{i} = E{i} | N{i} t{}\n", i + 1));
        });
        let last = text.iter().filter(|&&byte| byte == b'\n').count();
        text.extend_from_slice(
            format!("type t{last} = L t0 | K\nmessage m = {{ a : t0 }}\n").as_bytes(),
        );
        text
    }),
];

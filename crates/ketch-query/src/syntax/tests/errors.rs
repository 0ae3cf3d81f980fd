//! Programs that are wrong, and what is said of them.

use super::super::parse;

/// Programs, where the unexpected token begins and ends, and the message.
pub(super) const ERRORS: &[(&str, u32, u32, &str)] = &[
    ("1 + )", 4, 5, "unexpected `)`: expected an expression"),
    (
        "(1 + 2",
        6,
        6,
        "unexpected end: expected an operator or `)`; the `(` at line 1, column 1 is not closed",
    ),
    (
        "1 |\n ([1)",
        8,
        9,
        "unexpected `)`: expected an operator or `]`; the `[` at line 2, column 3 is not closed",
    ),
    (
        "[1,\n",
        4,
        4,
        "unexpected end: expected an expression; the `[` at line 1, column 1 is not closed",
    ),
    ("{", 1, 1, "unexpected end: expected a key; the `{` at line 1, column 1 is not closed"),
    ("}", 0, 1, "unexpected `}`: expected an expression"),
    ("1 2", 2, 3, "unexpected `2`: expected an operator or the end of the program"),
    ("..a", 2, 3, "unexpected `a`: expected an operator or the end of the program"),
    ("1 == 2 == 3", 7, 9, "unexpected `==`: it cannot be chained with `==`"),
    (".a = .b |= 1", 8, 10, "unexpected `|=`: it cannot be chained with `=`"),
    ("1 < 2 + 3 > 4", 10, 11, "unexpected `>`: it cannot be chained with `<`"),
    (".a?//1", 2, 5, "unexpected `?//`: expected an operator or the end of the program"),
    ("1 + def f: 1; f", 4, 7, "unexpected `def`: expected an expression"),
    ("1 + label $x | 1", 4, 9, "unexpected `label`: expected an expression"),
    ("{a: label $x | 1}", 4, 9, "unexpected `label`: expected an expression"),
    ("{a: 1 as $x | $x}", 6, 8, "unexpected `as`: expected an operator or the end of the value"),
    ("{a: }", 4, 5, "unexpected `}`: expected an expression"),
    ("{,}", 1, 2, "unexpected `,`: expected a key"),
    ("{a,,b}", 3, 4, "unexpected `,`: expected a key"),
    ("{1: 2}", 1, 2, "unexpected `1`: expected a key"),
    ("{a b}", 3, 4, "unexpected `b`: expected `,` or `}`"),
    ("{(1): 2}", 2, 3, "the key of an object must be a string, but this is a constant number"),
    ("{(null): 2}", 2, 6, "the key of an object must be a string, but this is a constant null"),
    (
        ". as {(true): $x} | 1",
        7,
        11,
        "the key of an object must be a string, but this is a constant boolean",
    ),
    ("{([1]): 2}", 2, 5, "the key of an object must be a string, but this is a constant array"),
    ("{@base64}", 8, 9, "unexpected `}`: expected a string after the format"),
    ("[1, 2,]", 6, 7, "unexpected `]`: expected an expression"),
    (
        "[)",
        1,
        2,
        "unexpected `)`: expected an expression; the `[` at line 1, column 1 is not closed",
    ),
    ("f()", 2, 3, "unexpected `)`: expected an expression"),
    (
        "f(1",
        3,
        3,
        "unexpected end: expected an operator, `;` or `)`; the `(` at line 1, column 2 is not closed",
    ),
    (".[:]", 3, 4, "unexpected `]`: expected an expression"),
    (".a.", 3, 3, "unexpected end: expected a field, a string or `[`"),
    (
        "if 1 then 2",
        11,
        11,
        "unexpected end: expected an operator, `elif`, `else` or `end`; the `if` at line 1, column 1 is not closed",
    ),
    ("if 1 else 2 end", 5, 9, "unexpected `else`: expected an operator or `then`"),
    (
        "try 1 catch 2 catch 3",
        14,
        19,
        "unexpected `catch`: expected an operator or the end of the expression",
    ),
    ("reduce 1, 2 as $x (0; 1)", 8, 9, "unexpected `,`: expected an operator or `as`"),
    ("reduce 1 as $x (0)", 17, 18, "unexpected `)`: expected an operator or `;`"),
    ("reduce 1 as $x (0; 1; 2)", 20, 21, "unexpected `;`: expected an operator or `)`"),
    (". as [] | 1", 6, 7, "unexpected `]`: expected a pattern: `$name`, `[...]` or `{...}`"),
    (". as {} | 1", 6, 7, "unexpected `}`: expected a key or `$name`"),
    (". as [$a,] | 1", 9, 10, "unexpected `]`: expected a pattern: `$name`, `[...]` or `{...}`"),
    (". as {a} | 1", 7, 8, "unexpected `}`: expected `:` and the pattern of the key"),
    (". as $x", 7, 7, "unexpected end: expected `|` or `?//`"),
    ("break", 5, 5, "unexpected end: expected the `$name` of a label"),
    ("def f: 1", 8, 8, "unexpected end: expected an operator or `;`"),
    ("def if: 1; 2", 4, 6, "unexpected `if`: expected the name of the function"),
    ("def f(): 1; f", 6, 7, "unexpected `)`: expected a parameter: `name` or `$name`"),
    ("\"a", 2, 2, "unexpected end: the string that begins at line 1, column 1 is not closed"),
    (
        "\"a\\(1\"",
        5,
        6,
        "unexpected string: expected an operator or `)`; the `\\(` at line 1, column 3 is not closed",
    ),
    (
        "\"a\\(1",
        5,
        5,
        "unexpected end: expected an operator or `)`; the `\\(` at line 1, column 3 is not closed",
    ),
    ("\"a\\v\"", 2, 4, "invalid escape `\\\\v`"),
    ("\"a\\u12g4\"", 2, 8, "invalid escape `\\\\u12g4`"),
    ("\"\\ud83d\\u0041\"", 1, 7, "invalid escape `\\\\ud83d`"),
    ("\"a\" \"b\"", 4, 5, "unexpected string: expected an operator or the end of the program"),
    ("1 & 2", 2, 3, "unexpected character `&`"),
    ("$ x", 0, 1, "unexpected character `$`"),
    ("1 \u{a0}", 2, 4, "unexpected character `\\u{a0}`"),
    ("module .; 1", 7, 8, "the metadata must be constant"),
    ("module []; 1", 7, 9, "the metadata must be an object"),
    (
        "import \"a\\(1)\" as a; 1",
        9,
        11,
        "unexpected `\\(`: expected the end of the path, which must be constant",
    ),
    ("import \"a\"; 1", 10, 11, "unexpected `;`: expected `as` and a name"),
    ("1; 2", 1, 2, "unexpected `;`: expected an operator or the end of the program"),
    ("1 | import \"a\" as a; 2", 4, 10, "unexpected `import`: expected an expression"),
];

#[test]
fn messages() {
    for (source, start, end, message) in ERRORS {
        let error = parse(source).expect_err(source);
        let found = (error.span.start, error.span.end, &*error.message);
        assert_eq!(found, (*start, *end, *message), "{source}");
    }
    println!("{} cases", ERRORS.len());
}

#[test]
fn help() {
    for (source, help) in [
        (".a?//1", "`?//` is between patterns; for `?` and `//`, put a space between them"),
        ("1 + def f: 1; f", "put it in parentheses"),
        ("1 && 2", "write `and`"),
        ("!.a", "write `| not` after the condition"),
        ("{1: 2}", "put quotes around a key, or parentheses if it is an expression"),
        ("1 == 2 == 3", "put parentheses around one of the operations"),
    ] {
        let error = parse(source).expect_err(source);
        assert_eq!(error.help.as_deref(), Some(help), "{source}");
    }
}

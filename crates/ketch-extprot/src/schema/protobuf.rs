//! Recognises schemas of Protocol Buffers, which are also in files whose names end in `.proto`. The
//! error then says what the file is, instead of naming the first word that is not valid in extprot.

use super::diagnostic::{Diagnostic, Rule, Span};

/// Returns an error at the first line that is typical of Protocol Buffers, or `None` if there is no
/// such line. The caller knows that `text` is not a valid extprot schema.
pub(super) fn recognise(text: &str, file: u32) -> Option<Diagnostic> {
    let mut offset = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        // The brace may be on the next line.
        let opens = lines.peek().is_some_and(|next| next.trim_start().starts_with('{'));
        if is_protobuf(line.trim()) || opens && is_protobuf(&format!("{} {{", line.trim())) {
            let start = offset + line.len() - line.trim_start().len();
            let end = offset + line.trim_end().len();
            return Some(diagnostic(Span { file, start: start as u32, end: end as u32 }));
        }
        offset += line.len();
    }
    None
}

/// Returns the error for a line of Protocol Buffers at `span`.
fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic {
        rule: Rule::Syntax,
        span,
        message: "this is a schema of Protocol Buffers (protobuf), not of extprot".into(),
        help: "write it in extprot's schema language, as in \
            `message user = { id : int; name : string }`; the two formats only share the file \
            extension"
            .into(),
        related: None,
    }
}

/// Returns whether a line is a declaration of Protocol Buffers. In extprot, `=` follows the name of
/// a message, and strings only follow `include` and `options`.
fn is_protobuf(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second, third) = (words.next(), words.next(), words.next());
    let is_name = |word: Option<&str>| word.is_some_and(|it| it.starts_with(char::is_alphabetic));
    let opens = |word: Option<&str>| word.is_some_and(|it| it.starts_with('{'));
    match first.unwrap_or_default() {
        "message" | "enum" | "service" => {
            is_name(second) && (opens(third) || second.is_some_and(|it| it.contains('{')))
        }
        "package" => is_name(second) && line.contains(';'),
        "import" => line.contains('"') && line.contains(';'),
        word => {
            let is_setting = word.starts_with("syntax") || word.starts_with("edition");
            let value = line.split_once('=').map(|(_, value)| value.trim_start());
            is_setting && value.is_some_and(|it| it.starts_with(['"', '\'']))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protobuf_syntax_is_recognized() {
        for line in [
            "syntax = \"proto3\";",
            "syntax='proto2';",
            "edition = \"2023\";",
            "package a.b;",
            "import public \"x.proto\";",
            "message User {",
            "message User{",
            "enum Kind {",
            "service S {",
        ] {
            assert!(is_protobuf(line), "{line}");
        }
        for line in [
            "message user = { a : int }",
            "message user",
            "type syntax = A | B",
            "include \"x.proto\"",
            "syntax = A",
            "message = 3",
            "",
        ] {
            assert!(!is_protobuf(line), "{line}");
        }
    }

    #[test]
    fn errors_point_at_the_protobuf_line() {
        let text = "// a comment\n\n  syntax = \"proto3\";\nmessage X {\n}\n";
        let found = recognise(text, 0).unwrap();
        assert_eq!(
            &text[found.span.start as usize..found.span.end as usize],
            "syntax = \"proto3\";"
        );
        assert!(recognise("message user\n{\n}\n", 0).is_some());
        assert!(recognise("message user = { a : int", 0).is_none());
    }
}

//! JSON text, and the comments that some JSON files contain.

use memchr::memmem::Finder;

/// Returns the offset of the first `//` or `/*` that starts a comment in JSON with comments: one
/// after white space, a comma or a bracket, and not in quotes. Returns `None` if `text` does not
/// start with a bracket or has no double quotes.
pub(super) fn json_comment(text: &[u8]) -> Option<usize> {
    let start = text.trim_ascii_start();
    if !start.starts_with(b"{") && !start.starts_with(b"[") {
        return None;
    }
    let first = |word: &str| {
        Finder::new(word).find_iter(text).find(|&at| is_candidate(text, at) && !is_quoted(text, at))
    };
    let found = [first("//"), first("/*")].into_iter().flatten().min()?;
    memchr::memchr(b'"', text).map(|_| found)
}

/// Returns whether the byte before `at` allows that a comment starts there.
fn is_candidate(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text[before]);
    before.is_none_or(|byte| byte.is_ascii_whitespace() || b",[]{}".contains(&byte))
}

/// Returns whether `at` is in double quotes or in a YAML comment. Only the line of `at` is read,
/// because a JSON string ends on the line where it starts.
fn is_quoted(text: &[u8], at: usize) -> bool {
    let (mut is_open, mut at_next) = (false, super::lines::line_start(text, at));
    while at_next < at {
        match text[at_next] {
            b'\\' if is_open => at_next += 1,
            b'"' => is_open = !is_open,
            b'#' if !is_open => return true,
            _ => {}
        }
        at_next += 1;
    }
    is_open
}

#[cfg(test)]
mod tests {
    use super::super::{Action, CommentPlace, Edit, EditErrorKind, Operation};
    use super::json_comment;

    #[test]
    fn comments_of_json_are_found_outside_of_strings() {
        assert_eq!(json_comment(b"{\n  // a\n  \"b\": 1\n}"), Some(4));
        assert_eq!(json_comment(b"{\"a\": 1, /* b */ \"c\": 2}"), Some(9));
        assert_eq!(json_comment(b" [\"a\",//b\n]"), Some(6));
        for text in [
            &b"{\"a\": \"http://b\"}"[..],
            b"{\"a\": \" // \\\" // \", \"b\": \" /* \"}",
            b"{\"a\": 1} # see // there",
            b"{a: http://b}",
            b"[//server/share, b]",
            b"a: \"b\" // c",
            b"{\"a\": [1, 2]}",
        ] {
            assert_eq!(json_comment(text), None, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn json_with_comments_is_refused_at_the_comment() {
        let mut edit = Edit::deferred("{\n  \"a\": 1 // one\n}\n".to_owned()).as_json();
        let operation = Operation::at(Action::set("2"), &".a".parse().expect("a path"));
        let error = edit.apply(&[operation]).expect_err("comments");
        assert_eq!(error.kind(), EditErrorKind::Invalid);
        assert_eq!(error.location().map(|at| (at.line, at.column)), Some((2, 10)));
        assert_eq!(edit.text(), "{\n  \"a\": 1 // one\n}\n");
    }

    #[test]
    fn json_without_entries_stays_json() {
        for (old, path, value, new) in [
            ("{}", ".a.b", "x", r#"{"a": {"b": "x"}}"#),
            ("[]\n", ".[0]", "1", "[1]\n"),
            ("", ".a", "[b]", "{\"a\": [\"b\"]}\n"),
        ] {
            let (action, path) = match path {
                ".[0]" => (Action::Append(value.into()), "."),
                path => (Action::set(value), path),
            };
            for is_whole in [false, true] {
                let mut edit = Edit::deferred(old.to_owned()).as_json();
                if is_whole {
                    edit = edit.checking_whole();
                }
                let operation = Operation::at(action.clone(), &path.parse().expect("a path"));
                edit.apply(&[operation]).expect("an edit");
                assert_eq!(edit.text(), new);
            }
        }
    }

    #[test]
    fn the_name_of_a_file_says_whether_it_is_json() {
        for (name, expected) in [
            ("dir/a.jsonc", "{\"b\": 1}\n"),
            ("a.JSON", "{\"b\": 1}\n"),
            ("a.yaml", "b: 1\n"),
            ("json", "b: 1\n"),
            ("", "b: 1\n"),
        ] {
            let mut edit = Edit::deferred("{}\n".to_owned()).of_file(name);
            let operation = Operation::at(Action::set("1"), &".b".parse().expect("a path"));
            edit.apply(&[operation]).expect("an edit");
            assert_eq!(edit.text(), expected, "{name}");
        }
    }

    #[test]
    fn json_gets_no_comments() {
        let (place, comment) = (CommentPlace::Leading, Some("b".to_owned()));
        let action = Action::Comment { place, text: comment };
        let operation = Operation::at(action, &".a".parse().expect("a path"));
        let text = "{\n  \"a\": 1\n}\n";
        let mut edit = Edit::deferred(text.to_owned()).as_json();
        let error = edit.apply(std::slice::from_ref(&operation)).expect_err("a comment");
        assert_eq!(error.message(), "JSON has no comments");
        // If the text is not declared to be JSON, it may be YAML.
        Edit::deferred(text.to_owned()).apply(&[operation]).expect("a comment");
    }
}

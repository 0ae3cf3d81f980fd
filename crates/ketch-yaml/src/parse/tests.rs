//! What the grammar forbids, checked by the problem that is told.

use crate::{Parser, Problem};

fn problem(text: &str) -> Option<Problem> {
    let mut parser = Parser::new(text.as_bytes());
    loop {
        match parser.next_chunk() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error.problem()),
        }
    }
}

#[test]
fn the_name_of_a_directive_touches_its_indicator() {
    assert_eq!(problem("%YAML 1.2\n---\n"), None);
    for text in ["% YAML 1.2\n---\n", "%\tTAG ! x\n---\n", "%\n---\n", "% # c\n---\n"] {
        assert_eq!(problem(text), Some(Problem::EmptyDirective), "{text:?}");
    }
}

#[test]
fn properties_are_separated_from_an_opening_bracket() {
    for text in ["[!a{}]", "{&a[]}", "[!<x>[]]", "{&a !{}: b}", "[&a:[]]"] {
        assert_eq!(problem(text), Some(Problem::PropertyNotSeparated), "{text:?}");
    }
    for text in ["[!a {}]", "[!a, &a ]", "[!a]", "{!a}", "{&a , !<x>}"] {
        assert_eq!(problem(text), None, "{text:?}");
    }
}

#[test]
fn a_pair_has_its_properties_on_the_line_of_its_key() {
    for text in ["[&a\nb: c]", "[!t\n'b': c]", "[&a\n[b]: c]", "[&a\n: c]", "[&a\n!t\n{}: c]"] {
        assert_eq!(problem(text), Some(Problem::MultilineKey), "{text:?}");
    }
    for text in ["[&a b: c]", "[\n&a [b]: c]", "[&a : c]", "[&a\nb, !t\n[b]]", "{&a\nb: c}"] {
        assert_eq!(problem(text), None, "{text:?}");
    }
}

#[test]
fn byte_order_marks_stand_in_front_of_directives() {
    for text in
        ["\u{feff}%YAML 1.2\n---\n", "\n\u{feff}# c\n\u{feff}--- a\n", "a\n...\n\u{feff}b\n"]
    {
        assert_eq!(problem(text), None, "{text:?}");
    }
    let text = "%YAML 1.2\n\u{feff}---\n";
    assert_eq!(problem(text), Some(Problem::DirectiveWithoutDocument));
}

//! Tests of the readers.

use super::flow::{Flow, is_number};
use super::to_yaml;
use crate::args::Origin;
use crate::json_syntax;

/// Returns `text` in the format `origin` as JSON, or the first line of the error.
fn json(origin: Origin, text: &str) -> String {
    match to_yaml(origin, "file", text.as_bytes().to_vec()) {
        Ok(yaml) => {
            let mut json = Vec::new();
            let mut writer =
                ketch_yaml::compose::JsonWriter::new(&ketch_yaml::compose::JsonOptions::default());
            for document in ketch_yaml::Documents::new(&yaml) {
                let document = document.unwrap_or_else(|error| {
                    panic!("{error} in {}", String::from_utf8_lossy(&yaml))
                });
                writer.write(&document, &mut json).unwrap();
            }
            String::from_utf8(json).unwrap()
        }
        Err(failure) => {
            let diagnostic = failure.diagnostic().unwrap();
            let location = diagnostic.location.unwrap();
            format!("{}:{}: {}", location.line, location.column, diagnostic.message)
        }
    }
}

#[test]
fn formats_are_found_by_the_name_of_a_file() {
    for (name, expected) in [
        ("a/b.YAML", Some(Origin::Yaml)),
        ("b.yml", Some(Origin::Yaml)),
        ("b.ndjson", Some(Origin::Json)),
        ("a.b/Cargo.toml", Some(Origin::Toml)),
        (".env", Some(Origin::Env)),
        ("a/.env.local", Some(Origin::Env)),
        ("prod.env", Some(Origin::Env)),
        ("-", None),
        ("a.csv/b", None),
    ] {
        assert_eq!(Origin::of_name(name), expected, "{name}");
    }
}

#[test]
fn only_the_numbers_of_json_are_numbers() {
    for text in ["0", "-1.50", "1e400", "12345678901234567890"] {
        assert!(is_number(text), "{text}");
    }
    for text in ["", "007", "+1", "1.", ".5", "1_0", " 1", "1 ", "0x1F", "-", "NaN", "1,5"] {
        assert!(!is_number(text), "{text}");
    }
}

#[test]
fn every_character_of_a_text_survives() {
    let text: String = (0..=0x2_ffff).filter_map(char::from_u32).collect();
    let mut flow = Flow::default();
    flow.text(&text);
    let document = ketch_yaml::Documents::new(flow.out.as_bytes()).next().unwrap().unwrap();
    assert!(document.root().text() == text);
}

#[test]
fn toml_is_exact() {
    let text = "a = 0xDEAD_beef\nb = 0b101\nc = 0o17\nd = +1_000\ne = 1.50\nf = 6.626e-34\n\
                g = 1979-05-27T07:32:00.999-07:00\nh = 1979-05-27\ni = 07:32:00\n\
                j = 'C:\\n'\nk = \"\"\"\nx\n y\"\"\"\n[t.\"u.v\"]\nw = [1, [2]]\n[[z]]\na = {b = true}\n[[z]]\n";
    assert_eq!(
        json(Origin::Toml, text),
        "{\"a\":3735928559,\"b\":5,\"c\":15,\"d\":1000,\"e\":1.50,\"f\":6.626e-34,\
         \"g\":\"1979-05-27T07:32:00.999-07:00\",\"h\":\"1979-05-27\",\"i\":\"07:32:00\",\
         \"j\":\"C:\\\\n\",\"k\":\"x\\n y\",\"t\":{\"u.v\":{\"w\":[1,[2]]}},\
         \"z\":[{\"a\":{\"b\":true}},{}]}"
    );
    assert_eq!(json(Origin::Toml, ""), "{}");
}

#[test]
fn mistakes_in_toml_have_a_place() {
    assert_eq!(json(Origin::Toml, "a = 1\na = 2\n"), "2:1: duplicate key `a`");
    assert_eq!(json(Origin::Toml, "a = [1\n"), "1:5: the `[` is not closed");
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(json(Origin::Toml, &deep).contains("max recursion depth"));
    let wide = format!("a = [{}\n", "1 2 ".repeat(100_000));
    assert!(json(Origin::Toml, &wide).starts_with("1:"));
}

/// Checks that any text is repaired or reported without a panic.
#[test]
fn mistakes_in_any_text_are_reported() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mistakes");
    for name in ["toml_keys", "toml_values", "json_texts"] {
        let text = std::fs::read_to_string(format!("{folder}/{name}.txt")).expect("mistakes");
        let inputs = text.split("%%% input\n").skip(1).filter_map(|part| part.split("%%%").next());
        for input in inputs {
            let ends = input.char_indices().map(|(at, _)| at);
            let pieces =
                ends.clone().flat_map(|at| [&input[at..], &input[..at]].map(str::to_owned));
            let marks = ["\"", "'", "[", "}", "=", ":", "\u{201c}", "\\", "\n", "#"];
            let at = ends.clone().filter(|at| at % 5 == 0);
            let inserted = at
                .flat_map(|at| marks.map(|mark| format!("{}{mark}{}", &input[..at], &input[at..])));
            for piece in pieces.chain(inserted) {
                let _ = to_yaml(Origin::Toml, "file", piece.clone().into_bytes());
                let _ = json_syntax::check(piece.as_bytes(), json_syntax::Texts::One);
            }
        }
    }
}

#[test]
fn cells_are_numbers_booleans_null_or_text() {
    let text = "id,zip,ok,note\n1,01234,true,\"a, \"\"b\"\"\nc\"\n1.50,+1,no,\r\n";
    assert_eq!(
        json(Origin::Csv, text),
        "[{\"id\":1,\"zip\":\"01234\",\"ok\":true,\"note\":\"a, \\\"b\\\"\\nc\"},\
         {\"id\":1.50,\"zip\":\"+1\",\"ok\":\"no\",\"note\":null}]"
    );
    assert_eq!(json(Origin::Tsv, "a\tb\n\"x\t1,5\n"), r#"[{"a":"\"x","b":"1,5"}]"#);
    assert_eq!(json(Origin::Csv, "a;b\n1;2\n"), r#"[{"a":1,"b":2}]"#);
    assert_eq!(json(Origin::Csv, "\u{feff}a\n1\n"), r#"[{"a":1}]"#);
    assert_eq!(json(Origin::Csv, "a,b\n"), "[]");
    assert_eq!(json(Origin::Csv, ""), "[]");
}

#[test]
fn mistakes_in_csv_have_a_place() {
    let wrong = "3:1: this record has 3 fields, but the first one has 2";
    assert_eq!(json(Origin::Csv, "a,b\n1,2\n1,2,3\n"), wrong);
    assert_eq!(json(Origin::Csv, "a,a\n"), "1:1: columns 1 and 2 are both called `a`");
}

#[test]
fn properties_are_those_of_java() {
    let text = "# c\n! d\n\na.b = 1 \n  c:d\ne f\ng\\ h=\\u00e9\\ud83d\\ude00\\t\\\\\ni = x, \\\n    y\nj\n";
    assert_eq!(
        json(Origin::Properties, text),
        "{\"a.b\":\"1 \",\"c\":\"d\",\"e\":\"f\",\"g h\":\"\u{e9}\u{1f600}\\t\\\\\",\"i\":\"x, y\",\"j\":\"\"}"
    );
    assert_eq!(json(Origin::Properties, "a=1\nb=2\na=3\n"), "3:1: duplicate key `a`");
    assert_eq!(json(Origin::Properties, "a=\\u12\n"), "1:1: `\\u12` is not an escape");
}

#[test]
fn variables_are_text() {
    let text =
        "# c\nA=1 # note\nexport B = 'x # \\n'\nC=\"l1\\n${A}\nl2\" # d\nD=\nE\nF=a#b\nG=\"\"\r\n";
    assert_eq!(
        json(Origin::Env, text),
        "{\"A\":\"1\",\"B\":\"x # \\\\n\",\"C\":\"l1\\n${A}\\nl2\",\"D\":\"\",\"E\":null,\"F\":\"a#b\",\"G\":\"\"}"
    );
    assert_eq!(json(Origin::Env, "A=1\nA=2\n"), "2:1: duplicate key `A`");
    assert_eq!(json(Origin::Env, "A='x\n"), "1:3: this quote is never closed");
    assert_eq!(json(Origin::Env, "A='x' y\n"), "1:6: expected the end of the line");
    assert_eq!(json(Origin::Env, "a b\n"), "1:1: expected a line such as `NAME=text`");
}

#[test]
fn elements_and_attributes_become_keys() {
    let text = "<?xml version=\"1.0\"?>\n<!-- c --><a:root xmlns:a='u' id='1'><p>8 &lt; 9</p><p/>\
                <q k='v'>t</q><r><![CDATA[<x>]]></r><s><u>007</u></s></a:root>";
    assert_eq!(
        json(Origin::Xml, text),
        r##"{"a:root":{"@id":"1","p":["8 < 9",null],"q":{"@k":"v","#text":"t"},"r":"<x>","s":{"u":"007"}}}"##
    );
}

#[test]
fn mistakes_in_xml_have_a_place() {
    let mixed = "1:4: text beside the elements of `p` has no place in a mapping";
    assert_eq!(json(Origin::Xml, "<p>a <b>c</b></p>"), mixed);
    assert!(json(Origin::Xml, "<a>\n<b></a>").starts_with("2:"));
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(json(Origin::Xml, &deep).contains("128 levels deep"));
    let bomb = "<!DOCTYPE l [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>\
                <!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>\
                <!ENTITY e '&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;'>]><l>&e;</l>";
    assert!(json(Origin::Xml, bomb).len() < 1000);
}

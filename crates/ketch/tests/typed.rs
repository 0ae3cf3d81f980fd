//! Tests of conversions by a schema: the forms of every type, in both directions, and the locations
//! of errors.

use ketch::typed::{Constructors, TypedReader, write};
use ketch::{ConvertError as Error, EncodeOptions, ErrorLocation, JsonSink, YamlSink};
use ketch_extprot::schema::{NoLoader, Schema, check_schema};
use ketch_extprot::{Limits, Typed};
use ketch_yaml::Documents;

const SCHEMA: &str = r#"
type inner = Plain | Thick int
type shape = Dot | Circle int | Rect int int | Styled inner | Named string | Path [ int ] | Blob
type point = { x : int; y : int [@default 7] }
message u = One { a : int } | Two { b : string; c : bool }
message m = {
  shapes : [ shape ];
  flag : bool;
  small : byte [@default 1];
  int_ : int [@default 2];
  long_ : long [@default 3];
  float_ : float [@default 4.5];
  text : string [@default "t"];
  pair : (int [@default 0] * bool);
  many : [| point |];
  alt [@lazy] : u
}
message part = {| m | flag; small |}
"#;

fn schema() -> Schema {
    check_schema("test.proto", SCHEMA, &mut NoLoader).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn read(schema: &Schema, message: &str, yaml: &str) -> Result<Typed<'static>, Error> {
    let id = schema.lookup(message).expect("a message");
    let document = Documents::new(yaml.as_bytes()).next().expect("a document").expect("valid YAML");
    TypedReader::new(schema, id, &EncodeOptions::default()).read(&document).map(Typed::into_owned)
}

fn json(schema: &Schema, message: &str, value: &Typed<'_>) -> String {
    let id = schema.lookup(message).expect("a message");
    let mut sink = JsonSink::new(&Default::default());
    write(schema, id, value, Constructors::Mappings, &Limits::default(), &mut sink).expect("JSON");
    String::from_utf8(sink.text().to_vec()).expect("UTF-8")
}

fn yaml(schema: &Schema, message: &str, value: &Typed<'_>) -> String {
    let id = schema.lookup(message).expect("a message");
    let mut sink = YamlSink::new(&Default::default()).with_scalar_tags(true);
    write(schema, id, value, Constructors::Tags, &Limits::default(), &mut sink).expect("YAML");
    String::from_utf8(sink.end_document().expect("a value").to_vec()).expect("UTF-8")
}

/// Fields of documents, with the same fields as JSON.
const FORMS: [(&str, &str); 16] = [
    ("shapes: [Dot, !Dot, !Blob ~]", r#"["Dot","Dot","Blob"]"#),
    (
        "shapes: [!Circle 5, {Circle: 0x6}, !Circle [7]]",
        r#"[{"Circle":5},{"Circle":6},{"Circle":7}]"#,
    ),
    ("shapes: [!Rect [1, 2], {Rect: [3, 4]}]", r#"[{"Rect":[1,2]},{"Rect":[3,4]}]"#),
    ("shapes: [!Styled Plain, {Styled: Plain}]", r#"[{"Styled":"Plain"},{"Styled":"Plain"}]"#),
    ("shapes: [!Styled [!Thick 3]]", r#"[{"Styled":{"Thick":3}}]"#),
    ("shapes: [!Styled {Thick: 3}]", r#"[{"Styled":{"Thick":3}}]"#),
    ("shapes: [{Styled: !Thick 3}]", r#"[{"Styled":{"Thick":3}}]"#),
    (
        "shapes: [!Named '5', !Named x, {Named: ''}]",
        r#"[{"Named":"5"},{"Named":"x"},{"Named":""}]"#,
    ),
    (
        "shapes: [!Path [], !Path [1], {Path: [1, 2]}]",
        r#"[{"Path":[]},{"Path":[1]},{"Path":[1,2]}]"#,
    ),
    ("flag: true", "true"),
    ("small: 255", "255"),
    ("int_: -4611686018427387904", "-4611686018427387904"),
    ("long_: 9223372036854775807", "9223372036854775807"),
    ("float_: 3", "3.0"),
    ("pair: [1, true]", "[1,true]"),
    ("many: [{x: 1}, {y: 2, x: 3}]", r#"[{"x":1,"y":7},{"x":3,"y":2}]"#),
];

#[test]
fn every_schema_type_converts_both_ways() {
    let schema = schema();
    let id = schema.lookup("m").expect("a message");
    for (form, expected) in FORMS {
        let text = format!("{form}\nalt: !One {{a: 1}}\n");
        let value = read(&schema, "m", &text).unwrap_or_else(|error| panic!("{form}: {error}"));
        let (field, _) = form.split_once(':').expect("a field");
        let all = json(&schema, "m", &value);
        assert!(all.contains(&format!("\"{field}\":{expected}")), "{form}: {all}");
        // Bytes, YAML and JSON all represent the same value.
        let bytes = schema.encode(id, &value).expect("a value of the type");
        let decoded = schema.decode(id, &bytes, &Limits::default()).expect("what was written");
        assert_eq!(json(&schema, "m", &decoded), all);
        for text in [yaml(&schema, "m", &value), all] {
            let again = read(&schema, "m", &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(schema.encode(id, &again).expect("a value of the type"), bytes, "{text}");
        }
    }
}

#[test]
fn missing_fields_get_their_defaults() {
    let schema = schema();
    let value = read(&schema, "m", "alt: {Two: {b: x}}").expect("all others have defaults");
    let expected = r#"{"shapes":[],"flag":false,"small":1,"int_":2,"long_":3,"float_":4.5,"text":"t","pair":[0,false],"many":[],"alt":{"Two":{"b":"x","c":false}}}"#;
    assert_eq!(json(&schema, "m", &value), expected);
}

#[test]
fn strings_that_are_not_utf8_become_binary() {
    let schema = schema();
    let document = "text: !!binary /wA=\nshapes: [!Named [!!binary /wA=]]\nalt: !One {a: 1}";
    let value = read(&schema, "m", document).expect("a string is any bytes");
    let text = yaml(&schema, "m", &value);
    assert!(text.contains("text: !!binary /wA=\n"), "{text}");
    let again = read(&schema, "m", &text).expect("what was written");
    assert_eq!(json(&schema, "m", &again), json(&schema, "m", &value));
}

/// Documents with an error: the text, the line and column of the error, and a part of its message.
const ERRORS: [(&str, u64, u64, &str); 29] = [
    ("[]", 1, 1, "expected a mapping, found a sequence"),
    ("alt: !One {a: 1}\nflga: true", 2, 1, "unknown field flga\n  help: Did you mean flag?"),
    ("alt: !One {a: 1}\nqqqqqqqq: 1", 2, 1, "help: The fields are shapes, flag, small"),
    ("flag: true", 1, 1, "missing field alt, which has no default"),
    ("many: [{x: 1}, {y: 2}]", 1, 16, "many[1]: missing field x"),
    ("flag: yes", 1, 7, "flag: expected a bool, found a string\n  help: Write `true`"),
    ("flag: 1", 1, 7, "expected a bool, found an integer"),
    ("small: 256", 1, 8, "out of range for a byte\n  help: The range is 0 to 255."),
    ("small: -1", 1, 8, "for a byte"),
    ("small: 99999999999999999999", 1, 8, "for a byte"),
    ("int_: 4611686018427387904", 1, 7, "for an int"),
    ("int_: '5'", 1, 7, "int_: expected an integer, found a string"),
    ("int_: 5.0", 1, 7, "expected an integer, found a float"),
    ("int_: ~", 1, 7, "expected an integer, found null"),
    ("int_: [5]", 1, 7, "expected an integer, found a sequence"),
    ("long_: 9223372036854775808", 1, 8, "for a long"),
    ("float_: 9223372036854775807", 1, 9, "no float has exactly this value"),
    ("float_: 9007199254740993", 1, 9, "no float has exactly this value"),
    ("text: 5", 1, 7, "expected a string, found an integer\n  help: Put it in quotes."),
    ("text: {a: b}", 1, 7, "expected a string, found a mapping"),
    ("text: !foo x", 1, 7, "unexpected tag !foo"),
    ("pair: [1]", 1, 7, "expected 2 entries, found 1"),
    ("many: {x: 1}", 1, 7, "expected a sequence, found a mapping"),
    (
        "shapes:\n- Dto",
        2,
        3,
        "shapes[0]: shape has no constructor \"Dto\"\n  help: Write one of Dot, !Circle ..., !Rect [...],",
    ),
    ("shapes: [Circle]", 1, 10, "Circle needs arguments\n  help: Write `!Circle`"),
    ("shapes: [!Dot 5]", 1, 15, "Dot takes no arguments"),
    ("shapes: [!Circle x]", 1, 18, "shapes[0].Circle: expected an integer, found a string"),
    ("alt: {a: 1}", 1, 6, "u has no case a\n  help: The cases are One, Two."),
    ("alt: !One {a: x}", 1, 15, "alt.One.a: expected an integer"),
];

#[test]
fn errors_have_the_location_of_their_node() {
    let schema = schema();
    for (text, line, column, words) in ERRORS {
        let error = read(&schema, "m", text).expect_err(text);
        let ErrorLocation::Text(place) = error.location() else { panic!("{text}: {error}") };
        assert_eq!((place.line, place.column), (line, column), "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn aliases_are_read_as_their_targets() {
    let schema = schema();
    let text = "many: [&p {x: 1}, *p]\nalt: !One {a: 1}\n";
    let value = read(&schema, "m", text).expect("aliases are values");
    assert!(json(&schema, "m", &value).contains(r#"[{"x":1,"y":7},{"x":1,"y":7}]"#));

    let list = "type l1 = [ int ] type l2 = [ l1 ] type l3 = [ l2 ] message m = { l : [ l3 ] }";
    let schema = check_schema("list.proto", list, &mut NoLoader).expect("a schema");
    let many = |name: &str| vec![format!("*{name}"); 90].join(",");
    let text = format!(
        "l: [&c [&b [&a [{}], {}], {}], {}]",
        ["1"; 90].join(","),
        many("a"),
        many("b"),
        many("c")
    );
    let error = read(&schema, "m", &text).expect_err("65 million numbers");
    assert!(error.to_string().contains("the aliases expand to too many nodes"), "{error}");
}

#[test]
fn subsets_can_be_read_but_not_written() {
    let schema = schema();
    let m = schema.lookup("m").expect("a message");
    let part = schema.lookup("part").expect("a subset");
    let value = read(&schema, "m", "flag: true\nalt: !One {a: 1}").expect("a value");
    let bytes = schema.encode(m, &value).expect("a value of the type");
    let seen = schema.decode(part, &bytes, &Limits::default()).expect("a part of it");
    assert_eq!(json(&schema, "part", &seen), r#"{"flag":true,"small":1}"#);
    let typed = read(&schema, "part", "flag: true").expect("a value");
    assert!(schema.encode(part, &typed).is_err());
}

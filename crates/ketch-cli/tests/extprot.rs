//! Tests of `ketch extprot`, which checks, formats, compares and compiles schemas, and inspects
//! data.

mod common;

use common::Sandbox;
use serde_json::Value;

const USER: &[u8] = b"type contact = Email string | Phone string
message user = { id : int; name : string; contacts : [ contact ] }
";

#[test]
fn valid_schemas_cause_no_output() {
    let sandbox = Sandbox::with(&[("user.proto", USER), ("empty.proto", b"")]);
    sandbox.ketch(&["extprot", "check", "user.proto", "empty.proto"]).is(0, "", "");
    sandbox.ketch_with(&["extprot", "check", "-"], USER).is(0, "", "");
}

#[test]
fn each_error_has_a_caret_and_help() {
    let sandbox = Sandbox::with(&[
        ("a.proto", b"type t = A | A\nmessage m = { a : foo; b : t }\n"),
        ("user.proto", USER),
        ("b.proto", b"include \"user.proto\"\nmessage user = { a : int }\n"),
    ]);
    let run = sandbox.ketch(&["extprot", "check", "a.proto", "b.proto"]);
    assert!(run.exits_with(1).stdout.contains("--> a.proto:1:14\n"), "{run}");
    let unbound = "\
error: foo is not declared
  --> a.proto:2:19
  |
2 | message m = { a : foo; b : t }
  |                   ^^^
";
    assert!(run.stdout.contains(unbound), "{run}");
    // The related location may be in another file.
    let other = "\
  --> b.proto:2:9
  |
2 | message user = { a : int }
  |         ^^^^
  |
  --> user.proto:2:9
";
    assert!(run.stdout.contains(other), "{run}");
    assert_eq!(run.stdout.matches("  = help: ").count(), run.stdout.matches("error: ").count());
}

#[test]
fn problems_are_printed_as_json() {
    let sandbox = Sandbox::with(&[("a.proto", b"message m = { a : foo }"), ("user.proto", USER)]);
    sandbox.write("b.proto", b"include \"user.proto\" message user = { a : int }");
    let run = sandbox.ketch(&["extprot", "check", "--format", "json", "a.proto", "b.proto"]);
    let lines: Vec<Value> = run
        .exits_with(1)
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2, "{run}");
    assert_eq!((&lines[0]["kind"], &lines[0]["column"]), (&"UnboundName".into(), &19.into()));
    assert_eq!(lines[1]["related"]["file"], "user.proto");
}

#[test]
fn a_schema_that_is_not_text_is_an_error() {
    let sandbox =
        Sandbox::with(&[("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0"), ("cut", b"(* \xff")]);
    let run = sandbox.ketch(&["extprot", "check", "png", "cut"]);
    assert!(
        run.exits_with(1).stdout.contains("png: expected text, found a binary file (PNG"),
        "{run}"
    );
    assert!(run.stdout.contains("cut: invalid UTF-8 at byte 3"), "{run}");
    // The files after one that is missing are still checked.
    let run = sandbox.ketch(&["extprot", "check", "missing", "cut"]);
    assert_eq!(run.exits_with(3).stdout.matches("error:").count(), 2, "{run}");
}

#[test]
fn schemas_are_formatted() {
    let crooked = b"message m={a:int;(* why *)b:[int]}";
    let sandbox =
        Sandbox::with(&[("a.proto", crooked), ("user.proto", USER), ("bad.proto", b"type")]);
    let once = sandbox.ketch(&["extprot", "format", "a.proto"]).exits_with(0).stdout.clone();
    sandbox.ketch_with(&["extprot", "format", "-"], once.as_bytes()).is(0, &once, "");
    assert!(once.starts_with("message m = {") && once.contains("(* why *)"), "{once}");
    sandbox.ketch(&["extprot", "format", "--check", "a.proto", "user.proto"]).is(
        1,
        "a.proto\n",
        "",
    );
    // A file that cannot be formatted is unchanged, but the other files are formatted.
    let run =
        sandbox.ketch(&["extprot", "format", "--write", "bad.proto", "a.proto", "user.proto"]);
    assert!(run.exits_with(1).stderr.contains("--> bad.proto:1:5"), "{run}");
    assert_eq!((sandbox.read("bad.proto").as_str(), sandbox.read("a.proto")), ("type", once));
    sandbox.ketch(&["extprot", "format", "--check", "a.proto", "user.proto"]).is(0, "", "");
}

#[test]
fn compatible_schemas_cause_no_findings() {
    let sandbox = Sandbox::with(&[("old.proto", USER), ("new.proto", USER)]);
    let fine = "new readers of old data: all readable\nold readers of new data: all readable\n";
    sandbox.ketch(&["extprot", "compat", "old.proto", "new.proto"]).is(0, fine, "");
    sandbox
        .ketch(&["extprot", "compat", "--format", "json", "old.proto", "new.proto"])
        .is(0, "", "");
}

#[test]
fn strict_fails_for_removed_renamed_and_swapped_parts() {
    let old = b"message m = { a : int; b : int }\nmessage gone = { x : string; n : int }\n\
        message lost = { y : [ bool ] }\n";
    let new = b"message m = { b : int; a : int }\nmessage fresh = { x : string; n : int }\n";
    let sandbox = Sandbox::with(&[("old.proto", old), ("new.proto", new)]);
    let compat = ["extprot", "compat", "old.proto", "new.proto"];
    let run = sandbox.ketch(&compat);
    let output = &run.exits_with(0).stdout;
    let swapped = "warning: new readers of old data: m.a: the field a is at position 0 in the data and \
        at 1 in the reader, so its values are read as b\n";
    assert!(output.contains(swapped), "{run}");
    let renamed = "gone: the message was removed, or renamed to fresh, which reads and writes";
    assert!(output.contains(renamed), "{run}");
    assert!(output.contains("lost: the message was removed: no message"), "{run}");
    let verdict = "new readers of old data: all readable, with 4 warnings\n\
        old readers of new data: all readable, with 2 warnings\n";
    assert!(output.ends_with(verdict), "{run}");
    let strict = [&compat[..], &["--strict"]].concat();
    let run = sandbox.ketch(&strict);
    assert!(run.exits_with(1).stdout.contains(&swapped.replace("warning", "error")), "{run}");
    // Findings in directions that are not required are warnings.
    sandbox.write("less.proto", b"message m = { a : int; b : int }\n");
    let gone = ["extprot", "compat", "old.proto", "less.proto", "--strict", "--require", "forward"];
    let run = sandbox.ketch(&gone);
    assert!(run.exits_with(0).stdout.contains("warning: new readers of old data: gone"), "{run}");
    sandbox.ketch(&["extprot", "compat", "old.proto", "old.proto", "--strict"]).exits_with(0);
}

#[test]
fn schemas_of_protobuf_are_recognised() {
    let text = b"// Users.\nsyntax = \"proto3\";\nmessage User {\n  int32 id = 1;\n}\n";
    let sandbox = Sandbox::with(&[("user.proto", text), ("bare.proto", b"message User {\n}\n")]);
    let run = sandbox.ketch(&["extprot", "check", "user.proto"]);
    let expected = "error: this is a schema of Protocol Buffers (protobuf), not of extprot\n  \
        --> user.proto:2:1\n";
    assert!(run.exits_with(1).stderr.contains(expected) || run.stdout.contains(expected), "{run}");
    let run = sandbox.ketch(&["extprot", "check", "bare.proto"]);
    assert!(
        run.exits_with(1).stderr.contains("protobuf") || run.stdout.contains("protobuf"),
        "{run}"
    );
}

#[test]
fn data_that_ends_too_early_says_what_is_declared() {
    let sandbox = Sandbox::new();
    let cases: [(&[u8], &str); 5] = [
        (b"\x01\x7f\x01\x00", "the declared length is 127 bytes, but only 2 bytes are left"),
        (b"\x05\x03\x01\x03\x7f", "the declared length is 127 bytes, but only 0 bytes are left"),
        (b"\x05\x02\x7f\x0a", "the declared count is 127 elements, but only 1 byte is left"),
        (b"\x05\x03\x01\x06\x00", "which needs 8 bytes, but only 1 byte is left"),
        (b"\x05\x02\x01\x80", "the data ends inside a value"),
    ];
    for (data, sentence) in cases {
        let run = sandbox.ketch_with(&["convert", "--from", "extprot"], data);
        assert!(run.exits_with(1).stderr.contains(sentence), "{sentence}\n{run}");
    }
}

#[test]
fn limits_of_extprot_name_their_options() {
    let deep = b"\x05\x06\x01\x05\x03\x01\x00\x02";
    let sandbox = Sandbox::with(&[
        ("m.proto", b"message m = { a : int; b : [ int ]; c : bool; d : bool; e : bool }"),
        ("deep", deep),
    ]);
    let run = sandbox.ketch(&["convert", "--from", "extprot", "--max-depth", "1", "deep"]);
    assert!(run.exits_with(1).stderr.contains("`--max-depth`"), "{run}");
    let run = sandbox.ketch(&["convert", "--from", "extprot", "--max-buffer-bytes", "3", "deep"]);
    assert!(run.exits_with(1).stderr.contains("`--max-buffer-bytes`"), "{run}");
    sandbox.write("short", b"\x00\x02");
    let typed = ["convert", "--from", "extprot", "--schema", "m.proto", "--message", "m", "short"];
    sandbox.ketch(&typed).is(0, "{\"a\":1,\"b\":[],\"c\":false,\"d\":false,\"e\":false}\n", "");
    let run = sandbox.ketch(&[&typed[..], &["--max-nodes", "1"]].concat());
    assert!(run.exits_with(1).stderr.contains("`--max-nodes`"), "{run}");
}

#[test]
fn paths_name_fields_and_not_types() {
    let schema = b"message inner = { id : int } message m = { first : inner; rest : [ inner ] }";
    let sandbox = Sandbox::with(&[("m.proto", schema)]);
    let args = ["convert", "--from", "extprot", "--schema", "m.proto", "--message", "m"];
    let run = sandbox
        .ketch_with(&args, b"\x01\x0f\x02\x01\x03\x01\x00\x02\x05\x07\x01\x01\x04\x01\x03\x01a");
    assert!(run.exits_with(1).stderr.contains("m.rest[0].id: expected"), "{run}");
}

#[test]
fn each_finding_has_a_reason_and_both_locations() {
    let new = b"type contact = Email string | Phone string | Post string\n\n\
        message user = { id : int; name : string; contacts : [ contact ]; age : byte }\n";
    let sandbox = Sandbox::with(&[("old.proto", USER), ("new.proto", new)]);
    let run = sandbox.ketch(&["extprot", "compat", "old.proto", "new.proto"]);
    let missing = "\
error: new readers of old data: user: age is missing in the data and has no default
  --> new.proto:3:67
  |
3 | message user = { id : int; name : string; contacts : [ contact ]; age : byte }
  |                                                                   ^^^ the new schema
  |
  --> old.proto:2:9
  |
2 | message user = { id : int; name : string; contacts : [ contact ] }
  |         ---- the old schema
  |
  = help: Give it a default: `[@default ...]` for a primitive, a list, or a sum type that has a constant.
    For example, these bytes cannot be read: 01 08 03 00 00 03 00 05 01 00
";
    assert!(run.exits_with(1).stdout.contains(missing), "{run}");
    assert!(run.stdout.contains("unknown to contact: unknown_tag 2"), "{run}");
    assert!(run.stdout.ends_with("old readers of new data: not all readable\n"), "{run}");
}

#[test]
fn the_exit_code_depends_on_the_required_direction() {
    let new = b"message user = { id : int; age : int }";
    let old = b"message user = { id : int }";
    let sandbox = Sandbox::with(&[("old.proto", old), ("new.proto", new)]);
    let compat = |require: &str| {
        let args = ["extprot", "compat", "--require", require, "old.proto", "new.proto"];
        (sandbox.ketch(&args).code, sandbox.ketch(&args).stdout.contains("error: "))
    };
    assert_eq!(compat("both"), (Some(1), true));
    assert_eq!(compat("backward"), (Some(1), true));
    // Old readers skip fields that they do not know. The other direction causes a warning.
    assert_eq!(compat("forward"), (Some(0), false));
    let run = sandbox.ketch(&["extprot", "compat", "missing", "new.proto"]);
    assert!(run.exits_with(3).stderr.contains("missing: could not be read"), "{run}");
    sandbox.write("wrong.proto", b"message");
    let run = sandbox.ketch(&["extprot", "compat", "old.proto", "wrong.proto"]);
    assert!(run.exits_with(1).stderr.contains("--> wrong.proto:1:8"), "{run}");
}

#[test]
fn findings_are_printed_as_json() {
    let sandbox = Sandbox::with(&[
        ("old.proto", b"message m = { a : int }"),
        ("new.proto", b"message m = { a : string }"),
    ]);
    let run = sandbox.ketch(&["extprot", "compat", "--format", "json", "old.proto", "new.proto"]);
    let line = run.exits_with(1).stdout.lines().next().expect("a finding");
    let finding: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(finding["direction"], "backward");
    assert_eq!(finding["severity"], "break");
    assert_eq!(
        (&finding["old"], &finding["new"]),
        (&"old.proto:1:15".into(), &"new.proto:1:15".into())
    );
    assert_eq!(finding["witness"], "0103010000");
}

#[test]
fn code_is_generated() {
    let sandbox = Sandbox::with(&[("user.proto", USER), ("bad.proto", b"message")]);
    let printed = sandbox.ketch(&["extprot", "generate", "user.proto"]);
    assert!(printed.exits_with(0).stdout.contains("pub struct User {"), "{printed}");
    assert!(printed.stdout.contains("pub struct UserRef<'a>"), "{printed}");
    let args = ["extprot", "generate", "--lang", "rust", "user.proto", "-o", "user.rs"];
    sandbox.ketch(&args).is(0, "", "");
    assert_eq!(sandbox.read("user.rs"), printed.stdout);
    let args = ["extprot", "generate", "--strings", "utf8", "--no-borrowed", "user.proto"];
    let text = sandbox.ketch(&args).stdout;
    assert!(text.contains("String") && !text.contains("UserRef"), "{text}");
    // Features that are not supported are reported with their location.
    sandbox.write(
        "own.proto",
        b"type t = int options \"rust.type\" = \"T; f; t\"\nmessage m = { a : t }",
    );
    let run = sandbox.ketch(&["extprot", "generate", "own.proto"]);
    assert!(
        run.exits_with(1).stderr.contains("the generator for Rust does not support rust.type\n"),
        "{run}"
    );
    assert!(run.stderr.contains("--> own.proto:1:22\n"), "{run}");
    let printed_ruby =
        sandbox.ketch(&["extprot", "generate", "--lang", "ruby", "user.proto"]).stdout;
    assert!(
        printed_ruby.contains("module User\n  extend ::Ketch::Extprot::Types\n"),
        "{printed_ruby}"
    );
    let args = ["extprot", "generate", "--lang", "ruby", "--module", "A::B", "user.proto"];
    assert!(sandbox.ketch(&args).exits_with(0).stdout.contains("\nmodule A\n  module B\n"));
    let args = ["extprot", "generate", "--lang", "ruby", "--module", "a b", "user.proto"];
    assert!(sandbox.ketch(&args).exits_with(2).stderr.contains("is not a module name"));
    // Standard input has no name from which the module's name could be derived.
    let args = ["extprot", "generate", "--lang", "ruby", "-"];
    let run = sandbox.ketch_with(&args, sandbox.read("user.proto").as_bytes());
    assert!(run.exits_with(0).stdout.contains("module Schema\n  extend"), "{run}");
    // A Java class must not have the name of a type that it contains.
    let args = ["extprot", "generate", "--lang", "java", "user.proto"];
    let run = sandbox.ketch(&args);
    assert!(run.exits_with(0).stdout.contains("\npublic final class UserSchema {\n"), "{run}");
    let args = ["extprot", "generate", "--lang", "java", "--class", "a.b.Users", "user.proto"];
    let run = sandbox.ketch(&args);
    assert!(
        run.exits_with(0).stdout.contains("\npackage a.b;\n\npublic final class Users {"),
        "{run}"
    );
    assert!(run.stdout.contains("    public record User(long id, "), "{run}");
    // Printed text has the names of the schema, even where those in Java differ.
    sandbox.write(
        "odd.proto",
        b"type t = Self | Other message m' = { this : t; list : [| (long * t) |] }",
    );
    let code = sandbox.ketch(&["extprot", "generate", "--lang", "java", "odd.proto"]).stdout;
    for line in [
        r#"out.printConstant("T", switch (this) { case Self_ -> "Self"; default -> name(); });"#,
        r#"out.openRecord("M'");"#,
        r#"out.field("this").printValue(this.this_);"#,
        r#"out.field("list").printArray(this.list, dev.ketch.extprot.Printer::printValue);"#,
        "out.printLong(this.v1);",
    ] {
        assert!(code.contains(line), "{code}");
    }
    let args = ["extprot", "generate", "--lang", "java", "--class", "a b", "user.proto"];
    assert!(sandbox.ketch(&args).exits_with(2).stderr.contains("is not a class name"));
    let wide: Vec<String> = (0..128).map(|index| format!("f{index} : int")).collect();
    sandbox.write("wide.proto", format!("message wide = {{ {} }}", wide.join("; ")).as_bytes());
    let run = sandbox.ketch(&["extprot", "generate", "--lang", "java", "wide.proto"]);
    assert!(
        run.exits_with(1).stderr.contains("wide has 128 values, more than a Java method has"),
        "{run}"
    );
    // It is an error to give an option that belongs to another language.
    for (lang, option, only) in [
        ("ruby", &["--strings", "utf8"][..], "`--lang rust`, `--lang java` or `--lang python`"),
        ("java", &["--no-borrowed"], "`--lang rust`"),
        ("rust", &["--module", "A"], "`--lang ruby`"),
        ("ruby", &["--class", "A"], "`--lang java`"),
    ] {
        let args = [&["extprot", "generate", "user.proto", "--lang", lang][..], option].concat();
        let run = sandbox.ketch(&args);
        let message = format!("error: `{}` is only for {only}: add that", option[0]);
        assert!(run.exits_with(2).stderr.contains(&message), "{run}");
    }
    // If the schema is not valid, the old code is kept.
    sandbox.ketch(&["extprot", "generate", "bad.proto", "-o", "user.rs"]).exits_with(1);
    assert_eq!(sandbox.read("user.rs"), printed.stdout);
}

/// The user 1, named Ann, with a phone that has no digits.
const ANN: &[u8] = b"\x01\x10\x03\x00\x02\x03\x03Ann\x05\x06\x01\x11\x03\x01\x03\x00";

#[test]
fn inspect_prints_every_value_of_a_stream() {
    let sandbox = Sandbox::with(&[("user.proto", USER), ("users", ANN)]);
    let plain = "       0  Tuple, 3 elements, 16 bytes
       3    Vint 1
       5    Bytes, 3 bytes \"Ann\"
      10    Htuple, 1 element, 6 bytes
      13      Tuple tag 1, 1 element, 3 bytes
      16        Bytes, 0 bytes \"\"
";
    sandbox.ketch(&["extprot", "inspect", "users"]).is(0, plain, "");
    sandbox.ketch_with(&["extprot", "inspect"], ANN).is(0, plain, "");
    let run = sandbox.ketch(&["extprot", "inspect", "--schema", "user.proto", "users"]);
    for named in ["User\n", "id: Vint 1\n", "contacts: Htuple", "3 bytes Phone\n"] {
        assert!(run.exits_with(0).stdout.contains(named), "{named}: {run}");
    }
}

#[test]
fn errors_come_after_complete_values() {
    let mut two = ANN.repeat(2);
    two.truncate(two.len() - 1);
    let sandbox = Sandbox::with(&[("users", &two), ("user.proto", USER)]);
    for args in [&["users"][..], &["--schema", "user.proto", "users"]] {
        let run = sandbox.ketch(&[&["extprot", "inspect"], args].concat());
        assert_eq!(run.exits_with(1).stdout.matches("\"Ann\"").count(), 2, "{run}");
        assert!(run.stderr.starts_with("error: users: the data ends inside a value, "), "{run}");
        assert!(run.stderr.contains(", at byte 35\n"), "{run}");
    }
    let run = sandbox.ketch(&["extprot", "inspect", "--max-depth", "1", "users"]);
    assert!(run.exits_with(1).stderr.contains("Raise `--max-depth`"), "{run}");
}

#[test]
fn the_message_must_be_in_the_schema() {
    let sandbox = Sandbox::with(&[
        ("one.proto", USER),
        ("two.proto", b"message a = { x : int } message b = { y : int }"),
        ("data", b"\x01\x03\x01\x00\x02"),
    ]);
    let inspect = |schema, message: &[&str]| {
        sandbox.ketch(&[&["extprot", "inspect", "data", "--schema", schema], message].concat())
    };
    let run = inspect("one.proto", &["--message", "contact"]);
    assert!(run.exits_with(2).stderr.contains("has no message contact; it has: user"), "{run}");
    let run = inspect("two.proto", &[]);
    assert!(run.exits_with(2).stderr.contains("two.proto has: a, b"), "{run}");
    let run = inspect("two.proto", &["--message", "b"]);
    assert!(run.exits_with(0).stdout.contains("y: Vint 1"), "{run}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let sandbox = Sandbox::with(&[("users", &ANN.repeat(20_000))]);
    let mut child =
        sandbox.command(&["extprot", "inspect", "users"]).spawn().expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), "")
    );
}

#[test]
fn strange_bytes_never_panic() {
    let deep = b"\x01\xff\xff\xff\x7f\x01".repeat(20_000);
    let inputs: [&[u8]; 6] = [b"", b"\x09", b"a: [1, 2]\n", &deep, &[0xff; 1000], &[0x07; 1000]];
    for input in inputs {
        let sandbox = Sandbox::with(&[("user.proto", USER), ("input", input)]);
        let code = if input.is_empty() { 0 } else { 1 };
        sandbox.ketch(&["extprot", "inspect", "input"]).exits_with(code);
        sandbox.ketch(&["extprot", "inspect", "--schema", "user.proto", "input"]).exits_with(code);
    }
}

#[test]
fn text_given_as_extprot_is_reported() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: 1\nb: 2\nc: 3\nd: 4\n")]);
    let hint = " = help: The input is text, not extprot. If it is YAML or JSON, convert it first";
    for args in [&["extprot", "inspect", "a.yaml"][..], &["convert", "--from", "extprot", "a.yaml"]]
    {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(1).stderr.contains(hint), "{run}");
    }
    let run = sandbox.ketch_with(&["extprot", "inspect"], b"\x01\x08\x02\x00\x02\x03\x03\x41");
    assert!(run.exits_with(1).stderr.contains("Get the rest of the stream"), "{run}");
}

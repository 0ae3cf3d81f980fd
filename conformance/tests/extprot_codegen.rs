//! Generated Rust code, which is compiled and run over the vectors' schemas. It has to do the same
//! as the dynamic reader, with owned and with borrowed values.

#[path = "../../crates/ketch-extprot/tests/support/mod.rs"]
mod support;

use ketch_conformance::binary::vectors_dir;
use ketch_extprot::codegen::{
    Options, PythonOptions, Strings, build, python, ruby, ruby_module, rust,
};
use ketch_extprot::schema::{NoLoader, Schema, check_file, check_schema};
use ketch_extprot::typed::pretty;
use ketch_extprot::{Limits, Problem};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::*;

/// Returns the name of the type that the generator creates for `name`.
fn type_name(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        if part.starts_with(|c: char| c.is_ascii_digit())
            && out.ends_with(|c: char| c.is_ascii_digit())
        {
            out.push('_');
        }
        let mut chars = part.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

fn kind_name(kind: &Problem) -> &'static str {
    match kind {
        Problem::Eof => "eof",
        Problem::BadWireType { .. } => "bad_wire_type",
        Problem::UnknownTag { .. } => "unknown_tag",
        Problem::MissingField => "missing_field",
        Problem::MissingTupleElement { .. } => "missing_tuple_element",
        Problem::ReadOnly => "read_only",
        _ => "other",
    }
}

/// Returns what a program with the generated code should print for a message.
fn dynamic_answer(schema: &Schema, name: &str, bytes: &[u8]) -> String {
    let ty = schema.lookup(name).unwrap();
    let limits = Limits::default();
    match schema.decode(ty, bytes, &limits) {
        Err(error) => format!("error {}", kind_name(error.problem())),
        Ok(value) => {
            let written = match schema.encode(ty, &value) {
                Ok(bytes) => hex(&bytes),
                Err(error) => kind_name(error.problem()).into(),
            };
            let text = pretty(schema, ty, &value);
            format!("ok {written} {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
    }
}

const MAIN: &str = r##"
use std::io::BufRead;
use ketch_extprot::rt::{Decode, Encode, Problem, Pretty};

fn kind_name(kind: &Problem) -> &'static str {
    match kind {
        Problem::Eof => "eof",
        Problem::BadWireType { .. } => "bad_wire_type",
        Problem::UnknownTag { .. } => "unknown_tag",
        Problem::MissingField => "missing_field",
        Problem::MissingTupleElement { .. } => "missing_tuple_element",
        Problem::ReadOnly => "read_only",
        _ => "other",
    }
}

fn answer<'a, T: Decode<'a> + Encode + Pretty>(bytes: &'a [u8]) -> String {
    match T::from_bytes(bytes) {
        Err(error) => format!("error {}", kind_name(error.problem())),
        Ok(value) => {
            let written = match value.to_bytes() {
                Ok(bytes) => bytes.iter().map(|b| format!("{b:02x}")).collect::<String>(),
                Err(error) => kind_name(error.problem()).to_owned(),
            };
            let text = value.pretty();
            format!("ok {written} {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
    }
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let mut words = line.split(' ');
        let (schema, name) = (words.next().unwrap(), words.next().unwrap());
        let hex = words.next().unwrap();
        let bytes: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
            .collect();
        println!("{}", dispatch(schema, name, &bytes));
    }
}
"##;

struct Crate {
    dir: PathBuf,
}

impl Crate {
    fn new(name: &str) -> Crate {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(dir.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
             [dependencies.ketch-extprot]\npath = \"{}/../crates/ketch-extprot\"\n\
             [workspace]\n[profile.dev]\ndebug = false\n",
            env!("CARGO_MANIFEST_DIR")
        );
        let crate_ = Crate { dir };
        crate_.write("Cargo.toml", &manifest);
        crate_
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.dir.join(name), text).unwrap();
    }

    /// Builds and runs the program, and returns the lines that it prints for `input`.
    fn run(&self, input: &str) -> Vec<String> {
        let mut child = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--offline"])
            .env("CARGO_TARGET_DIR", self.dir.join("target"))
            .env("RUSTFLAGS", "-D warnings -A dead_code")
            .current_dir(&self.dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "the generated code failed");
        writer.join().unwrap().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }
}

/// Generates a module for each schema, and a function that finds the types of a message by its
/// name.
fn generate(crate_: &Crate, schemas: &[(String, Schema)]) {
    let mut main = String::from(MAIN);
    let mut arms = String::new();
    for (name, schema) in schemas {
        let code = rust(schema, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(code, rust(schema, &Options::default()).unwrap(), "not stable");
        crate_.write(&format!("src/s_{name}.rs"), &code);
        writeln!(main, "mod s_{name};").unwrap();
        for (message, _) in schema.messages() {
            let ty = format!("s_{name}::{}", type_name(message));
            let owned = format!("answer::<{ty}>(bytes)");
            let borrowed = code.contains(&format!(" {}Ref<", type_name(message)));
            let both = match borrowed {
                true => {
                    format!("{{ let a = {owned}; assert_eq!(a, answer::<{ty}Ref>(bytes)); a }}")
                }
                false => owned,
            };
            writeln!(arms, "(\"{name}\", \"{message}\") => {both},").unwrap();
        }
    }
    writeln!(
        main,
        "fn dispatch(schema: &str, name: &str, bytes: &[u8]) -> String {{
            match (schema, name) {{ {arms} _ => panic!(\"{{schema}} {{name}}\") }}
        }}"
    )
    .unwrap();
    crate_.write("src/main.rs", &main);
}

#[test]
fn generated_code_does_what_the_dynamic_reader_does() {
    let dir = vectors_dir();
    let mut schemas = Vec::new();
    for name in [
        "bench", "compound", "defaults", "evo", "evo2", "inc_base", "inc_main", "lazies", "poly",
        "prim", "records", "subsets", "sums", "unions", "wide",
    ] {
        let path = dir.join(format!("schemas/{name}.proto"));
        let schema = check_file(path.to_str().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        schemas.push((name.to_owned(), schema));
    }
    let crate_ = Crate::new("extprot-generated");
    generate(&crate_, &schemas);
    let mut input = String::new();
    let mut expected = Vec::new();
    let files = ["roundtrip", "evolution", "subsets", "lazies", "malformed", "pretty"];
    for file in files {
        for entry in load(&dir, &format!("{file}.json")) {
            let Some(bytes) = entry.get("hex").and_then(|hex| hex.as_str()) else { continue };
            let name = entry.get("reader").or(entry.get("message")).unwrap().as_str().unwrap();
            let schema_name = entry["schema"].as_str().unwrap();
            let (_, schema) = schemas.iter().find(|(name, _)| name == schema_name).unwrap();
            if !schema.messages().any(|(message, _)| message == name) {
                continue;
            }
            writeln!(input, "{schema_name} {name} {bytes}").unwrap();
            expected.push(dynamic_answer(schema, name, &unhex(bytes)));
        }
    }
    assert!(expected.len() > 3000, "{}", expected.len());
    let got = crate_.run(&input);
    assert_eq!(got.len(), expected.len());
    for ((line, got), expected) in input.lines().zip(&got).zip(&expected) {
        assert_eq!(got, expected, "{line}");
    }
    println!("{} messages", expected.len());
}

const GOLDEN: &str = "\
type colour = Red | Black int
type pair 'a 'b = ('a * 'b)
type option 'a = None | Some 'a
message user = {
  id : int;
  type' : option<string>;
  tags [@lazy] : [ string ];
  size : pair<int [@default 3], bool>;
}
message shape = Dot { at : colour } | Line { from : long; to_ : float }
";

/// Compares generated code with the committed file `name`.
fn hold_against_golden(code: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("KETCH_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, code).unwrap();
    }
    let golden = std::fs::read_to_string(&path).expect("tests/golden is committed");
    assert_eq!(code, golden, "run with KETCH_BLESS=1 and review the difference");
}

#[test]
fn generated_code_equals_the_stored_files() {
    let schema = check_schema("golden.proto", GOLDEN, &mut NoLoader).unwrap();
    let code = rust(&schema, &Options { strings: Strings::Utf8, no_borrowed: false }).unwrap();
    hold_against_golden(&code, "user.rs");
    hold_against_golden(&ruby(&schema, "Golden::Users").unwrap(), "user.rb");
    hold_against_golden(&python(&schema, &PythonOptions { utf8: true }).unwrap(), "user.py");
}

/// Names and defaults that need a different form in Ruby. (bindings/ruby/test/schema_test.rb runs
/// generated code.)
#[test]
fn ruby_names_and_defaults_are_adapted() {
    let text = "
type wide = ((int * int * int * int * int * int) * (long * long * long * long * long * long * long))
type self = A' | B' { }
message m = { class : int; a' : float [@default 1e300]; _ : string [@default \"#{a}\\\\\"];
    hash : [ wide ]; b : float [@default \"neg_infinity\"]; c : string [@default \"\\255\"]; d : bool [@default true] }
message n = {| m | class; d |}
";
    let text = text.replace("type self = A' | B' { }", "type self = A' | B' int");
    let schema = check_schema("t.proto", &text, &mut NoLoader).unwrap_or_else(|e| panic!("{e}"));
    let code = ruby(&schema, "T").unwrap();
    for part in [
        "class_: int,",
        "a_prime: float(default: 1.0e300),",
        "underscore: string(default: \"\\#{a}\\\\\"),",
        "hash_: list(",
        "b: float(default: -::Float::INFINITY),",
        "c: string(default: \"\\xff\".b.freeze),",
        "d: bool(default: true)",
        "constant :APrime",
        "N = subset(\"n\", class_: at(0, int), d: at(6, bool(default: true)))",
        "private_constant :Type",
    ] {
        assert!(code.contains(part), "{part}\n{code}");
    }
    let names = ["user.proto", "a/b/my-file.2.proto", "-"].map(ruby_module);
    assert_eq!(names, ["User", "MyFile2", "Underscore"]);
    let schema = check_schema(
        "t.proto",
        "type t = int options \"ruby.type\" = \"T\" message m = { a : t }",
        &mut NoLoader,
    );
    let error = ruby(&schema.unwrap(), "T").unwrap_err().to_string();
    assert!(
        error.starts_with("t.proto:1:22: the generator for Ruby does not support ruby.type\n"),
        "{error}"
    );
}

/// Names and defaults that need a different form in Python. (bindings/python/tests/test_extprot.py
/// runs generated code.)
#[test]
fn python_names_and_defaults_are_adapted() {
    let text = "
type wide = ((int * [ int ]) * (bool * bool))
type t = None | A' int
message m = { class : int; a' : float [@default 1e300]; _ : string [@default \"'a\\\\\\\"ö\"];
    loads : wide; b : float [@default \"neg_infinity\"]; c : string [@default \"\\255\"]; d : (bool * byte [@default 2]) }
message n = {| m | class; d |}
";
    let schema = check_schema("t.proto", text, &mut NoLoader).unwrap_or_else(|e| panic!("{e}"));
    let code = python(&schema, &PythonOptions::default()).unwrap();
    for part in [
        "    class_: int\n",
        "    a_prime: float = 1e300\n",
        "    underscore: str | bytes = \"'a\\\\\\\"\\U000000f6\"\n",
        "    loads_: tuple[tuple[int, list[int]], tuple[bool, bool]]\n",
        "    b: float = float(\"-inf\")\n",
        "    c: str | bytes = b\"\\xff\"\n",
        "    d: tuple[bool, int] = (False, 2)\n",
        "@types.sum_type(\"t\", None_=\"None\")\n",
        "class TAPrime(T):\n    value: int\n",
        "    d=types.at(6, types.Tuple(types.BOOL, types.BYTE.with_default(2))),\n",
    ] {
        assert!(code.contains(part), "{part}\n{code}");
    }
    let text = "type t = int options \"python.type\" = \"T\" message m = { a : t }";
    let schema = check_schema("t.proto", text, &mut NoLoader).unwrap();
    let error = python(&schema, &PythonOptions::default()).unwrap_err().to_string();
    assert!(
        error.starts_with("t.proto:1:22: the generator for Python does not support"),
        "{error}"
    );
}

#[test]
fn options_for_rust_are_refused_and_others_ignored() {
    let generate = |options: &str| {
        let text = format!("type t = int options {options} message m = {{ a : t }}");
        let schema =
            check_schema("t.proto", &text, &mut NoLoader).unwrap_or_else(|e| panic!("{e}"));
        rust(&schema, &Options::default()).map_err(|error| error.to_string())
    };
    let plain = generate(r#""default" = "3""#).expect("options that are valid");
    let other = r#""default" = "3" "ocaml.type_equals" = "T.t" "python.type" = "x""#;
    assert_eq!(generate(other).expect("options that are valid"), plain);
    for option in ["rust.type", "rust.type_equals", "rust.pp"] {
        let error = generate(&format!(r#""{option}" = "crate::T; from; into""#)).expect_err(option);
        let start = format!("t.proto:1:22: the generator for Rust does not support {option}\n");
        assert!(error.starts_with(&start), "{error}");
    }
}

#[test]
fn build_requires_a_build_script() {
    let error = build(&["unread.proto"], &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "OUT_DIR is not set: call this from a build script");
}

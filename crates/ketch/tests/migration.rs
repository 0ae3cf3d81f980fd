//! Runs the same program with serde_yaml and with Ketch, to check what
//! `docs/migrating-from-serde_yaml.md` promises.

/// Defines a program that uses one of the two crates under the name `yaml`.
macro_rules! program {
    ($module:ident, $($import:tt)*) => {
        mod $module {
            $($import)*
            use serde::{Deserialize, Serialize};
            use std::borrow::Cow;
            use std::collections::BTreeMap;

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            pub struct Config {
                name: String,
                version: Option<String>,
                #[serde(default)]
                ports: Vec<u16>,
                limits: BTreeMap<String, f64>,
                mode: Mode,
                pair: (i64, bool),
                #[serde(flatten)]
                rest: BTreeMap<String, yaml::Value>,
            }

            #[derive(Serialize, Deserialize, Debug, PartialEq)]
            pub enum Mode {
                Fast,
                Custom(String),
                Tuned { depth: u8 },
                Both(u8, bool),
            }

            #[derive(Deserialize)]
            struct Borrowed<'t> {
                a: &'t str,
                #[serde(borrow)]
                b: Cow<'t, str>,
            }

            const CONFIG: &str = "name: NO\nversion: 1.10\nports: [80, 0x1BB]\n\
                limits: {cpu: 1, memory: 2.5}\nmode: !Tuned {depth: 3}\npair: [-1, true]\n\
                extra: [1, a, ~, {b: c}]\n";

            /// Returns a description of the configuration that was read, in a form that does not
            /// depend on the crate.
            pub fn config() -> String {
                let config: Config = yaml::from_str(CONFIG).unwrap();
                let by_slice: Config = yaml::from_slice(CONFIG.as_bytes()).unwrap();
                let by_reader: Config = yaml::from_reader(CONFIG.as_bytes()).unwrap();
                assert_eq!(config, by_slice);
                assert_eq!(config, by_reader);
                let Config { name, version, ports, limits, mode, pair, rest } = &config;
                let extra = &rest["extra"];
                let first = (extra[0].as_i64(), extra[1].as_str(), extra[2].is_null());
                let last = extra[3]["b"].as_str();
                let shown = format!(
                    "{name} {version:?} {ports:?} {limits:?} {mode:?} {pair:?} {first:?} {last:?}"
                );
                let again: Config = yaml::from_str(&yaml::to_string(&config).unwrap()).unwrap();
                assert_eq!(config, again);
                let value = yaml::to_value(&config).unwrap();
                let again: Config = yaml::from_value(value).unwrap();
                assert_eq!(config, again);
                shown
            }

            /// Returns texts that both crates write in the same way.
            pub fn texts() -> Vec<String> {
                let text = |value: &yaml::Value| yaml::to_string(value).unwrap();
                let mut mapping = yaml::Mapping::new();
                mapping.insert("key".into(), 1.into());
                mapping.insert(yaml::Value::Null, yaml::Value::Bool(true));
                vec![
                    text(&yaml::Value::Mapping(mapping)),
                    yaml::to_string(&vec![1.5, -0.25]).unwrap(),
                    yaml::to_string(&(Some("word"), None::<u8>)).unwrap(),
                    yaml::to_string(&[Mode::Fast, Mode::Custom("x".to_owned())]).unwrap(),
                    yaml::to_string(&[Mode::Tuned { depth: 1 }, Mode::Both(1, true)]).unwrap(),
                    yaml::to_string(&BTreeMap::from([("a", vec![vec![1]]), ("b", vec![])])).unwrap(),
                    yaml::to_string("two\nlines\n").unwrap(),
                ]
            }

            /// Returns the properties of some values.
            pub fn values() -> Vec<String> {
                let texts = ["1", "-1", "1.5", "~", "true", "text", "'1'", "[1, [2]]", "{a: {b: c}}", "!t [x]"];
                let show = |text: &&str| {
                    let value: yaml::Value = yaml::from_str(text).unwrap();
                    format!(
                        "{text}: {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
                        value.as_i64(),
                        value.as_u64(),
                        value.as_f64(),
                        value.as_bool(),
                        value.as_str(),
                        value.is_null(),
                        value.as_sequence().map(|values| values.len()),
                        value.as_mapping().map(|pairs| pairs.len()),
                    )
                };
                texts.iter().map(show).collect()
            }

            /// Reads several documents with borrowed text. Then writes their texts as a list, and
            /// reads it again.
            pub fn documents() -> Vec<String> {
                let mut found = Vec::new();
                for document in yaml::Deserializer::from_str("--- {a: x, b: \"\\t\"}\n--- {a: y, b: z}\n") {
                    let Borrowed { a, b } = Borrowed::deserialize(document).unwrap();
                    found.push(format!("{a} {b}"));
                }
                let mut out = Vec::new();
                yaml::to_writer(&mut out, &found).unwrap();
                let text = String::from_utf8(out).unwrap();
                found.extend(yaml::from_str::<Vec<String>>(&text).unwrap());
                found
            }

            /// Returns the lines and columns of the errors in some texts.
            pub fn errors() -> Vec<(usize, usize)> {
                let texts = ["name: a\nmode: Fast\nlimits: {}\npair: [1, 2]\n", "a: [1\n", "name: [1]\n"];
                let place = |text: &&str| {
                    let location = yaml::from_str::<Config>(text).unwrap_err().location().unwrap();
                    (location.line(), location.column())
                };
                texts.iter().map(place).collect()
            }

            /// Reads text that the two crates may read differently. Returns `None` if reading
            /// fails.
            pub fn read(text: &str) -> Option<yaml::Value> {
                yaml::from_str(text).ok()
            }

            pub fn written(value: impl Serialize) -> Option<String> {
                yaml::to_string(&value).ok()
            }
        }
    };
}

program!(old, use serde_yaml as yaml;);
program!(new, use ketch as yaml;);

#[test]
fn the_same_program_works_with_both_crates() {
    assert_eq!(old::config(), new::config());
    assert_eq!(old::texts(), new::texts());
    assert_eq!(old::values(), new::values());
    assert_eq!(old::documents(), new::documents());
    assert_eq!(old::errors()[0], new::errors()[0]);
}

/// Checks each row of the tables of differences in the page.
#[test]
fn the_differences_are_as_documented() {
    let both = |text: &str| (old::read(text), new::read(text));
    // The two differ in the layouts that they accept.
    assert!(matches!(both("{a: [\n1\n]}"), (Some(_), Some(_))));
    assert!(matches!(both("a: [\n1]"), (Some(_), None)));
    assert!(matches!(both("? a\n: -\tb\n"), (None, Some(_))));
    // They differ for some numbers, tags and encodings.
    let (old, new) = both("99999999999999999999999");
    assert!(old.is_none() && new.unwrap().as_number().unwrap().is_integer());
    let (old, new) = both(&"9".repeat(50));
    assert!(old.unwrap().is_f64() && new.unwrap().as_number().unwrap().is_integer());
    let (old, new) = both("!x 0x1F");
    let (old, new) = (old.unwrap(), new.unwrap());
    assert_eq!((old.as_i64(), new.as_i64()), (Some(31), Some(31)));
    assert_eq!(serde_yaml::to_string(&old).unwrap(), "!x 31\n");
    assert_eq!(ketch::to_string(&new).unwrap(), "!x 0x1F\n");
    for (text, old_value, new_value) in [
        ("0127", "0127".into(), 127.into()),
        ("0b10", 2.into(), "0b10".into()),
        ("-0xF0", (-240).into(), "-0xF0".into()),
        ("-0o70", (-56).into(), "-0o70".into()),
    ] {
        assert_eq!(both(text), (Some(old_value), Some(new_value)), "{text}");
    }
    let wide: Vec<u8> = "a".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&b"\xFF\xFE"[..], &wide].concat();
    assert!(serde_yaml::from_slice::<String>(&wide).is_err());
    assert_eq!(ketch::from_slice::<String>(&wide).unwrap(), "a");
    // They differ at the end of an input without a line break.
    let unbroken = "a: |\n  x";
    let (old, new) = both(unbroken);
    assert_eq!((&old.unwrap()["a"], &new.unwrap()["a"]), (&"x".into(), &"x\n".into()));
    let mut options = ketch::serde::DeOptions::default();
    options.final_break = false;
    let read = ketch::Deserializer::with_options(unbroken.as_bytes(), &options);
    let value: ketch::Value = serde::Deserialize::deserialize(read).unwrap();
    assert_eq!(value["a"].as_str(), Some("x"));
    // They differ in the maximum depth.
    let deep = "[".repeat(500) + &"]".repeat(500);
    assert!(matches!(both(&deep), (None, Some(_))));
    let (old, new) = both(&("{a: ".repeat(130) + "1" + &"}".repeat(130)));
    assert!(old.is_none() && serde_json::to_string(&new.unwrap()).is_err());
    // They differ for duplicate keys in a map, but not in a value.
    let twice = "{a: 1, a: 2}";
    let last = serde_yaml::from_str::<std::collections::BTreeMap<String, u8>>(twice).unwrap();
    assert_eq!(last["a"], 2);
    assert!(ketch::from_str::<std::collections::BTreeMap<String, u8>>(twice).is_err());
    assert!(matches!(both(twice), (None, None)));
    // Only Ketch can write bytes.
    assert!(serde_yaml::to_string(&bytes()).is_err());
    assert_eq!(ketch::to_string(&bytes()).unwrap(), "!!binary /wA=\n");
    // They differ in how they write some values.
    let pairs = [
        ("true", "'true'\n", "\"true\"\n"),
        ("0777", "'0777'\n", "\"0777\"\n"),
        ("1:30", "1:30\n", "\"1:30\"\n"),
        ("2001-1-1", "2001-1-1\n", "\"2001-1-1\"\n"),
        ("a: \"b\"", "'a: \"b\"'\n", "'a: \"b\"'\n"),
    ];
    for (text, old_text, new_text) in pairs {
        assert_eq!(old::written(text).unwrap(), old_text);
        assert_eq!(new::written(text).unwrap(), new_text);
    }
    assert_eq!(old::written('c').unwrap(), "'c'\n");
    assert_eq!(new::written('c').unwrap(), "c\n");
    assert_eq!(old::written(1e16).unwrap(), "1e16\n");
    assert_eq!(new::written(1e16).unwrap(), "1.0e+16\n");
}

/// Returns something that is serialized as bytes.
fn bytes() -> impl serde::Serialize {
    struct Bytes;
    impl serde::Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&[255, 0])
        }
    }
    Bytes
}

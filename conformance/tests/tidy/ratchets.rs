//! Measures of the tree that may only fall: code lines, wide structs, scattered types, repeated
//! lines, and modules that use each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::modules::Crate;
use super::{crates, root, words};

/// The code lines of each part: lines that are neither blank nor only a comment, in files that are
/// not tests. To raise one, say here why.
const CODE_LINES: &[(&str, usize)] = &[
    // Up by 7, as is the JVM by 9: hosts report keys that are equal only there.
    ("crates/ketch", 9013),
    // Up by 10: shuffles of NEON.
    ("crates/ketch-bytes", 932),
    // Up by 78: names of files in results, differences of edits in place, and a quick start. Up by
    // 827: edits of TOML, with the comments, blanks and order of tables and arrays. Up by 561: what
    // newcomers typed gave a wrong result, or a message that did not help. Up by 11: speed of JSON. Up
    // by 90: edits of a folder change the files that have the path. Up by 25: typed keys, forgotten words.
    // Up by 105: tags, comments and empty fields that were lost, outputs in formats only read.
    // Up by 13: zeros that JSON and TOML lack are named, and suggested keys are paths. Up by 980: help for
    // warnings; what is wrong with TOML and JSON, and how it was meant. Up by 11: values typed as TOML. Up by
    // 204: separators, quotes and brackets of JSON. Up by 47: help for more warnings.
    // Up by 60: help for five warnings, and repairs of tables without braces.
    // Up by 45: repairs in JSON, and names of files whose programs accept comments.
    // The command `ketch q`. Up by 36: documents among its results, places in JSON, and record separators.
    // Up by 48: files of JSON lines, dates of TOML, paths to keys that are floats, and advice that works.
    // Up by 291: JSON is written, and files are formatted, without holding a tree or the result.
    // Up by 190: files, and the documents of a stream, are checked by several threads.
    // Up by 25: a file that is read twice must be the same file, and input may be UTF-16.
    // Up by 8: a fixed address, for a faster start.
    ("crates/ketch-cli", 15556),
    // Up by 10: parts after an edit were wrong, and tags were not checked.
    // Up by 71: keys such as `.base` and `404`, aliases that `set` follows, and dropped zeros.
    // Up by 10: quoted text in JSON.
    // Up by 46: keys that differ only in their type, and what a typed value replaces.
    // The operation `arrange`.
    // Up by 55: where the documents of a stream are, from the command.
    // Up by 70: the operation `tag`, and a comment that would become text.
    // Up by 10: tags that text does not fit, and missing keys after a wildcard.
    // Up by 146: a formatted text is verified while it is written.
    // Up by 19: a typed path alone needs no tree of the whole text.
    ("crates/ketch-edit", 10940),
    // Up by 340, and the host down by 433: the one reader by a schema is here. Up by 32: errors do not
    // take the address of a reader, and blocks are left without a borrow of the input.
    ("crates/ketch-extprot", 10082),
    // Up by 7: a file is hashed in pieces.
    ("crates/ketch-files", 807),
    // Up by 339, and the bindings down by 926: values of a schema are written here. Up by 435, and the
    // bindings down by 466: objects are built from events here. Up by 665, and the bindings down by 821:
    // extprot without a schema is read and written here.
    // Up by 356, and the bindings down by 516: documents are loaded, and anchors counted, here. Up by 17:
    // views that a host forgets.
    // Up by 183, and the bindings down by 345: nodes and events are described here.
    // Up by 161, and the bindings down by 220: exceptions are described here.
    // Up by 186, and the bindings down by 302: objects are written here.
    // Up by 385: programs are compiled and run here for all bindings.
    ("crates/ketch-host", 4603),
    // New: jq's language, with exact numbers.
    // jq's language, in place, streams, and messages.
    // Up by 263: places in JSON, texts of documents, keys that JSON cannot hold, and changes in place.
    // Up by 98: limits of aliases, tags that do not fit, and documents that do not exist.
    // Up by 4: aliases of entries are counted only where there are some.
    // Up by 41: the first program of a process parses only the builtins that it may use.
    ("crates/ketch-query", 16146),
    // Up by 722: the syntaxes of Oniguruma, of which jq uses one.
    ("crates/ketch-regex", 11542),
    // Up by 71 with the crates that it comes from, `ketch-yaml` and `ketch-edit`: the parser of another
    // language is reached through a trait.
    ("crates/ketch-syck", 5040),
    // Up by 9: small files are checked with little memory. Up by 221: keys that are numbers are
    // compared by all digits. Up by 76: warnings about templates and about text that becomes a number.
    // Up by 40: documents are deleted as a whole. Up by 40: quoted text that is not indented, messages,
    // items that are matched by name. Up by 45: repairs that meant something else.
    // Up by 46: repairs for seven kinds of mistakes.
    // Up by 100: warnings about `a:1`, curly quotes, `---a` and `&nbsp;`.
    // Up by 271: parts of one mapping, items with other marks, lists of `key=value`, and shell commands.
    // Up by 420: warnings about values that are not what they look like.
    // Up by 209: entries and documents without a marker, lines of a diff, and eighteen more mistakes.
    // Up by 136: warnings about `name:x` alone, `!docs/**`, commits such as `4527e12` and entries beside
    // their key, and repairs of fifteen mistakes.
    // Up by 10: JSON lines. Up by 425: JSON from events, without a tree. Up by 155: quoted scalars
    // are scanned and decoded by masks. Up by 392: fast paths for what is rare in most files. Up by
    // 210: documents are composed by several threads. Up by 181: verbatim tags, and properties of
    // block scalars, of nodes on the next line and of collections in flow sequences, on fast paths;
    // escapes of a block are decoded together.
    ("crates/ketch-yaml", 26049),
    // Up by 730: edits from Java, with views of maps and lists. Up by 685: typed loads of Java.
    // Up by 45: keys of other types in views, and sets of collections. Up by 73: typed loads check type
    // arguments of all classes, null and ranges, and what they read from text is written. Up by 112: views
    // keep the values that are replaced or deleted, so that reordering loses none.
    // Up by 487, Python by 221 and Ruby by 172: programs in jq's language.
    ("bindings/jvm", 20819),
    // Up by 25: text that is not ASCII is encoded here, not by CPython.
    ("bindings/python", 13977),
    // Up by 133: a Rails application that is measured; see `bench`.
    ("bindings/ruby", 12192),
    // Up by 154: patterns of generated text, floors for each, and simdjson.
    // Up by 176: the board, its page and the runner of the command. With the bindings, down by 177.
    // Up by 70: the inputs of all hosts are made here. With the bindings, down by 80.
    // Up by 7: a page that a phone shows whole, and claims in words.
    // Up by 1: a commit's own benchmarks are not built.
    ("bench", 6152),
    // The fuzz targets of queries. Up by 4: shapes in records of speed. Up by 44: JSON from events
    // equals that of trees. Up by 4: long prefixes of the default handles.
    // Up by 9: random edits with typed paths.
    ("conformance/src", 7324),
];

/// The maximum by which a part may be shorter than its ratchet. Beyond it, lower the ratchet.
const SLACK_LINES: usize = 150;

/// The maximum number of fields of a struct, and the structs with more.
const FIELDS_MAX: usize = 14;
const WIDE: &[(&str, usize)] = &[
    ("ketch-yaml: Walk", 16),
    ("ketch-yaml: Pull", 17),
    ("ketch-yaml: Walker", 17),
    ("ketch-yaml: Engine", 17),
    ("ketch-yaml: ReadParser", 15),
    ("ketch-yaml: Core", 19),
    ("ketch-yaml: Forms", 22),
    ("ketch-edit: Scene", 20),
    ("ketch-edit: Edit", 20),
    ("ketch-regex: Program", 19),
    ("ketch-regex: Search", 20),
    ("ketch-cli: GetArgs", 18),
    ("ketch-cli: Report", 15),
];

/// The maximum number of files with an `impl` of one type, and the types with more.
const IMPL_FILES_MAX: usize = 5;
const SCATTERED: &[(&str, usize)] = &[];

/// The number of lines of a run. A run is a row of lines found in two files, or twice in one.
const RUN_LINES: usize = 6;
/// The lines of code that are in a run that came before, inside `crates` and between bindings.
const REPEATED_IN_CRATES: usize = 356;
const REPEATED_BETWEEN_BINDINGS: usize = 36;

/// The modules at a crate's root that use each other.
const CIRCLES: &[(&str, &[&str])] = &[("ketch-bytes", &["arch", "lanes", "level"])];

/// The lines of the code file `name` that count as code, with white space folded.
fn code_lines(name: &str, text: &str) -> Vec<String> {
    let comment: &[&str] = match name.rsplit('.').next() {
        Some("rs" | "java" | "c" | "h" | "cpp" | "js") => &["//", "/*", "* ", "*/"],
        _ => &["#"],
    };
    // Unit tests are at the end of a file.
    let code = match name.ends_with(".rs") {
        true => text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text),
        false => text,
    };
    let lines = code.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && *line != "*");
    let lines = lines.filter(|line| !comment.iter().any(|start| line.starts_with(start)));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Returns the code of each file below `folder`, without tests.
fn code(folder: &str) -> BTreeMap<String, Vec<String>> {
    const CODE: &[&str] =
        &[".rs", ".rb", ".py", ".pyi", ".java", ".c", ".h", ".cpp", ".js", ".sh", ".rake"];
    let is_test = |name: &str| {
        let mut parts = name.split('/');
        parts.any(|part| {
            let part = part.trim_end_matches(".rs");
            ["test", "tests", "testdata"].contains(&part) || part.ends_with("_tests")
        })
    };
    let names = words::files(&root(), &[folder]).into_iter();
    let names = names.filter(|name| CODE.iter().any(|end| name.ends_with(end)) && !is_test(name));
    let read = |name: String| {
        let text = std::fs::read_to_string(root().join(&name)).unwrap();
        let lines = code_lines(&name, &text);
        (name, lines)
    };
    names.map(read).collect()
}

/// Fails unless `found` is what the ratchet allows.
fn assert_same<T: Debug + PartialEq>(what: &str, found: T, expected: T) {
    assert!(found == expected, "{what}: lower the ratchet, or repair it:\n{found:#?}");
}

#[test]
fn comments_blanks_and_tests_are_no_code() {
    let text = "// a\nfn a() {\n\n    b( );\n}\n#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(code_lines("a.rs", text), ["fn a() {", "b( );", "}"]);
    assert_eq!(code_lines("a.py", "# a\nb = 1\n"), ["b = 1"]);
}

#[test]
fn code_does_not_grow() {
    let mut wrong = Vec::new();
    for &(folder, most) in CODE_LINES {
        let lines: usize = code(folder).values().map(Vec::len).sum();
        if lines > most || most - lines > SLACK_LINES {
            wrong.push(format!("    (\"{folder}\", {lines}),  // {most} now"));
        }
    }
    assert!(wrong.is_empty(), "code lines:\n{}", wrong.join("\n"));
}

#[test]
fn structs_are_narrow_and_types_are_in_one_place() {
    let (mut wide, mut scattered) = (Vec::new(), Vec::new());
    for (name, code, _) in crates() {
        for (item, fields) in code.struct_fields() {
            if fields > FIELDS_MAX {
                wide.push((format!("{name}: {item}"), fields));
            }
        }
        for (item, files) in code.impl_files() {
            if files.len() > IMPL_FILES_MAX {
                scattered.push((format!("{name}: {item}"), files.len()));
            }
        }
    }
    let owned = |list: &[(&str, usize)]| -> Vec<(String, usize)> {
        list.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    };
    assert_same("structs with too many fields", wide, owned(WIDE));
    assert_same("types in too many files", scattered, owned(SCATTERED));
}

/// Returns the number of lines that are in a run that came before in another file that `differs`,
/// or earlier in the same file.
fn repeated(files: &BTreeMap<String, Vec<String>>, differs: impl Fn(&str, &str) -> bool) -> usize {
    let is_thin = |line: &&String| {
        !line.chars().any(char::is_alphanumeric)
            || ["use ", "import ", "from ", "pub use "].iter().any(|start| line.starts_with(start))
    };
    let mut homes: BTreeMap<Vec<&String>, Vec<&str>> = BTreeMap::new();
    let mut count = 0;
    for (name, lines) in files {
        let lines: Vec<&String> = lines.iter().filter(|line| !is_thin(line)).collect();
        let mut repeats = BTreeSet::new();
        for (at, run) in lines.windows(RUN_LINES).enumerate() {
            let before = homes.entry(run.to_vec()).or_default();
            if before.iter().any(|home| differs(home, name)) {
                repeats.extend(at..at + RUN_LINES);
            }
            before.push(name);
        }
        count += repeats.len();
    }
    count
}

#[test]
fn lines_are_not_written_twice() {
    let in_crates = repeated(&code("crates"), |_, _| true);
    let binding = |name: &str| name.split('/').nth(1).map(str::to_owned);
    let between = repeated(&code("bindings"), |a, b| binding(a) != binding(b));
    assert_same("repeated lines in crates", in_crates, REPEATED_IN_CRATES);
    assert_same("repeated lines between bindings", between, REPEATED_BETWEEN_BINDINGS);
}

#[test]
fn modules_use_each_other_in_one_direction() {
    let circles = |(name, code, _): (&'static str, Crate, usize)| {
        code.module_circles().into_iter().map(move |circle| (name.to_owned(), circle))
    };
    let found: Vec<(String, Vec<String>)> = crates().flat_map(circles).collect();
    let owned = |(name, circle): &(&str, &[&str])| {
        ((*name).to_owned(), circle.iter().map(|&module| module.to_owned()).collect())
    };
    assert_same("circles between modules", found, CIRCLES.iter().map(owned).collect());
}

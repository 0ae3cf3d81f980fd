//! The workloads of regular expressions: files `regex_NAME.json` with a list of `[flags, pattern,
//! text]`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;

use ::regex::{Captures, Regex};

use crate::generate::Random;

const PAIRS: &str = include_str!("../../definitions/regex_pairs.tsv");
const LOOKS: &str = include_str!("../../definitions/regex_looks.tsv");

/// Patterns that are searched for in the log.
const LITERALS: [(&str, &str); 10] = [
    ("i", "connection"),
    ("i", "timeout"),
    ("i", "level=fatal"),
    ("", "warning|fatal|panic"),
    ("i", "warning|fatal|panic"),
    ("", "level=warn|level=error"),
    ("i", "LEVEL=WARN"),
    ("", "POST|PUT|DELETE|PATCH"),
    ("i", "took 97\\dms"),
    ("", "web-1|web-7"),
];

/// Patterns that split a text into lines.
const SPLITS: [&str; 3] = ["\\n", "\\r?\\n", "(.*?)\\n"];

type Case = (String, String, String);

/// Returns all files with their names.
pub fn files() -> Vec<(String, String)> {
    let case = |(flags, pattern): (&str, &str), text: &str| -> Case {
        (flags.to_owned(), pattern.to_owned(), text.to_owned())
    };
    let in_log = |flags, pattern: &str| case((flags, pattern), "@regex_log.txt");
    let (log, words) = log();
    let line = "abcdefghijkl".repeat(1000);
    let mut workloads = vec![
        ("pairs".to_owned(), tabbed(PAIRS)),
        ("looks".to_owned(), tabbed(LOOKS)),
        ("literals".to_owned(), LITERALS.map(|(flags, pattern)| in_log(flags, pattern)).into()),
        ("lines".to_owned(), vec![case(("", ""), &line)]),
        ("splits".to_owned(), SPLITS.map(|pattern| case(("", pattern), &line)).into()),
    ];
    for count in [4, 16, 64, 250, 1000] {
        workloads.push((format!("words_{count}"), vec![in_log("", &words[..count].join("|"))]));
    }
    workloads.extend(grok().map(|cases| ("grok".to_owned(), cases)));
    let json = |cases: &[Case]| serde_json::to_string(cases).expect("text is JSON") + "\n";
    let files = workloads.iter().map(|(name, cases)| (format!("regex_{name}.json"), json(cases)));
    files.chain([("regex_log.txt".to_owned(), log)]).collect()
}

fn tabbed(lines: &str) -> Vec<Case> {
    let case = |line: &str| {
        let mut fields = line.splitn(3, '\t').map(str::to_owned);
        let mut field = || fields.next().unwrap_or_default();
        (field(), field(), field())
    };
    lines.lines().map(case).collect()
}

/// Returns a log of 1 MB whose lines have fields, paths and words, and a list of words of which
/// some are in it.
fn log() -> (String, Vec<String>) {
    let mut random = Random::new(17);
    let known: Vec<String> = (0..1000).map(|_| word(&mut random)).collect();
    let mut log = String::new();
    for n in 0..9000 {
        let is_known = random.once_in(20);
        let name =
            if is_known { known[random.below(1000) as usize].clone() } else { word(&mut random) };
        let (path, last) = (word(&mut random), word(&mut random));
        let level = ["info", "warn", "error"][n % 3];
        let (minute, second, web, took) = (n / 60 % 60, n % 60, n % 17, n % 977);
        _ = writeln!(
            log,
            "2026-11-27T09:{minute}:{second}Z web-{web} level={level} user={name} GET \
             /api/{path}/{n} took {took}ms {last}"
        );
    }
    (log, known)
}

/// Returns a random word of 4 to 11 letters.
fn word(random: &mut Random) -> String {
    (0..random.between(4, 11)).map(|_| (b'a' + random.below(26) as u8) as char).collect()
}

const LOG_LINES: [&str; 4] = [
    r#"203.0.113.7 - ada [27/Nov/2026:09:12:04 +0000] "GET /boats/12?deck=main HTTP/1.1" 200 2326 "https://example.org/" "Mozilla/5.0 (X11; Linux)""#,
    "Nov 27 09:12:04 harbour sshd[4711]: Accepted publickey for ada from 203.0.113.7 port 52144 ssh2",
    "2026-11-27 09:12:04,311 INFO  [worker-7] org.example.Harbour - loaded 12 boats in 31 ms",
    r#"ts=2026-11-27T09:12:04Z level=warn component=queue msg="retrying the delivery" attempt=3 delay=1.5s"#,
];

/// Returns each of the 52 longest of Logstash's patterns with each line. Most of them do not match.
/// `conformance/regex/fetch grok` gets the patterns from the crate `grok`; without them, there are
/// no cases.
fn grok() -> Option<Vec<Case>> {
    const PATTERNS: &str = ".cache/regex/grok-2.4.1/all.pattern";
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
    let text = fs::read_to_string(format!("{root}{PATTERNS}")).ok()?;
    // The order of the file is kept, so that the choice among patterns of the same length is, too.
    let (mut names, mut known) = (Vec::new(), HashMap::new());
    for line in text.lines() {
        let Some((name, pattern)) = line.split_once(char::is_whitespace) else { continue };
        let is_name = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
        let is_new =
            name.bytes().all(is_name) && known.insert(name, pattern.trim_start()).is_none();
        if is_new && !name.is_empty() {
            names.push(name);
        }
    }
    let reference = Regex::new(r"%\{(\w+)(?::([^}:]+))?(?::\w+)?\}").ok()?;
    let mut patterns: Vec<String> =
        names.iter().map(|name| expand(known[name], &known, &reference)).collect();
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.chars().count()));
    let of_lines =
        |pattern: &String| LOG_LINES.map(|line| (String::new(), pattern.clone(), line.to_owned()));
    Some(patterns.iter().take(52).flat_map(of_lines).collect())
}

/// Replaces the references in a pattern by what they refer to. A field becomes a named group.
fn expand(pattern: &str, known: &HashMap<&str, &str>, reference: &Regex) -> String {
    let not_of_words = Regex::new("[^A-Za-z0-9_]+").expect("a pattern");
    let group = |found: &Captures<'_>| {
        let start = match found.get(2) {
            Some(field) => format!("<_{}>", not_of_words.replace_all(field.as_str(), "_")),
            None => ":".to_owned(),
        };
        format!("(?{start}{})", expand(known[&found[1]], known, reference))
    };
    reference.replace_all(pattern, group).into_owned()
}

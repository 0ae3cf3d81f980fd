//! The figures in the READMEs, which come from the saved records of the benchmarks.
//!
//! In a page, they are between marks, which name the kind of text and its records, relative to the
//! folder of the page:
//!
//! ```text
//! <!-- figures: peers records/2026-11-22-epyc-avx2.json -->
//! ...
//! <!-- figures: end -->
//! ```
//!
//! The program `figures` writes the text between them, and a test checks that it is current.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The pages with figures.
pub const PAGES: [&str; 3] = ["README.md", "bench/README.md", "bench/serde/README.md"];

const OPEN: &str = "<!-- figures: ";
const CLOSE: &str = "<!-- figures: end -->";

/// A record of the program that compared YAML engines before `bin/board`.
#[derive(Debug, Deserialize)]
pub struct Record {
    machine: Machine,
    figures: Vec<Figure>,
}

#[derive(Debug, Deserialize)]
struct Machine {
    processor: String,
    vectors: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Figure {
    engine: String,
    file: String,
    level: String,
    bytes: f64,
    seconds: Seconds,
}

#[derive(Debug, Deserialize)]
struct Seconds {
    min: f64,
}

/// The ratio of the speed of an engine to that of its peers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The number of files for which both have figures.
    pub files: usize,
    /// The geometric mean over the files.
    pub mean: f64,
    /// The least ratio of a file.
    pub worst: f64,
}

impl Record {
    /// Reads a record from a file.
    ///
    /// # Errors
    /// Fails if the file is missing or not a record.
    pub fn load(path: &Path) -> Result<Record, String> {
        load(path)
    }

    /// Compares the speed of `subject` at `level` with that of the fastest of `peers` for each
    /// file but the shapes. Returns `None` if there are no common files.
    #[must_use]
    pub fn ratio(&self, level: &str, subject: &str, peers: &[&str]) -> Option<Ratio> {
        self.ratio_of(level, subject, peers, |file| !is_shape(file))
    }

    /// Returns the same ratio over the files that were written by people. (The others are
    /// generated.)
    #[must_use]
    pub fn ratio_of_real(&self, level: &str, subject: &str, peers: &[&str]) -> Option<Ratio> {
        self.ratio_of(level, subject, peers, |file| !file.starts_with("gen_") && !is_shape(file))
    }

    /// Returns the ratio of the speed of `subject` to that of the fastest of `peers`, over the
    /// files for which `counts` returns true.
    #[must_use]
    pub fn ratio_of(
        &self,
        level: &str,
        subject: &str,
        peers: &[&str],
        counts: impl Fn(&str) -> bool,
    ) -> Option<Ratio> {
        let figures = || self.figures.iter().filter(|f| f.level == level && counts(&f.file));
        let mut best: BTreeMap<&str, f64> = BTreeMap::new();
        for figure in figures().filter(|figure| peers.contains(&&*figure.engine)) {
            let rate = best.entry(&figure.file).or_insert(0.0);
            *rate = rate.max(figure.rate());
        }
        let own = figures().filter(|figure| figure.engine == subject);
        let ratios: Vec<f64> = own.filter_map(|f| Some(f.rate() / best.get(&*f.file)?)).collect();
        let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        Some(Ratio {
            files: ratios.len(),
            mean: (logs / ratios.len() as f64).exp(),
            worst: ratios.iter().copied().min_by(f64::total_cmp)?,
        })
    }
}

/// Returns whether a file is one of the generated shapes, each of which has a floor of its own.
#[must_use]
pub fn is_shape(file: &str) -> bool {
    file.starts_with("shape_")
}

impl Figure {
    fn rate(&self) -> f64 {
        self.bytes / self.seconds.min
    }
}

impl Machine {
    /// Returns the name of the processor and its widest vector instructions, for a table.
    fn text(&self) -> String {
        let widest = match self.vectors.last().map(String::as_str) {
            Some(name) if name.starts_with("avx512") => "AVX-512",
            Some("avx2") => "AVX2",
            Some(name) => name,
            None => return self.processor.clone(),
        };
        format!("{} with {widest}", self.processor)
    }
}

/// A record of the program that compared crates before `bin/board`.
#[derive(Deserialize)]
struct SerdeRecord {
    machine: String,
    figures: Vec<SerdeFigure>,
}

#[derive(Deserialize)]
struct SerdeFigure {
    part: String,
    engine: String,
    mean: f64,
    worst: f64,
}

/// A record of what `rake bench` in `bindings/ruby` was before `bin/board`, as far as the table of the README uses it.
#[derive(Deserialize)]
struct RubyRecord {
    yaml: BTreeMap<String, RubyRatio>,
}

#[derive(Deserialize)]
struct RubyRatio {
    mean: f64,
}

/// A line of a record of the program that compared packages of Python before `bin/board`.
#[derive(Deserialize)]
struct PythonRun {
    python: String,
    ratios: BTreeMap<String, serde_json::Value>,
}

/// A record of the program that compared libraries of the JVM before `bin/board`.
#[derive(Deserialize)]
struct JavaRecord {
    ratios: Vec<JavaRatio>,
}

/// The ratios of all passes for a file.
#[derive(Deserialize)]
struct JavaRatio {
    java: String,
    engine: String,
    passes: Vec<f64>,
}

fn load<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| at(&error))?;
    serde_json::from_str(&text).map_err(|error| at(&error))
}

/// Returns `page` with the figures of its records. The paths of the records are relative to
/// `folder`.
///
/// # Errors
/// Fails if a mark or a record cannot be understood.
pub fn rewrite(page: &str, folder: &Path) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (mark, after) = after.split_once(" -->\n").ok_or("a mark does not end")?;
        let (_, after) = after.split_once(CLOSE).ok_or_else(|| format!("`{mark}` has no end"))?;
        let mut words = mark.split(' ');
        let kind = words.next().unwrap_or_default();
        let records: Vec<&str> = words.collect();
        let text = match (kind, &*records) {
            ("hosts", [yaml, serde, ruby, python, java]) => {
                hosts([yaml, serde, ruby, python, java], folder)?
            }
            ("peers", [record]) => peers(record, &folder.join(record))?,
            ("serde", [record]) => serde(record, &folder.join(record))?,
            _ => return Err(format!("no figures of this kind: `{mark}`")),
        };
        write!(out, "{before}{OPEN}{mark} -->\n{text}{CLOSE}").expect("writing to memory");
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

const RAPIDYAML: [&str; 2] = ["rapidyaml ints", "rapidyaml ints raw"];

/// Returns the table of the README: a few figures for each language, from the records for YAML, for
/// serde, for Ruby, for Python and for Java.
fn hosts(records: [&str; 5], folder: &Path) -> Result<String, String> {
    let [yaml, serde, ruby, python, java] = records;
    let record = Record::load(&folder.join(yaml))?;
    let events = |peers: &[&str]| {
        let ratio = record.ratio_of_real("events", "ketch", peers);
        ratio.map(|ratio| ratio.mean).ok_or("the record lacks a peer")
    };
    let types = serde_figure(&load(&folder.join(serde))?, "types", "serde_yaml")?.mean;
    let in_ruby: RubyRecord = load(&folder.join(ruby))?;
    let in_ruby = in_ruby.yaml.get("Psych.load_stream").ok_or("no figure of Psych")?.mean;
    let (version, in_python) = python_figure(&folder.join(python), "PyYAML, CSafeLoader")?;
    let (jdk, in_java) = java_figure(&folder.join(java), "SnakeYAML")?;
    let rapidyaml = "rapidyaml, the fastest other parser that we know";
    let (python_row, java_row) =
        (format!("`ketch.loads`, Python {version}"), format!("`Yaml.loadAll`, JDK {jdk}"));
    let rows = [
        ("events", rapidyaml, events(&RAPIDYAML)?, "[figures](bench/README.md#results)", yaml),
        ("events", "libyaml", events(&["libyaml"])?, "[figures](bench/README.md#results)", yaml),
        ("Rust types", "serde_yaml", types, "[figures](bench/serde/README.md#results)", serde),
        ("`Ketch.load_stream`", "Psych", in_ruby, "[figures](bindings/ruby/README.md#speed)", ruby),
        (
            &python_row,
            "PyYAML's `CSafeLoader`",
            in_python,
            "[figures](docs/python.md#measuring)",
            python,
        ),
        (&java_row, "SnakeYAML", in_java, "[figures](docs/jvm.md#figures)", java),
    ];
    let mut text =
        "\n| from YAML to | compared with | times as fast | source |\n|---|---|---|---|\n"
            .to_owned();
    for (what, peer, mean, command, record) in rows {
        writeln!(text, "| {what} | {peer} | {mean:.1} | {command}, [record]({record}) |")
            .expect("writing to memory");
    }
    Ok(text + "\n")
}

fn serde_figure<'r>(
    record: &'r SerdeRecord,
    part: &str,
    engine: &str,
) -> Result<&'r SerdeFigure, String> {
    let figure =
        record.figures.iter().find(|figure| figure.part == part && figure.engine == engine);
    figure.ok_or_else(|| format!("no figures of {engine}, {part}"))
}

/// Returns the last version of Python that was measured, and the mean of the ratios to `peer`.
fn python_figure(path: &Path, peer: &str) -> Result<(String, f64), String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| at(&error))?;
    let mut found = None;
    for line in text.lines() {
        let mut run: PythonRun = serde_json::from_str(line).map_err(|error| at(&error))?;
        if let Some(files) = run.ratios.remove(peer) {
            let files: BTreeMap<String, Vec<f64>> =
                serde_json::from_value(files).map_err(|error| at(&error))?;
            found = Some((run.python, mean_of_medians(files.into_values())));
        }
    }
    found.ok_or_else(|| at(&format!("no figures of {peer}")))
}

/// Returns the last JDK that was measured, and the mean of the ratios to `peer`.
fn java_figure(path: &Path, peer: &str) -> Result<(String, f64), String> {
    let record: JavaRecord = load(path)?;
    let of_peer = || record.ratios.iter().filter(|ratio| ratio.engine == peer);
    let last =
        of_peer().next_back().ok_or_else(|| format!("{}: no figures of {peer}", path.display()))?;
    let files = of_peer().filter(|ratio| ratio.java == last.java);
    Ok((last.java.clone(), mean_of_medians(files.map(|ratio| ratio.passes.clone()))))
}

/// Returns the geometric mean over files, each with its samples, of the median of a file.
fn mean_of_medians(files: impl Iterator<Item = Vec<f64>>) -> f64 {
    let medians = files.map(|mut samples| {
        samples.sort_by(f64::total_cmp);
        f64::midpoint(samples[(samples.len() - 1) / 2], samples[samples.len() / 2])
    });
    let logs: Vec<f64> = medians.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

/// For each row: the level and the peer as the table names them, and the level, the subject and the
/// peer as records name them.
const PEERS: [(&str, &str, &str, &str, &str); 7] = [
    ("events, spans only", "rapidyaml, integer handler", "events", "ketch", "rapidyaml ints"),
    (
        "events, spans only",
        "rapidyaml, integer handler, scalars not decoded",
        "events",
        "ketch",
        "rapidyaml ints raw",
    ),
    ("events, spans only", "libyaml", "events", "ketch", "libyaml"),
    ("events, spans only", "libfyaml", "events", "ketch", "libfyaml"),
    (
        "events, every scalar decoded",
        "rapidyaml, integer handler",
        "decoded",
        "ketch",
        "rapidyaml ints",
    ),
    (
        "tree, memory reused",
        "rapidyaml's tree, reused",
        "tree",
        "ketch tree reused",
        "rapidyaml tree reused",
    ),
    ("tree, fresh", "rapidyaml's tree, fresh", "tree", "ketch tree fresh", "rapidyaml tree fresh"),
];

/// Returns the table that compares Ketch with other engines.
fn peers(name: &str, path: &Path) -> Result<String, String> {
    let record = Record::load(path)?;
    let mut rows = String::new();
    let mut files = 0;
    for (level, peer, record_level, subject, record_peer) in PEERS {
        let ratio = record
            .ratio(record_level, subject, &[record_peer])
            .ok_or_else(|| format!("{name}: no figures of {record_peer}"))?;
        files = files.max(ratio.files);
        writeln!(rows, "| {level} | {peer} | {:.1} | {:.1} |", ratio.mean, ratio.worst)
            .expect("writing to memory");
    }
    let real = record.ratio_of_real("events", "ketch", &RAPIDYAML);
    let real = real.ok_or_else(|| format!("{name}: no figures of rapidyaml"))?;
    Ok(format!(
        "\nA ratio is the speed of Ketch divided by that of the peer. `mean` is the geometric mean over {files}\n\
         files, `worst file` the lowest ratio. Each engine is run as its users run it. The ratios come\n\
         from one run on a shared {}:\n[{name}]({name}).\n\n\
         | level | peer | mean | worst file |\n|---|---|---|---|\n{rows}\n\
         On the {} real files alone, Ketch parses events {:.1} times as fast as the faster of the two rapidyaml\n\
         configurations.\n\n",
        record.machine.text(),
        real.files,
        real.mean,
    ))
}

/// For each row: what was measured and the peer, as the table names them, and the part and the
/// engine, as records name them.
const SERDE: [(&str, &str, &str, &str); 7] = [
    ("reading `Value`", "serde_yaml", "values", "serde_yaml"),
    ("reading `Value`", "yaml-rust2, the fastest of the others", "values", "yaml-rust2"),
    (
        "reading types: resource definitions, API descriptions, records",
        "serde_yaml",
        "types",
        "serde_yaml",
    ),
    ("the same, including the time to drop them", "serde_yaml", "types-dropped", "serde_yaml"),
    ("writing", "serde_yaml", "writing", "serde_yaml"),
    ("writing", "noyalib", "writing", "noyalib"),
    ("writing", "libyaml's emitter, with the events prepared beforehand", "writing", "libyaml"),
];

/// Returns the table about reading values and types with serde.
fn serde(name: &str, path: &Path) -> Result<String, String> {
    let record: SerdeRecord = load(path)?;
    let mut rows = String::new();
    for (what, peer, part, engine) in SERDE {
        let figure = serde_figure(&record, part, engine)?;
        writeln!(rows, "| {what} | {peer} | {:.1} | {:.1} |", figure.mean, figure.worst)
            .expect("writing to memory");
    }
    Ok(format!(
        "\nThe figures are geometric means from one run on a shared {}:\n[{name}]({name}).\n\n| what | peer | mean | worst file |\n|---|---|---|---|\n{rows}\n",
        record.machine
    ))
}

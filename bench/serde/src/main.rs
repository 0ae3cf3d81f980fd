//! Compares Ketch's values, types and writing with other YAML crates: checked, then timed, in one
//! process.

use clap::Parser;
use ketch_bench_serde::stats::{Spread, geometric_mean};
use ketch_bench_serde::{Task, clock, emitter, inputs, types, values, writing};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Reads and writes YAML with every crate, and prints the ratio to Ketch.
#[derive(Parser)]
struct Options {
    /// The folder that `bench/corpus` fetches to.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../out/corpus"))]
    corpus: PathBuf,
    /// What to measure: `values`, `types`, `types-dropped`, `writing`.
    #[arg(long, value_delimiter = ',', default_value = "values,types,types-dropped,writing")]
    parts: Vec<String>,
    /// Only inputs whose name has one of these parts.
    #[arg(long, value_delimiter = ',')]
    files: Vec<String>,
    /// Samples of each engine and input.
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// Writes the figures to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Writes the means and the machine to this file, as `records/` keeps them.
    #[arg(long)]
    record: Option<PathBuf>,
    /// Run only Ketch, this many times, for a profiler.
    #[arg(long)]
    profile: Option<usize>,
}

/// The figures of one engine on one input.
#[derive(Serialize)]
struct Row {
    part: &'static str,
    input: String,
    bytes: usize,
    engine: &'static str,
    /// Seconds of CPU time.
    seconds: Spread,
    /// The ratio of the medians to Ketch.
    ratio: f64,
}

/// The record of a run, which `bench/run --readme` reads.
struct Record {
    /// Raised when fields change their meaning.
    format: u32,
    machine: String,
    note: String,
    figures: Vec<Mean>,
}

/// The ratio of an engine's time to Ketch's, over all inputs of a part.
#[derive(Serialize)]
struct Mean {
    part: &'static str,
    engine: &'static str,
    inputs: usize,
    mean: f64,
    worst: f64,
}

fn main() {
    let options = Options::parse();
    settle_allocator();
    let mut bench = Bench { options, rows: Vec::new(), left_out: Vec::new() };
    print_versions();
    bench.run();
    bench.report();
    if let Some(path) = &bench.options.json {
        write(path, lines(&bench.rows) + "\n");
    }
    if let Some(path) = &bench.options.record {
        write(path, Record::of(&bench.rows, bench.options.rounds).json());
    }
}

impl Record {
    fn of(rows: &[Row], rounds: usize) -> Record {
        let mut ratios: BTreeMap<(&'static str, &'static str), Vec<f64>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.engine != "ketch") {
            ratios.entry((row.part, row.engine)).or_default().push(row.ratio);
        }
        let mean = |((part, engine), ratios): ((&'static str, &'static str), Vec<f64>)| {
            let worst = ratios.iter().copied().reduce(f64::min)?;
            Some(Mean { part, engine, inputs: ratios.len(), mean: geometric_mean(&ratios)?, worst })
        };
        Record {
            format: 1,
            machine: processor(),
            note: format!("{}, {rounds} rounds", env!("RUSTC_VERSION")),
            figures: ratios.into_iter().filter_map(mean).collect(),
        }
    }

    /// Returns the record as JSON, with a line for each field and for each figure.
    fn json(&self) -> String {
        let Record { format, machine, note, figures } = self;
        let (machine, note, figures) = (json(machine), json(note), lines(figures));
        format!(
            "{{\n\"format\": {format},\n\"machine\": {machine},\n\"note\": {note},\n\"figures\": {figures}\n}}\n"
        )
    }
}

/// Describes the processor and its widest vectors.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let flags = field("flags").unwrap_or_default();
    let vectors = [("avx512bw", " with AVX-512"), ("avx2", " with AVX2")];
    let widest = vectors.iter().find(|(flag, _)| flags.split(' ').any(|word| word == *flag));
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    name + widest.map_or("", |(_, words)| words)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("figures are JSON")
}

/// Returns a list as JSON, with a line for each element.
fn lines(list: &[impl Serialize]) -> String {
    let elements: Vec<String> = list.iter().map(json).collect();
    format!("[\n{}\n]", elements.join(",\n"))
}

fn write(path: &Path, text: String) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Frees one large block, which raises glibc's trim threshold: otherwise memory returns to the
/// system between runs, and the next engine pays with page faults.
fn settle_allocator() {
    drop(black_box(vec![1u8; (32 << 20) - 64 * 1024]));
}

fn print_versions() {
    println!(
        "serde_yaml {}, noyalib {}, yaml-rust2 {}, saphyr {}, serde-saphyr {} (serde_json {}), \
         libyaml {} (Debian), unsafe-libyaml {}",
        env!("VERSION_SERDE_YAML"),
        env!("VERSION_NOYALIB"),
        env!("VERSION_YAML_RUST2"),
        env!("VERSION_SAPHYR"),
        env!("VERSION_SERDE_SAPHYR"),
        env!("VERSION_SERDE_JSON"),
        emitter::version(),
        env!("VERSION_UNSAFE_LIBYAML"),
    );
    println!("{}; release, thin LTO, one codegen unit, any x86-64\n", env!("RUSTC_VERSION"));
}

struct Bench {
    options: Options,
    rows: Vec<Row>,
    left_out: Vec<String>,
}

impl Bench {
    fn run(&mut self) {
        let folder = &self.options.corpus;
        let inputs = inputs::all(folder).unwrap_or_else(|error| {
            panic!("{}: {error}; `bench/corpus` fetches the files", folder.display())
        });
        for input in &inputs {
            if self.wants("values", &input.name) {
                let tasks = values::tasks(&input.text);
                self.measure("values", &input.name, input.text.len(), tasks, |theirs, ours| {
                    let all = || ours.iter().zip(theirs).enumerate();
                    if ours.len() != theirs.len() {
                        return Some(format!("{} documents", theirs.len()));
                    }
                    all().find_map(|(i, (a, b))| Some(format!("document {i}{}", a.difference(b)?)))
                });
            }
        }
        self.types(&inputs);
        for input in &inputs {
            if self.wants("writing", &input.name) {
                match writing::tasks(&input.text) {
                    Err(error) => self.left_out.push(format!("writing {}: {error}", input.name)),
                    Ok(tasks) => {
                        self.measure("writing", &input.name, input.text.len(), tasks, |a, b| {
                            let mut both = a.iter().zip(b);
                            both.find_map(|(a, b)| a.difference(b))
                        });
                    }
                }
            }
        }
    }

    fn wants(&self, part: &str, name: &str) -> bool {
        let Options { parts, files, .. } = &self.options;
        parts.iter().any(|wanted| wanted == part)
            && (files.is_empty() || files.iter().any(|file| name.contains(file)))
    }

    fn types(&mut self, inputs: &[inputs::Input]) {
        let text = |name: &str| inputs.iter().find(|input| input.name == name).map(|i| &*i.text);
        if let Some(text) = text("crd_prometheus.yaml") {
            self.typed::<types::Definition>("crd_prometheus.yaml", &inputs::definitions(text));
        }
        for name in ["openapi_stripe.yaml", "openapi_asana.yaml"] {
            if let Some(text) = text(name) {
                self.typed::<types::Api>(name, text);
            }
        }
        self.typed::<Vec<types::Record>>("records", &inputs::records(20_000));
    }

    fn typed<T>(&mut self, name: &str, text: &str)
    where
        T: DeserializeOwned + Clone + PartialEq + 'static,
    {
        for part in ["types", "types-dropped"] {
            if self.wants(part, name) {
                let tasks = types::tasks::<T>(text);
                self.measure(part, name, text.len(), tasks, |theirs, ours| {
                    (theirs != ours).then(|| "another value".to_owned())
                });
            }
        }
    }

    /// Skips engines with a different result than Ketch, then times the others in turn.
    fn measure<M>(
        &mut self,
        part: &'static str,
        input: &str,
        bytes: usize,
        mut tasks: Vec<Task<'_, M>>,
        difference: impl Fn(&M, &M) -> Option<String>,
    ) {
        if let Some(times) = self.options.profile {
            println!("profiling {part} {input}");
            for _ in 0..times {
                black_box((tasks[0].run)());
            }
            return;
        }
        let ours = match (tasks[0].made)() {
            Ok(ours) => ours,
            Err(error) => return self.left_out.push(format!("{part} {input}: ketch: {error}")),
        };
        tasks.retain(|task| {
            let wrong =
                match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (task.made)())) {
                    Err(_) => Some("panics".to_owned()),
                    Ok(Err(error)) => Some(error),
                    Ok(Ok(theirs)) => difference(&theirs, &ours),
                };
            if let Some(wrong) = &wrong {
                let wrong: String = wrong.chars().take(160).collect();
                self.left_out.push(format!("{part} {input}: {}: {wrong}", task.engine));
            }
            wrong.is_none()
        });
        drop(ours);
        // Types belong to the caller, so dropping them is not the reader's work.
        let samples = match part {
            "types" => take_turns(&tasks, self.options.rounds, time_before_dropping),
            _ => take_turns(&tasks, self.options.rounds, time_with_dropping),
        };
        let spreads: Vec<Spread> = samples.iter().filter_map(|s| Spread::of(s)).collect();
        let Some(own) = spreads.first().copied() else { return };
        for (task, seconds) in tasks.iter().zip(spreads) {
            let ratio = seconds.median / own.median;
            let (engine, input) = (task.engine, input.to_owned());
            self.rows.push(Row { part, input, bytes, engine, seconds, ratio });
        }
    }

    fn report(&self) {
        for part in ["values", "types", "types-dropped", "writing"] {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.part == part).collect();
            if !rows.is_empty() {
                table(part, &rows);
            }
        }
        for line in &self.left_out {
            println!("left out: {line}");
        }
    }
}

/// In each round every engine gives one sample; the first engine rotates. Before its sample, an
/// engine runs once untimed, so that it finds its own heap and does not clean up after another
/// engine.
fn take_turns<M>(
    tasks: &[Task<'_, M>],
    rounds: usize,
    time: impl Fn(&Task<'_, M>, Expected) -> Duration,
) -> Vec<Vec<f64>> {
    let expected: Vec<Expected> = tasks.iter().map(Expected::of).collect();
    let mut samples = vec![Vec::new(); tasks.len()];
    for round in 0..rounds {
        for turn in 0..tasks.len() {
            let at = (round + turn) % tasks.len();
            black_box((tasks[at].run)());
            let time = time(&tasks[at], expected[at]);
            samples[at].push(time.as_secs_f64() / expected[at].repeats as f64);
        }
    }
    samples
}

/// The size of a sample.
#[derive(Clone, Copy)]
struct Expected {
    count: usize,
    /// The number of runs per sample.
    repeats: usize,
    /// The cost of reading the clock twice.
    clock: Duration,
}

impl Expected {
    fn of<M>(task: &Task<'_, M>) -> Expected {
        const SAMPLE: Duration = Duration::from_millis(3);
        let clock = clock::reading_cost();
        let start = clock::thread_cpu_time();
        let count = black_box((task.run)()).count;
        let once = (clock::thread_cpu_time() - start).max(Duration::from_nanos(100));
        Expected { count, repeats: (SAMPLE.as_nanos() / once.as_nanos()) as usize + 1, clock }
    }

    fn check(self, count: usize) {
        assert_eq!(count, self.count, "another answer than before");
    }
}

/// Returns the time of a sample, including drops.
fn time_with_dropping<M>(task: &Task<'_, M>, expected: Expected) -> Duration {
    let start = clock::thread_cpu_time();
    for _ in 0..expected.repeats {
        expected.check(black_box((task.run)()).count);
    }
    (clock::thread_cpu_time() - start).saturating_sub(expected.clock)
}

/// Returns the time of a sample, excluding drops.
fn time_before_dropping<M>(task: &Task<'_, M>, expected: Expected) -> Duration {
    let mut time = Duration::ZERO;
    for _ in 0..expected.repeats {
        let start = clock::thread_cpu_time();
        let done = black_box((task.run)());
        time += (clock::thread_cpu_time() - start).saturating_sub(expected.clock);
        expected.check(done.count);
    }
    time
}

/// Prints Ketch's rate, and the ratio of each of the others.
fn table(part: &str, rows: &[&Row]) {
    let mut engines: Vec<&str> = Vec::new();
    let mut inputs: Vec<&str> = Vec::new();
    for row in rows {
        if !engines.contains(&row.engine) {
            engines.push(row.engine);
        }
        if inputs.last() != Some(&&*row.input) {
            inputs.push(&row.input);
        }
    }
    println!("{part}: Ketch in MB/s, the others in times as long (medians)");
    print!("{:26}", "");
    engines.iter().for_each(|engine| print!("{engine:>15}"));
    println!("{:>10}", "spread");
    let mut ratios: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for input in inputs {
        print!("{input:26}");
        let of = |engine: &str| rows.iter().find(|row| row.input == input && row.engine == engine);
        for engine in &engines {
            match of(engine) {
                Some(row) if row.engine == "ketch" => {
                    print!("{:15.1}", row.bytes as f64 / row.seconds.median / 1e6);
                }
                Some(row) => {
                    ratios.entry(engine).or_default().push(row.ratio);
                    print!("{:15.2}", row.ratio);
                }
                None => print!("{:>15}", "-"),
            }
        }
        let spread = of("ketch").map_or(0.0, |row| row.seconds.relative());
        println!("{:9.1}%", 100.0 * spread);
    }
    summary("geometric mean", &engines, &ratios, geometric_mean);
    summary("least", &engines, &ratios, |ratios| ratios.iter().copied().reduce(f64::min));
    println!();
}

fn summary(
    name: &str,
    engines: &[&str],
    ratios: &BTreeMap<&str, Vec<f64>>,
    of: impl Fn(&[f64]) -> Option<f64>,
) {
    print!("{name:26}");
    for engine in engines {
        match ratios.get(engine).and_then(|ratios| of(ratios)) {
            Some(value) => print!("{value:15.2}"),
            None => print!("{:>15}", ""),
        }
    }
    println!();
}

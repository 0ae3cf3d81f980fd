//! Measures queries: `query_speed PROGRAM FILE` runs a program on the JSON texts of a file, and writes the results to standard
//! output; `query_speed --generate MEGABYTES [lines|yaml]` writes an array of records, as JSON, JSON Lines or YAML.

use ketch_query::{
    Entry, ErrorKind, Failure, Format, Host, InputOptions, Inputs, Limits, Query, Value,
};
use std::io::Write;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["--generate", megabytes] => generate(megabytes.parse()?, ["[", ",", "]"], json)?,
        ["--generate", megabytes, "lines"] => generate(megabytes.parse()?, ["", "", ""], json)?,
        ["--generate", megabytes, "yaml"] => generate(megabytes.parse()?, ["", "", ""], yaml)?,
        ["--explain", program] => print!("{}", Query::new(program, &[])?.explain()),
        [program, file] => run(program, file)?,
        _ => {
            return Err(
                "usage: query_speed PROGRAM FILE | --generate MEGABYTES [lines|yaml]".into()
            );
        }
    }
    Ok(())
}

/// A host with the entries of the input.
struct Entries<'i>(&'i mut Inputs);

impl Host for Entries<'_> {
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        None
    }

    fn entry(&mut self) -> Option<Result<Entry, Failure>> {
        let failure = |error| Failure::new(ErrorKind::InvalidInput, format!("{error:?}"));
        self.0.next_entry().map(|entry| entry.map_err(failure))
    }

    fn message(&mut self, _: &str) {}

    fn input_name(&self) -> Option<Arc<str>> {
        None
    }

    fn environment(&self) -> Option<Value> {
        None
    }
}

/// Runs a program on a file, or on standard input for `-`: entry by entry if it can, unless the variable `WHOLE` is set.
fn run(program: &str, file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let query = Query::new(program, &[])?;
    let mut out = std::io::stdout().lock();
    let mut text = String::new();
    let options = InputOptions { is_json: !file.ends_with(".yaml"), ..InputOptions::default() };
    let reader = std::fs::File::open(if file == "-" { "/dev/stdin" } else { file })?;
    let mut inputs = Inputs::new(Box::new(reader), file.into(), &options);
    let mut run = query.run(Vec::new(), Limits::default());
    if std::env::var_os("WHOLE").is_none()
        && let (Some(path), Some(by_entries)) =
            (query.entry_path(), query.run_entries(Vec::new(), Limits::default()))
    {
        (inputs, run) = (inputs.by_entries(path), by_entries);
    }
    while let Some(input) = inputs.next() {
        run.start(input.map_err(|error| format!("{error:?}"))?);
        let mut host = Entries(&mut inputs);
        while let Some(output) = run.next(&mut host) {
            output?.write_json(&mut text, Format::COMPACT);
            text.push('\n');
            if text.len() > 1 << 16 {
                out.write_all(text.as_bytes())?;
                text.clear();
            }
        }
    }
    Ok(out.write_all(text.as_bytes())?)
}

/// Writes records until there are this many megabytes.
fn generate(
    megabytes: usize,
    [start, comma, end]: [&str; 3],
    record: fn(u64, &mut u64) -> String,
) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut seed, mut id, mut written) = (1, 0, 0);
    write!(out, "{start}")?;
    while written < megabytes << 20 {
        let text = record(id, &mut seed);
        written += text.len() + 2;
        writeln!(out, "{}{text}", if id > 0 { comma } else { "" })?;
        id += 1;
    }
    writeln!(out, "{end}")
}

/// Returns a random number below `bound`.
fn random(seed: &mut u64, bound: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % bound
}

/// The values of a record.
fn values(id: u64, seed: &mut u64) -> [String; 8] {
    let mut number = |bound| random(seed, bound);
    [
        id.to_string(),
        format!("item {:06} é", number(1_000_000)),
        ["tools", "garden", "kitchen", "office", "toys", "books", "music"][number(7) as usize]
            .to_owned(),
        format!("{}.{:02}", number(500), number(100)),
        number(1000).to_string(),
        (number(4) > 0).to_string(),
        format!("v{}", number(50)),
        format!("{}.{}", number(180), number(1_000_000)),
    ]
}

fn json(id: u64, seed: &mut u64) -> String {
    let [id, name, category, price, count, is_active, tag, position] = values(id, seed);
    format!(
        "{{\"id\": {id}, \"name\": \"{name}\", \"category\": \"{category}\", \"price\": {price}, \"n\": {count}, \
         \"active\": {is_active}, \"tags\": [\"{tag}\", \"new\"], \"note\": \"a \\\"quoted\\\" word\", \
         \"place\": {{\"lat\": {position}, \"lon\": -{position}}}}}"
    )
}

fn yaml(id: u64, seed: &mut u64) -> String {
    let [id, name, category, price, count, is_active, tag, position] = values(id, seed);
    format!(
        "- id: {id}\n  name: {name}\n  category: {category}\n  price: {price}\n  n: {count}\n  active: {is_active}\n  \
         tags: [{tag}, new]\n  note: a \"quoted\" word\n  place:\n    lat: {position}\n    lon: -{position}"
    )
}

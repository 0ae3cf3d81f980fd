//! The figures of a run, printed and as the JSON that `records/` keeps.

use std::fmt;

/// The times of both engines for a task.
pub struct Figure {
    task: &'static str,
    /// The medians, in microseconds of CPU time per document.
    yecht: f64,
    ketch: f64,
    /// The median of the ratios of the rounds.
    pub ratio: f64,
    /// The lowest and the highest ratio of a round.
    least: f64,
    most: f64,
}

impl Figure {
    /// Computes the figure from the nanoseconds of each round.
    pub fn new(task: &'static str, theirs: &[f64], ours: &[f64]) -> Figure {
        let mut ratios: Vec<f64> =
            theirs.iter().zip(ours).map(|(their, our)| their / our).collect();
        ratios.sort_by(f64::total_cmp);
        Figure {
            task,
            yecht: median(theirs) / 1e3,
            ketch: median(ours) / 1e3,
            ratio: ratios[ratios.len() / 2],
            least: ratios[0],
            most: ratios[ratios.len() - 1],
        }
    }
}

/// Returns the median.
fn median(samples: &[f64]) -> f64 {
    let mut samples = samples.to_vec();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// A whole run.
pub struct Record {
    pub bytes: usize,
    /// The calls of the handler for the document, which are the same for both engines.
    pub calls: u64,
    pub times: u64,
    pub rounds: u64,
    pub figures: [Figure; 2],
}

impl Record {
    /// Returns the record as JSON.
    pub fn json(&self) -> String {
        let Record { bytes, calls, times, rounds, figures } = self;
        let rows = figures.iter().map(|figure| {
            let Figure { task, yecht, ketch, ratio, least, most } = figure;
            format!(
                "    {{ \"task\": \"{task}\", \"yecht_us\": {yecht:.1}, \"ketch_us\": {ketch:.1}, \"ratio\": {ratio:.1}, \
                 \"least\": {least:.1}, \"most\": {most:.1} }}"
            )
        });
        let rows = rows.collect::<Vec<String>>().join(",\n");
        format!(
            "{{\n  \"format\": 1,\n  \"machine\": \"{}\",\n  \"document\": \"generated in the shape of big_yaml.yml\",\n  \
             \"bytes\": {bytes},\n  \"handler_calls\": {calls},\n  \"times\": {times},\n  \"rounds\": {rounds},\n  \
             \"figures\": [\n{rows}\n  ]\n}}\n",
            processor()
        )
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Record { bytes, calls, times, rounds, figures } = self;
        writeln!(
            f,
            "A document of {bytes} bytes in the shape of big_yaml.yml, {times} times in {rounds} rounds.\n\
             Both handlers get {calls} nodes.\n\n\
             | task | Yecht 1.1, µs | Ketch, µs | ratio | least | most |\n|---|---|---|---|---|---|"
        )?;
        for Figure { task, yecht, ketch, ratio, least, most } in figures {
            writeln!(
                f,
                "| {task} | {yecht:.1} | {ketch:.1} | {ratio:.1} | {least:.1} | {most:.1} |"
            )?;
        }
        Ok(())
    }
}

/// Returns the name of the processor.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(": "));
    name.map_or("unknown", |(_, name)| name.trim()).to_owned()
}

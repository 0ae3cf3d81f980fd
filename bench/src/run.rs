//! Runs the benchmarks that the options select.

use std::fs;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::claims::{self, Claims, Verdict};
use crate::corpus::{self, Counts, Item};
use crate::engines::{self, Engine, Level};
use crate::measure::measure;
use crate::options::Options;
use crate::report;
use crate::stats::Spread;
use crate::verify::{LeftOut, Verdicts};
use crate::{plot, probe, record};

/// One engine on one input at one level.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Engine.
    pub engine: &'static str,
    /// Input.
    pub file: String,
    /// Level.
    pub level: Level,
    /// Bytes of the input.
    pub bytes: usize,
    /// Seconds of CPU time per parse.
    pub seconds: Spread,
}

impl Figure {
    /// Returns the rate in millions of bytes per second, from the shortest time.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.bytes as f64 / self.seconds.min / 1e6
    }
}

/// The results of a run.
#[derive(Debug, Default)]
pub struct Results {
    /// Figures, by level, input and engine.
    pub figures: Vec<Figure>,
    /// The engines without a figure, with the reasons.
    pub left_out: Vec<LeftOut>,
    /// The comparison of claims with measurements.
    pub verdicts: Vec<Verdict>,
}

/// Returns the figure of `engine` on `file` among figures of one level.
#[must_use]
pub fn find<'a>(figures: &[&'a Figure], engine: &str, file: &str) -> Option<&'a Figure> {
    figures.iter().find(|figure| figure.engine == engine && figure.file == file).copied()
}

/// Runs the benchmarks that `options` select.
///
/// # Errors
/// Returns a message that says what went wrong.
pub fn run(options: &Options) -> Result<(), String> {
    if let Some(name) = &options.probe {
        return probe::serve(name);
    }
    let items = inputs(options)?;
    if let Some(folder) = &options.write_inputs {
        return write_inputs(folder, &items);
    }
    let mut engines = engines::all();
    if options.print_counts {
        return print_counts(&engines, &items);
    }
    let claims = claims::load(&options.definitions.join("levels.toml"))?;
    let mut results = measure_all(options, &mut engines, &items)?;
    results.verdicts = judge(&claims, &results.figures);
    let mut missed = results.verdicts.iter().filter(|verdict| !verdict.holds()).count();
    let subject = &claims.floors.subject;
    missed += results.left_out.iter().filter(|left| left.engine == subject).count();
    for &level in &options.levels {
        let standings = claims.floors.compare(level, &at_level(&results.figures, level));
        missed += standings.iter().filter(|standing| !standing.holds()).count();
        print!("{}{}", report::tables(&engines, &results, level), report::floors(&standings));
    }
    if let Some(path) = &options.json {
        record::write(path, options, &engines, &items, &results)?;
    }
    if let Some(path) = &options.plot {
        plot::write(path, &results.figures, &options.levels)?;
    }
    match missed {
        1.. if options.strict => Err(format!("{missed} claims do not hold")),
        _ => Ok(()),
    }
}

/// Returns the figures of one level.
#[must_use]
pub fn at_level(figures: &[Figure], level: Level) -> Vec<&Figure> {
    figures.iter().filter(|figure| figure.level == level).collect()
}

/// Judges the claims for which there are figures.
fn judge(claims: &Claims, figures: &[Figure]) -> Vec<Verdict> {
    let judge = |claim| claims::judge(claim, &at_level(figures, claim.level));
    claims.claim.iter().filter_map(judge).collect()
}

fn chosen(words: &[String], name: &str) -> bool {
    words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
}

/// Reads or generates the inputs that the options select.
fn inputs(options: &Options) -> Result<Vec<Item>, String> {
    let mut items = if let Some(folder) = &options.corpus {
        corpus::folder(folder)?
    } else {
        let definitions = options.definitions.join("corpus.toml");
        let (mut items, missing) = corpus::defined(&definitions, &options.fetched)?;
        if !missing.is_empty() {
            eprintln!("not fetched, so left out: {}", missing.join(", "));
        }
        if !options.no_generated {
            let generated = options.definitions.join("generated.toml");
            items.extend(corpus::generated(&generated, !options.print_counts)?);
        }
        items
    };
    items.retain(|item| chosen(&options.files, &item.name));
    if items.is_empty() { Err("no input is left to measure".to_owned()) } else { Ok(items) }
}

/// Writes all inputs to a folder.
fn write_inputs(folder: &std::path::Path, items: &[Item]) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(corpus::at(folder))?;
    for item in items {
        let path = folder.join(&item.name);
        fs::write(&path, &item.bytes).map_err(corpus::at(&path))?;
    }
    Ok(())
}

/// Prints the counts of each input on which most engines agree, and the number of engines that
/// agree.
fn print_counts(engines: &[Box<dyn Engine>], items: &[Item]) -> Result<(), String> {
    for item in items {
        let Some(reference) = Verdicts::of(engines, item)?.reference else {
            println!("{}: no engine parses it", item.name);
            continue;
        };
        let Counts { documents, sequences, mappings, scalars, aliases } = reference.counts;
        println!(
            "{}: counts = {{ documents = {documents}, sequences = {sequences}, mappings = \
             {mappings}, scalars = {scalars}, aliases = {aliases} }}  # {} of {} engines, {}",
            item.name,
            reference.votes.0,
            reference.votes.1,
            item.sha256()
        );
    }
    Ok(())
}

/// Verifies all engines on all inputs, and measures those with correct results.
fn measure_all(
    options: &Options,
    engines: &mut [Box<dyn Engine>],
    items: &[Item],
) -> Result<Results, String> {
    let mut results = Results::default();
    // Drawn on standard error, and only if that is a terminal.
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("a template");
    let bar = ProgressBar::new((items.len() * (1 + options.levels.len())) as u64).with_style(style);
    for item in items {
        bar.set_message(format!("checking {}", item.name));
        let verdicts = Verdicts::of(engines, item)?;
        bar.inc(1);
        for &level in &options.levels {
            bar.set_message(format!("{level} {}", item.name));
            measure_item(options, engines, item, level, &verdicts, &mut results)?;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(results)
}

/// Times those of the chosen engines whose results for `item` at `level` are correct.
fn measure_item(
    options: &Options,
    engines: &mut [Box<dyn Engine>],
    item: &Item,
    level: Level,
    verdicts: &Verdicts,
    results: &mut Results,
) -> Result<(), String> {
    let mut able = Vec::new();
    for (index, engine) in engines.iter_mut().enumerate() {
        let name = engine.facts().name;
        let unable = engine.reports(level).is_none() || !engine.reads(&item.name);
        if unable || !chosen(&options.engines, name) {
            continue;
        }
        match verdicts.outcome(index, engine.as_ref(), level) {
            Ok(outcome) => able.push((engine, outcome)),
            Err(reason) => {
                let file = item.name.clone();
                results.left_out.push(LeftOut { engine: name, file, level, reason });
            }
        }
    }
    let samples =
        measure(&mut able, level, item, options.rounds.into()).map_err(|(index, reason)| {
            format!("{} on {}: {reason}", able[index].0.facts().name, item.name)
        })?;
    for ((engine, _), samples) in able.iter().zip(samples) {
        results.figures.push(Figure {
            engine: engine.facts().name,
            file: item.name.clone(),
            level,
            bytes: item.bytes.len(),
            seconds: Spread::of(&samples).ok_or("no samples")?,
        });
    }
    Ok(())
}

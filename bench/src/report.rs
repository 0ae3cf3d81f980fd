//! Prints tables.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};

use crate::claims::{Standing, Verdict};
use crate::engines::{Engine, Level};
use crate::run::{Figure, Results, at_level, find};
use crate::stats::geometric_mean;

/// Returns the table of rates at `level`, the ratios, and who was left out.
#[must_use]
pub fn tables(engines: &[Box<dyn Engine>], results: &Results, level: Level) -> String {
    let figures = at_level(&results.figures, level);
    let measured: BTreeSet<_> = figures.iter().map(|figure| figure.engine).collect();
    let names: Vec<_> = engines
        .iter()
        .map(|engine| engine.facts().name)
        .filter(|name| measured.contains(name))
        .collect();
    let mut out =
        format!("\n{level}, MB/s (10^6 bytes; least CPU time of each engine's samples)\n");
    _ = writeln!(out, "{}", rates(&names, &figures));
    if let Some((&base, others)) = names.split_first() {
        _ = writeln!(out, "\n{base} against the others, times as fast");
        _ = writeln!(out, "{}", ratios(base, others, &figures));
    }
    for verdict in results.verdicts.iter().filter(|verdict| verdict.level == level) {
        _ = writeln!(out, "{}", sentence(verdict));
    }
    for left in results.left_out.iter().filter(|left| left.level == level) {
        _ = writeln!(out, "left out: {} on {}: {}", left.engine, left.file, left.reason);
    }
    out
}

/// Returns a sentence that says whether a claim holds, with its figures.
fn sentence(verdict: &Verdict) -> String {
    let Verdict { subject, peer, files, mean, worst, worst_file, .. } = verdict;
    let word = if verdict.holds() { "holds" } else { "MISSED" };
    let least = if worst.1 > 0.0 { format!(" of at least {:.1}", worst.1) } else { String::new() };
    format!(
        "{word}: {subject}: {:.2} times {peer} of at least {:.1} (geometric mean, {files} files); worst {:.2}{least} \
         on {worst_file}",
        mean.0, mean.1, worst.0
    )
}

/// Returns the table of the fastest peer on each file, with the floors of the ratios.
#[must_use]
pub fn floors(standings: &[Standing<'_>]) -> String {
    let mut table = table(["file", "MB/s", "of the fastest peer", "ratio", "floor", "peer"]);
    for standing in standings {
        let Standing { own, peer, floor } = standing;
        table.add_row([
            own.file.clone(),
            format!("{:.0}", own.rate()),
            format!("{:.0}", peer.rate()),
            format!("{:.2}", standing.ratio()),
            format!("{floor}{}", if standing.holds() { "" } else { " MISSED" }),
            peer.engine.to_owned(),
        ]);
    }
    if standings.is_empty() { String::new() } else { format!("\nthe fastest peers\n{table}\n") }
}

/// Returns an empty table, in which all columns but the first are aligned to the right.
fn table<'a>(header: impl IntoIterator<Item = &'a str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns the table of speeds, with a row for each file.
fn rates(names: &[&'static str], figures: &[&Figure]) -> Table {
    let mut table = table(["file", "bytes"].into_iter().chain(names.iter().copied()));
    let mut files: Vec<&str> = figures.iter().map(|figure| figure.file.as_str()).collect();
    files.dedup();
    for file in files {
        let bytes =
            figures.iter().find(|figure| figure.file == file).map_or(0, |figure| figure.bytes);
        let mut row = vec![file.to_owned(), bytes.to_string()];
        row.extend(names.iter().map(|name| match find(figures, name, file) {
            Some(figure) => format!("{:.0}", figure.rate()),
            None => "-".to_owned(),
        }));
        table.add_row(row);
    }
    let mut row = vec!["geometric mean".to_owned(), String::new()];
    row.extend(names.iter().map(|name| {
        let rates: Vec<_> = figures
            .iter()
            .filter(|figure| figure.engine == *name)
            .map(|figure| figure.rate())
            .collect();
        geometric_mean(&rates).map_or_else(String::new, |mean| format!("{mean:.0}"))
    }));
    table.add_row(row);
    table
}

/// Returns the table of ratios, with a row for each other engine.
fn ratios(base: &str, others: &[&'static str], figures: &[&Figure]) -> Table {
    let mut table =
        table(["engine", "files", "geometric mean", "worst", "worst file", "best", "spread"]);
    for name in others {
        let mut pairs: Vec<(f64, &str)> = figures
            .iter()
            .filter(|figure| figure.engine == *name)
            .filter_map(|figure| {
                let own = find(figures, base, &figure.file)?;
                Some((own.rate() / figure.rate(), figure.file.as_str()))
            })
            .collect();
        pairs.sort_by(|left, right| left.0.total_cmp(&right.0));
        let (Some(worst), Some(best)) = (pairs.first(), pairs.last()) else { continue };
        let ratios: Vec<_> = pairs.iter().map(|pair| pair.0).collect();
        table.add_row([
            (*name).to_owned(),
            pairs.len().to_string(),
            format!("{:.2}", geometric_mean(&ratios).unwrap_or(f64::NAN)),
            format!("{:.2}", worst.0),
            worst.1.to_owned(),
            format!("{:.2}", best.0),
            format!("{:.1}%", spread(name, figures) * 100.0),
        ]);
    }
    table
}

/// Returns the middle of the interquartile ranges of one engine's figures, each as a part of its
/// median.
fn spread(name: &str, figures: &[&Figure]) -> f64 {
    let mut spreads: Vec<_> = figures
        .iter()
        .filter(|figure| figure.engine == name)
        .map(|figure| figure.seconds.relative())
        .collect();
    spreads.sort_by(f64::total_cmp);
    spreads.get(spreads.len() / 2).copied().unwrap_or_default()
}

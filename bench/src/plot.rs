//! Plots rates: a row for each file, a dot for each engine, and a logarithmic scale.

use std::path::Path;

use plotters::prelude::*;

use crate::corpus::at;
use crate::engines::Level;
use crate::run::Figure;

const WIDTH: u32 = 1100;
const ROW: u32 = 22;
const MARGINS: u32 = 100;
const LEGEND: u32 = 170;

/// Draws the figures of the first level that has any into the SVG file at `path`.
///
/// # Errors
/// Fails if there is nothing to draw, or the file cannot be written.
pub fn write(path: &Path, figures: &[Figure], levels: &[Level]) -> Result<(), String> {
    let level = levels.iter().find(|&&level| figures.iter().any(|figure| figure.level == level));
    let level = *level.ok_or("there is nothing to draw")?;
    let figures: Vec<_> = figures.iter().filter(|figure| figure.level == level).collect();
    draw(path, level, &figures).map_err(at(path))
}

/// Returns the distinct names in the order of their first occurrence.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    names.fold(Vec::new(), |mut seen, name| {
        if !seen.contains(&name) {
            seen.push(name);
        }
        seen
    })
}

/// Draws the speeds of all engines on all files at one level.
fn draw(path: &Path, level: Level, figures: &[&Figure]) -> Result<(), Box<dyn std::error::Error>> {
    let files = distinct(figures.iter().map(|figure| figure.file.as_str()));
    let engines = distinct(figures.iter().map(|figure| figure.engine));
    let rates = || figures.iter().map(|figure| figure.rate());
    let (low, high) = (rates().fold(f64::MAX, f64::min), rates().fold(0.0, f64::max));
    let height = MARGINS + ROW * files.len() as u32;
    let root = SVGBackend::new(path, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(WIDTH - LEGEND);
    // Rows count from the top, so the axis is reversed.
    let rows = (files.len() as f64 - 0.5)..-0.5;
    let mut chart = ChartBuilder::on(&left)
        .caption(format!("{level}, MB/s (logarithmic), more is better"), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(190)
        .build_cartesian_2d((low * 0.8..high * 1.25).log_scale(), rows)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .y_labels(files.len())
        .y_label_formatter(&|row| label(&files, *row))
        .x_labels(8)
        .x_label_formatter(&|rate| format!("{rate:.0}"))
        .draw()?;
    for (index, engine) in engines.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let dots = figures.iter().filter(|figure| figure.engine == *engine).map(|figure| {
            let row = files.iter().position(|file| *file == figure.file).unwrap_or_default();
            Circle::new((figure.rate(), row as f64), 4, color.filled())
        });
        chart.draw_series(dots)?;
        let y = 60 + 20 * index as i32;
        right.draw(&Circle::new((10, y), 5, color.filled()))?;
        right.draw(&Text::new(*engine, (22, y - 6), ("sans-serif", 13)))?;
    }
    root.present()?;
    Ok(())
}

/// Returns the name of the file in `row`, if it is a whole number.
fn label(files: &[&str], row: f64) -> String {
    let nearest = row.round();
    let whole = (row - nearest).abs() < 0.01 && nearest >= 0.0;
    if whole {
        files.get(nearest as usize).copied().unwrap_or_default().to_owned()
    } else {
        String::new()
    }
}

//! The claims against peers, and whether a run confirms them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::corpus::at;
use crate::engines::Level;
use crate::run::{Figure, find};
use crate::stats::geometric_mean;

/// A claim of `definitions/levels.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Level.
    pub level: Level,
    /// The engine that the claim is about.
    pub subject: String,
    /// The peer, for people.
    pub peer: String,
    /// Its variants; the fastest on each file counts.
    pub variants: Vec<String>,
    /// Whether it is about the shapes, and not about all other files.
    #[serde(default)]
    pub shapes: bool,
    /// Minimum geometric mean of the ratios.
    pub mean: f64,
    /// Minimum ratio on any file.
    #[serde(default)]
    pub worst: f64,
}

/// A claim and its measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Level.
    pub level: Level,
    /// The engine that the claim is about.
    pub subject: String,
    /// The peer, for people.
    pub peer: String,
    /// Files that both have figures for.
    pub files: usize,
    /// Geometric mean of the ratios, and the one claimed.
    pub mean: (f64, f64),
    /// Minimum ratio, and the one claimed; 0 claims nothing.
    pub worst: (f64, f64),
    /// The file with the minimum ratio.
    pub worst_file: String,
}

impl Verdict {
    /// Returns whether the claim holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.mean.0 >= self.mean.1 && self.worst.0 >= self.worst.1
    }
}

/// The least ratios on each generated file, beside whichever peer is the fastest there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floors {
    /// The engine that they are about.
    pub subject: String,
    /// Its peers.
    pub peers: Vec<String>,
    /// The ratios for events and for decoded events, by file.
    pub files: BTreeMap<String, [f64; 2]>,
}

/// The speed on a file beside that of the fastest peer.
#[derive(Debug)]
pub struct Standing<'a> {
    /// The figure of the engine that the floors are about.
    pub own: &'a Figure,
    /// The figure of its fastest peer.
    pub peer: &'a Figure,
    /// The least ratio of the two rates; 0 claims nothing.
    pub floor: f64,
}

impl Standing<'_> {
    /// Returns the ratio of the two rates.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.own.rate() / self.peer.rate()
    }

    /// Returns whether the ratio is at least the one claimed.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.ratio() >= self.floor
    }
}

impl Floors {
    /// Compares the figures of one level with those of the fastest peer on each file.
    #[must_use]
    pub fn compare<'a>(&self, level: Level, figures: &[&'a Figure]) -> Vec<Standing<'a>> {
        let own = figures.iter().filter(|figure| figure.engine == self.subject);
        let floor = |file: &str| match (level, self.files.get(file)) {
            (Level::Events, Some(floors)) => floors[0],
            (Level::Decoded, Some(floors)) => floors[1],
            _ => 0.0,
        };
        own.filter_map(|own| {
            let peer = fastest(figures, &self.peers, &own.file)?;
            Some(Standing { own, peer, floor: floor(&own.file) })
        })
        .collect()
    }
}

/// Returns the figure of the fastest of some engines on a file.
fn fastest<'a>(figures: &[&'a Figure], names: &[String], file: &str) -> Option<&'a Figure> {
    let of_names = names.iter().filter_map(|name| find(figures, name, file));
    of_names.max_by(|left, right| left.rate().total_cmp(&right.rate()))
}

/// The claims and floors of `definitions/levels.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Claims about many files.
    pub claim: Vec<Claim>,
    /// Claims about one file each.
    pub floors: Floors,
}

/// Returns all claims.
///
/// # Errors
/// Fails if the file cannot be read or understood.
pub fn load(path: &Path) -> Result<Claims, String> {
    let text = fs::read_to_string(path).map_err(at(path))?;
    toml::from_str(&text).map_err(at(path))
}

/// Returns the measurements for a claim; `None` if it shares no file with the peer.
#[must_use]
pub fn judge(claim: &Claim, figures: &[&Figure]) -> Option<Verdict> {
    let mut ratios: Vec<(f64, &str)> = figures
        .iter()
        .filter(|figure| figure.engine == claim.subject)
        .filter(|figure| figure.file.starts_with("shape_") == claim.shapes)
        .filter_map(|own| {
            let best = fastest(figures, &claim.variants, &own.file)?;
            Some((own.rate() / best.rate(), own.file.as_str()))
        })
        .collect();
    ratios.sort_by(|left, right| left.0.total_cmp(&right.0));
    let &(worst, file) = ratios.first()?;
    let values: Vec<f64> = ratios.iter().map(|ratio| ratio.0).collect();
    Some(Verdict {
        level: claim.level,
        subject: claim.subject.clone(),
        peer: claim.peer.clone(),
        files: ratios.len(),
        mean: (geometric_mean(&values)?, claim.mean),
        worst: (worst, claim.worst),
        worst_file: file.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Spread;

    fn figure(engine: &'static str, file: &str, seconds: f64) -> Figure {
        let seconds = Spread::of(&[seconds]).expect("one sample");
        Figure { engine, file: file.to_owned(), level: Level::Events, bytes: 1_000_000, seconds }
    }

    #[test]
    fn a_peer_counts_with_its_best_configuration_on_each_file() {
        let figures = [
            figure("own", "a", 1.0),
            figure("own", "b", 1.0),
            figure("slow here", "a", 16.0),
            figure("other", "a", 4.0),
            figure("slow here", "b", 9.0),
            figure("other", "b", 20.0),
            figure("other", "c", 1.0),
            figure("own", "shape_d", 2.0),
            figure("other", "shape_d", 1.0),
        ];
        let claim = Claim {
            level: Level::Events,
            subject: "own".to_owned(),
            peer: "peer".to_owned(),
            variants: vec!["slow here".to_owned(), "other".to_owned()],
            shapes: false,
            mean: 6.0,
            worst: 4.5,
        };
        let figures: Vec<_> = figures.iter().collect();
        let verdict = judge(&claim, &figures).expect("two files in common");
        assert_eq!((verdict.files, verdict.worst_file.as_str()), (2, "a"));
        assert!((verdict.mean.0 - 6.0).abs() < 1e-9 && (verdict.worst.0 - 4.0).abs() < 1e-9);
        assert!(!verdict.holds());
        let claim = Claim { shapes: true, ..claim };
        let verdict = judge(&claim, &figures).expect("a shape in common");
        assert_eq!((verdict.files, verdict.worst_file.as_str()), (1, "shape_d"));
        let claim = Claim { subject: "nobody".to_owned(), ..claim };
        assert!(judge(&claim, &figures).is_none());
    }

    #[test]
    fn a_floor_is_beside_the_fastest_peer_on_its_file() {
        let figures = [
            figure("own", "a", 1.0),
            figure("slow here", "a", 3.0),
            figure("other", "a", 2.0),
            figure("no peer", "a", 0.5),
            figure("own", "b", 1.0),
            figure("other", "b", 1.0),
            figure("own", "c", 1.0),
        ];
        let files = [("a".to_owned(), [2.5, 1.5])].into();
        let peers = vec!["slow here".to_owned(), "other".to_owned()];
        let floors = Floors { subject: "own".to_owned(), peers, files };
        let figures: Vec<_> = figures.iter().collect();
        let holds = |level| -> Vec<_> {
            let standings = floors.compare(level, &figures);
            standings
                .iter()
                .map(|found| (found.peer.engine, found.ratio(), found.holds()))
                .collect()
        };
        assert_eq!(holds(Level::Events), [("other", 2.0, false), ("other", 1.0, true)]);
        assert_eq!(holds(Level::Decoded), [("other", 2.0, true), ("other", 1.0, true)]);
    }
}

//! The claims against peers, and whether a run confirms them.

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

#[derive(Deserialize)]
struct Claims {
    claim: Vec<Claim>,
}

/// Returns all claims.
///
/// # Errors
/// Fails if the file cannot be read or understood.
pub fn load(path: &Path) -> Result<Vec<Claim>, String> {
    let text = fs::read_to_string(path).map_err(at(path))?;
    toml::from_str::<Claims>(&text).map(|claims| claims.claim).map_err(at(path))
}

/// Returns the measurements for a claim; `None` if it shares no file with the peer.
#[must_use]
pub fn judge(claim: &Claim, figures: &[&Figure]) -> Option<Verdict> {
    let mut ratios: Vec<(f64, &str)> = figures
        .iter()
        .filter(|figure| figure.engine == claim.subject)
        .filter_map(|own| {
            let rates = claim.variants.iter().filter_map(|name| find(figures, name, &own.file));
            let best = rates.map(Figure::rate).max_by(f64::total_cmp)?;
            Some((own.rate() / best, own.file.as_str()))
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
        ];
        let claim = Claim {
            level: Level::Events,
            subject: "own".to_owned(),
            peer: "peer".to_owned(),
            variants: vec!["slow here".to_owned(), "other".to_owned()],
            mean: 6.0,
            worst: 4.5,
        };
        let figures: Vec<_> = figures.iter().collect();
        let verdict = judge(&claim, &figures).expect("two files in common");
        assert_eq!((verdict.files, verdict.worst_file.as_str()), (2, "a"));
        assert!((verdict.mean.0 - 6.0).abs() < 1e-9 && (verdict.worst.0 - 4.0).abs() < 1e-9);
        assert!(!verdict.holds());
        let claim = Claim { subject: "nobody".to_owned(), ..claim };
        assert!(judge(&claim, &figures).is_none());
    }
}

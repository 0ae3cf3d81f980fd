//! Order statistics and means.

use serde::Serialize;

/// Least, quartiles and number of some samples, in seconds per parse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The shortest sample, from which rates are computed, because noise can only lengthen it.
    pub min: f64,
    /// First quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Number of samples.
    pub samples: usize,
}

impl Spread {
    /// `None` without samples.
    #[must_use]
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let min = *sorted.first()?;
        let at = |part| quantile(&sorted, part);
        Some(Self { min, q1: at(0.25), median: at(0.5), q3: at(0.75), samples: sorted.len() })
    }

    /// Interquartile range as a part of the median.
    #[must_use]
    pub fn relative(&self) -> f64 {
        (self.q3 - self.q1) / self.median
    }
}

/// Linear interpolation between the two nearest ranks; `sorted` is not empty.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let rank = part * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
    low + (high - low) * rank.fract()
}

/// Geometric mean; `None` without values.
#[must_use]
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_interpolate() {
        let spread = Spread::of(&[4.0, 1.0, 3.0, 2.0]).expect("samples");
        assert_eq!((spread.min, spread.q1, spread.median, spread.q3), (1.0, 1.75, 2.5, 3.25));
        assert!((spread.relative() - 0.6).abs() < 1e-12);
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn the_geometric_mean_of_inverse_ratios_is_one() {
        let mean = geometric_mean(&[4.0, 0.25]).expect("values");
        assert!((mean - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}

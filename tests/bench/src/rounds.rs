//! Two or more things measured in turn, A B A B, so that what the machine does meanwhile falls on all alike.

use std::hint::black_box;
use std::time::Instant;

/// What one thing took, round by round, in seconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    /// Adds one.
    pub(crate) fn push(&mut self, seconds: f64) {
        self.0.push(seconds);
    }

    /// The middle one.
    pub(crate) fn median(&self) -> f64 {
        self.percentile(50)
    }

    /// The value below which `percent` of a hundred lie, by nearest rank; 0 when nothing was measured.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (sorted.len() * percent).div_ceil(100).max(1) - 1;
        sorted.get(rank).copied().unwrap_or_default()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Something to measure; it says how many seconds it took, so that setting up does not count.
pub(crate) type Step<'a> = Box<dyn FnMut() -> Result<f64, String> + 'a>;

/// Runs all steps once to warm up, then `rounds` times in turn.
pub(crate) fn in_turn(rounds: usize, mut steps: Vec<Step<'_>>) -> Result<Vec<Samples>, String> {
    for step in &mut steps {
        step()?;
    }
    let mut samples = vec![Samples::default(); steps.len()];
    for _ in 0..rounds {
        for (step, samples) in steps.iter_mut().zip(&mut samples) {
            samples.push(step()?);
        }
    }
    Ok(samples)
}

/// How long `work` takes, in seconds.
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

//! Random numbers that are the same everywhere: `SplitMix64`, with a fixed seed.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 when `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or(0)
    }

    /// One of several.
    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// Whether something that happens `percent` times in a hundred happens.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// About normally distributed, with mean 0 and deviation 1: the sum of twelve even numbers (Irwin and Hall).
    #[expect(clippy::cast_precision_loss, reason = "a thousandth is fine enough")]
    pub(crate) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.below(1000) as f64 / 1000.0).sum::<f64>() - 6.0
    }
}

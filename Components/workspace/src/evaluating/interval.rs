//! How far a share can be trusted.

use mentci_host::EvalShare;

/// 95 percent of a normal distribution lie within so many standard deviations.
const Z: f64 = 1.959_964;

/// So many hits of so many, with the interval of Wilson (1927): it stays within 0 and 1, and is honest for few.
pub(crate) fn share(hits: usize, of: usize) -> EvalShare {
    #[expect(clippy::cast_precision_loss, reason = "counts lie far below 2^53")]
    let (k, n) = (hits as f64, of as f64);
    if of == 0 {
        return EvalShare { hits, of, low: 0.0, high: 1.0 };
    }
    let p = k / n;
    let middle = p + Z * Z / (2.0 * n);
    let reach = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    let low = if hits == 0 { 0.0 } else { (middle - reach) / whole };
    let high = if hits == of { 1.0 } else { (middle + reach) / whole };
    EvalShare { hits, of, low: rounded(low), high: rounded(high) }
}

/// Four digits: more would only differ between machines.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::share;

    /// The figures of the usual tables.
    #[test]
    fn it_is_wilsons_interval() {
        for (hits, of, low, high) in
            [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (98, 100, 0.93, 0.9945)]
        {
            let found = share(hits, of);
            assert_eq!((found.low, found.high), (low, high), "{hits} of {of}");
        }
        let none = share(0, 0);
        assert_eq!((none.low, none.high), (0.0, 1.0));
    }
}

//! How long to wait before asking again.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A pause on its way.
pub type Paused<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Whoever waits for us.
pub trait Pause: Send + Sync + fmt::Debug {
    /// Comes back after so long.
    fn pause(&self, time: Duration) -> Paused<'_>;
}

/// Waits by the runtime's timer.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimerPause;

impl Pause for TimerPause {
    fn pause(&self, time: Duration) -> Paused<'_> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// Exponential backoff with jitter: between half and all of 0.5 s, 1 s, 2 s and so on, up to 30 s.
#[derive(Debug)]
pub struct Backoff {
    state: AtomicU64,
}

const FIRST: Duration = Duration::from_millis(500);
const MOST: Duration = Duration::from_secs(30);

/// For how long a provider may ask us to wait: beyond it the request is given up.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

impl Backoff {
    /// Jitter from this seed: the same seed, the same pauses.
    pub fn new(seed: u64) -> Self {
        Self { state: AtomicU64::new(seed) }
    }

    /// The pause after so many tries.
    ///
    /// ```
    /// use mentci_model::Backoff;
    /// let (one, other) = (Backoff::new(7), Backoff::new(7));
    /// let pauses: Vec<_> = (1..9).map(|tries| one.after(tries)).collect();
    /// assert_eq!(pauses, (1..9).map(|tries| other.after(tries)).collect::<Vec<_>>());
    /// assert!(pauses.iter().all(|pause| (0.25..=30.0).contains(&pause.as_secs_f64())));
    /// ```
    pub fn after(&self, tries: u32) -> Duration {
        let doubled = FIRST.saturating_mul(1 << tries.saturating_sub(1).min(16)).min(MOST);
        doubled.mul_f64(0.5 + self.share() / 2.0)
    }

    /// The next share from 0 to 1, by splitmix64 (Steele, Lea and Flood, 2014).
    fn share(&self) -> f64 {
        let step = 0x9e37_79b9_7f4a_7c15_u64;
        let mut z = self.state.fetch_add(step, Ordering::Relaxed).wrapping_add(step);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        #[expect(clippy::cast_precision_loss, reason = "32 bits fit")]
        let share = ((z ^ (z >> 31)) >> 32) as f64 / f64::from(u32::MAX);
        share
    }
}

//! How often somebody may ask, and how often they may guess.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How many addresses are remembered; when there are more, those that are full again are forgotten.
const ADDRESSES: usize = 10_000;

/// A bucket for each address: it holds so much, and fills again in so long.
#[derive(Debug)]
pub(crate) struct Throttle {
    most: f64,
    window: Duration,
    buckets: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Throttle {
    /// At most so many in this time.
    pub(crate) fn new(most: u32, window: Duration) -> Self {
        Self { most: f64::from(most), window, buckets: Mutex::default() }
    }

    /// Takes one; false when there is none left.
    pub(crate) fn take(&self, address: IpAddr) -> bool {
        self.with(address, |left| {
            let some = *left >= 1.0;
            if some {
                *left -= 1.0;
            }
            some
        })
    }

    fn with<T>(&self, address: IpAddr, work: impl FnOnce(&mut f64) -> T) -> T {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if buckets.len() >= ADDRESSES {
            buckets.retain(|_, (left, then)| self.filled(*left, *then, now) < self.most);
            if buckets.len() >= ADDRESSES {
                buckets.clear();
            }
        }
        let (left, then) = buckets.entry(address.to_canonical()).or_insert((self.most, now));
        *left = self.filled(*left, *then, now);
        *then = now;
        work(left)
    }

    fn filled(&self, left: f64, then: Instant, now: Instant) -> f64 {
        let share = now.saturating_duration_since(then).as_secs_f64() / self.window.as_secs_f64();
        self.most.min(left + share * self.most)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use super::Throttle;

    #[test]
    fn who_asks_too_often_waits_and_others_do_not() {
        let throttle = Throttle::new(3, Duration::from_hours(1));
        let (one, other) = (IpAddr::V4(Ipv4Addr::new(1, 1, 1, 1)), IpAddr::V4(Ipv4Addr::new(2, 2, 2, 2)));
        assert_eq!([(); 4].map(|()| throttle.take(one)), [true, true, true, false]);
        assert!(throttle.take(other));
    }
}

//! The time, as it enters.

use std::fmt;

/// Says what time it is. A compile never asks: only lessons, acceptances and the length of a cycle have a time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Now, as RFC 3339 in UTC with whole seconds: `2026-11-21T22:25:20Z`.
    fn now(&self) -> String;

    /// Microseconds since some moment; never goes back.
    fn micros(&self) -> u64;

    /// How far east of UTC the clocks on the wall stand at a moment, in seconds: a schedule without a zone is theirs.
    fn offset_seconds(&self, ms: i64) -> i32;
}

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock {
    start: std::time::Instant,
}

impl SystemClock {
    /// The machine's clock, counting from now.
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    pub fn new() -> Self {
        Self { start: std::time::Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    fn now(&self) -> String {
        let now =
            jiff::Timestamp::try_from(std::time::SystemTime::now()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn offset_seconds(&self, ms: i64) -> i32 {
        let zone = jiff::tz::TimeZone::system();
        jiff::Timestamp::from_millisecond(ms).map_or(0, |moment| zone.to_offset(moment).seconds())
    }
}

/// Milliseconds since some moment that is the same for all processes of this machine; never goes back.
pub fn uptime_ms() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let milliseconds = now.tv_sec.saturating_mul(1_000).saturating_add(now.tv_nsec / 1_000_000);
    u64::try_from(milliseconds).unwrap_or(0)
}

/// A clock that stands still, in UTC, for tests.
#[derive(Debug, Clone)]
pub struct StoppedClock(
    /// What it shows.
    pub String,
);

impl Clock for StoppedClock {
    fn now(&self) -> String {
        self.0.clone()
    }

    fn micros(&self) -> u64 {
        0
    }

    fn offset_seconds(&self, _: i64) -> i32 {
        0
    }
}

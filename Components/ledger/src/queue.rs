//! Calls in the order of time, of which many may stand at one moment.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Calls of one moment that follow each other: under load, thousands do.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(from = "(i64, u64, u32)", into = "(i64, u64, u32)")]
pub(crate) struct Run {
    pub(crate) at_ms: i64,
    /// The number of the first among all calls.
    pub(crate) first: u64,
    pub(crate) count: u32,
    /// How many calls went into the queue before these, as far as that fits.
    before: u32,
}

impl Run {
    pub(crate) fn new(at_ms: i64, first: u64, count: u32) -> Self {
        Self { at_ms, first, count, before: 0 }
    }

    /// How many of its calls have a lower number.
    fn below(&self, number: u64) -> u32 {
        u32::try_from(number.saturating_sub(self.first)).unwrap_or(u32::MAX).min(self.count)
    }

    fn is_followed_by(&self, next: Self) -> bool {
        self.at_ms == next.at_ms
            && self.first.saturating_add(self.count.into()) == next.first
            && self.count.checked_add(next.count).is_some()
    }
}

impl From<(i64, u64, u32)> for Run {
    fn from((at_ms, first, count): (i64, u64, u32)) -> Self {
        Self::new(at_ms, first, count)
    }
}

impl From<Run> for (i64, u64, u32) {
    fn from(run: Run) -> Self {
        (run.at_ms, run.first, run.count)
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        <(i64, u64, u32)>::from(*self) == (*other).into()
    }
}

/// The oldest first.
///
/// INVARIANT (time order): both time and number rise, so that windows are found by halving. There are never 2^32 calls at a
/// time, so that counts of those that went in may wrap.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "VecDeque<Run>", into = "VecDeque<Run>")]
pub(crate) struct Queue(VecDeque<Run>);

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn runs(&self) -> impl Iterator<Item = Run> {
        self.0.iter().copied()
    }

    /// The oldest calls of one moment.
    pub(crate) fn oldest(&self) -> Option<Run> {
        self.0.front().copied()
    }

    pub(crate) fn push(&mut self, run: Run) {
        match self.0.back_mut() {
            Some(last) if last.is_followed_by(run) => last.count += run.count,
            last => {
                let before = last.map_or(0, |last| last.before.wrapping_add(last.count));
                self.0.push_back(Run { before, ..run });
            }
        }
    }

    /// Drops the oldest `count` calls, which are all of one moment.
    pub(crate) fn drop_oldest(&mut self, count: u32) {
        if let Some(oldest) = self.0.front_mut().filter(|oldest| oldest.count > count) {
            oldest.first = oldest.first.saturating_add(count.into());
            oldest.before = oldest.before.wrapping_add(count);
            oldest.count -= count;
        } else {
            self.0.pop_front();
        }
    }

    /// How many calls lie in the window and have a number of `numbers`.
    pub(crate) fn count(&self, since_ms: i64, numbers: std::ops::Range<u64>) -> usize {
        let start = self.0.partition_point(|run| run.at_ms < since_ms);
        let Some(oldest) = self.0.get(start) else { return 0 };
        let from = self.passed(numbers.start.max(oldest.first));
        let to = self.passed(numbers.end.max(oldest.first));
        to.wrapping_sub(from) as usize * usize::from(numbers.end > numbers.start)
    }

    /// The number of the latest call in the window and before a number. Most often it is the last of all.
    pub(crate) fn latest(&self, since_ms: i64, before: u64) -> Option<u64> {
        let end = match self.0.back() {
            Some(last) if last.first >= before => self.0.partition_point(|run| run.first < before),
            _ => self.0.len(),
        };
        let latest = self.0.get(end.checked_sub(1)?).filter(|run| run.at_ms >= since_ms)?;
        Some(latest.first.saturating_add(latest.below(before).into()).saturating_sub(1))
    }

    /// How many calls with a lower number went in, as far as that fits.
    fn passed(&self, number: u64) -> u32 {
        let end = self.0.partition_point(|run| run.first < number);
        let last = end.checked_sub(1).and_then(|last| self.0.get(last));
        match last.or(self.0.front()) {
            Some(run) => run.before.wrapping_add(run.below(number)),
            None => 0,
        }
    }
}

impl From<VecDeque<Run>> for Queue {
    fn from(runs: VecDeque<Run>) -> Self {
        let mut queue = Self::default();
        for run in runs {
            queue.push(run);
        }
        queue
    }
}

impl From<Queue> for VecDeque<Run> {
    fn from(queue: Queue) -> Self {
        queue.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What a queue of runs says is what a list of its calls says.
        #[test]
        fn runs_are_their_calls(
            steps in prop::collection::vec((0_i64..3, 1_u64..3), 0..40),
            dropped in 0_usize..20,
            since in 0_i64..60,
            from in 0_u64..80,
            to in 0_u64..80,
        ) {
            let (mut queue, mut calls) = (Queue::default(), Vec::new());
            let (mut at, mut number) = (0, 0);
            for (later, further) in steps {
                (at, number) = (at + later, number + further);
                queue.push(Run::new(at, number, 1));
                calls.push((at, number));
            }
            for (at, number) in calls.drain(..dropped.min(calls.len())) {
                let oldest = queue.oldest().unwrap();
                prop_assert_eq!((oldest.at_ms, oldest.first), (at, number));
                queue.drop_oldest(1);
            }
            prop_assert_eq!(queue.is_empty(), calls.is_empty());
            let seen = |number: u64| calls.iter().filter(move |call| call.0 >= since && (from..number).contains(&call.1));
            prop_assert_eq!(queue.count(since, from..to), seen(to).count());
            let latest = calls.iter().rfind(|call| call.1 < to).filter(|call| call.0 >= since);
            prop_assert_eq!(queue.latest(since, to), latest.map(|call| call.1));
            let kept = serde_json::to_string(&queue).unwrap();
            prop_assert_eq!(serde_json::from_str::<Queue>(&kept).unwrap(), queue);
        }
    }

    #[test]
    fn calls_of_a_moment_are_one_run() {
        let mut queue = Queue::default();
        (0..1_000).for_each(|number| queue.push(Run::new(7, number, 1)));
        queue.push(Run::new(8, 1_000, 1));
        queue.push(Run::new(8, 1_002, 1));
        assert_eq!(serde_json::to_string(&queue).unwrap(), "[[7,0,1000],[8,1000,1],[8,1002,1]]");
        queue.drop_oldest(400);
        assert_eq!(queue.count(7, 0..700), 300);
    }
}

//! Whether the steps of a chain were taken.

use std::fmt;

use mentci_authority::{Chain, ChainStep, Effect, NamePattern, ToolMatch};

use crate::Windows;
use crate::lane::{Lane, Timeline};
use crate::names::Names;
use crate::queue::Queue;

/// The chain looks further back than calls are kept: the answer is not known. The rule faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unretained {
    /// What is kept.
    pub kept: Windows,
}

impl fmt::Display for Unretained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "calls are kept for {} ms, and the chain looks further back", self.kept.longest_ms)
    }
}

/// What a step asks of a name, by the number of the step: asked only about steps whose tools are patterns.
pub(crate) type Matches<'a> = &'a dyn Fn(usize, &str) -> bool;

/// The calls of a session, as a chain looks at them at one moment.
pub(crate) struct Past<'a> {
    pub(crate) timeline: &'a Timeline,
    pub(crate) names: &'a Names,
    pub(crate) now_ms: i64,
    pub(crate) matches: Matches<'a>,
}

impl Past<'_> {
    /// Whether the steps were taken; both ends of a window belong to it.
    ///
    /// In order means that each step's calls were all made before the next step's. Taking the latest calls for the last
    /// step, then the latest before those for the one before, leaves every earlier step the most room: if any choice
    /// fits, this one does.
    pub(crate) fn holds(&self, chain: &Chain) -> bool {
        let mut before = self.timeline.end();
        for (number, step) in chain.steps.iter().enumerate().rev() {
            match self.latest(number, step, before) {
                None => return false,
                Some(first) if chain.ordered => before = first,
                Some(_) => {}
            }
        }
        true
    }

    /// The number of the first of the latest `min_count` calls of the step before `before`.
    fn latest(&self, number: usize, step: &ChainStep, before: u64) -> Option<u64> {
        let since = self.now_ms.saturating_sub_unsigned(step.within_ms);
        if step.min_count <= 1 {
            let mut last = None;
            self.each_queue(number, step, &mut |queue| last = last.max(queue.latest(since, before)));
            return last;
        }
        let mut queues = Vec::new();
        let mut count = 0;
        self.each_queue(number, step, &mut |queue| {
            count += queue.count(since, 0..before);
            queues.push(queue);
        });
        let wanted = step.min_count as usize;
        (count >= wanted).then(|| nth_latest(&queues, since, before, wanted))
    }

    fn each_queue<'a>(&'a self, number: usize, step: &ChainStep, visit: &mut dyn FnMut(&'a Queue)) {
        let mut lane = |lane: &'a Lane| {
            for effect in Effect::ALL
                .into_iter()
                .filter(|effect| step.verdicts.is_empty() || step.verdicts.contains(effect))
            {
                if !lane[effect as usize].is_empty() {
                    visit(&lane[effect as usize]);
                }
            }
        };
        match &step.tools {
            ToolMatch::Any => lane(&self.timeline.any),
            ToolMatch::OneOf(patterns) => match patterns.as_slice() {
                [NamePattern::Exact(name)] => {
                    if let Some(found) = self.names.find(name).and_then(|tool| self.timeline.lanes.get(tool))
                    {
                        lane(found);
                    }
                }
                patterns => {
                    for (name, found) in self.names.all().iter().zip(&self.timeline.lanes) {
                        let exact = |pattern: &NamePattern| matches!(pattern, NamePattern::Exact(exact) if **exact == **name);
                        let is_empty = found.iter().all(Queue::is_empty);
                        if !is_empty && (patterns.iter().any(exact) || (self.matches)(number, name)) {
                            lane(found);
                        }
                    }
                }
            },
        }
    }
}

/// The number of the `wanted`-th latest call of the queues. There are so many.
fn nth_latest(queues: &[&Queue], since_ms: i64, before: u64, wanted: usize) -> u64 {
    let count_from =
        |number: u64| -> usize { queues.iter().map(|queue| queue.count(since_ms, number..before)).sum() };
    // The greatest number from which there are still enough.
    let (mut low, mut high) = (0, before);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if count_from(middle) >= wanted { low = middle } else { high = middle }
    }
    low
}

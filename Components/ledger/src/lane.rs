//! The calls of a tool in time, as long as a chain may ask for them.

use std::collections::VecDeque;

use mentci_authority::Effect;
use serde::{Deserialize, Serialize};

use crate::Windows;
use crate::queue::{Queue, Run};

/// The calls of a tool by what was decided about them.
pub(crate) type Lane = [Queue; Effect::ALL.len()];

/// Every call within the longest window, by tool. Calls of one moment with the same tool and effect take 60 bytes together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub(crate) struct Timeline {
    next: u64,
    /// By the number of the tool.
    pub(crate) lanes: Vec<Lane>,
    #[serde(skip)]
    pub(crate) any: Lane,
    /// Of which tool and effect the calls in `any` are, in the order of their numbers: what to drop first.
    #[serde(skip)]
    order: VecDeque<Kin>,
}

/// Calls of the same tool and effect that follow each other.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Kin {
    tool: u32,
    effect: u8,
    count: u32,
}

#[derive(Deserialize)]
struct Kept {
    next: u64,
    lanes: Vec<Lane>,
}

impl Timeline {
    pub(crate) fn push(&mut self, tool: usize, effect: Effect, now_ms: i64, windows: Windows) {
        if self.lanes.len() <= tool {
            self.lanes.resize_with(tool + 1, Lane::default);
        }
        let run = Run::new(now_ms, self.next, 1);
        self.next += 1;
        self.insert(tool, effect as usize, run);
        self.drop_before(now_ms.saturating_sub_unsigned(windows.longest_ms));
    }

    /// How many calls are kept.
    pub(crate) fn len(&self) -> usize {
        self.order.iter().map(|kin| kin.count as usize).sum()
    }

    /// The number that no call has yet.
    pub(crate) fn end(&self) -> u64 {
        self.next
    }

    fn insert(&mut self, tool: usize, effect: usize, run: Run) {
        self.lanes[tool][effect].push(run);
        self.any[effect].push(run);
        // OK because there are never so many tools, and five effects.
        let (tool, effect) = (u32::try_from(tool).unwrap_or(u32::MAX), u8::try_from(effect).unwrap_or(0));
        match self.order.back_mut() {
            Some(last)
                if (last.tool, last.effect) == (tool, effect)
                    && last.count.checked_add(run.count).is_some() =>
            {
                last.count += run.count;
            }
            _ => self.order.push_back(Kin { tool, effect, count: run.count }),
        }
    }

    fn drop_before(&mut self, since_ms: i64) {
        while let Some(kin) = self.order.front_mut() {
            let (any, lane) = (&mut self.any[usize::from(kin.effect)], self.lanes.get_mut(kin.tool as usize));
            let lane = lane.map(|lane| &mut lane[usize::from(kin.effect)]);
            let Some(oldest) = any.oldest().filter(|oldest| oldest.at_ms < since_ms) else { return };
            let own = lane.as_ref().and_then(|lane| lane.oldest()).map_or(u32::MAX, |oldest| oldest.count);
            let count = kin.count.min(oldest.count).min(own);
            any.drop_oldest(count);
            if let Some(lane) = lane {
                lane.drop_oldest(count);
            }
            kin.count -= count;
            if kin.count == 0 {
                self.order.pop_front();
            }
        }
    }
}

impl From<Kept> for Timeline {
    fn from(kept: Kept) -> Self {
        let mut runs = Vec::new();
        for (tool, lane) in kept.lanes.iter().enumerate() {
            for (effect, queue) in lane.iter().enumerate() {
                runs.extend(queue.runs().map(|run| (run, tool, effect)));
            }
        }
        runs.sort_unstable_by_key(|(run, ..)| run.first);
        let mut timeline = Self { next: kept.next, ..Self::default() };
        timeline.lanes.resize_with(kept.lanes.len(), Lane::default);
        for (run, tool, effect) in runs {
            timeline.insert(tool, effect, run);
        }
        timeline
    }
}

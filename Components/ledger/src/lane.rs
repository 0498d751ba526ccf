//! The calls of a tool in time, as long as a chain may ask for them.

use std::collections::VecDeque;

use mentci_authority::Effect;
use serde::{Deserialize, Serialize};

use crate::Windows;

/// A call: when, and its number among all calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Moment(pub(crate) i64, pub(crate) u64);

impl Moment {
    pub(crate) fn at(self) -> i64 {
        self.0
    }

    pub(crate) fn number(self) -> u64 {
        self.1
    }
}

/// The calls of a tool by what was decided about them, the oldest first.
pub(crate) type Lane = [VecDeque<Moment>; Effect::ALL.len()];

/// Every call within the longest window, by tool. A call takes 40 bytes.
///
/// INVARIANT (time order): within a lane both time and number rise, so that windows are found by halving.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub(crate) struct Timeline {
    next: u64,
    /// By the number of the tool.
    pub(crate) lanes: Vec<Lane>,
    #[serde(skip)]
    pub(crate) any: Lane,
    /// Tool and effect of every call in `any`, in the order of their numbers: what to drop first.
    #[serde(skip)]
    order: VecDeque<(u32, u8)>,
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
        let moment = Moment(now_ms, self.next);
        self.next += 1;
        self.insert(tool, effect as usize, moment);
        self.drop_before(now_ms.saturating_sub_unsigned(windows.longest_ms));
    }

    /// How many calls are kept.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The number that no call has yet.
    pub(crate) fn end(&self) -> u64 {
        self.next
    }

    fn insert(&mut self, tool: usize, effect: usize, moment: Moment) {
        self.lanes[tool][effect].push_back(moment);
        self.any[effect].push_back(moment);
        // OK because there are never so many tools, and five effects.
        self.order.push_back((u32::try_from(tool).unwrap_or(u32::MAX), u8::try_from(effect).unwrap_or(0)));
    }

    fn drop_before(&mut self, since_ms: i64) {
        while let Some((tool, effect)) =
            self.order.front().map(|(tool, effect)| (*tool as usize, usize::from(*effect)))
            && self.any[effect].front().is_none_or(|moment| moment.at() < since_ms)
        {
            self.order.pop_front();
            self.any[effect].pop_front();
            if let Some(lane) = self.lanes.get_mut(tool) {
                lane[effect].pop_front();
            }
        }
    }
}

impl From<Kept> for Timeline {
    fn from(kept: Kept) -> Self {
        let mut calls = Vec::new();
        for (tool, lane) in kept.lanes.iter().enumerate() {
            for (effect, moments) in lane.iter().enumerate() {
                calls.extend(moments.iter().map(|moment| (*moment, tool, effect)));
            }
        }
        calls.sort_unstable_by_key(|(moment, ..)| moment.number());
        let mut timeline = Self { next: kept.next, ..Self::default() };
        timeline.lanes.resize_with(kept.lanes.len(), Lane::default);
        for (moment, tool, effect) in calls {
            timeline.insert(tool, effect, moment);
        }
        timeline
    }
}

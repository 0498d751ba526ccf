//! The meter: how much a run took, and what stopped it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use mlua::{Lua, VmState};

use crate::{Fault, Limits};

/// How many pulses pass between two looks at the heap and the clock.
const LOOK_EVERY: u64 = 16;

/// How many bytes of heap make each step weigh one more.
const HEAVY_BYTES: u64 = 256 << 10;

/// How much a run took, and what stopped it. A machine runs one script at a time: nobody competes for these.
pub(super) struct Meter {
    pulses: AtomicU64,
    steps: AtomicU64,
    most_steps: AtomicU64,
    ends_at: AtomicU64,
    stopped: AtomicU8,
    line: AtomicU32,
    /// From which pulse on lines are noted.
    notes_from: AtomicU64,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
}

const STEPS: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;
const ACTIONS: u8 = 4;
const OUTPUT: u8 = 5;

impl Meter {
    pub(super) fn new(clock: &Arc<dyn Fn() -> u64 + Send + Sync>) -> Arc<Self> {
        Arc::new(Self {
            pulses: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            most_steps: AtomicU64::new(u64::MAX),
            ends_at: AtomicU64::new(u64::MAX),
            stopped: AtomicU8::new(0),
            line: AtomicU32::new(0),
            notes_from: AtomicU64::new(0),
            clock: Arc::clone(clock),
        })
    }

    /// Lets Luau call the meter "at any function call or at any loop iteration", and in patterns.
    pub(super) fn install(self: &Arc<Self>, lua: &Lua) {
        let meter = Arc::clone(self);
        lua.set_interrupt(move |lua| meter.pulse(lua));
    }

    /// The same, and from so many pulses on the line is noted: each is then ten times as slow.
    pub(super) fn install_noting(self: &Arc<Self>, lua: &Lua, from: u64) {
        let meter = Arc::clone(self);
        meter.notes_from.store(from, Relaxed);
        lua.set_interrupt(move |lua| {
            if meter.pulses() >= meter.notes_from.load(Relaxed) {
                meter.line.store(current_line(lua), Relaxed);
            }
            meter.pulse(lua)
        });
    }

    /// The line that was noted last.
    pub(super) fn line(&self) -> Option<u32> {
        Some(self.line.load(Relaxed)).filter(|line| *line > 0)
    }

    pub(super) fn start(&self, limits: &Limits) {
        self.pulses.store(0, Relaxed);
        self.steps.store(0, Relaxed);
        self.most_steps.store(limits.steps, Relaxed);
        self.stopped.store(0, Relaxed);
        self.line.store(0, Relaxed);
        self.ends_at.store((self.clock)().saturating_add(limits.timeout_ms), Relaxed);
    }

    /// How often Luau called: what a run costs, while steps weigh what it holds too.
    pub(super) fn pulses(&self) -> u64 {
        self.pulses.load(Relaxed)
    }

    /// How many milliseconds the run has left.
    pub(super) fn left_ms(&self) -> u64 {
        self.ends_at.load(Relaxed).saturating_sub((self.clock)())
    }

    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Relaxed)
    }

    /// What stopped the run, and at which line.
    pub(super) fn stopped(&self) -> Option<(Fault, Option<u32>)> {
        let line = self.line();
        match self.stopped.load(Relaxed) {
            STEPS => Some((Fault::Steps, line)),
            TIME => Some((Fault::Time, line)),
            MEMORY => Some((Fault::Memory, line)),
            ACTIONS => Some((Fault::Actions, line)),
            OUTPUT => Some((Fault::Output, line)),
            _ => None,
        }
    }

    /// The allocator refused, and the script caught that: it takes no further step.
    pub(super) fn refused(&self, lua: &Lua) -> mlua::Error {
        if self.stopped.load(Relaxed) == 0 {
            return self.stop(lua, MEMORY);
        }
        mlua::Error::runtime("stopped")
    }

    /// The script asks for one action too many: it takes no further step.
    pub(super) fn asks_too_often(&self, lua: &Lua) -> mlua::Error {
        self.stop(lua, ACTIONS)
    }

    /// The script gives too much: it takes no further step.
    pub(super) fn gives_too_much(&self, lua: &Lua) -> mlua::Error {
        self.stop(lua, OUTPUT)
    }

    fn pulse(&self, lua: &Lua) -> mlua::Result<VmState> {
        // A script that caught what stopped it takes no further step.
        if self.stopped.load(Relaxed) != 0 {
            return Err(mlua::Error::runtime("stopped"));
        }
        let pulses = self.pulses.load(Relaxed) + 1;
        self.pulses.store(pulses, Relaxed);
        let mut steps = self.steps.load(Relaxed) + 1;
        if pulses.is_multiple_of(LOOK_EVERY) {
            steps += LOOK_EVERY * (lua.used_memory() as u64 / HEAVY_BYTES);
            if (self.clock)() >= self.ends_at.load(Relaxed) {
                return Err(self.stop(lua, TIME));
            }
        }
        self.steps.store(steps, Relaxed);
        if steps > self.most_steps.load(Relaxed) {
            return Err(self.stop(lua, STEPS));
        }
        Ok(VmState::Continue)
    }

    /// Raised, not yielded: a yield waits for a yieldable point. A script that catches it is stopped again by the next pulse.
    #[cold]
    fn stop(&self, lua: &Lua, why: u8) -> mlua::Error {
        self.stopped.store(why, Relaxed);
        self.line.store(current_line(lua), Relaxed);
        mlua::Error::runtime("stopped")
    }
}

/// The line of the innermost function that has lines: library functions have none.
fn current_line(lua: &Lua) -> u32 {
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method is not general enough in its lifetime"
    )]
    let line = |level| lua.inspect_stack(level, |frame| frame.current_line()).flatten();
    let lines = (0..8).filter_map(line).map(|line| u32::try_from(line).unwrap_or(0));
    lines.into_iter().find(|line| *line > 0).unwrap_or(0)
}

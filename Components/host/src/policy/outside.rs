//! What judging needs from outside and cannot know itself.

use std::borrow::Cow;

use mentci_authority::{At, Event};
use mentci_pdp::{NoScripts, Program, Scripts, Templates, Verbatim};

/// How far east of UTC a zone lies at a moment.
pub trait Zones {
    /// Seconds east of UTC; none where no zone has this name.
    fn offset_seconds(&self, zone: &str, ms: i64) -> Option<i32>;
}

/// Knows `UTC` alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct UtcOnly;

impl Zones for UtcOnly {
    fn offset_seconds(&self, zone: &str, _: i64) -> Option<i32> {
        matches!(zone, "UTC" | "Z" | "Etc/UTC").then_some(0)
    }
}

/// The traits that judging is handed.
#[derive(Clone, Copy)]
pub struct Outside<'o> {
    /// Renders messages.
    pub templates: &'o dyn Templates,
    /// Knows zones.
    pub zones: &'o dyn Zones,
    /// Runs scripts.
    pub scripts: &'o dyn Scripts,
}

impl Outside<'static> {
    /// Messages as they were written, UTC alone, and no scripts.
    pub fn nothing() -> Self {
        Self { templates: &Verbatim, zones: &UtcOnly, scripts: &NoScripts }
    }
}

impl std::fmt::Debug for Outside<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outside")
    }
}

impl Outside<'_> {
    /// The event with the offsets of the zones that a program's schedules name.
    pub(super) fn located<'e>(&self, event: &'e Event, program: &Program) -> Cow<'e, Event> {
        let Some(At { ms, .. }) = event.at.filter(|_| !program.zones().is_empty()) else {
            return Cow::Borrowed(event);
        };
        let mut located = event.clone();
        for zone in program.zones() {
            if let Some(offset) = self.zones.offset_seconds(zone, ms) {
                located.zones.insert(zone.clone(), offset);
            }
        }
        Cow::Owned(located)
    }
}

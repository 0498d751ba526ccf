//! Templates, zones and scripts, for judging.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use mentci_host::policy::{Outside, Zones};

use super::script_time::ScriptTime;
use crate::workspace::Workspace;

/// Knows every zone of the IANA database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World;

impl Workspace {
    /// What judging is handed in a workspace.
    pub(crate) fn outside(&self) -> Outside<'_> {
        Outside { templates: &self.templates, zones: &World, scripts: &self.scripts }
    }

    /// The time that the scripts of one event have together.
    pub(crate) fn script_time(&self) -> ScriptTime<'_> {
        ScriptTime::of(&self.scripts, self.hook_limits().0)
    }
}

impl Zones for World {
    fn offset_seconds(&self, zone: &str, ms: i64) -> Option<i32> {
        let moment = Timestamp::from_millisecond(ms).ok()?;
        Some(TimeZone::get(zone).ok()?.to_offset(moment).seconds())
    }
}
